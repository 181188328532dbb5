/** The compressed problems of the folder `friction`, as the reader gives them, and their published solutions. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readProblem } from '../../src/scene/problem';
import type { ContactProblem } from '../../src/solvers/contact-problem';
import { contactProblemFromSparse } from '../../src/solvers/sparse-form';

const folder = fileURLToPath(new URL('./friction/', import.meta.url));

export interface PublishedProblem {
  name: string;
  problem: ContactProblem;
  /** Published velocities [m/s] and impulses [N·s]. */
  u: number[];
  r: number[];
  /** Rank of W. */
  rank: number;
}

interface RawProblem {
  W: { entries: [number, number, number][] };
}

/** The file's JSON, its upper triangle mirrored where only that is stored. */
export function rawProblem(name: string): RawProblem {
  const raw = JSON.parse(read(`${name}.problem.json.gz`)) as RawProblem;
  const { entries } = raw.W;
  if (entries.every(([i, j]) => i <= j)) {
    for (const [i, j, x] of entries.slice()) if (i !== j) entries.push([j, i, x]);
  }
  return raw;
}

function read(name: string): string {
  return gunzipSync(readFileSync(`${folder}${name}`)).toString('utf8');
}

export const problemNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.problem.json.gz'))
  .map((name) => name.replace('.problem.json.gz', ''))
  .sort((a, b) => (a < b ? -1 : 1));

const loaded = new Map<string, PublishedProblem>();

/** A problem, read once for all who ask for it: nobody writes into it. */
export function loadProblem(name: string): PublishedProblem {
  const known = loaded.get(name) ?? readPublished(name);
  loaded.set(name, known);
  return known;
}

function readPublished(name: string): PublishedProblem {
  const file = readProblem(rawProblem(name));
  if (file.form !== 'reduced') throw new Error(`${name}: expected the reduced form`);
  const { u, r, W_rank: rank } = JSON.parse(read(`${name}.solution.json.gz`));
  return { name, problem: contactProblemFromSparse(file.W, file.b, file.mu), u, r, rank };
}

/**
 * ‖r − P_K(r − (u + mu‖u_T‖ e_N))‖ / max(1, ‖b‖), the projection written out here once more, so that
 * the judge shares no code with the solvers.
 */
export function naturalMapOf(problem: ContactProblem, r: ArrayLike<number>): number {
  const { contactCount: n, rowStart, column, values, b, mu } = problem;
  let miss = 0;
  let scale = 0;
  for (let c = 0; c < n; c++) {
    const u = [b[3 * c], b[3 * c + 1], b[3 * c + 2]];
    for (const x of u) scale += x * x;
    for (let k = rowStart[c]; k < rowStart[c + 1]; k++) {
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) u[i] += values[9 * k + 3 * i + j] * r[3 * column[k] + j];
      }
    }
    const own = [r[3 * c], r[3 * c + 1], r[3 * c + 2]];
    const x = [own[0] - u[0] - mu[c] * Math.hypot(u[1], u[2]), own[1] - u[1], own[2] - u[2]];
    const length = Math.hypot(x[1], x[2]);
    let projected = x;
    if (length > mu[c] * x[0]) {
      const normal = (x[0] + mu[c] * length) / (1 + mu[c] ** 2);
      const side = normal > 0 ? (mu[c] * normal) / length : 0;
      projected = normal > 0 ? [normal, side * x[1], side * x[2]] : [0, 0, 0];
    }
    for (let i = 0; i < 3; i++) miss += (own[i] - projected[i]) ** 2;
  }
  return Math.sqrt(miss) / Math.max(1, Math.sqrt(scale));
}
