/** One pivoting solve from nothing, for tests. */
import { type ContactProblem, velocityOf } from '../../src/solvers/contact-problem';
import {
  createDantzigReport,
  type DantzigCache,
  type DantzigOptions,
  type DantzigReport,
  dantzigCacheSize,
  defaultDantzigOptions,
  solveDantzig,
} from '../../src/solvers/dantzig';
import { createScratch } from '../../src/solvers/scratch';

export interface Answer {
  r: Float64Array;
  u: Float64Array;
  sets: Int8Array;
  report: DantzigReport;
}

export function createCache(contactCount: number): DantzigCache {
  const { f64, i32 } = dantzigCacheSize(contactCount);
  return { f64: new Float64Array(f64), f64At: 0, f64Length: f64, i32: new Int32Array(i32), i32At: 0 };
}

export function solveCold(
  problem: ContactProblem,
  options: Partial<DantzigOptions> = {},
  cache: DantzigCache | null = null,
): Answer {
  const n = problem.contactCount;
  const answer: Answer = {
    r: new Float64Array(3 * n),
    u: new Float64Array(3 * n),
    sets: new Int8Array(n),
    report: createDantzigReport(),
  };
  solveAgain(problem, answer, options, cache);
  return answer;
}

/** Solves from what `answer` holds. */
export function solveAgain(
  problem: ContactProblem,
  answer: Answer,
  options: Partial<DantzigOptions> = {},
  cache: DantzigCache | null = null,
): void {
  const all = { ...defaultDantzigOptions, ...options };
  solveDantzig(problem, answer.r, answer.sets, cache, createScratch(), all, answer.report);
  velocityOf(answer.u, problem, answer.r);
}
