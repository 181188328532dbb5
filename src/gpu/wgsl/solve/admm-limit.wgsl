// The last word on a strand's velocities: contacts that do not restitute make nothing fast, and
// stretch little. One thread a strand.
//
// Twin of dynamics/elastic/limit-speeds.ts, which has the reasons: a strand that came out of a solve cut short far
// faster than anything that takes part, or far longer than it is, or as no number, goes only part of the way from its
// velocities without contacts, and its contacts lose their forces (its weights become −1: contact-store.wgsl).
// Strands of a solve that went well are not touched.

@reads(positions, rests, free)
@writes(strands, predicted, duals, atomic report)
/// Bits of the fastest meeting at each node, used up here (contact-mark.wgsl) [m/s].
@writes(meetings)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands) {
    return;
  }
  let strand = strands[block.firstStrand + id.x];
  if ((strand.flags & IDLE) != 0u) {
    return;
  }
  let first = strand.first;
  var meeting = 0.0;
  var square = 0.0;
  var bad = false;
  for (var node = first; node < first + block.nodes; node++) {
    meeting = max(meeting, bitcast<f32>(meetings[node]));
    meetings[node] = 0u;
    let v = predicted[node];
    bad = bad || isBad4(v);
    square = max(square, dot(v.xyz, v.xyz));
  }
  let dt = block.timeStep;
  let besides = LIMIT_MEETING * dt * meeting;
  var excess = 0.0;
  for (var node = first; node + 1u < first + block.nodes; node++) {
    // Without weight at either end the edge has met nothing.
    if (duals[node].w == 0.0 && duals[node + 1u].w == 0.0) {
      continue;
    }
    let edge = positions[node + 1u].xyz - positions[node].xyz;
    let solved = length(edge + dt * (predicted[node + 1u].xyz - predicted[node].xyz));
    let alone = length(edge + dt * (free[node + 1u].xyz - free[node].xyz));
    let rest = rests[3u * node].x;
    excess = max(excess, (solved - max(rest, alone)) / (LIMIT_LONGER * rest + besides));
  }
  let fastest = bitcast<f32>(atomicLoad(&report[FASTEST]));
  let most = LIMIT_TIMES * fastest + LIMIT_BESIDE;
  var share = 1.0;
  if (square > most * most) {
    share = (most - fastest) / (sqrt(square) + fastest);
  }
  if (excess > 1.0) {
    share = min(share, 1.0 / excess);
  }
  if (!bad && !isBad(square) && share == 1.0) {
    return;
  }
  atomicAdd(&report[REPORT_LIMITED], 1u);
  strands[block.firstStrand + id.x].flags |= LIMITED;
  for (var node = first; node < first + block.nodes; node++) {
    if (bad || isBad(square)) {
      predicted[node] = free[node];
    } else {
      predicted[node] = free[node] + share * (predicted[node] - free[node]);
    }
    duals[node].w = -1.0;
  }
}
