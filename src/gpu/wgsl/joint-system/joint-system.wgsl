// S = C K⁻¹ Cᵀ of each group of joints, from the columns, and from the bodies between them. One workgroup a joint. CPU twin: respond in
// solvers/admm/joints.ts.
//
// `free`: K = A, M of the bodies; `held`: K = A + W, which of a body with contacts is 2 M (admm-bodies.wgsl).

@group(0) @binding(1) var<storage, read> joints: array<Joint>;
@group(0) @binding(2) var<storage, read> ties: array<Tie>;
@group(0) @binding(3) var<storage, read> columns: array<vec4f>;
@group(0) @binding(4) var<storage, read> movers: array<Mover>;
@group(0) @binding(5) var<storage, read> bodies: array<Body>;
@group(0) @binding(6) var<storage, read_write> system: array<f32>;
@group(0) @binding(7) var<storage, read> responses: array<Response>;

const THREADS = 64u;

fn skew(v: vec3f) -> mat3x3f {
  return mat3x3f(0.0, v.z, -v.y, -v.z, 0.0, v.x, v.y, -v.x, 0.0);
}

/// What an impulse at arm b of a body does to the speed of its point at arm a.
fn giveOf(r: Response, a: vec3f, b: vec3f) -> mat3x3f {
  return r.linear + r.across * skew(b) - skew(a) * (transpose(r.across) + r.angular * skew(b));
}

/// What an impulse on the node of joint j, taken from its body, does to the speed of the node of joint i against its point.
fn respond(i: u32, j: u32, isHeld: bool) -> mat3x3f {
  let a = joints[i];
  let b = joints[j];
  var out = mat3x3f();
  if (a.slot == b.slot) {
    for (var axis = 0u; axis < 3u; axis++) {
      out[axis] = columns[b.columns + axis * b.count + a.node - b.first].xyz;
    }
  }
  if (a.mover == b.mover && isMovable(a)) {
    let mover = movers[moverOf(a)];
    var share = 1.0;
    if (isHeld && bodies[moverOf(a)].spin.w > 0.0) {
      share = 0.5;
    }
    let response = responseOf(mover.position.w, mover.inertia, mover.inertiaMore);
    out += share * giveOf(response, ties[i].arm.xyz, ties[j].arm.xyz);
  }
  return out;
}

/// The rows of joint i, up to the diagonal.
fn build(i: u32, thread: u32, isHeld: bool) {
  let first = joints[i].group;
  let base = joints[i].system;
  let n = 3u * joints[i].groupCount;
  for (var j = first + thread; j <= i; j += THREADS) {
    let response = respond(i, j, isHeld);
    for (var a = 0u; a < 3u; a++) {
      let row = directionOf(joints[i], ties[i], a);
      for (var b = 0u; b < 3u; b++) {
        let value = dot(row, response * directionOf(joints[j], ties[j], b));
        let r = 3u * (i - first) + a;
        let c = 3u * (j - first) + b;
        if (r == c) {
          system[base + n * n + r] = value;
        } else if (c < r) {
          system[base + n * c + r] = value;
        }
      }
    }
  }
  if (thread < 3u) {
    system[base + n * n + n + 3u * (i - first) + thread] = -1.0;
  }
}

@compute @workgroup_size(64)
fn free(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  build(group.x, thread, false);
}

@compute @workgroup_size(64)
fn held(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  build(group.x, thread, true);
}
