// What the build takes of the package lzma1. Its own types are its sources, which our stricter rules would check.

/** Bytes as an LZMA stream with its length in front; level 1 to 9, the smallest. */
export function compress(bytes: Uint8Array, level: number): Uint8Array;
