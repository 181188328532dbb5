// From an island's manifolds to its contact problem u = W r + b (numerics, The problem of one step).
//
// H maps body velocities to contact velocities: for a contact at point p between bodies A and B, with frame
// d ∈ {normal A→B, tangent 1, tangent 2} and arms a = (p − x) × d,
//   u_d = d·(v_B − v_A) + a_B·ω_B − a_A·ω_A,
// so that W_ij = Σ over shared dynamic bodies ± (d_i·d_j / m + a_i·I⁻¹ a_j) and b = H v_free + w.
// Blocks of joints follow the contacts, in the same form (dynamics/joints/joint-rows).
// All arrays grow and are reused: a step allocates nothing after warm-up.

import type { ContactProblem } from '../solvers/contact-problem';
import { createContactProblem } from '../solvers/contact-problem';
import { pairPointAt } from '../state/contact-places';
import type { Engine } from './engine';

/** Contacts of one island with what the problem was made from. */
export interface AssembledContacts {
  problem: ContactProblem;
  /** Contacts; behind them come the blocks of joints, which have no pair. */
  touchCount: number;
  /** Pair slot of each contact. */
  pair: Int32Array;
  /** Point 0..3 in the pair's manifold. */
  point: Int32Array;
  /** Body slots. */
  bodyA: Int32Array;
  bodyB: Int32Array;
  /** Normal, tangent 1, tangent 2: nine numbers a contact. */
  frame: Float64Array;
  /** (p − x_A) × d for the three directions: nine numbers a contact; the same for B. */
  armA: Float64Array;
  armB: Float64Array;
  /** I_A⁻¹ armA and I_B⁻¹ armB. */
  turnA: Float64Array;
  turnB: Float64Array;
  /** H v_free: contact velocity without impulses and without w [m/s]. */
  free: Float64Array;
  /** Impulses [N·s]: warm start in, solution out. */
  r: Float64Array;
  /** Contacts of each body of the island: chain heads by body slot and links by 2·contact + side. */
  head: Int32Array;
  link: Int32Array;
  /** Contact that last wrote a block for this one (duplicates guard). */
  seen: Int32Array;
}

export function createAssembledContacts(): AssembledContacts {
  return {
    problem: createContactProblem(0, 0),
    touchCount: 0,
    ...contactArrays(0),
    head: new Int32Array(0),
  };
}

function contactArrays(n: number) {
  return {
    pair: new Int32Array(n),
    point: new Int32Array(n),
    bodyA: new Int32Array(n),
    bodyB: new Int32Array(n),
    frame: new Float64Array(9 * n),
    armA: new Float64Array(9 * n),
    armB: new Float64Array(9 * n),
    turnA: new Float64Array(9 * n),
    turnB: new Float64Array(9 * n),
    free: new Float64Array(3 * n),
    r: new Float64Array(3 * n),
    link: new Int32Array(2 * n),
    seen: new Int32Array(n),
  };
}

/** Makes room for `contacts` contacts and bodies up to slot `bodyCapacity`. */
function ensureContacts(a: AssembledContacts, contacts: number, bodyCapacity: number): void {
  if (a.head.length < bodyCapacity) a.head = new Int32Array(bodyCapacity).fill(-1);
  if (a.pair.length >= contacts) return;
  const capacity = Math.max(64, 2 * contacts);
  Object.assign(a, contactArrays(capacity));
  a.problem = createContactProblem(capacity, a.problem.column.length);
}

/** Fills `a` with the island's contacts: frames, arms, warm start, free velocities, W, mu; b is left to the caller. */
export function assembleContacts(engine: Engine, island: number, a: AssembledContacts): void {
  beginAssembly(engine, island, a, 0, true);
  finishAssembly(engine, a);
}

/** The contacts, if `touches`, without W, and room for `more` blocks behind them. */
export function beginAssembly(
  engine: Engine,
  island: number,
  a: AssembledContacts,
  more: number,
  touches: boolean,
): void {
  const { bodies, pairs } = engine.tables;
  const start = bodies.islandPairStart[island];
  const end = touches ? start + bodies.islandPairCount[island] : start;
  ensureContacts(a, (touches ? bodies.islandPointCount[island] : 0) + more, bodies.capacity);
  let n = 0;
  for (let i = start; i < end; i++) {
    const pair = pairs.islandPairs[i];
    const count = pairs.points[pair];
    for (let k = 0; k < count; k++) writeContact(engine, a, n++, pair, k);
  }
  a.touchCount = a.problem.contactCount = n;
}

/** W of all blocks in `a`. */
export function finishAssembly(engine: Engine, a: AssembledContacts): void {
  const { bodies } = engine.tables;
  const n = a.problem.contactCount;
  chainBodies(a, n, bodies.inverseMass);
  writeOperator(a, n, bodies.inverseMass);
  // The heads are left clean for the next island.
  for (let c = 0; c < n; c++) {
    a.head[a.bodyA[c]] = -1;
    a.head[a.bodyB[c]] = -1;
  }
}

function writeContact(engine: Engine, a: AssembledContacts, c: number, pair: number, k: number): void {
  const { bodies, pairs } = engine.tables;
  const bodyA = pairs.bodyA[pair];
  const bodyB = pairs.bodyB[pair];
  a.pair[c] = pair;
  a.point[c] = k;
  a.bodyA[c] = bodyA;
  a.bodyB[c] = bodyB;
  const f = 9 * c;
  const p = 4 * pair;
  const nx = pairs.normal[p];
  const ny = pairs.normal[p + 1];
  const nz = pairs.normal[p + 2];
  const tx = pairs.tangent[p];
  const ty = pairs.tangent[p + 1];
  const tz = pairs.tangent[p + 2];
  a.frame[f] = nx;
  a.frame[f + 1] = ny;
  a.frame[f + 2] = nz;
  a.frame[f + 3] = tx;
  a.frame[f + 4] = ty;
  a.frame[f + 5] = tz;
  a.frame[f + 6] = ny * tz - nz * ty;
  a.frame[f + 7] = nz * tx - nx * tz;
  a.frame[f + 8] = nx * ty - ny * tx;
  const at = pairPointAt(pair, k);
  writeArms(a, a.armA, a.turnA, f, engine.tables, at, bodyA);
  writeArms(a, a.armB, a.turnB, f, engine.tables, at, bodyB);
  const { frame, armA, armB } = a;
  const { linearVelocity: v, angularVelocity: w } = bodies;
  for (let d = 0; d < 3; d++) {
    const row = f + 3 * d;
    let u = 0;
    for (let x = 0; x < 3; x++) {
      const k = row + x;
      u += frame[k] * (v[4 * bodyB + x] - v[4 * bodyA + x]) + armB[k] * w[4 * bodyB + x] - armA[k] * w[4 * bodyA + x];
    }
    a.free[3 * c + d] = u;
    a.r[3 * c + d] = pairs.impulse[at + d];
  }
  a.problem.mu[c] = pairs.material[p];
}

/** arm_d = (p − x) × d and turn_d = I⁻¹ arm_d for the three directions of the frame. */
function writeArms(
  { frame }: AssembledContacts,
  arm: Float64Array,
  turn: Float64Array,
  f: number,
  { pairs, bodies }: Engine['tables'],
  at: number,
  body: number,
): void {
  const { point } = pairs;
  const { position, inverseInertia: inverse } = bodies;
  const x = point[at] - position[4 * body];
  const y = point[at + 1] - position[4 * body + 1];
  const z = point[at + 2] - position[4 * body + 2];
  const I = 8 * body;
  for (let d = f; d < f + 9; d += 3) {
    const ax = y * frame[d + 2] - z * frame[d + 1];
    const ay = z * frame[d] - x * frame[d + 2];
    const az = x * frame[d + 1] - y * frame[d];
    arm[d] = ax;
    arm[d + 1] = ay;
    arm[d + 2] = az;
    turn[d] = inverse[I] * ax + inverse[I + 3] * ay + inverse[I + 4] * az;
    turn[d + 1] = inverse[I + 3] * ax + inverse[I + 1] * ay + inverse[I + 5] * az;
    turn[d + 2] = inverse[I + 4] * ax + inverse[I + 5] * ay + inverse[I + 2] * az;
  }
}

/** Links every contact into the chains of its dynamic bodies (link 2c for side A, 2c + 1 for side B). */
function chainBodies(a: AssembledContacts, n: number, inverseMass: Float64Array): void {
  for (let c = n - 1; c >= 0; c--) {
    const A = a.bodyA[c];
    const B = a.bodyB[c];
    if (inverseMass[A] > 0) {
      a.link[2 * c] = a.head[A];
      a.head[A] = 2 * c;
    }
    if (inverseMass[B] > 0) {
      a.link[2 * c + 1] = a.head[B];
      a.head[B] = 2 * c + 1;
    }
    a.seen[c] = -1;
  }
}

function writeOperator(a: AssembledContacts, n: number, inverseMass: Float64Array): void {
  // Looked up once: this loop is most of what a small island in motion costs.
  const { problem, bodyA, bodyB, head, link, seen } = a;
  const { rowStart, diagonal } = problem;
  let { column } = problem;
  let blocks = 0;
  for (let c = 0; c < n; c++) {
    rowStart[c] = blocks;
    for (let side = 0; side < 2; side++) {
      const body = side === 0 ? bodyA[c] : bodyB[c];
      if (inverseMass[body] === 0) continue;
      for (let l = head[body]; l >= 0; l = link[l]) {
        const other = l >> 1;
        if (seen[other] === c) continue;
        seen[other] = c;
        if (blocks === column.length) {
          growBlocks(problem);
          column = problem.column;
        }
        column[blocks] = other;
        if (other === c) diagonal[c] = blocks;
        writeBlock(a, 9 * blocks, c, other, inverseMass);
        blocks++;
      }
    }
  }
  rowStart[n] = blocks;
}

function growBlocks(problem: ContactProblem): void {
  const capacity = Math.max(1024, 2 * problem.column.length);
  const column = new Int32Array(capacity);
  column.set(problem.column);
  const values = new Float64Array(9 * capacity);
  values.set(problem.values);
  problem.column = column;
  problem.values = values;
}

/** W_ij summed over the bodies that contacts i and j share (one, or both when they join the same two). */
function writeBlock(a: AssembledContacts, at: number, i: number, j: number, inverseMass: Float64Array): void {
  // Nine stores: fill is a call out of the loop.
  const { values } = a.problem;
  for (let k = at; k < at + 9; k++) values[k] = 0;
  const Ai = a.bodyA[i];
  const Bi = a.bodyB[i];
  const Aj = a.bodyA[j];
  const Bj = a.bodyB[j];
  if (inverseMass[Ai] > 0) {
    if (Ai === Aj) addBlock(a, at, i, 0, j, 0, inverseMass);
    else if (Ai === Bj) addBlock(a, at, i, 0, j, 1, inverseMass);
  }
  if (inverseMass[Bi] > 0) {
    if (Bi === Bj) addBlock(a, at, i, 1, j, 1, inverseMass);
    else if (Bi === Aj) addBlock(a, at, i, 1, j, 0, inverseMass);
  }
}

/**
 * Adds ±(d_i·d_j / m + arm_i·turn_j) for the nine pairs of directions, of the body on side `sideI` of contact i
 * (0: A) and `sideJ` of j: + where these are the same. Takes whole numbers and arrays only: a real number would be
 * boxed.
 */
function addBlock(
  { problem, frame, bodyA, bodyB, armA, armB, turnA, turnB }: AssembledContacts,
  at: number,
  i: number,
  sideI: number,
  j: number,
  sideJ: number,
  inverseMass: Float64Array,
): void {
  const W = problem.values;
  const arm = sideI === 0 ? armA : armB;
  const turn = sideJ === 0 ? turnA : turnB;
  const share = inverseMass[sideI === 0 ? bodyA[i] : bodyB[i]];
  const sign = sideI === sideJ ? 1 : -1;
  for (let q = 0; q < 3; q++) {
    const qj = 9 * j + 3 * q;
    const fx = frame[qj];
    const fy = frame[qj + 1];
    const fz = frame[qj + 2];
    const tx = turn[qj];
    const ty = turn[qj + 1];
    const tz = turn[qj + 2];
    for (let p = 0; p < 3; p++) {
      const pi = 9 * i + 3 * p;
      const dx = frame[pi] * share;
      const dy = frame[pi + 1] * share;
      const dz = frame[pi + 2] * share;
      W[at + 3 * p + q] += sign * (dx * fx + dy * fy + dz * fz + arm[pi] * tx + arm[pi + 1] * ty + arm[pi + 2] * tz);
    }
  }
}

/** v += M⁻¹ Hᵀ r, into linear and angular velocity columns of the given stride and offsets. */
export function applyImpulses(
  a: AssembledContacts,
  r: Float64Array,
  inverseMass: Float64Array,
  linear: Float64Array,
  angular: Float64Array,
  stride: number,
  angularOffset: number,
): void {
  for (let c = 0; c < a.problem.contactCount; c++) {
    const A = a.bodyA[c];
    const B = a.bodyB[c];
    for (let d = 0; d < 3; d++) {
      const impulse = r[3 * c + d];
      if (impulse === 0) continue;
      const row = 9 * c + 3 * d;
      if (inverseMass[A] > 0) {
        for (let x = 0; x < 3; x++) {
          linear[stride * A + x] -= a.frame[row + x] * impulse * inverseMass[A];
          angular[stride * A + angularOffset + x] -= a.turnA[row + x] * impulse;
        }
      }
      if (inverseMass[B] > 0) {
        for (let x = 0; x < 3; x++) {
          linear[stride * B + x] += a.frame[row + x] * impulse * inverseMass[B];
          angular[stride * B + angularOffset + x] += a.turnB[row + x] * impulse;
        }
      }
    }
  }
}
