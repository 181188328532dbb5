// Numbers of contacts and their solvers, in TypeScript and AssemblyScript alike. Only literals here.

/** Law of a row block (solvers/row-law.ts): u = 0, by any impulse. */
export const LAW_BILATERAL = 1;

/** r = 0, u_N >= 0. */
export const OPEN = 0;
/** u = 0, r inside the cone. */
export const STICK = 1;
/** u_N = 0, r on the cone, u_T = −s r_T/‖r_T‖ with s >= 0; every closed contact of mu = 0. */
export const SLIDE = 2;
/** Not solved to the solver's tolerance; r is the best that was met. */
export const MISSED = -1;
/** There is no solution, as far as an enumeration of all cases can tell; r = 0. */
export const NO_SOLUTION = -2;
/** Error from which on a local answer counts as a failure [-]. */
export const FAILURE = 0.001;
/** Steps of Newton's method at most. Successes take under ten; more steps rescue few of the rest. */
export const LOCAL_NEWTON_STEPS = 40;
