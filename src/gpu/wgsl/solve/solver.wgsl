// What the kernels of the contact solver share: settings of a step, rows, bodies, what is reported.
//
// Velocities are increments, as on the CPU (kernels/assembly/elastic/admm.ts): v = reference + δ and p =
// reference + π, where the reference v₀ + δ₀ obeys the elastic equations with the forces of the start. λ =
// W⁻¹ Bᵀ r holds at any time, so every projection begins at the elastic answer itself, and ℓ = λ −
// λ₀ is the only dual that is kept.

struct Solver {
  timeStep: f32,       // [s]
  recoveryRate: f32,   // share of a penetration taken back in a step, over the step [1/s]
  recoverySpeed: f32,  // fastest recovery [m/s]
  pullTime: f32,       // time step, 0 without cohesion [s]
  sleepShare: f32,     // of what its strands lack, below which a contact's change lets it sleep [-]
  leastSleep: f32,     // the same for the first projection [m/s]; 0: none sleeps
  tolerance: f32,      // of δ∞ [m/s]
  capacity: u32,       // rows that have room
  nodes: u32,
  movers: u32,
  pushable: u32,       // of these the first so many can be pushed
  sortGroups: u32,     // workgroups of a sort of rows, and rows of each
  sortRows: u32,
}

/// A contact as the sweeps see it, in the order of colours.
struct Row {
  nodes: vec4u,        // a, b or BODY | place in `bodies` or NOTHING; bits of s, of t: shares of a + 1, b + 1
  gamma: vec4f,        // γ of a, a + 1, b, b + 1; with a body the last two and t are the arm [m]
  normal: vec4f,       // unit, from B to A; friction
  offset: vec4f,       // B reference + k [m/s]; slack over s
}

/// A body as contacts see it: W = M, velocity first, spin second.
struct Body {
  velocity: vec4f,     // without contacts [m/s]; inverse mass
  spin: vec4f,         // [rad/s]; contacts
  inertia: vec4f,      // as in Mover
  inertiaMore: vec4f,
  start: mat2x4f,      // M⁻¹ Bᵀ r of the start
  seen: mat2x4f,       // of the present projection's start
  base: mat2x4f,       // π without what the present projection changes
  push: mat2x4f,       // π
}

const BODY = 0x80000000u;
const NOWHERE = 0xffffffffu;
/// No two contacts of a colour share a node. The crowd is what found no colour: solved side
/// by side, like contacts on a body.
const CROWD = COLOURS - 1u;
/// Of many contacts only so many colours are used: each is a dispatch of its own there.
const FEW_COLOURS = 6u;

@group(0) @binding(0) var<uniform> solver: Solver;
