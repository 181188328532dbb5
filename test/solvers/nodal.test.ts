// The comparator that goes node by node: the answer of ADMM, on contacts of one node and of several.

import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { solveFullFormProblem } from '../../src/solvers/solve-full-form';
import { condenseProblem } from '../../src/solvers/sparse-form';

/** A chain of nodes on springs; some lie on the ground, edges of the far half touch those of the near one. */
function chain(nodes: number) {
  const random = createRandom(5);
  const A = { rows: 3 * nodes, columns: 3 * nodes, row: [] as number[], column: [] as number[], value: [] as number[] };
  const put = (M: typeof A, i: number, j: number, x: number) => {
    M.row.push(i);
    M.column.push(j);
    M.value.push(x);
  };
  for (let i = 0; i < 3 * nodes; i++) {
    put(A, i, i, 5 + random());
    if (i + 3 < 3 * nodes) {
      put(A, i, i + 3, -2);
      put(A, i + 3, i, -2);
    }
  }
  const contacts: (readonly [number, number])[][] = [];
  for (let n = 0; n < nodes; n += 2) contacts.push([[n, 1]]);
  for (let n = 0; n + 1 < nodes / 2; n += 2) {
    const far = nodes - 2 - n;
    contacts.push([[far, 0.4] as const, [far + 1, 0.6] as const, [n, -0.7] as const, [n + 1, -0.3] as const]);
  }
  const H = { ...A, rows: 3 * contacts.length, row: [], column: [], value: [] } as typeof A;
  contacts.forEach((ends, c) => {
    for (const [node, share] of ends) {
      // Normal y, tangents z and x.
      [1, 2, 0].forEach((axis, i) => {
        put(H, 3 * c + i, 3 * node + axis, share);
      });
    }
  });
  return {
    contacts: contacts.length,
    mu: contacts.map((_, c) => 0.2 + 0.1 * (c % 4)),
    bilateral: null,
    A,
    f: Array.from({ length: 3 * nodes }, (_, i) => (i % 3 === 1 ? -3 : 2 * random() - 1)),
    H,
    w: contacts.flatMap(() => [0.05 * random(), 0, 0]),
  };
}

test('node by node gives the velocities that ADMM gives', () => {
  const file = chain(16);
  const answers = (['nodal', 'admm'] as const).map((solver) => {
    const reduced = condenseProblem(file.A, file.f, file.H, file.w, file.mu, null);
    const r = new Float64Array(3 * file.contacts);
    const u = new Float64Array(r.length);
    const { status, iterations } = solveFullFormProblem(file, reduced, r, u, {
      solver,
      tolerance: 1e-8,
      iterationLimit: 2000,
    });
    expect(status, solver).toBe('converged');
    expect(iterations).toBeGreaterThan(1);
    return u;
  });
  for (let k = 0; k < answers[0].length; k++) expect(answers[0][k]).toBeCloseTo(answers[1][k], 6);
  expect(answers[0].filter((x, k) => k % 3 === 0 && Math.abs(x) < 1e-7).length).toBeGreaterThan(4);
});
