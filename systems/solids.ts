// The calls a game makes on elastic solids. All check their input and throw UsageError: where, expected, got.

import { addEntity, entityExists, hasComponent, removeEntity } from 'bitecs';
import { written } from '../components/columns';
import { refuse } from '../src/core/errors';
import { createSolid } from '../src/dynamics/elastic/solid-rows';
import { enableSurfaces } from '../src/dynamics/elastic/surfaces';
import { touchRod } from '../src/dynamics/elastic/touch-strands';
import type { Engine } from '../src/dynamics/engine';
import { SOLID_NUMBER_NAMES, SOLID_PLACE_COUNT, SOLID_PLACES } from '../src/state/solid-material';
import { addSafely } from './ecs-changes';
import { isGoing, noteBirth } from './entity-lives';
import { type Physics, requirePhysics } from './physics';
import type { Vector } from './rigid-body';
import { requireRoom } from './rod-spec';
import { SURFACE_MODULES } from './rod-systems';
import type { Points } from './rods';
import { addVertexForce, meshOf, placeVertices, readVertices } from './shells';
import { checkSolid, type SolidSpec } from './solid-spec';
import { addModules } from './step-modules';

/**
 * Adds an entity with Solid: jelly, rubber, a soft toy. It may start deformed, flattened or inside out, in contact or
 * in penetration. Its rows are made at the next step, or call that asks for them. Throws UsageError on wrong input,
 * before anything is added: `addSolid: tetrahedra[3]: volume must be > 0 [m³], got -0.02 (inverted: …)`.
 */
export function addSolid(physics: Physics, spec: SolidSpec): number {
  const where = 'addSolid';
  requirePhysics(physics, where);
  const { material, mesh, pins, ...rest } = checkSolid(physics, where, spec);
  const nodes = rest.points.length / 3;
  requireRoom(physics, where, nodes);
  const { world, components, internal } = physics;
  const eid = addEntity(world);
  noteBirth(physics, eid);
  const numbers = new Float64Array(SOLID_PLACE_COUNT);
  for (const name of SOLID_NUMBER_NAMES) numbers[SOLID_PLACES[name]] = material[name];
  // Membranes and hinges, which a boundary has none of, would have the same modulus.
  numbers[2] = material.youngModulus;
  const definition = {
    entity: eid,
    ...rest,
    parameter: numbers.subarray(0, 8),
    extra: numbers.subarray(8, 12),
    weave: numbers.subarray(12),
  };
  enableSurfaces();
  addModules(internal, SURFACE_MODULES);
  const create = (engine: Engine) => createSolid(engine, definition);
  internal.rods.pendingShells.set(eid, { definition, create, mesh, pins });
  internal.rods.pendingNodes += nodes;
  if (!addSafely(world, eid, components.Solid)) return eid;
  const columns = written(components.Solid);
  for (const name of SOLID_NUMBER_NAMES) columns[name][eid] = material[name];
  return eid;
}

/** Removes the entity with its solid. Allowed at any time; an entity already gone is left alone. */
export function removeSolid(physics: Physics, eid: number): void {
  requirePhysics(physics, 'removeSolid');
  if (typeof eid !== 'number' || !Number.isInteger(eid)) refuse('removeSolid', 'entity must be an entity id', eid);
  const { world, components } = physics;
  if (!entityExists(world, eid) || isGoing(physics, eid)) return;
  if (!hasComponent(world, eid, components.Solid)) refuse('removeSolid', 'entity must be a solid of this world', eid);
  removeEntity(world, eid);
}

/** Wakes a solid, and everything it rests with. */
export function wakeSolid(physics: Physics, eid: number): void {
  const { slot } = meshOf(physics, eid, 'wakeSolid', 'solid');
  touchRod(physics.internal.engine.tables, slot);
}

/** Adds a force [N], world axes, on a vertex for the next step. In a system: before 'predict-motion'. */
export function addSolidForce(physics: Physics, eid: number, vertex: number, force: Vector): void {
  addVertexForce(physics, meshOf(physics, eid, 'addSolidForce', 'solid'), 'addSolidForce', vertex, force);
}

/**
 * Puts a solid somewhere else at once, at rest: the places of its vertices, as many [m]. Nothing is swept along, its
 * contacts end, pins stay where they are.
 */
export function placeSolid(physics: Physics, eid: number, vertices: Points): void {
  placeVertices(physics, meshOf(physics, eid, 'placeSolid', 'solid'), 'placeSolid', vertices);
}

/** Positions of its vertices after the last step, three numbers each [m]; into `out` where given. */
export function solidPositions(physics: Physics, eid: number, out?: Float64Array): Float64Array {
  const where = 'solidPositions';
  return readVertices(physics, meshOf(physics, eid, where, 'solid'), where, 'position', out);
}

/** Velocities likewise [m/s]. */
export function solidVelocities(physics: Physics, eid: number, out?: Float64Array): Float64Array {
  const where = 'solidVelocities';
  return readVertices(physics, meshOf(physics, eid, where, 'solid'), where, 'velocity', out);
}
