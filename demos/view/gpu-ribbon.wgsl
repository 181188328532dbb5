// Strands as ribbons, straight from the solver's buffers: no vertex buffer, two vertices a point. Vertex stage, in
// Babylon's dialect of WGSL.
//
// An instance is a strand of a block (all strands of a block have the same number of nodes); a smooth curve through its
// nodes is followed in `detail` points an edge. Nodes are drawn between the last two steps. With DEPTH_ONLY the ribbons
// face the sun, for its shadow map.

struct Look {
  colors: array<vec4f, 4>,   // linear, from dark to light strands
  radius: f32,               // as drawn [m]
  rope: f32,                 // 1: a laid rope, 0: hair
  tip: f32,                  // radius at the tip, of that in the middle [-]
  spare: f32,
}

/// From the strand's origin [m]; last and last but one step.
var<storage,read> positions : array<vec4f>;
var<storage,read> previous : array<vec4f>;
/// Of a strand from the cell [m].
var<storage,read> origins : array<vec4f>;
/// First node, count, flags, rod.
var<storage,read> headers : array<vec4u>;
/// Of each rod or groom.
var<storage,read> looks : array<Look>;

uniform viewProjection : mat4x4f;
/// Zero of the origins in the world [m].
uniform cell : vec3f;
/// Place between the last two steps, 0..1.
uniform alpha : f32;
/// Ribbons face it [m]; with DEPTH_ONLY the direction to the sun.
uniform eye : vec3f;
/// Size of a pixel one metre away, or of a texel of the shadow map [m].
uniform pixel : f32;
/// First strand, nodes of each, points an edge.
uniform block : vec4f;

varying vPlace : vec3f;
varying vTangent : vec3f;
/// Across the ribbon −1..1, along the strand 0..1, arc over radius, hash of the strand.
varying vStrand : vec4f;
flat varying vColor : vec4f;

/// Uniform in 0..1 by the number of a strand.
fn hash(n: u32) -> f32 {
  var x = n * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
  return f32((x >> 22u) ^ x) / 4294967296.0;
}

fn place(node: u32) -> vec3f {
  return mix(previous[node].xyz, positions[node].xyz, uniforms.alpha);
}

@vertex
fn main(input : VertexInputs) -> FragmentInputs {
  let slot = u32(uniforms.block.x) + vertexInputs.instanceIndex;
  let strand = headers[slot];
  let look = looks[strand.w];
  let edges = u32(uniforms.block.y) - 1u;
  let detail = u32(uniforms.block.z);
  let point = vertexInputs.vertexIndex >> 1u;
  let side = 2.0 * f32(vertexInputs.vertexIndex & 1u) - 1.0;

  // Catmull-Rom between nodes b and c, and its slope.
  let edge = min(point / detail, edges - 1u);
  let t = f32(point - edge * detail) / f32(detail);
  let b = strand.x + edge;
  let p0 = place(max(b, strand.x + 1u) - 1u);
  let p1 = place(b);
  let p2 = place(b + 1u);
  let p3 = place(min(b + 2u, strand.x + edges));
  let c1 = 0.5 * (p2 - p0);
  let c2 = p0 - 2.5 * p1 + 2.0 * p2 - 0.5 * p3;
  let c3 = 1.5 * (p1 - p2) + 0.5 * (p3 - p0);
  let p = p1 + t * (c1 + t * (c2 + t * c3));
  let slope = c1 + t * (2.0 * c2 + t * (3.0 * c3));
  let tangent = slope / max(length(slope), 1e-12);

  let origin = uniforms.cell + origins[slot].xyz;
  var world = origin + p;
  let along = f32(point) / f32(edges * detail);
  // Tips are fine.
  let taper = mix(1.0, look.tip, smoothstep(0.62, 1.0, along));
#ifdef DEPTH_ONLY
  let toEye = uniforms.eye;
  let distance = 1.0;
#else
  let distance = length(uniforms.eye - world);
  let toEye = (uniforms.eye - world) / distance;
#endif
  // Never thinner than about a pixel, or it would flicker.
  let half = max(look.radius * taper, 0.5 * uniforms.pixel * distance);
  let across = cross(tangent, toEye);
  world += (side * half / max(length(across), 1e-6)) * across;

  vertexOutputs.position = uniforms.viewProjection * vec4f(world, 1.0);
  let seed = hash(slot);
  vertexOutputs.vPlace = world;
  vertexOutputs.vTangent = tangent;
  vertexOutputs.vStrand = vec4f(side, along, along * f32(edges) * length(p2 - p1) / look.radius, seed);
  let share = 3.0 * hash(slot ^ 0x5bd1e995u);
  let stop = min(u32(share), 2u);
  vertexOutputs.vColor = vec4f(mix(look.colors[stop].rgb, look.colors[stop + 1u].rgb, share - f32(stop)), look.rope);
}
