// Strands, sheets and solids that a game asks for: with `elastic: true` queries see them beside bodies.

import {
  createElasticPrimitives,
  type ElasticPrimitives,
  refreshPrimitives,
} from '../src/collision/elastic-primitives';
import {
  type Counts,
  castElasticRay,
  type ElasticHit,
  nearElastic,
  nearestWeights,
} from '../src/collision/elastic-queries';
import type { ElasticAnswer, ElasticFeature, ElasticOptions, ElasticQueries, Physics } from './physics';

/**
 * Primitives as they are now.
 * @internal
 */
export function primitivesOf({ internal }: Physics): ElasticPrimitives {
  const { queries, engine } = internal;
  queries.elastic ??= createElasticPrimitives(engine.arena, engine.tables);
  refreshPrimitives(queries.elastic, queries.age);
  return queries.elastic;
}

/**
 * Which objects the options name.
 * @internal
 */
export function countsOf({ internal }: Physics, { mask = 0xffff, ignore }: ElasticOptions): Counts {
  const { rods, strands } = internal.engine.tables;
  const ignored = ignore === undefined ? -1 : (internal.rods.slotOf[ignore] ?? -1);
  return (object) => {
    const rod = strands.rod[object];
    // Without an entity: it was removed in this step and still stands in it.
    return rod !== ignored && rods.entity[rod] !== 0 && (rods.layers[rod] & mask & 0xffff) !== 0;
  };
}

function vectorOf(v: ArrayLike<number>): [number, number, number] {
  return [v[0], v[1], v[2]];
}

/**
 * A hit as a game reads it.
 * @internal
 */
export function answerOf(physics: Physics, hit: ElasticHit): ElasticAnswer {
  const { rods: state, queries, engine } = physics.internal;
  const { rods, strands } = engine.tables;
  const primitives = queries.elastic as ElasticPrimitives;
  const rod = strands.rod[hit.object];
  const entity = rods.entity[rod];
  const map = state.meshes.get(entity)?.map;
  const weights = nearestWeights(primitives, hit.primitive, hit.point);
  const feature: ElasticFeature = { nodes: [], weights: [] };
  for (let c = 0; c < 3; c++) {
    const row = primitives.node[3 * hit.primitive + c];
    if (row < 0) break;
    const node = row - rods.nodeStart[rod];
    feature.nodes.push(map ? map.indexOf(node) : node);
    feature.weights.push(weights[c]);
  }
  const { distance, depth, point, normal } = hit;
  return { entity, distance, depth, point: vectorOf(point), normal: vectorOf(normal), feature };
}

/**
 * What queries ask of a world that has something elastic, by the module of its step.
 * @internal
 */
export const elasticQueries: ElasticQueries = {
  castRay(physics, origin, direction, most, all, options) {
    const hits = castElasticRay(primitivesOf(physics), origin, direction, most, all, countsOf(physics, options));
    return hits.map((hit) => answerOf(physics, hit));
  },
  near(physics, point, radius, options) {
    const hits = nearElastic(primitivesOf(physics), point, radius, true, countsOf(physics, options));
    return hits.map((hit) => answerOf(physics, hit).entity);
  },
};
