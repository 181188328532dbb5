// Nodes and the lowest point between them against one collider: contacts now, or where they meet within the step.
//
// CPU twin: kernels/assembly/proximity/body-edge.ts. An advance goes from one bound to the next: heights over the
// plane at the lowest point bound the distance to what is convex; over a mesh the distance itself does, which
// changes no faster than the place.

const START = 0u;
const END = 1u;
const BETWEEN = 2u;
/// Accuracy of lowest points, as a share of the radius.
const FINE = 2e-3;

fn toLocal(collider: ptr<function, Collider>, v: vec3f) -> vec3f {
  return rotate(vec4f(-(*collider).rotation.xyz, (*collider).rotation.w), v);
}

/// Way over the step as the body sees it (turned back, by Cayley), collider's axes; x: from its centre of mass.
fn wayOf(collider: ptr<function, Collider>, mover: Mover, x: vec3f, way: vec3f) -> vec3f {
  let g = way - detection.timeStep * mover.velocity.xyz;
  let half = 0.5 * detection.timeStep * mover.spin.xyz;
  let t = half * select(1.0, tan(length(half)) / length(half), length(half) > SMALL_HALF_TURN);
  let b = cross(x + g, t);
  return toLocal(collider, g + 2.0 / (1.0 + dot(t, t)) * (b + cross(b, t)));
}

fn railOf(collider: ptr<function, Collider>, mover: Mover, edge: Edge) -> Rail {
  let p = toLocal(collider, (edge.origin - (*collider).place) + edge.place);
  let x = (edge.origin - mover.position.xyz) + edge.place;
  let d0 = wayOf(collider, mover, x, edge.way);
  let d1 = wayOf(collider, mover, x + edge.along, edge.way + edge.bend);
  return Rail(p, toLocal(collider, edge.along), d0, d1);
}

fn keep(i: u32, c: u32, collider: ptr<function, Collider>, rail: Rail, place: u32, s: f32, found: Lowest, time: f32) {
  let hit = atomicAdd(&hits.count, 1u);
  if (hit >= detection.hitRoom) {
    return;
  }
  let g = time * mix(rail.d0, rail.d1, found.place);
  let point = rail.p + found.place * rail.e + g - found.distance * found.gradient;
  let q = (*collider).rotation;
  let arm = ((*collider).place - movers[(*collider).mover].position.xyz) + rotate(q, point);
  let gap = found.distance - edges[i].radius - dot(g, found.gradient);
  let high = BODY_BIT | ((*collider).slot << 3u) | place;
  hits.rows[hit] = Hit(i, high, heads[i], 0u, rotate(q, found.gradient), gap, arm, time, s, c, vec2u(0u));
  heads[i] = hit;
}

/// An edge (`place` BETWEEN), or one of its nodes, whose rail has no length.
fn meet(i: u32, c: u32, collider: ptr<function, Collider>, rail: Rail, place: u32, radius: f32) {
  let isMesh = (*collider).kind == SHAPE_MESH;
  let isEdge = place == BETWEEN;
  let size = length(rail.e);
  let margin = 2.0 * detection.near * radius;
  let motion = max(length(rail.d0), length(rail.d1));
  let limit = radius + max(margin, motion);
  var time = 0.0;
  var found: Lowest;
  var isHit = false;
  for (var k = 0u; k < MOST_BOUNDS; k++) {
    let e = rail.e + time * (rail.d1 - rail.d0);
    let most = limit + size + BEHIND_FACE * radius;
    found = lowestOnEdge(collider, rail.p + time * rail.d0, e, FINE * radius, select(3e38, limit, k == 0u), most);
    if (k == 0u) {
      let isBehind = isMesh && found.distance < select(-BEHIND_FACE * radius, 0.0, isEdge);
      var gap = found.distance - radius;
      if (detection.continuous == 0u) {
        gap += max(-radius, min(0.0, dot(mix(rail.d0, rail.d1, found.place), found.gradient)));
      }
      isHit = gap <= margin && !isBehind;
      if (isHit || isBehind || detection.continuous == 0u || found.distance - radius > motion) {
        isHit = isHit && (!isEdge || found.ends - found.distance > LOWER_SHARE * radius);
        break;
      }
    }
    // Heights of the ends over the plane at the lowest point.
    let slope = dot(e, found.gradient);
    let height = found.distance - found.place * slope - radius;
    let first = waitFor(height, dot(rail.d0, found.gradient));
    let plane = min(first, waitFor(height + slope, dot(rail.d1, found.gradient)));
    isHit = found.distance <= radius * (1.0 + HIT_SHARE) || k + 1u == MOST_BOUNDS;
    if (isHit) {
      break;
    }
    time += select(plane, (found.distance - radius) / max(motion, 1e-30), isMesh);
    if (time >= 1.0) {
      break;
    }
  }
  if (!isHit) {
    return;
  }
  if (!isEdge) {
    keep(i, c, collider, rail, place, f32(place), found, time);
  } else if (min(found.place, 1.0 - found.place) * size > min(BETWEEN_OF_RADIUS * radius, BETWEEN_OF_EDGE * size)) {
    keep(i, c, collider, rail, place, found.place, found, time);
  }
}
