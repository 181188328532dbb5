// createPhysics: joins a bitECS world, the engine and the schedule. Synchronous: nothing to await, fetch or configure.

import {
  $internal,
  createWorld,
  entityExists,
  getAllEntities,
  hasComponent,
  removeComponent,
  removeEntity,
  type World,
} from 'bitecs';
import { type ColumnTree, createColumnSet, emptyColumns, foldColumns } from '../components/columns';
import { createComponents } from '../components/components';
import { createQueryContext, noteMotion } from '../src/collision/queries';
import { refuse, refuseAs, requireFinite, requireVector } from '../src/core/errors';
import { clock, createRecorder } from '../src/core/profile';
import type { ContactModifier } from '../src/dynamics/contact-view';
import { createEngine, type Engine, setEngineGravity } from '../src/dynamics/engine';
import { hashState } from '../src/dynamics/hash-state';
import { createContactModification } from '../src/dynamics/prepare-contacts';
import { mergeManifolds } from '../src/dynamics/split-manifolds';
import { type PhysicsSettings, resolveSettings } from '../src/state/settings';
import { forgetComponents, isVersioned, throwWaiting } from './ecs-changes';
import { flushEntities, observeEntities } from './entities';
import { settleLeaving } from './entity-lives';
import { interpolate } from './interpolate';
import { createJointState } from './joint-state';
import { createMirror } from './mirror';
import { type Internal, type Physics, requireBetweenSteps, requirePhysics } from './physics';
import { createRodState } from './rod-state';
import { createSchedule } from './schedule';
import { createShapeBook } from './shape-book';
import { packSnapshot, restoreSnapshot, takeSnapshot } from './snapshot';
import { stages } from './stages';
import { beginThreads } from './threads';
import { warmUp } from './warm-up';
import { type Frames, tellLongFrame } from './warnings';

/**
 * Makes the physics of a bitECS world; call it before the world has content. Two worlds never share state.
 * Throws UsageError on wrong settings.
 */
export function createPhysics(world: World, settings?: PhysicsSettings): Physics {
  if (typeof world !== 'object' || world === null || !($internal in world)) {
    refuse('createPhysics', 'world must be a bitECS world', world);
  }
  if (isVersioned(world)) {
    refuseAs('createPhysics', 'world must have plain entity numbers', 'a world made withVersioning');
  }
  const resolved = resolveSettings(settings);
  const components = createComponents();
  const engine = createEngine(resolved);
  const recorder = createRecorder(resolved.userTiming, resolved.stageTimes);
  const internal = createInternal(components, engine, recorder);
  const { timeStep, maxStepsPerFrame } = resolved;
  const pace = { timeStep, maxStepsPerFrame, longFrames: 0, given: 0, since: clock() };

  const physics: Physics = {
    world,
    components,
    schedule: internal.runner.schedule,
    settings: resolved,
    step: () => takeStep(physics, frame),
    advance: (frameSeconds) => advance(physics, frameSeconds, pace),
    setGravity(gravity) {
      const where = 'physics.setGravity';
      const g = requireVector(where, 'gravity', gravity, 3, 'm/s²');
      requirePhysics(physics, where);
      setEngineGravity(engine, g);
    },
    get alpha() {
      return Math.min(1, internal.clock[1] / timeStep);
    },
    modifyContacts: (modifier) => addModifier(physics, modifier),
    warmUp: () =>
      warmUp(physics, (settings) => createPhysics(createWorld(), { userTiming: false, warn: null, ...settings })),
    interpolate: (alpha = physics.alpha) => interpolate(physics, requireFinite('physics.interpolate', 'alpha', alpha)),
    get moved() {
      return internal.moved;
    },
    threadsReady: Promise.resolve(),
    strands: internal.rods.view,
    ...internal.rods.views,
    report: engine.report,
    profile: recorder.profile,
    get time() {
      return internal.clock[0];
    },
    get stepCount() {
      return internal.stepCount;
    },
    snapshot: (spent) => takeSnapshot(physics, spent),
    packSnapshot: (snapshot) => packSnapshot(physics, snapshot),
    restore: (snapshot) => restoreSnapshot(physics, snapshot),
    hash() {
      if (!internal.stepping) flushEntities(physics);
      return hashState(engine);
    },
    dispose() {
      if (internal.disposed) return;
      internal.disposed = true;
      if (!internal.stepping) leaveWorld(physics);
    },
    internal,
  };

  const frame: Frame = {
    physics,
    timeStep,
    get time() {
      return internal.clock[0];
    },
  };

  observeEntities(physics);
  if (engine.movable) Object.assign(physics, { threadsReady: beginThreads(physics, engine.movable) });
  return physics;
}

type Frame = Parameters<Internal['runner']['run']>[0];

function createInternal(
  components: Physics['components'],
  engine: Engine,
  recorder: ReturnType<typeof createRecorder>,
): Internal {
  const capacity = Math.max(64, engine.settings.initialBodies);

  return {
    engine,
    columns: createColumnSet(components as unknown as ColumnTree, capacity),
    mirror: createMirror(capacity),
    runner: createSchedule(stages, recorder),
    slotOf: new Int32Array(capacity).fill(-1),
    serial: 0,
    keptColumns: new Map(),
    keptArrays: new Map(),
    keptShapes: null,
    shownContacts: { round: 1, rounds: new Float64Array(0) },
    plain: [],
    plainBytes: 0,
    births: new Map(),
    lastBirth: 0,
    deaths: new Map(),
    leaving: new Map(),
    spawned: [],
    collided: [],
    parted: [],
    slept: [],
    tagging: 0,
    waiting: new Map(),
    removed: [],
    changed: [],
    thrown: [],
    notes: [],
    placed: new Map(),
    warned: new Set(),
    shapes: createShapeBook(),
    queries: createQueryContext(engine.arena, engine.kernels),
    modification: createContactModification(),
    moved: { entities: new Int32Array(capacity), count: 0 },
    rods: createRodState(),
    modules: [],
    threads: { pool: null, reason: '' },
    joints: createJointState(),
    sagFree: null,
    clock: new Float64Array(2),
    stepCount: 0,
    stepping: false,
    disposed: false,
    unobserve: [],
  };
}

function takeStep(physics: Physics, frame: Frame): void {
  requirePhysics(physics, 'physics.step');
  requireBetweenSteps(physics, 'physics.step');
  const { internal } = physics;
  internal.stepping = true;
  settleLeaving(physics);
  try {
    internal.runner.run(frame);
    internal.stepCount++;
    internal.clock[0] = internal.stepCount * frame.timeStep;
  } finally {
    internal.stepping = false;
    mergeManifolds(internal.engine, internal.modification.split);
    noteMotion(internal.queries);
    if (internal.disposed) leaveWorld(physics);
  }
  // The step is whole: what a game's system, observer or modifier threw comes out now.
  throwWaiting(physics);
}

/** As it was when the physics was made, and the clock then [ms]. */
interface Pace extends Frames {
  readonly timeStep: number;
  readonly maxStepsPerFrame: number;
}

function advance(physics: Physics, frameSeconds: number, pace: Pace): number {
  requireFinite('physics.advance', 'frameSeconds', frameSeconds, 's');
  tellLongFrame(physics, frameSeconds, pace);
  requirePhysics(physics, 'physics.advance');
  requireBetweenSteps(physics, 'physics.advance');
  const { internal } = physics;
  const { timeStep, maxStepsPerFrame } = pace;
  internal.clock[1] += Math.max(0, frameSeconds);
  // A hair's breadth of slack, so that sixty frames of 1/60 s are sixty steps whatever the rounding.
  const wanted = Math.floor(internal.clock[1] / timeStep + 1e-9);
  const count = Math.min(wanted, maxStepsPerFrame);
  if (count > 0 && internal.modules.some((module) => module.isBehind?.())) {
    // The pose of the last step stays in sight, and one step is still to be taken.
    internal.clock[1] = timeStep;
    return 0;
  }
  internal.clock[1] = wanted > count ? 0 : Math.max(0, internal.clock[1] - count * timeStep);
  let done = 0;
  try {
    while (done < count && !internal.disposed) {
      done++;
      physics.step();
    }
  } finally {
    // A step that throws is done; those after it are still to be.
    internal.clock[1] += (count - done) * timeStep;
  }
  return count;
}

/** Returns what takes it out again. */
function addModifier(physics: Physics, modifier: ContactModifier): () => void {
  requirePhysics(physics, 'physics.modifyContacts');
  if (typeof modifier !== 'function') refuse('physics.modifyContacts', 'modifier must be a function', modifier);
  const { modification, thrown } = physics.internal;
  // Wrapped, so that the same function given twice is two, and each is taken out on its own.
  const call: ContactModifier = (contact) => {
    try {
      modifier(contact);
    } catch (error) {
      thrown.push(error);
    }
  };
  modification.modifiers = [...modification.modifiers, call];
  return () => {
    modification.modifiers = modification.modifiers.filter((other) => other !== call);
  };
}

/** Stops observing; takes the contact entities and Sleeping tags out of the world. */
function leaveWorld({ world, components, internal }: Physics): void {
  for (const unsubscribe of internal.unobserve) unsubscribe();
  const { pairs } = internal.engine.tables;
  for (let pair = 0; pair < pairs.capacity; pair++) {
    const eid = pairs.entity[pair];
    if (eid !== 0 && entityExists(world, eid) && hasComponent(world, eid, components.Contact)) removeEntity(world, eid);
  }
  for (const slots of [internal.slotOf, internal.rods.slotOf]) {
    for (let eid = 1; eid < slots.length; eid++) {
      if (slots[eid] >= 0 && hasComponent(world, eid, components.Sleeping)) {
        removeComponent(world, eid, components.Sleeping);
      }
    }
  }
  // The world may live on: what no entity of it has goes, and its columns.
  // Each is asked for, since a query would stay with the world, too.
  const entities = getAllEntities(world);
  const unused = new Set<object>();
  const used: ColumnTree[] = [];
  let [first, last] = [Infinity, 0];
  for (const component of Object.values(components)) {
    const own = entities.filter((eid) => hasComponent(world, eid, component));
    for (const eid of own) [first, last] = [Math.min(first, eid), Math.max(last, eid)];
    if (own.length > 0) used.push(component as unknown as ColumnTree);
    else {
      emptyColumns(component as unknown as ColumnTree);
      unused.add(component);
    }
  }
  if (used.length > 0) foldColumns(used, first, last);
  forgetComponents(world, unused);
  internal.mirror.values = new Float64Array(0);
  internal.slotOf = new Int32Array(0);
  internal.births.clear();
  internal.deaths.clear();
  internal.leaving.clear();
}
