// Names of the numbers in the rows of the table of rods: what a material is, of an object of any kind.
//
// As layout.ts says at ROD_PARAMETER, ROD_EXTRA and ROD_WEAVE; a solid has other numbers in some (solid-material.ts).

/** Of ROD_PARAMETER, eight a row. Of a shell: half the thickness, and young and shear modulus of bending. */
export const RADIUS = 0;
export const DENSITY = 1;
export const YOUNG_MODULUS = 2;
export const SHEAR_MODULUS = 3;
export const STRETCH_MODULUS = 4;
export const DAMPING = 5;
export const FRICTION = 6;
export const COHESION = 7;
/** Of ROD_EXTRA, four a row. */
export const GRAVITY_SCALE = 0;
export const AIR_DRAG = 1;
export const COMPLIANCE = 2;
export const POISSON_RATIO = 3;
/** Of ROD_WEAVE, four a row, of shells. */
export const WEFT_MODULUS = 0;
export const STRAIN_LIMIT = 1;
export const IS_WARPED = 2;
