// What a game may write is state, too: columns and tags of bodies, rods and joints, taken with a snapshot and put back.
//
// Poses and velocities mostly are what the tables say (copy-out): only writes that still wait for a step are kept of
// them. Of every other column of a kind one number is kept where all entities share it.

import { hasComponent, query, removeComponent } from 'bitecs';
import type { ColumnTree } from '../components/columns';
import { ROD_NUMBER_NAMES } from '../src/state/rod-material';
import { SHELL_NUMBER_NAMES } from '../src/state/shell-material';
import { SOLID_NUMBER_NAMES } from '../src/state/solid-material';
import { addSafely } from './ecs-changes';
import { MIRROR_COUNT, MIRROR_STRIDE, mirrorAll, unreadProperties } from './mirror';
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

function keepColumn(column: Column, entities: Int32Array): KeptColumn {
  const first = column[entities[0]];
  let isShared = true;
  for (let i = 1; i < entities.length && isShared; i++) isShared = Object.is(column[entities[i]], first);
  if (isShared) return Float64Array.of(first);
  const kept = new Float64Array(entities.length);
  for (let i = 0; i < entities.length; i++) kept[i] = column[entities[i]];
  return kept;
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

function keepTags(physics: Physics, entities: Int32Array): KeptColumn {
  const bits = tagBits(physics);
  const kept = new Float64Array(entities.length);
  let isShared = true;
  for (let i = 0; i < entities.length; i++) {
    kept[i] = bits[entities[i]];
    isShared = isShared && kept[i] === kept[0];
  }
  return isShared ? kept.slice(0, 1) : kept;
}

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
  const waiting: number[] = [];
  motionColumns(physics).forEach((column, k) => {
    for (let i = 0; i < entities.length; i++) {
      const eid = entities[i];
      const isShown = i < bodies && (k >= MIRROR_COUNT || Object.is(column[eid], values[MIRROR_STRIDE * eid + k]));
      if (!isShown) waiting.push(i, k, column[eid]);
    }
  });
  return Float64Array.from(waiting);
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
  const columns = bodyColumns(physics).map((column) => keepColumn(column, entities));
  return {
    columns,
    tags: keepTags(physics, entities),
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
  if (kind === 'Shell') return SHELL_NUMBER_NAMES.map((name) => components.Shell[name]);
  if (kind === 'Solid') return SOLID_NUMBER_NAMES.map((name) => components.Solid[name]);
  if (kind === 'Character' || kind === 'Vehicle' || kind === 'Wheel') {
    return leavesOf(components[kind] as unknown as ColumnTree);
  }
  if (kind !== 'Attachment') return ROD_NUMBER_NAMES.map((name) => components[kind][name]);
  const { rod, node, body, length, other, otherNode } = components.Attachment;
  return [rod, node, body, length, other, otherNode];
}

export type OtherKind = Exclude<Kind, 'RigidBody'>;

/** Columns of entities that are no bodies; of rods, grooms and joints their tags last. */
export function keepColumns(physics: Physics, kind: OtherKind, entities: Int32Array): KeptColumn[] {
  const kept = columnsOf(physics, kind).map((column) => keepColumn(column, entities));
  if (kind !== 'Contact') kept.push(keepTags(physics, entities));
  return kept;
}

export function putColumns(physics: Physics, kind: OtherKind, entities: Int32Array, kept: readonly KeptColumn[]): void {
  const columns = columnsOf(physics, kind);
  columns.forEach((column, k) => {
    putColumn(column, entities, kept[k]);
  });
  if (kind !== 'Contact') putTags(physics, entities, kept[columns.length]);
}
