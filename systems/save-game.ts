// A saved game: a snapshot as one array of bytes, for a file or a fresh page, where entities have other numbers.
//
// Text first (what is no array of numbers, as JSON), then all arrays of numbers bit for bit. It deflates well.

import { refuse } from '../src/core/errors';
import * as L from '../src/state/layout';
import { enableJoints } from './joints';
import { type Physics, requireBetweenSteps, requirePhysics } from './physics';
import { rodSystems } from './rod-systems';
import { applySnapshot, requireSnapshot, takeSnapshot } from './snapshot';
import type { Snapshot } from './snapshot-types';

const MAGIC = 'stiction game 1\n';

/** The state of a world as bytes, for `loadGame`. Throws UsageError inside a step. */
export function saveGame(physics: Physics): Uint8Array {
  const snapshot = takeSnapshot(physics);
  const arrays: (Float64Array | Uint8Array)[] = [];
  const text = JSON.stringify({ ...snapshot, shapeIds: [...snapshot.shapeIds] }, (_key, value) => {
    const array = Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === 'number');
    if (!array && !ArrayBuffer.isView(value)) return value;
    arrays.push(value instanceof Uint8Array ? value : Float64Array.from(value as ArrayLike<number>));
    return { array: arrays.length - 1, isPlain: array };
  });
  const head = new TextEncoder().encode(
    `${MAGIC}${JSON.stringify({ arrays: arrays.map((a) => [a.length, a.BYTES_PER_ELEMENT]), text: text.length })}\n${text}`,
  );
  const size = arrays.reduce((sum, array) => sum + array.byteLength, head.length);
  const bytes = new Uint8Array(size);
  bytes.set(head);
  let at = head.length;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  return bytes;
}

/**
 * Puts a saved game into a world without bodies and rods, of the same settings: every body, rod, groom and joint gets a new
 * entity with our components. Returns the new number of each by the one it had when it was saved, for what a game has saved
 * beside. A run from there repeats the one that was saved bit for bit. No observer is told. Throws UsageError, with nothing
 * changed, for what saveGame did not make.
 */
export function loadGame(physics: Physics, bytes: Uint8Array): Map<number, number> {
  const where = 'loadGame';
  requirePhysics(physics, where);
  requireBetweenSteps(physics, where);
  const { internal } = physics;
  const { i32 } = internal.engine.arena;
  const waiting = internal.spawned.length + internal.rods.pending.size;
  if (i32[L.BODY_COUNT >> 2] + i32[L.ROD_COUNT >> 2] + waiting > 0) {
    refuse(where, 'physics must be one that never had a body or rod', 'one with some');
  }
  const snapshot = readGame(where, bytes);
  // Strands of the file need their systems, as after addRod.
  const before = internal.rodSystems;
  internal.rodSystems ??= rodSystems;
  const jointsBefore = internal.jointSystems;
  enableJoints(physics);
  try {
    requireSnapshot(physics, snapshot, where);
  } catch (error) {
    internal.rodSystems = before;
    internal.jointSystems = jointsBefore;
    throw error;
  }
  return new Map(applySnapshot(physics, snapshot, true).renumbered);
}

function readGame(where: string, bytes: unknown): Snapshot {
  const expected = 'bytes must come from saveGame';
  if (!(bytes instanceof Uint8Array)) refuse(where, expected, bytes);
  try {
    const from = MAGIC.length;
    if (new TextDecoder().decode(bytes.subarray(0, from)) !== MAGIC) throw new Error('another file');
    const end = bytes.indexOf(10, from);
    const { arrays, text } = JSON.parse(new TextDecoder().decode(bytes.subarray(from, end)));
    let at = end + 1 + text;
    const kept = (arrays as [number, number][]).map(([length, width]) => {
      const part = bytes.slice(at, at + length * width);
      if (part.length !== length * width) throw new Error('cut off');
      at += part.length;
      return width === 8 ? new Float64Array(part.buffer) : part;
    });
    const data = JSON.parse(new TextDecoder().decode(bytes.subarray(end + 1, end + 1 + text)), (_key, value) => {
      if (typeof value?.array !== 'number') return value;
      const array = kept[value.array];
      return value.isPlain ? Array.from(array) : array;
    });
    const { free, bodiless, shapeIds } = data;
    return { ...data, free: Int32Array.from(free), bodiless: Int32Array.from(bodiless), shapeIds: new Map(shapeIds) };
  } catch {
    return refuse(where, expected, bytes);
  }
}
