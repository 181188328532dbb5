// Small solids for tests: rows of the tables, without the face that games use.

import { createSolid, type SolidDefinition } from '../../../src/dynamics/elastic/solid-rows';
import { enableSurfaces } from '../../../src/dynamics/elastic/surfaces';
import { boundaryTriangles } from '../../../src/geometry/tetrahedra';
import { SURFACE_MODULES } from '../../../systems/rod-systems';
import { addModules } from '../../../systems/step-modules';
import type { RodWorld } from '../../validation/strand-worlds';
import { boxOfTetrahedra } from './meshes';

/** Moduli of a test's solid. */
export interface TestMaterial {
  young: number;
  poisson?: number;
  density?: number;
  damping?: number;
  friction?: number;
  radius?: number;
  model?: number;
}

/** A definition of a solid from a mesh, at rest where it is. */
export function solidDefinition(
  mesh: { vertices: ArrayLike<number>; tetrahedra: ArrayLike<number> },
  material: TestMaterial,
  over: Partial<SolidDefinition> = {},
): SolidDefinition {
  const { young, poisson = 0.3, density = 1000, damping = 0, friction = 0.5, radius = 0.005, model = 0 } = material;
  return {
    ...{ entity: 0, selfContact: false, canSleep: false, layers: 1, mask: 0xffff },
    parameter: [radius, density, young, 0, young, damping, friction, 0],
    extra: [1, 0, 0, poisson],
    points: mesh.vertices,
    rest: mesh.vertices,
    tetrahedra: mesh.tetrahedra,
    triangles: boundaryTriangles(mesh.tetrahedra),
    velocity: [0, 0, 0],
    model,
    ...over,
  };
}

/** A box of cells of six tetrahedra from `low` to `high`. */
export function box(cells: readonly [number, number, number], low: readonly number[], high: readonly number[]) {
  const at = (k: number, share: number) => low[k] + share * (high[k] - low[k]);
  return boxOfTetrahedra(cells, (u, v, w) => [at(0, u), at(1, v), at(2, w)]);
}

/** Makes a solid in a world of rods. */
export function addSolidRows(world: RodWorld, definition: SolidDefinition): number {
  enableSurfaces();
  addModules(world.physics.internal, SURFACE_MODULES);
  return createSolid(world.physics.internal.engine, definition);
}
