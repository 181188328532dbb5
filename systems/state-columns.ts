// What a game may write is state, too: columns and tags of bodies, rods and joints, taken with a snapshot and put back.
//
// Poses and velocities mostly are what the tables say (copy-out): only writes that still wait for a step are kept of
// them. Of every other column of a kind one number is kept where all entities share it.

import { hasComponent, query, removeComponent } from 'bitecs';
import type { ColumnTree } from '../components/columns';
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

function bodyColumns({ components }: Physics): Column[] {
  const { RigidBody, Collider, Material } = components;
  return [RigidBody, Collider, Material].flatMap((component) => leavesOf(component as unknown as ColumnTree));
}

/** Transform and Velocity, in the order of the mirror's numbers, then Interpolated, which the mirror does not have. */
function motionColumns({ components }: Physics): Column[] {
  const { Transform, Velocity, Interpolated } = components;
  return [Transform, Velocity, Interpolated].flatMap((component) => leavesOf(component as unknown as ColumnTree));
}

function tagsOf({ components }: Physics): object[] {
  // A body may lose its Collider, and is none until it has one again.
  return [components.Static, components.Kinematic, components.Sensor, components.Sleeping, components.Collider];
}

/** What a column says of entities; `last`, what it said in the last snapshot, if it is still that. */
function keepColumn(column: Column, entities: Int32Array, last: KeptColumn | undefined): KeptColumn {
  const count = entities.length;
  let i = 0;
  if (last !== undefined && last.length === count) {
    while (i < count && isSameNumber(column[entities[i]], last[i])) i++;
    if (i === count) return last;
  }
  const first = column[entities[0]];
  for (i = 1; i < count && isSameNumber(column[entities[i]], first); ) i++;
  if (i >= count) return last?.length === 1 && Object.is(last[0], first) ? last : Float64Array.of(first);
  const kept = new Float64Array(count);
  for (i = 0; i < count; i++) kept[i] = column[entities[i]];
  return kept;
}

const NONE: readonly KeptColumn[] = [];

/** Keeps columns of a kind, and remembers them for the next snapshot. */
function keepAll(physics: Physics, kind: Kind, columns: readonly Column[], entities: Int32Array): KeptColumn[] {
  const { keptColumns } = physics.internal;
  const last = keptColumns.get(kind) ?? NONE;
  const kept = columns.map((column, k) => keepColumn(column, entities, last[k]));
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

function putColumn(column: Column, entities: Int32Array, kept: KeptColumn): void {
  if (kept.length === 1) for (let i = 0; i < entities.length; i++) column[entities[i]] = kept[0];
  else for (let i = 0; i < entities.length; i++) column[entities[i]] = kept[i];
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
  const { values } = physics.internal.mirror;
  const columns = motionColumns(physics);
  const waiting: number[] = [];
  for (let k = 0; k < columns.length; k++) {
    const column = columns[k];
    for (let i = k < MIRROR_COUNT ? 0 : bodies; i < entities.length; i++) {
      const now = column[entities[i]];
      if (i >= bodies || !isSameNumber(now, values[MIRROR_STRIDE * entities[i] + k])) waiting.push(i, k, now);
    }
  }
  return waiting.length === 0 ? NO_NUMBERS : Float64Array.from(waiting);
}

function concat(a: Int32Array, b: Int32Array): Int32Array {
  const all = new Int32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

/** Columns and tags of bodies, then of entities that have none. */
export function keepBodyColumns(physics: Physics, bodies: Int32Array, bodiless: Int32Array): KeptColumns {
  const entities = concat(bodies, bodiless);
  return {
    columns: keepAll(physics, 'RigidBody', bodyColumns(physics), entities),
    tags: keepTags(physics, 'RigidBody', entities),
    waiting: keepWaiting(physics, entities, bodies.length),
    unread: unreadProperties(physics.components, physics.internal.mirror, bodies),
  };
}

/** Puts them back; poses and velocities have been copied out before. */
export function putBodyColumns(physics: Physics, bodies: Int32Array, bodiless: Int32Array, kept: KeptColumns): void {
  const entities = concat(bodies, bodiless);
  bodyColumns(physics).forEach((column, k) => {
    putColumn(column, entities, kept.columns[k]);
  });
  putTags(physics, entities, kept.tags);
  const motion = motionColumns(physics);
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
  const kept = keepAll(physics, kind, columnsOf(physics, kind), entities);
  return kind === 'Contact' ? kept : [...kept, keepTags(physics, kind, entities)];
}

export function putColumns(physics: Physics, kind: OtherKind, entities: Int32Array, kept: readonly KeptColumn[]): void {
  if (entities.length === 0) return;
  const columns = columnsOf(physics, kind);
  columns.forEach((column, k) => {
    putColumn(column, entities, kept[k]);
  });
  if (kind !== 'Contact') putTags(physics, entities, kept[columns.length]);
}
