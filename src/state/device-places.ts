// Names of the words in rows that the device reads as structs: Mover (wgsl/shared/contact.wgsl), Collider
// (wgsl/find/body.wgsl). Sizes in words; vectors begin at 0, 4, 8 and so on.

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
