/**
 * The rows of a block that hold: those that always do, and of those with bounds the ones that are not at one. Found by
 * solving with a set, taking up what is violated and dropping what is beyond its bound.
 */
import type { JointRows } from './joint-rows';
import type { JointSystem } from './joint-system';

/** Rounds of the search for taut ropes. */
const ROUNDS = 12;
/** Share of a row's own response that is left of it beside the others, below which it says nothing new [-]. */
const INDEPENDENT = 1e-12;
/** The same of rows between bodies: in loops some say nearly what others do, and would fight them over the rest. */
const INDEPENDENT_BODIES = 1e-8;
/** A row that came off its bound by less stays there [m/s]. */
const SLACK = 1e-12;

/** rows.impulse of a block: S μ = −u on what holds. */
export function solveBlock(system: JointSystem, rows: JointRows, block: number): void {
  for (let round = 0; round < ROUNDS; round++) {
    solveActive(system, rows, block);
    if (!changeActive(system, rows, block)) break;
  }
}

function isBounded({ low, high }: JointRows, row: number): boolean {
  return low[row] !== Number.NEGATIVE_INFINITY || high[row] !== Number.POSITIVE_INFINITY;
}

/**
 * Lists the active rows, those first that always are; returns how many, and leaves in `system.factored` how many of the
 * first ones stand where they stood, so that their factor is good still.
 */
function orderActive({ blocks, order, factored }: JointSystem, rows: JointRows, block: number): number {
  const from = blocks.first[block];
  const end = blocks.first[block + 1];
  let m = 0;
  let same = factored[block];
  for (let pass = 0; pass < 2; pass++) {
    for (let k = from; k < end; k++) {
      const row = blocks.rows[k];
      if (rows.active[row] === 0 || isBounded(rows, row) !== (pass === 1)) continue;
      if (m < same && order[from + m] !== k - from) same = m;
      order[from + m++] = k - from;
    }
  }
  factored[block] = Math.min(same, m);
  return m;
}

/** Cholesky of S_aa from the first row on that is not factored yet. */
function factorActive(system: JointSystem, rows: JointRows, block: number, m: number): void {
  const { S, factor: F, order, factored, blocks } = system;
  const from = blocks.first[block];
  const n = blocks.first[block + 1] - from;
  const at = blocks.matrix[block];
  for (let i = factored[block]; i < m; i++) {
    const place = order[from + i];
    const row = blocks.rows[from + place];
    const own = at + n * i;
    for (let j = 0; j <= i; j++) {
      const other = at + n * j;
      let sum = S[at + n * place + order[from + j]];
      if (i === j) sum += rows.soft[row];
      for (let k = 0; k < j; k++) sum -= F[own + k] * F[other + k];
      if (j < i) F[own + j] = F[other + j] > 0 ? sum / F[other + j] : 0;
      else {
        const least = rows.node[row] < 0 ? INDEPENDENT_BODIES : INDEPENDENT;
        F[own + i] = sum > least * S[at + n * place + place] ? Math.sqrt(sum) : 0;
      }
    }
  }
  factored[block] = m;
}

/** μ of the active rows, S_aa μ = −u_a, by Cholesky; a row that adds nothing new gets none. */
function solveActive(system: JointSystem, rows: JointRows, block: number): void {
  const { S, factor: F, order, right, u, blocks } = system;
  const { active, fixed, impulse } = rows;
  const { rows: list } = blocks;
  const from = blocks.first[block];
  const end = blocks.first[block + 1];
  const n = end - from;
  const at = blocks.matrix[block];
  const m = orderActive(system, rows, block);
  factorActive(system, rows, block, m);
  // What rows at a bound do; most have none, or are at one of nothing.
  for (let i = 0; i < m; i++) right[from + i] = -u[from + order[from + i]];
  for (let k = from; k < end; k++) {
    const held = active[list[k]] === 0 ? fixed[list[k]] : 0;
    if (held === 0) continue;
    for (let i = 0; i < m; i++) right[from + i] -= S[at + n * order[from + i] + k - from] * held;
  }
  for (let i = 0; i < m; i++) {
    const own = at + n * i;
    let sum = right[from + i];
    for (let k = 0; k < i; k++) sum -= F[own + k] * right[from + k];
    right[from + i] = F[own + i] > 0 ? sum / F[own + i] : 0;
  }
  for (let i = m - 1; i >= 0; i--) {
    let sum = right[from + i];
    for (let k = i + 1; k < m; k++) sum -= F[at + n * k + i] * right[from + k];
    right[from + i] = F[at + n * i + i] > 0 ? sum / F[at + n * i + i] : 0;
  }
  for (let k = from; k < end; k++) impulse[list[k]] = active[list[k]] === 1 ? 0 : fixed[list[k]];
  for (let i = 0; i < m; i++) impulse[list[from + order[from + i]]] = right[from + i];
}

/** Leaves rows at bounds that they are beyond, takes up those that their bound does not hold; whether any changed. */
function changeActive(system: JointSystem, rows: JointRows, block: number): boolean {
  const { low, high, fixed, active, impulse } = rows;
  const { S, u, blocks } = system;
  const { rows: list } = blocks;
  const from = blocks.first[block];
  const end = blocks.first[block + 1];
  const n = end - from;
  let changed = false;
  for (let k = from; k < end; k++) {
    const row = list[k];
    if (!isBounded(rows, row)) continue;
    if (active[row] === 1) {
      if (impulse[row] >= low[row] && impulse[row] <= high[row]) continue;
      fixed[row] = impulse[row] < low[row] ? low[row] : high[row];
      active[row] = 0;
      changed = true;
      continue;
    }
    if (low[row] === high[row]) continue;
    let speed = u[k] + rows.soft[row] * impulse[row];
    const own = blocks.matrix[block] + n * (k - from);
    for (let j = 0; j < n; j++) speed += S[own + j] * impulse[list[from + j]];
    const isHeld = fixed[row] === low[row] ? speed >= -SLACK : speed <= SLACK;
    if (isHeld) continue;
    active[row] = 1;
    changed = true;
  }
  return changed;
}
