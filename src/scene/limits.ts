// How much a scene may hold, counted on the raw data before anything else looks at it or is built from it.
//
// In: plain data of any form (not checked yet) and limits. Out: nothing, or a SceneError. Whatever does not look
// like a list or a count here is passed over; the schema says later what is wrong with it.

import { refuse, requirePositive } from '../core/errors';
import { type Path, SceneError, showPath } from './errors';
import { MESH_FIELDS } from './mesh-families';
import type { SceneLimits } from './scene-types';

const DEFAULT_LIMITS: Readonly<Required<SceneLimits>> = { bodies: 200_000, nodes: 2_000_000 };

/** Completes limits. Throws UsageError: `readScene: limits.bodies must be a whole number, got 1.5`. */
export function resolveLimits(limits: SceneLimits = {}): Required<SceneLimits> {
  if (typeof limits !== 'object' || limits === null) refuse('readScene', 'limits must be an object', limits);
  const resolved = { bodies: limits.bodies ?? DEFAULT_LIMITS.bodies, nodes: limits.nodes ?? DEFAULT_LIMITS.nodes };
  for (const key of ['bodies', 'nodes'] as const) {
    requirePositive('readScene', `limits.${key}`, resolved[key]);
    if (!Number.isSafeInteger(resolved[key]))
      refuse('readScene', `limits.${key} must be a whole number`, resolved[key]);
  }
  return resolved;
}

type Loose = Record<string, unknown>;

function listAt(value: unknown, key: string): readonly unknown[] {
  const found = typeof value === 'object' && value !== null ? (value as Loose)[key] : undefined;
  return Array.isArray(found) ? found : [];
}

function objectAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Loose)[key] : undefined;
}

/** Copies that a repeat asks for; 1 when its count makes no sense. */
function countCopies(repeat: unknown): number {
  const count = objectAt(repeat, 'count');
  const factors = Array.isArray(count) ? count : [count];
  let copies = 1;
  for (const factor of factors) if (typeof factor === 'number' && factor >= 1) copies *= factor;
  return copies;
}

/** Throws SceneError when `data` holds more than `limits`: `bodies: at most 200000 in all, got 250000`. */
export function checkLimits(data: unknown, limits: Required<SceneLimits>): void {
  const over = (path: Path, what: string, limit: number, count: number): never => {
    throw new SceneError([`${showPath(path)}: at most ${limit} ${what} in all, got ${count}`]);
  };
  const bodies = listAt(data, 'bodies');
  const repeats = listAt(data, 'repeat');

  let bodyCount = bodies.length;
  if (bodyCount > limits.bodies) over(['bodies'], 'bodies', limits.bodies, bodyCount);
  repeats.forEach((repeat, i) => {
    bodyCount += countCopies(repeat);
    if (!(bodyCount <= limits.bodies)) over(['repeat', i, 'count'], 'bodies', limits.bodies, bodyCount);
  });

  let nodeCount = 0;
  const count = (shape: unknown, copies: number, path: Path): void => {
    // Points of a shape are stored once for all copies, parts are colliders of each copy.
    nodeCount += listAt(shape, 'hull').length + listAt(objectAt(shape, 'mesh'), 'vertices').length;
    nodeCount += listAt(objectAt(shape, 'heightField'), 'heights').length;
    const parts = listAt(shape, 'compound');
    nodeCount += parts.length * copies;
    if (nodeCount > limits.nodes) over(path, 'points and parts', limits.nodes, nodeCount);
    parts.forEach((part, i) => {
      count(objectAt(part, 'shape'), copies, [...path, 'compound', i, 'shape']);
    });
  };
  listAt(data, 'rods').forEach((rod, i) => {
    nodeCount += listAt(rod, 'points').length;
    if (nodeCount > limits.nodes) over(['rods', i, 'points'], 'points and parts', limits.nodes, nodeCount);
  });
  listAt(data, 'grooms').forEach((groom, i) => {
    for (const strand of listAt(groom, 'strands')) nodeCount += Array.isArray(strand) ? strand.length : 0;
    if (nodeCount > limits.nodes) over(['grooms', i, 'strands'], 'points and parts', limits.nodes, nodeCount);
  });
  for (const list of Object.keys(MESH_FIELDS)) {
    listAt(data, list).forEach((mesh, i) => {
      nodeCount += listAt(mesh, 'vertices').length + listAt(objectAt(mesh, 'surface'), 'vertices').length;
      if (nodeCount > limits.nodes) over([list, i, 'vertices'], 'points and parts', limits.nodes, nodeCount);
    });
  }
  bodies.forEach((body, i) => {
    count(objectAt(body, 'shape'), 1, ['bodies', i, 'shape']);
  });
  repeats.forEach((repeat, i) => {
    count(objectAt(objectAt(repeat, 'body'), 'shape'), countCopies(repeat), ['repeat', i, 'body', 'shape']);
  });
}
