// modify-contacts: conveyor surfaces and the game's own rules, between find-contacts and the islands.
//
// In: active pairs with points that have PAIR_SURFACE or PAIR_MODIFIED. Out: PAIR_MATERIAL (friction, restitution,
// surface speed of B over A along the tangents), PAIR_DISABLED, points taken out or moved to spare slots
// (split-manifolds). All other pairs keep the material of their creation and are not even looked at while no body
// of the world asks for it. Material and filter are written anew each step: nothing of a modifier's is kept.

import { rotateVector } from '../math/quaternion';
import {
  PAIR_RESTITUTION,
  PAIR_SURFACE_ACROSS,
  PAIR_SURFACE_ALONG,
  POINT_GAP,
  pairPointAt,
} from '../state/contact-places';
import * as L from '../state/layout';
import { limitLength } from './bodies';
import { type ContactModifier, type ContactSheet, createContactSheet, SETTING_STRIDE } from './contact-view';
import type { Engine } from './engine';
import { copyPoint, createSplitManifolds, findSpareSlot, openSpareSlot, type SplitManifolds } from './split-manifolds';

/** One world's contact modifiers and what they work with. */
export interface ContactModification {
  /** In the order of the calls; replaced, never edited. */
  modifiers: readonly ContactModifier[];
  readonly sheet: ContactSheet;
  readonly split: SplitManifolds;
}

export function createContactModification(): ContactModification {
  return { modifiers: [], sheet: createContactSheet(), split: createSplitManifolds() };
}

/** Prepares the pairs in [from, to) of the active list. */
export function prepareContacts(engine: Engine, modification: ContactModification, from: number, to: number): void {
  if (engine.arena.i32[L.CUSTOM_BODY_COUNT >> 2] === 0) return;
  for (let i = from; i < to; i++) {
    // Looked up each time: a modifier may make tables grow.
    const { activeList, flags, points } = engine.tables.pairs;
    const pair = activeList[i];
    const bits = flags[pair];
    if (!(bits & (L.PAIR_SURFACE | L.PAIR_MODIFIED)) || bits & (L.PAIR_SENSOR | L.PAIR_SPARE)) continue;
    if (bits & L.PAIR_MODIFIED) {
      flags[pair] = bits & ~L.PAIR_DISABLED;
      engine.kernels.combineMaterial(pair);
    }
    if (points[pair] === 0) continue;
    if (bits & L.PAIR_MODIFIED && modification.modifiers.length > 0) modifyPair(engine, modification, pair);
    else if (bits & L.PAIR_SURFACE) {
      readSurfaces(engine, pair);
      writeSurfaceSpeed(engine, pair, surfaces, 0);
    }
  }
}

/** Surface velocities of A and of B, world axes [m/s]. */
const surfaces = new Float64Array(6);
/** The one less the other. */
const drift = new Float64Array(3);

function readSurfaces(engine: Engine, pair: number): void {
  const { bodies, pairs } = engine.tables;
  const a = 4 * pairs.bodyA[pair];
  const b = 4 * pairs.bodyB[pair];
  rotateVector(surfaces, 0, bodies.rotation, a, bodies.surfaceVelocity, a);
  rotateVector(surfaces, 3, bodies.rotation, b, bodies.surfaceVelocity, b);
}

/**
 * Speed of B's body over A's at which nothing slips: A's surface less B's, along the pair's
 * tangents; its bodies stay awake.
 */
function writeSurfaceSpeed(engine: Engine, pair: number, s: Float64Array, at: number): void {
  const { bodies, pairs } = engine.tables;
  const { normal, tangent, material } = pairs;
  const p = 4 * pair;
  for (let k = 0; k < 3; k++) drift[k] = s[at + k] - s[at + 3 + k];
  // As fast as bodies may be: the f32 sweeps lose their digits in more.
  limitLength(drift, 0, engine.arena.f64[L.MAXIMUM_SPEED >> 3]);
  const x = drift[0];
  const y = drift[1];
  const z = drift[2];
  const tx = tangent[p];
  const ty = tangent[p + 1];
  const tz = tangent[p + 2];
  material[p + PAIR_SURFACE_ALONG] = tx * x + ty * y + tz * z;
  material[p + PAIR_SURFACE_ACROSS] =
    (normal[p + 1] * tz - normal[p + 2] * ty) * x +
    (normal[p + 2] * tx - normal[p] * tz) * y +
    (normal[p] * ty - normal[p + 1] * tx) * z;
  if (x === 0 && y === 0 && z === 0) return;
  // However slow the belt, what lies on it must not fall asleep: their sleep timers start below 0.
  const timer = -2 * engine.settings.timeStep;
  bodies.damping[4 * pairs.bodyA[pair] + 3] = timer;
  bodies.damping[4 * pairs.bodyB[pair] + 3] = timer;
}

function modifyPair(engine: Engine, { modifiers, sheet, split }: ContactModification, pair: number): void {
  if (!fillSheet(engine, sheet, pair)) return;
  for (let i = 0; i < modifiers.length; i++) modifiers[i](sheet.view);
  const count = sheet.view.pointCount;
  let first = -1;
  let isUniform = true;
  for (let k = 0; k < count; k++) {
    if (sheet.enabled[k] === 0) isUniform = false;
    else if (first < 0) first = k;
    else if (!isSameSetting(sheet.settings, first, k)) isUniform = false;
  }
  if (first < 0) disablePair(engine, pair);
  else if (isUniform) writeSetting(engine, pair, sheet.settings, 0);
  else groupPoints(engine, sheet, split, pair, first);
}

/** Shows the pair; false if one of its entities is gone. */
function fillSheet(engine: Engine, { view, points, settings, enabled }: ContactSheet, pair: number): boolean {
  const { bodies, pairs } = engine.tables;
  const { point, normal, feature, material } = pairs;
  view.entityA = bodies.entity[pairs.bodyA[pair]];
  view.entityB = bodies.entity[pairs.bodyB[pair]];
  if (view.entityA === 0 || view.entityB === 0) return false;
  view.partA = partOf(engine, pairs.colliderA[pair]);
  view.partB = partOf(engine, pairs.colliderB[pair]);
  view.pointCount = pairs.points[pair];
  readSurfaces(engine, pair);
  for (let x = 0; x < 3; x++) view.normal[x] = normal[4 * pair + x];
  for (let k = 0; k < view.pointCount; k++) {
    const at = pairPointAt(pair, k);
    for (let x = 0; x < 3; x++) points[k].position[x] = point[at + x];
    points[k].gap = point[at + POINT_GAP];
    points[k].feature = feature[4 * pair + k];
    enabled[k] = 1;
    const setting = SETTING_STRIDE * k;
    settings[setting] = material[4 * pair];
    settings[setting + 1] = material[4 * pair + PAIR_RESTITUTION];
    for (let x = 0; x < 6; x++) settings[setting + 2 + x] = surfaces[x];
  }
  return true;
}

/** Place of a collider among the parts of its body's shape: the chain runs backwards. */
function partOf(engine: Engine, collider: number): number {
  const { next } = engine.tables.colliders;
  let part = 0;
  for (let c = next[collider]; c >= 0; c = next[c]) part++;
  return part;
}

function isSameSetting(settings: Float64Array, i: number, k: number): boolean {
  for (let x = 0; x < SETTING_STRIDE; x++) {
    if (settings[SETTING_STRIDE * i + x] !== settings[SETTING_STRIDE * k + x]) return false;
  }
  return true;
}

function writeSetting(engine: Engine, pair: number, settings: Float64Array, k: number): void {
  const { material } = engine.tables.pairs;
  const at = SETTING_STRIDE * k;
  material[4 * pair] = settings[at];
  material[4 * pair + PAIR_RESTITUTION] = settings[at + 1];
  writeSurfaceSpeed(engine, pair, settings, at + 2);
}

/** The pair keeps its points and carries nothing. */
function disablePair(engine: Engine, pair: number): void {
  const { arena, tables } = engine;
  tables.pairs.flags[pair] |= L.PAIR_DISABLED;
  tables.pairs.impulse.fill(0, pairPointAt(pair, 0), pairPointAt(pair + 1, 0));
  arena.i32[L.TOUCHING_COUNT >> 2]--;
  arena.i32[L.POINT_COUNT >> 2] -= tables.pairs.points[pair];
}

/** Slots of the groups of one manifold, and a point of each. */
const slots = new Int32Array(4);
const examples = new Int32Array(4);

/** Takes disabled points out; points set otherwise than the first enabled one move to spare slots. */
function groupPoints(engine: Engine, sheet: ContactSheet, split: SplitManifolds, pair: number, first: number): void {
  const { settings, enabled } = sheet;
  const count = sheet.view.pointCount;
  let groups = 1;
  let kept = 0;
  slots[0] = pair;
  examples[0] = first;
  writeSetting(engine, pair, settings, first);
  for (let k = 0; k < count; k++) {
    if (enabled[k] === 0) {
      engine.arena.i32[L.POINT_COUNT >> 2]--;
      continue;
    }
    let group = 0;
    while (group < groups && !isSameSetting(settings, examples[group], k)) group++;
    if (group === 0) {
      copyPoint(engine, pair, k, pair, kept++);
      continue;
    }
    if (group === groups) {
      slots[group] = findSpareSlot(engine, pair, group - 1);
      examples[group] = k;
      openSpareSlot(engine, split, pair, slots[group]);
      writeSetting(engine, slots[group], settings, k);
      groups++;
    }
    const { points } = engine.tables.pairs;
    copyPoint(engine, pair, k, slots[group], points[slots[group]]++);
  }
  engine.tables.pairs.points[pair] = kept;
}
