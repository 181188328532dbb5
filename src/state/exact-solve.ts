// Numbers that the exact solve of islands and its kernels share.

/**
 * A gap or penetration up to this share of the speculative distance is none for an island that stands [-]. Loads never
 * balance in the last digit: what that moves in hundreds of steps need not be moved back in each.
 */
export const EXACT_SLACK = 1e-6;
/** Contacts of an island that is solved by Newton's method in one kernel call, at most. */
export const FEW_CONTACTS = 4;
/** A turn in a step above which a body's energy is looked after [rad]. */
export const FAST_TURN = 0.05;
/** So many times the largest free velocity may a contact close that is not reached in the step [-]. */
export const UNREACHED = 4;
