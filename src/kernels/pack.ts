// Bytes packed as an LZMA stream: for vite.config.ts, which embeds kernels so (unpack.ts is the way back).
//
// What is written where is the shortest way through the bytes, by prices of bits: literals, matches found by chains of
// hashes, and matches at one of the last four distances. Prices are those of the pass before; the first takes every
// bit for one. Four passes come within two percent of what xz makes. Three bits of the byte before tell literals apart,
// positions nothing.

import {
  ALIGN,
  HEADER,
  IS_MATCH,
  IS_REP,
  IS_REP_G0,
  IS_REP_G1,
  IS_REP_G2,
  IS_REP0_LONG,
  LENGTH,
  LENGTH_HIGH,
  LENGTH_LOW,
  LENGTH_MIDDLE,
  LITERAL,
  POS_SLOT,
  REP_LENGTH,
  SHORTEST,
  SPECIAL,
} from './lzma-layout';

const LITERAL_BITS = 3;
const PROBABILITIES = LITERAL + (0x300 << LITERAL_BITS);
const LONGEST = 273;
const PASSES = 4;
/** Earlier places that are looked at for matches of one. */
const CHAIN = 96;

/** Takes bits, each with the place of its probability, −1: none. */
type Sink = (at: number, bit: number) => void;

/** Steps of a way: length, distance less one; of a literal 1 and −1, of a match at the i-th last one −2 − i. */
interface Way {
  readonly length: Int32Array;
  readonly distance: Int32Array;
}

/** The stream, with its header. */
export function pack(bytes: Uint8Array): Uint8Array {
  const matches = findMatches(bytes);
  const prices = new Float64Array(2 * PROBABILITIES).fill(1);
  let way = findWay(bytes, matches, prices);
  for (let pass = 1; pass < PASSES; pass++) {
    countPrices(bytes, way, prices);
    way = findWay(bytes, matches, prices);
  }
  return encode(bytes, way);
}

/** Prices of both values of every bit [bit]: what it takes where it is as likely as in this way. */
function countPrices(bytes: Uint8Array, way: Way, prices: Float64Array): void {
  const counts = new Float64Array(2 * PROBABILITIES).fill(0.5);
  writeWay(bytes, way, (at, bit) => {
    if (at >= 0) counts[2 * at + bit]++;
  });
  for (let k = 0; k < counts.length; k += 2) {
    const all = counts[k] + counts[k + 1];
    for (let bit = k; bit < k + 2; bit++) prices[bit] = Math.max(Math.log2(all / counts[bit]), 0.02);
  }
}

/** Of each place, the matches that begin there: length and distance less one, longer ones farther. */
function findMatches(bytes: Uint8Array): Int32Array[] {
  const n = bytes.length;
  const head = new Int32Array(1 << 16).fill(-1);
  const pairs = new Int32Array(1 << 16).fill(-1);
  const chain = new Int32Array(n).fill(-1);
  const found: Int32Array[] = [];
  const list: number[] = [];
  for (let i = 0; i < n; i++) {
    list.length = 0;
    if (i + 2 < n) {
      const pair = bytes[i] | (bytes[i + 1] << 8);
      const hash = (pair ^ (bytes[i + 2] * 0x9e5)) & 0xffff;
      let best = SHORTEST - 1;
      if (pairs[pair] >= 0) {
        best = matchLength(bytes, pairs[pair], i);
        list.push(best, i - pairs[pair] - 1);
      }
      for (let at = head[hash], k = 0; at >= 0 && k < CHAIN && best < LONGEST; at = chain[at], k++) {
        const length = matchLength(bytes, at, i);
        if (length <= best) continue;
        best = length;
        list.push(length, i - at - 1);
      }
      pairs[pair] = i;
      chain[i] = head[hash];
      head[hash] = i;
    }
    found.push(Int32Array.from(list));
  }
  return found;
}

function matchLength(bytes: Uint8Array, from: number, at: number): number {
  const most = Math.min(LONGEST, bytes.length - at);
  let length = 0;
  while (length < most && bytes[from + length] === bytes[at + length]) length++;
  return length;
}

/** Price of the bits that `write` writes. */
function priceOf(prices: Float64Array, write: (sink: Sink) => void): number {
  let sum = 0;
  write((at, bit) => {
    sum += at < 0 ? 1 : prices[2 * at + bit];
  });
  return sum;
}

/** Prices of all lengths of a coder of lengths. */
function lengthPrices(prices: Float64Array, at: number): Float64Array {
  const all = new Float64Array(LONGEST + 1);
  for (let length = SHORTEST; length <= LONGEST; length++) {
    all[length] = priceOf(prices, (sink) => writeLength(sink, at, length));
  }
  return all;
}

/** The cheapest way through the bytes. */
function findWay(bytes: Uint8Array, matches: readonly Int32Array[], prices: Float64Array): Way {
  const n = bytes.length;
  const cost = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
  const length = new Int32Array(n + 1);
  const distance = new Int32Array(n + 1);
  const last = new Int32Array(4 * (n + 1));
  const kind = new Uint8Array(n + 1);
  const own = lengthPrices(prices, LENGTH);
  const repeated = lengthPrices(prices, REP_LENGTH);
  const bit = (at: number, value: number) => prices[2 * at + value];
  const relax = (to: number, price: number, step: number, way: number) => {
    if (!(price < cost[to])) return;
    cost[to] = price;
    length[to] = step;
    distance[to] = way;
  };
  const farther = new Map<number, number>();
  const distancePrice = (far: number, step: number) => {
    const key = 4 * far + Math.min(step - SHORTEST, 3);
    let price = farther.get(key);
    if (price === undefined) {
      price = priceOf(prices, (sink) => writeDistance(sink, far, step));
      farther.set(key, price);
    }
    return price;
  };

  cost[0] = 0;
  for (let i = 0; i < n; i++) {
    if (i > 0) noteStep(last, kind, i, length[i], distance[i]);
    const state = kind[i];
    const literal = priceOf(prices, (sink) => writeLiteral(sink, bytes, i, state, last[4 * i]));
    relax(i + 1, cost[i] + bit(IS_MATCH + 16 * state, 0) + literal, 1, -1);
    const asMatch = cost[i] + bit(IS_MATCH + 16 * state, 1);
    for (let k = 0; k < 4; k++) {
      const far = last[4 * i + k];
      const most = far < i ? matchLength(bytes, i - far - 1, i) : 0;
      if (most === 0) continue;
      const price = asMatch + priceOf(prices, (sink) => writeRepeat(sink, k, state));
      if (k === 0) relax(i + 1, price + bit(IS_REP0_LONG + 16 * state, 0), 1, -2);
      const long = price + (k === 0 ? bit(IS_REP0_LONG + 16 * state, 1) : 0);
      for (let step = SHORTEST; step <= most; step++) relax(i + step, long + repeated[step], step, -2 - k);
    }
    const anew = asMatch + bit(IS_REP + state, 0);
    let step = SHORTEST;
    for (let k = 0; k < matches[i].length; k += 2) {
      const far = matches[i][k + 1];
      for (; step <= matches[i][k]; step++) {
        relax(i + step, anew + own[step] + distancePrice(far, step), step, far);
      }
    }
  }

  // From its end to its beginning.
  const steps: number[] = [];
  for (let at = n; at > 0; at -= length[at]) steps.push(at);
  steps.reverse();
  return { length: Int32Array.from(steps, (at) => length[at]), distance: Int32Array.from(steps, (at) => distance[at]) };
}

/** Last distances and kind of what was read behind the step that ends at `to`. */
function noteStep(last: Int32Array, kind: Uint8Array, to: number, length: number, distance: number): void {
  const from = to - length;
  const before = kind[from];
  last.copyWithin(4 * to, 4 * from, 4 * from + 4);
  if (distance === -1) kind[to] = before < 4 ? 0 : before < 10 ? before - 3 : before - 6;
  else if (distance >= 0) {
    last.copyWithin(4 * to + 1, 4 * from, 4 * from + 3);
    last[4 * to] = distance;
    kind[to] = before < 7 ? 7 : 10;
  } else {
    const which = -2 - distance;
    last.copyWithin(4 * to + 1, 4 * from, 4 * from + which);
    last[4 * to] = last[4 * from + which];
    kind[to] = before >= 7 ? 11 : length === 1 ? 9 : 8;
  }
}

/** Writes all steps. */
function writeWay(bytes: Uint8Array, { length, distance }: Way, sink: Sink): void {
  const last = new Int32Array(4 * (bytes.length + 1));
  const kind = new Uint8Array(bytes.length + 1);
  let at = 0;
  for (let k = 0; k < length.length; k++) {
    const state = kind[at];
    const far = distance[k];
    sink(IS_MATCH + 16 * state, far === -1 ? 0 : 1);
    if (far === -1) writeLiteral(sink, bytes, at, state, last[4 * at]);
    else if (far >= 0) {
      sink(IS_REP + state, 0);
      writeLength(sink, LENGTH, length[k]);
      writeDistance(sink, far, length[k]);
    } else {
      writeRepeat(sink, -2 - far, state);
      if (far === -2) sink(IS_REP0_LONG + 16 * state, length[k] === 1 ? 0 : 1);
      if (length[k] > 1) writeLength(sink, REP_LENGTH, length[k]);
    }
    at += length[k];
    noteStep(last, kind, at, length[k], far);
  }
}

function writeTree(sink: Sink, at: number, bits: number, value: number): void {
  for (let place = 1, i = bits - 1; i >= 0; i--) {
    const bit = (value >> i) & 1;
    sink(at + place, bit);
    place = 2 * place + bit;
  }
}

function writeReverse(sink: Sink, at: number, bits: number, value: number): void {
  for (let place = 1, i = 0; i < bits; i++) {
    const bit = (value >> i) & 1;
    sink(at + place, bit);
    place = 2 * place + bit;
  }
}

function writeLength(sink: Sink, at: number, length: number): void {
  const value = length - SHORTEST;
  sink(at, value < 8 ? 0 : 1);
  if (value < 8) writeTree(sink, at + LENGTH_LOW, 3, value);
  else {
    sink(at + 1, value < 16 ? 0 : 1);
    if (value < 16) writeTree(sink, at + LENGTH_MIDDLE, 3, value - 8);
    else writeTree(sink, at + LENGTH_HIGH, 8, value - 16);
  }
}

function writeDistance(sink: Sink, distance: number, length: number): void {
  const high = 31 - Math.clz32(distance);
  const slot = distance < 4 ? distance : 2 * high + ((distance >> (high - 1)) & 1);
  writeTree(sink, POS_SLOT + 64 * Math.min(length - SHORTEST, 3), 6, slot);
  if (slot < 4) return;
  const bits = (slot >> 1) - 1;
  const base = (2 + (slot & 1)) << bits;
  if (slot < 14) {
    writeReverse(sink, SPECIAL + base - slot, bits, distance - base);
    return;
  }
  for (let i = bits - 1; i >= 4; i--) sink(-1, (distance >> i) & 1);
  writeReverse(sink, ALIGN, 4, distance & 15);
}

/** Which of the last distances. */
function writeRepeat(sink: Sink, which: number, state: number): void {
  sink(IS_REP + state, 1);
  sink(IS_REP_G0 + state, which === 0 ? 0 : 1);
  if (which > 0) sink(IS_REP_G1 + state, which === 1 ? 0 : 1);
  if (which > 1) sink(IS_REP_G2 + state, which - 2);
}

function writeLiteral(sink: Sink, bytes: Uint8Array, at: number, state: number, last: number): void {
  const before = at > 0 ? bytes[at - 1] >> (8 - LITERAL_BITS) : 0;
  const own = LITERAL + 0x300 * before;
  const guess = state < 7 ? -1 : bytes[at - last - 1];
  let isMatched = guess >= 0;
  for (let value = 1, i = 7; i >= 0; i--) {
    const bit = (bytes[at] >> i) & 1;
    const expected = (guess >> i) & 1;
    sink(own + (isMatched ? 0x100 * (1 + expected) : 0) + value, bit);
    if (bit !== expected) isMatched = false;
    value = 2 * value + bit;
  }
}

/** Writes the way by a range coder. */
function encode(bytes: Uint8Array, way: Way): Uint8Array {
  const out: number[] = new Array(HEADER).fill(0);
  out[0] = LITERAL_BITS;
  const probabilities = new Uint16Array(PROBABILITIES).fill(1024);
  let range = 2 ** 32 - 1;
  let low = 0;
  // The last byte may still grow by one, and those of 255 behind it overflow.
  let held = 0;
  let waiting = 1;
  const shift = () => {
    if (low < 0xff000000 || low >= 2 ** 32) {
      const carry = low >= 2 ** 32 ? 1 : 0;
      for (; waiting > 0; waiting--) {
        out.push((held + carry) & 0xff);
        held = 0xff;
      }
      held = Math.floor(low / 2 ** 24) & 0xff;
    }
    waiting++;
    low = (low % 2 ** 24) * 256;
  };
  writeWay(bytes, way, (at, bit) => {
    if (at < 0) {
      range = Math.floor(range / 2);
      low += bit * range;
    } else {
      const p = probabilities[at];
      const bound = Math.floor(range / 2048) * p;
      range = bit === 0 ? bound : range - bound;
      low += bit * bound;
      probabilities[at] = bit === 0 ? p + ((2048 - p) >> 5) : p - (p >> 5);
    }
    if (range < 2 ** 24) {
      range *= 256;
      shift();
    }
  });
  for (let k = 0; k < 5; k++) shift();
  const packed = Uint8Array.from(out);
  const view = new DataView(packed.buffer);
  view.setUint32(1, 2 ** Math.ceil(Math.log2(Math.max(bytes.length, 4096))), true);
  view.setUint32(5, bytes.length, true);
  return packed;
}
