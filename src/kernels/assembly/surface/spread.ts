// Which sheets are spread out so far that they cannot touch themselves in the step, shown for all of a sheet at once.
//
// In: boxes and records of the nodes (boxes.ts), and of sheets that are flat with a convex outline at rest the places
// of their nodes in that plane (mechanics/shell/lay-flat). Out: objects that need not be asked for contacts with
// themselves.
//
// Be x the map from the plane at rest to space and U two directions of space across each other. Where the symmetric
// part of Uᵀ F of every triangle is at least m, F its deformation gradient, integrating along the straight way from
// p to q gives (q − p) · Uᵀ (x(q) − x(p)) ≥ m |q − p|²: no two points are nearer to each other than m
// times their distance at rest, however the sheet is bent. Ways are straight in time, and so is Uᵀ F: what holds at
// the start and at the end of the step holds between. Parts without a node in common are at least the least height of
// a triangle apart at rest: the way from a node to anything else of the plane leads through a triangle there, to its
// opposite side, and of two edges that do not cross the nearest points are one's end and one of the other. U is the
// turn nearest to the mean of F.
//
// A sheet that hangs or flaps, or lies on others, is found to be spread in most steps; one that drapes over something
// is not, and that shows in the first few triangles.

import { DEEP, DEEPER, MOST_INWARDS } from '../../../core/elastic-constants';
import {
  KIND_SHELL,
  NODE_REST,
  OBJECT_TRIANGLES,
  STRAND_FIRST,
  STRAND_KIND,
  STRAND_NODES,
  TRIANGLE_NODE,
} from '../../../state/layout';
import { REST_HEIGHT, REST_PLACE } from '../../../state/node-places';
import { column, getI32 } from '../memory';
import { error } from '../proximity/field';
import { nearShare } from '../proximity/work';
import { nodeRecord } from './leaf-records';
import { bitsOf, leaveSelf, nodeBoxes, nodeMeasures, OBJECT_ASLEEP, OBJECT_LIVE, OBJECT_SELF, radiusOf } from './work';

/** Triangles that U is made of, and that are asked first. */
const SAMPLES: i32 = 64;
/**
 * What m must be beyond what it is needed for [-]: for rounding in the test. Outlines that turn inwards a
 * little (lay-flat) take that share of the largest stretch off, INWARDS, where up to 7 times the length is allowed for.
 */
const SLACK: f64 = 1.001;
const INWARDS: f64 = 7 * MOST_INWARDS;
/** Rounding of Uᵀ F, over that of a coordinate and the least height [-]. */
const ROUNDING: f64 = 16;

// U: x y z of both directions, in turn, each twice.
let alongX: v128 = f32x4.splat(0);
let alongY: v128 = f32x4.splat(0);
let alongZ: v128 = f32x4.splat(0);

/**
 * Takes the objects that cannot touch themselves out of what is asked; `crossing`: that cannot go through themselves.
 * Whether there are any.
 */
export function leaveSpread(objects: i32, crossing: bool): bool {
  let isAny = false;
  for (let object = 0; object < objects; object++) {
    if ((bitsOf(object) & (OBJECT_LIVE | OBJECT_SELF | OBJECT_ASLEEP)) != (OBJECT_LIVE | OBJECT_SELF)) continue;
    if (getI32(column(STRAND_KIND), object) != KIND_SHELL || !isSpread(object, crossing)) continue;
    leaveSelf(object);
    isAny = true;
  }
  return isAny;
}

function restOf(node: i32): usize {
  return column(NODE_REST) + ((<usize>node) << 6) + 8 * REST_PLACE;
}

function cornersOf(triangle: i32): usize {
  return column(TRIANGLE_NODE) + ((<usize>triangle) << 4);
}

function isSpread(object: i32, crossing: bool): bool {
  const firstNode = getI32(column(STRAND_FIRST), object);
  const height = load<f64>(column(NODE_REST) + ((<usize>firstNode) << 6), 8 * REST_HEIGHT);
  if (!(height > 0)) return false;
  const share = crossing ? DEEPER * DEEP : 1 + nearShare;
  const least = (SLACK * share * 2 * radiusOf(object) + ROUNDING * error) / height + INWARDS;
  if (!(least < 1)) return false;
  const first = getI32(column(OBJECT_TRIANGLES), 2 * object);
  const end = first + getI32(column(OBJECT_TRIANGLES), 2 * object + 1);
  const stride = max(1, (end - first) / SAMPLES);
  if (!findDirections(first, end, stride)) return false;

  const endNode = firstNode + getI32(column(STRAND_NODES), object);
  for (let t = first; t < end; t += stride) {
    const corners = cornersOf(t);
    for (let k: usize = 0; k < 12; k += 4) if (!project(load<i32>(corners + k))) return false;
    if (!isTriangleSpread(t, <f32>least)) return false;
  }
  for (let node = firstNode; node < endNode; node++) if (!project(node)) return false;
  for (let t = first; t < end; t++) if (!isTriangleSpread(t, <f32>least)) return false;
  return true;
}

/** Writes Uᵀ x of a node at the start and at the end of the step; false: it has no place. */
function project(node: i32): bool {
  const start = v128.load(nodeRecord(node));
  const end = f32x4.add(start, v128.load(nodeRecord(node), 16));
  const u = f32x4.add(
    f32x4.add(
      f32x4.mul(v128.shuffle<f32>(start, end, 0, 0, 4, 4), alongX),
      f32x4.mul(v128.shuffle<f32>(start, end, 1, 1, 5, 5), alongY),
    ),
    f32x4.mul(v128.shuffle<f32>(start, end, 2, 2, 6, 6), alongZ),
  );
  v128.store(nodeMeasures + ((<usize>node) << 4), u);
  return load<f32>(nodeBoxes + ((<usize>node) << 5), 12) != 0;
}

/** Whether the symmetric part of Uᵀ F of a triangle is at least `least`, at the start and at the end. */
function isTriangleSpread(triangle: i32, least: f32): bool {
  const corners = cornersOf(triangle);
  const a = load<i32>(corners);
  const b = load<i32>(corners, 4);
  const c = load<i32>(corners, 8);
  const own = v128.load(nodeMeasures + ((<usize>a) << 4));
  const e = f32x4.sub(v128.load(nodeMeasures + ((<usize>b) << 4)), own);
  const g = f32x4.sub(v128.load(nodeMeasures + ((<usize>c) << 4)), own);
  const p = v128.load(restOf(a));
  const sides = v128.shuffle<f32>(
    f32x4.demote_f64x2_zero(f64x2.sub(v128.load(restOf(b)), p)),
    f32x4.demote_f64x2_zero(f64x2.sub(v128.load(restOf(c)), p)),
    0,
    1,
    4,
    5,
  );
  const p1 = f32x4.extract_lane(sides, 0);
  const q1 = f32x4.extract_lane(sides, 1);
  const p2 = f32x4.extract_lane(sides, 2);
  const q2 = f32x4.extract_lane(sides, 3);
  const area = p1 * q2 - p2 * q1;
  const sign: f32 = area < 0 ? -1 : 1;
  // Columns of Uᵀ F times the area, of the start and of the end.
  const first = f32x4.sub(f32x4.mul(f32x4.splat(sign * q2), e), f32x4.mul(f32x4.splat(sign * q1), g));
  const second = f32x4.sub(f32x4.mul(f32x4.splat(sign * p1), g), f32x4.mul(f32x4.splat(sign * p2), e));
  const diagonal = f32x4.sub(v128.shuffle<f32>(first, second, 0, 5, 2, 7), f32x4.splat(least * sign * area));
  const beside = v128.shuffle<f32>(first, second, 1, 4, 3, 6);
  const mean = f32x4.mul(f32x4.splat(0.5), f32x4.add(beside, v128.shuffle<f32>(beside, beside, 1, 0, 3, 2)));
  const product = f32x4.mul(diagonal, v128.shuffle<f32>(diagonal, diagonal, 1, 0, 3, 2));
  // Not-a-number is not spread.
  const isGood = v128.and(f32x4.ge(diagonal, f32x4.splat(0)), f32x4.ge(product, f32x4.mul(mean, mean)));
  return i32x4.bitmask(isGood) == 15;
}

/** U := M (Mᵀ M)^−½, M the sum of F half-way through the step over some triangles; false: there is none. */
function findDirections(from: i32, end: i32, stride: i32): bool {
  let first = f32x4.splat(0);
  let second = f32x4.splat(0);
  for (let t = from; t < end; t += stride) {
    const corners = cornersOf(t);
    const a = load<i32>(corners);
    const b = load<i32>(corners, 4);
    const c = load<i32>(corners, 8);
    const own = middleOf(a);
    const e = f32x4.sub(middleOf(b), own);
    const g = f32x4.sub(middleOf(c), own);
    const p1 = <f32>(load<f64>(restOf(b)) - load<f64>(restOf(a)));
    const q1 = <f32>(load<f64>(restOf(b), 8) - load<f64>(restOf(a), 8));
    const p2 = <f32>(load<f64>(restOf(c)) - load<f64>(restOf(a)));
    const q2 = <f32>(load<f64>(restOf(c), 8) - load<f64>(restOf(a), 8));
    const inverse: f32 = 1 / (p1 * q2 - p2 * q1);
    first = f32x4.add(
      first,
      f32x4.sub(f32x4.mul(f32x4.splat(q2 * inverse), e), f32x4.mul(f32x4.splat(q1 * inverse), g)),
    );
    second = f32x4.add(
      second,
      f32x4.sub(f32x4.mul(f32x4.splat(p1 * inverse), g), f32x4.mul(f32x4.splat(p2 * inverse), e)),
    );
  }
  const xx = <f64>sumOf(f32x4.mul(first, first));
  const xy = <f64>sumOf(f32x4.mul(first, second));
  const yy = <f64>sumOf(f32x4.mul(second, second));
  const area = sqrt(max(xx * yy - xy * xy, 0));
  // (Mᵀ M)^½ = (Mᵀ M + |det| 1) / (trace + 2 |det|)^½, its determinant |det|.
  const trace = sqrt(xx + yy + 2 * area);
  if (!(area > 1e-6 * (xx + yy))) return false;
  const a = f32x4.splat(<f32>((yy + area) / (trace * area)));
  const b = f32x4.splat(<f32>(xy / (trace * area)));
  const c = f32x4.splat(<f32>((xx + area) / (trace * area)));
  const u = f32x4.sub(f32x4.mul(a, first), f32x4.mul(b, second));
  const v = f32x4.sub(f32x4.mul(c, second), f32x4.mul(b, first));
  alongX = v128.shuffle<f32>(u, v, 0, 4, 0, 4);
  alongY = v128.shuffle<f32>(u, v, 1, 5, 1, 5);
  alongZ = v128.shuffle<f32>(u, v, 2, 6, 2, 6);
  return true;
}

/** Place of a node half-way through the step. */
function middleOf(node: i32): v128 {
  const way = f32x4.mul(f32x4.splat(0.5), v128.load(nodeRecord(node), 16));
  return f32x4.replace_lane(f32x4.add(v128.load(nodeRecord(node)), way), 3, 0);
}

function sumOf(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2);
}
