// Arrays of one solver, kept between solves so that a solve allocates nothing once they are large enough.

import type { ElasticOperator } from './operator';
import type { ContactRows } from './rows';
import type { SimilarRows } from './similar-rows';

/** A v = f + Hᵀ r, u = H v + w, with Coulomb's law between u and r. */
export interface MixedProblem {
  readonly operator: ElasticOperator;
  readonly f: Float64Array;
  readonly rows: ContactRows;
  readonly similar: SimilarRows;
}

/** The iterate, and what the iterations need. Vectors of unknowns, then rows three a contact. */
export interface Work {
  /** Velocities [m/s] and impulses [N·s]; tangents of what slides: −μ λ′ δ and what the row across adds. */
  v: Float64Array;
  r: Float64Array;
  /** OPEN, STICK or SLIDE by contact. */
  state: Uint8Array;
  /** Unit direction of slip δ, two numbers a contact. */
  slip: Float64Array;
  /** λ′: normal impulse that the friction of a sliding contact follows, and the one before it [N·s]. */
  load: Float64Array;
  lastLoad: Float64Array;
  /** Proposals for λ′ (−1: none) and δ. */
  nextLoad: Float64Array;
  nextSlip: Float64Array;
  /** What a sliding contact's row across its slip gives way by, β/(μ λ′) [1/kg]; −1: it has no such row. */
  across: Float64Array;
  /** How often each contact went from sticking to sliding in this solve, up to 255. */
  slides: Uint8Array;
  /** diag(L A_d⁻¹ Lᵀ) of all rows [1/kg], and 1/(Z S_d) of those that are active, else 0. */
  give: Float64Array;
  inverse: Float64Array;
  /**
   * Z of closed contacts, whatever their friction does: of the normal and of the tangents, two numbers a contact [-].
   */
  alike: Float64Array;
  /** f − A v, and the whole residual: of the unknowns [N·s] and of active rows [m/s]. */
  free: Float64Array;
  residual: Float64Array;
  rowResidual: Float64Array;
  /** z = C⁻¹ residual and A z. */
  z: Float64Array;
  zRow: Float64Array;
  az: Float64Array;
  /** B z */
  bz: Float64Array;
  bzRow: Float64Array;
  p: Float64Array;
  pRow: Float64Array;
  ap: Float64Array;
  bp: Float64Array;
  bpRow: Float64Array;
  /** q = C⁻¹ B p */
  q: Float64Array;
  qRow: Float64Array;
  /** H v + w, and impulses made admissible, both afresh at evaluations. */
  u: Float64Array;
  admissible: Float64Array;
  /** A spare vector of unknowns. */
  spare: Float64Array;
  /** Error of the iterate that was weighed last: see merit.ts [m/s]. */
  error: number;
  /** Best iterate. */
  bestV: Float64Array;
  bestR: Float64Array;
}

const UNKNOWN_KEYS = ['v', 'free', 'residual', 'z', 'az', 'bz', 'p', 'ap', 'bp', 'q', 'spare', 'bestV'] as const;
const ROW_KEYS = [
  ...(['r', 'give', 'inverse', 'rowResidual', 'zRow', 'bzRow', 'pRow', 'bpRow', 'qRow', 'u'] as const),
  ...(['admissible', 'bestR'] as const),
];

/** No room yet. */
export function createWork(): Work {
  const none = new Float64Array(0);
  const work: Record<string, unknown> = {
    state: new Uint8Array(0),
    slip: none,
    alike: none,
    load: none,
    lastLoad: none,
    nextLoad: none,
    nextSlip: none,
    across: none,
    slides: new Uint8Array(0),
    error: Number.POSITIVE_INFINITY,
  };
  for (const key of [...UNKNOWN_KEYS, ...ROW_KEYS]) work[key] = none;
  return work as unknown as Work;
}

/** Room for a problem; what is there already keeps its place and, where it need not grow, its numbers. */
export function resizeWork(work: Work, size: number, contacts: number): void {
  if (work.v.length < size) for (const key of UNKNOWN_KEYS) work[key] = new Float64Array(grown(size));
  if (work.state.length >= contacts) return;
  const room = grown(contacts);
  for (const key of ROW_KEYS) work[key] = new Float64Array(3 * room);
  work.state = new Uint8Array(room);
  work.alike = new Float64Array(2 * room);
  work.slip = new Float64Array(2 * room);
  work.load = new Float64Array(room);
  work.nextLoad = new Float64Array(room);
  work.nextSlip = new Float64Array(2 * room);
  work.lastLoad = new Float64Array(room);
  work.across = new Float64Array(room);
  work.slides = new Uint8Array(room);
}

/** A quarter more than asked for: contacts come and go. */
function grown(count: number): number {
  return count + (count >> 2) + 4;
}
