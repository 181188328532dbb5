// Bending and twist of a node between two edges, of two strands at once: matrix by edge vectors, forces. f64.
//
// In: records of both edges (rod/edges.ts), base velocities of both edge vectors. Out: blocks and forces by
// edge vectors, and what concerns θ in A and b. The same equations as mechanics/rod/elements.ts, in closed
// form: with c = t0·t1, χ = 1 + c, κb = 2 t0 × t1/χ the curvature binormal, sums over both directors of both
// edges collapse (Σ d dᵀ = I − t tᵀ, Σ (κb·d) d = κb), κb is normal to both tangents, and |κb|² = 4 (1
// − c)/χ. What remains of the Gauss–Newton matrix is
//   P00 = 8w/(χ l0)² (I − t0 t0ᵀ) − w/l0² κb κbᵀ,   likewise P11 with t1 and l1,   w = EI/(2 ℓ)
//   P01 = 8w/(χ² l0 l1) (t1 t0ᵀ − c I); couplings to θ0: 2w/(χ l0) c κb and −2w/(χ l1) κb, to
//   θ1: 2w/(χ l0) κb, −2w/(χ l1) c κb
// and of the forces of a rod that is straight at rest 8w/(χ² l0) (c t0 − t1) and 8w/(χ² l1) (c t1 − t0). The
// material frames enter the forces only, through R, the rest binormals of both edges.

import { SHARPEST_CORNER, SHORTEST_EDGE } from '../../../core/elastic-constants';
import { BEND, constant, SHARE, STIFFNESS, TWIST } from './constants';
import * as E from './edges';
import * as N from './lanes';
import { NODE_BYTES, RIGHT_BYTES, ROW_T, ROW_X, ROW_Y, ROW_Z } from './work';

/** Forces by edge vectors, times dt: before the node, after it. */
export const forces = memory.data(2 * 48);
export const H0: usize = 0;
export const H1: usize = 48;
/** Base velocities of both edge vectors. */
export const motion = memory.data(2 * 48);
export const W0: usize = 0;
export const W1: usize = 48;
/** Blocks by edge vectors, nine values each by rows: P00, P11, P10 (row e1, column e0). */
export const blocks = memory.data(27 * 16);
export const P00: usize = 0;
export const P11: usize = 144;
export const P10: usize = 288;

const binormal = memory.data(48);
const vectors = memory.data(5 * 48);
const R0: usize = 0;
const R1: usize = 48;
const WORK: usize = 96;
const D0: usize = 144;
const D1: usize = 192;

/**
 * out = rest binormal that an edge carries: κ̄₀ m2 − κ̄₁ m1, the rest curvatures from
 * byte `k` of the node's rest row.
 */
function restBinormal(out: usize, edge: usize, k: usize): void {
  N.scale(out, E.restOfNode(k), edge + E.EDGE_M2);
  N.addScaled(out, out, f64x2.neg(E.restOfNode(k + 8)), edge + E.EDGE_M1);
}

/**
 * Bending and twist of node i: fills blocks and forces, and adds what concerns θ to A and b.
 * `row`, `b` (0: none): those of node i.
 */
export function bendNode(i: i32, e0: usize, e1: usize, base: usize, row: usize, b: usize, dt: f64): void {
  const t0 = e0 + E.EDGE_TANGENT;
  const t1 = e1 + E.EDGE_TANGENT;
  const stiffness = constant(STIFFNESS);
  const voronoi = E.restOfNode(8);
  const inverse = N.mul(E.present(i, 1), N.invert(voronoi));
  let w = N.mul(f64x2.splat(0.5), N.mul(constant(BEND), inverse));
  let wt = N.mul(constant(TWIST), inverse);

  if (E.isVaried()) {
    w = N.mul(w, E.bendShare());
    wt = N.mul(wt, E.twistShare());
  }

  // Curvature binormal and what goes with it. (pmax is a single instruction, max is not;
  // a NaN in its first place stays.)
  const c = N.dot(t0, t1);
  const ichi = N.invert(f64x2.pmax(N.add(f64x2.splat(1), c), f64x2.splat(SHARPEST_CORNER)));
  N.cross(vectors + WORK, t0, t1);
  N.scale(binormal, N.mul(f64x2.splat(2), ichi), vectors + WORK);
  const shortest = N.mul(f64x2.splat(SHORTEST_EDGE), voronoi);
  const i0 = N.invert(f64x2.pmax(v128.load(e0, E.EDGE_LENGTH), shortest));
  const i1 = N.invert(f64x2.pmax(v128.load(e1, E.EDGE_LENGTH), shortest));

  // Gauss–Newton blocks, scaled as they stand in A.
  const a = N.mul(stiffness, w);
  const g0 = N.mul(ichi, i0);
  const g1 = N.mul(ichi, i1);
  const a0 = N.mul(N.mul(f64x2.splat(8), a), g0);
  const a1 = N.mul(N.mul(f64x2.splat(8), a), g1);
  const a00 = N.mul(a0, g0);
  const a11 = N.mul(a1, g1);
  const a01 = N.mul(a0, g1);
  const twisted = N.mul(f64x2.splat(0.25), N.mul(stiffness, wt));
  const over = N.sub(twisted, a);
  const k00 = N.mul(over, N.mul(i0, i0));
  const k11 = N.mul(over, N.mul(i1, i1));
  const k10 = N.mul(twisted, N.mul(i0, i1));

  for (let k: usize = 0; k < N.VECTOR; k += N.LANE) {
    const x = v128.load(t0 + k);
    const y = v128.load(t1 + k);
    const z = v128.load(binormal + k);
    const line = blocks + 3 * k;
    writeRow(line + P00, f64x2.neg(N.mul(a00, x)), t0, N.mul(k00, z));
    writeRow(line + P11, f64x2.neg(N.mul(a11, y)), t1, N.mul(k11, z));
    writeRow(line + P10, N.mul(a01, x), t1, N.mul(k10, z));
  }
  addDiagonal(P00, a00);
  addDiagonal(P11, a11);
  addDiagonal(P10, f64x2.neg(N.mul(a01, c)));

  // Couplings of θ0 and θ1 to the edge vectors, all along κb: bending, then twist (∓κb/2l).
  const thetas = N.mul(stiffness, wt);
  const half = N.mul(f64x2.splat(0.5), thetas);
  const bent0 = N.mul(f64x2.splat(0.25), a0);
  const bent1 = N.mul(f64x2.splat(0.25), a1);
  const q00 = N.sub(N.mul(bent0, c), N.mul(half, i0));
  const q01 = f64x2.neg(N.addMul(bent1, half, i1));
  const q10 = N.addMul(bent0, half, i0);
  const q11 = N.sub(N.mul(half, i1), N.mul(bent1, c));
  const same = N.addMul(thetas, a, N.dot(binormal, binormal));
  if (b != 0)
    bendForces(
      e0,
      e1,
      base,
      b,
      dt,
      w,
      wt,
      c,
      ichi,
      g0,
      g1,
      i0,
      i1,
      q00,
      q01,
      q10,
      q11,
      same,
      thetas,
      a00,
      a11,
      a01,
      k00,
      k11,
      k10,
    );

  // θ rows and columns of A: rows of node i − 1, i, i + 1; the last are written for the first time.
  const before = row - NODE_BYTES;
  const after = row + NODE_BYTES;
  N.accumulate(before + (ROW_T + 7) * 16, same);
  N.accumulate(row + (ROW_T + 7) * 16, same);
  N.deduct(row + (ROW_T + 3) * 16, thetas);
  const q0 = N.sub(q00, q01);
  const q1 = N.sub(q10, q11);

  for (let k: usize = 0; k < 3; k++) {
    const z = N.part(binormal, k);
    const line = k == 0 ? ROW_X : k == 1 ? ROW_Y : ROW_Z;
    N.deduct(before + (ROW_T + 4 + k) * 16, N.mul(q00, z));
    N.accumulate(row + (line + 7) * 16, N.mul(q0, z));
    v128.store(after + (line + 3) * 16, N.mul(q01, z));
    N.deduct(row + (ROW_T + k) * 16, N.mul(q10, z));
    N.accumulate(row + (ROW_T + 4 + k) * 16, N.mul(q1, z));
    v128.store(after + (line + 7) * 16, N.mul(q11, z));
  }
  const zero = f64x2.splat(0);
  for (let k: usize = 0; k < 8; k++) v128.store(after + (ROW_T + k) * 16, zero);
}

/** Row of a block: a t + k κb. */
function writeRow(row: usize, a: v128, t: usize, k: v128): void {
  v128.store(row, N.addMul(N.mul(a, v128.load(t)), k, v128.load(binormal)));
  v128.store(row, N.addMul(N.mul(a, v128.load(t, 16)), k, v128.load(binormal, 16)), 16);
  v128.store(row, N.addMul(N.mul(a, v128.load(t, 32)), k, v128.load(binormal, 32)), 32);
}

/** Adds d I to a block. */
export function addDiagonal(at: usize, d: v128): void {
  N.accumulate(blocks + at, d);
  N.accumulate(blocks + at + 64, d);
  N.accumulate(blocks + at + 128, d);
}

/**
 * Forces of bending and twist, and what A does to the base velocity: to H0, H1 and the θ of b. The factors are
 * those of the blocks in bendNode.
 */
function bendForces(
  e0: usize,
  e1: usize,
  base: usize,
  b: usize,
  dt: f64,
  w: v128,
  wt: v128,
  c: v128,
  ichi: v128,
  g0: v128,
  g1: v128,
  i0: v128,
  i1: v128,
  q00: v128,
  q01: v128,
  q10: v128,
  q11: v128,
  same: v128,
  thetas: v128,
  a00: v128,
  a11: v128,
  a01: v128,
  k00: v128,
  k11: v128,
  k10: v128,
): void {
  const t0 = e0 + E.EDGE_TANGENT;
  const t1 = e1 + E.EDGE_TANGENT;
  const time = f64x2.splat(dt);
  const wd = N.mul(time, w);
  const turn = N.sub(E.nodeTwist(e0, e1), E.restOfNode(48));
  const moment = N.mul(N.mul(time, wt), turn);
  const shifted = N.mul(f64x2.splat(0.5), moment);
  const s0 = N.mul(wd, g0);
  const s1 = N.mul(wd, g1);
  let u0 = f64x2.neg(moment);
  let u1 = moment;

  // K base, by edges: a rigid motion cancels before anything is multiplied.
  const share = constant(SHARE);
  const r0 = N.mul(share, E.back(base, 24));
  const r1 = N.mul(share, E.here(base, 24));
  const d0 = vectors + D0;
  const d1 = vectors + D1;
  N.scale(d0, share, motion + W0);
  N.scale(d1, share, motion + W1);
  const z0 = N.dot(binormal, d0);
  const z1 = N.dot(binormal, d1);
  u0 = N.addMul(N.addMul(N.addMul(N.addMul(u0, same, r0), f64x2.neg(thetas), r1), q00, z0), q01, z1);
  u1 = N.addMul(N.addMul(N.addMul(N.addMul(u1, same, r1), f64x2.neg(thetas), r0), q10, z0), q11, z1);
  let n0 = N.addMul(N.addMul(N.mul(k00, z0), k10, z1), i0, shifted);
  let n1 = N.addMul(N.addMul(N.mul(k10, z0), k11, z1), i1, shifted);
  n0 = N.addMul(N.addMul(n0, q00, r0), q10, r1);
  n1 = N.addMul(N.addMul(n1, q01, r0), q11, r1);
  // Factors of t0, t1, d0, d1 in both forces.
  const back = N.mul(a01, c);
  const f0 = N.mul(N.mul(f64x2.splat(8), ichi), s0);
  const f1 = N.mul(N.mul(f64x2.splat(8), ichi), s1);
  const x0 = N.sub(N.mul(f0, c), N.mul(a00, N.dot(t0, d0)));
  const y0 = N.sub(N.mul(a01, N.dot(t0, d1)), f0);
  const x1 = N.sub(N.mul(a01, N.dot(t1, d0)), f1);
  const y1 = N.sub(N.mul(f1, c), N.mul(a11, N.dot(t1, d1)));

  for (let k: usize = 0; k < N.VECTOR; k += N.LANE) {
    const x = v128.load(t0 + k);
    const y = v128.load(t1 + k);
    const z = v128.load(binormal + k);
    const p = v128.load(d0 + k);
    const q = v128.load(d1 + k);
    const h0 = N.addMul(N.addMul(N.mul(x0, x), y0, y), n0, z);
    const h1 = N.addMul(N.addMul(N.mul(x1, x), y1, y), n1, z);
    v128.store(forces + k, N.subMul(N.addMul(h0, a00, p), back, q), H0);
    v128.store(forces + k, N.subMul(N.addMul(h1, a11, q), back, p), H1);
  }

  if (E.hasFrames()) {
    // Less what the rest shape wants: 2 t1 × R − (R·κb) s, and R·(κb × t) of each edge for its own turn.
    const v = vectors;
    restBinormal(v + R0, e0, 16);
    restBinormal(v + R1, e1, 32);
    N.cross(v + WORK, binormal, t0);
    u0 = N.subMul(u0, wd, N.dot(v + R0, v + WORK));
    N.cross(v + WORK, binormal, t1);
    u1 = N.subMul(u1, wd, N.dot(v + R1, v + WORK));
    N.addScaled(v + R0, v + R0, f64x2.splat(1), v + R1);
    const along = N.dot(v + R0, binormal);
    const two = f64x2.splat(2);
    N.cross(v + WORK, t1, v + R0);
    N.addScaled(forces + H0, forces + H0, f64x2.neg(N.mul(two, s0)), v + WORK);
    N.cross(v + WORK, t0, v + R0);
    N.addScaled(forces + H1, forces + H1, N.mul(two, s1), v + WORK);
    N.addScaled(v + WORK, t0, f64x2.splat(1), t1);
    N.addScaled(forces + H0, forces + H0, N.mul(s0, along), v + WORK);
    N.addScaled(forces + H1, forces + H1, N.mul(s1, along), v + WORK);
  }
  N.deduct(b + 48 - RIGHT_BYTES, u0);
  N.deduct(b + 48, u1);
}
