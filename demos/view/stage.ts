// The photo studio that every scene stands in: soft sky light made by a formula (no files), one sun with shadows, a
// ground with a metre grid that fades into the backdrop, tone mapping.

import type { AbstractEngine } from '@babylonjs/core/Engines/abstractEngine';
import { vec3 } from 'gl-matrix';
import '@babylonjs/core/Engines/Extensions/engine.cubeTexture';
import '@babylonjs/core/Engines/Extensions/engine.dynamicTexture';
import '@babylonjs/core/Engines/Extensions/engine.rawTexture';
import '@babylonjs/core/Engines/Extensions/engine.renderTarget';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight';
import { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent';
import { ImageProcessingConfiguration } from '@babylonjs/core/Materials/imageProcessingConfiguration';
import { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial';
import { DynamicTexture } from '@babylonjs/core/Materials/Textures/dynamicTexture';
import { RawCubeTexture } from '@babylonjs/core/Materials/Textures/rawCubeTexture';
import '@babylonjs/core/Materials/Textures/baseTexture.polynomial';
import { Texture } from '@babylonjs/core/Materials/Textures/texture';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color';
import { Vector3 } from '@babylonjs/core/Maths/math.vector';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh';
import { Mesh } from '@babylonjs/core/Meshes/mesh';
import { VertexData } from '@babylonjs/core/Meshes/mesh.vertexData';
import { CubeMapToSphericalPolynomialTools } from '@babylonjs/core/Misc/HighDynamicRange/cubemapToSphericalPolynomial';
import { Scene } from '@babylonjs/core/scene';
import type { Quality } from './create-engine';
import { clockwise } from './geometry';
import { linear } from './looks';
import { mendThinShadows } from './thin-shadows';

export interface Stage {
  scene: Scene;
  shadows: ShadowGenerator;
  /** Has a mesh without holes throw shadows, with its far side: nothing lit is then so near to what shades it. */
  castSolid(mesh: Mesh): void;
  ground: Mesh;
  /** Unit vector to the sun; the same one for the stage's life. */
  readonly toSun: Vector3;
  /**
   * Centres light and shadows on what is shown; `radius` of the shadowed region [m], `yaw` of the camera and height of
   * the sun [rad].
   */
  frame(target: readonly number[], radius: number, yaw: number, high?: number): void;
  /** Height of the visible ground [m], or null to hide it. */
  setGround(height: number | null): void;
  /** Has shadows that cost less from now on, of one sharpness. */
  hardenShadows(): void;
}

const HAZE = '#d3cec6'; // where ground and sky meet
const ZENITH = '#8fa3b8';
/**
 * Where the sun stands: so far to the right of the camera, about the vertical, and so high, unless a
 * scene says otherwise [rad]. Shadows fall across
 * the picture, where they are seen; a sun behind the camera hides them behind what throws them.
 */
const [ASIDE, HIGH] = [1.75, 0.86];
const FADE = [26, 120] as const; // the ground fades out between these distances [m]
/** Of the depth of the shadow map, for what throws by its far sides: for where they meet what is lit. */
const SOLID_BIAS = 0.0003;
/** Width of the sun, as a share of the shadow map's: 0.02 rad, and how far about blockers are looked for. */
const SUN_SIZE = 0.032;
/** The lamp above: its intensity, and its width as a share of the map's. */
const [OVERHEAD, OVERHEAD_SIZE] = [1, 0.1];
/** Light from all about, without the lamp above and with it. */
const [SKY, SKY_BESIDE] = [0.74, 0.5];
/** Scenes smaller than this stand on a grid of decimetres [m]. */
const SMALL = 2;

/** `isSoft`: shadows are sharp where things touch and blur with the distance, at 48 samples a pixel. */
export function createStage(engine: AbstractEngine, quality: Quality, isSoft: boolean): Stage {
  const scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  scene.clearColor = new Color4(...linear(HAZE), 1);
  scene.skipPointerMovePicking = true;
  // All light is set once a scene; nothing of ours changes behind Babylon's back.
  scene.blockMaterialDirtyMechanism = false;
  const image = scene.imageProcessingConfiguration;
  image.toneMappingEnabled = true;
  image.toneMappingType = ImageProcessingConfiguration.TONEMAPPING_KHR_PBR_NEUTRAL;
  image.exposure = 1.05;
  image.contrast = 1.12;

  scene.environmentTexture = skyLight(scene);
  scene.environmentIntensity = isSoft ? SKY_BESIDE : SKY;

  const toSun = new Vector3(0, 1, 0);
  const sun = new DirectionalLight('sun', toSun.negate(), scene);
  sun.intensity = 2.9;
  sun.diffuse = new Color3(1, 0.945, 0.86);
  sun.autoUpdateExtends = false;
  sun.autoCalcShadowZBounds = false;

  const shadows = new ShadowGenerator(quality === 'high' ? 2048 : 1024, sun);
  const harden = () => {
    shadows.usePercentageCloserFiltering = true;
    shadows.filteringQuality = quality === 'high' ? ShadowGenerator.QUALITY_HIGH : ShadowGenerator.QUALITY_LOW;
  };
  if (isSoft) {
    mendThinShadows();
    shadows.useContactHardeningShadow = true;
    shadows.filteringQuality = ShadowGenerator.QUALITY_MEDIUM;
    shadows.contactHardeningLightSizeUVRatio = SUN_SIZE;
  } else harden();
  // A coarse map needs more, or surfaces shade themselves.
  shadows.bias = quality === 'high' ? 0.0018 : 0.0037;
  const normalBias = quality === 'high' ? 0.012 : 0.03; // [m] for scenes of some metres
  shadows.frustumEdgeFalloff = 0.3;
  const overhead = isSoft ? createOverhead(scene) : null;
  const castSolid = castByFarSides(engine, [shadows, overhead?.shadows], quality === 'high' ? 1 : 2);

  backdrop(scene);
  const ground = createGround(scene, quality);

  return {
    scene,
    shadows,
    castSolid,
    ground,
    toSun,
    frame(target, radius, yaw, high = HIGH) {
      const reach = radius * Math.max(1.6, 0.6 + 1 / Math.tan(high));
      const aside = yaw + ASIDE;
      toSun.set(Math.cos(high) * Math.sin(aside), Math.sin(high), Math.cos(high) * Math.cos(aside));
      sun.direction = toSun.negate();
      sun.position.set(target[0], target[1], target[2]);
      sun.position.addInPlace(toSun.scale(reach));
      sun.orthoLeft = sun.orthoBottom = -radius;
      sun.orthoRight = sun.orthoTop = radius;
      sun.shadowMinZ = Math.min(0.1, 0.01 * reach);
      sun.shadowMaxZ = reach * 2;
      overhead?.frame(target, radius);
      shadows.normalBias = normalBias * Math.min(1, radius / 4);
      ground.scaling.setAll(radius < SMALL ? 0.1 : 1);
      ground.position.x = target[0];
      ground.position.z = target[2];
      alignGrid(ground);
    },
    hardenShadows() {
      harden();
      overhead?.light.setEnabled(false);
      scene.environmentIntensity = SKY;
    },
    setGround(height) {
      ground.setEnabled(height !== null);
      if (height !== null) ground.position.y = height;
    },
  };
}

/**
 * What is thrown by the sides that the sun sees has to be kept off these very sides, by more than a texel of the map
 * is wide: light came in under walls, by centimetres to decimetres. Far sides shade nothing that is lit anyhow.
 */
function castByFarSides(
  engine: AbstractEngine,
  maps: readonly (ShadowGenerator | undefined)[],
  coarse: number,
): Stage['castSolid'] {
  const solid = new WeakSet<AbstractMesh>();
  for (const shadows of maps) {
    let isSolid = false;
    shadows?.onBeforeShadowMapRenderMeshObservable.add((mesh) => {
      isSolid = solid.has(mesh);
      if (isSolid) engine.setState(true, 0, false, true, mesh.material?.cullBackFaces);
    });
    shadows?.onBeforeShadowMapRenderObservable.add((effect) => {
      if (isSolid) effect.setFloat3('biasAndScaleSM', coarse * SOLID_BIAS, 0, shadows.depthScale);
    });
  }
  return (mesh) => {
    solid.add(mesh);
    for (const shadows of maps) shadows?.addShadowCaster(mesh, false);
  };
}

/**
 * A part of the sky's light comes from above, as from a wide lamp, and throws shadows that are soft but where things
 * touch: what ambient occlusion is for.
 */
function createOverhead(scene: Scene) {
  const light = new DirectionalLight('overhead', new Vector3(0, -1, 0.001), scene);
  light.intensity = OVERHEAD;
  light.diffuse = new Color3(0.93, 0.97, 1);
  light.specular = Color3.Black();
  light.autoUpdateExtends = false;
  light.autoCalcShadowZBounds = false;
  const shadows = new ShadowGenerator(1024, light);
  shadows.useContactHardeningShadow = true;
  shadows.filteringQuality = ShadowGenerator.QUALITY_MEDIUM;
  shadows.contactHardeningLightSizeUVRatio = OVERHEAD_SIZE;
  shadows.bias = 0.002;
  shadows.normalBias = 0.01;
  return {
    light,
    shadows,
    frame(target: readonly number[], radius: number) {
      light.position.set(target[0], target[1] + radius, target[2]);
      light.orthoLeft = light.orthoBottom = -radius;
      light.orthoRight = light.orthoTop = radius;
      light.shadowMinZ = 0.01 * radius;
      light.shadowMaxZ = 2 * radius;
    },
  };
}

/** Radiance (0..1, linear) of the studio from a direction: bright overhead, a window at one side, a warm floor. */
function radiance(x: number, y: number, z: number): [number, number, number] {
  const up = Math.max(y, 0);
  const down = Math.max(-y, 0);
  const edge = (1 - up) * (1 - down) * (1 - down);
  const softbox = smoothstep(0.55, 0.8, x * 0.78 + y * 0.45 + z * 0.44) * 0.38;
  const strip = smoothstep(0.8, 0.92, -x * 0.9 + y * 0.3 - z * 0.25) * 0.22;
  const light = 0.32 * up + 0.3 * edge + softbox + strip;
  return [
    Math.min(1, light * 0.97 + down * 0.24),
    Math.min(1, light * 1.0 + down * 0.215),
    Math.min(1, light * 1.06 + up * 0.03 + down * 0.18),
  ];
}

function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(Math.max((value - from) / (to - from), 0), 1);
  return t * t * (3 - 2 * t);
}

/** Image-based light as a small cube map with its spherical polynomial: diffuse exact, reflections by mip level. */
function skyLight(scene: Scene): RawCubeTexture {
  const size = 64;

  // Axes of the six faces (right, up, forward), in the order +x −x +y −y +z −z of cube maps.
  const faces: [number[], number[], number[]][] = [
    [
      [0, 0, -1],
      [0, -1, 0],
      [1, 0, 0],
    ],
    [
      [0, 0, 1],
      [0, -1, 0],
      [-1, 0, 0],
    ],
    [
      [1, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
    ],
    [
      [1, 0, 0],
      [0, 0, -1],
      [0, -1, 0],
    ],
    [
      [1, 0, 0],
      [0, -1, 0],
      [0, 0, 1],
    ],
    [
      [-1, 0, 0],
      [0, -1, 0],
      [0, 0, -1],
    ],
  ];

  const data = faces.map(([right, down, forward]) => {
    const pixels = new Uint8Array(size * size * 4);
    for (let row = 0; row < size; row++)
      for (let column = 0; column < size; column++) {
        const u = (2 * (column + 0.5)) / size - 1;
        const v = (2 * (row + 0.5)) / size - 1;
        const d = [0, 1, 2].map((i) => forward[i] + u * right[i] + v * down[i]) as vec3;
        const [x, y, z] = vec3.normalize([0, 0, 0], d);
        const color = radiance(x, y, z);
        const at = 4 * (row * size + column);
        for (let i = 0; i < 3; i++) pixels[at + i] = Math.round(255 * color[i]);
        pixels[at + 3] = 255;
      }
    return pixels;
  });

  const texture = new RawCubeTexture(scene, data, size);
  texture.gammaSpace = false;
  texture.level = 2.6;

  texture.sphericalPolynomial = CubeMapToSphericalPolynomialTools.ConvertCubeMapToSphericalPolynomial({
    size,
    right: data[0],
    left: data[1],
    up: data[2],
    down: data[3],
    front: data[4],
    back: data[5],
    format: 5,
    type: 0,
    gammaSpace: false,
  });

  return texture;
}

/** A dome whose colour goes from the haze at the horizon to the sky's. */
function backdrop(scene: Scene): void {
  const dome = new Mesh('backdrop', scene);
  const positions: number[] = [];
  const colors: number[] = [];
  const indices: number[] = [];
  const [haze, zenith] = [gamma(HAZE), gamma(ZENITH)];
  const [columns, rows] = [32, 24];
  for (let row = 0; row <= rows; row++) {
    const height = -Math.PI / 2 + (Math.PI * row) / rows;
    const share = smoothstep(0.0, 1.1, height);
    for (let column = 0; column <= columns; column++) {
      const around = (2 * Math.PI * column) / columns;
      const flat = 400 * Math.cos(height);
      positions.push(flat * Math.cos(around), 400 * Math.sin(height), flat * Math.sin(around));
      colors.push(...[0, 1, 2].map((i) => (haze[i] + (zenith[i] - haze[i]) * share) ** 2.2), 1);
    }
  }
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const a = row * (columns + 1) + column;
      indices.push(a, a + 1, a + columns + 2, a, a + columns + 2, a + columns + 1);
    }
  const data = new VertexData();
  data.positions = positions;
  data.colors = colors;
  data.indices = clockwise(indices);
  data.applyToMesh(dome);
  // Of the kind that everything else is, unlit: another kind would be another library to fetch.
  const material = new PBRMaterial('backdrop', scene);
  material.unlit = true;
  material.backFaceCulling = false;
  dome.material = material;
  dome.infiniteDistance = true;
  dome.isPickable = false;
  dome.alwaysSelectAsActiveMesh = true;
  dome.ignoreCameraMaxZ = true;
}

/** #rrggbb as 0..1. */
function gamma(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
}

const TILE = 10; // metres of ground a grid texture covers

/** A disc about the target whose vertices fade out with distance. */
function createGround(scene: Scene, quality: Quality): Mesh {
  const ground = new Mesh('ground', scene);
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const colors: number[] = [];
  const indices: number[] = [];
  const radii = [0, 6, 14, 20, FADE[0], 32, 40, 50, 62, 76, 90, 104, FADE[1]];
  const columns = 64;
  for (const radius of radii)
    for (let column = 0; column <= columns; column++) {
      const around = (2 * Math.PI * column) / columns;
      positions.push(radius * Math.cos(around), 0, radius * Math.sin(around));
      normals.push(0, 1, 0);
      uvs.push(0, 0);
      colors.push(1, 1, 1, 1 - smoothstep(FADE[0], FADE[1], radius));
    }
  for (let row = 0; row + 1 < radii.length; row++)
    for (let column = 0; column < columns; column++) {
      const a = row * (columns + 1) + column;
      const b = a + columns + 1;
      indices.push(a, a + 1, b, a + 1, b + 1, b);
    }
  const data = new VertexData();
  data.positions = positions;
  data.normals = normals;
  data.uvs = uvs;
  data.colors = colors;
  data.indices = clockwise(indices);
  data.applyToMesh(ground, true);
  ground.hasVertexAlpha = true;
  ground.receiveShadows = true;
  ground.isPickable = false;
  alignGrid(ground);

  const size = quality === 'high' ? 2048 : 1024;
  const texture = new DynamicTexture('grid', size, scene, true);
  const pen = texture.getContext() as CanvasRenderingContext2D;
  pen.fillStyle = '#b7b1a7';
  pen.fillRect(0, 0, size, size);
  for (let line = 0; line < TILE; line++) {
    const strong = line % 5 === 0;
    const width = (strong ? 0.028 : 0.014) * (size / TILE);
    pen.fillStyle = strong ? 'rgba(92, 84, 74, 0.5)' : 'rgba(92, 84, 74, 0.26)';
    const at = (line / TILE) * size;
    for (const wrap of strong && line === 0 ? [at, at + size] : [at]) {
      pen.fillRect(wrap - width / 2, 0, width, size);
      pen.fillRect(0, wrap - width / 2, size, width);
    }
  }
  texture.wrapU = texture.wrapV = Texture.WRAP_ADDRESSMODE;
  texture.update();
  texture.anisotropicFilteringLevel = quality === 'high' ? 16 : 2;

  const material = new PBRMaterial('ground', scene);
  material.albedoTexture = texture;
  material.metallic = 0;
  material.roughness = 0.92;
  material.specularIntensity = 0.35;
  material.backFaceCulling = true;
  ground.material = material;
  return ground;
}

/** Keeps the grid's lines at whole metres (decimetres) of the world wherever the disc is. */
function alignGrid(ground: Mesh): void {
  const positions = ground.getVerticesData('position');
  if (!positions) return;
  const uvs = new Float32Array((positions.length / 3) * 2);
  for (let i = 0; i < positions.length / 3; i++) {
    uvs[2 * i] = (positions[3 * i] + ground.position.x / ground.scaling.x) / TILE;
    uvs[2 * i + 1] = (positions[3 * i + 2] + ground.position.z / ground.scaling.z) / TILE;
  }
  ground.updateVerticesData('uv', uvs);
}
