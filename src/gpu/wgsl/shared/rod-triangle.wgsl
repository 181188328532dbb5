// Triangular solves with a factor of factorise.wgsl, node by node: the part that rod-solve and admm-elastic share.
//
// Each way reads the factor in order, once, and keeps what neighbouring nodes exchange in registers. The kernel binds
// `factors` and says where what is half solved is kept: putReduced, takeReduced (rod-reduced.wgsl).


/// On the way forth: y of the last two nodes, and the rows that they meet in the next and the one after.
struct Forward {
  y1: vec4f,
  y2: vec4f,
  next: mat4x4f,
  later: mat3x4f,
  soon: mat3x4f,
}

/// L y = b at node i, and D⁻¹ y is kept. Held unknowns do not move: b is not looked at.
fn forwardNode(f: ptr<function, Forward>, i: u32, s: u32, b: vec4f) {
  let base = at(i, 0u, FACTOR_VALUES, s);
  let step = block.strands;
  let inverse = factors[base];
  let inner = factors[base + step];
  let more = factors[base + 2u * step];
  var y = b - (*f).y1 * (*f).next - vec4f((*f).y2 * (*f).later, 0.0);
  y = select(y, vec4f(0.0), inverse < vec4f(2.0 / HELD));
  y.y -= inner.x * y.x;
  y.z -= inner.y * y.x + inner.w * y.y;
  y.w -= inner.z * y.x + more.x * y.y + more.y * y.z;
  putReduced(i, s, y * inverse);
  (*f).y2 = (*f).y1;
  (*f).y1 = y;
  (*f).later = (*f).soon;
  (*f).next = mat4x4f(
    factors[base + 3u * step],
    factors[base + 4u * step],
    factors[base + 5u * step],
    factors[base + 6u * step],
  );
  (*f).soon = mat3x4f(factors[base + 7u * step], factors[base + 8u * step], factors[base + 9u * step]);
}

/// Lᵀ x = D⁻¹ y at node i, from x1 and x2 of the next two nodes.
fn backwardNode(i: u32, s: u32, x1: vec4f, x2: vec4f) -> vec4f {
  let base = at(i, 0u, FACTOR_VALUES, s);
  let step = block.strands;
  let inner = factors[base + step];
  let more = factors[base + 2u * step];
  var x = takeReduced(i, s);
  x -= factors[base + 3u * step] * x1.x + factors[base + 4u * step] * x1.y;
  x -= factors[base + 5u * step] * x1.z + factors[base + 6u * step] * x1.w;
  x -= factors[base + 7u * step] * x2.x + factors[base + 8u * step] * x2.y + factors[base + 9u * step] * x2.z;
  x.z -= more.y * x.w;
  x.y -= inner.w * x.z + more.x * x.w;
  x.x -= inner.x * x.y + inner.y * x.z + inner.z * x.w;
  return x;
}
