// Bodies that contacts push: what all contacts do to each, and its part of ADMM. A workgroup a body; its contacts are
// those of its bucket in `list`, added up in a fixed order, from the forces as they are: nothing drifts.
//
// W = A = M, so δ = (π + ℓ)/2. With G = M⁻¹ Bᵀ r: λ = G, ℓ = G − start, and within a projection π = base
// + G − seen, where base is π over-relaxed towards δ (admm-elastic.wgsl).
//   open    velocities, inertia and number of contacts; one thread a body
//   start   G of the start, before the share is known;  scale: its share; one thread a body
//   sweep   after a sweep: π;  last: after a projection's last: base of the next

const THREADS = 64u;

@reads(list, rows, forces, movers, work)
@writes(bodies)
/// Of all contacts on each body, and their moment about its centre of mass [N·s, N·m·s].
@writes(impulses)

var<workgroup> linear: array<vec3f, THREADS>;
var<workgroup> angular: array<vec3f, THREADS>;

@compute @workgroup_size(64)
fn open(@builtin(global_invocation_id) id: vec3u) {
  let m = id.x;
  if (m >= solver.movers) {
    return;
  }
  let mover = movers[m];
  var body: Body;
  body.velocity = vec4f(mover.velocity.xyz, mover.position.w);
  body.spin = vec4f(mover.spin.xyz, 0.0);
  body.inertia = mover.inertia;
  body.inertiaMore = mover.inertiaMore;
  if (m < solver.pushable) {
    body.spin.w = f32(list[m + 1u] - list[m]);
  }
  bodies[m] = body;
}

/// Sum over the contacts of body m: impulse, and its moment about the centre of mass. Of all
/// threads together; the first has it.
fn gather(m: u32, thread: u32) -> mat2x4f {
  var push = vec3f(0.0);
  var turn = vec3f(0.0);
  for (var j = list[m] + thread; j < list[m + 1u]; j += THREADS) {
    let k = list[LIST_HEAD + j];
    let more = forces[solver.capacity + k];
    // A force gone bad must not take the body with it.
    let isGood = (bitcast<u32>(dot(forces[k].xyz, vec3f(1.0))) & 0x7f800000u) != 0x7f800000u;
    if (more.x > 0.0 && isGood) {
      let row = rows[k];
      let r = (forces[k].xyz - more.y * row.normal.xyz) / more.x;
      push -= r;
      turn -= cross(vec3f(row.gamma.zw, bitcast<f32>(row.nodes.w)), r);
    }
  }
  linear[thread] = push;
  angular[thread] = turn;
  workgroupBarrier();
  if (thread < 8u) {
    for (var k = thread + 8u; k < THREADS; k += 8u) {
      linear[thread] += linear[k];
      angular[thread] += angular[k];
    }
  }
  workgroupBarrier();
  if (thread == 0u) {
    for (var k = 1u; k < 8u; k++) {
      linear[0] += linear[k];
      angular[0] += angular[k];
    }
  }
  return mat2x4f(vec4f(linear[0], 0.0), vec4f(angular[0], 0.0));
}

/// M⁻¹ times an impulse and its moment.
fn changeOf(m: u32, impulse: mat2x4f) -> mat2x4f {
  let I = symmetric(bodies[m].inertia, bodies[m].inertiaMore);
  return mat2x4f(bodies[m].velocity.w * impulse[0], vec4f(I * impulse[1].xyz, 0.0));
}

@compute @workgroup_size(64)
fn start(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let impulse = gather(group.x, thread);
  if (thread == 0u) {
    impulses[group.x] = impulse;
    bodies[group.x].start = changeOf(group.x, impulse);
  }
}

@compute @workgroup_size(64)
fn scale(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < solver.pushable) {
    let share = shareOf();
    impulses[id.x] = share * impulses[id.x];
    bodies[id.x].start = share * bodies[id.x].start;
    bodies[id.x].seen = bodies[id.x].start;
  }
}

@compute @workgroup_size(64)
fn sweep(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let impulse = gather(group.x, thread);
  if (thread == 0u) {
    bodies[group.x].push = bodies[group.x].base + changeOf(group.x, impulse) - bodies[group.x].seen;
  }
}

@compute @workgroup_size(64)
fn last(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let impulse = gather(group.x, thread);
  if (thread == 0u) {
    let all = changeOf(group.x, impulse);
    let push = bodies[group.x].base + all - bodies[group.x].seen;
    let delta = 0.5 * (push + all - bodies[group.x].start);
    let base = push + STRAND_RELAXATION * (delta - push);
    impulses[group.x] = impulse;
    bodies[group.x].seen = all;
    bodies[group.x].base = base;
    bodies[group.x].push = base;
  }
}
