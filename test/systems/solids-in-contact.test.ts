// Solids that touch: going back in time, and removal where a game does it.

import { createWorld, entityExists, observe, onAdd, onRemove } from 'bitecs';
import { expect, test } from 'vitest';
import { boxMesh } from '../../src/bench/solids-worlds';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addRigidBody,
  addSolid,
  attach,
  createPhysics,
  loadGame,
  type Physics,
  pinVertex,
  removeRigidBody,
  removeSolid,
  type SolidSpec,
  saveGame,
  solidPositions,
} from '../../src/index';
import { box } from '../mechanics/solid/solid-world';

function cube(height: number, over: Partial<SolidSpec> = {}): SolidSpec {
  const mesh = box([1, 1, 1], [-0.2, height, -0.2], [0.2, height + 0.4, 0.2]);
  return { vertices: mesh.vertices, tetrahedra: mesh.tetrahedra, youngModulus: 8e4, radius: 0.005, ...over };
}

/** Two cubes on each other, and a crate on them. */
function pile(): { physics: Physics; low: number; high: number; crate: number } {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const low = addSolid(physics, cube(0.006));
  const high = addSolid(physics, cube(0.42));
  const crate = addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, mass: 20, position: [0.05, 0.94, 0] });
  return { physics, low, high, crate };
}

function steps(physics: Physics, count: number): void {
  for (let k = 0; k < count; k++) physics.step();
}

const broken = (physics: Physics) => {
  const { arena, tables } = physics.internal.engine;
  return findBrokenInvariants(arena, tables);
};

test('a snapshot of solids and a body in contact repeats to the bit, also in another order of calls', () => {
  const { physics, high, crate } = pile();
  steps(physics, 20);
  expect(physics.report.strands.contacts).toBeGreaterThan(8);
  const kept = physics.snapshot();
  steps(physics, 15);
  const hash = physics.hash();
  const place = solidPositions(physics, high);
  // Something else happens in between.
  pinVertex(physics, high, 0, { point: [1, 1, 1] });
  removeRigidBody(physics, crate);
  steps(physics, 5);
  physics.restore(kept);
  steps(physics, 15);
  expect(physics.hash()).toBe(hash);
  expect(solidPositions(physics, high)).toEqual(place);
  expect(broken(physics)).toEqual([]);
});

test('a solid that comes back with a snapshot after its removal lies where it lay', () => {
  const { physics, low } = pile();
  steps(physics, 20);
  const kept = physics.snapshot();
  steps(physics, 10);
  const hash = physics.hash();
  removeSolid(physics, low);
  steps(physics, 3);
  physics.restore(kept);
  expect(entityExists(physics.world, low)).toBe(true);
  steps(physics, 10);
  expect(physics.hash()).toBe(hash);
});

test('solids, and what they lie on, are removed by systems and observers, in any stage', () => {
  for (const stage of ['copy-in', 'find-contacts', 'solve-contacts', 'copy-out'] as const) {
    const { physics, low, high, crate } = pile();
    const gone: number[] = [];
    observe(physics.world, onRemove(physics.components.Solid), (eid: number) => {
      gone.push(eid);
      // One more goes with it.
      if (eid === low) removeRigidBody(physics, crate);
    });
    const stop = physics.schedule.before(stage, () => {
      if (physics.stepCount === 12) removeSolid(physics, low);
    });
    steps(physics, 25);
    stop();
    expect(gone).toEqual([low]);
    expect(entityExists(physics.world, crate)).toBe(false);
    expect(broken(physics)).toEqual([]);
    // What lay on it has come down.
    const heights = solidPositions(physics, high).filter((_, k) => k % 3 === 1);
    expect(Math.min(...heights)).toBeLessThan(0.35);
    expect(physics.solids.vertexCount).toBe(8);
  }
});

test('one that goes while it is pinned to a body and attached to another leaves both free', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, sleeping: false });
  const hook = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.05 }, position: [-0.2, 1.5, -0.2] });
  const solid = addSolid(physics, cube(1, { pins: [{ vertex: 2, body: hook }] }));
  const weight = addRigidBody(physics, { shape: { sphere: 0.05 }, mass: 1, position: [0.2, 0.9, 0.2], mask: 0 });
  attach(physics, { solid, vertex: 5, body: weight });
  let isAdded = false;
  observe(physics.world, onAdd(physics.components.Sleeping), () => (isAdded = true));
  steps(physics, 5);
  removeSolid(physics, solid);
  const { linear } = physics.components.Velocity;
  physics.step();
  const before = linear.y[weight];
  steps(physics, 6);
  expect(linear.y[weight] - before).toBeCloseTo(-0.981, 2);
  expect(isAdded).toBe(false);
  expect(broken(physics)).toEqual([]);
});

test.each<[Partial<SolidSpec>, string]>([
  [
    { vertices: [...[0, 0, 0], ...[1, 0, 0], ...[0, 1, 0], ...[1, 1, 0]], tetrahedra: [0, 1, 2, 3] },
    'tetrahedra[0]: volume must be > 0 [m³], got 0 (flat)',
  ],
  [{ tetrahedra: [0, 1, 1, 3] }, 'tetrahedra[0]: must have four different vertices, got 0, 1, 1, 3'],
  [{ vertices: [0, 0, 0, 1, 0, 0, 0, Number.NaN, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] }, 'vertices[2]'],
  [
    { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5], tetrahedra: [0, 1, 2, 3] },
    'vertices[4]: must belong to a tetrahedron, got none',
  ],
  [{ poissonRatio: 0.6 }, 'poissonRatio must be -0.9..0.49, got 0.6'],
  [{ density: Number.NaN }, 'density must be a finite number [kg/m³], got NaN'],
  [{ pins: [{ vertex: 1, body: 4321 }] }, 'pins[0] must be the entity of a rigid body of this world, got 4321'],
  [{ velocity: [0, 5000, 0] }, 'velocity must be at most 1000 [m/s] along an axis'],
])('wrong input is refused by name, index and value: %#', (over, message) => {
  const physics = createPhysics(createWorld(), { userTiming: false });
  expect(() => addSolid(physics, cube(0, over))).toThrow(`addSolid: ${message}`);
  physics.step();
  expect(physics.report.strands.strands).toBe(0);
});

test('solids that start inside each other come apart', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, gravity: [0, 0, 0], sleeping: false });
  const low = addSolid(physics, cube(0));
  const shifted = cube(0.392);
  const vertices = (shifted.vertices as Float64Array).map((x, k) => (k % 3 === 1 ? x : x + 0.07));
  const high = addSolid(physics, { ...shifted, vertices });
  const heights = (eid: number) => solidPositions(physics, eid).filter((_, k) => k % 3 === 1);
  const gap = () => Math.min(...heights(high)) - Math.max(...heights(low));
  steps(physics, 1);
  expect(gap()).toBeLessThan(0);
  steps(physics, 20);
  expect(gap()).toBeGreaterThan(0.005);
});

test('a loaded game goes on to the bit after material and pins were changed: nothing kept is out of date', () => {
  const { physics, low, high } = pile();
  steps(physics, 12);
  physics.components.Solid.youngModulus[high] = 3e5;
  pinVertex(physics, low, 0);
  steps(physics, 3);
  const other = createPhysics(createWorld(), { userTiming: false });
  loadGame(other, saveGame(physics));
  for (const world of [physics, other]) steps(world, 10);
  expect(other.hash()).toBe(physics.hash());
});

// What a solve leaves moves contacts at the limit of friction: with the usual tolerance these never slept.
test.each([
  [5, 1, 1e6],
  [10, 2, 1e7],
])('%i blocks of %i cells an edge on each other fall asleep', (blocks, cells, youngModulus) => {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
  for (let k = 0; k < blocks; k++) {
    const mesh = boxMesh([0.1, 0.1, 0.1], [cells, cells, cells], [0, 0.055 + 0.11 * k, 0], 0);
    addSolid(physics, { ...mesh, radius: 0.005, damping: 0.02, youngModulus });
  }
  steps(physics, 120);
  expect(physics.report.strands.asleep).toBe(blocks);
});
