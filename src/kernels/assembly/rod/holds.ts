// Held unknowns of strands: rows of the identity, their couplings moved to the right-hand side.
//
// `holds`: HOLD_NUMBERS f64 a strand: bits, then from HOLD_OF_START and HOLD_OF_END the HELD_* of either end. Bits:
// HOLD_START, HOLD_END: both nodes; HOLD_START_TWIST, HOLD_END_TWIST.

import {
  HELD_INNER,
  HELD_OUTER,
  HELD_TWIST,
  HOLD_BYTES,
  HOLD_END,
  HOLD_END_TWIST,
  HOLD_OF_END,
  HOLD_OF_START,
  HOLD_START,
  HOLD_START_TWIST,
  PROBE_ROWS,
} from '../../../state/rod-layout';
import { HELD, held, holdModes, probedFrom, probeOf } from './carried';
import { NODE_BYTES, ROW_T, ROW_X, ROW_Y, ROW_Z } from './work';

/** Bits of a strand. */
export function holdBits(holds: usize, strand: i32): i32 {
  return holds == 0 ? 0 : <i32>load<f64>(holds + <usize>strand * HOLD_BYTES);
}

/** Address of row j of a matrix, and the unknown of its first column. */
function rowAt(matrix: usize, j: i32): usize {
  const c = j & 3;
  const row = c == 0 ? ROW_X : c == 1 ? ROW_Y : c == 2 ? ROW_Z : ROW_T;
  return matrix + <usize>(j >> 2) * NODE_BYTES + (row << 4);
}

function firstColumn(j: i32): i32 {
  return ((j & 3) < 3 ? (j >> 2) - 2 : (j >> 2) - 1) << 2;
}

// Notes of the end that is being held (rod/carried.ts): their place, 0 for none; first unknown;
// what the unknown does in each mode.
let probe: usize = 0;
let probed: i32 = 0;
let modes: usize = 0;

/** Moves an entry times the held value to the right-hand side (0: there is none), and to the notes. */
function release(at: usize, right: usize, i: i32, value: f64): void {
  if (right != 0) {
    const b = right + ((<usize>i) << 4);
    store<f64>(b, load<f64>(b) - load<f64>(at) * value);
  }
  const place = i - probed;
  if (probe != 0 && place >= 0 && place < PROBE_ROWS) {
    for (let k = 0; k < 6; k++) {
      const note = probe + ((<usize>(k * PROBE_ROWS + place)) << 2);
      store<f32>(note, load<f32>(note) - <f32>(load<f64>(at) * load<f64>(modes + ((<usize>k) << 3))));
    }
  }
  store<f64>(at, 0);
}

/** Opens the notes of an end, if its strand is carried. */
function openProbe(probes: usize, strand: i32, count: i32, end: i32): void {
  probe = probes == 0 ? 0 : probeOf(probes, strand, end);
  if (probe == 0) return;
  probed = probedFrom(count, end);
  memory.fill(probe, 0, <usize>(24 * PROBE_ROWS));
  holdModes(strand, end);
}

/** The held unknown that comes next, 0..6. */
function choose(q: i32): void {
  modes = held + <usize>(q % HELD) * 48;
}

/** Holds unknown j of one lane (`lane`: 0 or 8) of `size` unknowns at a change of velocity `value`. */
function hold(matrix: usize, right: usize, lane: usize, size: i32, j: i32, value: f64): void {
  const b = right == 0 ? 0 : right + lane;
  const own = rowAt(matrix, j) + lane;
  const first = firstColumn(j);
  for (let i = max(0, first); i < j; i++) release(own + ((<usize>(i - first)) << 4), b, i, value);
  store<f64>(own + ((<usize>(j - first)) << 4), 1);
  for (let i = j + 1; i < min(size, j + 11); i++) {
    const from = firstColumn(i);
    if (j >= from) release(rowAt(matrix, i) + lane + ((<usize>(j - from)) << 4), b, i, value);
  }
  if (b != 0) store<f64>(b + ((<usize>j) << 4), value);
}

/**
 * Holds what `holds` says of a strand, in one lane (0 or 8) of a pair's A and b (0: none). `base`: its first node's
 * base velocity. `probes`: notes of strands that are carried (rod/carried.ts), 0: this one is not.
 */
export function holdStrand(
  matrix: usize,
  right: usize,
  lane: usize,
  count: i32,
  holds: usize,
  strand: i32,
  base: usize,
  probes: usize,
): void {
  const bits = holdBits(holds, strand);
  if (bits == 0) return;
  const values = holds + <usize>strand * HOLD_BYTES + (HOLD_OF_START << 3);
  for (let end = 0; end < 2; end++) {
    const given = values + <usize>end * ((HOLD_OF_END - HOLD_OF_START) << 3);
    const outer = end == 0 ? 0 : count - 1;
    const inner = end == 0 ? 1 : count - 2;
    const edge = end == 0 ? 0 : count - 2;
    const size = count << 2;
    const isHolding = (bits & (end == 0 ? HOLD_START : HOLD_END)) != 0;
    openProbe(isHolding ? probes : 0, strand, count, end);
    if (isHolding) {
      for (let k = 0; k < 3; k++) {
        const here =
          load<f64>(given + ((<usize>k) << 3), HELD_OUTER << 3) - load<f64>(base + ((<usize>((outer << 2) + k)) << 3));
        const there =
          load<f64>(given + ((<usize>k) << 3), HELD_INNER << 3) - load<f64>(base + ((<usize>((inner << 2) + k)) << 3));
        choose(k);
        hold(matrix, right, lane, size, (outer << 2) + k, here);
        choose(3 + k);
        hold(matrix, right, lane, size, (inner << 2) + k, there);
      }
    }
    if (bits & (end == 0 ? HOLD_START_TWIST : HOLD_END_TWIST)) {
      const j = (edge << 2) + 3;
      choose(6);
      hold(matrix, right, lane, size, j, load<f64>(given, HELD_TWIST << 3) - load<f64>(base + ((<usize>j) << 3)));
    }
  }
  probe = 0;
}

/** Whether node i of a strand is held. */
export function isHeld(bits: i32, count: i32, i: i32): bool {
  return ((bits & HOLD_START) != 0 && i < 2) || ((bits & HOLD_END) != 0 && i >= count - 2);
}
