// A saved game: a snapshot as one array of bytes, for a file or a fresh page, where entities have other numbers.
//
// A line that names the format, one with the checksum of all that follows, one with sizes; then text (what is no array
// of numbers, as JSON), then all arrays of numbers bit for bit. It deflates well.

import { crc32 } from '../src/core/crc32';
import { refuse, refuseAs } from '../src/core/errors';
import { enableSurfaces } from '../src/dynamics/elastic/surfaces';
import * as L from '../src/state/layout';
import { enableJoints } from './joints';
import { type Physics, requireBetweenSteps, requirePhysics } from './physics';
import { SURFACE_MODULES } from './rod-systems';
import { applySnapshot, requireSnapshot, takeWhole } from './snapshot';
import type { Snapshot } from './snapshot-types';
import { addModules } from './step-modules';

const KIND = 'stiction game ';
/** The version is the format's. */
const MAGIC = `${KIND}9\n`;
/** Eight hex digits and the end of the line. */
const CHECKSUM = 9;

/** The state of a world as bytes, for `loadGame`. Throws UsageError inside a step. */
export function saveGame(physics: Physics): Uint8Array {
  const snapshot = takeWhole(physics, 'saveGame');
  const arrays: (Float64Array | Uint8Array)[] = [];
  const written = JSON.stringify(
    { ...snapshot, shapes: { ...snapshot.shapes, ids: [...snapshot.shapes.ids] } },
    (_key, value) => {
      const array = Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === 'number');
      if (!array && !ArrayBuffer.isView(value)) return value;
      arrays.push(value instanceof Uint8Array ? value : Float64Array.from(value as ArrayLike<number>));
      return { array: arrays.length - 1, isPlain: array };
    },
  );
  const encoder = new TextEncoder();
  const text = encoder.encode(written);
  const sizes = { arrays: arrays.map((a) => [a.length, a.BYTES_PER_ELEMENT]), text: text.length };
  const parts: Uint8Array[] = [encoder.encode(`${JSON.stringify(sizes)}\n`), text];
  for (const array of arrays) parts.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, MAGIC.length + CHECKSUM));
  let at = MAGIC.length + CHECKSUM;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.set(encoder.encode(`${MAGIC}${crc32(bytes.subarray(MAGIC.length + CHECKSUM))}\n`));
  return bytes;
}

/**
 * Puts a saved game into a world without bodies, rods, shells and solids, of the same settings: every body, rod, groom,
 * shell, solid and joint gets a new entity with our components. Returns the new number of each by the one it had when
 * it was saved, for what a game has saved beside. A run from there repeats the one that was saved bit for bit. No
 * observer is told. Throws UsageError, with nothing changed, for what saveGame did not make, or is damaged since (a
 * checksum tells).
 */
export function loadGame(physics: Physics, bytes: Uint8Array | ArrayBuffer): Map<number, number> {
  const where = 'loadGame';
  requirePhysics(physics, where);
  requireBetweenSteps(physics, where);
  const { internal } = physics;
  const { i32 } = internal.engine.arena;
  const { pending, pendingShells } = internal.rods;
  const waiting = internal.spawned.length + pending.size + pendingShells.size;
  if (i32[L.BODY_COUNT >> 2] + i32[L.ROD_COUNT >> 2] + waiting > 0) {
    refuseAs(where, 'physics must be new: without a body, rod, shell or solid so far', 'one with some');
  }
  const snapshot = readGame(where, bytes);
  // Strands of the file need their systems, as after addRod.
  const before = internal.modules.slice();
  enableSurfaces();
  addModules(internal, SURFACE_MODULES);
  enableJoints(physics);
  try {
    requireSnapshot(physics, snapshot, where);
  } catch (error) {
    internal.modules = before;
    throw error;
  }
  return new Map(applySnapshot(physics, snapshot, null).renumbered);
}

/** As plain bytes: `slice` of Node's Buffer, which is a Uint8Array too, does not copy. */
function bytesOf(given: unknown): Uint8Array | null {
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  return given instanceof Uint8Array ? new Uint8Array(given.buffer, given.byteOffset, given.length) : null;
}

function readGame(where: string, given: unknown): Snapshot {
  const bytes = bytesOf(given);
  const expected = 'bytes must come from saveGame (a Uint8Array or its ArrayBuffer)';
  if (bytes === null) refuse(where, expected, given);
  const decode = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  const magic = decode(0, MAGIC.length);
  if (!magic.startsWith(KIND)) refuse(where, expected, given);
  if (magic !== MAGIC) refuse(where, `bytes must be a "${MAGIC.trim()}"`, magic.trim());

  // Whole, and as it was written: what follows may be taken at its word.
  const from = MAGIC.length + CHECKSUM;
  const sum = decode(MAGIC.length, from - 1);
  const own = crc32(bytes.subarray(from));
  if (own !== sum || bytes[from - 1] !== 10) refuse(where, `bytes must be undamaged, with the checksum ${sum}`, own);
  const end = bytes.indexOf(10, from);
  const { arrays, text } = JSON.parse(decode(from, end));
  let at = end + 1 + text;
  const kept = (arrays as [number, number][]).map(([length, width]) => {
    const part = bytes.slice(at, at + length * width);
    at += part.length;
    return width === 8 ? new Float64Array(part.buffer) : part;
  });
  const data = JSON.parse(decode(end + 1, end + 1 + text), (_key, value) => {
    if (typeof value?.array !== 'number') return value;
    const array = kept[value.array];
    return value.isPlain ? Array.from(array) : array;
  });
  const { free, bodiless, contacts, shapes } = data;
  return {
    ...data,
    free: Int32Array.from(free),
    bodiless: Int32Array.from(bodiless),
    contacts: { ...contacts, entities: Int32Array.from(contacts.entities) },
    shapes: { ...shapes, ids: new Map(shapes.ids) },
  };
}
