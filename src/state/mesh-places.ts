// Names of the numbers in the rows of triangles and of their edges, as layout.ts says at their columns.

/** Of TRIANGLE_NODE, four a row, after the three nodes. */
export const TRIANGLE_OBJECT = 3;
/** Of TRIANGLE_REST, eight a row, after the inverse of the rest shape [m²]; between edges 0 1, 1 2 and 2 0 [-]. */
export const TRIANGLE_AREA = 4;
export const TRIANGLE_BETWEEN = 5;
/** Of MESH_EDGE_NODE, four a row, last: node opposite in the second triangle, −1: on the border. */
export const OPPOSITE_SECOND = 3;
/** Of MESH_EDGE_TRIANGLE, four a row, after its two triangles. */
export const EDGE_OBJECT = 2;
/** Of MESH_EDGE_REST, four a row, after the length: angle [rad], what a moment bends it and its stiffness [-]. */
export const HINGE_ANGLE = 1;
export const HINGE_GIVE = 2;
export const HINGE_STIFFNESS = 3;
