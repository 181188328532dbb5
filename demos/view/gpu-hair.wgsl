// How a strand's ribbon catches the light. Fragment stage, in Babylon's dialect of WGSL.
//
// Hair, sun: three ways of light through a fibre (Marschner et al. 2003, in the closed forms of d'Eon et al. 2011 and
// Karis 2016): R, white, off the surface, shifted to the root; TT, through it, when lit from behind; TRT, tinted,
// shifted to the tip; and light that was scattered many times (Karis 2016). Self-shadowing: how much hair the light
// has gone through, from the depth at which it first met any in the shadow map (Lokovic and Veach 2000; one layer
// only). Sky: from above and below.
// Rope: round, with the lay of three strands. Tone mapping is that of the stage (Khronos PBR neutral).

varying vPlace : vec3f;
varying vTangent : vec3f;
varying vStrand : vec4f;
flat varying vColor : vec4f;

uniform eye : vec3f;
/// Unit vector to the sun, and its colour times strength.
uniform sun : vec3f;
uniform sunColor : vec3f;
uniform skyColor : vec3f;
uniform floorColor : vec3f;
/// World to the shadow map.
uniform shadowMatrix : mat4x4f;
/// Depth of the whole map [m], optical density of the hair [1/m], texels of the map, slack [m].
uniform shadow : vec4f;
/// Exposure and contrast.
uniform image : vec2f;

var sunDepth : texture_depth_2d;

const PI = 3.14159265;
/// Reflectance of a fibre at right angles: index of refraction 1.55.
const F0 = 0.0465;

fn fresnel(cosine: f32) -> f32 {
  return F0 + (1.0 - F0) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

/// Longitudinal lobe of width `beta` about `shift`, both in sines.
fn lobe(beta: f32, sine: f32) -> f32 {
  return exp(-0.5 * sine * sine / (beta * beta)) / (sqrt(2.0 * PI) * beta);
}

/// Share of the sun's light that gets here, 0..1.
fn sunShare(world: vec3f) -> f32 {
  let clip = uniforms.shadowMatrix * vec4f(world, 1.0);
  let uv = 0.5 + 0.5 * clip.xy;
  if (any(uv <= vec2f(0.0)) || any(uv >= vec2f(1.0))) {
    return 1.0;
  }
  let size = uniforms.shadow.z;
  let at = uv * size - 0.5;
  let low = floor(at);
  let part = at - low;
  var sum = 0.0;
  // Tent filter, 4 x 4 texels.
  for (var y = -1; y <= 2; y++) {
    for (var x = -1; x <= 2; x++) {
      let texel = clamp(vec2i(low) + vec2i(x, y), vec2i(0), vec2i(i32(size) - 1));
      let through = (clip.z - textureLoad(sunDepth, texel, 0)) * uniforms.shadow.x - uniforms.shadow.w;
      let near = max(vec2f(0.0), 2.0 - abs(vec2f(f32(x), f32(y)) - part));
      sum += near.x * near.y * exp(-uniforms.shadow.y * max(through, 0.0));
    }
  }
  return sum / 16.0;
}

/// `wet`: a film of water smooths the scales over, and is a mirror of its own.
fn hairLight(albedo: vec3f, T: vec3f, V: vec3f, L: vec3f, share: f32, seed: f32, wet: f32) -> vec3f {
  let sinL = dot(T, L);
  let sinV = dot(T, V);
  let cosD = cos(0.5 * (asin(clamp(sinV, -1.0, 1.0)) - asin(clamp(sinL, -1.0, 1.0))));
  let flatL = L - sinL * T;
  let flatV = V - sinV * T;
  let cosPhi = dot(flatL, flatV) * inverseSqrt(dot(flatL, flatL) * dot(flatV, flatV) + 1e-4);
  let cosHalf = sqrt(clamp(0.5 + 0.5 * cosPhi, 0.0, 1.0));
  let sine = sinL + sinV;
  // Each strand its own tilt of the scales and roughness: highlights break up into strands.
  let tilt = 0.06 + 0.05 * (seed - 0.5);
  let beta = (0.13 + 0.07 * seed) * (1.0 - 0.45 * wet);

  let mirror = fresnel(sqrt(clamp(0.5 + 0.5 * dot(V, L), 0.0, 1.0)));
  let r = lobe(beta, sine + 2.0 * tilt) * (0.18 + 0.5 * wet) * cosHalf * mirror;

  let bend = 1.0 / (1.19 / cosD + 0.36 * cosD);
  let h = cosHalf * (1.0 + bend * (0.6 - 0.8 * cosPhi));
  let into = 1.0 - fresnel(cosD * sqrt(clamp(1.0 - h * h, 0.0, 1.0)));
  let thick = 0.5 * sqrt(max(1.0 - h * h * bend * bend, 0.0)) / cosD;
  let tt = lobe(0.5 * beta, sine - tilt) * exp(-3.65 * cosPhi - 3.98) * into * into;

  let inner = fresnel(0.5 * cosD);
  let trt = lobe(2.0 * beta, sine - 3.0 * tilt) * exp(17.0 * cosPhi - 16.78) * (1.0 - inner) * (1.0 - inner) * inner;

  // Many times scattered: as off a surface that wraps the strand, tinted the deeper the more.
  let facing = (V - sinV * T) * inverseSqrt(max(1.0 - sinV * sinV, 1e-4));
  let wrapped = clamp((dot(facing, L) + 1.0) / 4.0, 0.0, 1.0);
  let grey = max(dot(albedo, vec3f(0.3, 0.59, 0.11)), 1e-4);
  let deep = pow(albedo / grey, vec3f(1.0 - share));
  let many = sqrt(albedo) * deep * (wrapped / PI) * 0.38;
  return (vec3f(r) + tt * pow(albedo, vec3f(thick)) + 2.4 * trt * pow(albedo, vec3f(0.8 / cosD)) + many) * share;
}

/// Khronos PBR neutral (2024): colours below 0.8 stay what they are.
fn toneMap(color: vec3f) -> vec3f {
  let least = min(color.r, min(color.g, color.b));
  let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
  let c = color - offset;
  let peak = max(c.r, max(c.g, c.b));
  let start = 0.8 - 0.04;
  if (peak < start) {
    return c;
  }
  let d = 1.0 - start;
  let high = 1.0 - d * d / (peak + d - start);
  let pale = 1.0 - 1.0 / (0.15 * (peak - high) + 1.0);
  return mix(c * (high / peak), vec3f(high), pale);
}

@fragment
fn main(input : FragmentInputs) -> FragmentOutputs {
  let T = normalize(fragmentInputs.vTangent);
  let V = normalize(uniforms.eye - fragmentInputs.vPlace);
  let L = uniforms.sun;
  let across = clamp(fragmentInputs.vStrand.x, -0.97, 0.97);
  let along = fragmentInputs.vStrand.y;
  let seed = fragmentInputs.vStrand.w;
  let share = sunShare(fragmentInputs.vPlace);
  let side = normalize(cross(T, V));
  let round = normalize(cross(side, T) * sqrt(1.0 - across * across) + side * across);
  var albedo = fragmentInputs.vColor.rgb;
  var light = vec3f(0.0);
  if (fragmentInputs.vColor.w > 0.5) {
    // Three strands laid round each other: bright backs, dark grooves.
    let phase = 3.0 * asin(across) - 0.9 * fragmentInputs.vStrand.z;
    albedo *= (0.42 + 0.58 * sqrt(0.5 + 0.5 * cos(phase)));
    let normal = normalize(round + (0.35 * sin(phase)) * T);
    light = albedo * (uniforms.sunColor * (max(dot(normal, L), 0.0) * share / PI)
      + mix(uniforms.floorColor, uniforms.skyColor, 0.5 + 0.5 * normal.y));
  } else {
    let wet = max(-fragmentInputs.vColor.w, 0.0);
    // What is wet sends less back: light finds its way into water sooner than out of it.
    albedo = pow(albedo, vec3f(1.0 + 0.35 * wet));
    // Roots lie in the shade of the rest; deep in the hair the sky is hidden as the sun is.
    let open = mix(0.35, 1.0, smoothstep(0.0, 0.4, along)) * (0.3 + 0.7 * share);
    let sky = mix(uniforms.floorColor, uniforms.skyColor, 0.5 + 0.5 * round.y);
    light = uniforms.sunColor * hairLight(albedo, T, V, L, share, seed, wet) + sqrt(albedo) * albedo * sky * open;
  }
  let mapped = clamp(toneMap(light * uniforms.image.x), vec3f(0.0), vec3f(1.0));
  let shown = pow(mapped, vec3f(1.0 / 2.2));
  let strong = shown * shown * (3.0 - 2.0 * shown);
  fragmentOutputs.color = vec4f(mix(shown, strong, uniforms.image.y - 1.0), 1.0);
}
