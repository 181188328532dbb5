// A strand as it is drawn: everything that its forces need and that no parameter changes.
//
// In: points, material, gravity. Out: lengths, tangents, curvatures and their gradients in the natural frame (no
// twist), loads, and the scale of each equation. The drawn shape is fixed, so the elastic forces on it are simple
// functions of the parameters (parameters.ts); the energies are those of src/mechanics/rod/elements.
//
// Unknowns of a strand: 4 a node, x y z θ. Held: the first node, its neighbour and the twist between them (a clamp);
// with `clampEnd` the last edge, too; the idle θ of the last node.
//
// Equations are measured as c = f/(a √(m m̄)), a the size of gravity, m̄ the mean nodal mass: the paper's M^{-1/2}
// f without units. Torques divide by the mean edge besides, not by the radius as the rotational inertia would:
// (edge/radius)² is 1e4 to 1e6, by which the system would only be worse conditioned.

import { differentiateNode } from '../mechanics/rod/elements';
import { naturalFrameOf } from '../mechanics/rod/initialise-strand';
import { TWIST } from '../state/node-places';

/** What a strand is made of, as far as statics goes. */
export interface StrandMaterial {
  /** [m] */
  readonly radius: number;
  /** [kg/m³] */
  readonly density: number;
  /** Of bending, twist and stretch [Pa]. */
  readonly youngModulus: number;
  readonly shearModulus: number;
  readonly stretchModulus: number;
}

/** Numbers of a node's gradients: four curvatures and the twist, eleven unknowns each. */
export const NODE_GRADIENT = 55;

/** A drawn strand; columns by node (edge i with node i), reserved for the longest and reused. */
export interface DrawnStrand {
  nodes: number;
  /** Of edge i [m]. */
  length: Float64Array;
  /** Unit tangent of edge i. */
  tangent: Float64Array;
  /** Material directors of edge i. */
  m1: Float64Array;
  m2: Float64Array;
  /** Four curvatures of node i [1]. */
  curvature: Float64Array;
  /** Their gradients and the twist's. */
  gradient: Float64Array;
  /** x y z [m]. */
  points: Float64Array;
  /** [kg] */
  mass: Float64Array;
  /** Weight and given forces, 4 a node [N, N·m]. */
  load: Float64Array;
  /** From forces to equations without unit, 4 a node; 0 where held [1/N, 1/(N·m)]. */
  scale: Float64Array;
  /** k_s A [N], E I [N·m²], G J [N·m²] at factor 1. */
  stretch: number;
  bend: number;
  twist: number;
  /** Weight of the strand [N]; without gravity the sum of the given forces' sizes. */
  weight: number;
  /** Size of gravity, or of the given forces over the mass [m/s²]; 0 without any load. */
  acceleration: number;
  /** [kg/m] */
  lineDensity: number;
  /** Rotational inertia over mass [m²]. */
  gyration: number;
  /** Sum of the edges [m]. */
  total: number;
}

/** An empty one, for strands of at most `most` nodes. */
export function createDrawnStrand(most: number): DrawnStrand {
  const column = (stride: number) => new Float64Array(stride * most);
  return {
    nodes: 0,
    length: column(1),
    tangent: column(3),
    m1: column(3),
    m2: column(3),
    curvature: column(4),
    gradient: column(NODE_GRADIENT),
    points: column(3),
    mass: column(1),
    load: column(4),
    scale: column(4),
    stretch: 0,
    bend: 0,
    twist: 0,
    weight: 0,
    acceleration: 0,
    lineDensity: 0,
    gyration: 0,
    total: 0,
  };
}

/** What acts on a strand besides its own elasticity. */
export interface StrandLoads {
  /** [m/s²], the strand's factor on it included. */
  readonly gravity: ArrayLike<number>;
  /** Given forces on the nodes, 3 a node of all strands [N]; null for none. */
  readonly forces: ArrayLike<number> | null;
  /** Whether the last edge is held as well. */
  readonly clampEnd: boolean;
}

/** Fills `out` from `count` points of `points`, the first with index `first`. */
export function drawStrand(
  out: DrawnStrand,
  points: ArrayLike<number>,
  first: number,
  count: number,
  material: StrandMaterial,
  loads: StrandLoads,
): void {
  out.nodes = count;
  for (let k = 0; k < 3 * count; k++) out.points[k] = points[3 * first + k];

  // Shape: the natural frame that the engine gives a strand at rest.
  const shape = naturalFrameOf(out.points, count);
  out.total = 0;
  for (let i = 0; i < count - 1; i++) {
    out.length[i] = shape.length[i];
    out.total += shape.length[i];
    for (let k = 3 * i; k < 3 * i + 3; k++) {
      out.tangent[k] = shape.tangent[k];
      out.m1[k] = shape.m1[k];
      out.m2[k] = shape.m2[k];
    }
  }
  for (let i = 1; i < count - 1; i++) {
    const { curvature, gradient } = differentiateNode(shape, i, 0.5 * (out.length[i - 1] + out.length[i]));
    for (let j = 0; j < 4; j++) out.curvature[4 * i + j] = curvature[j];
    for (let k = 0; k < NODE_GRADIENT; k++) out.gradient[NODE_GRADIENT * i + k] = gradient[k];
  }

  // Stiffness at factor 1, mass by drawn length.
  const { radius } = material;
  const area = Math.PI * radius * radius;
  out.stretch = material.stretchModulus * area;
  out.bend = (material.youngModulus * area * radius * radius) / 4;
  out.twist = (material.shearModulus * area * radius * radius) / 2;
  out.lineDensity = material.density * area;
  out.gyration = 0.5 * radius * radius;
  let mass = 0;
  for (let i = 0; i < count; i++) {
    const before = i > 0 ? out.length[i - 1] : 0;
    const after = i < count - 1 ? out.length[i] : 0;
    out.mass[i] = 0.5 * out.lineDensity * (before + after);
    mass += out.mass[i];
  }
  writeLoads(out, first, loads, mass / count);
}

function writeLoads(out: DrawnStrand, first: number, loads: StrandLoads, meanMass: number): void {
  const n = out.nodes;
  const [gx, gy, gz] = [loads.gravity[0], loads.gravity[1], loads.gravity[2]];
  const gravity = Math.sqrt(gx * gx + gy * gy + gz * gz);
  let given = 0;
  for (let i = 0; i < n; i++) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const force = loads.forces === null ? 0 : loads.forces[3 * (first + i) + k];
      out.load[4 * i + k] = out.mass[i] * loads.gravity[k] + force;
      square += force * force;
    }
    out.load[4 * i + TWIST] = 0;
    given += Math.sqrt(square);
  }

  // Without gravity the given forces set the scale; without any load every scale will do.
  out.acceleration = gravity > 0 ? gravity : given / (n * meanMass);
  const size = out.acceleration > 0 ? out.acceleration : 1;
  out.weight = size * n * meanMass;
  const edge = out.total / (n - 1);
  for (let i = 0; i < n; i++) {
    const scale = 1 / (size * Math.sqrt(out.mass[i] * meanMass));
    for (let k = 0; k < 4; k++) {
      const held = i === 0 || (i === 1 && k < 3) || (i === n - 1 && k === 3);
      const far = loads.clampEnd && i >= n - 2;
      out.scale[4 * i + k] = held || far ? 0 : k === 3 ? scale / edge : scale;
    }
  }
}
