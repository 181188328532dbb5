// Signed distance from a point to a hull or mesh: to the closest of its triangles, found through their box tree.
//
// CPU twins: nearestTo in kernels/assembly/proximity/mesh.ts, measureTriangle in proximity/shape.ts. Where several
// triangles share the closest point the one that faces the point most decides on which side it is. For a hull that
// is the distance to it, inside too.
// Words: tables/face-records.ts.

struct Measure {
  gradient: vec3f,
  distance: f32,
}

const CORNER_WORDS = 9u;
/// The tree is halved at each level: more triangles than memory holds would be needed to go deeper.
const DEEPEST = 32u;

fn faceVector(word: u32) -> vec3f {
  return vec3f(bitcast<f32>(faces[word]), bitcast<f32>(faces[word + 1u]), bitcast<f32>(faces[word + 2u]));
}

/// Distance from a point to the box of a node.
fn toNode(node: u32, x: vec3f) -> f32 {
  return length(max(max(faceVector(node) - x, x - faceVector(node + 3u)), vec3f(0.0)));
}

/// Direction from the closest point of a triangle and distance, both negative for a point
/// behind it (C. Ericson 2005, 5.1.5);
/// `facing`: height over the distance.
fn measureTriangle(word: u32, x: vec3f, facing: ptr<function, f32>) -> Measure {
  let a = faceVector(word);
  let ab = faceVector(word + 3u) - a;
  let ac = faceVector(word + 6u) - a;
  let ap = x - a;
  let n = normalize(cross(ab, ac));
  let height = dot(ap, n);
  let side = select(1.0, -1.0, height < 0.0);
  let d1 = dot(ab, ap);
  let d2 = dot(ac, ap);
  let bb = dot(ab, ab);
  let bc = dot(ab, ac);
  let cc = dot(ac, ac);
  let d3 = d1 - bb;
  let d4 = d2 - bc;
  let d5 = d1 - bc;
  let d6 = d2 - cc;
  let va = d3 * d6 - d5 * d4;
  let vb = d5 * d2 - d1 * d6;
  let vc = d1 * d4 - d3 * d2;
  var v = 0.0;
  var w = 0.0;
  if (d1 <= 0.0 && d2 <= 0.0) {
    v = 0.0;
  } else if (d3 >= 0.0 && d4 <= d3) {
    v = 1.0;
  } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    v = d1 / bb;
  } else if (d6 >= 0.0 && d5 <= d6) {
    w = 1.0;
  } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    w = d2 / cc;
  } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    v = 1.0 - w;
  } else {
    // Over the inside: the height itself, free of cancellation.
    *facing = 1.0;
    return Measure(n, height);
  }
  let apart = ap - v * ab - w * ac;
  let distance = length(apart);
  *facing = select(1.0, abs(height) / distance, distance > 0.0);
  return Measure(select(n, side * apart / distance, distance > 0.0), side * distance);
}

fn measureFaces(collider: ptr<function, Collider>, x: vec3f, most: f32, same: f32) -> Measure {
  var nearest = Measure(vec3f(0.0, 1.0, 0.0), most);
  var best = most;
  var lean = 0.0;
  var stack: array<u32, DEEPEST>;
  var depth = 1u;
  while (depth > 0u) {
    depth--;
    let node = (*collider).nodes + FACE_NODE_WORDS * stack[depth];
    if (toNode(node, x) > best + same) {
      continue;
    }
    let first = faces[node + 6u];
    let second = faces[node + 7u];
    if (first == NOTHING) {
      // The nearer child is looked at first.
      let own = stack[depth] + 1u;
      let ownIsNear = toNode(node + FACE_NODE_WORDS, x) <= toNode((*collider).nodes + FACE_NODE_WORDS * second, x);
      stack[depth] = select(own, second, ownIsNear);
      stack[min(depth + 1u, DEEPEST - 1u)] = select(second, own, ownIsNear);
      depth = min(depth + 2u, DEEPEST);
      continue;
    }
    for (var t = first; t < first + second; t++) {
      var facing = 0.0;
      let found = measureTriangle((*collider).corners + CORNER_WORDS * t, x, &facing);
      let distance = abs(found.distance);
      if (distance > best + same || distance > most) {
        continue;
      }
      if (distance < best - same || facing > lean) {
        lean = facing;
        nearest = found;
      }
      best = min(best, distance);
    }
  }
  return nearest;
}
