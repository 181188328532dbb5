// Tetrahedra from a closed surface by PxTetMaker of PhysX 5, in its WebAssembly build: the package `physx-js-webidl`,
// loaded only when asked for. It serves this command alone and is no part of a game.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TetrahedronMesh, TriangleMesh } from '../../scene/meshes/mesh';
import { CallError } from '../usage';

/** What is used of the package's module. */
interface PhysX {
  readonly PHYSICS_VERSION: number;
  readonly PxTetMaker: { readonly prototype: TetMaker };
  readonly PxTriangleMeshAnalysisResultEnum: Readonly<Record<string, number>>;
  PxVec3: new (x: number, y: number, z: number) => Vector;
  PxArray_PxVec3: new (size?: number) => NativeArray<Vector>;
  PxArray_PxU32: new (size?: number) => NativeArray<number>;
  PxSimpleTriangleMesh: new () => { points: Bounded; triangles: Bounded };
  PxDefaultAllocator: new () => object;
  PxDefaultErrorCallback: new () => object;
  CreateFoundation(version: number, allocator: object, errors: object): object;
  destroy(object: object): void;
}

interface Vector {
  x: number;
  y: number;
  z: number;
}

interface NativeArray<T> {
  get(index: number): T;
  set(index: number, value: T): void;
  begin(): unknown;
  size(): number;
}

interface Bounded {
  count: number;
  stride: number;
  data: unknown;
}

type Points = NativeArray<Vector>;
type Indices = NativeArray<number>;

interface TetMaker {
  validateTriangleMesh(mesh: object, leastVolume: number, leastAngle: number): { isSet(flag: number): boolean };
  remeshTriangleMesh(
    points: Points,
    indices: Indices,
    resolution: number,
    outPoints: Points,
    outIndices: Indices,
  ): void;
  simplifyTriangleMesh(
    points: Points,
    indices: Indices,
    triangles: number,
    longestEdge: number,
    outPoints: Points,
    outIndices: Indices,
  ): void;
  createConformingTetrahedronMesh(
    mesh: object,
    outPoints: Points,
    outIndices: Indices,
    validate: boolean,
    leastVolume: number,
  ): boolean;
}

const PACKAGE = 'physx-js-webidl';
/** Volume below which a tetrahedron is left out [of the mesh's unit cube]. */
const LEAST_VOLUME = 1e-12;

/** What is wrong with a surface, by the package's names. */
const PROBLEMS: readonly (readonly [string, string])[] = [
  ['eZERO_VOLUME', 'it encloses no volume'],
  ['eOPEN_BOUNDARIES', 'it is open'],
  ['eSELF_INTERSECTIONS', 'it runs through itself'],
  ['eINCONSISTENT_TRIANGLE_ORIENTATION', 'its triangles turn both ways round'],
  ['eEDGE_SHARED_BY_MORE_THAN_TWO_TRIANGLES', 'an edge has more than two triangles'],
  ['eCONTAINS_INVALID_POINTS', 'a point is no number'],
  ['eTRIANGLE_INDEX_OUT_OF_RANGE', 'a triangle has a vertex that is not there'],
];

/** The steps that fill a surface whose longest side is 1. */
export interface Filler {
  /** The surface with even triangles, by a grid of so many cells along the longest side. */
  remesh(surface: TriangleMesh, resolution: number): TriangleMesh;
  /** The surface with so many triangles. */
  simplify(surface: TriangleMesh, triangles: number): TriangleMesh;
  /** What is wrong with the surface, in words; empty where it can be filled. */
  problems(surface: TriangleMesh): string[];
  /** Tetrahedra whose boundary is the surface; null: it cannot be filled. */
  conforming(surface: TriangleMesh): TetrahedronMesh | null;
}

type Load = () => Promise<unknown>;

/** Opens the package. Throws CallError where it is missing. */
export async function openFiller(load: Load = loadPackage): Promise<Filler> {
  const physx = await start(load);
  const maker = physx.PxTetMaker.prototype;
  physx.CreateFoundation(physx.PHYSICS_VERSION, new physx.PxDefaultAllocator(), new physx.PxDefaultErrorCallback());

  const toPoints = (values: Float64Array): Points => {
    const points = new physx.PxArray_PxVec3(values.length / 3);
    const one = new physx.PxVec3(0, 0, 0);
    for (let i = 0; i < values.length / 3; i++) {
      [one.x, one.y, one.z] = [values[3 * i], values[3 * i + 1], values[3 * i + 2]];
      points.set(i, one);
    }
    physx.destroy(one);
    return points;
  };

  const toIndices = (values: Int32Array): Indices => {
    const indices = new physx.PxArray_PxU32(values.length);
    for (let k = 0; k < values.length; k++) indices.set(k, values[k]);
    return indices;
  };

  const fromPoints = (points: Points): Float64Array => {
    const out = new Float64Array(3 * points.size());
    for (let i = 0; i < points.size(); i++) {
      const { x, y, z } = points.get(i);
      out.set([x, y, z], 3 * i);
    }
    return out;
  };

  const fromIndices = (indices: Indices): Int32Array =>
    Int32Array.from({ length: indices.size() }, (_, k) => indices.get(k));

  /** Calls `work` with a mesh on the package's side and room for another; gives back what it wrote there, or null. */
  const convert = (
    vertices: Float64Array,
    indices: Int32Array,
    work: (points: Points, indices: Indices, outPoints: Points, outIndices: Indices) => boolean,
  ): [Float64Array, Int32Array] | null => {
    const lists = [toPoints(vertices), toIndices(indices), new physx.PxArray_PxVec3(), new physx.PxArray_PxU32()];
    const [a, b, c, d] = lists as [Points, Indices, Points, Indices];
    try {
      return work(a, b, c, d) ? [fromPoints(c), fromIndices(d)] : null;
    } finally {
      for (const list of lists) physx.destroy(list);
    }
  };

  const describe = (points: Points, indices: Indices) => {
    const mesh = new physx.PxSimpleTriangleMesh();
    Object.assign(mesh.points, { count: points.size(), stride: 12, data: points.begin() });
    Object.assign(mesh.triangles, { count: indices.size() / 3, stride: 12, data: indices.begin() });
    return mesh;
  };
  const surfaceOf = (found: [Float64Array, Int32Array] | null): TriangleMesh => {
    if (found === null) throw new Error('no surface');
    return { vertices: found[0], triangles: found[1] };
  };
  const solidOf = (found: [Float64Array, Int32Array] | null): TetrahedronMesh | null =>
    found && { vertices: found[0], tetrahedra: found[1] };

  return {
    remesh: (surface, resolution) =>
      surfaceOf(
        convert(surface.vertices, surface.triangles, (points, indices, outPoints, outIndices) => {
          maker.remeshTriangleMesh(points, indices, resolution, outPoints, outIndices);
          return true;
        }),
      ),
    simplify: (surface, triangles) =>
      surfaceOf(
        convert(surface.vertices, surface.triangles, (points, indices, outPoints, outIndices) => {
          maker.simplifyTriangleMesh(points, indices, triangles, 0, outPoints, outIndices);
          return true;
        }),
      ),
    problems(surface) {
      const found: string[] = [];
      convert(surface.vertices, surface.triangles, (points, indices) => {
        const mesh = describe(points, indices);
        const results = maker.validateTriangleMesh(mesh, LEAST_VOLUME, 1e-6);
        const flags = physx.PxTriangleMeshAnalysisResultEnum;
        for (const [name, words] of PROBLEMS) if (results.isSet(flags[name])) found.push(words);
        physx.destroy(mesh);
        return false;
      });
      return found;
    },
    conforming: (surface) =>
      solidOf(
        convert(surface.vertices, surface.triangles, (points, indices, outPoints, outIndices) => {
          const mesh = describe(points, indices);
          const done = maker.createConformingTetrahedronMesh(mesh, outPoints, outIndices, true, LEAST_VOLUME);
          physx.destroy(mesh);
          return done && outIndices.size() > 0;
        }),
      ),
  };
}

/** Its name is not written into the call, so that no bundler looks for it. */
function loadPackage(): Promise<unknown> {
  return import(/* @vite-ignore */ PACKAGE);
}

/**
 * Starts the module. Its loader was built for browsers and refuses Node: while it runs, Node is hidden from it and a
 * page is there, then all is as before.
 */
async function start(load: Load): Promise<PhysX> {
  let factory: (options: object) => Promise<PhysX>;
  let path: string;
  try {
    factory = ((await load()) as { default: typeof factory }).default;
    path = createRequire(import.meta.url)
      .resolve(PACKAGE)
      .replace(/\.mjs$/, '.wasm');
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
      throw new CallError(`filling a surface needs the package ${PACKAGE}: npm install --no-save ${PACKAGE}`);
    throw new CallError(`the package ${PACKAGE} cannot be loaded: ${error instanceof Error ? error.message : error}`);
  }
  const { versions } = process;
  const page = globalThis as { window?: unknown; document?: unknown };
  const before = { window: page.window, document: page.document };
  Object.defineProperty(process, 'versions', { value: { ...versions, node: undefined }, configurable: true });
  page.window ??= globalThis;
  page.document ??= { currentScript: null };
  try {
    return await factory({ wasmBinary: readFileSync(path), locateFile: () => path, print() {}, printErr() {} });
  } finally {
    Object.defineProperty(process, 'versions', { value: versions, configurable: true });
    if (before.window === undefined) delete page.window;
    if (before.document === undefined) delete page.document;
  }
}
