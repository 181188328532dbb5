// In place of Babylon's module of this name (vite.config.ts), whose picture of how rough surfaces reflect their
// surroundings weighs 24 kB: the same numbers, computed.
//
// By cosine to the eye (u) and roughness (v): the share of the light from all around that GGX microfacets reflect,
// where they reflect all (green), and where they reflect as (1 − cosine)⁵ (red). Karis, Real Shading in Unreal
// Engine 4, 2013, with Smith's shadowing by correlated heights (Heitz 2014).

import { Constants } from '@babylonjs/core/Engines/constants';
import type { BaseTexture } from '@babylonjs/core/Materials/Textures/baseTexture';
import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture';
import type { Scene } from '@babylonjs/core/scene';

const [SIZE, SAMPLES] = [32, 64];

/** The scene's texture, made the first time. */
export function GetEnvironmentBRDFTexture(scene: Scene): BaseTexture {
  if (!scene.environmentBRDFTexture) {
    const { TEXTURE_BILINEAR_SAMPLINGMODE } = Constants;
    const texture = RawTexture.CreateRGBATexture(
      ...([reflectances(), SIZE, SIZE, scene, false, false, TEXTURE_BILINEAR_SAMPLINGMODE] as const),
    );
    texture.wrapU = texture.wrapV = Constants.TEXTURE_CLAMP_ADDRESSMODE;
    scene.environmentBRDFTexture = texture;
  }
  return scene.environmentBRDFTexture;
}

function reflectances(): Uint8Array {
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  for (let row = 0; row < SIZE; row++)
    for (let column = 0; column < SIZE; column++) {
      const [rim, all] = reflect((column + 0.5) / SIZE, ((row + 0.5) / SIZE) ** 2);
      pixels.set([Math.round(255 * rim), Math.round(255 * all), 0, 255], 4 * (row * SIZE + column));
    }
  return pixels;
}

/** Means over half vectors drawn as GGX of width `alpha` has them; `eye`: cosine of the eye to the normal. */
function reflect(eye: number, alpha: number): [rim: number, all: number] {
  const across = Math.sqrt(1 - eye * eye);
  const square = alpha * alpha;
  let [rim, all] = [0, 0];
  for (let i = 0; i < SAMPLES; i++) {
    const share = (i + 0.5) / SAMPLES;
    // The golden ratio spreads them about.
    const around = 2 * Math.PI * ((i * 0.618034) % 1);
    const half = Math.sqrt((1 - share) / (1 + (square - 1) * share));
    const onto = across * Math.sqrt(1 - half * half) * Math.cos(around) + eye * half;
    const light = 2 * onto * half - eye;
    if (light <= 0 || onto <= 0) continue;
    const shadow = (from: number, to: number) => to * Math.sqrt(from * from * (1 - square) + square);
    const weight = (2 * light * onto) / (half * (shadow(eye, light) + shadow(light, eye)));
    all += weight;
    rim += weight * (1 - onto) ** 5;
  }
  return [Math.min(rim / SAMPLES, 1), Math.min(all / SAMPLES, 1)];
}
