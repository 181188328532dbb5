// Ground from an array of heights: what a height field is, its checks, and the triangles that stand for it.
//
// Every cell of the grid is two triangles, cut along the diagonal from its corner at least x, greatest z. In the engine
// a height field is a static mesh: the same tree, the same rules for inner edges, so that nothing bumps on them.

import { refuse, requireFinite, requirePositive, requireVector } from '../core/errors';

export interface HeightField {
  /** Extent along x and z [m]; the middle is the body's position. */
  readonly size: readonly [number, number] | Float32Array | Float64Array;
  /** Heights along z and along x, at least 2 each. */
  readonly rows: number;
  readonly columns: number;
  /** Height over the body's position, row by row: `heights[row · columns + column]` [m]. */
  readonly heights: ArrayLike<number>;
}

/** Most heights: what a mesh may have of vertices. */
const MOST = 2_000_000;
const KEYS = ['size', 'rows', 'columns', 'heights'];

/** @throws UsageError that begins with `where` and `name`, where the value is no height field. */
export function checkHeightField(where: string, name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) refuse(where, `${name} must have ${KEYS.join(', ')}`, value);
  const { size, rows, columns, heights, ...others } = value as Record<string, unknown>;
  for (const key of Object.keys(others)) refuse(where, `${name} must have ${KEYS.join(', ')} only`, key);
  requireVector(where, `${name}.size`, size, 2, 'm').forEach((x, k) => {
    requirePositive(where, `${name}.size[${k}]`, x, 'm');
  });
  for (const [key, count] of Object.entries({ rows, columns })) {
    if (!Number.isInteger(count) || (count as number) < 2)
      refuse(where, `${name}.${key} must be a whole number >= 2`, count);
  }
  const count = (rows as number) * (columns as number);
  if (count > MOST) refuse(where, `${name} must have at most ${MOST} heights`, count);
  const list = heights as ArrayLike<unknown> | null | undefined;
  if (typeof list !== 'object' || list === null || list.length !== count)
    refuse(where, `${name}.heights must be ${count} numbers [m], rows × columns`, list?.length ?? heights);
  for (let k = 0; k < count; k++) {
    if (!Number.isFinite(list[k])) requireFinite(where, `${name}.heights[${k}]`, list[k], 'm');
  }
}

/** Vertices, in the order of the heights, and triangles that look up, flat. */
export function meshOfHeights({ size, rows, columns, heights }: HeightField): {
  vertices: Float64Array;
  triangles: Uint32Array;
} {
  const vertices = new Float64Array(3 * rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      vertices[3 * at] = (column / (columns - 1) - 0.5) * size[0];
      vertices[3 * at + 1] = heights[at];
      vertices[3 * at + 2] = (row / (rows - 1) - 0.5) * size[1];
    }
  }
  const triangles = new Uint32Array(6 * (rows - 1) * (columns - 1));
  let to = 0;
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const a = row * columns + column;
      const [b, d, e] = [a + 1, a + columns, a + columns + 1];
      triangles.set([a, d, b, b, d, e], to);
      to += 6;
    }
  }
  return { vertices, triangles };
}
