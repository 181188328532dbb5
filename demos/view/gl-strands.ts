// Hair drawn with WebGL2: ribbons by vertex pulling from a texture of the processor's nodes, uploaded each frame. The
// twin of rod/strands.ts for browsers without WebGPU.

import { Constants } from '@babylonjs/core/Engines/constants';
import { ShaderLanguage } from '@babylonjs/core/Materials/shaderLanguage';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture';
import hairSource from './gl-hair.glsl?raw';
import vertexSource from './gl-ribbon.glsl?raw';
import { LOOK_NUMBERS, packLooks } from './hair-look';
import { createHairMesh, type HairProgram } from './hair-mesh';
import type { ColumnHair, HairColumns } from './hair-source';
import type { Stage } from './stage';

/** Texels in a row, as in gl-ribbon.glsl. */
const ROW = 2048;

const PROGRAM: HairProgram = {
  language: ShaderLanguage.GLSL,
  vertex: vertexSource,
  color: hairSource,
  depth: '#version 300 es\nout vec4 shown;\nvoid main() {\n  shown = vec4(1.0);\n}\n',
  samplers: ['positions', 'headers', 'looks'],
  storageBuffers: [],
};

/**
 * Hair from columns of the processor: uploaded whenever `positions` has changed.
 * `density` as in `opticalDensity` [1/m].
 */
export function createTexturedHair(stage: Stage, columns: HairColumns, density: number, hairs: number): ColumnHair {
  const strands = columns.first.length;
  const headers = padded(strands);
  for (let s = 0; s < strands; s++) headers.set([columns.first[s], columns.counts[s], 0, columns.look[s]], 4 * s);
  const nodes = padded(columns.nodeCount);
  const looks = packLooks(columns.looks);
  const textures = {
    positions: textureOf(stage, nodes, ROW),
    headers: textureOf(stage, headers, ROW),
    looks: textureOf(stage, looks, LOOK_NUMBERS / 4),
  };
  const mesh = createHairMesh(stage, { firstStrand: 0, strands, nodes: columns.longest }, density, hairs, PROGRAM);
  for (const material of mesh.materials)
    for (const [name, texture] of Object.entries(textures)) material.setTexture(name, texture);
  return {
    update(positions, eye, pixel, shown) {
      if (positions) {
        nodes.set(positions.subarray(0, 4 * columns.nodeCount));
        textures.positions.update(nodes);
      }
      mesh.update(1, [0, 0, 0], eye, pixel, shown);
    },
    dispose() {
      mesh.dispose();
      for (const texture of Object.values(textures)) texture.dispose();
    },
  };
}

/** Whole rows for so many texels. */
const padded = (texels: number) => new Float32Array(4 * ROW * Math.max(1, Math.ceil(texels / ROW)));

function textureOf({ scene }: Stage, data: Float32Array, width: number): RawTexture {
  const height = data.length / 4 / width;
  const { TEXTURE_NEAREST_SAMPLINGMODE: nearest, TEXTURETYPE_FLOAT: float } = Constants;
  return RawTexture.CreateRGBATexture(data, width, height, scene, false, false, nearest, float);
}
