// `stiction bench conjugate-residual` as a page.

import type { ConjugateResidualBenchResult } from './conjugate-residual';
import { short, table } from './solvers-tables';

/** All tables. */
export function showConjugateResidualBench(result: ConjugateResidualBenchResult): string {
  const facts = [
    `bench conjugate-residual, ${result.date.slice(0, 16).replace('T', ' ')} UTC`,
    `Node ${result.node}`,
    result.machine,
    `load ${result.load.join(' ')}`,
  ].join('; ');
  const ratios = result.ratios.map(({ tolerance, ratio }) => `${short(ratio)} to ${tolerance} m/s`).join(', ');
  return `${[
    '# Elastic contact in the full form',
    `${facts}.`,
    [
      'Pyramids of elastic blocks, one implicit step from zero impulses, mu 0.5; vertices of both sides touch ' +
        'faces of the',
      'other. Iterations of SP are those of all its programs; of ADMM splitting steps, each a solve with a kept ' +
        'factor and',
      '20 sweeps; of ICA relaxations. Times include what a method prepares (similar rows, factors) and judging ' +
        'the answer.',
      'The residual is that of the reduced problem; the row error what conjugate residuals leave on active rows.',
    ].join('\n'),
    `Iterations of CR (Full) over CR (Diag), scenes that both solve: ${ratios} (paper: 97/451 = 0.22).`,
    table(
      ['scene', 'contacts', 'unknowns', 'to [m/s]', 'method', 'status', 'iterations', 'ms', 'residual', 'row error'],
      result.rows.map((row) => [
        row.scene,
        `${row.contacts}`,
        `${row.unknowns}`,
        `${row.tolerance}`,
        row.method,
        row.status,
        `${row.iterations}`,
        short(row.milliseconds),
        short(row.residual),
        row.constraintError === null ? '-' : short(row.constraintError),
      ]),
    ),
  ].join('\n\n')}\n`;
}
