// Colliders, and what contacts with them are found as, before they become rows.

struct Collider {
  place: vec3f,       // from the cell [m]
  kind: u32,          // as SHAPE_KIND
  rotation: vec4f,
  size: vec3f,        // as SHAPE_PARAMETER
  friction: f32,
  low: vec3f,         // box over the step, from the cell [m]
  layers: u32,
  high: vec3f,
  mover: u32,         // place of its body in `movers`
  surface: vec3f,     // velocity of a conveyor's surface over the body, body axes [m/s]
  nodes: u32,         // hulls and meshes: first word of their tree in `faces`, of their corners
  corners: u32,
  slot: u32,          // in the tables
  body: u32,
  flags: u32,         // COLLIDER_DYNAMIC, COLLIDER_SURFACE; from COLLIDER_RULE on how friction combines
}

/// Strand as the detection of bodies sees it.
struct Holder {
  first: u32,         // its edges, last included
  last: u32,
  flags: u32,         // STRAND_CLAMP_START, STRAND_CLAMP_END
  startBody: u32,     // bodies that its clamps follow, NOTHING none
  endBody: u32,
  free: u32,          // first node that is not buried in the start's body, first that is in the end's
  bare: u32,
  spare: u32,
}

/// A contact of an edge with a body, in a chain of those of its edge, the last found first.
struct Hit {
  edge: u32,
  high: u32,          // of its feature
  next: u32,          // NOTHING: end of the chain
  rank: u32,          // among the hits of its edge; later among its rows, NOTHING: known already
  normal: vec3f,
  gap: f32,
  arm: vec3f,
  time: f32,
  s: f32,
  collider: u32,
  spare: vec2u,
}

struct Span {
  low: vec3f,
  high: vec3f,
}

/// Box of an edge over the step, from the cell, with what it may touch.
fn sweptBox(edge: Edge) -> Span {
  let p = edge.origin + edge.place;
  let q = p + edge.along;
  var d0 = edge.way;
  var d1 = edge.way + edge.bend;
  if (detection.continuous == 0u) {
    d0 = clamp(d0, vec3f(-edge.radius), vec3f(edge.radius));
    d1 = clamp(d1, vec3f(-edge.radius), vec3f(edge.radius));
  }
  let size = max(abs(p), abs(q));
  let wide = edge.radius * (1.0 + 2.0 * detection.near) + 8e-7 * max(size.x, max(size.y, size.z));
  return Span(min(min(p, p + d0), min(q, q + d1)) - wide, max(max(p, p + d0), max(q, q + d1)) + wide);
}
