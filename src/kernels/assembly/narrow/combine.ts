// How two materials make the friction or restitution of their contact: the rules of state/combine-rules.ts.
//
// In: rules as the bits of COLLIDER_FLAGS hold them, 0 without one, and the two values. Of
// two rules the larger number counts.

import { COLLIDER_RULE_MASK, RULE_AVERAGE, RULE_MAXIMUM, RULE_MINIMUM, RULE_MULTIPLY } from '../../../state/layout';

/** The rule that counts, of the lowest bits of two numbers. */
export function strongerRule(a: i32, b: i32): i32 {
  return max(a & COLLIDER_RULE_MASK, b & COLLIDER_RULE_MASK);
}

/** Two values of a material by a rule; without one their geometric mean. */
export function combine(rule: i32, a: f64, b: f64): f64 {
  if (rule == RULE_MAXIMUM) return max(a, b);
  if (rule == RULE_MINIMUM) return min(a, b);
  if (rule == RULE_MULTIPLY) return a * b;
  if (rule == RULE_AVERAGE) return 0.5 * (a + b);
  return sqrt(a * b);
}
