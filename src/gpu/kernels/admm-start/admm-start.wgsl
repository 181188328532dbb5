// The nodes between the forces of the start and the first iteration. One thread a node.
//
// `right`: Bᵀ r = W λ₀ from λ₀ in `projected`, to `delta`, and the fastest node without contacts; `begin`: δ₀ in `reference`, of which the share is taken, becomes the
// reference, and the increments start at 0.

@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read> free: array<vec4f>;
@group(0) @binding(3) var<storage, read> work: array<vec2f>;
@group(0) @binding(4) var<storage, read_write> reference: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> projected: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> delta: array<vec4f>;
/// ℓ; W.
@group(0) @binding(7) var<storage, read_write> duals: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> report: array<atomic<u32>>;

/// Bits of the workgroup's fastest [m/s].
var<workgroup> fastest: atomic<u32>;

@compute @workgroup_size(256)
fn right(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  let node = id.x;
  if (node < solver.nodes) {
    delta[node] = weights[node] * projected[node];
    // Strands without contacts are not solved for.
    reference[node] = vec4f(0.0);
    atomicMax(&fastest, bitcast<u32>(length(free[node].xyz)));
  }
  workgroupBarrier();
  if (thread == 0u) {
    atomicMax(&report[FASTEST], atomicLoad(&fastest));
  }
}

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3u) {
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
    atomicStore(&report[SHARE], bitcast<u32>(share));
  }
}
