// Lowest point of an edge over a shape, both in the collider's frame.
//
// CPU twin: lowestOnEdge in kernels/assembly/proximity/shape.ts. Distances to a mesh are not convex: there the lowest
// point is sought about the lowest of some places. A node is an edge without length. The distance is measured at one
// place of the code only: compilers put what is called wherever it is called, and this is the largest piece.

const LOOKS = 24u;
/// Places that are tried along an edge over a mesh.
const TRIES = 8u;

/// An edge or a node within the step, as the body sees it.
struct Rail {
  p: vec3f,           // first node
  e: vec3f,           // second less first
  d0: vec3f,          // displacements
  d1: vec3f,
}

struct Lowest {
  gradient: vec3f,
  distance: f32,
  place: f32,         // 0..1
  ends: f32,          // the lesser of the distances at both ends
}

struct Mark {
  place: f32,
  distance: f32,
  slope: f32,
}

/// Least distance from the edge p + s·e, 0 ≤ s ≤ 1; once it is certain to be above `limit`, a bound above
/// it. Meshes: no farther than `most`.
fn lowestOnEdge(
  collider: ptr<function, Collider>,
  p: vec3f,
  e: vec3f,
  tolerance: f32,
  limit: f32,
  most: f32,
) -> Lowest {
  let isMesh = (*collider).kind == SHAPE_MESH;
  let tries = select(select(1u, TRIES, isMesh), 0u, dot(e, e) == 0.0);
  var best = Lowest(vec3f(0.0), 3e38, 0.0, 3e38);
  // Places about the lowest point, and the one before the present.
  var low: Mark;
  var high: Mark;
  var before: Mark;
  for (var look = 0u; look <= tries + LOOKS; look++) {
    var s = f32(look) / f32(max(tries, 1u));
    if (look > tries) {
      if (low.slope >= 0.0 || high.slope <= 0.0) {
        break;
      }
      // Where the two tangents cross, no point of the edge is lower.
      let rise = high.distance - low.distance + low.slope * low.place - high.slope * high.place;
      let cut = rise / (low.slope - high.slope);
      let bound = low.distance + low.slope * (cut - low.place);
      if (bound > limit && !isMesh) {
        best.distance = bound;
        break;
      }
      let width = high.place - low.place;
      if (bound >= best.distance - tolerance || width < 1e-6) {
        break;
      }
      // Tangents are right for edges and corners, the root of the slope for round shapes: in turn.
      let root = low.place - low.slope * width / (high.slope - low.slope);
      s = clamp(select(root, cut, ((look - tries) & 1u) == 1u), low.place + 0.01 * width, high.place - 0.01 * width);
    }
    let here = measure(collider, p + s * e, most, tolerance);
    let mark = Mark(s, here.distance, dot(here.gradient, e));
    if (look > tries) {
      if (mark.slope < 0.0) {
        low = mark;
      } else {
        high = mark;
      }
    } else {
      if (look == 0u || look == tries) {
        best.ends = min(best.ends, here.distance);
      }
      if (look > 0u && best.place == before.place) {
        // The place after the lowest so far.
        high = mark;
      }
      if (here.distance < best.distance) {
        low = before;
        high = mark;
        if (look == 0u) {
          low = mark;
        }
      }
      before = mark;
    }
    if (here.distance < best.distance) {
      best.gradient = here.gradient;
      best.distance = here.distance;
      best.place = s;
    }
  }
  return best;
}
