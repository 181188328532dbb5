// Joints of an elastic problem: rows that hold always and rows that may be slack, in systems that share them.

import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addBodyRow, addJointRow, createJointRows } from '../../src/solvers/admm/joint-rows';
import { createJointSystem } from '../../src/solvers/admm/joint-system';
import { applyJoints, prepareJoints } from '../../src/solvers/admm/joints';
import { type ColumnOperator, createAdmmProblem } from '../../src/solvers/admm/problem';

/** One node of 1 kg, three unknowns and a spare, that nothing elastic holds. */
const single: ColumnOperator = {
  column: () => {},
  rangeOf(out) {
    out[0] = 0;
    out[1] = 4;
  },
};

test('a rope that another system has found taut is taut in a system that was factored without it', () => {
  const problem = createAdmmProblem();
  problem.elasticCount = 4;
  const rows = createJointRows();
  addJointRow(rows, 0, 0, 1, 0, true);
  const [one, other] = [createJointSystem(false), createJointSystem(true)];
  for (const system of [one, other]) prepareJoints(system, problem, rows, single);
  const upwards = (system: typeof one, speed: number): number => {
    const v = Float64Array.of(0, speed, 0, 0);
    applyJoints(system, problem, rows, v);
    return v[1];
  };
  expect(upwards(one, 1)).toBe(1);
  expect(upwards(other, -1)).toBe(0);
  expect(upwards(one, -1)).toBe(0);
});

// What is factored stays as far as the same rows are active: answers are those of a system that starts afresh.
test('random rows between bodies, their bounds moved from solve to solve', () => {
  const random = createRandom(7);
  const bodies = 6;
  const problem = createAdmmProblem();
  Object.assign(problem, { bodyCount: bodies, elasticCount: 0 });
  problem.bodyInverseMass = Float64Array.from({ length: bodies }, () => 0.5 + random());
  problem.bodyInverseInertia = new Float64Array(8 * bodies);
  for (let b = 0; b < bodies; b++) problem.bodyInverseInertia.set([1, 2, 3, 0.1, 0.2, 0.3], 8 * b);
  problem.bodyHasContacts = new Uint8Array(bodies);
  const rows = createJointRows();
  for (let i = 0; i < 18; i++) {
    const first = Math.floor(random() * bodies);
    const ends = [first, (first + 1 + Math.floor(random() * (bodies - 1))) % bodies];
    const lever = Float64Array.from({ length: 12 }, () => random() - 0.5);
    const low = i % 3 === 1 ? 0 : Number.NEGATIVE_INFINITY;
    const high = i % 3 === 2 ? 0.05 : Number.POSITIVE_INFINITY;
    addBodyRow(rows, { bodies: Int32Array.from(ends), lever, bias: random() - 0.5, soft: 0.01, low, high });
  }
  const kept = createJointSystem(false);
  prepareJoints(kept, problem, rows, single);
  for (let round = 0; round < 50; round++) {
    const start = Float64Array.from({ length: 8 * bodies }, () => random() - 0.5);
    const [v, w] = [start.slice(), start.slice()];
    const active = rows.active.slice();
    const fixed = rows.fixed.slice();
    applyJoints(kept, problem, rows, v);
    rows.active.set(active);
    rows.fixed.set(fixed);
    const fresh = createJointSystem(false);
    prepareJoints(fresh, problem, rows, single);
    applyJoints(fresh, problem, rows, w);
    expect(v, `round ${round}`).toEqual(w);
    for (let i = 0; i < rows.count; i++) {
      expect(rows.impulse[i]).toBeGreaterThanOrEqual(rows.low[i]);
      expect(rows.impulse[i]).toBeLessThanOrEqual(rows.high[i]);
    }
  }
});

// Two machines in one world: S of each is its own, and each gets the bits that it gets alone.
test('rows that hang together are solved apart from all others', () => {
  const problemOf = (bodies: number) => {
    const problem = createAdmmProblem();
    Object.assign(problem, { bodyCount: bodies, elasticCount: 0 });
    problem.bodyInverseMass = new Float64Array(bodies).fill(0.7);
    problem.bodyInverseInertia = new Float64Array(8 * bodies);
    for (let b = 0; b < bodies; b++) problem.bodyInverseInertia.set([1, 2, 3, 0.1, 0.2, 0.3], 8 * b);
    problem.bodyHasContacts = new Uint8Array(bodies);
    return problem;
  };
  const random = createRandom(11);
  const levers = Array.from({ length: 12 }, () => Float64Array.from({ length: 12 }, () => random() - 0.5));
  const add = (rows: ReturnType<typeof createJointRows>, i: number, first: number) => {
    const bodies = Int32Array.of(first + (i % 2), i % 3 === 0 ? -1 : first + 1 + (i % 2));
    const low = i % 4 === 3 ? 0 : Number.NEGATIVE_INFINITY;
    const bounds = { soft: 0.01, low, high: Number.POSITIVE_INFINITY };
    addBodyRow(rows, { bodies, lever: levers[i], bias: 0.3 - 0.1 * i, ...bounds });
  };
  const [alone, both] = [createJointRows(), createJointRows()];
  // In turns, so that neither lies in one piece.
  for (let i = 0; i < 12; i++) {
    add(alone, i, 0);
    add(both, i, 0);
    add(both, i, 3);
  }
  const [one, two] = [createJointSystem(false), createJointSystem(false)];
  prepareJoints(one, problemOf(3), alone, single);
  prepareJoints(two, problemOf(6), both, single);
  expect(one.blocks.count).toBe(1);
  expect(two.blocks.count).toBe(2);
  expect(two.blocks.matrix[2]).toBe(2 * one.blocks.matrix[1]);
  const v = Float64Array.from({ length: 24 }, () => random() - 0.5);
  const w = Float64Array.of(...v, ...v);
  applyJoints(one, problemOf(3), alone, v);
  applyJoints(two, problemOf(6), both, w);
  expect([...w]).toEqual([...v, ...v]);
});
