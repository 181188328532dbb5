/**
 * Contacts of ADMM's projection that have rigid bodies: their local problems are 3×3 and no longer isotropic,
 *
 *   W_cc = (Σ b_j²/w_j + 1/w_slack) I + Σ over bodies ( I/m − [arm]× I⁻¹ [arm]× ) / bodyWeight,
 *
 * so they are solved in a frame with the normal first by one of the general local solvers.
 */
import type { LocalSolver } from '../local/local-solver';
import {
  type AdmmContacts,
  type AdmmProblem,
  BLOCK_SIZE,
  CONTACT_BILATERAL,
  CONTACT_MU,
  CONTACT_SCALE,
  grown,
} from './problem';

/** Places within a block. */
const FRAME = 0;
const OPERATOR = 9;
const INVERSE = 18;
/** I⁻¹ [arm]× over bodyWeight, row-major, of side A and of side B: what an impulse does to the spin. */
const TURN = 27;

const world = new Float64Array(9);
const b = new Float64Array(3);
const r = new Float64Array(3);
const change = new Float64Array(3);
const cross = new Float64Array(9);
const inertia = new Float64Array(9);

/** Writes the block of contact c; `nodeShare` = Σ b²/w + 1/w_slack. Returns s_c = trace(W_cc)/3 [1/kg]. */
export function prepareBodyContact(problem: AdmmProblem, c: number, nodeShare: number): number {
  const { contacts } = problem;
  const k = contacts.blockCount++;
  contacts.blockOf[c] = k;
  if (contacts.block.length < BLOCK_SIZE * (k + 1)) contacts.block = grown(contacts.block, BLOCK_SIZE * 2 * (k + 1));
  const block = contacts.block;
  const at = BLOCK_SIZE * k;
  block.fill(0, at, at + BLOCK_SIZE);
  writeFrame(block, at + FRAME, contacts.normal, 4 * c);
  world.fill(0);
  world[0] = world[4] = world[8] = nodeShare;
  for (let side = 0; side < 2; side++) {
    const body = contacts.body[2 * c + side];
    if (body >= 0) addBody(problem, body, contacts.arm, 8 * c + 4 * side, block, at + TURN + 9 * side);
  }
  // F W Fᵀ
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let p = 0; p < 3; p++) {
        for (let q = 0; q < 3; q++) {
          sum += block[at + FRAME + 3 * i + p] * world[3 * p + q] * block[at + FRAME + 3 * j + q];
        }
      }
      block[at + OPERATOR + 3 * i + j] = sum;
    }
  }
  const trace = block[at + OPERATOR] + block[at + OPERATOR + 4] + block[at + OPERATOR + 8];
  if (contacts.kind[c] === CONTACT_BILATERAL && trace > 0) invert(block, at + INVERSE, at + OPERATOR);
  return trace / 3;
}

/** Adds a body's share to `world` and writes what an impulse at the arm does to the spin. */
function addBody(
  problem: AdmmProblem,
  body: number,
  arm: Float64Array,
  at: number,
  turn: Float64Array,
  turnAt: number,
): void {
  const share = 1 / problem.bodyWeight;
  const I = problem.bodyInverseInertia;
  const i = 8 * body;
  cross[7] = arm[at];
  cross[5] = -cross[7];
  cross[2] = arm[at + 1];
  cross[6] = -cross[2];
  cross[3] = arm[at + 2];
  cross[1] = -cross[3];
  inertia[0] = I[i];
  inertia[1] = inertia[3] = I[i + 3];
  inertia[2] = inertia[6] = I[i + 4];
  inertia[4] = I[i + 1];
  inertia[5] = inertia[7] = I[i + 5];
  inertia[8] = I[i + 2];

  for (let p = 0; p < 3; p++) {
    for (let q = 0; q < 3; q++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += inertia[3 * p + k] * cross[3 * k + q];
      turn[turnAt + 3 * p + q] = share * sum;
    }
  }

  const light = share * problem.bodyInverseMass[body];

  for (let p = 0; p < 3; p++) {
    world[4 * p] += light;
    // u = v − [arm]× ω: minus the cross matrix times the turn.
    for (let q = 0; q < 3; q++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += cross[3 * p + k] * turn[turnAt + 3 * k + q];
      world[3 * p + q] -= sum;
    }
  }
}

/** Rows normal, tangent, second tangent. */
export function writeFrame(out: Float64Array, at: number, normal: Float64Array, n: number): void {
  const x = normal[n];
  const y = normal[n + 1];
  const z = normal[n + 2];
  // Across the axis that the normal has least of.
  let tx = 0;
  let ty = 0;
  let tz = 0;
  if (Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)) {
    ty = -z;
    tz = y;
  } else if (Math.abs(y) <= Math.abs(z)) {
    tx = z;
    tz = -x;
  } else {
    tx = -y;
    ty = x;
  }
  const length = Math.sqrt(tx * tx + ty * ty + tz * tz) || 1;
  tx /= length;
  ty /= length;
  tz /= length;
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = tx;
  out[at + 4] = ty;
  out[at + 5] = tz;
  out[at + 6] = y * tz - z * ty;
  out[at + 7] = z * tx - x * tz;
  out[at + 8] = x * ty - y * tx;
}

function invert(out: Float64Array, to: number, from: number): void {
  const [a, d, e] = [out[from], out[from + 1], out[from + 2]];
  const [g, f, h] = [out[from + 4], out[from + 5], out[from + 8]];
  const c0 = g * h - f * f;
  const c1 = e * f - d * h;
  const c2 = d * f - e * g;
  const determinant = a * c0 + d * c1 + e * c2;
  const k = determinant !== 0 ? 1 / determinant : 0;
  out[to] = k * c0;
  out[to + 1] = out[to + 3] = k * c1;
  out[to + 2] = out[to + 6] = k * c2;
  out[to + 4] = k * (a * h - e * e);
  out[to + 5] = out[to + 7] = k * (d * e - a * f);
  out[to + 8] = k * (a * g - d * d);
}

/** u (three numbers) += velocity of the contact's point on its bodies, A minus B [m/s]. */
export function addBodyVelocity(u: Float64Array, problem: AdmmProblem, p: Float64Array, c: number): void {
  const { contacts, elasticCount } = problem;
  for (let side = 0; side < 2; side++) {
    const body = contacts.body[2 * c + side];
    if (body < 0) continue;
    const sign = side === 0 ? 1 : -1;
    const at = elasticCount + 8 * body;
    const arm = 8 * c + 4 * side;
    const x = contacts.arm[arm];
    const y = contacts.arm[arm + 1];
    const z = contacts.arm[arm + 2];
    u[0] += sign * (p[at] + p[at + 5] * z - p[at + 6] * y);
    u[1] += sign * (p[at + 1] + p[at + 6] * x - p[at + 4] * z);
    u[2] += sign * (p[at + 2] + p[at + 4] * y - p[at + 5] * x);
  }
}

/** p += W⁻¹ Bᵀ times the impulse (three numbers, world axes) for the contact's bodies. */
export function pushBodies(problem: AdmmProblem, p: Float64Array, c: number, x: number, y: number, z: number): void {
  const { contacts, elasticCount } = problem;
  const share = 1 / problem.bodyWeight;
  const block = BLOCK_SIZE * contacts.blockOf[c] + TURN;
  for (let side = 0; side < 2; side++) {
    const body = contacts.body[2 * c + side];
    if (body < 0) continue;
    const sign = side === 0 ? 1 : -1;
    const at = elasticCount + 8 * body;
    const light = sign * share * problem.bodyInverseMass[body];
    p[at] += light * x;
    p[at + 1] += light * y;
    p[at + 2] += light * z;
    const t = block + 9 * side;
    const turn = contacts.block;
    p[at + 4] += sign * (turn[t] * x + turn[t + 1] * y + turn[t + 2] * z);
    p[at + 5] += sign * (turn[t + 3] * x + turn[t + 4] * y + turn[t + 5] * z);
    p[at + 6] += sign * (turn[t + 6] * x + turn[t + 7] * y + turn[t + 8] * z);
  }
}

/**
 * Solves contact c at velocity u with the force it has, both in world axes; writes the change of s_c r_c [m/s]
 * to `out` (three numbers).
 */
export function solveBodyContact(
  out: Float64Array,
  contacts: AdmmContacts,
  c: number,
  u: Float64Array,
  local: LocalSolver,
): void {
  const block = contacts.block;
  const at = BLOCK_SIZE * contacts.blockOf[c];
  const four = 4 * c;
  const s = contacts.force[four + CONTACT_SCALE];
  for (let i = 0; i < 3; i++) {
    const row = at + FRAME + 3 * i;
    b[i] = block[row] * u[0] + block[row + 1] * u[1] + block[row + 2] * u[2];
    change[i] =
      (block[row] * contacts.force[four] +
        block[row + 1] * contacts.force[four + 1] +
        block[row + 2] * contacts.force[four + 2]) /
      s;
    r[i] = change[i];
  }
  if (contacts.kind[c] === CONTACT_BILATERAL) {
    // Δr = −W⁻¹ u
    for (let i = 0; i < 3; i++) {
      const row = at + INVERSE + 3 * i;
      change[i] = -(block[row] * b[0] + block[row + 1] * b[1] + block[row + 2] * b[2]);
    }
  } else {
    for (let i = 0; i < 3; i++) {
      const row = at + OPERATOR + 3 * i;
      b[i] -= block[row] * change[0] + block[row + 1] * change[1] + block[row + 2] * change[2];
    }
    local(r, 0, block, at + OPERATOR, b, 0, contacts.normal[four + CONTACT_MU]);
    for (let i = 0; i < 3; i++) change[i] = r[i] - change[i];
  }
  for (let x = 0; x < 3; x++) {
    out[x] = s * (block[at + x] * change[0] + block[at + 3 + x] * change[1] + block[at + 6 + x] * change[2]);
  }
}
