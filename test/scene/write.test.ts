import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readScene } from '../../src/scene/read';
import { writeScene } from '../../src/scene/write';

const fixture = readFileSync(new URL('./fixtures/every-kind.scene.json', import.meta.url), 'utf8');

describe('writeScene', () => {
  it('writes what readScene reads as the same scene, and again as the same text', () => {
    const scene = readScene(fixture);
    const text = writeScene(scene);
    expect(readScene(text)).toEqual(scene);
    expect(writeScene(readScene(text))).toBe(text);
  });

  it('keeps every number to the last bit', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const vector = fc.tuple(number, number, number);
    const rotation = fc.tuple(number, number, number, number).filter((q) => q.some((x) => x !== 0));
    fc.assert(
      fc.property(vector, rotation, vector, number, (position, turn, velocity, gravityScale) => {
        const body = { position, rotation: turn, velocity, gravityScale, shape: { sphere: 1 } };
        const scene = readScene({ version: 1, bodies: [body], gravity: position });
        expect(readScene(writeScene(scene))).toEqual(scene);
      }),
      { numRuns: 300 },
    );
  });

  it('takes one line per body and leaves defaults out', () => {
    const scene = readScene({
      version: 1,
      title: 'Two balls',
      materials: { m: {} },
      bodies: [{ shape: { sphere: 1 } }, { name: 'b', type: 'static', position: [1, 2, 3], shape: { sphere: 2 } }],
    });
    expect(writeScene(scene)).toBe(`{
  "version": 1,
  "title": "Two balls",
  "gravity": [0,-9.81,0],
  "timeStep": 0.016666666666666666,
  "materials": {
    "m": {"density":1000,"friction":0.6,"restitution":0}
  },
  "bodies": [
    {"shape":{"sphere":1}},
    {"name":"b","type":"static","position":[1,2,3],"shape":{"sphere":2}}
  ]
}
`);
  });

  it('refuses a scene that was spoiled by hand', () => {
    const scene = readScene(fixture);
    scene.bodies[2].position[1] = Number.NaN;
    expect(() => writeScene(scene)).toThrow('bodies[2].position[1]: must be a finite number [m], got NaN');
  });
});
