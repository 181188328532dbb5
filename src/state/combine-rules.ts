// How the friction or restitution of two bodies makes that of their contact, by name.
//
// Each material may name a rule. Of two rules the later in the list counts (the precedence that other engines have:
// the larger result wins), a material without one leaves the choice to the other, and without any rule friction
// is the geometric mean and restitution the larger of the two.

import * as L from './layout';

export type CombineRule = 'geometric-mean' | 'average' | 'minimum' | 'multiply' | 'maximum';

/** Rules from the weakest to the strongest. */
export const COMBINE_RULES: readonly CombineRule[] = ['geometric-mean', 'average', 'minimum', 'multiply', 'maximum'];

/**
 * Number of a rule as columns and tables keep it: 1 and up in the order of COMBINE_RULES;
 * 0 without a rule or a known name.
 */
export function numberOfRule(rule: CombineRule | undefined): number {
  return rule === undefined ? 0 : COMBINE_RULES.indexOf(rule) + L.RULE_GEOMETRIC_MEAN;
}

/** Is it such a number? */
export function isRuleNumber(rule: number): boolean {
  return Number.isInteger(rule) && rule >= 0 && rule <= L.RULE_MAXIMUM;
}
