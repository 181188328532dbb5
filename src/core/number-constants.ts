// Numbers that AssemblyScript and TypeScript split alike, so that both find the same bits. Only literals here.

/**
 * π/2, and as a sum of two doubles, the first with 33 significant bits: k · HALF_PI_HIGH is exact for |k| < 2²⁰.
 */
export const HALF_PI = 1.5707963267948966;
export const HALF_PI_HIGH = 1.5707963267341256;
export const HALF_PI_LOW = 6.077100506506192e-11;
/** ln 2 in two parts: the first has 21 trailing zero bits, so that k · LN2_HIGH is exact. */
export const LN2_HIGH = 0.6931471803691238;
export const LN2_LOW = 1.908214929270587e-10;
