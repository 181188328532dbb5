// The record of an object with a mesh (a shell, a solid) in the work memory of its kernels: where its pattern, its
// matrices and its vectors lie. AssemblyScript compiles this file, TypeScript imports it
// (dynamics/elastic/backends/wasm/meshes.ts writes the records).
//
// i32 cells, offsets in bytes; what is called an address is one. Rows are the object's nodes in the order of
// elimination.
//
// Blocks are 3×3, column by column, each column with a spare number: 96 bytes in f64, 48 in f32. A is symmetric: its
// diagonal blocks by row, and those below them by column (A_START, A_ROW). Its factor L Lᵀ has a pattern of its own
// (L_START, L_ROW).

/** Row of the strands; kind; first node; number of nodes. */
export const M_OBJECT = 0;
export const M_KIND = 4;
export const M_FIRST = 8;
export const M_NODES = 12;
/** Addresses: i32 a node, its row; i32 a row, its node counted from the first. */
export const M_ROW_OF = 16;
export const M_NODE_OF = 20;
/**
 * Addresses: i32 a row and one more, where a column's blocks below the diagonal begin; i32 a block, its row; number of
 * blocks.
 */
export const M_A_START = 24;
export const M_A_ROW = 28;
export const M_A_BLOCKS = 32;
/** Address: i32 a block of A, its number in L; −1: L has no place for it (see M_EXTRA). */
export const M_A_TO_L = 36;
/** As those of A, of L. */
export const M_L_START = 40;
export const M_L_ROW = 44;
export const M_L_BLOCKS = 48;
/**
 * Addresses: i32×3 a triangle, ×6 an edge, ×6 a tetrahedron (×45 one of ten nodes): blocks of its pairs of nodes,
 * see PAIRS; −1 where an edge is no hinge.
 */
export const M_TRIANGLE_SLOT = 52;
export const M_HINGE_SLOT = 56;
export const M_TETRAHEDRON_SLOT = 60;
/**
 * Addresses, f64 blocks: sums of rows of A; what is below its diagonal; what sums of the preconditioner's rows have
 * more for what L has no place for.
 */
export const M_ROW_SUM = 64;
export const M_BELOW = 68;
export const M_EXTRA = 72;
/**
 * Addresses, f32 blocks: row sums of A; below its diagonal; L and the inverses of its diagonal blocks (PIVOT) of A; of
 * A + W; sums of rows, good for one factorisation.
 */
export const M_SUM = 76;
export const M_BLOCK = 80;
export const M_FACTOR = 84;
export const M_PIVOT = 88;
export const M_WEIGHTED = 92;
export const M_WEIGHTED_PIVOT = 96;
export const M_S = 100;
/**
 * Addresses, f64×4 a row: positions that forces are taken at, those of the last linearisation [m]; base
 * velocity [m/s]; right-hand side.
 */
export const M_AT = 104;
export const M_BEFORE = 108;
export const M_BASE = 112;
export const M_RIGHT = 116;
/** Addresses, by node: a byte, 1 where its motion is prescribed; f64×3, velocity there [m/s]. */
export const M_HELD = 120;
export const M_HELD_VELOCITY = 124;
/** Address, f32×4 a row: W [kg]. */
export const M_WEIGHT = 128;
/** Addresses, f32×4 a row: solution, residual, preconditioned residual, direction, its product. */
export const M_X = 132;
export const M_R = 136;
export const M_Z = 140;
export const M_P = 144;
export const M_Q = 148;
/** Addresses, i32 a row: work of a factorisation. */
export const M_MAP = 152;
export const M_HEAD = 156;
export const M_NEXT = 160;
export const M_PLACE = 164;
/** i32: iterations of conjugate gradients since the record was made, in all. */
export const M_ITERATIONS = 168;
/** Address, 128 bytes an edge: what its hinge is in this step (mesh/assemble.ts). */
export const M_HINGES = 172;
/** Address, f32 a row: how far it gives way to a unit of impulse, three times [1/kg]; i32: 1 once that is known. */
export const M_GIVE = 176;
export const M_HAS_GIVE = 180;
/** Nodes of an element of a solid, 4 or 10; address, i32 an element and node: its row. */
export const M_ELEMENT_NODES = 184;
export const M_TETRAHEDRON_ROW = 188;
/**
 * Moments of hinges, L D Lᵀ of their compliance (mechanics/shell/hinge-moments): i32, number of hinges. Addresses, in
 * the order of elimination: i32 a hinge, its edge; i32 a hinge and one more, where its column of L begins; i32 an entry
 * of L, its row; f64 an entry; f64 a hinge, 1/D; f64 a hinge, work.
 */
export const M_BENT = 192;
export const M_BENT_EDGE = 196;
export const M_BENT_START = 200;
export const M_BENT_ROW = 204;
export const M_BENT_LOWER = 208;
export const M_BENT_PIVOT = 212;
export const M_BENT_X = 216;
/** Vertices that the tetrahedra carry (mechanics/solid/riders.ts), the object's last nodes: address; i32, how many. */
export const M_RIDERS = 220;
export const M_RIDER_COUNT = 224;
export const MESH_RECORD = 240;

/**
 * A rider: i32×4, rows of its corners; f32×4, their shares, and the same with 0 for corners that are held; i32×6,
 * blocks of L of the pairs 01 02 03 12 13 23; f32, how many do what one node would; f32, weight [kg].
 */
export const RIDER_ROW = 0;
export const RIDER_SHARE = 16;
export const RIDER_PUSH = 32;
export const RIDER_SLOT = 48;
export const RIDER_CROWD = 72;
export const RIDER_WEIGHT = 76;
export const RIDER_BYTES = 80;

/** Bytes of a block in f64 and in f32. */
export const BLOCK64 = 96;
export const BLOCK32 = 48;
/** Bytes of C⁻¹ and, from there on, C⁻ᵀ of a row, both as f32 blocks. */
export const PIVOT = 96;
export const TRANSPOSED = 48;

/** Where meshSolve begins: at 0; at what the answer's rows hold; at the multiple of that nearest to the solution. */
export const FROM_ZERO = 0;
export const FROM_LAST = 1;
export const FROM_MULTIPLE = 2;
