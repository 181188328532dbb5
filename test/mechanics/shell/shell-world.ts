// Small shells for tests: rows of the tables, without the face that games use.

import { createRandom } from '../../../src/core/random';
import { createAttachment } from '../../../src/dynamics/elastic/attachment-rows';
import { createShell, type ShellDefinition } from '../../../src/dynamics/elastic/mesh-rows';
import { enableSurfaces } from '../../../src/dynamics/elastic/surfaces';
import type { Engine } from '../../../src/dynamics/engine';
import * as L from '../../../src/state/layout';
import { SURFACE_MODULES } from '../../../systems/rod-systems';
import { addModules } from '../../../systems/step-modules';
import type { RodWorld } from '../../validation/strand-worlds';

/** Vertices, three numbers each [m], and triangles, three vertices each. */
export interface Mesh {
  points: number[];
  triangles: number[];
}

/** How the squares of a grid are cut in two. */
export type Diagonals = 'even' | 'crossed' | 'cross';

/**
 * A grid of `columns` × `rows` squares in the plane y = 0, from the origin towards x and z. 'even': all cut along the
 * same diagonal, 'crossed': in turns, 'cross': in four by a vertex in the middle.
 */
export function gridMesh(
  columns: number,
  rows: number,
  width: number,
  depth: number,
  cut: Diagonals = 'crossed',
): Mesh {
  const points: number[] = [];
  const triangles: number[] = [];
  const at = (i: number, j: number) => i * (rows + 1) + j;
  for (let i = 0; i <= columns; i++)
    for (let j = 0; j <= rows; j++) points.push((width * i) / columns, 0, (depth * j) / rows);
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
      // Counter-clockwise seen from above.
      if (cut === 'cross') {
        const m = points.length / 3;
        points.push((width * (i + 0.5)) / columns, 0, (depth * (j + 0.5)) / rows);
        triangles.push(a, b, m, b, c, m, c, d, m, d, a, m);
      } else if (cut === 'even' || (i + j) % 2 === 0) triangles.push(a, b, c, a, c, d);
      else triangles.push(a, b, d, b, c, d);
    }
  }
  return { points, triangles };
}

/**
 * The mesh with its inner vertices, but for the first two columns, moved about in its plane by up to a share of a cell.
 */
export function jittered(mesh: Mesh, columns: number, rows: number, share: number): Mesh {
  const random = createRandom(3);
  const points = [...mesh.points];
  const size = Math.max(...points.filter((_, k) => k % 3 === 0));
  const depth = Math.max(...points.filter((_, k) => k % 3 === 2));
  for (let v = 0; v < points.length; v += 3) {
    const isInner = points[v] > (1.5 * size) / columns && points[v] < size - 1e-9;
    if (!isInner || points[v + 2] < 1e-9 || points[v + 2] > depth - 1e-9) continue;
    points[v] += (share * size * (2 * random() - 1)) / columns;
    points[v + 2] += (share * depth * (2 * random() - 1)) / rows;
  }
  return { points, triangles: mesh.triangles };
}

/** A definition of a shell from a mesh: cotton, at rest where it is. */
export function shellDefinition(mesh: Mesh, over: Partial<ShellDefinition> = {}): ShellDefinition {
  return {
    entity: 0,
    selfContact: false,
    canSleep: false,
    layers: 1,
    mask: 0xffff,
    // Half thickness, density, bending modulus, shear modulus, stretch modulus, damping, friction, cohesion.
    parameter: [0.5e-3, 400, 1e6, 0, 1e6, 0, 0.3, 0],
    // Gravity scale, air drag, compliance, Poisson ratio.
    extra: [1, 0, 0, 0.3],
    points: mesh.points,
    rest: mesh.points,
    restAngles: 'flat',
    triangles: mesh.triangles,
    velocity: [0, 0, 0],
    ...over,
  };
}

/** Holds a vertex of a shell where it is, in the world or on a body. */
export function pin(engine: Engine, slot: number, vertex: number, body = -1): number {
  const { nodes, rods } = engine.tables;
  const at = 4 * (rods.nodeStart[slot] + vertex);
  const point = nodes.position.slice(at, at + 3);
  const pinned = createAttachment(engine, { entity: 0, rod: slot, node: vertex, body, point, length: 0 });
  engine.tables.attachments.flags[pinned] |= L.ATTACHMENT_PIN;
  return pinned;
}

/** Makes a shell in a world of rods. */
export function addShellRows(world: RodWorld, definition: ShellDefinition): number {
  enableSurfaces();
  addModules(world.physics.internal, SURFACE_MODULES);
  return createShell(world.physics.internal.engine, definition);
}
