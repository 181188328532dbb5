// The problem of a step as ADMM has it (solvers/admm/problem.ts, joints.ts), as a mixed problem: rows of H by contact,
// then one contact a joint row.
//
// Further unknowns behind those of ADMM: three a contact or joint that gives way, y of its virtual slack, y/slack = r.
// Cohesion moves to the right-hand side: what the contacts' cones hold is the force without the pull. Unknowns whose
// motion is prescribed have no entries: what they do is in w.

import { writeFrame } from '../admm/body-contacts';
import type { JointRows } from '../admm/joint-rows';
import { ROW_BIAS } from '../admm/joint-rows';
import {
  type AdmmProblem,
  CONTACT_BILATERAL,
  CONTACT_MU,
  CONTACT_PULL,
  CONTACT_SCALE,
  unknownCount,
} from '../admm/problem';
import { type ContactRows, createContactRows } from './rows';

/** Rows, and what leads back to the contacts they are made of. */
export interface AdmmRows {
  rows: ContactRows;
  /** Axes of each contact, normal first, nine numbers. */
  frame: Float64Array;
  /** First unknown of a contact's slack, −1: it does not give way. */
  slackAt: Int32Array;
  /** Unknowns in all, and the slack [1/kg] of those behind ADMM's own. */
  size: number;
  slack: Float64Array;
}

/** No rows yet. */
export function createAdmmRows(): AdmmRows {
  const none = new Float64Array(0);
  return { rows: createContactRows(0, 0), frame: none, slackAt: new Int32Array(0), size: 0, slack: none };
}

/** Entries of a contact at most: four nodes, two bodies, its slack. */
const MOST_ENTRIES = 4 * 3 + 2 * 6 + 3;

/**
 * Rows of all contacts and joints. `isFixed(unknown)`: whether the motion of the node that begins there is
 * prescribed, by `velocity` [m/s].
 */
export function fillAdmmRows(
  out: AdmmRows,
  problem: AdmmProblem,
  joints: JointRows,
  isFixed: (unknown: number) => boolean,
  velocity: Float64Array,
): void {
  const { contacts } = problem;
  const count = contacts.count + joints.count;
  resizeRows(out, count);
  out.size = unknownCount(problem);
  out.rows.count = count;
  for (let c = 0; c < contacts.count; c++) {
    giveSlack(out, problem, c, contacts.slack[c]);
    fillContact(out, problem, c, isFixed, velocity);
  }
  for (let i = 0; i < joints.count; i++) fillJoint(out, problem, joints, i, isFixed, velocity);
}

/** Unknowns for a row that gives way by `slack` [1/kg], 0: it does not. */
function giveSlack(out: AdmmRows, problem: AdmmProblem, c: number, slack: number): void {
  out.slackAt[c] = slack > 0 ? out.size : -1;
  if (!(slack > 0)) return;
  for (let k = 0; k < 3; k++) out.slack[out.size + k - unknownCount(problem)] = slack;
  out.size += 3;
}

function resizeRows(out: AdmmRows, count: number): void {
  if (out.slackAt.length >= count) return;
  const room = count + (count >> 1) + 16;
  out.rows = createContactRows(room, MOST_ENTRIES * room);
  out.rows.bilateral = new Uint8Array(room);
  out.frame = new Float64Array(9 * room);
  out.slackAt = new Int32Array(room);
  out.slack = new Float64Array(3 * room);
}

function fillContact(
  out: AdmmRows,
  problem: AdmmProblem,
  c: number,
  isFixed: (unknown: number) => boolean,
  velocity: Float64Array,
): void {
  const { rows, frame } = out;
  const { normal, offset, node, coefficient, kind, body, arm } = problem.contacts;
  const f = 9 * c;
  writeFrame(frame, f, normal, 4 * c);
  rows.mu[c] = normal[4 * c + CONTACT_MU];
  rows.bilateral![c] = kind[c] === CONTACT_BILATERAL ? 1 : 0;
  for (let i = 0; i < 3; i++) {
    rows.w[3 * c + i] = 0;
    for (let k = 0; k < 3; k++) rows.w[3 * c + i] += frame[f + 3 * i + k] * offset[4 * c + k];
  }
  let at = rows.start[c];

  for (let j = 4 * c; j < 4 * c + 4; j++) {
    const b = coefficient[j];
    if (b === 0) continue;
    const isHeld = isFixed(node[j]);
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) {
        const h = b * frame[f + 3 * i + k];
        if (isHeld) rows.w[3 * c + i] += h * velocity[node[j] + k];
        else rows.value[3 * at + i] = h;
      }
      if (!isHeld) rows.column[at++] = node[j] + k;
    }
  }

  for (let side = 0; side < 2; side++) {
    const b = body[2 * c + side];
    if (b >= 0) {
      const first = problem.elasticCount + 8 * b;
      at = fillBody(rows, at, { first, sign: side === 0 ? 1 : -1, frame, f, arm, a: 8 * c + 4 * side });
    }
  }

  if (out.slackAt[c] >= 0) {
    for (let i = 0; i < 3; i++) {
      rows.value.fill(0, 3 * at, 3 * at + 3);
      rows.value[3 * at + i] = 1;
      rows.column[at++] = out.slackAt[c] + i;
    }
  }

  rows.start[c + 1] = at;
}

interface BodySide {
  /** First unknown of the body. */
  readonly first: number;
  readonly sign: number;
  readonly frame: Float64Array;
  readonly f: number;
  readonly arm: Float64Array;
  readonly a: number;
}

/** Six entries of ± d · (v + ω × arm) for the axes d; returns the place behind them. */
function fillBody(rows: ContactRows, at: number, { first, sign, frame, f, arm, a }: BodySide): number {
  for (let k = 0; k < 3; k++) {
    const p = (k + 1) % 3;
    const q = (k + 2) % 3;
    for (let i = 0; i < 3; i++) {
      const d = f + 3 * i;
      rows.value[3 * (at + k) + i] = sign * frame[d + k];
      rows.value[3 * (at + 3 + k) + i] = sign * (arm[a + p] * frame[d + q] - arm[a + q] * frame[d + p]);
    }
    rows.column[at + k] = first + k;
    rows.column[at + 3 + k] = first + 4 + k;
  }
  return at + 6;
}

/** One row: bilateral, or of a rope a contact without friction. */
function fillJoint(
  out: AdmmRows,
  problem: AdmmProblem,
  joints: JointRows,
  j: number,
  isFixed: (unknown: number) => boolean,
  velocity: Float64Array,
): void {
  const { rows, frame } = out;
  const c = problem.contacts.count + j;
  const d = 4 * j;
  const f = 9 * c;
  frame.fill(0, f, f + 9);
  for (let k = 0; k < 3; k++) frame[f + k] = joints.direction[d + k];
  rows.mu[c] = 0;
  rows.bilateral![c] = joints.oneSided[j] === 1 ? 0 : 1;
  rows.w[3 * c] = joints.direction[d + ROW_BIAS];
  rows.w[3 * c + 1] = rows.w[3 * c + 2] = 0;
  giveSlack(out, problem, c, joints.soft[j]);
  let at = rows.start[c];

  for (let side = 0; side < 2; side++) {
    const node = side === 0 ? joints.node[j] : joints.other[j];
    if (node < 0) continue;
    const isHeld = isFixed(node);
    for (let k = 0; k < 3; k++) {
      const h = (side === 0 ? 1 : -1) * joints.direction[d + k];
      if (isHeld) {
        rows.w[3 * c] += h * velocity[node + k];
        continue;
      }
      rows.value.fill(0, 3 * at, 3 * at + 3);
      rows.value[3 * at] = h;
      rows.column[at++] = node + k;
    }
  }

  if (joints.body[j] >= 0) {
    const first = problem.elasticCount + 8 * joints.body[j];
    at = fillBody(rows, at, { first, sign: -1, frame, f, arm: joints.arm, a: d });
  }

  if (out.slackAt[c] >= 0) {
    rows.value.fill(0, 3 * at, 3 * at + 3);
    rows.value[3 * at] = 1;
    rows.column[at++] = out.slackAt[c];
  }
  rows.start[c + 1] = at;
}

/** r (three a contact) := the forces that contacts and joints have. */
export function readForces(r: Float64Array, { rows, frame }: AdmmRows, problem: AdmmProblem, joints: JointRows): void {
  const { contacts } = problem;
  for (let c = 0; c < rows.count; c++) {
    r.fill(0, 3 * c, 3 * c + 3);
    if (c >= contacts.count) {
      r[3 * c] = joints.impulse[c - contacts.count];
      continue;
    }
    const s = contacts.force[4 * c + CONTACT_SCALE];
    if (!(s > 0)) continue;
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) r[3 * c + i] += (frame[9 * c + 3 * i + k] * contacts.force[4 * c + k]) / s;
    }
  }
}

/** The other way. */
export function writeForces(r: Float64Array, { rows, frame }: AdmmRows, problem: AdmmProblem, joints: JointRows): void {
  const { contacts } = problem;
  for (let c = 0; c < rows.count; c++) {
    if (c >= contacts.count) {
      joints.impulse[c - contacts.count] = r[3 * c];
      continue;
    }
    const s = contacts.force[4 * c + CONTACT_SCALE];
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += frame[9 * c + 3 * i + k] * r[3 * c + i];
      contacts.force[4 * c + k] = s * sum;
    }
  }
}

/** f −= Hᵀ of what cohesion pulls with along the normals [N·s]; a slack feels the force in the cone. */
export function addCohesion(f: Float64Array, { rows }: AdmmRows, problem: AdmmProblem): void {
  const { offset, count } = problem.contacts;
  const unknowns = unknownCount(problem);
  for (let c = 0; c < count; c++) {
    const pull = offset[4 * c + CONTACT_PULL];
    if (pull === 0) continue;
    for (let k = rows.start[c]; k < rows.start[c + 1]; k++) {
      if (rows.column[k] < unknowns) f[rows.column[k]] -= pull * rows.value[3 * k];
    }
  }
}
