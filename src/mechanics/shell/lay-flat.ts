// A sheet laid out flat: places of its nodes in the plane, if its triangles without stress fit together there and
// their outline is convex. Detection shows by these that such a sheet does not touch itself
// (kernels/assembly/surface/spread).
//
// The first triangle is put down, and the others beside those that lie already. That the result is a triangulation
// with a convex outline is read off the places alone, so what a mesh is curved by to begin with does no harm: the
// corners of two neighbours lie on either side of their edge, angles around an inner node are a full turn, around one
// of the border at most half a turn, and what they lack there is a full turn in all (a disc, laid out once;
// Gauss–Bonnet). Straight borders of vertices in f32 are not quite straight: all that they turn inwards may be up
// to MOST_INWARDS, by which a way within the sheet may turn from the straight one; INWARDS in spread.ts is for that.

import { MOST_INWARDS } from '../../core/elastic-constants';
import type { MeshEdges } from '../../geometry/mesh-edges';
import { arctangent } from '../../math/trigonometry';

/** A sheet in its plane. */
export interface FlatSheet {
  /** Two numbers a node [m]. */
  readonly places: Float64Array;
  /** Least height of a triangle [m]. */
  readonly height: number;
}

/** Rounding of the angles around a node [rad]. */
const ANGLE_ROUNDING = 1e-6;

/** Lays a sheet out from its shape without stress, three numbers a node [m]; null: it is none that can be. */
export function layFlat(shape: ArrayLike<number>, faces: ArrayLike<number>, edges: MeshEdges): FlatSheet | null {
  const places = placeNodes(shape, faces, edges);
  return places && isConvex(places, faces, edges) ? { places, height: leastHeight(places, faces) } : null;
}

/** Places of all nodes, null where there are any that no triangle leads to. */
function placeNodes(shape: ArrayLike<number>, faces: ArrayLike<number>, edges: MeshEdges): Float64Array | null {
  const places = new Float64Array((2 * shape.length) / 3).fill(Number.NaN);
  const isMet = new Uint8Array(faces.length / 3);
  const [a, b, c] = [faces[0], faces[1], faces[2]];
  places.set([0, 0], 2 * a);
  places.set([lengthOf(shape, a, b), 0], 2 * b);
  putBeside(places, shape, [a, b], c, 1);
  const waiting = [0];
  isMet[0] = 1;
  // In the order in which they were met: the way from the first triangle to any other is short.
  for (let next = 0; next < waiting.length; next++) {
    const t = waiting[next];
    for (let k = 0; k < 3; k++) {
      const e = edges.ofTriangle[3 * t + k];
      const other = edges.triangles[2 * e] === t ? edges.triangles[2 * e + 1] : edges.triangles[2 * e];
      if (other < 0 || isMet[other]) continue;
      isMet[other] = 1;
      waiting.push(other);
      const [p, q, one, two] = edges.vertices.subarray(4 * e, 4 * e + 4);
      const [here, there] = edges.triangles[2 * e] === t ? [one, two] : [two, one];
      if (Number.isNaN(places[2 * there])) putBeside(places, shape, [p, q], there, -sideOf(places, p, q, here));
    }
  }
  return places.some(Number.isNaN) ? null : places;
}

/** Puts a node down beside two others, by its distances from them, to their left (`side` above 0) or right. */
function putBeside(
  places: Float64Array,
  shape: ArrayLike<number>,
  [p, q]: readonly number[],
  node: number,
  side: number,
): void {
  const [base, near, far] = [lengthOf(shape, p, q), lengthOf(shape, p, node), lengthOf(shape, q, node)];
  const along = (near * near - far * far + base * base) / (2 * base);
  const across = Math.sign(side) * Math.sqrt(Math.max(0, near * near - along * along));
  // By its length as it was laid out: by that of the shape errors grow from triangle to triangle.
  const laid = flatLength(places, p, q);
  const x = (places[2 * q] - places[2 * p]) / laid;
  const y = (places[2 * q + 1] - places[2 * p + 1]) / laid;
  places[2 * node] = places[2 * p] + along * x - across * y;
  places[2 * node + 1] = places[2 * p + 1] + along * y + across * x;
}

function isConvex(places: Float64Array, faces: ArrayLike<number>, edges: MeshEdges): boolean {
  const turns = new Float64Array(places.length / 2);
  for (let t = 0; t < faces.length; t += 3) {
    for (let k = 0; k < 3; k++)
      turns[faces[t + k]] += angleAt(places, faces[t + k], faces[t + ((k + 1) % 3)], faces[t + ((k + 2) % 3)]);
  }
  const isBorder = new Uint8Array(turns.length);
  for (let e = 0; e < edges.count; e++) {
    const [p, q, one, two] = edges.vertices.subarray(4 * e, 4 * e + 4);
    if (two < 0) isBorder[p] = isBorder[q] = 1;
    else if (!(sideOf(places, p, q, one) * sideOf(places, p, q, two) < 0)) return false;
  }
  let lack = 0;
  let inwards = 0;
  for (let node = 0; node < turns.length; node++) {
    if (!isBorder[node]) {
      if (!(Math.abs(turns[node] - 2 * Math.PI) < ANGLE_ROUNDING)) return false;
      continue;
    }
    lack += Math.PI - turns[node];
    inwards += Math.max(0, turns[node] - Math.PI);
  }
  return inwards <= MOST_INWARDS && Math.abs(lack - 2 * Math.PI) < ANGLE_ROUNDING * turns.length;
}

/** Twice the area of p, q and another node, above 0 if that is to the left of the way from p to q. */
function sideOf(places: Float64Array, p: number, q: number, node: number): number {
  const [x, y] = [places[2 * p], places[2 * p + 1]];
  const [ax, ay] = [places[2 * q] - x, places[2 * q + 1] - y];
  return ax * (places[2 * node + 1] - y) - ay * (places[2 * node] - x);
}

function angleAt(places: Float64Array, corner: number, a: number, b: number): number {
  const [x, y] = [places[2 * corner], places[2 * corner + 1]];
  const [ax, ay] = [places[2 * a] - x, places[2 * a + 1] - y];
  const [bx, by] = [places[2 * b] - x, places[2 * b + 1] - y];
  return arctangent(Math.abs(ax * by - ay * bx), ax * bx + ay * by);
}

function leastHeight(places: Float64Array, faces: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t < faces.length; t += 3) {
    const [a, b, c] = [faces[t], faces[t + 1], faces[t + 2]];
    const longest = Math.max(flatLength(places, a, b), flatLength(places, b, c), flatLength(places, c, a));
    least = Math.min(least, Math.abs(sideOf(places, a, b, c)) / longest);
  }
  return least;
}

function flatLength(places: Float64Array, p: number, q: number): number {
  const [x, y] = [places[2 * p] - places[2 * q], places[2 * p + 1] - places[2 * q + 1]];
  return Math.sqrt(x * x + y * y);
}

function lengthOf(shape: ArrayLike<number>, p: number, q: number): number {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (shape[3 * p + k] - shape[3 * q + k]) ** 2;
  return Math.sqrt(square);
}
