// LZMA streams unpacked: how kernels are embedded, a fifth smaller than deflated, and synchronously, which the streams
// of browsers are not.
//
// In: a stream with its header of 13 bytes (a byte of properties, four of the dictionary's size, eight of the length)
// and a known length below 4 GB, as vite.config.ts makes it. Out: the bytes. Streams are trusted: what is no stream
// gives nonsense or a RangeError. (Format: I. Pavlov, LZMA specification, 2015; names as there.)
// Written here because every game carries it: 1 kB, where the one of lzma1, which packs them, has 14.

/** Where the adaptive probabilities of each kind of bit begin. */
const IS_MATCH = 0;
const IS_REP = IS_MATCH + 12 * 16;
const IS_REP_G0 = IS_REP + 12;
const IS_REP_G1 = IS_REP_G0 + 12;
const IS_REP_G2 = IS_REP_G1 + 12;
const IS_REP0_LONG = IS_REP_G2 + 12;
const POS_SLOT = IS_REP0_LONG + 12 * 16;
const SPECIAL = POS_SLOT + 4 * 64;
const ALIGN = SPECIAL + 115;
const LENGTH = ALIGN + 16;
/** Of a coder of lengths: two choices, short and middle ones by position, long ones. */
const LENGTH_LOW = 2;
const LENGTH_MIDDLE = LENGTH_LOW + 16 * 8;
const LENGTH_HIGH = LENGTH_MIDDLE + 16 * 8;
const LENGTH_SIZE = LENGTH_HIGH + 256;
const REP_LENGTH = LENGTH + LENGTH_SIZE;
const LITERAL = REP_LENGTH + LENGTH_SIZE;

/** Bytes before the stream: of properties, of the dictionary's size, of the length. */
const HEADER = 13;
/** The shortest match [bytes]. */
const SHORTEST = 2;

/** The range coder: what is left of the range, and the place of the stream in it. */
interface Coder {
  readonly packed: Uint8Array;
  readonly probabilities: Uint16Array;
  /** Range, code, next byte: unsigned numbers of 32 bits, in an array so that none is boxed. */
  readonly state: Uint32Array;
}

function refill({ packed, state }: Coder): void {
  state[0] *= 256;
  state[1] = state[1] * 256 + packed[state[2]++];
}

/** The next bit by the probability at `at`, which learns of it. */
function readBit(coder: Coder, at: number): number {
  const { probabilities, state } = coder;
  const p = probabilities[at];
  const bound = (state[0] >>> 11) * p;
  const bit = state[1] < bound ? 0 : 1;
  if (bit === 0) {
    state[0] = bound;
    probabilities[at] = p + ((2048 - p) >> 5);
  } else {
    state[0] -= bound;
    state[1] -= bound;
    probabilities[at] = p - (p >> 5);
  }
  if (state[0] < 0x1000000) refill(coder);
  return bit;
}

/** So many bits, the highest first, each by a probability of those before. */
function readTree(coder: Coder, at: number, bits: number): number {
  let value = 1;
  for (let i = 0; i < bits; i++) value = 2 * value + readBit(coder, at + value);
  return value - (1 << bits);
}

/** The same, the lowest bit first. */
function readReverse(coder: Coder, at: number, bits: number): number {
  let place = 1;
  let value = 0;
  for (let i = 0; i < bits; i++) {
    const bit = readBit(coder, at + place);
    place = 2 * place + bit;
    value |= bit << i;
  }
  return value;
}

/** Bits that are as often 0 as 1. */
function readDirect(coder: Coder, bits: number): number {
  const { state } = coder;
  let value = 0;
  for (let i = 0; i < bits; i++) {
    state[0] >>>= 1;
    const bit = state[1] < state[0] ? 0 : 1;
    if (bit === 1) state[1] -= state[0];
    if (state[0] < 0x1000000) refill(coder);
    value = 2 * value + bit;
  }
  return value;
}

function readLength(coder: Coder, at: number, position: number): number {
  if (readBit(coder, at) === 0) return SHORTEST + readTree(coder, at + LENGTH_LOW + 8 * position, 3);
  if (readBit(coder, at + 1) === 0) return SHORTEST + 8 + readTree(coder, at + LENGTH_MIDDLE + 8 * position, 3);
  return SHORTEST + 16 + readTree(coder, at + LENGTH_HIGH, 8);
}

/** How far back a match of such a length begins, less one. */
function readDistance(coder: Coder, length: number): number {
  const slot = readTree(coder, POS_SLOT + 64 * Math.min(length - SHORTEST, 3), 6);
  if (slot < 4) return slot;
  const bits = (slot >> 1) - 1;
  const base = (2 + (slot & 1)) * 2 ** bits;
  if (slot < 14) return base + readReverse(coder, SPECIAL + base - slot, bits);
  return base + 16 * readDirect(coder, bits - 4) + readReverse(coder, ALIGN, 4);
}

/** A byte; `matched`: that of the last match's distance, where one has just ended, else −1. */
function readLiteral(coder: Coder, at: number, matched: number): number {
  let value = 1;
  let guess = matched;
  while (guess >= 0 && value < 0x100) {
    const expected = (guess >> 7) & 1;
    guess = (guess << 1) & 0xff;
    const bit = readBit(coder, at + 0x100 * (1 + expected) + value);
    value = 2 * value + bit;
    if (bit !== expected) break;
  }
  while (value < 0x100) value = 2 * value + readBit(coder, at + value);
  return value;
}

/**
 * A match at one of the last four distances, which becomes the first of them: its length. `kind`: what was read last.
 */
function readRepeat(coder: Coder, last: Uint32Array, kind: number, position: number): number {
  if (readBit(coder, IS_REP_G0 + kind) === 0) {
    if (readBit(coder, IS_REP0_LONG + 16 * kind + position) === 0) return 1;
  } else {
    const which = readBit(coder, IS_REP_G1 + kind) === 0 ? 1 : 2 + readBit(coder, IS_REP_G2 + kind);
    const distance = last[which];
    last.copyWithin(1, 0, which);
    last[0] = distance;
  }
  return readLength(coder, REP_LENGTH, position);
}

/** The bytes of a stream. */
export function unpack(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const literalBits = packed[0] % 9;
  const literalMask = (1 << (Math.floor(packed[0] / 9) % 5)) - 1;
  const positionMask = (1 << Math.floor(packed[0] / 45)) - 1;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const out = new Uint8Array(view.getUint32(5, true));
  const probabilities = new Uint16Array(LITERAL + 0x300 * (literalMask + 1) * (1 << literalBits)).fill(1024);
  const state = new Uint32Array([0xffffffff, view.getUint32(HEADER + 1), HEADER + 5]);
  const coder = { packed, probabilities, state };
  /** The last four distances, less one. */
  const last = new Uint32Array(4);
  // What was read last: 0 to 6 a literal, from 7 on a match.
  let kind = 0;
  for (let n = 0; n < out.length; ) {
    const position = n & positionMask;
    if (readBit(coder, IS_MATCH + 16 * kind + position) === 0) {
      const before = n > 0 ? out[n - 1] >> (8 - literalBits) : 0;
      const context = ((n & literalMask) << literalBits) + before;
      const matched = kind < 7 ? -1 : out[n - last[0] - 1];
      out[n++] = readLiteral(coder, LITERAL + 0x300 * context, matched);
      kind = kind < 4 ? 0 : kind < 10 ? kind - 3 : kind - 6;
      continue;
    }

    // A match at a distance of its own, or at one of the last.
    let length: number;
    if (readBit(coder, IS_REP + kind) === 0) {
      last.copyWithin(1, 0, 3);
      length = readLength(coder, LENGTH, position);
      last[0] = readDistance(coder, length);
      kind = kind < 7 ? 7 : 10;
    } else {
      length = readRepeat(coder, last, kind, position);
      kind = kind >= 7 ? 11 : length === 1 ? 9 : 8;
    }
    const distance = last[0] + 1;
    for (const end = n + length; n < end; n++) out[n] = out[n - distance];
  }
  return out;
}
