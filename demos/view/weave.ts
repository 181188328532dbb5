// Textures of cloth, made by formula: the relief of a plain weave, and what is printed or woven into it.

import { RawTexture } from '@babylonjs/core/Materials/Textures/rawTexture';
import { Texture } from '@babylonjs/core/Materials/Textures/texture';
import type { Scene } from '@babylonjs/core/scene';
import type { ClothPattern } from '../scenes/demo-scene';

/** Threads of a tile of the relief in each direction; pixels of a tile, and of one of a print. */
export const THREADS = 8;
const RELIEF = 256;
const PRINT = 256;

/** Height of a plain weave at (u, v) in threads: warp and weft pass over each other in turn. */
function heightOf(u: number, v: number): number {
  const swing = Math.cos(Math.PI * u) * Math.cos(Math.PI * v);
  const [acrossWarp, acrossWeft] = [Math.abs(Math.sin(Math.PI * u)), Math.abs(Math.sin(Math.PI * v))];
  // Round threads: highest along their middle; the warp is up where the weft is down.
  const warp = Math.sqrt(acrossWarp) * (0.62 + 0.38 * swing * sign(u, v));
  const weft = Math.sqrt(acrossWeft) * (0.62 - 0.38 * swing * sign(u, v));
  return Math.max(warp, weft);
}

const sign = (u: number, v: number) => ((Math.floor(u) + Math.floor(v)) % 2 === 0 ? 1 : -1);

/** The weave as a normal map that tiles; one repetition holds `THREADS` threads in each direction. */
export function reliefOf(scene: Scene): RawTexture {
  const pixels = new Uint8Array(4 * RELIEF * RELIEF);
  const step = THREADS / RELIEF;
  for (let row = 0; row < RELIEF; row++) {
    for (let column = 0; column < RELIEF; column++) {
      const [u, v] = [(column + 0.5) * step, (row + 0.5) * step];
      const du = (heightOf(u + step, v) - heightOf(u - step + THREADS, v)) / (2 * step);
      const dv = (heightOf(u, v + step) - heightOf(u, v - step + THREADS)) / (2 * step);
      const length = Math.hypot(du, dv, RELIEF_DEPTH);
      const at = 4 * (row * RELIEF + column);
      pixels[at] = 127.5 - (127.5 * du) / length;
      pixels[at + 1] = 127.5 - (127.5 * dv) / length;
      pixels[at + 2] = 127.5 + (127.5 * RELIEF_DEPTH) / length;
      pixels[at + 3] = 255;
    }
  }
  return tiled(scene, pixels, RELIEF);
}

/** Slope of which the map's normals are: the larger, the flatter. */
const RELIEF_DEPTH = 1.6;

/** What repeats over a cloth, as sRGB colours. */
export function printOf(scene: Scene, pattern: ClothPattern, colors: readonly string[]): RawTexture {
  const inks = colors.map(bytesOf);
  const pixels = new Uint8Array(4 * PRINT * PRINT);
  for (let row = 0; row < PRINT; row++) {
    for (let column = 0; column < PRINT; column++) {
      const ink = inkAt(pattern, (column + 0.5) / PRINT, (row + 0.5) / PRINT, inks);
      pixels.set([...ink, 255], 4 * (row * PRINT + column));
    }
  }
  const texture = tiled(scene, pixels, PRINT);
  texture.gammaSpace = true;
  return texture;
}

type Ink = readonly number[];

function inkAt(pattern: ClothPattern, u: number, v: number, inks: readonly Ink[]): Ink {
  const [ground, ink] = [inks[0], inks[1] ?? inks[0]];
  switch (pattern.kind) {
    case 'stripes': {
      // As many equal stripes as there are colours.
      return inks[Math.min(Math.floor(v * inks.length), inks.length - 1)];
    }
    case 'gingham': {
      const both = (u < 0.5 ? 1 : 0) + (v < 0.5 ? 1 : 0);
      return mix(ground, ink, both / 2);
    }
    case 'bands': {
      // Broad ground, a narrow double line at the edge of the tile.
      const isLine = (v > 0.06 && v < 0.12) || (v > 0.15 && v < 0.17);
      return isLine ? ink : ground;
    }
    case 'card': {
      const [x, y] = [Math.abs(u - 0.5), Math.abs(v - 0.5)];
      if (x > 0.43 || y > 0.455) return ground;
      if (x > 0.415 || y > 0.445) return ink;
      const lattice = (Math.floor((u + v) * 14) + Math.floor((u - v + 1) * 14)) % 2 === 0;
      return lattice ? ink : mix(ground, ink, 0.55);
    }
  }
}

const mix = (a: Ink, b: Ink, share: number): Ink => a.map((value, i) => Math.round(value + (b[i] - value) * share));
const bytesOf = (hex: string): Ink => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

function tiled(scene: Scene, pixels: Uint8Array, size: number): RawTexture {
  const texture = RawTexture.CreateRGBATexture(pixels, size, size, scene, true, false, Texture.TRILINEAR_SAMPLINGMODE);
  texture.wrapU = texture.wrapV = Texture.WRAP_ADDRESSMODE;
  texture.anisotropicFilteringLevel = 8;
  texture.gammaSpace = false;
  return texture;
}
