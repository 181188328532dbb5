// What whole blocks of leaves need not be measured against each other: parts of one object that may not touch itself,
// and parts that move alike where only what moves against each other counts. Above the leaves of a tree (tree.ts).
//
// In: displacements of the nodes beyond the mean of all (leaf-records.ts), objects. Out: bits of the four below a block
// that are passed over. Any two points of two blocks move beside each other by no more than the boxes around their
// nodes' displacements are apart at most, for points between nodes move between them. A calm sheet that swings or falls
// moves fast, and all that is near each other on it alike: a bound by how fast each of them is passes nothing over.

import { bitsOf, GATE, NODE_RECORD, nodeRecords, OBJECT_ASLEEP, OBJECT_SELF, OBJECT_SURFACE } from './work';

// Fields of a gate of four members: f32×4 of least and greatest displacement x, y, z; i32×4 of first and last object.
const WAY_LOW: usize = 0;
const WAY_HIGH: usize = 48;
const FIRST: usize = 96;
const LAST: usize = 112;
/** Instead of an object that may touch itself. */
const ANY_OBJECT: i32 = -1;
/** Rounding of displacements in f32, and of their differences [-]. */
const ROUNDING: f64 = 1e-6;

/** Whether there is anything to pass over. */
export let gated: bool = false;
/** Square of the motion below which what moves alike is passed over [m²], −1: none is. */
let alike4: v128 = f32x4.splat(-1);

/** Says whether there are gates in this call. */
export function openGates(areGated: bool): void {
  gated = areGated;
}

/** Passes over what moves by less than `slowest` beside each other [m]; nothing moves farther than `farthest`. */
export function passAlike(slowest: f64, farthest: f64): void {
  const limit = slowest * 0.999 - 4 * ROUNDING * farthest;
  alike4 = f32x4.splat(limit > 0 ? <f32>(limit * limit) : -1);
}

// ── Unions ──────────────────────────────────

let wayLow: v128 = f32x4.splat(0);
let wayHigh: v128 = f32x4.splat(0);
let firstObject: i32 = 0;
let lastObject: i32 = 0;

/** Begins a union. */
export function beginUnion(): void {
  wayLow = f32x4.splat(Infinity);
  wayHigh = f32x4.splat(-Infinity);
  firstObject = i32.MAX_VALUE;
  lastObject = i32.MIN_VALUE;
}

export function uniteNode(node: i32): void {
  const way = v128.load(nodeRecords + <usize>node * NODE_RECORD, 16);
  wayLow = f32x4.pmin(wayLow, way);
  wayHigh = f32x4.pmax(wayHigh, way);
}

export function uniteObject(object: i32): void {
  const bits = bitsOf(object) & (OBJECT_SURFACE | OBJECT_SELF | OBJECT_ASLEEP);
  const name = bits == (OBJECT_SURFACE | OBJECT_SELF) ? ANY_OBJECT : object;
  firstObject = min(firstObject, name);
  lastObject = max(lastObject, name);
}

function leastOf(v: v128): f32 {
  const a = f32x4.pmin(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return min(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1));
}

function greatestOf(v: v128): f32 {
  const a = f32x4.pmax(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
  return max(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1));
}

/** Takes the union of the four members of a gate. */
export function uniteGate(gate: usize): void {
  wayLow = f32x4(
    leastOf(v128.load(gate, WAY_LOW)),
    leastOf(v128.load(gate, WAY_LOW + 16)),
    leastOf(v128.load(gate, WAY_LOW + 32)),
    0,
  );
  wayHigh = f32x4(
    greatestOf(v128.load(gate, WAY_HIGH)),
    greatestOf(v128.load(gate, WAY_HIGH + 16)),
    greatestOf(v128.load(gate, WAY_HIGH + 32)),
    0,
  );
  firstObject = i32.MAX_VALUE;
  lastObject = i32.MIN_VALUE;
  for (let k: usize = 0; k < 16; k += 4) {
    firstObject = min(firstObject, load<i32>(gate + k, FIRST));
    lastObject = max(lastObject, load<i32>(gate + k, LAST));
  }
}

/** Puts the union into the gates as member `member`. */
export function storeUnion(gates: usize, member: i32): void {
  const at = gates + <usize>(member >> 2) * GATE + ((<usize>(member & 3)) << 2);
  v128.store32_lane(at, wayLow, 0, WAY_LOW);
  v128.store32_lane(at, wayLow, 1, WAY_LOW + 16);
  v128.store32_lane(at, wayLow, 2, WAY_LOW + 32);
  v128.store32_lane(at, wayHigh, 0, WAY_HIGH);
  v128.store32_lane(at, wayHigh, 1, WAY_HIGH + 16);
  v128.store32_lane(at, wayHigh, 2, WAY_HIGH + 32);
  store<i32>(at, firstObject, FIRST);
  store<i32>(at, lastObject, LAST);
}

// ── Asking ──────────────────────────────────

// What is asked about, in all lanes.
let askLowX: v128 = f32x4.splat(0);
let askLowY: v128 = f32x4.splat(0);
let askLowZ: v128 = f32x4.splat(0);
let askHighX: v128 = f32x4.splat(0);
let askHighY: v128 = f32x4.splat(0);
let askHighZ: v128 = f32x4.splat(0);
/** The only object asked about that may not touch itself; −2: there are several, or none. */
let askObject: v128 = i32x4.splat(-2);

/** Asks about the union. */
export function askUnion(): void {
  askLowX = v128.shuffle<f32>(wayLow, wayLow, 0, 0, 0, 0);
  askLowY = v128.shuffle<f32>(wayLow, wayLow, 1, 1, 1, 1);
  askLowZ = v128.shuffle<f32>(wayLow, wayLow, 2, 2, 2, 2);
  askHighX = v128.shuffle<f32>(wayHigh, wayHigh, 0, 0, 0, 0);
  askHighY = v128.shuffle<f32>(wayHigh, wayHigh, 1, 1, 1, 1);
  askHighZ = v128.shuffle<f32>(wayHigh, wayHigh, 2, 2, 2, 2);
  askObject = i32x4.splat(firstObject == lastObject && firstObject != ANY_OBJECT ? firstObject : -2);
}

/** Bits of the members of a gate that need not be measured against what was asked about last. */
export function passedOver(gate: usize): i32 {
  const x = f32x4.pmax(f32x4.sub(askHighX, v128.load(gate, WAY_LOW)), f32x4.sub(v128.load(gate, WAY_HIGH), askLowX));
  const y = f32x4.pmax(
    f32x4.sub(askHighY, v128.load(gate, WAY_LOW + 16)),
    f32x4.sub(v128.load(gate, WAY_HIGH + 16), askLowY),
  );
  const z = f32x4.pmax(
    f32x4.sub(askHighZ, v128.load(gate, WAY_LOW + 32)),
    f32x4.sub(v128.load(gate, WAY_HIGH + 32), askLowZ),
  );
  const square = f32x4.add(f32x4.mul(x, x), f32x4.add(f32x4.mul(y, y), f32x4.mul(z, z)));
  const isOne = v128.and(i32x4.eq(v128.load(gate, FIRST), askObject), i32x4.eq(v128.load(gate, LAST), askObject));
  return i32x4.bitmask(v128.or(isOne, f32x4.lt(square, alike4)));
}

/** Whether members `a` and `b` of two lists of gates need not be measured against each other. */
export function arePassedOver(gates: usize, a: i32, others: usize, b: i32): bool {
  const p = gates + <usize>(a >> 2) * GATE + ((<usize>(a & 3)) << 2);
  const q = others + <usize>(b >> 2) * GATE + ((<usize>(b & 3)) << 2);
  const first = load<i32>(p, FIRST);
  const isOf = first != ANY_OBJECT && first == load<i32>(p, LAST);
  if (isOf && first == load<i32>(q, FIRST) && first == load<i32>(q, LAST)) return true;
  let square: f32 = 0;
  for (let k: usize = 0; k < 48; k += 16) {
    const most = max(
      load<f32>(p + k, WAY_HIGH) - load<f32>(q + k, WAY_LOW),
      load<f32>(q + k, WAY_HIGH) - load<f32>(p + k, WAY_LOW),
    );
    square += most * most;
  }
  return square < f32x4.extract_lane(alike4, 0);
}
