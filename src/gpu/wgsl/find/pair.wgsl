// Which pairs of edges can touch within the step: decided alike by every kernel that asks, so
// that neighbours know of each other.
//
// CPU twins: kernels/assembly/proximity/filter.ts (distance) and proximity/near.ts
// (filters). A < B by their first nodes.

struct Near {
  closest: Closest,
  motion: f32,        // bound on how much nearer they can come within the step [m]
  isKept: bool,
}

fn lookAt(A: Edge, B: Edge) -> Near {
  let c = coupleOf(A, B);
  let change = changeOf(A, B);
  let slack = 2.4e-7 * (length(A.way) + length(B.way));
  let motion = (length(change.middle) + length(change.a) + length(change.b)) * 1.0001 + slack;
  let found = closestOf(c, 1.0);
  let radii = A.radius + B.radius;
  let reach = max(radii * (1.0 + detection.near), radii + motion);
  let size = abs(c.middle.x) + abs(c.middle.y) + abs(c.middle.z);
  let limit = reach * DISTANCE_SLACK + size * DISTANCE_ROUNDING + slack;
  let excess = min(dot(c.a, c.a), dot(c.b, c.b)) * PULL_EXCESS;
  var isKept = found.distance * found.distance - excess <= limit * limit;
  if (detection.further == 1u && detection.continuous != 0u) {
    // Places are those of the first look: what moves by less than its margin is known.
    isKept = isKept && motion >= radii * min(0.5, 0.99 * detection.near);
  }
  return Near(found, motion, isKept);
}

/// Whether edges a < b may touch at all: layers, contact of a rod with itself, neighbours along a strand, clamps.
fn mayMeet(a: u32, b: u32, A: Edge, B: Edge) -> bool {
  if (A.rod != B.rod) {
    if (!layersMeet(rods[A.rod].layers, rods[B.rod].layers)) {
      return false;
    }
  } else if ((rods[A.rod].flags & ROD_SELF_CONTACT) == 0u) {
    return false;
  } else if (((A.strand ^ B.strand) & ~HELD_BIT) == 0u) {
    if (b <= a + 1u || B.arc - edges[a + 1u].arc < (TIGHTEST_BEND + detection.near) * (A.radius + B.radius)) {
      return false;
    }
  }
  return (A.strand & B.strand & HELD_BIT) == 0u;
}
