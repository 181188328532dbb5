// Strands that the end of a step would bring through each other, kept apart on the device. Twin of dynamics/rods/keep-apart.ts.
//
//   boxes → grid → pairs → (push → spread)ⁿ
//
// In: the velocities that the last solve left in `predicted`. Out: the same, changed where edges would go through each other. The pairs
// are searched for once a step; each round tests them along the present velocities. Against the CPU: all are pushed at once, each
// for its share of a crowd, in a fixed number of rounds; what is left then goes to the next step.

import { type GpuBuffer, STATE_USAGE } from './buffers';
import type { GpuContext } from './device';
import type { GpuContacts } from './gpu-contacts';
import type { GpuStrands } from './gpu-strands';
import { apartPush } from './kernels/apart-push/apart-push';
import {
  type ComputePass,
  compileKernels,
  createBindGroups,
  dispatch,
  dispatchGroups,
  type KernelSource,
} from './pipelines';

export interface GpuApart {
  /** Changes `predicted`. After the last solve of a step. */
  encode(pass: ComputePass): void;
  dispose(): void;
}

export const APART_KERNELS = { apartPush } as const satisfies Record<string, KernelSource>;

const ROUNDS = 12;
/** Threads of kernels that go round until nothing is left. */
const WIDE = 4096 * 64;

/** Compiles the kernels and makes empty buffers. Rejects where a kernel does not compile. */
export async function createGpuApart(
  context: GpuContext,
  strands: GpuStrands,
  contacts: GpuContacts,
): Promise<GpuApart> {
  const { apartPush: kernel } = await compileKernels(context, APART_KERNELS);
  const { pool, columns } = strands.buffers;
  const make = (name: string) => pool.create(name, 256, STATE_USAGE);
  const changes = [make('changes of apart'), make('other changes of apart')] as const;
  const groups = createBindGroups(context);

  /** `turn`: which of the changes is added to. */
  const groupOf = (turn: number): GPUBindGroup =>
    groups.get(kernel, turn, () => {
      const bind = ({ buffer }: GpuBuffer) => ({ buffer });
      const { predicted, masses, strands: headers } = columns;
      return {
        ...contacts.pairs(),
        ...{ predicted: bind(predicted), masses: bind(masses), strands: bind(headers) },
        ...{ changes: bind(changes[turn]), nextChanges: bind(changes[1 - turn]) },
      };
    });

  return {
    encode(pass) {
      const { nodeCount } = strands.buffers;
      for (const buffer of changes) pool.ensure(buffer, 16 * nodeCount);
      groups.forget(pool.generation + strands.buffers.version);
      contacts.encodePairs(pass, columns.predicted);
      const { threads } = kernel.kernel;
      dispatch(pass, kernel, 'open', groupOf(0), nodeCount);
      // The kernel tells pushes from spreads by whether their number is even.
      const pushes = 2 * Math.ceil(Math.min(contacts.buffers.rooms.pairs, WIDE) / (2 * threads));
      const spreads = 2 * Math.floor(Math.ceil(nodeCount / threads) / 2) + 1;
      for (let round = 0; round < ROUNDS; round++) {
        dispatchGroups(pass, kernel, 'main', groupOf(round & 1), pushes);
        dispatchGroups(pass, kernel, 'main', groupOf(round & 1), spreads);
      }
    },
    dispose() {
      for (const buffer of changes) pool.release(buffer);
    },
  };
}
