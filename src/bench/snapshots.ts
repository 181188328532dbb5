// `stiction bench snapshots`: what taking, packing and restoring a snapshot costs, how large one is plain, and what it
// adds to a ring once packed.
//
// Bodies in flight, in stacks that stand, in a pile at rest and in one that falls, all awake: what sleeps costs
// nothing. It needs nothing but the program itself.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import type { Physics } from '../../systems/physics';
import { addRigidBody } from '../../systems/rigid-body';
import type { Snapshot } from '../../systems/snapshot-types';
import { noteRun, type RunFacts } from './run-facts';
import { processorTime, quantile } from './shells-measure';

/** How much is measured. */
export interface SnapshotBenchSize {
  readonly bodies: readonly number[];
  /** Snapshots, one a step. */
  readonly steps: number;
}

export const FULL_SNAPSHOTS: SnapshotBenchSize = { bodies: [60, 1000], steps: 120 };

/** Some seconds. */
export const QUICK_SNAPSHOTS: SnapshotBenchSize = { bodies: [60], steps: 40 };

/** Snapshots that a ring keeps: a game goes back ten steps. */
const RING = 10;

/** Of one world; medians but for `mean` and `worst`. */
export interface SnapshotRow {
  readonly scene: SnapshotScene;
  readonly bodies: number;
  /** A plain copy [B a body]. */
  readonly plain: number;
  /** Packed: what the first of all takes, and what one adds to a ring of ten, its mean and its most [B a body]. */
  readonly first: number;
  readonly added: number;
  readonly mean: number;
  readonly worst: number;
  /** Processor time of `physics.snapshot` in the memory of the oldest, of `physics.restore` to the next one [ms]. */
  readonly take: number;
  readonly restore: number;
  /** Of `physics.packSnapshot`, and of `physics.restore` to the oldest of a ring of packed ones [ms]. */
  readonly pack: number;
  readonly restorePacked: number;
}

export interface SnapshotBenchResult extends RunFacts {
  bench: 'snapshots';
  rows: SnapshotRow[];
}

const SNAPSHOT_SCENES = ['flight', 'stacks', 'pile at rest', 'pile falling'] as const;
export type SnapshotScene = (typeof SNAPSHOT_SCENES)[number];

/** Rolling friction of what is to come to rest [m]: a fiftieth of the radius of its balls. */
const ROLLING = 0.005;

/** Runs the table. */
export function benchSnapshots(size: SnapshotBenchSize, progress: (text: string) => void): SnapshotBenchResult {
  const facts = noteRun();
  const rows: SnapshotRow[] = [];
  for (const bodies of size.bodies) {
    for (const scene of SNAPSHOT_SCENES) {
      progress(`${scene}, ${bodies} bodies`);
      rows.push(benchScene(scene, bodies, size.steps));
    }
  }
  progress('');
  return {
    bench: 'snapshots',
    ...facts(),
    rows,
  };
}

function benchScene(scene: SnapshotScene, bodies: number, steps: number): SnapshotRow {
  const physics = createSnapshotWorld(scene, bodies);
  const ring: Snapshot[] = [];
  const packed: Snapshot[] = [];
  const added: number[] = [];
  const times = { take: [] as number[], restore: [] as number[], pack: [] as number[], restorePacked: [] as number[] };
  const firstOfAll = physics.snapshot();
  const plain = snapshotBytes([firstOfAll]) / bodies;
  physics.packSnapshot(firstOfAll);
  const first = snapshotBytes([firstOfAll]) / bodies;
  for (let k = 0; k < steps; k++) {
    physics.step();
    const spent = ring.length === RING ? ring.shift() : null;
    times.take.push(timeOf(() => ring.push(physics.snapshot(spent))));
    const before = snapshotBytes(packed);
    const snapshot = physics.snapshot();
    times.pack.push(timeOf(() => physics.packSnapshot(snapshot)));
    packed.push(snapshot);
    if (ring.length < RING) continue;
    added.push((snapshotBytes(packed) - before) / bodies);
    times.restorePacked.push(timeOf(() => physics.restore(packed[0])));
    times.restore.push(timeOf(() => physics.restore(ring[0])));
    physics.restore(packed[RING - 1]);
    packed.shift();
  }
  const mean = added.reduce((sum, bytes) => sum + bytes, 0) / added.length;
  const [take, restore, pack, restorePacked] = Object.values(times).map((all) => quantile(all, 0.5));
  physics.dispose();
  const bytes = { plain, first, added: quantile(added, 0.5), mean, worst: quantile(added, 1) };
  return { scene, bodies, ...bytes, take, restore, pack, restorePacked };
}

function timeOf(work: () => void): number {
  const start = processorTime();
  work();
  return processorTime() - start;
}

/** Bytes of all arrays of some snapshots, each once however many share it, and of their numbers [B]. */
export function snapshotBytes(snapshots: readonly Snapshot[]): number {
  const seen = new Set<unknown>();
  const sizeOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
    seen.add(value);
    if (ArrayBuffer.isView(value)) return sizeOf(value.buffer);
    if (value instanceof ArrayBuffer) return value.byteLength;
    if (value instanceof Map) return 16 * value.size;
    return Object.values(value).reduce((sum: number, part) => sum + (typeof part === 'number' ? 8 : sizeOf(part)), 0);
  };
  return sizeOf(snapshots);
}

/** A world of `count` awake bodies, run up to where the scene is what its name says. */
export function createSnapshotWorld(scene: SnapshotScene, count: number, threads = 0): Physics {
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false, threads });
  // What rolls in a hollow of the pile would rock there for ever.
  const rollingFriction = scene === 'pile at rest' ? ROLLING : 0;
  const friction = 0.5;
  addRigidBody(physics, {
    type: 'static',
    shape: { box: [200, 1, 200] },
    position: [0, -1, 0],
    friction,
    rollingFriction,
  });
  if (scene === 'flight') addFlight(physics, count);
  else if (scene === 'stacks') addStacks(physics, count);
  else addPile(physics, count, rollingFriction);
  const lead = { flight: 5, stacks: 60, 'pile at rest': 600, 'pile falling': 40 }[scene];
  for (let k = 0; k < lead; k++) physics.step();
  return physics;
}

/** Boxes that turn, far from each other. */
function addFlight(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) {
    const position = [2 * (i % 20), 100 + 2 * (Math.floor(i / 20) % 20), 2 * Math.floor(i / 400)];
    const angularVelocity = [1, 0.1 * (i % 60), 2];
    const velocity = [3, i % 3, 0.5];
    addRigidBody(physics, { shape: { box: [0.2, 0.3, 0.4] }, position, velocity, angularVelocity });
  }
}

/** Three boxes each. */
function addStacks(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) {
    const stack = Math.floor(i / 3);
    const position = [2 * (stack % 20), 0.5 + (i % 3), 2 * Math.floor(stack / 20)];
    addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position });
  }
}

/** Boxes, balls and capsules, layer by layer, ten times as wide as a body at 1000 of them. */
function addPile(physics: Physics, count: number, rollingFriction: number): void {
  const shapes = [{ box: [0.25, 0.25, 0.25] as const }, { sphere: 0.25 }, { capsule: [0.15, 0.2] as const }];
  const side = Math.round(Math.cbrt(count));
  for (let i = 0; i < count; i++) {
    const [column, layer] = [i % (side * side), Math.floor(i / (side * side))];
    const x = 0.6 * (column % side) + 0.013 * (i % 5);
    const z = 0.6 * Math.floor(column / side) + 0.011 * (i % 7);
    addRigidBody(physics, { shape: shapes[i % 3], position: [x, 0.4 + 0.6 * layer, z], rollingFriction });
  }
}
