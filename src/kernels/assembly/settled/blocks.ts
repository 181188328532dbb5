// 6×6 blocks in f64, two numbers to a vector, column after column: products, inverse, and the triangular solves of
// the block factor A = L D Lᵀ (L with unit diagonal, D kept as its inverse).

import { BLOCK_BYTES, FACTOR_BODIES, FACTOR_DIAGONAL, FACTOR_LOWER, FACTOR_ROWS, FACTOR_STARTS } from './layout';

/** C −= P Qᵀ. */
export function subtractProduct(c: usize, p: usize, q: usize): void {
  for (let end = c + BLOCK_BYTES; c < end; c += 48, q += 8) {
    let x = v128.load(c);
    let y = v128.load(c, 16);
    let z = v128.load(c, 32);
    let k = v128.load64_splat(q);
    x = f64x2.sub(x, f64x2.mul(k, v128.load(p)));
    y = f64x2.sub(y, f64x2.mul(k, v128.load(p, 16)));
    z = f64x2.sub(z, f64x2.mul(k, v128.load(p, 32)));
    k = v128.load64_splat(q, 48);
    x = f64x2.sub(x, f64x2.mul(k, v128.load(p, 48)));
    y = f64x2.sub(y, f64x2.mul(k, v128.load(p, 64)));
    z = f64x2.sub(z, f64x2.mul(k, v128.load(p, 80)));
    k = v128.load64_splat(q, 96);
    x = f64x2.sub(x, f64x2.mul(k, v128.load(p, 96)));
    y = f64x2.sub(y, f64x2.mul(k, v128.load(p, 112)));
    z = f64x2.sub(z, f64x2.mul(k, v128.load(p, 128)));
    k = v128.load64_splat(q, 144);
    x = f64x2.sub(x, f64x2.mul(k, v128.load(p, 144)));
    y = f64x2.sub(y, f64x2.mul(k, v128.load(p, 160)));
    z = f64x2.sub(z, f64x2.mul(k, v128.load(p, 176)));
    k = v128.load64_splat(q, 192);
    x = f64x2.sub(x, f64x2.mul(k, v128.load(p, 192)));
    y = f64x2.sub(y, f64x2.mul(k, v128.load(p, 208)));
    z = f64x2.sub(z, f64x2.mul(k, v128.load(p, 224)));
    k = v128.load64_splat(q, 240);
    x = f64x2.sub(x, f64x2.mul(k, v128.load(p, 240)));
    y = f64x2.sub(y, f64x2.mul(k, v128.load(p, 256)));
    z = f64x2.sub(z, f64x2.mul(k, v128.load(p, 272)));
    v128.store(c, x);
    v128.store(c, y, 16);
    v128.store(c, z, 32);
  }
}

/** C := P S. */
export function multiplyBlocks(c: usize, p: usize, s: usize): void {
  for (let j: usize = 0; j < <usize>BLOCK_BYTES; j += 48) {
    let x = f64x2.splat(0);
    let y = x;
    let z = x;
    for (let k: usize = 0; k < 6; k++) {
      const f = v128.load64_splat(s + j + (k << 3));
      const from = p + k * 48;
      x = f64x2.add(x, f64x2.mul(f, v128.load(from)));
      y = f64x2.add(y, f64x2.mul(f, v128.load(from, 16)));
      z = f64x2.add(z, f64x2.mul(f, v128.load(from, 32)));
    }
    v128.store(c + j, x);
    v128.store(c + j, y, 16);
    v128.store(c + j, z, 32);
  }
}

/** A step of Gauss–Jordan: row k is scaled by its pivot, then taken from all others, column by column. */
export function pivotOn(d: usize, k: usize): void {
  const column = d + k * 48;
  const inverse = 1 / load<f64>(column + (k << 3));
  store<f64>(column + (k << 3), 1);
  for (let j: usize = 0; j < 6; j++) {
    const at = d + j * 48 + (k << 3);
    store<f64>(at, load<f64>(at) * inverse);
  }
  for (let i: usize = 0; i < 6; i++) {
    if (i == k) continue;
    const at = column + (i << 3);
    const factor = load<f64>(at);
    store<f64>(at, 0);
    for (let j: usize = 0; j < 6; j++) {
      const row = d + j * 48;
      store<f64>(row + (i << 3), load<f64>(row + (i << 3)) - factor * load<f64>(row + (k << 3)));
    }
  }
}

/**
 * Inverts a symmetric positive definite block in place (Gauss–Jordan, no pivoting needed); false if it is not one.
 */
export function invertBlock(d: usize): bool {
  for (let k: usize = 0; k < 6; k++) {
    const column = d + k * 48;
    const pivot = load<f64>(column + (k << 3));
    if (!(pivot > 0) || pivot == Infinity) return false;
    pivotOn(d, k);
  }
  // The halves differ by rounding; the factor relies on symmetry.
  for (let i: usize = 0; i < 6; i++) {
    for (let j: usize = 0; j < i; j++) {
      const lower = d + j * 48 + (i << 3);
      const upper = d + i * 48 + (j << 3);
      const mean = 0.5 * (load<f64>(lower) + load<f64>(upper));
      store<f64>(lower, mean);
      store<f64>(upper, mean);
    }
  }
  return true;
}

/** x := A⁻¹ x, six numbers for each column. */
export function solveFactor(factor: usize, x: usize): void {
  solveTriangles(factor, x, 0, load<i32>(factor, FACTOR_BODIES), load<usize>(factor, FACTOR_LOWER));
}

/**
 * The same for the columns from `from` up to `to`, which no other touches, and an x that has numbers in column `at`
 * alone: what stays nothing is passed over.
 */
export function solveOneColumn(factor: usize, x: usize, at: i32, from: i32, to: i32): void {
  const starts = load<usize>(factor, FACTOR_STARTS);
  const rows = load<usize>(factor, FACTOR_ROWS);
  const diagonal = load<usize>(factor, FACTOR_DIAGONAL);
  const lower = load<usize>(factor, FACTOR_LOWER);
  for (let j = at; j < to; j++) {
    const own = x + <usize>j * 48;
    const first = load<i32>(starts + ((<usize>j) << 2));
    const end = load<i32>(starts + ((<usize>j) << 2), 4);
    if (first != end && !isNothing(own)) forward(x, own, rows, first, end, lower);
  }
  for (let j = to - 1; j >= from; j--) {
    const own = x + <usize>j * 48;
    const first = load<i32>(starts + ((<usize>j) << 2));
    const end = load<i32>(starts + ((<usize>j) << 2), 4);
    const isOpen = j >= at && !isNothing(own);
    if (isOpen || first != end) {
      backward(x, own, rows, first, end, lower, isOpen ? diagonal + <usize>j * BLOCK_BYTES : 0);
    }
  }
}

function isNothing(x: usize): bool {
  return !v128.any_true(v128.or(v128.or(v128.load(x), v128.load(x, 16)), v128.load(x, 32)));
}

/**
 * The same for any x, where the blocks of Lᵀ are not those of L: `upper`, each turned to stand as its twin in L does.
 */
export function solveTriangles(factor: usize, x: usize, from: i32, to: i32, upper: usize): void {
  const starts = load<usize>(factor, FACTOR_STARTS);
  const rows = load<usize>(factor, FACTOR_ROWS);
  const diagonal = load<usize>(factor, FACTOR_DIAGONAL);
  const lower = load<usize>(factor, FACTOR_LOWER);
  for (let j = from; j < to; j++) {
    const first = load<i32>(starts + ((<usize>j) << 2));
    const end = load<i32>(starts + ((<usize>j) << 2), 4);
    if (first != end) forward(x, x + <usize>j * 48, rows, first, end, lower);
  }
  for (let j = to - 1; j >= from; j--) {
    const first = load<i32>(starts + ((<usize>j) << 2));
    const end = load<i32>(starts + ((<usize>j) << 2), 4);
    backward(x, x + <usize>j * 48, rows, first, end, upper, diagonal + <usize>j * BLOCK_BYTES);
  }
}

/** x_i −= L_ij x_j down one column. */
function forward(x: usize, own: usize, rows: usize, first: i32, end: i32, lower: usize): void {
  const x0 = v128.load64_splat(own);
  const x1 = v128.load64_splat(own, 8);
  const x2 = v128.load64_splat(own, 16);
  const x3 = v128.load64_splat(own, 24);
  const x4 = v128.load64_splat(own, 32);
  const x5 = v128.load64_splat(own, 40);
  let l = lower + <usize>first * BLOCK_BYTES;
  for (let k = first; k < end; k++, l += BLOCK_BYTES) {
    const to = x + <usize>load<i32>(rows + ((<usize>k) << 2)) * 48;
    for (let h: usize = 0; h < 48; h += 16) {
      const p = l + h;
      const a = f64x2.add(f64x2.mul(v128.load(p), x0), f64x2.mul(v128.load(p, 48), x1));
      const b = f64x2.add(f64x2.mul(v128.load(p, 96), x2), f64x2.mul(v128.load(p, 144), x3));
      const c = f64x2.add(f64x2.mul(v128.load(p, 192), x4), f64x2.mul(v128.load(p, 240), x5));
      v128.store(to + h, f64x2.sub(v128.load(to + h), f64x2.add(f64x2.add(a, b), c)));
    }
  }
}

/** x_j := D_j⁻¹ x_j − Σ L_ijᵀ x_i; `inverse` 0 where x_j is nothing. */
function backward(x: usize, own: usize, rows: usize, first: i32, end: i32, lower: usize, inverse: usize): void {
  let a0 = f64x2.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  let a4 = a0;
  let a5 = a0;
  let l = lower + <usize>first * BLOCK_BYTES;
  for (let k = first; k < end; k++, l += BLOCK_BYTES) {
    const from = x + <usize>load<i32>(rows + ((<usize>k) << 2)) * 48;
    for (let h: usize = 0; h < 48; h += 16) {
      const v = v128.load(from + h);
      const p = l + h;
      a0 = f64x2.add(a0, f64x2.mul(v128.load(p), v));
      a1 = f64x2.add(a1, f64x2.mul(v128.load(p, 48), v));
      a2 = f64x2.add(a2, f64x2.mul(v128.load(p, 96), v));
      a3 = f64x2.add(a3, f64x2.mul(v128.load(p, 144), v));
      a4 = f64x2.add(a4, f64x2.mul(v128.load(p, 192), v));
      a5 = f64x2.add(a5, f64x2.mul(v128.load(p, 240), v));
    }
  }
  let x0 = sumPair(a0, a1);
  let x1 = sumPair(a2, a3);
  let x2 = sumPair(a4, a5);
  x0 = f64x2.neg(x0);
  x1 = f64x2.neg(x1);
  x2 = f64x2.neg(x2);
  for (let k: usize = 0; k < 6 && inverse != 0; k++) {
    const f = v128.load64_splat(own + (k << 3));
    const p = inverse + k * 48;
    x0 = f64x2.add(x0, f64x2.mul(f, v128.load(p)));
    x1 = f64x2.add(x1, f64x2.mul(f, v128.load(p, 16)));
    x2 = f64x2.add(x2, f64x2.mul(f, v128.load(p, 32)));
  }
  v128.store(own, x0);
  v128.store(own, x1, 16);
  v128.store(own, x2, 32);
}

/** (sum of a's lanes, sum of b's). */
function sumPair(a: v128, b: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3));
}

/**
 * to −= Σ f_k (column k of six at `from`, `stride` bytes apart), f the six numbers at `factors`; `to` is nothing
 * before where it `isNew`. Columns are `bytes` long.
 */
export function addScaled(to: usize, from: usize, stride: usize, bytes: usize, factors: usize, isNew: bool): void {
  const f0 = v128.load64_splat(factors);
  const f1 = v128.load64_splat(factors, 8);
  const f2 = v128.load64_splat(factors, 16);
  const f3 = v128.load64_splat(factors, 24);
  const f4 = v128.load64_splat(factors, 32);
  const f5 = v128.load64_splat(factors, 40);
  const c1 = from + stride;
  const c2 = c1 + stride;
  const c3 = c2 + stride;
  const c4 = c3 + stride;
  const c5 = c4 + stride;
  for (let p: usize = 0; p < bytes; p += 16) {
    const a = f64x2.add(f64x2.mul(f0, v128.load(from + p)), f64x2.mul(f1, v128.load(c1 + p)));
    const b = f64x2.add(f64x2.mul(f2, v128.load(c2 + p)), f64x2.mul(f3, v128.load(c3 + p)));
    const c = f64x2.add(f64x2.mul(f4, v128.load(c4 + p)), f64x2.mul(f5, v128.load(c5 + p)));
    const before = isNew ? f64x2.splat(0) : v128.load(to + p);
    v128.store(to + p, f64x2.sub(before, f64x2.add(f64x2.add(a, b), c)));
  }
}

/** Block at (row, column), −1 none. */
export function findBlock(factor: usize, row: i32, column: i32): i32 {
  const starts = load<usize>(factor, FACTOR_STARTS) + ((<usize>column) << 2);
  const rows = load<usize>(factor, FACTOR_ROWS);
  let low = load<i32>(starts);
  let high = load<i32>(starts, 4) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = load<i32>(rows + ((<usize>middle) << 2));
    if (at == row) return middle;
    if (at < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
