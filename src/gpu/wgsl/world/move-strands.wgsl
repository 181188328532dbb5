// Strands that go along with a body that was put somewhere else. One thread a strand. CPU twin: moveNode
// in dynamics/elastic/teleport.ts.
//
// Edges are turned, not places: what f32 rounds off a place far from the origin is much to a stiff edge.

@reads(strands)
/// By strand, in the order of the headers: 1, it goes along.
@reads(moved)
@writes(origins, places, positions, previous, velocities, frames)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= motion.strands || moved[id.x] == 0u) {
    return;
  }
  let strand = strands[id.x];
  let origin = origins[id.x];
  let unit = origin.w;
  let arm = origin.xyz - motion.start;
  let armTurned = rotated(arm);
  origins[id.x] = vec4f(motion.end + armTurned, unit);
  var old = places[strand.first].xyz;
  var now = vec3i(round(rotated(vec3f(old))));
  for (var node = strand.first; node < strand.first + strand.count; node++) {
    let place = places[node];
    now += vec3i(round(rotated(vec3f(place.xyz - old))));
    old = place.xyz;
    places[node] = vec4i(now, place.w);
    // Its velocity is relative to the body's own, at its old place and at its new one.
    let before = arm + vec3f(old) * unit;
    let after = armTurned + vec3f(now) * unit;
    let v = velocities[node];
    let own = rotated(v.xyz - motion.velocity - cross(motion.spin, before));
    let carried = own + motion.velocity + cross(motion.spin, after);
    velocities[node] = vec4f(carried, v.w);
    positions[node] = vec4f(vec3f(now) * unit, positions[node].w);
    previous[node] = vec4f(rotated(previous[node].xyz), previous[node].w);
    frames[node] = vec4f(rotated(frames[node].xyz), frames[node].w);
  }
}
