// Contacts of strands on the device: two lists of rows (contact.wgsl), counters, and the bodies
// that both detection and solver see.
//
// In: how many nodes there are, what earlier detections wanted. Out: buffers with room. `lists[current]` is the list
// that the last detection wrote, the other one the list before; they change places with every detection, so bind groups
// exist for both. `starts` says where the rows of an edge begin: starts[half·stride + edge], a half for each list,
// with one more at the end. Rooms are guesses until a detection wanted more: `growContacts` takes its counters, some
// steps old, and makes room. Lists keep their rows then, since the forces in them are what the next detection starts
// from. What had no room was left out, and flagged.

import type { Arena } from '../../core/arena';
import { MOVER_BODY, MOVER_INVERSE_MASS, MOVER_WORDS } from '../../state/device-places';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';
import * as C from '../constants';
import { type BufferPool, type GpuBuffer, STATE_USAGE } from '../device/buffers';
import { largestBinding } from '../device/device';
import { MOST_THREADS } from '../device/pipelines';

/** Sizes of Contact and Mover in contact.wgsl [B]. */
export const CONTACT_BYTES = 128;
/** Size of a hit on a body (body.wgsl) [B], and of the head of their list. */
const HIT_BYTES = 64;
const HITS_HEAD_BYTES = 16;
const PAIR_BYTES = 16;

/** Places in `counters`, u32 each. */
export const COUNTERS = {
  contacts: C.COUNTER_CONTACTS,
  contactsWanted: C.COUNTER_CONTACTS_WANTED,
  pairsWanted: C.COUNTER_PAIRS_WANTED,
  flags: C.COUNTER_FLAGS,
  pairs: C.COUNTER_PAIRS,
  bodyHitsWanted: C.COUNTER_HITS_WANTED,
  collidersWanted: C.COUNTER_COLLIDERS_WANTED,
  pushes: C.COUNTER_PUSHES,
} as const;
export const COUNTER_BYTES = 256;

/** Rooms of a detection, and the setting that each is told as. */
export interface ContactRooms {
  /** Rows of each list. */
  contacts: number;
  /** Pairs of edges near each other. */
  pairs: number;
  /** Contacts with bodies. */
  bodyHits: number;
  /** Colliders near one strand. */
  colliders: number;
}

/** Bits of the flags, by the room that was too small. */
export const OVERFLOW: Readonly<Record<keyof ContactRooms, number>> = {
  contacts: C.OVERFLOW_CONTACTS,
  pairs: C.OVERFLOW_PAIRS,
  bodyHits: C.OVERFLOW_HITS,
  colliders: C.OVERFLOW_COLLIDERS,
};

export interface ContactBuffers {
  readonly device: GPUDevice;
  readonly pool: BufferPool;
  readonly lists: readonly [GpuBuffer, GpuBuffer];
  /** Which of the lists the last detection wrote. */
  current: 0 | 1;
  readonly starts: GpuBuffer;
  /** Room of one half of `starts`, in u32. */
  readonly startsStride: number;
  readonly counters: GpuBuffer;
  readonly movers: GpuBuffer;
  /** Number of rows in `movers`, dynamic ones first, and the body of each. */
  readonly moverCount: number;
  readonly moverBodies: Int32Array;
  /** Rows of `movers` by body slot, −1 none. */
  readonly moverOf: Int32Array;
  /** What `movers` holds, or is to hold in this step. */
  readonly moverRows: Float32Array<ArrayBuffer>;
  readonly rooms: Readonly<ContactRooms>;
  // What lives for one detection only.
  readonly pairs: GpuBuffer;
  readonly hits: GpuBuffer;
  readonly found: GpuBuffer;
  readonly claims: GpuBuffer;
  readonly reachable: GpuBuffer;
}

type Mutable = { -readonly [K in keyof ContactBuffers]: ContactBuffers[K] };

/**
 * Rooms to begin with: four a node in a small scene, 4096 or one a node in a large one; a dense
 * groom grows within its first steps.
 */
const LEAST_ROOM = 1024;
const SMALL_ROOM = 4096;
const FIRST_COLLIDERS = 8;
/** Room beyond what was wanted, so that a scene that fills slowly grows seldom. */
const GROWTH = 1.25;

/** Makes the buffers of one world, empty, in the pool of its strands. */
export function createContactBuffers(device: GPUDevice, pool: BufferPool): ContactBuffers {
  const make = (name: string, bytes: number) => pool.create(name, bytes, STATE_USAGE);
  return {
    device,
    pool,
    lists: [make('contacts', CONTACT_BYTES), make('other contacts', CONTACT_BYTES)],
    current: 0,
    starts: make('starts of contacts', 8),
    startsStride: 1,
    counters: make('counters', COUNTER_BYTES),
    movers: make('movers', 4 * MOVER_WORDS),
    moverCount: 0,
    moverBodies: new Int32Array(0),
    moverOf: new Int32Array(0),
    moverRows: new Float32Array(0),
    rooms: { contacts: 1, pairs: 1, bodyHits: 1, colliders: FIRST_COLLIDERS },
    pairs: make('pairs', 16),
    hits: make('hits', HITS_HEAD_BYTES + HIT_BYTES),
    found: make('found pairs', 8),
    claims: make('claims', 4),
    reachable: make('reachable', 4),
  };
}

/**
 * Makes room for so many nodes and strands; rooms asked for in `wanted` are made at least as large, as far as one
 * binding of the device takes them, and of contacts one dispatch: the solver has a thread for each.
 */
export function ensureContacts(
  buffers: ContactBuffers,
  nodes: number,
  strands: number,
  wanted: Partial<ContactRooms> = {},
): void {
  const b = buffers as Mutable;
  const { pool } = b;
  const most = largestBinding(b.device.limits) - HITS_HEAD_BYTES;
  // What does not fit is left out, and flagged in every step.
  const fit = (bytes: number, rows: number) => Math.min(rows, Math.floor(most / bytes));
  ensureStarts(b, nodes + 1);
  const least = Math.max(LEAST_ROOM, Math.min(SMALL_ROOM, 4 * nodes));
  const rooms: ContactRooms = {
    contacts: Math.min(
      MOST_THREADS,
      fit(CONTACT_BYTES, Math.max(least, nodes, b.rooms.contacts, wanted.contacts ?? 0)),
    ),
    pairs: fit(PAIR_BYTES, Math.max(least, 2 * nodes, b.rooms.pairs, wanted.pairs ?? 0)),
    bodyHits: fit(HIT_BYTES, Math.max(least, Math.ceil(nodes / 2), b.rooms.bodyHits, wanted.bodyHits ?? 0)),
    colliders: fit(4 * (strands + 1), Math.max(b.rooms.colliders, wanted.colliders ?? 0)),
  };
  for (const list of b.lists) pool.ensure(list, CONTACT_BYTES * rooms.contacts, true);
  pool.ensure(b.claims, 4 * rooms.contacts);
  pool.ensure(b.pairs, PAIR_BYTES * rooms.pairs);
  pool.ensure(b.hits, HITS_HEAD_BYTES + HIT_BYTES * rooms.bodyHits);
  pool.ensure(b.found, 8 * rooms.pairs);
  pool.ensure(b.reachable, 4 * (rooms.colliders + 1) * strands);
  b.rooms = rooms;
}

/** Makes both halves of `starts` larger; what they hold moves along. */
function ensureStarts(b: Mutable, count: number): void {
  if (count <= b.startsStride) return;
  const stride = Math.ceil(1.25 * count);
  const half = 4 * b.startsStride;
  const before = b.pool.create('starts before', 2 * half, STATE_USAGE);
  const encoder = b.device.createCommandEncoder({ label: 'grow starts of contacts' });
  encoder.copyBufferToBuffer(b.starts.buffer, 0, before.buffer, 0, 2 * half);
  b.device.queue.submit([encoder.finish()]);
  b.pool.ensure(b.starts, 8 * stride);
  const back = b.device.createCommandEncoder({ label: 'grow starts of contacts' });
  back.copyBufferToBuffer(before.buffer, 0, b.starts.buffer, 0, half);
  back.copyBufferToBuffer(before.buffer, half, b.starts.buffer, 4 * stride, half);
  b.device.queue.submit([back.finish()]);
  b.pool.release(before);
  b.startsStride = stride;
}

/**
 * Makes room for what a detection wanted, as its counters say (any number of steps later). Returns the names of the
 * rooms that were too small in that detection: each has been raised.
 */
export function growContacts(
  buffers: ContactBuffers,
  counters: Uint32Array,
  nodes: number,
  strands: number,
): (keyof ContactRooms)[] {
  const flags = counters[COUNTERS.flags];
  const names = (Object.keys(OVERFLOW) as (keyof ContactRooms)[]).filter((name) => flags & OVERFLOW[name]);
  if (names.length === 0) return names;
  const wanted: Partial<ContactRooms> = {};
  for (const name of names) wanted[name] = Math.ceil(GROWTH * counters[COUNTERS[`${name}Wanted`]]);
  ensureContacts(buffers, nodes, strands, wanted);
  return names;
}

/**
 * Writes all living bodies as they are in the tables: poses, velocities, inertia. `cell` is the zero of the device's
 * coordinates [m]. `later`: into moverRows only.
 */
export function writeMovers(
  buffers: ContactBuffers,
  arena: Arena,
  { bodies }: Tables,
  cell: Float64Array,
  later = false,
): void {
  const b = buffers as Mutable;
  const count = arena.i32[L.BODY_COUNT >> 2];
  if (b.moverOf.length < bodies.capacity) {
    b.moverOf = new Int32Array(bodies.capacity);
    b.moverBodies = new Int32Array(bodies.capacity);
  }
  if (b.moverRows.length < MOVER_WORDS * count) b.moverRows = new Float32Array(MOVER_WORDS * bodies.capacity);
  const rows = b.moverRows;
  const bits = new Uint32Array(rows.buffer);
  let n = 0;
  // Those that can be pushed come first.
  for (const pushable of [true, false]) {
    for (let body = 0; body < count; body++) {
      const flags = bodies.flags[body];
      if (pushable) b.moverOf[body] = -1;
      if ((flags & (L.BODY_ALIVE | L.BODY_QUARANTINED)) !== L.BODY_ALIVE) continue;
      if (((flags & L.BODY_DYNAMIC) !== 0) !== pushable) continue;
      b.moverOf[body] = n;
      b.moverBodies[n] = body;
      writeMover(rows, bits, MOVER_WORDS * n++, bodies, body, cell, pushable ? 1 : 0);
    }
  }
  b.moverCount = n;
  b.pool.ensure(b.movers, 4 * MOVER_WORDS * n);
  if (n > 0 && !later) b.device.queue.writeBuffer(b.movers.buffer, 0, rows, 0, MOVER_WORDS * n);
}

function writeMover(
  rows: Float32Array,
  bits: Uint32Array,
  at: number,
  bodies: Tables['bodies'],
  body: number,
  cell: Float64Array,
  push: number,
): void {
  for (let k = 0; k < 4; k++) {
    rows[at + k] = k < 3 ? bodies.position[4 * body + k] - cell[k] : 0;
    rows[at + 4 + k] = bodies.rotation[4 * body + k];
    rows[at + 8 + k] = k < 3 ? bodies.linearVelocity[4 * body + k] : 0;
    rows[at + 12 + k] = k < 3 ? bodies.angularVelocity[4 * body + k] : 0;
    rows[at + 16 + k] = push * bodies.inverseInertia[8 * body + k];
  }
  rows[at + MOVER_INVERSE_MASS] = push * bodies.inverseMass[body];
  rows[at + 20] = push * bodies.inverseInertia[8 * body + 4];
  rows[at + 21] = push * bodies.inverseInertia[8 * body + 5];
  bits[at + MOVER_BODY] = body;
  rows[at + 23] = 0;
}
