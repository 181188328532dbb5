// Joints of the scene file: read, written, added, refused.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { addScene, createPhysics, readScene, writeScene } from '../../src/index';

const scene = {
  version: 1,
  bodies: [
    { name: 'door', position: [0.5, 1, 0], shape: { box: [0.5, 1, 0.05] } },
    { name: 'lamp', position: [0, 2, 3], shape: { sphere: 0.2 }, mass: 3 },
  ],
  joints: [
    { name: 'pin', type: 'hinge', ends: [{ body: 'door' }, { world: true }], anchor: [0, 1, 0], limits: [-1, 1] },
    {
      type: 'rope',
      ends: [{ world: true }, { body: 'lamp' }],
      anchors: [
        [0, 3, 3],
        [0, 2, 3],
      ],
      breakForce: null,
    },
  ],
};

describe('joints of a scene', () => {
  it('come back from a written file, and hold', () => {
    const read = readScene(scene);
    expect(readScene(writeScene(read))).toEqual(read);
    const physics = createPhysics(createWorld());
    const { joints } = addScene(physics, read);
    expect([...joints.keys()]).toEqual(['pin', 'joint-1']);
    for (let k = 0; k < 30; k++) physics.step();
    const { force, value } = physics.components.Joint;
    expect(force.y[joints.get('joint-1') ?? 0]).toBeCloseTo(3 * 9.81, 6);
    expect(value[joints.get('joint-1') ?? 0]).toBeCloseTo(1, 7);
  });

  it.each<[string, object]>([
    ['joints[0].ends[1].body: no such body, got "wall"', { ends: [{ body: 'door' }, { body: 'wall' }] }],
    ['joints[0].ends: must be two different bodies, got "door" twice', { ends: [{ body: 'door' }, { body: 'door' }] }],
    [
      'joints[0].ends: must have a body or node at one end, got the world twice',
      { ends: [{ world: true }, { world: true }] },
    ],
    ['joints[0].limits: must not cross, got 1 > -1', { limits: [1, -1] }],
    ['joints[0].axis: must have a length, got 0 0 0', { axis: [0, 0, 0] }],
    ['joints[0].spring.frequency: must be > 0 [Hz], got 0', { spring: { frequency: 0 } }],
    ['joints[0].ends[0]: must have one of body, world, rod, shell and solid', { ends: [{}, { world: true }] }],
  ])('say %s', (text, wrong) => {
    const joints = [{ ...scene.joints[0], ...wrong }];
    expect(() => readScene({ ...scene, joints })).toThrow(text);
  });
});
