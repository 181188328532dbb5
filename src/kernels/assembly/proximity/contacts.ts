// Contacts of strands with strands and bodies: the call, and the table it writes.
//
// In: strands, nodes, colliders (find-pairs has placed them), the contacts of the last step. Out: NODE_CONTACT_*,
// ordered by feature, NODE_CONTACT_COUNT; before them the
// rows in which nothing is awake, as they were, NODE_CONTACT_ASLEEP. When the table is too small nothing is changed but
// MISSING_NODE_CONTACTS; TypeScript grows it and calls again (collision/strands).

import { DEEP_SOFTNESS } from '../../../core/elastic-constants';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_LINEAR_VELOCITY,
  BODY_ROTATION,
  BODY_SURFACE,
  BODY_SURFACE_VELOCITY,
  COLLIDER_BODY,
  COLLIDER_FLAGS,
  COLLIDER_FRICTION_RULE,
  COLLIDER_MATERIAL,
  MISSING_NODE_CONTACTS,
  MISSING_STRAND_PAIRS,
  NODE_CONTACT_ARM,
  NODE_CONTACT_ASLEEP,
  NODE_CONTACT_COUNT,
  NODE_CONTACT_DRIFT,
  NODE_CONTACT_FORCE,
  NODE_CONTACT_KEY,
  NODE_CONTACT_MATERIAL,
  NODE_CONTACT_NODE,
  NODE_CONTACT_NORMAL,
  NODE_CONTACT_SIDE,
  NODE_CONTACT_WEIGHT,
  NODE_MASS,
  NODE_STRAND,
  PRIMITIVE_BODY,
  PRIMITIVE_EDGE,
  ROD_EXTRA,
  ROD_PARAMETER,
  STRAND_ASLEEP_COUNT,
  STRAND_ROD,
} from '../../../state/layout';
import { DETECT_RETRY } from '../../../state/rod-layout';
import { isAsleep, isBodyAwake } from '../elastic/sleep';
import { dot3 } from '../math/vector';
import { cell, clear32, column, copy24, copy32, getI32, setCell } from '../memory';
import { combine, strongerRule } from '../narrow/combine';
import { forkRanges, RANGE_STRAND_ROWS } from '../threads/fork';
import { findBodyContacts } from './bodies';
import { hasRoom } from './candidates';
import { testCandidates, testMoved } from './filter';
import { isFresh, listFurther } from './further';
import {
  BODY_BIT,
  dropRepeated,
  EDGE_MASK,
  GAP,
  HIGH,
  hitCount,
  hitForce,
  LOW,
  matchHits,
  NORMAL,
  orderedHit,
  PLACE_BITS,
  PLACE_S,
  PLACE_T,
  POINT,
  readOld,
  sortHits,
  TIME,
} from './hits';
import { lookAtAll, movedCount } from './looks';
import { beginMeeting } from './pairs';
import { findCandidates, missingNear } from './walk';
import { append, beginWork, continuous, dt, hitCapacity, oldCount, setKept } from './work';

export { strandKeptSize, strandPassingSize } from './work';

/**
 * Finds all contacts of strands. `scratch` has strandKeptSize() bytes, STRAND_PASSING_ADDRESS is that of
 * strandPassingSize(capacity, …) more, `capacity` is the number of contacts there is room for; `timeStep` [s], 0: the
 * world's; `velocities` is the address of rows of four f64 per node, 0 for NODE_VELOCITY; contacts are made up to
 * `share` × the sum of radii; `question` has the bits of proximity/work; `still` is the share of its radius by which a
 * node's displacement may change before it is looked at again. A further look (DETECT_APPEND) along other velocities
 * finds in the scratch what the detection before it left, if nothing else has changed; where it lacks room it is called
 * again with DETECT_RETRY, and finds there what it left itself.
 */
export function findStrandContacts(
  scratch: usize,
  capacity: i32,
  timeStep: f64,
  velocities: usize,
  share: f64,
  question: i32,
  still: f64,
): void {
  beginWork(scratch, capacity, timeStep, velocities, share, question, still);
  setCell(MISSING_NODE_CONTACTS, 0);
  setCell(MISSING_STRAND_PAIRS, 0);
  const isFurther = append && continuous;
  if (isFurther) {
    if (!listFurther((question & DETECT_RETRY) != 0, true)) return;
    readOld();
    beginMeeting();
    if (isFresh) testCandidates();
    else if (movedCount > 0) testMoved();
  } else {
    // What is kept is good again when this call has come to its end.
    setKept(false);
    readOld();
    findCandidates(true);
    lookAtAll();
    setCell(MISSING_STRAND_PAIRS, missingNear);
    if (!hasRoom() || missingNear > 0) return;
  }
  if (movedCount > 0) findBodyContacts();
  const missing = hitCount + (append ? 0 : countResting()) - hitCapacity;
  setCell(MISSING_NODE_CONTACTS, max(0, missing));
  if (missing > 0) return;
  setKept(continuous);
  writeHits();
}

/** Whether nothing in a row of the last step is awake. */
function isResting(row: i32): bool {
  const side = column(NODE_CONTACT_SIDE) + ((<usize>row) << 4);
  if (!isAsleep(load<i32>(side))) return false;
  const other = load<i32>(side, 4);
  if (other >= 0) return isAsleep(other);
  return !isBodyAwake(getI32(column(COLLIDER_BODY), load<i32>(side, 8)));
}

function countResting(): i32 {
  if (cell(STRAND_ASLEEP_COUNT) == 0) return 0;
  let count = 0;
  for (let row = 0; row < oldCount; row++) if (isResting(row)) count++;
  return count;
}

/** Moves the rows in which nothing is awake to the start of the table; returns how many there are. */
function keepResting(): i32 {
  if (cell(STRAND_ASLEEP_COUNT) == 0) return 0;
  let kept = 0;
  for (let row = 0; row < oldCount; row++) {
    if (!isResting(row)) continue;
    if (row > kept) moveRow(kept, row);
    kept++;
  }
  return kept;
}

function moveRow(to: i32, from: i32): void {
  for (let k = 0; k < 3; k++) {
    const words = column(k == 0 ? NODE_CONTACT_NODE : k == 1 ? NODE_CONTACT_SIDE : NODE_CONTACT_KEY);
    v128.store(words + ((<usize>to) << 4), v128.load(words + ((<usize>from) << 4)));
  }
  copy32(row4(NODE_CONTACT_WEIGHT, to), row4(NODE_CONTACT_WEIGHT, from));
  copy32(row4(NODE_CONTACT_NORMAL, to), row4(NODE_CONTACT_NORMAL, from));
  copy32(row4(NODE_CONTACT_FORCE, to), row4(NODE_CONTACT_FORCE, from));
  copy32(row4(NODE_CONTACT_ARM, to), row4(NODE_CONTACT_ARM, from));
  copy32(row4(NODE_CONTACT_MATERIAL, to), row4(NODE_CONTACT_MATERIAL, from));
  copy32(row4(NODE_CONTACT_DRIFT, to), row4(NODE_CONTACT_DRIFT, from));
}

/** Writes what was found into the table, ordered by feature. */
function writeHits(): void {
  // Forces go over while the rows of the last step are still there.
  let count = 0;
  if (hitCount > 0) {
    sortHits();
    matchHits();
    count = dropRepeated();
  }
  let row = oldCount;
  if (!append) {
    row = keepResting();
    setCell(NODE_CONTACT_ASLEEP, row);
  }
  firstRow = row;
  if (ASC_FEATURE_THREADS) forkRanges(RANGE_STRAND_ROWS, count, ROW_GRAIN, 0);
  else writeRows(0, count);
  setCell(NODE_CONTACT_COUNT, row + count);
}

/** Hits that a thread writes at a time. */
const ROW_GRAIN: i32 = 1024;
let firstRow: i32 = 0;

/** Writes the hits `begin` to `end` in their order. */
export function writeRows(begin: i32, end: i32): void {
  for (let i = begin; i < end; i++) writeRow(firstRow + i, orderedHit(i));
}

function row4(cell: i32, row: i32): usize {
  return column(cell) + ((<usize>row) << 5);
}

/** Compliance of a contact that deep in a step of `dt`, of an edge of side A [m/N]. */
function giveOf(gap: f64, reach: f64, edge: i32): f64 {
  const depth = -gap - reach;
  if (!(depth > 0)) return 0;
  const masses = column(NODE_MASS) + ((<usize>edge) << 4);
  const mass = 0.5 * (load<f64>(masses) + load<f64>(masses, 16));
  return mass > 0 ? (DEEP_SOFTNESS * min(1.0, depth / reach) * dt * dt) / mass : 0;
}

function rodOf(edge: i32): i32 {
  return getI32(column(STRAND_ROD), getI32(column(NODE_STRAND), edge));
}

function parametersOf(rod: i32): usize {
  return column(ROD_PARAMETER) + ((<usize>rod) << 6);
}

function writeRow(row: i32, hit: usize): void {
  const low = load<i32>(hit, LOW);
  const high = load<i32>(hit, HIGH);
  const s = load<f64>(hit, PLACE_S);
  const node = column(NODE_CONTACT_NODE) + ((<usize>row) << 4);
  store<i32>(node, low);
  store<i32>(node, low + 1, 4);
  const weight = row4(NODE_CONTACT_WEIGHT, row);
  store<f64>(weight, 1 - s);
  store<f64>(weight, s, 8);
  const normal = row4(NODE_CONTACT_NORMAL, row);
  copy24(normal, hit + NORMAL);
  store<f64>(normal, load<f64>(hit, GAP), 24);
  const force = hitForce(hit);
  if (force == 0) clear32(row4(NODE_CONTACT_FORCE, row));
  else copy32(row4(NODE_CONTACT_FORCE, row), force);
  const side = column(NODE_CONTACT_SIDE) + ((<usize>row) << 4);
  store<i32>(side, getI32(column(NODE_STRAND), low));
  store<i32>(side, -1, 4);
  store<i32>(side, -1, 8);
  store<i32>(side, -1, 12);
  const key = column(NODE_CONTACT_KEY) + ((<usize>row) << 4);
  store<i32>(key, low);
  store<i32>(key, high, 4);
  store<i32>(key, PRIMITIVE_EDGE, 8);
  store<i32>(key, high & BODY_BIT ? PRIMITIVE_BODY : PRIMITIVE_EDGE, 12);
  clear32(row4(NODE_CONTACT_ARM, row));
  clear32(row4(NODE_CONTACT_DRIFT, row));
  const material = row4(NODE_CONTACT_MATERIAL, row);
  store<f64>(material, load<f64>(hit, TIME), 24);
  if (high & BODY_BIT) {
    store<i64>(node, -1, 8);
    clear16(weight + 16);
    const rod = rodOf(low);
    const soft = giveOf(load<f64>(hit, GAP), 2 * load<f64>(parametersOf(rod)), low);
    writeBodySide(row, (high & ~BODY_BIT) >> PLACE_BITS, rod, hit + POINT, hit + NORMAL, soft);
    return;
  }
  const other = (high & EDGE_MASK) >> 1;
  const t = load<f64>(hit, PLACE_T);
  store<i32>(side, getI32(column(NODE_STRAND), other), 4);
  store<i32>(node, other, 8);
  store<i32>(node, other + 1, 12);
  store<f64>(weight, t - 1, 16);
  store<f64>(weight, -t, 24);
  // Friction and cohesion by geometric mean; the compliance of two equal rods is their own.
  const rodA = rodOf(low);
  const rodB = rodOf(other);
  const a = parametersOf(rodA);
  const b = parametersOf(rodB);
  store<f64>(material, sqrt(load<f64>(a, 48) * load<f64>(b, 48)));
  store<f64>(material, sqrt(load<f64>(a, 56) * load<f64>(b, 56)), 8);
  const give = 0.5 * (load<f64>(row4(ROD_EXTRA, rodA), 16) + load<f64>(row4(ROD_EXTRA, rodB), 16));
  store<f64>(material, give + giveOf(load<f64>(hit, GAP), load<f64>(a) + load<f64>(b), low), 16);
}

function clear16(at: usize): void {
  store<f64>(at, 0);
  store<f64>(at, 0, 8);
}

/**
 * Side B is a body: collider, arm, material, and how fast the surface of a body without equations of its own moves.
 * `point` from its centre of mass, `normal`: addresses of three f64, world axes; `soft`: compliance beside the
 * material's [m/N].
 */
export function writeBodySide(row: i32, collider: i32, rod: i32, point: usize, normal: usize, soft: f64): void {
  const body = getI32(column(COLLIDER_BODY), collider);
  const flags = getI32(column(BODY_FLAGS), body);
  const dynamic = (flags & BODY_DYNAMIC) != 0;
  const side = column(NODE_CONTACT_SIDE) + ((<usize>row) << 4);
  store<i32>(side, collider, 8);
  store<i32>(side, dynamic ? body : -1, 12);
  const arm = row4(NODE_CONTACT_ARM, row);
  copy24(arm, point);
  const parameters = parametersOf(rod);
  const material = row4(NODE_CONTACT_MATERIAL, row);
  const mu = load<f64>(column(COLLIDER_MATERIAL) + ((<usize>collider) << 4));
  // A rod names no rule: the body's counts.
  const rule = strongerRule(0, getI32(column(COLLIDER_FLAGS), collider) >> COLLIDER_FRICTION_RULE);
  store<f64>(material, combine(rule, load<f64>(parameters, 48), mu));
  store<f64>(material, load<f64>(parameters, 56), 8);
  const give = load<f64>(row4(ROD_EXTRA, rod), 16);
  store<f64>(material, give + soft, 16);
  let vx: f64 = 0;
  let vy: f64 = 0;
  let vz: f64 = 0;

  if (!dynamic) {
    const v = row4(BODY_LINEAR_VELOCITY, body);
    const w = row4(BODY_ANGULAR_VELOCITY, body);
    const x = load<f64>(arm);
    const y = load<f64>(arm, 8);
    const z = load<f64>(arm, 16);
    vx = load<f64>(v) + load<f64>(w, 8) * z - load<f64>(w, 16) * y;
    vy = load<f64>(v, 8) + load<f64>(w, 16) * x - load<f64>(w) * z;
    vz = load<f64>(v, 16) + load<f64>(w) * y - load<f64>(w, 8) * x;
  }

  if (flags & BODY_SURFACE) {
    // A conveyor's surface runs along itself: the part across is dropped.
    const q = row4(BODY_ROTATION, body);
    const qx = load<f64>(q);
    const qy = load<f64>(q, 8);
    const qz = load<f64>(q, 16);
    const qw = load<f64>(q, 24);
    const b = row4(BODY_SURFACE_VELOCITY, body);
    const bx = load<f64>(b);
    const by = load<f64>(b, 8);
    const bz = load<f64>(b, 16);
    const tx = 2 * (qy * bz - qz * by);
    const ty = 2 * (qz * bx - qx * bz);
    const tz = 2 * (qx * by - qy * bx);
    const sx = bx + qw * tx + qy * tz - qz * ty;
    const sy = by + qw * ty + qz * tx - qx * tz;
    const sz = bz + qw * tz + qx * ty - qy * tx;
    const nx = load<f64>(normal);
    const ny = load<f64>(normal, 8);
    const nz = load<f64>(normal, 16);
    const across = dot3(sx, sy, sz, nx, ny, nz);
    vx += sx - across * nx;
    vy += sy - across * ny;
    vz += sz - across * nz;
  }
  const drift = row4(NODE_CONTACT_DRIFT, row);
  store<f64>(drift, -vx);
  store<f64>(drift, -vy, 8);
  store<f64>(drift, -vz, 16);
}
