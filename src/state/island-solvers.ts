// Who solved an island of bodies (ISLAND_SOLVER), for both languages.

export const ISLAND_NONE = 0; // no contact
export const ISLAND_DANTZIG = 1;
export const ISLAND_SWEEPS = 2;
export const ISLAND_SETTLED = 3; // contact-space ADMM on a kept factor
export const ISLAND_RESTING = 5; // solved by the impulses that Dantzig pivoting found in an earlier step
export const ISLAND_FEW = 6; // up to four contacts, by Newton's method in the kernels
export const ISLAND_ELASTIC = 4; // touches a strand: solved with the strands, never by the rigid solvers
