// Ropes on the stage: tubes along a smooth curve through the nodes. Positions are packed four numbers a node: x y z and
// one spare. Hair is drawn elsewhere (hair-mesh.ts).

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer';
import type { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator';
import { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData';
import type { Scene } from '@babylonjs/core/scene';
import { LAY_ATTRIBUTE, STRAND_ATTRIBUTE, StrandShading } from './strand-shading';

/** What is drawn with one mesh: ropes of one radius. */
export interface StrandSet {
  /** First node of each strand, in nodes. */
  first: ArrayLike<number>;
  /** Number of nodes of each strand. */
  count: ArrayLike<number>;
  /** [m] */
  radius: number;
  /** Linear colour of each strand, three numbers. */
  colors: ArrayLike<number>;
  /** Drawn points per edge; more is smoother. */
  detail: number;
}

export interface StrandMesh {
  readonly mesh: Mesh;
  /** Makes the vertices anew. */
  update(positions: ArrayLike<number>): void;
  dispose(): void;
}

const RING = 10; // vertices round a tube

export function createStrandMesh(scene: Scene, shadows: ShadowGenerator, set: StrandSet): StrandMesh {
  const strands = set.first.length;
  const pointsOf = (strand: number) => (set.count[strand] - 1) * set.detail + 1;
  let points = 0;
  let longest = 0;
  for (let s = 0; s < strands; s++) {
    points += pointsOf(s);
    longest = Math.max(longest, pointsOf(s));
  }
  const vertices = points * RING;
  const position = new Float32Array(3 * vertices);
  const normal = new Float32Array(3 * vertices);
  const strand = new Float32Array(4 * vertices);
  const lay = new Float32Array(2 * vertices);
  const color = new Float32Array(4 * vertices);
  const curve = new Float32Array(3 * longest);

  const mesh = new Mesh('ropes', scene);
  const data = new VertexData();
  data.positions = position;
  data.normals = normal;
  data.colors = color;
  data.indices = indicesOf(set, pointsOf);
  paint(set, pointsOf, color);
  data.applyToMesh(mesh, true);
  mesh.setVerticesData(STRAND_ATTRIBUTE, strand, true, 4);
  mesh.setVerticesData(LAY_ATTRIBUTE, lay, true, 2);
  mesh.material = materialOf(scene);
  mesh.receiveShadows = true;
  mesh.isPickable = false;
  mesh.alwaysSelectAsActiveMesh = true;
  mesh.doNotSyncBoundingInfo = true;
  shadows.addShadowCaster(mesh, false);

  return {
    mesh,
    update(positions) {
      let at = 0;
      for (let s = 0; s < strands; s++) {
        const count = pointsOf(s);
        smooth(positions, set.first[s], set.count[s], set.detail, curve);
        writeTube(curve, count, set.radius, at, { position, normal, strand, lay });
        at += count * RING;
      }
      mesh.updateVerticesData(VertexBuffer.PositionKind, position, false, false);
      mesh.updateVerticesData(VertexBuffer.NormalKind, normal, false, false);
      mesh.updateVerticesData(STRAND_ATTRIBUTE, strand, false, false);
      mesh.updateVerticesData(LAY_ATTRIBUTE, lay, false, false);
    },
    dispose() {
      shadows.removeShadowCaster(mesh);
      mesh.dispose(false, false);
    },
  };
}

interface Vertices {
  position: Float32Array;
  normal: Float32Array;
  strand: Float32Array;
  lay: Float32Array;
}

/** A tube whose rings follow the curve without turning about it. */
function writeTube(curve: Float32Array, count: number, radius: number, first: number, out: Vertices): void {
  let [ux, uy, uz] = [0, 0, 0];
  let arc = 0;

  for (let i = 0; i < count; i++) {
    const x = curve[3 * i];
    const y = curve[3 * i + 1];
    const z = curve[3 * i + 2];
    tangentAt(curve, count, i);
    const tx = T[0];
    const ty = T[1];
    const tz = T[2];

    if (i === 0) {
      // Any direction across the first tangent.
      if (Math.abs(tx) < 0.8) [ux, uy, uz] = [1, 0, 0];
      else [ux, uy, uz] = [0, 1, 0];
    } else {
      arc += Math.sqrt(square(x - curve[3 * i - 3]) + square(y - curve[3 * i - 2]) + square(z - curve[3 * i - 1]));
    }

    const along = ux * tx + uy * ty + uz * tz;
    ux -= along * tx;
    uy -= along * ty;
    uz -= along * tz;
    const u = Math.sqrt(ux * ux + uy * uy + uz * uz) || 1;
    ux /= u;
    uy /= u;
    uz /= u;
    const wx = ty * uz - tz * uy;
    const wy = tz * ux - tx * uz;
    const wz = tx * uy - ty * ux;

    for (let k = 0; k < RING; k++) {
      const c = COSINES[k];
      const d = SINES[k];
      const nx = c * ux + d * wx;
      const ny = c * uy + d * wy;
      const nz = c * uz + d * wz;
      const v = first + RING * i + k;
      out.position[3 * v] = x + radius * nx;
      out.position[3 * v + 1] = y + radius * ny;
      out.position[3 * v + 2] = z + radius * nz;
      out.normal[3 * v] = nx;
      out.normal[3 * v + 1] = ny;
      out.normal[3 * v + 2] = nz;
      out.strand[4 * v] = tx;
      out.strand[4 * v + 1] = ty;
      out.strand[4 * v + 2] = tz;
      out.lay[2 * v] = arc / radius;
      // The last column of the ring repeats the angle of the first, a full turn on.
      out.lay[2 * v + 1] = (2 * Math.PI * k) / (RING - 1);
    }
  }
}

const COSINES = Array.from({ length: RING }, (_, k) => Math.cos((2 * Math.PI * k) / (RING - 1)));
const SINES = Array.from({ length: RING }, (_, k) => Math.sin((2 * Math.PI * k) / (RING - 1)));
const T = [0, 0, 0];

/** T = unit tangent of the curve at point i by central differences. */
function tangentAt(curve: Float32Array, count: number, i: number): void {
  const a = 3 * Math.max(i - 1, 0);
  const b = 3 * Math.min(i + 1, count - 1);
  const x = curve[b] - curve[a];
  const y = curve[b + 1] - curve[a + 1];
  const z = curve[b + 2] - curve[a + 2];
  const length = Math.sqrt(x * x + y * y + z * z) || 1;
  T[0] = x / length;
  T[1] = y / length;
  T[2] = z / length;
}

const square = (value: number) => value * value;

/** Catmull–Rom points through the nodes [first, first + count), `detail` a node. */
function smooth(p: ArrayLike<number>, first: number, count: number, detail: number, out: Float32Array): void {
  let at = 0;
  const last = 4 * (first + count - 1);
  for (let i = 0; i + 1 < count; i++) {
    const b = 4 * (first + i);
    const c = b + 4;
    const a = i > 0 ? b - 4 : b;
    const d = c < last ? c + 4 : c;
    for (let j = 0; j < detail; j++) {
      const t = j / detail;
      const w0 = t * (-0.5 + t * (1 - 0.5 * t));
      const w1 = 1 + t * t * (-2.5 + 1.5 * t);
      const w2 = t * (0.5 + t * (2 - 1.5 * t));
      const w3 = t * t * (-0.5 + 0.5 * t);
      for (let k = 0; k < 3; k++) out[at++] = w0 * p[a + k] + w1 * p[b + k] + w2 * p[c + k] + w3 * p[d + k];
    }
  }
  for (let k = 0; k < 3; k++) out[at++] = p[last + k];
}

function indicesOf(set: StrandSet, pointsOf: (strand: number) => number): Uint32Array {
  let quads = 0;
  for (let s = 0; s < set.first.length; s++) quads += (pointsOf(s) - 1) * (RING - 1);
  const indices = new Uint32Array(6 * quads);
  let at = 0;
  let vertex = 0;
  for (let s = 0; s < set.first.length; s++) {
    const count = pointsOf(s);
    for (let i = 0; i + 1 < count; i++)
      for (let k = 0; k + 1 < RING; k++) {
        const a = vertex + i * RING + k;
        const b = a + RING;
        indices.set([a, b, a + 1, a + 1, b, b + 1], at);
        at += 6;
      }
    vertex += count * RING;
  }
  return indices;
}

function paint(set: StrandSet, pointsOf: (strand: number) => number, color: Float32Array): void {
  let at = 0;
  for (let s = 0; s < set.first.length; s++) {
    const count = RING * pointsOf(s);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 3; c++) color[at++] = set.colors[3 * s + c];
      color[at++] = 1;
    }
  }
}

const materials = new WeakMap<Scene, PBRMaterial>();

function materialOf(scene: Scene): PBRMaterial {
  const known = materials.get(scene);
  if (known) return known;
  const material = new PBRMaterial('rope', scene);
  material.metallic = 0;
  material.roughness = 0.8;
  material.specularIntensity = 0.4;
  material.backFaceCulling = false;
  new StrandShading(material);
  materials.set(scene, material);
  return material;
}
