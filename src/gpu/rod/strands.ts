// Strands on the device: their step without contacts, from end to end, and their way there and back.
//
//   holds → inertia (→ grip) → elements → factor → finish   velocities without contacts → `predicted`
//   weigh → weighted factor                             what contacts need: the factor of A + W
//   integrate                                           places, frames; `predicted` becomes `velocities`
// Nothing waits for the device: one submission a step; what comes back comes through rings, one to three steps late.

import type { Arena } from '../../core/arena';
import * as L from '../../state/layout';
import { strandChanges } from '../../state/strand-changes';
import type { Tables } from '../../state/tables';
import { align, createBufferWriter, USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import {
  type Bindings,
  type ComputePass,
  compileKernels,
  createBindGroups,
  dispatch,
  economical,
  type Kernel,
} from '../device/pipelines';
import { createReadBack } from '../device/read-back';
import { createTimestamps, type GpuTimestamps } from '../device/timestamps';
import type { GuessColumns } from '../solve/newton';
import {
  BLOCK_BYTES,
  createStrandBuffers,
  type IsOwn,
  type StrandBlock,
  type StrandBuffers,
  uploadClamps,
  uploadRods,
  uploadStrands,
} from '../tables/strand-buffers';
import { createGripState, GRIP_BYTES, type StrandGrip } from './grip';
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
  readonly timestamps: GpuTimestamps;
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
  /** One step without contacts, in one submission. */
  step(inputs: GpuStepInputs): void;
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

/** Size of `Block` in strand.wgsl [B]. */
const UNIFORM_BYTES = 48;
/** Columns that are read back, and bytes a node or strand. */
const READ_BACK = ['places', 'previous', 'predicted', 'frames', 'strands', 'origins'] as const;

/** Compiles the kernels and makes empty buffers. Rejects where a kernel does not compile. */
export async function createGpuStrands(context: GpuContext): Promise<GpuStrands> {
  const { device } = context;
  const kernels = await compileKernels(context, STRAND_KERNELS);
  const buffers = createStrandBuffers(context);
  const timestamps = createTimestamps(context, ['predict', 'integrate']);
  const groups = createBindGroups(context);
  const writeBlocks = createBufferWriter(context);
  const hand = buffers.pool.create('grip', GRIP_BYTES, USAGE.uniform | USAGE.copyTarget);
  const gripState = createGripState();
  let isGripping = false;
  let uniforms = new Float32Array(0);
  let bodies = new Float32Array(0);
  let steps = 0;
  let hasForces = true;
  let quarantined = 0;
  const landing = new Map<number, Landing>();
  let kept: { bytes: ArrayBuffer; to: Landing } | null = null;
  /** Whether what was read back still fits the tables: rows come and go before the device hears of it. */
  const isCurrent = ({ tables, version, rows }: Landing) => version === buffers.version && rows === rowsOf(tables);
  let asked = 0;
  let uploadedRows = 0;
  const ring = createReadBack(context, 'strands', (bytes, tag) => {
    const to = landing.get(tag);
    landing.delete(tag);
    if (!to || !isCurrent(to)) return;
    kept = to.isLazy ? { bytes: bytes.slice(0), to } : null;
    if (!to.isLazy) quarantined += unpackState(bytes, buffers, to.tables);
    to.arrived?.(to.step);
  });

  /** Bind group of a kernel for a block. `weighted`: 1 for A + W. */
  const groupOf = (kernel: Kernel, index: number, own: Bindings, weighted = 0, isGuess = false): GPUBindGroup => {
    groups.forget(buffers.pool.generation + buffers.version);
    const key = 2 * (isGuess ? buffers.blocks.length + index : index) + weighted;
    return groups.get(kernel, key, () => {
      const all: Record<string, GPUBufferBinding> = { ...own };
      for (const [column, { buffer }] of Object.entries(buffers.columns)) all[column] ??= { buffer };
      const offset = BLOCK_BYTES * (2 * index + weighted);
      all.block = { buffer: buffers.columns.blocks.buffer, offset, size: UNIFORM_BYTES };
      return all;
    });
  };

  const writeInputs = ({ timeStep, gravity, wind, bodies: poses }: GpuStepInputs): void => {
    const { blocks, cell, bodyCapacity, columns } = buffers;
    const stride = BLOCK_BYTES / 4;
    const count = 2 * blocks.length;
    if (uniforms.length < stride * count) uniforms = new Float32Array(stride * count);
    const whole = new Uint32Array(uniforms.buffer);
    for (let k = 0; k < count; k++) {
      const block = blocks[k >> 1];
      for (let c = 0; c < 3; c++) {
        uniforms[stride * k + c] = gravity[c];
        uniforms[stride * k + 4 + c] = wind ? wind[c] : 0;
      }
      uniforms[stride * k + 3] = timeStep;
      whole[stride * k + 7] = block.strands;
      whole[stride * k + 8] = block.nodes;
      whole[stride * k + 9] = block.firstStrand;
      whole[stride * k + 10] = k & 1;
    }
    writeBlocks(columns.blocks, uniforms, stride * count);
    if (!poses) return;
    if (bodies.length < 8 * bodyCapacity) bodies = new Float32Array(8 * bodyCapacity);
    const numbers = Math.min(poses.length, 8 * bodyCapacity);
    for (let i = 0; i < numbers; i++) bodies[i] = (i & 7) < 3 ? poses[i] - cell[i & 7] : poses[i];
    device.queue.writeBuffer(columns.bodies.buffer, 0, bodies, 0, numbers);
  };

  const begin = (inputs: GpuStepInputs): void => {
    steps++;
    const grip = gripState.next(inputs.grip ?? null, inputs.timeStep, buffers.cell);
    isGripping = grip !== null;
    if (grip) device.queue.writeBuffer(hand.buffer, 0, grip);
    if (buffers.strandCount > 0) writeInputs(inputs);
  };

  const perBlock = (call: (block: StrandBlock, index: number) => void): void => buffers.blocks.forEach(call);

  return {
    context,
    buffers,
    timestamps,
    get steps() {
      return steps;
    },
    get quarantined() {
      return quarantined;
    },
    get skippedReadBacks() {
      return ring.skipped;
    },
    upload(arena, tables, keepCell, isOwn) {
      uploadStrands(context, buffers, arena, tables, keepCell, isOwn);
      uploadedRows = rowsOf(tables);
      hasForces = true;
    },
    uploadForces(tables) {
      const data = Float32Array.from(tables.nodes.force.subarray(0, 4 * buffers.nodeCount));
      device.queue.writeBuffer(buffers.columns.forces.buffer, 0, data);
      hasForces = true;
    },
    uploadClamps: (tables, moved) => uploadClamps(context, buffers, tables, moved),
    uploadRods: (arena, tables) => uploadRods(context, buffers, arena, tables),
    begin,
    encodePredict,
    encodeWeigh(pass) {
      encodeFactor(pass, 1);
    },
    encodeIntegrate,
    encodeEnd,
    step(inputs) {
      begin(inputs);
      if (buffers.strandCount === 0) return;
      const encoder = device.createCommandEncoder({ label: 'strands' });
      for (const [name, encode] of [
        ['predict', encodePredict],
        ['integrate', encodeIntegrate],
      ] as const) {
        const pass = encoder.beginComputePass({ label: name, timestampWrites: timestamps.writesOf(name) });
        encode(economical(pass));
        pass.end();
      }
      encodeEnd(encoder);
      timestamps.resolve(encoder, buffers.nodeCount);
      device.queue.submit([encoder.finish()]);
      timestamps.flush();
    },
    readBack(tables, arrived, isLazy = false) {
      const { columns, nodeCount, strandCount, version } = buffers;
      if (strandCount === 0) return false;
      const encoder = device.createCommandEncoder({ label: 'strands back' });
      const parts = READ_BACK.map((name) => ({
        buffer: columns[name].buffer,
        offset: 0,
        size: 16 * (name === 'strands' || name === 'origins' ? strandCount : nodeCount),
      }));
      if (!ring.copy(encoder, parts, ++asked)) return false;
      landing.set(asked, { tables, step: steps, version, rows: uploadedRows, arrived, isLazy });
      device.queue.submit([encoder.finish()]);
      ring.flush();
      return true;
    },
    rest() {
      const { positions, previous, velocities, predicted } = buffers.columns;
      const encoder = device.createCommandEncoder({ label: 'strands at rest' });
      encoder.copyBufferToBuffer(positions.buffer, 0, previous.buffer, 0, 16 * buffers.nodeCount);
      for (const { buffer } of [velocities, predicted]) encoder.clearBuffer(buffer);
      device.queue.submit([encoder.finish()]);
    },
    unpack() {
      if (kept && isCurrent(kept.to)) {
        quarantined += unpackState(kept.bytes, buffers, kept.to.tables);
      }
      kept = null;
    },
    dropReadBacks() {
      kept = null;
      landing.clear();
    },
    async settle() {
      await ring.settle();
      await timestamps.settle();
    },
    dispose() {
      ring.dispose();
      timestamps.dispose();
      buffers.pool.dispose();
    },
  };

  // Kernel by kernel, not block by block: so dispatches of several blocks can overlap on the device.
  function encodePredict(pass: ComputePass, guess?: GuessColumns): void {
    const isGuess = guess !== undefined;
    const { velocities, forces } = guess ?? buffers.columns;
    if (!isGuess) {
      perBlock(({ strands }, k) => dispatch(pass, kernels.rodHolds, 'main', groupOf(kernels.rodHolds, k, {}), strands));
    }
    perBlock(({ strands, nodes, inertias }, k) => {
      const group = groupOf(kernels.rodInertia, k, { inertias, velocities, forces }, 0, isGuess);
      dispatch(pass, kernels.rodInertia, 'main', group, strands * nodes);
    });
    if (isGripping) {
      perBlock(({ strands, nodes, inertias }, k) => {
        const group = groupOf(kernels.rodGrip, k, { inertias, grip: hand, velocities }, 0, isGuess);
        dispatch(pass, kernels.rodGrip, 'main', group, strands * nodes);
      });
    }
    perBlock(({ strands, nodes, elements }, k) => {
      const { places, frames, rests } = guess ?? buffers.columns;
      const own = { elements, places, frames, rests, velocities: guess?.damped ?? velocities };
      const group = groupOf(kernels.rodElements, k, own, 0, isGuess);
      dispatch(pass, kernels.rodElements, 'main', group, strands * nodes);
    });
    encodeFactor(pass, 0);
    perBlock(({ strands, reduced, factors }, k) => {
      const group = groupOf(kernels.rodSolve, k, { reduced, factors: factors[0], velocities }, 0, isGuess);
      dispatch(pass, kernels.rodSolve, 'main', group, strands);
    });
  }

  function encodeFactor(pass: ComputePass, weighted: 0 | 1): void {
    perBlock(({ strands, elements, inertias, reduced, factors }, k) => {
      const own = { elements, inertias, reduced, factors: factors[weighted], plain: factors[1 - weighted] };
      dispatch(pass, kernels.rodFactor, 'main', groupOf(kernels.rodFactor, k, own, weighted), strands);
    });
  }

  function encodeIntegrate(pass: ComputePass): void {
    const velocities = buffers.columns.predicted;
    perBlock(({ strands }, k) => {
      dispatch(pass, kernels.rodIntegrate, 'main', groupOf(kernels.rodIntegrate, k, { velocities }), strands);
    });
  }

  function encodeEnd(encoder: GPUCommandEncoder): void {
    const { predicted, velocities, forces } = buffers.columns;
    encoder.copyBufferToBuffer(predicted.buffer, 0, velocities.buffer, 0, 16 * buffers.nodeCount);
    if (hasForces) encoder.clearBuffer(forces.buffer);
    hasForces = false;
  }
}

function rowsOf(tables: Tables): number {
  const { rows, restored } = strandChanges(tables);
  return rows + restored;
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
