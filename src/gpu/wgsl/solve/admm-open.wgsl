// Nodes and report as a look for contacts begins with them. One thread a node or number of the report.
//
// `first`: the first look of a step, with the velocities without contacts in `predicted`; `again`: a further one.


@group(0) @binding(1) var<storage, read_write> weights: array<f32>;
@group(0) @binding(2) var<storage, read_write> projected: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> delta: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> duals: array<vec4f>;
@group(0) @binding(5) var<storage, read> predicted: array<vec4f>;
/// Velocities without contacts.
@group(0) @binding(6) var<storage, read_write> free: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> claims: array<u32>;
@group(0) @binding(8) var<storage, read_write> report: array<u32>;

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
  if (id.x < REPORT) {
    report[id.x] = select(select(0u, 1u, id.x == LOOKS), bitcast<u32>(solver.tolerance), id.x == TOLERANCE);
  }
  if (id.x < solver.nodes) {
    openNode(id.x);
    free[id.x] = predicted[id.x];
  }
}

@compute @workgroup_size(256)
fn again(@builtin(global_invocation_id) id: vec3u) {
  if (id.x == 0u) {
    report[LOOKS] += 1u;
    report[SWEEP] = 0u;
    report[WAITING] = 0u;
  }
  if (id.x < solver.nodes) {
    openNode(id.x);
  }
}
