// What the memory's part of a snapshot is made of: dynamics/memory-image makes it and puts it back.

/** What differs from a base. */
export interface Changes {
  /** Ranges that are not dead (first address, end) [B]; null: the key says all. */
  readonly live: Int32Array | null;
  /** What of them differs. */
  readonly changes: Uint8Array;
  /** Where the used part ended [B]. */
  readonly top: number;
}

/** The changes of one snapshot, which later ones stand on. */
export interface Base extends Changes {
  readonly live: Int32Array;
  /** Null: the key. */
  readonly before: Base | null;
  /** Bases before this one. */
  readonly depth: number;
  /** Bytes of changes from the key on. */
  readonly sum: number;
}

/** The memory at a moment. */
export interface KeptMemory extends Changes {
  /** The key: a packed copy of the memory of this moment or of one before, shared by many. */
  readonly bytes: Uint8Array;
  /** Null: the key. */
  readonly base: Base | null;
}

/** What is in the memory above all that is handed out. */
export interface MemoryImage {
  /** Null: there is none. */
  key: Uint8Array | null;
  base: Base | null;
  /** Where it lies, the header first [B]. */
  at: number;
  /** Bytes of what the arena hands out that it has [B]. */
  size: number;
  /** Ranges of the last snapshot: most have the same. */
  live: Int32Array;
  /** Snapshots that stand on its base, their changes, and those of the one with the fewest [B]. */
  count: number;
  sum: number;
  least: number;
}

export function createMemoryImage(): MemoryImage {
  return { key: null, base: null, at: 0, size: 0, live: new Int32Array(0), count: 0, sum: 0, least: Infinity };
}
