// The linear system of one implicit Euler step of one strand: A v = f, velocities as unknowns.
//
// Unknowns: 4 a node, x y z θ (θ the twist of the edge that starts there; idle in the last node: identity row).
// Band storage of A: lower triangle by rows, 11 numbers each: entry (i, i − k) at [a + 11·i + k].
//   A = M (1 + dt·c) + (dt·damping + dt²) K,   K: Gauss–Newton for bending and twist, positive part of stretch
//   f = M v + dt (F(q) + M g + M c·wind) + dt² K v_k
// With a guess v_k the forces and K are those of q + dt·v_k: one Newton step on the step's equation from v_k (the
// damping force −damping·K v is linear in v and needs no term). Without one v_k = 0.
// c: air drag [1/s], proportional to mass. Held unknowns (clamps): identity rows, their couplings moved to f.

import { STRAND_QUARANTINED } from '../../state/layout';
import { AIR_DRAG, DAMPING, GRAVITY_SCALE } from '../../state/material-places';
import { REST_CURVATURE, REST_TWIST, REST_VORONOI } from '../../state/node-places';
import type { Tables } from '../../state/tables';
import type { ElasticStep } from '../elastic-kind';
import { prescribeVelocities } from './clamps';
import { differentiateNode, ELEMENT, readSection, type Section, stretchForce } from './elements';
import { measureStrand, type StrandShape } from './measure-strand';

/** Unknowns a node. */
export const STRAND_UNKNOWNS = 4;
/** Half-bandwidth of a strand's matrix: a node's element spans eleven neighbouring unknowns. */
export const STRAND_HALF_BANDWIDTH = 10;

/** Where one strand's system is written: A from `a` on (44 numbers a node), f from `b` on (4 a node). */
export interface BandSystem {
  A: Float64Array;
  a: number;
  f: Float64Array;
  b: number;
}

/** How forces and stiffness enter A and f. */
interface Scales {
  /** [s] */
  readonly dt: number;
  /** Factor of K in A, dt² + dt·damping [s²]. */
  readonly stiffness: number;
  /** Whether the step is linearised at a guess. */
  readonly isGuessed: boolean;
}

const WIDTH = STRAND_HALF_BANDWIDTH + 1;
const section: Section = { stretch: 0, bend: 0, twist: 0 };
let mask = new Uint8Array(256);
let held = new Float64Array(256);

/**
 * Writes A (44 numbers a node) and f (4 a node) of `strand` for one step. `velocityGuess`: 4 numbers a node or null.
 * Reads the node rows, the rods row and, for clamps, the attached bodies; writes nothing else. A quarantined
 * strand gets the identity and f = 0. A is symmetric positive definite.
 */
export function assembleStrand(
  out: BandSystem,
  tables: Tables,
  strand: number,
  step: ElasticStep,
  velocityGuess: Float64Array | null,
): void {
  const { A, a, f, b } = out;
  const n = tables.strands.nodes[strand];
  const size = STRAND_UNKNOWNS * n;
  A.fill(0, a, a + WIDTH * size);
  f.fill(0, b, b + size);
  if (tables.strands.flags[strand] & STRAND_QUARANTINED) {
    for (let i = 0; i < size; i++) A[a + WIDTH * i] = 1;
    return;
  }
  const dt = step.timeStep;
  const rod = tables.strands.rod[strand];
  const stiffness = dt * (dt + tables.rods.parameter[8 * rod + DAMPING]);
  const shape = measureStrand(tables, strand, velocityGuess, dt);
  addElastic(out, tables, strand, shape, { dt, stiffness, isGuessed: velocityGuess !== null });
  // f += dt² K v_k, from the part of A that holds K alone so far.
  if (velocityGuess !== null) addBandProduct(out, size, (dt * dt) / stiffness, velocityGuess);
  addInertia(out, tables, strand, step);
  holdUnknowns(out, tables, strand, step);
}

/** A += stiffness·K, f += dt·F of all elements. */
function addElastic(out: BandSystem, tables: Tables, strand: number, shape: StrandShape, scales: Scales): void {
  const { rest, stiffness: factors } = tables.nodes;
  const first = tables.strands.first[strand];
  const n = shape.nodes;
  readSection(section, tables.rods.parameter, 8 * tables.strands.rod[strand]);
  const { stretch, bend, twist } = section;
  for (let i = 0; i < n - 1; i++) {
    const r = 8 * (first + i);
    // The section as it is along this edge and at this node.
    const s = 4 * (first + i);
    section.stretch = factors[s] * stretch;
    section.bend = factors[s + 1] * bend;
    section.twist = factors[s + 2] * twist;
    const seen = seenLength(tables.nodes, first + i, shape, i, scales);
    addStretch(out, scales, shape, i, rest[r], seen);
    if (i > 0) addNode(out, scales, shape, i, rest, r);
  }
}

/**
 * Length at which edge i would have the tension, viscous part included, that its last linearisation gave it [m]: along
 * the direction that it had there (before the last step; with a guess: at the start of this one).
 */
function seenLength(
  nodes: Tables['nodes'],
  node: number,
  shape: StrandShape,
  i: number,
  { dt, stiffness, isGuessed }: Scales,
): number {
  const viscous = stiffness / (dt * dt) - 1;
  const last = isGuessed ? nodes.position : nodes.previous;
  const p = shape.position;
  let along = 0;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const before = last[4 * node + 4 + k] - last[4 * node + k];
    along += before * (p[4 * i + 4 + k] - p[4 * i + k]);
    square += before * before;
  }
  if (!(square > 0)) return 0;
  const length = Math.sqrt(square);
  return along / length + viscous * (along / length - length);
}

/**
 * Edge i: force along the edge; stiffness k/l̄ (t tᵀ + max(0, s/|e| − l̄/|e|)(I − t tᵀ)), s the length
 * that the last linearisation saw. With |e| for s, the exact matrix, an edge that turned by φ in a step would
 * seem stretched by φ²/2: in a hair a tension that holds its nodes a thousand times tighter than their
 * inertia, and the hair hardly falls.
 */
function addStretch(
  out: BandSystem,
  { dt, stiffness }: Scales,
  shape: StrandShape,
  i: number,
  rest: number,
  seen: number,
): void {
  const { A, f } = out;
  const a = out.a + 4 * WIDTH * i;
  const b = out.b + 4 * i;
  const t = shape.tangent;
  const length = shape.length[i];
  const pull = dt * stretchForce(section, length, rest);
  const along = (stiffness * section.stretch) / rest;
  const across = along * (seen > rest ? Math.min(1, (seen - rest) / length) : 0);
  for (let k = 0; k < 3; k++) {
    f[b + k] += pull * t[3 * i + k];
    f[b + 4 + k] -= pull * t[3 * i + k];
    for (let m = 0; m < 3; m++) {
      const entry = (along - across) * t[3 * i + k] * t[3 * i + m] + (k === m ? across : 0);
      if (m <= k) {
        A[a + WIDTH * k + k - m] += entry;
        A[a + WIDTH * (4 + k) + k - m] += entry;
      }
      A[a + WIDTH * (4 + k) + 4 + k - m] -= entry;
    }
  }
}

/** Bending and twist of inner node i: rank-one terms of the four curvatures and of the twist. */
function addNode(
  out: BandSystem,
  { dt, stiffness }: Scales,
  shape: StrandShape,
  i: number,
  rest: Float64Array,
  r: number,
): void {
  const { A, f } = out;
  const a = out.a + 4 * WIDTH * (i - 1);
  const b = out.b + 4 * (i - 1);
  const { curvature, gradient } = differentiateNode(shape, i, rest[r + REST_VORONOI]);
  for (let j = 0; j < 5; j++) {
    const weight = (j < 4 ? 0.5 * section.bend : section.twist) / rest[r + REST_VORONOI];
    const change = j < 4 ? curvature[j] - rest[r + REST_CURVATURE + j] : shape.twist[i] - rest[r + REST_TWIST];
    const g = ELEMENT * j;
    for (let k = 0; k < ELEMENT; k++) {
      const scaled = weight * gradient[g + k];
      f[b + k] -= dt * change * scaled;
      const row = a + WIDTH * k + k;
      for (let m = 0; m <= k; m++) A[row - m] += stiffness * scaled * gradient[g + m];
    }
  }
}

/** f += scale·K x, K by its lower triangle in A. */
function addBandProduct({ A, a, f, b }: BandSystem, size: number, scale: number, x: Float64Array): void {
  for (let i = 0; i < size; i++) {
    const row = a + WIDTH * i;
    let sum = A[row] * x[i];
    for (let k = Math.min(i, STRAND_HALF_BANDWIDTH); k > 0; k--) {
      sum += A[row + k] * x[i - k];
      f[b + i - k] += scale * A[row + k] * x[i];
    }
    f[b + i] += scale * sum;
  }
}

/** Masses, gravity, user forces, air drag. */
function addInertia({ A, a, f, b }: BandSystem, tables: Tables, strand: number, step: ElasticStep): void {
  const { mass, velocity, force } = tables.nodes;
  const first = tables.strands.first[strand];
  const n = tables.strands.nodes[strand];
  const rod = tables.strands.rod[strand];
  const dt = step.timeStep;
  const scale = tables.rods.extra[4 * rod + GRAVITY_SCALE];
  const drag = dt * tables.rods.extra[4 * rod + AIR_DRAG];
  for (let i = 0; i < n; i++) {
    const node = first + i;
    for (let k = 0; k < 4; k++) {
      const inertia = mass[2 * node + (k < 3 ? 0 : 1)];
      const outside = k < 3 ? dt * scale * step.gravity[k] + (step.wind ? drag * step.wind[k] : 0) : 0;
      A[a + WIDTH * (4 * i + k)] += inertia * (1 + drag);
      f[b + 4 * i + k] += inertia * (velocity[4 * node + k] + outside) + dt * force[4 * node + k];
    }
  }
}

/** Identity rows for held unknowns; what they push on the others moves to f. */
function holdUnknowns({ A, a, f, b }: BandSystem, tables: Tables, strand: number, step: ElasticStep): void {
  const size = STRAND_UNKNOWNS * tables.strands.nodes[strand];
  if (mask.length < size) {
    mask = new Uint8Array(2 * size);
    held = new Float64Array(2 * size);
  }
  prescribeVelocities(mask, held, tables, strand, step);
  for (let i = 0; i < size; i++) {
    const row = a + WIDTH * i;
    for (let k = Math.min(i, STRAND_HALF_BANDWIDTH); k > 0; k--) {
      if (mask[i] === 0 && mask[i - k] === 0) continue;
      if (mask[i] === 0) f[b + i] -= A[row + k] * held[i - k];
      else if (mask[i - k] === 0) f[b + i - k] -= A[row + k] * held[i];
      A[row + k] = 0;
    }
    if (mask[i] === 0) continue;
    A[row] = 1;
    f[b + i] = held[i];
  }
}
