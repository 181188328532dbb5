// The edges of a triangle mesh, each once, with the triangles on both sides.

/** A mesh's edges in the order in which its triangles first name them. */
export interface MeshEdges {
  readonly count: number;
  /**
   * Four vertices an edge: its own two, the lower first; the one opposite in its first triangle, in its second, −1:
   * there is none. The first triangle is the one that runs from the lower to the higher vertex.
   */
  readonly vertices: Int32Array;
  /** Two triangles an edge, −1: there is none. On the border the first, whichever way it runs. */
  readonly triangles: Int32Array;
  /** Edges of each triangle: from its vertex 0 to 1, 1 to 2, 2 to 0. */
  readonly ofTriangle: Int32Array;
  /**
   * Triangles that name an edge which two others have named, or that run along it the same way as the other one does.
   */
  readonly crowded: number[];
  readonly unwound: number[];
}

/** Finds the edges of `triangles`, three vertices each. */
export function findMeshEdges(triangles: ArrayLike<number>): MeshEdges {
  const faces = Math.floor(triangles.length / 3);
  const numbers = new Map<number, number>();
  const vertices = new Int32Array(12 * faces).fill(-1);
  const sides = new Int32Array(6 * faces).fill(-1);
  const ofTriangle = new Int32Array(3 * faces);
  const isDownward = new Uint8Array(3 * faces);
  const crowded: number[] = [];
  const unwound: number[] = [];
  let most = 1;
  for (let i = 0; i < 3 * faces; i++) most = Math.max(most, triangles[i] + 1);

  for (let t = 0; t < faces; t++) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[3 * t + k];
      const b = triangles[3 * t + ((k + 1) % 3)];
      const opposite = triangles[3 * t + ((k + 2) % 3)];
      const low = Math.min(a, b);
      const high = Math.max(a, b);
      const name = low * most + high;
      let edge = numbers.get(name);
      if (edge === undefined) {
        edge = numbers.size;
        numbers.set(name, edge);
        vertices.set([low, high, opposite, -1], 4 * edge);
        sides[2 * edge] = t;
        isDownward[edge] = a === high ? 1 : 0;
      } else if (sides[2 * edge + 1] >= 0) {
        crowded.push(t);
      } else {
        if ((isDownward[edge] === 1) === (a === high)) unwound.push(t);
        const place = isDownward[edge];
        if (place === 1) {
          vertices[4 * edge + 3] = vertices[4 * edge + 2];
          sides[2 * edge + 1] = sides[2 * edge];
        }
        vertices[4 * edge + 3 - place] = opposite;
        sides[2 * edge + 1 - place] = t;
      }
      ofTriangle[3 * t + k] = edge;
    }
  }

  const count = numbers.size;

  return {
    count,
    vertices: vertices.slice(0, 4 * count),
    triangles: sides.slice(0, 2 * count),
    ofTriangle,
    crowded,
    unwound,
  };
}
