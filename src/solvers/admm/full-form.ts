/**
 * ADMM for problem files in full form, A v = f + Hᵀ r, u = H v + w, of any elastic object with nodes.
 *
 * The method needs Assumption 1 of Daviet 2020: each 3×3 block of H is one number times one rotation, the same
 * rotation (or reflection) for all nodes of a contact: its frame. Nodes are found from the columns of H: three
 * neighbouring columns each. Unknowns that H never touches (twists) may lie between them. Allocates; not for the step.
 */
import { UsageError } from '../../core/errors';
import { solveLdl } from '../../math/sparse-ldl';
import { factorMass, type SparseEntries } from '../sparse-form';
import type { AdmmOptions } from './options';
import {
  type AdmmProblem,
  addContact,
  CONTACT_BILATERAL,
  CONTACT_COULOMB,
  CONTACT_MU,
  CONTACT_SCALE,
  createAdmmProblem,
  resizeAdmmProblem,
} from './problem';
import { type AdmmReport, createAdmmReport, solveAdmm } from './solve';
import { createAdmmState, resizeAdmmState } from './state';
import { nodeWeight } from './weights';

/** A problem file in full form, as far as ADMM needs it. */
export interface FullForm {
  readonly contacts: number;
  readonly mu: ArrayLike<number>;
  readonly bilateral: ArrayLike<number> | null;
  readonly A: SparseEntries;
  readonly f: ArrayLike<number>;
  readonly H: SparseEntries;
  readonly w: ArrayLike<number>;
}

/** Part of a block's size up to which it may differ from a number times a rotation [-]. */
const ROTATION_ERROR = 1e-6;

/**
 * Solves from nothing; r three impulses a contact [N·s] in the file's frames. `onIteration` is told before each
 * iteration but the first, r as it is by then. Throws UsageError when H has not the form.
 */
export function solveFullForm(
  file: FullForm,
  options: AdmmOptions,
  r: Float64Array,
  onIteration?: (iterations: number) => void,
): AdmmReport {
  const problem = createAdmmProblem();
  resizeAdmmProblem(problem, file.A.rows, 0);
  // δ∞ in files is a velocity: there is no time step.
  problem.timeStep = 1;
  const nodes = findNodes(file.H);
  const frames = readContacts(problem, file, nodes);
  writeWeights(problem, file.A, nodes);
  for (let i = 0; i < file.A.rows; i++) problem.f[i] = file.f[i];

  const state = createAdmmState();
  resizeAdmmState(state, file.A.rows);
  const free = Float64Array.from(file.f);
  solveLdl(factorMass(file.A), free);
  state.v.set(free);
  state.lambda.fill(0);
  const factor = factorMass(addDiagonal(file.A, problem.weight));
  const size = file.A.rows;
  const work = new Float64Array(size);
  const report = createAdmmReport();
  let solves = 0;
  const operator = {
    solve(v: Float64Array, right: Float64Array): void {
      if (onIteration && solves > 0) {
        readForces(r, problem, frames);
        onIteration(solves);
      }
      solves++;
      for (let i = 0; i < size; i++) work[i] = right[i];
      solveLdl(factor, work);
      v.set(work);
    },
  };
  solveAdmm(problem, operator, state, options, report);
  readForces(r, problem, frames);
  return report;
}

/** r in the file's frames. */
function readForces(r: Float64Array, { contacts }: AdmmProblem, frames: Float64Array): void {
  const { force } = contacts;
  for (let c = 0; c < contacts.count; c++) {
    const s = force[4 * c + CONTACT_SCALE];
    for (let i = 0; i < 3; i++) {
      r[3 * c + i] = 0;
      for (let k = 0; k < 3; k++) r[3 * c + i] += s > 0 ? (frames[9 * c + 3 * i + k] * force[4 * c + k]) / s : 0;
    }
  }
}

/** First unknown of the node that each column of H belongs to, −1 for columns that H never touches. */
function findNodes(H: SparseEntries): Int32Array {
  const node = new Int32Array(H.columns).fill(-1);
  const touched = new Uint8Array(H.columns);
  for (let k = 0; k < H.value.length; k++) if (H.value[k] !== 0) touched[H.column[k]] = 1;
  for (let i = 0; i < H.columns; i++) {
    if (!touched[i]) continue;
    if (i + 2 >= H.columns || !touched[i + 1] || !touched[i + 2]) {
      throw new UsageError(
        `H: must act on nodes of three neighbouring columns for admm, got column ${i} without its next two`,
      );
    }
    node[i] = node[i + 1] = node[i + 2] = i;
    i += 2;
  }
  return node;
}

/** Rows of the problem from H, w, mu; returns the frame of each contact, nine numbers. */
function readContacts(problem: AdmmProblem, file: FullForm, nodes: Int32Array): Float64Array {
  const { H, w, mu, bilateral, contacts: count } = file;
  const blocks: Map<number, Float64Array>[] = Array.from({ length: count }, () => new Map());
  for (let k = 0; k < H.value.length; k++) {
    const node = nodes[H.column[k]];
    if (node < 0) continue;
    const row = blocks[Math.floor(H.row[k] / 3)];
    let block = row.get(node);
    if (!block) {
      block = new Float64Array(9);
      row.set(node, block);
    }
    block[3 * (H.row[k] % 3) + H.column[k] - node] += H.value[k];
  }
  const frames = new Float64Array(9 * count);
  const { contacts } = problem;
  for (let c = 0; c < count; c++) {
    const c4 = 4 * addContact(contacts, bilateral?.[c] === 1 ? CONTACT_BILATERAL : CONTACT_COULOMB);
    const places = [...blocks[c].keys()].sort((a, b) => a - b);
    if (places.length > 4) {
      throw new UsageError(`H: must join at most 4 nodes a contact for admm, got ${places.length} in contact ${c}`);
    }
    if (places.length === 0) frames.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * c);
    places.forEach((node, k) => {
      const block = blocks[c].get(node) as Float64Array;
      if (k === 0) {
        const size = Math.sqrt(dot(block, 0, block, 0));
        for (let i = 0; i < 9; i++) frames[9 * c + i] = block[i] / size;
      }
      contacts.node[c4 + k] = node;
      contacts.coefficient[c4 + k] = readCoefficient(block, frames, c);
    });
    for (let i = 0; i < 3; i++) {
      contacts.normal[c4 + i] = frames[9 * c + i];
      for (let k = 0; k < 3; k++) contacts.offset[c4 + i] += frames[9 * c + 3 * k + i] * w[3 * c + k];
    }
    contacts.normal[c4 + CONTACT_MU] = Math.min(mu[c], 1e6);
  }
  return frames;
}

/** b of a block b·R; refuses a block that is none. */
function readCoefficient(block: Float64Array, frames: Float64Array, c: number): number {
  let b = 0;
  for (let i = 0; i < 3; i++) b += dot(block, 3 * i, frames, 9 * c + 3 * i) / 3;
  let wrong = 0;
  for (let i = 0; i < 9; i++) wrong = Math.max(wrong, Math.abs(block[i] - b * frames[9 * c + i]));
  // The frame itself must be orthonormal: its rows by Gram's matrix.
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      wrong = Math.max(
        wrong,
        Math.abs(b) * Math.abs(dot(frames, 9 * c + 3 * i, frames, 9 * c + 3 * j) - (i === j ? 1 : 0)),
      );
    }
  }
  if (!(wrong <= ROTATION_ERROR * Math.max(Math.abs(b), 1e-3))) {
    throw new UsageError(
      `H: must be made of numbers times rotations for admm, got a block of contact ${c} that is off by ` +
        `${wrong.toPrecision(3)}`,
    );
  }
  return b;
}

function dot(a: Float64Array, at: number, b: Float64Array, bAt: number): number {
  return a[at] * b[bAt] + a[at + 1] * b[bAt + 1] + a[at + 2] * b[bAt + 2];
}

/** §6.2.6 with the diagonal of A for lack of masses: w = η where no mass is known, kept near it by σ and β. */
function writeWeights(problem: AdmmProblem, A: SparseEntries, nodes: Int32Array): void {
  const blocks = new Float64Array(9 * A.rows);
  const rowSum = new Float64Array(A.rows);
  for (let k = 0; k < A.value.length; k++) {
    const i = A.row[k];
    const j = A.column[k];
    rowSum[i] += A.value[k];
    const node = nodes[i];
    if (node >= 0 && nodes[j] === node) blocks[9 * node + 3 * (i - node) + (j - node)] += A.value[k];
  }
  problem.weight.fill(0);
  problem.inverseWeight.fill(0);
  for (let node = 0; node < A.rows; node++) {
    if (nodes[node] !== node) continue;
    const b = 9 * node;
    // Rigid translations strain nothing, so a node's rows add up to about its mass; a held node's do not.
    const mass = Math.max((rowSum[node] + rowSum[node + 1] + rowSum[node + 2]) / 3, 0);
    const w = nodeWeight(blocks, b, mass);
    for (let k = node; k < node + 3; k++) {
      problem.weight[k] = w;
      problem.inverseWeight[k] = 1 / w;
    }
  }
}

function addDiagonal(A: SparseEntries, weight: Float64Array): SparseEntries {
  const { rows, columns } = A;
  const row = [...Array.from(A.row), ...Array.from({ length: rows }, (_, i) => i)];
  const column = [...Array.from(A.column), ...Array.from({ length: rows }, (_, i) => i)];
  const value = [...Array.from(A.value), ...Array.from(weight.subarray(0, rows))];
  return { rows, columns, row, column, value };
}
