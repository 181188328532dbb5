// How far the forces of the last step may be trusted: twin of solvers/admm/safe-start.ts, which has the reasons.

import { bodyPart, shareOf } from './admm';
import {
  at,
  BLOCKS,
  CONTACTS,
  DUAL_START,
  R_FORCE,
  R_OFFSET,
  R_PULL,
  R_REST,
  RECORD,
  RECORDS,
  ROWS,
  START,
} from './admm-layout';

function dot(a: v128, b: v128): f64 {
  const c = f32x4.mul(a, b);
  return <f64>f32x4.extract_lane(c, 0) + <f64>f32x4.extract_lane(c, 1) + <f64>f32x4.extract_lane(c, 2);
}

/**
 * The largest share (<= 1) of the forces that takes energy away. `without`: rows of velocities since v₀ without contact
 * forces (what joints change), 0: none; with all forces they are those of START. To be called before admmOffset.
 */
export function admmShare(work: usize, without: usize): f64 {
  const blocks = at(work, BLOCKS);
  const start = at(work, START);
  const records = at(work, RECORDS);
  const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
  let before: f64 = 0;
  let after: f64 = 0;
  for (let record = records; record < end; record += RECORD) {
    const pull = v128.load(record, R_PULL);
    const s = <f64>f32x4.extract_lane(pull, 3);
    const own = v128.load(record, R_FORCE);
    const force = f32x4.sub(own, pull);
    if (!(s > 0) || dot(force, force) == 0) continue;
    const offset = v128.load(record, R_OFFSET);
    let u = offset;
    if (without != 0) u = f32x4.add(u, f32x4.add(shareOf(record, without), bodyPart(record, without, blocks)));
    before += dot(force, u) / s;
    u = f32x4.add(offset, f32x4.mul(f32x4.splat(load<f32>(record, R_REST + 4)), own));
    u = f32x4.add(u, f32x4.add(shareOf(record, start), bodyPart(record, start, blocks)));
    after += dot(force, u) / s;
  }
  const gain = after - before;
  if (!(gain > 0)) return before < 0 || gain == 0 ? 1 : 0;
  return max<f64>(0, min<f64>(1, -before / gain));
}

/** Only a share of the forces: in the records, λ₀ and START, which goes towards the rows `without` (0: nothing). */
export function admmScale(work: usize, without: usize, share: f32): void {
  const by = f32x4.splat(share);
  const records = at(work, RECORDS);
  const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
  for (let record = records; record < end; record += RECORD) {
    v128.store(record, f32x4.mul(by, v128.load(record, R_FORCE)), R_FORCE);
  }
  const rows = (<usize>load<i32>(work, ROWS)) << 4;
  const dual = at(work, DUAL_START);
  const start = at(work, START);
  for (let i: usize = 0; i < rows; i += 16) {
    v128.store(dual + i, f32x4.mul(by, v128.load(dual + i)));
    const base = without == 0 ? f32x4.splat(0) : v128.load(without + i);
    v128.store(start + i, f32x4.add(base, f32x4.mul(by, f32x4.sub(v128.load(start + i), base))));
  }
}
