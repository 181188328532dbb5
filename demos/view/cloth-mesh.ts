// A sheet for the renderer, made of what physics knows of it, its middle: two sides half a thickness away, each lit
// by itself, and a rim between them. Nothing here knows the renderer.
//
// A coarse sheet is drawn finer: each edge gets a point on the cubic through its ends that stands square on their
// normals (PN triangles; Vlachos et al. 2001, section 3).

/** What a sheet is drawn from. */
export interface ClothShape {
  vertexCount: number;
  /** Three vertices a triangle, counter-clockwise seen from the front. */
  triangles: ArrayLike<number>;
  /** Half the distance between the sides drawn [m]. */
  halfThickness: number;
  /** Whether edges get a point in their middle. */
  isFine: boolean;
}

/** Buffers of a sheet; `indices` counter-clockwise seen from outside. */
export interface ClothMesh {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly indices: Uint32Array;
  /** Points of the middle; each is a point of the front and, so many further on, of the back. */
  readonly pointCount: number;
  /** Vertices of both sides and of the rim. */
  readonly vertexCount: number;
  /**
   * Writes the buffers; `positions` and `normals` of the sheet's vertices, three numbers each, from vertex `first`
   * on.
   */
  update(positions: ArrayLike<number>, normals: ArrayLike<number>, first: number): void;
  /** Spreads two numbers a vertex of the sheet over the vertices of the mesh. */
  spread(uvs: ArrayLike<number>): Float32Array;
}

export function createClothMesh({ vertexCount, triangles, halfThickness, isFine }: ClothShape): ClothMesh {
  const middles = new Map<number, number>();
  const ends: number[] = []; // of the edges that got a middle

  const middleOf = (a: number, b: number) => {
    const key = Math.min(a, b) * vertexCount + Math.max(a, b);
    let middle = middles.get(key);
    if (middle === undefined) {
      middle = vertexCount + ends.length / 2;
      middles.set(key, middle);
      ends.push(a, b);
    }
    return middle;
  };

  const faces: number[] = [];

  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    if (!isFine) {
      faces.push(a, b, c);
      continue;
    }
    const [d, e, f] = [middleOf(a, b), middleOf(b, c), middleOf(c, a)];
    faces.push(a, d, f, d, b, e, f, e, c, d, e, f);
  }

  const pointCount = vertexCount + ends.length / 2;
  const rim = boundaryOf(faces, pointCount);
  const rimStart = 2 * pointCount;
  const total = rimStart + 2 * rim.length;
  const positions = new Float32Array(3 * total);
  const normals = new Float32Array(3 * total);
  const points = new Float64Array(3 * pointCount);
  const directions = new Float64Array(3 * pointCount);

  return {
    positions,
    normals,
    indices: indicesOf(faces, rim, pointCount),
    pointCount,
    vertexCount: total,

    update(from, fromNormals, first) {
      for (let k = 0; k < 3 * vertexCount; k++) {
        points[k] = from[3 * first + k];
        directions[k] = fromNormals[3 * first + k];
      }
      for (let e = 0; e < ends.length; e += 2) bulge(points, directions, ends[e], ends[e + 1], vertexCount + e / 2);
      for (let k = 0, back = 3 * pointCount; k < 3 * pointCount; k++, back++) {
        positions[k] = points[k] + halfThickness * directions[k];
        positions[back] = points[k] - halfThickness * directions[k];
        normals[k] = directions[k];
        normals[back] = -directions[k];
      }
      writeRim(rim, points, directions, halfThickness, positions, normals, rimStart);
    },

    spread(uvs) {
      const out = new Float32Array(2 * total);
      for (let i = 0; i < 2; i++) {
        const at = (point: number) => {
          if (point < vertexCount) return uvs[2 * point + i];
          const e = 2 * (point - vertexCount);
          return 0.5 * (uvs[2 * ends[e] + i] + uvs[2 * ends[e + 1] + i]);
        };
        for (let point = 0; point < pointCount; point++) {
          out[2 * point + i] = out[2 * (point + pointCount) + i] = at(point);
        }
        for (let r = 0; r < rim.length; r++) {
          out[2 * (rimStart + 2 * r) + i] = out[2 * (rimStart + 2 * r + 1) + i] = at(rim[r]);
        }
      }
      return out;
    },
  };
}

/** Point and normal in the middle of the curved edge from a to b. */
function bulge(p: Float64Array, n: Float64Array, a: number, b: number, to: number): void {
  const [i, j, k] = [3 * a, 3 * b, 3 * to];
  const [dx, dy, dz] = [p[j] - p[i], p[j + 1] - p[i + 1], p[j + 2] - p[i + 2]];
  const riseA = (dx * n[i] + dy * n[i + 1] + dz * n[i + 2]) / 8;
  const riseB = -(dx * n[j] + dy * n[j + 1] + dz * n[j + 2]) / 8;
  const square = dx * dx + dy * dy + dz * dz;
  // Normals vary along the edge like the slope of the cubic does, not from one end's straight to the other's.
  const turn = square > 0 ? (16 * (riseA - riseB)) / square : 0;
  const slope = [dx, dy, dz];
  let length = 0;
  for (let c = 0; c < 3; c++) {
    p[k + c] = 0.5 * (p[i + c] + p[j + c]) - riseA * n[i + c] - riseB * n[j + c];
    n[k + c] = n[i + c] + n[j + c] - 0.5 * turn * slope[c];
    length += n[k + c] * n[k + c];
  }
  const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
  for (let c = 0; c < 3; c++) n[k + c] *= scale;
}

/** Points of the edges that only one face has, two an edge, in the order of the face. */
function boundaryOf(faces: readonly number[], pointCount: number): Int32Array {
  const lone = new Map<number, [number, number]>();
  for (let t = 0; t < faces.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [faces[t + k], faces[t + ((k + 1) % 3)]];
      const key = Math.min(a, b) * pointCount + Math.max(a, b);
      if (lone.has(key)) lone.delete(key);
      else lone.set(key, [a, b]);
    }
  }
  return Int32Array.from([...lone.values()].flat());
}

function indicesOf(faces: readonly number[], rim: Int32Array, pointCount: number): Uint32Array {
  const indices = new Uint32Array(2 * faces.length + 3 * rim.length);
  let at = 0;
  for (let t = 0; t < faces.length; t += 3) {
    const [a, b, c] = [faces[t], faces[t + 1], faces[t + 2]];
    indices.set([a, b, c, a + pointCount, c + pointCount, b + pointCount], at);
    at += 6;
  }
  for (let r = 0; r < rim.length; r += 2) {
    // Front and back of the first end, then of the second.
    const v = 2 * pointCount + 2 * r;
    indices.set([v, v + 1, v + 2, v + 2, v + 1, v + 3], at);
    at += 6;
  }
  return indices;
}

function writeRim(
  rim: Int32Array,
  p: Float64Array,
  n: Float64Array,
  half: number,
  positions: Float32Array,
  normals: Float32Array,
  start: number,
): void {
  for (let r = 0; r < rim.length; r += 2) {
    const [i, j] = [3 * rim[r], 3 * rim[r + 1]];
    const [dx, dy, dz] = [p[j] - p[i], p[j + 1] - p[i + 1], p[j + 2] - p[i + 2]];
    // Outwards: the face lies to the left of its edge.
    const x = dy * n[i + 2] - dz * n[i + 1];
    const y = dz * n[i] - dx * n[i + 2];
    const z = dx * n[i + 1] - dy * n[i];
    const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
    for (let end = 0; end < 2; end++) {
      const from = end === 0 ? i : j;
      const to = 3 * (start + 2 * (r + end));
      for (let c = 0; c < 3; c++) {
        positions[to + c] = p[from + c] + half * n[from + c];
        positions[to + 3 + c] = p[from + c] - half * n[from + c];
      }
      for (let side = 0; side < 2; side++) {
        normals[to + 3 * side] = x * scale;
        normals[to + 3 * side + 1] = y * scale;
        normals[to + 3 * side + 2] = z * scale;
      }
    }
  }
}
