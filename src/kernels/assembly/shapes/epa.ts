// Direction and depth of least overlap of the two cores: expanding polytope (van den Bergen 2001, "Proximity
// queries and penetration depth computation on 3D game objects").
//
// In: SLOT_A, SLOT_B of support.ts, overlapping. Out: depth [m] (the distance A has to move against the
// direction), direction A → B, a point on each core. The polytope grows inside the Minkowski difference A − B;
// its faces keep SIGNED distances to the origin, so it need not contain the origin at first and touching or
// coincident shapes are nothing special. Bounds: the least face distance from below, the least extent along a
// face's normal from above; the latter is what is returned, so the depth is never too small.

import { dot3 } from '../math/vector';
import { SLOT_A, SLOT_B, supportCore, sx, sy, sz } from './support';

const VERTICES = 60;
const FACES = 120;
const EDGES = 96;
/** Stops when the two bounds are nearer than this share of the largest coordinate. */
const TOLERANCE: f64 = 1e-10;

// Vertex: w (A − B), a (on A): 6 × f64. Face: unit normal, distance (4 × f64), three i32 vertices, i32 alive.
const VERTEX: usize = memory.data(60 * 48, 16);
const FACE: usize = memory.data(120 * 48, 16);
const HORIZON: usize = memory.data(96 * 8, 16);

/** Unit direction from A to B. */
export let epaX: f64 = 0;
export let epaY: f64 = 0;
export let epaZ: f64 = 0;
/** Point on A's core, then on B's core, of the deepest overlap. */
export let deepAX: f64 = 0;
export let deepAY: f64 = 0;
export let deepAZ: f64 = 0;
export let deepBX: f64 = 0;
export let deepBY: f64 = 0;
export let deepBZ: f64 = 0;

let vertexCount: i32 = 0;
let faceCount: i32 = 0;
let edgeCount: i32 = 0;
let scale: f64 = 0;
/** The horizon did not fit: the search ends with its best direction so far. */
let full: bool = false;

function vertexAt(i: i32): usize {
  return VERTEX + <usize>i * 48;
}

function faceAt(i: i32): usize {
  return FACE + <usize>i * 48;
}

/** Farthest vertex of A − B along d, stored as vertex number `vertexCount` without counting it. */
function reach(dx: f64, dy: f64, dz: f64): usize {
  const p = vertexAt(vertexCount);
  supportCore(SLOT_A, dx, dy, dz);
  const ax = sx;
  const ay = sy;
  const az = sz;
  supportCore(SLOT_B, -dx, -dy, -dz);
  store<f64>(p, ax - sx);
  store<f64>(p, ay - sy, 8);
  store<f64>(p, az - sz, 16);
  store<f64>(p, ax, 24);
  store<f64>(p, ay, 32);
  store<f64>(p, az, 40);
  scale = Math.max(scale, Math.max(Math.abs(ax - sx), Math.max(Math.abs(ay - sy), Math.abs(az - sz))));
  return p;
}

function along(p: usize, dx: f64, dy: f64, dz: f64): f64 {
  return load<f64>(p) * dx + load<f64>(p, 8) * dy + load<f64>(p, 16) * dz;
}

/** Adds the face i j k (outward by its order); one without area keeps the surface closed but is never chosen. */
function addFace(i: i32, j: i32, k: i32): void {
  const a = vertexAt(i);
  const b = vertexAt(j);
  const c = vertexAt(k);
  const ux = load<f64>(b) - load<f64>(a);
  const uy = load<f64>(b, 8) - load<f64>(a, 8);
  const uz = load<f64>(b, 16) - load<f64>(a, 16);
  const wx = load<f64>(c) - load<f64>(a);
  const wy = load<f64>(c, 8) - load<f64>(a, 8);
  const wz = load<f64>(c, 16) - load<f64>(a, 16);
  let nx = uy * wz - uz * wy;
  let ny = uz * wx - ux * wz;
  let nz = ux * wy - uy * wx;
  const area = Math.sqrt(dot3(nx, ny, nz, nx, ny, nz));
  const face = faceAt(faceCount++);
  // Under this area (relative) the normal is mostly rounding.
  const flat = !(area > 1e-13 * scale * Math.sqrt(dot3(ux, uy, uz, ux, uy, uz) + dot3(wx, wy, wz, wx, wy, wz)));
  nx = flat ? 0 : nx / area;
  ny = flat ? 0 : ny / area;
  nz = flat ? 0 : nz / area;
  store<f64>(face, nx);
  store<f64>(face, ny, 8);
  store<f64>(face, nz, 16);
  store<f64>(face, flat ? Infinity : along(a, nx, ny, nz), 24);
  store<i32>(face, i, 32);
  store<i32>(face, j, 36);
  store<i32>(face, k, 40);
}

/** Adds a directed edge to the horizon, or removes its opposite. */
function toggleEdge(i: i32, j: i32): void {
  for (let e = 0; e < edgeCount; e++) {
    const edge = HORIZON + ((<usize>e) << 3);
    if (load<i32>(edge) == j && load<i32>(edge, 4) == i) {
      edgeCount--;
      store<u64>(edge, load<u64>(HORIZON + ((<usize>edgeCount) << 3)));
      return;
    }
  }
  if (edgeCount == EDGES) {
    full = true;
    return;
  }
  const edge = HORIZON + ((<usize>edgeCount) << 3);
  store<i32>(edge, i);
  store<i32>(edge, j, 4);
  edgeCount++;
}

/** First tetrahedron with volume from support points; false when A − B is flat. */
function startPolytope(): bool {
  vertexCount = 0;
  faceCount = 0;
  scale = 0;
  // Longest of three axes.
  let longest: f64 = -1;
  let axis = 0;

  for (let i = 0; i < 3; i++) {
    const x: f64 = i == 0 ? 1 : 0;
    const y: f64 = i == 1 ? 1 : 0;
    const z: f64 = i == 2 ? 1 : 0;
    const length = along(reach(x, y, z), x, y, z) + along(reach(-x, -y, -z), -x, -y, -z);
    if (length > longest) {
      longest = length;
      axis = i;
    }
  }
  const dx: f64 = axis == 0 ? 1 : 0;
  const dy: f64 = axis == 1 ? 1 : 0;
  const dz: f64 = axis == 2 ? 1 : 0;
  const tiny = 1e-12 * scale;
  if (!(longest > tiny)) return false;
  reach(dx, dy, dz);
  vertexCount = 1;
  reach(-dx, -dy, -dz);
  vertexCount = 2;
  const a = vertexAt(0);
  const b = vertexAt(1);
  let ux = load<f64>(b) - load<f64>(a);
  let uy = load<f64>(b, 8) - load<f64>(a, 8);
  let uz = load<f64>(b, 16) - load<f64>(a, 16);
  const length = Math.sqrt(dot3(ux, uy, uz, ux, uy, uz));
  ux /= length;
  uy /= length;
  uz /= length;
  // Two directions across the first edge; of four points the one farthest from the edge.
  let px: f64 = dy;
  let py: f64 = dz;
  let pz: f64 = dx;
  const lean = dot3(px, py, pz, ux, uy, uz);
  px -= lean * ux;
  py -= lean * uy;
  pz -= lean * uz;
  let best: f64 = -1;
  let bx: f64 = 0;
  let by: f64 = 0;
  let bz: f64 = 0;

  for (let i = 0; i < 4; i++) {
    let qx = px;
    let qy = py;
    let qz = pz;
    if (i >= 2) {
      qx = uy * pz - uz * py;
      qy = uz * px - ux * pz;
      qz = ux * py - uy * px;
    }
    if ((i & 1) != 0) {
      qx = -qx;
      qy = -qy;
      qz = -qz;
    }
    const p = reach(qx, qy, qz);
    const wx = load<f64>(p) - load<f64>(a);
    const wy = load<f64>(p, 8) - load<f64>(a, 8);
    const wz = load<f64>(p, 16) - load<f64>(a, 16);
    const t = dot3(wx, wy, wz, ux, uy, uz);
    const far = dot3(wx, wy, wz, wx, wy, wz) - t * t;
    if (far > best) {
      best = far;
      bx = qx;
      by = qy;
      bz = qz;
    }
  }
  if (!(best > tiny * tiny)) return false;
  reach(bx, by, bz);
  vertexCount = 3;
  const c = vertexAt(2);
  const wx = load<f64>(c) - load<f64>(a);
  const wy = load<f64>(c, 8) - load<f64>(a, 8);
  const wz = load<f64>(c, 16) - load<f64>(a, 16);
  let nx = uy * wz - uz * wy;
  let ny = uz * wx - ux * wz;
  let nz = ux * wy - uy * wx;
  const area = Math.sqrt(dot3(nx, ny, nz, nx, ny, nz));
  nx /= area;
  ny /= area;
  nz /= area;
  const offset = along(a, nx, ny, nz);
  const above = along(reach(nx, ny, nz), nx, ny, nz) - offset;
  const below = offset - along(reach(-nx, -ny, -nz), nx, ny, nz);
  if (!(Math.max(above, below) > tiny)) return false;
  const up = above >= below;
  if (up) reach(nx, ny, nz);
  vertexCount = 4;

  // Faces outward: the fourth vertex lies above or below the triangle 0 1 2.
  if (up) {
    addFace(0, 2, 1);
    addFace(0, 1, 3);
    addFace(1, 2, 3);
    addFace(2, 0, 3);
  } else {
    addFace(0, 1, 2);
    addFace(1, 0, 3);
    addFace(2, 1, 3);
    addFace(0, 2, 3);
  }
  return true;
}

/** Points of the deepest overlap: where the normal through the origin meets the face. */
function placeDeepest(i: i32, j: i32, k: i32, nx: f64, ny: f64, nz: f64): void {
  const a = vertexAt(i);
  const b = vertexAt(j);
  const c = vertexAt(k);
  const ax = load<f64>(a);
  const ay = load<f64>(a, 8);
  const az = load<f64>(a, 16);
  const bx = load<f64>(b);
  const by = load<f64>(b, 8);
  const bz = load<f64>(b, 16);
  const cx = load<f64>(c);
  const cy = load<f64>(c, 8);
  const cz = load<f64>(c, 16);
  // Areas of the three sub-triangles about the foot of the origin, seen along n; outside ones are cut to zero.
  let wa = Math.max(0, dot3(nx, ny, nz, by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx));
  let wb = Math.max(0, dot3(nx, ny, nz, cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax));
  let wc = Math.max(0, dot3(nx, ny, nz, ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx));
  let sum = wa + wb + wc;
  if (!(sum > 0)) {
    wa = 1;
    wb = 1;
    wc = 1;
    sum = 3;
  }
  wa /= sum;
  wb /= sum;
  wc /= sum;
  deepAX = wa * load<f64>(a, 24) + wb * load<f64>(b, 24) + wc * load<f64>(c, 24);
  deepAY = wa * load<f64>(a, 32) + wb * load<f64>(b, 32) + wc * load<f64>(c, 32);
  deepAZ = wa * load<f64>(a, 40) + wb * load<f64>(b, 40) + wc * load<f64>(c, 40);
  deepBX = deepAX - (wa * ax + wb * bx + wc * cx);
  deepBY = deepAY - (wa * ay + wb * by + wc * cy);
  deepBZ = deepAZ - (wa * az + wb * bz + wc * cz);
}

/** Depth of overlap of the cores [m]; negative when they are apart after all, −1e300 when A − B has no volume. */
export function corePenetration(): f64 {
  if (!startPolytope()) return -1e300;
  let depth = Infinity;
  while (true) {
    // Face nearest to the origin.
    let nearest = -1;
    let low = Infinity;
    for (let f = 0; f < faceCount; f++) {
      const d = load<f64>(faceAt(f), 24);
      if (d < low) {
        low = d;
        nearest = f;
      }
    }
    if (nearest < 0) break;

    // How far the shape reaches beyond it: the least of these bounds the depth.
    const face = faceAt(nearest);
    const nx = load<f64>(face);
    const ny = load<f64>(face, 8);
    const nz = load<f64>(face, 16);
    const high = along(reach(nx, ny, nz), nx, ny, nz);
    if (high < depth) {
      depth = high;
      epaX = nx;
      epaY = ny;
      epaZ = nz;
      placeDeepest(load<i32>(face, 32), load<i32>(face, 36), load<i32>(face, 40), nx, ny, nz);
    }
    if (depth - low <= TOLERANCE * scale || vertexCount + 1 >= VERTICES) break;

    // Remove every face that the new vertex sees; the edges left over are its horizon.
    const p = vertexAt(vertexCount);
    edgeCount = 0;
    full = false;
    for (let f = 0; f < faceCount; ) {
      const g = faceAt(f);
      const d = load<f64>(g, 24);
      if (
        f == nearest ||
        (d < Infinity && along(p, load<f64>(g), load<f64>(g, 8), load<f64>(g, 16)) > d + 1e-14 * scale)
      ) {
        toggleEdge(load<i32>(g, 32), load<i32>(g, 36));
        toggleEdge(load<i32>(g, 36), load<i32>(g, 40));
        toggleEdge(load<i32>(g, 40), load<i32>(g, 32));
        faceCount--;
        memory.copy(g, faceAt(faceCount), 48);
        // The face moved here is looked at next; keep track of the nearest one.
        if (nearest == faceCount) nearest = f;
        else if (nearest == f) nearest = -1;
      } else {
        f++;
      }
    }

    // The new vertex and each edge of the horizon make a face.
    if (full || faceCount + edgeCount > FACES) break;
    const apex = vertexCount++;
    for (let e = 0; e < edgeCount; e++) {
      const edge = HORIZON + ((<usize>e) << 3);
      addFace(load<i32>(edge), load<i32>(edge, 4), apex);
    }
  }
  return depth;
}
