#version 300 es
// Strands as ribbons for WebGL2, from textures of four numbers a texel: no vertex buffer,
// two vertices a point. Vertex stage.
//
// The twin of gpu-ribbon.wgsl, where it is explained; nodes lie in the world and between the steps already.

precision highp float;
precision highp int;

/// Nodes [m]; first node, count, flags, look of each strand; looks, five texels each.
uniform highp sampler2D positions;
uniform highp sampler2D headers;
uniform highp sampler2D looks;

uniform mat4 viewProjection;
/// Ribbons face it [m]; with DEPTH_ONLY the direction to the sun.
uniform vec3 eye;
/// Size of a pixel one metre away, or of a texel of the shadow map [m].
uniform float pixel;
/// First strand, strands, points an edge, hairs a strand.
uniform vec4 block;

out vec3 vPlace;
out vec3 vTangent;
/// Across the ribbon −1..1, along the strand 0..1, arc over radius, hash of the hair.
out vec4 vStrand;
flat out vec4 vColor;

/// Texels in a row, as in gl-strands.ts.
const int ROW = 2048;

/// Uniform in 0..1 by a number.
float hash(uint n) {
  uint x = n * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
  return float((x >> 22u) ^ x) / 4294967296.0;
}

vec3 place(int node) {
  return texelFetch(positions, ivec2(node % ROW, node / ROW), 0).xyz;
}

ivec4 header(int slot) {
  return ivec4(texelFetch(headers, ivec2(slot % ROW, slot / ROW), 0));
}

vec3 beside(int slot, int node, int hair, float along) {
  int other = min(slot ^ 1, int(block.y) - 1);
  vec3 outwards = normalize(place(node + 1) - place(node) + vec3(0.0, 1e-9, 0.0));
  vec3 way = place(header(other).x) - place(node) + vec3(1e-6, 0.0, 2e-6);
  vec3 a = normalize(way - dot(way, outwards) * outwards);
  vec3 b = cross(outwards, a);
  uint seed = 8191u * uint(slot) + 3u * uint(hair);
  float reach = sqrt(hash(seed));
  float angle = 6.2831853 * hash(seed + 1u) + (hash(seed + 2u) - 0.5) * 9.0 * along;
  float lift = (hash(seed ^ 0x9e3779b9u) - 0.35) * smoothstep(0.0, 0.3, along);
  return reach * (cos(angle) * a + sin(angle) * b) + lift * outwards;
}

void main() {
  int hairs = int(block.w);
  int slot = gl_InstanceID / hairs;
  int hair = gl_InstanceID % hairs;
  ivec4 strand = header(slot);
  int edges = strand.y - 1;
  int detail = int(block.z);
  vec4 look = texelFetch(looks, ivec2(4, strand.w), 0);
  int point = min(gl_VertexID >> 1, edges * detail);
  float side = 2.0 * float(gl_VertexID & 1) - 1.0;
  float along = float(point) / float(edges * detail);
  float seed = hash(uint(slot) + 977u * uint(hair));

  float reach = hair == 0 ? 1.0 : 1.0 - 0.3 * hash(uint(slot) ^ (uint(hair) << 16u));
  float at = along * reach * float(edges);
  int edge = min(int(at), edges - 1);
  float t = at - float(edge);
  int b = strand.x + edge;
  vec3 p0 = place(max(b - 1, strand.x));
  vec3 p1 = place(b);
  vec3 p2 = place(b + 1);
  vec3 p3 = place(min(b + 2, strand.x + edges));
  vec3 c1 = 0.5 * (p2 - p0);
  vec3 c2 = p0 - 2.5 * p1 + 2.0 * p2 - 0.5 * p3;
  vec3 c3 = 1.5 * (p1 - p2) + 0.5 * (p3 - p0);
  vec3 world = p1 + t * (c1 + t * (c2 + t * c3));
  vec3 slope = c1 + t * (2.0 * c2 + t * (3.0 * c3));
  vec3 tangent = slope / max(length(slope), 1e-12);
  if (hair > 0) {
    world += (look.w * mix(1.0, 0.55, smoothstep(0.1, 1.0, along))) * beside(slot, strand.x, hair, along);
  }

  float taper = mix(1.0, look.z, smoothstep(0.62, 1.0, along));
#ifdef DEPTH_ONLY
  vec3 toEye = eye;
  float away = 1.0;
#else
  float away = length(eye - world);
  vec3 toEye = (eye - world) / away;
#endif
  // Never thinner than about a pixel, or it would flicker.
  float halfWidth = max(look.x * taper, 0.5 * pixel * away);
  if (hair > 0 && look.w == 0.0) {
    halfWidth = 0.0;
  }
  vec3 across = cross(tangent, toEye);
  world += (side * halfWidth / max(length(across), 1e-6)) * across;

  gl_Position = viewProjection * vec4(world, 1.0);
  vPlace = world;
  vTangent = tangent;
  vStrand = vec4(side, along, along * float(edges) * length(p2 - p1) / look.x, seed);
  float share = 3.0 * fract(hash(uint(slot) ^ 0x5bd1e995u) + 0.7 * (seed - 0.5) + 1.0);
  int stop = min(int(share), 2);
  vec3 from = texelFetch(looks, ivec2(stop, strand.w), 0).rgb;
  vec3 to = texelFetch(looks, ivec2(stop + 1, strand.w), 0).rgb;
  vColor = vec4(mix(from, to, share - float(stop)), look.y);
}
