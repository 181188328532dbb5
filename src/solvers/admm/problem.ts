/**
 * The problem ADMM solves: elastic objects and rigid bodies under exact Coulomb friction, in flat arrays.
 *
 *   A v = f + Bᵀ r,   u = B v + k,   (u_c, r_c) obeys Signorini–Coulomb with mu_c          (Daviet 2020, eq. 5)
 *
 * Unknowns, all in one vector: first the elastic ones in any order (a strand: x y z θ a node), then eight numbers
 * a body: velocity (3), spare, spin (3), spare. A contact sees three consecutive unknowns per node, times one
 * number b (Assumption 1 of the paper), and points of bodies, v + ω × arm. Everything is in world axes;
 * the only direction a contact needs is its normal, from side B to side A.
 *
 * W, the diagonal approximation of A, has one weight an elastic unknown: 0 where no contact ever looks
 * (twists) and for prescribed unknowns, which have inverse weight 0, too: nothing moves them. A body's weight is
 * bodyWeight times its mass matrix, so that its part of A + W is solved in one line.
 */

/** Coulomb's law (mu = 0: frictionless; a rope's longest length is such a contact). */
export const CONTACT_COULOMB = 0;
/** Kept at u = 0 by any force: a ball joint. */
export const CONTACT_BILATERAL = 1;

/** Fourth numbers of a row of AdmmContacts: of `normal` [-], of `offset` [N·s], of `force` [1/kg]. */
export const CONTACT_MU = 3;
export const CONTACT_PULL = 3;
export const CONTACT_SCALE = 3;

/** The elastic part of A + W, factored by its owner. */
export interface ElasticOperator {
  /**
   * v := (A + W)⁻¹ rhs for the elastic unknowns, at least of the objects where `moving`
   * is 1; both arrays begin with them.
   */
  solve(v: Float64Array, rhs: Float64Array, moving: Uint8Array): void;
}

/** What joints ask of the elastic part of K, A + W (`weighted`) or A, factored by its owner. */
export interface ColumnOperator {
  /** x := K⁻¹ x for the object that `unknown` belongs to. */
  column(x: Float64Array, unknown: number, weighted: boolean): void;
  /** out := first and end of that object's unknowns. */
  rangeOf(out: Int32Array, unknown: number): void;
}

/** Contacts in flat arrays; lengths are capacities. */
export interface AdmmContacts {
  count: number;
  /** Offsets into the unknowns of up to four nodes; coefficient 0 where there are fewer (offset 0). */
  node: Int32Array;
  /** b of the four nodes [-]. */
  coefficient: Float64Array;
  /** Unit normal from B to A, then mu. */
  normal: Float64Array;
  /** k [m/s]: kinematic part and gap over time step along the normal; then the cohesion impulse ξ dt [N·s]. */
  offset: Float64Array;
  /** s_c r_c of Algorithm 3 [m/s], world axes; then s_c [1/kg]. In: s_c r_c and s_c of last time (0: none). */
  force: Float64Array;
  /** Compliance over dt² [1/kg]: inverse weight of the contact's virtual slack; 0 = rigid. */
  slack: Float64Array;
  /** CONTACT_*. */
  kind: Uint8Array;
  /** Bodies of side A and B by their number in the problem, −1 none. */
  body: Int32Array;
  /** Arms of the contact point on body A, on body B, four numbers each [m]. */
  arm: Float64Array;
  /** b_cj / (s_c w_j) of the four nodes: written by `prepareContacts`. */
  gamma: Float64Array;
  /** Place of the local problem of a contact with bodies in `block`, −1 where it is isotropic. */
  blockOf: Int32Array;
  /**
   * Frame (9), W_cc in that frame (9), its inverse for bilateral ones (9),
   * inverse-inertia times the cross matrices (18).
   */
  block: Float64Array;
  blockCount: number;
  /** Sweeps that the contact still sleeps. */
  asleep: Uint8Array;
  /** 1: left out of the sweeps of this round. */
  leftOut: Uint8Array;
}

export interface AdmmProblem {
  /** [s] */
  timeStep: number;
  /** Scalar unknowns of the elastic objects. */
  elasticCount: number;
  bodyCount: number;
  /** Elastic objects that A does not couple, strands, and the object of each unknown; 0: nothing rests (resting.ts). */
  objectCount: number;
  objectOf: Int32Array;
  /** OBJECT_* of each. */
  objectKind: Uint8Array;
  /** Right-hand side of the elastic unknowns [N·s]; for bodies their velocity without contacts [m/s, rad/s]. */
  f: Float64Array;
  /** W of the elastic unknowns [kg]. */
  weight: Float64Array;
  /** 1/W where W > 0, else 0 [1/kg]. */
  inverseWeight: Float64Array;
  /** Weight of a body over its mass matrix [-]. 6.2.6 gives 1: A is the mass itself. */
  bodyWeight: number;
  /** [1/kg] */
  bodyInverseMass: Float64Array;
  /** World axes, xx yy zz xy xz yz and two spare [1/(kg·m²)]. */
  bodyInverseInertia: Float64Array;
  /** Length by which a spin counts in δ∞ [m]: the radius of gyration. */
  bodyLength: Float64Array;
  /** 1 for bodies with contacts: the others get no weight, their velocity is exact at once. Written by the solver. */
  bodyHasContacts: Uint8Array;
  contacts: AdmmContacts;
}

/** Numbers in `AdmmContacts.block` per contact with bodies. */
export const BLOCK_SIZE = 48;

export function createAdmmProblem(): AdmmProblem {
  return {
    timeStep: 1 / 60,
    elasticCount: 0,
    bodyCount: 0,
    objectCount: 0,
    objectOf: new Int32Array(0),
    objectKind: new Uint8Array(0),
    f: new Float64Array(0),
    weight: new Float64Array(0),
    inverseWeight: new Float64Array(0),
    bodyWeight: 1,
    bodyInverseMass: new Float64Array(0),
    bodyInverseInertia: new Float64Array(0),
    bodyLength: new Float64Array(0),
    bodyHasContacts: new Uint8Array(0),
    contacts: {
      count: 0,
      node: new Int32Array(0),
      coefficient: new Float64Array(0),
      normal: new Float64Array(0),
      offset: new Float64Array(0),
      force: new Float64Array(0),
      slack: new Float64Array(0),
      kind: new Uint8Array(0),
      body: new Int32Array(0),
      arm: new Float64Array(0),
      gamma: new Float64Array(0),
      blockOf: new Int32Array(0),
      block: new Float64Array(0),
      blockCount: 0,
      asleep: new Uint8Array(0),
      leftOut: new Uint8Array(0),
    },
  };
}

/** Length of the vector of unknowns. */
export function unknownCount(problem: AdmmProblem): number {
  return problem.elasticCount + 8 * problem.bodyCount;
}

/** Makes room for so many unknowns and bodies and sets the counts; what was there stays where the room was enough. */
export function resizeAdmmProblem(problem: AdmmProblem, elasticCount: number, bodyCount: number): void {
  const total = elasticCount + 8 * bodyCount;
  if (problem.f.length < total) {
    problem.f = grown(problem.f, total);
    problem.weight = grown(problem.weight, total);
    problem.inverseWeight = grown(problem.inverseWeight, total);
  }
  if (problem.bodyInverseMass.length < bodyCount) {
    problem.bodyInverseMass = grown(problem.bodyInverseMass, bodyCount);
    problem.bodyInverseInertia = grown(problem.bodyInverseInertia, 8 * problem.bodyInverseMass.length);
    problem.bodyLength = grown(problem.bodyLength, problem.bodyInverseMass.length);
    problem.bodyHasContacts = grown(problem.bodyHasContacts, problem.bodyInverseMass.length);
  }
  problem.elasticCount = elasticCount;
  problem.bodyCount = bodyCount;
}

/** Makes room for so many contacts; those that are there stay. */
export function ensureContacts(contacts: AdmmContacts, count: number): void {
  if (contacts.kind.length >= count) return;
  const n = Math.max(64, 2 * count);
  contacts.node = grown(contacts.node, 4 * n, 4 * n);
  contacts.coefficient = grown(contacts.coefficient, 4 * n, 4 * n);
  contacts.normal = grown(contacts.normal, 4 * n, 4 * n);
  contacts.offset = grown(contacts.offset, 4 * n, 4 * n);
  contacts.force = grown(contacts.force, 4 * n, 4 * n);
  contacts.slack = grown(contacts.slack, n, n);
  contacts.kind = grown(contacts.kind, n, n);
  contacts.body = grown(contacts.body, 2 * n, 2 * n);
  contacts.arm = grown(contacts.arm, 8 * n, 8 * n);
  contacts.gamma = grown(contacts.gamma, 4 * n, 4 * n);
  contacts.blockOf = grown(contacts.blockOf, n, n);
  contacts.asleep = grown(contacts.asleep, n, n);
  contacts.leftOut = grown(contacts.leftOut, n, n);
}

/** An empty row at the end: no nodes, no bodies, no offset, no memory of a force. Returns its number. */
export function addContact(contacts: AdmmContacts, kind: number): number {
  const c = contacts.count++;
  ensureContacts(contacts, contacts.count);
  const four = 4 * c;
  for (let k = four; k < four + 4; k++) {
    contacts.node[k] = 0;
    contacts.coefficient[k] = 0;
    contacts.normal[k] = 0;
    contacts.offset[k] = 0;
    contacts.force[k] = 0;
  }
  contacts.slack[c] = 0;
  contacts.kind[c] = kind;
  contacts.body[2 * c] = -1;
  contacts.body[2 * c + 1] = -1;
  contacts.blockOf[c] = -1;
  contacts.asleep[c] = 0;
  contacts.leftOut[c] = 0;
  return c;
}

/** A larger array of the same kind with the old numbers first. */
export function grown<T extends Float64Array | Int32Array | Uint8Array>(old: T, need: number, exact = 0): T {
  const length = exact || Math.max(64, Math.ceil(1.5 * need));
  const next = new (old.constructor as new (n: number) => T)(length);
  next.set(old);
  return next;
}
