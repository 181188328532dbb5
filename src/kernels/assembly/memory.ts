// Reading and writing the one memory by name, so that a loop reads like its formula. All inlined away.

/** Address of the column whose header cell is `cell`. */
// @ts-expect-error: decorator
@inline
export function column(cell: i32): usize {
  return load<usize>(<usize>cell);
}

/** i32 cell of the header. */
// @ts-expect-error: decorator
@inline
export function cell(address: i32): i32 {
  return load<i32>(<usize>address);
}

/** Writes an i32 cell of the header. */
// @ts-expect-error: decorator
@inline
export function setCell(address: i32, value: i32): void {
  store<i32>(<usize>address, value);
}

/** f64 parameter of the header. */
// @ts-expect-error: decorator
@inline
export function parameter(address: i32): f64 {
  return load<f64>(<usize>address);
}

/** i32 row of a column of stride 1. */
// @ts-expect-error: decorator
@inline
export function getI32(base: usize, row: i32): i32 {
  return load<i32>(base + (<usize>row << 2));
}

// @ts-expect-error: decorator
@inline
export function setI32(base: usize, row: i32, value: i32): void {
  store<i32>(base + (<usize>row << 2), value);
}

/** f64 at index `i`. */
// @ts-expect-error: decorator
@inline
export function getF64(base: usize, i: i32): f64 {
  return load<f64>(base + (<usize>i << 3));
}

// @ts-expect-error: decorator
@inline
export function setF64(base: usize, i: i32, value: f64): void {
  store<f64>(base + (<usize>i << 3), value);
}

/** Number `i` of type T. */
// @ts-expect-error: decorator
@inline
export function get<T>(base: usize, i: i32): T {
  return load<T>(base + <usize>i * sizeof<T>());
}

// @ts-expect-error: decorator
@inline
export function put<T>(base: usize, i: i32, value: T): void {
  store<T>(base + <usize>i * sizeof<T>(), value);
}

// Rows of a known length. (memory.copy and memory.fill of more than 16 bytes call out of
// the module: dearer than the row.)

/** Copies three f64. */
// @ts-expect-error: decorator
@inline
export function copy24(to: usize, from: usize): void {
  const first = v128.load(from);
  const last = load<u64>(from, 16);
  v128.store(to, first);
  store<u64>(to, last, 16);
}

/** Copies four f64. */
// @ts-expect-error: decorator
@inline
export function copy32(to: usize, from: usize): void {
  const first = v128.load(from);
  const second = v128.load(from, 16);
  v128.store(to, first);
  v128.store(to, second, 16);
}

/** Copies six f64. */
// @ts-expect-error: decorator
@inline
export function copy48(to: usize, from: usize): void {
  const first = v128.load(from);
  const second = v128.load(from, 16);
  const third = v128.load(from, 32);
  v128.store(to, first);
  v128.store(to, second, 16);
  v128.store(to, third, 32);
}

/** Zeroes six f64. */
// @ts-expect-error: decorator
@inline
export function clear48(at: usize): void {
  v128.store(at, i64x2.splat(0));
  v128.store(at, i64x2.splat(0), 16);
  v128.store(at, i64x2.splat(0), 32);
}

/** Zeroes four f64. */
// @ts-expect-error: decorator
@inline
export function clear32(at: usize): void {
  v128.store(at, i64x2.splat(0));
  v128.store(at, i64x2.splat(0), 16);
}

/** Copies `bytes`, a multiple of 8. */
export function copyWords(to: usize, from: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 8) store<u64>(to + k, load<u64>(from + k));
}
