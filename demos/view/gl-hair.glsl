#version 300 es
// How a hair's ribbon catches the light, for WebGL2. Fragment stage.
//
// The twin of gpu-hair.wgsl, where it is explained. One thing differs: WebGL2 cannot read the depths of a shadow map
// that it compares with, so what the hair lets through, exp(−density · way), is the share of comparisons that pass
// at ways which are spread as that law is (its quantiles).

precision highp float;
precision highp int;
precision highp sampler2DShadow;

in vec3 vPlace;
in vec3 vTangent;
in vec4 vStrand;
flat in vec4 vColor;

uniform vec3 eye;
uniform vec3 sun;
uniform vec3 sunColor;
uniform vec3 skyColor;
uniform vec3 floorColor;
uniform mat4 shadowMatrix;
/// Depth of the whole map [m], optical density of the hair [1/m], texels of the map, slack [m].
uniform vec4 shadow;
/// Exposure and contrast.
uniform vec2 image;
uniform highp sampler2DShadow sunDepth;

out vec4 shown;

const float PI = 3.14159265;
const float F0 = 0.0465;
/// −ln of 1/16, 3/16, … 15/16 and where each is looked up [texels].
const float QUANTILES[8] = float[8](2.7726, 1.6740, 1.1632, 0.8267, 0.5754, 0.3747, 0.2076, 0.0645);
const vec2 PLACES[8] = vec2[8](
  vec2(-1.2, -0.4), vec2(0.5, 1.3), vec2(1.2, -0.8), vec2(-0.4, 0.7),
  vec2(0.9, 0.4), vec2(-0.8, -1.3), vec2(0.2, -0.5), vec2(-1.3, 1.1)
);

float fresnel(float cosine) {
  return F0 + (1.0 - F0) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

float lobe(float beta, float sine) {
  return exp(-0.5 * sine * sine / (beta * beta)) / (sqrt(2.0 * PI) * beta);
}

float sunShare(vec3 world) {
  vec3 at = 0.5 + 0.5 * (shadowMatrix * vec4(world, 1.0)).xyz;
  if (any(lessThanEqual(at.xy, vec2(0.0))) || any(greaterThanEqual(at.xy, vec2(1.0)))) {
    return 1.0;
  }
  float sum = 0.0;
  for (int k = 0; k < 8; k++) {
    float way = shadow.w + QUANTILES[k] / shadow.y;
    sum += textureLod(sunDepth, vec3(at.xy + PLACES[k] / shadow.z, at.z - way / shadow.x), 0.0);
  }
  return sum / 8.0;
}

/// `wet`: a film of water smooths the scales over, and is a mirror of its own.
vec3 hairLight(vec3 albedo, vec3 T, vec3 V, vec3 L, float share, float seed, float wet) {
  float sinL = dot(T, L);
  float sinV = dot(T, V);
  float cosD = cos(0.5 * (asin(clamp(sinV, -1.0, 1.0)) - asin(clamp(sinL, -1.0, 1.0))));
  vec3 flatL = L - sinL * T;
  vec3 flatV = V - sinV * T;
  float cosPhi = dot(flatL, flatV) * inversesqrt(dot(flatL, flatL) * dot(flatV, flatV) + 1e-4);
  float cosHalf = sqrt(clamp(0.5 + 0.5 * cosPhi, 0.0, 1.0));
  float sine = sinL + sinV;
  // Each strand its own tilt of the scales and roughness: highlights break up into strands.
  float tilt = 0.06 + 0.05 * (seed - 0.5);
  float beta = (0.13 + 0.07 * seed) * (1.0 - 0.45 * wet);

  float ahead = sqrt(clamp(0.5 + 0.5 * dot(V, L), 0.0, 1.0));
  float r = lobe(beta, sine + 2.0 * tilt) * (0.18 + 0.5 * wet) * cosHalf * fresnel(ahead);

  float bend = 1.0 / (1.19 / cosD + 0.36 * cosD);
  float h = cosHalf * (1.0 + bend * (0.6 - 0.8 * cosPhi));
  float into = 1.0 - fresnel(cosD * sqrt(clamp(1.0 - h * h, 0.0, 1.0)));
  float thick = 0.5 * sqrt(max(1.0 - h * h * bend * bend, 0.0)) / cosD;
  float tt = lobe(0.5 * beta, sine - tilt) * exp(-3.65 * cosPhi - 3.98) * into * into;

  float inner = fresnel(0.5 * cosD);
  float trt = lobe(2.0 * beta, sine - 3.0 * tilt) * exp(17.0 * cosPhi - 16.78) * (1.0 - inner) * (1.0 - inner) * inner;

  // Many times scattered: as off a surface that wraps the strand, tinted the deeper the more.
  vec3 facing = (V - sinV * T) * inversesqrt(max(1.0 - sinV * sinV, 1e-4));
  float wrapped = clamp((dot(facing, L) + 1.0) / 4.0, 0.0, 1.0);
  float grey = max(dot(albedo, vec3(0.3, 0.59, 0.11)), 1e-4);
  vec3 deep = pow(albedo / grey, vec3(1.0 - share));
  vec3 many = sqrt(albedo) * deep * (wrapped / PI) * 0.38;
  return (vec3(r) + tt * pow(albedo, vec3(thick)) + 2.4 * trt * pow(albedo, vec3(0.8 / cosD)) + many) * share;
}

/// Khronos PBR neutral (2024).
vec3 toneMap(vec3 color) {
  float least = min(color.r, min(color.g, color.b));
  float offset = least < 0.08 ? least - 6.25 * least * least : 0.04;
  vec3 c = color - offset;
  float peak = max(c.r, max(c.g, c.b));
  float start = 0.8 - 0.04;
  if (peak < start) {
    return c;
  }
  float d = 1.0 - start;
  float high = 1.0 - d * d / (peak + d - start);
  float pale = 1.0 - 1.0 / (0.15 * (peak - high) + 1.0);
  return mix(c * (high / peak), vec3(high), pale);
}

void main() {
  vec3 T = normalize(vTangent);
  vec3 V = normalize(eye - vPlace);
  float across = clamp(vStrand.x, -0.97, 0.97);
  float share = sunShare(vPlace);
  vec3 side = normalize(cross(T, V));
  vec3 rounded = normalize(cross(side, T) * sqrt(1.0 - across * across) + side * across);
  float wet = max(-vColor.w, 0.0);
  // What is wet sends less back: light finds its way into water sooner than out of it.
  vec3 albedo = pow(vColor.rgb, vec3(1.0 + 0.35 * wet));
  // Roots lie in the shade of the rest; deep in the hair the sky is hidden as the sun is.
  float open = mix(0.35, 1.0, smoothstep(0.0, 0.4, vStrand.y)) * (0.3 + 0.7 * share);
  vec3 sky = mix(floorColor, skyColor, 0.5 + 0.5 * rounded.y);
  vec3 light = sunColor * hairLight(albedo, T, V, sun, share, vStrand.w, wet) + sqrt(albedo) * albedo * sky * open;
  vec3 mapped = clamp(toneMap(light * image.x), vec3(0.0), vec3(1.0));
  vec3 seen = pow(mapped, vec3(1.0 / 2.2));
  vec3 strong = seen * seen * (3.0 - 2.0 * seen);
  shown = vec4(mix(seen, strong, image.y - 1.0), 1.0);
}
