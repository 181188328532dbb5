// The results of `stiction bench solids` as a Markdown page, which reads well on a terminal too.

import { factsOf, targetTable } from './run-facts';
import type { SolidBenchResult, SolidRow } from './solids';
import { short, table } from './solvers-tables';

/**
 * Other engines in the same jelly (20 cubes) and bar (4 cells across, linear), measured on 2026-11-22 on the machine of
 * the recorded results, one run each: median and p99 [ms], and what came out.
 */
const PEERS: readonly (readonly [scene: string, engine: string, median: string, p99: string, quality: string])[] = [
  ['jelly', 'Rapier 0.21.0', '28', '68', 'volume -1.7 %, overlap 11.7 mm at most, 0 at the end'],
  ['jelly', 'Rapier 0.21.0, FEM', '433', '701', 'volume -1.5 %, overlap 11.7 mm at most (45 steps)'],
  ['jelly', 'Jolt 1.1.0', '1.56', '1.8', 'volume -0.4 %, overlap 72.5 mm at the end: they lie inside each other'],
  ['jelly', 'MuJoCo 3.14.0, CG', '93', '119', 'volume -18.9 %, overlap 80.6 mm at the end, 668 inverted'],
  ['jelly', 'Bullet (ammo 0.0.11)', '5.6', '77', 'explodes'],
  ['bar', 'Rapier 0.21.0, FEM, 200 iterations', '33', '60', 'tip 50.4 mm, 0.67 of theory: what the mesh has'],
  ['bar', 'Rapier 0.21.0', '11', '58', 'tip 556 mm, 7.4 of theory'],
  ['bar', 'Jolt 1.1.0', '0.36', '0.7', 'tip 704 mm, 9.4 of theory'],
  ['bar', 'MuJoCo 3.14.0', '5.7', '11', 'tip 44.9 mm, 0.60 of theory'],
  ['bar', 'Bullet (ammo 0.0.11)', '0.47', '4.7', 'tip 947 mm, 12.7 of theory'],
];

/** All tables. */
export function showSolidBench(result: SolidBenchResult): string {
  return `${[
    '# Solids',
    `${factsOf('bench solids', result)}.`,
    '## Targets',
    targetTable(result.targets),
    '## Scenes',
    'One run each, steps of 1/60 s, default settings; jelly, bars and slope without sleep. Times are of the ' +
      'processor, of the whole process.\nLengths in mm, speeds in mm/s, volumes and friction in %. `ofEuler`: tip ' +
      'of the bar over that of the theory of slender beams.\n' +
      'Jelly: some cubes start inside each other. `overlapStart` is before the first step, `overlapPeak` the most of ' +
      'all steps,\n`apartAfter` the steps until none was left, `overlapOnceApart` the most from then on. ' +
      '`volumeByLoads` is what the forces\non the cubes at rest take of their volume to first order, ' +
      '(1 − 2ν)/E ∫ tr σ dV by the virial theorem: their own ' +
      'weight,\nand what the ground holds them together with.\n' +
      'Blocks under a load: sag of each over that of statics, least and most. Balls: largest change of a distance of ' +
      'two\nvertices after 2 s over the diameter [%], and elements that are inside out then.',
    table(
      ['scene', 'vertices', 'tetrahedra', 'steps', 'median ms', 'p99 ms', 'tetrahedra/ms', 'residual m/s', 'quality'],
      result.rows.map(cells),
    ),
    '## Other engines',
    'Their own default settings, the same vertices, tetrahedra, masses and steps; recorded, not of this run.',
    table(
      ['scene', 'engine', 'median ms', 'p99 ms', 'quality'],
      PEERS.map((row) => [...row]),
    ),
  ].join('\n\n')}\n`;
}

function cells(row: SolidRow): string[] {
  const quality = Object.entries(row.quality)
    .map(([name, value]) => `${name} ${short(value)}`)
    .join(', ');
  return [
    row.scene,
    String(row.vertices),
    String(row.tetrahedra),
    String(row.steps),
    short(row.median),
    short(row.p99),
    short(row.rate),
    short(row.residual),
    quality,
  ];
}
