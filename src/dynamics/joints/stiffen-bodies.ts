// Joints under load turn bodies back: a link of a taut chain swings faster than a step can follow.
//
// A force λ at the arm r of a body resists turning it by δ with the moment (δ × r) × λ = r (λ·δ) −
// (r·λ) δ (Andrews, Teichmann and Kry 2017 call it geometric stiffness). Taken at the start of a step it is
// explicit, and unstable once h² k exceeds four times the inertia: a chain of light links with a heavy load
// blows up, however exactly its joints are solved. So what of h² k is beyond the inertia is added to it, with
// the load of the last step: the implicit step for these turns alone. It damps what is too fast to be seen, and
// nothing where no joint is so loaded.

import { rotateVector } from '../../math/quaternion';
import { turnTensor } from '../../mechanics/rigid';
import { ANGULAR } from '../../state/contact-places';
import { jointFrameAt } from '../../state/joint-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';

/** Share of the inertia up to which h² k is stable as it is [-]. */
const STABLE = 1;
/** The same, less what rounding may make of a bound [-]. */
const SURELY_STABLE = 0.999;

/**
 * Of each body of the island: xx yy zz xy xz yz of h² k, then arms squared times the mass
 * where one joint holds it (REACH), joints.
 */
const ROW = 8;
const REACH = 6;
const JOINTS = 7;
let stiffness = new Float64Array(0);
/** Of each body of the island: what h² k is at most, whatever the way of its loads [kg·m²]; by its row. */
let mostLoad = new Float64Array(0);
let rowOf = new Int32Array(0);

const arm = new Float64Array(3);
const inertia = new Float64Array(6);
const spin = new Float64Array(3);

/**
 * Changes inverse inertia and free spin of the bodies of an island whose joints need it;
 * to be called before rows are made.
 */
export function stiffenBodies(engine: Engine, island: number): void {
  const { bodies, joints } = engine.tables;
  const start = bodies.islandBodyStart[island];
  const count = bodies.islandBodyCount[island];
  if (stiffness.length < ROW * count) {
    stiffness = new Float64Array(2 * ROW * count);
    mostLoad = new Float64Array(2 * count);
  }
  if (rowOf.length < bodies.capacity) rowOf = new Int32Array(bodies.capacity);
  for (let i = 0; i < count; i++) rowOf[bodies.islandBodies[start + i]] = ROW * i;
  if (!findLoaded(engine, island)) return;
  stiffness.fill(0, 0, ROW * count);
  const first = bodies.islandJointStart[island];
  for (let i = first; i < first + bodies.islandJointCount[island]; i++) {
    const joint = joints.islandJoints[i];
    for (let end = 0; end < 2; end++) addEnd(engine, joint, end);
  }
  for (let i = 0; i < count; i++) stiffenBody(engine, bodies.islandBodies[start + i], ROW * i);
}

/**
 * Whether a body of the island may be loaded so much: h² k is no more than h² |λ| |r| of each joint, the inertia no
 * less than one over the trace of its inverse. Mostly no body is, and nothing has to be turned to find out. Leaves 0
 * in `mostLoad` of those that are not.
 */
function findLoaded({ tables, settings }: Engine, island: number): boolean {
  const { bodies, joints } = tables;
  const square = settings.timeStep * settings.timeStep;
  const start = bodies.islandBodyStart[island];
  const count = bodies.islandBodyCount[island];
  mostLoad.fill(0, 0, count);
  const first = bodies.islandJointStart[island];
  for (let i = first; i < first + bodies.islandJointCount[island]; i++) {
    const joint = joints.islandJoints[i];
    const force = lengthAt(joints.reaction, 8 * joint);
    for (let end = 0; end < 2; end++) {
      const body = joints.body[2 * joint + end];
      if (body < 0 || bodies.inverseMass[body] === 0) continue;
      mostLoad[rowOf[body] / ROW] += square * force * lengthAt(joints.frame, jointFrameAt(joint, end));
    }
  }
  const m = bodies.inverseInertia;
  let isAny = false;
  for (let i = 0; i < count; i++) {
    const at = 8 * bodies.islandBodies[start + i];
    if (mostLoad[i] * (m[at] + m[at + 1] + m[at + 2]) <= SURELY_STABLE * STABLE) mostLoad[i] = 0;
    else isAny = true;
  }
  return isAny;
}

function lengthAt(v: Float64Array, at: number): number {
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}

/** Adds what the load at one end of a joint does to its body. */
function addEnd(engine: Engine, joint: number, end: number): void {
  const { bodies, joints } = engine.tables;
  const body = joints.body[2 * joint + end];
  if (body < 0 || bodies.inverseMass[body] === 0) return;
  const row = rowOf[body];
  if (mostLoad[row / ROW] === 0) return;
  rotateVector(arm, 0, bodies.rotation, 4 * body, joints.frame, jointFrameAt(joint, end));
  const sign = end === 1 ? 1 : -1;
  const x = sign * joints.reaction[8 * joint];
  const y = sign * joints.reaction[8 * joint + 1];
  const z = sign * joints.reaction[8 * joint + 2];
  const force = Math.sqrt(x * x + y * y + z * z);
  const length = Math.sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
  stiffness[row + REACH] += (length * length) / bodies.inverseMass[body];
  stiffness[row + JOINTS]++;
  if (!(force > 0 && length > 0 && force < Number.POSITIVE_INFINITY)) return;
  const h = engine.settings.timeStep;
  const k = 0.5 * h * h * (arm[0] * x + arm[1] * y + arm[2] * z + force * length);
  // Not about the line between arm and force.
  let nx = arm[0] / length + x / force;
  let ny = arm[1] / length + y / force;
  let nz = arm[2] / length + z / force;
  const n = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (n < 1e-9) return;
  nx /= n;
  ny /= n;
  nz /= n;
  stiffness[row] += k * (1 - nx * nx);
  stiffness[row + 1] += k * (1 - ny * ny);
  stiffness[row + 2] += k * (1 - nz * nz);
  stiffness[row + 3] -= k * nx * ny;
  stiffness[row + 4] -= k * nx * nz;
  stiffness[row + 5] -= k * ny * nz;
}

function stiffenBody(engine: Engine, body: number, row: number): void {
  const { bodies } = engine.tables;
  if (stiffness[row + JOINTS] === 0 || bodies.flags[body] & L.BODY_LOCKS) return;
  const trace = stiffness[row] + stiffness[row + 1] + stiffness[row + 2];
  if (!(trace > 0)) return;
  const m = bodies.inverseInertia;
  const at = 8 * body;
  // trace of I⁻¹ k over that of k: one over the inertia about the axes that are stiff.
  let product = 0;
  for (let k = 0; k < 6; k++) product += (k < 3 ? 1 : 2) * m[at + k] * stiffness[row + k];
  // What hangs on one joint turns about that.
  const own = trace / product + (stiffness[row + JOINTS] === 1 ? stiffness[row + REACH] : 0);
  const excess = trace / 2 - STABLE * own;
  if (!(excess > 0)) return;
  const share = excess / (trace / 2);
  turnTensor(inertia, 0, bodies.localInertia, at, bodies.rotation, 4 * body);
  const w = bodies.angularVelocity;
  multiply(spin, inertia, w, 4 * body);
  for (let k = 0; k < 6; k++) inertia[k] += share * stiffness[row + k];
  invert(bodies.inverseInertia, 8 * body, inertia);
  const before = [w[4 * body], w[4 * body + 1], w[4 * body + 2]];
  multiplyAt(w, 4 * body, bodies.inverseInertia, 8 * body, spin);
  for (let k = 0; k < 3; k++) bodies.motion[8 * body + ANGULAR + k] += w[4 * body + k] - before[k];
}

function multiply(out: Float64Array, m: Float64Array, v: Float64Array, at: number): void {
  out[0] = m[0] * v[at] + m[3] * v[at + 1] + m[4] * v[at + 2];
  out[1] = m[3] * v[at] + m[1] * v[at + 1] + m[5] * v[at + 2];
  out[2] = m[4] * v[at] + m[5] * v[at + 1] + m[2] * v[at + 2];
}

function multiplyAt(out: Float64Array, at: number, m: Float64Array, mAt: number, v: Float64Array): void {
  const [x, y, z] = v;
  out[at] = m[mAt] * x + m[mAt + 3] * y + m[mAt + 4] * z;
  out[at + 1] = m[mAt + 3] * x + m[mAt + 1] * y + m[mAt + 5] * z;
  out[at + 2] = m[mAt + 4] * x + m[mAt + 5] * y + m[mAt + 2] * z;
}

function invert(out: Float64Array, at: number, [xx, yy, zz, xy, xz, yz]: Float64Array): void {
  const cx = yy * zz - yz * yz;
  const cy = xz * yz - xy * zz;
  const cz = xy * yz - yy * xz;
  const inverse = 1 / (xx * cx + xy * cy + xz * cz);
  out[at] = cx * inverse;
  out[at + 1] = (xx * zz - xz * xz) * inverse;
  out[at + 2] = (xx * yy - xy * xy) * inverse;
  out[at + 3] = cy * inverse;
  out[at + 4] = cz * inverse;
  out[at + 5] = (xy * xz - xx * yz) * inverse;
}
