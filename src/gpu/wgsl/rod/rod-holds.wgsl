// What clamps prescribe: velocities that bring held ends to their target within the step. One thread a strand.
//
// CPU twin: mechanics/rod/clamps.ts. Bodies come with their pose at the END of the step. A clamp on the world
// is given from the world's cell, one on a body in the body's frame; neither loses digits to a far place.

@reads(strands, origins, places, frames, rests)
/// Six a strand: start, then end: (outer node, body as bits: −1 the world), (its neighbour, 0), (director, 0).
@reads(clamps: array<vec4f>)
/// Two a body: (position from the world's origin cell, 0), rotation.
@reads(bodies: array<vec4f>)
/// Four a strand: start: (velocity of the outer node, twist rate), (of its neighbour, 0); likewise the end.
@writes(holds)

fn holdEnd(slot: u32, end: u32, strand: Strand) {
  let origin = origins[slot];
  var outer = clamps[6u * slot + 3u * end].xyz;
  var inner = clamps[6u * slot + 3u * end + 1u].xyz;
  var director = clamps[6u * slot + 3u * end + 2u].xyz;
  let body = bitcast<i32>(clamps[6u * slot + 3u * end].w);
  if (body < 0) {
    outer -= origin.xyz;
    inner -= origin.xyz;
  } else {
    let q = bodies[2 * body + 1];
    let center = bodies[2 * body].xyz - origin.xyz;
    outer = center + rotate(q, outer);
    inner = center + rotate(q, inner);
    director = rotate(q, director);
  }
  let last = strand.first + strand.count - 1u;
  let outerNode = select(last, strand.first, end == 0u);
  let innerNode = select(last - 1u, strand.first + 1u, end == 0u);
  let edge = min(outerNode, innerNode);
  let rate = 1.0 / block.timeStep;
  // In units of the fixed point: at rest the difference is exactly none.
  let unit = origin.w;
  let to = (vec3f(vec3i(round(outer / unit)) - places[outerNode].xyz)) * unit;
  let toInner = (vec3f(vec3i(round(inner / unit)) - places[innerNode].xyz)) * unit;

  // Edge tangents now and at the clamp, both in the direction of the strand.
  let way = select(-1.0, 1.0, end == 0u);
  let d1 = frames[edge].xyz;
  let rest = rests[3u * edge].x;
  let now = tangentOf(vec3f(places[edge + 1u].xyz - places[edge].xyz) * unit, rest, d1);
  let then = tangentOf(way * (inner - outer), rest, d1);
  let theta = bitcast<f32>(places[edge].w);
  var turn = 0.0;
  // Without a director (zero, or along the tangent) the twist stays as it is.
  director -= dot(director, then) * then;
  if (dot(director, director) > 1e-12) {
    let carried = carryDirector(d1, now, then);
    turn = nearestTurn(directorAngle(carried, normalize(director), then), theta) - theta;
  }
  holds[4u * slot + 2u * end] = vec4f(to * rate, turn * rate);
  holds[4u * slot + 2u * end + 1u] = vec4f(toInner * rate, 0.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= block.strands) {
    return;
  }
  let slot = block.firstStrand + id.x;
  let strand = strands[slot];
  if ((strand.flags & STRAND_CLAMP_START) != 0u) {
    holdEnd(slot, 0u, strand);
  }
  if ((strand.flags & STRAND_CLAMP_END) != 0u) {
    holdEnd(slot, 1u, strand);
  }
}
