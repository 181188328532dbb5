// Exact Coulomb friction of up to four contacts, u = W r + b: Newton's method on the law, in f64.
//
// In: W, OFFSET (b), R (a start), FRICTION, LANE (for λ, settled/layout.ts). Out: R. W is eliminated afresh in every
// pass: there is no factor to be kept. A pass is a semismooth Newton step on the natural map
//
//   r_N = max(0, r_N − u_N/λ),   r_T = mu r_N d or u_T = 0,   d = z/‖z‖, z = r_T − u_T/λ,   λ = tr(W_cc)/3
//
// with epsilon on the diagonal of W, as dantzig.ts has it: four corners of a face have rank 6. Of all answers a step
// thus takes the nearest, from no impulse the evenest: sweeps, which relax one contact after the other and load the
// first ones most, find another start only where passes do not get nearer. Residuals are the one measure
// (contact-law/law.ts).

import { stepIsotropic } from '../contact-law/bracketed';
import { frictionalError } from '../contact-law/law';
import { get, put } from '../memory';
import * as S from './layout';

/** Of the tolerance, what a solve aims at (twin: STANDING_SHARE of dynamics/solve-contacts.ts): impulses then last. */
const SHARE: f64 = 1e-2;
const EPSILON: f64 = 1e-6;
/** Newton steps at most, those in a row that may bring nothing, and the sweeps that come after them. */
const MOST_STEPS: i32 = 40;
const PATIENCE: i32 = 3;
const SWEEPS: i32 = 8;

/** Address of the lane of each contact. */
export const LANE = memory.data(16);
export const FRICTION = memory.data(32);
/** Blocks of nine, row-major, four to a row of blocks. */
export const W = memory.data(1152);
export const OFFSET = memory.data(96);
export const R = memory.data(96);
const U = memory.data(96);
const BEST = memory.data(96);
const LOCAL = memory.data(24);
/** Twelve rows of twelve and a right-hand side. */
const MATRIX = memory.data(1248);
const LINE: i32 = 13;

let contacts: i32 = 0;
/** Newton steps since `open`. */
export let passes: i32 = 0;

export function open(): void {
  passes = 0;
}

/** λ of contact c [1/kg]. */
function lambdaOf(c: i32): f64 {
  return load<f64>(get<usize>(LANE, c), S.LAMBDA);
}

/** R of `count` contacts, from R; whether the residual is at most `tolerance` times the largest speed in OFFSET. */
export function solve(count: i32, tolerance: f64): bool {
  contacts = count;
  let scale: f64 = 0;
  for (let k = 0; k < 3 * contacts; k++) scale = max(scale, abs(get<f64>(OFFSET, k)));
  updateVelocities();
  let best: f64 = Infinity;
  let idle = 0;
  for (let step = 0; step <= MOST_STEPS; step++) {
    const residual = measure();
    if (!(residual < Infinity)) break;
    const before = best;
    if (residual < best) {
      best = residual;
      memory.copy(BEST, R, 96);
    }
    if (best <= SHARE * tolerance * scale) break;
    idle = residual < 0.5 * before ? 0 : idle + 1;
    // What rounding leaves is good enough.
    if (idle == PATIENCE && best <= tolerance * scale) break;
    if (idle == PATIENCE) {
      memory.copy(R, BEST, 96);
      updateVelocities();
      for (let k = 0; k < SWEEPS; k++) sweep();
      idle = 0;
      continue;
    }
    passes++;
    if (!newtonStep()) break;
    updateVelocities();
  }
  memory.copy(R, BEST, 96);
  return best < Infinity && best <= tolerance * scale;
}

/** U := W R + OFFSET. */
function updateVelocities(): void {
  for (let c = 0; c < contacts; c++) {
    for (let i = 0; i < 3; i++) {
      let sum: f64 = get<f64>(OFFSET, 3 * c + i);
      for (let o = 0; o < contacts; o++) {
        const row = W + <usize>(4 * c + o) * 72 + <usize>i * 24;
        const r = R + <usize>o * 24;
        for (let k = 0; k < 3; k++) sum += get<f64>(row, k) * get<f64>(r, k);
      }
      put<f64>(U, 3 * c + i, sum);
    }
  }
}

function measure(): f64 {
  let worst: f64 = 0;
  for (let c = 0; c < contacts; c++) {
    const r = R + <usize>c * 24;
    const u = U + <usize>c * 24;
    const error = frictionalError(
      lambdaOf(c),
      get<f64>(FRICTION, c),
      get<f64>(r, 0),
      get<f64>(r, 1),
      get<f64>(r, 2),
      get<f64>(u, 0),
      get<f64>(u, 1),
      get<f64>(u, 2),
    );
    if (!(error >= 0)) return Infinity;
    worst = max(worst, error);
  }
  return worst;
}

/** Relaxes the contacts one after the other, each from the impulse that it has. */
function sweep(): void {
  for (let c = 0; c < contacts; c++) {
    const r = R + <usize>c * 24;
    const own = W + <usize>(5 * c) * 72;
    updateVelocities();
    for (let i = 0; i < 3; i++) {
      let speed = get<f64>(U, 3 * c + i);
      for (let k = 0; k < 3; k++) speed -= get<f64>(own, 3 * i + k) * get<f64>(r, k);
      put<f64>(LOCAL, i, speed);
    }
    stepIsotropic<f64>(r, own, LOCAL, get<f64>(FRICTION, c));
  }
  updateVelocities();
}

/** Moves R by a Newton step; false where the matrix has no inverse. */
function newtonStep(): bool {
  const n = 3 * contacts;
  memory.fill(MATRIX, 0, 1248);
  for (let c = 0; c < contacts; c++) writeConditions(c);
  if (!eliminate(n)) return false;
  for (let i = 0; i < n; i++) put<f64>(R, i, get<f64>(R, i) + get<f64>(MATRIX, i * LINE + 12));
  return true;
}

/** Three rows of the linearised law of contact c: speeds over λ, impulses as they are. */
function writeConditions(c: i32): void {
  const lambda = lambdaOf(c);
  const mu = get<f64>(FRICTION, c);
  const first = 3 * c;
  // A point that nothing moves carries nothing.
  const inverse = lambda > 0 ? 1 / lambda : 0;
  const rn = get<f64>(R, first);
  const zn = rn - inverse * get<f64>(U, first);
  if (!(zn > 0) || inverse == 0) {
    for (let i = first; i < first + 3; i++) holdImpulse(i, get<f64>(R, i));
    return;
  }
  holdSpeed(first, inverse);
  const z1 = get<f64>(R, first + 1) - inverse * get<f64>(U, first + 1);
  const z2 = get<f64>(R, first + 2) - inverse * get<f64>(U, first + 2);
  const slip = sqrt(z1 * z1 + z2 * z2);
  if (mu == 0) {
    for (let i = first + 1; i < first + 3; i++) holdImpulse(i, get<f64>(R, i));
  } else if (slip <= mu * zn) {
    holdSpeed(first + 1, inverse);
    holdSpeed(first + 2, inverse);
  } else writeSlide(first, inverse, mu, rn, z1 / slip, z2 / slip, slip);
}

/** r_i + δ_i = 0 for what is too much of it. */
function holdImpulse(i: i32, excess: f64): void {
  put<f64>(MATRIX, i * LINE + i, 1);
  put<f64>(MATRIX, i * LINE + 12, -excess);
}

/** u_i + (W δ)_i = 0, with epsilon on the diagonal. */
function holdSpeed(i: i32, inverse: f64): void {
  addSpeeds(i, i, inverse);
  put<f64>(MATRIX, i * LINE + i, get<f64>(MATRIX, i * LINE + i) + EPSILON);
  put<f64>(MATRIX, i * LINE + 12, -inverse * get<f64>(U, i));
}

/** Row `line` += share × row `row` of W. */
function addSpeeds(line: i32, row: i32, share: f64): void {
  const c = row / 3;
  const i = row % 3;
  const to = MATRIX + ((<usize>(line * LINE)) << 3);
  for (let o = 0; o < contacts; o++) {
    const from = W + <usize>(4 * c + o) * 72 + <usize>i * 24;
    for (let k = 0; k < 3; k++) put<f64>(to, 3 * o + k, get<f64>(to, 3 * o + k) + share * get<f64>(from, k));
  }
}

/** r_T = mu r_N d with d the direction of z_T, which turns with r_T and u_T. */
function writeSlide(first: i32, inverse: f64, mu: f64, rn: f64, d1: f64, d2: f64, slip: f64): void {
  const turn = min(max(mu * rn, 0.0) / slip, 1.0);
  for (let i = 1; i < 3; i++) {
    const line = first + i;
    const own = i == 1 ? d1 : d2;
    // P = I − d dᵀ, times −turn (δ_T − W_T δ/λ).
    const p1 = turn * ((i == 1 ? 1.0 : 0.0) - own * d1);
    const p2 = turn * ((i == 2 ? 1.0 : 0.0) - own * d2);
    addSpeeds(line, first + 1, p1 * inverse);
    addSpeeds(line, first + 2, p2 * inverse);
    const at = line * LINE;
    put<f64>(MATRIX, at + line, get<f64>(MATRIX, at + line) + 1);
    put<f64>(MATRIX, at + first + 1, get<f64>(MATRIX, at + first + 1) - p1);
    put<f64>(MATRIX, at + first + 2, get<f64>(MATRIX, at + first + 2) - p2);
    put<f64>(MATRIX, at + first, get<f64>(MATRIX, at + first) - mu * own);
    put<f64>(MATRIX, at + 12, mu * rn * own - get<f64>(R, line));
  }
}

/** Gauss–Jordan with row pivots on n rows; column 12 becomes the solution. */
function eliminate(n: i32): bool {
  for (let k = 0; k < n; k++) {
    let pivot = k;
    let largest: f64 = 0;
    for (let i = k; i < n; i++) {
      const size = abs(get<f64>(MATRIX, i * LINE + k));
      if (size > largest) {
        largest = size;
        pivot = i;
      }
    }
    if (!(largest > 1e-14)) return false;
    if (pivot != k) exchange(k, pivot);
    const top = MATRIX + ((<usize>(k * LINE)) << 3);
    const share = 1 / get<f64>(top, k);
    for (let i = k + 1; i < n; i++) {
      const row = MATRIX + ((<usize>(i * LINE)) << 3);
      const factor = get<f64>(row, k) * share;
      if (factor == 0) continue;
      for (let j = k + 1; j < n; j++) put<f64>(row, j, get<f64>(row, j) - factor * get<f64>(top, j));
      put<f64>(row, 12, get<f64>(row, 12) - factor * get<f64>(top, 12));
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    const row = MATRIX + ((<usize>(k * LINE)) << 3);
    let sum = get<f64>(row, 12);
    for (let j = k + 1; j < n; j++) sum -= get<f64>(row, j) * get<f64>(MATRIX, j * LINE + 12);
    put<f64>(row, 12, sum / get<f64>(row, k));
  }
  return true;
}

function exchange(a: i32, b: i32): void {
  for (let j = 0; j < LINE; j++) {
    const kept = get<f64>(MATRIX, a * LINE + j);
    put<f64>(MATRIX, a * LINE + j, get<f64>(MATRIX, b * LINE + j));
    put<f64>(MATRIX, b * LINE + j, kept);
  }
}
