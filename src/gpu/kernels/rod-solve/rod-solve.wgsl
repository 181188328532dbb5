// Triangular solves with a factor of rod-factor.wgsl. One thread a strand.
//
// `solve`: x = (L D Lᵀ)⁻¹ b for b by nodes: the inner loop of the contact solve. `finish`: the step without contacts, from
// what the factorisation left in `reduced`, added to the velocities of the step's start. Each reads the factor in order, once a
// pass, and keeps what two neighbouring nodes exchange in registers. Held unknowns do not move (b is not looked at).

const FACTOR = 10u;

@group(0) @binding(1) var<storage, read_write> strands: array<Strand>;
@group(0) @binding(2) var<storage, read> factors: array<vec4f>;
/// `solve`: b by nodes; `finish`: velocities at the start of the step.
@group(0) @binding(3) var<storage, read> right: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> reduced: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> out: array<vec4f>;

/// Lᵀ x = y, node by node from the end; returns whether a number is bad.
fn backward(s: u32, first: u32, onto: bool) -> bool {
  var x1 = vec4f(0.0);
  var x2 = vec4f(0.0);
  var bad = false;
  for (var k = block.nodes; k > 0u; k--) {
    let i = k - 1u;
    let base = at(i, 0u, FACTOR, s);
    let step = block.strands;
    let inner = factors[base + step];
    let more = factors[base + 2u * step];
    var x = reduced[at(i, 0u, 1u, s)];
    x -= factors[base + 3u * step] * x1.x + factors[base + 4u * step] * x1.y;
    x -= factors[base + 5u * step] * x1.z + factors[base + 6u * step] * x1.w;
    x -= factors[base + 7u * step] * x2.x + factors[base + 8u * step] * x2.y + factors[base + 9u * step] * x2.z;
    x.z -= more.y * x.w;
    x.y -= inner.w * x.z + more.x * x.w;
    x.x -= inner.x * x.y + inner.y * x.z + inner.z * x.w;
    x2 = x1;
    x1 = x;
    bad = bad || isBad4(x);
    var start = vec4f(0.0);
    if (onto) {
      start = right[first + i];
    }
    out[first + i] = start + x;
  }
  return bad;
}

@compute @workgroup_size(64)
fn solve(@builtin(global_invocation_id) id: vec3u) {
  let s = id.x;
  if (s >= block.strands) {
    return;
  }
  let strand = strands[block.firstStrand + s];
  if ((strand.flags & IDLE) != 0u) {
    return;
  }
  let first = strand.first;
  // y of the last two nodes, and the rows that they meet in the next and the one after.
  var y1 = vec4f(0.0);
  var y2 = vec4f(0.0);
  var next = mat4x4f();
  var later = mat3x4f();
  var soon = mat3x4f();
  for (var i = 0u; i < block.nodes; i++) {
    let base = at(i, 0u, FACTOR, s);
    let step = block.strands;
    let inverse = factors[base];
    let inner = factors[base + step];
    let more = factors[base + 2u * step];
    var y = right[first + i] - y1 * next - vec4f(y2 * later, 0.0);
    // Held unknowns
    y = select(y, vec4f(0.0), inverse < vec4f(2.0 / HELD));
    y.y -= inner.x * y.x;
    y.z -= inner.y * y.x + inner.w * y.y;
    y.w -= inner.z * y.x + more.x * y.y + more.y * y.z;
    reduced[at(i, 0u, 1u, s)] = y * inverse;
    y2 = y1;
    y1 = y;
    later = soon;
    next = mat4x4f(
      factors[base + 3u * step],
      factors[base + 4u * step],
      factors[base + 5u * step],
      factors[base + 6u * step],
    );
    soon = mat3x4f(factors[base + 7u * step], factors[base + 8u * step], factors[base + 9u * step]);
  }
  backward(s, first, false);
}

@compute @workgroup_size(64)
fn finish(@builtin(global_invocation_id) id: vec3u) {
  let s = id.x;
  if (s >= block.strands) {
    return;
  }
  let slot = block.firstStrand + s;
  let strand = strands[slot];
  if (backward(s, strand.first, true)) {
    strands[slot].flags |= QUARANTINED;
  }
  // A strand whose numbers are bad stands still from now on.
  if ((strands[slot].flags & QUARANTINED) != 0u) {
    for (var i = 0u; i < block.nodes; i++) {
      out[strand.first + i] = vec4f(0.0);
    }
  }
}
