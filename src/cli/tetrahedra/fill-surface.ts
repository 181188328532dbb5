// From a surface to tetrahedra: checked, evened out, made coarser, filled.

import { UsageError } from '../../core/errors';
import { measureTetrahedra } from '../../geometry/tetrahedra';
import { mergeVertices, type TetrahedronMesh, type TriangleMesh } from '../../scene/meshes/mesh';
import { improveTetrahedra } from './improve';
import type { Filler } from './tet-maker';

/** What `fillSurface` shows as it goes on: how many of FILL_STEPS are done. */
export type ShowStep = (done: number) => void;

/**
 * What is tried one after the other until all tetrahedra are of the quality asked for, else the best is kept: cells of
 * the even surface along the longest side for each cell asked for, and triangles over those of a surface of such cells
 * [-].
 */
const TRIES: readonly (readonly [even: number, triangles: number])[] = [
  [2, 1],
  [2, 0.85],
  [3, 1],
  [2.5, 1.15],
  [1.5, 0.9],
  [3, 0.8],
  [1, 1.2],
  [2, 1.3],
];
/** Mean ratio that is aimed for, over the least that is wanted [-]: files round. */
const ROOM = 1.02;
/** Steps of the work, where every try is needed. */
export const FILL_STEPS = TRIES.length + 1;
/** Triangles a square of one cell: equilateral ones with sides of a cell. */
const TRIANGLES_PER_SQUARE = 4 / Math.sqrt(3);

/** Volume that a surface encloses [m³] and its area [m²]. */
export function measureSurface({ vertices, triangles }: TriangleMesh): { volume: number; area: number } {
  let volume = 0;
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [...vertices.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3)]);
    const u = [0, 1, 2].map((k) => b[k] - a[k]);
    const v = [0, 1, 2].map((k) => c[k] - a[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
    area += Math.hypot(...n) / 2;
  }
  return { volume, area };
}

/** Refuses a surface with an edge that has not exactly two triangles, which turn the same way round. */
function requireClosed(file: string, { vertices, triangles }: TriangleMesh): void {
  const count = vertices.length / 3;
  const edges = new Map<number, number>();
  const fail = (t: number, a: number, b: number, why: string): never => {
    throw new UsageError(`${file}: triangles[${t}]: edge ${a}, ${b} must have two triangles, got ${why}`);
  };
  const keyOf = (a: number, b: number) => a * count + b;
  for (let k = 0; k < triangles.length; k++) {
    const a = triangles[k];
    const b = triangles[k % 3 === 2 ? k - 2 : k + 1];
    if (edges.has(keyOf(a, b))) fail(Math.floor(k / 3), a, b, 'more, or two that turn opposite ways round');
    edges.set(keyOf(a, b), k);
  }
  for (const k of edges.values()) {
    const a = triangles[k];
    const b = triangles[k % 3 === 2 ? k - 2 : k + 1];
    if (!edges.has(keyOf(b, a))) fail(Math.floor(k / 3), a, b, 'one: the surface is open there');
  }
}

/**
 * Fills a surface with tetrahedra of about longest side/cells, if it can be of a mean ratio of `leastRatio` at least.
 * Throws UsageError where it cannot be filled at all.
 */
export function fillSurface(
  filler: Filler,
  file: string,
  given: TriangleMesh,
  { cells, leastRatio }: { cells: number; leastRatio: number },
  show: ShowStep,
): TetrahedronMesh {
  const surface = mergeVertices(given);
  requireClosed(file, surface);
  const { scaled, scale, origin } = intoUnitCube(surface);
  const { volume } = measureSurface(scaled);
  if (!(volume > 0)) {
    const got = volume * scale ** 3;
    throw new UsageError(`${file}: triangles must turn left around seen from outside, got a volume of ${got}`);
  }
  show(1);

  let best: TetrahedronMesh | null = null;
  let bestRatio = -1;
  let problems: string[] = [];
  for (const [k, [even, triangles]] of TRIES.entries()) {
    const smooth = filler.remesh(scaled, Math.round(even * cells));
    const square = measureSurface(smooth).area * cells * cells;
    const wanted = Math.max(20, Math.round(triangles * TRIANGLES_PER_SQUARE * square));
    const coarse = wanted < smooth.triangles.length / 3 ? filler.simplify(smooth, wanted) : smooth;
    const raw = filler.conforming(coarse);
    if (raw === null) problems = filler.problems(coarse);
    const found = raw && improveTetrahedra(raw, ROOM * leastRatio);
    show(k + 2);
    if (found === null) continue;
    const { inverted, leastRatio: ratio } = measureTetrahedra(found.vertices, found.tetrahedra);
    if (inverted.length > 0 || ratio <= bestRatio) continue;
    [best, bestRatio] = [found, ratio];
    if (ratio >= leastRatio) break;
  }
  if (best === null) {
    const why = problems.length > 0 ? ` (${problems.join(', ')})` : '';
    throw new UsageError(
      `${file}: with --cells ${cells} the surface cannot be filled${why}; try others, or --method voxels`,
    );
  }
  const vertices = best.vertices.map((value, k) => origin[k % 3] + scale * value);
  return { vertices, tetrahedra: best.tetrahedra };
}

/** The surface with its longest side 1, from the origin on. */
function intoUnitCube({ vertices, triangles }: TriangleMesh): {
  scaled: TriangleMesh;
  scale: number;
  origin: number[];
} {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < vertices.length; k++) {
    low[k % 3] = Math.min(low[k % 3], vertices[k]);
    high[k % 3] = Math.max(high[k % 3], vertices[k]);
  }
  const scale = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const scaled = vertices.map((value, k) => (value - low[k % 3]) / scale);
  return { scaled: { vertices: scaled, triangles }, scale, origin: low };
}
