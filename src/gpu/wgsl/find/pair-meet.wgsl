// Whether the two edges of a pair touch, and where they meet within the step. One thread a pair, at most.
//
// CPU twin: kernels/assembly/proximity/pairs.ts. Out: third word of the pair: NEAR_HIT (a contact at the
// closest points of the start), IMPACT_HIT (one where they meet), its feature beside that (edge.wgsl);
// fourth: bits of the time of impact.

@reads(edges, rods, starts, last, counters)
@writes(pairs)

fn meet(a: u32, b: u32) -> vec2u {
  let A = edges[a];
  let B = edges[b];
  let me = lookAt(A, B);
  let reach = A.radius + B.radius;
  let isContinuous = detection.continuous != 0u;
  let isFurther = detection.further != 0u;
  // A further look along the way of the step knows what is near.
  let repeats = (isFurther && isContinuous) || repeatsNeighbour(a, b, A, B, me);
  if (repeats && !isFurther && me.motion < min(0.5, detection.near) * reach) {
    return vec2u(0u);
  }
  let c = coupleOf(A, B);
  let change = changeOf(A, B);
  let found = me.closest;
  let gap = found.distance - reach;
  let margin = detection.near * reach;
  let normal = found.apart / max(found.distance, 1e-30);
  var isNear = gap <= margin;
  if (!isNear && !isContinuous) {
    let approach = found.s * change.a - found.t * change.b - change.middle;
    isNear = gap + max(-reach, dot(approach, normal)) <= margin;
  }
  var hits = 0u;
  if (isNear) {
    let isNew = !isFurther || findLast(a, b << 1u) == NOTHING;
    hits = select(0u, NEAR_HIT, !repeats && isNew);
  }
  // Nothing moves far enough to meet elsewhere first; or it is not asked.
  if (!isContinuous || gap > max(margin, me.motion) || (isNear && me.motion < 0.5 * reach)) {
    return vec2u(hits, 0u);
  }
  // Edges within reach of each other already can still cross elsewhere: they are watched at half their distance.
  let goal = select(0.5 * found.distance, reach, gap > 0.0);
  if (goal <= NO_DIRECTION * reach || found.distance - goal > me.motion || mayNeed(c, change, normal, goal) >= 1.0) {
    return vec2u(hits, 0u);
  }
  let time = advance(c, change, goal, MOST_BOUNDS);
  if (time >= 1.0) {
    return vec2u(hits, 0u);
  }
  let m = Meeting(c, change, reach, found.distance);
  let there = closestOf(coupleAt(c, change, time), 0.0);
  let place = vec2f(there.s, there.t);
  let isSame = isNear && isSamePlace(m, place, vec2f(found.s, found.t));
  if (isFurther) {
    let again = meetAgain(a, b, m, goal, time, place, isNear, isSame);
    if (again.high == NOTHING) {
      return vec2u(hits, 0u);
    }
    return vec2u(hits | impactOf(again.high), bitcast<u32>(again.time));
  }
  // The contact there answers for it.
  if (isSame) {
    return vec2u(hits, 0u);
  }
  return vec2u(hits | impactOf(select(0u, IMPACT_BIT, isNear)), bitcast<u32>(time));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var p = id.x; p < counters[COUNTER_PAIRS]; p += 64u * groups.x) {
    let pair = pairs[p];
    pairs[p] = vec4u(pair.xy, meet(pair.x, pair.y));
  }
}
