// A game's mesh as a surface: vertices that texture seams have split are one.

/** Vertices made one where they are at the same place. */
export interface Welded {
  /** The vertex of the surface that each vertex of the mesh is, in the order of their first. */
  readonly map: Int32Array;
  /** A vertex of the mesh for each of the surface. */
  readonly first: Int32Array;
}

/** Makes vertices at exactly the same place one; `points`: three numbers each. */
export function weldVertices(points: ArrayLike<number>): Welded {
  const count = Math.floor(points.length / 3);
  const map = new Int32Array(count);
  const first: number[] = [];
  const found = new Map<string, number>();
  for (let v = 0; v < count; v++) {
    // −0 is 0.
    const place = `${points[3 * v] + 0},${points[3 * v + 1] + 0},${points[3 * v + 2] + 0}`;
    let welded = found.get(place);
    if (welded === undefined) {
      welded = first.length;
      found.set(place, welded);
      first.push(v);
    }
    map[v] = welded;
  }
  return { map, first: Int32Array.from(first) };
}

/** Every vertex for itself. */
export function keepVertices(count: number): Welded {
  const map = Int32Array.from({ length: count }, (_, v) => v);
  return { map, first: map };
}
