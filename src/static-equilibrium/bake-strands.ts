// Many strands, sag-free: each on its own, so that any part of a groom may be baked anywhere, with the same bits.

import { refuse } from '../core/errors';
import { BAKED_NODE, BAKED_STRAND, type BakedFor } from '../state/baked-strands';
import { bakeStrand, createBaker, type StrandOutcome } from './bake-strand';
import type { StrandMaterial } from './drawn-strand';
import type { ResolvedSagFree } from './sag-free-options';

/** Strands from root to tip, flat [m]. */
export interface Strands {
  readonly counts: ArrayLike<number>;
  readonly positions: ArrayLike<number>;
}

/** What all strands of a groom have in common. */
export interface BakeJob {
  readonly for: BakedFor;
  readonly settings: ResolvedSagFree;
}

/** Packed results: see baked-strands. */
export interface BakedNumbers {
  readonly nodes: Float64Array;
  readonly strands: Float64Array;
}

/** Refuses strands without an inner node, by their index. */
export function requireBakeable(where: string, counts: ArrayLike<number>): void {
  for (let s = 0; s < counts.length; s++) {
    if (!(counts[s] >= 3))
      refuse(where, `strand ${s} must have at least 3 points to be sag-free (resample the groom)`, counts[s]);
  }
}

/** Bakes strands `from` to `to` (exclusive). `note` hears of every strand. */
export function bakeStrands(
  { counts, positions }: Strands,
  job: BakeJob,
  from = 0,
  to = counts.length,
  note?: (strand: number) => void,
): BakedNumbers {
  let first = 0;
  for (let s = 0; s < from; s++) first += counts[s];
  let most = 0;
  let nodes = 0;
  for (let s = from; s < to; s++) {
    most = Math.max(most, counts[s]);
    nodes += counts[s];
  }
  const out = { nodes: new Float64Array(BAKED_NODE * nodes), strands: new Float64Array(BAKED_STRAND * (to - from)) };
  const baker = createBaker(most, job.settings);
  const material: StrandMaterial = job.for;
  const loads = { gravity: job.for.gravity, forces: job.settings.forces, clampEnd: job.for.clampEnd };
  const outcome: StrandOutcome = { force: 0, eigenvalue: 0, floor: 0, bend: 0, twist: 0, stretch: 0 };
  let at = 0;
  for (let s = from; s < to; s++) {
    bakeStrand(outcome, baker, positions, first, counts[s], material, loads);
    const p = baker.parameters;
    for (let i = 0; i < counts[s]; i++) {
      out.nodes[at++] = p.restLength[i];
      out.nodes[at++] = p.restCurvature[4 * i];
      out.nodes[at++] = p.restCurvature[4 * i + 1];
      out.nodes[at++] = p.restTwist[i];
      out.nodes[at++] = p.stretchFactor[i];
      out.nodes[at++] = p.bendFactor[i];
      out.nodes[at++] = p.twistFactor[i];
    }
    out.strands.set([outcome.force, outcome.eigenvalue, outcome.floor], BAKED_STRAND * (s - from));
    first += counts[s];
    note?.(s);
  }
  return out;
}

/** A force left above this, over the weight, counts as not in equilibrium [1]. */
const FORCE_LEFT = 1e-6;

/** Which strands are not in equilibrium, or not in a stable one. */
export interface SagFreeReport {
  /** Strands with a force left above 1e-6 of the weight, and that force over the weight [1]. */
  readonly forceLeft: readonly { readonly strand: number; readonly force: number }[];
  /**
   * Strands that would leave their shape by themselves, or have an edge shorter than 0.005 of
   * their mean edge: resample those.
   */
  readonly unstable: readonly number[];
  /** Strands that were stiffened to be stable, and the factor at their roots [1]. */
  readonly stiffened: readonly { readonly strand: number; readonly factor: number }[];
  /** Largest force left over weight [1]. */
  readonly worstForce: number;
}

/** The report of packed outcomes. */
export function reportStrands(strands: Float64Array): SagFreeReport {
  const forceLeft: { strand: number; force: number }[] = [];
  const stiffened: { strand: number; factor: number }[] = [];
  const unstable: number[] = [];
  let worstForce = 0;
  for (let s = 0; s < strands.length / BAKED_STRAND; s++) {
    const [force, eigenvalue, factor] = strands.subarray(BAKED_STRAND * s, BAKED_STRAND * s + BAKED_STRAND);
    worstForce = Math.max(worstForce, force);
    if (!(force <= FORCE_LEFT)) forceLeft.push({ strand: s, force });
    if (!(eigenvalue > 0)) unstable.push(s);
    if (factor > 0) stiffened.push({ strand: s, factor });
  }
  return { forceLeft, unstable, stiffened, worstForce };
}
