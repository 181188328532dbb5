// S = C K⁻¹ Cᵀ of each group of joints, from the columns, and from the bodies between them. One workgroup a group. CPU twin: respond in
// solvers/admm/joints.ts.
//
// `free`: K = A, M of the bodies; `held`: K = A + W, which of a body with contacts is 2 M (admm-bodies.wgsl).

@group(0) @binding(1) var<storage, read> joints: array<Joint>;
@group(0) @binding(2) var<storage, read> ties: array<Tie>;
@group(0) @binding(3) var<storage, read> columns: array<vec4f>;
@group(0) @binding(4) var<storage, read> movers: array<Mover>;
@group(0) @binding(5) var<storage, read> bodies: array<Body>;
@group(0) @binding(6) var<storage, read_write> system: array<f32>;

const THREADS = 64u;

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
    out += share * giveOf(mover.position.w, mover.inertia, mover.inertiaMore, ties[i].arm.xyz, ties[j].arm.xyz);
  }
  return out;
}

fn build(first: u32, thread: u32, isHeld: bool) {
  let group = joints[first];
  if (group.group != first) {
    return;
  }
  let m = group.groupCount;
  let n = 3u * m;
  for (var pair = thread; pair < m * m; pair += THREADS) {
    let i = pair / m;
    let j = pair % m;
    if (j > i) {
      continue;
    }
    let response = respond(first + i, first + j, isHeld);
    for (var a = 0u; a < 3u; a++) {
      let row = directionOf(joints[first + i], ties[first + i], a);
      for (var b = 0u; b < 3u; b++) {
        let value = dot(row, response * directionOf(joints[first + j], ties[first + j], b));
        let r = 3u * i + a;
        let c = 3u * j + b;
        if (r == c) {
          system[group.system + n * n + r] = value;
        } else if (c < r) {
          system[group.system + n * c + r] = value;
        }
      }
    }
  }
  for (var r = thread; r < n; r += THREADS) {
    system[group.system + n * n + n + r] = -1.0;
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
