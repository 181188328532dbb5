// The step without contacts, from what the factorisation left in `reduced`, added to the velocities of the
// step's start. One thread a strand.

@reads(factors)
/// At the start of the step.
@reads(velocities)
@writes(strands, reduced, predicted)

/// Lᵀ x = y, node by node from the end; returns whether a number is bad.
fn backward(s: u32, first: u32) -> bool {
  var x1 = vec4f(0.0);
  var x2 = vec4f(0.0);
  var bad = false;
  for (var k = block.nodes; k > 0u; k--) {
    let i = k - 1u;
    let x = backwardNode(i, s, x1, x2);
    x2 = x1;
    x1 = x;
    bad = bad || isBad4(x);
    predicted[first + i] = velocities[first + i] + x;
  }
  return bad;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let s = id.x;
  if (s >= block.strands) {
    return;
  }
  let slot = block.firstStrand + s;
  let strand = strands[slot];
  if (backward(s, strand.first)) {
    strands[slot].flags |= STRAND_QUARANTINED;
  }
  // A strand whose numbers are bad stands still from now on.
  if ((strands[slot].flags & STRAND_QUARANTINED) != 0u) {
    for (var i = 0u; i < block.nodes; i++) {
      predicted[strand.first + i] = vec4f(0.0);
    }
  }
}
