// Thin-instance batches: one renderer mesh per geometry and finish, with the matrices and colours of its bodies.

import { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData';
import '@babylonjs/core/Meshes/thinInstanceMesh';
import type { Scene } from '@babylonjs/core/scene';
import type { ShapeFile, Vec3 } from '../scenes/demo-scene';
import { clockwise, type Geometry, geometryOf } from './geometry';
import { type Grain, grainOf } from './grain';
import type { Finish, Look } from './looks';
import type { Stage } from './stage';
import { unwrap } from './unwrap';

export interface Batch {
  mesh: Mesh;
  entities: number[];
  /** Three scale factors per body. */
  scales: number[];
  /** Red, green, blue, alpha per body as painted, linear. */
  baseColors: number[];
  /** Column-major 4 × 4 per body; filled by `fillBatch`. */
  matrices: Float32Array;
  /** Colours as shown. */
  colors: Float32Array;
  /** Whether the matrices have to be uploaded. */
  moved: boolean;
}

/** How a shape is drawn: a mesh, shared by key, and a scale of it. */
export interface Recipe {
  key: string;
  shape: ShapeFile;
  scale: Vec3;
}

/** More geometries of one kind than this share one unit mesh that is scaled. */
const MOST_GEOMETRIES = 40;

/** Chooses meshes for the shapes of all bodies, so that no kind asks for more than a few draw calls. */
export function chooseRecipes(shapes: ReadonlyMap<string, ShapeFile>): Map<string, Recipe> {
  const keys = new Map<string, string>();
  const perKind = new Map<string, Set<string>>();
  for (const [name, shape] of shapes) {
    const key = JSON.stringify(shape);
    keys.set(name, key);
    const kind = Object.keys(shape)[0];
    let known = perKind.get(kind);
    if (!known) {
      known = new Set();
      perKind.set(kind, known);
    }
    known.add(key);
  }
  const recipes = new Map<string, Recipe>();
  for (const [name, shape] of shapes) {
    const kind = Object.keys(shape)[0];
    const crowded = (perKind.get(kind)?.size ?? 0) > MOST_GEOMETRIES;
    const unit = crowded ? unitOf(shape) : null;
    recipes.set(name, unit ?? { key: keys.get(name) ?? '', shape, scale: [1, 1, 1] });
  }
  return recipes;
}

const UNIT = 'unit';

/** A shape as a scaled unit mesh; null for kinds that cannot be scaled that way. */
function unitOf(shape: ShapeFile): Recipe | null {
  if ('box' in shape) return { key: `${UNIT} box`, shape: { box: [1, 1, 1] }, scale: shape.box };
  if ('sphere' in shape)
    return { key: `${UNIT} sphere`, shape: { sphere: 1 }, scale: [shape.sphere, shape.sphere, shape.sphere] };
  if ('cylinder' in shape) {
    const [radius, halfHeight] = shape.cylinder;
    return { key: `${UNIT} cylinder`, shape: { cylinder: [1, 1] }, scale: [radius, halfHeight, radius] };
  }
  if ('cone' in shape) {
    const [radius, halfHeight] = shape.cone;
    return { key: `${UNIT} cone`, shape: { cone: [1, 1] }, scale: [radius, halfHeight, radius] };
  }
  return null;
}

/** Materials are kept per renderer scene: compiling shaders takes longer than everything else. */
const finishes = new WeakMap<Scene, Map<string, PBRMaterial>>();

function finishOf(scene: Scene, finish: Finish, grain: Grain | undefined): PBRMaterial {
  let made = finishes.get(scene);
  if (!made) {
    made = new Map();
    finishes.set(scene, made);
  }
  const key = `${finish} ${grain ?? ''}`;
  const known = made.get(key);
  if (known) return known;
  const material = new PBRMaterial(`finish-${key}`, scene);
  material.metallic = finish === 'metal' ? 0.85 : 0;
  material.roughness = { matte: 0.82, satin: 0.48, metal: 0.36, gloss: 0.24 }[finish];
  if (finish === 'matte') material.specularIntensity = 0.6;
  if (grain) material.albedoTexture = grainOf(scene, grain);
  made.set(key, material);
  return material;
}

/**
 * `paints`: linear colours of a compound's parts, in the place of its body's. `tile`: width of a tile of the grain in
 * this scene [m].
 */
export function createBatch(
  stage: Stage,
  recipe: Recipe,
  { finish, grain }: Look,
  detail: number,
  tile: number,
  paints: readonly (readonly number[])[] | null,
): Batch {
  const { scene } = stage;
  const mesh = new Mesh(`${finish} ${recipe.key.slice(0, 40)}`, scene);
  const data = new VertexData();
  const plain = geometryOf(recipe.shape, detail);
  // One that is scaled for each body shows a tile on each.
  const geometry = grain ? unwrap(plain, recipe.key.startsWith(UNIT) ? 2 : tile) : plain;
  data.positions = geometry.positions;
  data.normals = geometry.normals;
  data.indices = clockwise(geometry.indices);
  if (geometry.uvs) data.uvs = geometry.uvs;
  // Joints of masonry. All that is matte or has a grain has shades, so that one shader serves it all.
  if (paints) data.colors = painted(geometry, paints);
  else if (finish === 'matte' || grain) data.colors = greys(geometry);
  data.applyToMesh(mesh);
  mesh.material = finishOf(scene, finish, grain);
  mesh.receiveShadows = true;
  mesh.isPickable = false;
  // Its bounds are those of one body at the origin: never cull by them.
  mesh.alwaysSelectAsActiveMesh = true;
  mesh.doNotSyncBoundingInfo = true;
  if (isClosed(recipe.shape)) stage.castSolid(mesh);
  else stage.shadows.addShadowCaster(mesh, false);
  const none = new Float32Array(0);
  return { mesh, entities: [], scales: [], baseColors: [], matrices: none, colors: none, moved: false };
}

/** Colours of the parts as those of their vertices, four numbers each. */
function painted({ positions, parts }: Geometry, paints: readonly (readonly number[])[]): Float32Array {
  const colour = (vertex: number, i: number) => paints[parts?.[vertex] ?? 0]?.[i] ?? 1;
  return Float32Array.from({ length: (4 * positions.length) / 3 }, (_, i) => (i % 4 < 3 ? colour(i >> 2, i % 4) : 1));
}

/** Whether its mesh has no edge with one side alone: terrain and what is made of triangles may have some. */
function isClosed(shape: ShapeFile): boolean {
  if ('compound' in shape) return shape.compound.every((part) => isClosed(part.shape));
  if ('mesh' in shape) return isSheetless(shape.mesh.triangles);
  return !('heightField' in shape || 'plane' in shape);
}

/** Whether each edge is run along both ways. */
function isSheetless(triangles: readonly Vec3[]): boolean {
  const edges = new Set(triangles.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]));
  return [...edges].every((edge) => edges.has(edge.split(' ').reverse().join(' ')));
}

/** Shades of the vertices as colours, four numbers each. */
function greys({ positions, shades }: Geometry): Float32Array {
  return Float32Array.from({ length: (4 * positions.length) / 3 }, (_, i) => (i % 4 < 3 ? (shades?.[i >> 2] ?? 1) : 1));
}

/** Makes the buffers once all bodies are in. */
export function fillBatch(batch: Batch): void {
  batch.matrices = new Float32Array(16 * batch.entities.length);
  batch.colors = Float32Array.from(batch.baseColors);
  batch.mesh.thinInstanceSetBuffer('matrix', batch.matrices, 16, false);
  batch.mesh.thinInstanceSetBuffer('color', batch.colors, 4, false);
}

/** out = translation · rotation · scale of instance `index`. */
export function writeMatrix(
  batch: Batch,
  index: number,
  p: { x: ArrayLike<number>; y: ArrayLike<number>; z: ArrayLike<number> },
  q: { x: ArrayLike<number>; y: ArrayLike<number>; z: ArrayLike<number>; w: ArrayLike<number> },
  eid: number,
): void {
  const { matrices: m, scales: s } = batch;
  const o = 16 * index;
  const [x, y, z, w] = [q.x[eid], q.y[eid], q.z[eid], q.w[eid]];
  const [sx, sy, sz] = [s[3 * index], s[3 * index + 1], s[3 * index + 2]];
  m[o] = (1 - 2 * (y * y + z * z)) * sx;
  m[o + 1] = 2 * (x * y + w * z) * sx;
  m[o + 2] = 2 * (x * z - w * y) * sx;
  m[o + 4] = 2 * (x * y - w * z) * sy;
  m[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  m[o + 6] = 2 * (y * z + w * x) * sy;
  m[o + 8] = 2 * (x * z + w * y) * sz;
  m[o + 9] = 2 * (y * z - w * x) * sz;
  m[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  m[o + 12] = p.x[eid];
  m[o + 13] = p.y[eid];
  m[o + 14] = p.z[eid];
  m[o + 15] = 1;
  batch.moved = true;
}
