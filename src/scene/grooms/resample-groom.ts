// From a groom as its file has it to one that can be simulated: degenerate strands and repeated points dropped, a
// subset chosen, scaled, placed, and every strand cut into edges of equal length.
//
// In: strands in any units. Out: strands [m]. The subset is drawn without replacement from a seeded generator and kept
// in the order of the file, so that the same call gives the same strands everywhere.

import { refuse, requirePositive, requireVector } from '../../core/errors';
import { createRandom } from '../../core/random';
import { findPolylineFault, LEAST_LENGTH } from '../../geometry/polyline';
import { normalizeQuaternion, rotateVector } from '../../math/quaternion';
import type { GroomStrands } from './groom';

/** Largest side of the box around the roots of a head of hair [m]. */
const HEAD_SIZE = 0.2;

export interface ResampleOptions {
  /** Points of each strand, 2..1000, at equal arc lengths. Default: those of the file, less the repeated ones. */
  vertices?: number;
  /** Most strands; a subset is drawn. Default all. */
  maxStrands?: number;
  /** Of the draw, a whole number. Default 0. */
  seed?: number;
  /**
   * Metres per unit of the file, or 'head': the roots are centred on the origin and their box is scaled to 0.2 m.
   * Default 1.
   */
  scale?: number | 'head';
  /** Turns the groom about the origin after scaling: quaternion. Default none. */
  rotation?: ArrayLike<number>;
  /** Moves it after that [m]. Default (0, 0, 0). */
  position?: ArrayLike<number>;
}

export interface ResampledGroom extends GroomStrands {
  readonly positions: Float64Array;
  /** Strands left out because they were degenerate: not finite, without length, or folded back on themselves. */
  readonly dropped: number;
  /** Metres per unit of the file. */
  readonly scale: number;
}

/** Cleans, thins, scales, places and resamples a groom. Throws UsageError if no strand is left. */
export function resampleGroom(groom: GroomStrands, options: ResampleOptions = {}): ResampledGroom {
  const where = 'resampleGroom';
  const { counts, positions } = requireGroom(where, groom);
  if (counts.length === 0) refuse(where, 'groom must have at least 1 strand', 0);
  const vertices = options.vertices === undefined ? 0 : requireWhole(where, 'vertices', options.vertices, 2, 1000);
  const most = requireWhole(where, 'maxStrands', options.maxStrands ?? counts.length, 1, Number.MAX_SAFE_INTEGER);
  const seed = requireWhole(where, 'seed', options.seed ?? 0, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const asked = options.scale ?? 1;
  const given = asked === 'head' ? 0 : requirePositive(where, 'scale', asked);
  const rotation = Float64Array.from(requireVector(where, 'rotation', options.rotation ?? [0, 0, 0, 1], 4));
  if (rotation.every((x) => x === 0)) refuse(where, 'rotation must not be zero', options.rotation);
  normalizeQuaternion(rotation, 0, rotation, 0);
  const offset = requireVector(where, 'position', options.position ?? [0, 0, 0], 3, 'm');

  const firsts = new Int32Array(counts.length);
  for (let s = 1; s < counts.length; s++) firsts[s] = firsts[s - 1] + counts[s - 1];
  const center = new Float64Array(3);
  const scale = given > 0 ? given : headScale(center, counts, firsts, positions);

  // Every strand is judged as it would be used, before the draw: the number of strands is then what was asked for.
  let longest = vertices;
  for (let s = 0; s < counts.length; s++) longest = Math.max(longest, counts[s]);
  const cleaned = new Float64Array(3 * longest);
  const cut = new Float64Array(3 * longest);
  const shape = (s: number): number => {
    const count = cleanStrand(cleaned, positions, firsts[s], counts[s], scale);
    if (count < 2) return 0;
    const out = vertices > 0 ? cutStrand(cut, vertices, cleaned, count) : copyStrand(cut, cleaned, count);
    return findPolylineFault(cut, 0, out) === null ? out : 0;
  };
  const usable: number[] = [];
  for (let s = 0; s < counts.length; s++) if (shape(s) > 0) usable.push(s);
  if (usable.length === 0)
    refuse(
      where,
      'groom must have at least 1 strand that is finite, neither too short nor too far away, and nowhere straight back',
      `0 of ${counts.length}`,
    );
  const chosen = drawSubset(usable, most, seed);

  const outCounts = new Int32Array(chosen.length);
  let total = 0;
  for (let i = 0; i < chosen.length; i++) total += vertices > 0 ? vertices : counts[chosen[i]];
  const outPositions = new Float64Array(3 * total);
  let at = 0;
  for (let i = 0; i < chosen.length; i++) {
    outCounts[i] = shape(chosen[i]);
    for (let k = 0; k < 3 * outCounts[i]; k += 3) {
      for (let axis = 0; axis < 3; axis++) cut[k + axis] -= scale * center[axis];
      rotateVector(outPositions, at, rotation, 0, cut, k);
      for (let axis = 0; axis < 3; axis++) outPositions[at + axis] += offset[axis];
      at += 3;
    }
  }
  const dropped = counts.length - usable.length;
  return { counts: outCounts, positions: outPositions.slice(0, at), dropped, scale };
}

function requireGroom(where: string, groom: GroomStrands): GroomStrands {
  const { counts, positions, rest } = groom ?? {};
  if (!ArrayBuffer.isView(counts) || !ArrayBuffer.isView(positions)) {
    refuse(where, 'groom must come from readGroom', groom);
  }
  if (rest !== undefined)
    refuse(
      where,
      'groom must have no rest: it was found for the points as they are; resample first',
      Object.keys(rest).join(),
    );
  let sum = 0;
  for (let s = 0; s < counts.length; s++) {
    if (!(counts[s] >= 0)) refuse(where, `groom.counts[${s}] must be >= 0`, counts[s]);
    sum += counts[s];
  }
  if (3 * sum > positions.length) refuse(where, `groom.positions must be ${3 * sum} numbers`, positions.length);
  return groom;
}

function requireWhole(where: string, name: string, value: unknown, low: number, high: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < low || value > high) {
    const range = high < Number.MAX_SAFE_INTEGER ? ` ${low}..${high}` : low > 0 ? ` >= ${low}` : '';
    refuse(where, `${name} must be a whole number${range}`, value);
  }
  return value;
}

/** Scale that makes the roots' box a head's; `center` gets its middle in the file's units. */
function headScale(center: Float64Array, counts: Int32Array, firsts: Int32Array, positions: ArrayLike<number>): number {
  // Where all strands grow from one point, their own extent must do.
  for (const isRoots of [true, false]) {
    const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const high = low.map((x) => -x);
    for (let s = 0; s < counts.length; s++) {
      if (counts[s] < 2) continue;
      const end = isRoots ? firsts[s] + 1 : firsts[s] + counts[s];
      for (let i = 3 * firsts[s]; i < 3 * end; i += 3) {
        if (!isFinitePoint(positions, i)) continue;
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], positions[i + k]);
          high[k] = Math.max(high[k], positions[i + k]);
        }
      }
    }
    const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    if (!(size > 0)) continue;
    for (let k = 0; k < 3; k++) center[k] = 0.5 * (low[k] + high[k]);
    return HEAD_SIZE / size;
  }
  return 1;
}

/** Larger numbers than this are a broken file's: their squares would overflow. */
const LARGEST = 1e30;

function isFinitePoint(positions: ArrayLike<number>, at: number): boolean {
  for (let k = at; k < at + 3; k++) if (!(Math.abs(positions[k]) <= LARGEST)) return false;
  return true;
}

/** out = the strand's points, scaled, without repeated ones; returns how many, 0 for a strand that is not finite. */
function cleanStrand(
  out: Float64Array,
  positions: ArrayLike<number>,
  first: number,
  count: number,
  scale: number,
): number {
  let kept = 0;
  for (let i = first; i < first + count; i++) {
    if (!isFinitePoint(positions, 3 * i)) return 0;
    const at = 3 * kept;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      out[at + k] = scale * positions[3 * i + k];
      if (kept > 0) square += (out[at + k] - out[at + k - 3]) ** 2;
    }
    if (kept === 0 || square >= LEAST_LENGTH * LEAST_LENGTH) kept++;
  }
  return kept;
}

function copyStrand(out: Float64Array, points: Float64Array, count: number): number {
  for (let k = 0; k < 3 * count; k++) out[k] = points[k];
  return count;
}

/** out = `vertices` points at equal arc lengths along the polyline, ends included; returns `vertices`. */
function cutStrand(out: Float64Array, vertices: number, points: Float64Array, count: number): number {
  let length = 0;
  for (let i = 1; i < count; i++) length += edgeLength(points, i);
  let edge = 1;
  let before = 0;
  let along = edgeLength(points, 1);
  for (let v = 0; v < vertices; v++) {
    const wanted = (length * v) / (vertices - 1);
    while (edge < count - 1 && before + along < wanted) {
      before += along;
      edge++;
      along = edgeLength(points, edge);
    }
    // The ends are kept to the last bit.
    const t = v === 0 ? 0 : v === vertices - 1 ? 1 : Math.min(1, (wanted - before) / along);
    const b = 3 * (v === vertices - 1 ? count - 1 : edge);
    for (let k = 0; k < 3; k++) out[3 * v + k] = (1 - t) * points[b - 3 + k] + t * points[b + k];
  }
  return vertices;
}

/** Length of the edge that ends at point i. */
function edgeLength(points: Float64Array, i: number): number {
  const x = points[3 * i] - points[3 * i - 3];
  const y = points[3 * i + 1] - points[3 * i - 2];
  const z = points[3 * i + 2] - points[3 * i - 1];
  return Math.sqrt(x * x + y * y + z * z);
}

/** At most `most` of the items, drawn evenly without replacement, in their own order. */
function drawSubset(items: number[], most: number, seed: number): number[] {
  if (items.length <= most) return items;
  const random = createRandom(seed);
  const pool = items.slice();
  for (let i = 0; i < most; i++) {
    const j = i + Math.floor(random() * (pool.length - i));
    const drawn = pool[j];
    pool[j] = pool[i];
    pool[i] = drawn;
  }
  return pool.slice(0, most).sort((a, b) => a - b);
}
