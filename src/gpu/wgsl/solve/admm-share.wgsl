// How far the forces of the start may be trusted: solvers/admm/safe-start.ts has the
// reasons. Then only that share of them.
//
// `measure`: 64 workgroups, each a sum of Σ r·u without the forces and with all of them; `scale`: one thread a row.
// The sums are added in a fixed order. Cohesion counts with the forces and is scaled with them: s r becomes pull + α
// (s r − pull), which is in its cone, so that λ₀, δ₀ and forces go on saying the same.

const THREADS = 64u;

@reads(order, bodies)
/// δ₀: what all the forces change.
@reads(reference)
@writes(rows, forces, work)

var<workgroup> sums: array<vec2f, THREADS>;
var<workgroup> count: u32;

fn change(row: Row) -> vec3f {
  let s = bitcast<f32>(row.nodes.z);
  let t = bitcast<f32>(row.nodes.w);
  let a = reference[row.nodes.x].xyz;
  let u = a + s * (reference[row.nodes.x + 1u].xyz - a);
  let second = row.nodes.y;
  if (second == NOWHERE) {
    return u;
  }
  if ((second & BODY) != 0u) {
    let start = bodies[second & ~BODY].start;
    return u - start[0].xyz - cross(start[1].xyz, vec3f(row.gamma.zw, t));
  }
  let b = reference[second].xyz;
  return u - b - t * (reference[second + 1u].xyz - b);
}

@compute @workgroup_size(64)
fn measure(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  if (thread == 0u) {
    count = order[COLOURS];
  }
  let total = workgroupUniformLoad(&count);
  if (THREADS * group.x >= total) {
    if (thread == 0u) {
      work[group.x] = vec2f(0.0);
    }
    return;
  }
  var sum = vec2f(0.0);
  for (var k = THREADS * group.x + thread; k < total; k += THREADS * SHARE_GROUPS) {
    let more = forces[solver.capacity + k];
    if (more.x > 0.0) {
      let row = rows[k];
      let own = forces[k].xyz;
      let r = (own - more.y * row.normal.xyz) / more.x;
      let u = row.offset.xyz;
      sum += vec2f(dot(r, u), dot(r, u + row.offset.w * own + change(row)));
    }
  }
  sums[thread] = sum;
  workgroupBarrier();
  if (thread == 0u) {
    for (var k = 1u; k < THREADS; k++) {
      sum += sums[k];
    }
    work[group.x] = sum;
  }
}

@compute @workgroup_size(256)
fn scale(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= order[COLOURS]) {
    return;
  }
  let share = shareOf();
  let row = rows[k];
  let pull = forces[solver.capacity + k].y * row.normal.xyz;
  forces[k] = vec4f(pull + share * (forces[k].xyz - pull), 0.0);
  rows[k].offset = row.offset + vec4f(share * change(row), 0.0);
}
