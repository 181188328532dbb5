// `stiction solve` from words to text, without a process of its own.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatch } from '../../src/cli/dispatch';
import { problemFile, type SolveResult } from '../../src/cli/solve';
import { writeProblem } from '../../src/scene/problem';
import { contactProblemFromDense } from '../../src/solvers/contact-problem';
import { problemNames, rawProblem } from '../validation/friction-problems';

const folder = mkdtempSync(join(tmpdir(), 'stiction-solve-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, contents: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof contents === 'string' ? contents : JSON.stringify(contents));
  return path;
}

async function stiction(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const status = await dispatch(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal: false,
  });
  return { status, out, err };
}

async function answer(...args: string[]): Promise<SolveResult> {
  const { status, out, err } = await stiction('solve', ...args);
  expect([status, err]).toEqual([0, '']);
  return JSON.parse(out);
}

async function refused(...args: string[]): Promise<string> {
  const { status, out, err } = await stiction('solve', ...args);
  expect([status, out]).toEqual([2, '']);
  return err;
}

const slide = {
  version: 1,
  contacts: 1,
  mu: [0.5],
  W: {
    rows: 3,
    columns: 3,
    entries: [
      [0, 0, 2],
      [1, 1, 2],
      [2, 2, 2],
    ],
  },
  b: [-1, 3, 4],
};
/** The same with a body of mass 0.5: W = H A⁻¹ Hᵀ = 2 I, b = H A⁻¹ f. */
const slideFull = {
  version: 1,
  contacts: 1,
  mu: [0.5],
  A: {
    rows: 3,
    columns: 3,
    entries: [
      [0, 0, 0.5],
      [1, 1, 0.5],
      [2, 2, 0.5],
    ],
  },
  f: [-0.5, 1, 2],
  H: {
    rows: 3,
    columns: 3,
    entries: [
      [0, 0, 1],
      [1, 1, 1],
      [2, 2, 1],
    ],
  },
  w: [0, 1, 0],
};

describe('stiction solve', () => {
  const path = file('slide.problem.json', slide);
  const fullPath = file('slide-full.problem.json', slideFull);

  it('prints status, iterations, residual, milliseconds, r and u', async () => {
    const result = await answer(path);
    expect(Object.keys(result)).toEqual(['status', 'iterations', 'residual', 'milliseconds', 'r', 'u']);
    expect(result.status).toBe('converged');
    expect(result.iterations).toBeGreaterThan(0);
    expect(result.residual).toBeLessThan(1e-10);
    expect(result.milliseconds).toBeGreaterThanOrEqual(0);
    // r_N = 1/2, friction 0.25 against (3, 4).
    [0.5, -0.15, -0.2].forEach((r, i) => {
      expect(result.r[i]).toBeCloseTo(r, 9);
    });
    [0, 2.7, 3.6].forEach((u, i) => {
      expect(result.u[i]).toBeCloseTo(u, 9);
    });
  });

  it('gives the same answer for both forms and all solvers', async () => {
    for (const solver of ['auto', 'dantzig', 'gauss-seidel', 'contact-admm']) {
      for (const name of [path, fullPath]) {
        const result = await answer(name, '--solver', solver);
        expect(result.status).toBe('converged');
        expect(result.r[1]).toBeCloseTo(-0.15, 8);
      }
    }
    for (const local of ['hybrid', 'bracketed', 'newton', 'enumerative', 'isotropic']) {
      const result = await answer(path, '--solver', 'gauss-seidel', '--local', local);
      expect([local, result.status]).toEqual([local, 'converged']);
    }
  });

  it('solves the published problems from files', async () => {
    for (const name of problemNames.filter((known) => /Rover|NESpheres|OneObject|weave/.test(known))) {
      const result = await answer(file(`${name}.problem.json`, rawProblem(name)), '--tolerance', '1e-9');
      expect([name, result.status]).toEqual([name, 'converged']);
      expect(result.residual).toBeLessThanOrEqual(1e-9);
    }
  });

  it('says when the limit was reached and when there is no solution', async () => {
    const hard = file('hard.problem.json', rawProblem('OneObject-i1028-138'));
    const short = await answer(hard, '--solver', 'gauss-seidel', '--iterations', '5');
    expect(short).toMatchObject({ status: 'iteration-limit', iterations: 5 });
    expect(short.residual).toBeGreaterThan(1e-8);
    const impossible = file('impossible.json', { ...slide, W: { ...slide.W, entries: [[1, 1, 1]] } });
    expect(await answer(impossible)).toMatchObject({ status: 'no-solution', impossibleContact: 0 });
    expect((await stiction('solve', impossible, '--check')).status).toBe(1);
  });

  it('solves what was dumped from an engine problem, joints and endless friction included', async () => {
    const eye = [0, 1, 2, 3, 4, 5].flatMap((i) => [0, 1, 2, 3, 4, 5].map((j) => (i === j ? 2 : 0)));
    const problem = contactProblemFromDense(eye, [-1, 3, 4, 1, 2, 3], [Number.POSITIVE_INFINITY, 0.3], [0, 1]);
    const dumped = file('dumped.problem.json', writeProblem(problemFile(problem)));
    const result = await answer(dumped, '--tolerance', '1e-8');
    expect(result.status).toBe('converged');
    [0.5, -1.5, -2, -0.5, -1, -1.5].forEach((r, i) => {
      expect(result.r[i]).toBeCloseTo(r, 6);
    });
  });

  it('writes to a file when asked', async () => {
    const out = join(folder, 'answer.json');
    expect(await stiction('solve', path, '--out', out)).toEqual({ status: 0, out: '', err: '' });
    expect(JSON.parse(readFileSync(out, 'utf8')).status).toBe('converged');
  });

  it('refuses calls that make no sense', async () => {
    expect(await refused()).toBe('stiction solve: PROBLEM is missing: stiction solve PROBLEM [options]\n');
    expect(await refused(path, path)).toMatch(/^stiction solve: one PROBLEM at a time, got /);
    expect(await refused(path, '--solver', 'magic')).toBe(
      'stiction solve: --solver: must be one of auto, dantzig, gauss-seidel, contact-admm, admm, ' +
        'conjugate-residual, got "magic"\n',
    );
    expect(await refused(path, '--solver', 'conjugate-residual')).toMatch(
      /form: must be full for --solver conjugate-residual/,
    );
    expect(await refused(path, '--preconditioner', 'full')).toMatch(
      /--preconditioner: goes with --solver conjugate-residual/,
    );
    expect(await refused(path, '--solver', 'conjugate-residual', '--preconditioner', 'ilu')).toMatch(
      /--preconditioner: must be one of full, diagonal, got "ilu"/,
    );
    expect(await refused(path, '--solver', 'admm')).toBe(
      `stiction solve: ${path}: form: must be full for --solver admm, got reduced\n`,
    );
    expect(await refused(path, '--local', 'guess')).toMatch(/--local: must be one of hybrid, bracketed/);
    expect(await refused(path, '--tolerance', '-1')).toBe(
      'stiction solve: --tolerance: must be a number > 0, got "-1"\n',
    );
    expect(await refused(path, '--iterations', '0')).toBe(
      'stiction solve: --iterations: must be a whole number >= 1, got "0"\n',
    );
  });

  it('refuses bad files line by line with their name, and writes nothing', async () => {
    const none = join(folder, 'none.json');
    expect(await refused(none)).toBe(`stiction solve: cannot read ${none}: there is no such file\n`);
    const wrong = file('wrong.json', { ...slide, mu: [-1], b: [0, null, 0] });
    const out = join(folder, 'never.json');
    expect(await refused(wrong, '--out', out)).toBe(
      `stiction solve: ${wrong}: mu[0]: must be >= 0, got -1\n` +
        `stiction solve: ${wrong}: b[1]: must be a finite number, got null\n`,
    );
    expect(existsSync(out)).toBe(false);
    const indefinite = file('indefinite.json', {
      ...slideFull,
      A: {
        ...slideFull.A,
        entries: [
          [0, 0, -1],
          [1, 1, 1],
          [2, 2, 1],
        ],
      },
    });
    expect(await refused(indefinite)).toBe(
      `stiction solve: ${indefinite}: A: must be positive definite, got a pivot <= 0 in row 0\n`,
    );
  });
});
