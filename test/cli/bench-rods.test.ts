// `stiction bench rods`: what it measures with is right, its tables on small worlds, the calls
// it refuses. No time is asserted.

import { describe, expect, it } from 'vitest';
import { benchRods, FULL } from '../../src/bench/rods';
import { benchBundle, createBundle, freeBundle, naturalMap } from '../../src/bench/rods-bundle';
import { benchLocalCost } from '../../src/bench/rods-projection';
import { benchCase } from '../../src/bench/rods-speed';
import { showRodBench } from '../../src/bench/rods-tables';
import { changeElastic, createTufts, keepState, takeState } from '../../src/bench/rods-worlds';
import { benchThreads, FULL_THREADS, showThreadBench } from '../../src/bench/threads';
import { dispatch } from '../../src/cli/dispatch';
import { longTest } from '../setup/suite';

const quiet = () => {};

describe('the bundle of 61 strands', () => {
  longTest('has the 2964 contacts of its description, and an error that tells an answer from none', () => {
    const world = createBundle('reference');
    expect(world.contacts).toBe(2964);
    const elastic = freeBundle(world);
    const state = keepState(world);
    changeElastic(world, { iterations: 1, sweeps: 1 });
    world.advance();
    expect(naturalMap(world, elastic).nat).toBeGreaterThan(0.1);
    takeState(world, state);
    changeElastic(world, { iterations: 60, sweeps: 5 });
    world.advance();
    const { nat, scaled } = naturalMap(world, elastic);
    expect(nat).toBeLessThan(1e-5);
    expect(scaled).toBeLessThan(1e-4);
    // Forces a tenth off are no answer: the strands would go through each other.
    const { force } = world.engine.tables.nodeContacts;
    for (let i = 0; i < 4 * world.contacts; i++) if ((i & 3) !== 3) force[i] *= 0.9;
    expect(naturalMap(world, elastic).nat).toBeGreaterThan(0.01);
  });

  longTest('is solved to a natural map of 1e-4 from nothing by both backends in much the same iterations', () => {
    const rows = (['reference', 'wasm'] as const).map((backend) => benchBundle(backend, 5, 1, 60));
    for (const row of rows) expect(Math.max(row.nat, row.scaled)).toBeLessThan(1e-4);
    // The kernels take the contacts in another order.
    expect(rows[0].iterations).toBeGreaterThan(5);
    expect((rows[1].iterations ?? 1000) / (rows[0].iterations ?? 1)).toBeLessThan(1.6);
  });
});

describe('stiction bench rods', () => {
  it('times both backends from the same state: contacts and iterations agree', () => {
    const entry = { strands: 100, vertices: 8, contact: true, lead: 3, steps: 1, reference: true };
    const [wasm, reference] = benchCase({ ...entry, scene: 'tufts' }, 1);
    expect(wasm.contactsPerStrand).toBeGreaterThan(5);
    expect(reference.contactsPerStrand / wasm.contactsPerStrand).toBeCloseTo(1, 1);
    expect(Math.abs(reference.iterations - wasm.iterations)).toBeLessThanOrEqual(2);
    expect(wasm.kernels.map(([name]) => name)).toContain('admmProject');
    expect(reference.kernels.map(([name]) => name)).not.toContain('admmProject');
  });

  it('copies tufts: contacts per strand do not depend on their number', () => {
    const perStrand = [1, 3].map((tufts) => {
      const world = createTufts(25 * tufts, { rows: 5, columns: 5, vertices: 8 }, true, 'wasm');
      for (let i = 0; i < 3; i++) world.advance();
      return world.physics.report.strands.contacts / (25 * tufts);
    });
    expect(perStrand[0]).toBeGreaterThan(5);
    expect(perStrand[1]).toBeCloseTo(perStrand[0], 1);
  });

  longTest('gives all local solvers the same answer', () => {
    const { contacts, rows } = benchLocalCost(60, 12, 1);
    expect(contacts).toBeGreaterThan(20);
    expect(rows.length).toBe(4);
    for (const row of rows) expect(row.difference).toBeLessThan(1e-9);
  });

  longTest('prints all tables of a run', () => {
    const result = benchRods(
      {
        ...FULL,
        strands: [20],
        vertices: [6],
        mainStrands: 20,
        mainVertices: 6,
        growth: [20, 20],
        rounds: 1,
        lead: 1,
        ballLead: 1,
        steps: 1,
        frames: 1,
        bundleLimit: 4,
        crossingSteps: 3,
        hairStrands: 20,
        hairSteps: 3,
      },
      quiet,
    );
    expect(result.growth.contactsPerStrand[1]).toBe(result.growth.contactsPerStrand[0]);
    expect(result.targets.length).toBe(11);
    const page = showRodBench(result);
    for (const heading of [
      'Targets',
      'stage by stage',
      'Sleeping',
      'anisotropic',
      'Bundle',
      'hairy ball',
      'Real hair',
      'to the letter',
    ]) {
      expect(page).toContain(heading);
    }
    expect(page).toMatch(/\n\| tufts +\| 20 +\| 6 +\| [\d.]+ +\| wasm /);
    expect(page).toContain('not reached');
  });

  it('refuses the flags of the rigid benchmark', async () => {
    let err = '';
    const streams = {
      out: quiet,
      err: (text: string) => {
        err += text;
      },
      terminal: false,
    };
    expect(await dispatch(['bench', 'rods', '--rounds', '2'], streams)).toBe(2);
    expect(err).toBe('stiction bench: --rounds: not for rods\n');
  });

  it('refuses numbers of threads that are none, and threads elsewhere', async () => {
    let err = '';
    const say = (text: string) => {
      err += text;
    };
    const streams = { out: quiet, err: say, terminal: false };
    expect(await dispatch(['bench', 'rods', '--threads', '1,x'], streams)).toBe(2);
    expect(await dispatch(['bench', 'solids', '--threads', '1'], streams)).toBe(2);
    expect(await dispatch(['bench', 'shells', '--threads', '1', '--scenes', 'cape'], streams)).toBe(2);
    expect(err.split('\n').slice(0, 3)).toEqual([
      'stiction bench: --threads: must be whole numbers 0..64, got "1,x"',
      'stiction bench: --threads: not for solids',
      'stiction bench: --scenes: not for shells --threads',
    ]);
  });

  longTest.each([
    ['rods', ['hairy ball', 'bundle', 'tufts']],
    ['rigid', ['stack of 10', 'pile of 300']],
    ['shells', ['drape', 'cape']],
  ] as const)('compares threads from the same states: %s', async (bench, scenes) => {
    const size = { ...FULL_THREADS, strands: 150, vertices: 12, bodies: 300, columns: 10 };
    const short = { lead: 2, ballLead: 2, pileLead: 2, steps: 2, rounds: 1 };
    const result = await benchThreads(bench, [0, 2], { ...size, ...short }, () => {});
    expect(result.rows.map(({ scene, threads, working, isSame }) => [scene, threads, working, isSame])).toEqual(
      scenes.flatMap((scene) => [
        [scene, 0, 1, true],
        [scene, 2, 2, true],
      ]),
    );
    for (const { scene, threads, jobs, shared } of result.rows) {
      const isDivided = threads === 2 && (bench === 'rods' || scene === 'pile of 300');
      expect(jobs > 0).toBe(isDivided);
      expect(shared > 0).toBe(isDivided);
      expect(shared).toBeLessThan(1);
    }
    expect(showThreadBench(result)).toMatch(new RegExp(`\\n\\| ${scenes[1]} +\\| 2 +\\| 2 +\\|`));
  });
});
