// Tolerance of lengths that the solver of small islands and its kernel share.

/**
 * A gap or penetration up to this share of the speculative distance is none where contacts are pivoted [-]. Loads never
 * balance in the last digit; what that moves in hundreds of steps must not be moved back in each.
 */
export const EXACT_SLACK = 1e-6;
