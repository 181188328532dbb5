// The engine of one world: the memory, its tables, the kernels on it, and what a step reports.

import { type Arena, createArena, refreshArena } from '../core/arena';
import { createKernelScratch, type KernelScratch } from '../core/scratch';
import type { KernelExports, StrandKernelExports, SurfaceKernelExports } from '../kernels/exports';
import { type KernelModule, keepKernels } from '../kernels/instantiate';
import { instantiateKernels } from '../kernels/kernels';
import type { BodyRow } from '../solvers/admm/joint-rows';
import * as L from '../state/layout';
import type { ResolvedSettings } from '../state/settings';
import { ARENA_LAYOUT, createTables, type Tables } from '../state/tables';
import { touchStrand } from './elastic/touch-strands';
import { createMemoryImage, createRareState, type MemoryImage, type RareState } from './kept-memory';
import { createStepReport, REAL, type StepReport } from './report';

/** What a world does for joints between bodies; a game without joints carries none of it. */
export interface JointSolver {
  /** Solves an island that has joints; returns its ISLAND_* solver. */
  solve(engine: Engine, island: number): number;
  /** Joints of an island that was solved with strands. */
  solveAfterStrands(engine: Engine, island: number): void;
  /** Rows of joints for the elastic solve of a step: opens the list, hands out an island's, takes what they did. */
  openShared(engine: Engine): void;
  giveRows(engine: Engine, island: number, take: (row: BodyRow) => void): void;
  noteShared(engine: Engine, impulse: Float64Array, first: number): void;
  /** Fastest that motors and springs of those rows aim at [m/s]; and that bodies got only a share of what rows did. */
  driveOf(engine: Engine): number;
  easeShared(engine: Engine, island: number, share: number): void;
  /** After the bodies have moved and some were stopped: shuts their joints. */
  shutStopped(engine: Engine): void;
}

/** Kinematic bodies that yield to what is elastic: characters. A game without them carries none of it. */
export interface Walkers {
  /** Before the first solve of a step. */
  begin(): void;
  /** Before who takes part in a solve is gathered. */
  open(): void;
  /** Mass of a body in the solve [kg], 0: it does not yield. */
  massOf(body: number): number;
  /** Contacts of the table from `first` on with bodies that yield become theirs: those that have a number, if given. */
  take(first: number, index: Int32Array | null): void;
  /** What was solved, eight numbers a body. Whether any yielded: the rest is solved again with how they move now. */
  settle(solved: { bodies: Int32Array; bodyCount: number; bodyVelocity: Float64Array }): boolean;
}

export interface Engine {
  readonly arena: Arena;
  readonly tables: Tables;
  readonly kernels: KernelExports;
  /** Null until the first strand: dynamics/elastic/strand-kernels. */
  strandKernels: StrandKernelExports | null;
  /** Null until the first surface: dynamics/elastic/surface-parts. */
  surfaceKernels: SurfaceKernelExports | null;
  /** Null until the first joint: dynamics/joints. */
  joints: JointSolver | null;
  /** Null until the first character: dynamics/characters. */
  walkers: Walkers | null;
  readonly kernelScratch: KernelScratch;
  readonly settings: ResolvedSettings;
  readonly report: StepReport;
  /** The report's real numbers, by REAL. */
  readonly reals: Float64Array;
  /** Where the memory may be replaced by one that threads share: the kernels, whose functions change then. */
  readonly movable: Map<KernelModule, object> | null;
  /** What snapshots are compared with. */
  readonly image: MemoryImage;
  /** What plain ones share. */
  readonly rare: RareState;
}

/** Makes the engine of an empty world; synchronous. */
export function createEngine(settings: ResolvedSettings): Engine {
  const arena = createArena(ARENA_LAYOUT);
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, settings.initialBodies)));
  const tables = createTables(arena, capacity);
  const kernelScratch = createKernelScratch(arena, { address: L.KERNEL_SCRATCH_ADDRESS, size: L.KERNEL_SCRATCH_SIZE });
  const movable = settings.threads === 'auto' || settings.threads > 1 ? keepKernels(arena.memory) : null;
  const kernels = instantiateKernels(arena.memory);
  for (const cell of [L.BODY_FREE, L.COLLIDER_FREE]) arena.i32[cell >> 2] = -1;
  writeSettings(arena, settings);
  refreshArena(arena);
  const reals = new Float64Array(REAL.COUNT);
  return {
    arena,
    tables,
    kernels,
    strandKernels: null,
    surfaceKernels: null,
    joints: null,
    walkers: null,
    kernelScratch,
    settings,
    report: createStepReport(reals),
    reals,
    movable,
    image: createMemoryImage(),
    rare: createRareState(),
  };
}

/** Puts the settings where the kernels read them. */
function writeSettings(arena: Arena, s: ResolvedSettings): void {
  const put = (cell: number, value: number) => {
    arena.f64[cell >> 3] = value;
  };
  for (let k = 0; k < 3; k++) put(L.GRAVITY + 8 * k, s.gravity[k]);
  arena.i32[L.ELASTIC_PAPER >> 2] = s.elastic.profile === 'paper' ? 1 : 0;
  put(L.TIME_STEP, s.timeStep);
  put(L.SPECULATIVE_DISTANCE, s.speculativeDistance);
  put(L.FAT_MARGIN, 0.05);
  put(L.SLEEP_LINEAR, s.sleepLinearSpeed);
  put(L.SLEEP_ANGULAR, s.sleepAngularSpeed);
  put(L.SLEEP_DELAY, s.sleepDelay);
  put(L.RESTITUTION_THRESHOLD, s.restitutionThreshold);
  put(L.RECOVERY_RATE, s.recoveryRate);
  put(L.RECOVERY_SPEED, s.recoverySpeed);
  put(L.TOLERANCE, s.tolerance);
  put(L.MAXIMUM_SPEED, 1000);
  put(L.MAXIMUM_SPIN, 500);
  arena.i32[L.SLEEP_ENABLED >> 2] = s.sleeping ? 1 : 0;
  arena.i32[L.SUBSTEPS >> 2] = s.substeps;
  arena.i32[L.SWEEP_ITERATIONS >> 2] = s.sweeps;
}

/** Changes gravity [m/s²]; everything that sleeps wakes. */
export function setEngineGravity(engine: Engine, gravity: ArrayLike<number>): void {
  const { arena, tables } = engine;
  for (let k = 0; k < 3; k++) arena.f64[(L.GRAVITY >> 3) + k] = gravity[k];
  readEngineGravity(engine);
  for (let body = 0; body < arena.i32[L.BODY_COUNT >> 2]; body++) {
    if (tables.bodies.flags[body] & L.BODY_ASLEEP) engine.kernels.wakeBody(body);
  }
  for (let strand = 0; strand < arena.i32[L.STRAND_COUNT >> 2]; strand++) touchStrand(tables, strand);
}

/**
 * After a snapshot was put back: `settings.gravity` follows the memory, and a setting that older saves have no cell for
 * is written again.
 */
export function settleSettings(engine: Engine): void {
  readEngineGravity(engine);
  engine.arena.f64[L.TOLERANCE >> 3] = engine.settings.tolerance;
}

/** `settings.gravity` follows the memory. */
function readEngineGravity({ arena, settings }: Engine): void {
  const gravity = settings.gravity as Float64Array;
  for (let k = 0; k < 3; k++) gravity[k] = arena.f64[(L.GRAVITY >> 3) + k];
}
