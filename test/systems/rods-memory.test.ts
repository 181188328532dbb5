// Memory of strands, counted: what touches nothing takes none of the contact solver's but what the detection works in.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addGroom, createPhysics } from '../../src/index';
import * as L from '../../src/state/layout';

const STRANDS = 400;
const NODES = 32;

function createStrands(pitch: number) {
  const physics = createPhysics(createWorld(), { elastic: { backend: 'wasm' } });
  const positions = new Float64Array(3 * STRANDS * NODES);
  for (let s = 0; s < STRANDS; s++) {
    for (let i = 0; i < NODES; i++) {
      positions.set([pitch * (s % 20), -0.005 * i, pitch * Math.floor(s / 20)], 3 * (NODES * s + i));
    }
  }
  const empty = physics.report.memoryBytes;
  addGroom(physics, {
    strands: { counts: new Int32Array(STRANDS).fill(NODES), positions },
    radius: 5e-4,
    clampStart: true,
  });
  for (let step = 0; step < 4; step++) physics.step();
  const { i32 } = physics.internal.engine.arena;
  const size = (cell: number) => i32[cell >> 2];
  return { physics, size, perNode: (physics.report.memoryBytes - empty) / (STRANDS * NODES) };
}

test('strands that touch nothing take less than 1000 bytes a node, none of them for weights', () => {
  const { physics, size, perNode } = createStrands(0.01);
  expect(physics.report.strands.contacts).toBe(0);
  // The detection works in what the solve would take.
  expect(size(L.ADMM_WORK_SIZE)).toBeLessThan(1.125 * 128 * STRANDS * NODES);
  expect(perNode).toBeLessThan(1000);
});

test('the contact solver takes its rows, a factor, and a quarter of a group a contact', () => {
  const { physics, size } = createStrands(0.00101);
  const { contacts } = physics.report.strands;
  expect(contacts).toBeGreaterThan(STRANDS * NODES);
  const nodes = STRANDS * NODES;
  // Groups of edges have no shares; a tenth is room for contacts to come. Behind them further looks have theirs. What
  // grew once is an eighth larger than asked for.
  const solve = (128 + 152) * nodes + 1.1 * 89.25 * contacts;
  const look = 24 * nodes + 132 * 1024;
  expect(size(L.ADMM_WORK_SIZE)).toBeLessThan(1.125 * (solve + look));
  expect(size(L.KERNEL_SCRATCH_SIZE)).toBe(65536);
  // What further looks find again: the tree and the edges, and of each pair two numbers and half of an f32.
  const pairs = size(L.STRAND_CANDIDATE_ROOM);
  expect(pairs).toBeGreaterThan(5 * nodes);
  expect(size(L.STRAND_DETECTION_SIZE)).toBeLessThan(220 * nodes + 10 * pairs + 4096);
  // Of pairs of edges that are near those along a strand are kept at a time.
  expect(size(L.STRAND_PAIR_ROOM)).toBeLessThan(contacts / 10);
});
