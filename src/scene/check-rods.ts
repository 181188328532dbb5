// What the schema cannot see of rods and grooms: references, shapes without meaning, clamps that contradict.

import { findPolylineFault } from '../geometry/polyline';
import { type Path, type Problems, quote } from './errors';
import type { NamedBody } from './names';
import { type NamedRod, nameRods } from './rod-names';
import type { Scene, SceneGroom, SceneMotion, SceneRod, SceneRodOptions, Triple } from './scene-types';

/** Adds every problem of the rods and grooms; returns them by name. */
export function checkRods(
  scene: Scene,
  bodies: ReadonlyMap<string, NamedBody>,
  problems: Problems,
): ReadonlyMap<string, NamedRod> {
  scene.rods.forEach((rod, i) => {
    const path: Path = ['rods', i];
    checkShape(rod, path, problems);
    checkOptions(rod, bodies, path, problems);
    const ends = [rod.attachStart, rod.attachEnd];
    if (isHeld(rod, 'start', false) && isHeld(rod, 'end', false) && ends[0] !== ends[1] && rod.points.length < 4) {
      const text = `must be at least 4 points for clamps of two bodies, got ${rod.points.length}`;
      problems.add([...path, 'points'], text);
    }
  });
  scene.grooms.forEach((groom, i) => {
    checkStrands(groom, ['grooms', i], problems);
    checkOptions(groom.rod, bodies, ['grooms', i, 'rod'], problems);
  });
  return nameRods(scene, (clash, first) => {
    const text = `must be unique, got ${quote(clash.name)}, which ${first.kind}[${first.place}] has already`;
    problems.add([clash.kind, clash.place, 'name'], text);
  });
}

function isHeld(rod: SceneRodOptions, end: 'start' | 'end', byDefault: boolean): boolean {
  const [clamp, body] = end === 'start' ? [rod.clampStart, rod.attachStart] : [rod.clampEnd, rod.attachEnd];
  return clamp ?? (body !== undefined || byDefault);
}

function checkShape(rod: SceneRod, path: Path, problems: Problems): void {
  const count = rod.points.length;
  checkPoints(rod.points, [...path, 'points'], problems);
  if (rod.restPoints) {
    if (rod.restPoints.length !== count) {
      problems.add([...path, 'restPoints'], `must be as many as points, ${count}, got ${rod.restPoints.length}`);
    }
    checkPoints(rod.restPoints, [...path, 'restPoints'], problems);
  }
  for (const key of ['twist', 'restTwist'] as const) {
    const angles = rod[key];
    if (angles && angles.length !== count - 1) {
      problems.add([...path, key], `must be one number an edge, ${count - 1}, got ${angles.length}`);
    }
  }
}

/** A groom has strands of its own or a file of them. */
function checkStrands({ file, strands }: SceneGroom, path: Path, problems: Problems): void {
  if (file === undefined && strands === undefined) {
    const expected = 'a path relative to the scene, of a .hair, .data or .tfx file (or strands)';
    problems.add([...path, 'file'], `missing, expected ${expected}`);
  } else if (file !== undefined && strands !== undefined) {
    problems.add([...path, 'strands'], `must not be given with file, got ${strands.length}`);
  }
  strands?.forEach((points, s) => {
    checkPoints(points, [...path, 'strands', s], problems);
  });
}

function checkPoints(points: readonly Triple[], path: Path, problems: Problems): void {
  if (problems.full) return;
  const fault = findPolylineFault(points.flat(), 0, points.length);
  if (fault) problems.add([...path, fault.point], `${fault.expectation}, got ${fault.got}`);
}

function checkOptions(
  rod: SceneRodOptions,
  bodies: ReadonlyMap<string, NamedBody>,
  path: Path,
  problems: Problems,
): void {
  for (const end of ['Start', 'End'] as const) {
    const body = rod[`attach${end}`];
    if (body === undefined) continue;
    if (!bodies.has(body)) problems.add([...path, `attach${end}`], `no such body, got ${quote(body)}`);
    if (rod[`clamp${end}`] === false) {
      problems.add([...path, `clamp${end}`], `must be true where attach${end} is given, got false`);
    }
  }
}

/** Adds a problem for each rod or groom that grows on no solid of the scene. */
export function checkGrowth(scene: Scene, carriers: ReadonlyMap<string, unknown>, problems: Problems): void {
  const check = ({ growOn }: SceneRodOptions, path: Path) => {
    if (growOn === undefined || carriers.has(growOn)) return;
    problems.add([...path, 'growOn'], `no such solid, got ${quote(growOn)}`);
  };
  scene.rods.forEach((rod, i) => {
    check(rod, ['rods', i]);
  });
  scene.grooms.forEach((groom, i) => {
    check(groom.rod, ['grooms', i, 'rod']);
  });
}

/** What is wrong with a motion of a clamp; nothing if all is well. */
export function checkClampMotion(
  motion: SceneMotion,
  rods: ReadonlyMap<string, NamedRod>,
  path: Path,
  problems: Problems,
): void {
  const named = rods.get(motion.rod ?? '');
  if (named?.kind !== 'rods') {
    problems.add([...path, 'rod'], `no such rod, expected one with a clamp, got ${quote(motion.rod ?? '')}`);
    return;
  }
  if (motion.end === undefined) {
    problems.add([...path, 'end'], 'missing, expected "start" or "end"');
    return;
  }
  const rod = named.entry as SceneRod;
  const attach = motion.end === 'start' ? 'attachStart' : 'attachEnd';
  if (rod[attach] !== undefined) {
    problems.add([...path, 'end'], `must be held by the world, got one that follows ${quote(rod[attach])}`);
  } else if (!isHeld(rod, motion.end, false)) {
    problems.add([...path, 'end'], `must be clamped, got the free ${motion.end} of ${quote(named.name)}`);
  } else if (rod.points.length < 4 && isHeld(rod, 'start', false) && isHeld(rod, 'end', false)) {
    problems.add([...path, 'rod'], `must have at least 4 points to move one of two clamps, got ${rod.points.length}`);
  }
}
