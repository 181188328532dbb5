// `stiction solve --arithmetic`: Gauss–Seidel in kernels from the command line.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatch } from '../../src/cli/dispatch';
import type { SolveResult } from '../../src/cli/solve';
import { loadProblem, naturalMapOf, rawProblem } from '../validation/friction-problems';

const folder = mkdtempSync(join(tmpdir(), 'stiction-arithmetic-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function solve(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const streams = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    terminal: false,
  };
  return { status: await dispatch(['solve', ...args], streams), out, err };
}

const name = 'NESpheres_10_1';
const path = join(folder, `${name}.problem.json`);
writeFileSync(path, JSON.stringify(rawProblem(name)));
const SWEEPS = [path, '--solver', 'gauss-seidel', '--arithmetic'];

describe('stiction solve --arithmetic', () => {
  it('converges in f64, with the answer of the published solution', async () => {
    const { status, out } = await solve(...SWEEPS, 'f64', '--check');
    expect(status).toBe(0);
    const result: SolveResult = JSON.parse(out);
    const { problem, u } = loadProblem(name);
    expect(result.status).toBe('converged');
    expect(result.iterations).toBeLessThan(500);
    expect(naturalMapOf(problem, result.r)).toBeLessThan(1e-8);
    result.u.forEach((speed, i) => {
      expect(speed).toBeCloseTo(u[i], 6);
    });
  });

  it('goes in f32 as far as rounding lets it, and says so', async () => {
    const result: SolveResult = JSON.parse((await solve(...SWEEPS, 'f32')).out);
    expect(result.status).toBe('iteration-limit');
    expect(result.iterations).toBeLessThanOrEqual(5000);
    expect(naturalMapOf(loadProblem(name).problem, result.r)).toBeLessThan(1e-4);
    const coarse: SolveResult = JSON.parse((await solve(...SWEEPS, 'f32', '--tolerance', '1e-3')).out);
    expect(coarse.status).toBe('converged');
  });

  it('keeps the iteration limit', async () => {
    const result: SolveResult = JSON.parse((await solve(...SWEEPS, 'f64', '--iterations', '3')).out);
    expect([result.status, result.iterations]).toEqual(['iteration-limit', 3]);
  });

  it('refuses other numbers and other solvers in one line', async () => {
    const wrong = await solve(...SWEEPS, 'f16');
    expect([wrong.status, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toMatch(/--arithmetic: must be .*f64.*f32.*, got "f16"\n$/);
    const other = await solve(path, '--arithmetic', 'f64');
    expect([other.status, other.err]).toEqual([
      2,
      'stiction solve: --arithmetic: goes with --solver gauss-seidel only\n',
    ]);
  });
});
