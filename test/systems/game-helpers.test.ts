// What games ask for beside bodies: lists of hits, ragdolls, explosions, water, wind, other gravity.

import { createWorld, observe, onAdd } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addCharacter,
  addGravityVolume,
  addRagdoll,
  addRigidBody,
  addWater,
  addWindVolume,
  CONTACT_BEGIN,
  CONTACT_END,
  CONTACT_STAY,
  type ContactEvents,
  createPhysics,
  explode,
  type Physics,
  personBones,
  removeRigidBody,
  setVelocity,
  watchContacts,
} from '../../src/index';

function makeWorld(withGround = true): Physics {
  const physics = createPhysics(createWorld());
  if (withGround) addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  return physics;
}

function run(physics: Physics, steps: number): void {
  for (let i = 0; i < steps; i++) physics.step();
}

test('a list tells of begin, stay and end, above an impulse, of one entity alone, and silent after a restore', () => {
  const physics = makeWorld();
  const ball = addRigidBody(physics, { shape: { sphere: 0.2 }, mass: 2, position: [0, 0.7, 0] });
  const other = addRigidBody(physics, { shape: { sphere: 0.2 }, mass: 2, position: [3, 0.7, 0] });
  const all = watchContacts(physics);
  const hard = watchContacts(physics, { entity: ball, minImpulse: 2, stay: false });
  run(physics, 40);
  const kinds = Array.from(all.kind.subarray(0, all.count));
  expect(kinds.filter((kind) => kind === CONTACT_BEGIN).length).toBe(2);
  expect(kinds.filter((kind) => kind === CONTACT_STAY).length).toBeGreaterThan(10);
  // It falls 0.5 m: 3.1 m/s and 2 kg; resting it bears 0.33 N·s.
  expect(hard.count).toBe(1);
  expect([hard.entityA[0], hard.entityB[0]]).toContain(ball);
  expect(hard.impulse[0]).toBeCloseTo(2 * Math.sqrt(2 * 9.81 * 0.5), 0);
  const snapshot = physics.snapshot();
  all.clear();
  physics.restore(snapshot);
  setVelocity(physics, other, [0, 3, 0]);
  run(physics, 5);
  const later = Array.from(all.kind.subarray(0, all.count));
  expect(later).toContain(CONTACT_END);
  expect(later).not.toContain(CONTACT_BEGIN);
  all.stop();
  all.clear();
  run(physics, 60);
  expect(all.count).toBe(0);
});

test('a list that was cleared uses its arrays again', () => {
  const physics = makeWorld();
  addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0, 0.2, 0], canSleep: false });
  const events = watchContacts(physics);
  run(physics, 100);
  const array = events.kind;
  events.clear();
  run(physics, 60);
  expect(events.kind).toBe(array);
  expect(events.dropped).toBe(0);
  const asked = { threshold: 2 } as object;
  expect(() => watchContacts(physics, asked)).toThrow(
    'unknown key; known are entity, minImpulse, stay, got "threshold"',
  );
});

/** Events of a list, each with who touches. */
function toldBy({ count, kind, entityA, entityB }: ContactEvents): string[] {
  const nameOf = (i: number) => (kind[i] === CONTACT_BEGIN ? 'begin' : kind[i] === CONTACT_END ? 'end' : 'stay');
  return Array.from({ length: count }, (_, i) => `${nameOf(i)} ${entityA[i]} ${entityB[i]}`);
}

test('a list names a bullet that the observer of its hit has removed', () => {
  const physics = makeWorld();
  const { world, components } = physics;
  const bullet = addRigidBody(physics, { shape: { sphere: 0.1 }, mass: 1, position: [0, 0.5, 0] });
  setVelocity(physics, bullet, [0, -10, 0]);
  const all = watchContacts(physics, { stay: false });
  const its = watchContacts(physics, { entity: bullet, stay: false });
  observe(world, onAdd(components.Contact), () => removeRigidBody(physics, bullet));
  run(physics, 3);
  const snapshot = physics.snapshot();
  run(physics, 3);
  for (const list of [all, its]) expect(toldBy(list)).toEqual([`begin ${bullet} 1`, `end ${bullet} 1`]);
  // At the snapshot the touch is still there, and its body is not.
  for (const list of [all, its]) list.clear();
  physics.restore(snapshot);
  run(physics, 3);
  for (const list of [all, its]) expect(toldBy(list)).toEqual([`end ${bullet} 1`]);
});

test('a list tells the end of a touch before the begin of one of a body that has got the same number', () => {
  const physics = makeWorld();
  const box = (y: number) => addRigidBody(physics, { shape: { box: [0.3, 0.3, 0.3] }, position: [0, y, 0] });
  const low = box(0.3);
  const middle = box(0.9);
  const high = box(1.5);
  const list = watchContacts(physics, { stay: false });
  run(physics, 10);
  for (const [from, y] of [
    [middle, 0.9],
    [high, 1.5],
    [low, 0.3],
    [high, 1.5],
  ]) {
    list.clear();
    removeRigidBody(physics, from);
    expect(box(y)).toBe(from);
    run(physics, 1);
    const told = toldBy(list);
    const ends = told.filter((line) => line.startsWith('end'));
    expect(ends.length).toBeGreaterThan(0);
    expect(told.slice(0, ends.length)).toEqual(ends);
    // Each has ended, and begun anew, by the names of those who touch; nothing else has.
    for (const line of ends) expect(line.split(' ')).toContain(String(from));
    const begins = ends.map((line) => line.replace('end', 'begin'));
    expect(told.slice(ends.length).sort()).toEqual(begins.sort());
  }
});

test('bones become a body that falls, comes to rest and stays joined', () => {
  const physics = makeWorld();
  const doll = addRagdoll(physics, personBones([0, 0.3, 0]), { velocity: [0.4, 0, 1] });
  expect(doll.bodies.size).toBe(11);
  expect(doll.joints.size).toBe(10);
  run(physics, 400);
  const { Transform, Joint } = physics.components;
  expect(Transform.position.y[doll.bodies.get('head') as number]).toBeLessThan(0.5);
  for (const joint of doll.joints.values()) expect(Joint.error[joint]).toBeLessThan(2e-3);
  expect(() => addRagdoll(physics, [{ name: 'a', parent: 'b', from: [0, 0, 0], to: [0, 1, 0], radius: 0.1 }])).toThrow(
    'addRagdoll: bones[0].parent must be an earlier bone, got "b"',
  );
});

test('an explosion throws what is near, less what is far, and characters by their mass', () => {
  const physics = makeWorld();
  const ids = [1, 2, 6].map((x) => addRigidBody(physics, { shape: { sphere: 0.2 }, mass: 5, position: [x, 1, 0] }));
  const hero = addCharacter(physics, { position: [-1.5, 0.02, 0] });
  run(physics, 1);
  const felt = explode(physics, [0, 1, 0], { radius: 4, impulse: 40 });
  expect(felt.sort()).toEqual([ids[0], ids[1], hero].sort());
  const { linear } = physics.components.Velocity;
  expect(linear.x[ids[0]]).toBeGreaterThan(linear.x[ids[1]]);
  expect(linear.x[ids[2]]).toBe(0);
  run(physics, 1);
  const { Character } = physics.components;
  expect(Character.velocity.x[hero]).toBeLessThan(0);
  expect(() => addCharacter(physics, { mass: 1e-31 })).toThrow('mass must be at least 1e-30 and at most');
  Character.mass[hero] = 1e-31;
  run(physics, 1);
  expect(physics.report.limits.join()).toMatch(/Character.mass .* at least 1e-30 and .*; 70 is taken, got 1e-31/);
});

test('an explosion reaches what is large by its nearest point, whatever floor is nearer', () => {
  const physics = makeWorld();
  const wall = addRigidBody(physics, { shape: { box: [3, 3, 0.1] }, mass: 50, position: [0, 3, 2.1] });
  run(physics, 1);
  expect(explode(physics, [0, 0.1, 0], { radius: 2.5, impulse: 100 })).toEqual([wall]);
  // The nearest point is 2 m away, so that a fifth of the impulse is left.
  const { x, y, z } = physics.components.Velocity.linear;
  expect(Math.hypot(x[wall], y[wall], z[wall])).toBeCloseTo((0.2 * 100) / 50, 1);
});

test('wood floats as deep as it is heavy, stone sinks, and the stream takes it along', () => {
  const physics = makeWorld(false);
  const ball = { center: [0, 0, 0], radius: 3 } as unknown as { min: number[]; max: number[] };
  expect(() => addWater(physics, { region: ball })).toThrow('addWater: region must be a box with min and max');
  addWater(physics, { region: { min: [-50, -20, -50], max: [50, 0, 50] }, flow: [0.5, 0, 0] });
  const wood = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, density: 600, position: [0, 0.5, 0] });
  const stone = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, density: 2500, position: [5, 0, 0] });
  run(physics, 900);
  const { Transform, Velocity } = physics.components;
  // 0.6 of its metre are under water.
  expect(Transform.position.y[wood]).toBeCloseTo(-0.1, 2);
  expect(Velocity.linear.x[wood]).toBeCloseTo(0.5, 2);
  expect(Transform.position.y[stone]).toBeLessThan(-5);
});

test('what rests wakes when water comes, and when it goes', () => {
  const physics = makeWorld();
  const wood = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, density: 500, position: [0, 0.5, 0] });
  run(physics, 60);
  expect(physics.report.awake).toBe(0);
  const drain = addWater(physics, { region: { min: [-9, -1, -9], max: [9, 2, 9] }, drag: 4 });
  run(physics, 400);
  const { position } = physics.components.Transform;
  expect(position.y[wood]).toBeCloseTo(2, 2);
  expect(physics.report.awake).toBe(0);
  drain();
  drain();
  run(physics, 120);
  expect(position.y[wood]).toBeCloseTo(0.5, 3);
});

test('wind brings what flies to its speed, and another gravity draws to its planet', () => {
  const physics = makeWorld(false);
  physics.setGravity([0, 0, 0]);
  addWindVolume(physics, { region: { min: [-5, -5, -5], max: [500, 5, 5] }, velocity: [8, 0, 0] });
  const leaf = addRigidBody(physics, { shape: { box: [0.3, 0.3, 0.02] }, mass: 0.05, position: [0, 0, 0] });
  const end = addGravityVolume(physics, {
    region: { center: [0, 100, 0], radius: 20 },
    towards: [0, 100, 0],
    strength: 4,
  });
  const moon = addRigidBody(physics, {
    shape: { sphere: 0.1 },
    position: [10, 100, 0],
    velocity: [0, 0, Math.sqrt(40)],
  });
  run(physics, 240);
  const { Transform, Velocity } = physics.components;
  expect(Velocity.linear.x[leaf]).toBeGreaterThan(4);
  expect(Velocity.linear.x[leaf]).toBeLessThanOrEqual(8);
  // v² = r · 4: round it.
  const { x, y, z } = Transform.position;
  expect(Math.hypot(x[moon], y[moon] - 100, z[moon])).toBeCloseTo(10, 0);
  end();
  const speed = Velocity.linear.x[moon];
  run(physics, 10);
  expect(Velocity.linear.x[moon]).toBe(speed);
});
