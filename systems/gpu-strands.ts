// enableGpuStrands: grooms of a world move over to WebGPU, and back where that is not to be had;
// what carries bodies stays on wasm.
//
// The device and all kernels are in a chunk of their own, fetched by the first call: who never calls pays nothing.
// Rigid bodies go on on the CPU. The strands' step is sent when the bodies have moved: the device then knows the poses
// of its start and end. What the strands do to bodies comes back later (solve/coupling).

import { NEAR } from '../src/core/elastic-constants';
import { refuse, refuseKey, requirePositive } from '../src/core/errors';
import { strandKernelsOf } from '../src/dynamics/elastic/strand-kernels';
import type { Engine } from '../src/dynamics/engine';
import type { StrandGrip } from '../src/gpu/rod/grip';
import type { DrawingBuffers } from '../src/gpu/tables/drawing-buffers';
import type { GpuStrandsReport } from '../src/gpu/world/report';
import type { GpuSession } from '../src/gpu/world/session';
import { defaultAdmmOptions } from '../src/solvers/admm/options';
import { countAway, isAway } from '../src/state/away-strands';
import { ELASTIC_DEFAULTS } from '../src/state/elastic-settings';
import * as L from '../src/state/layout';
import { strandChanges } from '../src/state/strand-changes';
import type { Tables } from '../src/state/tables';
import { copyOutAttachments } from './attachment-columns';
import { type Physics, requirePhysics, type StepModule } from './physics';
import { type AutoRods, createRodPlacement, type RodPlacement } from './place-rods';
import { clearForces, mirrorSleep } from './rod-entities';
import { elasticModule, ROD_MODULES, rodModule } from './rod-systems';
import { rodSlotOf } from './rods';
import { replaceModules } from './step-modules';
import { warnOnce } from './warnings';

export type { StrandGrip };

export interface GpuStrandsOptions {
  /**
   * The host's device (a renderer's: then strands can be drawn where they are), or a function that gives it: that is
   * asked again when the device was lost. Default: one of our own.
   */
  device?: GPUDevice | (() => GPUDevice | null | Promise<GPUDevice | null>);
  /** Where to ask for an adapter. Default `navigator.gpu`. */
  gpu?: GPU;
  /**
   * Time that a step of the strands may take on the device [ms]; null none, then runs repeat bit for bit on the same
   * device. Default null. Too small: contacts give and friction creeps (report.undone
   * says so). Needs 'timestamp-query'.
   */
  budget?: number | null;
  /**
   * Steps from one read-back of the strands' state to the next: physics.strands.positions, rodPositions, snapshot and
   * hash show the last that arrived, one to three steps old. Default 'auto': every step while one of the first two is
   * read, else every 120 (what a lost device would set back). 0: only when asked by `settle`, or when strands leave.
   */
  readBack?: 'auto' | number;
  /**
   * Frames (calls of `physics.advance` that took steps) whose work the device may still have before it, whichever
   * gave it. At more, `advance` takes no step, and report.held counts such frames: on a device that is too slow
   * the world runs slow, and what is shown is no more than so many frames old. `physics.step` always steps.
   * Default 3. 1: the device waits for the CPU and the CPU for it, and steps may be left out on a device that is
   * fast enough. More: input is seen later.
   */
  framesInFlight?: number;
  /**
   * Which rods of backend 'auto' go to the device. Default 'grooms': single rods, on which games hang loads, stay exact
   * and two-way on wasm. 'all': single rods too, but for those that carry bodies.
   */
  auto?: AutoRods;
  /**
   * ADMM iterations after each detection of contacts. Default 12, of at most 64 strands 16. Fewer:
   * contacts give and friction creeps.
   */
  iterations?: number;
  /**
   * Gauss–Seidel sweeps an iteration. Default 1: for hair an iteration more gains more than a sweep more. Of at most
   * 64 strands 5: ropes that carry loads over many contacts (around a drum, by knots) creep with fewer.
   */
  sweeps?: number;
  /**
   * Detections of contacts a step, each along the velocities that the one before led to. Default 2. A further one adds
   * one contact to a pair of edges that obeys those it has and would cross all the same: real hair (0.04 mm) that whips
   * crosses a tenth as often with 4.
   */
  looks?: number;
}

export interface GpuStrandsHandle {
  /** Whether there is a device for the rods that want one: 'webgpu', else 'wasm'. Of one rod: `where`. */
  readonly state: 'webgpu' | 'wasm';
  /** Why there is none, one line to be shown; null on 'webgpu'. */
  readonly reason: string | null;
  /** Vendor and architecture; '' without an adapter. */
  readonly adapterName: string;
  /** Whether the adapter computes on the CPU: its times say nothing about a GPU. */
  readonly isSoftware: boolean;
  /**
   * What drawing reads, on the device; null on 'wasm' and before the first step. Ask
   * every frame: it moves when it grows.
   */
  readonly buffers: DrawingBuffers | null;
  /** Of the last step that has reported, rewritten in place. */
  readonly report: GpuStrandsReport;
  /** GPU time of a step [ms], null none; may be set at any time. Throws UsageError unless > 0 or null. */
  budget: number | null;
  /**
   * A hand in the hair: nodes within a sphere are drawn along as it is moved, and slip out where they are taut. Give it
   * anew whenever it moves; null lets go. Without effect on 'wasm', where `attach` holds nodes. Throws UsageError
   * unless null, or the centre is three numbers [m], the radius > 0 [m] and the rate, if given, > 0 [1/s].
   */
  grip: StrandGrip | null;
  /**
   * Where a rod or groom was advanced in the last step, and why not on the device (null where it is there, or goes
   * there with the next step). Throws UsageError unless the entity is a rod or groom of this world.
   */
  where(eid: number): { backend: 'webgpu' | 'wasm'; reason: string | null };
  /** Calls back whenever `state` or `reason` has changed; returns what takes the callback away. */
  onChange(callback: (handle: GpuStrandsHandle) => void): () => void;
  /**
   * Resolves when the state after the last step is in the tables and its impulses have arrived. Not for inside a frame.
   */
  settle(): Promise<void>;
  /** The strands go on on 'wasm', from the state last read back (await `settle` first for the present one). */
  dispose(): void;
}

const DEFAULTS = { budget: null, readBack: 'auto', framesInFlight: 3, looks: 2, auto: 'grooms' } as const;
const KEYS = ['device', 'gpu', 'iterations', 'sweeps', ...Object.keys(DEFAULTS)];

const handles = new WeakMap<Physics, GpuStrandsHandle>();

/**
 * Moves the strands of a world to WebGPU; resolves when the device is there and the kernels are compiled: the next step
 * is on it. Never rejects for lack of WebGPU: the handle then says `state: 'wasm'` and why, and the console has one
 * line. A second call takes the place of the first. Each rod goes where its `backend` says; of 'auto' grooms go to the
 * device. What is there sees bodies and the rods on wasm as obstacles that move, and pushes bodies two steps late; a
 * rod that carries a body stays on wasm. Throws UsageError on wrong options or a disposed physics.
 */
export async function enableGpuStrands(physics: Physics, options: GpuStrandsOptions = {}): Promise<GpuStrandsHandle> {
  const where = 'enableGpuStrands';
  requirePhysics(physics, where);
  const checked = checkOptions(where, options);
  const { openGpuSession } = await import('../src/gpu/world/session');
  const { internal } = physics;
  const { engine } = internal;
  const { recoveryRate, recoverySpeed, elastic } = engine.settings;
  const { sleeping, tolerance, geometricCorrection, continuous, keepApart, newtonIterations } = elastic;
  const { device, gpu, budget, readBack, framesInFlight, iterations, sweeps, looks } = checked;

  const session = await openGpuSession({
    device,
    gpu,
    budget,
    readBack,
    framesInFlight,
    plan: { iterations, sweeps, looks },
    continuous,
    keepApart,
    newtonIterations,
    bury: (strand) => strandKernelsOf(engine).rodBury(strand, NEAR),
    solver: {
      recoveryRate,
      recoverySpeed,
      tolerance,
      geometricCorrection,
      sleeping,
      cohesion: true,
      sleepShare: defaultAdmmOptions.sleepShare,
    },
    refusal: findRefusal(elastic),
    tell: (line) => console.warn(`stiction: ${line}`),
  });

  const placement = createRodPlacement(checked.auto);
  const handle = createHandle(physics, session, placement);
  handles.get(physics)?.dispose();
  handles.set(physics, handle);

  if (internal.disposed) handle.dispose();
  else {
    replaceModules(internal, rodsOnDevice({ session, placement, note: (line) => internal.notes.push(line) }));
    internal.rods.source = {
      want: () => session.wantState(),
      get isRead() {
        return session.isRead || countAway(engine.arena, engine.tables) < engine.arena.i32[L.STRAND_COUNT >> 2];
      },
    };
    internal.unobserve.push(() => handle.dispose());
  }

  if (handle.state === 'webgpu') tellUnused(physics, options);
  return handle;
}

/** Settings of strands on the CPU, of which the device has its own or none. */
const OF_WASM = ['iterations', 'sweeps', 'newContactsEvery', 'resting', 'budget'] as const;

/** Tells once which chosen settings are without effect on the device, where `options` says nothing in their place. */
function tellUnused(physics: Physics, options: Partial<Record<(typeof OF_WASM)[number], unknown>>): void {
  const { elastic } = physics.settings;
  const chosen = OF_WASM.filter((key) => elastic[key] !== ELASTIC_DEFAULTS[key] && options[key] === undefined);
  const unused = chosen.map((key) => `elastic.${key}`);
  if (unused.length === 0) return;
  const remedy = 'enableGpuStrands has iterations, sweeps, looks and budget of its own';
  warnOnce(physics, 'settings of wasm', `without effect on the device: ${unused.join(', ')}; ${remedy}`);
}

/** The setting that only the CPU follows, or null. */
function findRefusal({
  backend,
  frictionCone,
  solver,
  acceleration,
  profile,
}: Engine['settings']['elastic']): string | null {
  if (backend !== 'auto') return `elastic.backend is '${backend}'`;
  if (solver === 'conjugate-residual') return `elastic.solver is '${solver}'`;
  if (profile === 'paper') return "elastic.profile is 'paper'";
  if (acceleration) return 'elastic.acceleration is true';
  return frictionCone === 'exact' ? null : `elastic.frictionCone is '${frictionCone}'`;
}

type Optional = 'device' | 'gpu' | 'iterations' | 'sweeps';
type Checked = Required<Omit<GpuStrandsOptions, Optional>> & Pick<GpuStrandsOptions, Optional>;

function checkOptions(where: string, options: GpuStrandsOptions): Checked {
  if (typeof options !== 'object' || options === null) refuse(where, 'options must be an object', options);
  for (const key of Object.keys(options)) {
    if (!KEYS.includes(key)) refuseKey(where, key, KEYS, 'option');
  }
  const checked = { ...DEFAULTS, ...options };
  requireBudget(where, checked.budget);
  for (const key of ['framesInFlight', 'looks'] as const) requireCount(where, key, checked[key], 1);
  for (const key of ['iterations', 'sweeps'] as const)
    if (checked[key] !== undefined) requireCount(where, key, checked[key], 1);
  if (checked.looks > MOST_LOOKS) refuse(where, `looks must be at most ${MOST_LOOKS}`, checked.looks);
  if (checked.auto !== 'grooms' && checked.auto !== 'all')
    refuse(where, "auto must be 'grooms' or 'all'", checked.auto);
  if (checked.readBack !== 'auto') requireCount(where, 'readBack', checked.readBack, 0);
  return checked;
}

const MOST_LOOKS = 8;

function requireBudget(where: string, budget: unknown): void {
  if (budget !== null) requirePositive(where, 'budget', budget, 'ms');
}

function requireGrip(where: string, { center, radius, rate }: StrandGrip): void {
  if (center?.length !== 3 || !Array.from(center).every(Number.isFinite))
    refuse(where, 'center must be three finite numbers [m]', center);
  requirePositive(where, 'radius', radius, 'm');
  if (rate !== undefined) requirePositive(where, 'rate', rate, '1/s');
}

function requireCount(where: string, name: string, value: unknown, least: number): void {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > 10_000) {
    refuse(where, `${name} must be a whole number ${least}..10000`, value);
  }
}

/** What the parts of a world that share its rods know. */
interface Sharing {
  readonly session: GpuSession;
  readonly placement: RodPlacement;
  /** A line for the report. */
  readonly note: (line: string) => void;
}

function createHandle(physics: Physics, session: GpuSession, placement: RodPlacement): GpuStrandsHandle {
  const { internal } = physics;
  const { arena, tables } = internal.engine;
  const callbacks = new Set<(handle: GpuStrandsHandle) => void>();

  const handle: GpuStrandsHandle = {
    get state() {
      return session.state;
    },
    get reason() {
      return session.reason;
    },
    get adapterName() {
      return session.adapterName;
    },
    get isSoftware() {
      return session.isSoftware;
    },
    get buffers() {
      return session.drawing;
    },
    get report() {
      return session.report;
    },
    get budget() {
      return session.budget;
    },
    set budget(value) {
      requireBudget('GpuStrandsHandle.budget', value);
      session.budget = value;
    },
    get grip() {
      return session.grip;
    },
    set grip(value) {
      if (value !== null) requireGrip('GpuStrandsHandle.grip', value);
      session.grip = value && { ...value, center: Array.from(value.center) };
    },
    onChange(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    where(eid) {
      const rod = rodSlotOf(physics, eid, 'GpuStrandsHandle.where');
      if (isAway(tables, rod)) return { backend: 'webgpu', reason: null };
      return { backend: 'wasm', reason: session.reason ?? placement.reasonOf(rod) };
    },
    settle: () => session.settle(arena, tables),
    dispose() {
      if (handles.get(physics) === handle) {
        handles.delete(physics);
        replaceModules(internal, ROD_MODULES);
        internal.rods.source = null;
      }
      session.dispose(arena, tables);
    },
  };

  session.onChange = () => {
    for (const call of callbacks) call(handle);
  };
  return handle;
}

/** The modules of rods of a world of which some may be on the device: each part of a step is done for both. */
function rodsOnDevice({ session, placement, note }: Sharing): StepModule[] {
  let isOn = false;
  let forces = 0;
  let quarantined = 0;

  /** Strands on the device after the last step had begun. */
  let away = 0;

  const elastic: StepModule = {
    ...elasticModule,
    predict(engine) {
      const { arena, tables } = engine;
      placement.update(engine, note);
      const before = countAway(arena, tables);
      // A device that was lost between two steps has given all back.
      const lost = isOn && session.state === 'wasm' && before === 0 ? away : 0;
      isOn = session.begin(arena, tables, placement, (body) => wakeBody(engine, body));
      elasticModule.predict(engine);
      away = countAway(arena, tables);
      const gone = countGone(tables, placement.going);
      engine.report.strands.moved = gone + (before + gone - away) + lost;
    },
    teleport(engine, body, from, mayBeMotion) {
      // What has arrived must not come over it.
      session.unpack();
      const moved = elasticModule.teleport(engine, body, from, mayBeMotion);
      session.move(engine.tables, body, from, moved);
      return moved;
    },
    solve(engine) {
      if (isOn) session.gather(engine.arena, engine.tables);
      elasticModule.solve(engine);
    },
    integrate(engine) {
      elasticModule.integrate(engine);
      if (!isOn) return;
      // Strands on the device meet those on wasm as they have moved by now.
      session.end(engine.arena, engine.tables);
      const { report } = session;
      addReport(engine, report, Math.max(0, report.quarantined - quarantined));
      quarantined = report.quarantined;
    },
    rest(engine) {
      elasticModule.rest(engine);
      if (isOn) engine.report.strands.asleep += session.report.asleep - countAway(engine.arena, engine.tables);
    },
    isBehind: () => session.isBehind(),
  };

  const rods: StepModule = {
    ...rodModule,
    flush(physics) {
      // Between steps somebody is about to look at the tables or to change them.
      if (!physics.internal.stepping) session.unpack();
      rodModule.flush(physics);
    },
    copyOut(physics) {
      const written = strandChanges(physics.internal.engine.tables).forces;
      copyOutAttachments(physics);
      // User forces of all nodes are cleared only where there were any.
      if (!isOn || written !== forces) clearForces(physics);
      mirrorSleep(physics, isOn && session.report.asleep > 0);
      forces = written;
    },
  };

  return [elastic, rods];
}

/** Strands of rods that were to go to the device, and are there. */
function countGone(tables: Tables, going: readonly number[]): number {
  let count = 0;
  for (const rod of going) if (isAway(tables, rod)) count += tables.rods.strandCount[rod];
  return count;
}

/** A sleeping body wakes with its island in the middle of a step. */
function wakeBody({ arena, tables, kernels }: Engine, body: number): void {
  const before = arena.i32[L.WAKE_COUNT >> 2];
  kernels.wakeBody(body);
  for (let k = before; k < arena.i32[L.WAKE_COUNT >> 2]; k++) kernels.predictBody(tables.bodies.wakeList[k]);
}

/** The world's own report has what wasm did; adds what the device says. */
function addReport({ arena, report }: Engine, device: GpuStrandsReport, bad: number): void {
  const { strands } = report;
  strands.quarantined += bad;
  // report-step looks which ones they are.
  arena.i32[L.STRAND_BAD_COUNT >> 2] += bad;
  strands.strands = arena.i32[L.STRAND_COUNT >> 2];
  strands.nodes = arena.i32[L.NODE_COUNT >> 2];
  strands.contacts = arena.i32[L.NODE_CONTACT_COUNT >> 2] + device.contacts;
  strands.iterations = Math.max(strands.iterations, device.iterations);
  strands.sweeps = Math.max(strands.sweeps, device.sweeps);
  strands.delta = Math.max(strands.delta, device.delta);
  for (const name of device.overflow) report.limits.push(`strands on WebGPU: ${name} had too little room; raised`);
}
