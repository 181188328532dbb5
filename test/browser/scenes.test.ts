// Every scene of the gallery keeps its promise as visitors find it, headless; and the scenes themselves are well made.

import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { createPlayer } from '../../demos/app/player';
import { loadScene, runDemo } from '../../demos/app/session';
import { blockFeeder } from '../../demos/scenes/block-feeder';
import { SCENES } from '../../demos/scenes/index';
import { pyramid } from '../../demos/scenes/pyramid';
import { readScene, writeScene } from '../../src/index';

/** As long as visitors may look on [s]: what a scene promises lasts. */
const WATCHED = 20;
/** `npm run test:gallery` watches these for as long, too; else they are checked once, at their first check. */
const COSTLY = ['pile', 'large-pile', 'hairy-ball', 'head-of-hair', 'rolling-fur', 'groom', 'sticky-strands'];
const isLong = process.env.GALLERY === 'long';

describe('gallery scenes', () => {
  test('have unique ids that can stand in a URL', () => {
    const ids = SCENES.map((scene) => scene.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(ids).toEqual(expect.arrayContaining(COSTLY));
  });

  for (const scene of SCENES) {
    test(`${scene.id} is a scene file that is written and read back unchanged`, () => {
      const once = loadScene(scene.build());
      expect(readScene(writeScene(once))).toEqual(once);
    });

    const until = isLong || !COSTLY.includes(scene.id) ? Math.max(WATCHED, scene.seconds) : scene.seconds;
    test(`${scene.id} keeps its promise from ${scene.seconds} to ${until} s`, {
      timeout: isLong ? 3_600_000 : 600_000,
    }, () => {
      expect(runDemo(scene, until)).toBeNull();
    });
  }
});

describe('what a visitor is told', () => {
  /** Plays a scene for some time [s]. */
  const played = (demo: typeof pyramid, seconds: number) => {
    const player = createPlayer(
      () => ({}),
      () => {},
    );
    player.open(demo);
    while (player.session.physics.time < seconds - 1e-6) player.advance(player.session.physics.settings.timeStep);
    return player;
  };

  test('is looked at again and again, up to what is shown', () => {
    const { session, verdict } = played(blockFeeder, 15);
    expect(verdict()).toEqual({ time: expect.closeTo(15, 1), failure: null });
    session.close();
  });

  test('is the first failure, and when, whatever comes after', () => {
    const late = {
      ...pyramid,
      seconds: 1,
      check: ({ time }: { time: number }) => (time > 2 && time < 3 ? 'no' : null),
    };
    expect(runDemo(late, 1.9)).toBeNull();
    expect(runDemo(late, 4)).toBe('at 2.5 s: no');
    const { session, verdict } = played(late, 4);
    expect(verdict()).toEqual({ time: expect.closeTo(2.5, 1), failure: 'no' });
    session.close();
  });

  test('says nothing of what the visitor changed', () => {
    const player = createPlayer(
      () => ({ sleeping: false }),
      () => {},
    );
    player.open({ ...pyramid, seconds: 0.1 });
    for (let i = 0; i < 30; i++) player.advance(1 / 60);
    expect(player.touched).toBe(true);
    expect(player.verdict()).toBeNull();
    player.session.close();
  });
});
