/** Problems for ADMM: random contact sets on free nodes, and the bundle of 61 hairs. */
import {
  type AdmmProblem,
  addContact,
  CONTACT_COULOMB,
  createAdmmProblem,
  resizeAdmmProblem,
} from '../../src/solvers/admm/problem';
import { type ContactProblem, contactProblemFromDense } from '../../src/solvers/contact-problem';
import type { SparseEntries } from '../../src/solvers/sparse-form';
import { createRandom } from './assemble-scenes';

/** A unit vector. */
function direction(random: () => number): number[] {
  for (;;) {
    const v = [0, 1, 2].map(() => 2 * random() - 1);
    const l = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (l > 0.1 && l <= 1) return v.map((x) => x / l);
  }
}

/** Contacts between random edges of `nodes` free nodes of random weights; f holds velocities times weights. */
export function randomProjection(nodes: number, contacts: number, seed: number): AdmmProblem {
  const random = createRandom(seed);
  const problem = createAdmmProblem();
  resizeAdmmProblem(problem, 4 * nodes, 0);
  for (let j = 0; j < nodes; j++) {
    const w = 10 ** (2 * random() - 1);
    for (let k = 0; k < 3; k++) {
      problem.weight[4 * j + k] = w;
      problem.inverseWeight[4 * j + k] = 1 / w;
      problem.f[4 * j + k] = w * (2 * random() - 1);
    }
  }
  for (let i = 0; i < contacts; i++) {
    const c = addContact(problem.contacts, CONTACT_COULOMB);
    const a = Math.floor(random() * (nodes - 1));
    let b = Math.floor(random() * (nodes - 1));
    while (Math.abs(a - b) < 2) b = Math.floor(random() * (nodes - 1));
    const s = random();
    const t = random();
    problem.contacts.node.set([4 * a, 4 * a + 4, 4 * b, 4 * b + 4], 4 * c);
    problem.contacts.coefficient.set([1 - s, s, t - 1, -t], 4 * c);
    problem.contacts.normal.set([...direction(random), 1.2 * random()], 4 * c);
    for (let k = 0; k < 3; k++) problem.contacts.offset[4 * c + k] = 0.3 * (2 * random() - 1);
  }
  return problem;
}

/** Rows: normal, two tangents. */
export function frameOf(normal: ArrayLike<number>, at: number): number[] {
  const n = [normal[at], normal[at + 1], normal[at + 2]];
  const e = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  let t = [n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]];
  const l = Math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  t = t.map((x) => x / l);
  return [...n, ...t, n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]];
}

/** The projection of W⁻¹ f as a reduced problem, S = B W⁻¹ Bᵀ, in frames with the normal first. */
export function reduceProjection(problem: AdmmProblem): { reduced: ContactProblem; frames: number[][] } {
  const { contacts, f, inverseWeight } = problem;
  const n = contacts.count;
  const frames = Array.from({ length: n }, (_, c) => frameOf(contacts.normal, 4 * c));
  const S = new Float64Array(9 * n * n);
  const b = new Float64Array(3 * n);
  for (let c = 0; c < n; c++) {
    for (let d = 0; d < n; d++) {
      let share = 0;
      for (let i = 0; i < 4; i++) {
        for (let j = 0; j < 4; j++) {
          const at = contacts.node[4 * c + i];
          if (at !== contacts.node[4 * d + j]) continue;
          share += contacts.coefficient[4 * c + i] * contacts.coefficient[4 * d + j] * inverseWeight[at];
        }
      }
      if (share === 0) continue;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) sum += frames[c][3 * i + k] * frames[d][3 * j + k];
          S[(3 * c + i) * 3 * n + 3 * d + j] = share * sum;
        }
      }
    }
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) {
        let u = contacts.offset[4 * c + k];
        for (let m = 0; m < 4; m++) {
          const at = contacts.node[4 * c + m];
          u += contacts.coefficient[4 * c + m] * inverseWeight[at + k] * f[at + k];
        }
        b[3 * c + i] += frames[c][3 * i + k] * u;
      }
    }
  }
  const mu = Array.from({ length: n }, (_, c) => contacts.normal[4 * c + 3]);
  return { reduced: contactProblemFromDense(S, b, mu), frames };
}

/** r of the problem's contacts in the given frames. */
export function impulsesOf(problem: AdmmProblem, frames: number[][]): Float64Array {
  const { force, count } = problem.contacts;
  const r = new Float64Array(3 * count);
  for (let c = 0; c < count; c++) {
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) r[3 * c + i] += (frames[c][3 * i + k] * force[4 * c + k]) / force[4 * c + 3];
    }
  }
  return r;
}

/** Full-form problem: A, f, H, w, mu. */
export interface BundleProblem {
  contacts: number;
  mu: Float64Array;
  bilateral: null;
  A: SparseEntries;
  f: Float64Array;
  H: SparseEntries;
  w: Float64Array;
}

/**
 * Parallel hairs in a hexagonal lattice of `rings` rings (4: 61 hairs, 2964 contacts): spacing 80 µm, 0.1 m long, 21
 * vertices of which two are clamped, radius 40 µm, 1300 kg/m³, E 3.5 GPa linearised stretch and bending, a contact
 * at each free vertex between neighbours, mu 0.3, dt 1 ms, gravity along the hairs, random velocities of 0.05 m/s
 * and an inward one of 2000 1/s times the distance from the axis.
 */
export function hairBundle(rings: number, seed: number): BundleProblem {
  const random = createRandom(seed);
  const spacing = 80e-6;
  const vertices = 21;
  const free = vertices - 2;
  const edge = 0.1 / (vertices - 1);
  const radius = 40e-6;
  const dt = 1e-3;
  const section = Math.PI * radius * radius;
  const young = 3.5e9;
  const stretch = (young * section) / edge;
  const bend = (young * Math.PI * radius ** 4) / 4 / edge ** 3;
  const centers: [number, number][] = [];
  for (let i = -rings; i <= rings; i++) {
    for (let j = -rings; j <= rings; j++) {
      if (Math.abs(i + j) > rings) continue;
      centers.push([spacing * (i + j / 2), spacing * j * Math.sqrt(0.75)]);
    }
  }
  const entries = { row: [] as number[], column: [] as number[], value: [] as number[] };
  const add = (i: number, j: number, x: number) => {
    if (x === 0) return;
    entries.row.push(i);
    entries.column.push(j);
    entries.value.push(x);
  };
  const size = 3 * free * centers.length;
  const f = new Float64Array(size);
  centers.forEach(([x, y], h) => {
    const mass = 1300 * section * edge;
    for (let v = 0; v < free; v++) {
      const at = 3 * (free * h + v);
      const m = v === free - 1 ? mass / 2 : mass;
      for (let k = 0; k < 3; k++) add(at + k, at + k, m);
      f[at] = m * (0.05 * (2 * random() - 1) - 2000 * x);
      f[at + 1] = m * (0.05 * (2 * random() - 1) - 2000 * y);
      f[at + 2] = m * (0.05 * (2 * random() - 1) + 9.81 * dt);
    }
    // Vertex v of the hair is free vertex v − 2; stretch along z, bending across.
    for (let v = 1; v < vertices - 1; v++) {
      for (const [p, sp] of [
        [v, -1],
        [v + 1, 1],
      ]) {
        for (const [q, sq] of [
          [v, -1],
          [v + 1, 1],
        ]) {
          if (p < 2 || q < 2) continue;
          add(3 * (free * h + p - 2) + 2, 3 * (free * h + q - 2) + 2, dt * dt * stretch * sp * sq);
        }
      }
      const second: [number, number][] = [
        [v - 1, 1],
        [v, -2],
        [v + 1, 1],
      ];
      for (const [p, sp] of second) {
        for (const [q, sq] of second) {
          if (p < 2 || q < 2) continue;
          for (let k = 0; k < 2; k++) {
            add(3 * (free * h + p - 2) + k, 3 * (free * h + q - 2) + k, dt * dt * bend * sp * sq);
          }
        }
      }
    }
  });
  const jacobian = { row: [] as number[], column: [] as number[], value: [] as number[] };
  const w: number[] = [];
  let contacts = 0;
  for (let a = 0; a < centers.length; a++) {
    for (let b = a + 1; b < centers.length; b++) {
      const dx = centers[a][0] - centers[b][0];
      const dy = centers[a][1] - centers[b][1];
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (distance > 1.01 * spacing) continue;
      const frame = frameOf([dx / distance, dy / distance, 0], 0);
      for (let v = 0; v < free; v++) {
        for (let i = 0; i < 3; i++) {
          for (let k = 0; k < 3; k++) {
            if (frame[3 * i + k] === 0) continue;
            for (const [h, sign] of [
              [a, 1],
              [b, -1],
            ]) {
              jacobian.row.push(3 * contacts + i);
              jacobian.column.push(3 * (free * h + v) + k);
              jacobian.value.push(sign * frame[3 * i + k]);
            }
          }
          w.push(i === 0 ? (distance - 2 * radius) / dt : 0);
        }
        contacts++;
      }
    }
  }
  return {
    contacts,
    mu: new Float64Array(contacts).fill(0.3),
    bilateral: null,
    A: { rows: size, columns: size, ...entries },
    f,
    H: { rows: 3 * contacts, columns: size, ...jacobian },
    w: Float64Array.from(w),
  };
}
