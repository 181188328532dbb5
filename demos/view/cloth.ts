// A sheet on the stage: material, buffers, shadow.

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer';
import { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial';
import type { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture';
import { Color3 } from '@babylonjs/core/Maths/math.color';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData';
import type { ShellLook } from '../scenes/demo-scene';
import { type ClothShape, createClothMesh } from './cloth-mesh';
import { clockwise } from './geometry';
import { linear } from './looks';
import type { Stage } from './stage';
import { printOf, reliefOf, THREADS } from './weave';

export interface Cloth {
  /** Vertices drawn. */
  readonly vertexCount: number;
  /** `positions` and `normals` of all sheets, three numbers a vertex; this one's begin at vertex `first`. */
  update(positions: ArrayLike<number>, normals: ArrayLike<number>, first: number): void;
  dispose(): void;
}

/** Distance of two threads drawn, unless the look says otherwise [m]: coarser than cloth is, or nobody would see it. */
const THREAD = 0.006;
/** The back is a little darker than the front, unless the look has a lining. */
const BACK = 0.86;

/** `uvs`: two lengths a vertex [m], the cloth laid flat. `finish` shares materials between the sheets of a scene. */
export function createCloth(
  stage: Stage,
  name: string,
  shape: ClothShape,
  uvs: ArrayLike<number>,
  look: ShellLook,
  finish: ClothFinish,
): Cloth {
  const { scene, shadows } = stage;
  const buffers = createClothMesh(shape);
  const mesh = new Mesh(`shell ${name}`, scene);
  const data = new VertexData();
  data.positions = buffers.positions;
  data.normals = buffers.normals;
  data.indices = clockwise(buffers.indices);
  data.uvs = buffers.spread(uvs);
  data.colors = colorsOf(buffers, look);
  data.applyToMesh(mesh, true);
  mesh.material = finish.of(look);
  mesh.receiveShadows = true;
  mesh.isPickable = false;
  mesh.alwaysSelectAsActiveMesh = true;
  mesh.doNotSyncBoundingInfo = true;
  shadows.addShadowCaster(mesh, false);
  return {
    vertexCount: buffers.vertexCount,
    update(positions, normals, first) {
      buffers.update(positions, normals, first);
      mesh.updateVerticesData(VertexBuffer.PositionKind, buffers.positions, false, false);
      mesh.updateVerticesData(VertexBuffer.NormalKind, buffers.normals, false, false);
    },
    dispose() {
      shadows.removeShadowCaster(mesh);
      mesh.dispose(false, false);
    },
  };
}

/** Front, back and rim as linear colours: over a print they are white, and only tell the sides apart. */
function colorsOf({ pointCount, vertexCount }: ReturnType<typeof createClothMesh>, look: ShellLook): Float32Array {
  const front = look.pattern ? [1, 1, 1] : linear(look.colors[0]);
  const back = look.lining && !look.pattern ? linear(look.lining) : front.map((value) => BACK * value);
  const out = new Float32Array(4 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const isBack = v >= pointCount && v < 2 * pointCount;
    out.set([...(isBack ? back : front), 1], 4 * v);
  }
  return out;
}

/** Materials of a scene's sheets, one a look. */
export interface ClothFinish {
  of(look: ShellLook): PBRMaterial;
  dispose(): void;
}

export function createClothFinish({ scene }: Stage, isHigh: boolean): ClothFinish {
  const made = new Map<string, PBRMaterial>();
  const prints: RawTexture[] = [];

  return {
    of(look) {
      const key = JSON.stringify([look.pattern, look.colors, look.lining, look.finish, look.thread]);
      const known = made.get(key);
      if (known) return known;
      const material = new PBRMaterial(`cloth ${made.size}`, scene);
      const isPaper = look.finish === 'paper';
      const isSilk = look.finish === 'silk';
      material.metallic = 0;
      material.roughness = isPaper ? 0.5 : isSilk ? 0.42 : 0.88;
      material.specularIntensity = isPaper || isSilk ? 0.8 : 0.35;
      if (look.pattern) {
        const print = printOf(scene, look.pattern, look.colors);
        print.uScale = 1 / look.pattern.size[0];
        print.vScale = 1 / look.pattern.size[1];
        prints.push(print);
        material.albedoTexture = print;
      }
      if (!isPaper) {
        const relief = reliefOf(scene);
        relief.uScale = relief.vScale = 1 / (THREADS * (look.thread ?? THREAD));
        relief.level = isSilk ? 0.35 : 1;
        prints.push(relief);
        material.bumpTexture = relief;
      }
      // Two colours back to back let nothing through.
      if (isHigh && !isPaper && !look.lining) {
        // The sun shines through, in the colour of the cloth.
        const { subSurface } = material;
        subSurface.isTranslucencyEnabled = true;
        subSurface.translucencyIntensity = isSilk ? 0.5 : 0.3;
        subSurface.minimumThickness = subSurface.maximumThickness = 0.2;
        if (material.albedoTexture) subSurface.translucencyColorTexture = material.albedoTexture;
        else subSurface.translucencyColor = new Color3(...linear(look.colors[0]));
      }
      made.set(key, material);
      return material;
    },

    dispose() {
      for (const material of made.values()) material.dispose(false, false);
      for (const texture of prints) texture.dispose();
      made.clear();
    },
  };
}
