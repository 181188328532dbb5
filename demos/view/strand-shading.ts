// How rope catches the light: a plug-in for the physically based material that shows the lay of three
// strands. One text for WebGL2 and WebGPU.

import { MaterialPluginBase } from '@babylonjs/core/Materials/materialPluginBase';
import type { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial';
import { ShaderLanguage } from '@babylonjs/core/Materials/shaderLanguage';
import type { Nullable } from '@babylonjs/core/types';

/** Vertex attribute: unit tangent, and one spare. */
export const STRAND_ATTRIBUTE = 'strand';
/** Vertex attribute: arc length over radius, angle round the section [rad]. */
export const LAY_ATTRIBUTE = 'lay';

export class StrandShading extends MaterialPluginBase {
  constructor(material: PBRMaterial) {
    super(material, 'StrandShading', 210);
    this._enable(true);
  }

  override isCompatible(): boolean {
    return true;
  }

  override getClassName(): string {
    return 'StrandShading';
  }

  override getAttributes(attributes: string[]): void {
    attributes.push(STRAND_ATTRIBUTE, LAY_ATTRIBUTE);
  }

  override getCustomCode(shaderType: string, language?: ShaderLanguage): Nullable<Record<string, string>> {
    const wgsl = language === ShaderLanguage.WGSL;
    if (shaderType === 'vertex') return wgsl ? VERTEX_WGSL : VERTEX_GLSL;
    const write = wgsl ? wgslOf : glslOf;
    return {
      CUSTOM_FRAGMENT_DEFINITIONS: wgsl
        ? 'varying vStrand: vec4f;\nvarying vLay: vec2f;'
        : 'varying vec4 vStrand;\nvarying vec2 vLay;',
      CUSTOM_FRAGMENT_BEFORE_LIGHTS: write(ROPE_NORMAL),
    };
  }
}

const VERTEX_GLSL = {
  CUSTOM_VERTEX_DEFINITIONS: 'attribute vec4 strand;\nattribute vec2 lay;\nvarying vec4 vStrand;\nvarying vec2 vLay;',
  CUSTOM_VERTEX_MAIN_END: 'vStrand = strand;\nvLay = lay;',
};
const VERTEX_WGSL = {
  CUSTOM_VERTEX_DEFINITIONS:
    'attribute strand: vec4f;\nattribute lay: vec2f;\nvarying vStrand: vec4f;\nvarying vLay: vec2f;',
  CUSTOM_VERTEX_MAIN_END: 'vertexOutputs.vStrand = vertexInputs.strand;\nvertexOutputs.vLay = vertexInputs.lay;',
};

// One text for both languages: $3 and $1 declare a vector and a number, IN reads a varying.

/** Three strands laid round each other: bright backs, dark grooves. */
const ROPE_NORMAL = `
$1 layPhase = 3.0 * IN vLay.y - 0.9 * IN vLay.x;
$1 layHeight = 0.5 + 0.5 * cos(layPhase);
$1 layFibre = 0.5 + 0.5 * sin(26.0 * IN vLay.y + 7.0 * IN vLay.x);
surfaceAlbedo = surfaceAlbedo * (0.42 + 0.58 * sqrt(layHeight)) * (0.9 + 0.1 * layFibre);
$3 layAxis = normalize(IN vStrand.xyz);
normalW = normalize(normalW + layAxis * (0.35 * sin(layPhase)) + cross(layAxis, normalW) * (0.3 * sin(layPhase)));
`;

function glslOf(text: string): string {
  return text.replaceAll('$3', 'vec3').replaceAll('$1', 'float').replaceAll('IN ', '');
}

function wgslOf(text: string): string {
  return text.replaceAll('$3', 'var').replaceAll('$1', 'var').replaceAll('IN ', 'fragmentInputs.');
}
