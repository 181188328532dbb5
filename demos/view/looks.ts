// How materials look: colour and finish by the name of the material, for scenes that do not paint their bodies.

import { PALETTE } from '../scenes/palette';
import type { Grain } from './grain';

/** One surface of the renderer; each needs a material of its own. */
export type Finish = 'matte' | 'satin' | 'metal' | 'gloss';

export interface Look {
  colors: readonly string[];
  finish: Finish;
  /** What it is made of, where that is to be seen from near. */
  grain?: Grain;
}

const P = PALETTE;

const LOOKS: Record<string, Look> = {
  floor: { colors: [P.sand], finish: 'matte' },
  stone: { colors: ['#d8cdb8', '#cfc3ac', '#e0d6c4'], finish: 'matte', grain: 'stone' },
  concrete: { colors: ['#9c968c'], finish: 'matte', grain: 'stone' },
  ceramic: { colors: ['#e9e4da'], finish: 'gloss' },
  plaster: { colors: [P.cream, P.mint, P.sea], finish: 'matte', grain: 'stone' },
  brick: { colors: [P.terracotta, '#b84a35', '#d26a4b'], finish: 'matte', grain: 'stone' },
  wood: { colors: ['#c99a5b', '#b9884b', '#d6ac72'], finish: 'satin', grain: 'wood' },
  card: { colors: [P.cream, P.terracotta], finish: 'satin' },
  slope: { colors: ['#4b545e'], finish: 'matte', grain: 'stone' },
  slick: { colors: ['#3a4048'], finish: 'satin' },
  frame: { colors: ['#4d5660'], finish: 'satin', grain: 'brushed' },
  steel: { colors: ['#9aa3ad'], finish: 'metal', grain: 'brushed' },
  iron: { colors: ['#5a6068'], finish: 'metal', grain: 'brushed' },
  belt: { colors: ['#34383c'], finish: 'matte' },
  roller: { colors: ['#8d949c'], finish: 'metal', grain: 'brushed' },
  bin: { colors: ['#c8bfae'], finish: 'matte' },
  rail: { colors: ['#c3c8cd'], finish: 'metal', grain: 'brushed' },
  parcel: { colors: ['#c99a5b', '#b9884b'], finish: 'satin' },
  brass: { colors: ['#d0a757'], finish: 'metal', grain: 'brushed' },
  rubber: { colors: [P.terracotta], finish: 'satin' },
  toy: { colors: [P.terracotta, P.saffron, P.sea], finish: 'satin' },
  block: { colors: [P.apricot, P.plum, P.moss], finish: 'satin', grain: 'wood' },
  domino: { colors: [P.cream], finish: 'satin' },
  peg: { colors: ['#a9b0b7'], finish: 'metal', grain: 'brushed' },
  hair: { colors: ['#744a2a'], finish: 'satin' },
  linen: { colors: ['#e4dccd'], finish: 'matte' },
  puck: { colors: [P.terracotta], finish: 'satin' },
};

const MIXED: Look = {
  colors: [P.sea, P.saffron, P.terracotta, P.cream, P.mint, P.plum, P.apricot, P.navy],
  finish: 'satin',
};
const FIXED: Look = { colors: ['#bdb7ac'], finish: 'matte', grain: 'stone' };

/** Look of a material; unknown ones take theirs from a small fixed set, fixed bodies are grey. */
export function lookOf(material: string | undefined, fixed: boolean): Look {
  return (material && LOOKS[material]) || (fixed ? FIXED : MIXED);
}

/** Finish and linear colour of a body. `index` spreads the shades of a material over its bodies. */
export function colorOf(look: Look, painted: string | undefined, index: number): [number, number, number] {
  return linear(painted ?? look.colors[(index * 7 + (index >> 3)) % look.colors.length]);
}

/** #rrggbb (sRGB) → linear 0..1. */
export function linear(hex: string): [number, number, number] {
  const channel = (at: number) => (Number.parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2;
  return [channel(1), channel(3), channel(5)];
}

/** Twelve colours that tell islands apart, linear. */
export const ISLAND_COLORS: readonly [number, number, number][] = [
  '#e6a93c',
  '#2d7f8c',
  '#c9553b',
  '#86b8a1',
  '#6c4a80',
  '#ee8a4a',
  '#26456e',
  '#a8b545',
  '#b3477d',
  '#4f9fd0',
  '#7d2f3f',
  '#d9c89a',
].map(linear);

/** Sleeping bodies, linear. */
export const SLEEPING_COLOR = linear('#8d99b5');
