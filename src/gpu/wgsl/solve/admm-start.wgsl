// The nodes between the forces of the start and the first iteration: δ₀ in `reference`, of which the share is taken,
// becomes the reference, and the increments start at 0. One thread a node.

@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read> free: array<vec4f>;
@group(0) @binding(3) var<storage, read> work: array<vec2f>;
@group(0) @binding(4) var<storage, read_write> reference: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> projected: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> delta: array<vec4f>;
/// ℓ; W.
@group(0) @binding(7) var<storage, read_write> duals: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> report: array<u32>;

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
    report[SHARE] = bitcast<u32>(share);
  }
}
