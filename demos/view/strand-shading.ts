// How strands catch the light: a plug-in for the physically based material.
//
// Hair: diffuse light by the angle between light and strand (Kajiya and Kay 1989) and two highlights, a white one
// shifted towards the root and a tinted one towards the tip (Marschner et al. 2003, simplified). Rope: a round
// cross-section with the lay of its strands. Written twice, for WebGL2 and WebGPU.

import type { MaterialDefines } from '@babylonjs/core/Materials/materialDefines';
import { MaterialPluginBase } from '@babylonjs/core/Materials/materialPluginBase';
import type { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial';
import { ShaderLanguage } from '@babylonjs/core/Materials/shaderLanguage';
import type { Vector3 } from '@babylonjs/core/Maths/math.vector';
import type { Nullable } from '@babylonjs/core/types';

/** Vertex attribute of ribbons and tubes: unit tangent, place across the ribbon −1..1. */
export const STRAND_ATTRIBUTE = 'strand';
/** Vertex attribute: arc length over radius, angle round the section [rad]. */
export const LAY_ATTRIBUTE = 'lay';

export type StrandFinish = 'hair' | 'rope';

export class StrandShading extends MaterialPluginBase {
  private readonly finish: StrandFinish;
  private readonly light: string;

  /** `sun` = direction in which the light travels. */
  constructor(material: PBRMaterial, finish: StrandFinish, sun: Vector3) {
    super(material, 'StrandShading', 210, { STRAND_HAIR: false, STRAND_ROPE: false });
    this.finish = finish;
    this.light = [-sun.x, -sun.y, -sun.z].map((value) => value.toFixed(5)).join(', ');
    this._enable(true);
  }

  override isCompatible(): boolean {
    return true;
  }

  override prepareDefines(defines: MaterialDefines): void {
    // The renderer keeps compiled shaders by their defines: two finishes must not share them.
    defines.STRAND_HAIR = this.finish === 'hair';
    defines.STRAND_ROPE = this.finish === 'rope';
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
      CUSTOM_FRAGMENT_BEFORE_LIGHTS: write(this.finish === 'hair' ? HAIR_NORMAL : ROPE_NORMAL, this.light),
      CUSTOM_FRAGMENT_BEFORE_FINALCOLORCOMPOSITION: this.finish === 'hair' ? write(HAIR_HIGHLIGHTS, this.light) : '',
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

/** A round section across the ribbon, bent towards the light's plane so that the sun sees a cylinder. */
const HAIR_NORMAL = `
$3 strandTangent = normalize(IN vStrand.xyz);
$1 strandAcross = clamp(IN vStrand.w, -0.95, 0.95);
$3 strandSide = normalize(cross(strandTangent, viewDirectionW));
$3 strandFacing = cross(strandSide, strandTangent);
$3 strandRound = normalize(strandFacing * sqrt(1.0 - strandAcross * strandAcross) + strandSide * strandAcross);
$3 strandLight = normalize(V3(LIGHT));
$3 strandToLight = strandLight - strandTangent * dot(strandLight, strandTangent);
normalW = normalize(mix(strandRound, strandToLight / max(length(strandToLight), 0.05), 0.55));
`;

const HAIR_HIGHLIGHTS = `
$3 strandHalf = normalize(strandLight + viewDirectionW);
$3 towardsRoot = normalize(strandTangent - strandFacing * 0.10);
$3 towardsTip = normalize(strandTangent + strandFacing * 0.16);
$1 alongRoot = dot(towardsRoot, strandHalf);
$1 alongTip = dot(towardsTip, strandHalf);
$1 firstLobe = pow(max(1.0 - alongRoot * alongRoot, 0.0), 90.0);
$1 secondLobe = pow(max(1.0 - alongTip * alongTip, 0.0), 22.0);
$1 litShare = aggShadow / max(numLights, 1.0);
$1 strandFringe = 0.55 + 0.45 * fract(sin(vLayY * 91.7) * 437.5);
finalDiffuse += (V3(0.34, 0.32, 0.29) * (0.8 * firstLobe) + surfaceAlbedo * (2.2 * secondLobe * strandFringe)) * litShare;
`;

/** Three strands laid round each other: bright backs, dark grooves. */
const ROPE_NORMAL = `
$1 layPhase = 3.0 * IN vLay.y - 0.9 * IN vLay.x;
$1 layHeight = 0.5 + 0.5 * cos(layPhase);
$1 layFibre = 0.5 + 0.5 * sin(26.0 * IN vLay.y + 7.0 * IN vLay.x);
surfaceAlbedo = surfaceAlbedo * (0.42 + 0.58 * sqrt(layHeight)) * (0.9 + 0.1 * layFibre);
$3 layAxis = normalize(IN vStrand.xyz);
normalW = normalize(normalW + layAxis * (0.35 * sin(layPhase)) + cross(layAxis, normalW) * (0.3 * sin(layPhase)));
`;

function glslOf(text: string, light: string): string {
  return text
    .replaceAll('$3', 'vec3')
    .replaceAll('$1', 'float')
    .replaceAll('IN ', '')
    .replaceAll('vLayY', 'vLay.y')
    .replaceAll('LIGHT', light)
    .replaceAll('V3', 'vec3');
}

function wgslOf(text: string, light: string): string {
  return text
    .replaceAll('$3', 'var')
    .replaceAll('$1', 'var')
    .replaceAll('IN ', 'fragmentInputs.')
    .replaceAll('vLayY', 'fragmentInputs.vLay.y')
    .replaceAll('LIGHT', light)
    .replaceAll('V3', 'vec3f');
}
