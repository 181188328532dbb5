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
