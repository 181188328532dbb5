// What a groom does to the body that carries it. One workgroup a body: it sums up the
// reactions of the clamps in a fixed order.
//
// A reaction is felt a step late, and a body that is not much heavier than its hair would shake for it. So it
// feels, of what is pending, what it would feel if the hair were part of it: with M the body's mass matrix and A
// that of the hair, straight and stiff,
//   (M + A) Δv = pending,   felt = M Δv,   pending −= felt
// The felt impulses add up to the reactions, and −A Δv, the most that Δv makes of these, comes to nothing. Down to
// a body as heavy as its hair that is stable; without A hair of 30 strands throws a body five times as heavy about.

struct Carrier {
  body: u32,           // slot in the tables
  mover: u32,          // its place there in this step; NOTHING: it cannot be pushed
  first: u32,          // its clamps in `reactions`
  end: u32,
  moment: vec4f,       // Σ m r from the centre of mass, in the body's axes [kg·m]; Σ m [kg]
  inertia: vec4f,      // Σ m (r² − r rᵀ): xx yy zz, xy [kg·m²]
  inertiaMore: vec4f,  // xz, yz
}

@reads(carriers: array<Carrier>, movers, reactions, points)
@writes(carried)
/// By body slot, impulse [N·s] and moment [N·m·s]: not felt yet; felt in this step.
@writes(pending: array<mat2x4f>)

const THREADS = 64u;
const SIZE = 6u;

var<workgroup> sums: array<mat2x4f, THREADS>;

/// Sum of the body's reactions, to the first thread.
fn sumUp(carrier: Carrier, q: vec4f, thread: u32) -> mat2x4f {
  var sum = mat2x4f();
  for (var k = 2u * carrier.first + thread; k < 2u * carrier.end; k += THREADS) {
    let push = reactions[k].xyz;
    sum += mat2x4f(vec4f(push, 0.0), vec4f(cross(rotate(q, points[k].xyz), push), 0.0));
  }
  sums[thread] = sum;
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) {
      sums[thread] += sums[thread + half];
    }
  }
  return sums[0];
}

/// (1 + A M⁻¹) p
fn withHair(carrier: Carrier, mover: Mover, p: mat2x4f) -> mat2x4f {
  let v = mover.position.w * p[0].xyz;
  let w = symmetric(mover.inertia, mover.inertiaMore) * p[1].xyz;
  let back = vec4f(-mover.rotation.xyz, mover.rotation.w);
  let s = rotate(mover.rotation, carrier.moment.xyz);
  let spun = symmetric(carrier.inertia, carrier.inertiaMore) * rotate(back, w);
  let push = carrier.moment.w * v + cross(w, s);
  let turn = cross(s, v) + rotate(mover.rotation, spun);
  return p + mat2x4f(vec4f(push, 0.0), vec4f(turn, 0.0));
}

/// Solves (1 + A M⁻¹) felt = pending by elimination with pivots.
fn feltOf(carrier: Carrier, mover: Mover, right: mat2x4f) -> mat2x4f {
  var rows: array<array<f32, 7>, SIZE>;
  for (var k = 0u; k < SIZE; k++) {
    var unit = mat2x4f();
    unit[k / 3u][k % 3u] = 1.0;
    let column = withHair(carrier, mover, unit);
    for (var i = 0u; i < SIZE; i++) {
      rows[i][k] = column[i / 3u][i % 3u];
    }
    rows[k][SIZE] = right[k / 3u][k % 3u];
  }
  for (var k = 0u; k < SIZE; k++) {
    var best = k;
    for (var i = k + 1u; i < SIZE; i++) {
      best = select(best, i, abs(rows[i][k]) > abs(rows[best][k]));
    }
    let row = rows[best];
    rows[best] = rows[k];
    rows[k] = row;
    for (var i = k + 1u; i < SIZE; i++) {
      let share = rows[i][k] / row[k];
      for (var j = k; j <= SIZE; j++) {
        rows[i][j] -= share * row[j];
      }
    }
  }
  var felt = mat2x4f();
  for (var n = SIZE; n > 0u; n--) {
    let i = n - 1u;
    var sum = rows[i][SIZE];
    for (var j = n; j < SIZE; j++) {
      sum -= rows[i][j] * felt[j / 3u][j % 3u];
    }
    felt[i / 3u][i % 3u] = sum / rows[i][i];
  }
  return felt;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let carrier = carriers[group.x];
  let mover = movers[min(carrier.mover, arrayLength(&movers) - 1u)];
  let sum = sumUp(carrier, mover.rotation, thread);
  if (thread > 0u) {
    return;
  }
  var all = pending[carrier.body] + sum;
  var felt = mat2x4f();
  if (carrier.mover != NOTHING) {
    felt = feltOf(carrier, mover, all);
  } else {
    all = mat2x4f();
  }
  pending[carrier.body] = all - felt;
  carried[carrier.body] = felt;
}
