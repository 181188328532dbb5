// A kept factor A = L D Lᵀ of an island, 6×6 blocks by columns, in the arena: bytes, all literals.
//
// AssemblyScript compiles this file (kernels/assembly/settled), TypeScript makes the pattern and keeps the factor
// (dynamics/settled-factors.ts). Its head:

/** i32: dynamic bodies, one a column. */
export const FACTOR_BODIES = 0;
/** i32: blocks below the diagonal. */
export const FACTOR_BLOCKS = 4;
/** i32: columns that are final, −1: A is to be assembled. */
export const FACTOR_DONE = 8;
/** Address of i32: body slot of each column. */
export const FACTOR_SLOTS = 12;
/** Address of i32: first block of each column, and the end. */
export const FACTOR_STARTS = 16;
/** Address of i32: row of each block, upwards. */
export const FACTOR_ROWS = 20;
/** Address of blocks: D, then its inverse. */
export const FACTOR_DIAGONAL = 24;
/** Address of blocks: A, then L. */
export const FACTOR_LOWER = 28;
/** i32: step in which it was completed. */
export const FACTOR_MADE = 32;
/** i32: CONTACT_KEY of the island that A was assembled from. */
export const FACTOR_CONTACTS = 36;
/** i32: iterations of the last solve. */
export const FACTOR_LAST = 40;
/** i32: block products of a factorisation. */
export const FACTOR_PRODUCTS = 44;
/** i32: penalties in units of 1/λ [-]. */
export const FACTOR_STIFFNESS = 48;
/** Of a jointed island: address of the factor of what loops can do together. */
export const FACTOR_NEXT = 52;
export const FACTOR_HEAD = 64;
/** 36 f64. */
export const BLOCK_BYTES = 288;
