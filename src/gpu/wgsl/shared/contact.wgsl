// A contact of strands on the device, as the detection writes it and the solver works on it; and a body as both see it.
//
// Rows are ordered by feature: (low, high) of `key` grow. Two sides: edge A (nodes a, a + 1) and edge B or a
// body. Velocity of A against B at the contact: u = Σ weights·v(node) − v(body point) − drift; the force pushes
// A by weights and B the other way.
// CPU twin: NODE_CONTACT_* in state/layout.ts.

/// Bit of `key.y`: side B is a body; below it collider << 3 | place on the edge. Else edge of B << 1 | impact bit, and
/// from AGAIN_SHIFT on the number of a further contact of the pair, one to MOST_AGAIN.
const BODY_BIT = 0x40000000u;
const IMPACT_BIT = 1u;
const AGAIN_SHIFT = 27u;
const MOST_AGAIN = 7u;
/// Colour of a contact that has none yet.
const NO_COLOUR = 0xffu;

struct Contact {
  nodes: vec4u,      // a, a + 1, b, b + 1; the last two NOTHING where side B is a body
  weights: vec4f,    // (1 − s), s, −(1 − t), −t; the last two 0 where side B is a body
  normal: vec4f,     // unit, from B to A; gap at the start of the step, radii taken off [m]
  force: vec4f,      // impulse on A in world axes [N·s]; spare
  arm: vec3f,        // on the body, from its centre of mass, world axes [m]
  // place of the body in `movers`; NOTHING: none, or one that has no equations of its own (see drift)
  mover: u32,
  // velocity at the point of a body without equations, and of a conveyor's surface over its body [m/s]; time of
  // impact, 0..1 of the step, 0 near now
  drift: vec4f,
  material: vec4f,   // friction [-], cohesion [N], compliance [m/N], radius of A [m]
  key: vec4u,        // feature low, high; colour; place in the last list of the contact it continues, NOTHING none
}

struct Mover {
  position: vec4f,   // of the centre of mass, from the cell [m]; inverse mass [1/kg], 0: static or driven
  rotation: vec4f,
  velocity: vec4f,   // [m/s]; 1: it touches other bodies (solve/coupling.ts)
  spin: vec4f,       // [rad/s]; spare
  inertia: vec4f,    // inverse inertia about world axes: xx yy zz, xy [1/(kg·m²)]
  inertiaMore: vec4f, // xz, yz; bits of the body's slot in the tables; spare
}
