// Further linearisations of a step (`elastic.newtonIterations`): the elastic forces are taken where the
// velocities found so far lead to.
//
//   copies → shift (rod-integrate.wgsl, of the copies) → rod-guess → predict with these columns → solve
// Made for worlds that want it; others pay nothing. CPU twin: step-rods.ts with `backend.predict(engine, true, …)`.
// The list of contacts and its forces go on from one to the next, joints and bodies begin anew.

import { MOVER_WORDS } from '../../state/device-places';
import { type GpuBuffer, STATE_USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import { type ComputePass, compileKernels, createBindGroups, dispatch } from '../device/pipelines';
import { STRAND_KERNELS } from '../rod/strand-kernels';
import type { ContactBuffers } from '../tables/contact-buffers';
import { bindBlock, type StrandBuffers } from '../tables/strand-buffers';
import { WORLD_KERNELS } from '../world/world-kernels';

/** Columns of the strands that another linearisation has in place of theirs. */
export interface GuessColumns {
  /** Where the guess leads to, as `places`, `frames` and `rests` would be after the step. */
  readonly places: GpuBuffer;
  readonly frames: GpuBuffer;
  readonly rests: GpuBuffer;
  /** The guess: change of velocity counts from it. */
  readonly velocities: GpuBuffer;
  /** Velocities for the elements, and forces for the inertia: see rod-guess.wgsl. */
  readonly damped: GpuBuffer;
  readonly forces: GpuBuffer;
}

export interface GpuNewton {
  readonly columns: GuessColumns;
  /** Keeps the movers as they are before joints pull them. Outside a pass. */
  encodeSave(encoder: GPUCommandEncoder): void;
  /** `predicted` is the guess from now on. Outside a pass. */
  encodeCopies(encoder: GPUCommandEncoder): void;
  encodeGuess(pass: ComputePass): void;
}

/** Columns that are moved by the guess, and bytes of them a node. */
const MOVED = { places: 16, frames: 16, rests: 48 } as const;

/** Compiles the kernels and makes empty buffers. */
export async function createGpuNewton(
  context: GpuContext,
  buffers: StrandBuffers,
  contacts: ContactBuffers,
): Promise<GpuNewton> {
  const { rodIntegrate } = STRAND_KERNELS;
  const { rodGuess } = WORLD_KERNELS;
  const kernels = await compileKernels(context, { rodIntegrate, rodGuess });
  const { pool } = buffers;
  const make = (name: string) => pool.create(`${name} of the guess`, 32, STATE_USAGE);
  const columns = {
    places: make('places'),
    frames: make('frames'),
    rests: make('rests'),
    velocities: make('velocities'),
    damped: make('damped velocities'),
    forces: make('forces'),
  };
  // Written by the shift and not read.
  const spare = { positions: make('positions'), previous: make('previous positions') };
  const headers = { strands: make('headers'), origins: make('origins') };
  const movers = make('movers before joints');
  const groups = createBindGroups(context);

  return {
    columns,
    encodeSave(encoder) {
      const bytes = 4 * MOVER_WORDS * contacts.moverCount;
      pool.ensure(movers, bytes);
      if (bytes > 0) encoder.copyBufferToBuffer(contacts.movers.buffer, 0, movers.buffer, 0, bytes);
    },
    encodeCopies(encoder) {
      const { nodeCount, strandCount } = buffers;
      const copy = (from: GpuBuffer, to: GpuBuffer, bytes: number): void => {
        pool.ensure(to, bytes);
        encoder.copyBufferToBuffer(from.buffer, 0, to.buffer, 0, bytes);
      };
      for (const name of ['places', 'frames', 'rests'] as const) {
        copy(buffers.columns[name], columns[name], MOVED[name] * nodeCount);
      }
      for (const name of ['strands', 'origins'] as const) copy(buffers.columns[name], headers[name], 16 * strandCount);
      copy(buffers.columns.predicted, columns.velocities, 16 * nodeCount);
      for (const buffer of [columns.damped, columns.forces, ...Object.values(spare)])
        pool.ensure(buffer, 16 * nodeCount);
      if (contacts.moverCount > 0) copy(movers, contacts.movers, 4 * MOVER_WORDS * contacts.moverCount);
    },
    encodeGuess(pass) {
      groups.forget(pool.generation + buffers.version);
      buffers.blocks.forEach(({ strands, nodes }, k) => {
        const block = bindBlock(buffers, k);
        const shift = groups.get(kernels.rodIntegrate, k, () => ({ ...headers, ...spare, ...columns, block }));
        dispatch(pass, kernels.rodIntegrate, 'main', shift, strands);
        const written = { guess: columns.velocities, damped: columns.damped, pushed: columns.forces };
        const own = groups.get(kernels.rodGuess, k, () => ({ ...buffers.columns, ...written, block }));
        dispatch(pass, kernels.rodGuess, 'main', own, strands * nodes);
      });
    },
  };
}
