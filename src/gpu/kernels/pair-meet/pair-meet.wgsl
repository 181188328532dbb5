// Whether the two edges of a pair touch, and where they meet within the step. One thread a pair, at most.
//
// CPU twin: kernels/assembly/strand-pairs.ts. Out: third word of the pair: NEAR_HIT (a contact at the closest points of the
// start), IMPACT_HIT (one where they meet), IMPACT_KNOWN (it is the second of the pair); fourth: bits of the time of impact.

/// An impact this far from the near point (in contact distances, along either edge) is a contact of its own.
const OWN_PLACE = 2.0;

@group(0) @binding(0) var<uniform> search: Search;
@group(0) @binding(1) var<storage, read> edges: array<Edge>;
@group(0) @binding(2) var<storage, read> rods: array<Rod>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> last: array<Contact>;
@group(0) @binding(5) var<storage, read_write> pairs: array<vec4u>;
@group(0) @binding(6) var<storage, read> counters: array<u32>;

/// Whether places on both edges (−1..1) are so near to others that one contact answers for both.
fn isSamePlace(c: Couple, s: f32, t: f32, s0: f32, t0: f32, reach: f32) -> bool {
  return abs(s - s0) * length(c.a) <= OWN_PLACE * reach && abs(t - t0) * length(c.b) <= OWN_PLACE * reach;
}

fn meet(a: u32, b: u32) -> vec2u {
  let A = edges[a];
  let B = edges[b];
  let me = lookAt(A, B);
  let reach = A.radius + B.radius;
  let repeats = repeatsNeighbour(a, b, A, B, me);
  if (repeats && me.motion < min(0.5, search.near) * reach) {
    return vec2u(0u);
  }
  let c = coupleOf(A, B);
  let change = changeOf(A, B);
  let found = me.closest;
  let gap = found.distance - reach;
  let margin = search.near * reach;
  let isContinuous = search.continuous != 0u;
  let normal = found.apart / max(found.distance, 1e-30);
  var isNear = gap <= margin;
  if (!isNear && !isContinuous) {
    let approach = found.s * change.a - found.t * change.b - change.middle;
    isNear = gap + max(-reach, dot(approach, normal)) <= margin;
  }
  var hits = 0u;
  if (isNear) {
    let isNew = search.further == 0u || (!isContinuous && findLast(a, b << 1u) == NOTHING);
    hits = select(0u, NEAR_HIT, !repeats && isNew);
  }
  // Nothing moves far enough to meet elsewhere first; or it is not asked.
  if (!isContinuous || gap > max(margin, me.motion) || (isNear && me.motion < 0.5 * reach)) {
    return vec2u(hits, 0u);
  }
  // Edges within reach of each other already can still cross elsewhere: they are watched at half their distance.
  var goal = select(0.5 * found.distance, reach, gap > 0.0);
  if (goal <= NO_DIRECTION * reach || found.distance - goal > me.motion || mayNeed(c, change, normal, goal) >= 1.0) {
    return vec2u(hits, 0u);
  }
  var time = advance(c, change, goal);
  if (time > 1.0) {
    return vec2u(hits, 0u);
  }
  var place = closestOf(coupleAt(c, change, time), 0.0);
  var isKnown = isNear;
  if (isNear && isSamePlace(c, place.s, place.t, found.s, found.t, reach)) {
    // The contact there answers for it. In a further look, along velocities that obey it, edges that still come half as near
    // slide round it (over a node, onto the neighbouring edge) and would cross.
    let half = 0.5 * found.distance;
    if (search.further == 0u || half >= goal || mayNeed(c, change, normal, half) >= 1.0) {
      return vec2u(hits, 0u);
    }
    time = advance(c, change, half);
    if (time > 1.0) {
      return vec2u(hits, 0u);
    }
  } else if (search.further != 0u && !isNear) {
    let before = findLast(a, b << 1u);
    isKnown = before != NOTHING;
    if (isKnown) {
      let w = last[before].weights;
      if (isSamePlace(c, place.s, place.t, 2.0 * w.y - 1.0, -2.0 * w.w - 1.0, reach)) {
        return vec2u(hits, 0u);
      }
    }
  }
  if (search.further != 0u && findLast(a, (b << 1u) | select(0u, 1u, isKnown)) != NOTHING) {
    return vec2u(hits, 0u);
  }
  return vec2u(hits | IMPACT_HIT | select(0u, IMPACT_KNOWN, isKnown), bitcast<u32>(time));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var p = id.x; p < counters[PAIRS]; p += 64u * groups.x) {
    let pair = pairs[p];
    pairs[p] = vec4u(pair.xy, meet(pair.x, pair.y));
  }
}
