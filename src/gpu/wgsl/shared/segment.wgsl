// Two edges of strands: closest points now, and first approach while their ends move on straight lines.
//
// CPU twins: kernels/assembly/proximity/filter.ts (closest points in f32) and proximity/segments.ts (advancement),
// where methods and references are given. Edges are middles and half vectors, places go from −1 to 1.

/// Under the squares of lengths and areas: an edge without length has place 0.
const NO_LENGTH = 1e-30;
/// Distance of axes, as a share of the contact distance, under which their difference is no direction.
const NO_DIRECTION = 3e-4;

/// Two edges at one time: B's middle less A's, half vectors.
struct Couple {
  middle: vec3f,
  a: vec3f,
  b: vec3f,
}

struct Closest {
  apart: vec3f,       // from the point on B to the point on A
  distance: f32,
  s: f32,             // places, −1..1
  t: f32,
  sine: f32,          // square of the sine between the edges
  beside: f32,        // length of A beside B [m]
}

/// The couple as it is, and how it changes within the step.
fn coupleOf(A: Edge, B: Edge) -> Couple {
  let middle = (B.origin - A.origin) + (B.place - A.place) + 0.5 * (B.along - A.along);
  return Couple(middle, 0.5 * A.along, 0.5 * B.along);
}

fn changeOf(A: Edge, B: Edge) -> Couple {
  return Couple(B.way - A.way + 0.5 * (B.bend - A.bend), 0.5 * A.bend, 0.5 * B.bend);
}

/// Closest points; `pulled` 1: with a stable point where edges are near-parallel, 0: exact but for a trace.
fn closestOf(c: Couple, pulled: f32) -> Closest {
  let w = c.middle;
  let aa = max(dot(c.a, c.a), NO_LENGTH);
  let bb = max(dot(c.b, c.b), NO_LENGTH);
  let ab = dot(c.a, c.b);
  let d = dot(c.a, w);
  let e = -dot(c.b, w);
  let n = cross(c.a, c.b);
  let area = dot(n, n);
  let sine = area / aa / bb;
  // Part of A beside B, its middle, and the point of B beside that.
  let start = clamp((d - abs(ab)) / aa, -1.0, 1.0);
  let end = clamp((d + abs(ab)) / aa, -1.0, 1.0);
  let middle = 0.5 * (start + end);
  let opposite = clamp((middle * ab + e) / bb, -1.0, 1.0);
  let x = middle * c.a - opposite * c.b - w;
  let fade = max(1.0 - sine / PULL_SINE, 0.0);
  let pull = pulled * fade * fade * min(HALF_PULL * dot(x, x), STRONGEST_PULL * min(aa, bb));
  let pullA = pull + LEAST_HALF_PULL * fade * aa;
  let pullB = pull + LEAST_HALF_PULL * fade * bb;
  let first = d + pullA * middle;
  let second = e + pullB * opposite;
  // (aa + pullA)(bb + pullB) − ab², without cancellation.
  let determinant = area + aa * pullB + (bb + pullB) * pullA;
  var s = clamp((first * (bb + pullB) + ab * second) / max(determinant, NO_AREA), -1.0, 1.0);
  let open = (second + ab * s) / (bb + pullB);
  let t = clamp(open, -1.0, 1.0);
  if (t != open) {
    s = clamp((first + ab * t) / (aa + pullA), -1.0, 1.0);
  }
  let apart = s * c.a - t * c.b - w;
  return Closest(apart, length(apart), s, t, sine, (end - start) * sqrt(aa));
}

fn coupleAt(c: Couple, change: Couple, time: f32) -> Couple {
  return Couple(c.middle + time * change.middle, c.a + time * change.a, c.b + time * change.b);
}

/// Part of the step that must pass before the couple is within `goal` [m] along n; any unit vector n gives a bound.
fn mayNeed(c: Couple, change: Couple, n: vec3f, goal: f32) -> f32 {
  // Heights of A over B at the four pairs of ends, and how they change.
  let height = -dot(c.middle, n) - goal;
  let rate = -dot(change.middle, n);
  let a = dot(c.a, n);
  let b = dot(c.b, n);
  let da = dot(change.a, n);
  let db = dot(change.b, n);
  return min(
    min(waitFor(height - a + b, rate - da + db), waitFor(height - a - b, rate - da - db)),
    min(waitFor(height + a + b, rate + da + db), waitFor(height + a - b, rate + da - db)),
  );
}

/// First time within the step at which the couple is within `goal` > 0 [m], from a start where
/// it is farther; 1 or more: never.
fn advance(c: Couple, change: Couple, goal: f32, bounds: i32) -> f32 {
  var time = 0.0;
  for (var i = 0; i < bounds; i++) {
    let now = coupleAt(c, change, time);
    let found = closestOf(now, 0.0);
    if (found.distance <= goal * (1.0 + HIT_SHARE)) {
      return time;
    }
    time += mayNeed(now, change, found.apart / found.distance, goal);
    if (time >= 1.0) {
      return 2.0;
    }
  }
  return time;
}
