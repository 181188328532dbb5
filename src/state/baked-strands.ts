// Sag-free strands as they are packed: what a bake gives, a file holds and a worker sends.
//
// By node 7 numbers: rest length of the edge [m], two rest curvatures, rest twist [rad], factors on
// stretch, bending and twist stiffness. By strand 3 numbers: force left over weight [1], least eigenvalue
// [1/s²], floor on the stiffness [1].

import type { StrandRest } from './strand-rest';

/** Numbers a node. */
export const BAKED_NODE = 7;
/** Numbers a strand. */
export const BAKED_STRAND = 3;

/** What strands were baked for: other material or gravity would pull them out of shape. */
export interface BakedFor {
  /** [m] */
  readonly radius: number;
  /** [kg/m³] */
  readonly density: number;
  /** [Pa] */
  readonly youngModulus: number;
  readonly shearModulus: number;
  readonly stretchModulus: number;
  /** The rod's factor on it included [m/s²]. */
  readonly gravity: readonly [number, number, number];
  /** Whether their ends are held, too. */
  readonly clampEnd: boolean;
}

/** The packed numbers as the engine takes them; both pairs of curvatures alike. */
export function unpackRest(packed: Float64Array): StrandRest {
  const nodes = packed.length / BAKED_NODE;
  const column = () => new Float64Array(nodes);
  const lengths = column();
  const curvatures = new Float64Array(4 * nodes);
  const twists = column();
  const stretchFactors = column();
  const bendFactors = column();
  const twistFactors = column();
  for (let i = 0; i < nodes; i++) {
    const at = BAKED_NODE * i;
    lengths[i] = packed[at];
    for (let j = 0; j < 4; j++) curvatures[4 * i + j] = packed[at + 1 + (j & 1)];
    twists[i] = packed[at + 3];
    stretchFactors[i] = packed[at + 4];
    bendFactors[i] = packed[at + 5];
    twistFactors[i] = packed[at + 6];
  }
  return { lengths, curvatures, twists, stretchFactors, bendFactors, twistFactors };
}
