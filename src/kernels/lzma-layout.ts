// Numbers of LZMA streams that packing and unpacking share (unpack.ts).

/** Where the adaptive probabilities of each kind of bit begin. */
export const IS_MATCH = 0;
export const IS_REP = IS_MATCH + 12 * 16;
export const IS_REP_G0 = IS_REP + 12;
export const IS_REP_G1 = IS_REP_G0 + 12;
export const IS_REP_G2 = IS_REP_G1 + 12;
export const IS_REP0_LONG = IS_REP_G2 + 12;
export const POS_SLOT = IS_REP0_LONG + 12 * 16;
export const SPECIAL = POS_SLOT + 4 * 64;
export const ALIGN = SPECIAL + 115;
export const LENGTH = ALIGN + 16;
/** Of a coder of lengths: two choices, short and middle ones by position, long ones. */
export const LENGTH_LOW = 2;
export const LENGTH_MIDDLE = LENGTH_LOW + 16 * 8;
export const LENGTH_HIGH = LENGTH_MIDDLE + 16 * 8;
const LENGTH_SIZE = LENGTH_HIGH + 256;
export const REP_LENGTH = LENGTH + LENGTH_SIZE;
export const LITERAL = REP_LENGTH + LENGTH_SIZE;

/** Bytes before the stream: of properties, of the dictionary's size, of the length. */
export const HEADER = 13;
/** The shortest match [bytes]. */
export const SHORTEST = 2;
