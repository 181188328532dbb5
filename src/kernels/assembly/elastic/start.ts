// How far the forces of the last step may be trusted: twin of solvers/admm/safe-start.ts, which has the reasons.

import { bodyPart, shareOf } from './admm';
import { restOf, sharesOf, velocitiesOfGroup } from './groups';
import {
  at,
  BLOCKS,
  CONTACTS,
  DUAL_START,
  G_FORCE,
  G_NORMAL,
  G_OFFSET,
  G_SLACK,
  GROUP,
  GROUP_COUNT,
  GROUPS,
  R_FORCE,
  R_GIVE,
  R_OFFSET,
  R_PULL,
  RECORD,
  RECORDS,
  REST_PULL,
  REST_SCALE,
  ROWS,
  START,
} from './layout';

/** Velocities of the four contacts of a group: x, y, z, f32×4 each. */
const moved = memory.data(48);
/** What forces do in a unit of time, without their own velocities and with them. */
let before: f64 = 0;
let after: f64 = 0;

function dot(a: v128, b: v128): f64 {
  const c = f32x4.mul(a, b);
  return <f64>f32x4.extract_lane(c, 0) + <f64>f32x4.extract_lane(c, 1) + <f64>f32x4.extract_lane(c, 2);
}

/** Work of the packed contacts. */
function addRecords(work: usize, without: usize, start: usize): void {
  const blocks = at(work, BLOCKS);
  const records = at(work, RECORDS);
  const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
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
    u = f32x4.add(offset, f32x4.mul(f32x4.splat(load<f32>(record, R_GIVE)), own));
    u = f32x4.add(u, f32x4.add(shareOf(record, start), bodyPart(record, start, blocks)));
    after += dot(force, u) / s;
  }
}

/** Work of the contacts in groups. */
function addGroups(work: usize, without: usize, start: usize): void {
  const groups = at(work, GROUPS);
  const count = <usize>load<i32>(work, GROUP_COUNT);
  const zero = f32x4.splat(0);
  for (let k: usize = 0; k < count; k++) {
    const g = groups + k * GROUP;
    // 1/s; idle lanes have none.
    const rest = restOf(work, k);
    const s = v128.load(rest, REST_SCALE);
    const inverse = v128.and(f32x4.gt(s, zero), f32x4.div(f32x4.splat(1), s));
    const pull = v128.load(rest, REST_PULL);
    let first = zero;
    let second = zero;
    for (let i: usize = 0; i < 48; i += 16) {
      const force = f32x4.sub(v128.load(g + i, G_FORCE), f32x4.mul(pull, v128.load(g + i, G_NORMAL)));
      first = v128.or(first, force);
    }
    if (!v128.any_true(first)) continue;
    first = zero;
    const shares = sharesOf(work, k);
    if (without != 0) velocitiesOfGroup(moved, g, without, shares);
    for (let i: usize = 0; i < 48; i += 16) {
      const force = f32x4.sub(v128.load(g + i, G_FORCE), f32x4.mul(pull, v128.load(g + i, G_NORMAL)));
      let u = v128.load(g + i, G_OFFSET);
      if (without != 0) u = f32x4.add(u, v128.load(moved + i));
      first = f32x4.add(first, f32x4.mul(force, u));
    }
    velocitiesOfGroup(moved, g, start, shares);
    for (let i: usize = 0; i < 48; i += 16) {
      const own = v128.load(g + i, G_FORCE);
      const force = f32x4.sub(own, f32x4.mul(pull, v128.load(g + i, G_NORMAL)));
      const give = f32x4.mul(v128.load(g, G_SLACK), own);
      const u = f32x4.add(f32x4.add(v128.load(g + i, G_OFFSET), give), v128.load(moved + i));
      second = f32x4.add(second, f32x4.mul(force, u));
    }
    before += sumLanes64(f32x4.mul(inverse, first));
    after += sumLanes64(f32x4.mul(inverse, second));
  }
}

function sumLanes64(a: v128): f64 {
  const sum = f64x2.add(f64x2.promote_low_f32x4(a), f64x2.promote_low_f32x4(v128.shuffle<f32>(a, a, 2, 3, 2, 3)));
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/**
 * The largest share (<= 1) of the forces that takes energy away. `without`: rows of velocities since
 * v₀ without contact forces (what joints change), 0: none; with all forces they are those of
 * START. To be called before admmOffset.
 */
export function admmShare(work: usize, without: usize): f64 {
  const start = at(work, START);
  before = 0;
  after = 0;
  addRecords(work, without, start);
  addGroups(work, without, start);
  const gain = after - before;
  if (!(gain > 0)) return before < 0 || gain == 0 ? 1 : 0;
  return max<f64>(0, min<f64>(1, -before / gain));
}

/**
 * Only a share of the forces: in records and groups, λ₀ and START, which goes towards
 * the rows `without` (0: nothing).
 */
export function admmScale(work: usize, without: usize, share: f32): void {
  const by = f32x4.splat(share);
  const records = at(work, RECORDS);
  const end = records + <usize>load<i32>(work, CONTACTS) * RECORD;
  for (let record = records; record < end; record += RECORD) {
    v128.store(record, f32x4.mul(by, v128.load(record, R_FORCE)), R_FORCE);
  }
  const groups = at(work, GROUPS);
  const last = groups + <usize>load<i32>(work, GROUP_COUNT) * GROUP;
  for (let g = groups; g < last; g += GROUP) {
    for (let i: usize = G_FORCE; i < <usize>G_FORCE + 48; i += 16) v128.store(g + i, f32x4.mul(by, v128.load(g + i)));
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
