// Largest values that a body may have: beyond them numbers of the solvers lose their digits, and nothing is gained.

/** Coefficient of friction [-]: the cone is then open by 0.06° less than all. */
export const LARGEST_FRICTION = 1000;

/** Mass of a body [kg]: a cube of rock with sides of 700 m. Heavier ones are as good as static, and should be that. */
export const LARGEST_MASS = 1e12;

/**
 * Force, impulse, torque in a component [N, N·s, N·m]: its square, over the mass of a
 * grain of dust, is a number still.
 */
export const LARGEST_PUSH = 1e100;

/** Frequency of a spring [Hz]: its square, too. Faster ones are as good as stiff. */
export const LARGEST_FREQUENCY = 1e100;

/** The nearest number within ±limit. */
export function within(x: number, limit: number): number {
  return x > limit ? limit : x < -limit ? -limit : x;
}

/** What a motor without a limit may give [N, N·m]. */
export const LARGEST_MOTOR = 1e12;
