// Soft shadows of what is thin. Babylon's soft shadows (PCSS; Fernando 2005) look for what stands before a point at 16
// places about it. Where these miss a thin strip of shadow they call the point lit: bright blobs under walls and beams.
// Here such a point is looked up itself.

import { ShaderStore } from '@babylonjs/core/Engines/shaderStore';

const INCLUDE = 'shadowsFragmentFunctions';
const [FUNCTION, LIT] = ['computeShadowWithPCSS(', 'if (numBlocker<1.0) {return 1.0;}'];
const LOOK_UP = {
  glsl: 'TEXTUREFUNC(shadowSampler,uvDepth,0.)',
  wgsl: 'textureSampleCompareLevel(shadowTexture,shadowSampler,uvDepth.xy,uvDepth.z)',
};

/** The text of the functions with that; as it is where it is not known. */
export function mendThin(text: string, language: keyof typeof LOOK_UP): string {
  const at = text.indexOf(LIT, Math.max(text.indexOf(FUNCTION), 0));
  if (at < 0) return text;
  const shade = `mix(darkness,1.,${LOOK_UP[language]})`;
  const mended = `if (numBlocker<1.0) {return computeFallOff(${shade},clipSpace.xy,frustumEdgeFalloff);}`;
  return text.slice(0, at) + mended + text.slice(at + LIT.length);
}

/** Puts it right for all shaders that are compiled from now on; once the renderer's shaders are there. */
export function mendThinShadows(): void {
  for (const [store, language] of [
    [ShaderStore.IncludesShadersStore, 'glsl'],
    [ShaderStore.IncludesShadersStoreWGSL, 'wgsl'],
  ] as const) {
    const text = store[INCLUDE];
    if (text !== undefined) store[INCLUDE] = mendThin(text, language);
  }
}
