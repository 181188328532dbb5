// Places of the numbers by which a joint of nodes gives way, in ATTACHMENT_GIVE.

/** Of its spring [Hz]; 0: it is stiff. */
export const GIVE_FREQUENCY = 0;
/** Of its spring [-]. */
export const GIVE_RATIO = 1;
/** Force at which it breaks [N]. */
export const GIVE_STRENGTH = 2;
