// Odds of the next bit of a kernel module, learnt from all bits before: what pack.ts and unpack.ts share.
//
// Contexts are what the bytes before say (contexts.ts); each has a probability p for the next bit. They are mixed in
// the logistic domain, x = ln(p / (1 - p)): P = squash(Σ w x), and the weights follow the error of each bit,
// w += rate (bit - P) x (M. Mahoney, Adaptive weighing of context models for lossless data compression, 2005; mixing
// as in his PAQ7). There are weights for each opcode. A context has a second input, which grows with how often it was
// seen: else what came once would say as much as what came a hundred times.
//
// Both sides must come to the same odds, so there is nothing but sums, products and quotients, which WebAssembly
// rounds in one way everywhere: the logistic function is a table made of products, its inverse takes the logarithm
// from the bits of a number.

import { mixerSet, takeByte, writeContexts } from './contexts';

/** Contexts of a byte, and their inputs: the first of all, then the second; a vector has four. */
const CONTEXTS: u32 = 8;
const INPUT_BYTES: u32 = 64;
const SECOND: usize = 32;

/** Sets of weights; weights of the first inputs to begin with; how fast weights follow the error. */
const SETS: u32 = 1024;
const FIRST_WEIGHT: f32 = 0.3;
const LEARNING: f32 = 0.01;

/**
 * Counters have 16 bits: 12 of the probability, 4 of how often it was seen, which count to 15. The 15 counters that
 * half a byte may need lie together, in a slot behind 16 bits that tell its context from others. Each context has so
 * many slots, 1 MiB in all: with four times as many streams have 0.96 of their length and take 1.4 times as long, since
 * the slots of a byte lie all over them.
 */
const SLOT_LOG: u32 = 12;
const SLOT_BYTES: u32 = 32;
const FRESH: u32 = 0x8000;
const ONE: f32 = 4096;
/** A counter seen n times moves by 1 / (n + this) of the way to a bit. */
const INERTIA: f32 = 1.15;
/** The second input: how far the probability is from a half, times how often it was seen, up to this many times. */
const MOST_SEEN: f32 = 12;
const SECOND_SCALE: f32 = 1 / (<f32>1024 * MOST_SEEN);

/** The logistic function in steps of 1/64 over -12 to 12, short of where it ends; as a number and as odds. */
const STEPS: f32 = 64;
const HALF_STEPS: u32 = 768;
const LAST: f32 = 11.9;
/** e^(1/64). */
const STEP_FACTOR: f64 = 1.0157477085866857;
/** ln 2 / 2^23: of the bits of an f32, which are the logarithm of it, straight between powers of 2. */
const LOGARITHM: f32 = 8.262958e-8;

/** Places in the memory [B]. */
const HASHES: usize = 1024;
const SLOTS: usize = HASHES + 4 * CONTEXTS;
const COUNTERS: usize = SLOTS + 4 * CONTEXTS;
const INPUTS: usize = COUNTERS + 2 * CONTEXTS;
const SQUASH: usize = 2048;
const WEIGHTS: usize = SQUASH + 8 * (2 * HALF_STEPS + 2);
const TABLE: usize = WEIGHTS + INPUT_BYTES * SETS;
/** Where streams and modules may lie. */
export const MODEL_END: usize = TABLE + CONTEXTS * (SLOT_BYTES << SLOT_LOG);

let weights: usize = 0;
/** Bits of the half byte so far, behind a leading 1: which counter of a slot it is. */
let node: u32 = 1;
/** What is thought of the next bit. */
let expected: f32 = 0;

/** Makes the tables; the memory, of MODEL_END bytes at least, is 0 before. */
export function beginModel(): void {
  let power: f64 = 1;
  for (let i: u32 = 0; i <= HALF_STEPS; i++) {
    writeOdds(SQUASH + 8 * (HALF_STEPS + i), power / (1 + power));
    writeOdds(SQUASH + 8 * (HALF_STEPS - i), 1 / (1 + power));
    power *= STEP_FACTOR;
  }
  for (let at = WEIGHTS; at < TABLE; at += INPUT_BYTES) {
    v128.store(at, f32x4.splat(FIRST_WEIGHT));
    v128.store(at, f32x4.splat(FIRST_WEIGHT), 16);
  }
}

function writeOdds(at: usize, p: f64): void {
  store<f32>(at, <f32>p);
  store<u32>(at, max(min(<u32>(p * 65536), 65535), 1), 4);
}

/** Before the eight bits of a byte. */
export function beginByte(): void {
  writeContexts(HASHES);
  weights = WEIGHTS + INPUT_BYTES * mixerSet();
  findSlots(0);
}

/** Before the last four bits, which the first four tell. */
export function beginSecondHalf(first: u32): void {
  findSlots(1 + first);
}

/** After its bits. */
export function endByte(byte: i32): void {
  takeByte(byte);
}

/** Finds the slots of half a byte; where others have both places of one, it gets that which was seen less. */
function findSlots(half: u32): void {
  node = 1;
  for (let i: u32 = 0; i < CONTEXTS; i++) {
    let hash = (load<u32>(HASHES + 4 * i) + half) * 0x2c1b3c6d;
    hash = (hash ^ (hash >>> 15)) * 0x297a2d39;
    hash ^= hash >>> 14;
    const mark = (hash & 0xffff) | 1;
    let slot: usize = TABLE + ((i << SLOT_LOG) + (hash >>> (32 - SLOT_LOG))) * SLOT_BYTES;
    if (load<u16>(slot) != mark) {
      const other = slot ^ SLOT_BYTES;
      if (load<u16>(other) == mark) slot = other;
      else {
        if ((load<u16>(other, 2) & 15) < (load<u16>(slot, 2) & 15)) slot = other;
        v128.store(slot, i16x8.splat(<i16>FRESH));
        v128.store(slot, i16x8.splat(<i16>FRESH), 16);
        store<u16>(slot, mark);
      }
    }
    store<usize>(SLOTS + 4 * i, slot);
  }
}

/** The odds that the next bit is 1, of 65 536: 1 to 65 535. */
export function odds(): u32 {
  const counters = loadCounters();
  v128.store(COUNTERS, counters);
  const sum = f32x4.add(mixed(i32x4.extend_low_i16x8_u(counters), 0), mixed(i32x4.extend_high_i16x8_u(counters), 16));
  const halves = f32x4.add(sum, v128.shuffle<f32>(sum, sum, 2, 3, 0, 1));
  const x = f32x4.add(halves, v128.shuffle<f32>(halves, halves, 1, 0, 3, 2));
  const near = f32x4.pmax(f32x4.pmin(x, f32x4.splat(LAST)), f32x4.splat(-LAST));
  const step = f32x4.add(f32x4.mul(near, f32x4.splat(STEPS)), f32x4.splat(<f32>HALF_STEPS));
  const at = SQUASH + 8 * i32x4.extract_lane(i32x4.trunc_sat_f32x4_s(step), 0);
  expected = load<f32>(at);
  return load<u32>(at, 4);
}

/** Learns the bit that came. */
export function learn(bit: u32): void {
  const error = f32x4.splat((<f32>bit - expected) * LEARNING);
  for (let at: u32 = 0; at < INPUT_BYTES; at += 16) {
    v128.store(weights + at, f32x4.add(v128.load(weights + at), f32x4.mul(error, v128.load(INPUTS + at))));
  }
  const aim = f32x4.splat(<f32>bit * (ONE - 1));
  const counters = v128.load(COUNTERS);
  storeCounters(
    i16x8.narrow_i32x4_u(
      moved(i32x4.extend_low_i16x8_u(counters), aim),
      moved(i32x4.extend_high_i16x8_u(counters), aim),
    ),
  );
  node = 2 * node + bit;
}

function counterAt(context: usize): usize {
  return load<usize>(SLOTS + 4 * context) + 2 * node;
}

function loadCounters(): v128 {
  let counters = v128.load16_lane(counterAt(0), i16x8.splat(0), 0);
  counters = v128.load16_lane(counterAt(1), counters, 1);
  counters = v128.load16_lane(counterAt(2), counters, 2);
  counters = v128.load16_lane(counterAt(3), counters, 3);
  counters = v128.load16_lane(counterAt(4), counters, 4);
  counters = v128.load16_lane(counterAt(5), counters, 5);
  counters = v128.load16_lane(counterAt(6), counters, 6);
  return v128.load16_lane(counterAt(7), counters, 7);
}

function storeCounters(counters: v128): void {
  v128.store16_lane(counterAt(0), counters, 0);
  v128.store16_lane(counterAt(1), counters, 1);
  v128.store16_lane(counterAt(2), counters, 2);
  v128.store16_lane(counterAt(3), counters, 3);
  v128.store16_lane(counterAt(4), counters, 4);
  v128.store16_lane(counterAt(5), counters, 5);
  v128.store16_lane(counterAt(6), counters, 6);
  v128.store16_lane(counterAt(7), counters, 7);
}

function probability(counters: v128): v128 {
  return f32x4.convert_i32x4_u(i32x4.shr_u(counters, 4));
}

function timesSeen(counters: v128): v128 {
  return f32x4.convert_i32x4_u(v128.and(counters, i32x4.splat(15)));
}

/** Writes the inputs of four contexts, and returns them times their weights. */
function mixed(counters: v128, at: usize): v128 {
  const p = probability(counters);
  const yes = f32x4.convert_i32x4_s(f32x4.add(p, f32x4.splat(0.5)));
  const no = f32x4.convert_i32x4_s(f32x4.sub(f32x4.splat(ONE - 0.5), p));
  const first = f32x4.mul(f32x4.sub(yes, no), f32x4.splat(LOGARITHM));
  const seen = f32x4.mul(f32x4.min(timesSeen(counters), f32x4.splat(MOST_SEEN)), f32x4.splat(SECOND_SCALE));
  const second = f32x4.mul(f32x4.sub(p, f32x4.splat(ONE / 2)), seen);
  v128.store(INPUTS + at, first);
  v128.store(INPUTS + at, second, SECOND);
  return f32x4.add(f32x4.mul(first, v128.load(weights + at)), f32x4.mul(second, v128.load(weights + at, SECOND)));
}

/** Four counters that have seen one bit more. */
function moved(counters: v128, aim: v128): v128 {
  const p = probability(counters);
  const way = f32x4.div(f32x4.sub(aim, p), f32x4.add(timesSeen(counters), f32x4.splat(INERTIA)));
  const next = i32x4.trunc_sat_f32x4_u(f32x4.add(f32x4.add(p, way), f32x4.splat(0.5)));
  const seen = i32x4.add(v128.and(counters, i32x4.splat(15)), i32x4.splat(1));
  return v128.or(i32x4.shl(next, 4), i32x4.min_u(seen, i32x4.splat(15)));
}
