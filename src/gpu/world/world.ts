// The strands of one world on one device: what is up there, one submission a step, what comes back.
//
//   update   what the game changed in the tables since the last step goes up: rows, clamps, materials, user forces
//   step begin → predict → looks × (find, solve) → integrate → end, recorded and submitted at once; nothing
//   waits readBack the state comes back to the tables, one to three steps later
// Strands that stay while others come or go keep their state on the device (tables/keep-strands.ts). Limits: what does
// not fit on the device is a GpuLimitError from `update`, before anything has changed.

import type { Arena } from '../../core/arena';
import { clock } from '../../core/profile';
import * as L from '../../state/layout';
import { strandChanges } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import { align } from '../device/buffers';
import { type GpuContext, GpuLimitError } from '../device/device';
import { type ComputePass, economical } from '../device/pipelines';
import { createReadBack } from '../device/read-back';
import { createTimestamps } from '../device/timestamps';
import { createGpuContacts } from '../find/contacts';
import type { StrandGrip } from '../rod/grip';
import { createGpuPins } from '../rod/pins';
import { createStrandMover } from '../rod/strand-mover';
import { createGpuStrands, type GpuStrands } from '../rod/strands';
import { createGpuApart } from '../solve/apart';
import { createBudgetController, type StepPlan, wantedPlan } from '../solve/budget';
import { createGpuCoupling } from '../solve/coupling';
import { createGpuNewton } from '../solve/newton';
import { createGpuReactions } from '../solve/reactions';
import { createGpuSolver, type SolverInputs } from '../solve/solver';
import { COUNTER_BYTES, COUNTERS } from '../tables/contact-buffers';
import type { DrawingBuffers } from '../tables/drawing-buffers';
import { createStrandKeeper } from '../tables/keep-strands';
import { createObstacles } from '../tables/obstacles';
import { REPORT_WORDS } from '../tables/solver-buffers';
import {
  createGpuReport,
  type GpuStage,
  type GpuStrandsReport,
  gpuPasses,
  reportSolve,
  reportTimes,
  sumOfStage,
} from './report';
import { createGpuSleep } from './sleep';

export interface GpuWorldOptions {
  /** What a step does without a budget, and at most with one; see wantedPlan. */
  readonly plan: Partial<StepPlan> & Pick<StepPlan, 'looks'>;
  /** What else the solver is told (settings of the world). */
  readonly solver: Omit<SolverInputs, 'timeStep'>;
  /** Look for contacts along the whole way of a step. */
  readonly continuous: boolean;
  /** Linearisations of the elastic forces in a step; default 1. */
  readonly newtonIterations?: number;
  /** Keep strands apart that a step would bring through each other. */
  readonly keepApart: boolean;
  /**
   * The device advances the strands that are away (state/away-strands) and sees the others as
   * obstacles. Default: it advances all.
   */
  readonly sharesStrands?: boolean;
}

export interface GpuWorld {
  readonly context: GpuContext;
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

/** More steps than times can be on their way for. */
const PLANS_KEPT = 64;
/** Without a budget one of so many steps is timed: passes of their own, timestamps and their way back cost the CPU. */
const TIMED_STEPS = 4;
/** Reports on their way at most. */
const REPORTS = 8;

/** Compiles the kernels. Rejects where one does not compile, which is a mistake of ours or of the driver. */
export async function createGpuWorld(context: GpuContext, options: GpuWorldOptions): Promise<GpuWorld> {
  const { device } = context;
  const [strands, keeper] = await Promise.all([createGpuStrands(context), createStrandKeeper(context)]);
  const contacts = await createGpuContacts(context, strands);
  const [solver, apart, coupling, clamps, mover] = await Promise.all([
    createGpuSolver(context, strands, contacts.buffers),
    createGpuApart(context, strands, contacts),
    createGpuCoupling(context, contacts.buffers),
    createGpuReactions(context, strands, contacts.buffers),
    createStrandMover(context, strands.buffers, contacts.buffers),
  ]);
  const pins = await createGpuPins(context, strands, contacts);
  const { newtonIterations = 1 } = options;
  const newton = newtonIterations > 1 ? await createGpuNewton(context, strands.buffers, contacts.buffers) : null;
  const sleep = await createGpuSleep(context, strands.buffers, solver.report);
  const obstacles = createObstacles(context, strands.buffers);
  const { columns } = strands.buffers;
  const report = createGpuReport();
  const controller = createBudgetController();
  /** What a step did, null where nothing may touch. */
  const plans: (StepPlan | null)[] = [];
  const timestamps = createTimestamps(context, gpuPasses(options.plan.looks, newtonIterations), (times, work) => {
    const done = plans[work];
    const sum = (stage: GpuStage) => sumOfStage(stage, timestamps.groups, times);
    if (!done) return;
    controller.learn({ fixed: sum('predict') + sum('integrate'), looks: sum('find'), iterations: sum('solve') }, done);
  });
  const wanted = () => wantedPlan(options.plan, strands.buffers.ownCount);
  const gravity = new Float64Array(3);
  const wind = new Float64Array(3);
  const seen = { rows: -1, restored: 0, materials: 0, forces: 0, wakings: 0 };
  let timeStep = 0;
  let poses = new Float64Array(0);
  let budget: number | null = null;
  let arrived = 0;
  let asked = 0;
  let wasDisposed = false;
  /** The strands sleep through this step. */
  let isResting = false;
  /** Counters of a search that wanted more room. */
  let wantedRoom: Uint32Array | null = null;

  const reports = createReadBack(
    context,
    'report',
    (bytes, tag) => {
      const counters = new Uint32Array(bytes, 0, COUNTER_BYTES / 4);
      report.apart = counters[COUNTERS.pushes];
      if (counters[COUNTERS.flags] !== 0) wantedRoom = counters.slice();
      const words = new Uint32Array(bytes, COUNTER_BYTES, REPORT_WORDS);
      const solved = solver.receive(words, timeStep);
      sleep.receive(tag, solved.speed);
      reportSolve(report, tag, solved, wanted(), options.solver.tolerance);
      const at = align(COUNTER_BYTES + 4 * REPORT_WORDS);
      if (bytes.byteLength > at) coupling.receive(new Float32Array(bytes, at), tag);
    },
    REPORTS,
  );

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
    contacts.upload(arena, tables, isSame);
    clamps.upload(tables, !isKept);
    keeper.note(arena, tables, strands.buffers);
    seen.rows = rows;
    seen.restored = restored;
    asked = arrived = 0;
    controller.reset();
  };

  /**
   * Makes room for what an earlier search wanted; what the device has no room for stays as it is and is told each time.
   */
  const grow = (): void => {
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
  };

  /** Poses of all bodies at the end of the step. */
  const gatherPoses = (arena: Arena, { bodies }: Tables): Float64Array => {
    const count = arena.i32[L.BODY_COUNT >> 2];
    if (poses.length !== 8 * count) poses = new Float64Array(8 * count);
    for (let body = 0; body < count; body++) {
      for (let k = 0; k < 4; k++) {
        poses[8 * body + k] = bodies.position[4 * body + k];
        poses[8 * body + 4 + k] = bodies.rotation[4 * body + k];
      }
    }
    return poses;
  };

  const submit = ({ iterations, sweeps, looks }: StepPlan): void => {
    const encoder = device.createCommandEncoder({ label: 'strands' });
    const { mayTouch } = contacts;
    const keepsApart = options.keepApart && contacts.canMeet;
    if (!mayTouch) {
      contacts.encodeNone(encoder);
      solver.encodeNone(encoder);
    }
    if (keepsApart) apart.encodeOpen(encoder);
    const isTimed = timestamps.isAvailable && (budget !== null || strands.steps % TIMED_STEPS === 1);
    const whole = isTimed || newton ? null : encoder.beginComputePass({ label: 'strands' });
    const inWhole = whole && economical(whole);
    const inPass = (name: string, encode: (pass: ComputePass) => void): void => {
      if (inWhole) {
        encode(inWhole);
        return;
      }
      const timestampWrites = isTimed ? timestamps.writesOf(name) : undefined;
      const pass = encoder.beginComputePass({ label: name, timestampWrites });
      encode(economical(pass));
      pass.end();
    };
    const encodeLate = (pass: ComputePass): void => {
      coupling.encodeLate(pass, contacts.buffers, contacts.colliders.colliders.buffer, columns.bodies.buffer);
    };
    if (newton) inPass('predict', encodeLate);
    newton?.encodeSave(encoder);
    inPass('predict', (pass) => {
      if (!newton) encodeLate(pass);
      pins.encode(pass);
      strands.encodePredict(pass);
    });
    for (let look = 0; mayTouch && look < looks; look++) {
      inPass(`find ${look}`, (pass) => {
        contacts.encodeFind(pass, columns.predicted, look);
        pins.encodeMute(pass);
      });
      inPass(`solve ${look}`, (pass) => solver.encodeSolve(pass, { iterations, sweeps, look }));
    }
    for (let k = 1; newton && k < newtonIterations; k++) {
      newton.encodeCopies(encoder);
      inPass(`solve again ${k}`, (pass) => {
        newton.encodeGuess(pass);
        strands.encodePredict(pass, newton.columns);
        for (let look = 0; mayTouch && look < looks; look++) {
          if (look > 0) {
            contacts.encodeFind(pass, columns.predicted, look);
            pins.encodeMute(pass);
          }
          solver.encodeSolve(pass, { iterations, sweeps, look });
        }
      });
    }
    if (keepsApart) inPass('find apart', apart.encode);
    inPass('integrate', (pass) => {
      clamps.encode(pass, solver.reference, newton?.columns);
      strands.encodeIntegrate(pass);
      sleep.encode(pass, strands.steps);
    });
    whole?.end();
    strands.encodeEnd(encoder);
    const { starts, reactions, points, carried } = clamps;
    coupling.encodeNote(encoder, contacts.buffers, {
      impulses: solver.bodyImpulses.buffer,
      ...{ starts: starts.buffer, reactions: reactions.buffer, points: points.buffer },
      carried: carried.buffer,
    });
    const part = (buffer: GPUBuffer, size: number) => ({ buffer, offset: 0, size });
    const parts = [part(contacts.buffers.counters.buffer, COUNTER_BYTES), part(solver.report.buffer, 4 * REPORT_WORDS)];
    reports.copy(encoder, [...parts, ...coupling.parts], strands.steps);
    const place = strands.steps % PLANS_KEPT;
    plans[place] = mayTouch ? { iterations, sweeps, looks } : null;
    if (isTimed) timestamps.resolve(encoder, place);
    device.queue.submit([encoder.finish()]);
    timestamps.flush();
    reports.flush();
  };

  const world: GpuWorld = {
    context,
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
      return arrived;
    },
    update(arena, tables) {
      const changes = strandChanges(tables);
      changes.placed ??= [];
      const isChanged =
        seen.rows !== changes.rows ||
        seen.restored !== changes.restored ||
        changes.placed.length > 0 ||
        seen.materials !== changes.materials ||
        seen.forces !== changes.forces ||
        seen.wakings !== changes.wakings;
      if (isChanged) sleep.disturb();
      const isMoved = seen.rows !== changes.rows || seen.restored !== changes.restored;
      if (isMoved) uploadRows(arena, tables);
      else {
        if (changes.placed.length > 0) strands.uploadClamps(tables, changes.placed);
        if (seen.materials !== changes.materials) strands.uploadRods(arena, tables);
        if (seen.forces !== changes.forces) strands.uploadForces(tables);
      }
      if (pins.update(arena, tables, isMoved)) sleep.disturb();
      changes.placed.length = 0;
      seen.materials = changes.materials;
      seen.forces = changes.forces;
      seen.wakings = changes.wakings;
      grow();
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
        if (report.asleep === 0) strands.rest();
        report.asleep = strands.buffers.ownCount;
        report.cpuMs = clock() - from;
        return;
      }
      report.asleep = 0;
      for (let k = 0; k < 3; k++) {
        gravity[k] = arena.f64[(L.GRAVITY >> 3) + k];
        wind[k] = arena.f64[(L.WIND >> 3) + k];
      }
      const plan = budget === null ? wanted() : controller.plan(budget, wanted());
      strands.begin({ timeStep, gravity, wind, bodies: gatherPoses(arena, tables), grip: world.grip });
      if (strands.buffers.ownCount === 0) coupling.reset(tables, strands.steps);
      else {
        coupling.begin(arena, tables, contacts.buffers, contacts.colliders.count, strands.steps);
        solver.begin({ timeStep, ...options.solver });
        obstacles.write(tables, timeStep);
        submit(plan);
      }
      report.sent = strands.steps;
      report.strands = strands.buffers.ownCount;
      report.nodes = strands.buffers.blocks.reduce((sum, block) => sum + block.strands * block.nodes, 0);
      report.quarantined = strands.quarantined;
      report.lateImpulses = coupling.late;
      report.bytes = strands.buffers.pool.bytes;
      reportTimes(report, timestamps);
      report.cpuMs = clock() - from;
    },
    move(tables, body, from, moved) {
      const slots = moved.map((strand) => keeper.slotOf(tables, strand)).filter((slot) => slot >= 0);
      if (slots.length === 0) return;
      sleep.disturb();
      mover.move(tables, body, from, slots);
      strands.dropReadBacks();
      asked = 0;
    },
    readBack(tables, isLazy = false) {
      if (asked === strands.steps || strands.steps === 0) return false;
      const { version } = strands.buffers;
      const note = (step: number) => {
        if (version === strands.buffers.version) arrived = step;
      };
      const isUnderWay = strands.readBack(tables, note, isLazy);
      report.skippedReadBacks = strands.skippedReadBacks;
      if (isUnderWay) asked = strands.steps;
      return isUnderWay;
    },
    unpack: () => strands.unpack(),
    letGo(tables) {
      coupling.reset(tables, strands.steps);
      seen.rows = -1;
    },
    async settle() {
      await reports.settle();
      await strands.settle();
      await timestamps.settle();
    },
    dispose() {
      if (wasDisposed) return;
      wasDisposed = true;
      timestamps.dispose();
      reports.dispose();
      strands.dispose();
    },
  };
  return world;
}

function drawingOf({ context, buffers }: GpuStrands): DrawingBuffers {
  const { columns, pool, version, ownCount, nodeCount, cell, blocks } = buffers;
  return {
    ...{ device: context.device, version: pool.generation + version, strandCount: ownCount, nodeCount, cell, blocks },
    positions: columns.positions.buffer,
    previous: columns.previous.buffer,
    origins: columns.origins.buffer,
    slots: columns.slots.buffer,
    headers: columns.strands.buffer,
    rods: columns.rods.buffer,
  };
}
