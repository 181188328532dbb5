// Strands: the implicit step of all strands at once, and the solves the contact solver asks for.
//
// Order of use within a step, on one block of work memory that the caller keeps until the end of the step:
//   rodWorkSize    how many bytes the block needs for the present strands
//   rodPredict     A, factored, for every strand; velocities without contacts
//   rodWeigh       contact weights of the nodes; A once more, factor of A + W
//   rodSolve       x = A⁻¹ b or (A + W)⁻¹ b for all strands (that are active), as often as wanted
//   rodIntegrate   positions, frames
// In the tables: NODE_POSITION, NODE_FRAME, NODE_REST, NODE_MASS, NODE_VELOCITY, NODE_FORCE, rods, TIME_STEP, GRAVITY,
// WIND. Matrices are made and factored in f64, two strands at a time; factors are kept in f32 and solved four strands
// at a time (why: rod/factor.ts). All solves are for changes of velocity, never for velocities.

import { MOST_SHARE, SHARE_PER_NODE } from '../../../core/elastic-constants';
import {
  ELASTIC_PAPER,
  NODE_DUAL,
  NODE_FRAME,
  NODE_MASS,
  NODE_POSITION,
  NODE_PREVIOUS,
  NODE_REST,
  NODE_VELOCITY,
  STRAND_ASLEEP,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_NODES,
  STRAND_QUARANTINED,
  TIME_STEP,
} from '../../../state/layout';
import { WORK_WEIGHTED } from '../../../state/rod-layout';
import { cell, column, getF64, getI32, parameter } from '../memory';
import { forkRanges, ownScratch, RANGE_ROD_PREDICT, RANGE_ROD_SOLVE, RANGE_ROD_WEIGH } from '../threads/fork';
import { assemblePair } from './assemble';
import { edgeDirection, openPair } from './edges';
import { factorPair } from './factor';
import { holdBits, holdStrand, isHeld } from './holds';
import { nodeWeight } from './node-weight';
import { backward, solveGroup } from './solve';
import { inverseTraces } from './stiffness';
import { carryDirector, turnBetween } from './turns';
import {
  GROUP_BAD,
  GROUP_COUNT,
  GROUP_FACTOR,
  GROUP_FIRST,
  GROUP_NODES,
  GROUP_STRAND,
  groupRecord,
  isRod,
  NODE_BYTES,
  planStrands,
  RIGHT_BYTES,
  WORK_FACTOR_BYTES,
  WORK_FACTORS,
  WORK_GROUPS,
  WORK_GUESS,
  WORK_MATRIX,
  WORK_RIGHT,
} from './work';

export { rodWorkSize } from './work';

/** An address in the work memory. */
function part(work: usize, field: usize): usize {
  return <usize>load<i32>(work + field);
}

/** The scratch for one group: the thread's own, or the one in the work memory. */
function matrixOf(work: usize): usize {
  return ownScratch != 0 ? ownScratch : part(work, WORK_MATRIX);
}

function rightOf(work: usize): usize {
  return matrixOf(work) + part(work, WORK_RIGHT) - part(work, WORK_MATRIX);
}

/** Nodes of the groups that a thread takes at a time: some 0.1 ms. */
const GRAIN_NODES: i32 = 64;
/** A solve is cheaper by fifteen. */
const GRAIN_SOLVED_NODES: i32 = 1024;

/** Work on all groups by threads. */
function forkGroups(work: usize, kind: i32, grain: i32): void {
  const longest = (part(work, WORK_RIGHT) - part(work, WORK_MATRIX)) / NODE_BYTES;
  const scratch = longest * (NODE_BYTES + 3 * RIGHT_BYTES);
  forkRanges(kind, load<i32>(work, WORK_GROUPS), max(1, grain / max(1, <i32>longest)), scratch);
}

// The arguments of the call that threads work on.
let block: usize = 0;
let holders: usize = 0;
let carriers: usize = 0;
let notes: usize = 0;
let from: usize = 0;
let to: usize = 0;
let whose: usize = 0;
let factors: i32 = 0;
let least: f32 = 0;

function laneStrand(record: usize, lane: usize): i32 {
  return load<i32>(record + (lane << 2), GROUP_STRAND);
}

function laneFirst(record: usize, lane: usize): i32 {
  return load<i32>(record + (lane << 2), GROUP_FIRST);
}

function laneCount(record: usize, lane: usize): i32 {
  return load<i32>(record + (lane << 2), GROUP_COUNT);
}

/**
 * Groups the strands, assembles and factors A of each and writes the velocities without contacts to `out`, f64×4 a
 * node [m/s, rad/s]. `guess`: velocities at which to linearise, same shape, or 0: the state as it is; they and the
 * state have to stay as they are until the last rodWeigh (without one, out may be guess). `holds`: see rod/holds.ts, 0:
 * nothing is held. `carried`, `probes`: see rod/carried.ts, 0: no strand is. Returns the number of strands whose
 * matrix or velocity was no good: their nodes in `out` are NaN. Quarantined strands and those that sleep are left
 * out, their nodes in `out` untouched.
 */
export function rodPredict(work: usize, guess: usize, out: usize, holds: usize, carried: usize, probes: usize): i32 {
  const groups = planStrands(work);
  store<i32>(work, <i32>guess, WORK_GUESS);
  block = work;
  to = out;
  holders = holds;
  carriers = carried;
  notes = probes;
  if (ASC_FEATURE_THREADS) forkGroups(work, RANGE_ROD_PREDICT, GRAIN_NODES);
  else predictGroups(0, groups);
  let bad = 0;
  for (let g = 0; g < groups; g++) bad += load<i32>(groupRecord(work, g), GROUP_BAD);
  return bad;
}

/** The groups `begin` to `end` of rodPredict. */
export function predictGroups(begin: i32, end: i32): void {
  const work = block;
  const guess = part(work, WORK_GUESS);
  const base = guess == 0 ? column(NODE_VELOCITY) : guess;
  for (let g = begin; g < end; g++) {
    const record = groupRecord(work, g);
    const nodes = <usize>load<i32>(record, GROUP_NODES);
    const factor = <usize>load<i32>(record, GROUP_FACTOR);
    const right = rightOf(work);
    let good = 0;
    for (let half: usize = 0; half < 2; half++) {
      const b = right + half * nodes * RIGHT_BYTES;
      assembleHalf(work, record, half, b, holders, carriers, notes);
      const scaled = right + 2 * nodes * RIGHT_BYTES;
      const pivots = factorPair(matrixOf(work), <i32>nodes, 0, factor, <i32>half, b, scaled);
      good |= pivots << (<i32>half * 2);
    }
    store<i32>(record, solveFree(record, right, base, to, good), GROUP_BAD);
  }
}

/** A of two strands of a group to the scratch, b to `right` (0: A alone). */
function assembleHalf(
  work: usize,
  record: usize,
  half: usize,
  right: usize,
  holds: usize,
  carried: usize,
  probes: usize,
): void {
  const dt = parameter(TIME_STEP);
  const guess = part(work, WORK_GUESS);
  const base = guess == 0 ? column(NODE_VELOCITY) : guess;
  const matrix = matrixOf(work);
  const a: usize = 2 * half;
  const b: usize = a + 1;
  openPair(
    laneFirst(record, a),
    laneCount(record, a),
    laneFirst(record, b),
    laneCount(record, b),
    guess,
    dt,
    right != 0,
  );
  const nodes = load<i32>(record, GROUP_NODES);
  assemblePair(laneStrand(record, a), laneStrand(record, b), nodes, matrix, right, base, guess != 0, dt);
  for (let lane: usize = 0; lane < 2; lane++) {
    const at = base + ((<usize>laneFirst(record, a + lane)) << 5);
    const strand = laneStrand(record, a + lane);
    const notes = carried != 0 && getI32(carried, strand) >= 0 ? probes : 0;
    holdStrand(matrix, right, lane << 3, laneCount(record, a + lane), holds, strand, at, notes);
  }
}

/** Velocities without contacts of a group's strands; returns how many were no good. */
function solveFree(record: usize, right: usize, base: usize, out: usize, good: i32): i32 {
  const nodes = load<i32>(record, GROUP_NODES);
  const factor = <usize>load<i32>(record, GROUP_FACTOR);
  // The f64 right-hand sides are done with: their place takes the solution, strand after strand.
  backward(record, factor, nodes, right + 2 * <usize>nodes * RIGHT_BYTES, right, 0, nodes, 2 * nodes, 3 * nodes);
  let bad = 0;
  for (let lane = 0; lane < 4; lane++) {
    // A free lane repeats the first strand.
    if (lane > 0 && laneStrand(record, lane) == laneStrand(record, 0)) break;
    const first = (<usize>laneFirst(record, lane)) << 5;
    const count = (<usize>laneCount(record, lane)) << 2;
    const from = right + <usize>(lane * nodes) * 16;
    let sum: f64 = 0;
    for (let k: usize = 0; k < count; k++) {
      const v = load<f64>(base + first + (k << 3)) + <f64>load<f32>(from + (k << 2));
      sum += v - v;
      store<f64>(out + first + (k << 3), v);
    }
    if (sum == 0 && good & (1 << lane)) continue;
    bad++;
    for (let k: usize = 0; k < count; k++) store<f64>(out + first + (k << 3), NaN);
  }
  return bad;
}

/** Whether any strand of a group is active: `active` one byte a strand, 0: all are. */
function isActive(record: usize, active: usize): bool {
  if (active == 0) return true;
  for (let lane: usize = 0; lane < 4; lane++) {
    if (load<u8>(active + <usize>laneStrand(record, lane)) != 0) return true;
  }
  return false;
}

/** Bytes that the factors of A + W take. After rodPredict. */
export function rodWeightedSize(work: usize): i32 {
  return load<i32>(work, WORK_FACTOR_BYTES);
}

/**
 * Contact weight of every node of the groups with active strands, w = share · 3/trace((A⁻¹)_jj), as in
 * solvers/admm/weights.ts (0 where the node is held; the share is at least `share`, else what the last step left), to
 * `weights`, one f32 a node [kg]; and the factor of A + W to its place in the block `weighted`, the same one for all
 * calls of a step. After rodPredict. A node that is −2 in `weights` gets 0.
 */
export function rodWeigh(work: usize, weighted: usize, weights: usize, holds: usize, active: usize, share: f32): void {
  store<i32>(work, <i32>weighted, WORK_WEIGHTED);
  block = work;
  to = weights;
  holders = holds;
  whose = active;
  least = share;
  if (ASC_FEATURE_THREADS) forkGroups(work, RANGE_ROD_WEIGH, GRAIN_NODES);
  else weighGroups(0, load<i32>(work, WORK_GROUPS));
}

/** The groups `begin` to `end` of rodWeigh. */
export function weighGroups(begin: i32, end: i32): void {
  for (let g = begin; g < end; g++) {
    const record = groupRecord(block, g);
    if (isActive(record, whose)) weighGroup(block, record, to, holders, least);
  }
}

/** Address of a group's factor of A (`which` 0) or A + W (1). */
function factorOf(work: usize, record: usize, which: i32): usize {
  const own = <usize>load<i32>(record, GROUP_FACTOR);
  return which == 0 ? own : own - part(work, WORK_FACTORS) + part(work, WORK_WEIGHTED);
}

function weighGroup(work: usize, record: usize, weights: usize, holds: usize, share: f32): void {
  const nodes = load<i32>(record, GROUP_NODES);
  const pairs = rightOf(work);
  const dual = column(NODE_DUAL) + 24;
  const traces = pairs + 2 * <usize>nodes * RIGHT_BYTES;
  const isPaper = cell(ELASTIC_PAPER) != 0;
  if (!isPaper) inverseTraces(factorOf(work, record, 0), nodes, traces);
  for (let half: usize = 0; half < 2; half++) {
    assembleHalf(work, record, half, 0, holds, 0, 0);
    for (let lane: usize = 0; lane < 2; lane++) {
      const l: usize = 2 * half + lane;
      const first = laneFirst(record, l);
      const count = laneCount(record, l);
      const bits = holdBits(holds, laneStrand(record, l));
      // A free lane repeats the first strand, whose weights are written by now: its marks are gone.
      const isRepeat = l > 0 && laneStrand(record, l) == laneStrand(record, 0);
      const own = isPaper ? share : shareOf(dual + ((<usize>first) << 5), traces + (l << 2), count, share);
      for (let i = 0; i < nodes; i++) {
        let w: f32 = 0;
        // A node marked −2 has no contact: without a weight it is solved exactly at once.
        const isBare = i < count && load<f32>(weights + ((<usize>(first + i)) << 2)) == -2;
        if (isRepeat) {
          if (i < count) w = load<f32>(weights + ((<usize>(first + i)) << 2));
        } else if (i < count && !isBare && !isHeld(bits, count, i)) {
          const row = matrixOf(work) + <usize>i * NODE_BYTES;
          if (isPaper) w = nodeWeight(row, lane << 3, getF64(column(NODE_MASS), (first + i) << 1));
          else w = (3 * own) / load<f32>(traces + ((<usize>i) << 4) + (l << 2));
        }
        if (i < count) store<f32>(weights + ((<usize>(first + i)) << 2), w);
        store<f64>(pairs + ((<usize>i) << 4) + (lane << 3), <f64>w);
      }
    }
    factorPair(matrixOf(work), nodes, pairs, factorOf(work, record, 1), <i32>half, 0, 0);
  }
}

/**
 * Share of a strand's resistance: as its last step left it in the weights of its nodes
 * (every 32 bytes), at least `least`.
 */
function shareOf(weights: usize, traces: usize, count: i32, least: f32): f32 {
  let sum: f32 = 0;
  let seen: f32 = 0;
  for (let i = 0; i < count; i++) {
    const w = <f32>load<f64>(weights + ((<usize>i) << 5));
    if (!(w > 0)) continue;
    sum += (w * load<f32>(traces + ((<usize>i) << 4))) / 3;
    seen += 1;
  }
  if (seen == 0) return least;
  return max<f32>(least, min<f32>(min<f32>(<f32>MOST_SHARE, <f32>SHARE_PER_NODE * seen), sum / seen));
}

/**
 * Solves with the factor of A (`which` 0) or A + W (1) for all strands of groups with active ones: right-hand sides and
 * solutions f32×4 a node of the tables (x y z θ); `out` may be `right`. Held unknowns
 * come out as they are in `right`.
 */
export function rodSolve(work: usize, which: i32, right: usize, out: usize, active: usize): void {
  block = work;
  factors = which;
  from = right;
  to = out;
  whose = active;
  if (ASC_FEATURE_THREADS) forkGroups(work, RANGE_ROD_SOLVE, GRAIN_SOLVED_NODES);
  else solveGroups(0, load<i32>(work, WORK_GROUPS));
}

/** The groups `begin` to `end` of rodSolve. */
export function solveGroups(begin: i32, end: i32): void {
  const scratch = rightOf(block);
  for (let g = begin; g < end; g++) {
    const record = groupRecord(block, g);
    if (isActive(record, whose)) solveGroup(record, factorOf(block, record, factors), scratch, from, to);
  }
}

const tangents = memory.data(72);

/**
 * Moves the nodes by NODE_VELOCITY over one step and carries the frames along; NODE_PREVIOUS keeps where they were.
 * Returns the number of strands with a number gone bad: their frames are left alone. Skips
 * quarantined strands and those that sleep.
 */
export function rodIntegrate(): i32 {
  const dt = parameter(TIME_STEP);
  const strands = cell(STRAND_COUNT);
  let bad = 0;
  for (let s = 0; s < strands; s++) {
    if (getI32(column(STRAND_FLAGS), s) & (STRAND_QUARANTINED | STRAND_ASLEEP)) continue;
    const first = (<usize>getI32(column(STRAND_FIRST), s)) << 5;
    const n = getI32(column(STRAND_NODES), s);
    const position = column(NODE_POSITION) + first;
    const previous = column(NODE_PREVIOUS) + first;
    const velocity = column(NODE_VELOCITY) + first;
    let sum: f64 = 0;
    for (let k: usize = 0; k < (<usize>n) << 5; k += 8) {
      const x = load<f64>(position + k);
      const next = x + dt * load<f64>(velocity + k);
      sum += next - next;
      store<f64>(previous + k, x);
      store<f64>(position + k, next);
    }
    if (sum != 0) bad++;
    else if (isRod(s)) carryFrames(position, previous, column(NODE_FRAME) + first, column(NODE_REST) + 2 * first, n);
  }
  return bad;
}

/** Directors from the edges at `previous` to those at `position`, reference twists nearest to their last values. */
function carryFrames(position: usize, previous: usize, frame: usize, rest: usize, n: i32): void {
  let here = tangents;
  let there: usize = tangents + 24;
  const before: usize = tangents + 48;
  for (let i = 0; i < n - 1; i++) {
    const row = (<usize>i) << 5;
    const director = frame + row;
    const length = load<f64>(rest + 2 * row);
    edgeDirection(before, previous + row, director, length);
    edgeDirection(here, position + row, director, length);
    carryDirector(director, director, before, here);
    if (i > 0) {
      const last = load<f64>(director, 24);
      store<f64>(director, turnBetween(director - 32, there, director, here, last), 24);
    }
    const swap = here;
    here = there;
    there = swap;
  }
}
