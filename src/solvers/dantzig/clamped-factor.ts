/**
 * The factor of the clamped system: rows and columns of W that the current sets hold.
 *
 * Scaled by 1/√λ per contact, with a small epsilon on the diagonal. A contact contributes
 *   stick:  rows and columns N, T1, T2;
 *   slide:  row N with column N + mu d, and the turning row and column d⊥ with +α on its diagonal:
 *           turning the friction by y along d⊥ turns the demanded direction of sliding with it, and
 *           linearising u_T ∥ d gives d⊥·u + α y = 0 with α = (sliding speed)/(mu r_N);
 *   normal: row and column N, a closed contact without friction.
 */

import { SLIDE, STICK } from '../../core/contact-law-constants';
import { activateRow, clearProfile, deactivateRow, factorProfile, solveProfile } from '../../math/profile-lu';
import type { ContactProblem } from '../contact-problem';
import { freeRows, ROW_SETS } from '../row-law';
import {
  type DantzigWork,
  HELD_NONE,
  HELD_NORMAL,
  HELD_ROWS,
  HELD_SLIDE,
  HELD_STICK,
  heldRow,
  setScales,
  slotCount,
} from './work';

/** Largest turning term [-]: sliding without load, where the direction no longer matters. */
const TURNING_LIMIT = 1e6;

/** Row (isColumn = false) or column direction of slot i of contact c, three numbers into `out`. */
function slotDirection(
  out: Float64Array,
  at: number,
  work: DantzigWork,
  mu: number,
  c: number,
  slot: number,
  isColumn: boolean,
): void {
  out[at] = 0;
  out[at + 1] = 0;
  out[at + 2] = 0;
  if (work.held[c] === HELD_STICK) {
    out[at + slot] = 1;
    return;
  }
  if (work.held[c] > HELD_ROWS) {
    out[at + heldRow(work.held[c], slot)] = 1;
    return;
  }
  const d1 = work.heldDirection[work.heldDirectionAt + 2 * c];
  const d2 = work.heldDirection[work.heldDirectionAt + 2 * c + 1];
  if (slot === 0) {
    out[at] = 1;
    if (isColumn) {
      out[at + 1] = mu * d1;
      out[at + 2] = mu * d2;
    }
  } else {
    out[at + 1] = -d2;
    out[at + 2] = d1;
  }
}

/** What the sets want the factor to hold of contact c. */
function wantedState(problem: ContactProblem, work: DantzigWork, c: number): number {
  const set = work.sets[c];
  if (set === STICK) return HELD_STICK;
  if (set >= ROW_SETS) {
    const mask = freeRows(set);
    return mask === 7 ? HELD_STICK : mask === 0 ? HELD_NONE : HELD_ROWS + mask;
  }
  if (set !== SLIDE) return HELD_NONE;
  return problem.mu[c] === 0 ? HELD_NORMAL : HELD_SLIDE;
}

/** α of a sliding contact in scaled units, from its speed and load. */
function turningTerm(problem: ContactProblem, work: DantzigWork, r: Float64Array, c: number): number {
  const { u, direction, scale, scaleAt } = work;
  const at = 3 * c;
  const speed = -(u[at + 1] * direction[2 * c] + u[at + 2] * direction[2 * c + 1]);
  if (!(speed > 0)) return 0;
  const s = scale[scaleAt + c];
  const load = problem.mu[c] * r[at];
  const turning = s * s * speed;
  return turning >= TURNING_LIMIT * load ? TURNING_LIMIT : turning / load;
}

/** Notes state, direction and turning of contact c as held (numbers of the factor not touched). */
function noteHeld(problem: ContactProblem, work: DantzigWork, r: Float64Array, c: number, state: number): void {
  work.held[c] = state;
  work.heldDirection[work.heldDirectionAt + 2 * c] = work.direction[2 * c];
  work.heldDirection[work.heldDirectionAt + 2 * c + 1] = work.direction[2 * c + 1];
  work.heldTurning[work.heldTurningAt + c] = state === HELD_SLIDE ? turningTerm(problem, work, r, c) : 0;
}

/** Whether the held rows of contact c are near enough to what is wanted now. */
function isHeldWell(problem: ContactProblem, work: DantzigWork, r: Float64Array, c: number, state: number): boolean {
  if (work.held[c] !== state) return false;
  if (state !== HELD_SLIDE) return true;
  const at = work.heldDirectionAt + 2 * c;
  const d1 = work.direction[2 * c];
  const d2 = work.direction[2 * c + 1];
  const cross = d1 * work.heldDirection[at + 1] - d2 * work.heldDirection[at];
  const dot = d1 * work.heldDirection[at] + d2 * work.heldDirection[at + 1];
  if (dot <= 0 || Math.abs(cross) > work.turnTolerance) return false;
  const turning = turningTerm(problem, work, r, c);
  const kept = work.heldTurning[work.heldTurningAt + c];
  return Math.abs(turning - kept) <= work.turnTolerance * (1 + Math.min(turning, kept));
}

/** Forms and factors the whole clamped system of the current sets anew. */
export function buildFactor(problem: ContactProblem, work: DantzigWork, r: Float64Array): void {
  const { lu, place, held, local, scale, scaleAt } = work;
  const { rowStart, column, values: W, mu, contactCount } = problem;
  setScales(work, problem);
  clearProfile(lu);
  work.heldDamping = work.damping;
  const epsilon = work.epsilon + work.damping;
  let isSymmetric = true;

  for (let c = 0; c < contactCount; c++) {
    const state = wantedState(problem, work, c);
    noteHeld(problem, work, r, c, state);
    if (mu[c] > 0 && state === HELD_SLIDE) isSymmetric = false;
    const slots = slotCount(state);
    for (let i = 0; i < slots; i++) lu.live[3 * place[c] + i] = 1;
  }

  const { values, first, start, lowerAt, upperAt, diagonalAt } = lu;

  for (let c = 0; c < contactCount; c++) {
    if (held[c] === HELD_NONE) continue;
    const rowSlots = slotCount(held[c]);

    for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
      const other = column[k];
      if (held[other] === HELD_NONE) continue;
      const s = scale[scaleAt + c] * scale[scaleAt + other];
      const columnSlots = slotCount(held[other]);
      const isPlain = held[c] === HELD_STICK && held[other] === HELD_STICK;
      for (let i = 0; i < rowSlots; i++) {
        const a = 3 * place[c] + i;
        if (!isPlain) slotDirection(local, 0, work, mu[c], c, i, false);
        for (let j = 0; j < columnSlots; j++) {
          const z = 3 * place[other] + j;
          let entry: number;
          if (isPlain) {
            entry = s * W[9 * k + 3 * i + j];
          } else {
            slotDirection(local, 3, work, mu[other], other, j, true);
            entry = s * blockForm(local, 0, W, 9 * k, local, 3);
          }
          if (a > z) values[lowerAt + start[a] + z - first[a]] = entry;
          else if (a < z) values[upperAt + start[z] + a - first[z]] = entry;
          else values[diagonalAt + a] = entry + epsilon + (i === 1 ? work.heldTurning[work.heldTurningAt + c] : 0);
        }
      }
    }
  }

  factorProfile(lu, isSymmetric);
  work.isFresh = true;
}

/** xᵀ B y for a 3×3 row-major block. */
function blockForm(x: Float64Array, xAt: number, B: Float64Array, at: number, y: Float64Array, yAt: number): number {
  const y0 = y[yAt];
  const y1 = y[yAt + 1];
  const y2 = y[yAt + 2];
  return (
    x[xAt] * (B[at] * y0 + B[at + 1] * y1 + B[at + 2] * y2) +
    x[xAt + 1] * (B[at + 3] * y0 + B[at + 4] * y1 + B[at + 5] * y2) +
    x[xAt + 2] * (B[at + 6] * y0 + B[at + 7] * y1 + B[at + 8] * y2)
  );
}

/** Switches one slot of contact c on; returns its pivot. */
function activateSlot(problem: ContactProblem, work: DantzigWork, c: number, slot: number): number {
  const { lu, place, held, local, row, column, scale, scaleAt } = work;
  const epsilon = work.epsilon + work.heldDamping;
  const { rowStart, values: W, mu } = problem;
  const size = lu.size;
  row.fill(0, 0, size);
  column.fill(0, 0, size);
  let diagonal = 0;
  const own = 3 * place[c] + slot;
  for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
    const other = problem.column[k];
    if (held[other] === HELD_NONE) continue;
    const s = scale[scaleAt + c] * scale[scaleAt + other];
    const slots = slotCount(held[other]);
    for (let j = 0; j < slots; j++) {
      const z = 3 * place[other] + j;
      if (z !== own && lu.live[z] === 0) continue;
      // A_own,z = row_ownᵀ W_co col_z, and by W_oc = W_coᵀ: A_z,own = col_ownᵀ W_co row_z.
      slotDirection(local, 0, work, mu[c], c, slot, false);
      slotDirection(local, 3, work, mu[other], other, j, true);
      const forward = s * blockForm(local, 0, W, 9 * k, local, 3);
      if (z === own) {
        diagonal = forward + epsilon + (slot === 1 ? work.heldTurning[work.heldTurningAt + c] : 0);
        continue;
      }
      row[z] = forward;
      slotDirection(local, 0, work, mu[c], c, slot, true);
      slotDirection(local, 3, work, mu[other], other, j, false);
      column[z] = s * blockForm(local, 0, W, 9 * k, local, 3);
    }
  }
  return activateRow(lu, own, row, column, diagonal);
}

/** Takes contact c's rows out and puts the wanted ones in; returns the smallest pivot met. */
export function switchContact(problem: ContactProblem, work: DantzigWork, r: Float64Array, c: number): number {
  const { lu, place, held } = work;
  for (let i = slotCount(held[c]) - 1; i >= 0; i--) deactivateRow(lu, 3 * place[c] + i);
  const state = wantedState(problem, work, c);
  noteHeld(problem, work, r, c, state);
  const slots = slotCount(state);
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < slots; i++) smallest = Math.min(smallest, activateSlot(problem, work, c, i));
  return smallest;
}

/**
 * Brings the factor to the current sets: row by row where few contacts differ, at once where a fresh
 * factorisation of the profile costs less than that many updates. Returns −1 for the latter, else the
 * number of contacts switched. u must belong to r (the turning terms need speeds).
 */
export function matchFactor(problem: ContactProblem, work: DantzigWork, r: Float64Array): number {
  const n = problem.contactCount;
  let different = 0;
  let isEmpty = true;
  for (let c = 0; c < n; c++) {
    const state = wantedState(problem, work, c);
    if (work.held[c] !== HELD_NONE) isEmpty = false;
    if (!isHeldWell(problem, work, r, c, state)) different++;
  }
  if (different === 0 && work.heldDamping === work.damping) return 0;
  // About ten runs through half of the triangle per contact, against one dot product per entry.
  const { lu } = work;
  const entries = lu.upperAt - lu.lowerAt;
  if (
    isEmpty ||
    work.heldDamping !== work.damping ||
    lu.weakPivots > 0 ||
    10 * different * lu.size > 2 * entries + 10 * lu.size
  ) {
    buildFactor(problem, work, r);
    return -1;
  }
  for (let c = 0; c < n; c++) {
    const state = wantedState(problem, work, c);
    if (!isHeldWell(problem, work, r, c, state)) switchContact(problem, work, r, c);
  }
  return different;
}

/**
 * step := the change of r that the held rows ask for to bring their velocities to zero:
 * step = −C A⁻¹ R u, with R the row and C the column directions. Zero for contacts not held.
 */
export function clampedStep(problem: ContactProblem, work: DantzigWork): void {
  const { lu, place, held, right, step, u, scale, scaleAt, direction, heldDirection, heldDirectionAt } = work;
  const { mu, contactCount } = problem;

  for (let c = 0; c < contactCount; c++) {
    const state = held[c];
    if (state === HELD_NONE) continue;
    const p = 3 * place[c];
    const s = -scale[scaleAt + c];
    if (state > HELD_ROWS) {
      for (let i = 0; i < slotCount(state); i++) right[p + i] = s * u[3 * c + heldRow(state, i)];
      continue;
    }
    right[p] = s * u[3 * c];
    if (state === HELD_STICK) {
      right[p + 1] = s * u[3 * c + 1];
      right[p + 2] = s * u[3 * c + 2];
    } else if (state === HELD_SLIDE) {
      // Measured across the direction of now, not the one held: else a kept factor would bias the answer.
      right[p + 1] = s * (direction[2 * c] * u[3 * c + 2] - direction[2 * c + 1] * u[3 * c + 1]);
    }
  }

  solveProfile(lu, right);

  for (let c = 0; c < contactCount; c++) {
    const state = held[c];
    const at = 3 * c;

    if (state === HELD_NONE) {
      step[at] = 0;
      step[at + 1] = 0;
      step[at + 2] = 0;
      continue;
    }
    const p = 3 * place[c];
    const s = scale[scaleAt + c];

    if (state > HELD_ROWS) {
      step.fill(0, at, at + 3);
      for (let i = 0; i < slotCount(state); i++) step[at + heldRow(state, i)] = s * right[p + i];
      continue;
    }
    const n = s * right[p];
    step[at] = n;

    if (state === HELD_STICK) {
      step[at + 1] = s * right[p + 1];
      step[at + 2] = s * right[p + 2];
    } else {
      const d1 = heldDirection[heldDirectionAt + 2 * c];
      const d2 = heldDirection[heldDirectionAt + 2 * c + 1];
      const turn = state === HELD_SLIDE ? s * right[p + 1] : 0;
      step[at + 1] = mu[c] * d1 * n - d2 * turn;
      step[at + 2] = mu[c] * d2 * n + d1 * turn;
    }
  }
}

/** Largest velocity left in a row that the sets hold at zero [m/s]; turning rows only where they are held. */
export function clampedError(problem: ContactProblem, work: DantzigWork): number {
  const { held, u, direction } = work;
  let worst = 0;
  for (let c = 0; c < problem.contactCount; c++) {
    const state = held[c];
    if (state === HELD_NONE) continue;
    const at = 3 * c;
    if (state > HELD_ROWS) {
      for (let i = 0; i < slotCount(state); i++) worst = Math.max(worst, Math.abs(u[at + heldRow(state, i)]));
      continue;
    }
    worst = Math.max(worst, Math.abs(u[at]));
    if (state === HELD_STICK) {
      worst = Math.max(worst, Math.abs(u[at + 1]), Math.abs(u[at + 2]));
    } else if (state === HELD_SLIDE) {
      worst = Math.max(worst, Math.abs(direction[2 * c] * u[at + 2] - direction[2 * c + 1] * u[at + 1]));
    }
  }
  return worst;
}
