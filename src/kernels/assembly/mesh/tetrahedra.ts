// Elastic force and stiffness of a solid's tetrahedra: their part of A and b (assemble.ts), four at a time. Twin of
// mechanics/solid/differentiate-element.ts, projected and with the stress that the last linearisation saw; that file
// has the mathematics.
//
// Positions, decomposition and stress in f64×2, two elements each: strain is a small difference of large numbers. The
// stiffness in f32×4, which A is solved in anyhow (point-stiffness.ts).

import { CRUSHED_VOLUME } from '../../../core/elastic-constants';
import {
  OBJECT_TETRAHEDRA,
  ROD_EXTRA,
  ROD_FLAGS,
  ROD_MODEL_SHIFT,
  STRAND_ROD,
  TETRAHEDRON_REST,
} from '../../../state/layout';
import {
  M_AT,
  M_BASE,
  M_BEFORE,
  M_ELEMENT_NODES,
  M_OBJECT,
  M_RIGHT,
  M_TETRAHEDRON_ROW,
} from '../../../state/mesh-layout';
import { column, getI32 } from '../memory';
import { at, deductRow, dotColumns, ROW64, sum3Double } from './blocks';
import { decompose } from './decompose';
import { addPointStiffness, clearStiffness, handOutStiffness, narrowPoint } from './point-stiffness';
import { setQuadraticShape } from './quadratic-shape';
import {
  D_DIFFERENCE,
  D_FIRST,
  D_MIXED,
  D_SECOND,
  D_SUM,
  differentiateOnce,
  differentiateStretches,
  recover,
  setLaw,
} from './stretch';

/** Bytes of an element's rest shape. */
const REST: usize = 96;
/** Where in it the volume is [B]. */
const REST_VOLUME: usize = 72;

// Of two elements, vectors of f64×2.
/** Positions less that of node 0, three each: now, at the last linearisation; base velocities likewise. */
const now = memory.data(480, 16);
const before = memory.data(480, 16);
const rates = memory.data(480, 16);
/** Gradients of the barycentric coordinates, and of the shape functions at a point [1/m]; the latter in the frame V. */
const corners = memory.data(192, 16);
const shape = memory.data(480, 16);
const turned = memory.data(480, 16);
/** F and its decomposition, the stretches, derivatives of the energy by them. */
const F = memory.data(144, 16);
const U = memory.data(144, 16);
const V = memory.data(144, 16);
const stretches = memory.data(48, 16);
const derivatives = memory.data(240, 16);
/** What the last linearisation had: its F in the frame V; the stretches that it sees now. */
const lastF = memory.data(144, 16);
const lastU = memory.data(144, 16);
const lastV = memory.data(144, 16);
const lastStretches = memory.data(48, 16);
const seen = memory.data(48, 16);
const seenDerivatives = memory.data(240, 16);
/** A matrix on the way. */
const spare = memory.data(144, 16);
const stress = memory.data(144, 16);

/** Of four elements: −dt times the force on each node, three numbers of f64×4 each [N s]. */
const push = memory.data(960, 16);
/** Of four elements: their volume over points of integration, 0 where there is none [m³]. */
const weights = memory.data(32, 16);

/** Whether elements are taken as they are at rest, wherever their nodes are. */
let isAtRest: bool = false;

/** Says whether the elements to come are taken at rest. */
export function takeAtRest(on: bool): void {
  isAtRest = on;
}

/** Adds the elements of an object; factors of K as assembleMesh has them. */
export function addTetrahedra(record: usize, material: usize, dt: f64, stiffness: f64, viscous: f64): void {
  const object = load<i32>(record, M_OBJECT);
  const rod = getI32(column(STRAND_ROD), object);
  const range = column(OBJECT_TETRAHEDRA) + ((<usize>object) << 3);
  const first = <usize>load<i32>(range);
  const count = <usize>load<i32>(range, 4);
  const model = (getI32(column(ROD_FLAGS), rod) >> ROD_MODEL_SHIFT) & 3;
  setLaw(model, load<f64>(material, 32), load<f64>(column(ROD_EXTRA) + ((<usize>rod) << 5), 24));
  const damping = stiffness / (dt * dt) - 1;
  const width = <usize>load<i32>(record, M_ELEMENT_NODES);
  const points: usize = width > 4 ? 4 : 1;
  const rest = column(TETRAHEDRON_REST) + first * REST;
  if (!isAtRest && isCrushed(record, width, rest, count)) recover();
  for (let e: usize = 0; e < count; e += 4) {
    memory.fill(push, 0, width * 96);
    clearStiffness(width);
    for (let half: usize = 0; half < 2; half++) {
      readPair(record, width, half << 4, e + 2 * half, count, rest, 1 / <f64>points);
      for (let q: usize = 0; q < points; q++) {
        if (width > 4) setQuadraticShape(shape, corners, q);
        else memory.copy(shape, corners, 192);
        evaluate(width, damping);
        addStress(width, half << 4, dt, viscous);
        const weight = f64x2.mul(v128.load(weights + (half << 4)), f64x2.splat(stiffness));
        narrowPoint(q, half << 3, width, U, turned, derivatives, weight);
      }
    }
    for (let q: usize = 0; q < points; q++) addPointStiffness(q, width);
    const most = min<usize>(4, count - e);
    handOutPush(record, width, e, most);
    handOutStiffness(record, width, e, most);
  }
}

/** Whether a solid is crushed: twin of mechanics/solid/crushed.ts, which says what that is. */
function isCrushed(record: usize, width: usize, rest: usize, count: usize): bool {
  const list = at(record, M_TETRAHEDRON_ROW);
  const from = at(record, M_AT);
  let small: usize = 0;
  for (let e: usize = 0; e < count; e++) {
    const p = list + ((e * width) << 2);
    const o = from + ((<usize>load<i32>(p)) << ROW64);
    const u = from + ((<usize>load<i32>(p, 4)) << ROW64);
    const v = from + ((<usize>load<i32>(p, 8)) << ROW64);
    const w = from + ((<usize>load<i32>(p, 12)) << ROW64);
    const a = load<f64>(u) - load<f64>(o);
    const b = load<f64>(u, 8) - load<f64>(o, 8);
    const c = load<f64>(u, 16) - load<f64>(o, 16);
    const d = load<f64>(v) - load<f64>(o);
    const f = load<f64>(v, 8) - load<f64>(o, 8);
    const g = load<f64>(v, 16) - load<f64>(o, 16);
    const h = load<f64>(w) - load<f64>(o);
    const i = load<f64>(w, 8) - load<f64>(o, 8);
    const j = load<f64>(w, 16) - load<f64>(o, 16);
    const volume = (a * (f * j - g * i) - b * (d * j - g * h) + c * (d * i - f * h)) / 6;
    if (volume < 0) return true;
    if (volume < CRUSHED_VOLUME * load<f64>(rest + e * REST, REST_VOLUME)) small++;
  }
  return small + small > count;
}

/** What is there of elements e and e + 1, one that is not being the last one without a weight. */
function readPair(record: usize, width: usize, half: usize, e: usize, count: usize, rest: usize, share: f64): void {
  const i = min<usize>(e, count - 1);
  const j = min<usize>(e + 1, count - 1);
  const a = rest + i * REST;
  const b = rest + j * REST;
  for (let k: usize = 0; k < 64; k += 16) {
    const x = v128.load(a + k);
    const y = v128.load(b + k);
    v128.store(corners + (k << 1), v128.shuffle<f64>(x, y, 0, 2), 48);
    v128.store(corners + (k << 1), v128.shuffle<f64>(x, y, 1, 3), 64);
  }
  v128.store(corners, v128.shuffle<f64>(v128.load(a, 64), v128.load(b, 64), 0, 2), 176);
  for (let k: usize = 0; k < 48; k += 16) {
    const sum = f64x2.add(v128.load(corners + k, 48), v128.load(corners + k, 96));
    v128.store(corners + k, f64x2.neg(f64x2.add(sum, v128.load(corners + k, 144))));
  }
  const low = e < count ? share * load<f64>(a, REST_VOLUME) : 0;
  const high = e + 1 < count ? share * load<f64>(b, REST_VOLUME) : 0;
  v128.store(weights + half, f64x2(low, high));
  const list = at(record, M_TETRAHEDRON_ROW);
  const p = list + ((i * width) << 2);
  const q = list + ((j * width) << 2);
  readNodes(now, at(record, M_AT), p, q, width);
  readNodes(before, at(record, M_BEFORE), p, q, width);
  readNodes(rates, at(record, M_BASE), p, q, width);
}

/** Vectors of the nodes of two elements, less those of their first. */
function readNodes(to: usize, from: usize, p: usize, q: usize, width: usize): void {
  let x = f64x2.splat(0);
  let y = x;
  let z = x;
  const end = width << 2;
  for (let a: usize = 0; a < end; a += 4) {
    const i = from + ((<usize>load<i32>(p + a)) << ROW64);
    const j = from + ((<usize>load<i32>(q + a)) << ROW64);
    const low = v128.load(i);
    const high = v128.load(j);
    const u = v128.shuffle<f64>(low, high, 0, 2);
    const v = v128.shuffle<f64>(low, high, 1, 3);
    const w = v128.shuffle<f64>(v128.load(i, 16), v128.load(j, 16), 0, 2);
    if (a == 0) {
      x = u;
      y = v;
      z = w;
    }
    v128.store(to, f64x2.sub(u, x));
    v128.store(to, f64x2.sub(v, y), 16);
    v128.store(to, f64x2.sub(w, z), 32);
    to += 48;
  }
}

/** M := Σ x_a g_aᵀ over the nodes but the first, whose x is 0. */
function addOuters(M: usize, x: usize, g: usize, width: usize): void {
  for (let r: usize = 0; r < 48; r += 16) {
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    for (let n: usize = 48; n < 48 * width; n += 48) {
      const s = v128.load(x + n + r);
      a = f64x2.add(a, f64x2.mul(s, v128.load(g + n)));
      b = f64x2.add(b, f64x2.mul(s, v128.load(g + n, 16)));
      c = f64x2.add(c, f64x2.mul(s, v128.load(g + n, 32)));
    }
    const to = M + 3 * r;
    v128.store(to, a);
    v128.store(to, b, 16);
    v128.store(to, c, 32);
  }
}

/** Decomposition at a point, the derivatives there, the gradients in the frame V. */
function evaluate(width: usize, damping: f64): void {
  addOuters(F, now, shape, width);
  if (isAtRest) {
    memory.fill(F, 0, 144);
    for (let k: usize = 0; k < 144; k += 64) v128.store(F + k, f64x2.splat(1));
  }
  decompose(U, stretches, V, F);
  differentiateStretches(derivatives, stretches);
  for (let a: usize = 0; a < 48 * width; a += 48) {
    const x = v128.load(shape + a);
    const y = v128.load(shape + a, 16);
    const z = v128.load(shape + a, 32);
    for (let k: usize = 0; k < 48; k += 16) {
      const sum = sum3Double(x, y, z, v128.load(V + k), v128.load(V + k, 48), v128.load(V + k, 96));
      v128.store(turned + a + k, sum);
    }
  }
  seeTwist(width, damping);
}

/** Stiffness against turning from the stress that the last linearisation saw: as seeTwist of the mechanics. */
function seeTwist(width: usize, damping: f64): void {
  if (isAtRest) memory.copy(lastF, V, 144);
  else addOuters(lastF, before, turned, width);
  decompose(lastU, lastStretches, lastV, lastF);
  const viscous = f64x2.splat(damping);
  for (let i: usize = 0; i < 48; i += 16) {
    // Column i of R V.
    const row = lastV + 3 * i;
    const p = v128.load(row);
    const q = v128.load(row, 16);
    const r = v128.load(row, 32);
    const x = sum3Double(p, q, r, v128.load(lastU), v128.load(lastU, 16), v128.load(lastU, 32));
    const y = sum3Double(p, q, r, v128.load(lastU, 48), v128.load(lastU, 64), v128.load(lastU, 80));
    const z = sum3Double(p, q, r, v128.load(lastU, 96), v128.load(lastU, 112), v128.load(lastU, 128));
    const u = U + i;
    const l = lastF + i;
    const turn = sum3Double(x, y, z, v128.load(u), v128.load(u, 48), v128.load(u, 96));
    const earlier = sum3Double(x, y, z, v128.load(l), v128.load(l, 48), v128.load(l, 96));
    const along = f64x2.mul(v128.load(stretches + i), turn);
    v128.store(seen + i, f64x2.add(along, f64x2.mul(viscous, f64x2.sub(along, earlier))));
  }
  differentiateOnce(seenDerivatives, seen);
  const by = f64x2.splat(1 / (1 + damping));
  const zero = f64x2.splat(0);
  for (let k = D_SUM; k < D_SUM + 48; k += 16) {
    const least = f64x2.min(v128.load(derivatives + k), v128.load(seenDerivatives + k));
    v128.store(derivatives + k, f64x2.mul(by, f64x2.max(zero, least)));
  }
}

/** push += dt P g and viscous times what the rates add, of two elements. */
function addStress(width: usize, half: usize, dt: f64, viscous: f64): void {
  // Rates in the frames.
  addOuters(spare, rates, turned, width);
  const weight = v128.load(weights + half);
  const step = f64x2.mul(weight, f64x2.splat(dt));
  const slow = f64x2.mul(weight, f64x2.splat(viscous));
  const rate0 = dotColumns(U, spare);
  const rate1 = dotColumns(U + 16, spare + 16);
  const rate2 = dotColumns(U + 32, spare + 32);
  const d = derivatives;
  const mixed0 = v128.load(d, D_MIXED);
  const mixed1 = v128.load(d, D_MIXED + 16);
  const mixed2 = v128.load(d, D_MIXED + 32);
  const own0 = sum3Double(v128.load(d, D_SECOND), mixed2, mixed1, rate0, rate1, rate2);
  const own1 = sum3Double(mixed2, v128.load(d, D_SECOND + 16), mixed0, rate0, rate1, rate2);
  const own2 = sum3Double(mixed1, mixed0, v128.load(d, D_SECOND + 32), rate0, rate1, rate2);
  v128.store(stress, f64x2.add(f64x2.mul(step, v128.load(d, D_FIRST)), f64x2.mul(slow, own0)));
  v128.store(stress, f64x2.add(f64x2.mul(step, v128.load(d, D_FIRST + 16)), f64x2.mul(slow, own1)), 64);
  v128.store(stress, f64x2.add(f64x2.mul(step, v128.load(d, D_FIRST + 32)), f64x2.mul(slow, own2)), 128);
  shear(stress + 80, stress + 112, 16, 32, D_SUM, slow);
  shear(stress + 96, stress + 32, 32, 0, D_SUM + 16, slow);
  shear(stress + 16, stress + 48, 0, 16, D_SUM + 32, slow);

  // spare := U stress, whose product with a turned gradient is what the node is pushed with.
  for (let r: usize = 0; r < 144; r += 48) {
    const x = v128.load(U + r);
    const y = v128.load(U + r, 16);
    const z = v128.load(U + r, 32);
    for (let c: usize = 0; c < 48; c += 16) {
      const from = stress + c;
      v128.store(spare + r + c, sum3Double(x, y, z, v128.load(from), v128.load(from, 48), v128.load(from, 96)));
    }
  }
  for (let a: usize = 0; a < width; a++) {
    const g = turned + 48 * a;
    const to = push + 96 * a + half;
    const x = v128.load(g);
    const y = v128.load(g, 16);
    const z = v128.load(g, 32);
    for (let r: usize = 0; r < 3; r++) {
      const from = spare + 48 * r;
      const sum = sum3Double(x, y, z, v128.load(from), v128.load(from, 16), v128.load(from, 32));
      v128.store(to + (r << 5), f64x2.add(v128.load(to + (r << 5)), sum));
    }
  }
}

/** Entries ij and ji of the stress: own rate_ij + other rate_ji, own = (difference + sum)/2, other = that − sum. */
function shear(ij: usize, ji: usize, i: usize, j: usize, sum: usize, slow: v128): void {
  const s = v128.load(derivatives + sum);
  const d = v128.load(derivatives + sum - (D_SUM - D_DIFFERENCE));
  const half = f64x2.mul(slow, f64x2.splat(0.5));
  const own = f64x2.mul(half, f64x2.add(d, s));
  const other = f64x2.mul(half, f64x2.sub(d, s));
  const rate = dotColumns(U + i, spare + j);
  const back = dotColumns(U + j, spare + i);
  v128.store(ij, f64x2.add(f64x2.mul(own, rate), f64x2.mul(other, back)));
  v128.store(ji, f64x2.add(f64x2.mul(own, back), f64x2.mul(other, rate)));
}

/** Takes what the elements push off b. */
function handOutPush(record: usize, width: usize, e: usize, most: usize): void {
  const right = at(record, M_RIGHT);
  let row = at(record, M_TETRAHEDRON_ROW) + ((e * width) << 2);
  for (let lane: usize = 0; lane < most; lane++) {
    let from = push + (lane << 3);
    for (let a: usize = 0; a < width; a++, row += 4, from += 96) {
      deductRow(right, <usize>load<i32>(row), load<f64>(from), load<f64>(from, 32), load<f64>(from, 64));
    }
  }
}
