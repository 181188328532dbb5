// A free body keeps the energy and the angular momentum of its spin, whatever its shape, its spin and the step.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random';
import { addRigidBody, createPhysics, type Physics } from '../../src/index';
import { angularMomentum } from '../../src/mechanics/rigid';
import { bodyEnergy } from './energy';
import { rounds, seed } from './rounds';

const BODIES = 10;
const STEPS = rounds(2000, 100_000);

const between = (random: Random, low: number, high: number) => low * (high / low) ** random();

function randomShape(random: Random) {
  const size = () => between(random, 0.02, 1);
  const kind = Math.floor(3 * random());
  if (kind === 0) return { cylinder: [size(), size()] as [number, number] };
  if (kind === 1) return { capsule: [size(), size()] as [number, number] };
  return { box: [size(), size(), size()] as [number, number, number] };
}

function momentumOf(physics: Physics, entity: number): Float64Array {
  const { engine, slotOf } = physics.internal;
  const slot = slotOf[entity];
  const { rotation, angularVelocity, localInertia } = engine.tables.bodies;
  const out = new Float64Array(3);
  const spin = angularVelocity.subarray(4 * slot, 4 * slot + 3);
  angularMomentum(out, rotation.subarray(4 * slot, 4 * slot + 4), spin, localInertia.subarray(8 * slot, 8 * slot + 6));
  return out;
}

/** A vector of random direction, of length up to `longest`. */
function randomVector(random: Random, longest: number): [number, number, number] {
  const v = [random() - 0.5, random() - 0.5, random() - 0.5];
  const scale = (longest * random()) / Math.hypot(...v);
  return [scale * v[0], scale * v[1], scale * v[2]];
}

test(`spin of ${BODIES} free bodies over ${STEPS} steps`, () => {
  const random = createRandom(seed());
  for (let round = 0; round < rounds(2, 20); round++) {
    const timeStep = [1 / 30, 1 / 60, 1 / 240][Math.floor(3 * random())];
    const physics = createPhysics(createWorld(), { gravity: [0, 0, 0], timeStep, sleeping: false });
    const bodies: number[] = [];
    for (let k = 0; k < BODIES; k++) {
      const entity = addRigidBody(physics, {
        shape: randomShape(random),
        position: [100 * k, 0, 0],
        // Slender ones tumble up to twice as fast as they start: below the limit of 500 rad/s.
        angularVelocity: randomVector(random, 100),
      });
      bodies.push(entity);
    }
    physics.step();
    const energies = bodies.map((entity) => bodyEnergy(physics, entity, 0));
    const momenta = bodies.map((entity) => momentumOf(physics, entity));
    for (let k = 1; k <= STEPS; k++) {
      physics.step();
      if (k % 100 !== 0) continue;
      bodies.forEach((entity, i) => {
        const energy = bodyEnergy(physics, entity, 0) / energies[i];
        expect(Math.abs(energy - 1), `energy of body ${i} in round ${round}, step ${k}`).toBeLessThan(1e-8);
      });
    }
    bodies.forEach((entity, i) => {
      const [before, after] = [momenta[i], momentumOf(physics, entity)];
      const change = Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
      expect(change / Math.hypot(...before), `momentum of body ${i} in round ${round}`).toBeLessThan(1e-8);
    });
  }
});
