// Shells in the implicit step: membrane and hinges to A and f, air by the faces.

import { AIR_DRAG, POISSON_RATIO, WEFT_MODULUS } from '../../state/material-places';
import { HINGE_ANGLE, HINGE_STIFFNESS, OPPOSITE_SECOND } from '../../state/mesh-places';
import { RANGE_COUNT } from '../../state/node-places';
import type { Tables } from '../../state/tables';
import { addElement } from '../mesh-matrix';
import { createMeshSystem, type MeshElements, type MeshStep } from '../mesh-system';
import { angleBeyond, differentiateHinge, hingeAngle, hingeStiffness } from './hinge';
import { hingeFactorOf, solveMoments } from './hinge-moments';
import { createTriangleDerivatives, differentiateTriangle, type PlaneStiffness, readPlane } from './membrane';

const plane: PlaneStiffness = { along: 0, weft: 0, across: 0, shear: 0, viscous: 0 };
const triangle = createTriangleDerivatives();
const gradient = new Float64Array(12);
const outer = new Float64Array(144);

/** Stiffness of an object's plane to `out` [N/m]; returns that of its hinges per factor [N·m]. */
export function readShell(out: PlaneStiffness, { strands, rods }: Tables, object: number): number {
  const at = 8 * strands.rod[object];
  const [half, , bending, shear, modulus] = rods.parameter.subarray(at, at + 5);
  const poisson = rods.extra[4 * strands.rod[object] + POISSON_RATIO];
  readPlane(out, { half, modulus, weft: rods.weave[4 * strands.rod[object] + WEFT_MODULUS], shear, poisson });
  return hingeStiffness(bending, half, poisson);
}

const SHELL_ELEMENTS: MeshElements = {
  couplings({ strands, triangles, meshEdges }, object) {
    const at = 2 * object;
    return [
      { column: triangles.node, first: strands.triangles[at], count: strands.triangles[at + RANGE_COUNT], width: 3 },
      { column: meshEdges.node, first: strands.meshEdges[at], count: strands.meshEdges[at + RANGE_COUNT], width: 4 },
    ];
  },
  addElastic(of) {
    const bending = readShell(plane, of.tables, of.object);
    const start = addTriangles(of);
    if (bending > 0) addHinges(of, bending, start);
  },
  addOutside: addAir,
};

export const createShellSystem = () => createMeshSystem(SHELL_ELEMENTS);

/** Adds the membrane; returns the place of the first hinge among the couplings. */
function addTriangles({ tables, object, matrix, f, from, dt, stiffness }: MeshStep): number {
  const { strands, triangles } = tables;
  const [first, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  const { at, before } = matrix;
  plane.viscous = stiffness / (dt * dt) - 1;
  let slot = 0;
  for (let t = first; t < first + count; t++, slot += 9) {
    const n = 4 * t;
    const corners = [0, 1, 2].map((k) => 4 * triangles.node[n + k] - from);
    differentiateTriangle(triangle, plane, at, before, corners, triangles.rest, 8 * t);
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) f[from + corners[i] + k] -= dt * triangle.gradient[3 * i + k];
    }
    addElement(matrix, slot, 3, triangle.hessian, stiffness);
  }
  return slot;
}

/** By edge of an object: angle beyond its rest [rad], moment over D/3 [rad]. */
let changes = new Float64Array(0);
let moments = new Float64Array(0);

/** Angles of all hinges of an object at `x`, four numbers a node from node `origin` on, and their moments over D/3. */
export function bendHinges(tables: Tables, object: number, x: ArrayLike<number>, origin: number): Float64Array {
  const { strands, meshEdges } = tables;
  const [start, edges] = strands.meshEdges.subarray(2 * object, 2 * object + 2);
  if (changes.length < edges) {
    changes = new Float64Array(2 * edges);
    moments = new Float64Array(2 * edges);
  }
  for (let k = 0; k < edges; k++) {
    const n = 4 * (start + k);
    const isHinge = meshEdges.node[n + OPPOSITE_SECOND] >= 0;
    const angle = isHinge ? hingeAngle(x, 4, meshEdges.node.subarray(n, n + 4), origin) : 0;
    changes[k] = isHinge ? angleBeyond(angle, meshEdges.rest[n + HINGE_ANGLE]) : 0;
  }
  solveMoments(moments, changes, hingeFactorOf(tables, object));
  return moments;
}

/** Bending energy of what `bendHinges` has just measured over D/3 [1]. */
export function bentEnergy({ strands }: Tables, object: number): number {
  let energy = 0;
  for (let k = 0; k < strands.meshEdges[2 * object + RANGE_COUNT]; k++) energy += 0.5 * moments[k] * changes[k];
  return energy;
}

function addHinges({ tables, object, matrix, f, from, dt, stiffness }: MeshStep, bending: number, start: number): void {
  const { strands, meshEdges } = tables;
  const [first, count] = strands.meshEdges.subarray(2 * object, 2 * object + 2);
  bendHinges(tables, object, matrix.at, strands.first[object]);
  let slot = start;
  for (let e = first; e < first + count; e++) {
    const n = 4 * e;
    if (meshEdges.node[n + OPPOSITE_SECOND] < 0) continue;
    const [p, q, r, s] = [0, 1, 2, 3].map((k) => 4 * meshEdges.node[n + k] - from);
    differentiateHinge(gradient, matrix.at, p, q, r, s);
    const moment = bending * moments[e - first];
    for (let i = 0; i < 12; i++) {
      const node = i < 3 ? p : i < 6 ? q : i < 9 ? r : s;
      f[from + node + (i % 3)] -= dt * moment * gradient[i];
      for (let j = 0; j < 12; j++) outer[12 * i + j] = gradient[i] * gradient[j];
    }
    addElement(matrix, slot, 4, outer, stiffness * bending * meshEdges.rest[n + HINGE_STIFFNESS]);
    slot += 16;
  }
}

const normal = new Float64Array(3);
const push = new Float64Array(81);

/**
 * Air: each face feels the pressure drag·|u|·u against its motion u along its normal, relative to the wind; |u| is
 * that of the start of the step, so that the force is linear in the velocity.
 */
function addAir({ tables, object, matrix, f, from, dt, step }: MeshStep): void {
  const { strands, triangles, nodes, rods } = tables;
  const drag = rods.extra[4 * strands.rod[object] + AIR_DRAG];
  if (!(drag > 0)) return;
  const [first, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  const { wind } = step;
  const x = matrix.at;
  for (let t = first, slot = 0; t < first + count; t++, slot += 9) {
    const [a, b, c] = [0, 1, 2].map((k) => 4 * triangles.node[4 * t + k] - from);
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      normal[k] = (x[b + i] - x[a + i]) * (x[c + j] - x[a + j]) - (x[b + j] - x[a + j]) * (x[c + i] - x[a + i]);
    }
    const twice = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    if (!(twice > 0)) continue;
    let blow = 0;
    let speed = 0;
    for (let k = 0; k < 3; k++) {
      normal[k] /= twice;
      const v = nodes.velocity;
      blow += wind ? normal[k] * wind[k] : 0;
      speed += (normal[k] * (v[from + a + k] + v[from + b + k] + v[from + c + k])) / 3;
    }
    const weight = dt * drag * 0.5 * twice * Math.abs(speed - blow);
    for (let k = 0; k < 9; k++) {
      const node = k < 3 ? a : k < 6 ? b : c;
      f[from + node + (k % 3)] += (weight / 3) * blow * normal[k % 3];
      for (let m = 0; m < 9; m++) push[9 * k + m] = (normal[k % 3] * normal[m % 3]) / 9;
    }
    addElement(matrix, slot, 3, push, weight);
  }
}
