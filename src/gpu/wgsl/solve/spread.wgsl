// Velocities take over what was pushed, spread along the strands; the sums of the round before are cleared.

/// Place of the header of a node's strand; NOTHING: no edge of its takes part.
fn strandOf(node: u32) -> u32 {
  let own = edges[node].strand;
  let before = edges[max(node, 1u) - 1u].strand;
  return select(own, before, own == NOTHING);
}

fn spread(node: u32, half: u32) {
  for (var k = 0u; k < 4u; k++) {
    atomicStore(&changes[changesOf(node, 1u - half) + k], 0);
  }
  let slot = strandOf(node);
  if (slot == NOTHING) {
    return;
  }
  let range = freeNodes(strands[slot & ~HELD_BIT]);
  let here = i32(node);
  if (here < range.x || here > range.y) {
    return;
  }
  var sum = vec3f(0.0);
  for (var k = -FAR; k <= FAR; k++) {
    let other = changesOf(u32(mirrored(here + k, range)), half);
    let change = vec3i(atomicLoad(&changes[other]), atomicLoad(&changes[other + 1u]), atomicLoad(&changes[other + 2u]));
    sum += FADING[abs(k)] * vec3f(change);
  }
  if (any(sum != vec3f(0.0))) {
    predicted[node] += vec4f(GRAIN * sum, 0.0);
  }
}
