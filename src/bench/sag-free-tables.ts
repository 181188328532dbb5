// The results of `stiction bench sag-free` as a Markdown page.

import type { ProgramRow, SagFreeBenchResult } from './sag-free';

/** All tables. */
export function showSagFreeBench(result: SagFreeBenchResult): string {
  const { methods, preconditioners, solvers, coil, grooms } = result;

  const facts = [
    `bench sag-free, ${result.date.slice(0, 16).replace('T', ' ')} UTC`,
    `Node ${result.node}`,
    result.machine,
    `load ${result.load.join(' ')}`,
  ].join('; ');
  const program = ({ strand, curvatureChange, solver, iterations, converged, milliseconds }: ProgramRow): string[] => [
    ...[strand, String(curvatureChange), solver],
    ...[`${iterations}${converged ? '' : ' (not converged)'}`, short(milliseconds)],
  ];
  const programs = ['strand', 'μ', 'solver', 'iterations', 'ms'];

  return `${[
    '# Sag-free strands',
    `${facts}.`,
    '## Single strands of 30 points (figures 6 and 7)',
    'The paper, on another machine: vertical 25 Newton steps, 66 inner iterations a step, 58.3 ms; horizontal ' +
      '47.7 ms; rest shape\nonly and penalty fail. Force left over weight.',
    table(
      ['strand', 'method', 'Newton steps', 'inner a step', 'force left', 'ms'],
      methods.map(({ strand, method, steps, inner, force, milliseconds }) => [
        ...[strand, method, steps === 0 ? '-' : String(steps), steps === 0 ? '-' : short(inner)],
        ...[force.toExponential(1), short(milliseconds)],
      ]),
    ),
    '## MPRGP by preconditioner (figure 8)',
    "level: 30 points, the paper's strand as far as it is told: active-set Cholesky 19, incomplete Cholesky " +
      '234, none more than\n10 000. long-level: 200 points. curl: 30 points of human hair.',
    table(programs, preconditioners.map(program)),
    '## Programs with bounds by solver (table I, figure 9)',
    'The paper, interior point: 5 to 3 iterations; active-set Cholesky 122, 47, 19, 11, 2; Gauss–Seidel never.',
    table(programs, solvers.map(program)),
    '## Two rest curvatures a node instead of four',
    `A coil of ${coil.points} points, one factor and substitution: ${short(coil.two)} ms with two, ` +
      `${short(coil.four)} ms with four: ratio ${coil.ratio.toFixed(2)} (the paper: 0.42).`,
    '## Grooms',
    'Curls of human hair, every strand another, made stable; time of one core. The paper: 915 × 100 in 84.4 s, ' +
      '3200 strands in 713 s,\nboth on eight cores.',
    table(
      ['strands', 'points', 'ms', 'ms a strand', 'worst force', 'with a force left', 'unstable'],
      grooms.map(({ strands, points, milliseconds, worstForce, forceLeft, unstable }) => [
        ...[String(strands), String(points), milliseconds.toFixed(0), short(milliseconds / strands)],
        ...[worstForce.toExponential(1), String(forceLeft), String(unstable)],
      ]),
    ),
  ].join('\n\n')}\n`;
}

function short(value: number): string {
  return Number(value.toPrecision(3)).toString();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
