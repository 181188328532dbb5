// Adds what the joints' last impulses change to the velocities of their strands. One workgroup a strand.

@group(0) @binding(0) var<storage, read> joints: array<Joint>;
@group(0) @binding(1) var<storage, read> ties: array<Tie>;
@group(0) @binding(2) var<storage, read> columns: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> velocities: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let joint = joints[group.x];
  if (joint.own != group.x) {
    return;
  }
  for (var i = thread; i < joint.count; i += 64u) {
    velocities[joint.first + i] += changeAt(joint, i);
  }
}
