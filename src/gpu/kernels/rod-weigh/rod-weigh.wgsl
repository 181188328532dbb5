// Contact weight of every node: w = max(σ η, min(β m, η)), η the least eigenvalue of its 3×3 block of A. One thread a node.
//
// CPU twin: solvers/admm/weights.ts (Daviet 2020, 6.2.6). The block is factored from its rows as in rod-factor.wgsl, so that the
// soft directions survive beside the stiff one; η is the reciprocal of its inverse's largest eigenvalue.

const SIGMA = 0.001;
const BETA = 25.0;
const VALUES = 13u;
/// Newton steps for the eigenvalue: the weights need no more than a few digits.
const EIGEN_STEPS = 10;

@group(0) @binding(1) var<storage, read> elements: array<vec4f>;
@group(0) @binding(2) var<storage, read> inertias: array<vec4f>;
@group(0) @binding(3) var<storage, read> strands: array<Strand>;
@group(0) @binding(4) var<storage, read> masses: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> weights: array<f32>;

/// L (yx, zx, zy) and D of the block so far.
struct Triangle {
  l: vec3f,
  d: vec3f,
}

fn take(T: ptr<function, Triangle>, row: vec3f, weight: f32) {
  var z = row;
  var w = weight;
  let l = (*T).l;
  let d = (*T).d + w * vec3f(z.x * z.x, 0.0, 0.0);
  var gain = w * z.x / d.x;
  var keep = (*T).d.x / d.x;
  (*T).d.x = d.x;
  (*T).l.x = keep * l.x + gain * z.y;
  (*T).l.y = keep * l.y + gain * z.z;
  w *= keep;
  z.y -= z.x * l.x;
  z.z -= z.x * l.y;
  let dy = (*T).d.y + w * z.y * z.y;
  gain = w * z.y / dy;
  keep = (*T).d.y / dy;
  (*T).d.y = dy;
  (*T).l.z = keep * l.z + gain * z.z;
  w *= keep;
  z.z -= z.y * l.z;
  (*T).d.z += w * z.z * z.z;
}

/// Rows of inner node i as its neighbour `side` (−1 before, 0 itself, 1 after) sees them.
fn takeNode(T: ptr<function, Triangle>, i: u32, side: i32, s: u32) {
  let scale = elements[at(i, 9u, VALUES, s)];
  for (var j = 0u; j < 4u; j++) {
    let e0 = elements[at(i, 2u * j, VALUES, s)].xyz;
    let e1 = elements[at(i, 2u * j + 1u, VALUES, s)].xyz;
    take(T, select(select(e1, e0 - e1, side == 0), -e0, side < 0), scale.z);
  }
  let binormal = elements[at(i, 8u, VALUES, s)].xyz;
  take(T, binormal * select(select(scale.y, scale.x - scale.y, side == 0), scale.x, side < 0), scale.w);
}

fn takeEdge(T: ptr<function, Triangle>, i: u32, s: u32) {
  let t = elements[at(i, 10u, VALUES, s)].xyz;
  let d = elements[at(i, 11u, VALUES, s)].xyz;
  let scale = elements[at(i, 12u, VALUES, s)];
  take(T, t, scale.x);
  take(T, d, scale.y);
  take(T, cross(t, d), scale.y);
}

/// Largest eigenvalue of a symmetric 3×3 matrix: Newton's method on its characteristic polynomial, from above.
fn largestEigenvalue(p: vec3f, q: vec3f) -> f32 {
  // p: xx yy zz, q: yz xz xy, scaled by the trace
  let trace = p.x + p.y + p.z;
  let a = p / trace;
  let b = q / trace;
  let minors = a.x * a.y + a.y * a.z + a.z * a.x - dot(b, b);
  let determinant = a.x * a.y * a.z + 2.0 * b.x * b.y * b.z - dot(a, b * b);
  var root = 1.0;
  for (var k = 0; k < EIGEN_STEPS; k++) {
    let value = ((root - 1.0) * root + minors) * root - determinant;
    let slope = (3.0 * root - 2.0) * root + minors;
    if (slope <= 0.0) {
      break;
    }
    root -= value / slope;
  }
  return trace * clamp(root, 1.0 / 3.0, 1.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands * block.nodes) {
    return;
  }
  let s = id.x % block.strands;
  let i = id.x / block.strands;
  let n = block.nodes;
  let node = strands[block.firstStrand + s].first + i;
  let inertia = inertias[at(i, 0u, 2u, s)].x;
  if (inertia >= HELD) {
    weights[node] = 0.0;
    return;
  }
  var T = Triangle(vec3f(0.0), vec3f(inertia));
  if (i > 0u) {
    takeEdge(&T, i - 1u, s);
    if (i > 1u) {
      takeNode(&T, i - 1u, 1, s);
    }
  }
  if (i + 1u < n) {
    takeEdge(&T, i, s);
    if (i > 0u) {
      takeNode(&T, i, 0, s);
    }
    if (i + 2u < n) {
      takeNode(&T, i + 1u, -1, s);
    }
  }
  // The inverse, relative to the mass: (L D Lᵀ)⁻¹ = L⁻ᵀ D⁻¹ L⁻¹.
  let g = inertia / T.d;
  let u = T.l.x * T.l.z - T.l.y;
  let xx = g.x + T.l.x * T.l.x * g.y + u * u * g.z;
  let yy = g.y + T.l.z * T.l.z * g.z;
  let xy = -T.l.x * g.y - u * T.l.z * g.z;
  let least = max(inertia / largestEigenvalue(vec3f(xx, yy, g.z), vec3f(-T.l.z * g.z, u * g.z, xy)), masses[node].x);
  weights[node] = max(SIGMA * least, min(BETA * masses[node].x, least));
}
