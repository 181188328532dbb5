// One contact of a sweep: the heart of Algorithm 3 (Daviet 2020). CPU twin: solvers/admm/project.ts.

@reads(rows)
@writes(forces, projected, atomic claims, atomic report)

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
    return u - velocityOfBody(second & ~BODY, vec3f(row.gamma.zw, t));
  }
  let b = projected[second].xyz;
  return u - b - t * (projected[second + 1u].xyz - b);
}

fn addTo(node: u32, gamma: f32, change: vec3f, isCrowd: bool) {
  // Nodes that nothing moves: other contacts of the colour may be at them, too.
  if (gamma == 0.0) {
    return;
  }
  if (!isCrowd) {
    projected[node] += vec4f(gamma * change, 0.0);
    return;
  }
  let steps = vec3i(round(FINE * gamma * change));
  for (var k = 0u; k < 3u; k++) {
    atomicAdd(&claims[CLAIMS * node + CHANGE + k], bitcast<u32>(steps[k]));
  }
}

/// π += γ change; of the crowd: at its end (settleNode).
fn push(row: Row, change: vec3f, isCrowd: bool) {
  addTo(row.nodes.x, row.gamma.x, change, isCrowd);
  addTo(row.nodes.x + 1u, row.gamma.y, change, isCrowd);
  if ((row.nodes.y & BODY) == 0u) {
    addTo(row.nodes.y, row.gamma.z, change, isCrowd);
    addTo(row.nodes.y + 1u, row.gamma.w, change, isCrowd);
  }
}

/// Solves row k. The three cases: apart, stuck, slipping (all but the excess of the slip is taken off).
fn solveRow(k: u32, isCrowd: bool) {
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
  push(row, change, isCrowd);
}

/// Whether contacts may sleep in this sweep: not in the first of a projection.
fn maySleep() -> bool {
  return atomicLoad(&report[SWEEP]) > 0u;
}

/// Whether row k changed so little that it sleeps for the rest of the projection, by what its own strands lack, which
/// waits in w of π: who else is in the world does not matter.
fn sleeps(k: u32) -> bool {
  let nodes = rows[k].nodes;
  var left = projected[nodes.x].w;
  if ((nodes.y & BODY) == 0u) {
    left = max(left, projected[nodes.y].w);
  }
  let limit = max(solver.leastSleep, solver.sleepShare * left);
  return forces[k].w < limit * limit;
}

/// π += W⁻¹ Bᵀ r of the row.
fn spreadRow(k: u32, isCrowd: bool) {
  push(rows[k], forces[k].xyz - forces[solver.capacity + k].y * rows[k].normal.xyz, isCrowd);
}
