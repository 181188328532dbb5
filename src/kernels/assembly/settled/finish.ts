// Newton steps over contacts and joint rows alike: what sweeps leave undone, for islands of few bodies.
//
// Law and dynamics as of settled.ts, with the slopes that the law has where it is:
//
//   s = law(r − ρ u),  J = −∂s/∂u,  (M + Hᵀ J H) dv = Hᵀ(s − r),  r += s − r − J H dv
//
// J of a point that is open is none, of one that sticks ρ, of one that slides ρ (n nᵀ + μ d nᵀ + τ t tᵀ):
// what presses harder rubs harder, so the matrix is not symmetric, and its factor A = L D U keeps L and U. Where sets
// do not change any more a step leaves the inverse of the penalty, times the ratio of masses, of an error. The best
// answer is kept, so that none is worse than that of the sweeps; but for steps that shift loads alone, which are drawn
// out (shift-loads.ts) and may leave a tenth more.

import { MACHINE_BODIES } from '../../../core/engine-constants';
import { speedAt } from './answers';
import { findBlock, multiplyBlocks, pivotOn, solveTriangles, subtractProduct } from './blocks';
import { addMass } from './factor';
import { lawPass } from './law';
import * as S from './layout';
import { beginPattern, joinPattern, orderPattern, patternBytes } from './pattern';
import { addOuter, along, isBilateral, speedOfRow } from './rows';
import { drawnResidual, drawOut, sumUp } from './shift-loads';

/** Blocks below the diagonal at most for each body. */
const MOST_BLOCKS: i32 = 12;
/**
 * Penalty of points and bounded rows in units of 1/λ [-]: what an answer misses, times that, changes impulses by no
 * more than this share of what stops the largest free velocity. With more, noise tells which points stick.
 */
const SHARE: f64 = 0.1;
const SOFTEST: f64 = 1;
const STIFFEST: f64 = 1e7;
/**
 * Steps that may pass without a better answer. What is worse than the best by more than LOST is taken back, and the
 * next penalty is less by SHRINK; GROW is how it comes back.
 */
const PATIENCE: i32 = 4;
/** A step that leaves no less than the residual before over this, and no more than as many times it, shifts loads. */
const SHIFTING: f64 = 2;
const LOST: f64 = 10;
const SHRINK: f64 = 0.03;
const GROW: f64 = 4;

/** Of the point at hand: s − r, then J by rows. */
const CHANGE = memory.data(24, 16);
const SLOPE = memory.data(72, 16);
/** Copies of a block: one that is inverted, one turned over. */
const COPY = memory.data(288, 16);

/** The penalty at hand. */
let stiff: f64 = 1;

function mostBlocks(n: i32): i32 {
  return min((n * (n - 1)) >> 1, MOST_BLOCKS * n);
}

/** Bytes that an island of n bodies needs; 0 where it is not finished. */
export function finishBytes(n: i32): i32 {
  if (n > MACHINE_BODIES) return 0;
  const blocks = mostBlocks(n);
  const lists = 4 * (2 * n + 1 + blocks) + 12 * n;
  return <i32>S.FACTOR_HEAD + lists + <i32>S.BLOCK_BYTES * (n + 3 * blocks) + 48 * n + patternBytes(n) + 512;
}

/** Takes `at`, a multiple of 64 of finishBytes, for the opened island; 0 for one that is not finished. */
export function openFinish(h: usize, at: usize): void {
  store<usize>(h, at, S.FINISH);
  if (at == 0) return;
  const n = <usize>load<i32>(h, S.BODIES);
  const blocks = <usize>mostBlocks(<i32>n);
  const diagonal = at + S.FACTOR_HEAD;
  const lower = diagonal + n * S.BLOCK_BYTES;
  const upper = lower + blocks * S.BLOCK_BYTES;
  const kept = upper + blocks * S.BLOCK_BYTES;
  const step = kept + blocks * S.BLOCK_BYTES;
  const work = step + n * S.VELOCITY_BYTES;
  const starts = work + <usize>((patternBytes(<i32>n) + 7) & ~7);
  const rows = starts + 4 * (n + 1);
  const places = rows + 4 * blocks;
  store<i32>(at, <i32>n, S.FACTOR_BODIES);
  store<i32>(at, -1, S.FACTOR_BLOCKS);
  store<usize>(at, places + 4 * n, S.FACTOR_SLOTS);
  store<usize>(at, starts, S.FACTOR_STARTS);
  store<usize>(at, rows, S.FACTOR_ROWS);
  store<usize>(at, diagonal, S.FACTOR_DIAGONAL);
  store<usize>(at, lower, S.FACTOR_LOWER);
  store<usize>(at, upper, S.FACTOR_NEXT);
  store<usize>(h, places, S.FINISH_PLACES);
  store<usize>(h, step, S.FINISH_STEP);
  store<usize>(h, work, S.FINISH_WORK);
}

/** Order and pattern of bodies that touch or are joined, once an island. False if it has too many blocks. */
function order(h: usize, factor: usize): bool {
  if (load<i32>(factor, S.FACTOR_BLOCKS) >= 0) return true;
  const n = load<i32>(h, S.BODIES);
  const slots = load<usize>(factor, S.FACTOR_SLOTS);
  beginPattern(n, load<usize>(h, S.FINISH_WORK));
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    connect(load<i32>(m, S.BODY_A), load<i32>(m, S.BODY_B), n);
  }
  const last = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < last; row += S.ROW_BYTES) {
    connect(load<i32>(row, S.ROW_BODY_A), load<i32>(row, S.ROW_BODY_B), n);
  }
  const starts = load<usize>(factor, S.FACTOR_STARTS);
  const rows = load<usize>(factor, S.FACTOR_ROWS);
  const places = load<usize>(h, S.FINISH_PLACES);
  const groups = slots + ((<usize>n) << 2);
  const blocks = orderPattern(n, slots, starts, rows, mostBlocks(n), groups);
  if (blocks < 0) {
    store<usize>(h, 0, S.FINISH);
    return false;
  }
  for (let i = 0; i < n; i++) {
    store<i32>(places + ((<usize>load<i32>(slots + ((<usize>i) << 2))) << 2), i);
  }
  store<i32>(factor, blocks, S.FACTOR_BLOCKS);
  return true;
}

function connect(a: i32, b: i32, n: i32): void {
  if (a < n && b < n && a != b) joinPattern(a, b);
}

/** Place of a body in the factor. */
function placeOf(h: usize, body: i32): i32 {
  return load<i32>(load<usize>(h, S.FINISH_PLACES) + ((<usize>body) << 2));
}

/**
 * Takes at most `limit` steps from the impulses and velocities at hand, until the residual is at most `aim` [m/s].
 * Returns the steps; the residual of what is best is at RESIDUAL.
 */
export function finishJointed(h: usize, limit: i32, aim: f64): i32 {
  const factor = load<usize>(h, S.FINISH);
  let residual = load<f64>(h, S.RESIDUAL);
  // What is kept, and the least there was: a step that was drawn out is kept with a little more than that.
  let best = residual;
  let least = residual;
  if (factor == 0 || !(best > aim) || !order(h, factor)) return 0;
  noteImpulses(h, false);
  let steps = 0;
  let trust: f64 = 1;
  let failures = 0;
  let isBest = true;
  let last = residual;
  while (steps < limit && failures < PATIENCE) {
    stiff = min(max(trust * SHARE * (load<f64>(h, S.SCALE) / residual), SOFTEST), STIFFEST);
    if (!assemble(h, factor) || !factorise(factor)) break;
    solveTriangles(
      factor,
      load<usize>(h, S.FINISH_STEP),
      0,
      load<i32>(h, S.BODIES),
      load<usize>(factor, S.FACTOR_NEXT),
    );
    takeStep(h);
    sumUp(h, false);
    residual = lawPass(h, false);
    steps++;
    const isShifting = residual > last / SHIFTING && residual < last * SHIFTING && residual < best * SHIFTING;
    const isDrawn = isShifting && drawOut(h, min(least, residual));
    if (isDrawn) residual = drawnResidual();
    last = residual;
    least = min(least, residual);
    isBest = residual < best || isDrawn;
    if (isBest) {
      trust = min(1, trust * GROW);
      failures = 0;
      best = residual;
      noteImpulses(h, false);
      if (best <= aim) break;
      continue;
    }
    failures++;
    if (residual < LOST * best) continue;
    trust *= SHRINK;
    noteImpulses(h, true);
    sumUp(h, false);
    residual = best;
    last = best;
    isBest = true;
  }
  if (!isBest) noteImpulses(h, true);
  sumUp(h, true);
  store<f64>(h, lawPass(h, false), S.RESIDUAL);
  return steps;
}

/** Keeps the impulses at hand, or goes back to those that were kept. */
function noteImpulses(h: usize, isBack: bool): void {
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    if (isBack) memory.copy(m + S.IMPULSE, m + S.KEPT, 96);
    else memory.copy(m + S.KEPT, m + S.IMPULSE, 96);
  }
  const last = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < last; row += S.ROW_BYTES) {
    if (isBack) store<f64>(row, load<f64>(row, S.ROW_BEFORE), S.ROW_IMPULSE);
    else store<f64>(row, load<f64>(row, S.ROW_IMPULSE), S.ROW_BEFORE);
  }
}

/** Fills the factor with M + Hᵀ J H and FINISH_STEP with Hᵀ(s − r). False if a pair of bodies has no block. */
function assemble(h: usize, factor: usize): bool {
  const n = load<i32>(h, S.BODIES);
  const diagonal = load<usize>(factor, S.FACTOR_DIAGONAL);
  const blocks = <usize>load<i32>(factor, S.FACTOR_BLOCKS) * S.BLOCK_BYTES;
  memory.fill(diagonal, 0, <usize>n * S.BLOCK_BYTES);
  memory.fill(load<usize>(factor, S.FACTOR_LOWER), 0, blocks);
  memory.fill(load<usize>(factor, S.FACTOR_NEXT), 0, blocks);
  memory.fill(load<usize>(h, S.FINISH_STEP), 0, <usize>n * S.VELOCITY_BYTES);
  const info = load<usize>(h, S.INFO);
  for (let i = 0; i < n; i++) {
    addMass(diagonal + <usize>placeOf(h, i) * S.BLOCK_BYTES, info + <usize>i * S.INFO_BYTES);
  }
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    const count = load<i32>(m, S.COUNT);
    for (let k = 0; k < count; k++) if (!addPoint(h, factor, m, m + ((<usize>k) << 3))) return false;
  }
  const last = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < last; row += S.ROW_BYTES) if (!addRow(h, factor, row)) return false;
  return true;
}

/** CHANGE and SLOPE of a point for the velocities at hand; false if both are none. */
function pointLaw(h: usize, m: usize, p: usize): bool {
  const lambda = load<f64>(p, S.LAMBDA);
  if (!(lambda > 0)) return false;
  const rho = stiff / lambda;
  const velocity = load<usize>(h, S.VELOCITY);
  const a = velocity + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES;
  const b = velocity + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES;
  const nx = load<f64>(m, S.NORMAL);
  const ny = load<f64>(m, S.NORMAL + 8);
  const nz = load<f64>(m, S.NORMAL + 16);
  const target = load<f64>(p, S.TARGET);
  const rx = load<f64>(p, S.IMPULSE);
  const ry = load<f64>(p, S.IMPULSE + 32);
  const rz = load<f64>(p, S.IMPULSE + 64);
  // r − ρ u.
  const ux = speedAt(b, p + S.ARM_B, 0, 8, 16) - speedAt(a, p + S.ARM_A, 0, 8, 16) - load<f64>(m, S.SURFACE);
  const wx = rx - rho * (ux + nx * target);
  const uy = speedAt(b, p + S.ARM_B, 8, 16, 0) - speedAt(a, p + S.ARM_A, 8, 16, 0) - load<f64>(m, S.SURFACE + 8);
  const wy = ry - rho * (uy + ny * target);
  const uz = speedAt(b, p + S.ARM_B, 16, 0, 8) - speedAt(a, p + S.ARM_A, 16, 0, 8) - load<f64>(m, S.SURFACE + 16);
  const wz = rz - rho * (uz + nz * target);
  const pressed = nx * wx + ny * wy + nz * wz;
  if (!(pressed > 0)) {
    store<f64>(CHANGE, -rx);
    store<f64>(CHANGE, -ry, 8);
    store<f64>(CHANGE, -rz, 16);
    memory.fill(SLOPE, 0, 72);
    return rx != 0 || ry != 0 || rz != 0;
  }
  let tx = wx - nx * pressed;
  let ty = wy - ny * pressed;
  let tz = wz - nz * pressed;
  const length = sqrt(tx * tx + ty * ty + tz * tz);
  const limit = load<f64>(m, S.MU) * pressed;
  if (length <= limit) {
    writeSlope(rho, rho, 0, nx, ny, nz, 0, 0, 0);
  } else {
    const share = limit / length;
    const mu = load<f64>(m, S.MU);
    tx /= length;
    ty /= length;
    tz /= length;
    writeSlope(rho, rho * share, rho * mu, nx, ny, nz, tx, ty, tz);
    tx *= limit;
    ty *= limit;
    tz *= limit;
  }
  store<f64>(CHANGE, nx * pressed + tx - rx);
  store<f64>(CHANGE, ny * pressed + ty - ry, 8);
  store<f64>(CHANGE, nz * pressed + tz - rz, 16);
  return true;
}

/** SLOPE := along n nᵀ + across (1 − n nᵀ − d dᵀ) + rub d nᵀ. */
function writeSlope(along: f64, across: f64, rub: f64, nx: f64, ny: f64, nz: f64, dx: f64, dy: f64, dz: f64): void {
  const own = along - across;
  store<f64>(SLOPE, across + own * nx * nx - across * dx * dx + rub * dx * nx);
  store<f64>(SLOPE, own * nx * ny - across * dx * dy + rub * dx * ny, 8);
  store<f64>(SLOPE, own * nx * nz - across * dx * dz + rub * dx * nz, 16);
  store<f64>(SLOPE, own * ny * nx - across * dy * dx + rub * dy * nx, 24);
  store<f64>(SLOPE, across + own * ny * ny - across * dy * dy + rub * dy * ny, 32);
  store<f64>(SLOPE, own * ny * nz - across * dy * dz + rub * dy * nz, 40);
  store<f64>(SLOPE, own * nz * nx - across * dz * dx + rub * dz * nx, 48);
  store<f64>(SLOPE, own * nz * ny - across * dz * dy + rub * dz * ny, 56);
  store<f64>(SLOPE, across + own * nz * nz - across * dz * dz + rub * dz * nz, 64);
}

/** Adds a point's part of matrix and right-hand side. */
function addPoint(h: usize, factor: usize, m: usize, p: usize): bool {
  if (!pointLaw(h, m, p)) return true;
  const n = load<i32>(h, S.BODIES);
  const a = load<i32>(m, S.BODY_A);
  const b = load<i32>(m, S.BODY_B);
  const step = load<usize>(h, S.FINISH_STEP);
  const diagonal = load<usize>(factor, S.FACTOR_DIAGONAL);
  const placeA = a < n ? placeOf(h, a) : -1;
  const placeB = b < n ? placeOf(h, b) : -1;
  if (placeA >= 0) {
    addPush(step + <usize>placeA * S.VELOCITY_BYTES, p + S.ARM_A, -1);
    addSlope(diagonal + <usize>placeA * S.BLOCK_BYTES, 1, p + S.ARM_A, p + S.ARM_A, false);
  }
  if (placeB >= 0) {
    addPush(step + <usize>placeB * S.VELOCITY_BYTES, p + S.ARM_B, 1);
    addSlope(diagonal + <usize>placeB * S.BLOCK_BYTES, 1, p + S.ARM_B, p + S.ARM_B, false);
  }
  if (placeA < 0 || placeB < 0) return true;
  const block = findBlock(factor, max(placeA, placeB), min(placeA, placeB));
  if (block < 0) return false;
  const lower = load<usize>(factor, S.FACTOR_LOWER) + <usize>block * S.BLOCK_BYTES;
  const upper = load<usize>(factor, S.FACTOR_NEXT) + <usize>block * S.BLOCK_BYTES;
  const row = placeA > placeB ? p + S.ARM_A : p + S.ARM_B;
  const column = placeA > placeB ? p + S.ARM_B : p + S.ARM_A;
  addSlope(lower, -1, row, column, false);
  addSlope(upper, -1, row, column, true);
  return true;
}

/** Adds the force x y z and its moment at the arm rx ry rz to six numbers. */
function addWrench(to: usize, x: f64, y: f64, z: f64, rx: f64, ry: f64, rz: f64): void {
  store<f64>(to, load<f64>(to) + x);
  store<f64>(to, load<f64>(to, 8) + y, 8);
  store<f64>(to, load<f64>(to, 16) + z, 16);
  store<f64>(to, load<f64>(to, 24) + (ry * z - rz * y), 24);
  store<f64>(to, load<f64>(to, 32) + (rz * x - rx * z), 32);
  store<f64>(to, load<f64>(to, 40) + (rx * y - ry * x), 40);
}

/** Adds the wrench of CHANGE at an arm. */
function addPush(to: usize, arm: usize, sign: f64): void {
  const x = sign * load<f64>(CHANGE);
  const y = sign * load<f64>(CHANGE, 8);
  const z = sign * load<f64>(CHANGE, 16);
  const rx = load<f64>(arm);
  const ry = load<f64>(arm, 32);
  const rz = load<f64>(arm, 64);
  addWrench(to, x, y, z, rx, ry, rz);
}

/** block += sign PᵀJP for the arms of its rows and columns, P = [1, −[r]×]; with `isTurned` of Jᵀ. */
function addSlope(block: usize, sign: f64, row: usize, column: usize, isTurned: bool): void {
  const rx = load<f64>(row);
  const ry = load<f64>(row, 32);
  const rz = load<f64>(row, 64);
  const cx = load<f64>(column);
  const cy = load<f64>(column, 32);
  const cz = load<f64>(column, 64);
  // From one column of J, or row, to the next, and from one of its numbers to the next.
  const across: usize = isTurned ? 24 : 8;
  const down: usize = isTurned ? 8 : 24;
  for (let j: usize = 0; j < 6; j++) {
    // Column j of P, then J times it.
    let ex: f64 = j == 0 ? 1 : 0;
    let ey: f64 = j == 1 ? 1 : 0;
    let ez: f64 = j == 2 ? 1 : 0;
    if (j == 3) {
      ey = -cz;
      ez = cy;
    } else if (j == 4) {
      ex = cz;
      ez = -cx;
    } else if (j == 5) {
      ex = -cy;
      ey = cx;
    }
    const s0 = SLOPE;
    const s1 = SLOPE + down;
    const s2 = SLOPE + 2 * down;
    const x = sign * (load<f64>(s0) * ex + load<f64>(s0 + across) * ey + load<f64>(s0 + 2 * across) * ez);
    const y = sign * (load<f64>(s1) * ex + load<f64>(s1 + across) * ey + load<f64>(s1 + 2 * across) * ez);
    const z = sign * (load<f64>(s2) * ex + load<f64>(s2 + across) * ey + load<f64>(s2 + 2 * across) * ez);
    const to = block + j * 48;
    addWrench(to, x, y, z, rx, ry, rz);
  }
}

/** Penalty of a row: its slope where s is inside its bounds, else that is none. */
function rhoOf(row: usize): f64 {
  if (isBilateral(row)) return load<f64>(row, S.ROW_RHO);
  return 1 / (max(load<f64>(row, S.ROW_LAMBDA), 1e-30) / stiff + load<f64>(row, S.ROW_SOFT));
}

/** s − r of a row. */
function rowChange(h: usize, row: usize): f64 {
  const r = load<f64>(row, S.ROW_IMPULSE);
  const w = r - rhoOf(row) * speedOfRow(row, load<usize>(h, S.VELOCITY));
  return min(max(w, load<f64>(row, S.ROW_LOW)), load<f64>(row, S.ROW_HIGH)) - r;
}

function isInside(row: usize, change: f64): bool {
  const s = load<f64>(row, S.ROW_IMPULSE) + change;
  return s > load<f64>(row, S.ROW_LOW) && s < load<f64>(row, S.ROW_HIGH);
}

/** Adds a row's part of matrix and right-hand side. */
function addRow(h: usize, factor: usize, row: usize): bool {
  const n = load<i32>(h, S.BODIES);
  const change = rowChange(h, row);
  store<f64>(row, change, S.ROW_CHANGE);
  const a = load<i32>(row, S.ROW_BODY_A);
  const b = load<i32>(row, S.ROW_BODY_B);
  const step = load<usize>(h, S.FINISH_STEP);
  const placeA = a < n ? placeOf(h, a) : -1;
  const placeB = b < n ? placeOf(h, b) : -1;
  if (placeA >= 0) addTurn(step + <usize>placeA * S.VELOCITY_BYTES, row, S.ROW_TURN_A, -change);
  if (placeB >= 0) addTurn(step + <usize>placeB * S.VELOCITY_BYTES, row, S.ROW_TURN_B, change);
  if (!isInside(row, change)) return true;
  const rho = rhoOf(row);
  const diagonal = load<usize>(factor, S.FACTOR_DIAGONAL);
  const turnA = row + S.ROW_TURN_A;
  const turnB = row + S.ROW_TURN_B;
  if (placeA >= 0) addOuter(diagonal + <usize>placeA * S.BLOCK_BYTES, rho, row + S.ROW_D, turnA, turnA);
  if (placeB >= 0) addOuter(diagonal + <usize>placeB * S.BLOCK_BYTES, rho, row + S.ROW_D, turnB, turnB);
  if (placeA < 0 || placeB < 0) return true;
  const block = findBlock(factor, max(placeA, placeB), min(placeA, placeB));
  if (block < 0) return false;
  const lower = load<usize>(factor, S.FACTOR_LOWER) + <usize>block * S.BLOCK_BYTES;
  const upper = load<usize>(factor, S.FACTOR_NEXT) + <usize>block * S.BLOCK_BYTES;
  const isA = placeA > placeB;
  addOuter(lower, -rho, row + S.ROW_D, isA ? turnA : turnB, isA ? turnB : turnA);
  addOuter(upper, -rho, row + S.ROW_D, isA ? turnA : turnB, isA ? turnB : turnA);
  return true;
}

/** Adds r times one side of a row. */
function addTurn(to: usize, row: usize, turn: usize, r: f64): void {
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(to + k, load<f64>(to + k) + r * load<f64>(row + k, S.ROW_D));
    store<f64>(to + k, load<f64>(to + k, 24) + r * load<f64>(row + turn + k), 24);
  }
}

/** A = L D U in place: L below, (D⁻¹U)ᵀ beside it, D⁻¹ on the diagonal. False if a block cannot be inverted. */
function factorise(factor: usize): bool {
  const n = load<i32>(factor, S.FACTOR_BODIES);
  const starts = load<usize>(factor, S.FACTOR_STARTS);
  const diagonal = load<usize>(factor, S.FACTOR_DIAGONAL);
  const lower = load<usize>(factor, S.FACTOR_LOWER);
  const upper = load<usize>(factor, S.FACTOR_NEXT);
  const kept = upper + <usize>mostBlocks(n) * S.BLOCK_BYTES;
  for (let j = 0; j < n; j++) {
    const d = diagonal + <usize>j * S.BLOCK_BYTES;
    if (!invertAny(d)) return false;
    const first = load<i32>(starts + ((<usize>j) << 2));
    const count = load<i32>(starts + ((<usize>j) << 2), 4) - first;
    const bytes = <usize>count * S.BLOCK_BYTES;
    const own = lower + <usize>first * S.BLOCK_BYTES;
    const beside = upper + <usize>first * S.BLOCK_BYTES;
    memory.copy(kept, own, bytes);
    for (let k: usize = 0; k < bytes; k += S.BLOCK_BYTES) multiplyBlocks(own + k, kept + k, d);
    for (let k = 0; k < count; k++) updateColumn(factor, first, count, k);
    memory.copy(kept, beside, bytes);
    turnOver(COPY, d);
    for (let k: usize = 0; k < bytes; k += S.BLOCK_BYTES) multiplyBlocks(beside + k, kept + k, COPY);
  }
  return true;
}

/** Takes what column j, whose blocks begin at `first`, does to the column of its k-th block and the row beside it. */
function updateColumn(factor: usize, first: i32, count: i32, k: i32): void {
  const starts = load<usize>(factor, S.FACTOR_STARTS);
  const rows = load<usize>(factor, S.FACTOR_ROWS);
  const lower = load<usize>(factor, S.FACTOR_LOWER);
  const upper = load<usize>(factor, S.FACTOR_NEXT);
  const at = <usize>first * S.BLOCK_BYTES;
  const l = lower + at + <usize>k * S.BLOCK_BYTES;
  const u = upper + at + <usize>k * S.BLOCK_BYTES;
  const column = load<i32>(rows + ((<usize>(first + k)) << 2));
  subtractProduct(load<usize>(factor, S.FACTOR_DIAGONAL) + <usize>column * S.BLOCK_BYTES, l, u);
  let block = load<i32>(starts + ((<usize>column) << 2));
  for (let i = k + 1; i < count; i++) {
    const row = load<i32>(rows + ((<usize>(first + i)) << 2));
    while (load<i32>(rows + ((<usize>block) << 2)) < row) block++;
    const to = <usize>block * S.BLOCK_BYTES;
    subtractProduct(lower + to, lower + at + <usize>i * S.BLOCK_BYTES, u);
    subtractProduct(upper + to, upper + at + <usize>i * S.BLOCK_BYTES, l);
    block++;
  }
}

function turnOver(to: usize, from: usize): void {
  for (let j: usize = 0; j < 6; j++) {
    for (let i: usize = 0; i < 6; i++) {
      store<f64>(to + i * 48 + (j << 3), load<f64>(from + j * 48 + (i << 3)));
    }
  }
}

/** Inverts any block in place (Gauss–Jordan, the largest pivot of each column); false if it has no inverse. */
function invertAny(d: usize): bool {
  let rows: u32 = 0x543210;
  for (let k: usize = 0; k < 6; k++) {
    const column = d + k * 48;
    let pivotRow = k;
    for (let i = k + 1; i < 6; i++) {
      if (abs(load<f64>(column + (i << 3))) > abs(load<f64>(column + (pivotRow << 3)))) pivotRow = i;
    }
    if (pivotRow != k) {
      for (let j: usize = 0; j < 6; j++) swap(d + j * 48 + (k << 3), d + j * 48 + (pivotRow << 3));
      const x = (rows >> ((<u32>k) << 2)) & 15;
      const y = (rows >> ((<u32>pivotRow) << 2)) & 15;
      rows ^= ((x ^ y) << ((<u32>k) << 2)) | ((x ^ y) << ((<u32>pivotRow) << 2));
    }
    const pivot = load<f64>(column + (k << 3));
    if (!(abs(pivot) > 0) || abs(pivot) == Infinity) return false;
    pivotOn(d, k);
  }
  if (rows == 0x543210) return true;
  // Rows that changed places are columns that do.
  memory.copy(COPY, d, S.BLOCK_BYTES);
  for (let k: usize = 0; k < 6; k++) {
    memory.copy(d + <usize>((rows >> ((<u32>k) << 2)) & 15) * 48, COPY + k * 48, 48);
  }
  return true;
}

function swap(a: usize, b: usize): void {
  const x = load<f64>(a);
  store<f64>(a, load<f64>(b));
  store<f64>(b, x);
}

/** r += s − r − J H dv of all points and rows. */
function takeStep(h: usize): void {
  const n = load<i32>(h, S.BODIES);
  // By bodies, and none of those that are driven.
  const step = load<usize>(h, S.STEP);
  const solved = load<usize>(h, S.FINISH_STEP);
  memory.fill(step, 0, <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES);
  for (let i = 0; i < n; i++) {
    const from = solved + <usize>placeOf(h, i) * S.VELOCITY_BYTES;
    memory.copy(step + <usize>i * S.VELOCITY_BYTES, from, S.VELOCITY_BYTES);
  }
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    const count = load<i32>(m, S.COUNT);
    for (let k = 0; k < count; k++) movePoint(h, m, m + ((<usize>k) << 3), step);
  }
  const last = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < last; row += S.ROW_BYTES) {
    const change = load<f64>(row, S.ROW_CHANGE);
    const back = isInside(row, change) ? rhoOf(row) * along(row, step) : 0;
    store<f64>(row, change - back, S.ROW_CHANGE);
    store<f64>(row, load<f64>(row, S.ROW_IMPULSE) + change - back, S.ROW_IMPULSE);
  }
}

function movePoint(h: usize, m: usize, p: usize, step: usize): void {
  if (!pointLaw(h, m, p)) {
    for (let i: usize = 0; i < 96; i += 32) store<f64>(p + i, 0, S.CHANGE);
    return;
  }
  const a = step + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES;
  const b = step + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES;
  const x = speedAt(b, p + S.ARM_B, 0, 8, 16) - speedAt(a, p + S.ARM_A, 0, 8, 16);
  const y = speedAt(b, p + S.ARM_B, 8, 16, 0) - speedAt(a, p + S.ARM_A, 8, 16, 0);
  const z = speedAt(b, p + S.ARM_B, 16, 0, 8) - speedAt(a, p + S.ARM_A, 16, 0, 8);
  for (let i: usize = 0; i < 3; i++) {
    const slope = SLOPE + i * 24;
    const back = load<f64>(slope) * x + load<f64>(slope, 8) * y + load<f64>(slope, 16) * z;
    const to = p + S.IMPULSE + (i << 5);
    const change = load<f64>(CHANGE + (i << 3)) - back;
    store<f64>(to, load<f64>(to) + change);
    store<f64>(p + (i << 5), change, S.CHANGE);
  }
}
