// Gauss–Seidel over contact points and bounded rows while the bilateral rows of all joints hold.
//
// A foot that strikes the ground moves the whole body above it: swept without the joints, its contact would learn so
// in hundreds of sweeps. So the response of what joints connect to a push on one of its bodies, columns of (M + Σ ρ
// HᵀH)⁻¹ over the bilateral rows, is computed first, and a change of one impulse moves all of it at once. What is
// left to sweep are contacts and limits.
//
// Where so many bodies are in one group that there is no room for the columns, bodies are swept as if they were not
// joined, and all joints solved again after every few sweeps.
//
// In: an opened island with linked rows. Out: impulses of points and rows, velocities.

import { clear48 } from '../memory';
import { accelerate, beginAcceleration } from './accelerate';
import { addAnswer, columnsOf, groupFirst, groupSize, setRowWrench } from './answers';
import { solveFactor, solveOneColumn } from './blocks';
import { factorForest } from './factor';
import { holdByGradients } from './gradients';
import { lawPass, wrenchPass } from './law';
import * as S from './layout';
import { fillGroup, fillLoose, isWhole, markWhole, shortenColumns } from './responses';
import {
  bilateralImpulses,
  bilateralLaw,
  clearRows,
  dropUnattained,
  isBilateral,
  noteTargets,
  pushTargets,
  takeAttained,
} from './rows';
import { applyPush, resetVelocities } from './settled';
import { sweepPoints, sweepRows } from './sweep-points';

/** Sweeps between two looks at the joints where bodies are swept as if they were not joined. */
const LOOSE_SWEEPS: i32 = 3;
/**
 * Steps of the joints alone at most, and the share of their error that one may leave: more, and they contradict each
 * other.
 */
const HOLDS: i32 = 6;
const LEFT: f64 = 0.25;
/** Times that what joints in loops can do together is asked for. */
const ATTAINS: i32 = 3;
/**
 * A point or row that moves less than this share of what it would if joints did not hold cannot be moved by an impulse.
 */
const HELD_FAST: f64 = 1e-9;
/** Penalty of joints in units of 1/λ [-] where that of jointed.ts is too stiff for their bodies. */
const SOFTER: f64 = 1e5;
/**
 * Share of the change that ends the sweeps below which that of a point is left undone [-]: all that its bodies are
 * joined to would be moved for nothing. In heaps at rest that is most of them.
 */
const NOT_WORTH: f64 = 0.05;

/** Responses to the impulse at hand. */
const ANSWER: usize = memory.data(96, 16);

/**
 * Marks the bodies that contact points or bounded rows act on, and whole groups of them where they fit in `most` bytes;
 * returns the bytes that their columns take. Rows need their bodies' numbers.
 */
export function markHeld(h: usize, most: usize): usize {
  const n = load<i32>(h, S.BODIES);
  const columns = load<usize>(h, S.COLUMNS);
  memory.fill(columns, 0, (<usize>n) << 2);
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    mark(columns, load<i32>(m, S.BODY_A), n);
    mark(columns, load<i32>(m, S.BODY_B), n);
  }
  const last = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < last; row += S.ROW_BYTES) {
    if (isBilateral(row)) continue;
    mark(columns, load<i32>(row, S.ROW_BODY_A), n);
    mark(columns, load<i32>(row, S.ROW_BODY_B), n);
  }
  let bytes: usize = 0;
  for (let i = 0; i < n; i++) {
    if (load<i32>(columns + ((<usize>i) << 2)) != 0) bytes += <usize>groupSize(h, i) * S.BLOCK_BYTES;
  }
  if (load<usize>(h, S.FOREST) == 0) return bytes;
  for (let i = 0; i < n; i += groupSize(h, i)) {
    const further = markWhole(columns, i, groupSize(h, i), most > bytes ? most - bytes : 0);
    bytes += further;
  }
  return bytes;
}

function mark(columns: usize, body: i32, n: i32): void {
  if (body < n) store<i32>(columns + ((<usize>body) << 2), 1);
}

/**
 * Factors the joints, and fills the columns of the marked bodies from HELD on, and the responses of points and rows.
 * Where the island IS_LOOSE, columns are those of bodies by themselves. False if the joints have no factor.
 */
export function prepareHeld(h: usize): bool {
  const forest = load<usize>(h, S.FOREST);
  if (forest != 0 && !factorForest(h, forest, S.ROW_RHO)) return false;
  const n = load<i32>(h, S.BODIES);
  const columns = load<usize>(h, S.COLUMNS);
  const step = load<usize>(h, S.STEP);
  const isLoose = load<i32>(h, S.IS_LOOSE) != 0;
  let at = load<usize>(h, S.HELD);
  memory.fill(step, 0, <usize>n * S.VELOCITY_BYTES);
  for (let i = 0; i < n; i++) {
    if (load<i32>(columns + ((<usize>i) << 2)) == 0) continue;
    const size = groupSize(h, i);
    if (!isLoose && groupFirst(h, i) == i && isWhole(columns, i, size)) {
      at = fillGroup(h, i, size, at);
      i += size - 1;
      continue;
    }
    store<usize>(columns + ((<usize>i) << 2), at);
    if (isLoose) {
      fillLoose(h, i, at);
      at += S.BLOCK_BYTES;
      continue;
    }
    const first = groupFirst(h, i);
    const bytes = <usize>size * S.VELOCITY_BYTES;
    const group = step + <usize>first * S.VELOCITY_BYTES;
    for (let k: usize = 0; k < 6; k++, at += bytes) {
      store<f64>(step + <usize>i * S.VELOCITY_BYTES + (k << 3), 1);
      solveOneColumn(forest, step, i, first, first + size);
      memory.copy(at, group, bytes);
      memory.fill(group, 0, bytes);
    }
  }
  preparePoints(h);
  prepareRows(h);
  for (let i = 0; i < n; i++) if (columnsOf(h, i) != 0) shortenColumns(columnsOf(h, i), groupSize(h, i));
  return true;
}

/** Responses of all contact points. */
function preparePoints(h: usize): void {
  const n = load<i32>(h, S.BODIES);
  const end = load<usize>(h, S.MANIFOLDS_END);
  let to = load<usize>(h, S.POINTS);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES, to += 4 * S.POINT_BYTES) {
    const a = load<i32>(m, S.BODY_A);
    const b = load<i32>(m, S.BODY_B);
    const ofA: usize = a < n ? blockOf(h, a, a) : 0;
    const ofB: usize = b < n ? blockOf(h, b, b) : 0;
    const isOne = a < n && b < n && groupFirst(h, a) == groupFirst(h, b);
    const between: usize = isOne ? blockOf(h, b, a) : 0;
    const bytesA: usize = a < n ? columnBytes(h, a) : 0;
    const bytesB: usize = b < n ? columnBytes(h, b) : 0;
    for (let k = 0; k < load<i32>(m, S.COUNT); k++) {
      const p = m + ((<usize>k) << 3);
      const point = to + <usize>k * S.POINT_BYTES;
      for (let i: usize = 0; i < 48; i += 8) store<f64>(point + i, 0, S.POINT_W);
      if (ofA != 0) addResponse(point, p + S.ARM_A, p + S.ARM_A, ofA, bytesA, 0.5);
      if (ofB != 0) addResponse(point, p + S.ARM_B, p + S.ARM_B, ofB, bytesB, 0.5);
      if (between != 0) addResponse(point, p + S.ARM_B, p + S.ARM_A, between, bytesA, -1);
      finishPoint(point, m, load<f64>(p, S.LAMBDA));
    }
  }
}

/** Address of the six columns of body `on` at what they do to `body`, of its group. */
function blockOf(h: usize, body: i32, on: i32): usize {
  return columnsOf(h, on) + <usize>(body - groupFirst(h, on)) * S.VELOCITY_BYTES;
}

/** From one column of a body to the next. */
function columnBytes(h: usize, body: i32): usize {
  return <usize>groupSize(h, body) * S.VELOCITY_BYTES;
}

/**
 * Adds share (C + Cᵀ) to the response of a point, C = P_r Z P_cᵀ with P = [1, −[arm]×] and Z the block at `z`,
 * its columns `bytes` apart.
 */
function addResponse(point: usize, r: usize, c: usize, z: usize, bytes: usize, share: f64): void {
  const z3 = z + 3 * bytes;
  const z4 = z3 + bytes;
  const z5 = z4 + bytes;
  const cx = v128.load64_splat(c);
  const cy = v128.load64_splat(c, 32);
  const cz = v128.load64_splat(c, 64);
  const rx = load<f64>(r);
  const ry = load<f64>(r, 32);
  const rz = load<f64>(r, 64);
  const low3 = v128.load(z3);
  const low4 = v128.load(z4);
  const low5 = v128.load(z5);
  const middle3 = v128.load(z3, 16);
  const middle4 = v128.load(z4, 16);
  const middle5 = v128.load(z5, 16);
  const high3 = v128.load(z3, 32);
  const high4 = v128.load(z4, 32);
  const high5 = v128.load(z5, 32);

  // Columns of Z P_cᵀ: what unit forces at the arm c do.
  const z1 = z + bytes;
  const z2 = z1 + bytes;
  const lowX = f64x2.add(v128.load(z), f64x2.sub(f64x2.mul(cz, low4), f64x2.mul(cy, low5)));
  const middleX = f64x2.add(v128.load(z, 16), f64x2.sub(f64x2.mul(cz, middle4), f64x2.mul(cy, middle5)));
  const highX = f64x2.add(v128.load(z, 32), f64x2.sub(f64x2.mul(cz, high4), f64x2.mul(cy, high5)));
  const lowY = f64x2.add(v128.load(z1), f64x2.sub(f64x2.mul(cx, low5), f64x2.mul(cz, low3)));
  const middleY = f64x2.add(v128.load(z1, 16), f64x2.sub(f64x2.mul(cx, middle5), f64x2.mul(cz, middle3)));
  const highY = f64x2.add(v128.load(z1, 32), f64x2.sub(f64x2.mul(cx, high5), f64x2.mul(cz, high3)));
  const lowZ = f64x2.add(v128.load(z2), f64x2.sub(f64x2.mul(cy, low3), f64x2.mul(cx, low4)));
  const middleZ = f64x2.add(v128.load(z2, 16), f64x2.sub(f64x2.mul(cy, middle3), f64x2.mul(cx, middle4)));
  const highZ = f64x2.add(v128.load(z2, 32), f64x2.sub(f64x2.mul(cy, high3), f64x2.mul(cx, high4)));

  // Rows of C: velocities at the arm r.
  const xx = f64x2.extract_lane(lowX, 0) + f64x2.extract_lane(highX, 0) * rz - f64x2.extract_lane(highX, 1) * ry;
  const xy = f64x2.extract_lane(lowX, 1) + f64x2.extract_lane(highX, 1) * rx - f64x2.extract_lane(middleX, 1) * rz;
  const xz = f64x2.extract_lane(middleX, 0) + f64x2.extract_lane(middleX, 1) * ry - f64x2.extract_lane(highX, 0) * rx;
  const yx = f64x2.extract_lane(lowY, 0) + f64x2.extract_lane(highY, 0) * rz - f64x2.extract_lane(highY, 1) * ry;
  const yy = f64x2.extract_lane(lowY, 1) + f64x2.extract_lane(highY, 1) * rx - f64x2.extract_lane(middleY, 1) * rz;
  const yz = f64x2.extract_lane(middleY, 0) + f64x2.extract_lane(middleY, 1) * ry - f64x2.extract_lane(highY, 0) * rx;
  const zx = f64x2.extract_lane(lowZ, 0) + f64x2.extract_lane(highZ, 0) * rz - f64x2.extract_lane(highZ, 1) * ry;
  const zy = f64x2.extract_lane(lowZ, 1) + f64x2.extract_lane(highZ, 1) * rx - f64x2.extract_lane(middleZ, 1) * rz;
  const zz = f64x2.extract_lane(middleZ, 0) + f64x2.extract_lane(middleZ, 1) * ry - f64x2.extract_lane(highZ, 0) * rx;
  store<f64>(point, load<f64>(point, S.POINT_W) + 2 * share * xx, S.POINT_W);
  store<f64>(point, load<f64>(point, S.POINT_W + 8) + 2 * share * yy, S.POINT_W + 8);
  store<f64>(point, load<f64>(point, S.POINT_W + 16) + 2 * share * zz, S.POINT_W + 16);
  store<f64>(point, load<f64>(point, S.POINT_W + 24) + share * (xy + yx), S.POINT_W + 24);
  store<f64>(point, load<f64>(point, S.POINT_W + 32) + share * (xz + zx), S.POINT_W + 32);
  store<f64>(point, load<f64>(point, S.POINT_W + 40) + share * (yz + zy), S.POINT_W + 40);
}

/** Inverse of a point's response, and what stops it along the normal and in the plane. */
function finishPoint(point: usize, m: usize, lambda: f64): void {
  const xx = load<f64>(point, S.POINT_W);
  const yy = load<f64>(point, S.POINT_W + 8);
  const zz = load<f64>(point, S.POINT_W + 16);
  const xy = load<f64>(point, S.POINT_W + 24);
  const xz = load<f64>(point, S.POINT_W + 32);
  const yz = load<f64>(point, S.POINT_W + 40);
  const cx = yy * zz - yz * yz;
  const cy = xz * yz - xy * zz;
  const cz = xy * yz - yy * xz;
  const determinant = xx * cx + xy * cy + xz * cz;
  const least = HELD_FAST * lambda * lambda * lambda;
  const scale = determinant > least ? 1 / determinant : 0;
  store<f64>(point, scale * cx, S.POINT_INVERSE);
  store<f64>(point, scale * (xx * zz - xz * xz), S.POINT_INVERSE + 8);
  store<f64>(point, scale * (xx * yy - xy * xy), S.POINT_INVERSE + 16);
  store<f64>(point, scale * cy, S.POINT_INVERSE + 24);
  store<f64>(point, scale * cz, S.POINT_INVERSE + 32);
  store<f64>(point, scale * (xy * xz - xx * yz), S.POINT_INVERSE + 40);
  const nx = load<f64>(m, S.NORMAL);
  const ny = load<f64>(m, S.NORMAL + 8);
  const nz = load<f64>(m, S.NORMAL + 16);
  const normal = nx * nx * xx + ny * ny * yy + nz * nz * zz + 2 * (nx * ny * xy + nx * nz * xz + ny * nz * yz);
  const plane = xx + yy + zz - normal;
  store<f64>(point, normal > HELD_FAST * lambda ? 1 / normal : 0, S.POINT_NORMAL);
  store<f64>(point, plane > HELD_FAST * lambda ? 1 / plane : 0, S.POINT_PLANE);
}

/** Responses of all bounded rows, which are listed. */
function prepareRows(h: usize): void {
  const n = load<i32>(h, S.BODIES);
  const end = load<usize>(h, S.ROWS_END);
  let before: usize = 0;
  store<usize>(h, 0, S.BOUNDED);
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    if (isBilateral(row)) continue;
    if (before == 0) store<usize>(h, row, S.BOUNDED);
    else store<usize>(before, row, S.ROW_NEXT);
    store<usize>(row, 0, S.ROW_NEXT);
    before = row;
    const a = load<i32>(row, S.ROW_BODY_A);
    const b = load<i32>(row, S.ROW_BODY_B);
    const isOne = a < n && b < n && groupFirst(h, a) == groupFirst(h, b);
    clear48(ANSWER);
    clear48(ANSWER + 48);
    if (a < n) {
      setRowWrench(row, S.ROW_TURN_A, -1);
      addAnswer(h, ANSWER, a, a);
      if (isOne) addAnswer(h, ANSWER + 48, b, a);
    }
    if (b < n) {
      setRowWrench(row, S.ROW_TURN_B, 1);
      addAnswer(h, ANSWER + 48, b, b);
      if (isOne) addAnswer(h, ANSWER, a, b);
    }
    let held = load<f64>(row, S.ROW_SOFT);
    for (let k: usize = 0; k < 24; k += 8) {
      held += load<f64>(row + k, S.ROW_D) * (load<f64>(ANSWER + 48 + k) - load<f64>(ANSWER + k));
      held += load<f64>(row + k, S.ROW_TURN_B) * load<f64>(ANSWER + 72 + k);
      held -= load<f64>(row + k, S.ROW_TURN_A) * load<f64>(ANSWER + 24 + k);
    }
    store<f64>(row, held > HELD_FAST * load<f64>(row, S.ROW_LAMBDA) ? held : 0, S.ROW_HELD);
  }
}

/**
 * Takes of the targets t of bilateral rows what the joints can do together, where they are in a loop: −H dv in
 * their place, with (M + Σ ρ HᵀH) dv = −Σ ρ Hᵀ t. To shorten a straight chain between two walls by e, it
 * would have to go e/θ aside with θ next to nothing, and be thrown there: so it goes at most √ρ e/2, and holds as
 * well as it can. What that leaves of t is asked again: of a loop that agrees with itself the first leaves a share of
 * 1/ρ, a micrometre by which a part then moves across a contact that would hold it.
 */
export function attainTargets(h: usize): void {
  if (load<i32>(h, S.HAS_LOOPS) == 0) return;
  const step = load<usize>(h, S.STEP);
  const all = <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES;
  const own = <usize>load<i32>(h, S.BODIES) * S.VELOCITY_BYTES;
  noteTargets(h);
  for (let k = 0; k < ATTAINS; k++) {
    memory.fill(step, 0, all);
    pushTargets(h);
    memory.fill(step + own, 0, all - own);
    solveFactor(load<usize>(h, S.DAMPED), step);
    takeAttained(h);
  }
  dropUnattained(h);
}

/**
 * Solves the bilateral rows alone, for the other impulses as they are. What they cannot obey all at once, a bridge
 * pulled straight between two walls, is not tried again and again: impulses would grow without end.
 */
export function holdJoints(h: usize, tolerance: f64): void {
  if (load<usize>(h, S.FOREST) == 0) {
    holdByGradients(h, tolerance);
    return;
  }
  const n = load<i32>(h, S.BODIES);
  const step = load<usize>(h, S.STEP);
  const all = <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES;
  let last = Infinity;
  for (let k = 0; k <= HOLDS; k++) {
    memory.fill(step, 0, all);
    const error = bilateralLaw(h);
    if (error <= tolerance || error <= load<f64>(h, S.STALLED)) return;
    if (!(error <= last)) store<f64>(h, 2 * error, S.STALLED);
    if (!(error <= last) || k == HOLDS) return;
    last = LEFT * error;
    memory.fill(step + <usize>n * S.VELOCITY_BYTES, 0, all - <usize>n * S.VELOCITY_BYTES);
    solveFactor(load<usize>(h, S.FOREST), step);
    bilateralImpulses(h);
    applyPush(h);
  }
}

/**
 * Sweeps over points and bounded rows until none changes its velocity by more than `enough` [m/s], at most `limit`
 * times, and then makes the joints hold to `tolerance`. Returns the sweeps; the residual is at RESIDUAL.
 */
export function sweepJointed(h: usize, limit: i32, enough: f64, tolerance: f64): i32 {
  const isLoose = load<i32>(h, S.IS_LOOSE) != 0;
  // Where that is dear, once at the end.
  if (load<usize>(h, S.FOREST) != 0) holdJoints(h, tolerance);
  let sweeps = 0;
  let change = Infinity;
  if (!isLoose) beginAcceleration(h);
  store<f64>(h, NOT_WORTH * enough, S.SMALL);
  while (sweeps < limit && change > enough) {
    store<f64>(h, 0, S.CHANGED);
    change = max(sweepPoints(h, (sweeps & 1) == 0), sweepRows(h));
    sweeps++;
    if (isLoose && sweeps % LOOSE_SWEEPS == 0) holdAfresh(h, tolerance);
    if (!isLoose && sweeps < limit && change > enough) accelerate(h, load<f64>(h, S.CHANGED));
  }
  holdAfresh(h, tolerance);
  store<f64>(h, lawPass(h, false), S.RESIDUAL);
  return sweeps;
}

/** What the joints bear of all impulses, and velocities without what rounding and penalties left on the way. */
export function holdAfresh(h: usize, tolerance: f64): void {
  resetVelocities(h);
  wrenchPass(h, true);
  applyPush(h);
  holdJoints(h, tolerance);
}

/** Joint rows bear nothing again: for targets that are quite others. */
export function relieveJoints(h: usize): void {
  clearRows(h);
  store<f64>(h, 0, S.STALLED);
  resetVelocities(h);
  wrenchPass(h, true);
  applyPush(h);
}

/**
 * Starts anew, without impulses, with joints that are softer in the responses: of thin bodies these are differences of
 * numbers so large that rounding makes nonsense of them, and sweeps add up without end. False if there is no factor.
 */
export function softenJointed(h: usize): bool {
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) memory.fill(m + S.IMPULSE, 0, 96);
  const last = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < last; row += S.ROW_BYTES) {
    const own = max(load<f64>(row, S.ROW_LAMBDA), 1e-30) / SOFTER + load<f64>(row, S.ROW_SOFT);
    store<f64>(row, 1 / own, S.ROW_RHO);
  }
  if (!prepareHeld(h)) return false;
  relieveJoints(h);
  return true;
}
