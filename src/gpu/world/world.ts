// The strands of one world on one device: what is up there, one submission a step, what comes back.
//
//   update   what the game changed in the tables since the last step goes up: rows, clamps, materials, user forces
//   step begin → predict → looks × (find, solve) → integrate → end, recorded and submitted at once; nothing
//   waits readBack the state comes back to the tables, one to three steps later
// Strands that stay while others come or go keep their state on the device (tables/keep-strands.ts). Limits: what does
// not fit on the device is a GpuLimitError from `update`, before anything has changed.

import type { Arena } from '../../core/arena';
import { clock } from '../../core/profile';
import { createBudgetController, wantedPlan } from '../../solvers/elastic/device-budget';
import * as L from '../../state/layout';
import { strandChanges } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import { REPORT_WORDS } from '../constants';
import { align } from '../device/buffers';
import { type GpuContext, GpuLimitError } from '../device/device';
import { createReadBack } from '../device/read-back';
import type { StrandGrip } from '../rod/grip';
import type { GpuStrands } from '../rod/strands';
import { COUNTER_BYTES, COUNTERS } from '../tables/contact-buffers';
import type { DrawingBuffers } from '../tables/drawing-buffers';
import { type GpuWorldOptions, openParts, type Parts } from './parts';
import { createStepRecorder } from './record-step';
import { createGpuReport, type GpuStrandsReport, reportSolve, reportTimes } from './report';

export interface GpuWorld {
  readonly report: GpuStrandsReport;
  readonly drawing: DrawingBuffers;
  /** GPU time of a step [ms], null none. */
  budget: number | null;
  /** A hand in the hair, from the next step on; null none. */
  grip: StrandGrip | null;
  /** Steps submitted. */
  readonly steps: number;
  /** Latest step whose state has arrived in the tables, or is kept for `unpack`; 0 none. */
  readonly arrived: number;
  /** Brings the device up to date with what the game changed. Throws GpuLimitError where it does not fit. */
  update(arena: Arena, tables: Tables): void;
  /** Impulses of earlier steps on bodies, after their free velocities are known. `wake`: a sleeping body was pushed. */
  push(arena: Arena, tables: Tables, wake: (body: number) => void): void;
  /** Bodies as they are at the start of the step; after find-pairs. */
  gather(arena: Arena, tables: Tables): void;
  /** One step. After the bodies have moved: their poses count as those of its end. */
  step(arena: Arena, tables: Tables): void;
  /**
   * Moves strands (rows of the tables) with a body that was put somewhere else; see rod/strand-mover.ts. What
   * is on its way back counts no more.
   */
  move(tables: Tables, body: number, from: ArrayLike<number>, strands: readonly number[]): void;
  /**
   * Asks for the state after the last step; false if that is on its way, or no staging buffer
   * is free. `isLazy`: see GpuStrands.
   */
  readBack(tables: Tables, isLazy?: boolean): boolean;
  /** Writes to the tables what arrived last and was only kept. */
  unpack(): void;
  /**
   * The strands leave: bodies are without guesses again, what is on its way to them is
   * dropped; what is here counts no more.
   */
  letGo(tables: Tables): void;
  /** Resolves when everything under way has arrived. */
  settle(): Promise<void>;
  dispose(): void;
}

/** Reports on their way at most. */
const REPORTS = 8;

/** Compiles the kernels. Rejects where one does not compile, which is a mistake of ours or of the driver. */
export async function createGpuWorld(context: GpuContext, options: GpuWorldOptions): Promise<GpuWorld> {
  const parts = await openParts(context, options);
  const { strands, contacts, coupling, sleep } = parts;
  const report = createGpuReport();
  const controller = createBudgetController();
  const wanted = () => wantedPlan(options.plan, strands.buffers.ownCount);
  const recorder = createStepRecorder(context, options, parts, controller);
  const arrivals = createReports(context, options, parts, report, () => timeStep);
  const uploader = createUploader(options, parts);
  const begin = createInputs(parts);
  const back = createReadBacks(parts, report);
  let timeStep = 0;
  let budget: number | null = null;
  let wasDisposed = false;
  /** The strands sleep through this step. */
  let isResting = false;

  const world: GpuWorld = {
    report,
    grip: null,
    get drawing() {
      return drawingOf(strands);
    },
    get budget() {
      return budget;
    },
    set budget(value) {
      budget = value;
      controller.reset();
    },
    get steps() {
      return strands.steps;
    },
    get arrived() {
      return back.arrived;
    },
    update(arena, tables) {
      if (uploader.update(arena, tables)) {
        back.forget();
        back.arrived = 0;
        controller.reset();
      }
      arrivals.grow();
    },
    push: (arena, tables, wake) => coupling.apply(arena, tables, strands.steps + 1, wake),
    gather(arena, tables) {
      timeStep = arena.f64[L.TIME_STEP >> 3];
      if (world.grip !== null) sleep.disturb();
      isResting = strands.buffers.ownCount > 0 && sleep.next(arena, tables, strands.steps + 1);
      if (!isResting) contacts.begin(arena, tables, { timeStep, continuous: options.continuous, moversLater: true });
    },
    step(arena, tables) {
      const from = clock();
      if (isResting) {
        rest(report, strands);
        report.cpuMs = clock() - from;
        return;
      }
      report.asleep = 0;
      const plan = budget === null ? wanted() : controller.plan(budget, wanted());
      begin(arena, tables, world.grip);
      if (strands.buffers.ownCount === 0) coupling.reset(tables, strands.steps);
      else {
        prepare(parts, options, arena, tables);
        recorder.submit(plan, budget !== null, arrivals.copy);
        arrivals.flush();
      }
      reportStep(report, parts);
      reportTimes(report, recorder.timestamps);
      report.cpuMs = clock() - from;
    },
    move(tables, body, from, moved) {
      const slots = moved.map((strand) => parts.keeper.slotOf(tables, strand)).filter((slot) => slot >= 0);
      if (slots.length === 0) return;
      sleep.disturb();
      parts.mover.move(tables, body, from, slots);
      back.forget(true);
    },
    readBack: (tables, isLazy = false) => back.ask(tables, isLazy),
    unpack: () => strands.unpack(),
    letGo(tables) {
      coupling.reset(tables, strands.steps);
      uploader.forget();
    },
    async settle() {
      await arrivals.settle();
      await strands.settle();
      await recorder.timestamps.settle();
    },
    dispose() {
      if (wasDisposed) return;
      wasDisposed = true;
      recorder.timestamps.dispose();
      arrivals.dispose();
      strands.dispose();
    },
  };
  return world;
}

/** What takes up what the game changed in the tables since the last step. */
function createUploader(options: GpuWorldOptions, parts: Parts) {
  const { strands, keeper, contacts, coupling, clamps, pins, sleep } = parts;
  const seen = { rows: -1, restored: 0, materials: 0, forces: 0, wakings: 0 };

  const uploadRows = (arena: Arena, tables: Tables): void => {
    const { rows, restored } = strandChanges(tables);
    const { flags } = tables.strands;
    const isOwn = (strand: number) => !options.sharesStrands || (flags[strand] & L.STRAND_AWAY) !== 0;
    let isSame = false;
    const isKept = seen.rows >= 0 && seen.restored === restored && strands.buffers.strandCount > 0;
    if (isKept) {
      isSame = keeper.keep(arena, tables, strands.buffers, isOwn, () => strands.upload(arena, tables, true, isOwn));
    } else {
      strands.upload(arena, tables, false, isOwn);
      coupling.reset(null, strands.steps);
    }
    strands.buffers.order.subarray(0, strands.buffers.ownCount).forEach(options.bury);
    contacts.upload(arena, tables, isSame);
    clamps.upload(tables, !isKept);
    keeper.note(arena, tables, strands.buffers);
    seen.rows = rows;
    seen.restored = restored;
  };

  return {
    /** Returns whether rows are others. */
    update(arena: Arena, tables: Tables): boolean {
      const changes = strandChanges(tables);
      changes.placed ??= [];
      const isMoved = seen.rows !== changes.rows || seen.restored !== changes.restored;
      const { materials, forces, wakings } = changes;
      const isOther = seen.materials !== materials || seen.forces !== forces || seen.wakings !== wakings;
      if (isMoved || isOther || changes.placed.length > 0) sleep.disturb();
      if (isMoved) uploadRows(arena, tables);
      else {
        if (changes.placed.length > 0) strands.uploadClamps(tables, changes.placed);
        if (seen.materials !== materials) strands.uploadRods(arena, tables);
        if (seen.forces !== forces) strands.uploadForces(tables);
      }
      if (pins.update(arena, tables, isMoved)) sleep.disturb();
      changes.placed.length = 0;
      Object.assign(seen, { materials, forces, wakings });
      return isMoved;
    },
    /** The next update uploads all. */
    forget(): void {
      seen.rows = -1;
    },
  };
}

/** What takes in the numbers of a step when they come back. */
function createReports(
  context: GpuContext,
  options: GpuWorldOptions,
  parts: Parts,
  report: GpuStrandsReport,
  timeStep: () => number,
) {
  const { strands, contacts, solver, sleep, coupling } = parts;
  /** Counters of a detection that wanted more room. */
  let wantedRoom: Uint32Array | null = null;
  const receive = (bytes: ArrayBuffer, tag: number): void => {
    const counters = new Uint32Array(bytes, 0, COUNTER_BYTES / 4);
    report.apart = counters[COUNTERS.pushes];
    if (counters[COUNTERS.flags] !== 0) wantedRoom = counters.slice();
    const words = new Uint32Array(bytes, COUNTER_BYTES, REPORT_WORDS);
    const solved = solver.receive(words, timeStep());
    sleep.receive(tag, solved.speed);
    const wanted = wantedPlan(options.plan, strands.buffers.ownCount);
    reportSolve(report, tag, solved, wanted, options.solver.tolerance);
    const at = align(COUNTER_BYTES + 4 * REPORT_WORDS);
    if (bytes.byteLength > at) coupling.receive(new Float32Array(bytes, at), tag);
  };
  const ring = createReadBack(context, 'report', receive, REPORTS);

  return {
    copy(encoder: GPUCommandEncoder): void {
      const part = (buffer: GPUBuffer, size: number) => ({ buffer, offset: 0, size });
      const own = [part(contacts.buffers.counters.buffer, COUNTER_BYTES), part(solver.report.buffer, 4 * REPORT_WORDS)];
      ring.copy(encoder, [...own, ...coupling.parts], strands.steps);
    },
    /**
     * Makes room for what an earlier detection wanted; what the device has no room for stays as it is and is told each
     * time.
     */
    grow(): void {
      report.overflow.length = 0;
      if (!wantedRoom) return;
      const counters = wantedRoom;
      wantedRoom = null;
      try {
        report.overflow.push(...contacts.grow(counters));
      } catch (error) {
        if (!(error instanceof GpuLimitError)) throw error;
        report.overflow.push(error.message);
      }
    },
    flush: ring.flush,
    settle: ring.settle,
    dispose: ring.dispose,
  };
}

/** What asks for the state, once a step, and notes which step's has arrived. */
function createReadBacks({ strands }: Parts, report: GpuStrandsReport) {
  let asked = 0;
  const back = {
    arrived: 0,
    ask(tables: Tables, isLazy: boolean): boolean {
      if (asked === strands.steps || strands.steps === 0) return false;
      const { version } = strands.buffers;
      const note = (step: number) => {
        if (version === strands.buffers.version) back.arrived = step;
      };
      const isUnderWay = strands.readBack(tables, note, isLazy);
      report.skippedReadBacks = strands.skippedReadBacks;
      if (isUnderWay) asked = strands.steps;
      return isUnderWay;
    },
    /** What is under way counts no more; `isMoved`: nor does what is kept. */
    forget(isMoved = false): void {
      asked = 0;
      if (isMoved) strands.dropReadBacks();
    },
  };
  return back;
}

/** What begins a step of the strands: gravity, wind, and the poses of all bodies at its end. */
function createInputs({ strands }: Parts): (arena: Arena, tables: Tables, grip: StrandGrip | null) => void {
  const gravity = new Float64Array(3);
  const wind = new Float64Array(3);
  let poses = new Float64Array(0);
  return (arena, { bodies }, grip) => {
    for (let k = 0; k < 3; k++) {
      gravity[k] = arena.f64[(L.GRAVITY >> 3) + k];
      wind[k] = arena.f64[(L.WIND >> 3) + k];
    }
    const count = arena.i32[L.BODY_COUNT >> 2];
    if (poses.length !== 8 * count) poses = new Float64Array(8 * count);
    for (let body = 0; body < count; body++) {
      for (let k = 0; k < 4; k++) {
        poses[8 * body + k] = bodies.position[4 * body + k];
        poses[8 * body + 4 + k] = bodies.rotation[4 * body + k];
      }
    }
    strands.begin({ timeStep: arena.f64[L.TIME_STEP >> 3], gravity, wind, bodies: poses, grip });
  };
}

/** What the kernels of a step read beside the strands. After the bodies have moved. */
function prepare(parts: Parts, options: GpuWorldOptions, arena: Arena, tables: Tables): void {
  const { strands, contacts, coupling, solver, obstacles } = parts;
  const timeStep = arena.f64[L.TIME_STEP >> 3];
  coupling.begin(arena, tables, contacts.buffers, contacts.colliders.count, strands.steps);
  solver.begin({ timeStep, ...options.solver });
  obstacles.write(tables, timeStep);
}

function rest(report: GpuStrandsReport, strands: GpuStrands): void {
  if (report.asleep === 0) strands.rest();
  report.asleep = strands.buffers.ownCount;
}

function reportStep(report: GpuStrandsReport, { strands, coupling }: Parts): void {
  report.sent = strands.steps;
  report.strands = strands.buffers.ownCount;
  report.nodes = strands.buffers.blocks.reduce((sum, block) => sum + block.strands * block.nodes, 0);
  report.quarantined = strands.quarantined;
  report.lateImpulses = coupling.late;
  report.bytes = strands.buffers.pool.bytes;
}

function drawingOf({ context, buffers }: GpuStrands): DrawingBuffers {
  const { columns, pool, version, ownCount, nodeCount, cell, blocks } = buffers;
  return {
    device: context.device,
    version: pool.generation + version,
    strandCount: ownCount,
    nodeCount,
    cell,
    blocks,
    positions: columns.positions.buffer,
    previous: columns.previous.buffer,
    origins: columns.origins.buffer,
    slots: columns.slots.buffer,
    headers: columns.strands.buffer,
    rods: columns.rods.buffer,
  };
}
