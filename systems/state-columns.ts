// What a game may write is state, too: columns and tags of bodies, rods and joints, taken with a snapshot and put back.
//
// Poses and velocities mostly are what the tables say (copy-out): only writes that still wait for a step are kept of
// them. Of every other column of a kind one number is kept where all entities share it.

import { hasComponent, query, removeComponent } from 'bitecs';
import type { ColumnSet, ColumnTree } from '../components/columns';
import { ROD_NUMBER_NAMES } from '../src/state/rod-material';
import { addSafely } from './ecs-changes';
import { isMeshName, MESH_FAMILIES } from './mesh-families';
import { isSameNumber, MIRROR_COUNT, MIRROR_STRIDE, mirrorAll, unreadProperties } from './mirror';
import type { Physics } from './physics';
import type { KeptColumn, KeptColumns, Kind } from './snapshot-types';

type Column = Float64Array | Int32Array;

/** All typed arrays of a component, in the order of its declaration. */
function leavesOf(tree: ColumnTree, out: Column[] = []): Column[] {
  for (const value of Object.values(tree)) {
    if (ArrayBuffer.isView(value)) out.push(value as Column);
    else leavesOf(value as ColumnTree, out);
  }
  return out;
}

/** Columns of bodies, as they are until they grow: to look for them takes as long as to compare a few. */
interface BodyColumns {
  readonly capacity: number;
  readonly own: readonly Column[];
  /** Those of real numbers as pairs of integers, null of whole numbers. */
  readonly ownBits: readonly (Int32Array | null)[];
  /**
   * Transform and Velocity, in the order of the mirror's numbers, then Interpolated, which the mirror does not have.
   */
  readonly motion: readonly Float64Array[];
  readonly motionBits: readonly Int32Array[];
}

const listed = new WeakMap<ColumnSet, BodyColumns>();

function bodyColumns({ components, internal }: Physics): BodyColumns {
  const before = listed.get(internal.columns);
  const { capacity } = internal.columns;
  if (before?.capacity === capacity) return before;
  const { RigidBody, Collider, Material, Transform, Velocity, Interpolated } = components;
  const all = (parts: readonly object[]) => parts.flatMap((component) => leavesOf(component as ColumnTree));
  const motion = all([Transform, Velocity, Interpolated]) as Float64Array[];
  const own = all([RigidBody, Collider, Material]);
  const columns = { capacity, own, ownBits: own.map(realBits), motion, motionBits: motion.map(bitsOf) };
  listed.set(internal.columns, columns);
  return columns;
}

function tagsOf({ components }: Physics): object[] {
  // A body may lose its Collider, and is none until it has one again.
  return [components.Static, components.Kinematic, components.Sensor, components.Sleeping, components.Collider];
}

/**
 * Entities as runs of numbers that follow each other: the first, and how many. Mostly these are few, and loops over
 * them take a third of the time of those over a list.
 */
type Runs = Int32Array;

function runsOf(entities: Int32Array): Runs {
  const runs: number[] = [];
  for (let i = 0; i < entities.length; ) {
    const first = i;
    do i++;
    while (i < entities.length && entities[i] === entities[i - 1] + 1);
    runs.push(entities[first], i - first);
  }
  return Int32Array.from(runs);
}

/**
 * What a column, with its `bits` if it is of real numbers, says of entities; `last`, what it said in the last snapshot,
 * if it is still that.
 */
function keepColumn(
  column: Column,
  bits: Int32Array | null,
  runs: Runs,
  count: number,
  last: KeptColumn | undefined,
): KeptColumn {
  if (last && (last.length === count || last.length === 1) && isAsKept(column, bits, runs, last)) return last;
  const first = Float64Array.of(column[runs[0]]);
  if (isAsKept(column, bits, runs, first)) return first;
  const kept = new Float64Array(count);
  for (let r = 0, k = 0; r < runs.length; r += 2) {
    for (let eid = runs[r]; eid < runs[r] + runs[r + 1]; eid++) kept[k++] = column[eid];
  }
  return kept;
}

// One function for each type of array: loops that see both take ten times as long.

/** Whether a column says what was kept: one number for all of the entities, or one each. */
function isAsKept(column: Column, bits: Int32Array | null, runs: Runs, kept: KeptColumn): boolean {
  const isShared = kept.length === 1;
  if (bits === null) return areSameWholes(column as Int32Array, runs, kept, isShared ? 0 : 1);
  const keptBits = bitsOf(kept);
  return isShared ? areAllBits(bits, runs, keptBits[0], keptBits[1]) : areSameBits(bits, runs, keptBits);
}

/** The numbers as pairs of integers: to compare these tells zeros by their signs, and costs no division. */
function bitsOf(column: Float64Array): Int32Array {
  return new Int32Array(column.buffer, column.byteOffset, 2 * column.length);
}

function realBits(column: Column): Int32Array | null {
  return column instanceof Float64Array ? bitsOf(column) : null;
}

function areSameBits(bits: Int32Array, runs: Runs, kept: Int32Array): boolean {
  for (let r = 0, k = 0; r < runs.length; r += 2) {
    const end = 2 * (runs[r] + runs[r + 1]);
    for (let at = 2 * runs[r]; at < end; at++, k++) if (bits[at] !== kept[k]) return false;
  }
  return true;
}

/** Whether all numbers have these two halves. Most do: to ask at the end of a run costs less than at each. */
function areAllBits(bits: Int32Array, runs: Runs, low: number, high: number): boolean {
  let differing = 0;
  for (let r = 0; r < runs.length && differing === 0; r += 2) {
    const end = 2 * (runs[r] + runs[r + 1]);
    for (let at = 2 * runs[r]; at < end; at += 2) differing |= (bits[at] ^ low) | (bits[at + 1] ^ high);
  }
  return differing === 0;
}

function areSameWholes(column: Int32Array, runs: Runs, kept: Float64Array, stride: number): boolean {
  for (let r = 0, k = 0; r < runs.length; r += 2) {
    const end = runs[r] + runs[r + 1];
    for (let eid = runs[r]; eid < end; eid++, k += stride) if (column[eid] !== kept[k]) return false;
  }
  return true;
}

const NONE: readonly KeptColumn[] = [];

/** Keeps columns of a kind, with the bits of those that have any, and remembers them for the next snapshot. */
function keepAll(
  physics: Physics,
  kind: Kind,
  columns: readonly Column[],
  bits: readonly (Int32Array | null)[],
  entities: Int32Array,
): KeptColumn[] {
  const { keptColumns } = physics.internal;
  const last = keptColumns.get(kind) ?? NONE;
  const runs = runsOf(entities);
  const kept = columns.map((column, k) => keepColumn(column, bits[k], runs, entities.length, last[k]));
  keptColumns.set(kind, kept);
  return kept;
}

/** The array of the last snapshot if this one is equal. */
export function shareArray<A extends Float64Array | Int32Array>(physics: Physics, name: string, array: A): A {
  const { keptArrays } = physics.internal;
  const last = keptArrays.get(name) as A | undefined;
  let isSame = last?.length === array.length;
  for (let i = 0; i < array.length && isSame; i++) isSame = isSameNumber(array[i], (last as A)[i]);
  if (isSame) return last as A;
  keptArrays.set(name, array);
  return array;
}

/** Runs from which on a call costs less than a loop. */
const LONG_RUN = 16;

function putColumn(column: Column, runs: Runs, kept: KeptColumn): void {
  const stride = kept.length === 1 ? 0 : 1;
  if (column instanceof Float64Array) putReals(column, runs, kept, stride);
  else putWholes(column, runs, kept, stride);
}

function putReals(column: Float64Array, runs: Runs, kept: KeptColumn, stride: number): void {
  for (let r = 0, k = 0; r < runs.length; r += 2) {
    const [first, end] = [runs[r], runs[r] + runs[r + 1]];
    if (end - first < LONG_RUN) for (let eid = first, j = k; eid < end; eid++, j += stride) column[eid] = kept[j];
    else if (stride === 0) column.fill(kept[0], first, end);
    else column.set(kept.subarray(k, k + end - first), first);
    k += stride * (end - first);
  }
}

function putWholes(column: Int32Array, runs: Runs, kept: KeptColumn, stride: number): void {
  for (let r = 0, k = 0; r < runs.length; r += 2) {
    const end = runs[r] + runs[r + 1];
    for (let eid = runs[r]; eid < end; eid++, k += stride) column[eid] = kept[k];
  }
}

/** Bits of the tags by entity number: the lists of the world are shorter than what is asked for. */
function tagBits(physics: Physics): Uint8Array {
  const bits = new Uint8Array(physics.internal.columns.capacity);
  tagsOf(physics).forEach((tag, k) => {
    const tagged = query(physics.world, [tag]);
    for (let i = 0; i < tagged.length; i++) bits[tagged[i]] |= 1 << k;
  });
  return bits;
}

function keepTags(physics: Physics, kind: Kind, entities: Int32Array): KeptColumn {
  if (entities.length === 0) return NO_NUMBERS;
  const bits = tagBits(physics);
  const kept = new Float64Array(entities.length);
  let isShared = true;
  for (let i = 0; i < entities.length; i++) {
    kept[i] = bits[entities[i]];
    isShared = isShared && kept[i] === kept[0];
  }
  return shareArray(physics, `tags of ${kind}`, isShared ? kept.slice(0, 1) : kept);
}

const NO_NUMBERS = new Float64Array(0);

function putTags(physics: Physics, entities: Int32Array, kept: KeptColumn): void {
  const { world } = physics;
  const bits = tagBits(physics);
  for (let i = 0; i < entities.length; i++) {
    const wanted = kept[kept.length === 1 ? 0 : i];
    if (wanted === bits[entities[i]]) continue;
    tagsOf(physics).forEach((tag, k) => {
      const isSet = ((wanted >> k) & 1) === 1;
      if (isSet === hasComponent(world, entities[i], tag)) return;
      if (isSet) addSafely(world, entities[i], tag);
      else removeComponent(world, entities[i], tag);
    });
  }
}

/** From `bodies` on entities have no body, and all their numbers wait. */
function keepWaiting(physics: Physics, entities: Int32Array, bodies: number): Float64Array {
  const { motion: columns, motionBits: bits } = bodyColumns(physics);
  const seen = bitsOf(physics.internal.mirror.values);
  // Nearly always all is as it was written last.
  let isMirrored = bodies === entities.length;
  for (let k = 0; k < MIRROR_COUNT && isMirrored; k++) isMirrored = isColumnMirrored(bits[k], seen, k, entities);
  if (isMirrored) return NO_NUMBERS;
  const waiting: number[] = [];
  for (let i = 0; i < entities.length; i++) {
    const eid = entities[i];
    for (let k = 0; k < (i < bodies ? MIRROR_COUNT : columns.length); k++) {
      const at = 2 * (MIRROR_STRIDE * eid + k);
      const isSeen = i < bodies && bits[k][2 * eid] === seen[at] && bits[k][2 * eid + 1] === seen[at + 1];
      if (!isSeen) waiting.push(i, k, columns[k][eid]);
    }
  }
  return waiting.length === 0 ? NO_NUMBERS : Float64Array.from(waiting);
}

/** Whether a column of Transform or Velocity says what was last written to it. */
function isColumnMirrored(bits: Int32Array, seen: Int32Array, k: number, entities: Int32Array): boolean {
  for (let i = 0; i < entities.length; i++) {
    const at = 2 * entities[i];
    const m = MIRROR_STRIDE * at + 2 * k;
    if (bits[at] !== seen[m] || bits[at + 1] !== seen[m + 1]) return false;
  }
  return true;
}

function concat(a: Int32Array, b: Int32Array): Int32Array {
  if (b.length === 0) return a;
  const all = new Int32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

/** Columns and tags of bodies, then of entities that have none. */
export function keepBodyColumns(physics: Physics, bodies: Int32Array, bodiless: Int32Array): KeptColumns {
  const entities = concat(bodies, bodiless);
  const { own, ownBits } = bodyColumns(physics);
  return {
    columns: keepAll(physics, 'RigidBody', own, ownBits, entities),
    tags: keepTags(physics, 'RigidBody', entities),
    waiting: keepWaiting(physics, entities, bodies.length),
    unread: unreadProperties(physics.components, physics.internal.mirror, bodies),
  };
}

/** Puts them back; poses and velocities have been copied out before. */
export function putBodyColumns(physics: Physics, bodies: Int32Array, bodiless: Int32Array, kept: KeptColumns): void {
  const entities = concat(bodies, bodiless);
  const { own, motion } = bodyColumns(physics);
  const runs = runsOf(entities);
  own.forEach((column, k) => {
    putColumn(column, runs, kept.columns[k]);
  });
  putTags(physics, entities, kept.tags);
  const { waiting, unread } = kept;
  for (let at = 0; at < waiting.length; at += 3) motion[waiting[at + 1]][entities[waiting[at]]] = waiting[at + 2];
  mirrorAll(physics.components, physics.internal.mirror, bodies, unread);
}

/**
 * Of rods, grooms and joints what a game may write; of contacts everything, where they
 * have ended and no table knows more.
 */
function columnsOf({ components }: Physics, kind: OtherKind): Column[] {
  if (kind === 'Contact') return leavesOf(components.Contact as unknown as ColumnTree);
  if (kind === 'Joint') return leavesOf(components.Joint as unknown as ColumnTree);
  if (isMeshName(kind)) {
    const columns = components[kind] as unknown as Record<string, Column>;
    return MESH_FAMILIES[kind].columns.map((name) => columns[name]);
  }
  if (kind === 'Character' || kind === 'Vehicle' || kind === 'Wheel') {
    return leavesOf(components[kind] as unknown as ColumnTree);
  }
  if (kind !== 'Attachment') return ROD_NUMBER_NAMES.map((name) => components[kind][name]);
  const { impulse, force, ...own } = components.Attachment;
  return Object.values(own);
}

export type OtherKind = Exclude<Kind, 'RigidBody'>;

const NO_COLUMNS: readonly KeptColumn[] = [];

/** Columns of entities that are no bodies; of rods, grooms and joints their tags last. */
export function keepColumns(physics: Physics, kind: OtherKind, entities: Int32Array): readonly KeptColumn[] {
  if (entities.length === 0) return NO_COLUMNS;
  const columns = columnsOf(physics, kind);
  const kept = keepAll(physics, kind, columns, columns.map(realBits), entities);
  return kind === 'Contact' ? kept : [...kept, keepTags(physics, kind, entities)];
}

export function putColumns(physics: Physics, kind: OtherKind, entities: Int32Array, kept: readonly KeptColumn[]): void {
  if (entities.length === 0) return;
  const columns = columnsOf(physics, kind);
  const runs = runsOf(entities);
  columns.forEach((column, k) => {
    putColumn(column, runs, kept[k]);
  });
  if (kind !== 'Contact') putTags(physics, entities, kept[columns.length]);
}
