/**
 * Anderson's acceleration of a fixed-point iteration x ← G(x), type II, with few columns.
 *
 * From the last differences of G(x) and of f = G(x) − x it takes the combination that makes the linear
 * model of f smallest (least squares by normal equations with a relative floor on their diagonal), and
 * goes to that combination of the G(x). When ‖f‖ grows by more than SAFE after an accelerated step, the
 * plain G(x) is taken and the columns are forgotten.
 *
 * Source: Anderson 1965; Walker, Ni 2011.
 */

export interface Mixing {
  size: number;
  memory: number;
  /** Columns in use. */
  count: number;
  /** Differences of G and of f, a row of `size` numbers per column, used in turn. */
  changesOfG: Float64Array;
  changesOfF: Float64Array;
  lastG: Float64Array;
  lastF: Float64Array;
  f: Float64Array;
  hasLast: boolean;
  turn: number;
  lastNorm: number;
  /** Normal equations: memory × memory, and the weights. */
  gram: Float64Array;
  weights: Float64Array;
}

/** Growth of ‖f‖ that makes an accelerated step count as failed [-]. */
const SAFE = 2;
/** Floor of the diagonal of the normal equations, relative to it [-]. */
const FLOOR = 1e-10;

/** Room for `memory` columns of `size` numbers. */
export function createMixing(size: number, memory: number): Mixing {
  return {
    size,
    memory,
    count: 0,
    changesOfG: new Float64Array(size * memory),
    changesOfF: new Float64Array(size * memory),
    lastG: new Float64Array(size),
    lastF: new Float64Array(size),
    f: new Float64Array(size),
    hasLast: false,
    turn: 0,
    lastNorm: 0,
    gram: new Float64Array(memory * memory),
    weights: new Float64Array(memory),
  };
}

/** Forgets all columns: to be called when G changes. */
export function restartMixing(mixing: Mixing): void {
  mixing.count = 0;
  mixing.turn = 0;
  mixing.hasLast = false;
}

/** x := the accelerated successor, given G(x). */
export function mixStep(x: Float64Array, mixing: Mixing, g: Float64Array): void {
  const { size, memory, f, lastF, lastG, changesOfF, changesOfG, weights } = mixing;
  if (memory === 0) {
    x.set(g);
    return;
  }
  let norm = 0;
  for (let i = 0; i < size; i++) {
    f[i] = g[i] - x[i];
    norm += f[i] * f[i];
  }
  norm = Math.sqrt(norm);
  if (mixing.hasLast && norm > SAFE * mixing.lastNorm) {
    restartMixing(mixing);
  } else if (mixing.hasLast) {
    const at = mixing.turn * size;
    for (let i = 0; i < size; i++) {
      changesOfF[at + i] = f[i] - lastF[i];
      changesOfG[at + i] = g[i] - lastG[i];
    }
    mixing.turn = (mixing.turn + 1) % memory;
    mixing.count = Math.min(memory, mixing.count + 1);
  }
  lastF.set(f);
  lastG.set(g);
  mixing.lastNorm = norm;
  mixing.hasLast = true;
  x.set(g);
  if (mixing.count === 0 || !solveWeights(mixing)) return;
  for (let k = 0; k < mixing.count; k++) {
    const weight = weights[k];
    const at = k * size;
    for (let i = 0; i < size; i++) x[i] -= weight * changesOfG[at + i];
  }
}

/** weights := argmin ‖f − ΔF weights‖ by Cholesky; false when the columns are no use. */
function solveWeights(mixing: Mixing): boolean {
  const { size, memory, count, f, changesOfF, gram, weights } = mixing;
  for (let k = 0; k < count; k++) {
    let right = 0;
    for (let i = 0; i < size; i++) right += changesOfF[k * size + i] * f[i];
    weights[k] = right;
    for (let j = 0; j <= k; j++) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += changesOfF[k * size + i] * changesOfF[j * size + i];
      gram[k * memory + j] = sum;
    }
  }
  for (let k = 0; k < count; k++) {
    let pivot = gram[k * memory + k] * (1 + FLOOR);
    for (let e = 0; e < k; e++) pivot -= gram[k * memory + e] * gram[k * memory + e];
    if (!(pivot > 0)) return false;
    const root = Math.sqrt(pivot);
    gram[k * memory + k] = root;
    for (let m = k + 1; m < count; m++) {
      let value = gram[m * memory + k];
      for (let e = 0; e < k; e++) value -= gram[m * memory + e] * gram[k * memory + e];
      gram[m * memory + k] = value / root;
    }
  }
  for (let k = 0; k < count; k++) {
    for (let e = 0; e < k; e++) weights[k] -= gram[k * memory + e] * weights[e];
    weights[k] /= gram[k * memory + k];
  }
  for (let k = count - 1; k >= 0; k--) {
    for (let m = k + 1; m < count; m++) weights[k] -= gram[m * memory + k] * weights[m];
    weights[k] /= gram[k * memory + k];
  }
  for (let k = 0; k < count; k++) if (!Number.isFinite(weights[k])) return false;
  return true;
}
