// `stiction solve --solver admm`: problem files in full form, and what it refuses.
import { expect, test } from 'vitest';
import { reduceProblem, solveTimed } from '../../src/cli/solve';
import { solveByAdmm } from '../../src/cli/solve-admm';
import { UsageError } from '../../src/core/errors';
import type { FullProblem } from '../../src/scene/problem';

/** Two nodes of 1 and 3 kg in a row on slanted ground; entries of H in frames with the normal first. */
function nodesOnGround(): FullProblem {
  const [c, s] = [0.8, 0.6];
  const frame = [-s, c, 0, c, s, 0, 0, 0, 1];
  const row: number[] = [];
  const column: number[] = [];
  const value: number[] = [];
  for (let node = 0; node < 2; node++) {
    for (let i = 0; i < 9; i++) {
      row.push(3 * node + Math.floor(i / 3));
      column.push(3 * node + (i % 3));
      value.push(frame[i]);
    }
  }
  const size = [0, 1, 2, 3, 4, 5];
  return {
    version: 1,
    form: 'full',
    contacts: 2,
    mu: Float64Array.of(0.3, 2),
    bilateral: null,
    A: {
      rows: 6,
      columns: 6,
      row: Int32Array.from(size),
      column: Int32Array.from(size),
      value: Float64Array.of(1, 1, 1, 3, 3, 3),
    },
    f: Float64Array.of(0, -1, 0, 0, -3, 0),
    H: {
      rows: 6,
      columns: 6,
      row: Int32Array.from(row),
      column: Int32Array.from(column),
      value: Float64Array.from(value),
    },
    w: new Float64Array(6),
  };
}

test('agrees with the exact solver: one node slides, the other holds', () => {
  const file = nodesOnGround();
  const problem = reduceProblem(file);
  const answer = solveByAdmm(file, problem, {});
  const exact = solveTimed(problem, {});
  expect(answer.status).toBe('converged');
  for (let i = 0; i < 6; i++) expect(answer.u[i]).toBeCloseTo(exact.u[i], 9);
  expect(Math.abs(answer.u[1])).toBeCloseTo(0.6 - 0.3 * 0.8, 9);
  expect(answer.u[4]).toBeCloseTo(0, 9);
});

test('refuses the reduced form and an H without rotations', () => {
  const file = nodesOnGround();
  const problem = reduceProblem(file);
  const reduced = { ...file, form: 'reduced' } as never;
  expect(() => solveByAdmm(reduced, problem, {})).toThrow(
    new UsageError('form: must be full for --solver admm, got reduced'),
  );
  const value = Float64Array.from(file.H.value);
  value[4] = 0.5;
  expect(() => solveByAdmm({ ...file, H: { ...file.H, value } }, problem, {})).toThrow(
    /H: must be made of numbers times rotations/,
  );
});
