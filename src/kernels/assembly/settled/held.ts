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

import { accelerate, beginAcceleration } from './accelerate';
import { solveFactor, solveOneColumn } from './blocks';
import { factorForest } from './factor';
import { holdByGradients } from './gradients';
import { lawPass, wrenchPass } from './law';
import * as S from './layout';
import { fillGroup, fillLoose, isWhole, markWhole, shortBytes, shortenColumns } from './responses';
import { bilateralImpulses, bilateralLaw, clearRows, isBilateral, pushTargets, speedOfRow, takeTargets } from './rows';
import { applyPush, resetVelocities } from './settled';

/** Sweeps between two looks at the joints where bodies are swept as if they were not joined. */
const LOOSE_SWEEPS: i32 = 3;
/**
 * Steps of the joints alone at most, and the share of their error that one may leave: more, and they contradict each
 * other.
 */
const HOLDS: i32 = 6;
const LEFT: f64 = 0.25;
/**
 * A point or row that moves less than this share of what it would if joints did not hold cannot be moved by an impulse.
 */
const HELD_FAST: f64 = 1e-9;
/** Penalty of joints in units of 1/λ [-] where that of jointed.ts is too stiff for their bodies. */
const SOFTER: f64 = 1e5;
/** Rounds of a point that slides. */
const ROUNDS: i32 = 2;
/**
 * Share of the change that ends the sweeps below which that of a point is left undone [-]: all that its bodies are
 * joined to would be moved for nothing. In heaps at rest that is most of them.
 */
const NOT_WORTH: f64 = 0.05;

/** Wrench of the impulse at hand (linear, angular), and responses to it. */
const WRENCH: usize = memory.data(48, 16);
const ANSWER: usize = memory.data(96, 16);

function groupFirst(h: usize, body: i32): i32 {
  return load<i32>(load<usize>(h, S.GROUPS) + ((<usize>body) << 3));
}

function groupSize(h: usize, body: i32): i32 {
  return load<i32>(load<usize>(h, S.GROUPS) + ((<usize>body) << 3), 4);
}

function columnsOf(h: usize, body: i32): usize {
  return load<usize>(load<usize>(h, S.COLUMNS) + ((<usize>body) << 2));
}

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

/** Velocity of `body` (six numbers at `to`, added) that WRENCH on body `on` makes. */
function addAnswer(h: usize, to: usize, body: i32, on: i32): void {
  const size = <usize>groupSize(h, on) * S.VELOCITY_BYTES;
  const from = columnsOf(h, on) + <usize>(body - groupFirst(h, on)) * S.VELOCITY_BYTES;
  let x = v128.load(to);
  let y = v128.load(to, 16);
  let z = v128.load(to, 32);
  for (let k: usize = 0; k < 6; k++) {
    // Along an axis half of a wrench is nothing.
    if (load<f64>(WRENCH + (k << 3)) == 0) continue;
    const f = v128.load64_splat(WRENCH + (k << 3));
    const p = from + k * size;
    x = f64x2.add(x, f64x2.mul(f, v128.load(p)));
    y = f64x2.add(y, f64x2.mul(f, v128.load(p, 16)));
    z = f64x2.add(z, f64x2.mul(f, v128.load(p, 32)));
  }
  v128.store(to, x);
  v128.store(to, y, 16);
  v128.store(to, z, 32);
}

/** The same for the whole group of body `on`, into the velocities, by short columns. */
export function applyWrench(h: usize, on: i32): void {
  const bytes = shortBytes(groupSize(h, on));
  const w0 = f32x4.splat(<f32>load<f64>(WRENCH));
  const w1 = f32x4.splat(<f32>load<f64>(WRENCH, 8));
  const w2 = f32x4.splat(<f32>load<f64>(WRENCH, 16));
  const w3 = f32x4.splat(<f32>load<f64>(WRENCH, 24));
  const w4 = f32x4.splat(<f32>load<f64>(WRENCH, 32));
  const w5 = f32x4.splat(<f32>load<f64>(WRENCH, 40));
  let v = load<usize>(h, S.VELOCITY) + <usize>groupFirst(h, on) * S.VELOCITY_BYTES;
  const c0 = columnsOf(h, on);
  const c1 = c0 + bytes;
  const c2 = c1 + bytes;
  const c3 = c2 + bytes;
  const c4 = c3 + bytes;
  const c5 = c4 + bytes;
  for (let p: usize = 0; p < bytes; p += 16, v += 32) {
    const a = f32x4.add(f32x4.mul(w0, v128.load(c0 + p)), f32x4.mul(w1, v128.load(c1 + p)));
    const b = f32x4.add(f32x4.mul(w2, v128.load(c2 + p)), f32x4.mul(w3, v128.load(c3 + p)));
    const c = f32x4.add(f32x4.mul(w4, v128.load(c4 + p)), f32x4.mul(w5, v128.load(c5 + p)));
    const sum = f32x4.add(f32x4.add(a, b), c);
    v128.store(v, f64x2.add(v128.load(v), f64x2.promote_low_f32x4(sum)));
    const high = v128.shuffle<i64>(sum, sum, 1, 1);
    v128.store(v, f64x2.add(v128.load(v, 16), f64x2.promote_low_f32x4(high)), 16);
  }
}

/** WRENCH of an impulse at an arm. */
export function setWrench(arm: usize, x: f64, y: f64, z: f64): void {
  const ax = load<f64>(arm);
  const ay = load<f64>(arm, 32);
  const az = load<f64>(arm, 64);
  store<f64>(WRENCH, x);
  store<f64>(WRENCH, y, 8);
  store<f64>(WRENCH, z, 16);
  store<f64>(WRENCH, ay * z - az * y, 24);
  store<f64>(WRENCH, az * x - ax * z, 32);
  store<f64>(WRENCH, ax * y - ay * x, 40);
}

/** Component of v + ω × r (x, y or z at i of 0, 8, 16; the next two at j and k). */
export function speedAt(v: usize, arm: usize, i: usize, j: usize, k: usize): f64 {
  const turned = load<f64>(v + 24 + j) * load<f64>(arm + (k << 2)) - load<f64>(v + 24 + k) * load<f64>(arm + (j << 2));
  return load<f64>(v + i) + turned;
}

/** Responses of all contact points. */
function preparePoints(h: usize): void {
  const n = load<i32>(h, S.BODIES);
  const end = load<usize>(h, S.MANIFOLDS_END);
  let to = load<usize>(h, S.POINTS);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES, to += 4 * S.POINT_BYTES) {
    const a = load<i32>(m, S.BODY_A);
    const b = load<i32>(m, S.BODY_B);
    const isOne = a < n && b < n && groupFirst(h, a) == groupFirst(h, b);
    for (let k = 0; k < load<i32>(m, S.COUNT); k++) {
      const p = m + ((<usize>k) << 3);
      const point = to + <usize>k * S.POINT_BYTES;
      for (let axis: usize = 0; axis < 3; axis++) {
        const x: f64 = axis == 0 ? 1 : 0;
        const y: f64 = axis == 1 ? 1 : 0;
        const z: f64 = axis == 2 ? 1 : 0;
        memory.fill(ANSWER, 0, 96);
        if (a < n) {
          setWrench(p + S.ARM_A, -x, -y, -z);
          addAnswer(h, ANSWER, a, a);
          if (isOne) addAnswer(h, ANSWER + 48, b, a);
        }
        if (b < n) {
          setWrench(p + S.ARM_B, x, y, z);
          addAnswer(h, ANSWER + 48, b, b);
          if (isOne) addAnswer(h, ANSWER, a, b);
        }
        const B = ANSWER + 48;
        const ux = speedAt(B, p + S.ARM_B, 0, 8, 16) - speedAt(ANSWER, p + S.ARM_A, 0, 8, 16);
        const uy = speedAt(B, p + S.ARM_B, 8, 16, 0) - speedAt(ANSWER, p + S.ARM_A, 8, 16, 0);
        const uz = speedAt(B, p + S.ARM_B, 16, 0, 8) - speedAt(ANSWER, p + S.ARM_A, 16, 0, 8);
        if (axis == 0) {
          store<f64>(point, ux, S.POINT_W);
          store<f64>(point, uy, S.POINT_W + 24);
          store<f64>(point, uz, S.POINT_W + 32);
        } else if (axis == 1) {
          store<f64>(point, uy, S.POINT_W + 8);
          store<f64>(point, uz, S.POINT_W + 40);
        } else store<f64>(point, uz, S.POINT_W + 16);
      }
      finishPoint(point, m, load<f64>(p, S.LAMBDA));
    }
  }
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

/** Responses of all bounded rows. */
function prepareRows(h: usize): void {
  const n = load<i32>(h, S.BODIES);
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    if (isBilateral(row)) continue;
    const a = load<i32>(row, S.ROW_BODY_A);
    const b = load<i32>(row, S.ROW_BODY_B);
    const isOne = a < n && b < n && groupFirst(h, a) == groupFirst(h, b);
    memory.fill(ANSWER, 0, 96);
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

/** WRENCH of an impulse along a row, with TURN of one side. */
function setRowWrench(row: usize, turn: usize, r: f64): void {
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(WRENCH + k, r * load<f64>(row + k, S.ROW_D));
    store<f64>(WRENCH + k, r * load<f64>(row + turn + k), 24);
  }
}

/**
 * Takes of the targets of bilateral rows what the joints can do together, where they are in a loop: −H dv in
 * their place, with (M + Σ ρ HᵀH) dv = −Σ ρ Hᵀ target. To shorten a straight chain between two walls by e, it
 * would have to go e/θ aside with θ next to nothing, and be thrown there: so it goes at most √ρ e/2, and holds as
 * well as it can.
 */
export function attainTargets(h: usize): void {
  if (load<i32>(h, S.HAS_LOOPS) == 0) return;
  const step = load<usize>(h, S.STEP);
  memory.fill(step, 0, <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES);
  pushTargets(h);
  const own = <usize>load<i32>(h, S.BODIES) * S.VELOCITY_BYTES;
  memory.fill(step + own, 0, <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES - own);
  solveFactor(load<usize>(h, S.DAMPED), step);
  takeTargets(h);
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

/** One sweep over all points; returns the largest change [m/s]. */
function sweepPoints(h: usize, isUp: bool): f64 {
  const start = load<usize>(h, S.MANIFOLDS);
  const count = <i32>((load<usize>(h, S.MANIFOLDS_END) - start) / S.MANIFOLD_BYTES);
  let worst: f64 = 0;
  for (let i = 0; i < count; i++) {
    const at = <usize>(isUp ? i : count - 1 - i);
    const m = start + at * S.MANIFOLD_BYTES;
    const point = load<usize>(h, S.POINTS) + at * 4 * S.POINT_BYTES;
    const points = load<i32>(m, S.COUNT);
    for (let k = 0; k < points; k++) {
      const own = isUp ? k : points - 1 - k;
      worst = max(worst, solvePoint(h, m, m + ((<usize>own) << 3), point + <usize>own * S.POINT_BYTES));
    }
  }
  return worst;
}

/** Solves one point for the velocities as they are; returns by how much its velocity changed [m/s]. */
function solvePoint(h: usize, m: usize, p: usize, point: usize): f64 {
  const inverse = load<f64>(point, S.POINT_NORMAL);
  if (inverse == 0) return 0;
  const n = load<i32>(h, S.BODIES);
  const velocity = load<usize>(h, S.VELOCITY);
  const bodyA = load<i32>(m, S.BODY_A);
  const bodyB = load<i32>(m, S.BODY_B);
  const a = velocity + <usize>bodyA * S.VELOCITY_BYTES;
  const b = velocity + <usize>bodyB * S.VELOCITY_BYTES;
  const nx = load<f64>(m, S.NORMAL);
  const ny = load<f64>(m, S.NORMAL + 8);
  const nz = load<f64>(m, S.NORMAL + 16);
  const target = load<f64>(p, S.TARGET);
  const rx = load<f64>(p, S.IMPULSE);
  const ry = load<f64>(p, S.IMPULSE + 32);
  const rz = load<f64>(p, S.IMPULSE + 64);
  const ux =
    speedAt(b, p + S.ARM_B, 0, 8, 16) - speedAt(a, p + S.ARM_A, 0, 8, 16) - load<f64>(m, S.SURFACE) + nx * target;
  const uy =
    speedAt(b, p + S.ARM_B, 8, 16, 0) - speedAt(a, p + S.ARM_A, 8, 16, 0) - load<f64>(m, S.SURFACE + 8) + ny * target;
  const uz =
    speedAt(b, p + S.ARM_B, 16, 0, 8) - speedAt(a, p + S.ARM_A, 16, 0, 8) - load<f64>(m, S.SURFACE + 16) + nz * target;
  const rn = nx * rx + ny * ry + nz * rz;
  const un = nx * ux + ny * uy + nz * uz;
  if (rn == 0 && un >= 0) return 0;
  const mu = load<f64>(m, S.MU);

  // Sticks, if that takes no more friction than there is.
  const xx = load<f64>(point, S.POINT_INVERSE);
  const yy = load<f64>(point, S.POINT_INVERSE + 8);
  const zz = load<f64>(point, S.POINT_INVERSE + 16);
  const xy = load<f64>(point, S.POINT_INVERSE + 24);
  const xz = load<f64>(point, S.POINT_INVERSE + 32);
  const yz = load<f64>(point, S.POINT_INVERSE + 40);
  let dx = -(xx * ux + xy * uy + xz * uz);
  let dy = -(xy * ux + yy * uy + yz * uz);
  let dz = -(xz * ux + yz * uy + zz * uz);
  const sn = nx * (rx + dx) + ny * (ry + dy) + nz * (rz + dz);
  const tx = rx + dx - nx * sn;
  const ty = ry + dy - ny * sn;
  const tz = rz + dz - nz * sn;

  if (xx == 0 || !(sn > 0) || tx * tx + ty * ty + tz * tz > mu * mu * sn * sn) {
    // Slides or parts: normal and plane in turns, the friction cut off at its limit.
    const plane = load<f64>(point, S.POINT_PLANE);
    let sx = rx;
    let sy = ry;
    let sz = rz;
    for (let round = 0; round < ROUNDS; round++) {
      let vx = ux + answerX(point, sx - rx, sy - ry, sz - rz);
      let vy = uy + answerY(point, sx - rx, sy - ry, sz - rz);
      let vz = uz + answerZ(point, sx - rx, sy - ry, sz - rz);
      const before = nx * sx + ny * sy + nz * sz;
      const held = max(0, before - inverse * (nx * vx + ny * vy + nz * vz));
      sx += nx * (held - before);
      sy += ny * (held - before);
      sz += nz * (held - before);
      vx = ux + answerX(point, sx - rx, sy - ry, sz - rz);
      vy = uy + answerY(point, sx - rx, sy - ry, sz - rz);
      vz = uz + answerZ(point, sx - rx, sy - ry, sz - rz);
      const along = nx * vx + ny * vy + nz * vz;
      const qx = sx - nx * held - plane * (vx - nx * along);
      const qy = sy - ny * held - plane * (vy - ny * along);
      const qz = sz - nz * held - plane * (vz - nz * along);
      const length = sqrt(qx * qx + qy * qy + qz * qz);
      const share = length > mu * held ? (mu * held) / length : 1;
      sx = nx * held + share * qx;
      sy = ny * held + share * qy;
      sz = nz * held + share * qz;
    }
    dx = sx - rx;
    dy = sy - ry;
    dz = sz - rz;
  }
  const x = answerX(point, dx, dy, dz);
  const y = answerY(point, dx, dy, dz);
  const z = answerZ(point, dx, dy, dz);
  const change = max(abs(x), max(abs(y), abs(z)));
  if (change <= load<f64>(h, S.SMALL)) return change;
  store<f64>(p, rx + dx, S.IMPULSE);
  store<f64>(p, ry + dy, S.IMPULSE + 32);
  store<f64>(p, rz + dz, S.IMPULSE + 64);

  if (bodyA < n) {
    setWrench(p + S.ARM_A, -dx, -dy, -dz);
    applyWrench(h, bodyA);
  }

  if (bodyB < n) {
    setWrench(p + S.ARM_B, dx, dy, dz);
    applyWrench(h, bodyB);
  }
  store<f64>(h, load<f64>(h, S.CHANGED) + dx * x + dy * y + dz * z, S.CHANGED);
  return change;
}

function answerX(point: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(point, S.POINT_W) * x + load<f64>(point, S.POINT_W + 24) * y + load<f64>(point, S.POINT_W + 32) * z;
}

function answerY(point: usize, x: f64, y: f64, z: f64): f64 {
  return (
    load<f64>(point, S.POINT_W + 24) * x + load<f64>(point, S.POINT_W + 8) * y + load<f64>(point, S.POINT_W + 40) * z
  );
}

function answerZ(point: usize, x: f64, y: f64, z: f64): f64 {
  return (
    load<f64>(point, S.POINT_W + 32) * x + load<f64>(point, S.POINT_W + 40) * y + load<f64>(point, S.POINT_W + 16) * z
  );
}

/** One sweep over the bounded rows; returns the largest change [m/s]. */
function sweepRows(h: usize): f64 {
  const n = load<i32>(h, S.BODIES);
  const velocity = load<usize>(h, S.VELOCITY);
  const end = load<usize>(h, S.ROWS_END);
  let worst: f64 = 0;
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    if (isBilateral(row)) continue;
    const held = load<f64>(row, S.ROW_HELD);
    if (held == 0) continue;
    const r = load<f64>(row, S.ROW_IMPULSE);
    const u = speedOfRow(row, velocity);
    const next = min(max(r - u / held, load<f64>(row, S.ROW_LOW)), load<f64>(row, S.ROW_HIGH));
    const change = next - r;
    if (change == 0) continue;
    worst = max(worst, abs(change) * held);
    store<f64>(h, load<f64>(h, S.CHANGED) + change * change * held, S.CHANGED);
    store<f64>(row, next, S.ROW_IMPULSE);
    const a = load<i32>(row, S.ROW_BODY_A);
    const b = load<i32>(row, S.ROW_BODY_B);
    if (a < n) {
      setRowWrench(row, S.ROW_TURN_A, -change);
      applyWrench(h, a);
    }
    if (b < n) {
      setRowWrench(row, S.ROW_TURN_B, change);
      applyWrench(h, b);
    }
  }
  return worst;
}
