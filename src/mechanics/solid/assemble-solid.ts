// Elastic force and stiffness of a whole solid, by 3×3 blocks in compressed rows.

import type { ElementDerivatives, HessianKind } from './differentiate-element';
import { createElementDerivatives, differentiateElement } from './differentiate-element';
import { ELEMENT_NODES, type SolidElements } from './elements';
import type { SolidLaw } from './stretch-energy';

/** Which blocks of a solid's stiffness are not zero. Nodes count from the solid's first. */
export interface SolidPattern {
  /** The solid's first node, as its elements number nodes. */
  readonly first: number;
  readonly nodes: number;
  /** Blocks of node i: start[i] to start[i + 1]; the columns rise. */
  readonly start: Int32Array;
  readonly column: Int32Array;
  /** By element, node, node: which block. */
  readonly slot: Int32Array;
}

const one: ElementDerivatives = createElementDerivatives();

/** Pattern of the elements of a solid of `nodes` nodes from `first` on. */
export function solidPattern(elements: SolidElements, first: number, nodes: number): SolidPattern {
  const width = ELEMENT_NODES[elements.order];
  const rows = Array.from({ length: nodes }, (_, i) => new Set([i]));
  for (let e = 0; e < elements.count; e++) {
    for (let a = 0; a < width; a++) {
      const row = rows[elements.nodes[width * e + a] - first];
      for (let b = 0; b < width; b++) row.add(elements.nodes[width * e + b] - first);
    }
  }
  const start = new Int32Array(nodes + 1);
  for (let i = 0; i < nodes; i++) start[i + 1] = start[i] + rows[i].size;
  const column = new Int32Array(start[nodes]);
  for (let i = 0; i < nodes; i++)
    column.set(
      Int32Array.from(rows[i]).sort((x, y) => x - y),
      start[i],
    );
  return { first, nodes, start, column, slot: findSlots(elements, first, start, column) };
}

function findSlots(elements: SolidElements, first: number, start: Int32Array, column: Int32Array): Int32Array {
  const width = ELEMENT_NODES[elements.order];
  const slot = new Int32Array(width * width * elements.count);
  for (let e = 0; e < elements.count; e++) {
    for (let a = 0; a < width; a++) {
      const i = elements.nodes[width * e + a] - first;
      for (let b = 0; b < width; b++) {
        const j = elements.nodes[width * e + b] - first;
        let low = start[i];
        let high = start[i + 1] - 1;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (column[middle] < j) low = middle + 1;
          else high = middle;
        }
        slot[width * (width * e + a) + b] = low;
      }
    }
  }
  return slot;
}

/**
 * Elastic energy of a solid [J]; gradient += its derivative, four numbers a node of the solid [N], K += its Hessian,
 * nine numbers a block [N/m]. `position` has four numbers a node, by the elements' numbers. Either may be null.
 */
export function assembleElastic(
  K: Float64Array | null,
  gradient: Float64Array | null,
  elements: SolidElements,
  pattern: SolidPattern,
  position: ArrayLike<number>,
  law: SolidLaw,
  kind: HessianKind = 'projected',
): number {
  const width = ELEMENT_NODES[elements.order];
  let energy = 0;
  for (let e = 0; e < elements.count; e++) {
    const out = K === null && gradient === null ? null : one;
    energy += differentiateElement(out, elements, e, position, law, K === null ? 'none' : kind);
    if (gradient !== null) {
      for (let a = 0; a < width; a++) {
        const at = 4 * (elements.nodes[width * e + a] - pattern.first);
        for (let k = 0; k < 3; k++) gradient[at + k] += one.gradient[3 * a + k];
      }
    }
    if (K === null) continue;
    for (let p = 0; p < width * width; p++) {
      const at = 9 * pattern.slot[width * width * e + p];
      for (let k = 0; k < 9; k++) K[at + k] += one.hessian[9 * p + k];
    }
  }
  return energy;
}
