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
        if (restitution === 1) expect(energy, where).toBeGreaterThan(0.98);
      });
    }
  }
});

const plate = [-1, 1].flatMap((x) => [-0.03, 0.03].flatMap((y) => [-0.3, 0.3].map((z) => [x, y, z * (1 + y)])));
/** Thin bodies, whose ends may come down between two steps, and the most of their energy that is lost or won. */
const thin = [
  { shape: { box: [1, 0.33, 0.03] }, slack: 0.02 },
  { shape: { box: [1, 0.05, 0.3] }, slack: 0.02 },
  { shape: { hull: plate }, slack: 0.02 },
  { shape: { cylinder: [0.5, 0.03] }, slack: 0.02 },
  { shape: { box: [1, 0.03, 0.03] }, slack: 0.02 },
] as const;

longTest('thin planks, disks and sticks keep their energy at e = 1 and friction 0', () => {
  const random = createRandom(seed());
  for (const { shape, slack } of thin) {
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
        expect(Math.abs(flightEnergy(physics, body) / first - 1), where).toBeLessThan(slack);
      }
    }
  }
});
