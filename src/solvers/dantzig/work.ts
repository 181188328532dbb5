/**
 * Arrays of one pivoting solve, and the memory that a caller may keep between steps.
 *
 * Everything that lives across steps (factor, order, what the factor holds) lies in the caller's flat
 * arrays, so that snapshots copy it. Everything else is borrowed from scratch.
 */
import { createProfileLu, layoutProfile, type ProfileLu, placeProfileValues } from '../../math/profile-lu';
import { type ContactProblem, contactScale } from '../contact-problem';
import type { Scratch } from '../scratch';
import { orderContacts } from './order';

/**
 * Kept memory of one island. i32[i32At] is the contact count that it is valid for, 0 for none: the
 * caller writes 0 there when the contact list changes.
 */
export interface DantzigCache {
  f64: Float64Array;
  f64At: number;
  /** Numbers available from f64At; too few only means that the factor is not kept. */
  f64Length: number;
  i32: Int32Array;
  i32At: number;
}

/** Numbers that a cache needs at most for so many contacts (dense case; chains use far fewer). */
export function dantzigCacheSize(contactCount: number): { f64: number; i32: number } {
  const size = 3 * contactCount;
  return { f64: size * size + 4 * contactCount, i32: 2 + 3 * contactCount };
}

/** Numbers that a kept factor of so many profile entries takes. */
export function dantzigCacheUsed(contactCount: number, entries: number): number {
  return 2 * entries + 7 * contactCount;
}

/** What the factor holds of a contact: nothing, three rows, normal with turning, normal without friction. */
export const HELD_NONE = 0;
export const HELD_STICK = 1;
export const HELD_SLIDE = 2;
export const HELD_NORMAL = 3;
/** Rows of a bounded block, as a mask added to this; with all three it is HELD_STICK, with none HELD_NONE. */
export const HELD_ROWS = 8;

/** One solve's arrays. Contact c has place p in the order and slots 3p, 3p+1, 3p+2 of the factor. */
export interface DantzigWork {
  lu: ProfileLu;
  /** Whether the factor was formed from this problem's W (else it is last step's). */
  isFresh: boolean;
  /** How far a held friction direction [rad] and turning term (relative) may be off before they are renewed. */
  turnTolerance: number;
  /** Added to the diagonal of the scaled W [-]. */
  epsilon: number;
  /** Added besides while sets change a lot: wanted, and in the factor as held. */
  damping: number;
  heldDamping: number;
  place: Int32Array;
  contactAt: Int32Array;
  /** First place that each place couples to. */
  firstPlace: Int32Array;
  /** What the factor holds of each contact, with which friction direction and turning term. */
  held: Int32Array;
  heldDirection: Float64Array;
  heldDirectionAt: number;
  heldTurning: Float64Array;
  heldTurningAt: number;
  /** Row scale of each contact, 1/√λ. */
  scale: Float64Array;
  scaleAt: number;
  /** Friction direction of each sliding contact (unit; the impulse points along it). */
  direction: Float64Array;
  /** Set of each contact during the solve. */
  sets: Int32Array;
  best: Float64Array;
  bestSets: Int32Array;
  bestResidual: number;
  /** Residual that is not pivoted for [m/s]. */
  enough: number;
  u: Float64Array;
  step: Float64Array;
  change: Float64Array;
  right: Float64Array;
  row: Float64Array;
  column: Float64Array;
  local: Float64Array;
  count: Int32Array;
}

const noF64 = new Float64Array(0);
const noI32 = new Int32Array(0);

function createWork(): DantzigWork {
  return {
    lu: createProfileLu(),
    isFresh: false,
    turnTolerance: 0,
    epsilon: 0,
    damping: 0,
    heldDamping: 0,
    place: noI32,
    contactAt: noI32,
    firstPlace: noI32,
    held: noI32,
    heldDirection: noF64,
    heldDirectionAt: 0,
    heldTurning: noF64,
    heldTurningAt: 0,
    scale: noF64,
    scaleAt: 0,
    direction: noF64,
    sets: noI32,
    best: noF64,
    bestSets: noI32,
    bestResidual: 0,
    enough: 0,
    u: noF64,
    step: noF64,
    change: noF64,
    right: noF64,
    row: noF64,
    column: noF64,
    local: noF64,
    count: noI32,
  };
}

/** One table of array names per scratch, so that a solve makes no object. Holds nothing across solves. */
const workOf = new WeakMap<Scratch, DantzigWork>();

/** Borrows all arrays, lays out the profile, and takes over the cache where it fits. */
export function openWork(
  problem: ContactProblem,
  cache: DantzigCache | null,
  scratch: Scratch,
  epsilon: number,
): DantzigWork {
  let work = workOf.get(scratch);
  if (!work) {
    work = createWork();
    workOf.set(scratch, work);
  }
  const n = problem.contactCount;
  const size = 3 * n;
  const { lu } = work;
  work.isFresh = false;
  work.epsilon = epsilon;
  work.damping = 0;
  work.heldDamping = 0;
  work.bestResidual = Number.POSITIVE_INFINITY;
  work.place = scratch.i32(n);
  work.contactAt = scratch.i32(n);
  work.firstPlace = scratch.i32(n);
  work.held = scratch.i32(n);
  work.sets = scratch.i32(n);
  work.bestSets = scratch.i32(n);
  work.count = scratch.i32(n);
  work.direction = scratch.f64(2 * n);
  work.best = scratch.f64(size);
  work.u = scratch.f64(size);
  work.step = scratch.f64(size);
  work.change = scratch.f64(size);
  work.right = scratch.f64(size);
  work.row = scratch.f64(size);
  work.column = scratch.f64(size);
  work.local = scratch.f64(8);
  lu.size = size;
  lu.first = scratch.i32(size);
  lu.start = scratch.i32(size);
  lu.live = scratch.i32(size);
  lu.x = scratch.f64(size);
  lu.y = scratch.f64(size);
  lu.beta = scratch.f64(size);
  lu.gamma = scratch.f64(size);
  lu.pivotFloor = 0.01 * epsilon;
  lu.weakPivots = 0;

  const isKept = takeOrder(work, problem, cache);
  const entries = layoutSlots(work, n);
  placeNumbers(work, n, entries, cache, scratch);

  if (isKept && cache && cache.i32[cache.i32At + 1] === entries && work.scale === cache.f64) {
    const heldAt = cache.i32At + 2 + 2 * n;
    for (let c = 0; c < n; c++) {
      const state = cache.i32[heldAt + c];
      work.held[c] = state;
      for (let i = 0; i < 3; i++) lu.live[3 * work.place[c] + i] = i < slotCount(state) ? 1 : 0;
    }
  } else {
    work.held.fill(HELD_NONE, 0, n);
    lu.live.fill(0, 0, size);
    work.isFresh = true;
    setScales(work, problem);
  }

  return work;
}

/** Slots that a contact's state occupies. */
export function slotCount(state: number): number {
  if (state === HELD_STICK) return 3;
  if (state === HELD_SLIDE) return 2;
  if (state > HELD_ROWS) return (state & 1) + ((state >> 1) & 1) + ((state >> 2) & 1);
  return state === HELD_NORMAL ? 1 : 0;
}

/** Row 0..2 of the block that a slot of HELD_ROWS + mask holds. */
export function heldRow(state: number, slot: number): number {
  const mask = state - HELD_ROWS;
  if (slot === 0) return mask & 1 ? 0 : mask & 2 ? 1 : 2;
  return mask & 4 ? 2 : 1;
}

/** Row scales 1/√λ, so that masses of any ratio meet on equal terms. */
export function setScales(work: DantzigWork, problem: ContactProblem): void {
  const { scale, scaleAt } = work;
  for (let c = 0; c < problem.contactCount; c++) {
    const lambda = contactScale(problem, c);
    scale[scaleAt + c] = lambda > 0 ? 1 / Math.sqrt(lambda) : 1;
  }
}

/** The kept order if the couplings still fit it, else a new one. Fills firstPlace. */
function takeOrder(work: DantzigWork, problem: ContactProblem, cache: DantzigCache | null): boolean {
  const n = problem.contactCount;
  const { place, contactAt, firstPlace } = work;
  if (cache && cache.i32[cache.i32At] === n) {
    const { i32, i32At } = cache;
    for (let c = 0; c < n; c++) {
      place[c] = i32[i32At + 2 + c];
      contactAt[place[c]] = c;
    }
    findFirstPlaces(work, problem);
    let isSame = true;
    for (let p = 0; p < n; p++) if (firstPlace[p] !== i32[i32At + 2 + n + p]) isSame = false;
    if (isSame) return true;
  }
  orderContacts(place, contactAt, problem, work.count);
  findFirstPlaces(work, problem);
  return false;
}

function findFirstPlaces(work: DantzigWork, problem: ContactProblem): void {
  const { place, contactAt, firstPlace } = work;
  const { rowStart, column } = problem;
  for (let p = 0; p < problem.contactCount; p++) {
    const c = contactAt[p];
    let first = p;
    for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
      const other = place[column[k]];
      if (other < first) first = other;
    }
    firstPlace[p] = first;
  }
}

function layoutSlots(work: DantzigWork, n: number): number {
  const { first, start } = work.lu;
  for (let p = 0; p < n; p++) {
    const from = 3 * work.firstPlace[p];
    first[3 * p] = from;
    first[3 * p + 1] = from;
    first[3 * p + 2] = from;
  }
  return layoutProfile(start, first, 3 * n);
}

/** Puts the factor's numbers into the cache where it has room, else into scratch. */
function placeNumbers(
  work: DantzigWork,
  n: number,
  entries: number,
  cache: DantzigCache | null,
  scratch: Scratch,
): void {
  const needed = dantzigCacheUsed(n, entries);
  const fits = cache !== null && cache.f64Length >= needed;
  const values = fits ? cache.f64 : scratch.f64(needed);
  const at = fits ? cache.f64At : 0;
  placeProfileValues(work.lu, values, at, entries);
  const after = at + 2 * entries + 3 * n;
  work.heldDirection = values;
  work.heldDirectionAt = after;
  work.heldTurning = values;
  work.heldTurningAt = after + 2 * n;
  work.scale = values;
  work.scaleAt = after + 3 * n;
}

/** Writes what the cache must know; call at the end of a solve. */
export function closeWork(work: DantzigWork, problem: ContactProblem, cache: DantzigCache | null): void {
  if (!cache) return;
  const n = problem.contactCount;
  const { i32, i32At } = cache;
  if (work.scale !== cache.f64 || work.heldDamping !== 0) {
    i32[i32At] = 0;
    return;
  }
  i32[i32At] = n;
  i32[i32At + 1] = work.lu.start[3 * n - 1] + 3 * n - 1 - work.lu.first[3 * n - 1];
  for (let c = 0; c < n; c++) {
    i32[i32At + 2 + c] = work.place[c];
    i32[i32At + 2 + n + c] = work.firstPlace[c];
    i32[i32At + 2 + 2 * n + c] = work.held[c];
  }
}
