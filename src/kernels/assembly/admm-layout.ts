// The work memory of ADMM's contact side: its header and the records of contacts.
//
// Work memory, all addresses in bytes, written by dynamics/rods/admm-work.ts:
//   header       128 bytes, i32: counts and addresses, see below; rows are those of δ, π, ℓ, λ₀, W, right, last δ, δ₀
//   records      128 bytes a contact, see R_*
//   blocks       240 bytes a contact with bodies, see admm.ts: W_cc there is no multiple of I
//   groups       the contacts without bodies, four at a time, see admm-groups.ts

export const ROWS: usize = 0;
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
/** i32: records before those of the table. */
export const FIRST: usize = 52;
/** i32: records whose forces are in λ: all those there were at the last projection. */
export const SETTLED: usize = 56;
/** Groups of four contacts (admm-groups.ts): their address, i32 how many there are, i32 how many have room. */
export const GROUPS: usize = 60;
export const GROUP_COUNT: usize = 64;
export const GROUP_ROOM: usize = 68;
/** Address: i32 a lane of the groups, the record it holds or −1. */
export const ORDER: usize = 72;
/** Address: i32 a group, the groups that are awake. */
export const LIST: usize = 76;
/** i32: contacts solved in this projection. */
export const SOLVED: usize = 80;

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
/** f32 mu, f32 slack/s, i32 block or −1, i32: −1 solved alone, −2 without any force, else its colour. */
export const R_REST: usize = 96;
/** f32×3: cohesion's share of s r along the normal; s (1: a row without force). */
export const R_PULL: usize = 112;
export const RECORD: usize = 128;

/** An address in the header. */
export function at(work: usize, field: usize): usize {
  return <usize>load<i32>(work + field);
}
