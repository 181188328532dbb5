// The work memory of kernels/assembly/elastic (state/admm-layout.ts): where all lies, and the records that
// TypeScript packs (contacts with bodies).
//
// All rows are increments (numerics, f32): about v₀, the velocities without contacts, and δ₀, what last step's
// forces change. The contacts of the nodeContacts table go into groups of four, which the kernel fills.

import type { Arena } from '../../../../core/arena';
import type { KernelScratch } from '../../../../core/scratch';
import {
  type AdmmProblem,
  BLOCK_SIZE,
  CONTACT_MU,
  CONTACT_PULL,
  CONTACT_SCALE,
} from '../../../../solvers/admm/problem';
import { contactVelocity } from '../../../../solvers/admm/project';
import * as A from '../../../../state/admm-layout';
import { ADMM_WORK_USED, STRAND_COUNT } from '../../../../state/layout';
import { WORK_WEIGHTED } from '../../../../state/rod-layout';

/** Bytes of a group of four contacts with what sweeps leave alone, its rows of the table, its place in the list. */
const WHOLE_GROUP = A.GROUP + A.GROUP_REST + A.GROUP_ORDER + A.LIST_ENTRY;
/** Groups that stay part empty: at the end of a detection at most those that are open at a time, 32. */
const PART_GROUPS = 4 * 32;
/** Room for contacts that detections within the solve may add, as a share of those there are, and at least. */
const MORE_ROWS = 1.1;
const LEAST_ROWS = 256;

/** Where everything lies in one work memory; addresses in bytes. */
export interface AdmmWork {
  readonly arena: Arena;
  /** Bytes of the factors of A + W, which lie before all else, and the rods' block, which says where [B]. */
  weighted: number;
  rods: number;
  /** Whether contacts may be of any primitives. */
  hasShares: boolean;
  address: number;
  strands: number;
  bodies: number;
  rows: number;
  /** Records, blocks and groups that have room. */
  recordRoom: number;
  blockRoom: number;
  groupRoom: number;
  delta: number;
  projected: number;
  dual: number;
  dualStart: number;
  weight: number;
  right: number;
  last: number;
  start: number;
  /** A byte a strand: 0 where it rests. */
  moving: number;
  records: number;
  blocks: number;
}

const u = new Float64Array(3);

const round16 = (bytes: number) => 16 * Math.ceil(bytes / 16);

/** Bytes of the rows, of what says which strands and rows move, and of what each strand and body has left to go. */
const vectorBytes = ({ strands, bodies, rows }: AdmmWork) =>
  VECTORS.length * A.ROW * rows + round16(strands) + round16(rows) + sumBytes(strands + bodies);

/** Two f32 an object or body. */
const sumBytes = (count: number) => round16(8 * count);

/** Bytes of the work memory with its rows, records, blocks and groups. */
function sizeOf(work: AdmmWork): number {
  const { recordRoom, blockRoom, groupRoom, hasShares } = work;
  return (
    A.HEADER +
    vectorBytes(work) +
    (A.RECORD + A.LIST_ENTRY) * recordRoom +
    A.BLOCK * blockRoom +
    (WHOLE_GROUP + (hasShares ? A.GROUP_SHARES : 0)) * groupRoom +
    round16(groupRoom)
  );
}

/** Makes room for `bytes` of factors of A + W, for the strands of the rods' block at `rods`; returns their address. */
export function placeWeighted(work: AdmmWork, scratch: KernelScratch, bytes: number, rods: number): number {
  work.weighted = 64 * Math.ceil(bytes / 64);
  work.rods = rods;
  return scratch.address(work.weighted);
}

/** Has the block hold all there is, and keeps the factors; returns the address of what lies behind these. */
function reach(work: AdmmWork, scratch: KernelScratch): number {
  const { arena, weighted, rods } = work;
  const bytes = weighted + sizeOf(work);
  const address = scratch.address(bytes, true);
  arena.i32[(rods + WORK_WEIGHTED) >> 2] = address;
  arena.i32[ADMM_WORK_USED >> 2] = bytes;
  return address + weighted;
}

/**
 * Rows: nodes, two a body, one that takes what has no node. `tableRows`: contacts in the table; `filled`: how much of
 * its groups they may be expected to fill [-]; `hasShares`: whether some may be of other primitives than edges of
 * strands. All zero but the header. After `placeWeighted`.
 */
export function openAdmmWork(
  work: AdmmWork,
  scratch: KernelScratch,
  problem: AdmmProblem,
  tableRows: number,
  filled: number,
  hasShares: boolean,
): void {
  const { arena } = work;
  work.hasShares = hasShares;
  const { contacts, elasticCount, bodyCount } = problem;
  work.strands = arena.i32[STRAND_COUNT >> 2];
  work.bodies = bodyCount;
  work.rows = elasticCount / 4 + 2 * bodyCount + 1;
  work.recordRoom = contacts.count;
  work.blockRoom = contacts.blockCount;
  work.groupRoom = Math.ceil((MORE_ROWS * tableRows + LEAST_ROWS) / (4 * filled)) + PART_GROUPS;
  const address = reach(work, scratch);
  // Beyond the rows, too: an idle lane reads the row behind the last one, and NaN times its share of zero is NaN.
  arena.i32.fill(0, address >> 2, (address + A.HEADER + vectorBytes(work)) >> 2);
  placeWork(work, address);
  setCell(work, A.BODY_ROWS, elasticCount / 4);
  setCell(work, A.SETTLED, -1);
}

/**
 * Makes room for the groups of `more` further contacts in the middle of a solve, and keeps all there is but the groups
 * behind the first `groups`.
 */
export function growAdmmWork(work: AdmmWork, scratch: KernelScratch, groups: number, more: number): void {
  const { arena } = work;
  const { i32 } = arena;
  setCell(work, A.GROUP_COUNT, groups);
  const kept = i32.slice(work.address >> 2, (cellOf(work, A.GROUPS) + A.GROUP * groups) >> 2);
  const shares = work.hasShares ? groups : 0;
  const parts = [
    [A.ORDER, A.GROUP_ORDER * groups],
    [A.RESTS, A.GROUP_REST * groups],
    [A.SHARES, A.GROUP_SHARES * shares],
    [A.KINDS, groups],
  ].map(([field, bytes]) => ({ field, bytes: arena.u8.slice(cellOf(work, field), cellOf(work, field) + bytes) }));
  work.groupRoom = Math.ceil(MORE_ROWS * (work.groupRoom + more / 4)) + PART_GROUPS;
  const address = reach(work, scratch);
  arena.i32.set(kept, address >> 2);
  placeWork(work, address);
  for (const { field, bytes } of parts) arena.u8.set(bytes, cellOf(work, field));
}

/** The vectors, in the order in which they lie, with the cells of their addresses. */
const VECTORS = [
  ['delta', A.DELTA],
  ['projected', A.PROJECTED],
  ['dual', A.DUAL],
  ['dualStart', A.DUAL_START],
  ['weight', A.WEIGHT],
  ['right', A.RIGHT],
  ['last', A.LAST],
  ['start', A.START],
] as const;

/** A cell of the header. */
const cellOf = (work: AdmmWork, field: number): number => work.arena.i32[(work.address + field) >> 2];

function setCell(work: AdmmWork, field: number, value: number): void {
  work.arena.i32[(work.address + field) >> 2] = value;
}

/** Says in the header and in `work` where everything lies. */
function placeWork(work: AdmmWork, address: number): void {
  const { strands, bodies, rows, recordRoom, blockRoom, groupRoom, hasShares } = work;
  work.address = address;
  setCell(work, A.ROWS, rows);
  let at = address + A.HEADER;
  for (const [name, field] of VECTORS) {
    work[name] = at;
    setCell(work, field, at);
    at += A.ROW * rows;
  }

  // What moves: strands, then rows.
  work.moving = at;
  setCell(work, A.MOVING, at);
  at += round16(strands);
  setCell(work, A.MOVING_ROWS, at);
  at += round16(rows);
  setCell(work, A.SUMS, at);
  at += sumBytes(strands + bodies);

  // Contacts with bodies.
  work.records = at;
  setCell(work, A.RECORDS, at);
  at += A.RECORD * recordRoom;
  work.blocks = at;
  setCell(work, A.BLOCKS, at);
  at += A.BLOCK * blockRoom;

  // All others, in groups.
  setCell(work, A.GROUPS, at);
  setCell(work, A.GROUP_ROOM, groupRoom);
  at += A.GROUP * groupRoom;
  setCell(work, A.ORDER, at);
  at += A.GROUP_ORDER * groupRoom;
  setCell(work, A.RESTS, at);
  at += A.GROUP_REST * groupRoom;
  setCell(work, A.SHARES, at);
  at += hasShares ? A.GROUP_SHARES * groupRoom : 0;
  setCell(work, A.KINDS, at);
  at += round16(groupRoom);
  setCell(work, A.LIST, at);
}

/** Groups there are. */
export const groupCount = (work: AdmmWork): number => cellOf(work, A.GROUP_COUNT);

/** Active strands that do not rest, and that do, as of the last admmUpdate or admmRouse. */
export const movingCount = (work: AdmmWork): number => cellOf(work, A.MOVING_COUNT);
export const restingCount = (work: AdmmWork): number => cellOf(work, A.RESTING_COUNT);

/** Addresses of the flags of the rows, and of what each object and body has left to go. */
export const movingRowsOf = (work: AdmmWork): number => cellOf(work, A.MOVING_ROWS);
export const sumsOf = (work: AdmmWork): number => cellOf(work, A.SUMS);

/** W of the rows of bodies that have contacts. The spare lane has none. */
export function packBodyWeights(work: AdmmWork, problem: AdmmProblem): void {
  const { f32 } = work.arena;
  const { elasticCount, bodyCount, bodyHasContacts, bodyWeight } = problem;
  const w = work.weight >> 2;
  for (let body = 0; body < bodyCount; body++) {
    if (bodyHasContacts[body] === 0) continue;
    for (let k = 0; k < 8; k++) if ((k & 3) < 3) f32[w + elasticCount + 8 * body + k] = bodyWeight;
  }
}

/** Records of the problem's prepared contacts; `free`: v₀ of all unknowns. */
export function packContacts(work: AdmmWork, problem: AdmmProblem, free: Float64Array, cohesion: boolean): void {
  const { f32, i32 } = work.arena;
  const { contacts, elasticCount } = problem;
  const { node, coefficient, gamma, normal, offset, force, slack, blockOf } = contacts;
  const idle = 16 * (work.rows - 1);
  for (let c = 0; c < contacts.count; c++) {
    const at = work.records + A.RECORD * c;
    const four = 4 * c;
    const s = force[four + CONTACT_SCALE];
    const works = s > 0;
    contactVelocity(u, problem, free, c);
    const give = works ? slack[c] / s : 0;
    const pull = works && cohesion ? s * offset[four + CONTACT_PULL] : 0;

    // Four values each; the fourth of a vector is 0, or what stands below.
    for (let k = 0; k < 4; k++) {
      const isUsed = works && coefficient[four + k] !== 0;
      i32[((at + A.R_NODE) >> 2) + k] = isUsed ? 4 * node[four + k] : idle;
      f32[((at + A.R_SHARE) >> 2) + k] = isUsed ? coefficient[four + k] : 0;
      f32[((at + A.R_GAMMA) >> 2) + k] = isUsed ? gamma[four + k] : 0;
      const isVector = works && k < 3;
      f32[((at + A.R_NORMAL) >> 2) + k] = isVector ? normal[four + k] : 0;
      // The kernel adds the slack's part itself.
      f32[((at + A.R_OFFSET) >> 2) + k] = isVector ? u[k] - give * force[four + k] : 0;
      f32[((at + A.R_FORCE) >> 2) + k] = isVector ? force[four + k] : 0;
      f32[((at + A.R_PULL) >> 2) + k] = isVector ? pull * normal[four + k] : 0;
    }
    f32[(at + A.R_SCALE) >> 2] = s;
    f32[(at + A.R_MU) >> 2] = normal[four + CONTACT_MU];
    f32[(at + A.R_GIVE) >> 2] = give;
    i32[(at + A.R_BLOCK) >> 2] = works ? blockOf[c] : -1;
    i32[(at + A.R_SPARE) >> 2] = 0;
    if (works && blockOf[c] >= 0) packBlock(work, problem, c, elasticCount);
  }
  setCell(work, A.CONTACTS, contacts.count);
}

function packBlock(work: AdmmWork, problem: AdmmProblem, c: number, elasticCount: number): void {
  const { f32, i32 } = work.arena;
  const { contacts, bodyInverseMass, bodyWeight } = problem;
  const from = BLOCK_SIZE * contacts.blockOf[c];
  const at = work.blocks + A.BLOCK * contacts.blockOf[c];
  for (let k = 0; k < A.B_NUMBERS; k++) f32[((at + A.B_FRAME) >> 2) + k] = contacts.block[from + k];
  for (let side = 0; side < 2; side++) {
    const body = contacts.body[2 * c + side];
    const arm = (at + (side === 0 ? A.B_ARM_A : A.B_ARM_B)) >> 2;
    for (let k = 0; k < 3; k++) f32[arm + k] = contacts.arm[8 * c + 4 * side + k];
    f32[arm + 3] = body >= 0 ? bodyInverseMass[body] / bodyWeight : 0;
    i32[((at + A.B_ROW) >> 2) + side] = body >= 0 ? 4 * (elasticCount + 8 * body) : -1;
  }
  f32[(at + A.B_SCALE) >> 2] = contacts.force[4 * c + CONTACT_SCALE];
}

/** Forces of the packed contacts back to the problem. */
export function unpackForces(work: AdmmWork, problem: AdmmProblem): void {
  const { contacts } = problem;
  for (let c = 0; c < contacts.count; c++) {
    const at = (work.records + A.RECORD * c + A.R_FORCE) >> 2;
    for (let k = 0; k < 3; k++) contacts.force[4 * c + k] = work.arena.f32[at + k];
  }
}

/** What is new since the last projection has no force in λ yet: the next one begins afresh. */
export function unsettle(work: AdmmWork): void {
  setCell(work, A.SETTLED, -1);
}

/** An empty work memory. */
export function createAdmmWork(arena: Arena): AdmmWork {
  return {
    arena,
    weighted: 0,
    rods: 0,
    hasShares: false,
    address: 0,
    strands: 0,
    bodies: 0,
    rows: 0,
    recordRoom: 0,
    blockRoom: 0,
    groupRoom: 0,
    delta: 0,
    projected: 0,
    dual: 0,
    dualStart: 0,
    weight: 0,
    right: 0,
    last: 0,
    start: 0,
    moving: 0,
    records: 0,
    blocks: 0,
  };
}
