/**
 * Joints of an elastic problem: a node held at a point of a body or of the world, or at another node (ball), or within
 * a distance (rope); and rows between bodies alone, of joints that these have among themselves.
 *
 * They are solved with the elastic equations, not with the contacts: in the projection, a force could only grow by
 * w (p − v) an iteration, and a crate on a stiff rope would take hundreds. With C the joints' rows, K = A + W:
 *
 *   K v = rhs + Cᵀ μ,   C v + c = 0   →   S μ = −(C K⁻¹ rhs + c),   S = C K⁻¹ Cᵀ,
 *
 * one column of K⁻¹ Cᵀ per row, kept with the factor of S (dense among rows that hang together: meant for some
 * hundred of them at most) for all iterations. A rope's row is one-sided, C v + c >= 0, mu >= 0: its set of taut
 * ropes is found by adding what is violated and dropping what would push. Any row may be soft (springs):
 * C v + c + s μ = 0; rows between bodies may have two bounds (limits, motors).
 */
import { solveBlock } from './joint-active';
import { listJointBlocks } from './joint-blocks';
import type { JointRows } from './joint-rows';
import type { JointSystem } from './joint-system';
import { type AdmmProblem, type ColumnOperator, grown } from './problem';

/** Inverse mass factor of a body in K: 1/(1 + its weight). */
function bodyShare(problem: AdmmProblem, body: number, weighted: boolean): number {
  return weighted && problem.bodyHasContacts[body] === 1 ? 1 / (1 + problem.bodyWeight) : 1;
}

/** Columns and S; after the elastic matrices were factored. */
export function prepareJoints(
  system: JointSystem,
  problem: AdmmProblem,
  rows: JointRows,
  operator: ColumnOperator,
): void {
  const n = rows.count;
  if (n === 0) return;
  if (system.at.length < 2 * n) {
    system.at = new Int32Array(4 * n);
    system.start = new Int32Array(4 * n);
    system.length = new Int32Array(4 * n);
    system.order = new Int32Array(2 * n);
    system.factored = new Int32Array(2 * n);
    system.u = new Float64Array(2 * n);
    system.right = new Float64Array(2 * n);
  }
  const { blocks } = system;
  listJointBlocks(blocks, problem, rows, operator);
  const size = blocks.matrix[blocks.count];
  if (system.S.length < size) {
    system.S = new Float64Array(2 * size);
    system.factor = new Float64Array(2 * size);
  }
  if (system.work.length < problem.elasticCount) system.work = new Float64Array(2 * problem.elasticCount);
  let at = 0;
  for (let i = 0; i < n; i++) {
    if (rows.node[i] < 0) {
      system.length[2 * i] = system.length[2 * i + 1] = 0;
      continue;
    }
    const other = rows.other[i];
    operator.rangeOf(range, rows.node[i]);
    const isInOne = other >= range[0] && other < range[1];
    at = addColumn(system, rows, i, at, 0, operator, isInOne);
    system.length[2 * i + 1] = 0;
    if (other >= 0 && !isInOne) at = addColumn(system, rows, i, at, 1, operator, false);
  }
  for (let b = 0; b < blocks.count; b++) fillBlock(system, problem, rows, b);
}

/** S of a block. */
function fillBlock(system: JointSystem, problem: AdmmProblem, rows: JointRows, block: number): void {
  const { S, blocks } = system;
  const { rows: list, first, matrix } = blocks;
  const from = first[block];
  const end = first[block + 1];
  let to = matrix[block];
  for (let i = from; i < end; i++)
    for (let j = from; j < end; j++) S[to++] = respond(system, problem, rows, list[i], list[j]);
  system.factored[block] = 0;
}

/**
 * Column of row i, of the object of its node (`side` 0) or of its other node (1), or both (`isInOne`), from `at` on;
 * returns where it ends.
 */
function addColumn(
  system: JointSystem,
  rows: JointRows,
  i: number,
  at: number,
  side: 0 | 1,
  operator: ColumnOperator,
  isInOne: boolean,
): number {
  const node = side === 0 ? rows.node[i] : rows.other[i];
  operator.rangeOf(range, node);
  // By their places: taken apart as a list, typed arrays go through an iterator.
  const first = range[0];
  const end = range[1];
  const length = end - first;
  if (system.columns.length < at + length) system.columns = grown(system.columns, 2 * (at + length));
  const { work, columns } = system;
  for (let k = first; k < end; k++) work[k] = 0;
  for (let k = 0; k < 3; k++) work[node + k] = (side === 0 ? 1 : -1) * rows.direction[4 * i + k];
  if (isInOne) for (let k = 0; k < 3; k++) work[rows.other[i] + k] -= rows.direction[4 * i + k];
  operator.column(work, node, system.weighted);
  for (let k = 0; k < length; k++) columns[at + k] = work[first + k];
  const part = 2 * i + side;
  system.at[part] = at;
  system.start[part] = first;
  system.length[part] = length;
  return at + length;
}

const range = new Int32Array(2);
const spin = new Float64Array(6);

/** C_i K⁻¹ C_jᵀ. */
function respond(system: JointSystem, problem: AdmmProblem, rows: JointRows, i: number, j: number): number {
  if (rows.node[i] < 0 || rows.node[j] < 0) return respondBodies(system, problem, rows, i, j);
  let sum = 0;
  const { columns, at, start, length } = system;
  const { direction: D } = rows;
  for (let side = 0; side < 2; side++) {
    const node = side === 0 ? rows.node[i] : rows.other[i];
    if (node < 0) continue;
    for (let part = 2 * j; part < 2 * j + 2; part++) {
      const place = node - start[part];
      if (place < 0 || place >= length[part]) continue;
      const there = at[part] + place;
      const sign = side === 0 ? 1 : -1;
      for (let k = 0; k < 3; k++) sum += sign * D[4 * i + k] * columns[there + k];
    }
  }
  const body = rows.body[i];
  if (body < 0 || body !== rows.body[j]) return sum;
  const share = bodyShare(problem, body, system.weighted);
  turnOf(spin, 0, problem, rows, j, body);
  const d = 4 * i;
  const { arm } = rows;
  for (let k = 0; k < 3; k++) sum += share * problem.bodyInverseMass[body] * D[d + k] * D[4 * j + k];
  // The point of row i moves by turn × arm.
  sum += share * D[d] * (spin[1] * arm[d + 2] - spin[2] * arm[d + 1]);
  sum += share * D[d + 1] * (spin[2] * arm[d] - spin[0] * arm[d + 2]);
  sum += share * D[d + 2] * (spin[0] * arm[d + 1] - spin[1] * arm[d]);
  return sum;
}

const lever = new Float64Array(6);

/** Number of the body on a side of a row, −1 none; its part of C to `lever`. */
function leverOf(rows: JointRows, i: number, side: number): number {
  if (rows.node[i] < 0) {
    for (let k = 0; k < 6; k++) lever[k] = rows.lever[12 * i + 6 * side + k];
    return rows.bodies[2 * i + side];
  }
  if (side > 0) return -1;
  const { direction: D, arm } = rows;
  const d = 4 * i;
  for (let k = 0; k < 3; k++) lever[k] = -D[d + k];
  lever[3] = arm[d + 2] * D[d + 1] - arm[d + 1] * D[d + 2];
  lever[4] = arm[d] * D[d + 2] - arm[d + 2] * D[d];
  lever[5] = arm[d + 1] * D[d] - arm[d] * D[d + 1];
  return rows.body[i];
}

/** spin (six numbers) := M⁻¹ times the part of C in `lever`. */
function moveByLever(problem: AdmmProblem, body: number): void {
  const I = problem.bodyInverseInertia;
  const i = 8 * body;
  const [tx, ty, tz] = [lever[3], lever[4], lever[5]];
  for (let k = 0; k < 3; k++) spin[k] = problem.bodyInverseMass[body] * lever[k];
  spin[3] = I[i] * tx + I[i + 3] * ty + I[i + 4] * tz;
  spin[4] = I[i + 3] * tx + I[i + 1] * ty + I[i + 5] * tz;
  spin[5] = I[i + 4] * tx + I[i + 5] * ty + I[i + 2] * tz;
}

/** C_i K⁻¹ C_jᵀ where one of the two is a row between bodies: they meet in bodies only. */
function respondBodies(system: JointSystem, problem: AdmmProblem, rows: JointRows, i: number, j: number): number {
  let sum = 0;
  for (let side = 0; side < 2; side++) {
    const body = leverOf(rows, j, side);
    if (body < 0) continue;
    moveByLever(problem, body);
    const share = bodyShare(problem, body, system.weighted);
    for (let other = 0; other < 2; other++) {
      if (leverOf(rows, i, other) !== body) continue;
      for (let k = 0; k < 6; k++) sum += share * lever[k] * spin[k];
    }
  }
  return sum;
}

/** out := I⁻¹ (arm × direction) of row j: spin by a unit impulse. */
function turnOf(out: Float64Array, o: number, problem: AdmmProblem, rows: JointRows, j: number, body: number): void {
  const { direction: D, arm } = rows;
  const a = 4 * j;
  const tx = arm[a + 1] * D[a + 2] - arm[a + 2] * D[a + 1];
  const ty = arm[a + 2] * D[a] - arm[a] * D[a + 2];
  const tz = arm[a] * D[a + 1] - arm[a + 1] * D[a];
  const I = problem.bodyInverseInertia;
  const i = 8 * body;
  out[o] = I[i] * tx + I[i + 3] * ty + I[i + 4] * tz;
  out[o + 1] = I[i + 3] * tx + I[i + 1] * ty + I[i + 5] * tz;
  out[o + 2] = I[i + 4] * tx + I[i + 5] * ty + I[i + 2] * tz;
}

/** Makes v (of K v = rhs) obey the joints; rows.impulse is the answer's μ. Only the blocks' spans of v count. */
export function applyJoints(system: JointSystem, problem: AdmmProblem, rows: JointRows, v: Float64Array): void {
  if (rows.count === 0) return;
  const { count, leftOut } = system.blocks;
  for (let b = 0; b < count; b++) if (leftOut[b] === 0) applyBlock(system, problem, rows, v, b);
}

function applyBlock(system: JointSystem, problem: AdmmProblem, rows: JointRows, v: Float64Array, block: number): void {
  const { u, S } = system;
  const { rows: list, first, matrix } = system.blocks;
  const { base, impulse } = rows;
  const from = first[block];
  const end = first[block + 1];
  let at = matrix[block];
  for (let i = from; i < end; i++) {
    let sum = rowVelocity(problem, rows, v, list[i]);
    for (let j = from; j < end; j++) sum -= S[at++] * base[list[j]];
    u[i] = sum;
  }
  solveBlock(system, rows, block);
  for (let k = from; k < end; k++) {
    const j = list[k];
    const mu = impulse[j] - base[j];
    if (mu !== 0) pushRow(system, problem, rows, v, j, mu);
  }
}

/** v += K⁻¹ Cᵀ μ of row j. */
function pushRow(
  system: JointSystem,
  problem: AdmmProblem,
  rows: JointRows,
  v: Float64Array,
  j: number,
  mu: number,
): void {
  if (rows.node[j] < 0) {
    pushPair(system, problem, rows, v, j, mu);
    return;
  }
  const { columns } = system;
  for (let part = 2 * j; part < 2 * j + 2; part++) {
    const end = system.at[part] + system.length[part];
    let to = system.start[part];
    for (let k = system.at[part]; k < end; k++) v[to++] += mu * columns[k];
  }
  const body = rows.body[j];
  if (body < 0) return;
  const share = bodyShare(problem, body, system.weighted);
  const b = problem.elasticCount + 8 * body;
  turnOf(spin, 0, problem, rows, j, body);
  for (let k = 0; k < 3; k++) {
    v[b + k] -= share * mu * problem.bodyInverseMass[body] * rows.direction[4 * j + k];
    v[b + 4 + k] -= share * mu * spin[k];
  }
}

/** v += K⁻¹ Cᵀ μ of a row between bodies. */
function pushPair(
  system: JointSystem,
  problem: AdmmProblem,
  rows: JointRows,
  v: Float64Array,
  j: number,
  mu: number,
): void {
  for (let side = 0; side < 2; side++) {
    const body = leverOf(rows, j, side);
    if (body < 0) continue;
    moveByLever(problem, body);
    const push = mu * bodyShare(problem, body, system.weighted);
    const b = problem.elasticCount + 8 * body;
    for (let k = 0; k < 3; k++) {
      v[b + k] += push * spin[k];
      v[b + 4 + k] += push * spin[3 + k];
    }
  }
}

/** C_i v + c_i. */
function rowVelocity(problem: AdmmProblem, rows: JointRows, v: Float64Array, i: number): number {
  const { direction: D, arm } = rows;
  const d = 4 * i;
  let sum = D[d + 3];
  if (rows.node[i] < 0) {
    for (let side = 0; side < 2; side++) {
      const body = leverOf(rows, i, side);
      if (body < 0) continue;
      const b = problem.elasticCount + 8 * body;
      for (let k = 0; k < 3; k++) sum += lever[k] * v[b + k] + lever[3 + k] * v[b + 4 + k];
    }
    return sum;
  }
  for (let k = 0; k < 3; k++) sum += D[d + k] * v[rows.node[i] + k];
  if (rows.other[i] >= 0) for (let k = 0; k < 3; k++) sum -= D[d + k] * v[rows.other[i] + k];
  const body = rows.body[i];
  if (body < 0) return sum;
  const b = problem.elasticCount + 8 * body;
  sum -= D[d] * (v[b] + v[b + 5] * arm[d + 2] - v[b + 6] * arm[d + 1]);
  sum -= D[d + 1] * (v[b + 1] + v[b + 6] * arm[d] - v[b + 4] * arm[d + 2]);
  sum -= D[d + 2] * (v[b + 2] + v[b + 4] * arm[d + 1] - v[b + 5] * arm[d]);
  return sum;
}

/**
 * Largest error of the nodes' joints at velocities `v`: of a held one C v + c, of a rope what it is longer than allowed
 * [m/s]. Rows between bodies are measured with these, by the solve that follows.
 */
export function jointResidual(problem: AdmmProblem, rows: JointRows, v: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < rows.count; i++) {
    if (rows.node[i] < 0) continue;
    const u = rowVelocity(problem, rows, v, i) + rows.soft[i] * rows.impulse[i];
    const error = rows.oneSided[i] === 1 && rows.impulse[i] === 0 ? Math.max(0, -u) : Math.abs(u);
    if (Number.isNaN(error)) return Number.POSITIVE_INFINITY;
    if (error > worst) worst = error;
  }
  return worst;
}
