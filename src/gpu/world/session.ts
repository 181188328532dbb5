// Which rods of a world are advanced on the device, over its life, and why not, where that can be shown.
//
//   opening → webgpu ⇄ wasm        what does not fit on the device (a limit) comes back when it does
//   lost once → a new device is asked for; until it is there its strands stand still where they were read back last
//   lost twice, no device, disposed → wasm for good
// Each rod goes where `places` wants it (systems/place-rods). Leaving in the middle of a run takes the state along: the
// device goes on until a read-back has arrived (one to three steps), which is where the rod then stands. After a loss
// it is the last that arrived before. `begin` and `end` frame a step; nothing here waits but `open` and `settle`.

import type { Arena } from '../../core/arena';
import { countAway, forgetContacts, listAway, sendAway, takeBack } from '../../state/away-strands';
import { strandChanges, strandRows } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import {
  createGpuContext,
  type GpuContext,
  type GpuContextOptions,
  GpuLimitError,
  type GpuLoss,
} from '../device/device';
import type { StrandGrip } from '../rod/grip';
import type { DrawingBuffers } from '../tables/drawing-buffers';
import type { GpuWorldOptions } from './parts';
import { createGpuReport, type GpuStrandsReport } from './report';
import { createGpuWorld, type GpuWorld } from './world';

export interface SessionOptions extends GpuWorldOptions {
  /** The host's device, or what gives the present one. */
  readonly device?: GPUDevice | (() => GPUDevice | null | Promise<GPUDevice | null>);
  readonly gpu?: GPU;
  readonly adapterOptions?: GPURequestAdapterOptions;
  /** Frames whose work may be before the device; see systems/gpu-strands.ts. */
  readonly framesInFlight: number;
  /** Steps between read-backs of the state; 'auto' and 0 see systems/gpu-strands.ts. */
  readonly readBack: 'auto' | number;
  readonly budget: number | null;
  /** Why this world's strands never go there, or null. */
  readonly refusal: string | null;
  /** One line for the console, at every change of place. */
  readonly tell: (line: string) => void;
}

/** Where rods should be. */
export interface RodPlaces {
  /** Slots of the rods that should be on the device, and are not: awake by now. */
  readonly going: readonly number[];
  /** Slots of those that are there and should not. */
  readonly leaving: readonly number[];
}

export interface GpuSession {
  readonly state: 'webgpu' | 'wasm';
  /** Why on wasm; null on webgpu. */
  readonly reason: string | null;
  readonly adapterName: string;
  readonly isSoftware: boolean;
  readonly drawing: DrawingBuffers | null;
  readonly report: GpuStrandsReport;
  /** Latest step whose state has arrived. */
  readonly arrived: number;
  budget: number | null;
  /** A hand in the hair; without effect on wasm. */
  grip: StrandGrip | null;
  /** Called when state or reason has changed. */
  onChange: (() => void) | null;
  /** Someone reads positions: in 'auto' they come back every step for a while. */
  wantState(): void;
  /** Whether positions in the tables follow the steps. */
  readonly isRead: boolean;
  /**
   * Start of a step: sends rods to the device and takes them back as `places` wants it, and takes up what the
   * game changed. Returns whether any rod is on the device. `wake`: a sleeping body was pushed. After the
   * bodies' free velocities are known.
   */
  begin(arena: Arena, tables: Tables, places: RodPlaces, wake: (body: number) => void): boolean;
  /** Bodies at the start of a step that began on the device; after find-pairs. */
  gather(arena: Arena, tables: Tables): void;
  /** End of a step that began on the device, after the bodies have moved. */
  end(arena: Arena, tables: Tables): void;
  /**
   * As a frame begins that would take steps: whether the device has so much before it that it should take none. What
   * was sent since the last call is the work of the frame before.
   */
  isBehind(): boolean;
  /**
   * Strands of the tables were moved with a body that was at pose `from` (as readPose gives
   * it): so are those on the device.
   */
  move(tables: Tables, body: number, from: ArrayLike<number>, strands: readonly number[]): void;
  /** Resolves when the state after the last step is in the tables. */
  settle(arena: Arena, tables: Tables): Promise<void>;
  /** Writes what arrived last to the tables. */
  unpack(): void;
  /** The strands are the CPU's from now on, from the state last read back. */
  dispose(arena: Arena, tables: Tables): void;
}

/** Steps for which a look at the positions keeps them coming back. */
const READ_STEPS = 30;
/** Steps between read-backs that only guard against a loss. */
const GUARD_STEPS = 120;
/** Losses of a device after which no other is asked for. */
const MOST_LOSSES = 2;

/** Opens the device and compiles the kernels; resolves in any case. */
export async function openGpuSession(options: SessionOptions): Promise<GpuSession> {
  const empty = createGpuReport();
  const s: State = {
    options,
    context: null,
    world: null,
    isOn: false,
    failure: null,
    hindrance: null,
    opening: null,
    losses: 0,
    budget: options.budget,
    wanted: 0,
    leaving: 0,
    refusedRows: -1,
    isDisposed: false,
    home: null,
    told: null,
    frames: { inFlight: 0, steps: 0 },
    changed: () => session.onChange?.(),
  };
  const session: GpuSession = {
    get state() {
      return s.failure === null && s.hindrance === null && !s.isDisposed ? 'webgpu' : 'wasm';
    },
    get reason() {
      return s.isDisposed ? 'it was disposed' : (s.failure ?? s.hindrance);
    },
    get adapterName() {
      return s.context?.adapterName ?? '';
    },
    get isSoftware() {
      return s.context?.isSoftware ?? false;
    },
    get drawing() {
      return s.isOn && s.world ? s.world.drawing : null;
    },
    get report() {
      return s.world?.report ?? empty;
    },
    get arrived() {
      return s.world?.arrived ?? 0;
    },
    get budget() {
      return s.budget;
    },
    set budget(value) {
      s.budget = value;
      if (s.world) s.world.budget = value;
      checkBudget(s);
    },
    grip: null,
    onChange: null,
    wantState() {
      s.wanted = READ_STEPS;
      s.world?.unpack();
    },
    get isRead() {
      return !s.isOn || (options.readBack === 'auto' ? s.wanted > 0 : options.readBack > 0);
    },
    begin(arena, tables, places, wake) {
      if (s.world) s.world.grip = session.grip;
      return beginStep(s, arena, tables, places, wake);
    },
    gather(arena, tables) {
      if (s.isOn) withinLimits(s, arena, tables, (present) => present.gather(arena, tables));
    },
    end: (arena, tables) => endStep(s, arena, tables),
    isBehind: () => isBehind(s),
    move(tables, body, from, strands) {
      if (s.isOn) s.world?.move(tables, body, from, strands);
    },
    async settle(_arena, tables) {
      await s.opening;
      // Once for what is under way, once more when that had taken all staging buffers.
      for (let k = 0; k < 2 && s.world && s.isOn && s.world.arrived < s.world.steps; k++) {
        s.world.readBack(tables);
        await s.world.settle();
      }
      await s.world?.settle();
      s.world?.unpack();
    },
    unpack: () => s.world?.unpack(),
    dispose(arena, tables) {
      if (s.isDisposed) return;
      if (s.failure === null) leave(s, arena, tables);
      s.isDisposed = true;
      s.world?.dispose();
      s.context?.dispose();
      s.changed();
    },
  };
  if (options.refusal === null) await open(s);
  else giveUp(s, options.refusal);
  return session;
}

interface State {
  readonly options: SessionOptions;
  context: GpuContext | null;
  world: GpuWorld | null;
  /** On the device are the rods that are away. */
  isOn: boolean;
  /** Why not, for good. */
  failure: string | null;
  /** Why not, for now. */
  hindrance: string | null;
  /** A device is asked for. */
  opening: Promise<void> | null;
  losses: number;
  budget: number | null;
  /** Steps for which positions are still wanted. */
  wanted: number;
  /** Rods are to leave: the step from which on a read-back must be for that; 0 none. */
  leaving: number;
  /** Rows that did not fit: not tried again before they have changed. */
  refusedRows: number;
  isDisposed: boolean;
  /** The memory of this world. */
  home: { arena: Arena; tables: Tables } | null;
  /** The last line told. */
  told: string | null;
  /** Frames of the present device: those that it has not done, and the steps sent when the last one ended. */
  frames: { inFlight: number; steps: number };
  /** State or reason has changed. */
  readonly changed: () => void;
}

function tell(s: State, line: string): void {
  if (line !== s.told) s.options.tell(line);
  s.told = line;
}

/** Without timestamps nothing is known of the device's time. */
function checkBudget(s: State): void {
  if (s.budget === null || !s.context || s.context.hasTimestamps) return;
  tell(s, "the strands' budget is without effect: the device was made without 'timestamp-query'");
}

function giveUp(s: State, reason: string): void {
  s.failure = reason;
  if (s.home) bringBack(s.home.arena, s.home.tables);
  tell(s, `strands go on on wasm: ${reason}`);
  s.changed();
}

async function open(s: State): Promise<void> {
  const { options } = s;
  try {
    const given = typeof options.device === 'function' ? await options.device() : options.device;
    if (given === null) throw new Error('WebGPU: the host has no device');
    const request: GpuContextOptions = { gpu: options.gpu, adapterOptions: options.adapterOptions };
    if (given) request.device = given;
    const opened = await createGpuContext(request);
    const made = await createGpuWorld(opened, { ...options, sharesStrands: true });
    if (s.isDisposed || opened.isLost) {
      made.dispose();
      opened.dispose();
      if (!s.isDisposed) onLost(s, await opened.lost);
      return;
    }
    s.context = opened;
    s.world = made;
    s.frames = { inFlight: 0, steps: 0 };
    made.budget = s.budget;
    opened.onLost((loss) => onLost(s, loss));
    checkBudget(s);
  } catch (error) {
    giveUp(s, error instanceof Error ? error.message : String(error));
  }
}

function onLost(s: State, { message }: GpuLoss): void {
  const { device } = s.options;
  s.losses++;
  // What was kept of the state must get to the tables while their order is known.
  s.world?.unpack();
  if (s.home) s.world?.letGo(s.home.tables);
  s.world?.dispose();
  s.context?.dispose();
  s.world = null;
  s.isOn = false;
  s.leaving = 0;
  const what = `WebGPU: the device was lost${message ? ` (${message.split('\n')[0]})` : ''}`;
  if (s.losses >= MOST_LOSSES) giveUp(s, `${what}, for the second time`);
  else if (device && typeof device !== 'function') giveUp(s, `${what}; it was the host's`);
  else {
    tell(s, `${what}; asking for another`);
    s.opening = open(s).finally(() => {
      s.opening = null;
      s.changed();
    });
  }
}

/** All rods are the CPU's, from the state in the tables. */
function bringBack(arena: Arena, tables: Tables): void {
  takeBack(arena, tables, listAway(arena, tables));
  forgetContacts(arena, tables);
  strandChanges(tables).placed = null;
}

/** All rods leave the device. */
function leave(s: State, arena: Arena, tables: Tables): void {
  s.world?.unpack();
  s.world?.letGo(tables);
  s.isOn = false;
  s.leaving = 0;
  bringBack(arena, tables);
}

/** Moves rods to where they should be; those that leave go when their state has arrived. */
function place(s: State, arena: Arena, tables: Tables, { going, leaving: unwanted }: RodPlaces): void {
  const { world, isOn } = s;
  if (unwanted.length === 0) s.leaving = 0;
  else if (s.leaving === 0) s.leaving = isOn && world ? world.steps : -1;
  const haveArrived = s.leaving !== 0 && (!isOn || (world !== null && world.arrived >= s.leaving));
  const back = haveArrived ? unwanted : [];
  if (back.length + going.length === 0) return;
  world?.unpack();
  takeBack(arena, tables, back);
  sendAway(arena, tables, going);
  forgetContacts(arena, tables);
  if (haveArrived) s.leaving = 0;
}

function hinder(s: State, reason: string | null): void {
  if (reason === s.hindrance) return;
  s.hindrance = reason;
  if (reason) tell(s, `strands go on on wasm: ${reason}`);
  s.changed();
}

/**
 * Does a part of the step. Where the scene turns out not to fit, the strands leave, and stand still for this step.
 */
function withinLimits(s: State, arena: Arena, tables: Tables, work: (present: GpuWorld) => void): boolean {
  if (!s.world) return false;
  try {
    work(s.world);
    return true;
  } catch (error) {
    if (!(error instanceof GpuLimitError)) throw error;
    hinder(s, error.message);
    leave(s, arena, tables);
    s.refusedRows = strandRows(tables);
    return false;
  }
}

function beginStep(s: State, arena: Arena, tables: Tables, places: RodPlaces, wake: (body: number) => void): boolean {
  s.home = { arena, tables };
  if (s.failure !== null || s.isDisposed) return false;
  // Without a device for now its strands stand still, and none are sent there.
  if (!s.world) return countAway(arena, tables) > 0;
  if (s.refusedRows === strandRows(tables)) return false;
  place(s, arena, tables, places);
  if (countAway(arena, tables) === 0) {
    if (s.isOn) leave(s, arena, tables);
    // What a disposed handle shows last is its last step; here nothing is left to be stepped.
    Object.assign(s.world.report, { strands: 0, asleep: 0, nodes: 0, contacts: 0 });
    return false;
  }
  if (!withinLimits(s, arena, tables, (present) => present.update(arena, tables))) return false;
  s.isOn = true;
  hinder(s, null);
  s.world.push(arena, tables, wake);
  return true;
}

function endStep(s: State, arena: Arena, tables: Tables): void {
  if (!s.isOn) return;
  withinLimits(s, arena, tables, (present) => present.step(arena, tables));
  const { world } = s;
  if (!world || !s.isOn) return;
  const { readBack } = s.options;
  if (s.leaving > 0) world.readBack(tables);
  else if (readBack === 'auto') {
    if (s.wanted > 0) world.readBack(tables);
    else if (world.steps % GUARD_STEPS === 1) world.readBack(tables, true);
    s.wanted = Math.max(0, s.wanted - 1);
  } else if (readBack > 0 && world.steps % readBack === 0) world.readBack(tables);
}

function isBehind({ isOn, world, context, frames, options }: State): boolean {
  if (!isOn || !world || !context) return false;
  if (world.steps !== frames.steps) {
    frames.steps = world.steps;
    frames.inFlight++;
    const done = () => {
      frames.inFlight--;
    };
    context.device.queue.onSubmittedWorkDone().then(done, done);
  }
  const { report } = world;
  report.inFlight = frames.inFlight;
  if (frames.inFlight < options.framesInFlight) return false;
  report.held++;
  return true;
}
