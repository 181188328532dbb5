// What the sag-free lab and its workers say to each other.

import type { FigureStrand, SolverTrace } from '../../src/index';

/** To a worker. */
export type Order =
  /** Figures 8 and 9 and table I. */
  | { readonly kind: 'solve'; readonly strand: FigureStrand; readonly change: number }
  /** The tuft, coloured. */
  | { readonly kind: 'colour'; readonly change: number; readonly stiffest: number };

/** A row of table I: iterations by allowed change of curvature; null where a solver does not end. */
export interface IterationRow {
  readonly solver: string;
  readonly iterations: readonly (number | null)[];
}

/** From a worker. */
export type Note =
  | { readonly kind: 'trace'; readonly trace: SolverTrace }
  | { readonly kind: 'table'; readonly rows: readonly IterationRow[] }
  | {
      readonly kind: 'strands';
      readonly counts: readonly number[];
      readonly positions: readonly number[];
      /** Force left by strand, of its weight [1]. */
      readonly left: readonly number[];
    };

/** Allowed changes of curvature, μ [1]: those of table I. */
export const CHANGES = [0.2, 0.3, 0.4, 0.5, 0.6] as const;
/** Solvers that need more are given up. */
export const MOST_ITERATIONS = 3000;
