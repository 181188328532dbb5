// Impulses of strands on bodies that the CPU does not know yet: a ring of the last steps' sums, by body.

struct Late {
  step: u32,          // number of this step, from 1 on
  applied: u32,       // last step whose impulses the bodies have
  movers: u32,
  pushable: u32,      // movers that contacts can push
  colliders: u32,
  stride: u32,        // bodies a row of the ring
  timeStep: f32,      // [s]
}

@group(0) @binding(0) var<uniform> late: Late;
