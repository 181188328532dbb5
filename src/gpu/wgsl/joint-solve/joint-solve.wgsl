// μ of each group of joints from what its rows lack. One workgroup a group.

@group(0) @binding(0) var<storage, read> joints: array<Joint>;
@group(0) @binding(1) var<storage, read_write> ties: array<Tie>;
@group(0) @binding(2) var<storage, read_write> system: array<f32>;

var<workgroup> rows: u32;

/// Loads the rows of joint k of the group; bits from 8 on: it is out of use.
fn load(k: u32, joint: Joint, tie: Tie) {
  let bits = u32(tie.base.w);
  for (var axis = 0u; axis < 3u; axis++) {
    let isRope = joint.length > 0.0 && axis == 0u && bits < 8u;
    on[3u * k + axis] = ((bits >> axis) & 1u) | select(0u, 2u, isRope);
    lack[3u * k + axis] = tie.lack[axis];
    held[3u * k + axis] = tie.held[axis];
  }
}

fn store(k: u32, j: u32) {
  let tie = ties[j];
  let added = vec3f(step[3u * k], step[3u * k + 1u], step[3u * k + 2u]);
  ties[j].rows = vec4f(added, 0.0);
  ties[j].push = vec4f(impulseOf(joints[j], tie, added), 0.0);
  ties[j].pull = vec4f(impulseOf(joints[j], tie, tie.held.xyz + added), 0.0);
  if (tie.base.w < 8.0) {
    ties[j].base.w = f32((on[3u * k] & 1u) + 2u * (on[3u * k + 1u] & 1u) + 4u * (on[3u * k + 2u] & 1u));
  }
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let first = group.x;
  if (thread == 0u) {
    rows = select(0u, 3u * joints[first].groupCount, joints[first].group == first);
  }
  let n = workgroupUniformLoad(&rows);
  if (n == 0u) {
    return;
  }
  for (var k = thread; k < n / 3u; k += THREADS) {
    load(k, joints[first + k], ties[first + k]);
  }
  workgroupBarrier();
  solveRows(joints[first].system, n, thread);
  for (var k = thread; k < n / 3u; k += THREADS) {
    store(k, first + k);
  }
}
