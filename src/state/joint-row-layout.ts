// One row of a joint as the sparse solve of islands with joints has it: bytes, all literals.
//
// AssemblyScript compiles this file (kernels/assembly/settled/rows.ts), TypeScript writes the rows
// (dynamics/joints/sparse-rows.ts).
//
//   u = D·(v_B − v_A) + TURN_B·ω_B − TURN_A·ω_A + TARGET + SOFT r,   low <= r <= high

/** i32: slot of the body, −1 the world; once linked its number in the island. */
export const ROW_BODY_A = 0;
export const ROW_BODY_B = 4;
/** f64×3 [-]; 0 for a row about an axis. */
export const ROW_D = 8;
/** f64×3: arm × D [m], or the axis [-]; right behind ROW_D: kernels read both as the six numbers of a velocity. */
export const ROW_TURN_A = 32;
export const ROW_TURN_B = 56;
/** f64 [m/s], [rad/s]. */
export const ROW_TARGET = 80;
/** f64 [1/kg]. */
export const ROW_SOFT = 88;
/** f64 [N·s]: bounds and value of the impulse. */
export const ROW_LOW = 96;
export const ROW_HIGH = 104;
export const ROW_IMPULSE = 112;
/** f64: response to its own impulse, softness included [1/kg]. */
export const ROW_LAMBDA = 120;
/** f64: 1/(R + SOFT) of a bilateral row, R = 1/penalty [kg]. */
export const ROW_RHO = 128;
/** f64: change of the impulse before what it does to velocities [N·s]. */
export const ROW_CHANGE = 136;
/** f64: response of a bounded row to its own impulse while the joints hold, softness included [1/kg]. */
export const ROW_HELD = 144;
/** f64: as ROW_RHO, for what joints in loops can do together [kg]. */
export const ROW_DAMPED = 152;
/** f64: impulse of a bounded row before a sweep [N·s]. */
export const ROW_BEFORE = 160;
/** i32: address of the next bounded row, 0 none; of bounded rows alone. */
export const ROW_NEXT = 168;
export const ROW_BYTES = 176;
