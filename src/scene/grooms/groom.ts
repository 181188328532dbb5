// A groom: many strands as flat arrays, and the ground that its readers stand on: numbers out of bytes, with a clear
// error where a file promises more than it holds.

import { refuse, UsageError } from '../../core/errors';
import type { BakedFor } from '../../state/baked-strands';
import type { StrandRest } from '../../state/strand-rest';

/** Strands from root to tip, flat. */
export interface GroomStrands {
  /** Points of each strand. */
  readonly counts: Int32Array;
  /** x y z of every point, strand after strand; in the units of the file until resampled. */
  readonly positions: Float32Array | Float64Array;
  /** Rest shape and stiffness along the strands, where they were found for these very points. */
  readonly rest?: StrandRest;
  /** Material and gravity that `rest` was baked for; others are refused. */
  readonly baked?: BakedFor;
}

/** What a file may be handed in as. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** A view of the bytes, whatever holds them. Throws UsageError. */
export function viewBytes(where: string, bytes: unknown): DataView {
  if (ArrayBuffer.isView(bytes)) return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes instanceof ArrayBuffer) return new DataView(bytes);
  // One of another realm (a worker, a test's sandbox) is no instance of ours.
  if (Object.prototype.toString.call(bytes) === '[object ArrayBuffer]') return new DataView(bytes as ArrayBuffer);
  return refuse(where, 'bytes must be an ArrayBuffer or a typed array', bytes);
}

/** Refuses a file: `readGroom: .hair file must …, got …`. */
export function refuseFile(kind: string, expectation: string, got: string | number): never {
  throw new UsageError(`readGroom: ${kind} file ${expectation}, got ${got}`);
}

/** Refuses a file that ends before `end` [B], the end of `what`. */
export function requireBytes(kind: string, view: DataView, end: number, what: string): void {
  if (!(end <= view.byteLength)) refuseFile(kind, `must have ${end} bytes to hold ${what}`, view.byteLength);
}

/**
 * `count` points of three floats, `stride` bytes apart, from byte `at` on; the caller has checked that they are there.
 */
export function readPoints(view: DataView, at: number, count: number, stride: number): Float32Array {
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) out[3 * i + k] = view.getFloat32(at + stride * i + 4 * k, true);
  }
  return out;
}
