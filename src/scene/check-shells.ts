// What the schema cannot see of shells: indices, references, two ways to give a mesh, motions of pins.

import { checkIndices } from './check-solids';
import { describe, type Path, type Problems, quote } from './errors';
import type { NamedBody } from './names';
import type { Scene, SceneMotion, SceneShell } from './scene-types';
import { type NamedShell, nameShells } from './shell-names';

/** Adds every problem of the shells; returns them by name. */
export function checkShells(
  scene: Scene,
  bodies: ReadonlyMap<string, NamedBody>,
  problems: Problems,
): ReadonlyMap<string, NamedShell> {
  scene.shells.forEach((shell, i) => {
    const path: Path = ['shells', i];
    checkMesh(shell, path, problems);
    checkPins(shell, bodies, path, problems);
  });
  return nameShells(scene, (clash, first) => {
    const text = `must be unique, got ${quote(clash.name)}, which shells[${first.place}] has already`;
    problems.add(['shells', clash.place, 'name'], text);
  });
}

function checkMesh(shell: SceneShell, path: Path, problems: Problems): void {
  const { vertices, triangles, restVertices, surface, file } = shell;
  if (surface) checkIndices(surface.triangles, surface.vertices.length, [...path, 'surface', 'triangles'], problems);
  if (file !== undefined) {
    for (const key of ['vertices', 'triangles'] as const) {
      const given = key === 'vertices' ? vertices : triangles;
      if (given) problems.add([...path, key], `must not be given with file, got ${given.length}`);
    }
    return;
  }
  if (!vertices) problems.add([...path, 'vertices'], 'missing, expected a list of at least 3 points [m] (or file)');
  if (!triangles) problems.add([...path, 'triangles'], 'missing, expected a list of at least 1 triangle (or file)');
  if (!vertices || !triangles) return;
  const last = vertices.length - 1;
  if (restVertices && restVertices.length !== vertices.length) {
    problems.add([...path, 'restVertices'], `must be as many as vertices, ${last + 1}, got ${restVertices.length}`);
  }
  for (let t = 0; t < triangles.length && !problems.full; t++) {
    const triangle = triangles[t];
    for (let k = 0; k < 3; k++) {
      if (triangle[k] > last) {
        problems.add([...path, 'triangles', t, k], `must be the index of a vertex, 0..${last}, got ${triangle[k]}`);
      }
    }
    if (triangle[0] === triangle[1] || triangle[1] === triangle[2] || triangle[2] === triangle[0]) {
      problems.add([...path, 'triangles', t], `must have 3 different indices, got ${describe(triangle)}`);
    }
  }
}

function checkPins(
  { pins, vertices }: SceneShell,
  bodies: ReadonlyMap<string, NamedBody>,
  path: Path,
  problems: Problems,
): void {
  for (let i = 0; i < pins.length && !problems.full; i++) {
    const pin = pins[i];
    const place: Path = [...path, 'pins', i];
    const vertex = typeof pin === 'number' ? pin : pin.vertex;
    if (vertices && vertex >= vertices.length) {
      const where: Path = typeof pin === 'number' ? place : [...place, 'vertex'];
      problems.add(where, `must be the index of a vertex, 0..${vertices.length - 1}, got ${vertex}`);
    }
    if (typeof pin !== 'number' && pin.body !== undefined && !bodies.has(pin.body)) {
      problems.add([...place, 'body'], `no such body, got ${quote(pin.body)}`);
    }
  }
}

/** What is wrong with a motion of a pinned vertex; nothing if all is well. */
export function checkPinMotion(
  motion: SceneMotion,
  shells: ReadonlyMap<string, NamedShell>,
  path: Path,
  problems: Problems,
): void {
  const named = shells.get(motion.shell ?? '');
  if (!named) {
    problems.add([...path, 'shell'], `no such shell, expected one with pins, got ${quote(motion.shell ?? '')}`);
    return;
  }
  if (motion.vertex === undefined) {
    problems.add([...path, 'vertex'], 'missing, expected the index of a pinned vertex');
    return;
  }
  const isHeld = named.shell.pins.some(
    (pin) => pin === motion.vertex || (typeof pin !== 'number' && pin.vertex === motion.vertex && !pin.body),
  );
  if (!isHeld) problems.add([...path, 'vertex'], `must be pinned in the world, got vertex ${motion.vertex}`);
}
