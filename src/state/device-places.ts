// Names of the words in rows that the device reads as structs: Mover (wgsl/shared/contact.wgsl), Collider
// (wgsl/find/body.wgsl), Move (wgsl/world/move.wgsl), Grip (wgsl/rod/rod-grip.wgsl). Sizes in words; vectors begin at
// 0, 4, 8 and so on.

/** Of a body as the device has it. */
export const MOVER_WORDS = 24;
/** [1/kg], 0: nothing moves it. */
export const MOVER_INVERSE_MASS = 3;
/** 1: it touches other bodies. */
export const MOVER_TOUCHES = 11;
/** Slot of the body in the tables. */
export const MOVER_BODY = 22;

export const COLLIDER_WORDS = 28;
/** As SHAPE_KIND. */
export const COLLIDER_KIND = 3;
export const COLLIDER_FRICTION = 11;
export const COLLIDER_LAYERS = 15;
/** Row of its body among the movers. */
export const COLLIDER_MOVER = 19;
/** First words of a hull's or mesh's tree, and of its corners. */
export const COLLIDER_NODES = 23;
export const COLLIDER_CORNERS = 24;
/** Slots of the collider and of its body in the tables. */
export const COLLIDER_SLOT = 25;
export const COLLIDER_BODY = 26;
export const COLLIDER_FLAGS = 27;

/** Of a body that was put somewhere else. */
export const MOVE_WORDS = 20;
/** Its centre of mass before, from the cell [m]. */
export const MOVE_START = 0;
/** Strands there are. */
export const MOVE_STRANDS = 3;
/** And after [m]. */
export const MOVE_END = 4;
/** Slot of the body in the tables. */
export const MOVE_BODY = 7;
/** Quaternion from before to after. */
export const MOVE_TURN = 8;
/** [m/s] */
export const MOVE_VELOCITY = 12;
/** Contacts that there is room for. */
export const MOVE_ROWS = 15;
/** [rad/s] */
export const MOVE_SPIN = 16;

/** Of a hand in the hair. */
export const GRIP_WORDS = 12;
/** At the start of the step, from the cell [m]. */
export const GRIP_CENTRE = 0;
/** [m] */
export const GRIP_RADIUS = 3;
/** [m/s] */
export const GRIP_VELOCITY = 4;
/** How quickly hair in its middle takes on its velocity [1/s]. */
export const GRIP_RATE = 7;
/** How quickly hair comes to its middle [1/s]. */
export const GRIP_GATHER = 8;
