// `stiction solve`: a friction problem file to impulses and velocities, with the residual that was reached.

import { UsageError } from '../core/errors';
import { type Arithmetic, createBlockSweeps } from '../dynamics/block-sweeps';
import { type FrictionProblem, type ReducedProblem, readProblem } from '../scene/problem';
import { PRECONDITIONERS, type Preconditioner } from '../solvers/conjugate-residual/options';
import { type ContactProblem, velocityScale } from '../solvers/contact-problem';
import { LOCAL_SOLVERS } from '../solvers/local/choose-local';
import { residualOf } from '../solvers/residual';
import { defaultSolveOptions, type SolveOptions, type SolveReport, solveProblem } from '../solvers/solve-problem';
import { condenseProblem, contactProblemFromSparse, operatorEntries } from '../solvers/sparse-form';
import { type Arguments, parseArguments, wholeArgument, wordArgument } from './arguments';
import { prepareOutput, readText } from './files';
import { solveByAdmm } from './solve-admm';
import { impossibleContactOf } from './solve-answer';
import { type OwnMeasures, solveByConjugateResidual } from './solve-conjugate-residual';
import { CallError, type Command, EXIT } from './usage';

const SOLVERS = ['auto', 'dantzig', 'gauss-seidel', 'contact-admm', 'admm', 'conjugate-residual'] as const;

const help = `stiction solve PROBLEM [options]

Solves a friction problem file (*.problem.json, reduced or full form) and prints the answer as JSON: status
(converged, iteration-limit or no-solution), iterations, residual [m/s], milliseconds, impulses r, velocities u, and of
no-solution impossibleContact, the number (from 0) of a contact that shows it.

  --solver S      auto (default), dantzig, gauss-seidel, contact-admm; on the full form also admm (nodes only) and
                  conjugate-residual, whose own measures are then part of the answer
  --preconditioner P  of conjugate-residual: full (default) or diagonal
  --local L       one contact at a time by hybrid (default), bracketed, newton, enumerative or isotropic (gauss-seidel)
  --arithmetic A  f64 or f32: gauss-seidel in WebAssembly kernels, in f32 as far as rounding lets it (default: neither,
                  the same sweeps in JavaScript)
  --tolerance T   residual to reach, in m/s and relative to the largest |b|, whichever is less
                  (default ${defaultSolveOptions.tolerance})
  --iterations N  sweeps, passes and pivots, splitting steps or steps of conjugate residuals at most, in all
                  (default ${defaultSolveOptions.iterationLimit})
  --out FILE      writes the answer to FILE instead of standard output
  --check         exit status 1 when the status is not converged
  --help          this text

Exit status: 0 done, 1 it ran and failed, 2 the input or the call is wrong.
`;

/** Answer of `stiction solve`. */
export interface SolveResult {
  status: SolveReport['status'];
  iterations: number;
  /** [m/s] */
  residual: number;
  /** Time of the solver, without reading and condensing. */
  milliseconds: number;
  /** Three per contact, normal first [N·s]. */
  r: number[];
  /** Three per contact, normal first [m/s]. */
  u: number[];
  /** Of no-solution: a contact that asks for the impossible, by its number from 0. */
  impossibleContact?: number;
  /** Of conjugate-residual: what it measures itself. */
  conjugateResidual?: OwnMeasures;
}

/** The command `solve`. */
export const solve: Command = {
  name: 'solve',
  summary: 'solve a friction problem file and print the answer as JSON',
  help,
  run(args, streams) {
    const parsed = parseArguments(args, {
      solver: 'value',
      preconditioner: 'value',
      local: 'value',
      arithmetic: 'value',
      tolerance: 'value',
      iterations: 'value',
      out: 'value',
      check: 'switch',
    });
    const [path, ...rest] = parsed.positionals;
    if (path === undefined) throw new CallError('PROBLEM is missing: stiction solve PROBLEM [options]');
    if (rest.length > 0) throw new CallError(`one PROBLEM at a time, got ${JSON.stringify(rest[0])} as well`);
    const options = readOptions(parsed);
    const preconditioner = readPreconditioner(parsed);
    const arithmetic = readArithmetic(parsed, options.solver);
    const outPath = parsed.value('out');
    const output = outPath === undefined ? undefined : prepareOutput(outPath);
    const file = inFile(path, () => readProblem(readText(path)));
    const problem = inFile(path, () => reduceProblem(file));
    const result = inFile(path, () => {
      if (parsed.value('solver') === 'admm') return solveByAdmm(file, problem, options);
      if (parsed.value('solver') === 'conjugate-residual') {
        return solveByConjugateResidual(file, problem, options, preconditioner);
      }
      return arithmetic ? sweepTimed(problem, arithmetic, options) : solveTimed(problem, options);
    });
    const text = showAnswer(result);
    if (output) output.write(text);
    else streams.out(text);
    return parsed.has('check') && result.status !== 'converged' ? EXIT.failed : EXIT.done;
  },
};

/** The contact problem of a file, the full form condensed. Throws UsageError when A or W are no good. */
export function reduceProblem(file: FrictionProblem): ContactProblem {
  const { mu, bilateral } = file;
  return file.form === 'full'
    ? condenseProblem(file.A, file.f, file.H, file.w, mu, bilateral)
    : contactProblemFromSparse(file.W, file.b, mu, bilateral);
}

/** The reduced problem file of a contact problem, for `writeProblem`; infinite mu becomes 1e6, which is as good. */
export function problemFile(problem: ContactProblem): ReducedProblem {
  const { contactCount: contacts, law } = problem;
  return {
    version: 1,
    form: 'reduced',
    contacts,
    mu: problem.mu.slice(0, contacts).map((mu) => Math.min(mu, 1e6)),
    bilateral: law?.subarray(0, contacts).includes(1) ? law.slice(0, contacts) : null,
    W: operatorEntries(problem),
    b: problem.b.slice(0, 3 * contacts),
  };
}

/** Solves from zero and takes the time. */
export function solveTimed(problem: ContactProblem, options: Partial<SolveOptions>): SolveResult {
  const r = new Float64Array(3 * problem.contactCount);
  const u = new Float64Array(r.length);
  const start = performance.now();
  const report = solveProblem(problem, r, u, options);
  const { status, iterations, residual } = report;
  const milliseconds = performance.now() - start;
  const answer = { status, iterations, residual, milliseconds, r: Array.from(r), u: Array.from(u) };
  return { ...answer, ...impossibleContactOf(report) };
}

/** Sweeps between two looks at the residual in kernels, and between two with the whole operator in f64. */
const CHECK_INTERVAL = 10;
const SWEEP_CHUNK = 500;

/**
 * Gauss–Seidel in kernels from zero, the time of copying included. The residual is
 * measured in f64 with the whole operator.
 */
function sweepTimed(problem: ContactProblem, arithmetic: Arithmetic, options: Partial<SolveOptions>): SolveResult {
  const { local, tolerance, iterationLimit } = { ...defaultSolveOptions, ...options };
  const r = new Float64Array(3 * problem.contactCount);
  const u = new Float64Array(r.length);
  const best = r.slice();
  const scale = velocityScale(problem);
  const target = Math.max(tolerance * Math.min(1, scale), 1e-13 * scale);
  const sweeps = createBlockSweeps();
  let iterations = 0;
  const start = performance.now();
  sweeps.load(problem, arithmetic);
  let residual = residualOf(u, problem, best);
  while (residual > target && iterations < iterationLimit) {
    const sweepLimit = Math.min(SWEEP_CHUNK, iterationLimit - iterations);
    const run = sweeps.run(r, { local, sweepLimit, checkInterval: CHECK_INTERVAL, target });
    iterations += run.sweeps;
    const now = residualOf(u, problem, r);
    const isBetter = now < residual;
    if (isBetter) {
      residual = now;
      best.set(r);
    }
    // In f32 more sweeps change nothing once rounding is reached, and the kernels may think themselves done.
    if (arithmetic === 'f32' && (!isBetter || run.sweeps < sweepLimit)) break;
  }
  const milliseconds = performance.now() - start;
  // The best again, and whether a problem that was not solved has a solution at all.
  const report = solveProblem(problem, best, u, { ...options, solver: 'gauss-seidel', iterationLimit: 0 });
  const { status } = report;
  const answer = { status, iterations, residual, milliseconds, r: Array.from(best), u: Array.from(u) };
  return { ...answer, ...impossibleContactOf(report) };
}

function readArithmetic(parsed: Arguments, solver: SolveOptions['solver'] | undefined): Arithmetic | undefined {
  if (parsed.value('arithmetic') === undefined) return undefined;
  const word = wordArgument(parsed, 'arithmetic', ['f64', 'f32'], 'f64');
  if (solver !== 'gauss-seidel') throw new CallError('--arithmetic: goes with --solver gauss-seidel only');
  return word;
}

function readOptions(parsed: Arguments): Partial<SolveOptions> {
  const solver = wordArgument(parsed, 'solver', SOLVERS, 'auto');
  return {
    solver: solver === 'admm' || solver === 'conjugate-residual' ? 'auto' : solver,
    local: wordArgument(parsed, 'local', LOCAL_SOLVERS, defaultSolveOptions.local),
    tolerance: toleranceArgument(parsed) ?? defaultSolveOptions.tolerance,
    iterationLimit: wholeArgument(parsed, 'iterations', 1) ?? defaultSolveOptions.iterationLimit,
  };
}

function readPreconditioner(parsed: Arguments): Preconditioner {
  const word = wordArgument(parsed, 'preconditioner', PRECONDITIONERS, 'full');
  if (parsed.value('preconditioner') !== undefined && parsed.value('solver') !== 'conjugate-residual') {
    throw new CallError('--preconditioner: goes with --solver conjugate-residual only');
  }
  return word;
}

function toleranceArgument(parsed: Arguments): number | undefined {
  const text = parsed.value('tolerance');
  if (text === undefined) return undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number > 0 && number < Number.POSITIVE_INFINITY)) {
    throw new CallError(`--tolerance: must be a number > 0, got ${JSON.stringify(text)}`);
  }
  return number;
}

/** Runs `work`; what it refuses is said with the name of the file in front of every line. */
function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const lines = error.message.split('\n').map((line) => `${path}: ${line}`);
    throw new CallError(lines.join('\n'));
  }
}

/** A line per key. Numbers that are not finite become null: JSON has no other way. */
function showAnswer(result: SolveResult): string {
  const lines = Object.entries(result).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
