// Contact weights of the nodes: w = share · 3/trace((A⁻¹)_jj), what a node really sets against a push, with the
// whole strand behind it. The share is the strand's own, in its flags: admm-elastic.wgsl balances it from look to look.
// CPU twins: strandWeight in solvers/admm/weights.ts, shareOf in kernels/assembly/rod/rods.ts.
//
// The blocks of A⁻¹ that are needed follow from the factor, from the last node to the first (Takahashi,
// Fagan and Chin 1973), here by 4×4 blocks: with T D Tᵀ the node's own block of the factor, B₁ and B₂ those
// of the next two nodes, M_k = B_k T⁻¹,
//   Z_1i = −(Z₁₁ M₁ + Z₁₂ M₂), Z_2i = −(Z₁₂ᵀ M₁ + Z₂₂ M₂), Z_ii = (T D Tᵀ)⁻¹
//   − M₁ᵀ Z_1i − M₂ᵀ Z_2i.
// A node that comes with a weight below 0 has no contact (contact-mark.wgsl): it gets none and is solved exactly at
// once. A strand without contacts, or gone bad, is IDLE until the next look for them.

/// b T⁻¹ for a row b; inner and more: L within the node, as factorise.wgsl has it.
fn rowOver(b: vec4f, inner: vec4f, more: vec4f) -> vec4f {
  var m = b;
  m.z -= more.y * m.w;
  m.y -= inner.w * m.z + more.x * m.w;
  m.x -= inner.x * m.y + inner.y * m.z + inner.z * m.w;
  return m;
}

/// The share of the strand's resistance that its weights are; 0: it takes no part. Notes both in its flags.
fn shareOf(slot: u32, first: u32) -> f32 {
  let flags = strands[slot].flags & ~(IDLE | LIMITED | SHARE_BITS);
  var touched = 0u;
  for (var i = 0u; i < block.nodes; i++) {
    touched += select(1u, 0u, weights[first + i] < 0.0);
  }
  if (touched == 0u || (flags & STRAND_QUARANTINED) != 0u) {
    strands[slot].flags = flags | IDLE;
    return 0.0;
  }
  // A heavier weight is for forces that neighbours hand on: at most so much a node.
  let most = clamp(SHARE_PER_NODE * f32(touched), STRAND_SHARE, MOST_SHARE);
  let step = min((strands[slot].flags & SHARE_BITS) >> SHARE_SHIFT, u32(16.0 * log2(most / STRAND_SHARE)));
  strands[slot].flags = flags | (step << SHARE_SHIFT);
  return STRAND_SHARE * exp2(f32(step) / 16.0);
}

/// Of strand s.
fn weigh(s: u32) {
  let slot = block.firstStrand + s;
  let first = strands[slot].first;
  let share = shareOf(slot, first);
  var z11 = mat4x4f();
  var z12 = mat4x4f();
  var z22 = mat4x4f();
  for (var k = block.nodes; k > 0u; k--) {
    let i = k - 1u;
    if (share == 0.0) {
      weights[first + i] = 0.0;
      continue;
    }
    let base = at(i, 0u, FACTOR_VALUES, s);
    let step = block.strands;
    let inverse = plain[base];
    let inner = plain[base + step];
    let more = plain[base + 2u * step];
    let m1 = transpose(mat4x4f(
      rowOver(plain[base + 3u * step], inner, more),
      rowOver(plain[base + 4u * step], inner, more),
      rowOver(plain[base + 5u * step], inner, more),
      rowOver(plain[base + 6u * step], inner, more),
    ));
    let m2 = transpose(mat4x4f(
      rowOver(plain[base + 7u * step], inner, more),
      rowOver(plain[base + 8u * step], inner, more),
      rowOver(plain[base + 9u * step], inner, more),
      vec4f(0.0),
    ));
    // T⁻¹, whose rows are what T⁻¹ makes of the unit rows.
    let x = rowOver(vec4f(1.0, 0.0, 0.0, 0.0), inner, more);
    let y = rowOver(vec4f(0.0, 1.0, 0.0, 0.0), inner, more);
    let z = rowOver(vec4f(0.0, 0.0, 1.0, 0.0), inner, more);
    let t = rowOver(vec4f(0.0, 0.0, 0.0, 1.0), inner, more);
    let own = mat4x4f(x, y, z, t) * transpose(mat4x4f(inverse.x * x, inverse.y * y, inverse.z * z, inverse.w * t));
    let p = z11 * m1 + z12 * m2;
    let q = transpose(z12) * m1 + z22 * m2;
    // Rounding must not make it lopsided: that would grow from node to node.
    let sum = own + transpose(m1) * p + transpose(m2) * q;
    let zii = 0.5 * (sum + transpose(sum));
    z22 = z11;
    z12 = -1.0 * transpose(p);
    z11 = zii;
    let trace = zii[0].x + zii[1].y + zii[2].z;
    let isHeld = inverse.x < 2.0 / HELD;
    weights[first + i] = select(3.0 * share / trace, 0.0, isHeld || weights[first + i] < 0.0);
  }
}
