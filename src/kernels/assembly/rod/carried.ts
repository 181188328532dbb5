// Strands that a dynamic body carries: how they answer a change of its velocity, and what they take from it.
//
// In: `carried`, i32 a strand: its body's number among those that carry, −1 none. Such a strand is clamped to
// that body alone; its clamped unknowns move with it. A change of the body's velocity by δ (six numbers: linear,
// spin) moves them by J δ, and the others by −A_ff⁻¹ A_fc J δ. The columns −A_fc J are noted while A is made
// (PROBE), before held rows are cleared.
// Out: velocities (f64×4 a node), and per body eight f64: impulse (3), spare, moment
// about its centre of mass (3), spare.

import {
  BODY_POSITION,
  GRAVITY,
  NODE_CONTACT_ASLEEP,
  NODE_CONTACT_COUNT,
  NODE_CONTACT_FORCE,
  NODE_CONTACT_MATERIAL,
  NODE_CONTACT_NODE,
  NODE_CONTACT_NORMAL,
  NODE_CONTACT_WEIGHT,
  NODE_COUNT,
  NODE_FORCE,
  NODE_MASS,
  NODE_POSITION,
  NODE_PREDICTED,
  NODE_STRAND,
  NODE_VELOCITY,
  ROD_EXTRA,
  ROD_PARAMETER,
  STRAND_ATTACH,
  STRAND_CLAMP_END,
  STRAND_CLAMP_START,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_NODES,
  STRAND_ROD,
  TIME_STEP,
  WIND,
} from '../../../state/layout';
import { CARRY_MODES, PROBE_BYTES, PROBE_ROWS } from '../../../state/rod-layout';
import { cohesionShare } from '../elastic/cohesion';
import { cell, column, getF64, getI32, parameter } from '../memory';

/** Held unknowns of a clamp: outer node x y z, its neighbour x y z, twist of the edge between them. */
export const HELD: i32 = 7;
// PROBE_ROWS: free unknowns that couple with them: of the next two nodes, but for a start the
// twist before them takes a place.

/** What each held unknown of a clamp does in each mode (f64, six an unknown). */
export const held = memory.data(8 * 42, 16);

/** Address of the notes of an end. */
export function probeOf(probes: usize, strand: i32, end: i32): usize {
  return probes + <usize>(2 * strand + end) * PROBE_BYTES;
}

/** First unknown of those notes. */
export function probedFrom(count: i32, end: i32): i32 {
  return end == 0 ? 7 : (count << 2) - 16;
}

function isClamped(strand: i32, end: i32): bool {
  return (getI32(column(STRAND_FLAGS), strand) & (end == 0 ? STRAND_CLAMP_START : STRAND_CLAMP_END)) != 0;
}

/** Writes `held` for one end of a strand that its body carries. */
export function holdModes(strand: i32, end: i32): void {
  const first = getI32(column(STRAND_FIRST), strand);
  const count = getI32(column(STRAND_NODES), strand);
  const position = column(NODE_POSITION);
  const center = column(BODY_POSITION) + ((<usize>getI32(column(STRAND_ATTACH), 2 * strand + end)) << 5);
  memory.fill(held, 0, 8 * 42);
  for (let q = 0; q < 2; q++) {
    const node = end == 0 ? first + q : first + count - 1 - q;
    const p = position + ((<usize>node) << 5);
    for (let c = 0; c < 3; c++) {
      const row = held + <usize>(3 * q + c) * 48;
      store<f64>(row + ((<usize>c) << 3), 1);
      // (e × r) in c for the axes e that are not c.
      const i = (c + 1) % 3;
      const j = (c + 2) % 3;
      store<f64>(row + ((<usize>(3 + i)) << 3), armOf(p, center, j));
      store<f64>(row + ((<usize>(3 + j)) << 3), -armOf(p, center, i));
    }
  }
  const edge = position + ((<usize>(end == 0 ? first : first + count - 2)) << 5);
  let square: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) square += (load<f64>(edge + k, 32) - load<f64>(edge + k)) ** 2;
  if (!(square > 0)) return;
  const inverse = 1 / sqrt(square);
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(held + 6 * 48 + 24 + k, inverse * (load<f64>(edge + k, 32) - load<f64>(edge + k)));
  }
}

function armOf(point: usize, center: usize, k: i32): f64 {
  return load<f64>(point + ((<usize>k) << 3)) - load<f64>(center + ((<usize>k) << 3));
}

/** Unknown of the strand that is held unknown `q` of an end. */
function unknownOf(q: i32, count: i32, end: i32): i32 {
  if (q == 6) return end == 0 ? 3 : (count << 2) - 5;
  if (q < 3) return end == 0 ? q : (count << 2) - 4 + q;
  return end == 0 ? 1 + q : (count << 2) - 8 + q - 3;
}

/**
 * Right-hand sides (f32×4 a node, at `right`) of the answer to changes of the bodies' velocities (eight f64 a body).
 */
export function rodDrive(right: usize, carried: usize, probes: usize, changes: usize): void {
  memory.fill(right, 0, (<usize>cell(NODE_COUNT)) << 4);
  const strands = cell(STRAND_COUNT);
  for (let s = 0; s < strands; s++) {
    const body = getI32(carried, s);
    if (body < 0) continue;
    const count = getI32(column(STRAND_NODES), s);
    const rows = right + ((<usize>getI32(column(STRAND_FIRST), s)) << 4);
    const change = changes + ((<usize>body) << 6);
    for (let end = 0; end < 2; end++) {
      if (!isClamped(s, end)) continue;
      const probe = probeOf(probes, s, end);
      const from = probedFrom(count, end);
      for (let i = max(0, -from); i < PROBE_ROWS && from + i < count << 2; i++) {
        let sum: f64 = 0;
        for (let k = 0; k < CARRY_MODES; k++) {
          sum += changeOf(change, k) * <f64>load<f32>(probe + ((<usize>(k * PROBE_ROWS + i)) << 2));
        }
        const at = rows + ((<usize>(from + i)) << 2);
        store<f32>(at, load<f32>(at) + <f32>sum);
      }
    }
    for (let end = 0; end < 2; end++) {
      if (!isClamped(s, end)) continue;
      holdModes(s, end);
      for (let q = 0; q < HELD; q++) {
        let sum: f64 = 0;
        for (let k = 0; k < CARRY_MODES; k++) sum += changeOf(change, k) * getF64(held, CARRY_MODES * q + k);
        store<f32>(rows + ((<usize>unknownOf(q, count, end)) << 2), <f32>sum);
      }
    }
  }
}

/** Mode k of a change: linear and spin have a spare number each. */
function changeOf(change: usize, k: i32): f64 {
  return load<f64>(change + ((<usize>(k < 3 ? k : k + 1)) << 3));
}

/** out := NODE_PREDICTED + rows (f32×4 a node) of the strands that are carried. */
export function rodAnswer(rows: usize, carried: usize, out: usize): void {
  const strands = cell(STRAND_COUNT);
  for (let s = 0; s < strands; s++) {
    if (getI32(carried, s) < 0) continue;
    const first = (<usize>getI32(column(STRAND_FIRST), s)) << 2;
    const end = first + ((<usize>getI32(column(STRAND_NODES), s)) << 2);
    for (let i = first; i < end; i++) {
      store<f64>(out + (i << 3), load<f64>(column(NODE_PREDICTED) + (i << 3)) + <f64>load<f32>(rows + (i << 2)));
    }
  }
}

/** sums += p at a node, and its moment about the centre of the body that carries its strand. */
function give(sums: usize, node: i32, center: usize, x: f64, y: f64, z: f64): void {
  const p = column(NODE_POSITION) + ((<usize>node) << 5);
  const rx = armOf(p, center, 0);
  const ry = armOf(p, center, 1);
  const rz = armOf(p, center, 2);
  store<f64>(sums, load<f64>(sums) + x);
  store<f64>(sums, load<f64>(sums, 8) + y, 8);
  store<f64>(sums, load<f64>(sums, 16) + z, 16);
  store<f64>(sums, load<f64>(sums, 32) + ry * z - rz * y, 32);
  store<f64>(sums, load<f64>(sums, 40) + rz * x - rx * z, 40);
  store<f64>(sums, load<f64>(sums, 48) + rx * y - ry * x, 48);
}

/** Centre of the body that carries a strand. */
function centerOf(strand: i32): usize {
  const end = isClamped(strand, 0) ? 0 : 1;
  return column(BODY_POSITION) + ((<usize>getI32(column(STRAND_ATTACH), 2 * strand + end)) << 5);
}

/**
 * sums += impulses that bodies give the strands they carry in a step that ends with these velocities: what the strands'
 * momentum changes by beyond gravity, air and user forces. The momentum balance holds whatever the solver's accuracy,
 * and knows nothing of the large elastic terms that cancel in the clamp's own rows.
 */
export function rodReact(carried: usize, velocities: usize, sums: usize): void {
  const strands = cell(STRAND_COUNT);
  const dt = parameter(TIME_STEP);
  const before = column(NODE_VELOCITY);
  for (let s = 0; s < strands; s++) {
    const body = getI32(carried, s);
    if (body < 0) continue;
    const first = getI32(column(STRAND_FIRST), s);
    const end = first + getI32(column(STRAND_NODES), s);
    const extra = column(ROD_EXTRA) + ((<usize>getI32(column(STRAND_ROD), s)) << 5);
    const weight = dt * load<f64>(extra);
    const drag = dt * load<f64>(extra, 8);
    const pullX = weight * parameter(GRAVITY) + drag * parameter(WIND);
    const pullY = weight * parameter(GRAVITY + 8) + drag * parameter(WIND + 8);
    const pullZ = weight * parameter(GRAVITY + 16) + drag * parameter(WIND + 16);
    const center = centerOf(s);
    const to = sums + ((<usize>body) << 6);
    for (let i = first; i < end; i++) {
      const v = velocities + ((<usize>i) << 5);
      const u = before + ((<usize>i) << 5);
      const f = column(NODE_FORCE) + ((<usize>i) << 5);
      const m = load<f64>(column(NODE_MASS) + ((<usize>i) << 4));
      const x = m * ((1 + drag) * load<f64>(v) - load<f64>(u) - pullX) - dt * load<f64>(f);
      const y = m * ((1 + drag) * load<f64>(v, 8) - load<f64>(u, 8) - pullY) - dt * load<f64>(f, 8);
      const z = m * ((1 + drag) * load<f64>(v, 16) - load<f64>(u, 16) - pullZ) - dt * load<f64>(f, 16);
      give(to, i, center, x, y, z);
    }
  }
}

/** sums −= impulses of contacts on the strands that are carried. */
export function rodStruck(carried: usize, sums: usize): void {
  const contacts = cell(NODE_CONTACT_COUNT);
  const dt = parameter(TIME_STEP);
  const owner = column(NODE_STRAND);
  for (let c = cell(NODE_CONTACT_ASLEEP); c < contacts; c++) {
    const force = column(NODE_CONTACT_FORCE) + ((<usize>c) << 5);
    const s = load<f64>(force, 24);
    if (!(s > 0)) continue;
    const node = column(NODE_CONTACT_NODE) + ((<usize>c) << 4);
    const normal = column(NODE_CONTACT_NORMAL) + ((<usize>c) << 5);
    const rod = getI32(column(STRAND_ROD), getI32(owner, load<i32>(node)));
    const share = cohesionShare(load<f64>(normal, 24), getF64(column(ROD_PARAMETER), rod << 3));
    const pull = share * dt * getF64(column(NODE_CONTACT_MATERIAL), (c << 2) + 1);
    for (let k: usize = 0; k < 4; k++) {
      const at = load<i32>(node + (k << 2));
      if (at < 0) continue;
      const strand = getI32(owner, at);
      const body = getI32(carried, strand);
      if (body < 0) continue;
      const w = -load<f64>(column(NODE_CONTACT_WEIGHT) + ((<usize>c) << 5) + (k << 3));
      const x = w * (load<f64>(force) / s - pull * load<f64>(normal));
      const y = w * (load<f64>(force, 8) / s - pull * load<f64>(normal, 8));
      const z = w * (load<f64>(force, 16) / s - pull * load<f64>(normal, 16));
      give(sums + ((<usize>body) << 6), at, centerOf(strand), x, y, z);
    }
  }
}
