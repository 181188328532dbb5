// The move nearest to a wanted one that a set of planes allows: minimise |x − w|² subject to nᵢ · x ≥ bᵢ.
//
// A strictly convex quadratic program in three unknowns: its solution is unique, at most three planes hold it, and it
// depends continuously on what is asked. So a body in a corner comes to rest in one place instead of being thrown from
// wall to wall, as it is where one plane after the other is met. Planes are few (MOST): all sets of one, two and three
// are tried in order until one fulfils the conditions of Karush, Kuhn and Tucker.

/** Most planes of a question; of more the nearest are taken by the caller. */
const MOST = 24;

/** Half-spaces n · x ≥ b: a normal of any length but 0, three numbers a plane. */
export interface Planes {
  count: number;
  readonly normal: Float64Array;
  readonly least: Float64Array;
}

/** Room for MOST planes. */
export function createPlanes(): Planes {
  return { count: 0, normal: new Float64Array(3 * MOST), least: new Float64Array(MOST) };
}

/** Adds a plane, made a unit one; parallel ones become the stronger of the two. */
export function addPlane(planes: Planes, x: number, y: number, z: number, least: number): void {
  const { normal: n } = planes;
  const length = Math.sqrt(x * x + y * y + z * z);
  const a = x / length;
  const b = y / length;
  const c = z / length;
  const d = least / length;
  for (let i = 0; i < planes.count; i++) {
    if (n[3 * i] * a + n[3 * i + 1] * b + n[3 * i + 2] * c < PARALLEL) continue;
    planes.least[i] = Math.max(planes.least[i], d);
    return;
  }
  if (planes.count === MOST) return;
  const at = 3 * planes.count;
  n[at] = a;
  n[at + 1] = b;
  n[at + 2] = c;
  planes.least[planes.count++] = d;
}

/** Cosine of the angle up to which two planes are one. */
const PARALLEL = 1 - 1e-9;
/** What may be missing of a plane, as a share of the lengths in the question. */
const SLACK = 1e-9;

const gram = new Float64Array(9);
const missing = new Float64Array(3);
const factor = new Float64Array(3);
const held = new Int32Array(3);

/** out = the allowed move nearest to `wanted`; false, `out` as it was, where none is allowed. out may be wanted. */
export function nearestMove(out: Float64Array, planes: Planes, wanted: Float64Array): boolean {
  const { count, normal: n, least } = planes;
  let size = Math.abs(wanted[0]) + Math.abs(wanted[1]) + Math.abs(wanted[2]);
  for (let i = 0; i < count; i++) size = Math.max(size, Math.abs(least[i]));
  const slack = SLACK * size + 1e-14;
  if (tryMove(out, planes, wanted, 0, slack)) return true;
  const short = (i: number) => least[i] - (n[3 * i] * wanted[0] + n[3 * i + 1] * wanted[1] + n[3 * i + 2] * wanted[2]);
  for (held[0] = 0; held[0] < count; held[0]++) {
    factor[0] = short(held[0]);
    if (factor[0] > 0 && tryMove(out, planes, wanted, 1, slack)) return true;
  }
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      held[0] = i;
      held[1] = j;
      if (solveHeld(planes, short, 2) && tryMove(out, planes, wanted, 2, slack)) return true;
    }
  }
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) {
        held[0] = i;
        held[1] = j;
        held[2] = k;
        if (solveHeld(planes, short, 3) && tryMove(out, planes, wanted, 3, slack)) return true;
      }
    }
  }
  return false;
}

/** Multipliers of the planes held, none below 0; false where there are none. */
function solveHeld({ normal: n }: Planes, short: (i: number) => number, count: number): boolean {
  for (let r = 0; r < count; r++) {
    missing[r] = short(held[r]);
    for (let c = 0; c < count; c++) {
      const a = 3 * held[r];
      const b = 3 * held[c];
      gram[3 * r + c] = n[a] * n[b] + n[a + 1] * n[b + 1] + n[a + 2] * n[b + 2];
    }
  }
  const [a, b, c, , d, e, , , f] = gram;
  if (count === 2) {
    const determinant = a * d - b * b;
    if (determinant < 1e-12) return false;
    factor[0] = (d * missing[0] - b * missing[1]) / determinant;
    factor[1] = (a * missing[1] - b * missing[0]) / determinant;
    return factor[0] >= 0 && factor[1] >= 0;
  }
  const xx = d * f - e * e;
  const xy = c * e - b * f;
  const xz = b * e - c * d;
  const determinant = a * xx + b * xy + c * xz;
  if (determinant < 1e-12) return false;
  const yy = a * f - c * c;
  const yz = b * c - a * e;
  const zz = a * d - b * b;
  factor[0] = (xx * missing[0] + xy * missing[1] + xz * missing[2]) / determinant;
  factor[1] = (xy * missing[0] + yy * missing[1] + yz * missing[2]) / determinant;
  factor[2] = (xz * missing[0] + yz * missing[1] + zz * missing[2]) / determinant;
  return factor[0] >= 0 && factor[1] >= 0 && factor[2] >= 0;
}

/** Takes the move that the multipliers of `count` planes make of the wanted one, if all planes allow it. */
function tryMove(
  out: Float64Array,
  { count, normal: n, least }: Planes,
  wanted: Float64Array,
  used: number,
  slack: number,
) {
  let [x, y, z] = wanted;
  for (let h = 0; h < used; h++) {
    const at = 3 * held[h];
    x += factor[h] * n[at];
    y += factor[h] * n[at + 1];
    z += factor[h] * n[at + 2];
  }
  for (let i = 0; i < count; i++) {
    if (n[3 * i] * x + n[3 * i + 1] * y + n[3 * i + 2] * z < least[i] - slack) return false;
  }
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return true;
}
