// Responses of whole groups: all columns of the inverse Z of a factor A = L D Lᵀ, from the last body back (Takahashi,
// Fagan and Chin 1973; Erisman and Tinney 1975, "On computing certain elements of the inverse of a sparse matrix").
//
//   Z_ij = −Σ Z_ik L_kj for i > j,  Z_jj = D_j⁻¹ − Σ L_kjᵀ Z_kj;  k: rows of L's column j below it
//
// One product for each pair of bodies in place of three, over long vectors. Only sums of what is positive make up the
// diagonal, so that rounding spoils it less, too.

import { addScaled } from './blocks';
import * as S from './layout';

/** Bodies up to which a group gets all its columns, once half of them are asked for. */
const WHOLE_GROUP: i32 = 64;

/**
 * Marks all bodies of a small group of which half are marked, if that takes no more than `room` bytes: its columns are
 * cheaper altogether. Returns the bytes that these take more.
 */
export function markWhole(columns: usize, first: i32, size: i32, room: usize): usize {
  const marked = countMarked(columns, first, size);
  if (size > WHOLE_GROUP || 2 * marked < size) return 0;
  const further = <usize>((size - marked) * size) * S.BLOCK_BYTES;
  if (further > room) return 0;
  for (let i = first; i < first + size; i++) store<i32>(columns + ((<usize>i) << 2), 1);
  return further;
}

function countMarked(columns: usize, first: i32, size: i32): i32 {
  let count = 0;
  for (let i = first; i < first + size; i++) if (load<i32>(columns + ((<usize>i) << 2)) != 0) count++;
  return count;
}

/** Whether all bodies of a group are marked, and it is small enough for fillGroup. */
export function isWhole(columns: usize, first: i32, size: i32): bool {
  return size <= WHOLE_GROUP && countMarked(columns, first, size) == size;
}

/** Fills the columns of a group: `size` bodies from `first` on, six columns a body, from `at` on. Returns their end. */
export function fillGroup(h: usize, first: i32, size: i32, at: usize): usize {
  const factor = load<usize>(h, S.FOREST);
  const starts = load<usize>(factor, S.FACTOR_STARTS);
  const rows = load<usize>(factor, S.FACTOR_ROWS);
  const lower = load<usize>(factor, S.FACTOR_LOWER);
  const columns = load<usize>(h, S.COLUMNS);
  const bytes = <usize>size * S.VELOCITY_BYTES;
  const own = 6 * bytes;
  for (let i: usize = 0; i < <usize>size; i++) store<usize>(columns + ((<usize>first + i) << 2), at + i * own);
  for (let j = size - 1; j >= 0; j--) {
    const start = load<i32>(starts + ((<usize>(first + j)) << 2));
    const end = load<i32>(starts + ((<usize>(first + j)) << 2), 4);
    const to = at + <usize>j * own;
    const below = <usize>(j + 1) * S.VELOCITY_BYTES;
    for (let c: usize = 0; c < 6 && below < bytes; c++) {
      if (start == end) memory.fill(to + c * bytes + below, 0, bytes - below);
      for (let k = start; k < end; k++) {
        const row = <usize>(load<i32>(rows + ((<usize>k) << 2)) - first);
        const from = at + row * own + below;
        const l = lower + <usize>k * S.BLOCK_BYTES + c * 48;
        addScaled(to + c * bytes + below, from, bytes, bytes - below, l, k == start);
      }
    }
    fillDiagonal(h, first, j, to, bytes);
    for (let i = j + 1; i < size; i++) {
      const mirrored = at + <usize>i * own + <usize>j * S.VELOCITY_BYTES;
      transpose(mirrored, to + <usize>i * S.VELOCITY_BYTES, bytes);
    }
  }
  return at + <usize>size * own;
}

/** Z_jj of body j of the group, whose columns are at `to`, `bytes` long, and done below the diagonal. */
function fillDiagonal(h: usize, first: i32, j: i32, to: usize, bytes: usize): void {
  const factor = load<usize>(h, S.FOREST);
  const starts = load<usize>(factor, S.FACTOR_STARTS) + ((<usize>(first + j)) << 2);
  const rows = load<usize>(factor, S.FACTOR_ROWS);
  const lower = load<usize>(factor, S.FACTOR_LOWER);
  const inverse = load<usize>(factor, S.FACTOR_DIAGONAL) + <usize>(first + j) * S.BLOCK_BYTES;
  const block = to + <usize>j * S.VELOCITY_BYTES;
  for (let c: usize = 0; c < 6; c++) {
    for (let r: usize = 0; r <= c; r++) {
      let sum = load<f64>(inverse + c * 48 + (r << 3));
      for (let k = load<i32>(starts); k < load<i32>(starts, 4); k++) {
        const z = to + c * bytes + <usize>(load<i32>(rows + ((<usize>k) << 2)) - first) * S.VELOCITY_BYTES;
        const l = lower + <usize>k * S.BLOCK_BYTES + r * 48;
        let both = f64x2.mul(v128.load(l), v128.load(z));
        both = f64x2.add(both, f64x2.mul(v128.load(l, 16), v128.load(z, 16)));
        both = f64x2.add(both, f64x2.mul(v128.load(l, 32), v128.load(z, 32)));
        sum -= f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
      }
      store<f64>(block + c * bytes + (r << 3), sum);
      store<f64>(block + r * bytes + (c << 3), sum);
    }
  }
}

/** Block at `to` := the transpose of the one at `from`; columns of both are `bytes` apart. */
function transpose(to: usize, from: usize, bytes: usize): void {
  for (let c: usize = 0; c < 6; c += 2) {
    for (let r: usize = 0; r < 6; r += 2) {
      const x = v128.load(from + c * bytes + (r << 3));
      const y = v128.load(from + (c + 1) * bytes + (r << 3));
      v128.store(to + r * bytes + (c << 3), v128.shuffle<f64>(x, y, 0, 2));
      v128.store(to + (r + 1) * bytes + (c << 3), v128.shuffle<f64>(x, y, 1, 3));
    }
  }
}

/** Bytes of a column of a group of so many bodies when it is short: f32, four at a time. */
export function shortBytes(bodies: i32): usize {
  return (<usize>bodies * 24 + 15) & ~15;
}

/**
 * Rounds the six columns at `at` to f32 in their place. A sweep reads them again and again, and what it makes of them
 * only has to tend to an answer: velocities are summed up afresh at its end.
 */
export function shortenColumns(at: usize, bodies: i32): void {
  const count = 6 * bodies;
  const bytes = shortBytes(bodies);
  for (let k: usize = 0; k < 6; k++) {
    const from = at + k * ((<usize>count) << 3);
    const to = at + k * bytes;
    // Four at a time: what is written lies before what is still to be read.
    let i: usize = 0;
    for (; i + 4 <= <usize>count; i += 4) {
      const low = f32x4.demote_f64x2_zero(v128.load(from + (i << 3)));
      const high = f32x4.demote_f64x2_zero(v128.load(from + (i << 3), 16));
      v128.store(to + (i << 2), v128.shuffle<i64>(low, high, 0, 2));
    }
    for (; i < <usize>count; i++) store<f32>(to + (i << 2), <f32>load<f64>(from + (i << 3)));
    // What fills the last four up acts on the group behind, and does nothing.
    for (let p = (<usize>count) << 2; p < bytes; p += 4) store<f32>(to + p, 0);
  }
}

/** Columns of a body by itself: its inverse mass and inertia. */
export function fillLoose(h: usize, body: i32, at: usize): void {
  const groups = load<usize>(h, S.GROUPS) + ((<usize>body) << 3);
  const info = load<usize>(h, S.INFO) + <usize>body * S.INFO_BYTES;
  store<i32>(groups, body);
  store<i32>(groups, 1, 4);
  memory.fill(at, 0, S.BLOCK_BYTES);
  for (let k: usize = 0; k < 3; k++) {
    store<f64>(at + k * 56, load<f64>(info, S.INVERSE_MASS));
    store<f64>(at + (k + 3) * 56, load<f64>(info + (k << 3), S.INVERSE_INERTIA));
  }
  storeBoth(at, 3, 4, load<f64>(info, S.INVERSE_INERTIA + 24));
  storeBoth(at, 3, 5, load<f64>(info, S.INVERSE_INERTIA + 32));
  storeBoth(at, 4, 5, load<f64>(info, S.INVERSE_INERTIA + 40));
}

function storeBoth(block: usize, row: usize, column: usize, value: f64): void {
  store<f64>(block + column * 48 + (row << 3), value);
  store<f64>(block + row * 48 + (column << 3), value);
}
