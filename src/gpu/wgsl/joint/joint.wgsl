// Joints of strands: a node held at a point of a body or of the world (ball: three rows), or within a distance (rope: one row, one-sided).
//
// Solved as on the CPU (solvers/admm/joints.ts): not as contacts, whose forces grow by an iteration at a time, but with the elastic
// equations: with C the rows, K = A or A + W, K v = f + Cᵀ μ and C v + c = 0 give S μ = −(C K⁻¹ f + c), S = C K⁻¹ Cᵀ. Joints that strands
// or bodies tie together are a group with a dense S of their own; within it they are in the order of strands, those of a strand side by
// side. One workgroup a group, or one thread a joint, or one workgroup a strand; what works by group or strand is started once a joint,
// and only the first goes on.

struct Joint {
  point: vec3f,      // on the body, from its centre of mass in its axes, or in the world from the cell [m]
  length: f32,       // longest distance [m], 0: a ball
  node: u32,
  mover: u32,        // NO_BODY: the world; with PRESCRIBED: a body that has no equations here; with TOUCHING: see there
  slot: u32,         // of its strand in the headers
  first: u32,        // node of the strand
  count: u32,        // nodes of the strand
  columns: u32,      // place of its three columns; of a strand's first joint also of δ as it was, behind them
  group: u32,        // its first joint
  groupCount: u32,
  system: u32,       // place of the group's S
  own: u32,          // first joint of the strand
  ownCount: u32,
  pulled: u32,       // first joint of the group on the same body
  hold: u32,         // place in `holds` of the clamp whose twist follows the body, NO_BODY: none
}

/// What a joint is in this step, and what it does.
struct Tie {
  arm: vec4f,        // of the point from the body's centre of mass, world axes [m]
  row: vec4f,        // ball: c [m/s]; rope: direction from the node to the anchor, c
  push: vec4f,       // impulse on the node that the last solve added, world axes [N·s]
  base: vec4f,       // μ of the rows without contacts; bits of the rows that hold: a rope's while it is taut
  more: vec4f,       // what the contact forces of the start add to it
  pull: vec4f,       // whole impulse on the node [N·s]
  lack: vec4f,       // what a solve starts from: C v + c of the rows [m/s]
  held: vec4f,       // μ that these velocities have already
  rows: vec4f,       // μ that it adds
}

const PRESCRIBED = 0x40000000u;
/// The body touches others, which answer to its joints on the CPU, two steps late (TOUCHING_RATE in joint-rows.wgsl).
const TOUCHING = 0x20000000u;
const NO_BODY = 0xffffffffu;

fn isMovable(joint: Joint) -> bool {
  return (joint.mover & PRESCRIBED) == 0u;
}

fn moverOf(joint: Joint) -> u32 {
  return joint.mover & ~(PRESCRIBED | TOUCHING);
}

/// The direction of row `axis`.
fn directionOf(joint: Joint, tie: Tie, axis: u32) -> vec3f {
  if (joint.length > 0.0) {
    return select(vec3f(0.0), tie.row.xyz, axis == 0u);
  }
  return vec3f(vec3u(axis) == vec3u(0u, 1u, 2u));
}

/// The impulse in world axes that rows stand for.
fn impulseOf(joint: Joint, tie: Tie, rows: vec3f) -> vec3f {
  return select(rows, rows.x * tie.row.xyz, joint.length > 0.0);
}
