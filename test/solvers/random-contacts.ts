/** Random problems of one contact: W of a wanted condition, any b, for property tests. */
import { createRandom } from './assemble-scenes';

export interface RandomContact {
  W: Float64Array;
  b: Float64Array;
  mu: number;
}

/** Orthonormal matrix (row-major) by Gram–Schmidt on random rows. */
function rotation(random: () => number): number[] {
  for (;;) {
    const a = [0, 1, 2].map(() => 2 * random() - 1);
    const b = [0, 1, 2].map(() => 2 * random() - 1);
    const la = Math.hypot(...a);
    if (la < 0.1) continue;
    const x = a.map((v) => v / la);
    const along = x[0] * b[0] + x[1] * b[1] + x[2] * b[2];
    const y = b.map((v, i) => v - along * x[i]);
    const ly = Math.hypot(...y);
    if (ly < 0.1) continue;
    for (let i = 0; i < 3; i++) y[i] /= ly;
    const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    return [...x, ...y, ...z];
  }
}

/** W = Qᵀ diag(1, c^-t, c^-1) Q with c up to `condition`; b with a normal part that mostly closes; mu <= 2. */
export function randomContacts(count: number, condition: number, seed: number): RandomContact[] {
  const random = createRandom(seed);
  const out: RandomContact[] = [];
  for (let k = 0; k < count; k++) {
    const c = condition ** random();
    const eigen = [1, c ** -random(), 1 / c];
    const Q = rotation(random);
    const W = new Float64Array(9);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        for (let e = 0; e < 3; e++) W[3 * i + j] += eigen[e] * Q[3 * e + i] * Q[3 * e + j];
      }
    }
    const unit = 10 ** (8 * random() - 4);
    const b = Float64Array.from({ length: 3 }, () => unit * (2 * random() - 1));
    if (random() < 0.8) b[0] = -Math.abs(b[0]);
    const mass = 10 ** (8 * random() - 4);
    out.push({ W: W.map((w) => w * mass), b, mu: 2 * random() });
  }
  return out;
}

/**
 * Scale-free natural map of one contact, for W by its mean diagonal and b by its norm:
 * ‖r − P_K(r − (u + mu‖u_T‖ e_N))‖, written out so that the judge shares no code with the solvers.
 */
export function scaleFreeNaturalMap({ W, b, mu }: RandomContact, r: ArrayLike<number>): number {
  const scale = (W[0] + W[4] + W[8]) / 3;
  const size = Math.hypot(...b);
  const q = [0, 1, 2].map((i) => (r[i] * scale) / size);
  const u = [0, 1, 2].map((i) => b[i] / size + (W[3 * i] * q[0] + W[3 * i + 1] * q[1] + W[3 * i + 2] * q[2]) / scale);
  const x = [q[0] - u[0] - mu * Math.hypot(u[1], u[2]), q[1] - u[1], q[2] - u[2]];
  const length = Math.hypot(x[1], x[2]);
  let p = x;
  if (length > mu * x[0]) {
    const normal = (x[0] + mu * length) / (1 + mu * mu);
    p = normal > 0 ? [normal, (mu * normal * x[1]) / length, (mu * normal * x[2]) / length] : [0, 0, 0];
  }
  return Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
}
