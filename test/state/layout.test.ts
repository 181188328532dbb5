// The map of the memory: every cell of the header is there for one thing.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';

/** Cells by name, in the order of the file: what it declares before its bits and kinds. */
function readCells(): [name: string, at: number, bytes: number][] {
  const text = readFileSync(fileURLToPath(new URL('../../src/state/layout.ts', import.meta.url)), 'utf8');
  const cells: [string, number, number][] = [];
  const [map] = text.split('// ── Bits and kinds');
  for (const [, name, number, rest] of map.matchAll(/^export const ([A-Z_]+) = (\d+);(.*)$/gm)) {
    const at = Number(number);
    if (at < L.HEADER || at >= L.HEADER_END || name === 'HEADER') continue;
    const [, count, type] = /(\d) × (f64)/.exec(rest) ?? [];
    const isReal = at >= L.GRAVITY && at <= L.DEEPEST_GAP;
    cells.push([name, at, type ? 8 * Number(count) : isReal ? 8 : 4]);
  }
  return cells;
}

test('no two names of the header share a byte, and numbers lie where views can reach them', () => {
  const cells = readCells();
  expect(cells.length).toBeGreaterThan(300);
  const owner = new Map<number, string>();
  for (const [name, at, bytes] of cells) {
    expect(at % Math.min(bytes, 8), name).toBe(0);
    for (let byte = at; byte < at + bytes; byte++) {
      expect(owner.get(byte), `${name} at ${byte}`).toBeUndefined();
      owner.set(byte, name);
    }
  }
});

test('flags of one column are bits of their own', () => {
  const families = ['BODY_', 'COLLIDER_', 'PAIR_', 'ROD_', 'STRAND_', 'ATTACHMENT_', 'JOINT_', 'ACTOR_'];
  const text = readFileSync(fileURLToPath(new URL('../../src/state/layout.ts', import.meta.url)), 'utf8');
  const [, bits] = text.split('// ── Bits and kinds');
  for (const family of families) {
    const seen = new Map<number, string>();
    for (const [, name, number] of bits.matchAll(/^export const ([A-Z_]+) = (\d+);/gm)) {
      const bit = Number(number);
      const isFlag = name.startsWith(family) && !/SHIFT|_RULE|LOCKS|MASK|KIND|FIXED|BALL/.test(name);
      if (!isFlag || bit === 0 || (bit & (bit - 1)) !== 0) continue;
      if (family === 'JOINT_' && !/ALIVE|BROKEN|BREAKS|COLLIDES/.test(name)) continue;
      expect(seen.get(bit), `${name} = ${bit}`).toBeUndefined();
      seen.set(bit, name);
    }
    expect(seen.size, family).toBeGreaterThan(0);
  }
});
