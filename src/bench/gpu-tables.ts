// The results of `stiction bench gpu` as a Markdown page, which reads well on a terminal too.

import { GPU_STAGES } from '../gpu/world/report';
import type { GpuBenchResult } from './gpu';
import type { GpuRow } from './gpu-run';
import { targetTable } from './run-facts';
import { short, table } from './solvers-tables';

/** All tables. */
export function showGpuBench(result: GpuBenchResult): string {
  const { date, host, adapter, isSoftware, hasTimestamps } = result;
  const facts = [`bench gpu, ${date.slice(0, 16).replace('T', ' ')} UTC`, host, `adapter: ${adapter}`];
  const parts = ['# Strands on WebGPU', `${facts.join('; ')}.`];
  if (isSoftware) {
    parts.push(
      'This adapter computes on the CPU. No time on it says anything about a GPU: shown are counts, memory, ' +
        'checks, and the time of\nthe CPU with a device that computes nothing.',
    );
  } else if (!hasTimestamps) {
    parts.push('This adapter has no timestamps: passes cannot be told apart, and there is no budget to keep.');
  }
  if (result.targets.length > 0) {
    parts.push('## Targets', targetTable(result.targets));
  }
  parts.push(...rows(result), ...left(result), ...shares(result), ...cpu(result), ...findings(result));
  return `${parts.join('\n\n')}\n`;
}

function left({ left: list }: GpuBenchResult): string[] {
  if (list.length === 0) return [];
  return ['## Not measured', list.map(({ name, reason }) => `- ${name}: ${reason}`).join('\n')];
}

function rows({ rows, isSoftware }: GpuBenchResult): string[] {
  if (rows.length === 0) return [];
  return [
    '## A shaken hairy ball',
    isSoftware
      ? 'Medians of the measured steps.'
      : 'Steps of 1/60 s, medians of the measured steps; ms. "frame": wall clock a frame, two on their way, ' +
        'nothing drawn. "device": all passes;\nthen each of them. "CPU": the whole step there, "encode": ' +
        'writing, recording, submitting. "kept": steps within 110 % of the budget.',
    table(
      [...NAMES, ...(isSoftware ? [] : TIMES), ...COUNTS],
      rows.map((row) => cells(row, isSoftware)),
    ),
  ];
}

const NAMES = ['strands', 'vertices', 'contacts a strand', 'budget'];
const TIMES = ['frame', 'device', '95 % below', ...GPU_STAGES, 'CPU', '95 % below', 'encode', 'kept %'];
const COUNTS = 'iterations,sweeps,undone,δ∞ mm,awake %,no colour,MB device,MB host,too small'.split(',');

function cells(row: GpuRow, isSoftware: boolean): string[] {
  const { device, stages, cpu } = row;
  const times = [row.frame, device.median, device.p95, ...GPU_STAGES.map((stage) => stages[stage])];
  return [
    `${row.strands}`,
    `${row.vertices}`,
    row.contact ? (row.contacts / row.strands).toFixed(1) : 'off',
    row.budget === null ? '-' : `${row.budget}`,
    ...(isSoftware
      ? []
      : [
          ...[...times, cpu.median, cpu.p95, row.encode].map(short),
          row.kept === null ? '-' : (100 * row.kept).toFixed(1),
        ]),
    `${row.iterations}`,
    `${row.sweeps}`,
    `${row.undone}`,
    short(row.delta),
    (100 * row.awake).toFixed(0),
    `${row.uncoloured}`,
    (row.bytes / 1e6).toFixed(1),
    (row.hostBytes / 1e6).toFixed(1),
    [...row.overflow, ...(row.quarantined > 0 ? [`${row.quarantined} quarantined`] : [])].join(', ') || '-',
  ];
}

function shares({ shares: found }: GpuBenchResult): string[] {
  if (!found) return [];
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  return [
    '## Where the time goes',
    `${found.strands} strands: detection ${percent(found.detection)}; solve ${percent(found.solve)}, of the ` +
      `step the projection alone ${percent(found.projection)} (what twice the sweeps add).\nDaviet 2023, 16 000 ` +
      'strands: detection 49 %, projection 38 %.',
  ];
}

function cpu({ cpu: row }: GpuBenchResult): string[] {
  if (!row) return [];
  return [
    '## The CPU’s part',
    `${row.strands} × ${row.vertices}, a device that checks every call and computes nothing, ${row.steps} ` +
      `steps: a step takes ${short(row.cpu.median)} ms of the CPU\n(95 % below ${short(row.cpu.p95)}), of which ` +
      `writing, recording and submitting ${short(row.encode)} ms.`,
  ];
}

function findings({ findings: list }: GpuBenchResult): string[] {
  if (list.length === 0) return [];
  const failed = list.filter(({ passed }) => !passed).length;
  return [
    '## Conformance',
    failed === 0 ? 'All checks passed.' : `${failed} of ${list.length} checks FAILED.`,
    table(
      ['check', 'passed', 'measured'],
      list.map(({ name, passed, detail }) => [name, passed ? 'yes' : 'NO', detail.replaceAll('|', '/')]),
    ),
  ];
}
