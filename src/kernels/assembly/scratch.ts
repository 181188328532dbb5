// Cuts a block of scratch into arrays, one behind the other, each at a multiple of 64 bytes
// from its start.

/** End of what is taken so far. */
export let scratchTop: usize = 0;

/** Begins with the block at `start`; 0 where only the size is asked for. */
export function openScratch(start: usize): void {
  scratchTop = start;
}

/** The next array of so many bytes. */
export function take(bytes: usize): usize {
  const at = scratchTop;
  scratchTop = at + ((bytes + 63) & ~63);
  return at;
}
