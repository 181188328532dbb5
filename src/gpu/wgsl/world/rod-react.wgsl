// What strands do to the bodies that their clamps hang on: the force in the cut behind the held edge, and the held
// nodes' own weight and inertia. One thread a strand; after the last solve of a step.
//
// Bodies carry held nodes as prescribed motion, so the elastic equations lack their rows; here they are, from the same
// elements (rod-elements.wgsl): each pulls with −w z (z·x − ρ) dt for the changes x of velocity. On wasm such
// clamps are two ball joints (dynamics/elastic/collect-contacts.ts); there as here the body feels no twist. Forces
// between the two held nodes are the body's own.


@reads(strands, elements, predicted, reference, forces)
/// Two a strand: places of start and end in `reactions` as bits (NOTHING: no body that could feel it), share of
/// gravity, spare; masses of the held nodes: start, its neighbour, end, its neighbour [kg].
@reads(cuts: array<vec4f>)
/// At the start of the step; at its end; the same without what the projection put right, of strands with contacts.
@reads(velocities)
/// Two an end: impulse of the outer node on the body, of its neighbour [N·s].
@writes(reactions)

/// Change of velocity of node i of the strand in this step.
fn changeOf(strand: Strand, i: u32) -> vec4f {
  let node = strand.first + i;
  var v = predicted[node];
  if ((strand.flags & IDLE) == 0u) {
    v = reference[node];
  }
  return v - velocities[node];
}

/// What the elements about node i and the edge behind it do to nodes i − 1, i, i + 1, x:
/// their changes; z by node as columns.
fn vertexPull(s: u32, i: u32, x0: vec4f, x1: vec4f, x2: vec4f) -> mat3x3f {
  var pull = mat3x3f();
  let scale = elements[at(i, 9u, ELEMENT_VALUES, s)];
  for (var j = 0u; j < 5u; j++) {
    let e0 = elements[at(i, 2u * j, ELEMENT_VALUES, s)];
    var z = mat3x3f();
    var strain = 0.0;
    if (j < 4u) {
      let e1 = elements[at(i, 2u * j + 1u, ELEMENT_VALUES, s)];
      z = mat3x3f(-e0.xyz, e0.xyz - e1.xyz, e1.xyz);
      let stretched = dot(e0.xyz, x1.xyz - x0.xyz) + dot(e1.xyz, x2.xyz - x1.xyz);
      strain = scale.z * (stretched + e0.w * select(x1.w, x0.w, j < 2u) - e1.w);
    } else {
      z = mat3x3f(-scale.x * e0.xyz, (scale.x - scale.y) * e0.xyz, scale.y * e0.xyz);
      let bent = scale.x * dot(e0.xyz, x1.xyz - x0.xyz) + scale.y * dot(e0.xyz, x2.xyz - x1.xyz);
      strain = scale.w * (bent + x1.w - x0.w - e0.w);
    }
    pull -= z * strain;
  }
  return pull;
}

/// What edge i does to its second node.
fn edgePull(s: u32, i: u32, x0: vec4f, x1: vec4f) -> vec3f {
  let tangent = elements[at(i, 10u, ELEMENT_VALUES, s)];
  let director = elements[at(i, 11u, ELEMENT_VALUES, s)];
  let scale = elements[at(i, 12u, ELEMENT_VALUES, s)];
  let x = x1.xyz - x0.xyz;
  let other = cross(tangent.xyz, director.xyz);
  let along = scale.x * (dot(tangent.xyz, x) - tangent.w) * tangent.xyz;
  return -along - scale.y * ((dot(director.xyz, x) - director.w) * director.xyz + (dot(other, x) - scale.z) * other);
}

/// Own weight and inertia of a held node.
fn ownPull(node: u32, change: vec4f, mass: f32, share: f32) -> vec3f {
  return mass * (block.timeStep * share * block.gravity - change.xyz) + block.timeStep * forces[node].xyz;
}

fn react(s: u32, strand: Strand, end: u32, place: u32, mass: vec2f, share: f32) {
  let n = block.nodes;
  let isStart = end == 0u;
  // From the clamped end inwards.
  let a = select(n - 1u, 0u, isStart);
  let b = select(n - 2u, 1u, isStart);
  let c = select(max(n, 3u) - 3u, min(2u, n - 1u), isStart);
  let d = select(max(n, 4u) - 4u, min(3u, n - 1u), isStart);
  let xa = changeOf(strand, a);
  let xb = changeOf(strand, b);
  let xc = changeOf(strand, c);
  let xd = changeOf(strand, d);
  var outer = ownPull(strand.first + a, xa, mass.x, share);
  var inner = ownPull(strand.first + b, xb, mass.y, share);
  if (n > 2u) {
    if (isStart) {
      let near = vertexPull(s, b, xa, xb, xc);
      outer += near[0];
      inner += near[1] - edgePull(s, b, xb, xc);
    } else {
      let near = vertexPull(s, b, xc, xb, xa);
      outer += near[2];
      inner += near[1] + edgePull(s, c, xc, xb);
    }
  }
  if (n > 3u) {
    if (isStart) {
      inner += vertexPull(s, c, xb, xc, xd)[0];
    } else {
      inner += vertexPull(s, c, xd, xc, xb)[2];
    }
  }
  // Of a strand that was held back (admm-limit.wgsl) or went bad nothing is right.
  let isWrong = (strand.flags & (STRAND_QUARANTINED | LIMITED)) != 0u || isBad4(vec4f(outer + inner, 0.0));
  reactions[2u * place] = select(vec4f(outer, 0.0), vec4f(0.0), isWrong);
  reactions[2u * place + 1u] = select(vec4f(inner, 0.0), vec4f(0.0), isWrong);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands) {
    return;
  }
  let slot = block.firstStrand + id.x;
  let cut = cuts[2u * slot];
  let mass = cuts[2u * slot + 1u];
  for (var end = 0u; end < 2u; end++) {
    let place = bitcast<u32>(cut[end]);
    if (place != NOTHING) {
      react(id.x, strands[slot], end, place, select(mass.zw, mass.xy, end == 0u), cut.z);
    }
  }
}
