// What addShell is given: mesh, material, pins and drawn surface, checked.

import {
  refuse,
  refuseAs,
  requireBits,
  requireFinite,
  requireFlag,
  requireVector,
  UsageError,
} from '../src/core/errors';
import { FARTHEST } from '../src/dynamics/bodies';
import { embedSurface } from '../src/geometry/embed-surface';
import { findMeshFault } from '../src/geometry/mesh-faults';
import { keepVertices, weldVertices } from '../src/geometry/weld';
import { KIND_SHELL } from '../src/state/layout';
import { resolveShellMaterial, SHELL_NUMBER_NAMES, type ShellMaterial } from '../src/state/shell-material';
import type { Physics } from './physics';
import type { Vector } from './rigid-body';
import { MOST_NODES, requireBody, requireKnownKeys } from './rod-spec';
import type { Points } from './rods';
import type { CheckedPin, ShellMesh } from './shell-state';
import { warnOnce } from './warnings';

/** Triangles: a list of [i, j, k], or flat indices i j k i j k …; counter-clockwise seen from the front. */
export type Triangles = ArrayLike<number> | ArrayLike<ArrayLike<number>>;

/** A vertex that is held. */
export interface ShellPin {
  /** By its number in `vertices`. */
  vertex: number;
  /** Entity of the body that it follows. Default the world. */
  body?: number;
  /** In the body's own frame, or the world's [m]. Default where the vertex is. */
  point?: Vector;
}

export interface ShellSpec extends Partial<ShellMaterial> {
  /** Where the vertices are [m]. Those at exactly the same place are one (see `weld`). */
  vertices: Points;
  triangles: Triangles;
  /** The shape without stress, as many vertices. Default `vertices`. */
  restVertices?: Points;
  /** Angles between triangles without stress: none, or those of `restVertices`: folds stay. Default 'flat'. */
  restAngles?: 'flat' | 'drawn';
  /**
   * Direction of the warp threads in `restVertices`, in each triangle as far as it lies in it; for `weftModulus`.
   * Default x. A shell that is given neither is the same both ways for good: its column weftModulus stays 0.
   */
  warp?: Vector;
  /** Whether vertices at exactly the same place are one: those that a texture's seams have split. Default true. */
  weld?: boolean;
  /** Vertices that are held, by number, or with the body that they follow. */
  pins?: ArrayLike<number | ShellPin>;
  /**
   * A finer mesh that is drawn in place of this one: each of its vertices goes along with the triangle that it is over.
   */
  surface?: { vertices: Points; triangles: Triangles };
  /** Whether the shell touches itself. Default true. */
  selfContact?: boolean;
  /** Whether it falls asleep at rest, as bodies do. Default true. */
  canSleep?: boolean;
  /** Layers it is in, 16 bits. Default 1. */
  layers?: number;
  /** Layers it collides with, 16 bits. Default all. */
  mask?: number;
  /** Of every vertex at first [m/s]. Default rest. */
  velocity?: Vector;
}

const KEYS = [
  ...SHELL_NUMBER_NAMES,
  ...['vertices', 'triangles', 'restVertices', 'restAngles', 'warp', 'weld', 'pins', 'surface'],
  ...['selfContact', 'canSleep', 'layers', 'mask', 'velocity'],
];

/** A spec without what may be wrong with it. Points and triangles by welded vertex. */
export interface CheckedShell {
  material: ShellMaterial;
  mesh: ShellMesh;
  points: Float64Array;
  rest: Float64Array;
  restAngles: 'flat' | 'drawn';
  /** Unit vector; null: it is the same both ways. */
  warp: number[] | null;
  triangles: Int32Array;
  pins: CheckedPin[];
  selfContact: boolean;
  canSleep: boolean;
  layers: number;
  mask: number;
  velocity: number[];
}

/** Checks all of a spec. Throws UsageError, which names index and value: `addShell: triangles[3] must …`. */
export function checkShell(physics: Physics, where: string, spec: ShellSpec): CheckedShell {
  requireKnownKeys(where, spec, KEYS);
  const material = resolveShellMaterial(where, spec);
  const given = readPoints(where, 'vertices', spec.vertices, 3);
  const faces = readTriangles(where, 'triangles', spec.triangles, given.length / 3);
  const weld = requireFlag(where, 'weld', spec.weld ?? true);
  const { map, first } = weld ? weldVertices(given) : keepVertices(given.length / 3);

  const pick = (points: Float64Array): Float64Array => {
    const out = new Float64Array(3 * first.length);
    for (let i = 0; i < first.length; i++) out.set(points.subarray(3 * first[i], 3 * first[i] + 3), 3 * i);
    return out;
  };
  const points = pick(given);
  const triangles = Int32Array.from(faces, (v) => map[v]);
  requireSurface(where, 'vertices', points, triangles, first);
  let rest = points;

  if (spec.restVertices !== undefined) {
    const shape = readPoints(where, 'restVertices', spec.restVertices, 3);
    if (shape.length !== given.length) {
      refuse(where, `restVertices must be as many as vertices, ${given.length / 3}`, shape.length / 3);
    }
    rest = pick(shape);
    requireSurface(where, 'restVertices', rest, triangles, first);
  }

  const restAngles = spec.restAngles ?? 'flat';
  if (restAngles !== 'flat' && restAngles !== 'drawn')
    refuse(where, "restAngles must be 'flat' or 'drawn'", restAngles);
  const velocity = requireVector(where, 'velocity', spec.velocity ?? [0, 0, 0], 3, 'm/s');
  if (velocity.some((x) => Math.abs(x) > 1000)) {
    refuse(where, 'velocity must be at most 1000 [m/s] along an axis', velocity);
  }
  warnOfThickness(physics, where, rest, triangles, material.thickness);

  return {
    material,
    points,
    rest,
    restAngles,
    triangles,
    velocity,
    warp: readWarp(where, spec.warp, material),
    mesh: { map, kind: KIND_SHELL, volume: null, ...drawnMesh(where, spec, points, triangles, faces) },
    pins: readPins(physics, where, spec.pins, map),
    selfContact: requireFlag(where, 'selfContact', spec.selfContact ?? true),
    canSleep: requireFlag(where, 'canSleep', spec.canSleep ?? true),
    layers: requireBits(where, 'layers', spec.layers ?? 1),
    mask: requireBits(where, 'mask', spec.mask ?? 0xffff),
  };
}

function readWarp(where: string, given: unknown, { weftModulus }: ShellMaterial): number[] | null {
  if (given === undefined) return weftModulus > 0 ? [1, 0, 0] : null;
  const warp = requireVector(where, 'warp', given, 3, 'm');
  // Scaled first: squares of tiny or huge components must not vanish or overflow. Math.hypot differs between browsers.
  const scale = Math.max(...warp.map(Math.abs));
  if (!(scale > 0)) refuse(where, 'warp must be a direction, longer than 0', warp);
  const [x, y, z] = warp.map((part) => part / scale);
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}

function drawnMesh(
  where: string,
  { surface }: ShellSpec,
  points: Float64Array,
  triangles: Int32Array,
  faces: Int32Array,
): Pick<ShellMesh, 'triangles' | 'embedding'> {
  if (surface === undefined) return { triangles: Uint32Array.from(faces), embedding: null };
  requireKnownKeys(where, surface, ['vertices', 'triangles']);
  const fine = readPoints(where, 'surface.vertices', surface.vertices, 3);
  const drawn = readTriangles(where, 'surface.triangles', surface.triangles, fine.length / 3);
  return { triangles: Uint32Array.from(drawn), embedding: embedSurface(fine, points, triangles) };
}

/** Flat copy of at least `least` points. */
export function readPoints(where: string, name: string, given: unknown, least: number): Float64Array {
  const list = given as ArrayLike<unknown> | null;
  if (typeof list !== 'object' || list === null || !Number.isSafeInteger(list.length)) {
    refuse(where, `${name} must be a list of points [m]`, given);
  }
  const isFlat = list.length > 0 && typeof list[0] === 'number';
  if (isFlat && list.length % 3 !== 0)
    refuseAs(where, `${name} must be 3 numbers a point [m]`, `${list.length} numbers`);
  const count = isFlat ? list.length / 3 : list.length;
  if (count < least) refuse(where, `${name} must have at least ${least} points`, count);
  if (count > MOST_NODES) refuse(where, `${name} must have at most ${MOST_NODES} points`, count);
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const point = isFlat
      ? [0, 1, 2].map((k) => requireFinite(where, `${name}[${i}]`, list[3 * i + k], 'm'))
      : requireVector(where, `${name}[${i}]`, list[i], 3, 'm');
    if (point.some((x) => Math.abs(x) > FARTHEST))
      refuse(where, `${name}[${i}] must be within ±${FARTHEST} [m]`, point);
    out.set(point, 3 * i);
  }
  return out;
}

/** Flat copy of at least one triangle, of vertices that are there. */
export function readTriangles(where: string, name: string, given: unknown, vertices: number): Int32Array {
  const list = given as ArrayLike<unknown> | null;
  if (typeof list !== 'object' || list === null || !Number.isSafeInteger(list.length) || list.length === 0) {
    refuse(where, `${name} must be a list of triangles, 3 indices of vertices each`, given);
  }
  const isFlat = typeof list[0] === 'number';
  if (isFlat && list.length % 3 !== 0)
    refuseAs(where, `${name} must be 3 indices a triangle`, `${list.length} indices`);
  const count = isFlat ? list.length / 3 : list.length;
  const out = new Int32Array(3 * count);
  for (let t = 0; t < count; t++) {
    const corners = isFlat ? [list[3 * t], list[3 * t + 1], list[3 * t + 2]] : (list[t] as ArrayLike<unknown> | null);
    if (typeof corners !== 'object' || corners === null || corners.length !== 3) {
      refuse(where, `${name}[${t}] must be 3 indices of vertices`, corners);
    }
    for (let k = 0; k < 3; k++) {
      const v = corners[k];
      if (typeof v !== 'number' || !Number.isInteger(v) || v < 0 || v >= vertices) {
        refuse(where, `${name}[${t}] must be 3 indices of vertices, 0..${vertices - 1}`, v);
      }
      out[3 * t + k] = v;
    }
  }
  return out;
}

/** Refuses what is no surface. `first`: a vertex of the game for each welded one. */
function requireSurface(
  where: string,
  name: string,
  points: Float64Array,
  triangles: Int32Array,
  first: Int32Array,
): void {
  const fault = findMeshFault(points, triangles);
  if (!fault) return;
  const { kind, index, expectation, got } = fault;
  const vertices = Array.isArray(got) ? got.map((v) => first[v]) : got;
  if (kind === 'vertices') refuse(where, `${name}[${first[index]}] ${expectation}`, got);
  const of = name === 'vertices' ? '' : ` in ${name}`;
  refuse(where, `triangles[${index}] ${expectation}${of}`, vertices);
}

/** A shell thicker than half its shortest edge touches itself everywhere. */
function warnOfThickness(
  physics: Physics,
  where: string,
  x: Float64Array,
  triangles: Int32Array,
  thickness: number,
): void {
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < triangles.length; i++) {
    const [a, b] = [3 * triangles[i], 3 * triangles[i % 3 === 2 ? i - 2 : i + 1]];
    shortest = Math.min(shortest, (x[b] - x[a]) ** 2 + (x[b + 1] - x[a + 1]) ** 2 + (x[b + 2] - x[a + 2]) ** 2);
  }
  const edge = Math.sqrt(shortest);
  if (thickness <= 0.5 * edge) return;
  const text = `${where}: thickness ${thickness} m is above half the shortest edge, ${edge} m: folds cannot close.`;
  warnOnce(physics, 'thick shell', `${text} Make it thinner, or the mesh coarser`);
}

/** Pins of vertices by number or as objects. */
export function readPins(physics: Physics, where: string, given: unknown, map: Int32Array): CheckedPin[] {
  if (given === undefined) return [];
  const list = given as ArrayLike<unknown> | null;
  if (typeof list !== 'object' || list === null || !Number.isSafeInteger(list.length)) {
    refuse(where, 'pins must be a list of vertices', given);
  }
  return Array.from(list, (pin, i) => readPin(physics, where, `pins[${i}]`, pin as number | ShellPin, map));
}

/** A pin given by the number of its vertex, or as an object. */
function readPin(physics: Physics, where: string, name: string, given: number | ShellPin, map: Int32Array): CheckedPin {
  const pin = typeof given === 'object' && given !== null ? given : { vertex: given };
  try {
    requireKnownKeys(where, pin, ['vertex', 'body', 'point']);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${error.message} in ${name}`) : error;
  }
  const point = pin.point === undefined ? null : requireVector(where, `${name}.point`, pin.point, 3, 'm');
  const isFar = point?.some((x) => Math.abs(x) > FARTHEST);
  if (isFar) refuse(where, `${name}.point must be within ±${FARTHEST} [m]`, point);
  return {
    node: requireVertex(where, name, pin.vertex, map),
    body: requireBody(physics, where, name, pin.body),
    point,
  };
}

/** Node of one of the game's vertices. */
export function requireVertex(where: string, name: string, vertex: unknown, map: Int32Array): number {
  if (typeof vertex !== 'number' || !Number.isInteger(vertex) || vertex < 0 || vertex >= map.length) {
    refuse(where, `${name} must be the number of a vertex, 0..${map.length - 1}`, vertex);
  }
  return map[vertex];
}
