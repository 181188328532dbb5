// Names of the numbers in rows of contacts, shapes, colliders, bodies and joints, as layout.ts says at their columns.

/** Of NODE_CONTACT_SIDE, four a row, after the object of side A: that of B, its collider, its dynamic body, or −1. */
export const SIDE_OBJECT_B = 1;
export const SIDE_COLLIDER = 2;
export const SIDE_BODY = 3;
/** Of NODE_CONTACT_KEY, four a row: what touches, after the two features. */
export const KEY_KIND_A = 2;
export const KEY_KIND_B = 3;
/** Of NODE_CONTACT_NORMAL, four a row, after x y z [m]. */
export const CONTACT_GAP = 3;
/** Of NODE_CONTACT_MATERIAL, four a row, after the coefficient of friction: [N], [m/N]. */
export const CONTACT_COHESION = 1;
export const CONTACT_COMPLIANCE = 2;
/** Of PAIR_MATERIAL, four a row, after the coefficient of friction; surface speed along the two tangents [m/s]. */
export const PAIR_RESTITUTION = 1;
export const PAIR_SURFACE_ALONG = 2;
export const PAIR_SURFACE_ACROSS = 3;
/** Of COLLIDER_MATERIAL, two a row, after the coefficient of friction. */
export const COLLIDER_RESTITUTION = 1;
/** Of COLLIDER_ROLLING, two a row, after that of rolling [m]. */
export const SPINNING_FRICTION = 1;
/** Of BODY_DAMPING, four a row, after the linear damping: [1/s], [-], [s]. */
export const ANGULAR_DAMPING = 1;
export const GRAVITY_OF_BODY = 2;
export const SLEEP_TIMER = 3;
/** Of NODE_CONTACT_KEY: the second feature. */
export const KEY_HIGH = 1;
/** Of NODE_CONTACT_FORCE, four a row, after s·r: s [1/kg]. */
export const FORCE_SCALE = 3;
/** Of PAIR_POINT, four a point, after x y z [m]. */
export const POINT_GAP = 3;
/** Of PAIR_HIT, four a row, after the impulse: 1 where a point slid. */
export const HIT_SLID = 3;
/** Of SHAPE_BOX and COLLIDER_BOX, six a row, after the least x y z: the greatest. */
export const BOX_HIGH = 3;
/** Of SHAPE_PARAMETER of capsules, cylinders and cones, four a row, after the radius [m]. */
export const HALF_HEIGHT = 1;
/** Of JOINT_REACTION, eight a row, after the force: [m], the torque, [rad]. */
export const REACTION_APART = 3;
export const REACTION_TORQUE = 4;
export const REACTION_TURNED = 7;
/** Of JOINT_STRENGTH, two a row, after the force [N·m]. */
export const STRENGTH_TORQUE = 1;

/** First of the four numbers of a point of a manifold in PAIR_POINT and PAIR_IMPULSE. */
export const pairPointAt = (pair: number, point: number): number => 16 * pair + 4 * point;
/** Of BODY_MOTION, BODY_VELOCITY_CHANGE and lists like them, eight a row, after the linear velocity. */
export const ANGULAR = 4;
