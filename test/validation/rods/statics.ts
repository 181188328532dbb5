// Static equilibrium and stability of one strand, for comparison with closed forms.
//
// The exact stiffness (geometric terms included) is taken by central differences of the engine's own forces, frames
// carried along; equilibria come from Newton's method on it, thresholds from the signs of its pivots.
//
// Clamp discretisation: a clamp holds two nodes, and the curvature at the inner one reaches to the middle of the held
// edge. So the rod proper begins at that middle: with n nodes, one clamp and free length L the edge is
// ℓ = L/(n − 1.5), the start node at −ℓ/2; with two clamps ℓ = L/(n − 2).

import { expect } from 'vitest';
import { factorBanded, solveBanded } from '../../../src/math/banded-ldl';
import { strandEnergy, strandForces } from '../../../src/mechanics/rod/strand-energy';
import { updateFrames } from '../../../src/mechanics/rod/update-frames';
import * as S from '../../mechanics/rod/strand-world';
import { bySuite } from '../../setup/suite';

/** Radius of the test rods [m]; it only sets the split of EI, GJ and k_s A into moduli. */
const RADIUS = 0.01;
const AREA = Math.PI * RADIUS ** 2;

export interface Statics {
  world: S.StrandWorld;
  strand: number;
  size: number;
  /** 1 where an unknown is held. */
  held: Uint8Array;
  /** Dead loads on the unknowns [N, N·m]. */
  load: Float64Array;
}

export interface RodSpec {
  points: number[];
  restPoints?: number[];
  /** EI [N·m²], GJ [N·m²], k_s A [N]; mass per length [kg/m]. */
  bend: number;
  twist?: number;
  stretch: number;
  lineDensity?: number;
}

/** A rod of given stiffnesses, nothing held, no load. */
export function createStatics(spec: RodSpec): Statics {
  const world = S.createStrandWorld(1, [0, 0, 0]);
  const moment = (AREA * RADIUS ** 2) / 4;
  const strand = S.addStrand(world, {
    points: spec.points,
    ...(spec.restPoints ? { restPoints: spec.restPoints } : {}),
    radius: RADIUS,
    density: (spec.lineDensity ?? 1) / AREA,
    young: spec.bend / moment,
    shear: (spec.twist ?? spec.bend / 1.5) / (2 * moment),
    stretch: spec.stretch / AREA,
  });
  const size = 4 * world.tables.strands.nodes[strand];
  const held = new Uint8Array(size);
  held[size - 1] = 1;
  return { world, strand, size, held, load: new Float64Array(size) };
}

/** Keeps the rod in the plane z = 0, untwisted. */
export function holdPlane(s: Statics): void {
  for (let k = 0; k < s.size; k++) if (k % 4 > 1) s.held[k] = 1;
}

/** Holds the start clamp: two nodes and the first θ. */
export function holdStart(s: Statics): void {
  s.held.fill(1, 0, 7);
}

/** Weight w per length along −y, on the lumped masses of a rod of unit line density. */
export function addWeight(s: Statics, w: number): void {
  const { mass } = s.world.tables.nodes;
  for (let i = 0; i < s.size / 4; i++) s.load[4 * i + 1] = -w * mass[2 * i];
}

function position(s: Statics): Float64Array {
  return s.world.tables.nodes.position.subarray(0, s.size);
}

/** x y z of node i (negative: from the end). */
export function nodeAt(s: Statics, i: number): number[] {
  const at = 4 * (i < 0 ? s.size / 4 + i : i);
  return [...position(s).subarray(at, at + 3)];
}

/** Moves by d, frames carried along; returns what undoes it. */
function displace(s: Statics, d: ArrayLike<number>): () => void {
  const { nodes } = s.world.tables;
  const saved = [nodes.position, nodes.previous, nodes.frame].map((c) => c.slice(0, s.size));
  nodes.previous.set(saved[0]);
  for (let k = 0; k < s.size; k++) nodes.position[k] += d[k];
  updateFrames(s.world.tables, s.strand);
  return () => {
    nodes.position.set(saved[0]);
    nodes.previous.set(saved[1]);
    nodes.frame.set(saved[2]);
  };
}

/** Moves by d for good. */
export function move(s: Statics, d: ArrayLike<number>): void {
  displace(s, d);
}

function forcesOf(s: Statics): Float64Array {
  const f = new Float64Array(s.size);
  strandForces(f, 0, s.world.tables, s.strand);
  return f;
}

/** Forces and loads on the free unknowns. */
export function residual(s: Statics): Float64Array {
  const f = forcesOf(s);
  for (let k = 0; k < s.size; k++) f[k] = s.held[k] ? 0 : f[k] + s.load[k];
  return f;
}

/** Elastic energy less the work of the loads [J]. */
function potential(s: Statics): number {
  const e = strandEnergy(s.world.tables, s.strand);
  let sum = e.stretch + e.bend + e.twist;
  const q = position(s);
  for (let k = 0; k < s.size; k++) sum -= s.load[k] * q[k];
  return sum;
}

/** Exact stiffness, symmetrised, as a band; held rows are the identity. */
export function stiffness(s: Statics): Float64Array {
  const { size } = s;
  const H = new Float64Array(11 * size);
  const columns: Float64Array[] = [];
  const edge = Math.hypot(...[0, 1, 2].map((k) => position(s)[4 + k] - position(s)[k]));
  // Columns more than 20 apart do not share a row of the band; 24 keeps x, y, z and θ apart.
  for (let colour = 0; colour < 24; colour++) {
    const d = new Float64Array(size);
    for (let k = colour; k < size; k += 24) if (s.held[k] === 0) d[k] = k % 4 === 3 ? 1e-5 : 1e-5 * edge;
    if (d.every((x) => x === 0)) continue;
    const forces = [1, -1].map((sign) => {
      const undo = displace(
        s,
        d.map((x) => sign * x),
      );
      const f = forcesOf(s);
      undo();
      return f;
    });
    // Of each column what is in the band: 10 rows either side.
    for (let k = colour; k < size; k += 24) {
      const column = new Float64Array(21);
      for (let i = Math.max(0, k - 10); i <= Math.min(size - 1, k + 10); i++)
        column[i - k + 10] = (forces[1][i] - forces[0][i]) / (2 * d[k]);
      columns[k] = column;
    }
  }
  for (let i = 0; i < size; i++) {
    for (let k = 0; k <= Math.min(i, 10); k++) {
      const free = s.held[i] === 0 && s.held[i - k] === 0;
      H[11 * i + k] = free ? 0.5 * (columns[i - k][10 + k] + columns[i][10 - k]) : k === 0 ? 1 : 0;
    }
  }
  return H;
}

/**
 * Newton's method with a mass-weighted shift while the energy does not fall; throws when it does not converge.
 * `force`: what counts as a force of order one where nothing is loaded [N].
 */
export function equilibrate(s: Statics, tolerance = 1e-7, force = 0): void {
  const { mass } = s.world.tables.nodes;
  let shift = 0;
  const loads = [...s.load].reduce((sum, x) => sum + Math.abs(x), 0);
  const scale = Math.max(force, loads + 1e-3 * Math.max(...residual(s).map(Math.abs)));
  for (let round = 0; round < 300; round++) {
    const f = residual(s);
    if (Math.max(...f.map(Math.abs)) < tolerance * scale) return;
    const H = stiffness(s);
    const start = potential(s);
    for (;;) {
      const A = H.slice();
      for (let k = 0; k < s.size; k++) A[11 * k] += shift * mass[2 * (k >> 2) + (k % 4 === 3 ? 1 : 0)];
      const d = f.slice();
      const definite = factorBanded(A, 0, s.size, 10) < 0;
      if (definite) {
        solveBanded(A, 0, s.size, 10, d, 0);
        const undo = displace(s, d);
        const after = potential(s);
        const smaller = Math.max(...residual(s).map(Math.abs)) < 0.5 * Math.max(...f.map(Math.abs));
        if (after < start || smaller) {
          shift = shift < 1e-3 ? 0 : shift / 4;
          break;
        }
        undo();
      }
      shift = Math.max(1, 4 * shift);
      if (shift > 1e15) throw new Error('no equilibrium found');
    }
  }
  throw new Error('no equilibrium found');
}

/** Number of negative pivots of LDLᵀ = number of unstable modes (Sylvester), among the unknowns that `keep` names. */
export function unstableModes(s: Statics, keep: (unknown: number) => boolean = () => true): number {
  const H = stiffness(s);
  return negativePivots(H, s.size, keep);
}

/** Negative pivots of a band matrix, left out unknowns replaced by the identity. */
export function negativePivots(band: Float64Array, size: number, keep: (unknown: number) => boolean): number {
  const H = band.slice();
  let count = 0;
  for (let i = 0; i < size; i++) {
    for (let k = 0; k <= Math.min(i, 10); k++) if (!keep(i) || !keep(i - k)) H[11 * i + k] = k === 0 ? 1 : 0;
  }
  for (let i = 0; i < size; i++) {
    const first = Math.max(0, i - 10);
    for (let j = first; j < i; j++) {
      let sum = H[11 * i + i - j];
      for (let m = Math.max(first, j - 10); m < j; m++) sum -= H[11 * i + i - m] * H[11 * j + j - m] * H[11 * m];
      H[11 * i + i - j] = sum / H[11 * j];
    }
    for (let m = first; m < i; m++) H[11 * i] -= H[11 * i + i - m] ** 2 * H[11 * m];
    if (H[11 * i] < 0) count++;
  }
  return count;
}

/** Where `unstable` turns from false to true between low and high, to a relative 1e-5. */
export function bisect(low: number, high: number, unstable: (value: number) => boolean): number {
  let [a, b] = [low, high];
  while (b - a > 1e-5 * b) {
    const middle = 0.5 * (a + b);
    if (unstable(middle)) b = middle;
    else a = middle;
  }
  return 0.5 * (a + b);
}

/** Points of a rod clamped at x = 0, along +x, free length 1: see the head of this file. */
export function clampedPoints(n: number): number[] {
  const edge = 1 / (n - 1.5);
  return Array.from({ length: n }, (_, i) => [(i - 0.5) * edge, 0, 0]).flat();
}

/** Numbers of nodes at which convergence is looked at. */
export const SIZES = bySuite([16, 32], [16, 32, 64]);

/** Errors at `SIZES`: within 1 % at 64 nodes, each finer one at most 0.4 of the coarser (or below `floor`). */
export function expectConvergence(errors: number[], floor = 1e-5): void {
  if (process.env.SHOW_ERRORS) console.log(errors.map((e) => e.toExponential(2)).join(' '));
  // Of second order: as many times the square of what 64 nodes are more.
  expect(errors[errors.length - 1]).toBeLessThan(0.01 * (64 / SIZES[SIZES.length - 1]) ** 2);
  for (let k = 1; k < errors.length; k++) expect(errors[k]).toBeLessThan(Math.max(0.4 * errors[k - 1], floor));
}
