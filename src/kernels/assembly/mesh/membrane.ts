// Stretch, shear and air of a shell's triangles: their part of A and b (assemble.ts).

import { NODE_VELOCITY, OBJECT_TRIANGLES, TRIANGLE_NODE, TRIANGLE_REST, WIND } from '../../../state/layout';
import {
  BLOCK64,
  M_AT,
  M_BASE,
  M_BEFORE,
  M_BELOW,
  M_FIRST,
  M_NODE_OF,
  M_OBJECT,
  M_RIGHT,
  M_ROW_SUM,
  M_TRIANGLE_SLOT,
} from '../../../state/mesh-layout';
import { column, parameter } from '../memory';
import { addOuter, at, deductRow, dotOf, part, ROW64, rowOf, sum2 } from './blocks';

/** Rows of a triangle's nodes. */
let row0: usize = 0;
let row1: usize = 0;
let row2: usize = 0;

/** F: columns f1 and f2. */
const deformed = memory.data(48);
const deformedBefore = memory.data(48);
const rates = memory.data(48);

/** out := [x1 − x0, x2 − x0] Dm⁻¹ of rows of vectors. */
function deform(out: usize, rows: usize, rest: usize): void {
  const a = load<f64>(rest);
  const b = load<f64>(rest, 8);
  const c = load<f64>(rest, 16);
  const d = load<f64>(rest, 24);
  for (let k: usize = 0; k < 24; k += 8) {
    const x = part(rows, row0, k);
    const u = part(rows, row1, k) - x;
    const v = part(rows, row2, k) - x;
    store<f64>(out + k, u * a + v * c);
    store<f64>(out + k, u * b + v * d, 24);
  }
}

/** Positive part of a symmetric 2×2 matrix. */
let plus11: f64 = 0;
let plus22: f64 = 0;
let plus12: f64 = 0;

function positivePart(s11: f64, s22: f64, s12: f64): void {
  const mean = 0.5 * (s11 + s22);
  const half = 0.5 * (s11 - s22);
  const radius = sqrt<f64>(half * half + s12 * s12);
  const high = mean + radius;
  const low = mean - radius;
  plus11 = s11;
  plus22 = s22;
  plus12 = s12;
  if (low >= 0) return;
  const share: f64 = high > 0 ? high / (high - low) : 0;
  plus11 = share * (s11 - low);
  plus22 = share * (s22 - low);
  plus12 = share * s12;
}

/** Twin of mechanics/shell/membrane.ts; air: that of shell-system.ts. */
export function addTriangles(
  record: usize,
  material: usize,
  weftModulus: f64,
  poisson: f64,
  drag: f64,
  dt: f64,
  stiffness: f64,
  viscous: f64,
): void {
  const object = load<i32>(record, M_OBJECT);
  const range = column(OBJECT_TRIANGLES) + ((<usize>object) << 3);
  const first = <usize>load<i32>(range);
  const count = <usize>load<i32>(range, 4);
  const half = load<f64>(material);
  const modulus = load<f64>(material, 32);
  const shearModulus = load<f64>(material, 24);
  const along = (2 * half * modulus) / (1 - poisson * poisson);
  const isWoven = weftModulus > 0;
  const weft = isWoven ? (2 * half * weftModulus) / (1 - poisson * poisson) : along;
  const across = poisson * (isWoven ? sqrt<f64>(along * weft) : along);
  const mean = isWoven ? sqrt<f64>(modulus * weftModulus) : modulus;
  const shear = 2 * half * (shearModulus > 0 ? shearModulus : mean / (2 + 2 * poisson));
  const kept = (dt * dt) / stiffness;
  const right = at(record, M_RIGHT);
  const x = at(record, M_AT);
  const below = at(record, M_BELOW);
  const f1 = deformed;
  const f2: usize = deformed + 24;

  for (let t: usize = 0; t < count; t++) {
    const nodes = column(TRIANGLE_NODE) + ((first + t) << 4);
    const rest = column(TRIANGLE_REST) + ((first + t) << 6);
    row0 = rowOf(record, load<i32>(nodes));
    row1 = rowOf(record, load<i32>(nodes, 4));
    row2 = rowOf(record, load<i32>(nodes, 8));
    const area = load<f64>(rest, 32);
    const p1 = load<f64>(rest);
    const q1 = load<f64>(rest, 8);
    const p2 = load<f64>(rest, 16);
    const q2 = load<f64>(rest, 24);
    const p0 = -p1 - p2;
    const q0 = -q1 - q2;
    deform(deformed, x, rest);
    const square1 = dotOf(f1, f1);
    const square2 = dotOf(f2, f2);
    const product12 = dotOf(f1, f2);
    const e11 = 0.5 * (square1 - 1);
    const e22 = 0.5 * (square2 - 1);

    // The stress that the last linearisation saw here, with its viscous part.
    deform(deformedBefore, at(record, M_BEFORE), rest);
    const g1 = deformedBefore;
    const g2: usize = deformedBefore + 24;
    const seen11 = dotOf(g1, g1);
    const seen22 = dotOf(g2, g2);
    const seen12 = dotOf(g1, g2);
    const t11 = 0.5 * kept * (seen11 - 1) + dotOf(g1, f1) - seen11;
    const t22 = 0.5 * kept * (seen22 - 1) + dotOf(g2, f2) - seen22;
    const t12 = kept * seen12 + dotOf(g1, f2) + dotOf(g2, f1) - 2 * seen12;
    positivePart(along * t11 + across * t22, weft * t22 + across * t11, shear * t12);
    plus11 *= stiffness * area;
    plus22 *= stiffness * area;
    plus12 *= stiffness * area;

    // dt F and σ K base together: stresses dt S + σ Ṡ on F, and σ S⁺ on the rates.
    deform(rates, at(record, M_BASE), rest);
    const w1 = rates;
    const w2: usize = rates + 24;
    const r11 = dotOf(f1, w1);
    const r22 = dotOf(f2, w2);
    const r12 = dotOf(f1, w2) + dotOf(f2, w1);
    const s11 = area * (dt * (along * e11 + across * e22) + viscous * (along * r11 + across * r22));
    const s22 = area * (dt * (weft * e22 + across * e11) + viscous * (weft * r22 + across * r11));
    const s12 = area * shear * (dt * product12 + viscous * r12);
    const share = viscous / stiffness;
    const u11 = share * plus11;
    const u22 = share * plus22;
    const u12 = share * plus12;
    // Rows of (F S + W S⁺): what each shape gradient is multiplied with.
    const a0 = load<f64>(f1) * s11 + load<f64>(f2) * s12 + load<f64>(w1) * u11 + load<f64>(w2) * u12;
    const a1 = load<f64>(f1, 8) * s11 + load<f64>(f2, 8) * s12 + load<f64>(w1, 8) * u11 + load<f64>(w2, 8) * u12;
    const a2 = load<f64>(f1, 16) * s11 + load<f64>(f2, 16) * s12 + load<f64>(w1, 16) * u11 + load<f64>(w2, 16) * u12;
    const b0 = load<f64>(f1) * s12 + load<f64>(f2) * s22 + load<f64>(w1) * u12 + load<f64>(w2) * u22;
    const b1 = load<f64>(f1, 8) * s12 + load<f64>(f2, 8) * s22 + load<f64>(w1, 8) * u12 + load<f64>(w2, 8) * u22;
    const b2 = load<f64>(f1, 16) * s12 + load<f64>(f2, 16) * s22 + load<f64>(w1, 16) * u12 + load<f64>(w2, 16) * u22;
    deductRow(right, row0, p0 * a0 + q0 * b0, p0 * a1 + q0 * b1, p0 * a2 + q0 * b2);
    deductRow(right, row1, p1 * a0 + q1 * b0, p1 * a1 + q1 * b1, p1 * a2 + q1 * b2);
    deductRow(right, row2, p2 * a0 + q2 * b0, p2 * a1 + q2 * b1, p2 * a2 + q2 * b2);

    // Blocks of pairs only: rows of K add up to 0 (closeRows). A block's row is the higher of the two.
    const scale = stiffness * area;
    const c11 = scale * along;
    const c12 = scale * across;
    const c22 = scale * weft;
    const c33 = scale * shear;
    const slots = at(record, M_TRIANGLE_SLOT) + 12 * t;
    const slot01 = below + <usize>load<i32>(slots) * BLOCK64;
    addPair(slot01, row0 > row1, p0, q0, p1, q1, c11, c12, c22, c33);
    const slot12 = below + <usize>load<i32>(slots, 4) * BLOCK64;
    addPair(slot12, row1 > row2, p1, q1, p2, q2, c11, c12, c22, c33);
    const slot20 = below + <usize>load<i32>(slots, 8) * BLOCK64;
    addPair(slot20, row2 > row0, p2, q2, p0, q0, c11, c12, c22, c33);
    if (drag > 0) addAir(record, dt * drag, slots);
  }
}

/**
 * Block of nodes i (pi, qi) and j (pj, qj) of the membrane, or its transpose where it is not `upright`:
 * α f1 f1ᵀ + β f1 f2ᵀ + γ f2 f1ᵀ + δ f2 f2ᵀ and the geometric part.
 */
function addPair(
  block: usize,
  upright: bool,
  pi: f64,
  qi: f64,
  pj: f64,
  qj: f64,
  c11: f64,
  c12: f64,
  c22: f64,
  c33: f64,
): void {
  const p = select<f64>(pi, pj, upright);
  const q = select<f64>(qi, qj, upright);
  const u = select<f64>(pj, pi, upright);
  const v = select<f64>(qj, qi, upright);
  const a = c11 * p * u + c33 * q * v;
  const b = c12 * p * v + c33 * q * u;
  const c = c12 * q * u + c33 * p * v;
  const d = c22 * q * v + c33 * p * u;
  const geometric = p * (plus11 * u + plus12 * v) + q * (plus12 * u + plus22 * v);
  const f1 = deformed;
  const f2: usize = deformed + 24;
  const f1xy = v128.load(f1);
  const f1z = v128.load64_zero(f1, 16);
  const f2xy = v128.load(f2);
  const f2z = v128.load64_zero(f2, 16);
  let s = load<f64>(f1);
  let t = load<f64>(f2);
  let first = f64x2.splat(a * s + b * t);
  let second = f64x2.splat(c * s + d * t);
  v128.store(block, f64x2.add(sum2(v128.load(block), first, f1xy, second, f2xy), f64x2(geometric, 0)));
  v128.store(block, sum2(v128.load(block, 16), first, f1z, second, f2z), 16);
  s = load<f64>(f1, 8);
  t = load<f64>(f2, 8);
  first = f64x2.splat(a * s + b * t);
  second = f64x2.splat(c * s + d * t);
  v128.store(block, f64x2.add(sum2(v128.load(block, 32), first, f1xy, second, f2xy), f64x2(0, geometric)), 32);
  v128.store(block, sum2(v128.load(block, 48), first, f1z, second, f2z), 48);
  s = load<f64>(f1, 16);
  t = load<f64>(f2, 16);
  first = f64x2.splat(a * s + b * t);
  second = f64x2.splat(c * s + d * t);
  v128.store(block, sum2(v128.load(block, 64), first, f1xy, second, f2xy), 64);
  v128.store(block, f64x2.add(sum2(v128.load(block, 80), first, f1z, second, f2z), f64x2(geometric, 0)), 80);
}

// ── Air ───────────────────────────────────

const vectors = memory.data(6 * 32);

/** Pressure against the motion of the face at row0, row1, row2 along its normal; `drag`: times the time step. */
function addAir(record: usize, drag: f64, slots: usize): void {
  const x = at(record, M_AT);
  const normal = vectors;
  const x0 = part(x, row0, 0);
  const y0 = part(x, row0, 8);
  const z0 = part(x, row0, 16);
  const ux = part(x, row1, 0) - x0;
  const uy = part(x, row1, 8) - y0;
  const uz = part(x, row1, 16) - z0;
  const vx = part(x, row2, 0) - x0;
  const vy = part(x, row2, 8) - y0;
  const vz = part(x, row2, 16) - z0;
  store<f64>(normal, uy * vz - uz * vy);
  store<f64>(normal, uz * vx - ux * vz, 8);
  store<f64>(normal, ux * vy - uy * vx, 16);
  const twice = sqrt<f64>(dotOf(normal, normal));
  if (!(twice > 0)) return;
  const velocities = column(NODE_VELOCITY) + ((<usize>load<i32>(record, M_FIRST)) << ROW64);
  const nodeOf = at(record, M_NODE_OF);
  const v0 = velocities + ((<usize>load<i32>(nodeOf + (row0 << 2))) << ROW64);
  const v1 = velocities + ((<usize>load<i32>(nodeOf + (row1 << 2))) << ROW64);
  const v2 = velocities + ((<usize>load<i32>(nodeOf + (row2 << 2))) << ROW64);
  const base = at(record, M_BASE);
  let blow: f64 = 0;
  let speed: f64 = 0;
  let own: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    const n = load<f64>(normal + k) / twice;
    store<f64>(normal + k, n);
    blow += n * parameter(WIND + <i32>k);
    speed += (n * (load<f64>(v0 + k) + load<f64>(v1 + k) + load<f64>(v2 + k))) / 3;
    own += (n * (part(base, row0, k) + part(base, row1, k) + part(base, row2, k))) / 3;
  }
  const weight = drag * 0.5 * twice * abs<f64>(speed - blow);
  const push = (weight / 3) * (own - blow);
  const right = at(record, M_RIGHT);
  const nx = load<f64>(normal);
  const ny = load<f64>(normal, 8);
  const nz = load<f64>(normal, 16);
  deductRow(right, row0, push * nx, push * ny, push * nz);
  deductRow(right, row1, push * nx, push * ny, push * nz);
  deductRow(right, row2, push * nx, push * ny, push * nz);
  const sums = at(record, M_ROW_SUM);
  const below = at(record, M_BELOW);
  addOuter(sums + row0 * BLOCK64, normal, normal, weight / 3);
  addOuter(sums + row1 * BLOCK64, normal, normal, weight / 3);
  addOuter(sums + row2 * BLOCK64, normal, normal, weight / 3);
  for (let k: usize = 0; k < 12; k += 4) {
    addOuter(below + <usize>load<i32>(slots + k) * BLOCK64, normal, normal, weight / 9);
  }
}
