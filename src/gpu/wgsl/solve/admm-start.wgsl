// The nodes between the forces of the start and the first iteration: δ₀ in `reference`, of which the share is taken,
// becomes the reference, and the increments start at 0. One thread a node.

@reads(weights, free, work)
@writes(reference, projected, delta, report)
/// ℓ; W.
@writes(duals)

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let node = id.x;
  if (node >= solver.nodes) {
    return;
  }
  let share = shareOf();
  reference[node] = free[node] + share * reference[node];
  projected[node] = vec4f(0.0);
  delta[node] = vec4f(0.0);
  duals[node] = vec4f(0.0, 0.0, 0.0, weights[node]);
  if (node == 0u) {
    report[REPORT_SHARE] = bitcast<u32>(share);
  }
}
