// Every scene of the gallery keeps its promise, headless; and the scenes themselves are well made.

import { describe, expect, test } from 'vitest';
import { loadScene, runDemo } from '../../demos/app/session';
import { SCENES } from '../../demos/scenes/index';
import { readScene, writeScene } from '../../src/index';

describe('gallery scenes', () => {
  test('have unique ids that can stand in a URL', () => {
    const ids = SCENES.map((scene) => scene.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
  });

  for (const scene of SCENES) {
    test(`${scene.id} is a scene file that is written and read back unchanged`, () => {
      const once = loadScene(scene.build());
      expect(readScene(writeScene(once))).toEqual(once);
    });

    test(`${scene.id} keeps its promise for ${scene.seconds} s`, () => {
      expect(runDemo(scene).failure).toBeNull();
    });
  }
});
