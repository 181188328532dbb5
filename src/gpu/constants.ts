// Constants that shaders and the TypeScript around them both need: shaders get them in front (device/pipelines.ts),
// TypeScript imports them. Only literals here, one a line; names are said nowhere else.

/** No row, no node, no link. */
export const NOTHING = 4294967295;

// ── Flags of a strand's header, beside STRAND_QUARANTINED of state/layout ──────
/** Clamped to the world: it cannot go far, and its clamps are given from its origin, which stays. */
export const STRAND_TETHERED = 16;
/** It is the CPU's, and an obstacle here: nothing moves it. */
export const STRAND_FIXED = 16384;

/** vec4f a node in `elements` (rod-elements.wgsl). */
export const ELEMENT_VALUES = 13;
/** Likewise in `factors` (rod-factor.wgsl). */
export const FACTOR_VALUES = 10;

// ── Detection ──────
/** Levels of the grid that edges are sorted into. */
export const GRID_LEVELS = 8;
/** Words of a node of a mesh's tree. */
export const FACE_NODE_WORDS = 8;
/** Numbers that one workgroup of the prefix sum takes. */
export const SUM_PART = 2048;
/** Flags of a collider; shift of three bits: L.RULE_* of its friction, 0 none. */
export const COLLIDER_DYNAMIC = 1;
export const COLLIDER_SURFACE = 2;
export const COLLIDER_RULE = 2;
/** Places in `counters`, u32 each: rows of the list, pairs; what was wanted; pushes that kept edges apart. */
export const COUNTER_CONTACTS = 0;
export const COUNTER_CONTACTS_WANTED = 1;
export const COUNTER_PAIRS_WANTED = 2;
export const COUNTER_FLAGS = 3;
export const COUNTER_PAIRS = 4;
export const COUNTER_HITS_WANTED = 5;
export const COUNTER_COLLIDERS_WANTED = 6;
export const COUNTER_PUSHES = 10;
/** Bits of the flags, by the room that was too small. */
export const OVERFLOW_CONTACTS = 1;
export const OVERFLOW_PAIRS = 2;
export const OVERFLOW_HITS = 4;
export const OVERFLOW_COLLIDERS = 8;

// ── The solver ──────
/** Buckets of contacts: colours, and last the crowd. */
export const COLOURS = 32;
/** Rounds of the colouring that go over all contacts; the rest is done by one workgroup. */
export const WIDE_ROUNDS = 4;
/** Room for more contacts than this: FEW_COLOURS of solver.wgsl are used, the crowd and its nodes have one. */
export const MANY_CONTACTS = 16384;
/** Threads of a workgroup that sweeps contacts, colours or sorts them. */
export const SWEEP_THREADS = 256;
/** First place of a list's rows; before it where each bucket of contact-sort starts, and its end. */
export const LIST_HEAD = 2052;
/** Workgroups of the sums in admm-share.wgsl. */
export const SHARE_GROUPS = 64;
/**
 * Places of the report, words: of the step, the crowd and what was held back in all looks; share of the start's forces
 * that was kept, speed of the fastest strand at the end [m/s], both as bits.
 */
export const REPORT_ITERATIONS = 0;
export const REPORT_SWEEPS = 1;
export const REPORT_SOLVED = 4;
export const REPORT_UNCOLOURED = 5;
export const REPORT_LOOKS = 6;
export const REPORT_SHARE = 7;
export const REPORT_CONTACTS = 8;
export const REPORT_LIMITED = 10;
export const REPORT_SPEED = 15;
/**
 * Then contacts of each colour and of the crowd; by iteration the bits of ‖δ − last δ‖∞ and ‖δ −
 * π‖∞ [m/s]; all.
 */
export const REPORT_SIZES = 16;
export const REPORT_MOVED = 80;
export const REPORT_GAPS = 208;
export const REPORT_WORDS = 336;
/** How many iterations have a place. */
export const REPORT_SLOTS = 128;
/** Steps that the ring of late impulses on bodies holds. */
export const LATE_RING = 16;
