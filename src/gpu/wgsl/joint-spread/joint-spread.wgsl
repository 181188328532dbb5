// What joints change in the elastic half of an iteration (admm-elastic.wgsl, which leaves δ∞ of these strands to be noted here): δ, and
// by it π and ℓ. One workgroup a strand, between two projections.

@group(0) @binding(0) var<storage, read> joints: array<Joint>;
@group(0) @binding(1) var<storage, read> ties: array<Tie>;
@group(0) @binding(2) var<storage, read_write> columns: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> delta: array<vec4f>;
/// ℓ; W.
@group(0) @binding(4) var<storage, read_write> duals: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> projected: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> report: array<atomic<u32>>;

/// As in admm-elastic.wgsl.
const RELAXATION = 1.6;
const ITERATIONS = 0u;
const MOVED = 80u;
const SLOTS = 128u;

/// Bits of the farthest that δ moved [m/s].
var<workgroup> moved: atomic<u32>;
var<workgroup> way: u32;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let joint = joints[group.x];
  if (joint.own != group.x) {
    return;
  }
  let last = joint.columns + 3u * joint.count;
  for (var i = thread; i < joint.count; i += 64u) {
    let node = joint.first + i;
    let change = changeAt(joint, i);
    let x = delta[node] + change;
    let dual = duals[node];
    var share = 1.0;
    if (dual.w > 0.0) {
      let far = abs(x.xyz - columns[last + i].xyz);
      atomicMax(&moved, bitcast<u32>(max(max(far.x, far.y), far.z)));
      share = RELAXATION;
      duals[node] = vec4f(dual.xyz - share * change.xyz, dual.w);
    }
    projected[node] += vec4f(share * change.xyz, 0.0);
    delta[node] = x;
    columns[last + i] = x;
  }
  workgroupBarrier();
  if (thread == 0u) {
    way = atomicLoad(&moved);
    let done = atomicLoad(&report[ITERATIONS]);
    if (done > 0u && done < SLOTS) {
      atomicMax(&report[MOVED + done], way);
    }
  }
  workgroupBarrier();
  // What the strand lacks, for the sweeps: how far π was from δ is there already.
  for (var i = thread; i < joint.count; i += 64u) {
    projected[joint.first + i].w += bitcast<f32>(way);
  }
}
