// One contact of a sweep: the heart of Algorithm 3 (Daviet 2020). CPU twin: solvers/admm/project.ts.

@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<storage, read> rows: array<Row>;
@group(0) @binding(3) var<storage, read_write> forces: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> projected: array<vec4f>;
@group(0) @binding(5) var<storage, read> bodies: array<Body>;
@group(0) @binding(6) var<storage, read_write> report: array<atomic<u32>>;

/// B π of a row: edge A less edge B or the point of the body, as it was at the start of the sweep.
fn velocityOf(row: Row) -> vec3f {
  let s = bitcast<f32>(row.nodes.z);
  let t = bitcast<f32>(row.nodes.w);
  let a = projected[row.nodes.x].xyz;
  let u = a + s * (projected[row.nodes.x + 1u].xyz - a);
  let second = row.nodes.y;
  if (second == NOWHERE) {
    return u;
  }
  if ((second & BODY) != 0u) {
    let push = bodies[second & ~BODY].push;
    return u - push[0].xyz - cross(push[1].xyz, vec3f(row.gamma.zw, t));
  }
  let b = projected[second].xyz;
  return u - b - t * (projected[second + 1u].xyz - b);
}

fn addTo(node: u32, gamma: f32, change: vec3f) {
  // Nodes that nothing moves: other contacts of the colour may be at them, too.
  if (gamma != 0.0) {
    projected[node] += vec4f(gamma * change, 0.0);
  }
}

/// π += γ change.
fn push(row: Row, change: vec3f) {
  addTo(row.nodes.x, row.gamma.x, change);
  addTo(row.nodes.x + 1u, row.gamma.y, change);
  if ((row.nodes.y & BODY) == 0u) {
    addTo(row.nodes.y, row.gamma.z, change);
    addTo(row.nodes.y + 1u, row.gamma.w, change);
  }
}

/// Solves row k. The three cases: apart, stuck, slipping (all but the excess of the slip is taken off).
fn solveRow(k: u32) {
  let row = rows[k];
  let force = forces[k].xyz;
  let n = row.normal.xyz;
  let u = row.offset.xyz + row.offset.w * force + velocityOf(row);
  let without = u - force;
  var x = without;
  let along = dot(x, n);
  if (along < 0.0) {
    x -= along * n;
    let slip = length(x);
    let limit = -row.normal.w * along;
    x *= select(1.0 - limit / slip, 0.0, slip <= limit);
  }
  // Exactly none where the sides are apart.
  let next = x - without;
  let change = next - force;
  forces[k] = vec4f(next, dot(change, change));
  push(row, change);
}

/// Square of the change below which a contact sleeps for the rest of the projection; 0: none does, or this is the first sweep.
fn sleepLimit() -> f32 {
  if (atomicLoad(&report[SWEEP]) == 0u) {
    return 0.0;
  }
  var limit = solver.leastSleep;
  let done = atomicLoad(&report[ITERATIONS]);
  if (done > atomicLoad(&report[FIRST_ITERATION])) {
    let slot = min(done, SLOTS) - 1u;
    let reached = bitcast<f32>(atomicLoad(&report[MOVED + slot])) + bitcast<f32>(atomicLoad(&report[APART + slot]));
    limit = max(limit, solver.sleepShare * reached);
  }
  return limit * limit;
}

/// Solves row k unless it sleeps; returns whether it was solved.
fn sweepRow(k: u32, limit: f32) -> bool {
  if (forces[k].w < limit) {
    return false;
  }
  solveRow(k);
  return true;
}

/// π += W⁻¹ Bᵀ r of the row.
fn spreadRow(k: u32) {
  push(rows[k], forces[k].xyz - forces[solver.capacity + k].y * rows[k].normal.xyz);
}
