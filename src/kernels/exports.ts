// The kernels' exported functions, as TypeScript sees them. Each group is declared beside its typed entry point.

/** Broadphase: pairs.ts, pairs-table.ts, tree.ts. `collision/broadphase` grows the tables around them. */
export interface BroadphaseExports {
  /** Updates boxes, tree and pairs; complete when MISSING_NODES and MISSING_PAIRS are 0. */
  findPairs(): void;
  /** Sizes the pair hash to the pair table and fills it anew; to be called after the table grew. */
  rebuildPairHash(): void;
  /** Hands the slots of removed pairs back; once per step, when END_LIST has been read and emptied. */
  freePairs(): void;
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

/** Queries: queries.ts. `collision/queries` is their typed face and says what the arguments are. */
export interface QueryExports {
  prepareQueries(): void;
  queryResults(): number;
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
  overlapSphere(
    x: number,
    y: number,
    z: number,
    radius: number,
    filter: number,
    ignoredBody: number,
    first: number,
  ): number;
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
  /** Moves the poses of awake bodies, but those in islands of the sweeps. */
  integrateMotion(): void;
  /** Wakes sleeping islands that something moving reaches in this step; appends to WAKE_LIST. */
  wakeTouched(): void;
  /** Wakes a sleeping body with its island; appends to WAKE_LIST. Does nothing to a body that is awake. */
  wakeBody(body: number): void;
  /** Fills the island columns from the manifolds of active pairs. */
  buildIslands(): void;
  /** Scratch that solveSweeps needs, by ISLAND_SOLVER as it is now [B]. */
  sweepScratchSize(): number;
  /** Solves the islands whose ISLAND_SOLVER is ISLAND_SWEEPS and moves their bodies; `scratch` is a multiple of 16. */
  solveSweeps(scratch: number, bytes: number): void;
  /** Advances the sleep timers; bodies that fell asleep are appended to SLEEP_LIST. */
  updateSleep(): void;
  /** Appends begun and ended touches to BEGIN_LIST and END_LIST, which the caller empties. */
  collectTouches(): void;
}

/** All exported functions of the module; see the files in assembly/ for what each does. */
export interface KernelExports extends BroadphaseExports, QueryExports, DynamicsExports {
  findContacts(): void;
  /** Distance between two convex colliders [m], negative = depth of overlap. */
  measureDistance(colliderA: number, colliderB: number): number;
}
