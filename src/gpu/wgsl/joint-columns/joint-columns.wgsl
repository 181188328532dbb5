// Columns of K⁻¹ Cᵀ: what a unit impulse on a joint's node, along x, y and z, makes of its strand's velocities. One thread a column; a
// dispatch a block of strands, for A and for A + W. Of A + W also δ as it was, which begins at 0.

@group(0) @binding(1) var<storage, read> joints: array<Joint>;
@group(0) @binding(2) var<storage, read> factors: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> columns: array<vec4f>;

/// Where the column is: rod-triangle.wgsl leaves the half solved one there.
var<private> column: u32;

fn putReduced(i: u32, s: u32, value: vec4f) {
  columns[column + i] = value;
}

fn takeReduced(i: u32, s: u32) -> vec4f {
  return columns[column + i];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let j = id.x / 3u;
  let axis = id.x % 3u;
  if (j >= arrayLength(&joints)) {
    return;
  }
  let joint = joints[j];
  if (joint.count != block.nodes || joint.slot < block.firstStrand || joint.slot >= block.firstStrand + block.strands) {
    return;
  }
  let s = joint.slot - block.firstStrand;
  column = joint.columns + axis * joint.count;
  let at = joint.node - joint.first;
  var window = Forward();
  for (var i = 0u; i < block.nodes; i++) {
    var right = vec4f(0.0);
    if (i == at) {
      right[axis] = 1.0;
    }
    forwardNode(&window, i, s, right);
  }
  var x1 = vec4f(0.0);
  var x2 = vec4f(0.0);
  for (var k = block.nodes; k > 0u; k--) {
    let x = backwardNode(k - 1u, s, x1, x2);
    x2 = x1;
    x1 = x;
    columns[column + k - 1u] = x;
  }
  if (joint.own == j && axis == 0u) {
    for (var i = 0u; i < block.nodes; i++) {
      columns[joint.columns + 3u * joint.count + i] = vec4f(0.0);
    }
  }
}
