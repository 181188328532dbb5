// What a game most likely did not mean is told once, with the remedy; what is right is not told.

import { addComponent, addEntity, createWorld, hasComponent, observe, onAdd, removeComponent } from 'bitecs';
import { describe, expect, test, vi } from 'vitest';
import {
  addJoint,
  addRigidBody,
  addRod,
  addShell,
  applyAngularImpulse,
  applyForce,
  applyImpulse,
  applyTorque,
  createPhysics,
  createShape,
  loadGame,
  type Physics,
  saveGame,
  setVelocity,
  teleport,
  wakeBody,
} from '../../src/index';

function world(): { physics: Physics; told: () => string[]; box: number; ground: number; lift: number } {
  const warn = vi.fn();
  const physics = createPhysics(createWorld(), { warn, initialBodies: 64 });
  const ground = addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const box = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] });
  const lift = addRigidBody(physics, { type: 'kinematic', shape: { box: [1, 0.1, 1] }, position: [9, 0, 0] });
  physics.step();
  return { physics, box, ground, lift, told: () => warn.mock.calls.map(([text]) => String(text)) };
}

const square = [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1];

const MISTAKES: [string, (w: ReturnType<typeof world>) => void, RegExp][] = [
  ['degrees', ({ physics, box }) => teleport(physics, box, [0, 1, 0], [0, 90, 0, 0]), /were degrees meant\?/],
  [
    'degrees in a column',
    ({ physics, box }) => (physics.components.Transform.rotation.y[box] = 45),
    /were degrees meant/,
  ],
  ['milliseconds', ({ physics }) => [16.7, 16.6, 16.7].map((ms) => physics.advance(ms)), /were milliseconds meant\?/],
  [
    'a Collider alone',
    ({ physics }) => addComponent(physics.world, addEntity(physics.world), physics.components.Collider),
    /Collider but no RigidBody/,
  ],
  ['an impulse', ({ physics, ground }) => applyImpulse(physics, ground, [0, 1, 0]), /static and does not move by it/],
  [
    'a moment',
    ({ physics, ground }) => applyAngularImpulse(physics, ground, [0, 1, 0]),
    /applyAngularImpulse: .* static/,
  ],
  ['a force', ({ physics, ground }) => applyForce(physics, ground, [0, 1, 0]), /applyForce: .* static/],
  ['a torque', ({ physics, ground }) => applyTorque(physics, ground, [0, 1, 0]), /applyTorque: .* static/],
  [
    'a column',
    ({ physics, ground }) => (physics.components.RigidBody.force.y[ground] = 9),
    /not dynamic, moves nothing/,
  ],
  [
    'a RigidBody alone',
    ({ physics }) => addComponent(physics.world, addEntity(physics.world), physics.components.RigidBody),
    /RigidBody but no Collider, and so no body/,
  ],
  [
    'a Collider without a shape',
    ({ physics }) => {
      const eid = addEntity(physics.world);
      addComponent(physics.world, eid, physics.components.RigidBody);
      addComponent(physics.world, eid, physics.components.Collider);
    },
    /Collider.shape of entity \d+: must be an id from createShape; no body is made, got 0/,
  ],
  [
    'a velocity of what is static',
    ({ physics, ground }) => (physics.components.Velocity.linear.x[ground] = 1),
    /Velocity of entity \d+: has no effect while the body is static, got 1 0 0 0 0 0/,
  ],
  ['setVelocity', ({ physics, ground }) => setVelocity(physics, ground, [1, 0, 0]), /setVelocity: .* is static/],
  [
    'a velocity beyond what bodies have',
    ({ physics, box }) => (physics.components.Velocity.linear.x[box] = 1e9),
    /Velocity .* at most 1000 m\/s and 500 rad\/s/,
  ],
  [
    'the mass of what is static',
    ({ physics, ground }) => (physics.components.RigidBody.mass[ground] += 5),
    /RigidBody.mass .* no effect while the body is static, got 5/,
  ],
  [
    'the density of a body whose mass is known',
    ({ physics, box }) => (physics.components.Material.density[box] = 77),
    /Material.density .* write 0 there for density × volume, got 77/,
  ],
  [
    'gravityScale of what is kinematic',
    ({ physics, lift }) => (physics.components.RigidBody.gravityScale[lift] = 2),
    /RigidBody.gravityScale .* no effect while the body is kinematic, got 2/,
  ],
  [
    'damping of what is static',
    ({ physics, ground }) => (physics.components.RigidBody.linearDamping[ground] = 2),
    /RigidBody.linearDamping .* no effect while the body is static, got 2/,
  ],
  [
    'inertia of what is kinematic',
    ({ physics: { components }, lift }) => {
      const { inertia } = components.RigidBody;
      inertia.x[lift] = inertia.y[lift] = inertia.z[lift] = 2;
    },
    /RigidBody.inertia .* no effect while the body is kinematic, got 2 2 2/,
  ],
  [
    'locks of what is kinematic',
    ({ physics, lift }) => (physics.components.RigidBody.lockRotation[lift] = 1),
    /RigidBody.lockRotation .* no effect while the body is kinematic, got 1/,
  ],
  [
    'layers beyond 16 bits',
    ({ physics, box }) => (physics.components.Collider.layers[box] = 0x10001),
    /Collider.layers .* must be 0..65535, 16 bits; .* got 65537/,
  ],
  ...(['Transform', 'Velocity', 'Material'] as const).map((name): (typeof MISTAKES)[number] => [
    `taking ${name} off a body`,
    ({ physics, box }) => removeComponent(physics.world, box, physics.components[name]),
    new RegExp(`removing ${name} from entity \\d+ has no effect while it has RigidBody`),
  ]),
  [
    'a column array from before it grew',
    ({ physics, box }) => {
      const { position } = physics.components.Transform;
      const stale = position.y;
      for (let i = 0; position.y === stale; i++) {
        addRigidBody(physics, { type: 'static', shape: { sphere: 0.1 }, position: [9, 9, i] });
      }
      stale[box] = 7;
      for (let i = 0; i < 100; i++) physics.step();
    },
    /array of Transform.position.y from before the columns grew was written/,
  ],
  [
    'sending a body to sleep by its tag',
    ({ physics, lift }) => addComponent(physics.world, lift, physics.components.Sleeping),
    /adding Sleeping to entity \d+ has no effect: .* RigidBody.canSleep/,
  ],
  ['a modifier', ({ physics }) => physics.modifyContacts(() => {}), /no body has modifyContacts/],
  [
    'ground that looks down',
    ({ physics }) => createShape(physics, { mesh: { vertices: square, triangles: [0, 1, 2, 0, 2, 3] } }),
    /triangles of the mesh look down/,
  ],
  [
    'a box inside out',
    ({ physics }) =>
      createShape(physics, {
        mesh: { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2] },
      }),
    /closed and its triangles look inwards/,
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

test('what is right is not told', () => {
  const w = world();
  const { physics, box } = w;
  teleport(physics, box, [0, 2, 0], [0, 0, 1, 1]);
  physics.components.Transform.rotation.y[box] = 0.3;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  physics.advance(30); // a tab that was in the background
  for (let i = 0; i < 10; i++) physics.advance(1 / 60);
  physics.advance(30);
  clock.mockRestore();
  const spec = { mass: 3, gravityScale: 0.5, linearDamping: 0.1, inertia: [1, 2, 3], density: 5 };
  for (const type of ['static', 'kinematic'] as const) {
    addRigidBody(physics, {
      ...spec,
      type,
      shape: { sphere: 1 },
      position: [40, 0, 0],
      lockRotation: [true, true, true],
    });
  }
  physics.components.Collider.mask[box] = -1;
  physics.components.Material.density[box] = 2000;
  physics.components.RigidBody.mass[box] = 0;
  const eid = addEntity(physics.world);
  addComponent(physics.world, eid, physics.components.Collider);
  addComponent(physics.world, eid, physics.components.RigidBody);
  physics.components.Collider.shape[eid] = createShape(physics, { sphere: 1 });
  applyImpulse(physics, box, [0, 1, 0]);
  addRigidBody(physics, { type: 'static', shape: { box: [1, 1, 1] }, position: [9, 0, 0], modifyContacts: true });
  physics.modifyContacts(() => {});
  createShape(physics, { mesh: { vertices: square, triangles: [0, 2, 1, 0, 3, 2] } });
  for (let i = 0; i < 20; i++) physics.step();
  expect(w.told()).toEqual([]);
});

test('silence, and what is no function', () => {
  const physics = createPhysics(createWorld(), { warn: null });
  const ground = addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  expect(() => applyImpulse(physics, ground, [0, 1, 0])).not.toThrow();
  expect(() => createPhysics(createWorld(), { warn: 7 as unknown as null })).toThrow('warn must be a function or null');
});

test('setGravity acts in the next step, wakes, and is part of snapshots', () => {
  const { physics, box } = world();
  const { Velocity } = physics.components;
  for (let i = 0; i < 90; i++) physics.step();
  const asleep = physics.snapshot();
  physics.setGravity([1, 3, 0]);
  expect(Array.from(physics.settings.gravity)).toEqual([1, 3, 0]);
  physics.step();
  expect(Velocity.linear.y[box]).toBeCloseTo(3 / 60, 12);
  const flying = physics.snapshot();
  for (let i = 0; i < 10; i++) physics.step();
  const hash = physics.hash();
  physics.restore(asleep);
  expect(Array.from(physics.settings.gravity)).toEqual([0, -9.81, 0]);
  physics.step();
  expect(Velocity.linear.y[box]).toBeCloseTo(0, 6);
  physics.restore(flying);
  for (let i = 0; i < 10; i++) physics.step();
  expect(physics.hash()).toBe(hash);
  expect(() => physics.setGravity([0, Number.NaN, 0])).toThrow(
    'physics.setGravity: gravity[1] must be a finite number',
  );
});

test('the tag Sleeping is what the engine says, whatever a game does with it', () => {
  const { physics, told, box, lift } = world();
  const { world: ecs, components } = physics;
  const { Sleeping } = components;
  for (let i = 0; i < 90; i++) physics.step();
  expect([box, lift].map((eid) => hasComponent(ecs, eid, Sleeping))).toEqual([true, false]);
  removeComponent(ecs, box, Sleeping);
  addComponent(ecs, lift, Sleeping);
  physics.step();
  expect([box, lift].map((eid) => hasComponent(ecs, eid, Sleeping))).toEqual([true, false]);
  expect(told()).toEqual([expect.stringMatching(/removing Sleeping from entity \d+ has no effect/)]);
});

describe('the tag Sleeping', () => {
  /** A world whose box sleeps. */
  function asleep() {
    const all = world();
    const { physics, box } = all;
    const { Sleeping } = physics.components;
    for (let i = 0; i < 90; i++) physics.step();
    const isTagged = (eid: number) => hasComponent(physics.world, eid, Sleeping);
    expect(isTagged(box)).toBe(true);
    return { ...all, Sleeping, isTagged };
  }

  test('is right in a snapshot, and a write before a restore is forgotten with it', () => {
    const { physics, told, box, lift, Sleeping, isTagged } = asleep();
    removeComponent(physics.world, box, Sleeping);
    addComponent(physics.world, lift, Sleeping);
    const kept = physics.snapshot();
    const saved = saveGame(physics);
    expect([box, lift].map(isTagged)).toEqual([true, false]);
    expect(told()).toHaveLength(1);
    addComponent(physics.world, lift, Sleeping);
    physics.restore(kept);
    expect(physics.internal.slept).toEqual([]);
    expect([box, lift].map(isTagged)).toEqual([true, false]);
    const page = createPhysics(createWorld());
    const numbers = loadGame(page, saved);
    const isAsleep = (eid: number) => hasComponent(page.world, numbers.get(eid) as number, page.components.Sleeping);
    expect([box, lift].map(isAsleep)).toEqual([true, false]);
  });

  test('is put right where an observer of a change of ours has written it', () => {
    const { physics, box, lift, Sleeping, isTagged } = asleep();
    observe(physics.world, onAdd(Sleeping), (eid: number) => {
      if (eid === box) addComponent(physics.world, lift, Sleeping);
    });
    wakeBody(physics, box);
    for (let i = 0; i < 90; i++) physics.step();
    expect([box, lift].map(isTagged)).toEqual([true, false]);
  });

  test('is put right where an observer takes it off in its own change', () => {
    const { physics, box, Sleeping, isTagged } = asleep();
    let times = 0;
    observe(physics.world, onAdd(Sleeping), (eid: number) => {
      if (times++ === 0) removeComponent(physics.world, eid, Sleeping);
    });
    wakeBody(physics, box);
    for (let i = 0; i < 90; i++) physics.step();
    expect(times).toBe(2);
    expect(isTagged(box)).toBe(true);
  });

  test('does not stay on what had it before its body, rod or sheet was made', () => {
    const { physics, box, Sleeping, isTagged } = asleep();
    const { RigidBody, Collider } = physics.components;
    const eid = addEntity(physics.world);
    addComponent(physics.world, eid, Sleeping);
    addComponent(physics.world, eid, Collider);
    Collider.shape[eid] = Collider.shape[box];
    addComponent(physics.world, eid, RigidBody);
    const rope = { radius: 0.02, density: 500, youngModulus: 1e6, clampStart: true };
    const rod = addRod(physics, { ...rope, points: [0, 1, 2].map((k) => [5 + 0.1 * k, 5, 0]) });
    addComponent(physics.world, rod, Sleeping);
    const triangles = [[0, 1, 2]];
    const sheet = addShell(physics, { vertices: [0, 5, 5, 1, 5, 5, 0, 5, 6], triangles, thickness: 0.01, density: 50 });
    addComponent(physics.world, sheet, Sleeping);
    physics.step();
    expect([eid, rod, sheet].map(isTagged)).toEqual([false, false, false]);
    addComponent(physics.world, rod, Sleeping);
    physics.snapshot();
    expect(isTagged(rod)).toBe(false);
  });
});

test('a joint between what no force moves', () => {
  const { physics, told, box, ground, lift } = world();
  addJoint(physics, { type: 'hinge', a: box, b: lift });
  expect(told()).toEqual([]);
  addJoint(physics, { type: 'hinge', a: lift, b: ground });
  addJoint(physics, { type: 'fixed', a: lift });
  expect(told()).toEqual([expect.stringMatching(/joint \d+ joins what no force moves/)]);
});
