// The triangles of a mesh that a shape passes in the step, one after the other.
//
// In: SLOT_A and SLOT_B (the mesh) at the start and the end of the way. Out: triangles whose boxes the
// way of A crosses and which A's centre sees from the front, as they are met in the mesh's tree;
// `useTriangle` puts the one in hand in SLOT_B.

import { MESH_NODE_BYTES, MESH_NODES, MESH_TRIANGLES, MESH_VERTICES } from '../../../state/layout';
import { dot3 } from '../math/vector';
import {
  extent,
  faceOffset,
  faceX,
  faceY,
  faceZ,
  placeTriangle,
  readFace,
  SLOT_A,
  SLOT_B,
  slotData,
  slotPosition,
} from '../shapes/support';

/** Depth of the stack of the tree walk; a balanced tree of 10⁹ triangles needs 30. */
const STACK_LIMIT: i32 = 64;

const STACK: usize = memory.data(64 * 4, 16);
const BOX: usize = memory.data(48, 16);

let mesh: usize = 0;
let depth: i32 = 0;
let triangle: i32 = 0;
let lastTriangle: i32 = 0;
let margin: f64 = 0;
// A's centre at the start, in the mesh's frame.
let startX: f64 = 0;
let startY: f64 = 0;
let startZ: f64 = 0;

/** Begins a walk; `reach` = most that turns add to the way of any point [m]. */
export function startTriangles(reach: f64): void {
  mesh = slotData(SLOT_B);
  margin = reach;
  depth = 1;
  store<i32>(STACK, 0);
  triangle = 0;
  lastTriangle = 0;
  startX = slotPosition(SLOT_A, 0);
  startY = slotPosition(SLOT_A, 1);
  startZ = slotPosition(SLOT_A, 2);
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(BOX + k, Infinity);
    store<f64>(BOX + k, -Infinity, 24);
  }
}

/** Extends the way by the place of SLOT_A. */
export function addToSweep(): void {
  addAxis(0, 1, 0, 0);
  addAxis(8, 0, 1, 0);
  addAxis(16, 0, 0, 1);
}

function addAxis(at: usize, x: f64, y: f64, z: f64): void {
  store<f64>(BOX + at, min(load<f64>(BOX + at), -extent(SLOT_A, -x, -y, -z) - margin));
  store<f64>(BOX + at, max(load<f64>(BOX + at, 24), extent(SLOT_A, x, y, z) + margin), 24);
}

/** Takes the next triangle in hand; false when there is none. */
export function nextTriangle(): bool {
  const nodes = mesh + <usize>load<i32>(mesh, MESH_NODES);
  while (true) {
    while (triangle < lastTriangle) {
      triangle++;
      if (useTriangle() && isSeen()) return true;
    }
    if (depth == 0) return false;
    depth--;
    const index = load<i32>(STACK + ((<usize>depth) << 2));
    const node = nodes + <usize>index * MESH_NODE_BYTES;
    if (isApart(node)) continue;
    const first = load<i32>(node, 48);
    const link = load<i32>(node, 52);
    if (first >= 0) {
      triangle = first;
      lastTriangle = first + link;
    } else if (depth + 2 <= STACK_LIMIT) {
      store<i32>(STACK + ((<usize>depth) << 2), link);
      store<i32>(STACK + ((<usize>depth) << 2), index + 1, 4);
      depth += 2;
    }
  }
}

function isApart(node: usize): bool {
  for (let k: usize = 0; k < 24; k += 8) {
    if (load<f64>(node + k) > load<f64>(BOX + k, 24) || load<f64>(node + k, 24) < load<f64>(BOX + k)) return true;
  }
  return false;
}

/** Puts the triangle in hand in SLOT_B; false if it has no area. */
export function useTriangle(): bool {
  const record = mesh + <usize>load<i32>(mesh, MESH_TRIANGLES) + ((<usize>(triangle - 1)) << 4);
  const vertices = mesh + <usize>load<i32>(mesh, MESH_VERTICES);
  return placeTriangle(
    vertices + <usize>load<i32>(record) * 24,
    vertices + <usize>load<i32>(record, 4) * 24,
    vertices + <usize>load<i32>(record, 8) * 24,
  );
}

/** Did A's centre begin in front of the triangle? From behind nothing touches it. */
function isSeen(): bool {
  readFace(SLOT_B, 0);
  return dot3(faceX, faceY, faceZ, startX, startY, startZ) > faceOffset;
}
