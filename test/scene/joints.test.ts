// Joints of the scene file: read, written, added, refused.

import { createWorld, hasComponent } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { addScene, attachmentDistance, createPhysics, readScene, writeScene } from '../../src/index';

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
    ['joints[0].axis: must not be zero, got 0 0 0', { axis: [0, 0, 0] }],
    ['joints[0].spring.frequency: must be > 0 [Hz], got 0', { spring: { frequency: 0 } }],
    ['joints[0].ends[0]: must have one of body, world, rod, shell and solid', { ends: [{}, { world: true }] }],
  ])('say %s', (text, wrong) => {
    const joints = [{ ...scene.joints[0], ...wrong }];
    expect(() => readScene({ ...scene, joints })).toThrow(text);
  });

  it('sag on their springs, sleep there, and break at their force, on bodies and on nodes', () => {
    const frequency = 2;
    const sag = 9.81 / (2 * Math.PI * frequency) ** 2;
    const spring = { frequency, dampingRatio: 1 };
    const cord = { radius: 0.004, density: 1000, youngModulus: 1e8, damping: 0.01, clampStart: true };
    const at = (x: number) => [0, 1, 2].map((k) => [x, 3 - 0.05 * k, 0]);
    const hung = (name: string, x: number, y: number) =>
      ({ name, position: [x, y, 0], mass: 2, shape: { box: [0.05, 0.05, 0.05] } }) as const;
    const onNode = (x: number, rod: string, body: string, rest: object) =>
      ({
        name: `${rod}-${body}`,
        type: 'ball',
        ends: [{ rod, node: 'end' }, { body }],
        anchor: [x, 2.9, 0],
        ...rest,
      }) as const;
    const onWorld = (x: number, body: string, rest: object) =>
      ({
        name: body,
        type: 'slider',
        ends: [{ world: true }, { body }],
        anchor: [x, 2.9, 0],
        axis: [0, 1, 0],
        ...rest,
      }) as const;
    const read = readScene({
      version: 1,
      bodies: [hung('soft', 0, 2.8), hung('weak', 1, 2.8), hung('scale', 2, 2.8), hung('loose', 3, 2.8)],
      rods: [
        { ...cord, name: 'first', points: at(0) },
        { ...cord, name: 'second', points: at(1) },
      ],
      joints: [
        onNode(0, 'first', 'soft', { spring }),
        onNode(1, 'second', 'weak', { breakForce: 15 }),
        onWorld(2, 'scale', { limits: [0, 0], spring }),
        onWorld(3, 'loose', { limits: [0, 0], breakForce: 15 }),
      ],
    });
    expect(readScene(writeScene(read))).toEqual(read);
    const physics = createPhysics(createWorld());
    const { entities: bodies, joints, attachments } = addScene(physics, read);
    const id = (map: ReadonlyMap<string, number>, name: string) => map.get(name) ?? 0;
    for (let k = 0; k < 240; k++) physics.step();
    const { Transform, Attachment, Joint, Broken, Sleeping } = physics.components;
    const isTagged = (map: ReadonlyMap<string, number>, tag: object) =>
      [...map].filter(([, eid]) => hasComponent(physics.world, eid, tag)).map(([name]) => name);
    expect(attachmentDistance(physics, id(attachments, 'first-soft')) / sag).toBeCloseTo(1, 2);
    expect(Math.abs(Attachment.force.y[id(attachments, 'first-soft')])).toBeCloseTo(2 * 9.81, 1);
    expect((2.8 - Transform.position.y[id(bodies, 'scale')]) / sag).toBeCloseTo(1, 2);
    expect(Math.abs(Joint.force.y[id(joints, 'scale')])).toBeCloseTo(2 * 9.81, 1);
    expect(isTagged(attachments, Broken)).toEqual(['second-weak']);
    expect(isTagged(joints, Broken)).toEqual(['loose']);
    expect(isTagged(bodies, Sleeping)).toEqual(['soft', 'scale']);
  });
});
