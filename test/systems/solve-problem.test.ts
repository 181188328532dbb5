import { expect, test } from 'vitest';
import { type FrictionProblem, readProblem, solveProblem, writeProblem } from '../../src/index';

/** Two contacts of one block on the ground, pulled sideways: friction holds one part, the rest slides. */
function problem(pull: number): FrictionProblem {
  const entries: [number, number, number][] = [];
  for (let c = 0; c < 2; c++) {
    for (let k = 0; k < 3; k++) {
      entries.push([3 * c + k, 3 * c + k, 1.2]);
      entries.push([3 * c + k, 3 * (1 - c) + k, 0.8]);
    }
  }
  return readProblem({
    version: 1,
    contacts: 2,
    mu: [0.5, 0.5],
    W: { rows: 6, columns: 6, entries },
    b: [-1, pull, 0, -1, pull, 0],
  });
}

test('a block pulled below its friction limit stays, above it slides with the rest', () => {
  const holds = solveProblem(problem(0.4));
  expect(holds.status).toBe('converged');
  for (const u of holds.u) expect(Math.abs(u)).toBeLessThan(1e-9);
  const slides = solveProblem(problem(0.7));
  expect(slides.u[1]).toBeCloseTo(0.2, 9);
  expect(slides.r[1]).toBeCloseTo(-0.5 * slides.r[0], 9);
});

test('an observer sees the best residual fall, by whichever solver, down to the answer’s', () => {
  for (const solver of ['auto', 'dantzig', 'gauss-seidel', 'contact-admm'] as const) {
    const seen: [string, number, number][] = [];
    const { residual, iterations, stages } = solveProblem(problem(0.7), {
      solver,
      onIteration: (progress) => seen.push([progress.solver, progress.iterations, progress.residual]),
    });
    expect(seen[0]).toEqual(['start', 0, expect.any(Number)]);
    for (let i = 1; i < seen.length; i++) {
      expect(seen[i][1]).toBeGreaterThanOrEqual(seen[i - 1][1]);
      expect(seen[i][2]).toBeLessThanOrEqual(seen[i - 1][2]);
      expect(stages.map((stage) => stage.solver)).toContain(seen[i][0]);
    }
    expect(seen.at(-1)?.[1]).toBe(iterations);
    expect(seen.at(-1)?.[2]).toBeGreaterThanOrEqual(residual);
  }
});

test('watching changes nothing in what the exact solvers return', () => {
  for (const solver of ['auto', 'dantzig', 'contact-admm'] as const) {
    const plain = solveProblem(problem(0.7), { solver });
    const watched = solveProblem(problem(0.7), { solver, onIteration: () => {} });
    expect(watched.r).toEqual(plain.r);
    expect(watched.iterations).toBe(plain.iterations);
  }
});

test('every local solver counts its calls and no failures on a plain problem', () => {
  for (const local of ['hybrid', 'newton', 'enumerative'] as const) {
    const { status, local: counts } = solveProblem(problem(0.7), { solver: 'gauss-seidel', local });
    expect(status).toBe('converged');
    expect(counts.calls).toBeGreaterThan(0);
    expect(counts.failures).toBe(0);
  }
});

test('a problem is written and read back, and wrong options are refused', () => {
  const once = problem(0.3);
  expect(readProblem(writeProblem(once))).toEqual(once);
  expect(() => solveProblem({} as FrictionProblem)).toThrow('solveProblem: problem must come from readProblem');
  expect(() => solveProblem(once, { solver: 'magic' as 'auto' })).toThrow(
    'solveProblem: solver must be one of auto, dantzig, gauss-seidel, contact-admm, admm, conjugate-residual, ' +
      'staggered-active-set, staggered-conjugate-residual, nested-relaxation, nodal, got "magic"',
  );
  expect(() => solveProblem(once, { local: 'magic' as 'hybrid' })).toThrow('solveProblem: local must be one of hybrid');
  expect(() => solveProblem(once, { tolerance: 0 })).toThrow('solveProblem: tolerance must be > 0, got 0');
  expect(() => solveProblem(once, { iterationLimit: -1 })).toThrow('solveProblem: iterationLimit must be >= 0, got -1');
  expect(() => solveProblem(once, { onIteration: 1 as never })).toThrow('solveProblem: onIteration must be a function');
});

/** A node of 1 kg with velocity (pull, −1, 0) on the ground, in full form. */
function node(pull: number): FrictionProblem {
  const unit = (value: number[]) => value.map((x, i): [number, number, number] => [i, i, x]);
  return readProblem({
    version: 1,
    contacts: 1,
    mu: [0.5],
    A: { rows: 3, columns: 3, entries: unit([1, 1, 1]) },
    f: [-1, pull, 0],
    H: { rows: 3, columns: 3, entries: unit([1, 1, 1]) },
    w: [0, 0, 0],
  });
}

test('solvers of the full form answer alike, tell as they go, and refuse the reduced one', () => {
  const solvers = [
    'admm',
    'conjugate-residual',
    'staggered-active-set',
    'staggered-conjugate-residual',
    'nested-relaxation',
    'nodal',
  ] as const;
  for (const solver of solvers) {
    const seen: number[] = [];
    const { status, u, stages } = solveProblem(node(0.7), { solver, onIteration: (p) => seen.push(p.residual) });
    expect(status, solver).toBe('converged');
    expect(u[1], solver).toBeCloseTo(0.2, 8);
    expect(stages.map((stage) => stage.solver)).toEqual([solver]);
    for (let i = 1; i < seen.length; i++) expect(seen[i]).toBeLessThanOrEqual(seen[i - 1]);
    expect(() => solveProblem(problem(0.7), { solver })).toThrow(
      `solveProblem: problem must be in full form for ${solver}, got "reduced"`,
    );
  }
  expect(() => solveProblem(node(0.7), { solver: 'conjugate-residual', preconditioner: 'ilu' as 'full' })).toThrow(
    'solveProblem: preconditioner must be one of full, diagonal, got "ilu"',
  );
});
