// What joints change in the last elastic half of a look (`last` in admm-elastic.wgsl): δ, what the projection had besides, the strand's
// share of the weights. One workgroup a strand.

@group(0) @binding(0) var<uniform> times: Times;
@group(0) @binding(1) var<storage, read> joints: array<Joint>;
@group(0) @binding(2) var<storage, read> ties: array<Tie>;
/// δ of the iteration before behind the columns of a strand's first joint.
@group(0) @binding(3) var<storage, read> columns: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> delta: array<vec4f>;
/// ℓ; W.
@group(0) @binding(5) var<storage, read> duals: array<vec4f>;
/// p − v; how far π was from δ.
@group(0) @binding(6) var<storage, read_write> projected: array<vec4f>;
/// Headers, with the flags third.
@group(0) @binding(7) var<storage, read_write> strands: array<vec4u>;

/// The share of the weights in the flags, as in strand.wgsl.
const SHARE_SHIFT = 8u;
const SHARE_BITS = 63u << SHARE_SHIFT;

/// Bits of the farthest that δ moved [m/s].
var<workgroup> moved: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let joint = joints[group.x];
  if (joint.own != group.x) {
    return;
  }
  let gap = projected[joint.first].w;
  let before = joint.columns + 3u * joint.count;
  for (var i = thread; i < joint.count; i += 64u) {
    let node = joint.first + i;
    let change = changeAt(joint, i);
    let x = delta[node] + change;
    delta[node] = x;
    if (duals[node].w > 0.0) {
      let far = abs(x.xyz - columns[before + i].xyz);
      atomicMax(&moved, bitcast<u32>(max(max(far.x, far.y), far.z)));
      projected[node] -= vec4f(change.xyz, 0.0);
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    let flags = strands[joint.slot].z;
    let share = balanced((flags & SHARE_BITS) >> SHARE_SHIFT, gap, bitcast<f32>(atomicLoad(&moved)), times.tolerance);
    strands[joint.slot].z = (flags & ~SHARE_BITS) | (share << SHARE_SHIFT);
  }
}
