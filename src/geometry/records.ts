// Layout of the hull and mesh records that shapes point to (part of the shared map, state/layout.ts).
//
// It lies here because geometry writes the records and may not look up into state; layout.ts passes the names
// on. Only integer literals: the file is compiled both as TypeScript and as AssemblyScript. Bytes from the
// record's first byte.

// ── Hull record (at SHAPE_DATA) ───────────────────────────
// i32 vertexCount, faceCount, edgeCount, indexCount at 0, 4, 8, 12; byte offsets from the record at 16..:
export const HULL_VERTEX_COUNT = 0;
export const HULL_FACE_COUNT = 4;
export const HULL_EDGE_COUNT = 8; // each edge once
export const HULL_INDEX_COUNT = 12;
export const HULL_VERTICES = 16; // i32 offset → f64×3 per vertex
export const HULL_PLANES = 20; // i32 offset → f64×4 per face: outward unit normal, offset (n·x = d)
export const HULL_FACE_START = 24; // i32 offset → i32 per face + 1: first index of the face in HULL_INDICES
export const HULL_INDICES = 28; // i32 offset → i32 vertex ids, counter-clockwise seen from outside
export const HULL_EDGES = 32; // i32 offset → i32×4 per edge: vertex a, vertex b, face left of a→b, face right
export const HULL_BYTES = 36; // i32 size of the whole record [B]
export const HULL_HEADER = 64; // f64 data start on a multiple of 8 after this

// ── Mesh record (at SHAPE_DATA) ───────────────────────────
export const MESH_VERTEX_COUNT = 0;
export const MESH_TRIANGLE_COUNT = 4;
export const MESH_NODE_COUNT = 8;
export const MESH_VERTICES = 16; // i32 offset → f64×3
// i32 offset → i32×4: vertex a b c, EDGE bits: 1 ab, 2 bc, 4 ca are active (convex) edges
export const MESH_TRIANGLES = 20;
export const MESH_NEIGHBORS = 24; // i32 offset → i32×3: triangle across ab, bc, ca, −1 none
export const MESH_NODES = 28; // i32 offset → MESH_NODE_BYTES per node of a static box tree, depth first
export const MESH_BYTES = 32; // i32 size of the whole record [B]
export const MESH_HEADER = 64;
// f64×6 box (min, max), i32 first triangle or −1 (inner), i32 count or index of the right child
export const MESH_NODE_BYTES = 56;
