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
import { strandChanges } from '../../state/strand-changes';
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
import { createGpuReport, type GpuStrandsReport } from './report';
import { createGpuWorld, type GpuWorld, type GpuWorldOptions } from './world';

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

/** Number that changes with the rows of the strands. */
function rowsOf(tables: Tables): number {
  const { rows, restored } = strandChanges(tables);
  return rows + restored;
}

/** Opens the device and compiles the kernels; resolves in any case. */
export async function openGpuSession(options: SessionOptions): Promise<GpuSession> {
  const empty = createGpuReport();
  let context: GpuContext | null = null;
  let world: GpuWorld | null = null;
  /** On the device are the rods that are away. */
  let isOn = false;
  /** Why not, for good. */
  let failure: string | null = null;
  /** Why not, for now. */
  let hindrance: string | null = null;
  /** A device is asked for. */
  let opening: Promise<void> | null = null;
  let losses = 0;
  let budget = options.budget;
  let grip: StrandGrip | null = null;
  let wanted = 0;
  /** Rods are to leave: the step from which on a read-back must be for that; 0 none. */
  let leaving = 0;
  let refusedRows = -1;
  let isDisposed = false;
  /** The memory of this world. */
  let home: { arena: Arena; tables: Tables } | null = null;
  let told: string | null = null;

  const tell = (line: string): void => {
    if (line !== told) options.tell(line);
    told = line;
  };

  const changed = (): void => session.onChange?.();

  /** Frames of the present device: those that it has not done, and the steps sent when the last one ended. */
  let frames = { inFlight: 0, steps: 0 };

  /** Without timestamps nothing is known of the device's time. */
  const checkBudget = (): void => {
    if (budget === null || !context || context.hasTimestamps) return;
    tell("the strands' budget is without effect: the device was made without 'timestamp-query'");
  };

  const giveUp = (reason: string): void => {
    failure = reason;
    if (home) bringBack(home.arena, home.tables);
    tell(`strands go on on wasm: ${reason}`);
    changed();
  };

  const open = async (): Promise<void> => {
    try {
      const given = typeof options.device === 'function' ? await options.device() : options.device;
      if (given === null) throw new Error('WebGPU: the host has no device');
      const request: GpuContextOptions = { gpu: options.gpu, adapterOptions: options.adapterOptions };
      if (given) request.device = given;
      const opened = await createGpuContext(request);
      const made = await createGpuWorld(opened, { ...options, sharesStrands: true });
      if (isDisposed || opened.isLost) {
        made.dispose();
        opened.dispose();
        if (!isDisposed) onLost(await opened.lost);
        return;
      }
      context = opened;
      world = made;
      frames = { inFlight: 0, steps: 0 };
      world.budget = budget;
      world.grip = grip;
      opened.onLost(onLost);
      checkBudget();
    } catch (error) {
      giveUp(error instanceof Error ? error.message : String(error));
    }
  };

  const onLost = ({ message }: GpuLoss): void => {
    losses++;
    // What was kept of the state must get to the tables while their order is known.
    world?.unpack();
    if (home) world?.letGo(home.tables);
    world?.dispose();
    context?.dispose();
    world = null;
    isOn = false;
    leaving = 0;
    const what = `WebGPU: the device was lost${message ? ` (${message.split('\n')[0]})` : ''}`;
    if (losses >= MOST_LOSSES) giveUp(`${what}, for the second time`);
    else if (options.device && typeof options.device !== 'function') giveUp(`${what}; it was the host's`);
    else {
      tell(`${what}; asking for another`);
      opening = open().finally(() => {
        opening = null;
        changed();
      });
    }
  };

  /** All rods are the CPU's, from the state in the tables. */
  const bringBack = (arena: Arena, tables: Tables): void => {
    takeBack(arena, tables, listAway(arena, tables));
    forgetContacts(arena, tables);
    strandChanges(tables).placed = null;
  };

  /** All rods leave the device. */
  const leave = (arena: Arena, tables: Tables): void => {
    world?.unpack();
    world?.letGo(tables);
    isOn = false;
    leaving = 0;
    bringBack(arena, tables);
  };

  /** Moves rods to where they should be; those that leave go when their state has arrived. */
  const place = (arena: Arena, tables: Tables, { going, leaving: unwanted }: RodPlaces): void => {
    if (unwanted.length === 0) leaving = 0;
    else if (leaving === 0) leaving = isOn && world ? world.steps : -1;
    const haveArrived = leaving !== 0 && (!isOn || (world !== null && world.arrived >= leaving));
    const back = haveArrived ? unwanted : [];
    if (back.length + going.length === 0) return;
    world?.unpack();
    takeBack(arena, tables, back);
    sendAway(arena, tables, going);
    forgetContacts(arena, tables);
    if (haveArrived) leaving = 0;
  };

  const hinder = (reason: string | null): void => {
    if (reason === hindrance) return;
    hindrance = reason;
    if (reason) tell(`strands go on on wasm: ${reason}`);
    changed();
  };

  /** What did not fit once is not tried again before rows have changed. */
  const mayTry = (tables: Tables): boolean => refusedRows !== rowsOf(tables);

  /**
   * Does a part of the step. Where the scene turns out not to fit, the strands leave, and stand still for this step.
   */
  const withinLimits = (arena: Arena, tables: Tables, work: (present: GpuWorld) => void): boolean => {
    if (!world) return false;
    try {
      work(world);
      return true;
    } catch (error) {
      if (!(error instanceof GpuLimitError)) throw error;
      hinder(error.message);
      leave(arena, tables);
      refusedRows = rowsOf(tables);
      return false;
    }
  };

  const session: GpuSession = {
    get state() {
      return failure === null && hindrance === null && !isDisposed ? 'webgpu' : 'wasm';
    },
    get reason() {
      return isDisposed ? 'it was disposed' : (failure ?? hindrance);
    },
    get adapterName() {
      return context?.adapterName ?? '';
    },
    get isSoftware() {
      return context?.isSoftware ?? false;
    },
    get drawing() {
      return isOn && world ? world.drawing : null;
    },
    get report() {
      return world?.report ?? empty;
    },
    get arrived() {
      return world?.arrived ?? 0;
    },
    get budget() {
      return budget;
    },
    set budget(value) {
      budget = value;
      if (world) world.budget = value;
      checkBudget();
    },
    get grip() {
      return grip;
    },
    set grip(value) {
      grip = value;
      if (world) world.grip = value;
    },
    onChange: null,
    wantState() {
      wanted = READ_STEPS;
      world?.unpack();
    },
    get isRead() {
      return !isOn || (options.readBack === 'auto' ? wanted > 0 : options.readBack > 0);
    },
    begin(arena, tables, places, wake) {
      home = { arena, tables };
      if (failure !== null || isDisposed) return false;
      // Without a device for now its strands stand still, and none are sent there.
      if (!world) return countAway(arena, tables) > 0;
      if (!mayTry(tables)) return false;
      place(arena, tables, places);
      if (countAway(arena, tables) === 0) {
        if (isOn) leave(arena, tables);
        // What a disposed handle shows last is its last step; here nothing is left to be stepped.
        Object.assign(world.report, { strands: 0, asleep: 0, nodes: 0, contacts: 0 });
        return false;
      }
      if (!withinLimits(arena, tables, (present) => present.update(arena, tables))) return false;
      isOn = true;
      hinder(null);
      world.push(arena, tables, wake);
      return true;
    },
    gather(arena, tables) {
      if (isOn) withinLimits(arena, tables, (present) => present.gather(arena, tables));
    },
    end(arena, tables) {
      if (!isOn) return;
      withinLimits(arena, tables, (present) => present.step(arena, tables));
      if (!world || !isOn) return;
      const { readBack } = options;
      if (leaving > 0) world.readBack(tables);
      else if (readBack === 'auto') {
        if (wanted > 0) world.readBack(tables);
        else if (world.steps % GUARD_STEPS === 1) world.readBack(tables, true);
        wanted = Math.max(0, wanted - 1);
      } else if (readBack > 0 && world.steps % readBack === 0) world.readBack(tables);
    },
    isBehind() {
      if (!isOn || !world || !context) return false;
      const own = frames;
      if (world.steps !== own.steps) {
        own.steps = world.steps;
        own.inFlight++;
        const done = () => {
          own.inFlight--;
        };
        context.device.queue.onSubmittedWorkDone().then(done, done);
      }
      const { report } = world;
      report.inFlight = own.inFlight;
      if (own.inFlight < options.framesInFlight) return false;
      report.held++;
      return true;
    },
    move(tables, body, from, strands) {
      if (isOn) world?.move(tables, body, from, strands);
    },
    async settle(_arena, tables) {
      await opening;
      // Once for what is under way, once more when that had taken all staging buffers.
      for (let k = 0; k < 2 && world && isOn && world.arrived < world.steps; k++) {
        world.readBack(tables);
        await world.settle();
      }
      await world?.settle();
      world?.unpack();
    },
    unpack: () => world?.unpack(),
    dispose(arena, tables) {
      if (isDisposed) return;
      if (failure === null) leave(arena, tables);
      isDisposed = true;
      world?.dispose();
      context?.dispose();
      changed();
    },
  };
  if (options.refusal === null) await open();
  else giveUp(options.refusal);
  return session;
}
