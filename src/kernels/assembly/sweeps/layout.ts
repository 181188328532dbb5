// Packed records of the sweeps in the kernel scratch: offsets [B]. All f32, vectors in one v128 each.
//
// A manifold's frame is (normal, tangent 1, tangent 2) at the mean of its points. In it the relative motion of
// the two bodies is a linear (v_n, v_1, v_2) and an angular velocity (ω_n, ω_1, ω_2), and a point at (x, y) in the
// tangent plane moves with
//   u_n = v_n + ω_1 y − ω_2 x,   u_1 = v_1 − ω_n y,   u_2 = v_2 + ω_n x.
// So four points have three degrees of freedom along the normal and three in the plane: "normal triple" is
// (v_n, ω_1, ω_2) or its impulses (F, M_1, M_2), "plane triple" (v_1, v_2, ω_n) or (f_1, f_2, M_n).
// Lanes: one number per point.

// ── Body record ────────────────────────────────
export const V: usize = 0; // linear velocity [m/s]
export const W: usize = 16; // angular velocity [rad/s]
export const IX: usize = 32; // columns of the world inverse inertia [1/(kg·m²)]
export const IY: usize = 48;
export const IZ: usize = 64;
export const INVERSE_MASS: usize = 80; // f32 [1/kg]
export const SLOT: usize = 84; // i32 body slot
export const LOAD: usize = 88; // f32: what the body's supports have to carry in a substep, for the first guess [N·s]
export const IS_LIFTED: usize = 88; // i32, while bodies are lifted (sweeps/lift.ts): 1 when it was
export const SUPPORTS: usize = 92; // f32: supports without a history
// address of the numbers of the body's rows, their count first, while rows are solved (sweeps/active.ts)
export const ROWS: usize = 92;
export const LAST_ROW: usize = 92; // i32, while rows are made: the last one with a contact of the body, counted from 1
export const MOVED: usize = 96; // displacement since the step began [m]
export const TURNED: usize = 112; // rotation since the step began, quaternion
export const FREE_V: usize = 128; // velocity change of a substep by gravity, forces, damping
export const FREE_W: usize = 144;
// velocity change that the contacts made in the last substep: the next one's warm start
export const PUSH_V: usize = 160;
export const PUSH_W: usize = 176;
export const MOTION_V: usize = 192; // velocity that moves the pose: V and recovery
export const MOTION_W: usize = 208;
export const OLD_V: usize = 224; // velocity that the last double sweep but one left, where sweeps have momentum
export const OLD_W: usize = 240;
export const BODY_BYTES: usize = 256;
/** From V, W to MOTION_V, MOTION_W. */
export const TO_MOTION: usize = 192;

// ── Records of manifolds of three and four points
// ────────────────────────
export const READ_A: usize = 0; // addresses of body records; bodies that do not yield are written to a sink
export const READ_B: usize = 4;
export const WRITE_A: usize = 8;
export const WRITE_B: usize = 12;
export const ARM_A: usize = 16; // from the centres of mass to the mean point [m]
export const ARM_B: usize = 32;
export const NORMAL: usize = 48; // world, from A to B
export const PAIR: usize = 64; // i32 pair slot
export const ISLAND: usize = 68; // i32
export const HAS_BOUNCE: usize = 72; // i32
export const IS_COLD: usize = 76; // i32: 1 when it touches at rest, but has no impulse of the last step

export const TANGENT_1: usize = 80; // frame → world columns, with NORMAL
export const TANGENT_2: usize = 96;
export const ROW_X: usize = 112; // world → frame columns
export const ROW_Y: usize = 128;
export const ROW_Z: usize = 144;
export const X: usize = 160; // lanes: place of the points along the tangents [m]
export const Y: usize = 176;
export const R_N: usize = 192; // lanes: impulses of a substep [N·s]
export const R_1: usize = 208;
export const R_2: usize = 224;
export const NORMAL_INVERSE: usize = 240; // 3 columns: normal triple of velocity → impulse that stops it (negative)
export const SPREAD: usize = 288; // 3 × lanes: share of each point in a normal triple, least squares
export const COUPLING: usize = 336; // 3 columns: normal triple of impulse → plane triple of velocity
export const PLANE_INVERSE: usize = 384; // 3 columns: plane triple of velocity → impulse that stops it (negative)
export const SCALARS: usize = 432; // friction, 1/Σρ² [1/m²], 0, step of the projected friction [kg]
// relative velocity (of B over A) along the tangents at which the surfaces stick [m/s], 0, restitution
export const SURFACE: usize = 448;
// normal triple to be reached, negative of it [m/s]; lane 3: 1 when the lanes below say more
export const BIAS: usize = 464;
export const BIAS_LANES: usize = 480; // lanes: the same per point
export const REST: usize = 496; // as BIAS, without recovery of penetration
export const REST_LANES: usize = 512;
export const GAP: usize = 528; // lanes: gap at the start of the step [m]
export const MASK: usize = 544; // lanes: all bits where there is a point
export const DELASSUS: usize = 560; // 4 columns: response of the points' normal velocities to their impulses
export const DIAGONAL: usize = 624; // lanes: inverse of its diagonal
export const APPROACH: usize = 640; // lanes: normal velocity before the step [m/s]
export const TOTAL_N: usize = 656; // lanes: impulses of all substeps so far [N·s]
export const SCALE: usize = 672; // lanes: a third of the trace of the point's response, for the residual
export const IS_SINGULAR: usize = 688; // i32: 1 when the triple cannot be solved at once (locked bodies)
export const COUNT: usize = 692; // i32: number of points
export const TOTAL_1: usize = 704;
export const TOTAL_2: usize = 720;
export const TOLERANCE: usize = 736; // lanes: a change of velocity up to this is not noticed [m/s]
export const OLD_N: usize = 752; // lanes, three rows: impulses that the last double sweep but one left [N·s]
export const MANIFOLD_BYTES: usize = 800;

// ── Records of four single points (quads) ────────────────────────
// Four contacts that share no yielding body, a lane each; vectors as three rows x y z of lanes. Frame (n, t, s).
// A lane's numbers are found at the record's address + 4 · lane. Lanes without a point are 0.
export const Q_READ_A: usize = 0; // addresses of body records, as of manifolds
export const Q_READ_B: usize = 16;
export const Q_WRITE_A: usize = 32;
export const Q_WRITE_B: usize = 48;
export const Q_NORMAL: usize = 64; // 3 rows, world, from A to B
export const Q_TANGENT_1: usize = 112;
export const Q_TANGENT_2: usize = 160;
export const Q_ARM_A: usize = 208; // 3 rows: from the centres of mass to the point [m]
export const Q_ARM_B: usize = 256;
export const Q_INERTIA_A: usize = 304; // 6 rows xx yy zz xy xz yz: MINUS the inverse inertia of A [1/(kg·m²)]
export const Q_INERTIA_B: usize = 400; // 6 rows: inverse inertia of B
export const Q_MASS_A: usize = 496; // MINUS the inverse mass of A [1/kg]
export const Q_MASS_B: usize = 512;
export const Q_INVERSE: usize = 528; // what stops a unit normal velocity [kg]
export const Q_PLANE_11: usize = 544; // minus the inverse of the response in the plane
export const Q_PLANE_12: usize = 560;
export const Q_PLANE_22: usize = 576;
export const Q_COUPLING_1: usize = 592; // velocity along the tangents by a unit normal impulse [1/kg]
export const Q_COUPLING_2: usize = 608;
export const Q_MU: usize = 624;
export const Q_STEP: usize = 640; // step of the projected friction [kg]
export const Q_R_N: usize = 656; // impulses of a substep [N·s]
export const Q_R_1: usize = 672;
export const Q_R_2: usize = 688;
export const Q_REST: usize = 704; // negative of the normal velocity to be reached [m/s]
export const Q_BIAS: usize = 720; // the same with recovery of penetration
export const Q_SURFACE_1: usize = 736; // velocity (of B over A) at which the surfaces stick [m/s]
export const Q_SURFACE_2: usize = 752;
export const Q_GAP: usize = 768; // gap at the start of the step [m]
export const Q_SCALE: usize = 784; // a third of the trace of the point's response, for the residual
export const Q_APPROACH: usize = 800; // normal velocity before the step [m/s]
export const Q_TOTAL_N: usize = 816; // impulses of all substeps so far [N·s]
export const Q_RESTITUTION: usize = 832;
export const Q_ISLAND: usize = 848; // i32
export const Q_IMPULSE: usize = 864; // address of the point's row of PAIR_IMPULSE, 0 in a lane without a point
export const Q_IS_COLD: usize = 880; // i32: 1 when it touches at rest, but has no impulse of the last step
export const Q_TOTAL_1: usize = 896;
export const Q_TOTAL_2: usize = 912;
export const Q_TOLERANCE: usize = 928; // as TOLERANCE
export const Q_OLD_N: usize = 944; // three rows, as OLD_N
export const QUAD_BYTES: usize = 992;
