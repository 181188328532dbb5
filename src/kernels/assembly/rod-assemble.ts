// The implicit Euler step of two strands: A and the right-hand side of A d = b, d = v − base, by nodes. f64.
//
// In: two strands opened by openPair, base velocity (that of the step's start, or the guess). Out: A, 38 values a node
// (rod-work.ts), b, 4 a node. The same equations as mechanics/rod/assemble-strand.ts, written for the change of velocity:
//   b = M (v − base) + dt (F(q) + M g + M c (wind − base)) − (dt·damping + [no guess] dt²) K base
// so that a fast strand that merely flies has b small, and f32 solves lose nothing against its speed.
//
// The matrix in closed form. With s = t0 + t1, χ = 1 + t0·t1, κb the curvature binormal and both directors of both edges, sums
// over directors collapse (Σ d dᵀ = I − t tᵀ, Σ (κb·d) d = κb), and the Gauss–Newton matrix of bending by edge vectors is
//   P00 = w/(χ l0)²  [8 (I − t1 t1ᵀ) − χ² κb κbᵀ − 4 sym((t1 × κb) sᵀ) + 2 |κb|² s sᵀ],   likewise P11 with −t0 for t1
//   P01 = w/(χ² l0 l1) [8 (t0 t1ᵀ − (t0·t1) I) − 4 (t1 × κb) sᵀ + 4 s (t0 × κb)ᵀ + 2 |κb|² s sᵀ],   w = EI/(2 ℓ)
// with sym(a bᵀ) = a bᵀ + b aᵀ; couplings to θ0: 2w/(χ l0) t1 × C0 and −2w/(χ l1) t0 × C0, C0 = κb × t0 (C1 = κb × t1).
// No director appears: the material frames enter the forces only, through D = 2 κb − (rest binormals of both edges).

import {
  GRAVITY,
  NODE_FORCE,
  NODE_MASS,
  NODE_VELOCITY,
  ROD_EXTRA,
  ROD_PARAMETER,
  STRAND_ROD,
  WIND,
} from '../../state/layout';
import { column, getI32 } from './memory';
import * as E from './rod-edges';
import * as N from './rod-lanes';
import { NODE_BYTES, RIGHT_BYTES, ROW_T, ROW_X, ROW_Y, ROW_Z } from './rod-work';

/** Bounds of the reference (mechanics/rod/elements.ts). */
const SHORTEST: f64 = 1e-2;
const SHARPEST: f64 = 1e-6;

// Two edge records, used in turn.
const edges = memory.data(2 * 208);
const vectors = memory.data(21 * 48);
const BINORMAL: usize = 0;
const SUM: usize = 48;
const T1B: usize = 96;
const T0B: usize = 144;
const C0: usize = 192;
const C1: usize = 240;
const D0: usize = 288;
const D1: usize = 336;
const WORK: usize = 384;
const H0: usize = 432;
const H1: usize = 480;
const W0: usize = 528;
const W1: usize = 576;
const Q: usize = 624; // four vectors: θ0 with e0, e1; θ1 with e0, e1
const LEFT: usize = 816; // three vectors: left factors of a block's products
const RIGHT: usize = 960; // a right factor
// Blocks by edge vectors, nine values each by rows: P00, P11, P10 (row e1, column e0).
const blocks = memory.data(27 * 16);
const P00: usize = 0;
const P11: usize = 144;
const P10: usize = 288;

// Constants of the two rods, set by assemblePair.
const constants = memory.data(10 * 16);
const STRETCH: usize = 0;
const BEND: usize = 16;
const TWIST: usize = 32;
const STIFFNESS: usize = 48; // dt² + dt·damping: scale of K in A
const REACTION: usize = 64; // scale of K base in b
const DRAG: usize = 80; // dt·c
const PULL: usize = 96; // dt·g, three values

function constant(k: usize): v128 {
  return v128.load(constants + k);
}

/** Constants of the rods of two strands. */
function setConstants(strandA: i32, strandB: i32, dt: f64, guessed: bool): void {
  const p = column(ROD_PARAMETER) + ((<usize>getI32(column(STRAND_ROD), strandA)) << 6);
  const q = column(ROD_PARAMETER) + ((<usize>getI32(column(STRAND_ROD), strandB)) << 6);
  const x = column(ROD_EXTRA) + ((<usize>getI32(column(STRAND_ROD), strandA)) << 5);
  const y = column(ROD_EXTRA) + ((<usize>getI32(column(STRAND_ROD), strandB)) << 5);
  const radius = N.gather(p, q);
  const area = N.mul(f64x2.splat(Math.PI), N.mul(radius, radius));
  const moment = N.mul(f64x2.splat(0.25), N.mul(area, N.mul(radius, radius)));
  v128.store(constants, N.mul(N.gather(p + 32, q + 32), area), STRETCH);
  v128.store(constants, N.mul(N.gather(p + 16, q + 16), moment), BEND);
  v128.store(constants, N.mul(f64x2.splat(2), N.mul(N.gather(p + 24, q + 24), moment)), TWIST);
  const damped = N.mul(f64x2.splat(dt), N.gather(p + 40, q + 40));
  const square = f64x2.splat(dt * dt);
  v128.store(constants, N.add(square, damped), STIFFNESS);
  v128.store(constants, guessed ? damped : N.add(square, damped), REACTION);
  const drag = N.mul(f64x2.splat(dt), N.gather(x + 8, y + 8));
  v128.store(constants, drag, DRAG);
  const weight = N.mul(f64x2.splat(dt), N.gather(x, y));
  for (let k: usize = 0; k < 3; k++) {
    const air = N.mul(drag, f64x2.splat(load<f64>(<usize>WIND + (k << 3))));
    v128.store(constants + (k << 4), N.addMul(air, weight, f64x2.splat(load<f64>(<usize>GRAVITY + (k << 3)))), PULL);
  }
}

/**
 * A and b of the two strands opened by openPair, `nodes` nodes each (the shorter padded with identity rows).
 * `base`: f64×4 a node of the tables: NODE_VELOCITY or the guess.
 */
export function assemblePair(
  strandA: i32,
  strandB: i32,
  nodes: i32,
  matrix: usize,
  right: usize,
  base: usize,
  guessed: bool,
  dt: f64,
): void {
  setConstants(strandA, strandB, dt, guessed);
  memory.fill(matrix, 0, <usize>nodes * NODE_BYTES);
  memory.fill(right, 0, <usize>nodes * RIGHT_BYTES);
  let e0 = edges;
  let e1: usize = edges + E.EDGE_BYTES;
  for (let i = 0; i < nodes - 1; i++) {
    E.focus(i);
    E.measureEdge(e1);
    baseChange(vectors + W1, base);
    const row = matrix + <usize>i * NODE_BYTES;
    const b = right + <usize>i * RIGHT_BYTES;
    if (i > 0) bendNode(i, e0, e1, base, row, b, dt);
    else {
      memory.fill(blocks + P11, 0, 144);
      memory.fill(vectors + H0, 0, 2 * N.VECTOR);
    }
    stretchEdge(i, e1, dt);
    spread(row, b, i > 0);
    copyVector(vectors + W0, vectors + W1);
    const swap = e0;
    e0 = e1;
    e1 = swap;
  }
  addInertia(nodes, matrix, right, base, dt);
}

function copyVector(to: usize, from: usize): void {
  N.setVector(to, v128.load(from), v128.load(from, 16), v128.load(from, 32));
}

/** out = base velocity of the node after the one in focus less that of the node. */
function baseChange(out: usize, base: usize): void {
  N.setVector(
    out,
    N.sub(E.next(base, 0), E.here(base, 0)),
    N.sub(E.next(base, 8), E.here(base, 8)),
    N.sub(E.next(base, 16), E.here(base, 16)),
  );
}

/** Block at `at` = p0 q0ᵀ + p1 q1ᵀ + p2 q2ᵀ + p3 q3ᵀ + d I. */
function setBlock(
  at: usize,
  d: v128,
  p0: usize,
  q0: usize,
  p1: usize,
  q1: usize,
  p2: usize,
  q2: usize,
  p3: usize,
  q3: usize,
): void {
  for (let k: usize = 0; k < N.VECTOR; k += N.LANE) {
    const a = v128.load(p0 + k);
    const b = v128.load(p1 + k);
    const c = v128.load(p2 + k);
    const e = v128.load(p3 + k);
    const row = blocks + at + 3 * k;
    v128.store(row, fourOf(a, q0, b, q1, c, q2, e, q3));
    v128.store(row, fourOf(a, q0 + 16, b, q1 + 16, c, q2 + 16, e, q3 + 16), 16);
    v128.store(row, fourOf(a, q0 + 32, b, q1 + 32, c, q2 + 32, e, q3 + 32), 32);
  }
  N.accumulate(blocks + at, d);
  N.accumulate(blocks + at + 64, d);
  N.accumulate(blocks + at + 128, d);
}

function fourOf(a: v128, x: usize, b: v128, y: usize, c: v128, z: usize, e: v128, w: usize): v128 {
  const first = N.addMul(N.mul(a, v128.load(x)), b, v128.load(y));
  return f64x2.add(first, N.addMul(N.mul(c, v128.load(z)), e, v128.load(w)));
}

/** out = rest binormal that an edge carries: κ̄₀ m2 − κ̄₁ m1, the rest curvatures from byte `k` of the node's rest row. */
function restBinormal(out: usize, edge: usize, k: usize): void {
  N.scale(out, E.restOfNode(k), edge + E.EDGE_M2);
  N.addScaled(out, out, f64x2.neg(E.restOfNode(k + 8)), edge + E.EDGE_M1);
}

/** Bending and twist of node i: fills blocks, H0, H1, and adds what concerns θ to A and b. `row`, `b`: those of node i. */
function bendNode(i: i32, e0: usize, e1: usize, base: usize, row: usize, b: usize, dt: f64): void {
  const t0 = e0 + E.EDGE_TANGENT;
  const t1 = e1 + E.EDGE_TANGENT;
  const v = vectors;
  const stiffness = constant(STIFFNESS);
  const on = E.present(i, 1);
  const voronoi = E.restOfNode(8);
  const inverse = N.mul(on, N.invert(voronoi));
  const w = N.mul(f64x2.splat(0.5), N.mul(constant(BEND), inverse));
  const wt = N.mul(constant(TWIST), inverse);

  // Curvature binormal and what goes with it.
  const cosine = N.dot(t0, t1);
  const chi = f64x2.max(N.add(f64x2.splat(1), cosine), f64x2.splat(SHARPEST));
  N.cross(v + WORK, t0, t1);
  const ichi = N.invert(chi);
  N.scale(v + BINORMAL, N.mul(f64x2.splat(2), ichi), v + WORK);
  const shortest = N.mul(f64x2.splat(SHORTEST), voronoi);
  const i0 = N.invert(f64x2.max(v128.load(e0, E.EDGE_LENGTH), shortest));
  const i1 = N.invert(f64x2.max(v128.load(e1, E.EDGE_LENGTH), shortest));
  N.addScaled(v + SUM, t0, f64x2.splat(1), t1);
  N.cross(v + T1B, t1, v + BINORMAL);
  N.cross(v + T0B, t0, v + BINORMAL);
  const square = N.dot(v + BINORMAL, v + BINORMAL);

  // Gauss–Newton blocks, scaled as they stand in A.
  const a = N.mul(stiffness, w);
  const g0 = N.mul(ichi, i0);
  const g1 = N.mul(ichi, i1);
  const a00 = N.mul(a, N.mul(g0, g0));
  const a11 = N.mul(a, N.mul(g1, g1));
  const a01 = N.mul(a, N.mul(g0, g1));
  const four = f64x2.splat(4);
  const eight = f64x2.splat(8);
  const twice = N.add(square, square);
  const twisted = N.mul(f64x2.splat(0.25), N.mul(stiffness, wt));
  const chi2 = N.mul(chi, chi);
  const left = v + LEFT;
  const right = v + RIGHT;
  // P00: −8 t1 t1ᵀ, κb κbᵀ, s (2|κb|² s − 4 p)ᵀ and −4 p sᵀ, p = t1 × κb
  N.scale(left, f64x2.neg(N.mul(eight, a00)), t1);
  N.scale(left + 48, N.sub(N.mul(twisted, N.mul(i0, i0)), N.mul(a00, chi2)), v + BINORMAL);
  N.scale(left + 96, f64x2.neg(N.mul(four, a00)), v + T1B);
  N.addScaled(right, left + 96, N.mul(a00, twice), v + SUM);
  setBlock(P00, N.mul(eight, a00), left, t1, left + 48, v + BINORMAL, v + SUM, right, left + 96, v + SUM);
  // P11: likewise with p = −t0 × κb
  N.scale(left, f64x2.neg(N.mul(eight, a11)), t0);
  N.scale(left + 48, N.sub(N.mul(twisted, N.mul(i1, i1)), N.mul(a11, chi2)), v + BINORMAL);
  N.scale(left + 96, N.mul(four, a11), v + T0B);
  N.addScaled(right, left + 96, N.mul(a11, twice), v + SUM);
  setBlock(P11, N.mul(eight, a11), left, t0, left + 48, v + BINORMAL, v + SUM, right, left + 96, v + SUM);
  // P10, the transpose of P01: 8 t1 t0ᵀ, κb κbᵀ, (2|κb|² s + 4 t0 × κb) sᵀ, −4 s (t1 × κb)ᵀ
  N.scale(left, N.mul(eight, a01), t1);
  N.scale(left + 48, N.mul(twisted, N.mul(i0, i1)), v + BINORMAL);
  N.scale(left + 96, N.mul(four, a01), v + T0B);
  N.addScaled(left + 96, left + 96, N.mul(a01, twice), v + SUM);
  N.scale(right, f64x2.neg(N.mul(four, a01)), v + T1B);
  const c10 = f64x2.neg(N.mul(N.mul(eight, a01), cosine));
  setBlock(P10, c10, left, t0, left + 48, v + BINORMAL, left + 96, v + SUM, v + SUM, right);

  // Couplings of θ0 and θ1 to the edge vectors: bending, then twist (∓κb/2l).
  N.cross(v + C0, v + BINORMAL, t0);
  N.cross(v + C1, v + BINORMAL, t1);
  const two = f64x2.splat(2);
  const half = N.mul(f64x2.splat(0.5), N.mul(stiffness, wt));
  couple(v + Q, t1, v + C0, N.mul(two, N.mul(a, g0)), f64x2.neg(N.mul(half, i0)));
  couple(v + Q + 48, t0, v + C0, f64x2.neg(N.mul(two, N.mul(a, g1))), f64x2.neg(N.mul(half, i1)));
  couple(v + Q + 96, t1, v + C1, N.mul(two, N.mul(a, g0)), N.mul(half, i0));
  couple(v + Q + 144, t0, v + C1, f64x2.neg(N.mul(two, N.mul(a, g1))), N.mul(half, i1));
  const thetas = N.mul(stiffness, wt);
  const same = N.addMul(thetas, a, square);

  // Forces: D = Σ (κ − κ̄) d per edge, and the twist.
  restBinormal(v + WORK, e0, 16);
  N.subtract(v + D0, v + BINORMAL, v + WORK);
  restBinormal(v + WORK, e1, 32);
  N.subtract(v + D1, v + BINORMAL, v + WORK);
  const time = f64x2.splat(dt);
  const wd = N.mul(time, w);
  const turn = N.sub(E.nodeTwist(e0, e1), E.restOfNode(48));
  const moment = N.mul(N.mul(time, wt), turn);
  const s0 = N.sub(N.mul(wd, N.dot(v + D0, v + C0)), moment);
  const s1 = N.addMul(moment, wd, N.dot(v + D1, v + C1));
  N.addScaled(v + D0, v + D0, f64x2.splat(1), v + D1);
  const k = N.dot(v + D0, v + BINORMAL);
  N.cross(v + WORK, t1, v + D0);
  forceOf(v + H0, v + WORK, two, k, N.mul(wd, g0), N.mul(f64x2.splat(0.5), N.mul(moment, i0)));
  N.cross(v + WORK, t0, v + D0);
  forceOf(v + H1, v + WORK, f64x2.neg(two), k, N.mul(wd, g1), N.mul(f64x2.splat(0.5), N.mul(moment, i1)));

  // K base, by edges: a rigid motion cancels before anything is multiplied.
  const share = f64x2.div(constant(REACTION), stiffness);
  const r0 = N.mul(share, E.back(base, 24));
  const r1 = N.mul(share, E.here(base, 24));
  react(share, r0, r1);
  let u0 = N.addMul(N.addMul(s0, same, r0), f64x2.neg(thetas), r1);
  let u1 = N.addMul(N.addMul(s1, same, r1), f64x2.neg(thetas), r0);
  u0 = N.addMul(N.addMul(u0, share, N.dot(v + Q, v + W0)), share, N.dot(v + Q + 48, v + W1));
  u1 = N.addMul(N.addMul(u1, share, N.dot(v + Q + 96, v + W0)), share, N.dot(v + Q + 144, v + W1));
  N.deduct(b + 48 - RIGHT_BYTES, u0);
  N.deduct(b + 48, u1);

  // θ rows and columns of A. Rows of node i − 1, i, i + 1.
  const before = row - NODE_BYTES;
  const after = row + NODE_BYTES;
  N.accumulate(before + (ROW_T + 7) * 16, same);
  N.accumulate(row + (ROW_T + 7) * 16, same);
  N.deduct(row + (ROW_T + 3) * 16, thetas);
  for (let c: usize = 0; c < 3; c++) {
    const q00 = N.part(v + Q, c);
    const q01 = N.part(v + Q + 48, c);
    const q10 = N.part(v + Q + 96, c);
    const q11 = N.part(v + Q + 144, c);
    const line = rowOf(c);
    N.deduct(before + (ROW_T + 4 + c) * 16, q00);
    N.accumulate(row + (line + 7) * 16, N.sub(q00, q01));
    N.accumulate(after + (line + 3) * 16, q01);
    N.deduct(row + (ROW_T + c) * 16, q10);
    N.accumulate(row + (ROW_T + 4 + c) * 16, N.sub(q10, q11));
    N.accumulate(after + (line + 7) * 16, q11);
  }
}

function rowOf(c: usize): usize {
  return c == 0 ? ROW_X : c == 1 ? ROW_Y : ROW_Z;
}

/** out = s (t × c) + r κb */
function couple(out: usize, t: usize, c: usize, s: v128, r: v128): void {
  N.cross(vectors + WORK, t, c);
  N.scale(out, s, vectors + WORK);
  N.addScaled(out, out, r, vectors + BINORMAL);
}

/** out = w (sign·x − k s) + twist κb: the energy's gradient by one edge vector, times dt. */
function forceOf(out: usize, x: usize, sign: v128, k: v128, w: v128, twist: v128): void {
  N.scale(out, N.mul(w, sign), x);
  N.addScaled(out, out, f64x2.neg(N.mul(w, k)), vectors + SUM);
  N.addScaled(out, out, twist, vectors + BINORMAL);
}

/** H0, H1 += share·(P w + couplings·θ'), r0, r1 = share·θ', of the bending so far in the blocks. */
function react(share: v128, r0: v128, r1: v128): void {
  const v = vectors;
  N.scale(v + D0, share, v + W0);
  N.scale(v + D1, share, v + W1);
  const d0x = N.part(v + D0, 0);
  const d0y = N.part(v + D0, 1);
  const d0z = N.part(v + D0, 2);
  const d1x = N.part(v + D1, 0);
  const d1y = N.part(v + D1, 1);
  const d1z = N.part(v + D1, 2);
  for (let at: usize = 0; at < N.VECTOR; at += N.LANE) {
    const q = v + Q + at;
    let h0 = N.addMul(N.mul(r0, v128.load(q)), r1, v128.load(q, 96));
    let h1 = N.addMul(N.mul(r0, v128.load(q, 48)), r1, v128.load(q, 144));
    const row = blocks + 3 * at;
    h0 = N.addMul(h0, v128.load(row, P00), d0x);
    h0 = N.addMul(h0, v128.load(row, P00 + 16), d0y);
    h0 = N.addMul(h0, v128.load(row, P00 + 32), d0z);
    h1 = N.addMul(h1, v128.load(row, P11), d1x);
    h1 = N.addMul(h1, v128.load(row, P11 + 16), d1y);
    h1 = N.addMul(h1, v128.load(row, P11 + 32), d1z);
    h1 = N.addMul(h1, v128.load(row, P10), d0x);
    h1 = N.addMul(h1, v128.load(row, P10 + 16), d0y);
    h1 = N.addMul(h1, v128.load(row, P10 + 32), d0z);
    const line = blocks + at;
    h0 = N.addMul(h0, v128.load(line, P10), d1x);
    h0 = N.addMul(h0, v128.load(line, P10 + 48), d1y);
    h0 = N.addMul(h0, v128.load(line, P10 + 96), d1z);
    N.accumulate(v + H0 + at, h0);
    N.accumulate(v + H1 + at, h1);
  }
}

/**
 * Stretch of edge i into P11 and H1: k/l̄ (t tᵀ + max(0, (s − l̄)/l)(I − t tᵀ)), tension k (l/l̄ − 1); s the length that
 * the last linearisation saw (mechanics/rod/assemble-strand says why).
 */
function stretchEdge(i: i32, edge: usize, dt: f64): void {
  const t = edge + E.EDGE_TANGENT;
  const w1 = vectors + W1;
  const length = v128.load(edge, E.EDGE_LENGTH);
  const rest = E.restLength();
  const zero = f64x2.splat(0);
  const k = N.mul(E.present(i, 1), constant(STRETCH));
  const strain = N.sub(f64x2.div(length, rest), f64x2.splat(1));
  // Pressed edges keep no stiffness across: it would be negative.
  const viscous = N.sub(N.mul(constant(STIFFNESS), f64x2.splat(1 / (dt * dt))), f64x2.splat(1));
  const tight = f64x2.max(N.sub(E.seenLength(viscous), rest), zero);
  const slack = f64x2.min(f64x2.div(tight, f64x2.max(length, f64x2.splat(1e-300))), f64x2.splat(1));
  const along = N.mul(constant(STIFFNESS), f64x2.div(k, rest));
  const across = N.mul(along, slack);
  const share = f64x2.div(constant(REACTION), constant(STIFFNESS));
  const rate = N.dot(t, w1);
  const pull = N.mul(N.mul(f64x2.splat(dt), k), strain);
  const more = N.addMul(pull, N.mul(share, N.sub(along, across)), rate);
  N.addScaled(vectors + H1, vectors + H1, more, t);
  N.addScaled(vectors + H1, vectors + H1, N.mul(share, across), w1);
  const stiff = N.sub(along, across);
  for (let at: usize = 0; at < N.VECTOR; at += N.LANE) {
    const x = N.mul(stiff, v128.load(t + at));
    const row = blocks + P11 + 3 * at;
    v128.store(row, N.addMul(v128.load(row), x, v128.load(t)));
    v128.store(row, N.addMul(v128.load(row, 16), x, v128.load(t, 16)), 16);
    v128.store(row, N.addMul(v128.load(row, 32), x, v128.load(t, 32)), 32);
  }
  N.accumulate(blocks + P11, across);
  N.accumulate(blocks + P11 + 64, across);
  N.accumulate(blocks + P11 + 128, across);
}

/** Blocks and edge forces to the nodes i − 1 (where `inner`), i, i + 1. */
function spread(row: usize, b: usize, inner: bool): void {
  for (let at: usize = 0; at < N.VECTOR; at += N.LANE) {
    const h0 = v128.load(vectors + H0 + at);
    const h1 = v128.load(vectors + H1 + at);
    if (inner) N.accumulate(b - RIGHT_BYTES + at, h0);
    N.accumulate(b + at, N.sub(h1, h0));
    N.deduct(b + RIGHT_BYTES + at, h1);
  }
  if (inner) {
    spreadInner(row, ROW_X << 4, 0);
    spreadInner(row, ROW_Y << 4, 1);
    spreadInner(row, ROW_Z << 4, 2);
  } else {
    spreadFirst(row, ROW_X << 4, 0);
    spreadFirst(row, ROW_Y << 4, 1);
    spreadFirst(row, ROW_Z << 4, 2);
  }
}

/** Row r of the blocks of the first edge, which no bending node precedes: P11 only. */
function spreadFirst(row: usize, line: usize, r: usize): void {
  const here = row + line;
  const after = here + NODE_BYTES;
  const p = blocks + P11 + r * N.VECTOR;
  for (let c: usize = 0; c < 3; c++) {
    const p11 = v128.load(p + (c << 4));
    N.deduct(after + ((4 + c) << 4), p11);
    if (c > r) continue;
    N.accumulate(here + ((8 + c) << 4), p11);
    N.accumulate(after + ((8 + c) << 4), p11);
  }
}

/** Row r of the blocks of an inner node, to the rows of nodes i − 1, i, i + 1. */
function spreadInner(row: usize, line: usize, r: usize): void {
  const here = row + line;
  const before = here - NODE_BYTES;
  const after = here + NODE_BYTES;
  const p = blocks + r * N.VECTOR;
  for (let c: usize = 0; c < 3; c++) {
    const k = c << 4;
    const p00 = v128.load(p + k, P00);
    const p11 = v128.load(p + k, P11);
    const p10 = v128.load(p + k, P10);
    N.deduct(after + k, p10);
    N.accumulate(here + k + 64, N.sub(p10, p00));
    N.accumulate(after + k + 64, N.sub(p10, p11));
    if (c > r) continue;
    const p01 = v128.load(blocks + P10 + c * N.VECTOR + (r << 4));
    N.accumulate(before + k + 128, p00);
    N.accumulate(here + k + 128, N.sub(N.add(p00, p11), N.add(p10, p01)));
    N.accumulate(after + k + 128, p11);
  }
}

/** Masses, gravity, wind, user forces, what the base lacks of the step's first velocity; identity in idle rows. */
function addInertia(nodes: i32, matrix: usize, right: usize, base: usize, dt: f64): void {
  const masses = column(NODE_MASS);
  const velocities = column(NODE_VELOCITY);
  const forces = column(NODE_FORCE);
  const one = f64x2.splat(1);
  const drag = constant(DRAG);
  const time = f64x2.splat(dt);
  for (let i = 0; i < nodes; i++) {
    const row = matrix + <usize>i * NODE_BYTES;
    const b = right + <usize>i * RIGHT_BYTES;
    const on = E.present(i, 0);
    const idle = N.sub(one, on);
    E.focus(i);
    const mass = N.mul(on, E.massOfNode(masses, 0));
    const turning = E.present(i, 1);
    const inertia = N.mul(turning, E.massOfNode(masses, 8));
    for (let k: usize = 0; k < 4; k++) {
      const m = k < 3 ? mass : inertia;
      const now = E.here(base, k << 3);
      let push = N.subMul(N.sub(E.here(velocities, k << 3), now), drag, now);
      if (k < 3) push = N.add(push, v128.load(constants + (k << 4), PULL));
      const force = N.mul(k < 3 ? on : turning, E.here(forces, k << 3));
      N.accumulate(b + (k << 4), N.addMul(N.mul(m, push), time, force));
      const place = k == 0 ? ROW_X + 8 : k == 1 ? ROW_Y + 9 : k == 2 ? ROW_Z + 10 : ROW_T + 7;
      N.accumulate(row + (place << 4), N.add(N.addMul(m, m, drag), k < 3 ? idle : N.sub(one, turning)));
    }
  }
}
