// What the joints are told in a step.

struct Times {
  timeStep: f32,       // [s]
  recoveryRate: f32,   // share of what a rope is too long that is taken back in a step, over the step [1/s]
  recoverySpeed: f32,  // fastest recovery of a rope [m/s]
  tolerance: f32,      // of δ∞ [m/s]
  joints: u32,
}
