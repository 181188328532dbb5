// Which rows of the sweeps still change anything: the further sweeps of a substep pass over those alone.
//
// In a heap that is hit, a few contacts need many sweeps and most need few. Every row knows when it was last solved,
// and every body when a row last changed it by more than its island's tolerance: a row whose bodies have not changed
// since would find nothing to do, and is passed over for the price of reading its bodies' stamps. Times are counts of
// rows solved, so that what was done before a row in the same sweep does not count against it.
//
// In: packed rows and bodies with free velocities. Out: stamps. What sweeps may cost is
// bounded by a count, never a clock.

import { BODY_ISLAND } from '../../../state/layout';
import { column, getI32 } from '../memory';
import * as S from './layout';

/** A change up to this share of the island's largest free velocity is not noticed [-]: a quarter of what may remain. */
const UNNOTICED: f32 = 5e-3;

/** Rows solved since the step began. */
let clock: i32 = 0;
/** Rows of the sweep at hand that changed something noticeably. */
export let noticed: i32 = 0;
/** Rows that further sweeps of this step solved. */
export let spent: i32 = 0;

/**
 * Sets the tolerances of the listed rows, (record, points) in [from, to), from the free velocities that the bodies in
 * [bodies, end) have at the end of a step of `substeps`; `table` has two numbers for each of `islands`.
 *
 * A lone contact has nobody to pass a change on to, and gets no further sweeps: swept alike, the errors of its substeps
 * cancel. With one more sweep in the first of them a box on a turntable crept inwards by 2 mm/s.
 */
export function openRows(
  from: usize,
  to: usize,
  bodies: usize,
  end: usize,
  substeps: i32,
  table: usize,
  islands: i32,
): void {
  clock = 1;
  spent = 0;
  memory.fill(table, 0, (<usize>islands) << 3);
  const island = column(BODY_ISLAND);
  const share = f32x4.splat(<f32>substeps);
  for (let b = bodies + 2 * S.BODY_BYTES; b < end; b += S.BODY_BYTES) {
    store<i32>(b, 0, S.STIRRED);
    const home = getI32(island, load<i32>(b, S.SLOT));
    if (home < 0) continue;
    const v = f32x4.add(v128.load(b, S.V), f32x4.mul(v128.load(b, S.FREE_V), share));
    const vv = f32x4.mul(v, v);
    const square = f32x4.extract_lane(vv, 0) + f32x4.extract_lane(vv, 1) + f32x4.extract_lane(vv, 2);
    const row = table + ((<usize>home) << 3);
    store<f32>(row, max(load<f32>(row), square));
  }
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      for (let lane = m; lane < m + 16; lane += 4) {
        if (load<usize>(lane, S.Q_IMPULSE) != 0) countContact(table, load<i32>(lane, S.Q_ISLAND));
      }
    } else countContact(table, load<i32>(m, S.ISLAND));
  }
  for (let row = from; row < to; row += 8) {
    const m = load<usize>(row);
    if (load<i32>(row, 4) == 1) {
      store<i32>(m, 0, S.Q_VISITED);
      for (let lane = m; lane < m + 16; lane += 4) {
        if (load<usize>(lane, S.Q_IMPULSE) == 0) continue;
        store<f32>(lane, toleranceOf(table, load<i32>(lane, S.Q_ISLAND)), S.Q_TOLERANCE);
      }
    } else {
      store<i32>(m, 0, S.VISITED);
      v128.store(m, f32x4.splat(toleranceOf(table, load<i32>(m, S.ISLAND))), S.TOLERANCE);
    }
  }
}

function countContact(table: usize, island: i32): void {
  const row = table + ((<usize>island) << 3);
  store<i32>(row, load<i32>(row, 4) + 1, 4);
}

function toleranceOf(table: usize, island: i32): f32 {
  const row = table + ((<usize>island) << 3);
  return load<i32>(row, 4) > 1 ? UNNOTICED * sqrt(load<f32>(row)) : f32.MAX_VALUE;
}

/** Begins a sweep. */
export function beginSweep(): void {
  noticed = 0;
}

/** Has a body of the manifold changed since it was last solved? */
export function isManifoldActive(m: usize): bool {
  const stirred = max(load<i32>(load<usize>(m, S.READ_A), S.STIRRED), load<i32>(load<usize>(m, S.READ_B), S.STIRRED));
  return stirred > load<i32>(m, S.VISITED);
}

/** Has a body of the quad changed since it was last solved? */
export function isQuadActive(q: usize): bool {
  const visited = load<i32>(q, S.Q_VISITED);
  for (let lane: usize = 0; lane < 16; lane += 4) {
    if (load<i32>(load<usize>(q + lane, S.Q_READ_A), S.STIRRED) > visited) return true;
    if (load<i32>(load<usize>(q + lane, S.Q_READ_B), S.STIRRED) > visited) return true;
  }
  return false;
}

/** Counts a row of a further sweep. */
export function spendRow(): void {
  spent++;
}

/** Notes that the manifold was solved, and whether that changed its bodies noticeably: impulses by n, t, s (lanes). */
export function noteManifoldSolved(m: usize, n: v128, t: v128, s: v128): void {
  const now = clock++;
  const most = f32x4.max(f32x4.abs(n), f32x4.max(f32x4.abs(t), f32x4.abs(s)));
  const isNoticed = f32x4.gt(f32x4.mul(most, v128.load(m, S.SCALE)), v128.load(m, S.TOLERANCE));
  store<i32>(m, now, S.VISITED);
  if (!v128.any_true(isNoticed)) return;
  noticed++;
  // Its own change calls it back: friction and single points are not solved to the end at once.
  store<i32>(load<usize>(m, S.WRITE_A), now + 1, S.STIRRED);
  store<i32>(load<usize>(m, S.WRITE_B), now + 1, S.STIRRED);
}

/** The same for the four points of a quad. */
export function noteQuadSolved(q: usize, n: v128, t: v128, s: v128): void {
  const now = clock++;
  const most = f32x4.max(f32x4.abs(n), f32x4.max(f32x4.abs(t), f32x4.abs(s)));
  const isNoticed = f32x4.gt(f32x4.mul(most, v128.load(q, S.Q_SCALE)), v128.load(q, S.Q_TOLERANCE));
  store<i32>(q, now, S.Q_VISITED);
  const lanes = i32x4.bitmask(isNoticed);
  if (lanes == 0) return;
  noticed++;
  for (let lane: usize = 0; lane < 4; lane++) {
    if (((lanes >> <i32>lane) & 1) == 0) continue;
    store<i32>(load<usize>(q + (lane << 2), S.Q_WRITE_A), now + 1, S.STIRRED);
    store<i32>(load<usize>(q + (lane << 2), S.Q_WRITE_B), now + 1, S.STIRRED);
  }
}
