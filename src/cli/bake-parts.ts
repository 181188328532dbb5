// The file that keeps the finished parts of a bake, so that one that is killed loses only the strands in work.
//
// Beside the output, with .part at its end. Header: "SAGP", then the SHA-256 of everything that the result depends on.
// Then records: u32 first strand, u32 strands, u32 numbers of nodes, u32 numbers of strands (see baked-strands), the
// numbers (f64). A record cut short by the kill is overwritten.

import { closeSync, existsSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import type { BakedPart } from '../static-equilibrium/bake-by-parts';
import { CallError } from './usage';

const MAGIC = Buffer.from('SAGP');
const HEADER = 4 + 32;
const RECORD = 16;

export interface PartFile {
  /** Parts that were finished before. */
  readonly found: readonly BakedPart[];
  add(part: BakedPart): void;
  /** After the output is written. */
  remove(): void;
}

/** Opens or makes the file of parts for a bake with this hash. Throws CallError for one of another bake. */
export function openParts(path: string, hash: Buffer): PartFile {
  const found: BakedPart[] = [];
  let end = HEADER;
  if (existsSync(path)) {
    const bytes = readFileSync(path);
    if (bytes.length >= HEADER) {
      if (!bytes.subarray(0, 4).equals(MAGIC) || !bytes.subarray(4, HEADER).equals(hash)) {
        throw new CallError(`${path}: must be of this groom and these options, got parts of another bake; remove it`);
      }
      end = readParts(bytes, found);
    }
  }
  try {
    if (found.length === 0) writeFileSync(path, Buffer.concat([MAGIC, hash]));
    else truncateSync(path, end);
  } catch {
    throw new CallError(`cannot write ${path}`);
  }
  const file = openSync(path, 'a');
  return {
    found,
    add({ first, count, numbers }) {
      const head = Buffer.alloc(RECORD);
      head.writeUInt32LE(first, 0);
      head.writeUInt32LE(count, 4);
      head.writeUInt32LE(numbers.nodes.length, 8);
      head.writeUInt32LE(numbers.strands.length, 12);
      writeSync(file, Buffer.concat([head, bytesOf(numbers.nodes), bytesOf(numbers.strands)]));
    },
    remove() {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}

function bytesOf(numbers: Float64Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Adds the whole records to `found`; returns where they end. */
function readParts(bytes: Buffer, found: BakedPart[]): number {
  let at = HEADER;
  const numbers = (from: number, count: number): Float64Array => {
    const out = new Float64Array(count);
    bytes.copy(Buffer.from(out.buffer), 0, from, from + 8 * count);
    return out;
  };
  while (at + RECORD <= bytes.length) {
    const nodes = bytes.readUInt32LE(at + 8);
    const strands = bytes.readUInt32LE(at + 12);
    const next = at + RECORD + 8 * (nodes + strands);
    if (next > bytes.length) break;
    const from = at + RECORD;
    found.push({
      first: bytes.readUInt32LE(at),
      count: bytes.readUInt32LE(at + 4),
      numbers: { nodes: numbers(from, nodes), strands: numbers(from + 8 * nodes, strands) },
    });
    at = next;
  }
  return at;
}
