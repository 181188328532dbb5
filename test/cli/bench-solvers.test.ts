// `stiction bench solvers`: its tables on a small batch, and the calls it refuses. No time is asserted.

import { describe, expect, it } from 'vitest';
import { benchSolvers } from '../../src/bench/solvers';
import { benchContacts, collectContacts, contactError, drawContacts } from '../../src/bench/solvers-contacts';
import { eliminate } from '../../src/bench/solvers-global';
import { benchLocals, ENGINES, LOCALS } from '../../src/bench/solvers-local';
import { captureBatch, loadPublished } from '../../src/bench/solvers-problems';
import { showSolverBench } from '../../src/bench/solvers-tables';
import { dispatch } from '../../src/cli/dispatch';
import { longTest } from '../setup/suite';

const published = loadPublished();
const quiet = () => {};

describe('stiction bench solvers', () => {
  it('takes problems from running scenes: a column of ten boxes rests on 40 corners', () => {
    const batch = captureBatch(3, quiet, ['column-10']);
    expect(batch.map(({ name }) => name)).toEqual(['column-10@20', 'column-10@40', 'column-10@60']);
    for (const { problem } of batch) {
      expect(problem.contactCount).toBe(40);
      // Each corner feels both bodies: unit boxes of 10 kg, so about 0.1/kg + lever arms on either side.
      expect(problem.mu[0]).toBeCloseTo(0.6, 12);
      expect(problem.values.every(Number.isFinite)).toBe(true);
    }
  });

  it('finds the published problems in the repository', () => {
    expect(published.length).toBe(16);
    expect(published.every(({ problem }) => problem.contactCount > 0)).toBe(true);
  });

  it('gives a row a local solver and arithmetic, and they agree on what is solvable', () => {
    const batch = published.filter(({ name }) => /^(Box_Stacks|FC3D|Rover1|NESpheres_30)/.test(name));
    expect(batch.length).toBe(4);
    const rows = benchLocals(batch, 60, quiet);
    expect(rows.length).toBe(LOCALS.length * ENGINES.length);
    const exact = rows.filter(({ solver }) => solver === 'bracketed' || solver === 'newton+enumerative');
    for (const row of exact) expect([row.failed, row.over]).toEqual([0, 0]);
    const sweeps = exact.filter(({ engine }) => engine === 'f64 kernel').map((row) => row.sweeps);
    expect(sweeps[0]).toBe(sweeps[1]);
    // One relaxation a sweep is no faster than a solve.
    const relaxed = rows.find(({ solver, engine }) => solver === 'isotropic-approximate' && engine === 'f64 kernel');
    expect(relaxed?.sweeps).toBeGreaterThanOrEqual(sweeps[0]);
  });

  longTest('prints all tables of a run', () => {
    const size = {
      each: 1,
      scenes: ['column-10'],
      sweepLimit: 3,
      reachLimit: 40,
      rounds: 1,
      contactSweeps: 1,
      randomContacts: 50,
      strands: { seeds: 1, each: 1, outerEvery: 1, worlds: ['knots' as const] },
    };
    const result = benchSolvers(size, quiet);
    expect(result.problems).toMatchObject({ own: 1, published: 16, contacts: { largest: 570 } });
    expect(result.reach.map(({ problem }) => problem)).toContain('KaplasTower-i1061-4');
    expect(result.real.count).toBe(40 + published.reduce((sum, { problem }) => sum + problem.contactCount, 0));
    const page = showSolverBench(result);
    const headings = ['Block Gauss–Seidel', 'Strands', 'nested relaxation', 'so-bogus', 'Dantzig', 'One contact'];
    for (const heading of headings) expect(page).toContain(heading);
    expect(page).toMatch(/\n\| MFB \+ Enum +\| 2011 paper \| 0\.07 /);
    expect(page).toMatch(/\n\| bracketed +\| f32 kernel \| +[\d-]/);
  });

  it('refuses the flags of the rigid benchmark and unknown names', async () => {
    for (const [args, message] of [
      [['solvers', '--rounds', '2'], 'stiction bench: --rounds: not for solvers\n'],
      [['solvers', '--scans'], 'stiction bench: --scans: not for solvers\n'],
      [['solvers', 'rigid'], 'stiction bench: one NAME at a time, got solvers rigid\n'],
      [['solvers', '--out', 'x.txt'], 'stiction bench: --out: must end with .json, got "x.txt"\n'],
    ] as [string[], string][]) {
      let err = '';
      let out = '';
      const status = await dispatch(['bench', ...args], {
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        terminal: false,
      });
      expect([status, out, err]).toEqual([2, '', message]);
    }
  });
});

describe('one-contact problems of the benchmark', () => {
  it('are what the sweeps meet: the first is the problem itself', () => {
    const batch = published.filter(({ name }) => name === 'FrictionContact3D_1c');
    const contacts = collectContacts(batch, 2);
    expect(contacts.count).toBe(2);
    const { values, b, mu } = batch[0].problem;
    expect([...contacts.W.subarray(0, 9)]).toEqual([...values.subarray(0, 9)]);
    // Alone it meets the same b in every sweep.
    expect([...contacts.b]).toEqual([...b.subarray(0, 3), ...b.subarray(0, 3)]);
    expect(contacts.mu[1]).toBe(mu[0]);
  });

  it('are judged by the natural map: an open contact, a stuck one and a wrong answer', () => {
    const W = Float64Array.from([2, 0, 0, 0, 2, 0, 0, 0, 2]);
    const one = (b: number[], mu: number) => ({ count: 1, W, b: Float64Array.from(b), mu: Float64Array.of(mu) });
    expect(contactError(one([1, 0, 0], 0.5), 0, [0, 0, 0])).toBe(0);
    expect(contactError(one([-2, 0.5, 0], 0.5), 0, [1, -0.25, 0])).toBeCloseTo(0, 14);
    expect(contactError(one([-2, 0, 0], 0.5), 0, [0, 0, 0])).toBeCloseTo(1, 14);
    expect(contactError(one([-2, 0, 0], 0.5), 0, [Number.NaN, 0, 0])).toBe(Number.POSITIVE_INFINITY);
  });

  it('find no failure of bracketed and hybrid in f64, nor in f32 where it holds an answer', () => {
    const { rows, beyond } = benchContacts(drawContacts(3000, 1e8, 3));
    expect(beyond).toBeGreaterThan(0);
    const safe = rows.filter(({ solver }) => solver === 'bracketed' || solver === 'hybrid');
    expect(safe.length).toBe(6);
    for (const row of safe) expect([row.solver, row.engine, row.within]).toEqual([row.solver, row.engine, 0]);
    for (const row of safe) if (row.engine !== 'f32 kernel') expect(row.failures).toBe(0);
    expect(rows.find(({ solver }) => solver === 'newton')?.failures).toBeGreaterThan(0);
  });
});

describe('the elimination that pivoting is compared with', () => {
  it('solves a system that needs its rows exchanged', () => {
    const A = Float64Array.from([0, 2, 1, 1, 1, 0, 3, 0, 1]);
    const x = Float64Array.from([7, 3, 6]);
    eliminate(A, x, 3);
    expect([...x].map((v) => Math.round(1e12 * v) / 1e12)).toEqual([1, 2, 3]);
  });
});
