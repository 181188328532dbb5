// Seeded pseudo-random numbers: the same sequence in every engine, on every machine.
//
// In: a whole number as seed. Out: a function that returns the next number in [0, 1).
// Generator: xoshiro128** (Blackman and Vigna, Scrambled linear pseudorandom number generators, ACM TOMS 2021),
// 32-bit integer operations only, period 2^128 - 1; its state is filled by splitmix32-like mixing (MurmurHash3's
// finaliser over a Weyl sequence), so that neighbouring seeds give unrelated sequences. Not for secrets.

/** The next number of a sequence, uniform in [0, 1), 53 random bits. */
export type Random = () => number;

/** A generator from `seed`, any whole number that a double holds exactly (negative ones too). */
export function createRandom(seed: number): Random {
  const state = new Uint32Array(4);
  // The low and high words enter separately: seeds that differ by 2^32 differ here, too.
  let low = seed >>> 0;
  const high = Math.floor(seed / 4294967296) >>> 0;
  for (let k = 0; k < 4; k++) {
    low = (low + 0x9e3779b9) >>> 0;
    state[k] = mixBits(mixBits(low) ^ high);
  }
  // The state of all zeros is the one fixed point.
  if (state[0] === 0 && state[1] === 0 && state[2] === 0 && state[3] === 0) state[0] = 1;
  return () => {
    const upper = nextWord(state) >>> 5;
    return (upper * 67108864 + (nextWord(state) >>> 6)) / 9007199254740992;
  };
}

/** One step of xoshiro128**: advances the four words of `state`, returns 32 random bits. */
export function nextWord(state: Uint32Array): number {
  const s1 = state[1];
  const product = Math.imul(s1, 5);
  const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
  state[2] ^= state[0];
  state[3] ^= s1;
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= s1 << 9;
  state[3] = (state[3] << 11) | (state[3] >>> 21);
  return result;
}

function mixBits(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
