// Mistakes of a first day that the types let through: each is told once, with the remedy, or refused.

import { addEntity, createWorld, removeEntity } from 'bitecs';
import { describe, expect, test, vi } from 'vitest';
import {
  addCharacter,
  addJoint,
  addRigidBody,
  addRod,
  addSolid,
  applyImpulse,
  castRay,
  castShape,
  createPhysics,
  loadGame,
  type Physics,
  removeRigidBody,
  saveGame,
  setClamp,
  setJointAxis,
  setKinematicTarget,
  setVelocity,
  teleport,
} from '../../src/index';

interface World {
  physics: Physics;
  told: () => string[];
  box: number;
  lift: number;
  /** Lies on the lift. */
  rider: number;
}

function world(): World {
  const warn = vi.fn();
  const physics = createPhysics(createWorld(), { warn, initialBodies: 64 });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const box = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] });
  const lift = addRigidBody(physics, { type: 'kinematic', shape: { box: [1, 0.1, 1] }, position: [9, 1, 0] });
  const rider = addRigidBody(physics, { shape: { box: [0.2, 0.2, 0.2] }, position: [9, 1.3, 0] });
  for (let i = 0; i < 10; i++) physics.step();
  return { physics, box, lift, rider, told: () => warn.mock.calls.map(([text]) => String(text)) };
}

const rope = { radius: 0.02, density: 500, youngModulus: 1e6, points: [5, 5, 0, 5.2, 5, 0, 5.4, 5, 0, 5.6, 5, 0] };
const tetrahedron = { vertices: [0, 3, 0, 1, 3, 0, 0, 4, 0, 0, 3, 1], tetrahedra: [[0, 1, 2, 3]], poissonRatio: 0.3 };
const degrees = [0, 90, 0, 0];

const MISTAKES: [string, (w: World) => void, RegExp][] = [
  [
    'a platform moved by its Transform',
    ({ physics, lift }) => {
      for (let i = 0; i < 5; i++) {
        physics.components.Transform.position.x[lift] += 0.01;
        physics.step();
      }
    },
    /entity \d+ is kinematic and is put somewhere else in step after step: .* setKinematicTarget/,
  ],
  [
    'a platform moved by teleport',
    ({ physics, lift }) => {
      for (let i = 0; i < 5; i++) {
        teleport(physics, lift, [9 + 0.01 * i, 1, 0]);
        physics.step();
      }
    },
    /entity \d+ is kinematic and is put somewhere else in step after step/,
  ],
  [
    'static ground moved in every step',
    ({ physics }) => {
      const ground = addRigidBody(physics, { type: 'static', shape: { box: [1, 1, 1] }, position: [20, 1, 0] });
      addRigidBody(physics, { shape: { sphere: 0.2 }, position: [20, 2.2, 0] });
      for (let i = 0; i < 20; i++) {
        physics.components.Transform.position.x[ground] += 0.001;
        physics.step();
      }
    },
    /entity \d+ is static and is put somewhere else .* make it kinematic and use setKinematicTarget/,
  ],
  [
    'limits in degrees',
    (w) => addJoint(w.physics, { type: 'hinge', a: w.box, limits: [-45, 45] }),
    /-45.*degrees meant/,
  ],
  [
    'a target in degrees',
    ({ physics, box }) => addJoint(physics, { type: 'hinge', a: box, motor: { target: 90, maxForce: 0.001 } }),
    /motor\.target .* 90 .*were degrees meant\?/,
  ],
  [
    'limits of an axis in degrees',
    ({ physics, box }) => addJoint(physics, { type: 'six-axis', a: box, axes: { rx: [-30, 30] } }),
    /addJoint: .*-30.*were degrees meant\?/,
  ],
  [
    'a change of limits in degrees',
    ({ physics, box }) =>
      setJointAxis(physics, addJoint(physics, { type: 'hinge', a: box }), 'rx', { limits: [0, 90] }),
    /setJointAxis: .*90.*were degrees meant\?/,
  ],
  [
    'a column of limits in degrees',
    ({ physics, box }) => (physics.components.Joint.limitHigh[addJoint(physics, { type: 'hinge', a: box })] = 355),
    /Joint\.limitHigh of entity \d+.*355.*were degrees meant\?/,
  ],
  [
    'a frame in degrees',
    ({ physics, box }) => addJoint(physics, { type: 'ball', a: box, frames: [{ rotation: degrees }, {}] }),
    /addJoint: frames\[0\]\.rotation .*were degrees meant\?/,
  ],
  [
    'a clamp in degrees',
    ({ physics }) => {
      const rod = addRod(physics, { ...rope, clampStart: true });
      setClamp(physics, rod, 'start', { position: [5, 5, 0], rotation: degrees });
    },
    /setClamp: rotation .*were degrees meant\?/,
  ],
  [
    'a question in degrees',
    ({ physics }) => castShape(physics, { box: [0.2, 0.2, 0.2] }, [0, 5, 0], [0, -1, 0], 9, { rotation: degrees }),
    /castShape: rotation .*were degrees meant\?/,
  ],
  [
    'a mass of 0 for what shall not move',
    ({ physics, box }) => (physics.components.RigidBody.mass[box] = 0),
    /RigidBody\.mass of entity \d+: 0 is for density × volume, which it has already; what shall not move is Static/,
  ],
  ['a speed beyond what bodies have', (w) => setVelocity(w.physics, w.box, [0, 5000, 0]), /setVelocity: .* 1000 m\/s/],
  ['a spin in degrees', (w) => setVelocity(w.physics, w.box, [0, 0, 0], [0, 3600, 0]), /setVelocity: .* 500 rad\/s/],
  ['an impulse in another unit', (w) => applyImpulse(w.physics, w.box, [0, 1e9, 0]), /applyImpulse: .* 1000 m\/s/],
  [
    'a target that is a teleport',
    ({ physics, lift }) => setKinematicTarget(physics, lift, [9, 500, 0]),
    /setKinematicTarget: entity \d+ would have to move at \d+ m\/s.*teleport/,
  ],
  [
    'the first layer as number 0',
    ({ physics }) => addRigidBody(physics, { shape: { sphere: 1 }, position: [0, 9, 0], layers: 0 }),
    /addRigidBody: layers 0 is no layer, so that nothing touches the body.*1, 2, 4/,
  ],
  [
    'an option that there is not',
    ({ physics }) => castRay(physics, [0, 5, 0], [0, -1, 0], 9, { layers: 1 } as object),
    /castRay: options\.layers is unknown and has no effect; known are mask, sensors, ignore, elastic/,
  ],
  [
    'gravity written to settings',
    ({ physics }) => ((physics.settings.gravity as Float64Array)[1] = 0),
    /settings\.gravity was written, which has no effect; use physics\.setGravity/,
  ],
  [
    'a character driven by Velocity',
    ({ physics }) => {
      const hero = addCharacter(physics, { position: [0, 0.1, 3], radius: 0.3, height: 1.8 });
      physics.step();
      physics.components.Velocity.linear.x[hero] = 3;
    },
    /Velocity of entity \d+: has no effect on a character; write Character\.move/,
  ],
  [
    'a character driven by setVelocity',
    ({ physics }) => {
      const hero = addCharacter(physics, { position: [0, 0.1, 3], radius: 0.3, height: 1.8 });
      setVelocity(physics, hero, [3, 0, 0]);
    },
    /setVelocity: entity \d+ is a character and does not move by it; write Character\.move/,
  ],
  [
    'GPa for Pa',
    ({ physics }) => addRod(physics, { ...rope, youngModulus: 3 }),
    /addRod: youngModulus must be in Pa, got 3 .*were GPa meant\?/,
  ],
  [
    'MPa for Pa in a solid',
    ({ physics }) => addSolid(physics, { ...tetrahedron, youngModulus: 2 }),
    /addSolid: youngModulus must be in Pa, got 2 .*were GPa meant\?/,
  ],
  [
    'a solid that its own weight crushes',
    ({ physics }) => addSolid(physics, { ...tetrahedron, youngModulus: 3e3 }),
    /addSolid: youngModulus should be above the solid's own weight over its foot, \d+ Pa, got 3000: its inside sinks/,
  ],
  [
    'a radius in millimetres',
    ({ physics }) => addRod(physics, { ...rope, radius: 20 }),
    /addRod: radius must be in metres, got 20 for a rod of 0\.6 m; were millimetres meant\?/,
  ],
];

test.each(MISTAKES)('%s', (_name, mistake, text) => {
  const w = world();
  for (let round = 0; round < 3; round++) {
    mistake(w);
    for (let i = 0; i < 3; i++) w.physics.step();
  }
  expect(w.told()).toEqual([expect.stringMatching(text)]);
});

test('milliseconds are told in the first frame', () => {
  const { physics, told } = world();
  physics.advance(16);
  expect(told()).toEqual([expect.stringMatching(/got 16 .*were milliseconds meant\?/)]);
});

test('what is right is not told', () => {
  const { physics, told, box, lift, rider } = world();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 40_000);
  physics.advance(30); // a tab that was in the background
  clock.mockRestore();
  const hinge = addJoint(physics, { type: 'hinge', a: box, limits: [0, 6] });
  // A winch of ten turns, and of two and a quarter.
  setJointAxis(physics, hinge, 'rx', { limits: [0, 20 * Math.PI] });
  setJointAxis(physics, hinge, 'rx', { limits: [0, 4.5 * Math.PI] });
  setJointAxis(physics, hinge, 'rx', { motor: { target: 100, maxForce: 1e-6 } });
  addJoint(physics, { type: 'slider', a: rider, limits: [-45, 45] });
  // Alone, or put somewhere else now and then, a kinematic body may be placed.
  const alone = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.1 }, position: [30, 9, 0] });
  for (let i = 0; i < 6; i++) {
    physics.components.Transform.position.x[alone] += 0.01;
    if (i % 3 === 0) physics.components.Transform.position.y[lift] += 0.01;
    setKinematicTarget(physics, lift, [9, 1.1 + 0.01 * i, 0]);
    physics.step();
  }
  addRigidBody(physics, { shape: { sphere: 1 }, position: [0, 9, 0], layers: 0, mask: 0 });
  setVelocity(physics, rider, [3, 0, 0], [0, 90, 0]);
  castRay(physics, [0, 5, 0], [0, -1, 0], 9, { mask: 1, sensors: true, ignore: box, elastic: false });
  physics.setGravity([0, -1, 0]);
  physics.step();
  expect(told()).toEqual([]);
});

describe('a snapshot of another world', () => {
  const fill = (physics: Physics, count: number) => {
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    for (let i = 0; i < count; i++) addRigidBody(physics, { shape: { sphere: 0.5 }, position: [2 * i, 0.5, 0] });
    return physics;
  };

  test('is refused before anything is changed', () => {
    const [ours, theirs] = [1, 3].map((count) => fill(createPhysics(createWorld()), count));
    for (const { step } of [ours, theirs]) for (let i = 0; i < 3; i++) step();
    const hash = ours.hash();
    const other = theirs.snapshot();
    expect(() => ours.restore(other)).toThrow(
      'physics.restore: snapshot must be of this world, or of one with the same entities (between worlds: saveGame ' +
        'and loadGame), got one of a world with other entities',
    );
    theirs.packSnapshot(other);
    expect(() => ours.restore(other)).toThrow('got one of a world with other entities');
    expect(ours.hash()).toBe(hash);
    expect(ours.report.bodies).toBe(2);
  });

  test('is taken where the other world was made in the same way', () => {
    const [ours, theirs] = [2, 2].map((count) => fill(createPhysics(createWorld()), count));
    for (let i = 0; i < 9; i++) theirs.step();
    ours.restore(theirs.snapshot());
    expect(ours.hash()).toBe(theirs.hash());
    theirs.restore(ours.snapshot());
    for (const { step } of [ours, theirs]) step();
    expect(ours.hash()).toBe(theirs.hash());
  });

  test('does not keep a game from going back over what came and went', () => {
    const physics = fill(createPhysics(createWorld()), 2);
    physics.step();
    const early = physics.snapshot();
    const hash = physics.hash();
    addRigidBody(physics, { shape: { sphere: 0.5 }, position: [9, 9, 0] });
    physics.step();
    physics.restore(early);
    expect(physics.hash()).toBe(hash);
    const page = createPhysics(createWorld());
    loadGame(page, saveGame(physics));
    const later = page.snapshot();
    page.step();
    page.restore(later);
    expect(page.stepCount).toBe(1);
  });
});

test('removeRigidBody leaves alone what is no body, and a number that has gone to something else', () => {
  const { physics, box } = world();
  const lamp = addEntity(physics.world);
  expect(() => removeRigidBody(physics, lamp)).toThrow('removeRigidBody: entity must be a rigid body of this world');
  removeEntity(physics.world, box);
  expect(() => removeRigidBody(physics, box)).not.toThrow();
});

test('an entity that is gone is said to be gone', () => {
  const { physics, box, lift } = world();
  removeEntity(physics.world, box);
  expect(() => applyImpulse(physics, box, [0, 1, 0])).toThrow(
    `applyImpulse: entity must be a rigid body of this world, got ${box}, which does not exist (any more)`,
  );
  expect(() => addJoint(physics, { type: 'ball', a: box, b: lift })).toThrow(
    /a must be .* got \d+, which does not exist/,
  );
});
