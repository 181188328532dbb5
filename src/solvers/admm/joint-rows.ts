// The rows of joints in an elastic problem, in flat arrays (joints.ts).

import { grown } from './problem';

/** A row between two bodies. */
export interface BodyRow {
  /** Numbers in the problem, −1: none, or none that is solved for. */
  readonly bodies: Int32Array;
  /** C: what velocity and spin of the first body count, then of the second (12). */
  readonly lever: Float64Array;
  /** c [m/s or rad/s]. */
  bias: number;
  /** s [1/kg or 1/(kg m²)]. */
  soft: number;
  /** Bounds of μ [N·s or N·m·s]. */
  low: number;
  high: number;
}

/** Of JointRows.direction, four a row, after x y z: bias [m/s]. */
export const ROW_BIAS = 3;

/** Rows in flat arrays; lengths are capacities. */
export interface JointRows {
  count: number;
  /** First unknown of the node, −1: a row between bodies. */
  node: Int32Array;
  /** First unknown of the node that it is joined to in the place of a body, −1 none. */
  other: Int32Array;
  /** Body by its number in the problem, −1 none. */
  body: Int32Array;
  /** Direction (3) and bias c [m/s]. */
  direction: Float64Array;
  /** Point on the body from its centre of mass, world axes (4). */
  arm: Float64Array;
  /** 1: a rope. */
  oneSided: Uint8Array;
  /** Of a row between bodies: their numbers (2), C (12); of all: softness, bounds of μ, and what it is at one. */
  bodies: Int32Array;
  lever: Float64Array;
  soft: Float64Array;
  low: Float64Array;
  high: Float64Array;
  fixed: Float64Array;
  /** Impulse μ of the last solve [N·s]. */
  impulse: Float64Array;
  /** Part of μ that the velocities handed to `applyJoints` hold already (a solver that works on increments). */
  base: Float64Array;
  active: Uint8Array;
}

export function createJointRows(): JointRows {
  return {
    count: 0,
    node: new Int32Array(0),
    other: new Int32Array(0),
    body: new Int32Array(0),
    direction: new Float64Array(0),
    arm: new Float64Array(0),
    oneSided: new Uint8Array(0),
    bodies: new Int32Array(0),
    lever: new Float64Array(0),
    soft: new Float64Array(0),
    low: new Float64Array(0),
    high: new Float64Array(0),
    fixed: new Float64Array(0),
    impulse: new Float64Array(0),
    base: new Float64Array(0),
    active: new Uint8Array(0),
  };
}

/** A row without body and bias at the end; returns its number. */
export function addJointRow(rows: JointRows, node: number, x: number, y: number, z: number, oneSided: boolean): number {
  const i = rows.count++;
  if (rows.node.length < rows.count) {
    const n = Math.max(24, 2 * rows.count);
    rows.node = grown(rows.node, n, n);
    rows.other = grown(rows.other, n, n);
    rows.body = grown(rows.body, n, n);
    rows.direction = grown(rows.direction, 4 * n, 4 * n);
    rows.arm = grown(rows.arm, 4 * n, 4 * n);
    rows.oneSided = grown(rows.oneSided, n, n);
    rows.bodies = grown(rows.bodies, 2 * n, 2 * n);
    rows.lever = grown(rows.lever, 12 * n, 12 * n);
    for (const name of ['soft', 'low', 'high', 'fixed'] as const) rows[name] = grown(rows[name], n, n);
    rows.impulse = grown(rows.impulse, n, n);
    rows.base = grown(rows.base, n, n);
    rows.active = grown(rows.active, n, n);
  }
  rows.node[i] = node;
  rows.other[i] = -1;
  rows.body[i] = -1;
  rows.direction[4 * i] = x;
  rows.direction[4 * i + 1] = y;
  rows.direction[4 * i + 2] = z;
  rows.direction[4 * i + ROW_BIAS] = 0;
  rows.oneSided[i] = oneSided ? 1 : 0;
  rows.active[i] = oneSided ? 0 : 1;
  rows.impulse[i] = 0;
  rows.base[i] = 0;
  rows.soft[i] = rows.fixed[i] = 0;
  rows.low[i] = oneSided ? 0 : Number.NEGATIVE_INFINITY;
  rows.high[i] = Number.POSITIVE_INFINITY;
  return i;
}

/** A row between bodies at the end. */
export function addBodyRow(rows: JointRows, { bodies, lever, bias, soft, low, high }: BodyRow): void {
  const i = addJointRow(rows, -1, 0, 0, 0, false);
  rows.bodies[2 * i] = bodies[0];
  rows.bodies[2 * i + 1] = bodies[1];
  rows.lever.set(lever, 12 * i);
  rows.direction[4 * i + ROW_BIAS] = bias;
  rows.soft[i] = soft;
  rows.low[i] = low;
  rows.high[i] = high;
  // Limits begin as slack, motors as what can do what they should.
  rows.active[i] = low === 0 || high === 0 ? 0 : 1;
}
