// The angle across an edge of a shell, and how it changes.
//
// Nodes x0, x1 of the edge, x2 opposite in its first triangle (which runs from x0 to x1), x3 in its second. With e = x1
// − x0 and the normals a = e × (x2 − x0), b = (x3 − x0) × e the angle is atan2((b × a)·ê, a·b): 0 where it
// is flat, positive where the fold opens towards the normals.
//
// What the angles cost: hinge-compliance.ts. Hessian: Gauss–Newton, without the second derivative of the angle.

import { LEAST_HINGE_HEIGHT } from '../../core/elastic-constants';
import { arctangent } from '../../math/trigonometry';

const e = new Float64Array(3);
const u = new Float64Array(3);
const v = new Float64Array(3);
const a = new Float64Array(3);
const b = new Float64Array(3);

/** D/3 of a shell [N·m]: bending modulus [Pa], half thickness [m], Poisson's ratio. */
export function hingeStiffness(modulus: number, half: number, poisson: number): number {
  return (2 * modulus * half * half * half) / (9 * (1 - poisson * poisson));
}

function open(x: ArrayLike<number>, p: number, q: number, r: number, s: number): void {
  for (let k = 0; k < 3; k++) {
    e[k] = x[q + k] - x[p + k];
    u[k] = x[r + k] - x[p + k];
    v[k] = x[s + k] - x[p + k];
  }
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    a[k] = e[i] * u[j] - e[j] * u[i];
    b[k] = v[i] * e[j] - v[j] * e[i];
  }
}

const dot = (x: Float64Array, y: Float64Array): number => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];

function angleOf(length: number): number {
  const sine =
    ((b[1] * a[2] - b[2] * a[1]) * e[0] + (b[2] * a[0] - b[0] * a[2]) * e[1] + (b[0] * a[1] - b[1] * a[0]) * e[2]) /
    length;
  return arctangent(sine, dot(a, b));
}

/**
 * Angle at four nodes of `x`, `stride` numbers each [rad]. `nodes`: as MESH_EDGE_NODE; `first`: the node that x begins
 * with.
 */
export function hingeAngle(x: ArrayLike<number>, stride: number, nodes: ArrayLike<number>, first = 0): number {
  const [p, q, r, s] = [0, 1, 2, 3].map((k) => stride * (nodes[k] - first));
  open(x, p, q, r, s);
  return angleOf(Math.sqrt(dot(e, e)));
}

/**
 * Angle at the nodes at `p`, `q` (the edge), `r`, `s` of x [rad]; gradient (12) := its derivative [rad/m]. A triangle
 * that lies on its edge counts as if it had a little height.
 */
export function differentiateHinge(
  gradient: Float64Array,
  x: ArrayLike<number>,
  p: number,
  q: number,
  r: number,
  s: number,
): number {
  open(x, p, q, r, s);
  const square = dot(e, e);
  const length = Math.sqrt(square);
  const least = LEAST_HINGE_HEIGHT * LEAST_HINGE_HEIGHT * square * square;
  const ofA = length / Math.max(dot(a, a), least);
  const ofB = length / Math.max(dot(b, b), least);
  // Where the opposite nodes are along the edge.
  const onA = dot(u, e) / square;
  const onB = dot(v, e) / square;
  for (let k = 0; k < 3; k++) {
    const ga = ofA * a[k];
    const gb = ofB * b[k];
    gradient[6 + k] = ga;
    gradient[9 + k] = gb;
    gradient[k] = -(1 - onA) * ga - (1 - onB) * gb;
    gradient[3 + k] = -onA * ga - onB * gb;
  }
  return angleOf(length);
}

/** What an angle is beyond another, within half a turn [rad]. */
export function angleBeyond(angle: number, rest: number): number {
  const change = angle - rest;
  if (change > Math.PI) return change - 2 * Math.PI;
  return change < -Math.PI ? change + 2 * Math.PI : change;
}
