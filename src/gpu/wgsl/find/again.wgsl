// One more contact of a pair that a further look found to meet. Sliding fast while they turn, two edges obey each of
// their contacts, which is a plane, and would cross all the same.
//
// CPU twins: touchAgain and freeFeature in kernels/assembly/proximity/pairs.ts.

/// Times of impact as shares of a step: the same to within rounding.
const SAME_TIME = 1e-5;

/// A pair that meets: its edges, and its contact distance [m].
struct Meeting {
  c: Couple,
  change: Couple,
  reach: f32,
  distance: f32,      // at the start [m]
}

/// Contact that a pair gets: feature, time of impact; NOTHING: none.
struct Again {
  high: u32,
  time: f32,
}

/// Whether places on both edges (−1..1) are so near to others that one contact answers for both.
fn isSamePlace(m: Meeting, p: vec2f, q: vec2f) -> bool {
  let most = OWN_PLACE * m.reach;
  return abs(p.x - q.x) * length(m.c.a) <= most && abs(p.y - q.y) * length(m.c.b) <= most;
}

/// Places of a row of the list, −1..1.
fn placesOf(row: u32) -> vec2f {
  let w = last[row].weights;
  return 2.0 * vec2f(w.y, -w.w) - 1.0;
}

/// Height of A's place over B's along n when the step is over [m].
fn heightAfter(m: Meeting, place: vec2f, n: vec3f) -> f32 {
  let end = coupleAt(m.c, m.change, 1.0);
  return dot(place.x * end.a - place.y * end.b - end.middle, n);
}

/// Unless the pair's last contact `row` is that one: what moves as it did when it was found needs no second.
fn unlessKnown(row: u32, high: u32, time: f32) -> Again {
  let isKnown = row != NOTHING && abs(last[row].drift.w - time) < SAME_TIME;
  return Again(select(high, NOTHING, isKnown), time);
}

/// Of edges a and b that come within `goal` at `time`, at `place`; `isNear`: they are near now, `isSame`: there.
fn meetAgain(a: u32, b: u32, m: Meeting, goal: f32, time: f32, place: vec2f, isNear: bool, isSame: bool) -> Again {
  let none = Again(NOTHING, 0.0);
  let key = b << 1u;
  // Of its contacts in the list all must be obeyed, and there must be room for one more.
  var high = NOTHING;
  var latest = NOTHING;
  var isAnswered = isSame;
  for (var i = 0u; i < 2u + MOST_AGAIN; i++) {
    let feature = select(key | IMPACT_BIT | ((i - 1u) << AGAIN_SHIFT), key, i == 0u);
    let row = findLast(a, feature);
    if (row == NOTHING) {
      if (i == 0u && isNear) {
        continue;
      }
      high = feature;
      break;
    }
    let n = last[row].normal;
    if (heightAfter(m, placesOf(row), n.xyz) < (1.0 - DISOBEYED) * (m.reach + min(0.0, n.w))) {
      return none;
    }
    isAnswered = isAnswered || isSamePlace(m, place, placesOf(row));
    latest = row;
  }
  if (high == NOTHING || !isAnswered) {
    return Again(high, time);
  }
  // Velocities that obey a contact there and still bring the edges half as near: they slide round it (over a node, onto
  // the neighbouring edge), or turn while they slide, and would cross.
  let half = 0.5 * min(m.distance, m.reach);
  var near = time;
  if (half < goal) {
    near = advance(m.c, m.change, half, MOST_BOUNDS);
    if (near >= 1.0) {
      return none;
    }
  }
  // Where they would cross is worth more than where they come near: fewer such contacts are needed.
  let crossing = advance(m.c, m.change, CROSSING_SHARE * half, MOST_BOUNDS);
  if (crossing < 1.0) {
    return unlessKnown(latest, high, crossing);
  }
  // A neighbour's contact may not be obeyed yet: beside it nothing less counts.
  if (high == (key | IMPACT_BIT) && findLast(a, key) == NOTHING) {
    return none;
  }
  return unlessKnown(latest, high, near);
}
