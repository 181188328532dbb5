// Whether a neighbouring edge reports a contact instead.
//
// CPU twin: repeatsNeighbour in kernels/assembly/proximity/pairs.ts: the edge before, when the point is where it
// ends; for edges that cross, the neighbour at an end beyond which the strand comes nearer still; for
// near-parallel ones the neighbour that lies beside the other edge where this one only meets its end. What a
// neighbour has found is worked out again here.

/// Up to this far from its end a point is at the end [m].
fn endOf(reach: f32, edge: f32) -> f32 {
  return min(END_OF_RADII * reach, END_OF_EDGE * edge);
}

/// Towards the neighbour at whose node the place (0..1) is, 0 none.
fn stepFrom(place: f32, edge: f32, end: f32) -> i32 {
  return select(select(0, 1, place >= AT_END), -1, place * edge <= end);
}

/// Whether the neighbour `next` of an edge reports the contact instead; places on the edges looked along and across.
fn isLeftTo(
  me: Near,
  next: Near,
  step: i32,
  along: vec2f,
  across: vec2f,
  lengths: vec3f,
  ends: vec2f,
  reach: f32,
  alone: bool,
) -> bool {
  let distance = me.closest.distance;
  let other = next.closest.distance;
  let most = (1.0 + detection.near) * reach;
  // The earlier neighbour has the same point, near its end.
  let isSame = step < 0 && other <= min(distance + ends.x, most)
    && (1.0 - along.y) * lengths.y <= min(2.0 * ends.x, END_OF_EDGE * lengths.y);
  if (isSame && abs(across.y - across.x) * lengths.z <= 2.0 * ends.y) {
    return true;
  }
  if (me.closest.sine > SIDE_SINE_SQUARED) {
    // The neighbour's point is nearer, and too far from the common node to be a repetition of this one.
    let beyond = select(along.y, 1.0 - along.y, step < 0) * lengths.y;
    return alone && other < distance && beyond > endOf(reach, lengths.y);
  }
  // Of near-parallel edges the neighbour has much more of its length beside the other edge, at about the same distance.
  let isBeside = next.closest.beside - me.closest.beside > LONGER_BESIDE * lengths.x;
  return isBeside && other <= min(distance + LONGER_BESIDE * reach, most);
}

fn repeatsNeighbour(a: u32, b: u32, A: Edge, B: Edge, me: Near) -> bool {
  let reach = A.radius + B.radius;
  let s = 0.5 + 0.5 * me.closest.s;
  let t = 0.5 + 0.5 * me.closest.t;
  let lengths = vec2f(length(A.along), length(B.along));
  let ends = vec2f(endOf(reach, lengths.x), endOf(reach, lengths.y));
  let stepA = stepFrom(s, lengths.x, ends.x);
  let stepB = stepFrom(t, lengths.y, ends.y);
  let nextA = u32(i32(a) + stepA);
  if (stepA != 0 && nextA < b) {
    let N = edges[nextA];
    if (N.strand != NOTHING && mayMeet(nextA, b, N, B)) {
      let next = lookAt(N, B);
      let along = vec2f(s, 0.5 + 0.5 * next.closest.s);
      let across = vec2f(t, 0.5 + 0.5 * next.closest.t);
      let sizes = vec3f(lengths.x, length(N.along), lengths.y);
      if (next.isKept && isLeftTo(me, next, stepA, along, across, sizes, ends, reach, stepB == 0)) {
        return true;
      }
    }
  }
  let nextB = u32(i32(b) + stepB);
  if (stepB != 0 && nextB > a && nextB < detection.nodes) {
    let N = edges[nextB];
    if (N.strand != NOTHING && mayMeet(a, nextB, A, N)) {
      let next = lookAt(A, N);
      let along = vec2f(t, 0.5 + 0.5 * next.closest.t);
      let across = vec2f(s, 0.5 + 0.5 * next.closest.s);
      let sizes = vec3f(lengths.y, length(N.along), lengths.x);
      return next.isKept && isLeftTo(me, next, stepB, along, across, sizes, ends.yx, reach, stepA == 0);
    }
  }
  return false;
}
