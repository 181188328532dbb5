// Tolerance of lengths that the solver of small islands and its kernel share.

/**
 * A gap or penetration up to this share of the speculative distance is none for an island that stands [-]. Loads never
 * balance in the last digit: what that moves in hundreds of steps need not be moved back in each.
 */
export const EXACT_SLACK = 1e-6;
