// Kernel modules out of the streams that pack.ts makes of them: how every game carries them, at 0.85 to 0.87 of what
// LZMA makes of them and 0.69 to 0.73 of what gzip does, and synchronously, which the streams of browsers are not.
// (Considered: bytes guessed whole from the last instructions, and a bit for whether that is right: two thirds of the
// time, but streams a tenth longer.)
//
// In: a stream (pack.ts says what is in it) in the memory. Out: the bytes of the module, there, too. Streams are
// trusted: what is no stream gives nonsense.

import { beginBody, beginPlain, isBodyOver } from './contexts';
import { beginByte, beginModel, beginSecondHalf, endByte, learn, MODEL_END, odds } from './model';

let next: usize = 0;
let low: u32 = 0;
let high: u32 = 0xffffffff;
let code: u32 = 0;
/** Where bytes go, from and to; function bodies to come. */
let start: usize = 0;
let out: usize = 0;
let end: usize = 0;
let bodies: u32 = 0;

function readBit(): u32 {
  const middle = low + <u32>((<u64>(high - low) * odds()) >> 16);
  // A branch, not a number: what is likely is gone on with before it is sure.
  let bit: u32;
  if (code <= middle) {
    high = middle;
    bit = 1;
  } else {
    low = middle + 1;
    bit = 0;
  }
  while ((low ^ high) >>> 24 == 0) {
    low <<= 8;
    high = (high << 8) | 255;
    code = (code << 8) | load<u8>(next++);
  }
  learn(bit);
  return bit;
}

function readByte(): u32 {
  beginByte();
  let first: u32 = 0;
  for (let i = 0; i < 4; i++) first = 2 * first + readBit();
  beginSecondHalf(first);
  let byte = first;
  for (let i = 0; i < 4; i++) byte = 2 * byte + readBit();
  endByte(byte);
  return byte;
}

/** Makes room for a stream of so many bytes and what it holds; returns where to put it. */
export function streamPlace(bytes: usize, held: usize): usize {
  const pages = <i32>((MODEL_END + bytes + held + 0xffff) >>> 16) - memory.size();
  if (pages > 0) memory.grow(pages);
  return MODEL_END;
}

/** Begins to unpack the stream of so many bytes at streamPlace: all that comes before its function bodies. */
export function beginStream(bytes: usize): void {
  start = out = MODEL_END + bytes;
  end = start + load<u32>(MODEL_END);
  const head = load<u32>(MODEL_END, 4);
  bodies = load<u32>(MODEL_END, 8);
  next = MODEL_END + 12;
  for (let i = 0; i < 4; i++) code = (code << 8) | load<u8>(next++);
  beginModel();
  beginPlain();
  while (out < start + head) store<u8>(out++, readByte());
}

/** Unpacks up to so many of its function bodies; returns how many are left. */
export function unpackBodies(most: u32): u32 {
  for (; bodies > 0 && most > 0; bodies--, most--) {
    // The length of a body is not in the stream: it ends with its last block.
    const from = out + 5;
    let to = from;
    beginBody();
    while (!isBodyOver()) store<u8>(to++, readByte());
    const size = to - from;
    let rest = size;
    for (; rest > 127; rest >>>= 7) store<u8>(out++, 128 | (rest & 127));
    store<u8>(out++, rest);
    memory.copy(out, from, size);
    out += size;
  }
  return bodies;
}

/** Unpacks what comes after them; returns where the bytes are, behind the stream. */
export function endStream(): usize {
  beginPlain();
  while (out < end) store<u8>(out++, readByte());
  return start;
}
