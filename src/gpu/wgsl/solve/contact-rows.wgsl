// Rows of the sweeps from contacts, in the order of colours. One thread a row. Twin of admmGather in
// kernels/assembly/elastic/gather.ts.
//
// A contact with a body is not isotropic: W_cc = (Σ b²/w + 1/w_slack) I + n (I/m − [arm]× I⁻¹ [arm]×), n the
// body's contacts: in a sweep they all see the body as it was at its start, each a share of its mass (Tonge 2012), and
// the sum goes to the whole. s has n/m and n times the Frobenius norm of the second part: an upper bound, so that the
// sweep goes down the same energy to the same answer, in smaller steps. Hair weighs so little against what it touches
// that the bound hardly matters; a body lighter than the strands on it takes many iterations.

@reads(contacts, order, weights, rests, bodies, free)
/// From solver.capacity on: in the first number of each where a bucket of rows starts, last where the last one ends.
@writes(rows)
/// s r [m/s] and the square of its last change, a row each; from solver.capacity on: s [1/kg], cohesion's share of s r
/// along the normal, bits of the contact, 0.
@writes(forces)

/// Frobenius norm of −[arm]× I⁻¹ [arm]×
fn turnNorm(body: Body, arm: vec3f) -> f32 {
  let I = symmetric(body.inertia, body.inertiaMore);
  let C = mat3x3f(0.0, arm.z, -arm.y, -arm.z, 0.0, arm.x, arm.y, -arm.x, 0.0);
  let K = C * I * C;
  return sqrt(dot(K[0], K[0]) + dot(K[1], K[1]) + dot(K[2], K[2]));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k <= COLOURS) {
    rows[solver.capacity + k].nodes.x = order[k];
  }
  if (k >= order[COLOURS]) {
    return;
  }
  let i = order[LIST_HEAD + k];
  let c = contacts[i];
  let n = c.normal.xyz;
  let gap = c.normal.w;
  let dt = solver.timeStep;
  let mover = c.mover;
  let isBody = c.nodes.z == NOTHING;

  // What each node weighs in s, its velocity, and the edges' lengths.
  let slack = c.material.z / (dt * dt);
  var s = slack;
  var gamma = vec4f(0.0);
  var offset = -c.drift.xyz;
  for (var j = 0u; j < select(4u, 2u, isBody); j++) {
    let w = weights[c.nodes[j]];
    if (w > 0.0) {
      gamma[j] = c.weights[j] / w;
      s += c.weights[j] * gamma[j];
    }
    offset += c.weights[j] * free[c.nodes[j]].xyz;
  }
  var edge = rests[3u * c.nodes.x].x;
  var second = NOWHERE;
  if (!isBody) {
    edge = min(edge, rests[3u * c.nodes.z].x);
    second = c.nodes.z;
  } else if (mover < solver.movers) {
    let body = bodies[mover];
    offset -= body.velocity.xyz + cross(body.spin.xyz, c.arm);
    if (body.velocity.w > 0.0 && mover < solver.pushable) {
      s += body.spin.w * (body.velocity.w + turnNorm(body, c.arm));
      second = BODY | mover;
    }
  }

  let most = min(solver.recoverySpeed, RECOVERY_OF_EDGE * edge / dt);
  offset += n * select(max(solver.recoveryRate * gap, -most), gap / dt, gap > 0.0);
  let inverse = select(0.0, 1.0 / s, s > 0.0);
  let pull = select(0.0, s * c.material.y * solver.pullTime, gap <= COHESION_REACH * c.material.w);
  gamma *= inverse;
  var t = -c.weights.w;
  if (isBody) {
    gamma = vec4f(gamma.xy, c.arm.xy);
    t = c.arm.z;
  }
  let force = c.force.xyz * s;
  rows[k] = Row(
    vec4u(c.nodes.x, second, bitcast<u32>(c.weights.y), bitcast<u32>(t)),
    gamma,
    vec4f(n, c.material.x),
    select(vec4f(0.0), vec4f(offset, slack * inverse), s > 0.0),
  );
  forces[k] = vec4f(force, 0.0);
  forces[solver.capacity + k] = vec4f(s, pull, bitcast<f32>(i), 0.0);
}
