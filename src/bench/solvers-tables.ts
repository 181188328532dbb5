// The results of `stiction bench solvers` as a Markdown page, which reads well on a terminal too.

import type { ContactResult, SolverBenchResult } from './solvers';
import { F32_REACH } from './solvers-contacts';

/**
 * The paper's Table 2, on 306 problems of hair: fail-safe, local failures, over tolerance [%], iterations, time [ms].
 */
const PAPER: readonly (readonly [string, string, string, string, string, string])[] = [
  ['4sides', '-', '0', '0', '575', '6497'],
  ['MFB (newton)', '-', '0.13', '4.9', '72', '484'],
  ['Enum (enumerative)', '-', '0.0005', '1', '67', '1044'],
  ['MFB + Enum', '0.07', '1e-6', '0', '41', '312'],
];

/** All tables. */
export function showSolverBench(result: SolverBenchResult): string {
  const { problems } = result;

  const facts = [
    `bench solvers, ${result.date.slice(0, 16).replace('T', ' ')} UTC`,
    `Node ${result.node}`,
    result.machine,
    `load ${result.load.join(' ')}`,
  ].join('; ');
  const amount =
    `${problems.own} problems of our scenes and ${problems.published} published ones, ` +
    `${problems.contacts.median} contacts in the median, ${problems.contacts.largest} at most.`;

  return `${[
    '# Contact solvers',
    `${facts}.\n${amount}`,
    '## Block Gauss–Seidel by local solver',
    `To a residual of ${result.tolerance} of the largest |b| within ${result.sweepLimit} sweeps, no freezing. A ` +
      'local failure is an error above\n1e-3. The second fail-safe, after newton and enumeration, is the ' +
      `bracketed root. In f32 the bracketed root itself computes\nin f64 on f32 data. The paper's rows are of ` +
      'other problems and another machine: for the order of things only.',
    table(
      ['local solver', 'arithmetic', 'fail-safe %', 'second %', 'failed %', 'over tolerance %', 'sweeps', 'ms'],
      [
        ...result.locals.map((row) => [
          row.solver,
          row.engine,
          row.failSafe === null ? '-' : short(row.failSafe),
          row.lastFailSafe === null ? '-' : short(row.lastFailSafe),
          row.failed === null ? '-' : short(row.failed),
          short(row.over),
          short(row.sweeps),
          short(row.milliseconds),
        ]),
        ...PAPER.map(([solver, failSafe, ...rest]) => [solver, '2011 paper', failSafe, '-', ...rest]),
      ],
    ),
    ...strands(result),
    ...(result.reach.length > 0 ? reach(result) : []),
    ...pivots(result),
    '## One contact',
    'Errors (scale-free natural map) above 1e-3, from r = 0. "Within f32": of contacts with λ‖r‖ <= ' +
      `${F32_REACH} ‖b‖. A larger impulse has\nno f32 answer to 1e-3: rounding W and r alone costs more. ` +
      'Percentile and largest error are of the contacts within.',
    ...contacts(`met by sweeps in the batch`, result.real),
    ...contacts('random, condition up to 1e8, mu up to 2', result.random),
  ].join('\n\n')}\n`;
}

/** The paper's Table 2 again: fail-safe, local failures, over tolerance [%], iterations, time [ms]. */
const PAPER_STRANDS: readonly (readonly string[])[] = [
  ['4sides', '-', '0', '0', '575', '6497'],
  ['PAC', '-', '0.43', '19.3', '163', '1265'],
  ['MFB', '-', '0.13', '4.9', '72', '484'],
  ['Enum', '-', '0.0005', '1', '67', '1044'],
  ['4sides + Enum', '38.7', '0.001', '0', '47', '763'],
  ['PAC + Enum', '0.1', '1e-5', '0', '62', '543'],
  ['MFB + Enum', '0.07', '1e-6', '0', '41', '312'],
];

function strands({ strands: result }: SolverBenchResult): string[] {
  const { problems, contacts: size } = result;
  const total = Object.values(problems).reduce((sum, x) => sum + x, 0);
  const each = Object.entries(problems).map(([world, count]) => `${world} ${count}`);
  const cell = (x: number | null) => (x === null ? '-' : short(x));
  return [
    '## Strands',
    `${total} problems taken from running worlds with twists and bodies (${each.join(', ')}): ` +
      `real hair (37 µm, 4 GPa) as ponytail\nand on a shaken ball, ropes, overhand knots; ` +
      `${size.median} contacts in the median, ` +
      `${size.largest} at most.`,
    'Block Gauss–Seidel (f64, TypeScript) to 1e-6 of the largest |b| within 1000 sweeps, no freezing; a local ' +
      'answer has failed, and the\nfail-safe is called, above 1e-6 (the pyramid is judged by its own law). ' +
      'Times of the paper are of another machine, on\n306 larger problems.',
    table(
      ['local solver', 'of', 'fail-safe %', 'failed %', 'over tolerance %', 'sweeps', 'ms'],
      [
        ...result.locals.map((row) => [
          ...[row.solver, 'here', cell(row.failSafe), short(row.failed), short(row.over), short(row.sweeps)],
          short(row.milliseconds),
        ]),
        ...PAPER_STRANDS.map(([solver, ...rest]) => [solver, '2011 paper', ...rest]),
      ],
    ),
    'Outer loops on the full form, problems of hair, W of 6.2.6 (Daviet 2020, Table 3): after 25 iterations, and to ' +
      'δ∞ <= 0.01 mm\nwithin 1000. Nested relaxation counts as there when its residual is below 0.01 mm a step.',
    table(
      ['outer loop', 'problems', 'δ∞ mm', 'residual m/s', 'ms', 'there %', 'iterations', 'ms to there'],
      result.outer.map((row) => [
        ...[row.solver, `${row.problems}`, short(row.delta), short(row.residual), short(row.milliseconds)],
        ...[short(row.reached), short(row.iterations), short(row.reachedMilliseconds)],
      ]),
    ),
  ];
}

function reach({ reach: rows }: SolverBenchResult): string[] {
  return [
    '## Time to the accuracy of so-bogus (quartic first), 50 contacts and more',
    'Bracketed sweeps from zero, looks at the residual included, fastest of the rounds; its ms were measured on ' +
      'another day\n(target: 2 in TypeScript, 1 in kernels). "not reached": rounding in f32 stops above that ' +
      'accuracy.',
    table(
      ['problem', 'contacts', 'arithmetic', 'nat', 'sweeps', 'ms', 'so-bogus ms', 'ratio'],
      rows.map((row) => [
        row.problem,
        `${row.contacts}`,
        row.engine,
        short(row.nat),
        row.sweeps === null ? 'not reached' : `${row.sweeps}`,
        row.milliseconds === null ? '-' : short(row.milliseconds),
        short(row.reference),
        row.ratio === null ? '-' : short(row.ratio),
      ]),
    ),
  ];
}

function pivots({ pivots: rows }: SolverBenchResult): string[] {
  return [
    '## Passes over the sets and pivoting (Dantzig) against one dense Gaussian elimination, 10 to 150 contacts',
    'From nothing, to 1e-8 of the largest |b|; elimination with row exchanges on the rows of all contacts, ' +
      'normals only without\nfriction. A pass is a Newton step on all sets at once, a pivot moves one contact. ' +
      'Passes and pivots are medians.',
    table(
      [
        '',
        'method',
        'problems',
        'by passes',
        'unsolved',
        'passes',
        'pivots',
        'median ratio',
        '90th percentile',
        'target',
      ],
      rows.map((row) => [
        row.friction ? 'friction' : 'frictionless',
        row.method,
        `${row.problems}`,
        `${row.byPasses}`,
        `${row.unsolved}`,
        `${row.passes}`,
        `${row.pivots}`,
        short(row.median),
        short(row.p90),
        `<= ${row.target}`,
      ]),
    ),
  ];
}

function contacts(title: string, { count, beyond, rows }: ContactResult): string[] {
  return [
    `${count} contacts ${title}, ${beyond} of them beyond f32:`,
    table(
      ['local solver', 'arithmetic', 'failures', 'within f32', '99.9 % below', 'largest', 'µs'],
      rows.map((row) => [
        row.solver,
        row.engine,
        `${row.failures}`,
        `${row.within}`,
        short(row.p999),
        short(row.largest),
        short(row.microseconds),
      ]),
    ),
  ];
}

/** Three digits. */
export function short(x: number): string {
  if (x === 0) return '0';
  if (!Number.isFinite(x)) return '-';
  const size = Math.abs(x);
  if (size >= 100) return x.toFixed(0);
  return size < 1e-3 ? x.toExponential(1) : x.toPrecision(3);
}

/** A Markdown table with columns of even width. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = head.map((_, k) => Math.max(3, ...[head, ...rows].map((row) => row[k].length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, k) => cell.padEnd(width[k])).join(' | ')} |`;
  return [line(head), `| ${width.map((w) => '-'.repeat(w)).join(' | ')} |`, ...rows.map(line)].join('\n');
}
