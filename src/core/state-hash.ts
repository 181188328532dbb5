// State hash: two interleaved 32-bit multiplicative hashes over raw bits, printed as 16 hex digits.
// For detecting divergence (rollback, replays, other machines), not for security.

/** A running hash; start with `createStateHash()`. */
export interface StateHash {
  low: number;
  high: number;
}

export function createStateHash(): StateHash {
  return { low: 0x811c9dc5 | 0, high: 0x9747b28c | 0 };
}

/** Mixes `count` words of `words` from index `start`. */
export function hashWords(hash: StateHash, words: Int32Array, start: number, count: number): void {
  let { low, high } = hash;
  for (let i = start; i < start + count; i++) {
    const word = words[i];
    low = Math.imul(low ^ word, 0x01000193);
    low ^= low >>> 15;
    high = Math.imul(high + word, 0x85ebca6b) ^ (high >>> 13);
  }
  hash.low = low;
  hash.high = high;
}

/** 16 hex digits. */
export function formatStateHash({ low, high }: StateHash): string {
  const hex = (x: number) => (x >>> 0).toString(16).padStart(8, '0');
  return hex(Math.imul(high ^ (high >>> 16), 0xc2b2ae35)) + hex(Math.imul(low ^ (low >>> 16), 0x85ebca6b));
}
