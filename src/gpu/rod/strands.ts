// Strands on the device: their step without contacts, from end to end, and their way there and back.
//
//   holds → inertia (→ grip) → elements → factor → finish   velocities without contacts → `predicted`
//   weigh → weighted factor                             what contacts need: the factor of A + W
//   integrate                                           places, frames; `predicted` becomes `velocities`
// Nothing waits for the device: one submission a step; what comes back comes through rings, one to three steps late.

import type { Arena } from '../../core/arena';
import { GRIP_WORDS } from '../../state/device-places';
import * as L from '../../state/layout';
import { strandRows } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import { align, type GpuBuffer, USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import {
  type Bindings,
  type ComputePass,
  compileKernels,
  createBindGroups,
  dispatch,
  type Kernel,
} from '../device/pipelines';
import { createReadBack } from '../device/read-back';
import type { GuessColumns } from '../solve/newton';
import {
  bindBlock,
  createStrandBuffers,
  type IsOwn,
  type StrandBlock,
  type StrandBuffers,
  uploadClamps,
  uploadRods,
  uploadStrands,
  writeBlocks,
} from '../tables/strand-buffers';
import { createGripState, type StrandGrip } from './grip';
import { STRAND_KERNELS } from './strand-kernels';

/** What a step gives to all strands. */
export interface GpuStepInputs {
  /** [s] */
  readonly timeStep: number;
  /** [m/s²] */
  readonly gravity: ArrayLike<number>;
  /** [m/s]; none is still air. */
  readonly wind?: ArrayLike<number> | null;
  /**
   * Poses of the bodies at the end of the step, eight numbers a body of the tables: position in the world [m] and
   * spare, rotation. Needed while strands are clamped to bodies.
   */
  readonly bodies?: Float64Array | null;
  /** A hand in the hair; default none. */
  readonly grip?: StrandGrip | null;
}

export interface GpuStrands {
  readonly context: GpuContext;
  readonly buffers: StrandBuffers;
  /** Steps begun. */
  readonly steps: number;
  /** Strands that were found quarantined in what came back. */
  readonly quarantined: number;
  /** Read-backs that were left out because all staging buffers were on their way. */
  readonly skippedReadBacks: number;
  /**
   * Puts all strands of the tables on the device; those that are not its own are obstacles there. Throws GpuLimitError
   * where they do not fit. `keepCell`: see tables/keep-strands.ts.
   */
  upload(arena: Arena, tables: Tables, keepCell?: boolean, isOwn?: IsOwn): void;
  /** Writes only user forces [N, N·m], which the next step uses up. */
  uploadForces(tables: Tables): void;
  /**
   * Writes only the poses of the clamps, where the tables' have moved (`moved`: rows of these strands). A clamp that
   * changes its body needs `upload`.
   */
  uploadClamps(tables: Tables, moved?: readonly number[]): void;
  /** Writes only the materials of the rods. */
  uploadRods(arena: Arena, tables: Tables): void;
  /** Writes what the step is told to the device; before the encode… functions, which record parts of a step. */
  begin(inputs: GpuStepInputs): void;
  /**
   * Velocities without contacts to `predicted`; leaves elements, inertias, and the factor of A. `guess`: of a further
   * linearisation (solve/newton.ts), for which the targets of clamps are known already.
   */
  encodePredict(pass: ComputePass, guess?: GuessColumns): void;
  /** Contact weights to `weights`, and the factor of A + W. After encodePredict. */
  encodeWeigh(pass: ComputePass): void;
  /** Moves places and frames by `predicted`. */
  encodeIntegrate(pass: ComputePass): void;
  /** `predicted` becomes `velocities`; user forces are used up. Outside a pass, last of a step. */
  encodeEnd(encoder: GPUCommandEncoder): void;
  /**
   * Records a copy of the state into the ring; false if no staging buffer is free. When it arrives it is
   * written to the tables it came from: positions, previous, velocities, frames, quarantine flags; unless
   * strands were uploaded again since.
   * `isLazy`: its bytes are only kept, for `unpack`.
   */
  readBack(tables: Tables, arrived?: (step: number) => void, isLazy?: boolean): boolean;
  /** All strands stand still from now on, as after the last step. */
  rest(): void;
  /** Writes to the tables what arrived last, if that was only kept. */
  unpack(): void;
  /** What is on its way back, or kept, fits the tables no more. */
  dropReadBacks(): void;
  /** Resolves when all read-backs have arrived. For tests and orderly ends, never inside a frame. */
  settle(): Promise<void>;
  dispose(): void;
}

/** Where a read-back goes, and the step that it is of. */
interface Landing {
  readonly tables: Tables;
  readonly step: number;
  /** Of the buffers it was taken from. */
  readonly version: number;
  /** Of the rows of the tables when they were uploaded. */
  readonly rows: number;
  readonly isLazy: boolean;
  readonly arrived?: (step: number) => void;
}

const NO_WIND = [0, 0, 0];
/** Columns that are read back, and bytes a node or strand. */
const READ_BACK = ['places', 'previous', 'predicted', 'frames', 'strands', 'origins'] as const;

/** Compiles the kernels and makes empty buffers. Rejects where a kernel does not compile. */
export async function createGpuStrands(context: GpuContext): Promise<GpuStrands> {
  const { device } = context;
  const kernels = await compileKernels(context, STRAND_KERNELS);
  const buffers = createStrandBuffers(context);
  const hand = buffers.pool.create('grip', 4 * GRIP_WORDS, USAGE.uniform | USAGE.copyTarget);
  const gripState = createGripState();
  const record = createRecorder(context, kernels, buffers, hand);
  const writeInputs = createInputs(context, buffers);
  const back = createStateReader(context, buffers);
  let isGripping = false;
  let steps = 0;
  let hasForces = true;

  return {
    context,
    buffers,
    get steps() {
      return steps;
    },
    get quarantined() {
      return back.quarantined;
    },
    get skippedReadBacks() {
      return back.skipped;
    },
    upload(arena, tables, keepCell, isOwn) {
      uploadStrands(context, buffers, arena, tables, keepCell, isOwn);
      back.uploaded(tables);
      hasForces = true;
    },
    uploadForces(tables) {
      const data = Float32Array.from(tables.nodes.force.subarray(0, 4 * buffers.nodeCount));
      device.queue.writeBuffer(buffers.columns.forces.buffer, 0, data);
      hasForces = true;
    },
    uploadClamps: (tables, moved) => uploadClamps(context, buffers, tables, moved),
    uploadRods: (arena, tables) => uploadRods(context, buffers, arena, tables),
    begin(inputs) {
      steps++;
      const grip = gripState.next(inputs.grip ?? null, inputs.timeStep, buffers.cell);
      isGripping = grip !== null;
      if (grip) device.queue.writeBuffer(hand.buffer, 0, grip);
      if (buffers.strandCount > 0) writeInputs(inputs);
    },
    encodePredict: (pass, guess) => record.predict(pass, isGripping, guess),
    encodeWeigh: (pass) => record.factor(pass, 1),
    encodeIntegrate: record.integrate,
    encodeEnd(encoder) {
      const { predicted, velocities, forces } = buffers.columns;
      encoder.copyBufferToBuffer(predicted.buffer, 0, velocities.buffer, 0, 16 * buffers.nodeCount);
      if (hasForces) encoder.clearBuffer(forces.buffer);
      hasForces = false;
    },
    readBack: (tables, arrived, isLazy = false) => back.copy(steps, tables, isLazy, arrived),
    rest() {
      const { positions, previous, velocities, predicted } = buffers.columns;
      const encoder = device.createCommandEncoder({ label: 'strands at rest' });
      encoder.copyBufferToBuffer(positions.buffer, 0, previous.buffer, 0, 16 * buffers.nodeCount);
      for (const { buffer } of [velocities, predicted]) encoder.clearBuffer(buffer);
      device.queue.submit([encoder.finish()]);
    },
    unpack: back.unpack,
    dropReadBacks: back.drop,
    settle: back.settle,
    dispose() {
      back.dispose();
      buffers.pool.dispose();
    },
  };
}

/** What writes the uniforms of all blocks and the poses of the bodies. */
function createInputs(context: GpuContext, buffers: StrandBuffers): (inputs: GpuStepInputs) => void {
  const { device } = context;
  const write = writeBlocks(context);
  let bodies = new Float32Array(0);
  return ({ timeStep, gravity, wind, bodies: poses }) => {
    const { cell, bodyCapacity, columns } = buffers;
    write(buffers, timeStep, gravity, wind ?? NO_WIND);
    if (!poses) return;
    if (bodies.length < 8 * bodyCapacity) bodies = new Float32Array(8 * bodyCapacity);
    const numbers = Math.min(poses.length, 8 * bodyCapacity);
    for (let i = 0; i < numbers; i++) bodies[i] = (i & 7) < 3 ? poses[i] - cell[i & 7] : poses[i];
    device.queue.writeBuffer(columns.bodies.buffer, 0, bodies, 0, numbers);
  };
}

type StrandKernels = Readonly<Record<keyof typeof STRAND_KERNELS, Kernel>>;

/** Records the kernels: one after the other, not block by block, so dispatches of several blocks can overlap. */
function createRecorder(context: GpuContext, kernels: StrandKernels, buffers: StrandBuffers, grip: GpuBuffer) {
  const groups = createBindGroups(context);

  /** One kernel for all blocks. `weighted`: 1 for A + W. */
  const perBlock = (
    pass: ComputePass,
    kernel: Kernel,
    own: (block: StrandBlock) => Bindings,
    { perNode = false, weighted = 0, isGuess = false } = {},
  ): void => {
    groups.forget(buffers.pool.generation + buffers.version);
    buffers.blocks.forEach((block, k) => {
      const key = 2 * (isGuess ? buffers.blocks.length + k : k) + weighted;
      const bindings = () => ({ ...buffers.columns, ...own(block), block: bindBlock(buffers, k, weighted) });
      const threads = block.strands * (perNode ? block.nodes : 1);
      dispatch(pass, kernel, 'main', groups.get(kernel, key, bindings), threads);
    });
  };

  const factor = (pass: ComputePass, weighted: 0 | 1): void => {
    const own = ({ elements, inertias, reduced, factors }: StrandBlock) => {
      return { elements, inertias, reduced, factors: factors[weighted], plain: factors[1 - weighted] };
    };
    perBlock(pass, kernels.rodFactor, own, { weighted });
  };

  return {
    predict(pass: ComputePass, isGripping: boolean, guess?: GuessColumns): void {
      const isGuess = guess !== undefined;
      const { velocities, forces, places, frames, rests } = { ...buffers.columns, ...guess };
      if (!isGuess) perBlock(pass, kernels.rodHolds, () => ({}));
      const perNode = { perNode: true, isGuess };
      perBlock(pass, kernels.rodInertia, ({ inertias }) => ({ inertias, velocities, forces }), perNode);
      if (isGripping) perBlock(pass, kernels.rodGrip, ({ inertias }) => ({ inertias, grip, velocities }), perNode);
      const seen = { places, frames, rests, velocities: guess?.damped ?? velocities };
      perBlock(pass, kernels.rodElements, ({ elements }) => ({ elements, ...seen }), perNode);
      factor(pass, 0);
      const solved = ({ reduced, factors }: StrandBlock) => ({ reduced, factors: factors[0], velocities });
      perBlock(pass, kernels.rodSolve, solved, { isGuess });
    },
    factor,
    integrate: (pass: ComputePass): void =>
      perBlock(pass, kernels.rodIntegrate, () => ({ velocities: buffers.columns.predicted })),
  };
}

/** The way of the state back to the tables. */
function createStateReader(context: GpuContext, buffers: StrandBuffers) {
  const landing = new Map<number, Landing>();
  let kept: { bytes: ArrayBuffer; to: Landing } | null = null;
  let asked = 0;
  let uploadedRows = 0;
  let quarantined = 0;
  /** Whether what was read back still fits the tables: rows come and go before the device hears of it. */
  const isCurrent = ({ tables, version, rows }: Landing) => version === buffers.version && rows === strandRows(tables);
  const ring = createReadBack(context, 'strands', (bytes, tag) => {
    const to = landing.get(tag);
    landing.delete(tag);
    if (!to || !isCurrent(to)) return;
    kept = to.isLazy ? { bytes: bytes.slice(0), to } : null;
    if (!to.isLazy) quarantined += unpackState(bytes, buffers, to.tables);
    to.arrived?.(to.step);
  });

  return {
    get quarantined() {
      return quarantined;
    },
    get skipped() {
      return ring.skipped;
    },
    uploaded(tables: Tables): void {
      uploadedRows = strandRows(tables);
    },
    copy(step: number, tables: Tables, isLazy: boolean, arrived?: (step: number) => void): boolean {
      const { columns, nodeCount, strandCount, version } = buffers;
      if (strandCount === 0) return false;
      const encoder = context.device.createCommandEncoder({ label: 'strands back' });
      const parts = READ_BACK.map((name) => ({
        buffer: columns[name].buffer,
        offset: 0,
        size: 16 * (name === 'strands' || name === 'origins' ? strandCount : nodeCount),
      }));
      if (!ring.copy(encoder, parts, ++asked)) return false;
      landing.set(asked, { tables, step, version, rows: uploadedRows, arrived, isLazy });
      context.device.queue.submit([encoder.finish()]);
      ring.flush();
      return true;
    },
    unpack(): void {
      if (kept && isCurrent(kept.to)) quarantined += unpackState(kept.bytes, buffers, kept.to.tables);
      kept = null;
    },
    drop(): void {
      kept = null;
      landing.clear();
    },
    settle: ring.settle,
    dispose: ring.dispose,
  };
}

/** Writes what came back to the tables; returns how many strands have gone bad since. */
function unpackState(
  bytes: ArrayBuffer,
  { order, cell, nodeCount, strandCount, ownCount }: StrandBuffers,
  tables: Tables,
): number {
  const { strands, nodes } = tables;
  let at = 0;
  let bad = 0;
  const next = (count: number): number => {
    const here = align(at);
    at = here + 16 * count;
    return here;
  };
  const places = new Int32Array(bytes, next(nodeCount), 4 * nodeCount);
  const angles = new Float32Array(bytes, places.byteOffset, 4 * nodeCount);
  const previous = new Float32Array(bytes, next(nodeCount), 4 * nodeCount);
  const velocity = new Float32Array(bytes, next(nodeCount), 4 * nodeCount);
  const frame = new Float32Array(bytes, next(nodeCount), 4 * nodeCount);
  const headers = new Uint32Array(bytes, next(strandCount), 4 * strandCount);
  const origins = new Float32Array(bytes, next(strandCount), 4 * strandCount);
  for (let slot = 0; slot < ownCount; slot++) {
    const strand = order[slot];
    const unit = origins[4 * slot + 3];
    const isBad = (headers[4 * slot + 2] & L.STRAND_QUARANTINED) !== 0;
    if (isBad && (strands.flags[strand] & L.STRAND_QUARANTINED) === 0) {
      strands.flags[strand] |= L.STRAND_QUARANTINED;
      bad++;
    }
    const start = 4 * strands.first[strand];
    for (let i = start; i < start + 4 * strands.nodes[strand]; i++) {
      const k = i & 3;
      const zero = k < 3 ? cell[k] + origins[4 * slot + k] : 0;
      nodes.position[i] = k < 3 ? zero + places[i] * unit : angles[i];
      nodes.previous[i] = zero + previous[i];
      nodes.velocity[i] = nodes.predicted[i] = velocity[i];
      nodes.frame[i] = frame[i];
    }
  }
  return bad;
}
