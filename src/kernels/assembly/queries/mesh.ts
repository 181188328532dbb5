// Rays, spheres and boxes against static triangle meshes, in the mesh's own frame, through its box tree.
//
// A mesh has no inside: queries meet its surface, from both sides. The ray test compares signed volumes, so that two
// triangles sharing an edge decide about it with the same bits: no ray slips through a seam (S. Woop, C. Benthin,
// I. Wald, "Watertight ray/triangle intersection", 2013, without their shear).

import { MESH_NODE_BYTES, MESH_NODE_COUNT, MESH_NODES, MESH_TRIANGLES, MESH_VERTICES } from '../../../state/layout';
import { clamp, dot3, sqr } from '../math/vector';
import { getI32, setI32 } from '../memory';

/** Unit normal of the triangle that was hit, against the ray. */
export let meshNormalX: f64 = 0;
export let meshNormalY: f64 = 0;
export let meshNormalZ: f64 = 0;

/** Levels of a mesh's tree; it is a median split, so 64 levels hold any mesh. */
const STACK: usize = memory.data(256);

/** Far ends of slab intervals are widened by two units in the last place (T. Ize, "Robust BVH ray traversal", 2013). */
const WIDEN: f64 = 1.0000000000000004;

/** Slower than this along an axis is not moving along it: the inverse would overflow. */
const NO_SPEED: f64 = 1e-290;

/** Whether the ray o + t d meets a box (min, max) for a t within 0..farthest; then returns where first, else −1. */
export function rayMeetsBox(box: usize, ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64, farthest: f64): f64 {
  let near: f64 = 0;
  let far = farthest;
  if (abs(dx) < NO_SPEED) {
    if (ox < load<f64>(box) || ox > load<f64>(box, 24)) return -1;
  } else {
    const inverse = 1 / dx;
    const t1 = (load<f64>(box) - ox) * inverse;
    const t2 = (load<f64>(box, 24) - ox) * inverse;
    near = max(near, min(t1, t2));
    far = min(far, max(t1, t2) * WIDEN);
  }
  if (abs(dy) < NO_SPEED) {
    if (oy < load<f64>(box, 8) || oy > load<f64>(box, 32)) return -1;
  } else {
    const inverse = 1 / dy;
    const t1 = (load<f64>(box, 8) - oy) * inverse;
    const t2 = (load<f64>(box, 32) - oy) * inverse;
    near = max(near, min(t1, t2));
    far = min(far, max(t1, t2) * WIDEN);
  }
  if (abs(dz) < NO_SPEED) {
    if (oz < load<f64>(box, 16) || oz > load<f64>(box, 40)) return -1;
  } else {
    const inverse = 1 / dz;
    const t1 = (load<f64>(box, 16) - oz) * inverse;
    const t2 = (load<f64>(box, 40) - oz) * inverse;
    near = max(near, min(t1, t2));
    far = min(far, max(t1, t2) * WIDEN);
  }
  return near <= far ? near : -1;
}

function nodeAt(mesh: usize, node: i32): usize {
  return mesh + load<i32>(mesh + MESH_NODES) + <usize>node * MESH_NODE_BYTES;
}

/** Address of corner 0, 1 or 2 of a triangle. */
function corner(mesh: usize, triangle: i32, k: i32): usize {
  const vertex = getI32(mesh + load<i32>(mesh + MESH_TRIANGLES), triangle * 4 + k);
  return mesh + load<i32>(mesh + MESH_VERTICES) + <usize>vertex * 24;
}

/** Distance [m] along the ray to the nearest triangle within `farthest`, −1 none; normal in meshNormal. */
export function rayMeetsMesh(mesh: usize, ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64, farthest: f64): f64 {
  isOneSided = false;
  return findNearest(mesh, ox, oy, oz, dx, dy, dz, farthest);
}

/** As rayMeetsMesh, but only triangles that the ray enters from their front count. */
export function rayEntersMesh(mesh: usize, ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64, farthest: f64): f64 {
  isOneSided = true;
  return findNearest(mesh, ox, oy, oz, dx, dy, dz, farthest);
}

/** Whether the walk takes fronts of triangles only. */
let isOneSided: bool = false;

function findNearest(mesh: usize, ox: f64, oy: f64, oz: f64, dx: f64, dy: f64, dz: f64, farthest: f64): f64 {
  if (load<i32>(mesh + MESH_NODE_COUNT) == 0) return -1;
  let best: f64 = -1;
  let reach = farthest;
  let depth = 0;
  let node = 0;
  while (true) {
    const at = nodeAt(mesh, node);
    if (rayMeetsBox(at, ox, oy, oz, dx, dy, dz, reach) >= 0) {
      const first = load<i32>(at, 48);
      const second = load<i32>(at, 52);
      if (first < 0) {
        setI32(STACK, depth++, second);
        node++;
        continue;
      }
      for (let t = first; t < first + second; t++) {
        const distance = rayMeetsTriangle(mesh, t, ox, oy, oz, dx, dy, dz, reach);
        if (distance >= 0) {
          best = distance;
          reach = distance;
        }
      }
    }
    if (depth == 0) return best;
    node = getI32(STACK, --depth);
  }
}

function rayMeetsTriangle(
  mesh: usize,
  triangle: i32,
  ox: f64,
  oy: f64,
  oz: f64,
  dx: f64,
  dy: f64,
  dz: f64,
  farthest: f64,
): f64 {
  const a = corner(mesh, triangle, 0);
  const b = corner(mesh, triangle, 1);
  const c = corner(mesh, triangle, 2);
  const ax = load<f64>(a) - ox;
  const ay = load<f64>(a, 8) - oy;
  const az = load<f64>(a, 16) - oz;
  const bx = load<f64>(b) - ox;
  const by = load<f64>(b, 8) - oy;
  const bz = load<f64>(b, 16) - oz;
  const cx = load<f64>(c) - ox;
  const cy = load<f64>(c, 8) - oy;
  const cz = load<f64>(c, 16) - oz;
  // Volumes spanned by the ray and each edge; all of one sign inside.
  const u = dot3(dx, dy, dz, cy * bz - cz * by, cz * bx - cx * bz, cx * by - cy * bx);
  const v = dot3(dx, dy, dz, ay * cz - az * cy, az * cx - ax * cz, ax * cy - ay * cx);
  const w = dot3(dx, dy, dz, by * az - bz * ay, bz * ax - bx * az, bx * ay - by * ax);
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return -1;
  const sum = u + v + w;
  // The sum is −d·n, times the area.
  if (sum == 0 || (isOneSided && sum < 0)) return -1;
  const t =
    (u * dot3(ax, ay, az, dx, dy, dz) + v * dot3(bx, by, bz, dx, dy, dz) + w * dot3(cx, cy, cz, dx, dy, dz)) / sum;
  if (!(t >= 0 && t <= farthest)) return -1;
  const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
  const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
  const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const length = sqrt(nx * nx + ny * ny + nz * nz);
  const against = nx * dx + ny * dy + nz * dz > 0 ? -1 / length : 1 / length;
  meshNormalX = nx * against;
  meshNormalY = ny * against;
  meshNormalZ = nz * against;
  return t;
}

/** Whether a triangle comes as near as `radius` [m] to a point. */
export function sphereMeetsMesh(mesh: usize, x: f64, y: f64, z: f64, radius: f64): bool {
  if (load<i32>(mesh + MESH_NODE_COUNT) == 0) return false;
  const reach = radius * radius;
  let depth = 0;
  let node = 0;
  while (true) {
    const at = nodeAt(mesh, node);
    if (boxDistance(at, x, y, z) <= reach) {
      const first = load<i32>(at, 48);
      const second = load<i32>(at, 52);
      if (first < 0) {
        setI32(STACK, depth++, second);
        node++;
        continue;
      }
      for (let t = first; t < first + second; t++) {
        if (triangleDistance(corner(mesh, t, 0), corner(mesh, t, 1), corner(mesh, t, 2), x, y, z) <= reach) return true;
      }
    }
    if (depth == 0) return false;
    node = getI32(STACK, --depth);
  }
}

/** Squared distance of a point from a box (min, max) [m²]. */
function boxDistance(box: usize, x: f64, y: f64, z: f64): f64 {
  return (
    sqr(x - clamp(x, load<f64>(box), load<f64>(box, 24))) +
    sqr(y - clamp(y, load<f64>(box, 8), load<f64>(box, 32))) +
    sqr(z - clamp(z, load<f64>(box, 16), load<f64>(box, 40)))
  );
}

/** Squared distance of a point from the segment between two points [m²]. */
export function segmentDistance(a: usize, b: usize, x: f64, y: f64, z: f64): f64 {
  const ux = load<f64>(b) - load<f64>(a);
  const uy = load<f64>(b, 8) - load<f64>(a, 8);
  const uz = load<f64>(b, 16) - load<f64>(a, 16);
  const px = x - load<f64>(a);
  const py = y - load<f64>(a, 8);
  const pz = z - load<f64>(a, 16);
  const length = dot3(ux, uy, uz, ux, uy, uz);
  const t = length > 0 ? clamp(dot3(px, py, pz, ux, uy, uz) / length, 0, 1) : 0.0;
  return sqr(px - t * ux) + sqr(py - t * uy) + sqr(pz - t * uz);
}

/** Squared distance of a point from a triangle [m²]: from its plane above the inside, else from an edge. */
function triangleDistance(a: usize, b: usize, c: usize, x: f64, y: f64, z: f64): f64 {
  const ux = load<f64>(b) - load<f64>(a);
  const uy = load<f64>(b, 8) - load<f64>(a, 8);
  const uz = load<f64>(b, 16) - load<f64>(a, 16);
  const vx = load<f64>(c) - load<f64>(a);
  const vy = load<f64>(c, 8) - load<f64>(a, 8);
  const vz = load<f64>(c, 16) - load<f64>(a, 16);
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const px = x - load<f64>(a);
  const py = y - load<f64>(a, 8);
  const pz = z - load<f64>(a, 16);
  // Barycentric weights of the foot, times n².
  const weightC = dot3(uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px, nx, ny, nz);
  const weightB = dot3(py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx, nx, ny, nz);
  const squared = dot3(nx, ny, nz, nx, ny, nz);
  if (weightB >= 0 && weightC >= 0 && weightB + weightC <= squared && squared > 0) {
    return sqr(dot3(px, py, pz, nx, ny, nz)) / squared;
  }
  return min(segmentDistance(a, b, x, y, z), min(segmentDistance(b, c, x, y, z), segmentDistance(c, a, x, y, z)));
}
