// `stiction bench gpu`: its sums are right, software is never timed, the calls it refuses; a
// small run on the software adapter.

import { describe, expect, it } from 'vitest';
import { benchGpu, realTimeOf, SOFTWARE } from '../../src/bench/gpu';
import type { GpuRow } from '../../src/bench/gpu-run';
import { showGpuBench } from '../../src/bench/gpu-tables';
import { BALL, createBall, HAIR, LENGTH } from '../../src/bench/gpu-worlds';
import { openDawn } from '../../src/cli/dawn';
import { dispatch } from '../../src/cli/dispatch';
import { GPU_STAGES } from '../../src/gpu/world/report';
import { longGpuTest, openInstance } from '../gpu/test-device';

/** A row as a GPU might give it. */
function rowOf(strands: number, frame: number, more: Partial<GpuRow> = {}): GpuRow {
  const spread = { median: frame, p90: frame, p95: frame };
  return {
    ...{ strands, vertices: 31, contact: true, budget: null, lead: 60, steps: 60, frame, device: spread },
    stages: Object.fromEntries(GPU_STAGES.map((stage) => [stage, frame / GPU_STAGES.length])) as GpuRow['stages'],
    ...{ cpu: { median: 0.25, p90: 0.3, p95: 0.4 }, encode: 0.125, contacts: 13 * strands, iterations: 20 },
    ...{ sweeps: 40, delta: 0.01, awake: 0.5, uncoloured: 0, undone: 0, kept: null, overflow: [] },
    ...{ bytes: 1e8, hostBytes: 2e8, quarantined: 0 },
    ...more,
  };
}

describe('strands in contact at 60 frames a second', () => {
  it('lie between the last row that fits and the first that does not', () => {
    // Time in proportion to strands: 16.67 ms are 8333 of them.
    expect(realTimeOf([rowOf(1000, 2), rowOf(4000, 8), rowOf(16_000, 32)])).toBe(8333);
  });

  it('are those measured where all fit, and none where none do', () => {
    expect(realTimeOf([rowOf(1000, 2), rowOf(4000, 8)])).toBe(4000);
    expect(realTimeOf([rowOf(1000, 20), rowOf(4000, 80)])).toBe(0);
    expect(realTimeOf([])).toBeNull();
  });

  it('are told from rows with a budget, without contacts, and of short strands', () => {
    const others = [
      rowOf(64_000, 8, { budget: 8 }),
      rowOf(64_000, 1, { contact: false }),
      rowOf(64_000, 9, { vertices: 16 }),
    ];
    expect(realTimeOf([...others, rowOf(2000, 4), rowOf(8000, 16)])).toBe(8000);
  });
});

describe('the hairy ball', () => {
  it('has strands that begin on its upper half and are as long as they should be', () => {
    const { physics } = createBall({ strands: 50, vertices: 31, contact: true });
    physics.hash(); // makes the rows
    const { position } = physics.internal.engine.tables.nodes;
    for (let s = 0; s < 50; s++) {
      const at = 4 * 31 * s;
      const [x, y, z] = position.subarray(at, at + 3);
      expect(Math.hypot(x, y, z)).toBeCloseTo(BALL + HAIR, 6);
      expect(y).toBeGreaterThan(0);
      let length = 0;
      for (let i = at; i < at + 4 * 30; i += 4)
        length += Math.hypot(...[0, 1, 2].map((k) => position[i + 4 + k] - position[i + k]));
      expect(length).toBeGreaterThan(0.8 * LENGTH);
      expect(length).toBeLessThan(1.1 * LENGTH);
    }
    physics.dispose();
  });
});

describe('the page of results', () => {
  const base = {
    ...{ bench: 'gpu' as const, date: '2026-01-02T03:04:05.000Z', host: 'Node v20', hasTimestamps: true, cpu: null },
    ...{ realTime: 8333, shares: null, targets: [], findings: [], left: [] },
  };

  it('has times where a GPU gave them', () => {
    const rows = [rowOf(4000, 8), rowOf(8000, 7, { budget: 8, kept: 0.975, undone: 6 })];
    const page = showGpuBench({ ...base, adapter: 'some gpu', isSoftware: false, rows });
    expect(page).toContain('adapter: some gpu');
    expect(page).toMatch(/\| 4000 +\| 31 +\| 13\.0 +\| - +\| 8\.00 /);
    expect(page).toMatch(/\| 8000 +\| 31 +\| 13\.0 +\| 8 +\| 7\.00 .* 97\.5 /);
  });

  it('has counts only where it was software, and says so', () => {
    const page = showGpuBench({ ...base, adapter: 'SwiftShader', isSoftware: true, rows: [rowOf(200, 4321)] });
    expect(page).toContain('This adapter computes on the CPU');
    expect(page).not.toContain('4321');
    expect(page).not.toContain('frame');
  });

  it('says which rows could not be measured, and why', () => {
    const left = [{ name: '64000 × 31', reason: 'the strands left the device: too many' }];
    const page = showGpuBench({ ...base, adapter: 'some gpu', isSoftware: false, rows: [], left });
    expect(page).toContain('## Not measured\n\n- 64000 × 31: the strands left the device: too many');
  });

  it('says which checks failed', () => {
    const findings = [
      { name: 'one', passed: true, detail: 'fine' },
      { name: 'two', passed: false, detail: 'far off' },
    ];
    const page = showGpuBench({ ...base, adapter: 'some gpu', isSoftware: false, rows: [], findings });
    expect(page).toContain('1 of 2 checks FAILED');
    expect(page).toMatch(/\| two +\| NO +\| far off/);
  });
});

describe('stiction bench gpu', () => {
  it('refuses calls that make no sense, in one line', async () => {
    for (const [args, message] of [
      [['gpu', '--rounds', '2'], '--rounds: not for gpu'],
      [['rods', '--strands', '100'], '--strands: not for rods'],
      [['--conformance'], '--conformance: not for rigid'],
      [['gpu', '--strands', '100,many'], '--strands: must be whole numbers >= 1, got "many"'],
      [['gpu', '--vertices', '2'], '--vertices: must be whole numbers >= 3, got "2"'],
    ] as [string[], string][]) {
      let err = '';
      const streams = {
        out: () => {},
        err: (text: string) => {
          err += text;
        },
        terminal: false,
      };
      expect(await dispatch(['bench', ...args], streams)).toBe(2);
      expect(err).toBe(`stiction bench: ${message}\n`);
    }
  });

  it('says what to install where Dawn is missing', async () => {
    const missing = () => Promise.reject(Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' }));
    await expect(openDawn(undefined, missing)).rejects.toThrow(
      'WebGPU in Node needs the package webgpu (Dawn): npm install --no-save webgpu',
    );
  });

  longGpuTest(
    'checks and counts on a software adapter, and times nothing but the CPU',
    async () => {
      const size = { ...SOFTWARE, strands: [60], free: [], lead: 10, steps: 4, cpuStrands: 200, cpuSteps: 10 };
      const result = await benchGpu({
        gpu: openInstance(),
        nullGpu: openInstance(['backend=null']),
        host: 'test',
        size,
      });
      for (const { name, passed, detail } of result.findings)
        expect([name, passed, detail]).toEqual([name, true, detail]);
      expect(result.isSoftware).toBe(true);
      const [row] = result.rows;
      expect(row.contacts).toBeGreaterThan(0);
      expect(row.iterations).toBeGreaterThan(0);
      expect(row.delta).toBeGreaterThan(0);
      expect(row.bytes).toBeGreaterThan(1e5);
      expect([row.frame, row.device.median, row.cpu.median, row.stages.find]).toEqual([0, 0, 0, 0]);
      expect(result.cpu?.cpu.median).toBeGreaterThan(0);
      expect(result.targets.map(({ name }) => name)).toEqual([
        'step on the CPU, 200 strands, device computing nothing',
      ]);
      expect(showGpuBench(result)).toContain('All checks passed.');
    },
    900_000,
  );
});
