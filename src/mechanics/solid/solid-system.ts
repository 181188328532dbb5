// Solids in the implicit step: tetrahedra to A and f.

import { ROD_MODEL_SHIFT } from '../../state/layout';
import { RANGE_COUNT } from '../../state/node-places';
import type { Tables } from '../../state/tables';
import { addElement } from '../mesh-matrix';
import { createMeshSystem, type MeshElements } from '../mesh-system';
import { isCrushed } from './crushed';
import { createElementDerivatives, differentiateElement } from './differentiate-element';
import { ELEMENT_NODES, REST_NUMBERS, type SolidElements } from './elements';
import { lameParameters, recoveryLaw, type SolidLaw } from './stretch-energy';

/** Where a material has Young's modulus among ROD_PARAMETER, and Poisson's ratio among ROD_EXTRA. */
const YOUNG = 4;
const POISSON = 3;

const one = createElementDerivatives();
/** Nodes of quadratic elements, corners and middles together; grows, good until the next call. */
let together = new Int32Array(0);

/** The law of an object's material. */
export function readSolidLaw({ strands, rods }: Tables, object: number): SolidLaw {
  const slot = strands.rod[object];
  const model = (rods.flags[slot] >> ROD_MODEL_SHIFT) & 3;
  return { model, ...lameParameters(rods.parameter[8 * slot + YOUNG], rods.extra[4 * slot + POISSON]) };
}

/**
 * The elements of an object; `origin`: the node whose position comes first where they are used. Nodes of quadratic ones
 * are good until the next call.
 */
export function readSolidElements({ strands, tetrahedra }: Tables, object: number, origin: number): SolidElements {
  const first = strands.tetrahedra[2 * object];
  const count = strands.tetrahedra[2 * object + RANGE_COUNT];
  const rest = tetrahedra.rest.subarray(REST_NUMBERS * first, REST_NUMBERS * (first + count));
  if (!isQuadratic(tetrahedra, first, count)) {
    return { order: 1, count, nodes: tetrahedra.node.subarray(4 * first, 4 * (first + count)), origin, rest };
  }
  if (together.length < 10 * count) together = new Int32Array(20 * count);
  for (let e = 0; e < count; e++) {
    for (let k = 0; k < 4; k++) together[10 * e + k] = tetrahedra.node[4 * (first + e) + k];
    for (let k = 0; k < 6; k++) together[10 * e + 4 + k] = tetrahedra.middle[8 * (first + e) + k];
  }
  return { order: 2, count, nodes: together.subarray(0, 10 * count), origin, rest };
}

const isQuadratic = ({ middle }: Tables['tetrahedra'], first: number, count: number): boolean =>
  count > 0 && middle[8 * first] >= 0;

const SOLID_ELEMENTS: MeshElements = {
  couplings(tables, object) {
    const { nodes, count, order } = readSolidElements(tables, object, 0);
    const width = ELEMENT_NODES[order];
    return [{ column: nodes, first: 0, count, width, stride: width }];
  },
  addElastic({ tables, object, matrix, f, from, dt, stiffness }) {
    const own = readSolidLaw(tables, object);
    const elements = readSolidElements(tables, object, from / 4);
    const law = isCrushed(elements, matrix.at) ? recoveryLaw(own) : own;
    const width = ELEMENT_NODES[elements.order];
    const seen = { before: matrix.before, viscous: stiffness / (dt * dt) - 1 };
    for (let e = 0; e < elements.count; e++) {
      differentiateElement(one, elements, e, matrix.at, law, 'projected', seen);
      for (let a = 0; a < width; a++) {
        const at = 4 * elements.nodes[width * e + a];
        for (let k = 0; k < 3; k++) f[at + k] -= dt * one.gradient[3 * a + k];
      }
      spread(one.hessian, width);
      addElement(matrix, width * width * e, width, rows, stiffness);
    }
  },
};

/** An element's Hessian row by row, as addElement takes it. */
const rows = new Float64Array(900);

function spread(blocks: Float64Array, width: number): void {
  for (let a = 0; a < width; a++) {
    for (let b = 0; b < width; b++) {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          rows[3 * width * (3 * a + r) + 3 * b + c] = blocks[9 * (width * a + b) + 3 * r + c];
        }
      }
    }
  }
}

export const createSolidSystem = () => createMeshSystem(SOLID_ELEMENTS);
