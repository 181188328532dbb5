// What the kernels of rods and of detection are handed by TypeScript, in bytes and bits: both compile this file.

// ── Holds: f64 a strand, which of its unknowns are prescribed (rod/holds.ts) ────────────
/** Numbers a strand; bytes. */
export const HOLD_NUMBERS = 16;
export const HOLD_BYTES = 128;
/** First number: bits, the two nodes of an end, and the twist of its edge. */
export const HOLD_START = 1;
export const HOLD_START_TWIST = 2;
export const HOLD_END = 4;
export const HOLD_END_TWIST = 8;
/** Where the numbers of the start and of the end begin. */
export const HOLD_OF_START = 1;
export const HOLD_OF_END = 8;
/** Of these: velocity of the outer node x y z, of its neighbour x y z [m/s], twist rate of the edge [rad/s]. */
export const HELD_OUTER = 0;
export const HELD_INNER = 3;
export const HELD_TWIST = 6;

// ── Strands that a dynamic body carries (rod/carried.ts) ───────────────────
/** Ways in which a body moves what it carries: three linear, three of spin. */
export const CARRY_MODES = 6;
/** f32: eight rows for each mode, of each end of a strand. */
export const PROBE_ROWS = 8;
export const PROBE_BYTES = 192;
export const STRAND_PROBE_BYTES = 384;
/** A body's change of velocity as the kernels take it: linear, spare, spin, spare, f64. */
export const CHANGE_BYTES = 64;

// ── Work memory of strands (rod/work.ts) ───────────────────
/** In its header, i32: address of the first factor of A + W, once there are any [B]. */
export const WORK_WEIGHTED = 16;

// ── What a detection of contacts is asked (proximity/work.ts)
// ──────────────────
/**
 * Bits: edges move along their velocities (continuous detection); contacts found before stay; the look before had too
 * little room, and this is the same one with more; of crossings only those whose velocities changed since.
 */
export const DETECT_CONTINUOUS = 1;
export const DETECT_APPEND = 2;
export const DETECT_RETRY = 4;
export const DETECT_AGAIN = 8;
/** Least room for pairs. */
export const LEAST_PAIRS = 64;

// ── A primitive of a surface that would cross something (surface/rows.ts): i32 ───────────
/** Numbers of a row: up to four nodes (−1 where there are fewer), the collider or −1, spare; bytes. */
export const SURFACE_ROW_COLLIDER = 4;
export const SURFACE_ROW_NUMBERS = 8;
export const SURFACE_ROW_BYTES = 32;

// ── A crossing that detection found (proximity/hits.ts): rows
/** Six f64 of where the edges meet, then the numbers of both (i32) [B]. */
export const CROSSING_EDGE_A = 48;
export const CROSSING_EDGE_B = 52;
export const CROSSING_BYTES = 64;
