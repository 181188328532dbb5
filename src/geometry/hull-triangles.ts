// The convex hull of points as triangles, by adding one point after another.
//
// Exact side tests (hull-orientation) make the topology right for any input: duplicates, points in a plane or
// on a line, jitter in the last bit. So the surface is closed and convex at every stage, without tolerances.
// A point in the plane of a face that it sees sideways takes that face away and rebuilds it: a triangle
// without area cannot arise. Cost: points × faces, meant for up to a few thousand points.

import { orientation, prepareExact } from './hull-orientation';

/** Triangles a b c, counter-clockwise from outside, of the hull of points x y z …; the first four are a simplex. */
export function triangulateHull(
  points: Float64Array,
  simplex: [number, number, number, number],
  order: number[],
): number[] {
  const exact = prepareExact(points);
  const count = points.length / 3;
  const faces: number[] = [];
  const alive: boolean[] = [];
  const acrossEdge = new Map<number, number>();
  const addFace = (a: number, b: number, c: number) => {
    const face = alive.length;
    faces.push(a, b, c);
    alive.push(true);
    acrossEdge.set(a * count + b, face);
    acrossEdge.set(b * count + c, face);
    acrossEdge.set(c * count + a, face);
  };
  const side = (face: number, point: number) =>
    orientation(exact, faces[3 * face], faces[3 * face + 1], faces[3 * face + 2], point);

  const [a, b, c, d] = simplex;
  const [p, q] = orientation(exact, a, b, c, d) < 0 ? [b, c] : [c, b];
  addFace(a, p, q);
  addFace(a, d, p);
  addFace(p, d, q);
  addFace(q, d, a);

  const visible: number[] = [];
  const seen = new Set<number>();
  for (const point of order) {
    if (simplex.includes(point)) continue;
    let first = 0;
    while (first < alive.length && !(alive[first] && side(first, point) > 0)) first++;
    if (first === alive.length) continue;
    // All faces that the point sees, those in whose plane it lies included.
    visible.length = 0;
    visible.push(first);
    seen.clear();
    seen.add(first);
    const horizon: number[] = [];
    for (let i = 0; i < visible.length; i++) {
      const face = visible[i];
      for (let k = 0; k < 3; k++) {
        const from = faces[3 * face + k];
        const to = faces[3 * face + ((k + 1) % 3)];
        const neighbor = acrossEdge.get(to * count + from) as number;
        if (seen.has(neighbor)) continue;
        if (side(neighbor, point) >= 0) {
          seen.add(neighbor);
          visible.push(neighbor);
        } else {
          horizon.push(from, to);
        }
      }
    }
    for (const face of visible) alive[face] = false;
    for (let i = 0; i < horizon.length; i += 2) addFace(horizon[i], horizon[i + 1], point);
  }
  return faces.filter((_, i) => alive[Math.floor(i / 3)]);
}
