// Motion that all edges share: an affine field fitted to the displacements of some nodes. One workgroup.
//
// CPU twin: fitField in kernels/assembly/proximity/edges.ts. Sums are made in a fixed order.

const THREADS = 256u;
/// Share of the trace that keeps flat and straight grooms solvable in f32.
const RIDGE = 1e-4;

var<workgroup> sums: array<vec4f, THREADS>;

/// Sums of the first `count` values over all threads, the same in each.
fn sumUp(thread: u32, values: ptr<function, array<vec4f, 5>>, count: u32) {
  for (var k = 0u; k < count; k++) {
    workgroupBarrier();
    sums[thread] = (*values)[k];
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
      workgroupBarrier();
      if (thread < half) {
        sums[thread] += sums[thread + half];
      }
    }
    workgroupBarrier();
    (*values)[k] = sums[0];
  }
}

fn isSound(v: vec4f) -> bool {
  return !isBad4(v) && all(abs(v.xyz) < vec3f(1e15));
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
  let stride = max(1u, detection.nodes / FIELD_SAMPLES);
  var x: array<vec3f, 2>;
  var d: array<vec3f, 2>;
  var weight = vec2f(0.0);
  for (var k = 0u; k < 2u; k++) {
    let node = (thread + k * THREADS) * stride;
    if (node >= detection.nodes) {
      continue;
    }
    let slot = statics[node].x & ~HELD_BIT;
    if (slot >= detection.strands || !isSound(positions[node]) || !isSound(velocities[node])) {
      continue;
    }
    d[k] = detection.timeStep * velocities[node].xyz;
    x[k] = origins[slot].xyz + positions[node].xyz + 0.5 * d[k];
    weight[k] = 1.0;
  }
  // Places and displacements; then squares, products, and the rows of Σ d xᵀ.
  var values: array<vec4f, 5>;
  values[0] = vec4f(weight.x * x[0] + weight.y * x[1], weight.x + weight.y);
  values[1] = vec4f(weight.x * d[0] + weight.y * d[1], 0.0);
  sumUp(thread, &values, 2u);
  let count = values[0].w;
  let center = values[0].xyz / max(count, 1.0);
  let mean = values[1].xyz / max(count, 1.0);
  values = array<vec4f, 5>();
  for (var k = 0u; k < 2u; k++) {
    let r = weight[k] * (x[k] - center);
    let e = d[k] - mean;
    values[0] += vec4f(r * r, 0.0);
    values[1] += vec4f(r.x * r.y, r.x * r.z, r.y * r.z, 0.0);
    for (var i = 0u; i < 3u; i++) {
      values[2u + i] += vec4f(e[i] * r, 0.0);
    }
  }
  sumUp(thread, &values, 5u);
  if (thread > 0u) {
    return;
  }
  // G = (Σ d xᵀ) (Σ x xᵀ)⁻¹, scaled by the trace so that nothing over- or underflows.
  let squares = values[0].xyz;
  let trace = squares.x + squares.y + squares.z;
  let scale = 1.0 / max(trace, 1e-30);
  let a = squares * scale + RIDGE;
  let b = values[1].xyz * scale;
  let ix = vec3f(a.y * a.z - b.z * b.z, b.y * b.z - b.x * a.z, b.x * b.z - b.y * a.y);
  let iy = vec3f(ix.y, a.x * a.z - b.y * b.y, b.x * b.y - a.x * b.z);
  let iz = vec3f(ix.z, iy.z, a.x * a.y - b.x * b.x);
  let determinant = a.x * ix.x + b.x * ix.y + b.y * ix.z;
  var rows: array<vec4f, 3>;
  var norm = 0.0;
  for (var i = 0u; i < 3u; i++) {
    let r = values[2u + i].xyz * (scale / determinant);
    rows[i] = vec4f(dot(r, ix), dot(r, iy), dot(r, iz), 0.0);
    norm += dot(rows[i].xyz, rows[i].xyz);
  }
  let steepness = sqrt(norm);
  let isUsable = detection.continuous != 0u && count >= 4.0 && determinant > 0.0 && !isBad(steepness);
  let shrink = select(0.0, min(1.0, FIELD_STEEPEST / max(steepness, 1e-30)), isUsable);
  for (var i = 0u; i < 3u; i++) {
    grid.rows[i] = select(vec4f(0.0), shrink * rows[i], isUsable);
  }
  grid.center = center;
  grid.mean = mean;
  grid.steepness = select(0.0, min(steepness, FIELD_STEEPEST), isUsable);
}
