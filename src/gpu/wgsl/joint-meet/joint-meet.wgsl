// Joints in the contact solve: what they lack (`ask`), and what their impulses do to bodies (`pull`). One thread a joint.
//
//   Start   after the contact forces of the start (K = A): the velocities are free + δ₀; μ beyond that without contacts goes to `more`
//   Main    after each elastic solve (K = A + W): reference + δ; μ beyond that of the start, of which the share was taken
//   Last    the same after the last one: the bodies feel it all

@group(0) @binding(1) var<storage, read> joints: array<Joint>;
@group(0) @binding(2) var<storage, read_write> ties: array<Tie>;
/// free and δ₀, or reference and δ.
@group(0) @binding(3) var<storage, read> base: array<vec4f>;
@group(0) @binding(4) var<storage, read> change: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> bodies: array<Body>;
/// Sums of admm-share.wgsl.
@group(0) @binding(6) var<storage, read> work: array<vec2f>;
/// By mover: impulse and moment of contacts, to which those of joints are added.
@group(0) @binding(7) var<storage, read_write> impulses: array<mat2x4f>;
@group(0) @binding(8) var<uniform> times: Times;
@group(0) @binding(9) var<storage, read> responses: array<Response>;

/// Over-relaxation, as in admm-bodies.wgsl.
const RELAXATION = 1.6;

/// How fast the point of a body is without the joints' part of this solve.
fn pointOf(body: Body, arm: vec3f, isStart: bool) -> vec3f {
  var all = mat2x4f(body.velocity, body.spin) + body.start;
  if (!isStart) {
    all += body.tied;
  }
  // Without contacts it has no W: all that it does besides is the joints'.
  if (!isStart && body.spin.w > 0.0) {
    all += body.delta;
  }
  return all[0].xyz + cross(all[1].xyz, arm);
}

fn ask(j: u32, share: f32, isStart: bool) {
  let joint = joints[j];
  var speed = base[joint.node].xyz + change[joint.node].xyz;
  if (isMovable(joint)) {
    speed -= pointOf(bodies[moverOf(joint)], ties[j].arm.xyz, isStart);
  }
  askRows(j, speed, share);
}

@compute @workgroup_size(64)
fn askStart(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < times.joints) {
    ask(id.x, 0.0, true);
  }
}

@compute @workgroup_size(64)
fn askMain(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < times.joints) {
    ask(id.x, shareOf(), false);
  }
}

/// What the joints of a body do to it, for the first of them.
fn pull(j: u32, isStart: bool) {
  let joint = joints[j];
  if (joint.pulled != j || !isMovable(joint)) {
    return;
  }
  let m = moverOf(joint);
  let body = bodies[m];
  let all = changeBy(j, responseOf(body.velocity.w, body.inertia, body.inertiaMore));
  if (isStart) {
    bodies[m].tied = all;
  } else if (body.spin.w > 0.0) {
    // K = 2 M
    bodies[m].base = body.base + 0.5 * RELAXATION * all;
    bodies[m].push = body.push + 0.5 * RELAXATION * all;
  }
}

@compute @workgroup_size(64)
fn pullStart(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < times.joints) {
    ties[id.x].more = ties[id.x].rows;
    pull(id.x, true);
  }
}

@compute @workgroup_size(64)
fn pullMain(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < times.joints) {
    pull(id.x, false);
  }
}

@compute @workgroup_size(64)
fn pullLast(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= times.joints || joints[id.x].pulled != id.x || !isMovable(joints[id.x])) {
    return;
  }
  let first = joints[id.x];
  for (var i = id.x; i < first.group + first.groupCount; i++) {
    if (joints[i].pulled == id.x) {
      let pull = ties[i].pull.xyz;
      impulses[moverOf(first)] -= mat2x4f(vec4f(pull, 0.0), vec4f(cross(ties[i].arm.xyz, pull), 0.0));
    }
  }
}
