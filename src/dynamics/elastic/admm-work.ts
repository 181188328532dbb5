// The work memory of kernels/assembly/elastic/admm.ts: its layout, and the records that TypeScript packs (contacts with bodies).
//
// All rows are increments (numerics, f32): about v₀, the velocities without contacts, and δ₀, what last step's forces
// change. The contacts of the strandContacts table go into groups of four, which the kernel fills.

import type { KernelScratch } from '../../core/scratch';
import { type AdmmProblem, BLOCK_SIZE } from '../../solvers/admm/problem';
import { contactVelocity } from '../../solvers/admm/project';
import { STRAND_COUNT } from '../../state/layout';
import type { Engine } from '../engine';

const RECORD = 128;
const BLOCK = 240;
const HEADER = 128;
/** Of a group of four contacts, with its lanes' rows of the table and its place in the list. */
const LANES = 336;
const ORDER = 16;
const GROUP = LANES + ORDER + 4;
/** Groups that stay part empty: at the end of a search at most those that are open at a time, 32. */
const PART_GROUPS = 4 * 32;
/** Room for contacts that searches within the solve may add, as a share of those there are, and at least. */
const MORE_ROWS = 1.25;
const LEAST_ROWS = 256;

/** Views of one work memory; made anew when the memory grows. */
export interface AdmmWork {
  address: number;
  strands: number;
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
  f32: Float32Array;
  i32: Int32Array;
}

const u = new Float64Array(3);

/** Makes the views anew if the memory has grown. */
export function refreshViews(work: AdmmWork, buffer: ArrayBufferLike): void {
  if (work.f32.buffer === buffer) return;
  work.f32 = new Float32Array(buffer as ArrayBuffer);
  work.i32 = new Int32Array(buffer as ArrayBuffer);
}

const round16 = (bytes: number) => 16 * Math.ceil(bytes / 16);

/** Bytes of the rows, and of what says which strands and rows move. */
const vectorBytes = ({ strands, rows }: AdmmWork) => 8 * 16 * rows + round16(strands) + round16(rows);

/** Bytes of the work memory with its rows, records, blocks and groups. */
function sizeOf(work: AdmmWork): number {
  const { recordRoom, blockRoom, groupRoom } = work;
  return HEADER + vectorBytes(work) + (RECORD + 4) * recordRoom + BLOCK * blockRoom + GROUP * groupRoom;
}

/**
 * Rows: nodes, two a body, one that takes what has no node. `tableRows`: contacts in the table; `filled`: how much of its
 * groups they may be expected to fill [-]. All zero but the header.
 */
export function openAdmmWork(
  engine: Engine,
  scratch: KernelScratch,
  problem: AdmmProblem,
  work: AdmmWork,
  tableRows: number,
  filled: number,
): void {
  const { contacts, elasticCount, bodyCount } = problem;
  work.strands = engine.arena.i32[STRAND_COUNT >> 2];
  work.rows = elasticCount / 4 + 2 * bodyCount + 1;
  work.recordRoom = contacts.count;
  work.blockRoom = contacts.blockCount;
  work.groupRoom = Math.ceil((MORE_ROWS * tableRows + LEAST_ROWS) / (4 * filled)) + PART_GROUPS;
  const address = scratch.address(sizeOf(work));
  refreshViews(work, engine.arena.memory.buffer);
  // Beyond the rows, too: an idle lane reads the row behind the last one, and NaN times its share of zero is NaN.
  work.i32.fill(0, address >> 2, (address + HEADER + vectorBytes(work)) >> 2);
  work.i32[(address >> 2) + BODY_ROWS] = elasticCount / 4;
  work.i32[(address >> 2) + SETTLED] = -1;
  placeWork(work, address);
}

/** Makes room for the groups of `more` further contacts in the middle of a solve, and keeps all there is. */
export function growAdmmWork(engine: Engine, scratch: KernelScratch, work: AdmmWork, more: number): void {
  const { i32 } = work;
  const header = work.address >> 2;
  const groups = i32[header + GROUP_COUNT];
  const kept = i32.slice(header, (i32[header + GROUPS] + LANES * groups) >> 2);
  const order = i32[header + ORDER_AT] >> 2;
  const keptOrder = i32.slice(order, order + (ORDER >> 2) * groups);
  work.groupRoom = Math.ceil(MORE_ROWS * (work.groupRoom + more / 4)) + PART_GROUPS;
  const address = scratch.address(sizeOf(work));
  refreshViews(work, engine.arena.memory.buffer);
  work.i32.set(kept, address >> 2);
  placeWork(work, address);
  work.i32.set(keptOrder, work.i32[(address >> 2) + ORDER_AT] >> 2);
}

// Words of the header that are set here (kernels/assembly/elastic/layout.ts).
const BODY_ROWS = 11;
const SETTLED = 13;
const GROUPS = 14;
const GROUP_COUNT = 15;
const ORDER_AT = 17;
const MOVING = 20;
const MOVING_COUNT = 22;
const RESTING_COUNT = 23;

/** Says in the header and in `work` where everything lies. */
function placeWork(work: AdmmWork, address: number): void {
  const { i32, strands, rows, recordRoom, blockRoom, groupRoom } = work;
  work.address = address;
  let at = address + HEADER;
  const take = () => {
    const here = at;
    at += 16 * rows;
    return here;
  };
  work.delta = take();
  work.projected = take();
  work.dual = take();
  work.dualStart = take();
  work.weight = take();
  work.right = take();
  work.last = take();
  work.start = take();
  work.moving = at;
  work.records = at + round16(strands) + round16(rows);
  work.blocks = work.records + RECORD * recordRoom;
  const groups = work.blocks + BLOCK * blockRoom;
  const order = groups + LANES * groupRoom;
  const header = address >> 2;
  i32[header] = rows;
  const addresses = [
    work.delta,
    work.projected,
    work.dual,
    work.dualStart,
    work.weight,
    work.right,
    work.last,
    work.records,
    work.blocks,
  ];
  i32.set(addresses, header + 2);
  i32[header + 12] = work.start;
  i32[header + GROUPS] = groups;
  i32[header + GROUP_COUNT + 1] = groupRoom;
  i32[header + ORDER_AT] = order;
  i32[header + ORDER_AT + 1] = order + ORDER * groupRoom;
  i32[header + MOVING] = work.moving;
  i32[header + MOVING + 1] = work.moving + round16(strands);
}

/** Active strands that do not rest, and that do, as of the last admmUpdate or admmRouse. */
export const movingCount = (work: AdmmWork): number => work.i32[(work.address >> 2) + MOVING_COUNT];
export const restingCount = (work: AdmmWork): number => work.i32[(work.address >> 2) + RESTING_COUNT];

/** W of the rows of bodies that have contacts. The spare lane has none. */
export function packBodyWeights(work: AdmmWork, problem: AdmmProblem): void {
  const { f32 } = work;
  const { elasticCount, bodyCount, bodyHasContacts, bodyWeight } = problem;
  const w = work.weight >> 2;
  for (let body = 0; body < bodyCount; body++) {
    if (bodyHasContacts[body] === 0) continue;
    for (let k = 0; k < 8; k++) if ((k & 3) < 3) f32[w + elasticCount + 8 * body + k] = bodyWeight;
  }
}

/** Records of the problem's prepared contacts; `free`: v₀ of all unknowns. */
export function packContacts(work: AdmmWork, problem: AdmmProblem, free: Float64Array, cohesion: boolean): void {
  const { f32, i32 } = work;
  const { contacts, elasticCount } = problem;
  const { node, coefficient, gamma, normal, offset, force, slack, blockOf } = contacts;
  const idle = 16 * (work.rows - 1);
  for (let c = 0; c < contacts.count; c++) {
    const at = (work.records + RECORD * c) >> 2;
    const four = 4 * c;
    const s = force[four + 3];
    const works = s > 0;
    contactVelocity(u, problem, free, c);
    const give = works ? slack[c] / s : 0;
    const pull = works && cohesion ? s * offset[four + 3] : 0;
    for (let k = 0; k < 4; k++) {
      const isUsed = works && coefficient[four + k] !== 0;
      i32[at + k] = isUsed ? 4 * node[four + k] : idle;
      f32[at + 4 + k] = isUsed ? coefficient[four + k] : 0;
      f32[at + 8 + k] = isUsed ? gamma[four + k] : 0;
      const isVector = works && k < 3;
      f32[at + 12 + k] = isVector ? normal[four + k] : 0;
      // The kernel adds the slack's part itself.
      f32[at + 16 + k] = isVector ? u[k] - give * force[four + k] : 0;
      f32[at + 20 + k] = isVector ? force[four + k] : 0;
      f32[at + 28 + k] = isVector ? pull * normal[four + k] : 0;
    }
    f32[at + 31] = s;
    f32[at + 24] = normal[four + 3];
    f32[at + 25] = give;
    i32[at + 26] = works ? blockOf[c] : -1;
    i32[at + 27] = 0;
    if (works && blockOf[c] >= 0) packBlock(work, problem, c, elasticCount);
  }
  i32[(work.address >> 2) + 1] = contacts.count;
}

function packBlock(work: AdmmWork, problem: AdmmProblem, c: number, elasticCount: number): void {
  const { f32, i32 } = work;
  const { contacts, bodyInverseMass, bodyWeight } = problem;
  const from = BLOCK_SIZE * contacts.blockOf[c];
  const at = (work.blocks + BLOCK * contacts.blockOf[c]) >> 2;
  for (let k = 0; k < 45; k++) f32[at + k] = contacts.block[from + k];
  for (let side = 0; side < 2; side++) {
    const body = contacts.body[2 * c + side];
    for (let k = 0; k < 3; k++) f32[at + 48 + 4 * side + k] = contacts.arm[8 * c + 4 * side + k];
    f32[at + 51 + 4 * side] = body >= 0 ? bodyInverseMass[body] / bodyWeight : 0;
    i32[at + 56 + side] = body >= 0 ? 4 * (elasticCount + 8 * body) : -1;
  }
  f32[at + 58] = contacts.force[4 * c + 3];
}

/** Forces of the packed contacts back to the problem. */
export function unpackForces(work: AdmmWork, problem: AdmmProblem): void {
  const { contacts } = problem;
  for (let c = 0; c < contacts.count; c++) {
    const at = (work.records + RECORD * c + 80) >> 2;
    for (let k = 0; k < 3; k++) contacts.force[4 * c + k] = work.f32[at + k];
  }
}

/** An empty work memory. */
export function createAdmmWork(): AdmmWork {
  return {
    address: 0,
    strands: 0,
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
    f32: new Float32Array(0),
    i32: new Int32Array(0),
  };
}
