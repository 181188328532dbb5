// Bending of a shell: its hinges' part of A and b (assemble.ts).

import { LEAST_HINGE_HEIGHT } from '../../../core/elastic-constants';
import { MESH_EDGE_NODE, MESH_EDGE_REST, OBJECT_MESH_EDGES } from '../../../state/layout';
import {
  BLOCK64,
  M_A_TO_L,
  M_AT,
  M_BASE,
  M_BELOW,
  M_EXTRA,
  M_HINGE_SLOT,
  M_HINGES,
  M_OBJECT,
  M_RIGHT,
} from '../../../state/mesh-layout';
import { column } from '../memory';
import { addOuter, at, deductRow, part, rowOf, setHinge } from './blocks';
import { solveMoments } from './moments';

/** Rows of a hinge's nodes. */
let row0: usize = 0;
let row1: usize = 0;
let row2: usize = 0;
let row3: usize = 0;

/**
 * Numbers of a hinge that wait for its neighbours: derivatives by its nodes, four f64 each; in their fourths angle,
 * moment over D/3.
 */
const HINGE: usize = 128;
const H_CHANGE: usize = 24;
const H_MOMENT: usize = 56;

/** Twin of mechanics/shell/shell-system.ts. */
export function addHinges(record: usize, material: usize, poisson: f64, dt: f64, stiffness: f64, viscous: f64): void {
  const range = column(OBJECT_MESH_EDGES) + ((<usize>load<i32>(record, M_OBJECT)) << 3);
  const first = <usize>load<i32>(range);
  const count = <usize>load<i32>(range, 4);
  const half = load<f64>(material);
  const bending = (2 * load<f64>(material, 16) * half * half * half) / (9 * (1 - poisson * poisson));
  if (!(bending > 0)) return;
  const right = at(record, M_RIGHT);
  let gradient = at(record, M_HINGES);
  for (let e: usize = 0; e < count; e++, gradient += HINGE) {
    const nodes = column(MESH_EDGE_NODE) + ((first + e) << 4);
    if (load<i32>(nodes, 12) >= 0)
      addHinge(record, nodes, column(MESH_EDGE_REST) + ((first + e) << 5), e, bending, stiffness, viscous);
    else memory.fill(gradient, 0, HINGE);
  }
  const hinges = at(record, M_HINGES);
  solveMoments(record, hinges + H_CHANGE, hinges + H_MOMENT, HINGE);
  gradient = at(record, M_HINGES);
  for (let e: usize = 0; e < count; e++, gradient += HINGE) {
    const nodes = column(MESH_EDGE_NODE) + ((first + e) << 4);
    if (load<i32>(nodes, 12) < 0) continue;
    const moment = dt * bending * load<f64>(gradient + H_MOMENT);
    for (let k: usize = 0; k < 4; k++) {
      pushHinge(right, rowOf(record, load<i32>(nodes + (k << 2))), gradient + (k << 5), moment);
    }
  }
}

/** A and the viscous part of b of hinge `e`; its gradient and angle to their place. */
function addHinge(
  record: usize,
  nodes: usize,
  rest: usize,
  e: usize,
  bending: f64,
  stiffness: f64,
  viscous: f64,
): void {
  const right = at(record, M_RIGHT);
  const base = at(record, M_BASE);
  const gradient = at(record, M_HINGES) + e * HINGE;
  row0 = rowOf(record, load<i32>(nodes));
  row1 = rowOf(record, load<i32>(nodes, 4));
  row2 = rowOf(record, load<i32>(nodes, 8));
  row3 = rowOf(record, load<i32>(nodes, 12));
  let change = openHinge(gradient, at(record, M_AT)) - load<f64>(rest, 8);
  if (change > Math.PI) change -= 2 * Math.PI;
  else if (change < -Math.PI) change += 2 * Math.PI;
  store<f64>(gradient + H_CHANGE, change);
  const weight = bending * load<f64>(rest, 24);
  let rate: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    rate += load<f64>(gradient + k) * part(base, row0, k) + load<f64>(gradient + k, 32) * part(base, row1, k);
    rate += load<f64>(gradient + k, 64) * part(base, row2, k) + load<f64>(gradient + k, 96) * part(base, row3, k);
  }
  const slowing = viscous * weight * rate;
  pushHinge(right, row0, gradient, slowing);
  pushHinge(right, row1, gradient + 32, slowing);
  pushHinge(right, row2, gradient + 64, slowing);
  pushHinge(right, row3, gradient + 96, slowing);

  const scale = stiffness * weight;
  const slots = at(record, M_HINGE_SLOT) + 24 * e;
  addHingePair(record, load<i32>(slots), row0, row1, gradient, gradient + 32, scale);
  addHingePair(record, load<i32>(slots, 4), row0, row2, gradient, gradient + 64, scale);
  addHingePair(record, load<i32>(slots, 8), row0, row3, gradient, gradient + 96, scale);
  addHingePair(record, load<i32>(slots, 12), row1, row2, gradient + 32, gradient + 64, scale);
  addHingePair(record, load<i32>(slots, 16), row1, row3, gradient + 32, gradient + 96, scale);
  const opposite = load<i32>(slots, 20);
  addHingePair(record, opposite, row2, row3, gradient + 64, gradient + 96, scale);
  if (load<i32>(at(record, M_A_TO_L) + ((<usize>opposite) << 2)) >= 0) return;
  // What the factor has no place for: see factor.ts.
  addOuter(at(record, M_EXTRA) + row2 * BLOCK64, gradient + 64, gradient + 64, scale);
  addOuter(at(record, M_EXTRA) + row3 * BLOCK64, gradient + 96, gradient + 96, scale);
}

function addHingePair(record: usize, slot: i32, i: usize, j: usize, a: usize, b: usize, scale: f64): void {
  // Which is the row is anybody's guess: no branch.
  const isUpright = i > j;
  const row = select<usize>(a, b, isUpright);
  addOuter(at(record, M_BELOW) + <usize>slot * BLOCK64, row, a + b - row, scale);
}

function pushHinge(right: usize, row: usize, g: usize, moment: f64): void {
  deductRow(right, row, moment * load<f64>(g), moment * load<f64>(g, 8), moment * load<f64>(g, 16));
}

/** The angle at row0 to row3 [rad]; writes its gradient. */
function openHinge(gradient: usize, x: usize): f64 {
  const px = part(x, row0, 0);
  const py = part(x, row0, 8);
  const pz = part(x, row0, 16);
  const ex = part(x, row1, 0) - px;
  const ey = part(x, row1, 8) - py;
  const ez = part(x, row1, 16) - pz;
  const ux = part(x, row2, 0) - px;
  const uy = part(x, row2, 8) - py;
  const uz = part(x, row2, 16) - pz;
  const vx = part(x, row3, 0) - px;
  const vy = part(x, row3, 8) - py;
  const vz = part(x, row3, 16) - pz;
  const ax = ey * uz - ez * uy;
  const ay = ez * ux - ex * uz;
  const az = ex * uy - ey * ux;
  const bx = vy * ez - vz * ey;
  const by = vz * ex - vx * ez;
  const bz = vx * ey - vy * ex;
  const square = ex * ex + ey * ey + ez * ez;
  const length = sqrt<f64>(square);
  const least = LEAST_HINGE_HEIGHT * LEAST_HINGE_HEIGHT * square * square;
  const ofA = length / max<f64>(ax * ax + ay * ay + az * az, least);
  const ofB = length / max<f64>(bx * bx + by * by + bz * bz, least);
  const onA = (ux * ex + uy * ey + uz * ez) / square;
  const onB = (vx * ex + vy * ey + vz * ez) / square;
  setHinge(gradient, -(1 - onA) * ofA, -(1 - onB) * ofB, ax, ay, az, bx, by, bz);
  setHinge(gradient + 32, -onA * ofA, -onB * ofB, ax, ay, az, bx, by, bz);
  setHinge(gradient + 64, ofA, 0, ax, ay, az, bx, by, bz);
  setHinge(gradient + 96, 0, ofB, ax, ay, az, bx, by, bz);
  const sine = ((by * az - bz * ay) * ex + (bz * ax - bx * az) * ey + (bx * ay - by * ax) * ez) / length;
  return Math.atan2(sine, ax * bx + ay * by + az * bz);
}
