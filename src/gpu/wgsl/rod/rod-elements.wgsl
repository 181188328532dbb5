// Elements of the rods: rows z with weight w and right-hand side ρ, so that the step minimises Σ
// w (z·x − ρ)². One thread a node.
//
// CPU twin: mechanics/rod/elements.ts, assemble-strand.ts (without a guess). x is the change of
// velocity, so with stiffness c z zᵀ and force −c·change·z of an element, w = (dt² + dt·damping) c and ρ
// = −dt/(dt² + dt·damping)·change − z·v.
// Of node i: stretch of edge i (t, w along it; the positive part across it, with d1 and t × d1), and, if it is an
// inner node, four curvatures and the twist. All by edge vectors: rigid motion cancels before anything is multiplied.


@reads(strands, rods, origins, places, velocities, frames, rests)
/// 0..7: four curvatures: (by e0, by θ), (by e1, ρ); θ is that of e0 for the first two, of e1 for the others
/// 8: (κb, ρ of the twist); 9: 1/2l0, 1/2l1, w of curvatures, w of the twist
/// 10: (t, ρ of the stretch); 11: (d1, ρ across by d1); 12: w along, w across, ρ across by t × d1, 0
@writes(elements)

struct Edge {
  t: vec3f,
  length: f32,
  d1: vec3f,
  change: f32,   // length less rest length [m]
}

fn measureEdge(node: u32, unit: f32) -> Edge {
  let e = vec3f(places[node + 1u].xyz - places[node].xyz) * unit;
  let rest = rests[3u * node].x;
  let square = dot(e, e);
  let length = sqrt(square);
  let d1 = frames[node].xyz;
  // By squares: the root of WGSL may be a few digits off.
  return Edge(tangentOf(e, rest, d1), length, d1, (square - rest * rest) / (length + rest));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands * block.nodes) {
    return;
  }
  let s = id.x % block.strands;
  let i = id.x / block.strands;
  if (i + 1u >= block.nodes) {
    return;
  }
  let slot = block.firstStrand + s;
  let strand = strands[slot];
  let rod = rods[strand.rod];
  let unit = origins[slot].w;
  let node = strand.first + i;
  let dt = block.timeStep;
  let stiffness = dt * (dt + rod.damping);
  let share = dt / stiffness;
  let v = velocities[node];
  let dv1 = velocities[node + 1u].xyz - v.xyz;

  let e1 = measureEdge(node, unit);
  let rest = rests[3u * node].x;
  // Of the rod's stiffness, this edge's and this node's share.
  let shares = rests[3u * node + 2u];
  let along = stiffness * shares.x * rod.stretch / rest;
  // How far the last linearisation saw it stretched: rod-integrate.wgsl.
  let slack = min(max(rests[3u * node + 1u].w, 0.0) / max(e1.length, 1e-30), 1.0);
  elements[at(i, 10u, ELEMENT_VALUES, s)] = vec4f(e1.t, -share * e1.change - dot(e1.t, dv1));
  elements[at(i, 11u, ELEMENT_VALUES, s)] = vec4f(e1.d1, -dot(e1.d1, dv1));
  elements[at(i, 12u, ELEMENT_VALUES, s)] = vec4f(along, along * slack, -dot(cross(e1.t, e1.d1), dv1), 0.0);
  if (i == 0u) {
    return;
  }

  let before = velocities[node - 1u];
  let dv0 = v.xyz - before.xyz;
  let e0 = measureEdge(node - 1u, unit);
  let voronoi = rests[3u * node].y;
  let chi = max(1.0 + dot(e0.t, e1.t), SHARPEST_CORNER);
  let binormal = cross(e0.t, e1.t) * (2.0 / chi);
  let l0 = max(e0.length, SHORTEST_EDGE * voronoi);
  let l1 = max(e1.length, SHORTEST_EDGE * voronoi);
  let sum = e0.t + e1.t;
  let g0 = 1.0 / (chi * l0);
  let g1 = 1.0 / (chi * l1);
  let theta0 = bitcast<f32>(places[node - 1u].w);
  let theta1 = bitcast<f32>(places[node].w);
  let turn0 = sineCosine(theta0);
  let turn1 = sineCosine(theta1);
  let f0 = cross(e0.t, e0.d1);
  let f1 = cross(e1.t, e1.d1);
  // κ = κb·m2, −κb·m1 of both edges, written as κb·d
  let d = array<vec3f, 4>(
    turn0.y * f0 - turn0.x * e0.d1,
    -(turn0.y * e0.d1 + turn0.x * f0),
    turn1.y * f1 - turn1.x * e1.d1,
    -(turn1.y * e1.d1 + turn1.x * f1),
  );
  let kappa = vec4f(dot(binormal, d[0]), dot(binormal, d[1]), dot(binormal, d[2]), dot(binormal, d[3]));
  // Turning the directors: dκ0 = κ1 dθ, dκ1 = −κ0 dθ.
  let byTheta = vec4f(kappa.y, -kappa.x, kappa.w, -kappa.z);
  let restKappa = vec4f(rests[3u * node].zw, rests[3u * node + 1u].xy);
  let rates = vec4f(before.w, before.w, v.w, v.w);
  for (var j = 0u; j < 4u; j++) {
    let by0 = (2.0 * cross(e1.t, d[j]) - kappa[j] * sum) * g0;
    let by1 = (-2.0 * cross(e0.t, d[j]) - kappa[j] * sum) * g1;
    let rate = dot(by0, dv0) + dot(by1, dv1) + byTheta[j] * rates[j];
    elements[at(i, 2u * j, ELEMENT_VALUES, s)] = vec4f(by0, byTheta[j]);
    elements[at(i, 2u * j + 1u, ELEMENT_VALUES, s)] = vec4f(by1, -share * (kappa[j] - restKappa[j]) - rate);
  }
  let h0 = 0.5 / l0;
  let h1 = 0.5 / l1;
  let twist = theta1 - theta0 + frames[node].w - rests[3u * node + 1u].z;
  let twisting = h0 * dot(binormal, dv0) + h1 * dot(binormal, dv1) + v.w - before.w;
  elements[at(i, 8u, ELEMENT_VALUES, s)] = vec4f(binormal, -share * twist - twisting);
  let scale = stiffness / voronoi;
  let resists = vec2f(0.5 * scale * shares.y * rod.bend, scale * shares.z * rod.twist);
  elements[at(i, 9u, ELEMENT_VALUES, s)] = vec4f(h0, h1, resists);
}
