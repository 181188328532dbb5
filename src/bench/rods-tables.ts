// The results of `stiction bench rods` as a Markdown page, which reads well on a terminal too.

import { HAIR_VERTICES, type RodBenchResult } from './rods';
import type { SpeedRow } from './rods-speed';
import { factsOf, targetTable } from './run-facts';
import { short, table } from './solvers-tables';

/**
 * Table 3 of the paper, hairy ball of 16 000 strands: δ∞ after 25 iterations [mm], projection
 * [s], iterations and [s] to 0.01 mm.
 */
const PAPER: readonly (readonly string[])[] = [
  ['2020 paper, 16k strands', 'on', '0.04', '-', '500', '31', '-', '-', '600'],
  ['2020 paper, 16k strands', 'off', '0.04', '-', '1200', '30', '-', '-', '1500'],
];

/** All tables. */
export function showRodBench(result: RodBenchResult): string {
  return `${[
    '# Strands',
    `${factsOf('bench rods', result)}; ${result.rounds} rounds.`,
    '## Targets',
    targetTable(result.targets),
    '## Five runs',
    'Consecutive steps of a world, nothing put back between them (the other tables start each round from a ' +
      'state that was just copied\nback: caches are cold). Default settings, wasm, one thread; medians of the ' +
      'steps of each run, ms.',
    table(
      ['scene', 'strands', 'vertices', 'contacts a strand', 'δ∞ mm', 'runs', 'median', 'detections'],
      result.runs.map((row) => [
        row.scene,
        ...[row.strands, row.vertices].map(String),
        row.contactsPerStrand.toFixed(1),
        short(row.delta),
        row.runs.map(short).join(', '),
        short(row.step),
        short(row.detection),
      ]),
    ),
    '## A step, stage by stage',
    'From one kept state for both backends, default settings (25 × 5 at most, δ∞ 0.01 mm), medians of the ' +
      'rounds; ms. "predict": A,\nits factor, velocities without contacts; "detect": the first detection; "solve" ' +
      'holds the detections within the step. A ratio is\nreference over wasm of the same round; "detections" are all ' +
      'detections of the step, one kernel for both backends; "own ratio" is\nwithout them.',
    table(HEAD, result.speed.map(speedCells)),
    ...kernels(result.speed),
    ...same(result),
    ...sleeping(result),
    ...locals(result),
    ...bundle(result),
    ...crossings(result),
    ...hair(result),
    ...profiles(result),
  ].join('\n\n')}\n`;
}

const HEAD = [
  ...['scene', 'strands', 'vertices', 'contacts a strand', 'backend', 'iterations', 'δ∞ mm', 'predict', 'detect'],
  ...[
    'solve',
    'integrate',
    'step',
    '[smallest..largest]',
    'detections',
    'µs a strand',
    'ratio',
    'own ratio',
    'B a vertex',
  ],
];

function speedCells(row: SpeedRow): string[] {
  return [
    row.scene,
    `${row.strands}`,
    `${row.vertices}`,
    row.contact ? row.contactsPerStrand.toFixed(1) : 'off',
    row.backend,
    `${row.iterations}`,
    short(row.delta),
    ...[row.predict, row.detect, row.solve, row.integrate, row.step].map(short),
    `${short(row.stepRange[0])}..${short(row.stepRange[1])}`,
    short(row.detection),
    short(row.perStrand),
    row.ratio > 0 ? short(row.ratio) : '-',
    row.ownRatio > 0 ? short(row.ownRatio) : '-',
    row.bytesPerNode > 0 ? row.bytesPerNode.toFixed(0) : '-',
  ];
}

function kernels(rows: readonly SpeedRow[]): string[] {
  const shown = rows.filter((row) => row.backend === 'wasm' && row.strands === 500 && row.vertices === 32);
  return [
    '## Kernels of a step, 500 × 32',
    'Shares of the step; what is missing to 100 % is TypeScript between them.',
    table(
      ['scene', 'contacts', 'step ms', 'kernels'],
      shown.map((row) => [
        row.scene,
        row.contact ? row.contactsPerStrand.toFixed(1) : 'off',
        short(row.step),
        row.kernels
          .slice(0, 9)
          .map(([name, time]) => `${name} ${((100 * time) / row.step).toFixed(0)} %`)
          .join(', '),
      ]),
    ),
  ];
}

function same({ equalWork: row, growth }: RodBenchResult): string[] {
  return [
    '## The same work on both backends, and growth',
    [
      `Tufts ${row.strands} × ${row.vertices}, ${row.contacts} contacts, all iterations, none asleep: wasm ` +
        `${short(row.wasm)} ms, reference ${short(row.reference)} ms,`,
      `ratio ${short(row.ratio)} [${short(row.ratioRange[0])}..${short(row.ratioRange[1])}]; without the ` +
        `detections of contacts, one kernel for both: ${short(row.ownWasm)} and ${short(row.ownReference)} ms, ` +
        `ratio ${short(row.ownRatio)}.\nTime a strand at ${growth.strands[1]} over that at ${growth.strands[0]}`,
      `(${growth.vertices} vertices, ${growth.contactsPerStrand.map((x) => x.toFixed(1)).join(' and ')} ` +
        `contacts a strand, all iterations, in turn): ${growth.perStrand.map(short).join(' and ')} µs, ratio ` +
        `${short(growth.ratio)}`,
      `[${growth.ratioRange.map(short).join('..')}]; detections alone ${short(growth.detectionRatio)}, all else ` +
        `${short(growth.ownRatio)}.`,
    ].join('\n'),
  ];
}

function sleeping({ sleeping: { strands, vertices, contacts, rows, gain, gainTo } }: RodBenchResult): string[] {
  return [
    '## Sleeping contacts (Table 3 of Daviet 2020)',
    `Hairy ball ${strands} × ${vertices}, ${contacts.length} moments with ${contacts.join(', ')} contacts, 5 ` +
      `sweeps an iteration; medians, ms. "projection": clock around the\nkernel. The paper's rows are of other ` +
      `problems and another machine. Projection without sleeping over with it: ${short(gain)} after ` +
      `25\niterations, ${short(gainTo)} to 0.01 mm.`,
    table(
      [
        ...['backend', 'sleeping', 'δ∞ mm after 25', 'solve', 'projection'],
        ...['iterations to 0.01 mm', 'frames that got there', 'solve', 'projection'],
      ],
      [
        ...rows.map((row) => [
          row.backend,
          row.sleeping ? 'on' : 'off',
          `${short(row.delta)} [${short(row.deltaRange[0])}..${short(row.deltaRange[1])}]`,
          short(row.solve),
          row.projection > 0 ? short(row.projection) : '-',
          `${row.iterations}`,
          `${row.reached} of ${row.frames}`,
          short(row.solveTo),
          row.projectionTo > 0 ? short(row.projectionTo) : '-',
        ]),
        ...PAPER,
      ],
    ),
  ];
}

function locals({ locals: { contacts, rows } }: RodBenchResult): string[] {
  return [
    '## Isotropic against anisotropic local solve',
    `One projection of the hairy ball, ${contacts} contacts, 125 sweeps from no force, in TypeScript (f64). The ` +
      'general solvers take\nW_cc for any 3×3 matrix; all find the same answer. (Paper: 2.8 s against 0.5 s, 5.6 ' +
      'times.)',
    table(
      ['local solver', 'ms a sweep', 'ratio', 'difference of p'],
      rows.map((row) => [row.local, short(row.sweep), short(row.ratio), short(row.difference)]),
    ),
  ];
}

function bundle({ bundle: rows }: RodBenchResult): string[] {
  return [
    '## Bundle of 61 strands, 2964 contacts',
    'From no force to nat 1e-4 (and the same of s r), fewest iterations that reach it; median of the rounds, ' +
      'ms, one thread. "solve":\nA + W factored, ADMM, the report. so-bogus (C++, another day): 304 assembled, ' +
      '104 matrix-free.',
    table(
      ['backend', 'sweeps', 'iterations', 'nat', 'of s r', 'predict', 'solve', '[smallest..largest]'],
      rows.map((row) => [
        row.backend,
        `${row.sweeps}`,
        row.iterations === null ? `not reached (${short(row.best)})` : `${row.iterations}`,
        short(row.nat),
        short(row.scaled),
        short(row.predict),
        row.iterations === null ? '-' : short(row.solve),
        row.iterations === null ? '-' : `${short(row.solveRange[0])}..${short(row.solveRange[1])}`,
      ]),
    ),
  ];
}

function crossings({ crossings: row }: RodBenchResult): string[] {
  return [
    '## A shaken hairy ball',
    [
      `${row.strands} × ${row.vertices}, ${row.steps} steps of 1/60 s, ±60° about three axes in turn, wasm. ` +
        `${row.pairs} pairs of edges looked at: ${row.crossings} went through each`,
      `other. Deepest centre line inside the ball: ${row.depth > 0 ? `${short(row.depth)} mm` : 'none'}. ` +
        `Contacts ${row.contacts.median} (most ${row.contacts.most}), step ${short(row.step.median)} ms (worst ` +
        `${short(row.step.worst)}),`,
      `δ∞ ${short(row.delta.median)} mm (most ${short(row.delta.most)}), ${row.quarantined} strands quarantined.`,
    ].join('\n'),
  ];
}

function hair({ hair: rows }: RodBenchResult): string[] {
  const head = ['iterations', 'keepApart', 'strands through strands', 'kept apart a step', 'step ms', 'δ∞ mm'];
  const cells = rows.map(({ iterations, keepApart, crossings, keptApart, step, delta }) => [
    ...[String(iterations), keepApart ? 'on' : 'off', String(crossings)],
    ...[keepApart ? short(keptApart) : '-', short(step), short(delta)],
  ]);
  return [
    '## Real hair, few iterations',
    `A shaken ball of ${rows[0].strands} hairs of 0.037 mm × ${HAIR_VERTICES} vertices (the scene of \`bench ` +
      `gpu\`), ${rows[0].steps} steps, wasm; medians of the steps.`,
    table(head, cells),
  ];
}

function profiles({ profiles: rows }: RodBenchResult): string[] {
  const head = ['settings', 'iterations', 'most', 'δ∞ mm', 'most', 'strands through strands', 'CPU ms'];
  const cells = rows.map(({ name, iterations, delta, crossings, step }) => [
    ...[name, String(iterations.median), String(iterations.most)],
    ...[short(delta.median), short(delta.most), String(crossings), short(step)],
  ]);
  return [
    '## Daviet 2020 to the letter',
    `The ball of real hair with \`elastic.profile: 'paper'\` and with the engine's settings, ${rows[0].steps} steps, ` +
      'wasm; medians of the steps. Iterations are those of all linearisations of a step, δ∞ that of the last.',
    table(head, cells),
  ];
}
