// Energies and elastic forces of one strand.

import {
  BEND_FACTOR,
  REST_CURVATURE,
  REST_TWIST,
  REST_VORONOI,
  TWIST,
  TWIST_FACTOR,
  TWIST_INERTIA,
} from '../../state/node-places';
import type { Tables } from '../../state/tables';
import {
  differentiateNode,
  ELEMENT,
  element,
  nodeCurvatures,
  nodeEnergy,
  readSection,
  type Section,
  stretchEnergy,
  stretchForce,
} from './elements';
import { measureStrand } from './measure-strand';

/** Energies of a strand [J]. */
export interface StrandEnergy {
  stretch: number;
  bend: number;
  twist: number;
  kinetic: number;
}

const section: Section = { stretch: 0, bend: 0, twist: 0 };
const parts = new Float64Array(2);

/** Energies of `strand` at NODE_POSITION and NODE_VELOCITY [J]; clamped nodes count with the velocity they have. */
export function strandEnergy(tables: Tables, strand: number): StrandEnergy {
  const { rest, stiffness, mass, velocity } = tables.nodes;
  const first = tables.strands.first[strand];
  const n = tables.strands.nodes[strand];
  readSection(section, tables.rods.parameter, 8 * tables.strands.rod[strand]);
  const shape = measureStrand(tables, strand, null, 0);
  const energy: StrandEnergy = { stretch: 0, bend: 0, twist: 0, kinetic: 0 };
  for (let i = 0; i < n; i++) {
    const node = first + i;
    const v = 4 * node;
    const square = velocity[v] ** 2 + velocity[v + 1] ** 2 + velocity[v + 2] ** 2;
    energy.kinetic += 0.5 * (mass[2 * node] * square + mass[2 * node + TWIST_INERTIA] * velocity[v + TWIST] ** 2);
    if (i < n - 1) energy.stretch += stiffness[v] * stretchEnergy(section, shape.length[i], rest[8 * node]);
    if (i === 0 || i === n - 1) continue;
    nodeCurvatures(element.curvature, 0, shape, i);
    nodeEnergy(parts, section, element.curvature, shape.twist[i], rest, 8 * node);
    energy.bend += stiffness[v + BEND_FACTOR] * parts[0];
    energy.twist += stiffness[v + TWIST_FACTOR] * parts[1];
  }
  return energy;
}

/**
 * out[o ..] = elastic forces of `strand` at NODE_POSITION on its 4n unknowns [N, N·m]: minus the gradient of its
 * elastic energies, without damping, gravity and clamps. On clamped unknowns that is what the clamp must hold against.
 */
export function strandForces(out: Float64Array, o: number, tables: Tables, strand: number): void {
  const { rest, stiffness } = tables.nodes;
  const first = tables.strands.first[strand];
  const n = tables.strands.nodes[strand];
  readSection(section, tables.rods.parameter, 8 * tables.strands.rod[strand]);
  const shape = measureStrand(tables, strand, null, 0);
  out.fill(0, o, o + 4 * n);
  for (let i = 0; i < n - 1; i++) {
    const r = 8 * (first + i);
    const s = 4 * (first + i);
    const tension = stiffness[s] * stretchForce(section, shape.length[i], rest[r]);
    for (let k = 0; k < 3; k++) {
      out[o + 4 * i + k] += tension * shape.tangent[3 * i + k];
      out[o + 4 * i + 4 + k] -= tension * shape.tangent[3 * i + k];
    }
    if (i === 0) continue;
    const { curvature, gradient } = differentiateNode(shape, i, rest[r + REST_VORONOI]);
    for (let j = 0; j < 5; j++) {
      const change = j < 4 ? curvature[j] - rest[r + REST_CURVATURE + j] : shape.twist[i] - rest[r + REST_TWIST];
      const modulus =
        j < 4 ? 0.5 * stiffness[s + BEND_FACTOR] * section.bend : stiffness[s + TWIST_FACTOR] * section.twist;
      const weight = (change * modulus) / rest[r + REST_VORONOI];
      for (let k = 0; k < ELEMENT; k++) out[o + 4 * (i - 1) + k] -= weight * gradient[ELEMENT * j + k];
    }
  }
}
