// Where the settled solver keeps what: scratch of one island, and the kept factor in the arena. Bytes.
//
// Velocities are six f64 (linear, then angular). Bodies of an island are numbered by their column in the factor, after
// them one record for all static bodies, then the kinematic ones. Points of a manifold lie in lanes, two to a vector.

export * from '../../../state/joint-row-layout';
export * from '../../../state/settled-layout';

// Head of the scratch.
export const BODIES: usize = 0; // i32: dynamic bodies
export const RECORDS: usize = 4; // i32: with the fixed ones
export const ISLAND: usize = 8; // i32
export const CONTACT_KEY: usize = 12; // i32: hash of the pairs and features of the points that are not open
export const IS_RECOVERING: usize = 16; // i32: a penetration is being parted faster than is worth keeping
export const MAP: usize = 20; // i32 of each body slot: its number
export const VELOCITY: usize = 24; // f64×6 of each body
export const STEP: usize = 28; // f64×6: right-hand side, then the change of velocity
export const PUSH: usize = 32; // f64×6: impulses in and out of the passes
export const INFO: usize = 36; // INFO_* of each body
export const MANIFOLDS: usize = 40;
export const MANIFOLDS_END: usize = 44;
export const COLUMN: usize = 48; // one column of blocks, for the factorisation
export const RESIDUAL: usize = 56; // f64 [m/s]
export const SCALE: usize = 64; // f64: largest free velocity [m/s]
export const BEST: usize = 72; // f64: residual of the impulses at KEPT [m/s]
export const ROWS: usize = 80; // joint rows, none but in a jointed island
export const ROWS_END: usize = 84;
// Of a jointed island, in the same scratch:
// Factor of bodies and bilateral rows, in the order of the bodies; 0 where it would cost too much.
export const FOREST: usize = 88;
export const GROUPS: usize = 92; // i32×2 of each body: first and number of the bodies that joints connect with it
export const COLUMNS: usize = 96; // i32 of each body: address of its columns of the forest's inverse, 0 none
export const POINTS: usize = 100; // POINT_BYTES of each of a manifold's four points
export const HELD: usize = 104; // where the columns lie
// I32: 1 where there is no room for them, and bodies are swept as if they were not joined
export const IS_LOOSE: usize = 108;
export const STALLED: usize = 112; // f64: error that its joints cannot be rid of [m/s]
export const HAS_LOOPS: usize = 120; // i32: some of its joints may contradict each other
export const DAMPED: usize = 124; // where they do: the factor with the penalties of what they can do together
export const BEFORE: usize = 128; // f64×6 of each body: velocities before a sweep
export const WAY: usize = 132; // f64×6: direction along which sweeps are drawn out
export const SWEPT: usize = 136; // f64: what the last sweep changed, impulses times velocities [J]
export const CHANGED: usize = 144; // f64: the same of the sweep at hand
export const GRADIENTS: usize = 152; // work space of conjugate gradients, where FOREST is 0
export const SLOTS: usize = 156; // i32: body slots in the order of the velocities
export const FINISH: usize = 160; // factor of Newton steps over everything; 0 where the island is not finished by them
export const FINISH_PLACES: usize = 164; // i32 of each body: its place in that factor
export const FINISH_STEP: usize = 168; // f64×6 of each place
export const FINISH_WORK: usize = 172; // work space of its order
export const RECOVERY: usize = 176; // f64: fastest that a penetration is being parted [m/s]
export const SMALL: usize = 184; // f64: change of a point in a sweep that is not worth telling the others [m/s]
export const BOUNDED: usize = 192; // the first bounded row, 0 none
export const HEAD_BYTES: usize = 208;

/**
 * A gap that asks for no more than this, relative to SCALE, is closed, an impulse worth no more
 * is none: rounding decides nothing.
 */
export const CLOSED_SHARE: f64 = 1e-4;

// What a body is.
export const INVERSE_MASS: usize = 0;
export const INVERSE_INERTIA: usize = 8; // f64×6: xx yy zz xy xz yz, world axes
export const SLOT: usize = 56; // i32
export const INFO_BYTES: usize = 64;
export const VELOCITY_BYTES: usize = 48;

// One manifold: shared, then four lanes of each quantity. Impulses and velocities in world axes.
export const BODY_A: usize = 0; // i32: number of the body
export const BODY_B: usize = 4;
export const PAIR: usize = 8; // i32
export const LANES: usize = 12; // i32: bytes of lanes in use, 16 or 32
export const NORMAL: usize = 16; // f64×3
export const MU: usize = 40; // f64
export const SURFACE: usize = 48; // f64×3: speed of B over A that counts as none [m/s]
export const COUNT: usize = 72; // i32
export const CARRIES: usize = 76; // i32: a bit for each point that has pressed: open or not, its penalty is stiff
export const ARM_A: usize = 96; // x y z: 32 bytes each [m]
export const ARM_B: usize = 192;
export const TARGET: usize = 288; // w: added to the normal velocity [m/s]
export const IMPULSE: usize = 320; // x y z [N·s]
export const CHANGE: usize = 416; // x y z: s − r [N·s]
export const LAMBDA: usize = 512; // trace(W_cc)/3 [1/kg]
export const RHO: usize = 544; // penalty [kg]; 0 in an empty lane
export const R: usize = 576; // 1/penalty [1/kg]; 0 in an empty lane
export const KEPT: usize = 608; // x y z: impulses of the best answer so far [N·s]
export const MANIFOLD_BYTES: usize = 704;

// A contact point while the joints hold: its response, world axes.
export const POINT_W: usize = 0; // f64×6: xx yy zz xy xz yz [1/kg]
export const POINT_INVERSE: usize = 48; // the same of its inverse [kg]; 0 where it has none
export const POINT_NORMAL: usize = 96; // f64: 1/(n·W n) [kg]; 0 for a point that nothing moves
export const POINT_PLANE: usize = 104; // f64: 1/bound on the response in the plane [kg]
export const POINT_BYTES: usize = 112;
