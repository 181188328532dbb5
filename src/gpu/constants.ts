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

// ── Detection ──────
/** Levels of the grid that edges are sorted into. */
export const GRID_LEVELS = 8;
/** Words of a node of a mesh's tree. */
export const FACE_NODE_WORDS = 8;
/** Size of Mover [B]. */
export const MOVER_BYTES = 96;

// ── The solver ──────
/** Buckets of contacts: colours, and last the crowd. */
export const COLOURS = 32;
/** Rounds of the colouring that go over all contacts; the rest is done by one workgroup. */
export const WIDE_ROUNDS = 4;
/** Room for more contacts than this: FEW_COLOURS of solver.wgsl are used, the crowd and its nodes have one. */
export const MANY_CONTACTS = 16384;
/** Threads of a workgroup that sweeps contacts, colours or sorts them. */
export const SWEEP_THREADS = 256;
/**
 * Places of the report, words: contacts of each colour and of the crowd; by iteration the bits of
 * ‖δ − last δ‖∞ [m/s]; and how many iterations have a place.
 */
export const REPORT_SIZES = 16;
export const REPORT_MOVED = 80;
export const REPORT_SLOTS = 128;
/** Steps that the ring of late impulses on bodies holds. */
export const LATE_RING = 16;
