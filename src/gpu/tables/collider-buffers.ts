// Colliders on the device, as the detection of contacts of strands sees them (body.wgsl).
//
// In: tables as find-pairs left them (poses and boxes of colliders), places of bodies in `movers`. Out: one row a
// living collider that is no sensor, in the order of their slots, written anew each step; triangles of hulls and
// meshes, packed when a shape is first seen, one after the other in `faces`.

import type { Arena } from '../../core/arena';
import * as D from '../../state/device-places';
import * as L from '../../state/layout';
import { shapeStamp } from '../../state/shape-stamps';
import type { Tables } from '../../state/tables';
import { COLLIDER_DYNAMIC, COLLIDER_RULE, COLLIDER_SURFACE } from '../constants';
import { type BufferPool, type GpuBuffer, STATE_USAGE } from '../device/buffers';
import { type FaceRecord, packHull, packMesh } from './face-records';

/** Where the words of a shape lie; `stamp` tells whether the row of the tables still is that shape. */
interface KnownFaces {
  readonly nodes: number;
  readonly corners: number;
  readonly stamp: number;
}

export interface ColliderBuffers {
  readonly device: GPUDevice;
  readonly pool: BufferPool;
  readonly colliders: GpuBuffer;
  readonly faces: GpuBuffer;
  /** Rows of `colliders`. */
  count: number;
  faceWords: number;
  readonly known: Map<number, KnownFaces>;
  rows: Float32Array<ArrayBuffer>;
}

export function createColliderBuffers(device: GPUDevice, pool: BufferPool): ColliderBuffers {
  const colliders = pool.create('colliders', 4 * D.COLLIDER_WORDS, STATE_USAGE);
  const faces = pool.create('faces', 4, STATE_USAGE);
  return { device, pool, colliders, faces, count: 0, faceWords: 0, known: new Map(), rows: new Float32Array(0) };
}

/** Triangles of a hull or mesh: packed when it is seen for the first time. */
function facesOf(b: ColliderBuffers, arena: Arena, tables: Tables, shape: number): KnownFaces {
  const { shapes } = tables;
  const record = shapes.data[shape];
  const stamp = shapeStamp(tables, shape);
  const before = b.known.get(shape);
  if (before?.stamp === stamp) return before;
  const packed: FaceRecord = shapes.kind[shape] === L.SHAPE_HULL ? packHull(arena, record) : packMesh(arena, record);
  const nodes = b.faceWords;
  b.faceWords += packed.words.length;
  b.pool.ensure(b.faces, 4 * b.faceWords, true);
  b.device.queue.writeBuffer(b.faces.buffer, 4 * nodes, packed.words);
  const known = { nodes, corners: nodes + packed.corners, stamp };
  b.known.set(shape, known);
  return known;
}

/**
 * Writes all colliders that strands may touch. `moverOf`: place of each body in `movers`, −1 none;
 * `cell`: zero of coordinates [m].
 */
export function writeColliders(
  b: ColliderBuffers,
  arena: Arena,
  tables: Tables,
  moverOf: Int32Array,
  cell: Float64Array,
): void {
  const { colliders, bodies, shapes } = tables;
  const most = arena.i32[L.COLLIDER_COUNT >> 2];
  if (b.rows.length < D.COLLIDER_WORDS * most) b.rows = new Float32Array(D.COLLIDER_WORDS * Math.ceil(1.25 * most));
  const { rows } = b;
  const bits = new Int32Array(rows.buffer);
  let n = 0;
  for (let c = 0; c < most; c++) {
    if ((colliders.flags[c] & (L.COLLIDER_ALIVE | L.COLLIDER_SENSOR)) !== L.COLLIDER_ALIVE) continue;
    const body = colliders.body[c];
    const mover = body < 0 ? -1 : moverOf[body];
    if (mover < 0) continue;
    const shape = colliders.shape[c];
    const kind = shapes.kind[shape];
    const at = D.COLLIDER_WORDS * n++;
    for (let k = 0; k < 3; k++) {
      rows[at + k] = colliders.position[4 * c + k] - cell[k];
      rows[at + 4 + k] = colliders.rotation[4 * c + k];
      rows[at + 8 + k] = shapes.parameter[4 * shape + k];
      rows[at + 12 + k] = colliders.box[6 * c + k] - cell[k];
      rows[at + 16 + k] = colliders.box[6 * c + 3 + k] - cell[k];
      rows[at + 20 + k] = bodies.surfaceVelocity[4 * body + k];
    }
    bits[at + D.COLLIDER_KIND] = kind;
    rows[at + 7] = colliders.rotation[4 * c + 3];
    rows[at + D.COLLIDER_FRICTION] = colliders.material[2 * c];
    bits[at + D.COLLIDER_LAYERS] = colliders.layers[c];
    bits[at + D.COLLIDER_MOVER] = mover;
    const hasFaces = kind === L.SHAPE_HULL || kind === L.SHAPE_MESH;
    const faces = hasFaces ? facesOf(b, arena, tables, shape) : null;
    bits[at + D.COLLIDER_NODES] = faces ? faces.nodes : 0;
    bits[at + D.COLLIDER_CORNERS] = faces ? faces.corners : 0;
    bits[at + D.COLLIDER_SLOT] = c;
    bits[at + D.COLLIDER_BODY] = body;
    const rule = (colliders.flags[c] >> L.COLLIDER_FRICTION_RULE) & L.COLLIDER_RULE_MASK;
    bits[at + D.COLLIDER_FLAGS] =
      (bodies.flags[body] & L.BODY_DYNAMIC ? COLLIDER_DYNAMIC : 0) |
      (bodies.flags[body] & L.BODY_SURFACE ? COLLIDER_SURFACE : 0) |
      (rule << COLLIDER_RULE);
  }
  b.count = n;
  b.pool.ensure(b.colliders, 4 * D.COLLIDER_WORDS * n);
  if (n > 0) b.device.queue.writeBuffer(b.colliders.buffer, 0, rows, 0, D.COLLIDER_WORDS * n);
}
