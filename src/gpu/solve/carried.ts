// Grooms on dynamic bodies: which bodies carry how much hair, and what they feel of it (mover-carry.wgsl). Twin of
// dynamics/elastic/carried.ts, a step later: there the body's velocity is found with the strands', here it follows.
//
// In: the clamps that solve/reactions.ts has found. Out: an impulse a body slot in `carried`, which mover-note.wgsl
// adds to what contacts and rods do. What is pending for a body stays on the device as long as it carries something.

import { clampAt } from '../../state/clamp-places';
import { MOVER_INVERSE_MASS, MOVER_WORDS } from '../../state/device-places';
import type { Tables } from '../../state/tables';
import { NOTHING } from '../constants';
import { type GpuBuffer, STATE_USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import { type ComputePass, compileKernels, createBindGroups, dispatchGroups } from '../device/pipelines';
import type { ContactBuffers } from '../tables/contact-buffers';
import type { StrandBuffers } from '../tables/strand-buffers';
import { WORLD_KERNELS } from '../world/world-kernels';

/** Sizes of Carrier in mover-carry.wgsl, of an impulse with its moment [B]. */
const CARRIER_BYTES = 64;
const PUSH_BYTES = 32;
/** Of the hair as a share of the body: a body that carries more does not feel it [-]. */
const LIGHTEST = 1;

/** An end of a strand (in the order of the headers) on a body. */
export interface Clamp {
  readonly slot: number;
  readonly end: number;
  readonly body: number;
  /** It is one of a groom's. */
  readonly isCarried: boolean;
}

export interface GpuCarried {
  /** mat2x4f by body slot: what it felt in this step; zeros where it carries nothing. */
  readonly carried: GpuBuffer;
  /** `clamps` in the order of the reactions; `isNew`: nothing is pending any more. */
  upload(tables: Tables, clamps: readonly Clamp[], isNew: boolean): void;
  /** After the reactions of the step. */
  encode(pass: ComputePass, reactions: GpuBuffer, points: GpuBuffer): void;
}

/** Compiles the kernel. */
export async function createGpuCarried(
  context: GpuContext,
  strands: StrandBuffers,
  contacts: ContactBuffers,
): Promise<GpuCarried> {
  const { moverCarry } = WORLD_KERNELS;
  const kernels = await compileKernels(context, { moverCarry });
  const groups = createBindGroups(context);
  const { pool } = strands;
  const { queue } = context.device;
  const carriers = pool.create('carriers', CARRIER_BYTES, STATE_USAGE);
  const pending = pool.create('pending for bodies', PUSH_BYTES, STATE_USAGE);
  const carried = pool.create('carried by bodies', PUSH_BYTES, STATE_USAGE);
  let table = new Float32Array(0);
  let words = new Uint32Array(0);
  let count = 0;
  /** Generation of each body that carries something. */
  let owing = new Map<number, number>();

  /** What is pending for bodies that carry nothing any more, or are others now. */
  const forget = ({ bodies }: Tables, now: ReadonlyMap<number, number>, isNew: boolean): void => {
    const none = new Float32Array(PUSH_BYTES / 4);
    for (const [body, generation] of owing) {
      if (now.get(body) === generation && !isNew) continue;
      queue.writeBuffer(pending.buffer, PUSH_BYTES * body, none);
      if (!now.has(body)) queue.writeBuffer(carried.buffer, PUSH_BYTES * body, none);
    }
    const bytes = PUSH_BYTES * bodies.capacity;
    pool.ensure(pending, bytes, true);
    pool.ensure(carried, bytes, true);
  };

  return {
    carried,
    upload(tables, clamps, isNew) {
      const now = new Map<number, number>();
      for (const { body, isCarried } of clamps) if (isCarried) now.set(body, tables.bodies.generation[body]);
      forget(tables, now, isNew);
      owing = now;
      count = now.size;
      table = new Float32Array((CARRIER_BYTES / 4) * count);
      words = new Uint32Array(table.buffer);
      pool.ensure(carriers, table.byteLength);
      [...now.keys()].forEach((body, k) => {
        const at = (CARRIER_BYTES / 4) * k;
        const first = clamps.findIndex((clamp) => clamp.body === body && clamp.isCarried);
        const end = clamps.findLastIndex((clamp) => clamp.body === body && clamp.isCarried) + 1;
        words.set([body, NOTHING, first, end], at);
        for (const clamp of clamps.slice(first, end)) addStrand(table, at + 4, tables, strands, clamp);
      });
    },
    encode(pass, reactions, points) {
      if (count === 0) return;
      for (let at = 0; at < words.length; at += CARRIER_BYTES / 4) {
        const mover = contacts.moverOf[words[at]];
        const inverseMass = mover < 0 ? 0 : contacts.moverRows[MOVER_WORDS * mover + MOVER_INVERSE_MASS];
        const isFelt = mover >= 0 && inverseMass * table[at + 7] <= LIGHTEST;
        words[at + 1] = isFelt ? mover : NOTHING;
      }
      queue.writeBuffer(carriers.buffer, 0, table);
      groups.forget(pool.generation);
      const { movers } = contacts;
      const group = groups.get(kernels.moverCarry, 0, () => ({
        carriers,
        movers,
        reactions,
        points,
        pending,
        carried,
      }));
      dispatchGroups(pass, kernels.moverCarry, 'main', group, count);
    },
  };
}

/** Adds the inertia of a strand, straight out of its clamp, to the ten numbers of a carrier: moment, mass, inertia. */
function addStrand(
  out: Float32Array,
  to: number,
  { strands, nodes }: Tables,
  { order }: StrandBuffers,
  { slot, end }: Clamp,
): void {
  const strand = order[slot];
  const from = clampAt(strand, end);
  const way = [0, 1, 2].map((k) => strands.clamp[from + 3 + k] - strands.clamp[from + k]);
  const length = Math.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2) || 1;
  const first = strands.first[strand];
  const count = strands.nodes[strand];
  let arc = 0;
  for (let i = 0; i < count; i++) {
    const node = end === 0 ? first + i : first + count - 1 - i;
    const mass = nodes.mass[2 * node];
    const [x, y, z] = way.map((w, k) => strands.clamp[from + k] + (w / length) * arc);
    const square = x * x + y * y + z * z;
    const terms = [x, y, z, 1, square - x * x, square - y * y, square - z * z, -x * y, -x * z, -y * z];
    terms.forEach((term, k) => {
      out[to + k] += mass * term;
    });
    if (i + 1 < count) arc += nodes.rest[8 * (end === 0 ? node : node - 1)];
  }
}
