// Riders of a solid in its solves: B, Bᵀ and Bᵀ W B (mechanics/solid/riders.ts has the equations).

import { BARE_WEIGHT } from '../../../core/elastic-constants';
import { NODE_DUAL } from '../../../state/layout';
import {
  BLOCK32,
  M_FIRST,
  M_GIVE,
  M_NODES,
  M_RIDER_COUNT,
  M_RIDERS,
  M_S,
  RIDER_BYTES,
  RIDER_CROWD,
  RIDER_PUSH,
  RIDER_ROW,
  RIDER_SHARE,
  RIDER_SLOT,
  RIDER_WEIGHT,
} from '../../../state/mesh-layout';
import { column } from '../memory';
import { at, ROW64 } from './blocks';

function rowOf(rider: usize, k: usize): usize {
  return <usize>load<i32>(rider + (k << 2), RIDER_ROW);
}

function shareOf(rider: usize, k: usize): f32 {
  return load<f32>(rider + (k << 2), RIDER_SHARE);
}

function pushOf(rider: usize, k: usize): f32 {
  return load<f32>(rider + (k << 2), RIDER_PUSH);
}

/** Node of a rider in the tables. */
function nodeOf(record: usize, r: usize): usize {
  return <usize>(load<i32>(record, M_FIRST) + load<i32>(record, M_NODES)) + r;
}

/** How far a rider gives way, three times, shared among those that do what one node would [1/kg]. */
function giveOf(record: usize, rider: usize): f32 {
  let sum: f32 = 0;
  for (let k: usize = 0; k < 4; k++) {
    sum += abs<f32>(shareOf(rider, k)) * sqrt<f32>(load<f32>(at(record, M_GIVE) + (rowOf(rider, k) << 2)));
  }
  return load<f32>(rider, RIDER_CROWD) * sum * sum;
}

/** Adds what the riders' weights of the last step were as shares of what they give; returns how many had any. */
export function sumRiderShares(record: usize, sum: usize): i32 {
  const count = <usize>load<i32>(record, M_RIDER_COUNT);
  let rider = at(record, M_RIDERS);
  let seen = 0;
  for (let r: usize = 0; r < count; r++, rider += RIDER_BYTES) {
    const w = <f32>load<f64>(column(NODE_DUAL) + (nodeOf(record, r) << ROW64), 24);
    if (!(w > 0)) continue;
    store<f32>(sum, load<f32>(sum) + (w * giveOf(record, rider)) / 3);
    seen++;
  }
  return seen;
}

/** Contact weights of the riders, as meshWeigh: 0 where all corners are held, or the rider is marked as bare. */
export function weighRiders(record: usize, weights: usize, share: f32): void {
  const count = <usize>load<i32>(record, M_RIDER_COUNT);
  let rider = at(record, M_RIDERS);
  for (let r: usize = 0; r < count; r++, rider += RIDER_BYTES) {
    const to = weights + (nodeOf(record, r) << 2);
    let free = false;
    for (let k: usize = 0; k < 4; k++) if (pushOf(rider, k) != 0) free = true;
    const w: f32 = free && load<f32>(to) != <f32>BARE_WEIGHT ? (3 * share) / giveOf(record, rider) : 0;
    store<f32>(to, w);
    store<f32>(rider, w, RIDER_WEIGHT);
  }
}

/** Adds Bᵀ W B to L's blocks and to the sums of its rows, before they are factored. */
export function addRiders(record: usize, factor: usize): void {
  const count = <usize>load<i32>(record, M_RIDER_COUNT);
  const sums = at(record, M_S);
  let rider = at(record, M_RIDERS);
  for (let r: usize = 0; r < count; r++, rider += RIDER_BYTES) {
    const w = load<f32>(rider, RIDER_WEIGHT);
    if (w == 0) continue;
    const all = pushOf(rider, 0) + pushOf(rider, 1) + pushOf(rider, 2) + pushOf(rider, 3);
    let pair: usize = 0;
    for (let k: usize = 0; k < 4; k++) {
      const own = w * pushOf(rider, k);
      addScaled(sums + rowOf(rider, k) * BLOCK32, own * all);
      for (let l = k + 1; l < 4; l++, pair++) {
        const slot = load<i32>(rider + (pair << 2), RIDER_SLOT);
        if (slot >= 0) addScaled(factor + <usize>slot * BLOCK32, own * pushOf(rider, l));
      }
    }
  }
}

/** block += value · 1. */
function addScaled(block: usize, value: f32): void {
  store<f32>(block, load<f32>(block) + value);
  store<f32>(block, load<f32>(block, 20) + value, 20);
  store<f32>(block, load<f32>(block, 40) + value, 40);
}

/** out += Bᵀ W B x. */
export function multiplyRiders(record: usize, out: usize, x: usize): void {
  const count = <usize>load<i32>(record, M_RIDER_COUNT);
  let rider = at(record, M_RIDERS);
  for (let r: usize = 0; r < count; r++, rider += RIDER_BYTES) {
    const w = load<f32>(rider, RIDER_WEIGHT);
    if (w == 0) continue;
    let sum = f32x4.splat(0);
    for (let k: usize = 0; k < 4; k++) {
      sum = f32x4.add(sum, f32x4.mul(f32x4.splat(w * pushOf(rider, k)), v128.load(x + (rowOf(rider, k) << 4))));
    }
    for (let k: usize = 0; k < 4; k++) {
      const to = out + (rowOf(rider, k) << 4);
      v128.store(to, f32x4.add(v128.load(to), f32x4.mul(f32x4.splat(pushOf(rider, k)), sum)));
    }
  }
}

/** r += Bᵀ of the riders in `right`, f32×4 a node of the tables. */
export function handDown(record: usize, r: usize, right: usize): void {
  const count = <usize>load<i32>(record, M_RIDER_COUNT);
  let rider = at(record, M_RIDERS);
  for (let i: usize = 0; i < count; i++, rider += RIDER_BYTES) {
    const own = f32x4.replace_lane(v128.load(right + (nodeOf(record, i) << 4)), 3, 0);
    for (let k: usize = 0; k < 4; k++) {
      const to = r + (rowOf(rider, k) << 4);
      v128.store(to, f32x4.add(v128.load(to), f32x4.mul(f32x4.splat(pushOf(rider, k)), own)));
    }
  }
}

/** Riders in `out`, f32×4 a node of the tables, := B x. */
export function rideAlong(record: usize, out: usize, x: usize): void {
  const count = <usize>load<i32>(record, M_RIDER_COUNT);
  let rider = at(record, M_RIDERS);
  for (let i: usize = 0; i < count; i++, rider += RIDER_BYTES) {
    let sum = f32x4.splat(0);
    for (let k: usize = 0; k < 4; k++) {
      sum = f32x4.add(sum, f32x4.mul(f32x4.splat(shareOf(rider, k)), v128.load(x + (rowOf(rider, k) << 4))));
    }
    v128.store(out + (nodeOf(record, i) << 4), f32x4.replace_lane(sum, 3, 0));
  }
}
