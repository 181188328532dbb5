// Numbers by chance that are the same everywhere.

/** Numbers 0 <= x < 1 from a seed, the same everywhere (Marsaglia's xorshift). */
export function createChance(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
