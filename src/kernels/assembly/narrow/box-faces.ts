// A face of one box against the face of another that looks most against it: the points where they lie over each other.
//
// In: frames of both boxes (shapes/polytope-frame.ts), a reference face. Out: candidates, and the corners of the
// incident face as seen from the reference. Every corner of the incident face inside the reference face, every crossing
// of their outlines, and every corner of the reference face inside the incident one is found on its own.

import { getF64 } from '../memory';
import { addLocalCandidate, edgeFeature, VERTEX_OF_A, VERTEX_OF_B } from '../shapes/polytope-frame';

/** Rounding of coordinates in the reference face, relative to the extents. */
const ROUNDING: f64 = 1e-9;

/** Corners of the incident face: u, v in the reference face and gap above it. */
export const CORNER: usize = memory.data(4 * 32, 16);

/** Axis of the incident face and the side of its box on which it lies, set by addFaceCandidates. */
export let incidentAxis: i32 = 0;
export let incidentFacing: f64 = 1;

// Gaps up to which points are taken, what they are multiplied with, and at least are [m].
let reach: f64 = 0;
let slant: f64 = 1;
let floor: f64 = -Infinity;

/**
 * Takes points with a gap up to `greatest` [m] from now on; theirs is multiplied by
 * `factor`, and is at least `least` [m].
 */
export function takeUpTo(greatest: f64, factor: f64, least: f64): void {
  reach = greatest;
  slant = factor;
  floor = least;
}

/** Clips the incident face against face i (on the given side) of the reference box. */
export function addFaceCandidates(
  ofB: bool,
  i: i32,
  side: f64,
  axes: usize,
  origin: usize,
  shift: usize,
  turn: usize,
  half: usize,
  otherHalf: usize,
): void {
  const iu = i == 2 ? 0 : i + 1;
  const iv = i == 0 ? 2 : i - 1;
  const hu = getF64(half, iu);
  const hv = getF64(half, iv);
  const hn = getF64(half, i);
  // Incident face: the other box's axis j most along the normal, on the side that looks back.
  let j = 0;
  for (let k = 1; k < 3; k++) if (Math.abs(getF64(turn, 3 * i + k)) > Math.abs(getF64(turn, 3 * i + j))) j = k;
  const jp = j == 2 ? 0 : j + 1;
  const jq = j == 0 ? 2 : j - 1;
  const facing = side * getF64(turn, 3 * i + j) > 0 ? -1.0 : 1.0;
  incidentAxis = j;
  incidentFacing = facing;
  const hj = facing * getF64(otherHalf, j);
  const hp = getF64(otherHalf, jp);
  const hq = getF64(otherHalf, jq);
  // Its middle and half edges p, q: coordinates u, v in the reference face, gap g above it.
  const cu = getF64(shift, iu) + hj * getF64(turn, 3 * iu + j);
  const cv = getF64(shift, iv) + hj * getF64(turn, 3 * iv + j);
  const cg = side * (getF64(shift, i) + hj * getF64(turn, 3 * i + j)) - hn;
  const pu = hp * getF64(turn, 3 * iu + jp);
  const pv = hp * getF64(turn, 3 * iv + jp);
  const pg = hp * side * getF64(turn, 3 * i + jp);
  const qu = hq * getF64(turn, 3 * iu + jq);
  const qv = hq * getF64(turn, 3 * iv + jq);
  const qg = hq * side * getF64(turn, 3 * i + jq);
  const rounding = ROUNDING * (hu + hv + hp + hq);
  const limitU = hu + rounding;
  const limitV = hv + rounding;
  storeCorner(0, cu - pu - qu, cv - pv - qv, cg - pg - qg, limitU, limitV);
  storeCorner(1, cu + pu - qu, cv + pv - qv, cg + pg - qg, limitU, limitV);
  storeCorner(2, cu + pu + qu, cv + pv + qv, cg + pg + qg, limitU, limitV);
  storeCorner(3, cu - pu + qu, cv - pv + qv, cg - pg + qg, limitU, limitV);
  const sideBit = side > 0 ? 1 : 0;
  const facingBit = facing > 0 ? 1 : 0;
  const incidentVertex = (ofB ? VERTEX_OF_A : VERTEX_OF_B) | (facingBit << j);

  for (let k = 0; k < 4; k++) {
    const from = CORNER + ((<usize>k) << 5);
    const to = CORNER + ((<usize>((k + 1) & 3)) << 5);
    const codeFrom = load<i32>(from, 24);
    const codeTo = load<i32>(to, 24);
    const u = load<f64>(from);
    const v = load<f64>(from, 8);
    const g = load<f64>(from, 16);
    // Signs of p and q at corner k: − + + −, − − + +.
    const signP = k == 1 || k == 2 ? 1 : 0;
    const signQ = k >= 2 ? 1 : 0;
    if (codeFrom == 0 && g <= reach) {
      addOnFace(axes, origin, i, iu, iv, side, hn, u, v, g, incidentVertex | (signP << jp) | (signQ << jq));
    }
    if ((codeFrom | codeTo) == 0 || (codeFrom & codeTo) != 0) continue;
    // Part of the side inside the reference rectangle (Liang and Barsky 1984), with the outline it crosses.
    const du = load<f64>(to) - u;
    const dv = load<f64>(to, 8) - v;
    const dg = load<f64>(to, 16) - g;
    let start: f64 = 0;
    let end: f64 = 1;
    let startEdge = -1;
    let endEdge = -1;
    for (let bound = 0; bound < 4; bound++) {
      const bit = 1 << bound;
      if (((codeFrom | codeTo) & bit) == 0) continue;
      // At the outline itself: the rounding decides only who counts as outside.
      const limit = bound == 0 ? hu : bound == 1 ? -hu : bound == 2 ? hv : -hv;
      const t = bound < 2 ? (limit - u) / du : (limit - v) / dv;
      if ((codeFrom & bit) != 0) {
        if (t >= start) {
          start = t;
          startEdge = bound;
        }
      } else if (t <= end) {
        end = t;
        endEdge = bound;
      }
    }
    if (start > end) continue;
    const edge = incidentEdge(k, jp, jq, facingBit);
    if (startEdge >= 0 && g + start * dg <= reach) {
      const other = faceEdge(startEdge, iu, iv, sideBit);
      const feature = ofB ? edgeFeature(edge, other) : edgeFeature(other, edge);
      addOnFace(axes, origin, i, iu, iv, side, hn, u + start * du, v + start * dv, g + start * dg, feature);
    }
    if (endEdge >= 0 && g + end * dg <= reach) {
      const other = faceEdge(endEdge, iu, iv, sideBit);
      const feature = ofB ? edgeFeature(edge, other) : edgeFeature(other, edge);
      addOnFace(axes, origin, i, iu, iv, side, hn, u + end * du, v + end * dv, g + end * dg, feature);
    }
  }
  // Corners of the reference face well inside the incident one (those on its outline were found above).
  const area = pu * qv - pv * qu;
  const limitP = Math.abs(area) - 0.5 * rounding * hq;
  const limitQ = Math.abs(area) - 0.5 * rounding * hp;
  if (limitP <= 0 || limitQ <= 0) return;
  const referenceVertex = (ofB ? VERTEX_OF_B : VERTEX_OF_A) | (sideBit << i);

  for (let k = 0; k < 4; k++) {
    const signU = k == 1 || k == 2 ? 1 : 0;
    const signV = k >= 2 ? 1 : 0;
    const u = signU == 1 ? hu : -hu;
    const v = signV == 1 ? hv : -hv;
    const alongP = (u - cu) * qv - (v - cv) * qu;
    const alongQ = pu * (v - cv) - pv * (u - cu);
    if (Math.abs(alongP) >= limitP || Math.abs(alongQ) >= limitQ) continue;
    const g = cg + (alongP * pg + alongQ * qg) / area;
    if (!(g <= reach)) continue;
    addOnFace(axes, origin, i, iu, iv, side, hn, u, v, g, referenceVertex | (signU << iu) | (signV << iv));
  }
}

function storeCorner(k: i32, u: f64, v: f64, g: f64, limitU: f64, limitV: f64): void {
  const corner = CORNER + ((<usize>k) << 5);
  store<f64>(corner, u);
  store<f64>(corner, v, 8);
  store<f64>(corner, g, 16);
  // Which bounds of the reference rectangle it lies beyond: +u −u +v −v.
  const code = (u > limitU ? 1 : u < -limitU ? 2 : 0) | (v > limitV ? 4 : v < -limitV ? 8 : 0);
  store<i32>(corner, code, 24);
}

/** Number of the incident box's edge at side k of its face: at −q, +p, +q, −p. */
export function incidentEdge(k: i32, jp: i32, jq: i32, facingBit: i32): i32 {
  const sign = k == 1 || k == 2 ? 1 : 0;
  return (k & 1) == 0 ? jp * 4 + sign + (facingBit << 1) : jq * 4 + facingBit + (sign << 1);
}

/** Number of the reference box's edge at bound +u −u +v −v of its face: 4 × axis + signs of the two next axes. */
export function faceEdge(bound: i32, iu: i32, iv: i32, sideBit: i32): i32 {
  return bound < 2 ? iv * 4 + sideBit + ((bound == 0 ? 1 : 0) << 1) : iu * 4 + (bound == 2 ? 1 : 0) + (sideBit << 1);
}

/** Adds the point at u, v of the reference face and half the gap above it. */
function addOnFace(
  axes: usize,
  origin: usize,
  i: i32,
  iu: i32,
  iv: i32,
  side: f64,
  hn: f64,
  u: f64,
  v: f64,
  g: f64,
  feature: i32,
): void {
  const n = side * (hn + 0.5 * g);
  const gap = Math.max(slant * g, floor);
  const x = i == 0 ? n : iu == 0 ? u : v;
  const y = i == 1 ? n : iu == 1 ? u : v;
  const z = i == 2 ? n : iu == 2 ? u : v;
  addLocalCandidate(axes, origin, x, y, z, gap, feature);
}
