// Names of the numbers in the rows of joints of nodes, as layout.ts says at their columns.

/** Of ATTACHMENT_GIVE, four a row: of its spring [Hz]; 0: it is stiff. */
export const GIVE_FREQUENCY = 0;
/** Of its spring [-]. */
export const GIVE_RATIO = 1;
/** Force at which it breaks [N]. */
export const GIVE_STRENGTH = 2;

/** Of ATTACHMENT_POINT, four a row, after x y z: longest distance [m], 0 for a ball joint. */
export const LONGEST = 3;
/** Of ATTACHMENT_OTHER, two a row, after the rod: its node. */
export const OTHER_NODE = 1;
