// The results of `stiction bench shells` as a Markdown page, which reads well on a terminal too.

import { factsOf, targetTable } from './run-facts';
import type { ShellBenchResult, ShellRow } from './shells';
import { short, table } from './solvers-tables';

/** All tables. */
export function showShellBench(result: ShellBenchResult): string {
  return `${[
    '# Shells',
    `${factsOf('bench shells', result)}.`,
    '## Targets',
    targetTable(result.targets),
    '## Scenes',
    'The scenes, sizes, masses, steps (1/60 s) and measures in which other engines were measured; one run each, ' +
      'default settings.\nTimes are of the processor, of the whole process: other work on the machine does not ' +
      'count, but for the caches that it takes.\nLengths in mm, speeds in mm/s, stretch in %; a sheet is 10 mm ' +
      'thick, so 5 mm above a body is right (`gap`: where it presses; `above`: of all vertices), 10 above a sheet.',
    table(
      ['scene', 'vertices', 'steps', 'median ms', 'p99 ms', 'contacts', 'quality', 'quarantined'],
      result.rows.map(cells),
    ),
    ...(result.inclines.length > 0 ? slopes(result) : []),
    ...(result.cusick.length > 0 ? drapes(result) : []),
    ...(result.growth.length > 0 ? growths(result) : []),
    ...(result.argus.length > 0 ? comparators(result) : []),
  ].join('\n\n')}\n`;
}

function slopes(result: ShellBenchResult): string[] {
  return [
    '## A patch on a slope',
    'Slopes as tan θ/μ, found by halving: up to which mean speed between 2 s and 4 s stays below 1 mm/s, and ' +
      'from which it is more\nthan half of what it should be. Exact: 1 and 1.',
    table(
      ['on a', 'yaw', 'sticks to', 'slides from', 'creep at 0.9 mm/s', 'median ms'],
      result.inclines.map((row) => [
        row.on,
        row.yaw.toFixed(2),
        row.sticks.toFixed(4),
        row.slides.toFixed(4),
        short(row.creep),
        short(row.median),
      ]),
    ),
  ];
}

function drapes(result: ShellBenchResult): string[] {
  return [
    '## The drape coefficient of Cusick',
    'A disc of 30 cm held on a pedestal of 18 cm: its shadow, by what lies beyond the pedestal. The bands are ' +
      'what the literature gives.',
    table(
      ['fabric', 'bending length mm', 'drape %', 'band', 'speed at the end mm/s'],
      result.cusick.map((row) => [
        row.name,
        row.bendingLength.toFixed(1),
        row.drape.toFixed(1),
        row.band ? row.band.join('..') : '-',
        short(row.speed),
      ]),
    ),
  ];
}

function growths(result: ShellBenchResult): string[] {
  return [
    '## Growth',
    'A sheet held by two corners begins to fall, 60 steps. Exponent of the time over the vertices: ' +
      `${result.exponent.toFixed(2)}.`,
    table(
      ['vertices', 'median ms'],
      result.growth.map(({ vertices, median }) => [String(vertices), short(median)]),
    ),
  ];
}

function comparators(result: ShellBenchResult): string[] {
  return [
    '## Solvers beside each other',
    'Model problems of Li et al. 2018, as in Table 1 of Daviet 2020: steps of running scenes, each solved from ' +
      'nothing to one residual\nby TypeScript in f64 (offline, none of what a step keeps). Medians of a problem; ' +
      'times over ours where both got there.',
    table(
      ['scene', 'step ms', 'contacts', 'method', 'solved', 'iterations', 'ms', 'over ours', 'worst residual m/s'],
      result.argus.map((row) => [
        row.scene,
        short(1000 * row.timeStep),
        String(row.contacts),
        row.method,
        `${row.solved} of ${row.problems}`,
        String(row.iterations),
        short(row.milliseconds),
        row.ratio.toFixed(2),
        row.residual.toExponential(1),
      ]),
    ),
  ];
}

function cells(row: ShellRow): string[] {
  const quality = Object.entries(row.quality)
    .map(([name, value]) => `${name} ${short(value)}`)
    .join(', ');
  return [
    row.scene,
    String(row.vertices),
    row.steps === row.ofSteps ? String(row.steps) : `${row.steps} of ${row.ofSteps}`,
    short(row.median),
    short(row.p99),
    String(row.contacts),
    quality,
    String(row.quarantined),
  ];
}
