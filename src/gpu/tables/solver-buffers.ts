// Buffers of the contact solver on the device, and their sizes (solver.wgsl says what is in them).
//
// By node: velocities without contacts, the reference, π, δ, and what the colouring claims; ℓ lives in the strands'
// own `duals`. By contact: nodes that can move, colour, row, force, and lists of rows by colour and by body. None of it
// has to outlive a look: forces and colours go back to the contacts.

import { COLOURS, LIST_HEAD, REPORT_WORDS, SWEEP_THREADS } from '../constants';
import { ALIGNMENT, type BufferPool, type GpuBuffer, STATE_USAGE, USAGE } from '../device/buffers';
import { GpuLimitError } from '../device/device';
import { MOST_THREADS } from '../device/pipelines';
import type { ContactBuffers } from './contact-buffers';
import type { StrandBuffers } from './strand-buffers';

/** Of `settings` [B]: what all kernels see, what `finish` sees. */
export const SETTINGS_BYTES = 2 * ALIGNMENT;
/** Bodies that contacts can push: the sort by body has no more buckets. */
export const MOST_PUSHABLE = 2047;
/** Workgroups of a sort at most, and threads of each. */
const SORT_GROUPS = 128;
/** Bytes a node, a contact, a body. */
const NODE_BUFFERS = { free: 16, reference: 16, projected: 16, delta: 16, claims: 44, meetings: 4 } as const;
const CONTACT_BUFFERS = { ends: 16, colours: 4, waiting: 4, rows: 64, forces: 32 } as const;
const LISTS = ['order', 'list'] as const;
const BODY_BUFFERS = { bodies: 192, impulses: 32 } as const;

type Name =
  | keyof typeof NODE_BUFFERS
  | keyof typeof CONTACT_BUFFERS
  | keyof typeof BODY_BUFFERS
  | (typeof LISTS)[number]
  | 'counts'
  | 'work'
  | 'report'
  | 'settings';

export interface SolverBuffers {
  readonly pool: BufferPool;
  readonly all: Readonly<Record<Name, GpuBuffer>>;
}

/** How a sort shares the rows out. */
export function sortShares(capacity: number): { groups: number; rows: number } {
  const groups = Math.max(1, Math.min(SORT_GROUPS, Math.ceil(capacity / SWEEP_THREADS)));
  return { groups, rows: SWEEP_THREADS * Math.max(1, Math.ceil(capacity / (SWEEP_THREADS * groups))) };
}

/** Makes buffers without room for anything in the pool of the strands; `ensureSolver` gives it. */
export function createSolverBuffers(pool: BufferPool): SolverBuffers {
  const all = {} as Record<Name, GpuBuffer>;
  const names = [NODE_BUFFERS, CONTACT_BUFFERS, BODY_BUFFERS].flatMap((sizes) => Object.keys(sizes));
  for (const name of [...names, ...LISTS, 'counts', 'work'] as Name[]) {
    all[name] = pool.create(`solver ${name}`, 512, STATE_USAGE);
  }
  all.report = pool.create('solver report', 4 * REPORT_WORDS, STATE_USAGE);
  all.settings = pool.create('solver settings', SETTINGS_BYTES, USAGE.uniform | USAGE.copyTarget);
  return { pool, all };
}

/**
 * Makes room for the strands, contacts and bodies there is room for elsewhere; of contacts `ensureContacts` makes no
 * more room than a dispatch has threads. Throws GpuLimitError.
 */
export function ensureSolver({ pool, all }: SolverBuffers, strands: StrandBuffers, contacts: ContactBuffers): void {
  const capacity = contacts.rooms.contacts;
  const movers = Math.max(1, contacts.moverCount);
  if (strands.nodeCount > MOST_THREADS) {
    throw new GpuLimitError(
      `strands on WebGPU: at most ${MOST_THREADS} nodes, got ${strands.nodeCount}: use fewer or shorter strands`,
    );
  }
  const ensure = (sizes: Readonly<Record<string, number>>, count: number): void => {
    for (const [name, bytes] of Object.entries(sizes)) pool.ensure(all[name as Name], bytes * count);
  };
  ensure(NODE_BUFFERS, strands.nodeCount);
  // Behind the rows: where each bucket starts and the last one ends (contact-rows.wgsl).
  ensure(CONTACT_BUFFERS, capacity + COLOURS + 1);
  ensure(BODY_BUFFERS, movers);
  for (const name of LISTS) pool.ensure(all[name], 4 * (LIST_HEAD + capacity));
  const buckets = Math.max(COLOURS, Math.min(movers, MOST_PUSHABLE) + 1);
  pool.ensure(all.counts, 4 * buckets * sortShares(capacity).groups);
}
