// Solids in the implicit step: tetrahedra to A and f.

import { ROD_MODEL_SHIFT } from '../../state/layout';
import type { Tables } from '../../state/tables';
import { addElement } from '../mesh-matrix';
import { createMeshSystem, type MeshElements } from '../mesh-system';
import { createElementDerivatives, differentiateElement } from './differentiate-element';
import { REST_NUMBERS, type SolidElements } from './elements';
import { lameParameters, type SolidLaw } from './stretch-energy';

/** Where a material has Young's modulus among ROD_PARAMETER, and Poisson's ratio among ROD_EXTRA. */
const YOUNG = 4;
const POISSON = 3;

const WIDTH = 4;
const one = createElementDerivatives();

/** The law of an object's material. */
export function readSolidLaw({ strands, rods }: Tables, object: number): SolidLaw {
  const slot = strands.rod[object];
  const model = (rods.flags[slot] >> ROD_MODEL_SHIFT) & 3;
  return { model, ...lameParameters(rods.parameter[8 * slot + YOUNG], rods.extra[4 * slot + POISSON]) };
}

/** The elements of an object; `origin`: the node whose position comes first where they are used. */
export function readSolidElements({ strands, tetrahedra }: Tables, object: number, origin: number): SolidElements {
  const first = strands.tetrahedra[2 * object];
  const count = strands.tetrahedra[2 * object + 1];
  return {
    order: 1,
    count,
    nodes: tetrahedra.node.subarray(WIDTH * first, WIDTH * (first + count)),
    origin,
    rest: tetrahedra.rest.subarray(REST_NUMBERS * first, REST_NUMBERS * (first + count)),
  };
}

const SOLID_ELEMENTS: MeshElements = {
  couplings({ strands, tetrahedra }, object) {
    const [first, count] = strands.tetrahedra.subarray(2 * object, 2 * object + 2);
    return [{ column: tetrahedra.node, first, count, width: WIDTH }];
  },
  addElastic({ tables, object, matrix, f, from, dt, stiffness }) {
    const law = readSolidLaw(tables, object);
    const elements = readSolidElements(tables, object, from / 4);
    const seen = { before: matrix.before, viscous: stiffness / (dt * dt) - 1 };
    for (let e = 0; e < elements.count; e++) {
      differentiateElement(one, elements, e, matrix.at, law, 'projected', seen);
      for (let a = 0; a < WIDTH; a++) {
        const at = 4 * elements.nodes[WIDTH * e + a];
        for (let k = 0; k < 3; k++) f[at + k] -= dt * one.gradient[3 * a + k];
      }
      spread(one.hessian);
      addElement(matrix, WIDTH * WIDTH * e, WIDTH, rows, stiffness);
    }
  },
};

/** An element's Hessian row by row, as addElement takes it. */
const rows = new Float64Array(9 * WIDTH * WIDTH);

function spread(blocks: Float64Array): void {
  for (let a = 0; a < WIDTH; a++) {
    for (let b = 0; b < WIDTH; b++) {
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
          rows[3 * WIDTH * (3 * a + r) + 3 * b + c] = blocks[9 * (WIDTH * a + b) + 3 * r + c];
        }
      }
    }
  }
}

export const createSolidSystem = () => createMeshSystem(SOLID_ELEMENTS);
