// Columns of L D Lᵀ in a window of three nodes, and the rotation of a row into a column.

struct Column {
  a: vec4f,   // its entries of L in the window's three nodes; the diagonal is 1, above it 0
  b: vec4f,
  c: vec4f,
  d: f32,     // pivot
  y: f32,     // right-hand side of Lᵀ x = y
}

struct Row {
  a: vec4f,
  b: vec4f,
  c: vec4f,
  w: f32,
  rho: f32,
}

/// Mixes a row into a column by the rotation that makes the row's entry z there vanish; `node`: its node in the window.
fn take(column: ptr<function, Column>, z: f32, row: ptr<function, Row>, node: u32) {
  let y = (*column).y;
  let rho = (*row).rho;
  (*row).rho = rho - z * y;
  if ((*column).d >= HELD) {
    return;
  }
  let wz = (*row).w * z;
  let d = (*column).d + wz * z;
  let inverse = 1.0 / d;
  let keep = (*column).d * inverse;
  let gain = wz * inverse;
  (*row).w *= keep;
  (*column).d = d;
  (*column).y = keep * y + gain * rho;
  if (node < 1u) {
    let a = (*row).a;
    (*row).a = a - z * (*column).a;
    (*column).a = keep * (*column).a + gain * a;
  }
  if (node < 2u) {
    let b = (*row).b;
    (*row).b = b - z * (*column).b;
    (*column).b = keep * (*column).b + gain * b;
  }
  let c = (*row).c;
  (*row).c = c - z * (*column).c;
  (*column).c = keep * (*column).c + gain * c;
}

/// The column as the window moves on by a node.
fn shift(column: Column) -> Column {
  return Column(column.b, column.c, vec4f(0.0), column.d, column.y);
}
