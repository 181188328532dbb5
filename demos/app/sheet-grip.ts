// Taking hold of a sheet or an elastic solid: the vertices under the finger are pinned and follow the pointer, as far
// as the material lets them.

import { vec3 } from 'gl-matrix';
import { pinVertex, type System, shellPositions, solidPositions, unpinVertex } from '../../src/index';
import type { Grip } from './grip';
import type { Session } from './session';

/** Vertices within this share of the distance to the eye come along, at most so many. */
const [PINCH, MOST] = [0.012, 12];
/** They make up their distance in this time [s], but are never faster than this [m/s]. */
const [LAG, FASTEST] = [0.06, 4];
/** Where the cloth about them is stretched by this, they give way; from the other on they go more slowly. */
const [TAUT, TIGHT] = [0.12, 0.03];
/** Of a solid so many vertices are held, and it is drawn out farther. */
const HELD = 5;
const [TAUT_SOLID, TIGHT_SOLID] = [0.7, 0.35];

/** A point of a sheet or a solid under the pointer. */
export interface SheetHit {
  /** Entity of the shell or solid. */
  entity: number;
  isSolid: boolean;
  /** Nearest vertex of the triangle hit, of a solid of all it has, counted from its first. */
  vertex: number;
  point: [number, number, number];
  /** Along the ray [m]. */
  distance: number;
}

/**
 * The nearest triangle of a sheet or of the surface of a solid that a ray from the eye meets before
 * `farthest` [m]; null if there is none.
 */
export function findSheet(
  { physics, shells, solids }: Session,
  origin: readonly number[],
  direction: readonly number[],
  farthest: number,
): SheetHit | null {
  const { positions } = physics.shells;
  let found: SheetHit | null = null;
  let nearest = farthest;

  for (const { entity, triangles, pinned } of shells.values()) {
    const first = physics.components.Shell.firstVertex[entity];
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
      const weights = meet(positions, first, corners, origin, direction);
      if (!weights || weights[3] >= nearest) continue;
      const vertex = corners[weights.indexOf(Math.max(weights[0], weights[1], weights[2]))];
      if (pinned.has(vertex)) continue;
      nearest = weights[3];
      const at = 3 * (first + vertex);
      found = {
        ...{ entity, isSolid: false, vertex },
        point: [positions[at], positions[at + 1], positions[at + 2]],
        distance: nearest,
      };
    }
  }

  const drawn = physics.solids.positions;

  for (const { entity, drawn: surface, pinned } of solids.values()) {
    const first = physics.components.Solid.firstVertex[entity];
    let isHit = false;
    for (let t = 0; t < surface.length; t += 3) {
      const weights = meet(drawn, first, [surface[t], surface[t + 1], surface[t + 2]], origin, direction);
      if (!weights || weights[3] >= nearest) continue;
      nearest = weights[3];
      isHit = true;
    }
    if (!isHit) continue;
    const point: [number, number, number] = [0, 0, 0];
    vec3.scaleAndAdd(point, origin as vec3, direction as vec3, nearest);
    const [vertex] = nearestVertices(solidPositions(physics, entity), point, pinned);
    if (vertex === undefined) found = null;
    else found = { entity, isSolid: true, vertex, point, distance: nearest };
  }

  return found;
}

/** All vertices but the pinned ones, the nearest to a point first. */
function nearestVertices(points: Float64Array, point: readonly number[], pinned: ReadonlySet<number>): number[] {
  const at = [...point] as vec3;
  const far = (v: number) => vec3.distance([points[3 * v], points[3 * v + 1], points[3 * v + 2]], at);
  return Array.from({ length: points.length / 3 }, (_, v) => v)
    .filter((v) => !pinned.has(v))
    .sort((a, b) => far(a) - far(b));
}

/** Weights of the corners where a ray meets a triangle, from either side, and the distance; null if it does not. */
function meet(
  positions: ArrayLike<number>,
  first: number,
  [a, b, c]: readonly number[],
  origin: readonly number[],
  direction: readonly number[],
): [number, number, number, number] | null {
  const at = (v: number): vec3 => {
    const k = 3 * (first + v);
    return [positions[k], positions[k + 1], positions[k + 2]];
  };
  const p = at(a);
  const u = vec3.subtract([0, 0, 0], at(b), p);
  const v = vec3.subtract([0, 0, 0], at(c), p);
  const across = vec3.cross([0, 0, 0], direction as vec3, v);
  const volume = vec3.dot(u, across);
  if (Math.abs(volume) < 1e-14) return null;
  const from = vec3.subtract([0, 0, 0], origin as vec3, p);
  const share = vec3.dot(from, across) / volume;
  if (share < 0 || share > 1) return null;
  const turned = vec3.cross([0, 0, 0], from, u);
  const other = vec3.dot(direction as vec3, turned) / volume;
  const distance = vec3.dot(v, turned) / volume;
  if (other < 0 || share + other > 1 || distance <= 0) return null;
  return [1 - share - other, share, other, distance];
}

/** Pins the sheet or solid about the hit; the pins follow `target` until it is released. */
export function gripSheet(session: Session, hit: SheetHit, target: readonly [number, number, number]): Grip {
  const { physics } = session;
  const anchor: [number, number, number] = [...hit.point];
  const { vertices, offsets, ring } = patchAt(session, hit);
  const read = hit.isSolid ? solidPositions : shellPositions;
  const [taut, tight] = hit.isSolid ? [TAUT_SOLID, TIGHT_SOLID] : [TAUT, TIGHT];
  const points = new Float64Array(read(physics, hit.entity).length);
  let isGone = false;

  const follow: System = ({ timeStep }) => {
    if (isGone) return;
    read(physics, hit.entity, points);
    const [stretch, pull] = tensionOf(ring, points);
    const way = vec3.subtract([0, 0, 0], target as vec3, anchor);
    const distance = vec3.length(way);
    const share = Math.min(1, timeStep / LAG, (FASTEST * timeStep) / Math.max(distance, 1e-9));
    vec3.scale(way, way, share);
    // Against a taut cloth no way is made; what is overdrawn goes back.
    const against = vec3.dot(way, pull);
    if (against < 0) {
      const slack = Math.min(Math.max((taut - stretch) / (taut - tight), 0), 1);
      vec3.scaleAndAdd(way, way, pull, -against * (1 - slack));
    }
    if (stretch > taut) vec3.scaleAndAdd(way, way, pull, Math.min(stretch - taut, 0.3) * 0.05);
    vec3.add(anchor, anchor, way);
    vertices.forEach((vertex, i) => {
      pinVertex(physics, hit.entity, vertex, { point: vec3.add([0, 0, 0], anchor, offsets[i]) as number[] });
    });
  };
  const stop = physics.schedule.before('copy-in', follow, 'drag-sheet');
  return {
    anchor,
    release() {
      isGone = true;
      stop();
      for (const vertex of vertices) unpinVertex(physics, hit.entity, vertex);
    },
  };
}

/** Edges from the patch outwards: a vertex of it, one beyond, and the length without stress. */
type Ring = { from: number; to: number; length: number }[];

/** Largest stretch of the edges about the patch, and where they pull it on the whole, a unit vector. */
function tensionOf(ring: Ring, points: Float64Array): [number, vec3] {
  let most = 0;
  const pull: vec3 = [0, 0, 0];
  const edge: vec3 = [0, 0, 0];
  for (const { from, to, length } of ring) {
    for (let k = 0; k < 3; k++) edge[k] = points[3 * to + k] - points[3 * from + k];
    const now = vec3.length(edge);
    const stretch = now / length - 1;
    if (stretch <= 0) continue;
    most = Math.max(most, stretch);
    vec3.scaleAndAdd(pull, pull, edge, stretch / Math.max(now, 1e-9));
  }
  return [most, vec3.normalize(pull, pull)];
}

/**
 * The vertex hit and those about it that are free, the nearest first; where they are from the hit; and the edges that
 * lead away.
 */
function patchAt({ physics, shells, solids }: Session, hit: SheetHit) {
  const parts = hit.isSolid ? solids : shells;
  const shell = [...parts.values()].find(({ entity }) => entity === hit.entity);
  const points = (hit.isSolid ? solidPositions : shellPositions)(physics, hit.entity);
  const at = (vertex: number) => points.slice(3 * vertex, 3 * vertex + 3);
  const near = [{ vertex: hit.vertex, distance: 0 }];
  for (let vertex = 0; vertex < points.length / 3; vertex++) {
    if (vertex === hit.vertex || shell?.pinned.has(vertex)) continue;
    const distance = vec3.distance(at(vertex) as unknown as vec3, hit.point);
    if (distance < PINCH * hit.distance) near.push({ vertex, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  const vertices = hit.isSolid
    ? nearestVertices(points, hit.point, shell?.pinned ?? new Set()).slice(0, HELD)
    : near.slice(0, MOST).map(({ vertex }) => vertex);
  const inside = new Set(vertices);
  const ring: Ring = [];
  const { triangles, rest } = shell ?? { triangles: [], rest: points };
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      for (const [a, b] of [
        [from, to],
        [to, from],
      ]) {
        if (!inside.has(a) || inside.has(b)) continue;
        const [p, q] = [a, b].map((v): vec3 => [rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]]);
        const length = vec3.distance(p, q);
        ring.push({ from: a, to: b, length });
      }
    }
  }
  const offsets = vertices.map((vertex) => vec3.subtract([0, 0, 0], at(vertex) as unknown as vec3, hit.point));
  return { vertices, offsets, ring };
}
