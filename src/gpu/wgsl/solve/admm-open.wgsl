// Nodes and report as a look for contacts begins with them. One thread a node or number of the report.
//
// `first`: the first look of a step, with the velocities without contacts in `predicted`; `again`: a further one.

@reads(predicted)
@writes(weights, projected, delta, duals, claims, report)
/// Velocities without contacts.
@writes(free)

fn openNode(node: u32) {
  weights[node] = BARE_WEIGHT;
  projected[node] = vec4f(0.0);
  delta[node] = vec4f(0.0);
  duals[node] = vec4f(0.0);
  for (var k = CLAIMS * node; k < CLAIMS * node + CLAIMS; k++) {
    claims[k] = 0u;
  }
}

@compute @workgroup_size(256)
fn first(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < REPORT_WORDS) {
    report[id.x] = select(select(0u, 1u, id.x == REPORT_LOOKS), bitcast<u32>(solver.tolerance), id.x == TOLERANCE);
  }
  if (id.x < solver.nodes) {
    openNode(id.x);
    free[id.x] = predicted[id.x];
  }
}

@compute @workgroup_size(256)
fn again(@builtin(global_invocation_id) id: vec3u) {
  if (id.x == 0u) {
    report[REPORT_LOOKS] += 1u;
    report[SWEEP] = 0u;
    report[WAITING] = 0u;
  }
  if (id.x < solver.nodes) {
    openNode(id.x);
  }
}
