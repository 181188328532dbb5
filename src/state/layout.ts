// The shared map of the one memory: what TypeScript and the AssemblyScript kernels must agree on.
//
// Every table column has a fixed pointer cell in the header; a kernel reads the cell and then walks the
// column, so a column may be moved (grown) between kernel calls. Counts that both sides use live in the
// header too, so that a snapshot is one copy of memory. Only integer literals here: the file is compiled
// both as TypeScript (number) and as AssemblyScript (i32). Addresses in bytes.
//
// Column comments: type × stride, unit. A point or vector is x y z + one spare (four f64 keep 32-byte rows).

/** First byte of the header; below it is a guard against null pointers. */
export const HEADER = 1024;
/** Static data of the strand kernels begin here, those of the kernels of bodies at HEADER_END. */
export const STRAND_STATICS = 65536;
/** Those of the kernels of surfaces. */
export const SURFACE_STATICS = 98304;
/**
 * First byte of the arena. What lies between HEADER_END and here belongs to the kernels, is good
 * for one call and in no snapshot.
 */
export const ARENA_BASE = 163840;

// ── Counts and parameters (i32 cells) ─────────────────────────
export const BODY_COUNT = 1024; // highest used body slot + 1
export const COLLIDER_COUNT = 1028; // highest used collider slot + 1
export const SHAPE_COUNT = 1032;
export const PAIR_COUNT = 1036; // highest used pair slot + 1
export const AWAKE_COUNT = 1040; // length of AWAKE_LIST (dynamic and kinematic bodies that move)
export const ACTIVE_COUNT = 1044; // length of ACTIVE_LIST (pairs with an awake body)
export const PAIR_FREE = 1048; // head of the free list of pair slots (through PAIR_NEXT), -1 none
export const TREE_ROOT = 1052; // -1 none
export const TREE_FREE = 1056; // head of the free list of tree nodes, -1 none
export const TREE_COUNT = 1060; // highest used node + 1
export const HASH_MASK = 1064; // size of the pair hash − 1
export const HASH_USED = 1068; // filled cells, deleted ones included
export const ISLAND_COUNT = 1072;
export const TOUCHING_COUNT = 1076; // awake pairs with at least one contact point, after find-contacts
export const POINT_COUNT = 1080; // contact points of those
export const PAIR_CAPACITY = 1084;
export const TREE_CAPACITY = 1088;
export const BODY_CAPACITY = 1092;
export const COLLIDER_CAPACITY = 1096;
export const STEP_INDEX = 1100;
export const SLEEP_ENABLED = 1104; // 0 or 1
export const SUBSTEPS = 1108; // of the sweeps
export const SHAPE_CAPACITY = 1112;
export const BEGIN_COUNT = 1116; // length of BEGIN_LIST
export const END_COUNT = 1120; // length of END_LIST
export const WAKE_COUNT = 1124; // length of WAKE_LIST
export const SWEEP_ITERATIONS = 1128; // double velocity sweeps (up and back) per substep
export const QUARANTINE_COUNT = 1132; // length of QUARANTINE_LIST
export const MISSING_PAIRS = 1136; // pairs find-pairs had no room for (then it is called again after growth)
export const MISSING_NODES = 1140; // tree nodes likewise
export const SLEEP_COUNT = 1396; // length of SLEEP_LIST
export const PAIR_PENDING = 1400; // head of the removed pair slots that freePairs hands back, -1 none
export const MOVED_COUNT = 1404; // length of MOVED_LIST
export const CUSTOM_BODY_COUNT = 1380; // bodies with BODY_SURFACE or BODY_MODIFIES: 0 = prepare-contacts has no work
export const ROLLING_BODY_COUNT = 1384; // bodies with BODY_ROLLS: 0 = no pair resists rolling
export const ELASTIC_PAPER = 1388; // 1: elastic objects are solved to the letter of Daviet 2020 (elastic.profile)
export const BODY_FREE = 1144; // head of the free list of body slots (through BODY_NEXT), -1 none
export const COLLIDER_FREE = 1148; // head of the free list of collider slots (through COLLIDER_NEXT), -1 none

// ── Real parameters (f64 cells) ───────────────────────────
export const GRAVITY = 1152; // 3 × f64 [m/s²]
export const TIME_STEP = 1176; // [s]
export const SPECULATIVE_DISTANCE = 1184; // contacts are made up to this gap [m]
export const FAT_MARGIN = 1192; // tree boxes are larger by this [m]
export const SLEEP_LINEAR = 1200; // [m/s]
export const SLEEP_ANGULAR = 1208; // [rad/s]
export const SLEEP_DELAY = 1216; // [s]
export const RESTITUTION_THRESHOLD = 1224; // [m/s]
export const RECOVERY_RATE = 1232; // share of a penetration recovered in a step, 0..1
export const RECOVERY_SPEED = 1240; // most it may move apart [m/s]
export const MAXIMUM_SPEED = 1248; // [m/s]
export const MAXIMUM_SPIN = 1256; // [rad/s]
export const TOLERANCE = 1272; // residual of an exact solve over the largest free velocity [-]
export const DEEPEST_GAP = 1264; // least gap of awake pairs that are solved, 0 when none overlaps [m]

// ── Column pointers (i32 cells, byte addresses) ──────────────────────
// bodies
export const BODY_FLAGS = 1408; // i32: BODY_* bits
export const BODY_ENTITY = 1412; // i32
export const BODY_GENERATION = 1416; // i32
export const BODY_COLLIDER = 1420; // i32: first collider, −1 none (chain through COLLIDER_NEXT)
export const BODY_AWAKE_INDEX = 1424; // i32: place in AWAKE_LIST, −1 none
export const BODY_ISLAND = 1428; // i32: island of this step; while asleep the sleeping island's id; −1 none
export const BODY_POSITION = 1432; // f64×4: centre of mass [m]
export const BODY_ROTATION = 1436; // f64×4: unit quaternion x y z w, body axes → world
export const BODY_LINEAR_VELOCITY = 1440; // f64×4 [m/s]
export const BODY_ANGULAR_VELOCITY = 1444; // f64×4, world axes [rad/s]
export const BODY_FORCE = 1448; // f64×4, world [N], cleared each step
export const BODY_TORQUE = 1452; // f64×4, world [N·m], cleared each step
export const BODY_INVERSE_MASS = 1456; // f64 [1/kg]; 0 for static and kinematic
export const BODY_LOCAL_INERTIA = 1460; // f64×8: xx yy zz xy xz yz [kg·m²] about the centre of mass, body axes
export const BODY_LOCAL_INVERSE_INERTIA = 1464; // f64×8: same order [1/(kg·m²)]
export const BODY_INVERSE_INERTIA = 1468; // f64×8: same order, world axes; written by predict-motion
export const BODY_DAMPING = 1472; // f64×4: linear [1/s], angular [1/s], gravity scale, sleep timer [s]
export const BODY_TARGET_POSITION = 1476; // f64×4: kinematic target of the centre of mass [m]
export const BODY_TARGET_ROTATION = 1480; // f64×4
export const BODY_PREVIOUS_POSITION = 1484; // f64×4: pose before the last step, for interpolation
export const BODY_PREVIOUS_ROTATION = 1488; // f64×4
export const BODY_CENTER = 1492; // f64×4: centre of mass in the entity's own frame [m]
export const BODY_NEXT = 1496; // i32: next body of the same sleeping island (ring), −1 none
// f64×8: linear, angular (4 + 4): what predict-motion added to the velocity this step
export const BODY_VELOCITY_CHANGE = 1500;
export const BODY_SWEPT_UNTIL = 1508; // i32: step before which the body's island is not given to Dantzig pivoting again
export const BODY_MOTION = 1504; // f64×8: linear, angular velocity with which integrate-motion moves the pose
// f64×8: impulse, moment (4 + 4) that strands it carries have given it and it has not felt yet [N·s, N·m·s]
export const BODY_PENDING = 1520;
export const BODY_SURFACE_VELOCITY = 1516; // f64×4: velocity of the surface over the body, body axes [m/s]
export const BODY_SHAPE = 1524; // i32: id of its shape, as Collider.shape has it
// colliders
export const COLLIDER_BODY = 1536; // i32
export const COLLIDER_SHAPE = 1540; // i32
export const COLLIDER_FLAGS = 1544; // i32: COLLIDER_* bits
export const COLLIDER_LAYERS = 1548; // i32: layers in the low 16 bits, mask in the high 16
export const COLLIDER_MATERIAL = 1552; // f64×2: friction, restitution
export const COLLIDER_ROLLING = 1616; // f64×2: rolling friction, spinning friction [m]
export const COLLIDER_LOCAL_POSITION = 1556; // f64×4, relative to the centre of mass, body axes [m]
export const COLLIDER_LOCAL_ROTATION = 1560; // f64×4
export const COLLIDER_POSITION = 1564; // f64×4, world; written by find-pairs
export const COLLIDER_ROTATION = 1568; // f64×4, world
export const COLLIDER_BOX = 1572; // f64×6: tight world box, min then max [m]
export const COLLIDER_NODE = 1576; // i32: leaf of the tree, −1 none
export const COLLIDER_NEXT = 1580; // i32: next collider of the body, −1 none
export const COLLIDER_ENTITY = 1584; // i32
// i32: first pair of the collider as 2·slot + side (side 0 = A), −1 none (chain through PAIR_LINK)
export const COLLIDER_PAIR = 1588;
// f64×2 [m]: how far any of its points has moved since it was made (a bound, 0 unknown); the same and
// how far it may move in this step
export const COLLIDER_PATH = 1596;
export const MOVED_LIST = 1592; // i32 colliders whose leaf changed and must be queried (capacity COLLIDER_CAPACITY)
// shapes
export const SHAPE_KIND = 1600; // i32: SHAPE_* below
// f64×4 [m]: box hx hy hz; sphere r; capsule, cylinder, cone: r, half height; plane: unit normal
export const SHAPE_PARAMETER = 1604;
export const SHAPE_DATA = 1608; // i32: address of the hull or mesh record, 0 none
export const SHAPE_BOX = 1612; // f64×6: local bounds, min then max [m]
// pairs of colliders whose fat boxes overlap; each holds one manifold of at most four points
export const PAIR_COLLIDER_A = 1632; // i32
export const PAIR_COLLIDER_B = 1636; // i32
export const PAIR_BODY_A = 1640; // i32
export const PAIR_BODY_B = 1644; // i32
export const PAIR_FLAGS = 1648; // i32: PAIR_* bits
export const PAIR_POINTS = 1652; // i32: number of contact points, 0..4
export const PAIR_NORMAL = 1656; // f64×4: unit, from A to B
export const PAIR_TANGENT = 1660; // f64×4: unit, first tangent; the second is normal × tangent
export const PAIR_MATERIAL = 1664; // f64×4: friction, restitution, surface speed along tangent 1 and 2 [m/s]
export const PAIR_POINT = 1668; // f64×16: 4 × (x y z of the contact, world; gap [m], negative = penetration)
export const PAIR_FEATURE = 1672; // i32×4: stable feature id of each point
// f64×16: 4 × (N, T1, T2 of the last step [N·s] in (normal, tangents), the next warm start; spare)
export const PAIR_IMPULSE = 1676;
// i32×4: narrowphase's own memory, 0 at first: last axis, spare, f64 clearance plus the paths of both colliders [m]
export const PAIR_CACHE = 1680;
export const PAIR_ENTITY = 1684; // i32: contact entity, 0 none
export const PAIR_ACTIVE_INDEX = 1688; // i32: place in ACTIVE_LIST, −1 none
export const PAIR_NEXT = 1692; // i32: next manifold of the same collider pair (meshes), −1 none; free list
export const PAIR_ISLAND = 1696; // i32: island of this step, −1 none
// f64×4: impulse of the whole of the last step, restitution included, of all points: N,
// T1, T2 [N·s]; 1 where a point slid
export const PAIR_HIT = 1704;
export const PAIR_LOAD = 1712; // f64: normal impulse of the last step but one, where rolling is resisted [N·s]
export const PAIR_APPROACH = 1708; // f64: approach speed of the touch just before the step in which it began [m/s]
// i32×4: next and previous (2·slot + side) in the pair chain of A, then of B, −1 none
export const PAIR_LINK = 1700;
// lists
export const AWAKE_LIST = 1728; // i32 body slots (capacity BODY_CAPACITY)
export const ACTIVE_LIST = 1732; // i32 pair slots (capacity PAIR_CAPACITY)
export const PAIR_HASH = 1736; // i32 pair slot + 1, 0 empty, −1 deleted
export const BEGIN_LIST = 1740; // i32 pair slots whose touch began this step (capacity PAIR_CAPACITY)
// i32×3: pair slot, collider A, collider B, of touches that ended (capacity PAIR_CAPACITY)
export const END_LIST = 1744;
export const WAKE_LIST = 1748; // i32 sleeping bodies to be woken (capacity BODY_CAPACITY)
export const QUARANTINE_LIST = 1752; // i32 bodies whose numbers went bad this step (capacity BODY_CAPACITY)
export const SLEEP_LIST = 1756; // i32 bodies that fell asleep this step (capacity BODY_CAPACITY)
// tree of fat boxes
export const TREE_BOX = 1760; // f64×6: min then max [m]
export const TREE_PARENT = 1764; // i32; free list
export const TREE_CHILD = 1768; // i32×2: −1 in a leaf
export const TREE_COLLIDER = 1772; // i32: collider of a leaf, −1 inside
export const TREE_HEIGHT = 1776; // i32
// islands of this step
export const ISLAND_BODY_START = 1792; // i32: range in ISLAND_BODIES
export const ISLAND_BODY_COUNT = 1796; // i32
export const ISLAND_PAIR_START = 1800; // i32: range in ISLAND_PAIRS (touching, solved pairs only)
export const ISLAND_PAIR_COUNT = 1804; // i32
export const ISLAND_POINT_COUNT = 1808; // i32
export const ISLAND_SOLVER = 1812; // i32: ISLAND_* below, written by choose-solver
export const ISLAND_RESIDUAL = 1816; // f64 [m/s]
export const ISLAND_BODIES = 1820; // i32 body slots, grouped (capacity BODY_CAPACITY)
export const ISLAND_PAIRS = 1824; // i32 pair slots, grouped (capacity PAIR_CAPACITY)
export const JOINED_LIST = 1828; // i32 pair slots of all islands, in the order of the active list (PAIR_CAPACITY)
// ── Strands (rods and grooms): cells 2048 to 2559 ─────────────────────
// Rows are dense: removing a rod or groom moves the later strands and nodes down, so loops run over
// [0, count) without gaps. Node i of a strand owns edge i (node i → i + 1); the last node's edge columns are idle.
export const ROD_COUNT = 2048; // highest used rod slot + 1 (one slot per Rod or Groom entity)
export const STRAND_COUNT = 2052;
export const NODE_COUNT = 2056;
export const NODE_CONTACT_COUNT = 2060;
export const ATTACHMENT_COUNT = 2064; // highest used attachment slot + 1
export const ROD_CAPACITY = 2068;
export const STRAND_CAPACITY = 2072;
export const NODE_CAPACITY = 2076;
export const NODE_CONTACT_CAPACITY = 2080;
export const ATTACHMENT_CAPACITY = 2084;
export const ROD_FREE = 2088; // head of the free list of rod slots (through ROD_NEXT), -1 none
export const ATTACHMENT_FREE = 2092; // likewise, through ATTACHMENT_NEXT
export const MISSING_NODE_CONTACTS = 2096; // contacts that detection had no room for (then it runs again after growth)
export const STRAND_BAD_COUNT = 2100; // strands quarantined this step
export const WIND = 2104; // 3 × f64: velocity of the air [m/s]
export const ADMM_WORK_ADDRESS = 2128; // i32: work memory of the elastic solve, good for one step [B]
export const ADMM_WORK_SIZE = 2132; // i32 [B]
export const ROD_WORK_ADDRESS = 2136; // i32: matrices and factors of all strands, good for one step [B]
export const ROD_WORK_SIZE = 2140; // i32 [B]
export const STRAND_PAIR_ROOM = 2144; // i32: near pairs of three edges that detection has room for; grows
export const MISSING_STRAND_PAIRS = 2148; // i32: such pairs that it had no room for (then it runs again)
export const STRAND_DETECTION_ADDRESS = 2152; // i32: memory of strand detection; part of it is good for one step [B]
export const STRAND_DETECTION_SIZE = 2156; // i32 [B]
export const STRAND_DETECTION_KEPT = 2160; // i32: its address if boxes and candidates of a detection are in it, else 0
export const STRAND_CANDIDATE_ROOM = 2164; // i32: pairs of edges with overlapping boxes that have room; grows
export const MISSING_STRAND_CANDIDATES = 2168; // i32: pairs that it had no room for (then it runs again)
// i32: reserve of the boxes of edges, millionths of a radius, 0: not yet chosen
export const STRAND_DETECTION_RESERVE = 2172;
// i32: what a step notes about its strands, good for one step (dynamics/elastic/step-notes) [B]
export const STRAND_NOTES_ADDRESS = 2464;
export const STRAND_NOTES_SIZE = 2468; // i32 [B]
export const STRAND_ASLEEP_COUNT = 2480; // strands that sleep
// rows at the start of the contact table in which nothing is awake, as the last detection left them
export const NODE_CONTACT_ASLEEP = 2484;
export const STRAND_RING_LAST = 2488; // number that was last given to a ring
// rods: what all strands of one Rod or Groom entity share
export const ROD_FLAGS = 2176; // i32: ROD_* bits
export const ROD_ENTITY = 2180; // i32
export const ROD_STRAND_START = 2184; // i32
export const ROD_STRAND_COUNT = 2188; // i32
export const ROD_NODE_START = 2192; // i32
export const ROD_NODE_COUNT = 2196; // i32
export const ROD_NEXT = 2200; // i32 free list
export const ROD_LAYERS = 2204; // i32: layers in the low 16 bits, mask in the high 16
// f64×8: radius [m], density [kg/m³], young, shear, stretch modulus [Pa], damping [s],
// friction, cohesion [N per contact]
export const ROD_PARAMETER = 2208;
export const ROD_EXTRA = 2212; // f64×4: gravity scale, air drag [1/s], contact compliance [m/N], spare
// f64×4: of shells: weft [Pa], 0: as the warp; most strain of an edge [-], 0: any; 1 if triangles' axes follow a warp
export const ROD_WEAVE = 2216;
// strands
export const STRAND_ROD = 2240; // i32
export const STRAND_FIRST = 2244; // i32: first node
export const STRAND_NODES = 2248; // i32: number of nodes, ≥ 2
export const STRAND_FLAGS = 2252; // i32: STRAND_* bits
export const STRAND_ATTACH = 2256; // i32×2: body that the clamp of the start, of the end follows, −1 the world
// f64×24: for start, then end: clamped node, its neighbour (3 + 3), director d1 of the clamped edge (3),
// 1 + nodes buried in that body (0: not yet counted), spare (2); in the frame of the attached body's
// centre of mass, or the world's [m]
export const STRAND_CLAMP = 2260;
// f64×12: for start, then end: neighbour less clamped node [m], director d1, as they were
// when the clamp was made; world axes
export const STRAND_CLAMP_REST = 2264;
export const STRAND_CALM = 2268; // f64: how long all of its nodes have been slow [s]
// i32×2: number of the ring of strands and bodies that it sleeps with, 0 none; one of these bodies, −1 none
export const STRAND_RING = 2272;
export const STRAND_KIND = 2280; // i32: number of its kind (mechanics/kinds)
export const STRAND_REST_BOX = 2276; // f64×6: least, greatest x y z of what can touch it where it sleeps [m]
// nodes
export const NODE_STRAND = 2304; // i32
export const NODE_POSITION = 2308; // f64×4: x y z [m], twist angle θ of edge i [rad]
export const NODE_VELOCITY = 2312; // f64×4 [m/s], [rad/s]
// f64×4: NODE_POSITION before the last step, for interpolation and continuous detection
export const NODE_PREVIOUS = 2316;
// f64×4: reference director d1 of edge i (unit, normal to the edge, time-parallel
// transported); reference twist at node i [rad]
export const NODE_FRAME = 2320;
// f64×8: rest length of edge i, of a mesh's node the shortest edge at it [m]; Voronoi length of node i [m]; four rest
// curvatures at node i; rest twist at node i; spare. Of a rider numbers 1 to 4 are its corners, of the object's nodes;
// of a shell's node 1 to 3 and the last two: node-places.ts, REST_PLACE and REST_GIVE
export const NODE_REST = 2324;
export const NODE_MASS = 2328; // f64×2: mass [kg]; rotational inertia of the twist of edge i [kg·m²]
// f64×4: λ of the ADMM, kept across steps [m/s] (Daviet 2020, 6.2.2); fourth:
// constraint weight w of the last step [kg]
export const NODE_DUAL = 2332;
export const NODE_FORCE = 2336; // f64×4: user force [N], axial moment on edge i [N·m]; cleared each step
// f64×4: velocity that this step's contacts are looked for with: without contacts first, then
// the solver's latest [m/s], [rad/s]
export const NODE_PREDICTED = 2340;
// f64×4: stretch stiffness of edge i, bending and twist stiffness of node i, of the rod's
// [1]; spare. Read where STRAND_VARIES. Of a rider the shares of its corners
export const NODE_STIFFNESS = 2344;
// contacts of nodes: primitives of elastic objects against each other and against bodies. Written afresh each
// step, ordered by feature; force carried over. A primitive's kind is its number of nodes (PRIMITIVE_*); side A's
// nodes come first, then side B's.
export const NODE_CONTACT_NODE = 2368; // i32×4: nodes of side A, then of side B; −1 where there are fewer
// f64×4: their coefficients b: A's add up to 1, B's to −1; of two edges (1−s), s, −(1−t), −t
export const NODE_CONTACT_WEIGHT = 2372;
// f64×4: unit normal from B to A; gap h_N at the start of the step less the radii [m]
export const NODE_CONTACT_NORMAL = 2376;
export const NODE_CONTACT_FORCE = 2380; // f64×4: s_c·r_c of Algorithm 3 in world axes [m/s]; fourth: s_c [1/kg]
// i32×4: object of side A; object of side B or −1; collider of side B or −1; its body if dynamic, or −1
export const NODE_CONTACT_SIDE = 2384;
// i32×4: feature key low, high (stable between steps); kinds of the primitives of side A and B
export const NODE_CONTACT_KEY = 2400;
// f64×4: contact point on the body, from its centre of mass, world axes [m]; spare
export const NODE_CONTACT_ARM = 2388;
// f64×4: friction, cohesion [N], compliance [m/N], time of impact in the step 0..1 (0: proximity)
export const NODE_CONTACT_MATERIAL = 2392;
// f64×4: velocity of the kinematic part of side B seen from A, −v_B [m/s] (static,
// kinematic bodies; conveyor); spare
export const NODE_CONTACT_DRIFT = 2396;
// Features of contacts in which a surface takes part (side A is never a rod's edge; a rod's features have no bit 31):
//   low   SURFACE_MARK | kind of side A (PRIMITIVE_*) << SURFACE_KIND_SHIFT | its row of nodes, meshEdges or triangles
//   high  SURFACE_MARK | row of triangles or meshEdges, with SURFACE_ROD: of nodes (a rod's edge) | SURFACE_IMPACT: not
//         where the two are nearest now but where they will meet; or
//         SURFACE_MARK | SURFACE_BODY | collider << SURFACE_PLACE_BITS | number of the place
// attachments: bilateral joints between a node and a body (or the world)
export const ATTACHMENT_FLAGS = 2432; // i32: ATTACHMENT_* bits
export const ATTACHMENT_ENTITY = 2436; // i32
export const ATTACHMENT_ROD = 2440; // i32
export const ATTACHMENT_NODE = 2444; // i32: node of the rod counted from ROD_NODE_START
export const ATTACHMENT_BODY = 2448; // i32: body slot, −1 the world
// f64×4: in the body's centre-of-mass frame (or world) [m]; longest distance [m] (0: a ball joint)
export const ATTACHMENT_POINT = 2452;
export const ATTACHMENT_IMPULSE = 2456; // f64×4: of the last step, world axes [N·s]
export const ATTACHMENT_NEXT = 2460; // i32 free list
// i32×2: rod and its node (as above) that the node is joined to in the place of a body, −1 none
export const ATTACHMENT_OTHER = 2880;
export const ATTACHMENT_GIVE = 2896; // f64×4: how it gives way and breaks (attachment-places.ts), spare
// ── Joints between bodies, and of bodies with the world: cells 2560 to 2687 ────────────
export const JOINT_COUNT = 2560; // highest used joint slot + 1
export const JOINT_CAPACITY = 2564;
export const JOINT_FREE = 2568; // head of the free list of joint slots (through JOINT_NEXT), -1 none
export const JOINT_FLAGS = 2592; // i32: JOINT_* bits
export const JOINT_ENTITY = 2596; // i32
export const JOINT_KIND = 2600; // i32: JOINT_FIXED and so on
export const JOINT_BODY = 2604; // i32×2: body slots of end A, end B; −1 the world
export const JOINT_LINK = 2608; // i32×2: next (2·slot + end) in the chain of each end's body, −1 none
export const JOINT_NEXT = 2612; // i32 free list
export const JOINT_MODES = 2616; // i32: AXIS_* bits of the six axes, five bits each
// f64×16: place (3 + 1) [m] and rotation (4) of the joint's frame at end A, then B, in the frame of
// the centre of mass, or the world's
export const JOINT_FRAME = 2620;
export const FRAME_RATIO = 3; // in JOINT_FRAME, behind the place at A: ratio of a gear or rack
export const JOINT_AXES = 2624; // f64×48: for x y z rx ry rz what AXIS_LOW and so on say
export const JOINT_VALUE = 2628; // f64×6: where the axes stand [m], [rad]
// f64×6: what the last step's motion bent off its tangent, a start for the next [m], [rad]
export const JOINT_BEND = 2632;
// f64×18: of the last step, by block and row (dynamics/joints/joint-rows) [N·s], [N·m·s]
export const JOINT_IMPULSE = 2636;
// f64×8: force on B at its anchor (3) [N], distance from obeying the joint [m]; torque (3) [N·m], the same [rad]
export const JOINT_REACTION = 2640;
export const JOINT_STRENGTH = 2644; // f64×2: force [N] and torque [N·m] at which it breaks, Infinity never
export const ISLAND_JOINT_START = 2648; // i32: range in ISLAND_JOINTS
export const ISLAND_JOINT_COUNT = 2652; // i32
export const ISLAND_JOINTS = 2656; // i32 joint slots, grouped (capacity JOINT_CAPACITY)
export const BODY_JOINT = 2660; // i32: first joint of the body as 2·slot + end, −1 none (chain through JOINT_LINK)
// ── Surfaces and solids (shells, tetrahedra): cells 2688 to 2815 ────────────────
// A shell or solid is a row of the strands with another STRAND_KIND, and its nodes are rows of the nodes: θ, frame and
// rest of a rod are 0 there. Rows are dense, object by object in the order of the strands, like nodes.
export const TRIANGLE_COUNT = 2688;
export const TRIANGLE_CAPACITY = 2692;
export const MESH_EDGE_COUNT = 2696;
export const MESH_EDGE_CAPACITY = 2700;
export const TETRAHEDRON_COUNT = 2704;
export const TETRAHEDRON_CAPACITY = 2708;
// triangles of shells, and of the boundary of solids (there only to be touched)
// i32×4: three nodes, counter-clockwise seen from outside; object (row of the strands)
export const TRIANGLE_NODE = 2712;
// f64×8: inverse of the rest shape, columns x1 − x0, x2 − x0 in a frame of its plane, row by row (4) [1/m]; area
// [m²]; of a shell: how moments across its edges 0 and 1, 1 and 2, 2 and 0 bend each other's hinge, over 3
// (mechanics/shell/hinge-compliance) [1]
export const TRIANGLE_REST = 2716;
export const TRIANGLE_EDGE = 2720; // i32×4: rows of the edges from node 0 to 1, 1 to 2, 2 to 0; spare
// edges of these triangles, each once: what two triangles share is a hinge
// i32×4: its two nodes, the lower first; the node opposite in the first, the second triangle, −1: on the border
export const MESH_EDGE_NODE = 2724;
export const MESH_EDGE_TRIANGLE = 2728; // i32×4: first triangle, the second or −1; object; spare
// f64×4: length [m]; angle between the triangles' normals, + where the fold opens towards the normals [rad]; what
// a moment on it bends it, over 3, and its stiffness in the Hessian over D/3, 0 on the border [1]
export const MESH_EDGE_REST = 2732;
// tetrahedra of solids
export const TETRAHEDRON_NODE = 2736; // i32×4
// f64×12: inverse of the rest shape, columns x1 − x0, x2 − x0, x3 − x0, row by row
// (9) [1/m]; volume [m³]; spare (2)
export const TETRAHEDRON_REST = 2740;
export const TETRAHEDRON_OBJECT = 2744; // i32: row of the strands
// further columns of the strands: ranges of an object in these tables
export const OBJECT_TRIANGLES = 2748; // i32×2: first row, number of rows
export const OBJECT_MESH_EDGES = 2752; // i32×2
export const OBJECT_TETRAHEDRA = 2756; // i32×2
export const OBJECT_RIDERS = 2900; // i32: its last nodes, carried by tetrahedra (mechanics/solid/riders.ts)
export const MESH_WORK_ADDRESS = 2760; // i32: matrices and factors of shells and solids, good for one step [B]
export const MESH_WORK_SIZE = 2764; // i32 [B]
export const SURFACE_DETECTION_ADDRESS = 2768; // i32: memory of detection of surfaces, good for one step [B]
export const SURFACE_DETECTION_SIZE = 2772; // i32 [B]
export const SURFACE_DETECTION_ROOM = 2780; // i32: contacts it has room for; grows with need, restored with the rest
// of tetrahedra: i32×8: nodes in the middle of edges 01 12 02 03 13 23 of quadratic ones, else −1; spare (2)
export const TETRAHEDRON_MIDDLE = 2776;
// ── Characters and wheels: cells 2816 to 2879 ──────────────────────
// What the game steers beside bodies and joints; rows of several kinds, read by TypeScript alone.
export const ACTOR_COUNT = 2816; // highest used row + 1
export const ACTOR_CAPACITY = 2820;
export const ACTOR_FREE = 2824; // head of the free list of rows (through ACTOR_NEXT), -1 none
export const ACTOR_FLAGS = 2828; // i32: ACTOR_* bits
export const ACTOR_ENTITY = 2832; // i32
export const ACTOR_BODY = 2836; // i32: the body that it moves with
export const ACTOR_NEXT = 2840; // i32 free list
export const ACTOR_STATE = 2844; // f64×32: by kind: CHARACTER_*, WHEEL_*
// Strands that grow on solids. i32×4: the solid's slot among the rods + 1, 0 none; corners of a triangle, by its nodes
export const STRAND_ROOT = 2884;
export const STRAND_ROOT_PLACE = 2888; // f64×8: shares of the corners, height [m] of the first node, of the second
export const STRAND_ROOT_FORCE = 2892; // f64×8: of the first and the second node, as NODE_CONTACT_FORCE
export const ADMM_WORK_USED = 2904; // i32: bytes at the start of the elastic solve's memory that it works in
export const STRAND_PASSING_ADDRESS = 2908; // i32: memory that a detection of contacts of strands has to itself
// ── Arena bookkeeping (written by core/arena only) ─────────────────────
export const ARENA_TOP = 3840; // i32: first byte never handed out
export const ARENA_FREE = 3848; // i32 × 32: heads of the free lists, one per power of two
export const KERNEL_SCRATCH_ADDRESS = 3984; // i32: scratch that kernels may use within one call
export const KERNEL_SCRATCH_SIZE = 3988; // i32 [B]
export const FACTOR_CAPACITY = 3992; // i32
/** End of the header's used part. */
export const HEADER_END = 4096;

// kept factors of Dantzig islands: open addressing by key
export const FACTOR_KEY = 1840; // i32: hash of the island's contacts, 0 empty
export const FACTOR_CONTACTS = 1844; // i32
export const FACTOR_STEP = 1848; // i32: last step that used it
export const FACTOR_ADDRESS = 1852; // i32: block of f64, then i32
export const FACTOR_BYTES = 1856; // i32

// kept factors of settled islands (contact-space ADMM): open addressing by key
export const SETTLED_KEY = 1860; // i32: hash of the island's bodies, 0 empty
export const SETTLED_BODIES = 1864; // i32: number of bodies
export const SETTLED_STEP = 1868; // i32: last step in which the island was slow
export const SETTLED_CALM = 1872; // i32: steps in a row until then
export const SETTLED_UNTIL = 1876; // i32: step before which the island is left to the sweeps
export const SETTLED_FAILURES = 1880; // i32: solves in a row that did not reach their residual
export const SETTLED_ADDRESS = 1884; // i32: factor in use, 0 none, −1 too dear, −2 too dear in motion
export const SETTLED_BYTES = 1888; // i32: of the block that holds both factors
export const SETTLED_MAKING = 1900; // i32: 1 while that goes on
export const SETTLED_NEXT = 1896; // i32: factor being made, to replace the one in use
export const SETTLED_CAPACITY = 1892; // i32

// ── Bits and kinds ───────────────────────────────
export const BODY_ALIVE = 1;
export const BODY_STATIC = 2;
export const BODY_KINEMATIC = 4;
export const BODY_DYNAMIC = 8;
export const BODY_ASLEEP = 16;
export const BODY_NEVER_SLEEPS = 32;
export const BODY_HAS_TARGET = 64; // kinematic target set for this step
export const BODY_QUARANTINED = 128; // numbers went bad: takes no part any more
export const BODY_MOVED = 256; // pose written by the user (teleport): boxes must be refreshed

export const BODY_SURFACE = 512; // has, or had, a surface velocity
export const BODY_MODIFIES = 1024; // its contacts are shown to the game's contact modifiers
export const BODY_TIED = 2048; // solved with strands in this step: falls asleep with them or not at all
export const BODY_JOINED = 4096; // has a joint
export const BODY_CONTINUOUS = 8192; // followed on its way through the step, however slow it is
export const BODY_RESTED = 16384; // its island was solved by the impulses of the step before
export const BODY_ROLLS = 32768; // has, or had, rolling or spinning friction
export const BODY_LOCK_X = 65536; // no spin about the world's x axis
export const BODY_LOCK_Y = 131072;
export const BODY_LOCK_Z = 262144;
export const BODY_LOCKS = 458752; // the three together
export const BODY_LOCK_SHIFT = 16; // of their bits 1, 2 and 4
export const BODY_OWN_INERTIA = 524288; // inertia given by the game: it does not change with mass and shape

export const COLLIDER_ALIVE = 1;
export const COLLIDER_SENSOR = 2;
export const COLLIDER_MOVED = 4; // box must be refreshed (new, teleported)
export const COLLIDER_LISTED = 8; // is in MOVED_LIST
export const COLLIDER_FRICTION_RULE = 8; // shift of three bits: RULE_* of its friction, 0 none
export const COLLIDER_RESTITUTION_RULE = 11; // shift of three bits: RULE_* of its restitution, 0 none
export const COLLIDER_RULE_MASK = 7;

// How two values of a material make the pair's; of two rules the larger number counts, 0 is the default.
export const RULE_GEOMETRIC_MEAN = 1;
export const RULE_AVERAGE = 2;
export const RULE_MINIMUM = 3;
export const RULE_MULTIPLY = 4;
export const RULE_MAXIMUM = 5;

export const PAIR_ALIVE = 1;
export const PAIR_SENSOR = 2;
export const PAIR_TOUCHING = 4; // the manifold has points (for sensors: shapes overlap)
export const PAIR_REPORTED = 8; // begin was reported
export const PAIR_EXTRA = 16; // a further manifold of a mesh pair (not in the hash)
export const PAIR_DISABLED = 32; // filtered out by the game
export const PAIR_SURFACE = 64; // one of its bodies has BODY_SURFACE
export const PAIR_MODIFIED = 128; // one of its bodies has BODY_MODIFIES: material and filter are written anew each step
export const PAIR_SPARE = 256; // holds points of another manifold of its pair until they are merged, in the same step

export const ROD_ALIVE = 1;
export const ROD_SELF_CONTACT = 2; // strands of this rod or groom touch each other and themselves
export const ROD_GROOM = 4;
export const ROD_NEVER_SLEEPS = 8;
export const ROD_ON_WASM = 16; // backend 'wasm' was asked for; neither bit: 'auto'
export const ROD_ON_WEBGPU = 32; // backend 'webgpu' was asked for
export const ROD_MODEL_SHIFT = 8; // two bits from this one on: a solid's model (mechanics/solid/stretch-energy)

// Kinds of primitives that can touch: their numbers of nodes.
export const PRIMITIVE_BODY = 0; // the surface of a collider
export const PRIMITIVE_POINT = 1;
export const PRIMITIVE_EDGE = 2;
export const PRIMITIVE_TRIANGLE = 3;

// Kinds of elastic objects (STRAND_KIND), rows of the table in mechanics/kinds.
export const KIND_ROD = 0;
export const KIND_SHELL = 1;
export const KIND_SOLID = 2;

export const STRAND_CLAMP_START = 1;
export const STRAND_CLAMP_END = 2;
export const STRAND_QUARANTINED = 4; // numbers went bad: frozen, takes no part any more
export const STRAND_VARIES = 32768; // NODE_STIFFNESS differs from 1 somewhere (lower bits: strand.wgsl)
// the device advances it (state/away-strands); set with STRAND_ASLEEP, so that no stage of a step on the CPU visits it
export const STRAND_AWAY = 65536;
export const STRAND_TANGLED = 131072; // a shell that may go through others or itself (untangle.ts)
export const STRAND_ASLEEP = 8; // at rest with its ring; clear with a ring left: to be woken with it

export const ATTACHMENT_ALIVE = 1;
export const ATTACHMENT_ROPE = 2; // holds a longest distance instead of a point
// of a shell's or solid's vertex: prescribed motion unless its body is dynamic, then a ball joint
export const ATTACHMENT_PIN = 4;
export const ATTACHMENT_SPRING = 8; // gives way
export const ATTACHMENT_LOOSE = 10; // a rope or a spring: what hangs on it touches, and moves by itself
export const ATTACHMENT_BROKEN = 16; // in the place of ATTACHMENT_ALIVE: holds nothing any more, and its row stays

export const ACTOR_ALIVE = 1;
export const ACTOR_CHARACTER = 2;
export const ACTOR_WHEEL = 4;
/** Numbers of a row. */
export const ACTOR_NUMBERS = 32;
export const CHARACTER_VELOCITY = 0; // 3 [m/s]
export const CHARACTER_STATUS = 3; // CHARACTER_IN_AIR and so on
export const CHARACTER_GROUND = 4; // body slot of what it stands on, −1 none
export const CHARACTER_GROUND_AGE = 5; // generation of that body
export const CHARACTER_NORMAL = 6; // 3: of the ground
export const CHARACTER_POINT = 9; // 3: on the ground, world [m]; then 18 of characters/
export const WHEEL_COMPRESSION = 0; // [m]
export const WHEEL_LOAD = 1; // [N]
export const WHEEL_ANGLE = 2; // [rad]
export const WHEEL_STEERING = 3; // [rad]
export const WHEEL_GROUND = 4; // body slot, −1 none
export const WHEEL_CENTER = 5; // 3 [m]
export const WHEEL_DISTANCE = 8; // from the mount to the ground as it was last, −1 none [m]
export const WHEEL_STOPPING = 9; // force of brake and handbrake as it was last [N]
export const WHEEL_SEEN = 10; // 10: its numbers as they were last, and the anti-roll bar's
export const CHARACTER_IN_AIR = 0;
export const CHARACTER_STANDING = 1;
export const CHARACTER_SLIDING = 2;
export const JOINT_ALIVE = 1;
export const JOINT_COLLIDES = 2; // its bodies touch each other
export const JOINT_BROKEN = 4; // holds nothing any more
export const JOINT_BREAKS = 8; // breaks at the end of this step
export const JOINT_PUSHES = 16; // its motor along y drives B off A, and never pulls: a suspension

export const JOINT_FIXED = 0;
export const JOINT_BALL = 1; // twist about x, cone about it
export const JOINT_HINGE = 2; // turns about x
export const JOINT_SLIDER = 3; // moves along x
export const JOINT_CYLINDRICAL = 4; // both
export const JOINT_UNIVERSAL = 5; // turns about x of A and y of B
export const JOINT_DISTANCE = 6; // of the two places, in axis x
export const JOINT_SIX_AXIS = 7;
export const JOINT_GEAR = 8; // turn of B less ratio × turn of A, each about its own axis
export const JOINT_RACK = 9; // way of B along its axis less ratio × turn of A

// What a joint does along or about an axis.
export const AXIS_BITS = 5;
export const AXIS_LOCKED = 0;
export const AXIS_FREE = 1;
export const AXIS_LIMITED = 2;
export const AXIS_HOLD = 3; // mask of these three
export const AXIS_DRIVEN = 4; // a motor that aims at a velocity
export const AXIS_AIMED = 8; // a motor that aims at a place
export const AXIS_SOFT = 16; // a spring in place of what holds, limits or aims
export const AXIS_NUMBERS = 8;
export const AXIS_LOW = 0; // [m], [rad]
export const AXIS_HIGH = 1;
export const AXIS_VELOCITY = 2; // of a driven axis; the fastest of one aimed [m/s], [rad/s]
export const AXIS_TARGET = 3; // [m], [rad]
export const AXIS_FORCE = 4; // most that the motor gives [N], [N·m]
export const AXIS_FREQUENCY = 5; // of the spring [Hz]
export const AXIS_RATIO = 6; // of its damping to the critical one [-]
export const AXIS_FRICTION = 7; // most that friction gives [N], [N·m]

// ── Hull and mesh records (at SHAPE_DATA): HULL_*, MESH_* ──────────────────
export * from '../geometry/records';
// ── Who solved an island: ISLAND_*; keys of contacts of surfaces: SURFACE_* ───
export * from './island-solvers';
// ── Kinds of shapes and what they have in common: SHAPE_*, *_KINDS ───────────
export * from './shape-kinds';
export * from './surface-keys';
