// How the friction of a strand and of a body make that of their contact: the rules of state/combine-rules.ts.
//
// CPU twin: kernels/assembly/narrow/combine.ts. A strand names no rule: the body's
// counts, in the flags of its collider.

/// Two values of a material by a rule; without one their geometric mean.
fn combine(rule: u32, a: f32, b: f32) -> f32 {
  switch rule {
    case RULE_MAXIMUM: { return max(a, b); }
    case RULE_MINIMUM: { return min(a, b); }
    case RULE_MULTIPLY: { return a * b; }
    case RULE_AVERAGE: { return 0.5 * (a + b); }
    default: { return sqrt(a * b); }
  }
}
