// Which elastic things are one island: what contacts, joints and bodies tie together, and nothing else.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  collectContacts,
  createElasticContacts,
  type ElasticContacts,
  gatherElastic,
} from '../../../src/dynamics/elastic/collect-contacts';
import { collectJoints } from '../../../src/dynamics/elastic/collect-joints';
import { findIslands } from '../../../src/dynamics/elastic/find-islands';
import { createStepNotes } from '../../../src/dynamics/elastic/step-notes';
import {
  addRigidBody,
  addRod,
  addSolid,
  attach,
  createPhysics,
  type Physics,
  type PhysicsSettings,
} from '../../../src/index';
import { createAdmmProblem } from '../../../src/solvers/admm/problem';
import { box } from '../../mechanics/solid/solid-world';

const ALLOWED = 600;

function create(settings: PhysicsSettings = {}): Physics {
  const physics = createPhysics(createWorld(), { userTiming: false, sleeping: false, ...settings });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  return physics;
}

/** A jelly on the ground, or above it. */
const addJelly = (physics: Physics, x: number, y = 0) =>
  addSolid(physics, { ...box([1, 1, 1], [x, y, 0], [x + 0.2, y + 0.2, 0.2]), density: 500, youngModulus: 1e5 });

const addRope = (physics: Physics, x: number, y: number) =>
  addRod(physics, {
    points: [0, 1, 2, 3].map((k) => [x + 0.1 * k, y, 0] as const),
    radius: 0.01,
    density: 1000,
    youngModulus: 1e6,
  });

/** The islands of a second's last step, found as its solve finds them. */
function islandsOf(physics: Physics, steps = 60): ElasticContacts['islands'] {
  const { engine } = physics.internal;
  const e = createElasticContacts();
  physics.schedule.before('solve-contacts', () => {
    const { bodies } = engine.tables;
    // What gathering marks is marked again by the step itself.
    const solvers = bodies.islandSolver.slice();
    const flags = bodies.flags.slice();
    const notes = createStepNotes(engine);
    notes.open();
    gatherElastic(engine, e, notes);
    collectContacts(engine, e, createAdmmProblem(), true);
    collectJoints(engine, e);
    findIslands(engine, e, ALLOWED);
    bodies.islandSolver.set(solvers);
    bodies.flags.set(flags);
  });
  for (let step = 0; step < steps; step++) physics.step();
  return e.islands;
}

/** The island that each entity's first object was found in. */
function numbersOf(physics: Physics, { ofObject }: ElasticContacts['islands'], entities: readonly number[]): number[] {
  const { rods } = physics.internal.engine.tables;
  return entities.map((eid) => ofObject[rods.strandStart[rods.entity.indexOf(eid)]]);
}

const statesOf = ({ list, count }: ElasticContacts['islands']) =>
  list
    .slice(0, count)
    .map(({ state }) => state)
    .sort();

test('things apart are islands apart; what touches nothing waits', () => {
  const physics = create();
  for (const x of [0, 1]) addJelly(physics, x);
  addJelly(physics, 2, 50);
  const islands = islandsOf(physics);
  expect(islands.isWhole).toBe(false);
  expect(statesOf(islands)).toEqual(['going', 'going', 'idle']);
  expect(new Set(islands.ofObject.slice(0, 3)).size).toBe(3);
});

test('a joint, a crate on both and a touch make one island', () => {
  const joined = create();
  for (const x of [0, 1, 2]) addJelly(joined, x);
  const [rope, other] = [addRope(joined, 0.3, 3), addRope(joined, 0.3, 4)];
  attach(joined, { rod: rope, node: 0, to: { rod: other, node: 0 } });
  const tied = islandsOf(joined, 2);
  expect(statesOf(tied)).toEqual(['going', 'going', 'going', 'going']);
  expect(new Set(numbersOf(joined, tied, [rope, other])).size).toBe(1);

  const bridged = create();
  for (const x of [0, 0.4, 2]) addJelly(bridged, x);
  addRigidBody(bridged, { shape: { box: [0.4, 0.05, 0.1] }, position: [0.3, 0.26, 0.1], mass: 2 });
  const { ofObject, ofBody, ...found } = islandsOf(bridged);
  expect(statesOf({ ofObject, ofBody, ...found })).toEqual(['going', 'going']);
  expect([ofObject[1], ofBody[0]]).toEqual([ofObject[0], ofObject[0]]);
  expect(ofObject[2]).not.toBe(ofObject[0]);
});

test('strands that touch nothing but strands are one island, however far apart', () => {
  const physics = create();
  for (const x of [0, 1]) addJelly(physics, x);
  const ropes = [3, 4, 5, 6].map((y) => addRope(physics, 0.3, y));
  attach(physics, { rod: ropes[0], node: 0, to: { rod: ropes[1], node: 0 } });
  attach(physics, { rod: ropes[2], node: 0, to: { rod: ropes[3], node: 0 } });
  const islands = islandsOf(physics, 2);
  expect(new Set(numbersOf(physics, islands, ropes)).size).toBe(1);
  expect(islands.count).toBe(3);
});

test('what sleeps is in none', () => {
  const physics = create({ sleeping: true });
  addJelly(physics, 0);
  for (let step = 0; step < 300; step++) physics.step();
  expect(physics.report.strands.asleep).toBe(1);
  for (const x of [1, 2]) addJelly(physics, x);
  const { ofObject, count } = islandsOf(physics, 20);
  expect([ofObject[0], count]).toEqual([-1, 2]);
});

test('all is one island where a single thing goes on, with momentum, and by the profile of the paper', () => {
  const lone = create();
  addJelly(lone, 0);
  addJelly(lone, 1, 50);
  const whole = islandsOf(lone);
  expect([whole.isWhole, whole.count, whole.list[0].iterations]).toEqual([true, 1, 100]);
  for (const elastic of [{ acceleration: true }, { profile: 'paper' as const }]) {
    const physics = create({ elastic });
    for (const x of [0, 1]) addJelly(physics, x);
    expect(islandsOf(physics).isWhole).toBe(true);
  }
  // Nothing touches anything: whatever is in the world.
  const free = create();
  for (const x of [0, 1]) addJelly(free, x, 50);
  expect([islandsOf(free, 2).isWhole, islandsOf(free, 2).count]).toEqual([true, 1]);
});
