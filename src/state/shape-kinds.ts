// The table of shape kinds, for TypeScript, kernels and device alike: number, and what some kinds have in common.
//
// Numbers also order the colliders of a pair (smaller kind first; narrow/pair-kinds.ts). What several kinds share is a
// set of them, one bit a kind, and code asks for it instead of comparing kinds: a further kind joins its sets here.
//
// | kind     | round | rimmed | bounded | triangles |
// |----------|-------|--------|---------|-----------|
// | sphere   |   x   |        |    x    |           |
// | capsule  |   x   |        |    x    |           |
// | box      |       |        |    x    |           |
// | hull     |       |        |    x    |           |
// | cylinder |       |   x    |    x    |           |
// | cone     |       |   x    |    x    |           |
// | plane    |       |        |         |           |
// | mesh     |       |        |         |     x     |

export const SHAPE_SPHERE = 0;
export const SHAPE_CAPSULE = 1; // axis y
export const SHAPE_BOX_KIND = 2;
export const SHAPE_HULL = 3;
export const SHAPE_CYLINDER = 4; // axis y
export const SHAPE_CONE = 5; // axis y, apex at +half height, base at −half height
export const SHAPE_PLANE = 6; // half-space below the plane through the collider's origin
export const SHAPE_MESH = 7;
export const SHAPE_KIND_COUNT = 8;
export const SHAPE_FREE = -1; // a row that waits for another shape

/** A point or a segment, and a radius about it. */
export const ROUND_KINDS = (1 << SHAPE_SPHERE) | (1 << SHAPE_CAPSULE);
/** Round about y, with a flat end and a sharp rim. */
export const RIMMED_KINDS = (1 << SHAPE_CYLINDER) | (1 << SHAPE_CONE);
/** Convex, with an end on every side: half extents, centre and support points mean something. */
export const BOUNDED_KINDS = ROUND_KINDS | (1 << SHAPE_BOX_KIND) | (1 << SHAPE_HULL) | RIMMED_KINDS;
/** A record of triangles (MESH_*): touched triangle by triangle, by several manifolds at once. */
export const TRIANGLE_KINDS = 1 << SHAPE_MESH;
