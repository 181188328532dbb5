// What the schema cannot see in one value alone: references, unique names, indices, volume, order of times.
//
// In: data that fits the schema. Out: problems, by path. Nothing is built here.

import { UsageError } from '../core/errors';
import { buildHull } from '../geometry/hull-build';
import { STATIC_KINDS } from '../geometry/shapes';
import { checkActors } from './check-actors';
import { checkJoints } from './check-joints';
import { checkClampMotion, checkGrowth, checkRods } from './check-rods';
import { checkPinMotion } from './check-shells';
import { describe, type Path, type Problems, quote } from './errors';
import { CARRIER, checkMeshes } from './mesh-families';
import { type NamedBody, nameBodies } from './names';
import type { NamedRod } from './rod-names';
import type { BodyType, Scene, SceneBody, SceneMotion, SceneShape, Triple } from './scene-types';
import type { NamedShell } from './shell-names';

/** Adds every problem of `scene` that needs more than one value to see. */
export function checkScene(scene: Scene, problems: Problems): void {
  scene.bodies.forEach((body, i) => {
    checkBody(scene, body, ['bodies', i], problems);
  });
  scene.repeat.forEach((repeat, i) => {
    checkBody(scene, repeat.body, ['repeat', i, 'body'], problems);
    const { count, spacing, jitter } = repeat;
    const many = typeof count === 'number' ? count > 1 : count.some((n) => n > 1);
    const spread = typeof jitter === 'number' ? jitter > 0 : jitter.some((x) => x > 0);
    if (many && spacing === undefined && !spread) {
      problems.add(['repeat', i, 'spacing'], 'missing, expected 3 numbers [m] (or jitter): all copies would coincide');
    }
  });

  const pathOf = (entry: NamedBody): Path =>
    entry.copy < 0 ? ['bodies', entry.place, 'name'] : ['repeat', entry.place, 'body', 'name'];
  const bodies = nameBodies(scene, (clash, first) => {
    const owner = first.copy < 0 ? `bodies[${first.place}]` : `copy ${first.copy} of repeat[${first.place}]`;
    const what = clash.copy < 0 ? 'must be unique' : `its copy ${clash.copy} must have a unique name`;
    problems.add(pathOf(clash), `${what}, got ${quote(clash.name)}, which ${owner} has already`);
  });
  const rods = checkRods(scene, bodies, problems);
  const known = checkActors(scene, bodies, problems);
  const meshes = checkMeshes(scene, bodies, problems);
  checkGrowth(scene, meshes[CARRIER], problems);
  checkJoints(scene, { body: known, rod: rods, ...meshes }, problems);
  checkMotions(scene, bodies, rods, meshes.shell, problems);
}

function checkBody(scene: Scene, body: SceneBody, path: Path, problems: Problems): void {
  if (body.material !== undefined && !Object.hasOwn(scene.materials, body.material)) {
    const known = Object.keys(scene.materials).slice(0, 6).map(quote).join(', ');
    const expected = known === '' ? 'materials has none' : `expected a name in materials such as ${known}`;
    problems.add([...path, 'material'], `no such material, ${expected}, got ${quote(body.material)}`);
  }
  checkShape(body.shape, body.type, [...path, 'shape'], problems);
}

function checkShape(shape: SceneShape, type: BodyType, path: Path, problems: Problems): void {
  for (const kind of STATIC_KINDS) {
    if (shape[kind] !== undefined && type !== 'static') {
      problems.add([...path, kind], `only on bodies of type "static", got ${quote(type)}`);
    }
  }
  if (shape.mesh) checkMesh(shape.mesh, [...path, 'mesh'], problems);
  if (shape.heightField) {
    const { rows, columns, heights } = shape.heightField;
    if (heights.length !== rows * columns) {
      const expected = `must be ${rows * columns} numbers [m], rows × columns`;
      problems.add([...path, 'heightField', 'heights'], `${expected}, got ${heights.length}`);
    }
  }
  const wrong = shape.hull && !problems.full ? refuseHull(shape.hull) : null;
  if (wrong) problems.add([...path, 'hull'], wrong);
  shape.compound?.forEach((part, i) => {
    checkShape(part.shape, type, [...path, 'compound', i, 'shape'], problems);
  });
}

function checkMesh(mesh: { vertices: Triple[]; triangles: Triple[] }, path: Path, problems: Problems): void {
  const last = mesh.vertices.length - 1;
  for (let t = 0; t < mesh.triangles.length && !problems.full; t++) {
    const triangle = mesh.triangles[t];
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

function checkMotions(
  scene: Scene,
  bodies: ReadonlyMap<string, NamedBody>,
  rods: ReadonlyMap<string, NamedRod>,
  shells: ReadonlyMap<string, NamedShell>,
  problems: Problems,
): void {
  const moved = new Map<string, number>();
  scene.motions.forEach((motion, i) => {
    const path: Path = ['motions', i];
    const kind = kindOf(motion);
    if (kind === 'rod') checkClampMotion(motion, rods, path, problems);
    else if (kind === 'shell') checkPinMotion(motion, shells, path, problems);
    else checkBodyMotion(motion, bodies, path, problems);
    const name = motion[kind] ?? '';
    const part = { body: '', rod: motion.end ?? '', shell: motion.vertex ?? '' }[kind];
    const key = `${kind} ${part} ${name}`;
    const earlier = moved.get(key);
    if (earlier !== undefined) {
      const what = `one motion ${{ body: 'a body', rod: 'an end', shell: 'a vertex' }[kind]}`;
      const place: Path = [...path, kind];
      problems.add(place, `${what}, got ${quote(name)}, which motions[${earlier}] moves already`);
    }
    moved.set(key, i);
    for (let k = 1; k < motion.keys.length; k++) {
      const before = motion.keys[k - 1].time;
      const { time } = motion.keys[k];
      if (time <= before) {
        problems.add([...path, 'keys', k, 'time'], `must be > ${before} [s], the time of the key before, got ${time}`);
      }
    }
  });
}

/** What a motion moves. */
function kindOf(motion: SceneMotion): 'body' | 'rod' | 'shell' {
  if (motion.body !== undefined) return 'body';
  if (motion.rod !== undefined) return 'rod';
  return motion.shell === undefined ? 'body' : 'shell';
}

function checkBodyMotion(
  motion: SceneMotion,
  bodies: ReadonlyMap<string, NamedBody>,
  path: Path,
  problems: Problems,
): void {
  const { body } = motion;
  if (body === undefined) {
    problems.add(
      [...path, 'body'],
      'missing, expected the name of a kinematic body (or rod and end, or shell and vertex)',
    );
    return;
  }
  for (const key of ['rod', 'end', 'shell', 'vertex'] as const) {
    if (motion[key] !== undefined) {
      problems.add([...path, key], `must not be given with body, got ${describe(motion[key])}`);
    }
  }
  const target = bodies.get(body);
  const type = target?.body.type;
  if (!target) problems.add([...path, 'body'], `no such body, expected a kinematic one, got ${quote(body)}`);
  else if (type !== 'kinematic') {
    problems.add([...path, 'body'], `must be of type "kinematic", got ${quote(body)} of type ${quote(type ?? '')}`);
  }
}

/** What is wrong with the points of a hull: the builder of the engine says, so that reader and engine agree. */
function refuseHull(points: readonly Triple[]): string | null {
  try {
    buildHull(points, 'hull');
    return null;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (!error.message.includes('enclose volume')) return error.message.replace(/^hull: hull (points )?/, '');
    return 'must enclose volume, got points that lie (nearly) in a plane, on a line or in one point';
  }
}
