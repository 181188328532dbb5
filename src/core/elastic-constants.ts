// The constants of elastic objects that more than one language needs: AssemblyScript compiles this file, TypeScript
// imports it, and shaders get it in front (one `const` a line, in this order). Declared nowhere else:
// test/core/shared-constants.test.ts.
//
// Only literals here, whole numbers or decimals (a kernel takes the first as i32, the others as f64, and narrows them
// where it uses them), and names that say enough in front of any shader. [-] is a plain ratio.

// ── Kinds ──────────────────────────────────
/** An elastic object without contacts; one that takes part and may rest; one that takes part and never rests. */
export const OBJECT_IDLE = 0;
export const OBJECT_ACTIVE = 1;
export const OBJECT_RESTLESS = 2;
/** Speed below which a strand may sleep, as a share of sleepLinearSpeed [-]. */
export const SLEEP_SPEED_SHARE = 0.25;

// ── ADMM ───────────────────────────────────
/**
 * Over-relaxation of strands: the projection starts from p + 1.6 (v − p) (Boyd et al. 2011, 3.4.3) [-]. A third fewer
 * iterations; beyond 1.7 light ropes take longer again.
 */
export const STRAND_RELAXATION = 1.6;
/**
 * w of a strand's node over the mean resistance 3/trace((A⁻¹)_jj) [-], to begin with and at most. Smaller: forces
 * that neighbours hand to each other take long to settle (a rope pulled taut); larger: the strand as a whole takes long
 * to move (hair). From step to step a strand's share follows what its last solve lacked (`balance`), but only where
 * there are neighbours to hand forces on: at most so much per node in contact. A single contact's W is right as it is.
 */
export const STRAND_SHARE = 2;
export const MOST_SHARE = 16;
export const SHARE_PER_NODE = 0.3333333333333333;
/** Factors on that share from one step to the next (solvers/admm/weights.ts) [-]. */
export const BALANCE_GROW = 1.5;
export const BALANCE_SHRINK = 0.8;
/** The gap over the last move from which on forces are what is missing [-]. */
export const BALANCE_UNBALANCED = 2;
/** Of the tolerance: below it a strand is done and falls back to the first share [-]. */
export const BALANCE_DONE = 0.3;
/** σ and β of Daviet 2020, 6.2.6: w = max(σ η, min(β m, η)), for all its scenes [-]. */
export const PAPER_SIGMA = 0.001;
export const PAPER_BETA = 25;
/** What stands in place of a weight at a node without contact: it is solved exactly at once. */
export const BARE_WEIGHT = -2;

// ── Rows of contacts and joints ───────────────────────────
/**
 * Fastest recovery of a strand's penetration [m/s], and the farthest in a step, as a share of the edge [-]: farther,
 * and the edge turns or stretches more than one linearisation can follow. What is left of the speed when the contact
 * opens lifts a strand by 3 mm at most.
 */
export const STRAND_RECOVERY = 0.25;
export const RECOVERY_OF_EDGE = 0.1;
/** Up to so many radii from a node that a body at rest or a driven one holds, a strand does not touch that body [-]. */
export const TIED_REACH = 4;

/** Cohesion pulls up to this gap, as a share of the strand's radius [-]. */
export const COHESION_REACH = 0.5;
/**
 * What is deep inside gives way [-]: a contact deeper than the sum of the radii (a node: deeper than its own diameter)
 * gets, within as much again, a compliance that lets it push with a few times a node's mass times the recovery speed a
 * step and no more. A strand that starts out right through a head has no way out that its length allows: pushed harder
 * it would be torn, and fly.
 */
export const DEEP_SOFTNESS = 0.05;
/** Share of a joint's error that is taken back in a step [-], and the fastest that it is [m/s]. */
export const JOINT_RATE = 0.5;
export const JOINT_SPEED = 5;
/** Strands of a rod up to which its clamps on a dynamic body are joints; those of a groom move with it (carried.ts). */
export const CLAMP_JOINTS = 24;

// ── The end of a step ──────────────────────────────
/** Farthest that a step's velocities are put right in the end, as a share of the edge [-]. */
export const CORRECTION_OF_EDGE = 0.1;
/**
 * What is left as it is, as a share of the radius [-]: the next step recovers it, and nothing can have passed through.
 */
export const HARMLESS_OF_RADIUS = 0.5;
/**
 * A strand may be this many times as fast as the fastest that takes part [-]: a blow on a free end doubles its speed.
 */
export const LIMIT_TIMES = 2.5;
/** And as much faster [m/s]: recovery of penetrations. */
export const LIMIT_BESIDE = 0.5;
/**
 * Most that contacts may lengthen an edge in a step, as a share of its rest length [-], and besides of the way that the
 * strand would go through what it meets [-].
 */
export const LIMIT_LONGER = 0.2;
export const LIMIT_MEETING = 1.5;

// ── Elements of a rod ──────────────────────────────
/**
 * Shortest edge that bending and twist see, of the Voronoi length [-]. Smaller: stiffness
 * without bound in a crushed edge.
 */
export const SHORTEST_EDGE = 0.01;
/** Smallest 1 + t0·t1 [-]. Smaller: curvature without bound in a rod folded on itself. */
export const SHARPEST_CORNER = 1e-6;

// ── Detection: which contacts there are ────────────────────────
/** Contacts are made up to this share of the sum of two radii beyond where the nodes were expected to go [-]. */
export const NEAR = 0.25;
/** Coordinates beyond this are taken for bad numbers [m]: their squares must fit into f32. */
export const FARTHEST_COORDINATE = 1e15;
/** Rounding of an f32 coordinate, as a share of the extent of all strands [-]: six units in the last place. */
export const COORDINATE_ROUNDING = 8e-7;
/**
 * Nodes that the field of common motion is fitted to, and the largest norm of its gradient [-]: beyond it the
 * widening would grow without bound.
 */
export const FIELD_SAMPLES = 512;
export const FIELD_STEEPEST = 0.7;
/**
 * Half the circumference over the diameter [-]: arc between the ends of the tightest bend
 * a tube can make, over its width.
 */
export const TIGHTEST_BEND = 1.5707963267948966;
/** Rounding of a distance in f32, as a share of the limit and of the distance of the middles [-]. */
export const DISTANCE_SLACK = 1.0005;
export const DISTANCE_ROUNDING = 2e-5;
/** Square of the sine below which edges are pulled towards the middle of their common part [-]. */
export const PULL_SINE = 1e-4;
/** Strength of the pull for half vectors in f32, and most of it, over the square of an edge's length [-]. */
export const HALF_PULL = 0.0025;
export const STRONGEST_PULL = 0.01;
/** Least pull in f32 where edges are parallel [-]. It raises the square of a distance by no more than PULL_EXCESS. */
export const LEAST_HALF_PULL = 1e-6;
export const PULL_EXCESS = 8e-6;
/** Under the squares of areas: an edge without length has place 0 [m⁴]. */
export const NO_AREA = 1e-37;
/** A hit counts when the distance is above the wanted one by no more than this share of it [-]. */
export const HIT_SHARE = 0.01;
/** The same where it is looked at in f32, and a little more. */
export const HIT_SLACK = 1.0102;
/**
 * After so many bounds two edges, or an edge and a body, count as meeting: better a contact too many than one missed.
 */
export const MOST_BOUNDS = 64;
/** Half the turn of a body in a step up to which it counts as its tangent [rad]: less than 1e-6 rad too short. */
export const SMALL_HALF_TURN = 0.01;

/** A point this near to an edge's end, as a share of the contact distance and of the edge, is at the end [-]. */
export const END_OF_RADII = 0.1;
export const END_OF_EDGE = 0.25;
/** From this place on a point is at an edge's end [-]: f32 places of clamped points are 1 to within rounding. */
export const AT_END = 0.999999;
/**
 * Near-parallel edges leave a contact to a neighbour that lies beside the other edge for longer
 * by this share of its length [-].
 */
export const LONGER_BESIDE = 0.1;
/** An impact this far from the near point (in contact distances, along either edge) is a contact of its own [-]. */
export const OWN_PLACE = 2;
/** A contact is obeyed when the step leaves no more than this share of the contact distance open [-]. */
export const DISOBEYED = 0.25;
/** Share of that distance at which the edges as good as cross [-]. */
export const CROSSING_SHARE = 0.2;
/**
 * Edges that come nearer than this share of the contact distance, and than DEEPER of what
 * they were, are kept from it [-].
 */
export const DEEP = 0.25;
export const DEEPER = 0.5;
/**
 * Square of the sine (10°) below which edges are near-parallel [-]: they roll about
 * each other freely, no side is kept.
 */
export const SIDE_SINE_SQUARED = 0.03;
/** Cosine to the last normal under which the edges count as having changed sides [-]. */
export const OTHER_SIDE = -0.3;

/**
 * The lowest point counts as between the nodes from this far from them: a share of the radius, at most of the edge [-].
 */
export const BETWEEN_OF_RADIUS = 0.1;
export const BETWEEN_OF_EDGE = 0.25;
/** It is a contact of its own when it lies lower than both nodes by this share of the radius [-]. */
export const LOWER_SHARE = 0.02;
/** Nodes this many radii behind the surface of a mesh are still pushed back [-]. */
export const BEHIND_FACE = 8;

// ── Edges and hinges ──────────────────────────────
/** Below this share of its rest length an edge's direction is not read from its ends [-]. */
export const COLLAPSED_EDGE = 1e-12;
/** Two unit tangents with 1 + t0·t1 below this are taken as opposite [-]: the rotation between them has no axis. */
export const OPPOSITE_TANGENTS = 1e-12;
/** Least height of a triangle over the edge that the gradient takes for real, as a share of the edge's length [-]. */
export const LEAST_HINGE_HEIGHT = 0.02;

// ── Elements of a solid ──────────────────────────────
/**
 * Stretch below which the neo-Hookean logarithm is its tangent [-]. Larger: softer when crushed; smaller: stiffer,
 * smaller steps.
 */
export const EXTENDED_STRETCH = 0.3;
/**
 * Stretch up to which the volume of fixed corotated elements is the product of their stretches [-]: beyond it a stretch
 * counts as ever less more, with 1 more at most. Larger: what is let go flat or inside out may blow up in a step.
 */
export const LIMITED_STRETCH = 2.5;
/** Models of elements by number, as tables hold them. */
export const COROTATED = 0;
export const FIXED_COROTATED = 1;
export const NEO_HOOKEAN = 2;
/**
 * Share of its volume below which a tetrahedron is crushed [-]: while more than half are, or any is inside out, a solid
 * is taken for corotated, with a Poisson's ratio that keeps λ below RECOVERY_LAME μ (0.3). Larger: what only is
 * pressed hard is softer; 0: fixed corotated ones that were let go flat at 0.49 blow up.
 */
export const CRUSHED_VOLUME = 0.1;
export const RECOVERY_LAME = 1.5;
/** Difference of stretches below which that of the sides is taken by its limit [-]. */
export const ALIKE_STRETCHES = 1e-6;
/** Place of a point of integration in barycentric coordinates: at its own corner, and at the others [-]. */
export const QUADRATURE_CLOSE = 0.5854101966249685;
export const QUADRATURE_FAR = 0.1381966011250105;
/** Least sum of two stretches that a sum of stresses is divided by [-]: at zero the energy has a crease. */
export const LEAST_STRETCH_SUM = 0.001;

/** What the border of a flat sheet may turn inwards, in all, and it still counts as convex [rad]. */
export const MOST_INWARDS = 1e-3;
