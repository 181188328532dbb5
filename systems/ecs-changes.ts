// Changes to the ECS world as the engine makes them: whole whatever a game's observers do, and
// silent where a restore makes them.
//
// bitECS looks a changed entity up once more after its observers: one that removed the entity makes addComponent and
// removeComponent throw a TypeError. And what an observer throws would leave the rest of a step undone: it is kept
// until the step is done, and thrown then.

import {
  $internal,
  addComponent,
  addEntity,
  type ComponentRef,
  entityExists,
  hasComponent,
  removeComponent,
  removeEntity,
  type World,
} from 'bitecs';
import { isGoing } from './entity-lives';
import type { Physics } from './physics';

interface Observable {
  notify: (...given: never[]) => unknown;
}

interface Query {
  readonly allComponents: readonly ComponentRef[];
  readonly addObservable: Observable;
  readonly removeObservable: Observable;
  has(eid: number): boolean;
  remove(eid: number): void;
  /** What has left, and is taken out of the list with the next query. */
  readonly toRemove: { has(eid: number): boolean };
}

/** What is used of bitECS 0.4's own books. */
interface Books {
  readonly entityIndex: { aliveCount: number; dense: number[]; sparse: number[]; maxId: number; versioning: boolean };
  readonly entityComponents: Map<number, Set<ComponentRef>>;
  readonly componentMap: Map<ComponentRef, { readonly queries: Set<Query> }>;
  readonly queries: Set<Query>;
  readonly queriesHashMap: Map<string, Query>;
  readonly notQueries: Set<Query>;
  /** Queries from which something has left since the last query of all. */
  readonly dirtyQueries: Set<Query>;
}

const booksOf = (world: World): Books => (world as unknown as { [$internal]: Books })[$internal];

/** Whether the world's entity numbers carry versions: columns cannot be indexed by them. */
export function isVersioned(world: World): boolean {
  return booksOf(world).entityIndex.versioning;
}

/** Changes of ours that are under way, by world. */
const underWay = new WeakMap<World, number>();

/** Whether a change of ours is under way: an observer asks. */
export function isBusy(world: World): boolean {
  return (underWay.get(world) ?? 0) > 0;
}

function whileBusy(world: World, work: () => void): void {
  const before = underWay.get(world) ?? 0;
  underWay.set(world, before + 1);
  try {
    work();
  } finally {
    underWay.set(world, before);
  }
}

/** Makes a change to one entity; whether the entity has outlived its observers. */
function change(world: World, eid: number, component: ComponentRef, make: () => void): boolean {
  const { entityComponents, queries } = booksOf(world);
  const own = entityComponents.get(eid);
  const isNested = Object.hasOwn(entityComponents, 'get');
  const get = entityComponents.get;
  const stray = new Set<ComponentRef>();
  entityComponents.get = (key) => get.call(entityComponents, key) ?? (key === eid ? stray : undefined);
  try {
    whileBusy(world, make);
  } finally {
    if (isNested) entityComponents.get = get;
    else delete (entityComponents as { get?: unknown }).get;
  }
  const now = entityComponents.get(eid);
  if (now === own) return now !== undefined;
  // The number may belong to another entity by now, which has nothing to do with the change.
  if (now && !hasComponent(world, eid, component)) now.delete(component);
  for (const query of now ? [] : queries) if (query.has(eid) && !query.toRemove.has(eid)) query.remove(eid);
  return false;
}

/** Adds a component or tag; false if an observer has removed the entity. */
export function addSafely(world: World, eid: number, component: ComponentRef): boolean {
  return change(world, eid, component, () => addComponent(world, eid, component));
}

/** Calls something of the game's from within the engine: what it throws waits until the engine's work is done. */
export function callGame(physics: Physics, work: () => void): void {
  try {
    work();
  } catch (error) {
    physics.internal.thrown.push(error);
  }
}

/** Throws the first error that waits. */
export function throwWaiting({ internal }: Physics): void {
  if (internal.thrown.length === 0) return;
  const [first] = internal.thrown.splice(0);
  throw first;
}

/** Sets or clears a tag; observers are told. */
export function setTag(physics: Physics, eid: number, tag: ComponentRef, isSet: boolean): void {
  const { world } = physics;
  if (!entityExists(world, eid) || isSet === hasComponent(world, eid, tag)) return;
  callGame(physics, () => {
    if (isSet) addSafely(world, eid, tag);
    else change(world, eid, tag, () => removeComponent(world, eid, tag));
  });
}

/** Removes an entity of the engine's, if it is there; observers are told. */
export function dropEntity(physics: Physics, eid: number): void {
  const { world } = physics;
  if (entityExists(world, eid) && !isGoing(physics, eid))
    callGame(physics, () => whileBusy(world, () => removeEntity(world, eid)));
}

/**
 * Makes the world forget components that no entity has, with their observers and the queries for nothing else: bitECS
 * keeps both for good. Asked for again, they are registered anew.
 */
export function forgetComponents(world: World, components: ReadonlySet<ComponentRef>): void {
  const { componentMap, queries, queriesHashMap, notQueries, dirtyQueries } = booksOf(world);
  for (const [hash, query] of queriesHashMap) {
    if (!query.allComponents.every((component) => components.has(component))) continue;
    queriesHashMap.delete(hash);
    queries.delete(query);
    notQueries.delete(query);
    dirtyQueries.delete(query);
  }
  for (const component of components) componentMap.delete(component);
}

/** Runs `work` with every observer of the world silent. */
export function withoutObservers(world: World, work: () => void): void {
  const silenced: [Observable, Observable['notify']][] = [];
  for (const { addObservable, removeObservable } of booksOf(world).queries) {
    for (const observable of [addObservable, removeObservable]) {
      silenced.push([observable, observable.notify]);
      observable.notify = () => ({});
    }
  }
  try {
    work();
  } finally {
    for (const [observable, notify] of silenced) observable.notify = notify;
  }
}

/** Adds an entity with this number, unless it is taken: then with another. Returns the number. */
export function addNumbered(world: World, eid: number): number {
  const index = booksOf(world).entityIndex;
  if (entityExists(world, eid)) return addEntity(world);
  while (index.maxId < eid) {
    const id = ++index.maxId;
    index.sparse[id] = index.dense.push(id) - 1;
  }
  // Free numbers follow the living ones, the next to be given out first.
  const at = index.sparse[eid];
  const next = index.dense[index.aliveCount];
  index.dense[at] = next;
  index.sparse[next] = at;
  index.dense[index.aliveCount] = eid;
  index.sparse[eid] = index.aliveCount;
  return addEntity(world);
}

/** Numbers that wait to be given out again, the next one first. */
export function freeNumbers(world: World): Int32Array {
  const { dense, aliveCount } = booksOf(world).entityIndex;
  return Int32Array.from(dense.slice(aliveCount));
}

/** The largest number that was ever given out. */
export function largestNumber(world: World): number {
  return booksOf(world).entityIndex.maxId;
}

/** The largest number there will have been when so many entities more have been added. */
export function largestAfter(world: World, count: number): number {
  const { dense, aliveCount, maxId } = booksOf(world).entityIndex;
  return maxId + Math.max(0, count - (dense.length - aliveCount));
}

/**
 * Numbers are given out again as if those beyond `largest` had never been: in the order of `wanted` as far as they are
 * free, then those beyond by size. Last come those that were taken then: entities of the game that have gone since.
 */
export function orderFreeNumbers(world: World, wanted: Int32Array, largest: number): void {
  const { dense, sparse, aliveCount, maxId } = booksOf(world).entityIndex;
  const isFree = new Uint8Array(maxId + 1);
  for (let at = aliveCount; at < dense.length; at++) isFree[dense[at]] = 1;
  const order: number[] = [];
  const take = (eid: number) => {
    if (isFree[eid] !== 1) return;
    isFree[eid] = 0;
    order.push(eid);
  };
  for (let k = 0; k < wanted.length; k++) take(wanted[k]);
  for (let eid = largest + 1; eid <= maxId; eid++) take(eid);
  for (let eid = 0; eid <= largest; eid++) take(eid);
  order.forEach((eid, k) => {
    dense[aliveCount + k] = eid;
    sparse[eid] = aliveCount + k;
  });
}
