// What the crowd changed at a node. The kernel binds `claims` and `projected`.

/// π of a node that the crowd was at.
fn settleNode(node: u32) {
  let at = CLAIMS * node;
  if (atomicLoad(&claims[at + MET]) == 0u) {
    return;
  }
  var steps = vec3i(0);
  for (var k = 0u; k < 3u; k++) {
    steps[k] = bitcast<i32>(atomicExchange(&claims[at + CHANGE + k], 0u));
  }
  projected[node] += vec4f(vec3f(steps) / FINE, 0.0);
}
