// What the memory's part of a snapshot is made of: dynamics/memory-image makes it and puts it back.

/** What differs from a base. */
export interface Changes {
  /** Ranges that are not dead (first address, end) [B]; null: the key says all. */
  readonly live: Int32Array | null;
  /** What of them differs; empty: nothing does. */
  readonly changes: Uint8Array;
  /** Where the used part ended [B]. */
  readonly top: number;
}

/** How far the snapshots that stand on a base have come from it. */
export interface Wear {
  /** Their number, their changes together, and the fewest that one of them or, about, of those before has [B]. */
  count: number;
  sum: number;
  least: number;
}

export function createWear(least = Infinity): Wear {
  return { count: 0, sum: 0, least };
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
  readonly wear: Wear;
}

/** Ranges of whole lines that are shared: pairs of first address and end [B]; and their bytes, one after another. */
export interface RareMemory {
  readonly ranges: Int32Array;
  readonly bytes: Uint8Array;
}

/** What is known of the memory that changes rarely. */
export interface RareState {
  /** What it holds if the stamp is still `keptAt`; null: there is no copy. */
  kept: RareMemory | null;
  keptAt: number;
  /** The stamp at the last snapshot. */
  seenAt: number;
}

export function createRareState(): RareState {
  return { kept: null, keptAt: 0, seenAt: -1 };
}

/** The memory at a moment: packed, or a plain copy. */
export interface KeptMemory extends Changes {
  /**
   * The key: a packed copy of the memory of this moment or of one before, shared by many. Empty: there is none, and
   * `changes` are the ranges themselves, one after another.
   */
  readonly bytes: Uint8Array;
  /** Null: the key. */
  readonly base: Base | null;
  /** Bytes of manifolds behind the ranges of a plain copy. */
  readonly points: number;
  /** What a plain copy shares with others instead of having it itself. */
  readonly rare: RareMemory | null;
}

/** Whether this is a plain copy; else it is packed. */
export function isPlain({ bytes }: KeptMemory): boolean {
  return bytes.length === 0;
}

/** Bytes of ranges. */
export function rangeBytes(live: Int32Array): number {
  let bytes = 0;
  for (let k = 0; k < live.length; k += 2) bytes += live[k + 1] - live[k];
  return bytes;
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
  /** Of the keys alone. */
  readonly wears: WeakMap<Uint8Array, Wear>;
}

export function createMemoryImage(): MemoryImage {
  return { key: null, base: null, at: 0, size: 0, live: new Int32Array(0), wears: new WeakMap() };
}
