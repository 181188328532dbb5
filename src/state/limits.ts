// Largest and least values of a body: beyond them numbers of the solvers lose their digits, and nothing is gained.

/** Coefficient of friction [-]: the cone is then open by 0.06° less than all. */
export const LARGEST_FRICTION = 1000;

/** Mass of a body [kg]: a cube of rock with sides of 700 m. Heavier ones are as good as static, and should be that. */
export const LARGEST_MASS = 1e12;

/** Factor on gravity, either way [-]. */
export const LARGEST_GRAVITY_SCALE = 1e6;
export const isGravityScale = (scale: number) => Math.abs(scale) <= LARGEST_GRAVITY_SCALE;

/** Distance of a body’s centre of mass from its shape’s [m]: farther out a turn by rounding moves the shape. */
export const LARGEST_OFFSET = 1e6;

/** Least mass of a body [kg]: its inverse, squared, is a number still. */
export const SMALLEST_MASS = 1e-30;

/** Moments of inertia [kg·m²]: the product of three, and its inverse, are numbers still. */
export const SMALLEST_INERTIA = 1e-60;
export const LARGEST_INERTIA = 1e60;

/** The nearest mass that a body may have [kg]. */
export const massWithin = (mass: number) => Math.max(SMALLEST_MASS, Math.min(mass, LARGEST_MASS));

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

/** Threads of a world at most, the caller's included. */
export const MOST_THREADS = 64;
