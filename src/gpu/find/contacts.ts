// Contacts of strands with strands and bodies, found on the device. Twin of kernels/assembly/proximity.
//
//   clear → field → boxes → measure → count → (prefix sum) → fill     edges in a grid
//   pair detection → (prefix sum) → place → order → meet              pairs, and where they touch
//   strands near bodies → body detection                             hits on colliders
//   rows → (prefix sum) → keep, pair rows, body rows                  the list
//   propose → accept                                                 forces of the last list
//
// In: positions of the strands, velocities to look along, bodies. Out: lists, starts, counters of `buffers`. A first
// look of a step makes a new list and takes forces and colours over from the last; a further one keeps the list and
// adds what the new velocities bring (as with `append` on the CPU). Nothing waits: what had no room is flagged and left
// out, and `grow` makes room when the counters come back. Results repeat bit for bit while nothing overflows: only sets
// and sums are made by atomics, and rows are in the order of their features.
//
// Against the CPU: f32 instead of f64 (positions from the strand's origin, 10⁻⁸ of its length); of a mesh one
// contact a node and one between; rows that slid onto the same old one are given it by row, not in turn.

import type { Arena } from '../../core/arena';
import { NEAR } from '../../core/elastic-constants';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';
import { GRID_LEVELS, SUM_PART } from '../constants';
import { type GpuBuffer, STATE_USAGE, USAGE } from '../device/buffers';
import { type GpuContext, GpuLimitError, largestBinding } from '../device/device';
import {
  type Bindings,
  type ComputePass,
  compileKernels,
  createBindGroups,
  dispatch,
  dispatchGroups,
  type Kernel,
} from '../device/pipelines';
import type { GpuStrands } from '../rod/strands';
import { type ColliderBuffers, createColliderBuffers, writeColliders } from '../tables/collider-buffers';
import {
  COUNTERS,
  type ContactBuffers,
  type ContactRooms,
  createContactBuffers,
  ensureContacts,
  growContacts,
  OVERFLOW,
  writeMovers,
} from '../tables/contact-buffers';
import { EDGE_BYTES, packEdges } from '../tables/edge-tables';
import { CONTACT_KERNELS } from './contact-kernels';

export interface DetectionInputs {
  /** [s] */
  readonly timeStep: number;
  /** Contacts are made up to this share of the sum of radii [-]. Default 0.25. */
  readonly near?: number;
  /** Look along the whole way of the step, so that nothing tunnels. Default true. */
  readonly continuous?: boolean;
  /** GpuCoupling writes the bodies, when they have moved. Default false: they are written as they are. */
  readonly moversLater?: boolean;
}

export interface GpuContacts {
  readonly buffers: ContactBuffers;
  /** Colliders as `begin` wrote them. */
  readonly colliders: ColliderBuffers;
  /**
   * Takes over what does not change within a step: after every upload of the strands. `sameRows`: nodes and strands
   * that were there have kept their rows, so the last list still holds. Buried nodes have been counted in the tables
   * (rodBury). Throws GpuLimitError where there is no room.
   */
  upload(arena: Arena, tables: Tables, sameRows?: boolean): void;
  /** Writes bodies, colliders and the question of a step; after find-pairs, before encodeFind. */
  begin(arena: Arena, tables: Tables, inputs: DetectionInputs): void;
  /** Whether there may be contacts at all: strands that may meet, or bodies. */
  readonly mayTouch: boolean;
  /** In place of all detections of a step, where nothing may touch. Outside a pass. */
  encodeNone(encoder: GPUCommandEncoder): void;
  /**
   * Finds contacts along velocities (vec4f a node) into the other list, which becomes the current one. `look`: 0 for a
   * new list, from 1 on the list of the look before is kept and added to.
   */
  encodeFind(pass: ComputePass, velocities: GpuBuffer, look?: number): void;
  /** Whether strands may meet strands. */
  readonly canMeet: boolean;
  /**
   * Finds the pairs of edges that may touch along velocities, in any order, into `found`; the
   * list of contacts stays as it is.
   */
  encodePairs(pass: ComputePass, velocities: GpuBuffer): void;
  /** What encodePairs writes, by the names of the bindings: detection, edges, found, counters. */
  pairs(): Bindings;
  /** Makes room for what an earlier detection wanted; returns the names of the rooms that were too small in it. */
  grow(counters: Uint32Array): (keyof ContactRooms)[];
}

const SLOT_BYTES = 256;
const DETECTION_WORDS = 16;
const SUM_WORDS = 8;
const GRID_BYTES = 32 + 48 + 32 * GRID_LEVELS + 4 * 256 + 4 * 80;
const BOX_BYTES = 32;
/** Least cells of a level: two bits an axis. */
const LEAST_CELLS = 64;
/** Threads of kernels that go round until nothing is left: enough to fill a large device. */
const WIDE = 4096 * 64;
const NO_LIMIT = 0xffffffff;
/** Places in the counters that only the sum over cells writes. */
const SCRATCH_COUNTER = 8;
/**
 * Places of the settings: four of a detection (further · 2 + list), then sums over cells, pairs, and rows
 * of each list, a detection of pairs.
 */
const CELL_SUM = 4;
const PAIR_SUM = 5;
const ROW_SUM = 6;
const PAIRS_ONLY = 8;
const SLOTS = 9;

/** Compiles the kernels and makes empty buffers. Rejects where a kernel does not compile. */
export async function createGpuContacts(context: GpuContext, strands: GpuStrands): Promise<GpuContacts> {
  const { device } = context;
  const detection = openDetection(device, strands, await compileKernels(context, CONTACT_KERNELS));
  const { buffers, bodies, own, settings } = detection;
  const { pool } = buffers;
  const record = createRecorder(context, detection);
  const writeSettings = createSettings(device, detection);

  return {
    buffers,
    colliders: bodies,
    upload(arena, tables, sameRows = false) {
      ensureRoom(context, detection);
      if (!sameRows) detection.lastNodes = 0;
      const { statics, holders } = packEdges(strands.buffers, tables);
      pool.ensure(own.statics, statics.byteLength);
      pool.ensure(own.holders, holders.byteLength);
      device.queue.writeBuffer(own.statics.buffer, 0, statics);
      device.queue.writeBuffer(own.holders.buffer, 0, holders);
      detection.canMeet = mayMeet(arena, tables);
    },
    begin(arena, tables, inputs) {
      writeMovers(buffers, arena, tables, strands.buffers.cell, inputs.moversLater);
      writeColliders(bodies, arena, tables, buffers.moverOf, strands.buffers.cell);
      writeSettings(inputs);
    },
    get mayTouch() {
      return detection.canMeet || buffers.moverCount > 0;
    },
    encodeNone(encoder) {
      encoder.clearBuffer(buffers.counters.buffer);
      detection.lastNodes = 0;
    },
    encodeFind(pass, velocities, look = 0) {
      if (strands.buffers.nodeCount === 0) return;
      buffers.current = buffers.current === 0 ? 1 : 0;
      encodeFind(detection, record(pass, velocities, (look > 0 ? 2 : 0) + buffers.current), look);
    },
    get canMeet() {
      return detection.canMeet;
    },
    encodePairs(pass, velocities) {
      const recording = record(pass, velocities, PAIRS_ONLY);
      encodeBoxes(detection, recording);
      encodeGrid(detection, recording);
    },
    pairs: () => ({
      detection: { buffer: settings.buffer, offset: SLOT_BYTES * PAIRS_ONLY, size: 4 * DETECTION_WORDS },
      edges: own.edges,
      found: buffers.found,
      counters: buffers.counters,
    }),
    grow: (counters) => growContacts(buffers, counters, strands.buffers.nodeCount, strands.buffers.strandCount),
  };
}

type Detection = ReturnType<typeof openDetection>;
type ContactKernels = Readonly<Record<keyof typeof CONTACT_KERNELS, Kernel>>;

/** What a detection works with and on. */
function openDetection(device: GPUDevice, strands: GpuStrands, kernels: ContactKernels) {
  const { pool } = strands.buffers;
  const make = (name: string, bytes = 256) => pool.create(name, bytes, STATE_USAGE);
  return {
    strands,
    kernels,
    buffers: createContactBuffers(device, pool),
    bodies: createColliderBuffers(device, pool),
    settings: pool.create('detection', SLOTS * SLOT_BYTES, USAGE.uniform | USAGE.copyTarget),
    own: {
      statics: make('statics'),
      holders: make('holders'),
      edges: make('edges'),
      boxes: make('boxes'),
      filed: make('filed'),
      grid: make('grid', GRID_BYTES),
      cells: make('cells'),
      parts: make('parts'),
      pairStarts: make('starts of pairs'),
      heads: make('heads'),
      cursors: make('cursors'),
    },
    /** Strands may meet strands. */
    canMeet: false,
    /** Nodes of the list before. */
    lastNodes: 0,
    /** Of the grid. */
    cells: 0,
  };
}

/** Buffers that others see too, by the names of the bindings. */
function namedBuffers({ buffers, bodies }: Detection) {
  const { starts, counters, movers, pairs, hits, found, claims, reachable } = buffers;
  const { colliders, faces } = bodies;
  return { starts, counters, movers, pairs, hits, found, claims, reachable, colliders, faces };
}

/** Throws GpuLimitError where there is no room. */
function ensureRoom(context: GpuContext, detection: Detection): void {
  const { buffers, own, strands } = detection;
  const { nodeCount, strandCount, pool } = strands.buffers;
  detection.cells = 2 * nodeCount + GRID_LEVELS * LEAST_CELLS;
  checkRoom(context, nodeCount);
  ensureContacts(buffers, nodeCount, strandCount);
  pool.ensure(own.edges, EDGE_BYTES * nodeCount);
  for (const buffer of [own.boxes, own.filed]) pool.ensure(buffer, BOX_BYTES * nodeCount);
  pool.ensure(own.cells, 4 * (detection.cells + 1));
  pool.ensure(own.parts, 4 * Math.ceil(detection.cells / SUM_PART));
  for (const buffer of [own.pairStarts, own.heads, own.cursors]) pool.ensure(buffer, 4 * (nodeCount + 1));
}

/** What writes the settings of all slots, where they have changed: they seldom do. */
function createSettings(device: GPUDevice, detection: Detection): (inputs: DetectionInputs) => void {
  const { buffers, bodies, strands, settings } = detection;
  let written: readonly number[] = [];
  return ({ timeStep, near = NEAR, continuous = true }) => {
    const { lastNodes, cells } = detection;
    const { nodeCount, strandCount } = strands.buffers;
    const { rooms, startsStride } = buffers;
    const asked = [nodeCount, strandCount, bodies.count, timeStep, near, Number(continuous), lastNodes, cells];
    asked.push(startsStride, rooms.contacts, rooms.pairs, rooms.bodyHits, rooms.colliders);
    if (asked.every((value, k) => value === written[k])) return;
    written = asked;
    const words = new Uint32Array((SLOTS * SLOT_BYTES) / 4);
    const reals = new Float32Array(words.buffer);
    for (const slot of [0, 1, 2, 3, PAIRS_ONLY]) {
      const further = slot === PAIRS_ONLY ? 2 : slot >> 1;
      const list = slot & 1;
      const at = (slot * SLOT_BYTES) / 4;
      const sweeps = continuous || slot === PAIRS_ONLY;
      words.set([nodeCount, strandCount, bodies.count, 0, 0, Number(sweeps), further], at);
      words.set([further ? nodeCount : lastNodes, list * startsStride, (1 - list) * startsStride], at + 7);
      words.set([rooms.contacts, rooms.pairs, rooms.bodyHits, 0, rooms.colliders, cells], at + 10);
      reals[at + 3] = timeStep;
      reals[at + 4] = near;
    }
    const { contacts, contactsWanted, pairs, pairsWanted, flags } = COUNTERS;
    const sum = (slot: number, values: number[]) => words.set(values, (slot * SLOT_BYTES) / 4);
    sum(CELL_SUM, [0, cells, NO_LIMIT, NO_LIMIT, SCRATCH_COUNTER, SCRATCH_COUNTER, 0, flags]);
    sum(PAIR_SUM, [0, nodeCount, NO_LIMIT, rooms.pairs, pairs, pairsWanted, OVERFLOW.pairs, flags]);
    for (let list = 0; list < 2; list++) {
      const first = list * startsStride;
      const room = rooms.contacts;
      sum(ROW_SUM + list, [first, nodeCount, NO_LIMIT, room, contacts, contactsWanted, OVERFLOW.contacts, flags]);
    }
    device.queue.writeBuffer(settings.buffer, 0, words);
  };
}

/** Records kernels of one detection. */
interface Recording {
  run(kernel: Kernel, entry: string, threads: number): void;
  /** Prefix sums of the first `count` of `values`, with the settings of slot `sum`. */
  sumUp(sum: number, values: GpuBuffer, count: number): void;
}

/** What begins a recording with the settings of a slot. */
function createRecorder(context: GpuContext, detection: Detection) {
  const { buffers, kernels, own, settings, strands } = detection;
  const groups = createBindGroups(context);
  /** Velocities that the bind groups are for. */
  let along: GpuBuffer | null = null;
  let changes = 0;

  /** `values`: what a sum is of, always the same in a slot. */
  const groupOf = (kernel: Kernel, slot: number, values = own.cells): GPUBindGroup =>
    groups.get(kernel, 2 * slot + buffers.current, () => {
      const { current, lists } = buffers;
      const setting = { buffer: settings.buffer, offset: SLOT_BYTES * slot };
      return {
        ...strands.buffers.columns,
        ...own,
        ...namedBuffers(detection),
        velocities: along ?? strands.buffers.columns.velocities,
        values,
        pairCounts: own.pairStarts,
        contacts: lists[current],
        last: lists[1 - current],
        detection: { ...setting, size: 4 * DETECTION_WORDS },
        sum: { ...setting, size: 4 * SUM_WORDS },
      };
    });

  return (pass: ComputePass, velocities: GpuBuffer, slot: number): Recording => {
    if (along !== velocities) changes++;
    along = velocities;
    groups.forget(buffers.pool.generation + changes);
    return {
      run: (kernel, entry, threads) => dispatch(pass, kernel, entry, groupOf(kernel, slot), threads),
      sumUp(sum, values, count) {
        const group = groupOf(kernels.prefixSum, sum, values);
        const parts = Math.ceil(count / SUM_PART);
        dispatchGroups(pass, kernels.prefixSum, 'main', group, parts);
        dispatchGroups(pass, kernels.prefixSum, 'main', group, parts + 1);
      },
    };
  };
}

function encodeBoxes({ kernels, cells, strands }: Detection, { run }: Recording): void {
  run(kernels.edgeClear, 'main', Math.min(cells, WIDE));
  run(kernels.edgeField, 'main', 1);
  run(kernels.edgeBoxes, 'main', strands.buffers.nodeCount);
}

/** Boxes → pairs, in any order. */
function encodeGrid({ kernels, cells, own, strands }: Detection, { run, sumUp }: Recording): void {
  const { nodeCount } = strands.buffers;
  run(kernels.gridMeasure, 'main', nodeCount);
  run(kernels.gridFile, 'count', nodeCount);
  sumUp(CELL_SUM, own.cells, cells);
  run(kernels.gridFile, 'fill', nodeCount);
  run(kernels.pairDetection, 'main', nodeCount);
}

function encodeFind(detection: Detection, recording: Recording, look: number): void {
  const { kernels, buffers, bodies, own, canMeet, strands } = detection;
  const { nodeCount, strandCount } = strands.buffers;
  const { run, sumUp } = recording;
  const { rooms } = buffers;
  encodeBoxes(detection, recording);
  if (canMeet) {
    encodeGrid(detection, recording);
    sumUp(PAIR_SUM, own.pairStarts, nodeCount);
    run(kernels.pairList, 'place', Math.min(rooms.pairs, WIDE));
    run(kernels.pairList, 'order', nodeCount);
    run(kernels.pairMeet, 'main', Math.min(rooms.pairs, WIDE));
  }
  if (bodies.count > 0) {
    run(kernels.bodyStrands, 'main', strandCount);
    run(kernels.bodyDetection, 'main', nodeCount);
  }
  run(kernels.edgeRows, 'main', nodeCount);
  sumUp(ROW_SUM + buffers.current, buffers.starts, nodeCount);
  if (look > 0) run(kernels.edgeKeep, 'main', Math.min(rooms.contacts, WIDE));
  if (canMeet) run(kernels.pairRows, 'main', Math.min(rooms.pairs, WIDE));
  if (bodies.count > 0) run(kernels.bodyRows, 'main', Math.min(rooms.bodyHits, WIDE));
  if (look === 0) {
    run(kernels.edgeMatch, 'propose', Math.min(rooms.contacts, WIDE));
    run(kernels.edgeMatch, 'accept', Math.min(rooms.contacts, WIDE));
  }
  detection.lastNodes = nodeCount;
}

/** Throws where an edge column would not fit into one binding, or its threads into one dispatch. */
function checkRoom({ limits }: GpuContext, nodes: number): void {
  const most = largestBinding(limits);
  const threads = 64 * limits.maxComputeWorkgroupsPerDimension;
  if (EDGE_BYTES * nodes <= most && nodes <= threads) return;
  throw new GpuLimitError(
    `contacts of strands on WebGPU: ${nodes} nodes need ${EDGE_BYTES * nodes} bytes in one binding and as many ` +
      `threads, this device takes ${most} (maxStorageBufferBindingSize, maxBufferSize) and ${threads} ` +
      '(maxComputeWorkgroupsPerDimension)',
  );
}

/** Whether any two edges may meet, by flags and layers: hair that touches bodies only needs no grid. */
function mayMeet(arena: Arena, { rods }: Tables): boolean {
  let alive = 0;
  let layers = 0;
  let masks = 0;
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if ((rods.flags[rod] & L.ROD_ALIVE) === 0) continue;
    if ((rods.flags[rod] & L.ROD_SELF_CONTACT) !== 0) return true;
    alive++;
    layers |= rods.layers[rod] & 0xffff;
    masks |= rods.layers[rod] >>> 16;
  }
  return alive > 1 && (layers & masks) !== 0;
}
