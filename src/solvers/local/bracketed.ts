/**
 * Local solver that never fails: one contact, u = W r + b, W symmetric positive definite 3×3.
 *
 * Open if b_N >= 0; stick if −W⁻¹b lies in the cone (borderline contacts too); else slide with
 * u_T = −α r_T, that is (W + α diag(0,1,1)) r = −b, where α > 0 is a root of
 *
 *   g(α) = ‖r_T‖ − mu r_N,   positive near 0 and negative at infinity.
 *
 * W is made non-dimensional by its trace and b by its norm. The normal is eliminated, and the
 * remaining symmetric 2×2 matrix is diagonalised once, so that one value of g costs two divisions.
 * The root is bracketed, then closed in by regula falsi with the Illinois weight, a plain halving
 * every third turn: at most about 60 turns, usually eight. At large mu with strong coupling several
 * roots may exist; any one of them obeys the law.
 *
 * Source: evidence and formula in the project's validation notes on friction problems.
 */
import { OPEN, SLIDE, STICK } from '../../core/contact-law-constants';

/**
 * r (three numbers at rAt) := the answer [N·s]. W nine numbers at wAt [1/kg], b three numbers at bAt
 * [m/s], mu >= 0. r and b must not overlap. Returns OPEN, STICK or SLIDE.
 */
export function solveBracketed(
  r: Float64Array,
  rAt: number,
  W: Float64Array,
  wAt: number,
  b: Float64Array,
  bAt: number,
  mu: number,
): number {
  const trace = W[wAt] + W[wAt + 4] + W[wAt + 8];
  const bSize = Math.sqrt(b[bAt] * b[bAt] + b[bAt + 1] * b[bAt + 1] + b[bAt + 2] * b[bAt + 2]);
  if (!(b[bAt] < 0) || !(trace > 0)) {
    r[rAt] = 0;
    r[rAt + 1] = 0;
    r[rAt + 2] = 0;
    return OPEN;
  }
  // Non-dimensional data; a rank-deficient W gets just enough to divide by.
  const wScale = 3 / trace;
  const bScale = 1 / bSize;
  const rScale = wScale * bSize;
  const tiny = 1e-14;
  const wNN = Math.max(W[wAt] * wScale, tiny);
  const w1 = W[wAt + 1] * wScale;
  const w2 = W[wAt + 2] * wScale;
  const bN = b[bAt] * bScale;
  const b1 = b[bAt + 1] * bScale;
  const b2 = b[bAt + 2] * bScale;
  if (mu === 0) {
    r[rAt] = (-bN / wNN) * rScale;
    r[rAt + 1] = 0;
    r[rAt + 2] = 0;
    return SLIDE;
  }

  // Without the normal: (S + α) r_T = −c, r_N = −(b_N + w·r_T)/W_NN.
  const s11 = W[wAt + 4] * wScale - (w1 * w1) / wNN;
  const s12 = W[wAt + 5] * wScale - (w1 * w2) / wNN;
  const s22 = W[wAt + 8] * wScale - (w2 * w2) / wNN;
  const c1 = b1 - (w1 * bN) / wNN;
  const c2 = b2 - (w2 * bN) / wNN;

  // Eigenvectors (p, q), (−q, p) of S from its half-difference and off-diagonal.
  const half = 0.5 * (s11 - s22);
  const swing = Math.sqrt(half * half + s12 * s12);
  const mean = 0.5 * (s11 + s22);
  const high = Math.max(mean + swing, tiny);
  const low = Math.max((s11 * s22 - s12 * s12) / high, tiny);
  let p = 1;
  let q = 0;
  if (swing > 0) {
    if (half >= 0) {
      p = half + swing;
      q = s12;
    } else {
      p = s12;
      q = swing - half;
    }
    const length = Math.sqrt(p * p + q * q);
    p /= length;
    q /= length;
  }
  const cHigh = p * c1 + q * c2;
  const cLow = p * c2 - q * c1;
  const wHigh = p * w1 + q * w2;
  const wLow = p * w2 - q * w1;

  // Stick: α = 0.
  let tHigh = -cHigh / high;
  let tLow = -cLow / low;
  let n = -(bN + wHigh * tHigh + wLow * tLow) / wNN;
  let state = STICK;
  if (Math.sqrt(tHigh * tHigh + tLow * tLow) > mu * n) {
    state = SLIDE;
    const alpha = findRoot({ high, low, cHigh, cLow, bN, wHigh, wLow, wNN }, mu);
    tHigh = -cHigh / (high + alpha);
    tLow = -cLow / (low + alpha);
    n = -(bN + wHigh * tHigh + wLow * tLow) / wNN;
    // Put the friction exactly on the cone.
    const length = Math.sqrt(tHigh * tHigh + tLow * tLow);
    if (n < 0) n = 0;
    const onCone = length > 0 ? (mu * n) / length : 0;
    tHigh *= onCone;
    tLow *= onCone;
  }
  r[rAt] = n * rScale;
  r[rAt + 1] = (p * tHigh - q * tLow) * rScale;
  r[rAt + 2] = (q * tHigh + p * tLow) * rScale;
  return state;
}

/** The contact without its normal, in the eigenvectors of S: eigenvalues, c, w, and the row of the normal. */
interface Reduced {
  readonly high: number;
  readonly low: number;
  readonly cHigh: number;
  readonly cLow: number;
  readonly bN: number;
  readonly wHigh: number;
  readonly wLow: number;
  readonly wNN: number;
}

/** α for which g is closest to zero, where it is positive at 0. */
function findRoot({ high, low, cHigh, cLow, bN, wHigh, wLow, wNN }: Reduced, mu: number): number {
  const g = (alpha: number): number => {
    const tHigh = -cHigh / (high + alpha);
    const tLow = -cLow / (low + alpha);
    const n = -(bN + wHigh * tHigh + wLow * tLow) / wNN;
    return Math.sqrt(tHigh * tHigh + tLow * tLow) - mu * n;
  };

  // Bracket the root by decades, from the size of S upwards.
  let below = 0;
  let gBelow = g(0);
  let above = high;
  let gAbove = 0;
  let last = 0;
  for (let k = 0; k < 60; k++) {
    last = above;
    gAbove = g(above);
    if (gAbove <= 0) break;
    below = above;
    gBelow = gAbove;
    above *= 10;
  }

  let side = 0;
  for (let k = 0; k < 100 && above - below > 2e-16 * above; k++) {
    let alpha = 0.5 * (below + above);
    if (k % 3 !== 2) {
      const chord = (below * gAbove - above * gBelow) / (gAbove - gBelow);
      if (chord > below && chord < above) alpha = chord;
    }
    if (alpha <= below || alpha >= above) break;
    last = alpha;
    const value = g(alpha);
    if (value === 0) break;
    if (value > 0) {
      below = alpha;
      gBelow = value;
      if (side === 1) gAbove *= 0.5;
      side = 1;
    } else {
      above = alpha;
      gAbove = value;
      if (side === -1) gBelow *= 0.5;
      side = -1;
    }
  }
  return last;
}
