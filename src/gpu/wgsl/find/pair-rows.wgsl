// Rows of the contacts of edges with edges, each with force and colour of the same feature in
// the last list. One thread a pair.
//
// CPU twin: addNear and touch in kernels/assembly/proximity/pairs.ts, writeRow in proximity/contacts.ts.
// The normal keeps its side: an impact is found before the edges cross, and edges that crossed all the same
// get the side of the last step back.

@reads(edges, rods, pairs, starts, counters)
@writes(last, contacts)

/// A unit vector across both edges, or across the longer one where they are parallel.
fn acrossBoth(u: vec3f, v: vec3f) -> vec3f {
  let n = cross(u, v);
  let uu = dot(u, u);
  let vv = dot(v, v);
  if (dot(n, n) > 1e-8 * uu * vv) {
    return normalize(n);
  }
  let l = select(v, u, uu >= vv);
  // The axis that the edge runs along least, made normal to the edge.
  let square = l * l;
  var axis = vec3f(0.0, 0.0, 1.0);
  if (square.x <= square.y && square.x <= square.z) {
    axis = vec3f(1.0, 0.0, 0.0);
  } else if (square.y <= square.z) {
    axis = vec3f(0.0, 1.0, 0.0);
  }
  return normalize(axis - l * (dot(axis, l) / max(max(uu, vv), 1e-30)));
}

/// Normal and gap of the contact at the closest points of the start.
fn nearNormal(A: Edge, B: Edge, found: Closest, before: u32) -> vec4f {
  let reach = A.radius + B.radius;
  if (found.distance > NO_DIRECTION * reach) {
    let n = found.apart / found.distance;
    let isInside = abs(found.s) < 1.0 && abs(found.t) < 1.0;
    if (before != NOTHING && isInside && found.sine > SIDE_SINE_SQUARED && found.distance < reach) {
      // Across two crossing edges there are two sides, and only passing through leads from one to the other.
      let across = cross(A.along, B.along);
      let lastNormal = last[before].normal.xyz;
      if (dot(across, n) * dot(across, lastNormal) < 0.0 && dot(n, lastNormal) < OTHER_SIDE) {
        return vec4f(-n, -found.distance - reach);
      }
    }
    return vec4f(n, found.distance - reach);
  }
  let n = acrossBoth(A.along, B.along);
  var lean = 0.0;
  if (before != NOTHING) {
    lean = dot(n, last[before].normal.xyz);
  } else {
    // The side it comes from.
    let change = changeOf(A, B);
    lean = -dot(n, found.s * change.a - found.t * change.b - change.middle);
  }
  return vec4f(select(n, -n, lean < 0.0), found.distance - reach);
}

fn writeRow(place: u32, low: u32, other: u32, high: u32, A: Edge, B: Edge, found: Closest, normal: vec4f, time: f32) {
  if (place >= detection.contactRoom) {
    return;
  }
  let s = 0.5 + 0.5 * found.s;
  let t = 0.5 + 0.5 * found.t;
  let a = rods[A.rod];
  let b = rods[B.rod];
  let give = 0.5 * (a.compliance + b.compliance) + giveOf(normal.w, A.radius + B.radius, A.mass, detection.timeStep);
  var row = Contact(
    vec4u(low, low + 1u, other, other + 1u),
    vec4f(1.0 - s, s, t - 1.0, -t),
    normal,
    vec4f(0.0),
    vec3f(0.0),
    NOTHING,
    vec4f(0.0, 0.0, 0.0, time),
    vec4f(sqrt(a.friction * b.friction), sqrt(a.cohesion * b.cohesion), give, A.radius),
    vec4u(low, high, NO_COLOUR, NOTHING),
  );
  if (detection.further == 0u) {
    continueRow(&row);
  }
  contacts[place] = row;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var p = id.x; p < counters[COUNTER_PAIRS]; p += 64u * groups.x) {
    let pair = pairs[p];
    if ((pair.z & (NEAR_HIT | IMPACT_HIT)) == 0u) {
      continue;
    }
    let A = edges[pair.x];
    let B = edges[pair.y];
    let c = coupleOf(A, B);
    var place = starts[detection.starts + pair.x] + (pair.z >> RANK_SHIFT);
    let high = pair.y << 1u;
    if ((pair.z & NEAR_HIT) != 0u) {
      let found = closestOf(c, 1.0);
      let before = select(NOTHING, findLast(pair.x, high), detection.further == 0u);
      writeRow(place, pair.x, pair.y, high, A, B, found, nearNormal(A, B, found, before), 0.0);
      place++;
    }
    if ((pair.z & IMPACT_HIT) != 0u) {
      let time = bitcast<f32>(pair.w);
      let found = closestOf(coupleAt(c, changeOf(A, B), time), 0.0);
      let n = found.apart / found.distance;
      let height = dot(found.s * c.a - found.t * c.b - c.middle, n);
      writeRow(place, pair.x, pair.y, impactFeature(pair), A, B, found, vec4f(n, height - A.radius - B.radius), time);
    }
  }
}
