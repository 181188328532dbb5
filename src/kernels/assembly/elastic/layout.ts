// The work memory of ADMM's contact side: its header, the records of contacts with bodies, the groups of all others.
//
// Work memory, all addresses in bytes, written by dynamics/elastic/admm-work.ts:
//   header       128 bytes, i32: counts and addresses, see below; rows are those of δ, π, ℓ, λ₀, W, right, last δ, δ₀
//   records      128 bytes a contact that TypeScript packed (those with bodies), see R_*
//   blocks       240 bytes a contact with bodies, see admm.ts: W_cc there is no multiple of I
//   groups       the contacts of the strandContacts table, four at a time, see G_*
//   order        16 bytes a group: the rows of the table that its lanes hold
//   lists        4 bytes a group, 4 a record: what is awake
//   moving       1 byte a strand, 1 a row: which of them do not rest (elastic/update.ts)

export const ROWS: usize = 0;
/** i32: records. */
export const CONTACTS: usize = 4;
export const DELTA: usize = 8;
export const PROJECTED: usize = 12;
export const DUAL: usize = 16;
export const DUAL_START: usize = 20;
export const WEIGHT: usize = 24;
export const RIGHT: usize = 28;
export const LAST: usize = 32;
export const RECORDS: usize = 36;
export const BLOCKS: usize = 40;
export const BODY_ROWS: usize = 44;
/** δ₀: what last step's forces change, part of the start. */
export const START: usize = 48;
/** i32: rows of the table whose forces are in λ: all those there were at the last projection; −1: there was none. */
export const SETTLED: usize = 52;
/** Groups: their address, i32 how many there are, i32 how many have room. */
export const GROUPS: usize = 56;
export const GROUP_COUNT: usize = 60;
export const GROUP_ROOM: usize = 64;
/** Address: i32 a lane of the groups, the row of the table that it holds or −1. */
export const ORDER: usize = 68;
/** Address: i32 a group, the groups that are awake; behind them i32 a record, the records that are. */
export const LIST: usize = 72;
/** i32: contacts solved in this projection. */
export const SOLVED: usize = 76;
/** Addresses: a byte a strand, a byte a row, 0: it rests. */
export const MOVING: usize = 80;
export const MOVING_ROWS: usize = 84;
/** i32: active strands that do not rest, and that do. */
export const MOVING_COUNT: usize = 88;
export const RESTING_COUNT: usize = 92;

// ── A record ─────────────────────────────────────────────────────────────────────────────────────────
/** i32×4: byte offsets of the nodes' rows; the last row of all takes what has no node. */
export const R_NODE: usize = 0;
/** f32×4: b of the nodes. */
export const R_SHARE: usize = 16;
/** f32×4: γ of the nodes. */
export const R_GAMMA: usize = 32;
/** f32×3: normal; 0. */
export const R_NORMAL: usize = 48;
/** f32×3: B vRef + k; 0. */
export const R_OFFSET: usize = 64;
/** f32×3: s r; 0. */
export const R_FORCE: usize = 80;
/** f32 mu, f32 slack/s, i32 block or −1. */
export const R_REST: usize = 96;
/** f32×3: cohesion's share of s r along the normal; s (0: a row without force). */
export const R_PULL: usize = 112;
export const RECORD: usize = 128;

// ── A group: values of four contacts side by side; idle lanes point to the idle row and stay 0 ──────────
/** i32×4: byte offsets of node a; its neighbour lies behind it. Then the same of node b. */
export const G_A: usize = 0;
export const G_B: usize = 16;
/** f32×4: share of the second node of a, of b. */
export const G_S: usize = 32;
export const G_T: usize = 48;
/** Four times f32×4: γ of the nodes of each contact. */
export const G_GAMMA: usize = 64;
/** Three times f32×4: normal; offset B vRef + k; s r. */
export const G_NORMAL: usize = 128;
export const G_OFFSET: usize = 176;
export const G_FORCE: usize = 224;
/** f32×4: mu; slack/s; s; cohesion's share of s r along the normal. */
export const G_MU: usize = 272;
export const G_SLACK: usize = 288;
export const G_SCALE: usize = 304;
export const G_PULL: usize = 320;
export const GROUP: usize = 336;

/** An address in the header. */
export function at(work: usize, field: usize): usize {
  return <usize>load<i32>(work + field);
}
