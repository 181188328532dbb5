// Strands that the end of a step would bring through each other, kept apart on the device. Twin
// of dynamics/elastic/keep-apart.ts.
//
//   boxes → grid → pairs → (push → spread)ⁿ
//
// In: the velocities that the last solve left in `predicted`. Out: the same, changed where edges would go
// through each other. The pairs are detected once a step; each round tests them along the present
// velocities. Against the CPU: all are pushed at once, each for its share of a crowd, in a fixed number of
// rounds; what is left then goes to the next step.

import { STATE_USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import { type ComputePass, compileKernels, createBindGroups, dispatchGroups } from '../device/pipelines';
import type { GpuContacts } from '../find/contacts';
import type { GpuStrands } from '../rod/strands';
import { APART_KERNELS } from './solver-kernels';

export interface GpuApart {
  /** Before the pass of `encode`. */
  encodeOpen(encoder: GPUCommandEncoder): void;
  /** Changes `predicted`. After the last solve of a step. */
  encode(pass: ComputePass): void;
}

const ROUNDS = 12;
/** Of a node in `changes` [B]. */
const CHANGE_BYTES = 32;
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
  const changes = pool.create('changes of apart', 256, STATE_USAGE);
  const groups = createBindGroups(context);

  const group = (): GPUBindGroup => groups.get(kernel, 0, () => ({ ...columns, ...contacts.pairs(), changes }));

  return {
    encodeOpen(encoder) {
      const bytes = CHANGE_BYTES * strands.buffers.nodeCount;
      pool.ensure(changes, bytes);
      encoder.clearBuffer(changes.buffer, 0, bytes);
    },
    encode(pass) {
      const { nodeCount } = strands.buffers;
      groups.forget(pool.generation + strands.buffers.version);
      contacts.encodePairs(pass, columns.predicted);
      const { threads } = kernel.kernel;
      const pairs = Math.min(contacts.buffers.rooms.pairs, WIDE);
      for (let round = 0; round < ROUNDS; round++) {
        const isOdd = round % 2 === 1;
        dispatchGroups(pass, kernel, 'main', group(), groupsOf(Math.ceil(pairs / threads), isOdd ? 2 : 0));
        dispatchGroups(pass, kernel, 'main', group(), groupsOf(Math.ceil(nodeCount / threads), isOdd ? 3 : 1));
      }
    },
  };
}

/** Least number of workgroups, at least so many, by whose remainder modulo four the kernel knows what to do. */
function groupsOf(least: number, remainder: number): number {
  return 4 * Math.ceil((least - remainder) / 4) + remainder;
}
