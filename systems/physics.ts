// One world's physics: what `createPhysics` returns, and its inner state.

import { entityExists, type World } from 'bitecs';
import type { ColumnSet } from '../components/columns';
import type { Components } from '../components/components';
import type { QueryContext } from '../src/collision/queries';
import { refuse, refuseAs, show, UsageError } from '../src/core/errors';
import type { Profile } from '../src/core/profile';
import type { ContactModifier } from '../src/dynamics/contact-view';
import type { Engine } from '../src/dynamics/engine';
import type { ContactModification } from '../src/dynamics/prepare-contacts';
import type { StepReport } from '../src/dynamics/report';
import type { BakedFor } from '../src/state/baked-strands';
import type { ResolvedSettings } from '../src/state/settings';
import type { StrandRest } from '../src/state/strand-rest';
import type { JointState } from './joint-state';
import type { MeshViews } from './mesh-families';
import type { Mirror } from './mirror';
import type { RodState, StrandColumns } from './rod-state';
import type { ShapeBook } from './shape-book';
import type { KeptColumn, Kind, RestoreReport, Snapshot } from './snapshot-types';
import type { StageName } from './stage-names';
import type { ThreadState } from './thread-state';

/** What a system is given. */
export interface Step {
  readonly physics: Physics;
  /** [s] */
  readonly timeStep: number;
  /** Simulated time at the start of the step [s]. */
  readonly time: number;
}

/** A stage or a game's own system: its timer comes with it. */
export type System = (step: Step) => void;

export interface Schedule {
  /** The stages and the game's systems in the order they run. */
  readonly names: readonly string[];
  /**
   * Adds a system before a stage, or before a system added earlier (the function itself); returns a
   * function that takes it out again.
   */
  before(stage: StageName | System, system: System, name?: string): () => void;
  /**
   * Adds a system after a stage, or after a system added earlier (the function itself); returns a
   * function that takes it out again.
   */
  after(stage: StageName | System, system: System, name?: string): () => void;
}

/** The running side of a schedule. */
export interface ScheduleRunner {
  readonly schedule: Schedule;
  run(step: Step): void;
}

/** The physics of one bitECS world. */
export interface Physics extends MeshViews {
  readonly world: World;
  readonly components: Components;
  readonly schedule: Schedule;
  readonly settings: ResolvedSettings;
  /** One step of settings.timeStep. Throws UsageError inside a step and after `dispose`. */
  step(): void;
  /**
   * Runs as many fixed steps as `frameSeconds` [s] asks for and returns how many. At most
   * settings.maxStepsPerFrame: the rest is dropped, so that a slow tab cannot spiral. None while strands on WebGPU are
   * too far behind (GpuStrandsOptions.framesInFlight): the world then runs slow, instead of ever later.
   * A negative number counts as 0: the first time that requestAnimationFrame tells may lie before performance.now().
   * Throws UsageError unless frameSeconds is a finite number, and where `step` does.
   */
  advance(frameSeconds: number): number;
  /**
   * Does now what the first frames would wait for: makes the bodies added so far, and, the first time in a page, has
   * the engine compiled by stepping a small world of its own. That takes some 3 s of the processor (on a machine with
   * much else to do): more of the clock where others have the cores. Call it while the game loads; it changes no
   * result. Throws UsageError inside a step and after `dispose`.
   */
  warmUp(): void;
  /**
   * Changes gravity [m/s²] from the next step on; everything wakes. `settings.gravity` and
   * snapshots have it. Throws UsageError.
   */
  setGravity(gravity: ArrayLike<number>): void;
  /** Share of a step left over after `advance`, 0..1: the interpolation factor. */
  readonly alpha: number;
  /**
   * Calls `modifier` once a step for every contact of a body with `modifyContacts` (either of the two), before the
   * contacts are solved: it may set friction, restitution, surface velocity, or leave the contact or points of it out.
   * What it sets holds for this step only; the order of the calls is the same on every machine. Sleeping contacts
   * are not shown. Returns a function that takes the modifier out again. Throws UsageError unless it is a function.
   */
  modifyContacts(modifier: ContactModifier): () => void;
  /** Writes the Interpolated columns of moved entities: the pose between the last two steps at `alpha` (0..1). */
  interpolate(alpha?: number): void;
  /**
   * Fulfilled once the threads that `settings.threads` asks for work, or it is known that they cannot
   * (`report.threads.reason`); never rejected. A game need not wait: results are the same.
   */
  readonly threadsReady: Promise<void>;
  /** Entities whose pose changed in the last step: entities[0 .. count). */
  readonly moved: { readonly entities: Int32Array; readonly count: number };
  /** All strands of rods and grooms, packed for rendering; positions are written by `interpolate`. */
  readonly strands: StrandColumns;
  readonly report: StepReport;
  readonly profile: Profile;
  /** Simulated time [s]. */
  readonly time: number;
  /** Steps taken. */
  readonly stepCount: number;
  /**
   * Copies the state. A run restored from it repeats bit for bit. The memory of `spent` is used again: a snapshot that
   * is not needed any more, and that cannot be restored from then on. Without one, fresh memory costs more than the
   * copy. Where plain copies add up to more than 64 MiB the oldest are packed. Throws UsageError inside a step.
   */
  snapshot(spent?: Snapshot | null): Snapshot;
  /**
   * Makes a snapshot small, to a tenth and less where others of the last steps are packed, too, in some milliseconds:
   * it says the same as before. For those that are to be kept for long, when there is time. Throws UsageError inside a
   * step.
   */
  packSnapshot(snapshot: Snapshot): void;
  /**
   * Puts a snapshot back: bodies, rods, shells, solids, joints and contacts with their entities, columns and tags,
   * writes that waited included. Entities removed since come back under their numbers with our components; those made
   * since by the calls of this package go, unless the game has put components of its own on them: these lose ours.
   * Observers are silent meanwhile: what became of entities is returned. Throws UsageError, before anything is changed,
   * for the snapshot of a world with other entities or settings, inside a step and when called by an observer of an
   * entity that comes or goes.
   */
  restore(snapshot: Snapshot): RestoreReport;
  /**
   * 16 hex digits over poses and velocities of all bodies, rods, shells and solids: equal states, equal hashes, on
   * every machine.
   */
  hash(): string;
  /**
   * Stops observing the world and removes all contact entities, inside a step at its end. The world itself stays, and
   * so do entities with their components and the rows of their columns (the others say nothing from then on: leave them
   * alone). A kept world has these as long as any entity is left, so remove bodies, rods and joints before.
   */
  dispose(): void;
  /**
   * For the systems of this package only.
   * @internal
   */
  readonly internal: Internal;
}

/**
 * Finds the rest shape and stiffness that hold strands as drawn; packed outcomes by groom.
 * @internal
 */
export interface SagFree {
  bake(
    where: string,
    strands: { readonly counts: ArrayLike<number>; readonly positions: ArrayLike<number> },
    madeFor: BakedFor,
    options: unknown,
  ): { rest: StrandRest; outcome: Float64Array };
  readonly outcomes: Map<number, Float64Array>;
}

/** Where on a strand, sheet or solid: a point of one of its edges or triangles. */
export interface ElasticFeature {
  /**
   * Two of an edge, three of a triangle. Of rods and grooms nodes counted from the entity's first; of sheets and solids
   * the vertices that they were made with, −1 for a middle of an edge of a quadratic solid.
   */
  nodes: number[];
  /** How much each takes part, together 1: the nearest point of the edge or triangle to the hit. */
  weights: number[];
}

/**
 * What a hit of something elastic tells, on plain arrays.
 * @internal
 */
export interface ElasticAnswer {
  entity: number;
  distance: number;
  depth: number;
  point: [number, number, number];
  normal: [number, number, number];
  feature: ElasticFeature;
}

/**
 * Which elastic objects a question sees.
 * @internal
 */
export interface ElasticOptions {
  readonly mask?: number;
  readonly ignore?: number;
}

/**
 * What queries ask of a world that has something elastic (elastic-queries.ts).
 * @internal
 */
export interface ElasticQueries {
  /** What a ray meets, nearest first: one of all or one of each object. `direction`: unit. */
  castRay(
    physics: Physics,
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    most: number,
    all: boolean,
    options: ElasticOptions,
  ): ElasticAnswer[];
  /** Entities within `radius` [m] of a point. */
  near(physics: Physics, point: ArrayLike<number>, radius: number, options: ElasticOptions): number[];
}

/**
 * What a family of things (everything elastic, the entities of rods) does in the stages of a step and between steps. A
 * world gets to know it with its first (step-modules.ts): a game without rods carries none of theirs.
 * @internal
 */
export interface StepModule {
  /** A world has one module of a name. */
  readonly name: string;
  /** Its turn is after all others. */
  readonly comesLast?: boolean;
  // The stages of a step, in their order.
  /** All that the game wrote for this step is known; free velocities are not. */
  prepare?(physics: Physics): void;
  predict?(engine: Engine): void;
  findContacts?(engine: Engine): void;
  /** What is reached wakes, before islands are built; whether anything did that bodies do not know of. */
  wake?(engine: Engine): boolean;
  solve?(engine: Engine): void;
  integrate?(engine: Engine): void;
  rest?(engine: Engine): void;
  /** The ECS side of a step: what the game wrote, what it may read. */
  copyIn?(physics: Physics): void;
  copyOut?(physics: Physics): void;
  /** The tables hold another state: entities and columns follow. */
  restore?(physics: Physics): void;
  // Between steps.
  /** Makes and removes what entities ask for. */
  flush?(physics: Physics): void;
  /** A body is about to go. */
  releaseFromBody?(physics: Physics, slot: number): void;
  /** A body is about to be made anew: what hangs on it, for `followBody`. */
  holdersOf?(physics: Physics, slot: number): readonly number[];
  /** A body got another slot, −1 none, or its centre of mass, and what is `held`, moved from `center` in its axes. */
  followBody?(physics: Physics, from: number, to: number, center: Float64Array, held: readonly number[]): void;
  /**
   * A body's pose was written: what hangs on it alone goes along, unless it may be motion. `from`: as readPose gives
   * it. Returns the strands that do.
   */
  teleport?(engine: Engine, body: number, from: Float64Array, mayBeMotion: boolean): readonly number[];
  /** What queries ask of it. */
  readonly queries?: ElasticQueries;
  /** As a frame begins: whether so many before it have not been done yet that this one should take no step. */
  isBehind?(): boolean;
}

/**
 * Inner state that is not in the one memory: it can be rebuilt from it or belongs to the ECS.
 * @internal
 */
export interface Internal {
  readonly engine: Engine;
  readonly columns: ColumnSet;
  readonly mirror: Mirror;
  readonly runner: ScheduleRunner;
  /** Body slot of each entity, −1 none. */
  slotOf: Int32Array;
  /** Counts snapshots, and entities as they come and go. */
  serial: number;
  /** Columns of the last snapshot by kind, and other arrays by name: the next one shares those that are equal. */
  keptColumns: Map<Kind, readonly KeptColumn[]>;
  keptArrays: Map<string, Float64Array | Int32Array>;
  keptShapes: ShapeBook | null;
  /** Pairs whose contacts say what the tables say: where `rounds` has the number of this `round`. */
  readonly shownContacts: { round: number; rounds: Float64Array };
  /** Snapshots that are plain copies, the oldest first; the game may have dropped them. */
  plain: WeakRef<Snapshot>[];
  /** Bytes of those, and perhaps of some that are not about any more. */
  plainBytes: number;
  /**
   * The count when the entity with this number was made by a call of ours, and when the last one with it was removed.
   */
  readonly births: Map<number, number>;
  /** None of them is later; restores ask first. */
  lastBirth: number;
  readonly deaths: Map<number, number>;
  /** Entities that lose components of ours, or have lost them in this frame: bits of the kinds. */
  readonly leaving: Map<number, number>;
  /** Entities that got RigidBody since the last copy-in. */
  readonly spawned: number[];
  /** Entities that got Collider since the last step: without RigidBody they are no bodies. */
  readonly collided: number[];
  /** Entities that lost Transform, Velocity or Material since the last step: bodies keep theirs. */
  readonly parted: number[];
  /** Entities that got or lost Sleeping, not by the engine, and are to be looked at. */
  readonly slept: number[];
  /** The entity whose tag Sleeping the engine is setting, 0 none. */
  tagging: number;
  /** Entities with RigidBody that have no body yet, each with the Collider.shape that was told of last. */
  readonly waiting: Map<number, number>;
  /** Bodies whose entity is gone or has lost RigidBody. */
  readonly removed: { readonly slot: number; readonly entity: number }[];
  /** Entities whose tags changed: the body is made anew. */
  readonly changed: number[];
  /** What systems and observers of the game have thrown, to be thrown when the engine's own work is done. */
  readonly thrown: unknown[];
  /** What was refused of the game's columns since the last copy-in; goes into the report of the next step. */
  readonly notes: string[];
  /** The step in which a body that no force moves was last put somewhere else by the game, by entity. */
  readonly placed: Map<number, number>;
  /** Kinds of mistakes that this world has been warned of. */
  readonly warned: Set<string>;
  shapes: ShapeBook;
  moved: { entities: Int32Array; count: number };
  readonly queries: QueryContext;
  readonly rods: RodState;
  /** What it has beside bodies, in the order in which it came. */
  modules: StepModule[];
  readonly joints: JointState;
  /** Null until enableSagFree. */
  sagFree: SagFree | null;
  /** Contact modifiers of the game, and points that are apart for the solve of a step. */
  readonly modification: ContactModification;
  /** Simulated time and the accumulator of `advance` [s]: in an array, so that no number is boxed in a step. */
  readonly clock: Float64Array;
  stepCount: number;
  /** Whether a step is under way: bodies are neither destroyed nor made anew meanwhile. */
  stepping: boolean;
  readonly threads: ThreadState;
  disposed: boolean;
  /** Unsubscribes the observers. */
  readonly unobserve: (() => void)[];
}

/** Refuses what is not a physics, and one that is disposed. */
export function requirePhysics(physics: unknown, where: string): asserts physics is Physics {
  const internal = (physics as Physics | null | undefined)?.internal;
  if (typeof internal !== 'object') refuse(where, 'physics must come from createPhysics', physics);
  if (internal.disposed) refuseAs(where, 'physics must not be disposed of', 'one that is');
}

/** Refuses an entity, and says whether it is there at all. */
export function refuseEntity({ world }: Physics, where: string, expectation: string, eid: unknown): never {
  const isGone = Number.isInteger(eid) && !entityExists(world, eid as number);
  const note = isGone ? ', which does not exist (any more)' : '';
  throw new UsageError(`${where}: ${expectation}, got ${show(eid)}${note}`);
}

/** Refuses a call from inside a step (a system, an observer). */
export function requireBetweenSteps(physics: Physics, where: string): void {
  if (physics.internal.stepping) refuseAs(where, 'must be called between steps', 'a call inside a step');
}
