// Packs a kernel module for unpack.ts; only the build does so.
//
// A stream: the length of the module, the bytes before its first function body and how many bodies it has, as u32;
// then the code of the arithmetic coder. Bodies come without their lengths.

import { beginBody, beginPlain } from './contexts';
import { beginByte, beginModel, beginSecondHalf, endByte, learn, MODEL_END, odds } from './model';

let to: usize = 0;
let low: u32 = 0;
let high: u32 = 0xffffffff;

function writeBit(bit: u32): void {
  const middle = low + <u32>((<u64>(high - low) * odds()) >> 16);
  if (bit) high = middle;
  else low = middle + 1;
  while ((low ^ high) >>> 24 == 0) {
    store<u8>(to++, high >>> 24);
    low <<= 8;
    high = (high << 8) | 255;
  }
  learn(bit);
}

function writeByte(byte: u32): void {
  beginByte();
  for (let i = 7; i > 3; i--) writeBit((byte >> i) & 1);
  beginSecondHalf(byte >> 4);
  for (let i = 3; i >= 0; i--) writeBit((byte >> i) & 1);
  endByte(byte);
}

/** Makes room for so many bytes; returns where to put them. */
export function packPlace(bytes: usize): usize {
  const pages = <i32>((MODEL_END + 3 * bytes + 0xffff) >>> 16) - memory.size();
  if (pages > 0) memory.grow(pages);
  return MODEL_END;
}

/** Packs the bytes at packPlace; returns the length of the stream, which lies behind them. */
export function pack(bytes: usize, head: usize, bodies: u32): usize {
  const start = MODEL_END + bytes;
  store<u32>(start, <u32>bytes);
  store<u32>(start, <u32>head, 4);
  store<u32>(start, bodies, 8);
  to = start + 12;
  beginModel();
  beginPlain();
  let at = MODEL_END;
  while (at < MODEL_END + head) writeByte(load<u8>(at++));
  for (; bodies > 0; bodies--) {
    let size: usize = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = <usize>load<u8>(at++);
      size |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    beginBody();
    for (const end = at + size; at < end; at++) writeByte(load<u8>(at));
  }
  beginPlain();
  while (at < MODEL_END + bytes) writeByte(load<u8>(at++));
  // What tells the last range from all others.
  for (let i = 0; i < 4; i++) {
    store<u8>(to++, high >>> 24);
    high <<= 8;
  }
  return to - start;
}
