// Takes down the contact problem of an elastic island in full form, A v = f + Hᵀ r, u = H v + w, for problem files:
// nodes and twists of every strand, sheet and solid in it, six velocities a body.
//
//   unknowns   by object: x y z (and θ, where the object has one) of each node; then v, ω of each body
//   contacts   as the solver gets them: points of pairs, contacts of nodes, ropes (smooth, their tangents mean
//              nothing), ball joints (bilateral)
//   moved into f and w: what is prescribed (its velocity), cohesion (a pull ξ dt along the normal)
//   compliance a contact's slack is a node of its own: A = 1/slack
//
// Bodies that clamps hang on feel the strands by their joints only: the small change that `carried.ts` foresees is not
// in f. In double precision, whatever backend runs; leaves no trace in the step.

import { ROW_BIAS } from '../../solvers/admm/joint-rows';
import {
  type AdmmProblem,
  CONTACT_BILATERAL,
  CONTACT_MU,
  CONTACT_PULL,
  resizeAdmmProblem,
} from '../../solvers/admm/problem';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import {
  createReference,
  endOf,
  IDLE,
  type Reference,
  resizeReference,
  startOf,
  systemOf,
} from './backends/reference/reference';
import { isPrescribedNode } from './backends/reference/weights';
import { collectContacts, createElasticContacts, type ElasticContacts, gatherElastic } from './collect-contacts';
import { collectJoints } from './collect-joints';
import { elasticStepOf } from './elastic-step';
import { createStepNotes } from './step-notes';

/** A sparse matrix by its entries. */
interface Matrix {
  rows: number;
  columns: number;
  row: Int32Array;
  column: Int32Array;
  value: Float64Array;
}

/** As a problem file has it in full form. */
interface ElasticProblem {
  contacts: number;
  mu: Float64Array;
  bilateral: Uint8Array | null;
  A: Matrix;
  f: Float64Array;
  H: Matrix;
  w: Float64Array;
}

/** A matrix that grows. */
interface Entries {
  row: number[];
  column: number[];
  value: number[];
}

/** One contact or joint of the world's problem, in its own frame. */
interface Row {
  isBilateral: boolean;
  mu: number;
  /** Normal, tangents. */
  frame: number[];
  /** World axes [m/s], [N·s], [1/kg]. */
  offset: number[];
  pull: number;
  slack: number;
  /** First unknowns and their coefficients. */
  nodes: [number, number][];
  /** Body by its number, sign, arm. */
  bodies: [number, number, number[]][];
}

/** What is taken down before an island is chosen. */
interface World {
  engine: Engine;
  r: Reference;
  problem: AdmmProblem;
  e: ElasticContacts;
  /** 1 where an unknown moves; its velocity where it is prescribed [m/s]. */
  isFree: Uint8Array;
  held: Float64Array;
  rows: Row[];
}

/**
 * The problem of this step's elastic island with the most contacts; null if nothing elastic touches anything. To be
 * called between build-islands and solve-contacts.
 */
export function captureElasticProblem(engine: Engine): ElasticProblem | null {
  if (engine.arena.i32[L.STRAND_COUNT >> 2] === 0) return null;
  const { bodies } = engine.tables;
  // What gathering marks is marked again, from the start, by the step itself.
  const solvers = bodies.islandSolver.slice();
  const flags = bodies.flags.slice();
  const world = readWorld(engine);
  engine.tables.bodies.islandSolver.set(solvers);
  engine.tables.bodies.flags.set(flags);
  const islands = joinRows(world);
  const island = largestOf(world, islands);
  return island < 0 ? null : writeIsland(world, islands, island);
}

function readWorld(engine: Engine): World {
  const e = createElasticContacts();
  const notes = createStepNotes(engine);
  notes.open();
  gatherElastic(engine, e, notes);
  const { arena, tables } = engine;
  const r = createReference();
  const { problem } = r;
  const nodes = arena.i32[L.NODE_COUNT >> 2];
  const objects = arena.i32[L.STRAND_COUNT >> 2];
  resizeAdmmProblem(problem, 4 * nodes, e.bodyCount);
  resizeReference(r, tables, nodes, objects);
  collectContacts(engine, e, problem, false);
  collectJoints(engine, e);
  const isFree = new Uint8Array(4 * nodes);
  const held = new Float64Array(4 * nodes);
  const step = elasticStepOf(engine);
  for (let object = 0; object < objects; object++) {
    if (tables.strands.flags[object] & IDLE) continue;
    const system = systemOf(r, tables, object);
    if (!system.assemble(tables, object, step, null, problem.f)) continue;
    const end = endOf(tables, object);
    for (let i = startOf(tables, object); i < end; i++) held[i] = problem.f[i];
    // Rows of what is prescribed stand alone: the answer there is its velocity.
    system.solve(held, tables, object, false);
    for (let i = startOf(tables, object); i < end; i++) isFree[i] = isPrescribedNode(engine, r, object, i >> 2) ? 0 : 1;
  }
  const world: World = { engine, r, problem, e, isFree, held, rows: [] };
  readContacts(world);
  readJoints(world);
  return world;
}

function readContacts({ problem, rows }: World): void {
  const { contacts } = problem;
  for (let c = 0; c < contacts.count; c++) {
    const four = 4 * c;
    const nodes: Row['nodes'] = [];
    for (let k = four; k < four + 4; k++) {
      if (contacts.coefficient[k] !== 0) nodes.push([contacts.node[k], contacts.coefficient[k]]);
    }
    const bodies: Row['bodies'] = [];
    for (let side = 0; side < 2; side++) {
      const at = 8 * c + 4 * side;
      const arm = Array.from(contacts.arm.subarray(at, at + 3));
      if (contacts.body[2 * c + side] >= 0) bodies.push([contacts.body[2 * c + side], side === 0 ? 1 : -1, arm]);
    }
    const isBilateral = contacts.kind[c] === CONTACT_BILATERAL;
    rows.push({
      isBilateral,
      mu: isBilateral ? 0 : contacts.normal[four + CONTACT_MU],
      frame: frameOf(contacts.normal[four], contacts.normal[four + 1], contacts.normal[four + 2]),
      offset: Array.from(contacts.offset.subarray(four, four + 3)),
      pull: contacts.offset[four + CONTACT_PULL],
      slack: contacts.slack[c],
      nodes,
      bodies,
    });
  }
}

/** Ropes a row each, balls three. */
function readJoints({ e, rows }: World): void {
  const { joints } = e;
  // Joints between bodies are not in problem files.
  for (let i = 0; i < e.bodyRow; ) {
    const isRope = joints.oneSided[i] === 1;
    const d = Array.from(joints.direction.subarray(4 * i, 4 * i + 4));
    const frame = isRope ? frameOf(d[0], d[1], d[2]) : [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const bias = (k: number): number => joints.direction[4 * (i + k) + ROW_BIAS];
    const nodes: Row['nodes'] = [[joints.node[i], 1]];
    if (joints.other[i] >= 0) nodes.push([joints.other[i], -1]);
    const arm = Array.from(joints.arm.subarray(4 * i, 4 * i + 3));
    rows.push({
      isBilateral: !isRope,
      mu: 0,
      frame,
      offset: isRope ? d.slice(0, 3).map((x) => x * d[3]) : [bias(0), bias(1), bias(2)],
      pull: 0,
      slack: joints.soft[i],
      nodes,
      bodies: joints.body[i] >= 0 ? [[joints.body[i], -1, arm]] : [],
    });
    i += isRope ? 1 : 3;
  }
}

/** Normal, and two unit vectors across it: the first from the axis that it is least along. */
function frameOf(x: number, y: number, z: number): number[] {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  const [i, j, k] = ax <= ay && ax <= az ? [1, 0, 0] : ay <= az ? [0, 1, 0] : [0, 0, 1];
  let [tx, ty, tz] = [y * k - z * j, z * i - x * k, x * j - y * i];
  const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
  [tx, ty, tz] = [tx / length, ty / length, tz / length];
  return [x, y, z, tx, ty, tz, y * tz - z * ty, z * tx - x * tz, x * ty - y * tx];
}

/** The islands: a root for each object, then for each body; rows join what they move. */
function joinRows({ engine, e, isFree, rows }: World): { root: Int32Array; of: number[] } {
  const objects = engine.arena.i32[L.STRAND_COUNT >> 2];
  const root = Int32Array.from({ length: objects + e.bodyCount }, (_, i) => i);
  const find = (i: number): number => {
    while (root[i] !== i) i = root[i];
    return i;
  };
  const of = rows.map(({ nodes, bodies }) => {
    let first = -1;
    const join = (item: number) => {
      if (first < 0) first = find(item);
      else root[find(item)] = first;
    };
    for (const [unknown] of nodes) if (isFree[unknown] === 1) join(engine.tables.nodes.strand[unknown >> 2]);
    for (const [body] of bodies) join(objects + body);
    return first;
  });
  for (let i = 0; i < root.length; i++) root[i] = find(i);
  return { root, of: of.map((item) => (item < 0 ? -1 : find(item))) };
}

/** Root of the island with the most rows that holds an elastic object, −1 none. */
function largestOf({ engine }: World, { root, of }: { root: Int32Array; of: number[] }): number {
  const objects = engine.arena.i32[L.STRAND_COUNT >> 2];
  const isElastic = new Uint8Array(root.length);
  for (let object = 0; object < objects; object++) isElastic[root[object]] = 1;
  const count = new Int32Array(root.length);
  for (const island of of) if (island >= 0) count[island]++;
  let best = -1;
  for (let i = 0; i < root.length; i++) if (isElastic[i] && count[i] > (best < 0 ? 0 : count[best])) best = i;
  return best;
}

function writeIsland(world: World, { root, of }: { root: Int32Array; of: number[] }, island: number): ElasticProblem {
  const { engine, e, isFree, held, rows } = world;
  const objects = engine.arena.i32[L.STRAND_COUNT >> 2];
  const A: Entries = { row: [], column: [], value: [] };
  const H: Entries = { row: [], column: [], value: [] };
  const f: number[] = [];

  /** Place of each unknown of nodes, of each body's first, in the file. */
  const place = new Int32Array(isFree.length).fill(-1);
  for (let object = 0; object < objects; object++) if (root[object] === island) writeObject(world, object, A, f, place);
  const bodyPlace = new Int32Array(e.bodyCount).fill(-1);

  for (let body = 0; body < e.bodyCount; body++) {
    if (root[objects + body] !== island) continue;
    bodyPlace[body] = f.length;
    writeBody(world, body, A, f);
  }

  const own = rows.filter((_, k) => of[k] === island);
  const w: number[] = [];

  own.forEach((row, c) => {
    const slackPlace = row.slack > 0 ? f.length : -1;
    for (let k = 0; k < 3 && slackPlace >= 0; k++) {
      add(A, f.length, f.length, 1 / row.slack);
      f.push(0);
    }
    for (let i = 0; i < 3; i++) {
      const axis = row.frame.slice(3 * i, 3 * i + 3);
      let bias = dot(axis, row.offset);
      const put = (column: number, value: number): void => {
        add(H, 3 * c + i, column, value);
        // Cohesion pulls along the normal.
        if (i === 0) f[column] -= row.pull * value;
      };
      for (const [unknown, coefficient] of row.nodes) {
        for (let k = 0; k < 3; k++) {
          if (isFree[unknown] === 1) put(place[unknown + k], coefficient * axis[k]);
          else bias += coefficient * axis[k] * held[unknown + k];
        }
      }
      for (const [body, sign, arm] of row.bodies) {
        const turn = [
          arm[1] * axis[2] - arm[2] * axis[1],
          arm[2] * axis[0] - arm[0] * axis[2],
          arm[0] * axis[1] - arm[1] * axis[0],
        ];
        for (let k = 0; k < 3; k++) put(bodyPlace[body] + k, sign * axis[k]);
        for (let k = 0; k < 3; k++) put(bodyPlace[body] + 3 + k, sign * turn[k]);
      }
      for (let k = 0; k < 3 && slackPlace >= 0; k++) put(slackPlace + k, axis[k]);
      w.push(bias);
    }
  });

  return {
    contacts: own.length,
    mu: Float64Array.from(own, ({ mu }) => Math.min(mu, 1e6)),
    bilateral: own.some(({ isBilateral }) => isBilateral)
      ? Uint8Array.from(own, ({ isBilateral }) => (isBilateral ? 1 : 0))
      : null,
    A: matrixOf(A, f.length, f.length),
    f: Float64Array.from(f),
    H: matrixOf(H, 3 * own.length, f.length),
    w: Float64Array.from(w),
  };
}

/** Distance of two columns of a strand's matrix that share no row. */
const STRAND_STRIDE = 21;

/** A and f of an object; unknowns whose row is empty (a fourth one that means nothing) are left out. */
function writeObject(world: World, object: number, A: Entries, f: number[], place: Int32Array): void {
  const { engine, r, problem } = world;
  const { tables } = engine;
  const system = systemOf(r, tables, object);
  const start = startOf(tables, object);
  const end = endOf(tables, object);
  const isStrand = tables.strands.kind[object] === L.KIND_ROD;
  const x = new Float64Array(problem.elasticCount);
  const out = new Float64Array(problem.elasticCount);
  const stride = isStrand ? STRAND_STRIDE : end - start;
  const half = isStrand ? (STRAND_STRIDE - 1) / 2 : end - start;
  const found: [number, number, number][] = [];
  const isThere = new Uint8Array(end - start);
  for (let first = 0; first < Math.min(stride, end - start); first++) {
    x.fill(0, start, end);
    for (let j = start + first; j < end; j += stride) x[j] = 1;
    system.multiply(out, x, tables, object);
    for (let j = start + first; j < end; j += stride) {
      for (let i = Math.max(start, j - half); i < Math.min(end, j + half + 1); i++) {
        if (out[i] !== 0) found.push([i, j, out[i]]);
      }
      if (out[j] > 0) isThere[j - start] = 1;
    }
  }
  for (let i = start; i < end; i++) {
    if (isThere[i - start] === 0) continue;
    place[i] = f.length;
    f.push(problem.f[i]);
  }
  for (const [i, j, value] of found) if (place[i] >= 0 && place[j] >= 0) add(A, place[i], place[j], value);
}

/** Mass and inertia, and the momentum without contacts. */
function writeBody({ problem }: World, body: number, A: Entries, f: number[]): void {
  const { bodyInverseMass, bodyInverseInertia: I, elasticCount } = problem;
  const at = f.length;
  const velocity = elasticCount + 8 * body;
  const mass = 1 / bodyInverseMass[body];
  for (let k = 0; k < 3; k++) {
    add(A, at + k, at + k, mass);
    f.push(mass * problem.f[velocity + k]);
  }
  const i = 8 * body;
  const inertia = inverse3(I[i], I[i + 1], I[i + 2], I[i + 3], I[i + 4], I[i + 5]);
  for (let k = 0; k < 3; k++) {
    let spin = 0;
    for (let m = 0; m < 3; m++) {
      if (inertia[3 * k + m] !== 0) add(A, at + 3 + k, at + 3 + m, inertia[3 * k + m]);
      spin += inertia[3 * k + m] * problem.f[velocity + 4 + m];
    }
    f.push(spin);
  }
}

/** Inverse of a symmetric matrix; rows of zeros (locked axes) become very heavy ones. */
function inverse3(xx: number, yy: number, zz: number, xy: number, xz: number, yz: number): number[] {
  const least = 1e-9 * Math.max(xx, yy, zz) || 1e-9;
  const [a, b, c] = [Math.max(xx, least), Math.max(yy, least), Math.max(zz, least)];
  const [A, B, C] = [b * c - yz * yz, xz * yz - xy * c, xy * yz - xz * b];
  const det = a * A + xy * B + xz * C;
  const [E, F, K] = [a * c - xz * xz, xy * xz - a * yz, a * b - xy * xy];
  return [A, B, C, B, E, F, C, F, K].map((value) => value / det);
}

function add({ row, column, value }: Entries, i: number, j: number, x: number): void {
  row.push(i);
  column.push(j);
  value.push(x);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function matrixOf({ row, column, value }: Entries, rows: number, columns: number): Matrix {
  return {
    rows,
    columns,
    row: Int32Array.from(row),
    column: Int32Array.from(column),
    value: Float64Array.from(value),
  };
}
