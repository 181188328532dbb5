// A mesh without vertices of its own: ribbons that a vertex shader pulls from the strands' nodes, an instance a hair,
// drawn as one triangle strip. The stage's shadow map gets the ribbons as well (what stands around receives their
// shadow) and tells them how much hair lies between them and the sun.
//
// The shaders are written twice, for WebGPU (gpu-ribbon.wgsl, gpu-hair.wgsl) and WebGL2 (gl-ribbon.glsl, gl-hair.glsl),
// with uniforms of the same names. Limits: hairs are not culled.

import { VertexBuffer } from '@babylonjs/core/Buffers/buffer';
import type { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator';
import { Material } from '@babylonjs/core/Materials/material';
import type { ShaderLanguage } from '@babylonjs/core/Materials/shaderLanguage';
import { ShaderMaterial } from '@babylonjs/core/Materials/shaderMaterial';
import { ShadowDepthWrapper } from '@babylonjs/core/Materials/shadowDepthWrapper';
import { Vector2, Vector3, Vector4 } from '@babylonjs/core/Maths/math.vector';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import type { Stage } from './stage';

/** Shaders in one language. */
export interface HairProgram {
  language: ShaderLanguage;
  vertex: string;
  /** What the eye sees, and what the shadow map wants: nothing. */
  color: string;
  depth: string;
  samplers: readonly string[];
  storageBuffers: readonly string[];
}

/** Strands one after the other that are drawn with one mesh. */
export interface StrandRange {
  readonly firstStrand: number;
  readonly strands: number;
  /** Of the longest. */
  readonly nodes: number;
}

export interface HairMesh {
  /** Of the colour and of the shadow map: both read the strands. */
  readonly materials: readonly ShaderMaterial[];
  /**
   * Before each frame: `alpha` = place between the last two steps, `cell` = zero of the strands' origins [m], `pixel` =
   * size of a pixel one metre away [m], `hairs` drawn a strand.
   */
  update(alpha: number, cell: ArrayLike<number>, eye: readonly number[], pixel: number, hairs: number): void;
  dispose(): void;
}

/** With more points than this edges are drawn straight: nobody sees the corners of one in thousands. */
const CROWD = 200_000;

// As bright as the stage's own materials find sun and sky (stage.ts): found by eye.
const SUN_COLOR = new Vector3(1, 0.945, 0.86).scale(7.5);
const SKY_COLOR = new Vector3(0.95, 1, 1.08).scale(1.25);
const FLOOR_COLOR = new Vector3(1, 0.93, 0.84).scale(0.6);

/**
 * `density` = how much the hair dims the sun [1/m] (see `opticalDensity`); `hairs` at most are drawn for each strand.
 */
export function createHairMesh(
  { scene, shadows, toSun }: Stage,
  range: StrandRange,
  density: number,
  hairs: number,
  program: HairProgram,
): HairMesh {
  const detail = hairs * range.strands * range.nodes > CROWD ? 1 : 2;
  const color = createMaterial(scene, 'strands', program, program.color, ['sunDepth'], []);
  const depth = createMaterial(scene, 'strand depth', program, program.depth, [], ['DEPTH_ONLY']);
  const materials = [color, depth];
  for (const material of materials) {
    material.fillMode = Material.TriangleStripDrawMode;
    material.backFaceCulling = false;
  }
  color.setVector3('sun', toSun);
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

  const mesh = new Mesh('hair', scene);
  mesh.isUnIndexed = true;
  // The shader knows vertices by their number; Babylon wants to see as many.
  const count = 2 * ((range.nodes - 1) * detail + 1);
  mesh.setVerticesData(VertexBuffer.PositionKind, new Float32Array(3 * count), false, 3);
  mesh.material = color;
  mesh.isPickable = false;
  mesh.alwaysSelectAsActiveMesh = true;
  mesh.doNotSyncBoundingInfo = true;
  const wrapper = new ShadowDepthWrapper(depth, scene, { standalone: true, doNotInjectCode: true });
  color.shadowDepthWrapper = wrapper;
  shadows.addShadowCaster(mesh, false);

  return {
    materials,
    update(alpha, cell, eye, pixel, shown) {
      mesh.forcedInstanceCount = range.strands * shown;
      for (const material of materials) {
        material.setVector4('block', new Vector4(range.firstStrand, range.strands, detail, shown));
        material.setFloat('alpha', alpha);
        material.setVector3('cell', new Vector3(cell[0], cell[1], cell[2]));
      }
      color.setVector3('eye', new Vector3(eye[0], eye[1], eye[2]));
      color.setFloat('pixel', pixel);
      depth.setVector3('eye', toSun);
      depth.setFloat('pixel', texelOf(shadows));
    },
    dispose() {
      shadows.removeShadowCaster(mesh);
      mesh.dispose(false, false);
      wrapper.dispose();
      color.dispose();
      depth.dispose();
    },
  };
}

function createMaterial(
  scene: Stage['scene'],
  name: string,
  { language, vertex, samplers, storageBuffers }: HairProgram,
  fragmentSource: string,
  ownSamplers: readonly string[],
  defines: string[],
): ShaderMaterial {
  return new ShaderMaterial(
    name,
    scene,
    { vertexSource: vertex, fragmentSource },
    {
      shaderLanguage: language,
      attributes: [],
      defines,
      uniforms: [
        ...['viewProjection', 'cell', 'alpha', 'eye', 'pixel', 'block'],
        ...['sun', 'sunColor', 'skyColor', 'floorColor', 'shadowMatrix', 'shadow', 'image'],
      ],
      samplers: [...samplers, ...ownSamplers],
      storageBuffers: [...storageBuffers],
      useClipPlane: false,
    },
  );
}

/** Side of a texel of the sun's map [m]. */
function texelOf(shadows: ShadowGenerator): number {
  const map = shadows.getShadowMap();
  const light = shadows.getLight() as { orthoLeft?: number; orthoRight?: number };
  return ((light.orthoRight ?? 1) - (light.orthoLeft ?? -1)) / (map?.getSize().width ?? 1024);
}
