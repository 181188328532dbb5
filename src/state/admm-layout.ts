// The work memory of ADMM's contact side: its header, the records of contacts with bodies, the groups of all others.
//
// AssemblyScript compiles this file, TypeScript imports it (dynamics/elastic/backends/wasm/admm-work.ts writes the
// header and the records). Bytes, all literals.
//
// Work memory:
//   header HEADER bytes, i32: counts and addresses, see below; rows are those of δ, π, ℓ, λ₀, W, right, last δ,
//   δ₀ records 128 bytes a contact that TypeScript packed (those with bodies), see R_* blocks 240 bytes a contact
//   with bodies, see B_*: W_cc there is no multiple of I groups the contacts of the nodeContacts table, four at a time,
//   see G_* order 16 bytes a group: the rows of the table that its lanes hold lists 4 bytes a group, 4 a record: what
//   is awake kinds 1 byte a group, rests 32, shares 64 where there are surfaces moving 1 byte a strand, 1 a row: which
//   of them do not rest (elastic/update.ts), sums 8 bytes each

/** Bytes of the header, and of a row: x y z and a spare lane, f32. */
export const HEADER = 128;
export const ROW = 16;
/** i32: rows of each of the vectors below. */
export const ROWS = 0;
/** i32: records. */
export const CONTACTS = 4;
export const DELTA = 8;
export const PROJECTED = 12;
export const DUAL = 16;
export const DUAL_START = 20;
export const WEIGHT = 24;
export const RIGHT = 28;
export const LAST = 32;
export const RECORDS = 36;
export const BLOCKS = 40;
export const BODY_ROWS = 44;
/** δ₀: what last step's forces change, part of the start. */
export const START = 48;
/** i32: rows of the table whose forces are in λ: all those there were at the last projection; −1: there was none. */
export const SETTLED = 52;
/** Groups: their address, i32 how many there are, i32 how many have room. */
export const GROUPS = 56;
export const GROUP_COUNT = 60;
export const GROUP_ROOM = 64;
/** Address: i32 a lane of the groups, the row of the table that it holds or −1. */
export const ORDER = 68;
/** Address: i32 a group, the groups that are awake; behind them i32 a record, the records that are. */
export const LIST = 72;
/** i32: contacts solved in this projection. */
export const SOLVED = 76;
/** Addresses: a byte a strand, a byte a row, 0: it rests. */
export const MOVING = 80;
export const MOVING_ROWS = 84;
/** i32: active strands that do not rest, and that do. */
export const MOVING_COUNT = 88;
export const RESTING_COUNT = 92;
/** Address: two f32 an object, then a body: what admmUpdateApart found of each. */
export const SUMS = 96;
/** Addresses: a byte a group, 1 in one of contacts of any primitives, 0 of strands' edges; GROUP_SHARES a group. */
export const KINDS = 100;
export const SHARES = 104;
/** Address: GROUP_REST a group, see REST_*. */
export const RESTS = 108;
/** In the byte of a row: its island waits. Else, 0 apart, the bits of the sweeps that it takes part in. */
export const ROW_LEFT = 128;

// ── A record ─────────────────────────────────
/** i32×4: byte offsets of the nodes' rows; the last row of all takes what has no node. */
export const R_NODE = 0;
/** f32×4: b of the nodes. */
export const R_SHARE = 16;
/** f32×4: γ of the nodes. */
export const R_GAMMA = 32;
/** f32×3: normal; 0. */
export const R_NORMAL = 48;
/** f32×3: B vRef + k; 0. */
export const R_OFFSET = 64;
/** f32×3: s r; 0. */
export const R_FORCE = 80;
/** f32 mu, f32 slack/s, i32 block or −1, spare. */
export const R_MU = 96;
export const R_GIVE = 100;
export const R_BLOCK = 104;
export const R_SPARE = 108;
/** f32×3: cohesion's share of s r along the normal; s (0: a row without force). */
export const R_PULL = 112;
export const R_SCALE = 124;
export const RECORD = 128;

// ── A group: values of four contacts side by side; idle lanes point to the idle row and stay 0 ──────
/**
 * Four times i32×4, in a group of contacts of any primitives: byte offsets of the nodes of each
 * contact. It takes the place of A to T.
 */
export const G_NODE = 0;
/**
 * i32×4, in a group of contacts of strands' edges: byte offsets of node a; its neighbour lies
 * behind it. Then the same of node b.
 */
export const G_A = 0;
export const G_B = 16;
/** f32×4: share of the second node of a, of b. */
export const G_S = 32;
export const G_T = 48;
/** Four times f32×4: γ of the nodes of each contact. */
export const G_GAMMA = 64;
/** Three times f32×4: normal; offset B vRef + k; s r. */
export const G_NORMAL = 128;
export const G_OFFSET = 176;
export const G_FORCE = 224;
/** f32×4: mu; slack/s. */
export const G_MU = 272;
export const G_SLACK = 288;
/**
 * Bytes of a group. A sweep reads all of it, of more groups than the caches hold: what it does not need of most of them
 * lies elsewhere (with 416 bytes a dense bundle's sweeps took 1.3 of their time).
 */
export const GROUP = 304;
/** f32×4, at RESTS: s; cohesion's share of s r along the normal. Lanes as in the group. */
export const REST_SCALE = 0;
export const REST_PULL = 16;
export const GROUP_REST = 32;
/** Four times f32×4, at SHARES: b of the nodes of each contact, in a group of contacts of any primitives. */
export const GROUP_SHARES = 64;

// ── A block: what a contact with bodies has besides its record ─────────────────
/**
 * f32×9 frame (rows), f32×9 W_cc in it, f32×9 its inverse, f32×9 + 9 spin of side A, B
 * by a unit impulse: numbers in all.
 */
export const B_NUMBERS = 45;
export const B_FRAME = 0;
export const B_OPERATOR = 36;
export const B_TURN_A = 108;
export const B_TURN_B = 144;
/** f32×3 arm, f32 inverse mass over the body's weight; side A, B. */
export const B_ARM_A = 192;
export const B_ARM_B = 208;
/** i32×2: byte offsets of the bodies' rows (velocity, then spin), −1 none; then f32 s. */
export const B_ROW = 224;
export const B_SCALE = 232;
export const BLOCK = 240;

// ── Behind the groups ──────────────────────────────
/** Bytes a group in the order, and an entry of the lists. */
export const GROUP_ORDER = 16;
export const LIST_ENTRY = 4;
