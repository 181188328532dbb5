// Elastic things that have nothing in common cost together what they cost alone, and end where they end alone.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addRigidBody,
  addRod,
  addSolid,
  attach,
  createPhysics,
  type Physics,
  rodPositions,
  solidPositions,
} from '../../src/index';
import { bySuite } from '../setup/suite';

const STEPS = bySuite(20, 120);
const PLANKS = 5;
/** Sweeps of an iteration, of ropes and where solids touch. */
const ROPE_SWEEPS = 5;
const JELLY_SWEEPS = 10;

/** Corners of a cube's six tetrahedra about its diagonal. */
const AROUND = [4, 6, 2, 3, 1, 5];

function world(): Physics {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { box: [30, 0.5, 30] }, position: [0, -0.5, 0] });
  return physics;
}

/** Planks on two ropes: it takes all of its iterations. */
function addBridge(physics: Physics): number {
  const edges = 3 * (PLANKS + 1);
  const ropes = [-0.5, 0.5].map((z) =>
    addRod(physics, {
      points: Array.from({ length: edges + 1 }, (_, i) => [2 * (i / edges) - 1, 2, z]),
      ...{ radius: 0.02, density: 900, youngModulus: 2e6, stretchModulus: 4e7, damping: 0.01 },
      ...{ clampStart: true, clampEnd: true },
    }),
  );
  for (let i = 1; i <= PLANKS; i++) {
    const position: [number, number, number] = [(6 * i) / edges - 1, 2.05, 0];
    const body = addRigidBody(physics, { shape: { box: [0.12, 0.025, 0.6] }, position, mass: 10 });
    for (const rod of ropes) attach(physics, { rod, node: 3 * i, body });
  }
  return ropes[0];
}

/** A cube of soft jelly ten metres away, that falls on the ground. */
function addJelly(physics: Physics): number {
  const corners = Array.from({ length: 8 }, (_, c) => [c >> 2, (c >> 1) & 1, c & 1]);
  return addSolid(physics, {
    vertices: corners.map(([x, y, z]) => [10 + 0.4 * x, 0.02 + 0.4 * y, 0.4 * z]),
    tetrahedra: AROUND.map((c, at) => [0, c, AROUND[(at + 1) % 6], 7]),
    ...{ youngModulus: 6e4, poissonRatio: 0.4, density: 1000 },
  });
}

test('a bridge and a jelly far from each other take the iterations and sweeps that they take alone', () => {
  const [bridge, jelly, both] = [world(), world(), world()];
  const rope = addBridge(bridge);
  const cube = addJelly(jelly);
  const [rope2, cube2] = [addBridge(both), addJelly(both)];
  for (let step = 0; step < STEPS; step++) {
    for (const physics of [bridge, jelly, both]) physics.step();
    const [one, other, all] = [bridge, jelly, both].map((physics) => physics.report.strands);
    // What waits is solved to a tenth of its tolerance. Contacts of both share groups of four, in another order than
    // alone.
    expect(all.iterations).toBeLessThanOrEqual(Math.max(one.iterations, other.iterations) + 3);
    const sweeps = Math.max(ROPE_SWEEPS * (one.iterations + 3), JELLY_SWEEPS * (other.iterations + 4));
    expect(all.sweeps).toBeLessThanOrEqual(sweeps);
  }
  const farthest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Math.max(...Array.from(a, (x, i) => Math.abs(x - b[i])));
  expect(farthest(rodPositions(bridge, rope), rodPositions(both, rope2))).toBeLessThan(1e-3);
  expect(farthest(solidPositions(jelly, cube), solidPositions(both, cube2))).toBeLessThan(1e-3);
});
