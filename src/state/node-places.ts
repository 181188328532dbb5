// Names of the numbers in the rows of nodes and of their objects, as layout.ts says at their columns.

/** Of NODE_POSITION, NODE_VELOCITY, NODE_PREDICTED and NODE_FORCE, four a row, after x y z: of the edge's twist. */
export const TWIST = 3;
/** Of NODE_FRAME, four a row, after the director: reference twist [rad]. */
export const REFERENCE_TWIST = 3;
/** Of NODE_REST, eight a row, after the length of the edge: [m], four of [-], [rad]. */
export const REST_VORONOI = 1;
export const REST_CURVATURE = 2;
export const REST_TWIST = 6;
/**
 * Of the nodes of a shell: three times how far it gives way to a unit of impulse [1/kg], 0 not known; of the first one
 * the step in which that was found (kernels/assembly/mesh/meshes.ts), of the second how many contacts it had.
 */
export const REST_GIVE = 7;
export const REST_GIVE_STEP = 6;
export const REST_GIVE_CONTACTS = 6;
/**
 * Of the nodes of a shell that can be laid out flat: two numbers, its place in that plane; of the first one the least
 * height of a triangle there, 0 where there is no such plane (mechanics/shell/lay-flat) [m].
 */
export const REST_PLACE = 1;
export const REST_HEIGHT = 3;
/** Of NODE_MASS, two a row, after the mass [kg·m²]. */
export const TWIST_INERTIA = 1;
/** Of NODE_DUAL, four a row, after λ: weight of the last step [kg]. */
export const DUAL_WEIGHT = 3;
/** Of NODE_STIFFNESS, four a row, after the factor of stretch [-]. */
export const BEND_FACTOR = 1;
export const TWIST_FACTOR = 2;
/** Of STRAND_RING, two a row, after the number of the ring: a body in it, −1 none. */
export const RING_BODY = 1;
/** Of STRAND_ATTACH, two a row, after the body at the start. */
export const ATTACH_END = 1;
/** Of STRAND_CLAMP, twelve an end, after node, neighbour and director: one more than its buried nodes, 0 unknown. */
export const CLAMP_BURIED = 9;
/** Of OBJECT_TRIANGLES, OBJECT_MESH_EDGES and OBJECT_TETRAHEDRA, two a row, after the first row: how many. */
export const RANGE_COUNT = 1;
