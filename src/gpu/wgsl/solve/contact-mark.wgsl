// Marks the nodes of contacts: rod-weigh gives these a weight, the others are solved exactly at once. Notes how fast
// each contact's sides meet without contacts, for admm-limit.wgsl. One thread a contact.

@reads(counters, contacts, movers, free)
@writes(atomic report)
/// Bits of f32, as `meetings`; atomic, since contacts share nodes.
@writes(weights: array<atomic<u32>>)
/// Fastest meeting at a node [m/s].
@writes(atomic meetings)
/// δ₀ of the start, which admm-trial.wgsl writes for all nodes but those of obstacles.
@writes(reference)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= min(counters[0], solver.capacity)) {
    return;
  }
  let c = contacts[id.x];
  var own = vec3f(0.0);
  for (var k = 0u; k < 4u; k++) {
    if (c.nodes[k] != NOTHING) {
      atomicStore(&weights[c.nodes[k]], 0u);
      reference[c.nodes[k]] = vec4f(0.0);
      own += c.weights[k] * free[c.nodes[k]].xyz;
    }
  }
  var other = c.drift.xyz;
  let mover = c.mover;
  if (c.nodes.z == NOTHING && mover < solver.movers) {
    other += movers[mover].velocity.xyz + cross(movers[mover].spin.xyz, c.arm);
  }
  let meeting = bitcast<u32>(length(own - other));
  atomicMax(&meetings[c.nodes.x], meeting);
  if (c.nodes.z != NOTHING) {
    atomicMax(&meetings[c.nodes.z], meeting);
    for (var k = 0u; k < 4u; k++) {
      atomicMax(&report[FASTEST], bitcast<u32>(length(free[c.nodes[k]].xyz)));
    }
  } else {
    atomicMax(&report[FASTEST], bitcast<u32>(length(other)));
  }
}
