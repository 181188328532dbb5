// How hair is drawn, in numbers: what the ribbons' shaders are told of each rod or
// groom, and how much hair dims the sun.

/** How the strands of one rod or groom are drawn. */
export interface HairLook {
  /** Four linear colours, twelve numbers; strands are spread over them. */
  colors: readonly number[];
  /** [m] */
  radius: number;
  isRope: boolean;
  /** Hair: 0 dry to 1, under a film of water: darker, and with narrower, stronger highlights. */
  wet?: number;
  /** Radius of the lock that a strand stands for [m]; 0: each strand is drawn as itself alone. */
  lock: number;
}

/** Numbers of a look in the shaders: five vectors of four. */
export const LOOK_NUMBERS = 20;
/** Hair tapers to a point, nearly; rope does not. */
const TIP = 0.25;

/** Looks as the shaders read them, by number: four colours; radius, 1 for rope and −wet
 * for hair, radius at the tip, lock. */
export function packLooks(looks: ReadonlyMap<number, HairLook>): Float32Array<ArrayBuffer> {
  const data = new Float32Array(LOOK_NUMBERS * (Math.max(0, ...looks.keys()) + 1));
  for (const [rod, { colors, radius, isRope, wet = 0, lock }] of looks) {
    for (let i = 0; i < 12; i++) data[LOOK_NUMBERS * rod + i + Math.floor(i / 3)] = colors[i];
    data.set([radius, isRope ? 1 : 0 - wet, isRope ? 1 : TIP, lock], LOOK_NUMBERS * rod + 16);
  }
  return data;
}

/** Four stops of a ramp of any number of linear colours. */
export function fourStops(colors: readonly (readonly number[])[]): number[] {
  return [0, 1, 2, 3].flatMap((i) => {
    const at = (i / 3) * (colors.length - 1);
    const k = Math.min(Math.floor(at), Math.max(colors.length - 2, 0));
    const next = colors[Math.min(k + 1, colors.length - 1)];
    return colors[k].map((value, c) => value + (next[c] - value) * (at - k));
  });
}

/** Up to so many hairs are drawn as thick as the scene says; of more each is drawn thinner. */
const FEW = 500;
/** Hairs drawn where strands stand for locks, and hairs a lock at most. */
const [CROWN, FULLEST] = [10_000, 24];

/** Hairs to draw for each strand where strands stand for locks. `share` of the usual, for slow machines. */
export function hairsOfStrand(strands: number, share = 1): number {
  const wanted = Math.min((share * CROWN) / Math.max(strands, 1), share * FULLEST);
  return Math.max(Math.round(wanted), 1);
}

/** Radius to draw hair with [m]: few hairs look fuller when they are thicker, many when they are not. */
export function drawnRadius(wanted: number, radius: number, hairs: number): number {
  return Math.max(wanted * Math.min(1, Math.sqrt(FEW / Math.max(hairs, 1))), radius);
}

/** On a screen a hair is at least about so thick, half its width [m], from where hair is looked at. */
const SEEN = 2.5e-4;
/** Thinner hair than this would not shade itself visibly, denser would be black inside [1/m]. */
const [LEAST_DENSITY, MOST_DENSITY] = [80, 600];

/**
 * Optical density of hair as it is seen [1/m]: light meets length · 2 radius of strands in their volume; half of what
 * meets a fibre goes on forwards. `length` = of all strands, `size` = of the box about them before the first step [m]:
 * hanging, they fill about a quarter.
 */
export function opticalDensity(length: number, radius: number, size: readonly number[]): number {
  const volume = 0.25 * size[0] * size[1] * size[2];
  const density = (length * Math.max(radius, SEEN)) / Math.max(volume, 1e-9);
  return Math.min(Math.max(density, LEAST_DENSITY), MOST_DENSITY);
}
