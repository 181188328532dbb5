// What the solids of `stiction bench solids` are judged by, from their positions alone.

import type { Physics } from '../../systems/physics';
import { embedInTetrahedra } from '../geometry/embed-in-tetrahedra';
import { embedSurface } from '../geometry/embed-surface';
import { FORCE_SCALE } from '../state/contact-places';
import * as L from '../state/layout';
import { type BenchSolid, GRAVITY } from './solids-worlds';

/** Volume of tetrahedra [m³]. */
export function volumeOf(tetrahedra: ArrayLike<number>, x: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((k) => 3 * tetrahedra[t + k]);
    const [u, v, w] = [b, c, d].map((to) => [0, 1, 2].map((k) => x[to + k] - x[a + k]));
    sum += u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
  }
  return sum / 6;
}

/** Deepest that a vertex of the boundary of one solid is inside another, from its boundary [m]; 0: none is. */
export function deepestInside(solids: readonly BenchSolid[]): number {
  const bounds = solids.map((solid) => boundsOf(solid.positions()));
  let deepest = 0;
  for (const [i, a] of solids.entries()) {
    for (const [j, b] of solids.entries()) {
      if (i === j || !areNear(bounds[i], bounds[j])) continue;
      for (const depth of depthsOf(pointsWithin(a, bounds[j]), b)) deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

type Bounds = readonly [low: readonly number[], high: readonly number[]];

function boundsOf(x: ArrayLike<number>): Bounds {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < x.length; k++) {
    low[k % 3] = Math.min(low[k % 3], x[k]);
    high[k % 3] = Math.max(high[k % 3], x[k]);
  }
  return [low, high];
}

function areNear([lowA, highA]: Bounds, [lowB, highB]: Bounds): boolean {
  return [0, 1, 2].every((k) => lowA[k] <= highB[k] && highA[k] >= lowB[k]);
}

/** Vertices of a boundary that are within a box, three numbers each. */
function pointsWithin({ triangles, positions }: BenchSolid, [low, high]: Bounds): number[] {
  const x = positions();
  const out: number[] = [];
  for (const v of new Set(triangles)) {
    const place = [0, 1, 2].map((k) => x[3 * v + k]);
    if (place.every((value, k) => value >= low[k] && value <= high[k])) out.push(...place);
  }
  return out;
}

/** How deep those of the points that are inside a solid are [m]. */
function depthsOf(points: readonly number[], { tetrahedra, triangles, positions }: BenchSolid): number[] {
  if (points.length === 0) return [];
  const x = positions();
  const { weight } = embedInTetrahedra(points, x, tetrahedra);
  const inside: number[] = [];
  for (let v = 0; v < points.length / 3; v++) {
    if (Math.min(...weight.subarray(4 * v, 4 * v + 4)) >= 0) inside.push(...points.slice(3 * v, 3 * v + 3));
  }
  const { corner, weight: share } = embedSurface(inside, x, triangles);
  return Array.from({ length: inside.length / 3 }, (_, v) => {
    const away = [0, 1, 2].map((k) => {
      const at = [0, 1, 2].map((j) => share[3 * v + j] * x[3 * corner[3 * v + j] + k]);
      return inside[3 * v + k] - at[0] - at[1] - at[2];
    });
    return Math.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2);
  });
}

/** What there is to say of overlaps in a heap that may start with some. */
export interface OverlapHistory {
  /** Before the first step, and the most at the end of any [m]. */
  readonly start: number;
  readonly peak: number;
  /** Steps until none was left for the first time, NaN: there always was one; and the most from then on [m]. */
  readonly apartAfter: number;
  readonly onceApart: number;
}

/** Overlaps [m] before the first step and at the end of each, in order: `note` takes the next. */
export function watchOverlap(start: number): OverlapHistory & { note(depth: number): void } {
  let step = 0;
  const history = { start, peak: start, apartAfter: start === 0 ? 0 : Number.NaN, onceApart: 0 };
  return Object.assign(history, {
    note(depth: number): void {
      step++;
      history.peak = Math.max(history.peak, depth);
      if (Number.isNaN(history.apartAfter) && depth === 0) history.apartAfter = step;
      else if (!Number.isNaN(history.apartAfter)) history.onceApart = Math.max(history.onceApart, depth);
    },
  });
}

/**
 * Integral of the trace of the stress over all solids of a world at rest, by the virial theorem from what bears on
 * them: Σ f·x over their weight and the forces of the last step's contacts [J]. Times (1 − 2ν)/E it is the change
 * of their volume to first order, whatever the shapes. Only for worlds of solids and fixed bodies.
 */
export function traceOfLoads({ internal, settings }: Physics): number {
  const { arena, tables } = internal.engine;
  const { nodes, nodeContacts } = tables;
  let sum = 0;
  for (let i = 0; i < arena.i32[L.NODE_COUNT >> 2]; i++) sum -= GRAVITY * nodes.mass[2 * i] * nodes.position[4 * i + 1];
  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const scale = nodeContacts.force[4 * c + FORCE_SCALE];
    if (!(scale > 0)) continue;
    for (let j = 4 * c; j < 4 * c + 4; j++) {
      const node = nodeContacts.node[j];
      if (node < 0) continue;
      const share = nodeContacts.weight[j] / (scale * settings.timeStep);
      for (let k = 0; k < 3; k++) sum += share * nodeContacts.force[4 * c + k] * nodes.position[4 * node + k];
    }
  }
  return sum;
}
