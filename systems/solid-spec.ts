// What addSolid is given: tetrahedra, material, pins and surface, checked.

import { refuse, refuseAs, requireBits, requireFlag, requireVector } from '../src/core/errors';
import { embedInTetrahedra, type VolumeEmbedding } from '../src/geometry/embed-in-tetrahedra';
import { findMeshFault } from '../src/geometry/mesh-faults';
import { boundaryTriangles, checkTetrahedra } from '../src/geometry/tetrahedra';
import { weldVertices } from '../src/geometry/weld';
import { quadraticMesh } from '../src/mechanics/solid/quadratic-mesh';
import { SOLID_MODELS } from '../src/mechanics/solid/stretch-energy';
import { chooseElasticSolver } from '../src/solvers/choose-solver';
import { KIND_SOLID } from '../src/state/layout';
import { expectMaterialNumber } from '../src/state/material-number';
import {
  FIRM_POISSON_RATIO,
  resolveSolidMaterial,
  SOLID_NUMBER_NAMES,
  type SolidMaterial,
} from '../src/state/solid-material';
import type { Physics } from './physics';
import type { Vector } from './rigid-body';
import { requireKnownKeys } from './rod-spec';
import type { Points } from './rods';
import { readPins, readPoints, readTriangles, type ShellPin, type Triangles } from './shell-spec';
import type { CheckedPin, ShellMesh } from './shell-state';
import { warnOfModulus, warnOfWeight } from './warnings';

/** Tetrahedra: a list of [i, j, k, l], or flat indices; the fourth is on the side that i, j, k turn left around. */
export type Tetrahedra = ArrayLike<number> | ArrayLike<ArrayLike<number>>;

/** How stress follows strain (mechanics/solid/stretch-energy). */
export type SolidModel = keyof typeof SOLID_MODELS;

/** Shape functions of the tetrahedra (mechanics/solid/elements). */
export type SolidElementKind = 'linear' | 'quadratic';

export interface SolidSpec extends Partial<SolidMaterial> {
  /** Where the vertices are [m]; they may start flat or inside out. */
  vertices: Points;
  tetrahedra: Tetrahedra;
  /** The shape without stress, as many vertices, with tetrahedra of volume > 0. Default `vertices`. */
  restVertices?: Points;
  /**
   * corotated: linear elasticity that turns along, the cheapest; fixed-corotated: keeps volume better; neo-hookean:
   * rubber, for large stretch. Default 'corotated'. While a tetrahedron is inside out, or more than half have less than
   * a tenth of their volume, the whole solid is corotated, with a Poisson's ratio of 0.3 at most: so it has its shape
   * again from nearly any start.
   */
  model?: SolidModel;
  /**
   * linear: four nodes, fast, but such elements lock: a slender bar of two cells across bends half of what it should,
   * near ν = 0.5 a tenth. quadratic: with nodes in the middle of the edges too, about ten times the work for the same
   * tetrahedra, bends to 1 % with two cells across (4 % at ν = 0.49). Default 'linear'.
   */
  elements?: SolidElementKind;
  /** A finer surface that is drawn: each of its vertices goes along with the tetrahedron that it is in. */
  surface?: { vertices: Points; triangles: Triangles };
  /**
   * What of it touches: the boundary of its tetrahedra, or the finer `surface`, which the tetrahedra carry: contacts,
   * gaps and friction are then those of the surface that is seen, which should be closed, its triangles
   * counter-clockwise seen from outside. Elements must be linear. Default 'boundary'.
   */
  collision?: 'boundary' | 'surface';
  /** Vertices that are held, by number, or with the body that they follow. */
  pins?: ArrayLike<number | ShellPin>;
  /** Whether the solid touches itself. Default false. */
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
  ...SOLID_NUMBER_NAMES,
  ...['vertices', 'tetrahedra', 'restVertices', 'model', 'elements', 'surface', 'collision', 'pins'],
  ...['selfContact', 'canSleep', 'layers', 'mask', 'velocity'],
];

/** A spec without what may be wrong with it. */
export interface CheckedSolid {
  material: SolidMaterial;
  mesh: ShellMesh;
  points: Float64Array;
  rest: Float64Array;
  tetrahedra: Int32Array;
  /** Nodes in the middle of the edges of each tetrahedron; not there where they are linear. */
  middles?: Int32Array;
  /** The boundary, or the surface that touches in its place. */
  triangles: Int32Array;
  /** Where the points of that surface, the last ones, are in the tetrahedra. */
  riders?: VolumeEmbedding;
  model: number;
  pins: CheckedPin[];
  selfContact: boolean;
  canSleep: boolean;
  layers: number;
  mask: number;
  velocity: number[];
}

/** Reach of the surface over the mean edge of the boundary, where none is given [-]. */
const RADIUS_OF_EDGE = 0.05;
/** Farthest that a drawn vertex may be outside of the tetrahedra, in heights of the one it goes with [-]. */
const FARTHEST_OUTSIDE = 1;

/** Checks all of a spec. Throws UsageError, which names index and value: `addSolid: tetrahedra[3]: volume must …`. */
export function checkSolid(physics: Physics, where: string, spec: SolidSpec): CheckedSolid {
  requireKnownKeys(where, spec, KEYS);
  const material = resolveSolidMaterial(where, spec);
  warnOfModulus(physics, where, material.youngModulus);
  const points = readPoints(where, 'vertices', spec.vertices, 4);
  const tetrahedra = readTetrahedra(where, spec.tetrahedra, points.length / 3);
  warnOfWeight(physics, where, material, points);
  let rest = points;

  if (spec.restVertices !== undefined) {
    rest = readPoints(where, 'restVertices', spec.restVertices, 4);
    if (rest.length !== points.length) {
      refuse(where, `restVertices must be as many as vertices, ${points.length / 3}`, rest.length / 3);
    }
  }
  checkTetrahedra(rest, tetrahedra, where);
  const name = spec.model ?? 'corotated';
  if (typeof name !== 'string' || !Object.hasOwn(SOLID_MODELS, name)) {
    refuse(where, `model must be one of ${Object.keys(SOLID_MODELS).join(', ')}`, name);
  }
  const model = SOLID_MODELS[name];

  if (model !== SOLID_MODELS.corotated) {
    const expectation = expectMaterialNumber(FIRM_POISSON_RATIO, material.poissonRatio);
    if (expectation !== null)
      refuse(where, `poissonRatio ${expectation} with model ${spec.model}`, material.poissonRatio);
  }
  const velocity = requireVector(where, 'velocity', spec.velocity ?? [0, 0, 0], 3, 'm/s');
  if (velocity.some((x) => Math.abs(x) > 1000)) {
    refuse(where, 'velocity must be at most 1000 [m/s] along an axis', velocity);
  }
  const triangles = boundaryTriangles(tetrahedra, where);
  const map = Int32Array.from({ length: points.length / 3 }, (_, v) => v);
  const elements = spec.elements ?? 'linear';
  if (elements !== 'linear' && elements !== 'quadratic') {
    refuse(where, 'elements must be linear or quadratic', elements);
  }
  const pins = readPins(physics, where, spec.pins, map);
  const drawn = drawnSurface(where, spec, rest, tetrahedra, triangles);
  const cage = { points, rest, tetrahedra, triangles, pins };
  const { volume, fine } = drawn;
  const isSurface = collides(physics, where, spec) && volume !== null && fine !== null;
  const shape = isSurface ? withRiders(where, cage, fine, volume, drawn.triangles) : cage;
  if (material.radius === 0) material.radius = RADIUS_OF_EDGE * meanEdge(shape.rest, shape.triangles);

  return {
    ...(elements === 'quadratic' ? refineSolid(shape) : shape),
    material,
    model,
    velocity,
    mesh: { map, kind: KIND_SOLID, embedding: null, triangles: drawn.triangles, volume },
    selfContact: requireFlag(where, 'selfContact', spec.selfContact ?? false),
    canSleep: requireFlag(where, 'canSleep', spec.canSleep ?? true),
    layers: requireBits(where, 'layers', spec.layers ?? 1),
    mask: requireBits(where, 'mask', spec.mask ?? 0xffff),
  };
}

/** The shape of a solid, and what holds it. */
type Shape = Pick<CheckedSolid, 'points' | 'rest' | 'tetrahedra' | 'triangles' | 'pins'>;

/** Whether the finer surface touches. */
function collides(physics: Physics, where: string, { collision = 'boundary', surface, elements }: SolidSpec): boolean {
  if (collision !== 'boundary' && collision !== 'surface') {
    refuse(where, "collision must be 'boundary' or 'surface'", collision);
  }
  if (collision === 'boundary') return false;
  if (surface === undefined) refuse(where, "surface must be given with collision 'surface'", surface);
  if (elements === 'quadratic') refuse(where, "elements must be 'linear' with collision 'surface'", elements);
  const { elastic } = physics.internal.engine.settings;
  if (chooseElasticSolver(elastic.solver) === 'conjugate-residual') {
    refuse(where, "collision must be 'boundary' with elastic.solver 'conjugate-residual'", collision);
  }
  return true;
}

/**
 * With the vertices of a fine surface as its last points, and its triangles for the boundary. Vertices at the very same
 * place are one, those that no triangle has are left out.
 */
function withRiders(
  where: string,
  cage: Shape,
  fine: Float64Array,
  volume: VolumeEmbedding,
  drawn: Uint32Array,
): Shape & { riders: VolumeEmbedding } {
  const { map, first } = weldVertices(fine);
  const all = Int32Array.from(drawn, (v) => map[v]);
  const isUsed = new Uint8Array(first.length);
  for (const v of all) isUsed[v] = 1;
  const kept = [...first.keys()].filter((v) => isUsed[v] === 1);
  const place = new Int32Array(first.length);
  kept.forEach((v, k) => {
    place[v] = k;
  });
  const triangles = all.map((v) => place[v]);
  const own = kept.map((v) => first[v]);
  const points = Float64Array.from({ length: 3 * own.length }, (_, i) => fine[3 * own[Math.floor(i / 3)] + (i % 3)]);
  const fault = findMeshFault(points, triangles);
  if (fault) refuse(where, `surface.triangles[${fault.index}] ${fault.expectation}`, fault.got);
  const fourOf = (list: ArrayLike<number>) => (i: number) => list[4 * own[i >> 2] + (i & 3)];
  const [corner, weight] = [volume.corner, volume.weight].map(fourOf);
  const corners = cage.points.length / 3;
  return {
    ...cage,
    riders: {
      ...volume,
      corner: Int32Array.from({ length: 4 * own.length }, (_, i) => corner(i)),
      weight: Float64Array.from({ length: 4 * own.length }, (_, i) => weight(i)),
    },
    // createSolid puts them where the tetrahedra carry them.
    points: joined(cage.points, points),
    rest: joined(cage.rest, points),
    triangles: triangles.map((v) => corners + v),
  };
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/**
 * With nodes in the middle of its edges: four triangles for each of its boundary, and a pin for each edge that is held
 * at both ends by the same.
 */
function refineSolid({ points, rest, tetrahedra, triangles, pins }: Shape): Shape & { middles: Int32Array } {
  const { vertices, nodes, ends } = quadraticMesh(points, tetrahedra);
  const corners = points.length / 3;
  const middleOf = new Map<number, number>();
  const keyOf = (a: number, b: number) => Math.min(a, b) * corners + Math.max(a, b);
  for (let m = 0; m < ends.length / 2; m++) middleOf.set(keyOf(ends[2 * m], ends[2 * m + 1]), corners + m);
  const faces: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3);
    const [ab, bc, ca] = [keyOf(a, b), keyOf(b, c), keyOf(c, a)].map((key) => middleOf.get(key)!);
    faces.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  const held = new Map(pins.map((pin) => [pin.node, pin.body]));
  const more: CheckedPin[] = [];
  for (const [key, node] of middleOf) {
    const body = held.get(Math.floor(key / corners));
    if (body !== undefined && body === held.get(key % corners)) more.push({ node, body, point: null });
  }
  const middles = Int32Array.from(
    { length: (6 * nodes.length) / 10 },
    (_, k) => nodes[10 * Math.floor(k / 6) + 4 + (k % 6)],
  );
  return {
    points: vertices,
    rest: quadraticMesh(rest, tetrahedra).vertices,
    tetrahedra,
    middles,
    triangles: Int32Array.from(faces),
    pins: [...pins, ...more],
  };
}

function drawnSurface(
  where: string,
  { surface }: SolidSpec,
  rest: Float64Array,
  tetrahedra: Int32Array,
  boundary: Int32Array,
): { triangles: Uint32Array; volume: VolumeEmbedding | null; fine: Float64Array | null } {
  if (surface === undefined) return { triangles: Uint32Array.from(boundary), volume: null, fine: null };
  requireKnownKeys(where, surface, ['vertices', 'triangles']);
  const fine = readPoints(where, 'surface.vertices', surface.vertices, 3);
  const drawn = readTriangles(where, 'surface.triangles', surface.triangles, fine.length / 3);
  const volume = embedInTetrahedra(fine, rest, tetrahedra);
  if (volume.outside > FARTHEST_OUTSIDE) {
    const at = 3 * volume.outermost;
    const name = `surface.vertices[${volume.outermost}]`;
    const far = `${volume.outside.toPrecision(3)} heights of the nearest one outside`;
    refuseAs(where, `${name} must be within the tetrahedra [m]`, `[${fine.subarray(at, at + 3).join(', ')}], ${far}`);
  }
  return { triangles: Uint32Array.from(drawn), volume, fine };
}

function meanEdge(x: Float64Array, triangles: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < triangles.length; i++) {
    const [a, b] = [3 * triangles[i], 3 * triangles[i % 3 === 2 ? i - 2 : i + 1]];
    sum += Math.sqrt((x[b] - x[a]) ** 2 + (x[b + 1] - x[a + 1]) ** 2 + (x[b + 2] - x[a + 2]) ** 2);
  }
  return sum / triangles.length;
}

function readTetrahedra(where: string, given: unknown, vertices: number): Int32Array {
  const list = given as ArrayLike<unknown> | null;
  if (typeof list !== 'object' || list === null || !Number.isSafeInteger(list.length) || list.length === 0) {
    refuse(where, 'tetrahedra must be a list of tetrahedra, 4 indices of vertices each', given);
  }
  const isFlat = typeof list[0] === 'number';
  if (isFlat && list.length % 4 !== 0) {
    refuseAs(where, 'tetrahedra must be 4 indices a tetrahedron', `${list.length} indices`);
  }
  const count = isFlat ? list.length / 4 : list.length;
  const out = new Int32Array(4 * count);
  for (let t = 0; t < count; t++) {
    const corners = isFlat
      ? [0, 1, 2, 3].map((k) => list[4 * t + k])
      : (list[t] as ArrayLike<unknown> | null | undefined);
    if (typeof corners !== 'object' || corners === null || corners.length !== 4) {
      refuse(where, `tetrahedra[${t}] must be 4 indices of vertices`, corners);
    }
    for (let k = 0; k < 4; k++) {
      const v = corners[k];
      if (typeof v !== 'number' || !Number.isInteger(v) || v < 0 || v >= vertices) {
        refuse(where, `tetrahedra[${t}] must be 4 indices of vertices, 0..${vertices - 1}`, v);
      }
      out[4 * t + k] = v;
    }
  }
  return out;
}
