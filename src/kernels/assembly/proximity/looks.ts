// A further look within a step: which edges move otherwise than when they were last looked at.
//
// In: velocities; displacements as they were when boxes were made and when edges were last looked at. Out:
// displacements now, a byte of flags per edge. An edge of which neither end's displacement changed by more than a
// harmless share of its radius is not looked at again unless what it may meet is; one that left the reserve of its box
// needs another box. What adds up over several looks counts: an end's reference stays until it is looked at.

import { FARTHEST_COORDINATE } from '../../../core/elastic-constants';
import { STRAND_FIRST, STRAND_NODES } from '../../../state/layout';
import { column, getI32 } from '../memory';
import { isStrandLive } from './edges';
import { meanX, meanY, meanZ } from './field';
import { boxed, dt, flags, hasBox, looked, motions, nodes, strands, velocity } from './work';

/** Flags of an edge: to be looked at; its box is to be made anew. */
const MOVED: i32 = 1;
export const STRAY: i32 = 2;

/** Edges with flags, and with STRAY. */
export let movedCount: i32 = 0;
export let strayCount: i32 = 0;
/** The largest component of a displacement of the last look, without sign [m]. */
export let farthest: f32 = 0;

/** All edges are to be looked at. */
export function lookAtAll(): void {
  memory.fill(flags, <u8>MOVED, nodes);
  movedCount = nodes;
  strayCount = 0;
}

/** Every node is looked at now, and again as soon as its velocity changes at all. */
export function lookClosely(): void {
  for (let node = 0; node < nodes; node++) {
    const at = (<usize>node) << 4;
    v128.store(looked + at, f32x4.replace_lane(v128.load(motions + at), 3, 0));
  }
}

/** Takes the velocities and flags the edges. */
export function lookAtNodes(): void {
  memory.fill(flags, 0, nodes);
  movedCount = 0;
  strayCount = 0;
  far = f32x4.splat(0);
  for (let strand = 0; strand < strands; strand++) {
    if (!isStrandLive(strand)) continue;
    const first = getI32(column(STRAND_FIRST), strand);
    const last = first + getI32(column(STRAND_NODES), strand) - 1;
    let before = lookAtNode(first);
    for (let edge = first; edge < last; edge++) {
      const after = lookAtNode(edge + 1);
      const flag = before | after;
      before = after;
      if (flag == 0 || load<u8>(hasBox + edge) == 0) continue;
      store<u8>(flags + edge, <u8>flag);
      movedCount++;
      strayCount += flag >> 1;
    }
  }
  farthest = max(f32x4.extract_lane(far, 0), max(f32x4.extract_lane(far, 1), f32x4.extract_lane(far, 2)));
}

/** Lanes x y z: largest displacements so far, without sign. */
let far: v128 = f32x4.splat(0);

/** Square of the length of lanes 0 1 2. */
function squareOf(v: v128): f32 {
  const s = f32x4.mul(v, v);
  return f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2);
}

function lookAtNode(node: i32): i32 {
  const v = velocity + ((<usize>node) << 5);
  const at = (<usize>node) << 4;
  const step = f64x2.splat(dt);
  const xy = f64x2.sub(f64x2.mul(v128.load(v), step), f64x2.replace_lane(f64x2.splat(meanX), 1, meanY));
  const z = dt * load<f64>(v, 16) - meanZ;
  const wasBoxed = v128.load(boxed + at);
  const reserve = f32x4.extract_lane(wasBoxed, 3);
  const sound =
    i64x2.all_true(f64x2.lt(f64x2.abs(xy), f64x2.splat(FARTHEST_COORDINATE))) && abs(z) < FARTHEST_COORDINATE;
  if (!sound || reserve == <f32>Infinity) return 0;
  const moved = f32x4.replace_lane(f32x4.replace_lane(f32x4.demote_f64x2_zero(xy), 2, <f32>z), 3, 0);
  v128.store(motions + at, f32x4.replace_lane(moved, 3, load<f32>(motions + at, 12)));
  far = f32x4.pmax(far, f32x4.abs(moved));
  const wasLooked = v128.load(looked + at);
  const isStray = squareOf(f32x4.sub(moved, wasBoxed)) > reserve;
  const isMoved = squareOf(f32x4.sub(moved, wasLooked)) > f32x4.extract_lane(wasLooked, 3);
  if (isStray) v128.store(boxed + at, f32x4.replace_lane(moved, 3, reserve));
  if (!isMoved && !isStray) return 0;
  v128.store(looked + at, f32x4.replace_lane(moved, 3, f32x4.extract_lane(wasLooked, 3)));
  return isStray ? MOVED | STRAY : MOVED;
}
