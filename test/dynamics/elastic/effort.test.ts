// How much is done for an island: by what is in it, by what it bears, and by whether it ought to sleep.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addBodyLoad,
  addObjectLoad,
  clearLoad,
  createLoad,
  effortOf,
  type Load,
  mostIterations,
} from '../../../src/dynamics/elastic/effort';
import { addRigidBody, addRod, addSolid, createPhysics, type PhysicsSettings } from '../../../src/index';
import { FINE_ITERATIONS, USUAL_ITERATIONS } from '../../../src/state/elastic-settings';
import { box } from '../../mechanics/solid/solid-world';

const MOST = 600;

const create = (elastic: PhysicsSettings['elastic'] = {}) =>
  createPhysics(createWorld(), { userTiming: false, elastic });

const loadOf = (parts: Partial<Load>): Load => Object.assign(createLoad(), { radius: 0.01 }, parts);

function effort(parts: Partial<Load>, elastic: PhysicsSettings['elastic'] = {}, allowed = MOST) {
  const { engine } = create(elastic).internal;
  const { iterations, sweeps, tolerance } = effortOf(engine, loadOf(parts), allowed);
  return [iterations, sweeps, tolerance / engine.settings.elastic.tolerance];
}

test('iterations grow from ropes to thin hair and cloth to solids', () => {
  const sweeps = create().internal.engine.settings.elastic.sweeps;
  expect(effort({})).toEqual([USUAL_ITERATIONS, sweeps, 1]);
  expect(effort({ radius: 5e-5 })).toEqual([FINE_ITERATIONS, sweeps, 1]);
  expect(effort({ hasSurface: true })).toEqual([FINE_ITERATIONS, sweeps, 1]);
  expect(effort({ hasSurface: true, hasVolume: true })).toEqual([100, 2 * sweeps, 1]);
});

test('what bears a body takes more the heavier it is, within bounds', () => {
  const solid = { hasSurface: true, hasVolume: true, mass: 1 };
  const heavy = (kilograms: number) => effort({ ...solid, bodies: 1, inverse: 1 / kilograms, node: 0.01 });
  expect(heavy(10).slice(0, 2)).toEqual([100, 40]);
  expect(heavy(2000).slice(0, 2)).toEqual([200, 58]);
  expect(heavy(1e6).slice(0, 2)).toEqual([MOST, 1000]);
  // A sheet bears it as well; ropes have their joints.
  expect(effort({ hasSurface: true, bodies: 1, inverse: 1, node: 1 }).slice(0, 2)).toEqual([100, 40]);
  expect(effort({ bodies: 1, inverse: 1 })[0]).toBe(USUAL_ITERATIONS);
});

test('what is awake though it has been calm for long is solved twenty times as exactly', () => {
  expect(effort({ isCalm: true })[2]).toBe(1);
  expect(effort({ isCalm: true, bodies: 1 })[2]).toBeCloseTo(0.05, 12);
  const [iterations, , share] = effort({ isVolumeCalm: true, hasVolume: true, hasSurface: true });
  expect([iterations, share]).toEqual([100, 0.05]);
});

test('settings and the budget bound the iterations', () => {
  const solid = { hasSurface: true, hasVolume: true };
  expect(effort(solid, { iterations: 7 }).slice(0, 2)).toEqual([7, 5]);
  expect(effort(solid, { sweeps: 20 })[1]).toBe(20);
  expect(effort(solid, {}, 12)[0]).toBe(12);
  expect(mostIterations(create().internal.engine)).toBe(MOST);
  expect(mostIterations(create({ iterations: 7 }).internal.engine)).toBe(7);
});

test('a load is that of the lightest solid, node and radius and of the heaviest body', () => {
  const physics = create();
  const mesh = box([1, 1, 1], [0, 0, 0], [0.1, 0.1, 0.1]);
  for (const density of [500, 1000]) addSolid(physics, { ...mesh, density });
  addRod(physics, { points: [0, 1, 2].map((k) => [1 + k, 0, 0]), radius: 0.002, density: 1000, youngModulus: 1e6 });
  for (const mass of [3, 8]) addRigidBody(physics, { shape: { sphere: 0.1 }, mass, position: [0, mass, 0] });
  physics.hash(); // makes the rows
  const { engine } = physics.internal;
  const load = createLoad();
  // Rods have the first rows. The lighter of the solids touches nothing.
  for (const object of [0, 1, 2]) addObjectLoad(engine, load, object, true, object !== 1);
  for (const body of [0, 1]) addBodyLoad(engine, load, body);
  expect(load).toMatchObject({ hasSurface: true, hasVolume: true, bodies: 2, radius: 0.002, isGoing: true });
  expect(load.mass).toBeCloseTo(1, 9);
  expect(load.inverse).toBeCloseTo(1 / 8, 12);
  expect(load.node).toBeLessThan(0.5 / 8);
  clearLoad(load);
  expect(load).toEqual(createLoad());
});
