// Moves the nodes by their velocities over one step and carries the frames along. One thread a strand.
//
// CPU twin: mechanics/rod/update-frames.ts. Places are whole numbers of a unit that is the strand's own
// (tables/strand-buffers.ts): adding to them loses nothing, wherever the strand is, and differences of neighbours are
// exact. A strand whose first node has gone far from its origin, or goes there in this step, takes its origin along;
// all its places change by the same.

@reads(velocities)
@writes(strands, places, previous, frames)
/// Origin from that of the world's cell [m]; unit [m].
@writes(origins)
/// From the strand's origin [m], θ [rad]: what contacts and drawing read.
@writes(positions)
/// Last number of a node: how much longer than at rest the last linearisation saw its edge, viscous part included [m];
/// of the last node: damping of the rod [s].
@writes(rests)

const FAR = 536870912;          // 2²⁹ units
const QUICK = 134217728.0;      // 2²⁷ units a step: from there on the origin goes along
const GRAIN = 65536.0;          // whole steps of the origin: numbers that f32 holds exactly
const FARTHEST_STEP = 8e8;      // units that a node may move beside its origin

fn relative(place: vec4i, unit: f32) -> vec4f {
  return vec4f(vec3f(place.xyz) * unit, bitcast<f32>(place.w));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let s = id.x;
  if (s >= block.strands) {
    return;
  }
  let slot = block.firstStrand + s;
  let strand = strands[slot];
  let origin = origins[slot];
  let unit = origin.w;
  var jump = vec3i(0);
  var carry = vec3f(0.0);
  if ((strand.flags & STRAND_TETHERED) == 0u) {
    if (any(abs(places[strand.first].xyz) > vec3i(FAR))) {
      jump = places[strand.first].xyz;
    }
    let step = velocities[strand.first].xyz * (block.timeStep / unit);
    if (any(abs(step) > vec3f(QUICK))) {
      carry = trunc(step / GRAIN) * (GRAIN * unit);
    }
  }
  var bad = (strand.flags & STRAND_QUARANTINED) != 0u;
  for (var i = 0u; i < block.nodes && !bad; i++) {
    let d = velocities[strand.first + i] * block.timeStep - vec4f(carry, 0.0);
    bad = isBad4(d) || any(abs(d.xyz) > vec3f(FARTHEST_STEP * unit));
  }
  carry = select(carry, vec3f(0.0), bad);
  if (any(jump != vec3i(0)) || any(carry != vec3f(0.0))) {
    origins[slot] = vec4f(origin.xyz + vec3f(jump) * unit + carry, unit);
  }
  if (bad) {
    strands[slot].flags |= STRAND_QUARANTINED;
  }

  let viscous = 1.0 + rests[3u * (strand.first + block.nodes) - 2u].w / block.timeStep;
  var before = vec4i(0);
  var after = vec4i(0);
  var lastDirector = vec3f(0.0);
  var lastTangent = vec3f(0.0);
  for (var i = 0u; i < block.nodes; i++) {
    let node = strand.first + i;
    let old = vec4i(places[node].xyz - jump, places[node].w);
    var moved = old;
    if (!bad) {
      let d = velocities[node] * block.timeStep - vec4f(carry, 0.0);
      moved = vec4i(old.xyz + vec3i(round(d.xyz / unit)), bitcast<i32>(bitcast<f32>(old.w) + d.w));
    }
    places[node] = moved;
    previous[node] = relative(old, unit) - vec4f(carry, 0.0);
    positions[node] = relative(moved, unit);
    // Edge i − 1, now that both its ends are known.
    if (i > 0u && !bad) {
      var frame = frames[node - 1u];
      let rest = rests[3u * (node - 1u)].x;
      let t0 = tangentOf(vec3f(old.xyz - before.xyz) * unit, rest, frame.xyz);
      let t1 = tangentOf(vec3f(moved.xyz - after.xyz) * unit, rest, frame.xyz);
      let director = carryDirector(frame.xyz, t0, t1);
      if (i > 1u) {
        let carried = carryDirector(lastDirector, lastTangent, t1);
        frame.w = nearestTurn(directorAngle(carried, director, t1), frame.w);
      }
      frames[node - 1u] = vec4f(director, frame.w);
      // Along the direction that the edge had: the tension that across-stiffness comes from
      // (assemble-strand.ts, seenLength).
      let e0 = vec3f(old.xyz - before.xyz) * unit;
      let change = vec3f((moved.xyz - after.xyz) - (old.xyz - before.xyz)) * unit;
      let stretched = (dot(e0, e0) - rest * rest) / (sqrt(dot(e0, e0)) + rest);
      rests[3u * node - 2u].w = stretched + viscous * dot(t0, change);
      lastDirector = director;
      lastTangent = t1;
    }
    before = old;
    after = moved;
  }
}
