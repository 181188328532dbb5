// Shapes for scenes with elastic solids: tetrahedra to compute with, and a finer surface to draw.

import { vec3 } from 'gl-matrix';
import { pointAt, type Quat, type Vec3 } from './demo-scene';
import { CELL } from './tetrahedra';

/** Radius of the edges drawn over the size of the block. */
const ROUND = 0.13;
/** Angles at which the round edges are drawn [rad], and pieces between them. */
const ARC = [0, 0.2, 0.4, 0.6].map((x) => (x * Math.PI) / 4 / 0.6);
const STRAIGHT = 6;

/**
 * A cube of `cells` cells an edge that stands on y = 0, about the y axis; drawn with round edges, out to `reach` [m]
 * beyond it, where it touches.
 */
export function jellyBlock(size: number, cells: number, reach: number) {
  const vertices: Vec3[] = [];
  const tetrahedra: Quat[] = [];
  const number = (i: number, j: number, k: number) => (i * (cells + 1) + j) * (cells + 1) + k;
  const place = (i: number) => size * (i / cells);
  for (let i = 0; i <= cells; i++) {
    for (let j = 0; j <= cells; j++) {
      for (let k = 0; k <= cells; k++) {
        vertices.push([place(i) - size / 2, place(j), place(k) - size / 2]);
        if (i === cells || j === cells || k === cells) continue;
        for (const corners of CELL) {
          tetrahedra.push(corners.map((c) => number(i + (c >> 2), j + ((c >> 1) & 1), k + (c & 1))) as Quat);
        }
      }
    }
  }
  const surface = roundedCube(size / 2 + reach, ROUND * size);
  for (const vertex of surface.vertices) vertex[1] += size / 2;
  return { vertices, tetrahedra, surface };
}

/** The surface of a cube about the origin, of half an edge `half`, with edges of radius `round` [m]. */
function roundedCube(half: number, round: number): { vertices: Vec3[]; triangles: Vec3[] } {
  const flat = half - round;
  const arc = ARC.map((angle) => flat + round * Math.tan(angle));
  const inner = Array.from({ length: STRAIGHT - 1 }, (_, i) => flat * ((2 * (i + 1)) / STRAIGHT - 1));
  const ticks = [...arc.map((x) => -x).reverse(), ...inner, ...arc];
  const last = ticks.length - 1;
  const vertices: Vec3[] = [];
  const triangles: Vec3[] = [];
  const numbers = new Map<string, number>();

  const vertexAt = (at: Vec3): number => {
    const key = at.join();
    let found = numbers.get(key);
    if (found === undefined) {
      found = vertices.length;
      numbers.set(key, found);
      const p = at.map((i) => ticks[i]);
      const core = p.map((x) => Math.min(Math.max(x, -flat), flat)) as Vec3;
      const away = vec3.subtract([0, 0, 0], p as Vec3, core);
      vertices.push(vec3.scaleAndAdd([0, 0, 0], core, away, round / vec3.length(away)) as Vec3);
    }
    return found;
  };

  for (let axis = 0; axis < 3; axis++) {
    for (const side of [0, last]) {
      for (let u = 0; u < last; u++) {
        for (let v = 0; v < last; v++) {
          const corner = (du: number, dv: number) => {
            const at: Vec3 = [0, 0, 0];
            at[axis] = side;
            at[(axis + 1) % 3] = u + du;
            at[(axis + 2) % 3] = v + dv;
            return vertexAt(at);
          };
          const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          if (side === last) triangles.push([a, b, c], [a, c, d]);
          else triangles.push([a, c, b], [a, d, c]);
        }
      }
    }
  }

  return { vertices, triangles };
}

/** Volume of tetrahedra [m³]. */
export function volumeOf(tetrahedra: readonly Quat[], points: ArrayLike<number>): number {
  let sum = 0;
  for (const [a, b, c, d] of tetrahedra) {
    const [u, v, w] = [b, c, d].map((i) => vec3.subtract([0, 0, 0], pointAt(points, 3 * i), pointAt(points, 3 * a)));
    sum += vec3.dot(u, vec3.cross([0, 0, 0], v, w));
  }
  return sum / 6;
}
