// Changes of the memory against an image of it: what a snapshot holds of a moment, and a restore puts back.
//
// In: ranges of whole lines of 64 bytes, and where each lies in the image. Out: for every 32 lines a bit mask of those
// that differ; of each of those a bit mask of its eight words, how many bytes each that differs has (four bits a word),
// and these bytes: the low ones of its bits xor the image's. Numbers that hardly moved share their leading bits, so
// that they take half of their eight bytes; what never changes takes none.

import { LINE_BYTES } from '../../../core/engine-constants';

/** Bytes of the lines that share a mask. */
const GROUP: usize = 32 * LINE_BYTES;
/** Most bytes that a group may take, and what is written beyond its end. */
const GROUP_ROOM: usize = 4 + 32 * (1 + 4 + LINE_BYTES) + LINE_BYTES;

/** The bytes of a line's words while they are gathered; the last word may be stored over its end. */
const GATHERED: usize = memory.data(80, 16);

/** Bytes that say where a range lies. */
const RANGE: usize = 16;

/**
 * Writes the changes of `count` ranges to `out`; each is four i32: first address, end, address of the first in the
 * image, all multiples of 64; and where its rows are two lines of four points: how many of these each row has (address
 * of the first count), else 0. Lines without points are as in the image. Returns the end of what was written; 0 when it
 * would not stay below `limit`.
 */
export function packChanges(ranges: usize, count: i32, out: usize, limit: usize): usize {
  let to = out;
  for (let r = 0; r < count; r++, ranges += RANGE) {
    let at: usize = load<u32>(ranges);
    const end: usize = load<u32>(ranges, 4);
    let image: usize = load<u32>(ranges, 8);
    const points: usize = load<u32>(ranges, 12);
    let line: u32 = 0;
    while (at < end) {
      if (to + GROUP_ROOM > limit) return 0;
      const mask = to;
      let changed: u32 = 0;
      to += 4;
      const stop = min(end, at + GROUP);
      for (let bit: u32 = 1; at < stop; bit <<= 1, line++) {
        if (points != 0 && load<i32>(points + ((line >> 1) << 2)) <= <i32>((line & 1) << 1)) {
          at += LINE_BYTES;
          image += LINE_BYTES;
          continue;
        }
        const first = v128.xor(v128.load(at), v128.load(image));
        const second = v128.xor(v128.load(at, 16), v128.load(image, 16));
        const third = v128.xor(v128.load(at, 32), v128.load(image, 32));
        const fourth = v128.xor(v128.load(at, 48), v128.load(image, 48));
        if (v128.any_true(v128.or(v128.or(first, second), v128.or(third, fourth)))) {
          changed |= bit;
          to = packLine(at, image, to);
        }
        at += LINE_BYTES;
        image += LINE_BYTES;
      }
      store<u32>(mask, changed);
    }
  }
  return to;
}

function packLine(at: usize, image: usize, to: usize): usize {
  let words: u32 = 0;
  let lengths: u32 = 0;
  let shift: u32 = 0;
  let gathered = GATHERED;
  for (let k: usize = 0; k < 8; k++) {
    const x = load<u64>(at + (k << 3)) ^ load<u64>(image + (k << 3));
    const bytes = <u32>((71 - clz(x)) >> 3);
    const isChanged = u32(bytes != 0);
    store<u64>(gathered, x);
    gathered += bytes;
    words |= isChanged << (<u32>k);
    lengths |= bytes << (shift & 31);
    shift += isChanged << 2;
  }
  store<u8>(to, words);
  store<u32>(to, lengths, 1);
  to += 1 + ((shift + 4) >> 3);
  v128.store(to, v128.load(GATHERED));
  v128.store(to, v128.load(GATHERED, 16), 16);
  v128.store(to, v128.load(GATHERED, 32), 32);
  v128.store(to, v128.load(GATHERED, 48), 48);
  return to + (gathered - GATHERED);
}

/**
 * Makes the ranges what they were when packChanges wrote `from`, of the same image. Lines without points stay as they
 * are: the counts of points must be back by then, in a range before. Returns the end of what was read.
 */
export function unpackChanges(ranges: usize, count: i32, from: usize): usize {
  for (let r = 0; r < count; r++, ranges += RANGE) {
    let at: usize = load<u32>(ranges);
    const end: usize = load<u32>(ranges, 4);
    let image: usize = load<u32>(ranges, 8);
    const points: usize = load<u32>(ranges, 12);
    let row = points;
    while (at < end) {
      const changed = load<u32>(from);
      from += 4;
      const stop = min(end, at + GROUP);
      if (points != 0) row = copyPoints(at, image, stop, row);
      else if (at != image) memory.copy(at, image, stop - at);
      for (let left = changed; left != 0; left &= left - 1) from = unpackLine(at + <usize>ctz(left) * LINE_BYTES, from);
      image += stop - at;
      at = stop;
    }
  }
  return from;
}

/** Rows of two lines each, those lines that have points; returns where the count of the next row is. */
function copyPoints(at: usize, image: usize, stop: usize, row: usize): usize {
  for (; at < stop; at += 2 * LINE_BYTES, image += 2 * LINE_BYTES, row += 4) {
    const points = load<i32>(row);
    if (points > 0) memory.copy(at, image, points > 2 ? 2 * LINE_BYTES : LINE_BYTES);
  }
  return row;
}

function unpackLine(at: usize, from: usize): usize {
  let words: u32 = load<u8>(from);
  let lengths = load<u32>(from, 1);
  from += 1 + ((popcnt(words) + 1) >> 1);
  for (; words != 0; words &= words - 1) {
    const word = at + ((<usize>ctz(words)) << 3);
    const bytes = lengths & 15;
    lengths >>= 4;
    const x = load<u64>(from) & (~(<u64>0) >> (64 - (bytes << 3)));
    store<u64>(word, load<u64>(word) ^ x);
    from += bytes;
  }
  return from;
}
