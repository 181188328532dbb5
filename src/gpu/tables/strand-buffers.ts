// The tables of strands on the device: what they are there, how they get there and back.
//
// Node columns keep the order of the tables, so that a range of the tables is a range of a buffer. Strands are sorted
// by number of nodes (by table row among equals) into blocks of equal length: a block is what one dispatch works on.
//   places      vec4i  x y z from the strand's origin in units that are a power of two, about 10⁻⁹ of the strand's
//                      length; θ [rad] as the bits of an f32. Whole numbers add and subtract without rounding:
//                      of a hair 30 cm long f32 positions would stretch 5 mm edges by 4·10⁻⁶ at random, a
//                      tension thrice the hair's weight
//   positions, previous  vec4f  the same in metres, written by the integration: for contacts, drawing, interpolation
//   velocities, predicted, frames, forces, duals  vec4f;  rests 3 vec4f: as in the tables but
//   for its eighth number, seenLength's, then the shares of stiffness;  masses vec2f: as in the tables
//   pins        vec4f  velocity of nodes that joints hold (rod-pins.wgsl)
//   slots       u32    place of the node's strand in the order of the headers, 2³² − 1: of none
//   strands     vec4u  first node, count, flags, rod;  origins vec4f: from the world's cell [m], unit [m]
//   clamps 6 vec4f a strand, on the world from the cell, holds 4 (rod-holds.wgsl); rods 3 vec4f; bodies 2 vec4f:
//   position from the cell, rotation
// The cell is a point of the world in f64 near the strands, chosen at the upload.

import type { Arena } from '../../core/arena';
import { clampAt } from '../../state/clamp-places';
import * as L from '../../state/layout';
import * as M from '../../state/material-places';
import type { Tables } from '../../state/tables';
import { ELEMENT_VALUES, FACTOR_VALUES, STRAND_FIXED, STRAND_TETHERED } from '../constants';
import {
  type BufferPool,
  createBufferPool,
  createBufferWriter,
  type GpuBuffer,
  STATE_USAGE,
  USAGE,
} from '../device/buffers';
import { type GpuContext, GpuLimitError, largestBinding } from '../device/device';

/** Bytes a node of a column; places to masses. */
const MOTION_COLUMNS = { places: 16, positions: 16, previous: 16, velocities: 16, predicted: 16, frames: 16 } as const;
const OTHER_COLUMNS = { rests: 48, masses: 8, forces: 16, duals: 16, weights: 4, slots: 4, pins: 16 } as const;
const NODE_COLUMNS = { ...MOTION_COLUMNS, ...OTHER_COLUMNS } as const;
/** Size of Rod in strand.wgsl [B]. */
const ROD_BYTES = 48;
const STRAND_COLUMNS = { strands: 16, origins: 16, clamps: 96, holds: 64 } as const;
/**
 * Bytes from one uniform block to the next, the alignment of bindings. Each block of strands has two: for A, for A + W.
 */
const BLOCK_BYTES = 256;
/** Size of Block in strand.wgsl [B]. */
const BLOCK_SIZE = 48;

type Columns = Record<
  keyof typeof NODE_COLUMNS | keyof typeof STRAND_COLUMNS | 'rods' | 'bodies' | 'blocks',
  GpuBuffer
>;

/** Strands of equal length that one dispatch works on, and what lives for one step of theirs. */
export interface StrandBlock {
  readonly strands: number;
  readonly nodes: number;
  /** Place of the first in the order of the headers. */
  readonly firstStrand: number;
  readonly elements: GpuBuffer;
  readonly inertias: GpuBuffer;
  /** Factors of A and of A + W. */
  readonly factors: readonly [GpuBuffer, GpuBuffer];
  readonly reduced: GpuBuffer;
}

export interface StrandBuffers {
  readonly pool: BufferPool;
  readonly columns: Columns;
  readonly blocks: readonly StrandBlock[];
  readonly strandCount: number;
  readonly nodeCount: number;
  /**
   * Strands that the device advances: the first of the order, those of the blocks. The
   * others are the CPU's, obstacles here.
   */
  readonly ownCount: number;
  readonly bodyCapacity: number;
  /** Row of the tables of each strand, in the order of the headers. */
  readonly order: Int32Array;
  /** Place of each row of the tables in that order. */
  readonly slots: Int32Array;
  /**
   * Origins of the strands, from the cell, and units, as they were uploaded: those of strands
   * without a clamp on the world move.
   */
  readonly origins: Float32Array;
  /** Zero of the origins [m]. */
  readonly cell: Float64Array;
  /** Counts the uploads: data that was read back before the last one fits the tables no more. */
  readonly version: number;
}

/** The uniforms of a block of strands, for A or (`weighted`: 1) A + W, as a binding. */
export function bindBlock({ columns }: StrandBuffers, block: number, weighted = 0): GPUBufferBinding {
  return { buffer: columns.blocks.buffer, offset: BLOCK_BYTES * (2 * block + weighted), size: BLOCK_SIZE };
}

/** What writes the uniforms of all blocks, where they have changed. */
export function writeBlocks(
  context: GpuContext,
): (buffers: StrandBuffers, timeStep: number, gravity: ArrayLike<number>, wind: ArrayLike<number>) => void {
  const write = createBufferWriter(context);
  let uniforms = new Float32Array(0);
  return ({ blocks, columns }, timeStep, gravity, wind) => {
    const stride = BLOCK_BYTES / 4;
    const count = 2 * blocks.length;
    if (uniforms.length < stride * count) uniforms = new Float32Array(stride * count);
    const whole = new Uint32Array(uniforms.buffer);
    for (let k = 0; k < count; k++) {
      const { strands, nodes, firstStrand } = blocks[k >> 1];
      for (let c = 0; c < 3; c++) {
        uniforms[stride * k + c] = gravity[c];
        uniforms[stride * k + 4 + c] = wind[c];
      }
      uniforms[stride * k + 3] = timeStep;
      whole.set([strands, nodes, firstStrand, k & 1], stride * k + 7);
    }
    write(columns.blocks, uniforms, stride * count);
  };
}

/** Makes buffers for one world; `uploadStrands` fills them. */
export function createStrandBuffers(context: GpuContext): StrandBuffers {
  const pool = createBufferPool(context);
  const columns = {} as Columns;
  for (const name of [...Object.keys(NODE_COLUMNS), ...Object.keys(STRAND_COLUMNS), 'rods', 'bodies']) {
    columns[name as keyof Columns] = pool.create(name, 256, STATE_USAGE | USAGE.vertex);
  }
  columns.blocks = pool.create('blocks', BLOCK_BYTES, USAGE.uniform | USAGE.copyTarget);
  return {
    pool,
    columns,
    blocks: [],
    strandCount: 0,
    nodeCount: 0,
    ownCount: 0,
    bodyCapacity: 0,
    version: 0,
    order: new Int32Array(0),
    slots: new Int32Array(0),
    origins: new Float32Array(0),
    cell: new Float64Array(3),
  };
}

/** Whether the device advances a strand of the tables. */
export type IsOwn = (strand: number) => boolean;

type Mutable = { -readonly [K in keyof StrandBuffers]: StrandBuffers[K] };

/**
 * Puts all strands of the tables on the device and plans the blocks. Throws GpuLimitError, before anything has changed,
 * where the device has no room; the message says what is too large. `keepCell`: strands that stay keep their origins.
 * `isOwn`: which strands the device advances, default all.
 */
export function uploadStrands(
  context: GpuContext,
  buffers: StrandBuffers,
  arena: Arena,
  tables: Tables,
  keepCell = false,
  isOwn: IsOwn = () => true,
): void {
  const b = buffers as Mutable;
  const strandCount = arena.i32[L.STRAND_COUNT >> 2];
  const nodeCount = arena.i32[L.NODE_COUNT >> 2];
  const rodCount = arena.i32[L.ROD_COUNT >> 2];
  checkRoom(context, strandCount, nodeCount);
  b.strandCount = strandCount;
  b.nodeCount = nodeCount;
  b.bodyCapacity = tables.bodies.capacity;
  b.version++;
  b.order = sortStrands(tables, strandCount, isOwn);
  b.ownCount = b.order.reduce((count, strand) => count + Number(isOwn(strand)), 0);
  b.slots = new Int32Array(strandCount);
  b.order.forEach((strand, slot) => {
    b.slots[strand] = slot;
  });
  for (const name of Object.keys(NODE_COLUMNS) as (keyof typeof NODE_COLUMNS)[]) {
    b.pool.ensure(b.columns[name], NODE_COLUMNS[name] * nodeCount);
  }
  for (const name of Object.keys(STRAND_COLUMNS) as (keyof typeof STRAND_COLUMNS)[]) {
    b.pool.ensure(b.columns[name], STRAND_COLUMNS[name] * strandCount);
  }
  b.pool.ensure(b.columns.rods, ROD_BYTES * rodCount);
  b.pool.ensure(b.columns.bodies, 32 * b.bodyCapacity);
  planBlocks(context, b, tables);
  b.pool.ensure(b.columns.blocks, 2 * BLOCK_BYTES * b.blocks.length);
  if (strandCount === 0) return;
  if (!keepCell) chooseCell(b, tables);
  const { queue } = context.device;
  const put = (name: keyof Columns, data: ArrayBufferView<ArrayBuffer>) =>
    queue.writeBuffer(b.columns[name].buffer, 0, data.buffer, data.byteOffset, data.byteLength);
  uploadRods(context, b, arena, tables);
  packStrands(b, tables, put);
  uploadClamps(context, b, tables);
  const { velocity, frame, mass, force, dual } = tables.nodes;
  const narrow = (column: Float64Array, width: number) => Float32Array.from(column.subarray(0, width * nodeCount));
  put('velocities', narrow(velocity, 4));
  put('frames', narrow(frame, 4));
  put('rests', packRests(b, tables, arena.f64[L.TIME_STEP >> 3]));
  put('masses', narrow(mass, 2));
  put('forces', narrow(force, 4));
  put('duals', narrow(dual, 4));
}

/** Throws where a column would not fit into one binding. */
function checkRoom({ limits }: GpuContext, strands: number, nodes: number): void {
  const most = largestBinding(limits);
  const needed = Math.max(NODE_COLUMNS.rests * nodes, STRAND_COLUMNS.clamps * strands);
  if (needed <= most) return;
  throw new GpuLimitError(
    `strands on WebGPU: ${strands} strands of ${nodes} nodes need ${needed} bytes in one binding, this device takes ` +
      `${most} (maxStorageBufferBindingSize, maxBufferSize): use fewer or shorter strands`,
  );
}

/** Rows of the tables: the device's own by number of nodes, then by row; then the others by row. */
function sortStrands({ strands }: Tables, count: number, isOwn: IsOwn): Int32Array {
  const rank = (strand: number) => (isOwn(strand) ? strands.nodes[strand] : Number.POSITIVE_INFINITY);
  const ranks = Float64Array.from({ length: count }, (_, strand) => rank(strand));
  return Int32Array.from({ length: count }, (_, k) => k).sort((x, y) =>
    ranks[x] === ranks[y] ? x - y : ranks[x] - ranks[y],
  );
}

/** Cuts the order into blocks whose largest buffer fits into one binding. */
function planBlocks({ limits }: GpuContext, b: Mutable, tables: Tables): void {
  for (const block of b.blocks) {
    for (const buffer of [block.elements, block.inertias, ...block.factors, block.reduced]) b.pool.release(buffer);
  }
  const { nodes } = tables.strands;
  const most = largestBinding(limits);
  const blocks: StrandBlock[] = [];
  for (let at = 0; at < b.ownCount; ) {
    const n = nodes[b.order[at]];
    const bytes = 16 * ELEMENT_VALUES * n;
    const room = Math.max(1, Math.floor(most / bytes));
    let end = at + 1;
    while (end < b.ownCount && nodes[b.order[end]] === n && end - at < room) end++;
    const make = (name: string, values: number) =>
      b.pool.create(`${name} of ${end - at} strands of ${n} nodes`, 16 * values * n * (end - at), STATE_USAGE);
    blocks.push({
      strands: end - at,
      nodes: n,
      firstStrand: at,
      elements: make('elements', ELEMENT_VALUES),
      inertias: make('inertias', 2),
      factors: [make('factors', FACTOR_VALUES), make('weighted factors', FACTOR_VALUES)],
      reduced: make('reduced', 1),
    });
    at = end;
  }
  b.blocks = blocks;
}

/** The cell: a whole number of metres near the middle of the first nodes. */
function chooseCell(b: Mutable, tables: Tables): void {
  for (let k = 0; k < 3; k++) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let s = 0; s < b.strandCount; s++) {
      const x = tables.nodes.position[4 * tables.strands.first[s] + k];
      // A strand gone bad must not take the others with it.
      if (!Number.isFinite(x)) continue;
      least = Math.min(least, x);
      most = Math.max(most, x);
    }
    b.cell[k] = most >= least ? Math.round(0.5 * (least + most)) : 0;
  }
}

function packRods(tables: Tables, count: number): Float32Array<ArrayBuffer> {
  const { parameter, extra, layers, flags } = tables.rods;
  const out = new Float32Array(12 * count);
  const bits = new Int32Array(out.buffer);
  for (let rod = 0; rod < count; rod++) {
    const radius = parameter[8 * rod + M.RADIUS];
    const area = Math.PI * radius * radius;
    const moment = (area * radius * radius) / 4;
    const own = parameter.subarray(8 * rod, 8 * rod + 8);
    const more = extra.subarray(4 * rod, 4 * rod + 4);
    // As Rod in strand.wgsl.
    out.set([own[M.STRETCH_MODULUS] * area, own[M.YOUNG_MODULUS] * moment], 12 * rod);
    out.set([own[M.SHEAR_MODULUS] * 2 * moment, own[M.DAMPING]], 12 * rod + 2);
    out.set([more[M.GRAVITY_SCALE], more[M.AIR_DRAG], radius, own[M.FRICTION]], 12 * rod + 4);
    out.set([own[M.COHESION], more[M.COMPLIANCE]], 12 * rod + 8);
    bits.set([layers[rod], flags[rod]], 12 * rod + 10);
  }
  return out;
}

type Put = (
  name: 'strands' | 'origins' | 'places' | 'positions' | 'previous' | 'slots',
  data: ArrayBufferView<ArrayBuffer>,
) => void;

/** Clamps of the strand with header `slot` to row `row` of `out`: those on the world from the cell. */
function packClamp(out: Float32Array, row: number, b: StrandBuffers, { strands }: Tables, slot: number): void {
  const bodies = new Int32Array(out.buffer);
  const strand = b.order[slot];
  for (let end = 0; end < 2; end++) {
    const body = strands.attach[2 * strand + end];
    const from = clampAt(strand, end);
    const to = 24 * row + 12 * end;
    for (let k = 0; k < 3; k++) {
      const zero = body < 0 ? b.cell[k] : 0;
      out[to + k] = strands.clamp[from + k] - zero;
      out[to + 4 + k] = strands.clamp[from + 3 + k] - zero;
      out[to + 8 + k] = strands.clamp[from + 6 + k];
    }
    bodies[to + 3] = body;
  }
}

/** Strands of which each is written on its own; of more, all are. */
const FEW_CLAMPS = 32;

/**
 * Writes the poses of clamps again: they were moved in the tables, on the body or world that they were on. `moved`:
 * rows of the strands, default all.
 */
export function uploadClamps(
  { device }: GpuContext,
  b: StrandBuffers,
  tables: Tables,
  moved?: readonly number[],
): void {
  const { buffer } = b.columns.clamps;
  if (moved && moved.length <= FEW_CLAMPS) {
    const one = new Float32Array(24);
    for (const strand of moved) {
      const slot = b.slots[strand];
      packClamp(one, 0, b, tables, slot);
      device.queue.writeBuffer(buffer, 96 * slot, one);
    }
    return;
  }
  const all = new Float32Array(24 * b.strandCount);
  for (let slot = 0; slot < b.strandCount; slot++) packClamp(all, slot, b, tables, slot);
  device.queue.writeBuffer(buffer, 0, all);
}

/** Writes what all strands of a rod share: materials were changed in the tables. */
export function uploadRods({ device }: GpuContext, b: StrandBuffers, arena: Arena, tables: Tables): void {
  device.queue.writeBuffer(b.columns.rods.buffer, 0, packRods(tables, arena.i32[L.ROD_COUNT >> 2]));
}

/** Headers, origins, places, positions. */
function packStrands(b: Mutable, tables: Tables, put: Put): void {
  const { strands, nodes } = tables;
  const headers = new Uint32Array(4 * b.strandCount);
  const origins = new Float32Array(4 * b.strandCount);
  const places = new Int32Array(4 * b.nodeCount);
  const angles = new Float32Array(places.buffer);
  const positions = new Float32Array(4 * b.nodeCount);
  const previous = new Float32Array(4 * b.nodeCount);
  const slots = new Uint32Array(b.nodeCount).fill(0xffffffff);
  for (let slot = 0; slot < b.strandCount; slot++) {
    const strand = b.order[slot];
    const first = strands.first[strand];
    const count = strands.nodes[strand];
    const flags = strands.flags[strand];
    const isTethered = [L.STRAND_CLAMP_START, L.STRAND_CLAMP_END].some(
      (bit, end) => (flags & bit) !== 0 && strands.attach[2 * strand + end] < 0,
    );
    // What is no strand of edges is not there for the device.
    const absent = strands.kind[strand] === L.KIND_ROD ? 0 : L.STRAND_QUARANTINED;
    const more = (isTethered ? STRAND_TETHERED : 0) | (slot < b.ownCount ? 0 : STRAND_FIXED) | absent;
    headers.set([first, count, flags | more, strands.rod[strand]], 4 * slot);
    slots.fill(slot, first, first + count);
    const unit = unitOf(tables, first, count);
    origins[4 * slot + 3] = unit;
    for (let k = 0; k < 3; k++) {
      origins[4 * slot + k] = finite(nodes.position[4 * first + k]) - b.cell[k];
      const zero = b.cell[k] + origins[4 * slot + k];
      for (let i = 4 * first + k; i < 4 * (first + count); i += 4) {
        places[i] = Math.round((finite(nodes.position[i]) - zero) / unit);
        positions[i] = nodes.position[i] - zero;
        previous[i] = nodes.previous[i] - zero;
      }
    }
    for (let i = 4 * first + 3; i < 4 * (first + count); i += 4) {
      angles[i] = positions[i] = nodes.position[i];
      previous[i] = nodes.previous[i];
    }
  }
  put('strands', headers);
  put('origins', origins);
  b.origins = origins;
  put('places', places);
  put('positions', positions);
  put('slots', slots);
  put('previous', previous);
}

/** Numbers of a node in `rests`. */
const REST = 12;

/** Rest shape, stiffness along the strands, and what the last linearisation saw. */
function packRests(b: StrandBuffers, tables: Tables, timeStep: number): Float32Array<ArrayBuffer> {
  const { rest, stiffness } = tables.nodes;
  const out = new Float32Array(REST * b.nodeCount);
  for (let node = 0; node < b.nodeCount; node++) {
    out.set(rest.subarray(8 * node, 8 * node + 8), REST * node);
    out.set(stiffness.subarray(4 * node, 4 * node + 4), REST * node + 8);
  }
  packSeen(out, tables, b.strandCount, timeStep);
  return out;
}

/**
 * Eighth number of each node's rest: how much longer than at rest the last linearisation saw its edge [m] (seenLength
 * in mechanics/rod/assemble-strand.ts), the last node's: damping of the rod [s].
 */
function packSeen(out: Float32Array, { strands, nodes, rods }: Tables, count: number, timeStep: number): void {
  const { position: now, previous: then } = nodes;
  for (let strand = 0; strand < count; strand++) {
    const damping = rods.parameter[8 * strands.rod[strand] + M.DAMPING];
    const viscous = timeStep > 0 ? damping / timeStep : 0;
    const last = strands.first[strand] + strands.nodes[strand] - 1;
    for (let node = strands.first[strand]; node < last; node++) {
      let along = 0;
      let square = 0;
      for (let k = 4 * node; k < 4 * node + 3; k++) {
        along += (then[k + 4] - then[k]) * (now[k + 4] - now[k]);
        square += (then[k + 4] - then[k]) ** 2;
      }
      const length = Math.sqrt(square);
      const seen = square > 0 ? along / length + viscous * (along / length - length) : 0;
      out[REST * node + 7] = seen - nodes.rest[8 * node];
    }
    out[REST * last + 7] = damping;
  }
}

function finite(x: number): number {
  return Number.isFinite(x) ? x : 0;
}

/** Power of two for which the strand, stretched by half, takes up 2³⁰ units. */
function unitOf(tables: Tables, first: number, count: number): number {
  const { rest, position } = tables.nodes;
  let length = 0;
  let reach = 0;
  for (let i = first; i < first + count; i++) {
    if (i < first + count - 1) length += rest[8 * i];
    for (let k = 0; k < 3; k++)
      reach = Math.max(reach, Math.abs(finite(position[4 * i + k] - position[4 * first + k])));
  }
  let unit = 2 ** -60;
  while (unit * 2 ** 30 < 1.5 * Math.max(length, reach)) unit *= 2;
  return unit;
}
