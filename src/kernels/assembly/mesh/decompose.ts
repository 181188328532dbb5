// Singular values of 3×3 matrices between two rotations, of two matrices at a time: lanes of f64×2. Twin of
// math/svd3.ts.
//
// Matrices are nine vectors of 16 bytes by rows. V comes from Jacobi rotations of FᵀF, U and s from the columns of F
// V: what is nearly flat, or inside out, goes the careful way, one matrix at a time (complete-rotation.ts), and so has
// its small singular values to more digits than FᵀF knows.

import { dotColumns, minorOf, turnDouble } from './blocks';
import { completeRotation } from './complete-rotation';

/** Sweeps at most: three are usual. */
const SWEEPS = 6;
/** Off the diagonal of FᵀF, over its trace: at a right angle [-]. */
const RIGHT_ANGLE: f64 = 1e-15;
/** Square of the least singular value over the largest below which U is found carefully [-]. */
const FLAT: f64 = 1e-4;
/** Keeps 0/0 away. */
const TINY: f64 = 1e-300;

/** Upper half of FᵀF: 00 11 22 01 02 12. */
const C = memory.data(96, 16);
const C00: usize = 0;
const C11: usize = 16;
const C22: usize = 32;
const C01: usize = 48;
const C02: usize = 64;
const C12: usize = 80;

/**
 * One rotation: entries pp, qq, pq of C, and those of p and q with the third column, rp and rq; columns p and q of V.
 */
function turn(pp: usize, qq: usize, pq: usize, rp: usize, rq: usize, p: usize, q: usize): void {
  const off = v128.load(C + pq);
  const a = v128.load(C + pp);
  const b = v128.load(C + qq);
  const one = f64x2.splat(1);
  const gap = f64x2.sub(b, a);
  const twice = f64x2.add(off, off);
  const root = f64x2.sqrt(f64x2.add(f64x2.mul(gap, gap), f64x2.mul(twice, twice)));
  // tan of the smaller angle: 2 off/(gap ± root), with the sign of gap.
  const sign = v128.and(gap, f64x2.splat(-0.0));
  const below = v128.or(f64x2.add(f64x2.add(f64x2.abs(gap), root), f64x2.splat(TINY)), sign);
  const t = f64x2.div(twice, below);
  const cosine = f64x2.div(one, f64x2.sqrt(f64x2.add(one, f64x2.mul(t, t))));
  const sine = f64x2.mul(cosine, t);
  const change = f64x2.mul(t, off);
  v128.store(C + pp, f64x2.sub(a, change));
  v128.store(C + qq, f64x2.add(b, change));
  v128.store(C + pq, f64x2.splat(0));
  turnDouble(C + rp, C + rq, cosine, sine);
  turnDouble(p, q, cosine, sine);
  turnDouble(p + 48, q + 48, cosine, sine);
  turnDouble(p + 96, q + 96, cosine, sine);
}

/** Whether both matrices are diagonal. */
function isDiagonal(): bool {
  const off = f64x2.add(
    f64x2.add(f64x2.abs(v128.load(C + C01)), f64x2.abs(v128.load(C + C02))),
    f64x2.abs(v128.load(C + C12)),
  );
  const trace = f64x2.add(f64x2.add(v128.load(C + C00), v128.load(C + C11)), v128.load(C + C22));
  return !v128.any_true(f64x2.gt(off, f64x2.mul(trace, f64x2.splat(RIGHT_ANGLE))));
}

/** Writes U, s (three vectors) and V of F. Of what is not finite the result is not finite. */
export function decompose(U: usize, s: usize, V: usize, F: usize): void {
  v128.store(C + C00, dotColumns(F, F));
  v128.store(C + C11, dotColumns(F + 16, F + 16));
  v128.store(C + C22, dotColumns(F + 32, F + 32));
  v128.store(C + C01, dotColumns(F, F + 16));
  v128.store(C + C02, dotColumns(F, F + 32));
  v128.store(C + C12, dotColumns(F + 16, F + 32));
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  for (let k: usize = 0; k < 144; k += 16) v128.store(V + k, k & 63 ? zero : one);
  for (let sweep = 0; sweep < SWEEPS && !isDiagonal(); sweep++) {
    turn(C00, C11, C01, C02, C12, V, V + 16);
    turn(C00, C22, C02, C01, C12, V, V + 32);
    turn(C11, C22, C12, C01, C02, V + 16, V + 32);
  }

  // U diag(s) = F V.
  for (let r: usize = 0; r < 144; r += 48) {
    const x = v128.load(F + r);
    const y = v128.load(F + r, 16);
    const z = v128.load(F + r, 32);
    for (let c: usize = 0; c < 48; c += 16) {
      const sum = f64x2.add(f64x2.mul(x, v128.load(V + c)), f64x2.mul(y, v128.load(V + c, 48)));
      v128.store(U + r + c, f64x2.add(sum, f64x2.mul(z, v128.load(V + c, 96))));
    }
  }
  const a = dotColumns(U, U);
  const b = dotColumns(U + 16, U + 16);
  const c = dotColumns(U + 32, U + 32);
  const least = f64x2.min(f64x2.min(a, b), c);
  const most = f64x2.max(f64x2.max(a, b), c);
  // A not finite one is neither.
  const flat = v128.not(f64x2.gt(least, f64x2.mul(most, f64x2.splat(FLAT))));
  if (v128.any_true(v128.or(flat, f64x2.lt(determinant(U), zero)))) {
    completeRotation(U, s, V, 0);
    completeRotation(U, s, V, 8);
    return;
  }
  scaleColumn(U, s, a);
  scaleColumn(U + 16, s + 16, b);
  scaleColumn(U + 32, s + 32, c);
}

/** s := the root of its square; the column over it. */
function scaleColumn(column: usize, s: usize, square: v128): void {
  const length = f64x2.sqrt(square);
  const by = f64x2.div(f64x2.splat(1), length);
  v128.store(s, length);
  v128.store(column, f64x2.mul(v128.load(column), by));
  v128.store(column, f64x2.mul(v128.load(column, 48), by), 48);
  v128.store(column, f64x2.mul(v128.load(column, 96), by), 96);
}

function determinant(M: usize): v128 {
  const d = v128.load(M, 48);
  const e = v128.load(M, 64);
  const f = v128.load(M, 80);
  const g = v128.load(M, 96);
  const h = v128.load(M, 112);
  const i = v128.load(M, 128);
  const x = f64x2.mul(v128.load(M), minorOf(e, f, h, i));
  const y = f64x2.mul(v128.load(M, 16), minorOf(d, f, g, i));
  return f64x2.add(f64x2.sub(x, y), f64x2.mul(v128.load(M, 32), minorOf(d, e, g, h)));
}
