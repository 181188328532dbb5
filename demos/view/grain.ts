// What tells stone from wood from brushed steel: textures made by formula, which darken the colour of a body.

import { DynamicTexture } from '@babylonjs/core/Materials/Textures/dynamicTexture';
import { Texture } from '@babylonjs/core/Materials/Textures/texture';
import type { Scene } from '@babylonjs/core/scene';

/** `wood` and `brushed` run along u. */
export type Grain = 'stone' | 'wood' | 'brushed';

const PIXELS = 256;

/** A number in [0, 1) for each cell of a grid that repeats. */
function cell(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Smooth noise that repeats after one, with so many cells along u and v. */
function noise(u: number, v: number, columns: number, rows: number, seed: number): number {
  const [x, y] = [u * columns, v * rows];
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const ease = (t: number) => t * t * (3 - 2 * t);
  const [s, t] = [ease(x - i), ease(y - j)];
  const at = (di: number, dj: number) => cell((i + di) % columns, (j + dj) % rows, seed);
  return (at(0, 0) * (1 - s) + at(1, 0) * s) * (1 - t) + (at(0, 1) * (1 - s) + at(1, 1) * s) * t;
}

/** How bright each grain is at a place, 0 to 1. */
const BRIGHTNESS: Readonly<Record<Grain, (u: number, v: number) => number>> = {
  /** Clouds, grit, and here and there a pit. */
  stone(u, v) {
    const clouds = 0.6 * noise(u, v, 5, 5, 1) + 0.4 * noise(u, v, 13, 13, 2);
    const grit = noise(u, v, 96, 96, 3);
    const pit = Math.max(0, noise(u, v, 40, 40, 4) - 0.84) / 0.16;
    return 1.04 - 0.17 * clouds - 0.1 * grit - 0.26 * pit;
  },
  /** Year rings cut lengthwise, bent a little, with pores. */
  wood(u, v) {
    const bent = v + 0.045 * noise(u, v, 2, 4, 1) + 0.012 * noise(u, v, 5, 9, 2);
    const ring = (bent * 11) % 1;
    const late = ring ** 3;
    const pores = noise(u, v, 10, 128, 3);
    return 1.05 - 0.27 * late - 0.14 * pores - 0.1 * noise(u, v, 3, 6, 4);
  },
  /** Fine scratches along one way. */
  brushed: (u, v) => 1 - 0.16 * noise(u, v, 4, 128, 1) - 0.1 * noise(u, v, 9, 61, 2),
};

const made = new WeakMap<Scene, Map<Grain, DynamicTexture>>();

/** The texture of a grain, one for each scene of the renderer. */
export function grainOf(scene: Scene, grain: Grain): DynamicTexture {
  const known = made.get(scene) ?? new Map<Grain, DynamicTexture>();
  made.set(scene, known);
  const found = known.get(grain);
  if (found) return found;
  const texture = new DynamicTexture(`grain-${grain}`, PIXELS, scene, true);
  const pen = texture.getContext() as CanvasRenderingContext2D;
  const image = pen.createImageData(PIXELS, PIXELS);
  const brightness = BRIGHTNESS[grain];
  for (let at = 0; at < PIXELS * PIXELS; at++) {
    const grey = 255 * brightness(((at % PIXELS) + 0.5) / PIXELS, (Math.floor(at / PIXELS) + 0.5) / PIXELS);
    image.data.set([grey, grey, grey, 255], 4 * at);
  }
  pen.putImageData(image, 0, 0);
  texture.wrapU = texture.wrapV = Texture.WRAP_ADDRESSMODE;
  texture.anisotropicFilteringLevel = 4;
  texture.update();
  known.set(grain, texture);
  return texture;
}
