// The constants of bodies, queries and snapshots that AssemblyScript and TypeScript both need. Only literals here,
// one a line.

// ── Contacts ──────
/** Recovery slower than this is left in the kept velocity [m/s]: its energy is below any that can be seen. */
export const RELAX_SPEED = 0.0001;
/**
 * A gap below this share of the speculative distance (and, where bodies are foreseen to touch, of the smaller radius)
 * is none, and closed gently, as a penetration is opened: resting contacts do not hop about 0 [-].
 */
export const SLACK_SHARE = 0.005;
/** Square of the share of the friction limit from which a contact counts as sliding, as exact as f32 sweeps are [-]. */
export const CONE_SHARE = 0.9999;
/** Slower than this nothing slides in earnest [m/s]: resting heaps hold some contacts at their limit, too. */
export const SLIP_SPEED = 0.001;
/**
 * Slower than a step's load makes it nothing rebounds, it lies there; at a restitution of 1 slower than this share of
 * that: what turns on the ground for ever comes down as slowly in every few steps [-].
 */
export const LOSSLESS_REST = 0.01;
/** So many times faster than anything was, and so much [m/s], may a body become: wilder answers are refused. */
export const WILD_GAIN = 5;
export const WILD_SPEED = 1;
/** So many times faster than what drives it may a body or an island become [-]. */
export const DRIVEN_GAIN = 5;

// ── Boxes and queries ──────
/**
 * Half side of the box that stands for a plane's bounds [m]: beyond any world, small enough that surface areas keep
 * their digits.
 */
export const PLANE_REACH = 1e6;
/**
 * A ray's result, places in bytes: distance, point x y z, normal x y z (f64), slot of the collider (i32). Then results
 * of rays and of overlaps that fit into a page of them.
 */
export const RAY_DISTANCE = 0;
export const RAY_POINT = 8;
export const RAY_NORMAL = 32;
export const RAY_COLLIDER = 56;
export const RAY_BYTES = 64;
export const RAY_PAGE = 32;
export const OVERLAP_PAGE = 512;

// ── Joints ──────
/** Bodies at most of an island whose contacts and joints are finished by Newton steps. */
export const MACHINE_BODIES = 40;

// ── Snapshots ──────
/** Bytes of a line, which is told whole or not at all. */
export const LINE_BYTES = 64;
