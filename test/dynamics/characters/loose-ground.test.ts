// Characters on ground that forces move and that is lighter than they are: planks, balls, sticks, ropes.

import { createWorld, query } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random';
import {
  addCharacter,
  addJoint,
  addRigidBody,
  addRod,
  createPhysics,
  type Physics,
  readPosition,
  removeRigidBody,
  type ShapeSpec,
} from '../../../src/index';
import { bySuite } from '../../setup/suite';

const STANDING = 1;
const MASS = 70; // [kg]
const G = 9.81; // [m/s²]

function makeWorld(floor = 0): Physics {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const position = [0, floor, 0];
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, position, friction: 0.7 });
  return physics;
}

/** Speed of a character across its up [m/s]. */
function flatSpeed({ components: { Character } }: Physics, hero: number): number {
  return Math.hypot(Character.velocity.x[hero], Character.velocity.z[hero]);
}

test('a seesaw and who stands on it turn as both together', () => {
  const physics = makeWorld();
  const plank = addRigidBody(physics, { shape: { box: [2, 0.05, 0.5] }, mass: 10, position: [0, 2, 0] });
  addJoint(physics, { type: 'hinge', a: plank, axis: [0, 0, 1] });
  addCharacter(physics, { position: [1.5, 2.07, 0] });
  const { Velocity } = physics.components;
  for (let k = 0; k < 20; k++) physics.step();
  const inertia = (10 * (16 + 0.01)) / 12 + MASS * 1.5 ** 2; // [kg·m²]
  const spin = (-MASS * G * 1.5 * 20) / 60 / inertia;
  expect(Velocity.angular.z[plank] / spin).toBeGreaterThan(0.85);
  expect(Velocity.angular.z[plank] / spin).toBeLessThan(1.15);
});

test.each([0.5, 5, 50])('a plank of %f kg in the air falls under a character as it falls alone', (mass) => {
  const physics = makeWorld(-500);
  const plank = addRigidBody(physics, { shape: { box: [1, 0.05, 1] }, mass });
  const hero = addCharacter(physics, { position: [0, 0.07, 0] });
  for (let k = 0; k < 60; k++) physics.step();
  const { Velocity, Character } = physics.components;
  for (const speed of [Velocity.linear.y[plank], Character.velocity.y[hero]]) {
    expect(-speed).toBeGreaterThan(0.97 * G);
    expect(-speed).toBeLessThan(1.05 * G);
  }
});

test('a plank whose joint goes drops who stands on it, and does not drive him down', () => {
  const physics = makeWorld(-500);
  const plank = addRigidBody(physics, { shape: { box: [1, 0.05, 1] }, mass: 5 });
  const joint = addJoint(physics, { type: 'fixed', a: plank });
  const hero = addCharacter(physics, { position: [0, 0.07, 0] });
  const { Joint, Character, Velocity } = physics.components;
  for (let k = 0; k < 120; k++) physics.step();
  expect(Character.status[hero]).toBe(STANDING);
  expect(Joint.force.y[joint] / ((MASS + 5) * G)).toBeCloseTo(1, 2);
  Joint.breakForce[joint] = 1;
  for (let k = 0; k < 60; k++) physics.step();
  // The load of the last step drives the plank once.
  for (const speed of [Velocity.linear.y[plank], Character.velocity.y[hero]]) {
    expect(-speed).toBeLessThan(1.1 * G + (MASS / 5) * (G / 60));
  }
});

test('who stands on a lift that a motor takes down at once stays on it', () => {
  const physics = makeWorld();
  const lift = addRigidBody(physics, { shape: { box: [1, 0.1, 1] }, mass: 20, position: [0, 3, 0] });
  const motor = { target: 0, maxForce: 20_000, velocity: 2 };
  const joint = addJoint(physics, { type: 'slider', a: lift, anchor: [0, 3, 0], axis: [0, 1, 0], motor });
  const hero = addCharacter(physics, { position: [0.3, 3.12, 0] });
  const { Character, Joint } = physics.components;
  for (let k = 0; k < 30; k++) physics.step();
  Joint.motorTarget[joint] = -2;
  for (let k = 0; k < 50; k++) {
    physics.step();
    expect(Character.status[hero], `step ${k}`).toBe(STANDING);
  }
  expect(-Character.velocity.y[hero]).toBeCloseTo(2, 1);
});

test.each([1, 5, 200])('the floor bears a crate of %f kg with the whole weight of who stands on it', (mass) => {
  const physics = makeWorld();
  addRigidBody(physics, {
    shape: { box: [0.4, 0.4, 0.4] },
    mass,
    position: [0, 0.4, 0],
    canSleep: false,
  });
  const hero = addCharacter(physics, { position: [0, 0.82, 0] });
  const { Contact, Character } = physics.components;
  for (let k = 0; k < 240; k++) physics.step();
  expect(Character.status[hero]).toBe(STANDING);
  let impulse = 0;
  for (const contact of query(physics.world, [Contact])) impulse += Contact.normalImpulse[contact];
  expect((60 * impulse) / ((MASS + mass) * G)).toBeCloseTo(1, 2);
});

const DEBRIS: readonly ShapeSpec[] = [{ sphere: 0.15 }, { cylinder: [0.06, 0.4] }, { box: [0.15, 0.15, 0.15] }];

test.each(Array.from({ length: bySuite(2, 12) }, (_, k) => k + 1))('debris takes nobody along, start %i', (start) => {
  const physics = makeWorld();
  const random = createRandom(start);
  for (const [x, z] of [
    [4, 0],
    [0, 4],
    [-4, 0],
    [0, -4],
  ]) {
    const box = [x === 0 ? 4.2 : 0.2, 1, z === 0 ? 4.2 : 0.2] as const;
    addRigidBody(physics, { type: 'static', shape: { box }, position: [x, 1, z] });
  }
  const pieces = Array.from({ length: 80 }, (_, i) => {
    const position = [5 * random() - 2.5, 0.3 + 0.3 * (i % 4), 5 * random() - 2.5];
    return addRigidBody(physics, { shape: DEBRIS[i % 3], mass: [0.1, 1, 5][start % 3], position });
  });
  for (let k = 0; k < 90; k++) physics.step();
  const hero = addCharacter(physics, { position: [0, 1.6, 0] });
  const { Character, Velocity } = physics.components;
  const { x, y, z } = Velocity.linear;
  let [fastest, thrown, way] = [0, 0, 0];
  let before = readPosition(physics, hero, [0, 0, 0]).slice();
  for (let k = 0; k < 240; k++) {
    Character.move.x[hero] = 2 * Math.cos(0.02 * k);
    Character.move.z[hero] = 2 * Math.sin(0.031 * k);
    physics.step();
    fastest = Math.max(fastest, flatSpeed(physics, hero));
    const now = readPosition(physics, hero, [0, 0, 0]).slice();
    way = Math.max(way, 60 * Math.hypot(now[0] - before[0], now[2] - before[2]));
    before = now;
    for (const eid of pieces) thrown = Math.max(thrown, Math.hypot(x[eid], y[eid], z[eid]));
  }
  // It walks at 2.8 m/s at most, and what rolls on top of a ball goes twice as fast as that; before, at up to 62 m/s.
  expect(fastest).toBeLessThan(9);
  expect(way).toBeLessThan(9);
  expect(thrown).toBeLessThan(8);
});

test.each([
  [-0.11, 0.15, 150],
  [0.28, 0.19, 70],
])('ropes that snap aside under the feet at %f, %f do not take %f kg along', (x, z, mass) => {
  const physics = makeWorld();
  for (let i = 0; i < 7; i++) {
    const across = -1.2 + 0.4 * i;
    const rope = { radius: 0.02, density: 900, youngModulus: 1e7, friction: 0.6, clampStart: true, clampEnd: true };
    const along = (point: (s: number) => number[]) => Array.from({ length: 13 }, (_, k) => point(-1.5 + 0.25 * k));
    addRod(physics, { ...rope, points: along((s) => [across, 1.5, s]) });
    addRod(physics, { ...rope, points: along((s) => [s, 1.55, across]) });
  }
  const hero = addCharacter(physics, { position: [x, 1.8, z], mass });
  const { Character } = physics.components;
  let fastest = 0;
  for (let k = 0; k < 60; k++) {
    Character.move.x[hero] = Math.sin(0.03 * k);
    physics.step();
    fastest = Math.max(fastest, flatSpeed(physics, hero));
  }
  expect(fastest).toBeLessThan(5);
});

test('who stands on a crate in the place of one that went stands on another one', () => {
  // The second one's slot is that of the one that went, or a new one.
  const [fresh, reused] = [false, true].map((isReused) => {
    const physics = makeWorld(-500);
    const options = { shape: { box: [1, 0.05, 1] }, position: [0, 0, 0] } as const;
    const heavy = addRigidBody(physics, { ...options, mass: 5000, gravityScale: 0 });
    const spare = addRigidBody(physics, { ...options, position: [9, 0, 0], gravityScale: 0 });
    const hero = addCharacter(physics, { position: [0, 0.07, 0] });
    const { Character, Velocity } = physics.components;
    for (let k = 0; k < 30; k++) physics.step();
    expect(Character.status[hero]).toBe(STANDING);
    // The slot that is given back last is the next one's.
    for (const body of isReused ? [spare, heavy] : [heavy, spare]) removeRigidBody(physics, body);
    const light = addRigidBody(physics, { ...options, mass: 5, gravityScale: 0 });
    const told: number[] = [];
    for (let k = 0; k < 3; k++) {
      physics.step();
      told.push(Velocity.linear.y[light], Character.velocity.y[hero]);
    }
    return told;
  });
  expect(reused).toEqual(fresh);
});
