// Strands drawn where they are computed: ribbons by vertex pulling from the solver's buffers, no copy, no work per strand
// on the processor. WebGPU only.
//
// In: the buffers (`StrandSource`), looks by rod, the stage. A block of strands of equal length is one mesh without vertex
// buffers, drawn as instances of one triangle strip. The stage's shadow map gets the ribbons as well (what stands around
// receives their shadow) and tells the ribbons how much hair lies between them and the sun.
// Limits: everything is a ribbon that faces the eye, rope too; strands are not culled.

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer';
import type { StorageBuffer } from '@babylonjs/core/Buffers/storageBuffer';
import type { WebGPUEngine } from '@babylonjs/core/Engines/webgpuEngine';
import type { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator';
import { Material } from '@babylonjs/core/Materials/material';
import { ShaderLanguage } from '@babylonjs/core/Materials/shaderLanguage';
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial';
import { ShadowDepthWrapper } from '@babylonjs/core/Materials/shadowDepthWrapper';
import { Vector2, Vector3, Vector4 } from '@babylonjs/core/Maths/math.vector';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { WebGPUDataBuffer } from '@babylonjs/core/Meshes/WebGPU/webgpuDataBuffer';
import hairSource from './gpu-hair.wgsl?raw';
import vertexSource from './gpu-ribbon.wgsl?raw';
import type { Stage } from './stage';

/** Where strands lie on the device: what `GpuStrandsHandle.buffers` gives. */
export interface StrandSource {
  /** vec4f a node, from the strand's origin [m]. */
  readonly positions: GPUBuffer;
  readonly previous: GPUBuffer;
  /** vec4f a strand, from the cell [m]. */
  readonly origins: GPUBuffer;
  /** vec4u a strand: first node, count, flags, rod. */
  readonly headers: GPUBuffer;
  readonly blocks: readonly StrandRange[];
  /** [m] */
  readonly cell: ArrayLike<number>;
}

/** Strands of equal length, one after the other. */
export interface StrandRange {
  readonly firstStrand: number;
  readonly strands: number;
  readonly nodes: number;
}

/** How the strands of one rod or groom are drawn. */
export interface GpuLook {
  /** Four linear colours, twelve numbers; strands are spread over them. */
  colors: readonly number[];
  /** [m] */
  radius: number;
  isRope: boolean;
}

export interface GpuStrandMeshes {
  /** Strands drawn. */
  readonly count: number;
  /**
   * Follows the steps: `alpha` = place between the last two, `pixel` = size of a pixel one metre away [m]. Buffers may have
   * been replaced since the last time; blocks may not.
   */
  update(source: StrandSource, alpha: number, eye: readonly number[], pixel: number): void;
  dispose(): void;
}

/** A shadow map wants no colour, but Babylon a fragment stage. */
const DEPTH_SOURCE = `
@fragment
fn main(input : FragmentInputs) -> FragmentOutputs {
  fragmentOutputs.color = vec4f(1.0);
}
`;
/** Numbers of `Look` in gpu-ribbon.wgsl. */
const LOOK_NUMBERS = 20;
/** Blocks of more nodes than this are drawn with straight edges: nobody sees the corners of one in thousands. */
const CROWD = 200_000;
/** Hair tapers to a point, nearly; rope does not. */
const TIP = 0.25;

// As bright as the stage's own materials find sun and sky (stage.ts): found by eye beside the CPU's ribbons.
const SUN_COLOR = new Vector3(1, 0.945, 0.86).scale(7.5);
const SKY_COLOR = new Vector3(0.95, 1, 1.08).scale(1.25);
const FLOOR_COLOR = new Vector3(1, 0.93, 0.84).scale(0.6);

type BufferName = 'positions' | 'previous' | 'origins' | 'headers';
const BUFFERS: readonly BufferName[] = ['positions', 'previous', 'origins', 'headers'];

/**
 * `density` = how much the hair dims the sun [1/m] (see `opticalDensity`); `looks` by rod of the headers. The device of the
 * source must be the engine's.
 */
export function createGpuStrandMeshes(
  stage: Stage,
  sun: Vector3,
  source: StrandSource,
  looks: ReadonlyMap<number, GpuLook>,
  density: number,
): GpuStrandMeshes {
  const { scene, shadows } = stage;
  const engine = scene.getEngine() as WebGPUEngine;
  const lookBuffer = uploadLooks(engine._device, looks);
  const held = new Map<string, StorageBuffer>([['looks', wrap(lookBuffer)]]);
  const parts = source.blocks.map((block) => createPart(stage, sun, block, density));
  const toSun = sun.scale(-1).normalize();
  const bound: Partial<Record<BufferName, GPUBuffer>> = {};

  return {
    count: source.blocks.reduce((sum, block) => sum + block.strands, 0),
    update(now, alpha, eye, pixel) {
      for (const name of BUFFERS) {
        if (bound[name] === now[name]) continue;
        bound[name] = now[name];
        held.set(name, wrap(now[name]));
      }
      const texel = texelOf(shadows);
      const [x, y, z] = [now.cell[0], now.cell[1], now.cell[2]];
      for (const { color, depth } of parts) {
        for (const material of [color, depth]) {
          for (const [name, buffer] of held) material.setStorageBuffer(name, buffer);
          material.setFloat('alpha', alpha);
          material.setVector3('cell', new Vector3(x, y, z));
        }
        color.setVector3('eye', new Vector3(eye[0], eye[1], eye[2]));
        color.setFloat('pixel', pixel);
        depth.setVector3('eye', toSun);
        depth.setFloat('pixel', texel);
      }
    },
    dispose() {
      for (const { mesh, color, depth, wrapper } of parts) {
        shadows.removeShadowCaster(mesh);
        mesh.dispose(false, false);
        wrapper.dispose();
        color.dispose();
        depth.dispose();
      }
      lookBuffer.destroy();
    },
  };
}

interface Part {
  mesh: Mesh;
  color: ShaderMaterial;
  depth: ShaderMaterial;
  wrapper: ShadowDepthWrapper;
}

function createPart({ scene, shadows }: Stage, sun: Vector3, block: StrandRange, density: number): Part {
  const detail = block.strands * block.nodes > CROWD ? 1 : 2;
  const color = createMaterial(scene, 'strands', hairSource, ['sunDepth'], []);
  const depth = createMaterial(scene, 'strand depth', DEPTH_SOURCE, [], ['DEPTH_ONLY']);
  for (const material of [color, depth]) {
    material.setVector4('block', new Vector4(block.firstStrand, block.nodes, detail, 0));
    material.fillMode = Material.TriangleStripDrawMode;
    material.backFaceCulling = false;
  }
  color.setVector3('sun', sun.scale(-1).normalize());
  color.setVector3('sunColor', SUN_COLOR);
  color.setVector3('skyColor', SKY_COLOR);
  color.setVector3('floorColor', FLOOR_COLOR);
  const { exposure, contrast } = scene.imageProcessingConfiguration;
  color.setVector2('image', new Vector2(exposure, contrast));
  color.onBindObservable.add(() => {
    const effect = color.getEffect();
    const map = shadows.getShadowMapForRendering();
    if (!map) return;
    effect.setDepthStencilTexture('sunDepth', map);
    effect.setMatrix('shadowMatrix', shadows.getTransformMatrix());
    const light = shadows.getLight();
    const far = light.getDepthMaxZ(scene.activeCamera) - light.getDepthMinZ(scene.activeCamera);
    effect.setFloat4('shadow', far, density, map.getSize().width, 2 * texelOf(shadows));
  });

  const mesh = new Mesh('strands of the device', scene);
  mesh.isUnIndexed = true;
  // The shader knows vertices by their number; Babylon wants to see as many.
  const count = 2 * ((block.nodes - 1) * detail + 1);
  mesh.setVerticesData(VertexBuffer.PositionKind, new Float32Array(3 * count), false, 3);
  mesh.forcedInstanceCount = block.strands;
  mesh.material = color;
  mesh.isPickable = false;
  mesh.alwaysSelectAsActiveMesh = true;
  mesh.doNotSyncBoundingInfo = true;
  const wrapper = new ShadowDepthWrapper(depth, scene, { standalone: true, doNotInjectCode: true });
  color.shadowDepthWrapper = wrapper;
  shadows.addShadowCaster(mesh, false);
  return { mesh, color, depth, wrapper };
}

function createMaterial(
  scene: Stage['scene'],
  name: string,
  fragmentSource: string,
  samplers: string[],
  defines: string[],
): ShaderMaterial {
  const sources = { vertexSource, fragmentSource };
  return new ShaderMaterial(name, scene, sources, {
    shaderLanguage: ShaderLanguage.WGSL,
    attributes: [],
    defines,
    uniforms: [
      ...['viewProjection', 'cell', 'alpha', 'eye', 'pixel', 'block'],
      ...['sun', 'sunColor', 'skyColor', 'floorColor', 'shadowMatrix', 'shadow', 'image'],
    ],
    samplers,
    storageBuffers: [...BUFFERS, 'looks'],
    useClipPlane: false,
  });
}

/** Babylon takes a storage buffer of its own making; of ours it needs no more than this. */
function wrap(buffer: GPUBuffer): StorageBuffer {
  const data = new WebGPUDataBuffer(buffer, buffer.size);
  return { getBuffer: () => data } as unknown as StorageBuffer;
}

/** Side of a texel of the sun's map [m]. */
function texelOf(shadows: ShadowGenerator): number {
  const map = shadows.getShadowMap();
  const light = shadows.getLight() as { orthoLeft?: number; orthoRight?: number };
  return ((light.orthoRight ?? 1) - (light.orthoLeft ?? -1)) / (map?.getSize().width ?? 1024);
}

function uploadLooks(device: GPUDevice, looks: ReadonlyMap<number, GpuLook>): GPUBuffer {
  const rods = Math.max(0, ...looks.keys()) + 1;
  const data = new Float32Array(LOOK_NUMBERS * rods);
  for (const [rod, { colors, radius, isRope }] of looks) {
    for (let i = 0; i < 12; i++) data[LOOK_NUMBERS * rod + i + Math.floor(i / 3)] = colors[i];
    data.set([radius, isRope ? 1 : 0, isRope ? 1 : TIP, 0], LOOK_NUMBERS * rod + 16);
  }
  const buffer = device.createBuffer({ label: 'looks of strands', size: data.byteLength, usage: 0x80 | 0x08 });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}

/** Four stops of a ramp of any number of linear colours. */
export function fourStops(colors: readonly (readonly number[])[]): number[] {
  return [0, 1, 2, 3].flatMap((i) => {
    const at = (i / 3) * (colors.length - 1);
    const k = Math.min(Math.floor(at), Math.max(colors.length - 2, 0));
    const next = colors[Math.min(k + 1, colors.length - 1)];
    return colors[k].map((value, c) => value + (next[c] - value) * (at - k));
  });
}

/** On a screen a hair is at least about so thick, half its width [m], from where hair is looked at. */
const SEEN = 2.5e-4;
/** Thinner hair than this would not shade itself visibly, denser would be black inside [1/m]. */
const [LEAST_DENSITY, MOST_DENSITY] = [25, 600];

/**
 * Optical density of hair as it is seen [1/m]: light meets length · 2 radius of strands in their volume; half of what meets a
 * fibre goes on forwards. `length` = of all strands, `size` = of the box about them before the first step [m]: hanging, they
 * fill about a quarter.
 */
export function opticalDensity(length: number, radius: number, size: readonly number[]): number {
  const volume = 0.25 * size[0] * size[1] * size[2];
  const density = (length * Math.max(radius, SEEN)) / Math.max(volume, 1e-9);
  return Math.min(Math.max(density, LEAST_DENSITY), MOST_DENSITY);
}
