// Slots: rows of a table that come and go. A free list runs through one of the table's own columns and its
// head lies in the header, so that a snapshot holds it.

/** Where a table keeps its slots. */
export interface SlotCells {
  /** Cells (i32 index) of the header: head of the free list (−1 none) and highest used slot + 1. */
  header: Int32Array;
  free: number;
  count: number;
}

/** Takes a slot: the last one freed, else a new row at the end. The caller has ensured capacity for one more. */
export function takeSlot(cells: SlotCells, next: Int32Array): number {
  const head = cells.header[cells.free];
  if (head >= 0) {
    cells.header[cells.free] = next[head];
    next[head] = -1;
    return head;
  }
  return cells.header[cells.count]++;
}

/** Gives a slot back. */
export function freeSlot(cells: SlotCells, next: Int32Array, slot: number): void {
  next[slot] = cells.header[cells.free];
  cells.header[cells.free] = slot;
}
