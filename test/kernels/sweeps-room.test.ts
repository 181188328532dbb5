// What the sweeps write stays in the room that they ask for.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, createPhysics } from '../../src/index';
import * as L from '../../src/state/layout';

/** Watched behind the room [B]. */
const WATCHED = 1 << 16;
const CANARY = 0xa5;

test('points that share a free body each fill a row of four alone: the lists of rows have room for that', () => {
  const physics = createPhysics(createWorld(), { solver: 'gauss-seidel', sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  addRigidBody(physics, { shape: { box: [50, 0.5, 20] }, position: [0, 0.5, 0] });
  for (let i = 0; i < 2000; i++) {
    addRigidBody(physics, { shape: { sphere: 0.4 }, position: [(i % 80) - 39.5, 1.4, Math.floor(i / 80) - 12] });
  }
  physics.step();
  const { arena, kernels, kernelScratch, tables } = physics.internal.engine;
  expect(tables.bodies.islandSolver[0]).toBe(L.ISLAND_SWEEPS);
  const need = kernels.sweepScratchSize();
  const scratch = kernelScratch.address(need + WATCHED);
  const watched = arena.u8.subarray(scratch + need, scratch + need + WATCHED).fill(CANARY);
  kernels.solveSweeps(scratch, need);
  expect(watched.every((byte) => byte === CANARY)).toBe(true);
});
