import { ShaderStore } from '@babylonjs/core/Engines/shaderStore';
import '@babylonjs/core/Shaders/ShadersInclude/shadowsFragmentFunctions';
import '@babylonjs/core/ShadersWGSL/ShadersInclude/shadowsFragmentFunctions';
import { expect, test } from 'vitest';
import { mendThinShadows } from '../../demos/view/thin-shadows';

const texts = () => [
  ShaderStore.IncludesShadersStore.shadowsFragmentFunctions,
  ShaderStore.IncludesShadersStoreWGSL.shadowsFragmentFunctions,
];
/** What soft shadows do where their search finds nothing. */
const nothingFound = (text: string) =>
  /computeShadowWithPCSS\(.*?if \(numBlocker<1\.0\) \{return ([^;]*);\}/s.exec(text)?.[1];

test('points where the search of soft shadows finds nothing are looked up, in both languages of shaders', () => {
  expect(texts().map(nothingFound)).toEqual(['1.0', '1.0']);
  mendThinShadows();
  const [glsl, wgsl] = texts().map(nothingFound);
  expect(glsl).toContain('TEXTUREFUNC(shadowSampler,uvDepth,0.)');
  expect(wgsl).toContain('textureSampleCompareLevel(shadowTexture,shadowSampler,uvDepth.xy,uvDepth.z)');
  // Only there, and only once.
  const before = texts();
  mendThinShadows();
  expect(texts()).toEqual(before);
  expect(before[0].match(/if \(numBlocker<1\.0\) \{return 1\.0;\}/g)).toHaveLength(1);
});
