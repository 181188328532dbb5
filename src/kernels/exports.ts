// The kernels' exported functions, as TypeScript sees them. Each group is declared beside its typed entry point.

/** Broadphase: pairs.ts, broad/pairs-table.ts, tree.ts. `collision/broadphase` grows the tables around them. */
export interface BroadphaseExports {
  /** Updates boxes, tree and pairs; complete when MISSING_NODES and MISSING_PAIRS are 0. */
  findPairs(): void;
  /** Sizes the pair hash to the pair table and fills it anew; to be called after the table grew. */
  rebuildPairHash(): void;
  /** Hands the slots of removed pairs back; once per step, when END_LIST has been read and emptied. */
  freePairs(): void;
  /** Writes a pair's material from its colliders' by their rules, without surface speed. */
  combineMaterial(pair: number): void;
  combineMaterials(): void;
  /** Puts every pair of a body that woke (is in AWAKE_LIST) into the active list. */
  activateBody(body: number): void;
  /** Takes the pairs of a body that left AWAKE_LIST out of the active list, unless their other body is awake. */
  deactivateBody(body: number): void;
  /** Pose, box and leaf of a new collider at once; 0 when the tree is full or the pose is not finite. */
  addColliderProxy(collider: number): number;
  /** Takes a collider's leaf out of the tree. */
  removeColliderProxy(collider: number): void;
  /** Removes a collider's leaf and pairs; reported touches go to END_LIST. The caller clears the row. */
  removeCollider(collider: number): void;
}

/**
 * Queries: queries.ts; `collision/queries` is their typed face. Filter: mask in the low 16 bits, bit 16 = sensors, too.
 * Body −1: none ignored.
 */
export interface QueryExports {
  /** Finds the colliders that left their leaves; before a query when bodies moved since the last call. */
  prepareQueries(): void;
  /** Address of the results of the last query. */
  queryResults(): number;
  /** Nearest collider along a unit direction, −1 none; record 0 holds the hit. */
  castRay(
    x: number,
    y: number,
    z: number,
    directionX: number,
    directionY: number,
    directionZ: number,
    farthest: number,
    filter: number,
    ignoredBody: number,
  ): number;
  /** Number of colliders along a unit direction; records hold 32 of them from number `first` on. */
  castRayAll(
    x: number,
    y: number,
    z: number,
    directionX: number,
    directionY: number,
    directionZ: number,
    farthest: number,
    filter: number,
    ignoredBody: number,
    first: number,
  ): number;
  /** Number of colliders within `radius` of a point; results hold 512 of them from number `first` on. */
  overlapSphere(
    x: number,
    y: number,
    z: number,
    radius: number,
    filter: number,
    ignoredBody: number,
    first: number,
  ): number;
  /** Number of colliders that meet a box; results hold 512 of them from number `first` on. */
  overlapBox(
    minX: number,
    minY: number,
    minZ: number,
    maxX: number,
    maxY: number,
    maxZ: number,
    filter: number,
    ignoredBody: number,
    first: number,
  ): number;
}

/** Motion, islands, sweeps, sleep, touches: motion.ts, islands.ts, sweeps.ts, sleep.ts, events.ts. */
export interface DynamicsExports {
  /** Free velocities of all awake bodies; empties QUARANTINE_LIST first. */
  predictMotion(): void;
  /** Free velocity of one body, for bodies woken in the middle of a step. */
  predictBody(body: number): void;
  /** Moves the poses of awake bodies, but those in islands of the sweeps. */
  integrateMotion(): void;
  /** Mean spins in BODY_MOTION of an island for the spins that its impulses leave; the velocities have none yet. */
  turnMotions(island: number): void;
  /** After all that moves poses: the spins that the turns of the step leave. */
  carrySpins(): void;
  /** After integrateMotion: keeps the centres of bodies out of what stands still or is driven. */
  keepOutside(): void;
  /** Before keepOutside: stops what moves far where it first touches; how many bodies. `scratch`: stopScratchSize(). */
  stopAtTouch(scratch: number): number;
  /** Whether it stopped a body; until its scratch is used again. */
  isStopped(body: number): number;
  stopScratchSize(): number;
  /** Approach speeds of the pairs that do not touch yet; empties PAIR_HIT. */
  measureApproaches(): void;
  /** Wakes sleeping islands that something moving reaches in this step; appends to WAKE_LIST. */
  wakeTouched(): void;
  /** Wakes a sleeping body with its island; appends to WAKE_LIST. Does nothing to a body that is awake. */
  wakeBody(body: number): void;
  /** Fills the island columns from the manifolds of active pairs. */
  buildIslands(): void;
  /** True, and its impulses 0, if no contact of the island pushes. */
  releaseIsland(island: number): boolean;
  /** Scratch that solveSweeps needs, by ISLAND_SOLVER as it is now [B]. */
  sweepScratchSize(): number;
  /** Solves the islands whose ISLAND_SOLVER is ISLAND_SWEEPS and moves their bodies; `scratch` is a multiple of 16. */
  solveSweeps(scratch: number, bytes: number, mayCarry?: boolean): void;
  /**
   * Sweeps that the last solveSweeps added over rows that still changed something, in numbers of sweeps over all rows.
   */
  furtherSweeps(): number;
  /**
   * Advances the sleep timers; bodies that fell asleep are appended to SLEEP_LIST.
   * Bodies tied to strands are left awake.
   */
  updateSleep(): void;
  /** 1 when an island, or a body, has been at rest for long enough to sleep. */
  mayIslandSleep(island: number): number;
  mayBodySleep(body: number): number;
  /** Puts a body to sleep in the ring named after body `ring`, before body `next` of it; appends to SLEEP_LIST. */
  restBody(body: number, ring: number, next: number): void;
  /**
   * Appends begun and ended touches to BEGIN_LIST and END_LIST, which the caller empties; lists those that last in
   * JOINED_LIST and returns how many.
   */
  collectTouches(): number;
}

/**
 * Settled islands by contact-space ADMM: settled.ts. Scratch and factor are addresses, laid out by settled/layout.ts.
 */
export interface SettledExports {
  /** Hash of the island's bodies if all were slower than `speed` [m/s, rad/s] at the start of the step, else 0. */
  settledKey(island: number, speed: number): number;
  /** Scratch that one island needs [B]. */
  settledScratchSize(island: number): number;
  /**
   * Whether an island with bodies slower than `speed` is solved by the impulses of the step before, to TOLERANCE
   * times its largest free velocity, `share` of it in the step after a solve; then its motion, velocities and residual
   * are written. `scratch`: settledScratchSize.
   */
  restsOnItsImpulses(island: number, scratch: number, speed: number, share: number): number;
  /**
   * Solves an island of up to four contacts, to TOLERANCE times its largest free velocity; bodies may be as fast as
   * speedCapOf says. Returns the Newton steps; less than 0 where it is left to another solver: nothing was written.
   */
  solveFew(island: number, scratch: number): number;
  /**
   * Takes an island into the scratch, its bodies in the `order` (address of slots); 0 when they do not fit together.
   * `fresh` (0 or 1): for the first time in the step.
   */
  openSettled(island: number, scratch: number, order: number, stiffness: number, fresh: number): number;
  /** Keeps the impulses at hand if no better ones were kept in this step. */
  noteSettled(scratch: number): void;
  /** Goes on from the best impulses that were kept. */
  recallSettled(scratch: number): void;
  /** Notes which points press by the impulses that were kept; returns how many open ones changed. */
  markSettled(scratch: number): number;
  /** Hash of pairs and features of the opened island. */
  settledContacts(scratch: number): number;
  /** Largest free velocity of the opened island [m/s]. */
  settledScale(scratch: number): number;
  /** Whether the answer makes a body many times faster than anything was, or than what drives it. */
  isWildSettled(scratch: number, cap: number): number;
  /** 1 where something drives an island: speedCapOf is finite. */
  isDrivenIsland(island: number): number;
  /** Speed that driven bodies can give those of an island [m/s]; Infinity where nothing drives it. */
  speedCapOf(island: number): number;
  /** Fills the factor with M + Σ ρ HᵀH of the opened island; 0 when a pair of bodies has no block in it. */
  assembleSettled(scratch: number, factor: number): number;
  /** Goes on factoring for about `budget` block products: 1 complete, 0 to be continued, −1 not positive definite. */
  factorSettled(scratch: number, factor: number, budget: number): number;
  /** Takes the impulses of the last step back, once an island is open. */
  coldStartSettled(scratch: number): void;
  /** Velocities that the impulses of the last step give. */
  warmStartSettled(scratch: number): void;
  /**
   * Iterates until the residual is at most `tolerance` [m/s]; gives up when it does not halve within `patience`
   * iterations, from `enough` on within one. Returns the iterations; `limit` 0 only measures.
   */
  solveSettled(
    scratch: number,
    factor: number,
    limit: number,
    patience: number,
    enough: number,
    tolerance: number,
  ): number;
  /** Residual that the last solve reached [m/s]. */
  settledResidual(scratch: number): number;
  /** Writes impulses, motion and residual; 1 when the velocity to keep needs a solve of its own. */
  moveSettled(scratch: number, stopsLanding: boolean): number;
  /** Writes the velocities that the bodies keep. */
  keepSettled(scratch: number): void;
}

/** Islands with joints: jointed.ts, and from there on as settled ones. */
export interface JointedExports {
  /** Scratch that one island with so many rows of joints needs at least [B]. */
  jointedScratchSize(island: number, rows: number): number;
  /**
   * Takes an island into the scratch of so many bytes, with room for its rows. Returns the bytes that it needs:
   * where they are more, nothing is open; 0 where bodies and contacts do not fit together.
   */
  openJointed(island: number, scratch: number, rows: number, bytes: number): number;
  /** Whether its joints are solved by conjugate gradients, from the impulses of the last step. */
  isJointedLoose(scratch: number): number;
  /** Address of the rows of the opened island, to be written. */
  jointedRows(scratch: number): number;
  /** Address of the velocities of its bodies, six f64 each, and of their slots (i32) in the same order. */
  jointedVelocities(scratch: number): number;
  jointedSlots(scratch: number): number;
  /** Has contacts that part no faster than `speed` [m/s] keep that. */
  relaxJointed(scratch: number, speed: number): void;
  /** Starts from the impulses of the last step, once the rows are written; 0 if the joints have no factor. */
  startJointed(scratch: number): number;
  attainTargets(scratch: number): void;
  relieveJoints(scratch: number): void;
  /** Starts anew without impulses, with softer joints, where sweeps do not end; 0 if these have no factor. */
  softenJointed(scratch: number): number;
  /** After moveSettled, where something bounces: targets of points that a blow reaches through others. */
  reflectJointed(scratch: number, tolerance: number): void;
  /**
   * From rest and without contacts: velocities become the least motion, by mass, that meets the targets of the rows,
   * which are written. 0 if the joints have no factor.
   */
  projectJointed(scratch: number): number;
  /** The same to `tolerance` [m/s] by the factor of a solve that is done, for targets that are written anew. */
  closeJointed(scratch: number, tolerance: number): void;
  /**
   * Sweeps over contacts and bounded rows while the joints hold, until none changes by more than `enough` [m/s] or
   * `limit` times; the joints then hold to `tolerance` [m/s]. Returns the sweeps.
   */
  sweepJointed(scratch: number, limit: number, enough: number, tolerance: number): number;
  /** Newton steps after that, at most `limit`, until the residual is at most `aim` [m/s]; returns how many. */
  finishJointed(scratch: number, limit: number, aim: number): number;
}

/** Snapshots: snapshot/changes.ts, guess.ts, points.ts. */
export interface SnapshotExports {
  /** Numbers that others nearly tell become what they differ by, a few bits; `isBack` (0 or 1): themselves again. */
  guessNumbers(isBack: number): void;
  /** Bytes that gatherManifolds writes. */
  manifoldBytes(): number;
  /** Writes the points of manifolds and their impulses close together to `to`. */
  gatherManifolds(to: number): void;
  /** Puts back what gatherManifolds wrote; the counts of points and the contacts must be back before. */
  scatterManifolds(from: number): void;
  /** Takes digits off the manifolds that no step needs. */
  roundManifolds(): void;
  /**
   * Writes how `count` ranges (four i32 each: first address, end, where the first is in the image, and of rows of
   * points how many each has) differ from the image; returns the end of what was written, 0 when it would not stay
   * below `limit`.
   */
  packChanges(ranges: number, count: number, out: number, limit: number): number;
  /**
   * Makes the ranges what they were when packChanges wrote `from`, of the same image; lines without points stay as they
   * are where a range says how many points each row has. Returns the end of what was read.
   */
  unpackChanges(ranges: number, count: number, from: number): number;
}

/** Contacts of strands: proximity/contacts.ts. `collision/strands` grows the table around it. */
export interface StrandDetectionExports {
  /** Memory that a detection leaves for later ones of the step [B]. */
  strandKeptSize(): number;
  /**
   * Memory that a detection of so many contacts needs besides, at STRAND_PASSING_ADDRESS [B]; `further`: of a further
   * look along the whole way.
   */
  strandPassingSize(capacity: number, further: number): number;
  /** Fills the strand contacts; complete when MISSING_NODE_CONTACTS is 0. Question: DETECT_* bits. */
  findStrandContacts(
    scratch: number,
    capacity: number,
    timeStep: number,
    velocities: number,
    share: number,
    question: number,
    still: number,
  ): void;
  /** Pairs of edges that would go through each other, −1 when candidates have no room: proximity/crossing.ts. */
  findStrandCrossings(
    scratch: number,
    capacity: number,
    timeStep: number,
    velocities: number,
    share: number,
    still: number,
    question: number,
  ): number;
  /** Where their rows are [B]. */
  strandCrossings(): number;
  /** Blocks of four boxes that the last detection looked at; on several threads those of the first. */
  strandBlocksAsked(): number;
}

/** Contacts of surfaces: surface/contacts.ts. `collision/surfaces` makes the room. */
export interface SurfaceDetectionExports {
  /** Scratch that findSurfaceContacts needs for so many contacts [B]. */
  surfaceScratchSize(capacity: number): number;
  /**
   * Finds them; returns how many, complete if no more than `capacity`; −1: far too many pairs.
   * Question: DETECT_* bits.
   */
  findSurfaceContacts(
    scratch: number,
    capacity: number,
    timeStep: number,
    velocities: number,
    share: number,
    question: number,
    still: number,
  ): number;
  /** Writes them behind the rows of the table, which has room. */
  writeSurfaceContacts(): void;
  /** Primitives that would go through something; returns how many, −1: far too many pairs: surface/crossings.ts. */
  findSurfaceCrossings(
    scratch: number,
    capacity: number,
    timeStep: number,
    velocities: number,
    share: number,
    question: number,
  ): number;
  /** Where their rows are [B]. */
  surfaceCrossings(): number;
  /** Pairs of primitives with boxes that overlap which the last detection looked at. */
  surfacePairsLooked(): number;
}

/** Strands: rods.ts says what the arguments are; addresses [B]. */
export interface RodExports {
  /** Work memory for the present strands [B]. */
  rodWorkSize(): number;
  /** Assembles and factors every strand; velocities without contacts to `out`. Returns how many strands went bad. */
  rodPredict(work: number, guess: number, out: number, holds: number, carried: number, probes: number): number;
  /** Contact weights of the nodes (f32 each [kg]) and the factors of A + W, of groups with active strands. */
  rodWeigh(work: number, weighted: number, weights: number, holds: number, active: number, share: number): void;
  /** Memory of the factors of A + W [B]. */
  rodWeightedSize(work: number): number;
  /** x = A⁻¹ b (`which` 0) or (A + W)⁻¹ b (1): f32×4 a node. */
  rodSolve(work: number, which: number, right: number, out: number, active: number): void;
  /** Moves nodes and frames by NODE_VELOCITY. Returns how many strands went bad. */
  rodIntegrate(): number;
}

/** Shells and solids, one at a time: mesh/meshes.ts says what the arguments are; addresses [B]. */
export interface MeshExports {
  /** Solids: how far nodes give way, to the record; before meshPredict. */
  meshGive(record: number): void;
  /** Assembles and factors A; velocities without contacts to `out`. Returns 1 where they are no numbers. */
  meshPredict(record: number, guess: number, out: number): number;
  /** Contact weights of the nodes (f32 each [kg]) and the factor of A + W. */
  meshWeigh(record: number, weights: number, share: number): void;
  /** x = A⁻¹ b (`which` 0) or (A + W)⁻¹ b (1): f32×4 a node. */
  meshSolve(
    record: number,
    which: number,
    right: number,
    out: number,
    from: number,
    tolerance: number,
    relative: number,
    most: number,
  ): void;
}

/** Speeds of strands before and after a solve: rod/limits.ts. */
export interface RodLimitExports {
  /** Largest square of NODE_PREDICTED [m²/s²]; NaN where it is no number. */
  rodFastest(): number;
  /** Keeps NODE_PREDICTED at `free`; the largest square of it and of moving surfaces [m²/s²]. */
  rodKeepFree(free: number): number;
  /** Marks strands with contacts, and bodies that they touch: one byte each. */
  rodTouched(strands: number, bodies: number): void;
  /** Shortens velocities (f64×4 a node) to `most` [m/s]. */
  rodLimitLook(velocities: number, most: number): void;
  /** Marks strands that are too fast or too long, one byte each; returns how many. */
  rodSuspects(free: number, marks: number, most: number, longer: number): number;
}

/** Strands that bodies carry: rod/carried.ts. */
export interface RodCarriedExports {
  /** right := right-hand sides of the answer to changes of the bodies' velocities. */
  rodDrive(right: number, carried: number, probes: number, changes: number): void;
  /** out := NODE_PREDICTED + rows of the carried strands. */
  rodAnswer(rows: number, carried: number, out: number): void;
  /** sums += impulses and moments that bodies give what they carry, of a step that ends with these velocities. */
  rodReact(carried: number, velocities: number, sums: number): void;
  /** sums −= those of contacts. */
  rodStruck(carried: number, sums: number): void;
}

/** Strands at rest: elastic/sleep.ts. */
export interface RodSleepExports {
  /** Advances the strands' timers; returns how many have been slower than `limit` [m/s] for `delay` [s]. */
  rodCalm(limit: number, delay: number): number;
  /** Lays a strand to rest in ring number `ring`, of which `body` is one (−1 none). */
  rodRest(strand: number, ring: number, body: number): void;
  /** Clears STRAND_ASLEEP of strands with user forces. */
  rodForced(): void;
  /** 1 when a collider of an awake body is near a strand that sleeps. */
  rodNear(): number;
  /**
   * Counts the nodes at the clamps of a strand that are buried in the body that the clamp follows, once each, into
   * STRAND_CLAMP; `share`: of the radii up to which contacts are made [-].
   */
  rodBury(strand: number, share: number): void;
}

/** The contact side of ADMM in f32: admm.ts. `work` is laid out by dynamics/elastic/admm-work.ts. */
export interface AdmmExports {
  /** right := W (π + ℓ). */
  admmRight(work: number): void;
  /** δ of the bodies' rows that do not wait, with 1 of all. */
  admmBodies(work: number, all: number): void;
  /** π := δ − λ + W⁻¹ Bᵀ r projected on the feasible set. Returns the number of contacts solved. */
  admmProject(work: number, sweeps: number, sleepBelow: number, sleepSweeps: number, relaxation: number): number;
  /** The start of a projection, and sweeps over what has one of the `bits` in a row, 0: over all. */
  admmBegin(work: number, relaxation: number): void;
  admmSweep(work: number, sweeps: number, sleepBelow: number, sleepSweeps: number, bits: number): number;
  /** ℓ += π of what does not wait; what each strand and each of `bodies` has left to go, into SUMS. */
  admmUpdateApart(work: number, bodies: number): void;
  /** ℓ += π; strands with less than `rest` [m/s] left to go rest. Returns δ∞ over the time step [m/s]. */
  admmUpdate(work: number, active: number, rest: number): number;
  /** Ends the rest of all active strands. */
  admmRouse(work: number, active: number): void;
  /** Ends the rest of the strands of contacts in the table's rows from `first` on. */
  admmRouseTouched(work: number, first: number): void;
  /** Groups of the table's rows from `first` on. Returns the first row without room, or how many rows there are. */
  admmGather(work: number, first: number, bodies: number, excluded: number, free: number): number;
  /** λ₀ := W⁻¹ Bᵀ r, right := Bᵀ r. */
  admmStart(work: number): void;
  /** right := Bᵀ r. */
  admmEnd(work: number): void;
  /** Largest share of the start's forces that takes energy away; `without`: rows of the start without them, 0: none. */
  admmShare(work: number, without: number): number;
  /** Takes only that share of the forces, λ₀ and the start. */
  admmScale(work: number, without: number, share: number): void;
  /** Offsets of the table's rows from `first` on, with 0 of the records, too, += B δ₀. */
  admmOffset(work: number, first: number): void;
  /** out := velocities of the nodes, f64×4. */
  admmVelocities(work: number, free: number, out: number, projected: number): void;
  /** λ of the nodes and forces of the table's rows, back to the tables. */
  admmStore(work: number, weights: number): void;
  /** Weights of the nodes for the next step: what this solve's strands lacked, those with 1 in `chosen`. */
  admmBalance(work: number, weights: number, tolerance: number, chosen: number): void;
  /** Marks nodes without contacts for rodWeigh. Returns how many nodes are newly in contact. */
  admmMark(weights: number, first: number, touched: number): number;
  /** Rows of W from one f32 a node. */
  admmWeights(work: number, weights: number): void;
  /** Largest change of δ₀ + δ since `looked` [m/s]. */
  admmMoved(work: number, looked: number): number;
  /** looked := δ₀ + δ. */
  admmLook(work: number, looked: number): void;
  /** Common residual of the table's rows at v₀ + `rows` [m/s]. */
  admmResidual(work: number, rows: number): number;
}

/** All exported functions of index.ts; see the files in assembly/ for what each does. */
export interface KernelExports
  extends BroadphaseExports,
    QueryExports,
    DynamicsExports,
    SettledExports,
    JointedExports,
    SnapshotExports {
  findContacts(): void;
  /** Bytes that foreseeContacts needs. */
  foreseeScratchSize(): number;
  /** Returns how many pairs of large groups keep the contacts of the step's start unseen. */
  foreseeContacts(scratch: number): number;
  /** Distance between two convex colliders [m], negative = depth of overlap. */
  measureDistance(colliderA: number, colliderB: number): number;
}

/** All exported functions of strand-index.ts. */
export interface StrandKernelExports
  extends StrandDetectionExports,
    RodExports,
    RodLimitExports,
    RodCarriedExports,
    RodSleepExports,
    AdmmExports {}

/** All exported functions of surface-index.ts. */
export interface SurfaceKernelExports extends SurfaceDetectionExports, MeshExports {}
