// Modules that the build packs come back byte for byte, whole and in short tasks, whatever they are made of.

import { gzipSync } from 'node:zlib';
import embedded from 'virtual:kernels';
import packer from 'virtual:packer';
import unpacker from 'virtual:unpacker';
import binaryen from 'binaryen';
import { describe, expect, it } from 'vitest';
import { packModule } from '../../src/compile-kernels.mjs';
import { createRandom } from '../../src/core/random';
import { bytesOf, unpack, unpackSlowly } from '../../src/kernels/unpack';

const pack = (module: Uint8Array) => packModule(module, { packer, unpacker });

/** A module of that text. */
function assembled(text: string): Uint8Array {
  const module = binaryen.parseText(text);
  module.setFeatures(binaryen.Features.All);
  expect(module.validate()).toBe(1);
  return module.emitBinary();
}

/** Functions with every kind of operand, among them lists of labels, SIMD and operands that look like ends. */
const OPERANDS = `(module
  (memory 1 2)
  (table 2 funcref)
  (global $g (mut i64) (i64.const 7))
  (data (i32.const 11) "\\0b\\0b\\0b end \\0b")
  (type $t (func (param i32) (result i32)))
  (func $a (type $t)
    (local f64 f32 v128 i64)
    (block $x (block $y (block $z (br_table $x $y $z $y (local.get 0)))))
    (global.set $g (i64.const 0x0b0b0b0b0b0b))
    (f64.store offset=11 (i32.const 0x0b0b) (f64.const 0.1))
    (f32.store offset=1411 align=1 (i32.const 11) (f32.const -1e9))
    (memory.copy (i32.const 11) (i32.const 1) (i32.const 0x0b))
    (memory.fill (i32.const 11) (i32.const 0) (memory.size))
    (v128.store16_lane offset=11 7 (i32.const 0)
      (i8x16.shuffle 11 11 2 11 4 5 6 7 8 9 10 11 12 13 14 15 (v128.const i32x4 11 11 11 11) (local.get 3)))
    (if (result i32) (i32.eq (local.get 0) (i32.trunc_sat_f64_s (local.get 1)))
      (then (i32x4.extract_lane 1 (f32x4.add (local.get 3) (v128.load32_splat offset=11 (i32.const 4)))))
      (else (call_indirect (type $t) (local.get 0) (memory.grow (i32.const 0))))))
  (func $empty)
  (func $loop (param i32) (loop $again (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
  (func $long (result i64) ${'(drop (i64.const 123456789))'.repeat(5000)} (i64.const -1))
  (export "a" (func $a)) (export "empty" (func $empty)) (export "long" (func $long)) (export "loop" (func $loop)))`;

/** A module with nothing but a section of its own kind. */
const CUSTOM = (bytes: Uint8Array) => {
  const size = bytes.length + 1;
  return Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 0, 128 | (size & 127), size >> 7, 0, ...bytes);
};
const random = createRandom(7);
const noise = Uint8Array.from({ length: 3000 }, () => 256 * random());

describe('packed modules', () => {
  it.each<[string, Uint8Array]>([
    ['with nothing in it', Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)],
    ['of zeros', CUSTOM(new Uint8Array(5000))],
    ['of noise', CUSTOM(noise)],
  ])('come back: %s', (_name, module) => {
    expect(Buffer.compare(unpack(pack(module)), module)).toBe(0);
  });

  it('come back with every kind of operand, whole and in short tasks', async () => {
    const module = assembled(OPERANDS);
    const stream = pack(module);
    expect(Buffer.compare(unpack(stream), module)).toBe(0);
    expect(Buffer.compare(await unpackSlowly(stream), module)).toBe(0);
  });

  it('have two thirds of what gzip leaves of the kernels', () => {
    const module = bytesOf(embedded);
    expect(unpack(module)).toBe(module);
    const stream = pack(module);
    expect(Buffer.compare(unpack(stream), module)).toBe(0);
    const ratio = stream.length / gzipSync(module, { level: 9 }).length;
    if (process.env.SHOW_SIZES) console.log(`${module.length} bytes to ${stream.length}, ${ratio} of gzip`);
    // 0.69 measured.
    expect(ratio).toBeLessThan(0.7);
  });
});
