// Strands as ribbons, straight from the solver's buffers: no vertex buffer, two vertices a point. Vertex stage, in
// Babylon's dialect of WGSL.
//
// An instance is a hair; a smooth curve through its strand's nodes is followed in `detail` points an edge. Nodes are
// drawn between the last two steps. Where a strand stands for a lock, its further hairs run beside it, each at a place
// of its own that turns with the root. With DEPTH_ONLY the ribbons face the sun, for its shadow map.
//
// Its twin for WebGL2 is gl-ribbon.glsl.

struct Look {
  colors: array<vec4f, 4>,   // linear, from dark to light strands
  radius: f32,               // as drawn [m]
  rope: f32,                 // 1: a laid rope, 0 to -1: hair from dry to wet
  tip: f32,                  // radius at the tip, of that in the middle [-]
  lock: f32,                 // radius of the lock a strand stands for [m], 0 itself alone
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
/// First strand, strands, points an edge, hairs a strand.
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

fn root(slot: u32) -> vec3f {
  return origins[slot].xyz + place(headers[slot].x);
}

/// Way from a strand to one of its further hairs, in lock radii: over the root in the plane
/// of the skin, further on anywhere.
fn beside(slot: u32, hair: u32, along: f32) -> vec3f {
  let first = u32(uniforms.block.x);
  let other = min(first + ((slot - first) ^ 1u), first + u32(uniforms.block.y) - 1u);
  let node = headers[slot].x;
  let out = normalize(place(node + 1u) - place(node) + vec3f(0.0, 1e-9, 0.0));
  // Another root of the same body: what is measured from here to there turns with the body.
  let way = root(other) - root(slot) + vec3f(1e-6, 0.0, 2e-6);
  let a = normalize(way - dot(way, out) * out);
  let b = cross(out, a);
  let seed = 8191u * slot + 3u * hair;
  let reach = sqrt(hash(seed));
  let angle = 6.2831853 * hash(seed + 1u) + (hash(seed + 2u) - 0.5) * 9.0 * along;
  let lift = (hash(seed ^ 0x9e3779b9u) - 0.35) * smoothstep(0.0, 0.3, along);
  return reach * (cos(angle) * a + sin(angle) * b) + lift * out;
}

@vertex
fn main(input : VertexInputs) -> FragmentInputs {
  let hairs = u32(uniforms.block.w);
  let slot = u32(uniforms.block.x) + vertexInputs.instanceIndex / hairs;
  let hair = vertexInputs.instanceIndex % hairs;
  let strand = headers[slot];
  let look = looks[strand.w];
  let edges = strand.y - 1u;
  let detail = u32(uniforms.block.z);
  let point = min(vertexInputs.vertexIndex >> 1u, edges * detail);
  let side = 2.0 * f32(vertexInputs.vertexIndex & 1u) - 1.0;
  let along = f32(point) / f32(edges * detail);
  let seed = hash(slot + 977u * hair);

  // Catmull-Rom between nodes b and c, and its slope. Hairs of a lock do not end at one place.
  let reach = select(1.0 - 0.3 * hash(slot ^ (hair << 16u)), 1.0, hair == 0u);
  let at = along * reach * f32(edges);
  let edge = min(u32(at), edges - 1u);
  let t = at - f32(edge);
  let b = strand.x + edge;
  let p0 = place(max(b, strand.x + 1u) - 1u);
  let p1 = place(b);
  let p2 = place(b + 1u);
  let p3 = place(min(b + 2u, strand.x + edges));
  let c1 = 0.5 * (p2 - p0);
  let c2 = p0 - 2.5 * p1 + 2.0 * p2 - 0.5 * p3;
  let c3 = 1.5 * (p1 - p2) + 0.5 * (p3 - p0);
  var p = p1 + t * (c1 + t * (c2 + t * c3));
  let slope = c1 + t * (2.0 * c2 + t * (3.0 * c3));
  let tangent = slope / max(length(slope), 1e-12);
  if (hair > 0u) {
    // Locks gather towards their tips.
    p += (look.lock * mix(1.0, 0.55, smoothstep(0.1, 1.0, along))) * beside(slot, hair, along);
  }

  let origin = uniforms.cell + origins[slot].xyz;
  var world = origin + p;
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
  var half = max(look.radius * taper, 0.5 * uniforms.pixel * distance);
  if (hair > 0u && look.lock == 0.0) {
    half = 0.0;
  }
  let across = cross(tangent, toEye);
  world += (side * half / max(length(across), 1e-6)) * across;

  vertexOutputs.position = uniforms.viewProjection * vec4f(world, 1.0);
  vertexOutputs.vPlace = world;
  vertexOutputs.vTangent = tangent;
  vertexOutputs.vStrand = vec4f(side, along, along * f32(edges) * length(p2 - p1) / look.radius, seed);
  let share = 3.0 * fract(hash(slot ^ 0x5bd1e995u) + 0.7 * (seed - 0.5) + 1.0);
  let stop = min(u32(share), 2u);
  vertexOutputs.vColor = vec4f(mix(look.colors[stop].rgb, look.colors[stop + 1u].rgb, share - f32(stop)), look.rope);
}
