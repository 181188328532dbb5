// The factor of a settled island: A = M + Σ ρ_c H_cᵀ H_c assembled into its block pattern, factored a bounded
// amount at a time, so that a large one is spread over steps.
//
// With P = [1, −[r]×] the velocity of a body at a contact with arm r, H_cᵀH_c is P_iᵀP_j between two bodies
// whatever the contact's frame, since ρ is the same in its three directions. So a manifold needs only the sums over
// its points of ρ, ρ r and ρ r rᵀ.

import { findBlock, invertBlock, multiplyBlocks, subtractProduct } from './blocks';
import {
  ARM_A,
  ARM_B,
  BLOCK_BYTES,
  BODIES,
  BODY_A,
  BODY_B,
  COLUMN,
  CONTACT_KEY,
  FACTOR_BLOCKS,
  FACTOR_BODIES,
  FACTOR_CONTACTS,
  FACTOR_DIAGONAL,
  FACTOR_DONE,
  FACTOR_LOWER,
  FACTOR_ROWS,
  FACTOR_STARTS,
  INFO,
  INFO_BYTES,
  INVERSE_INERTIA,
  INVERSE_MASS,
  MANIFOLD_BYTES,
  MANIFOLDS,
  MANIFOLDS_END,
  RHO,
} from './layout';
import { assembleRows } from './rows';

/**
 * Sums over a manifold's points, for the bodies i and j of a block: ρ, ρ r_i, ρ r_j, ρ r_j r_iᵀ (by rows of r_j).
 */
const SUMS = memory.data(16 * 8, 16);

/**
 * Fills the factor with A of the island in the scratch `h`; nothing is final yet. False
 * if a pair of bodies has no block.
 */
export function assembleSettled(h: usize, factor: usize): bool {
  const n = load<i32>(factor, FACTOR_BODIES);
  const diagonal = load<usize>(factor, FACTOR_DIAGONAL);
  const lower = load<usize>(factor, FACTOR_LOWER);
  store<i32>(factor, -1, FACTOR_DONE);
  if (n != load<i32>(h, BODIES)) return false;
  memory.fill(diagonal, 0, <usize>n * BLOCK_BYTES);
  memory.fill(lower, 0, <usize>load<i32>(factor, FACTOR_BLOCKS) * BLOCK_BYTES);
  const info = load<usize>(h, INFO);
  for (let j = 0; j < n; j++) addMass(diagonal + <usize>j * BLOCK_BYTES, info + <usize>j * INFO_BYTES);
  const end = load<usize>(h, MANIFOLDS_END);
  for (let m = load<usize>(h, MANIFOLDS); m < end; m += MANIFOLD_BYTES) {
    const a = load<i32>(m, BODY_A);
    const b = load<i32>(m, BODY_B);
    if (a < n) {
      sumArms(m, ARM_A, ARM_A);
      addArms(diagonal + <usize>a * BLOCK_BYTES, 1);
    }
    if (b < n) {
      sumArms(m, ARM_B, ARM_B);
      addArms(diagonal + <usize>b * BLOCK_BYTES, 1);
    }
    if (a >= n || b >= n) continue;
    // Below the diagonal: the larger column number is the row.
    const block = findBlock(factor, max(a, b), min(a, b));
    if (block < 0) return false;
    if (a > b) sumArms(m, ARM_A, ARM_B);
    else sumArms(m, ARM_B, ARM_A);
    addArms(lower + <usize>block * BLOCK_BYTES, -1);
  }
  store<i32>(factor, 0, FACTOR_DONE);
  store<i32>(factor, load<i32>(h, CONTACT_KEY), FACTOR_CONTACTS);
  return true;
}

/**
 * Fills the factor with the bodies and the bilateral rows of joints alone, and factors it. False if it is not
 * positive definite.
 */
export function factorForest(h: usize, factor: usize, rho: usize): bool {
  const n = load<i32>(factor, FACTOR_BODIES);
  const diagonal = load<usize>(factor, FACTOR_DIAGONAL);
  memory.fill(diagonal, 0, <usize>n * BLOCK_BYTES);
  memory.fill(load<usize>(factor, FACTOR_LOWER), 0, <usize>load<i32>(factor, FACTOR_BLOCKS) * BLOCK_BYTES);
  const info = load<usize>(h, INFO);
  for (let j = 0; j < n; j++) addMass(diagonal + <usize>j * BLOCK_BYTES, info + <usize>j * INFO_BYTES);
  if (!assembleRows(h, factor, rho)) return false;
  store<i32>(factor, 0, FACTOR_DONE);
  return factorSettled(h, factor, i32.MAX_VALUE) == 1;
}

/**
 * Inverse inertia that stands for a locked axis in the factor, as a share of the others:
 * a step about it is 0 in the end.
 */
const LOCKED_SHARE: f64 = 1e-8;

/** D += diag(m, I), from their inverses. */
export function addMass(d: usize, info: usize): void {
  const mass = 1 / load<f64>(info, INVERSE_MASS);
  for (let k: usize = 0; k < 3; k++) store<f64>(d + k * 56, load<f64>(d + k * 56) + mass);
  // A locked axis has none: as good as none is one that can be inverted.
  const ixx = load<f64>(info, INVERSE_INERTIA);
  const iyy = load<f64>(info, INVERSE_INERTIA + 8);
  const izz = load<f64>(info, INVERSE_INERTIA + 16);
  const least = LOCKED_SHARE * (ixx + iyy + izz + load<f64>(info, INVERSE_MASS));
  const xx = ixx > 0 ? ixx : least;
  const yy = iyy > 0 ? iyy : least;
  const zz = izz > 0 ? izz : least;
  const xy = load<f64>(info, INVERSE_INERTIA + 24);
  const xz = load<f64>(info, INVERSE_INERTIA + 32);
  const yz = load<f64>(info, INVERSE_INERTIA + 40);
  const cx = yy * zz - yz * yz;
  const cy = xz * yz - xy * zz;
  const cz = xy * yz - yy * xz;
  const scale = 1 / (xx * cx + xy * cy + xz * cz);
  addAt(d, 3, 3, cx * scale);
  addAt(d, 4, 4, (xx * zz - xz * xz) * scale);
  addAt(d, 5, 5, (xx * yy - xy * xy) * scale);
  addBoth(d, 3, 4, cy * scale);
  addBoth(d, 3, 5, cz * scale);
  addBoth(d, 4, 5, (xy * xz - xx * yz) * scale);
}

function addAt(block: usize, row: usize, column: usize, value: f64): void {
  const at = block + column * 48 + (row << 3);
  store<f64>(at, load<f64>(at) + value);
}

function addBoth(block: usize, row: usize, column: usize, value: f64): void {
  addAt(block, row, column, value);
  addAt(block, column, row, value);
}

/** SUMS of the manifold `m` for the arms at i (rows of the block) and j (its columns). */
function sumArms(m: usize, i: usize, j: usize): void {
  memory.fill(SUMS, 0, 128);
  for (let lane: usize = 0; lane < 32; lane += 8) {
    const rho = load<f64>(m + lane, RHO);
    if (rho == 0) continue;
    store<f64>(SUMS, load<f64>(SUMS) + rho);
    for (let x: usize = 0; x < 3; x++) {
      const ri = rho * load<f64>(m + i + (x << 5) + lane);
      const rj = rho * load<f64>(m + j + (x << 5) + lane);
      store<f64>(SUMS + (x << 3), load<f64>(SUMS + (x << 3), 8) + ri, 8);
      store<f64>(SUMS + (x << 3), load<f64>(SUMS + (x << 3), 32) + rj, 32);
      for (let y: usize = 0; y < 3; y++) {
        const at = SUMS + (x * 3 + y) * 8;
        store<f64>(at, load<f64>(at, 56) + rj * load<f64>(m + i + (y << 5) + lane), 56);
      }
    }
  }
}

/** block += sign · Σ ρ P_iᵀ P_j, P_iᵀP_j = [[1, −[r_j]×], [[r_i]×, (r_i·r_j) 1 − r_j r_iᵀ]]. */
function addArms(block: usize, sign: f64): void {
  const rho = sign * load<f64>(SUMS);
  const ix = sign * load<f64>(SUMS, 8);
  const iy = sign * load<f64>(SUMS, 16);
  const iz = sign * load<f64>(SUMS, 24);
  const jx = sign * load<f64>(SUMS, 32);
  const jy = sign * load<f64>(SUMS, 40);
  const jz = sign * load<f64>(SUMS, 48);
  for (let k: usize = 0; k < 3; k++) addAt(block, k, k, rho);
  // −[r_j]×
  addAt(block, 0, 4, jz);
  addAt(block, 0, 5, -jy);
  addAt(block, 1, 3, -jz);
  addAt(block, 1, 5, jx);
  addAt(block, 2, 3, jy);
  addAt(block, 2, 4, -jx);
  // [r_i]×
  addAt(block, 3, 1, -iz);
  addAt(block, 3, 2, iy);
  addAt(block, 4, 0, iz);
  addAt(block, 4, 2, -ix);
  addAt(block, 5, 0, -iy);
  addAt(block, 5, 1, ix);
  const trace = sign * (load<f64>(SUMS, 56) + load<f64>(SUMS, 88) + load<f64>(SUMS, 120));
  for (let x: usize = 0; x < 3; x++) {
    addAt(block, 3 + x, 3 + x, trace);
    for (let y: usize = 0; y < 3; y++) addAt(block, 3 + x, 3 + y, -sign * load<f64>(SUMS + (x * 3 + y) * 8, 56));
  }
}

/**
 * Goes on with the factorisation for about `budget` block products. Returns 1 when it is complete, 0 when it is to be
 * continued, −1 when A is not positive definite.
 */
export function factorSettled(h: usize, factor: usize, budget: i32): i32 {
  const n = load<i32>(factor, FACTOR_BODIES);
  const starts = load<usize>(factor, FACTOR_STARTS);
  const diagonal = load<usize>(factor, FACTOR_DIAGONAL);
  const lower = load<usize>(factor, FACTOR_LOWER);
  const kept = load<usize>(h, COLUMN);
  let j = load<i32>(factor, FACTOR_DONE);
  let left = budget;
  for (; j < n && left > 0; j++) {
    const d = diagonal + <usize>j * BLOCK_BYTES;
    if (!invertBlock(d)) {
      store<i32>(factor, -1, FACTOR_DONE);
      return -1;
    }
    const first = load<i32>(starts + ((<usize>j) << 2));
    const count = load<i32>(starts + ((<usize>j) << 2), 4) - first;
    const own = lower + <usize>first * BLOCK_BYTES;
    memory.copy(kept, own, <usize>count * BLOCK_BYTES);
    for (let k: usize = 0; k < <usize>count * BLOCK_BYTES; k += BLOCK_BYTES) multiplyBlocks(own + k, kept + k, d);
    for (let k = 0; k < count; k++) updateColumn(factor, first, count, k, kept + <usize>k * BLOCK_BYTES);
    left -= ((count * (count + 3)) >> 1) + 2;
  }
  store<i32>(factor, j, FACTOR_DONE);
  return j == n ? 1 : 0;
}

/** Takes L_ij A_kjᵀ from the column of the k-th block of column j; its rows are among that column's, both upwards. */
function updateColumn(factor: usize, first: i32, count: i32, k: i32, kept: usize): void {
  const starts = load<usize>(factor, FACTOR_STARTS);
  const rows = load<usize>(factor, FACTOR_ROWS);
  const lower = load<usize>(factor, FACTOR_LOWER);
  const column = load<i32>(rows + ((<usize>(first + k)) << 2));
  const own = lower + <usize>first * BLOCK_BYTES;
  subtractProduct(
    load<usize>(factor, FACTOR_DIAGONAL) + <usize>column * BLOCK_BYTES,
    own + <usize>k * BLOCK_BYTES,
    kept,
  );
  let at = load<i32>(starts + ((<usize>column) << 2));
  for (let i = k + 1; i < count; i++) {
    const row = load<i32>(rows + ((<usize>(first + i)) << 2));
    while (load<i32>(rows + ((<usize>at) << 2)) < row) at++;
    subtractProduct(lower + <usize>at * BLOCK_BYTES, own + <usize>i * BLOCK_BYTES, kept);
    at++;
  }
}
