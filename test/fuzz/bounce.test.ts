// Bodies that bounce without friction keep their energy at e = 1, and win none at any other.

import { createWorld } from 'bitecs';
import { expect } from 'vitest';
import { createRandom, type Random } from '../../src/core/random';
import { addRigidBody, createPhysics, type Physics } from '../../src/index';
import { longTest } from '../setup/suite';
import { bodyEnergy } from './energy';
import { rounds, seed } from './rounds';

const G = 9.81;

const between = (random: Random, low: number, high: number) => low * (high / low) ** random();

function randomShape(random: Random) {
  const size = () => between(random, 0.1, 1);
  const kind = Math.floor(5 * random());
  if (kind === 0) return { cylinder: [size(), size()] as [number, number] };
  if (kind === 1) return { capsule: [size(), size()] as [number, number] };
  if (kind === 2) return { sphere: size() };
  if (kind === 3) {
    const corner = () => [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    return { hull: Array.from({ length: 6 }, corner) };
  }
  return { box: [size(), size(), size()] as [number, number, number] };
}

const randomRotation = (random: Random) => [random() - 0.5, random() - 0.5, random() - 0.5, random()];

/** Energy that free flight by symplectic Euler keeps: with the velocity half a step ahead. */
function flightEnergy(physics: Physics, entity: number): number {
  const { engine, slotOf } = physics.internal;
  const mass = 1 / engine.tables.bodies.inverseMass[slotOf[entity]];
  const v = physics.components.Velocity.linear.y[entity];
  return bodyEnergy(physics, entity, G) - (mass * G * physics.settings.timeStep * v) / 2;
}

longTest('bodies bounce for ever at e = 1 and friction 0, and lose energy at less', () => {
  const random = createRandom(seed());
  const steps = rounds(3000, 100_000);
  for (let round = 0; round < rounds(3, 30); round++) {
    const timeStep = [1 / 60, 1 / 120, 1 / 240][round % 3];
    const physics = createPhysics(createWorld(), { timeStep });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0 });
    const bodies = Array.from({ length: 12 }, (_, k) => {
      // Half of them bounce for ever.
      const restitution = k % 2 === 0 ? 1 : 0.5 + random() / 2;
      const shape = randomShape(random);
      const rotation = randomRotation(random);
      const position = [20 * k, 2 + 4 * random(), 0];
      const entity = addRigidBody(physics, { shape, position, rotation, restitution, friction: 0 });
      return { entity, restitution, shape };
    });
    physics.step();
    const first = bodies.map(({ entity }) => flightEnergy(physics, entity));
    for (let k = 0; k < steps; k++) {
      physics.step();
      if (k % 10 !== 0) continue;
      bodies.forEach(({ entity, restitution, shape }, i) => {
        const energy = flightEnergy(physics, entity) / first[i];
        const where = `${JSON.stringify(shape)}, e ${restitution}, round ${round}, step ${k}`;
        expect(energy, where).toBeLessThan(1.001);
        if (restitution === 1) expect(energy, where).toBeGreaterThan(0.999);
      });
    }
  }
});

const plate = [-1, 1].flatMap((x) => [-0.03, 0.03].flatMap((y) => [-0.3, 0.3].map((z) => [x, y, z * (1 + y)])));
const fivePoints = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 1],
];
/** Bodies whose ends come down between two steps, two at once, or far apart in time. */
const lively = [
  { box: [1, 0.33, 0.03] },
  { box: [1, 0.05, 0.3] },
  { hull: plate },
  { hull: fivePoints },
  { cylinder: [0.5, 0.03] },
  { box: [1, 0.03, 0.03] },
] as const;
/** Of the energy, what may be lost or won. */
const SLACK = 2e-3;

longTest('thin planks, disks and sticks, and a hull of five points, keep their energy at e = 1 and friction 0', () => {
  const random = createRandom(seed());
  for (const shape of lively) {
    for (let round = 0; round < rounds(6, 12); round++) {
      const physics = createPhysics(createWorld());
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0 });
      const rotation = [0.2 + 0.1 * round, 0.1, 0.3 - 0.05 * round, 1 + 1e-3 * random()];
      const body = addRigidBody(physics, { shape, position: [0, 4, 0], rotation, restitution: 1, friction: 0 });
      physics.step();
      const first = flightEnergy(physics, body);
      for (let k = 0; k < rounds(3000, 100_000); k++) {
        physics.step();
        if (k % 10 !== 0) continue;
        const where = `${JSON.stringify(shape)}, round ${round}, step ${k}`;
        expect(Math.abs(flightEnergy(physics, body) / first - 1), where).toBeLessThan(SLACK);
      }
    }
  }
});

// An end turned into the ground in each step, and its recovery was won: × 1.8 in 100 000 steps.
longTest('thin capsules that lie and spin, an end always in touch, keep their energy at e = 1 and friction 0', () => {
  const random = createRandom(seed());
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0 });
  const bodies = Array.from({ length: rounds(4, 12) }, (_, k) =>
    addRigidBody(physics, {
      shape: { capsule: [0.03, 1] },
      position: [20 * k, 0.04 + 0.02 * random(), 0],
      rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2 + 0.02 * random()],
      restitution: 1,
      friction: 0,
      angularVelocity: [0.1, 17, 0],
    }),
  );
  physics.step();
  const first = bodies.map((body) => flightEnergy(physics, body));
  for (let k = 0; k < rounds(6000, 100_000); k++) {
    physics.step();
    if (k % 10 !== 0) continue;
    bodies.forEach((body, i) => {
      const energy = flightEnergy(physics, body) / first[i];
      expect(Math.abs(energy - 1), `start ${i}, step ${k}`).toBeLessThan(SLACK);
    });
  }
});
