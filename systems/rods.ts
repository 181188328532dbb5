// The calls a game makes on rods. All check their input and throw UsageError: where, expected, got.

import { entityExists, hasComponent, removeEntity } from 'bitecs';
import { refuse, refuseAs, requireFinite, requireVector } from '../src/core/errors';
import { FARTHEST } from '../src/dynamics/bodies';
import { holdEnd, isClamped, placeClamp, releaseEnd } from '../src/dynamics/elastic/clamp-rows';
import { touchRod } from '../src/dynamics/elastic/touch-strands';
import { normalizeQuaternion } from '../src/math/quaternion';
import { clampAt } from '../src/state/clamp-places';
import * as L from '../src/state/layout';
import { AIR_DRAG } from '../src/state/material-places';
import { REFERENCE_TWIST, TWIST } from '../src/state/node-places';
import { strandChanges } from '../src/state/strand-changes';
import type { StrandRest } from '../src/state/strand-rest';
import type { SagFreeOptions } from '../src/static-equilibrium/sag-free-options';
import { bakeAdded, keepOutcome } from './bake-options';
import { makePending } from './entities';
import { isGoing } from './entity-lives';
import { type Physics, refuseEntity, requirePhysics } from './physics';
import { slotOf, type Vector } from './rigid-body';
import {
  addStrands,
  MOST_NODES,
  OPTION_KEYS,
  type RodOptions,
  requireBody,
  requireCentreLine,
  requireKnownKeys,
} from './rod-spec';
import { readStrandRest } from './strand-rest';
import { warnOfDegrees } from './warnings';

/** Points [m]: a list of [x, y, z], or flat numbers x y z x y z …. */
export type Points = ArrayLike<number> | ArrayLike<ArrayLike<number>>;

/** An end of a rod. */
export type RodEnd = 'start' | 'end';

export interface RodSpec extends RodOptions {
  /** Centre line, at least 2 points, each at least 1e-7 m from the one before, none leading straight back [m]. */
  points: Points;
  /** The shape without stress, as many points. Default `points`. */
  restPoints?: Points;
  /**
   * Angle of each edge's material about the edge, beyond the twist-free state [rad]; one number an edge. Default none.
   */
  twist?: ArrayLike<number>;
  /** The same in the shape without stress. Default none. */
  restTwist?: ArrayLike<number>;
  /** Rest lengths, curvatures, twists and stiffness that differ along the rod; arrays with an entry for each point. */
  rest?: StrandRest;
  /**
   * Finds rest shape and stiffness such that the points are a stable equilibrium under the world's gravity: the rod
   * stays as drawn. Its start must be clamped. Needs `enableSagFree`. Default false.
   */
  sagFree?: boolean | SagFreeOptions;
}

const KEYS = ['points', 'restPoints', 'twist', 'restTwist', 'rest', 'sagFree', ...OPTION_KEYS];

/**
 * Adds an entity with Rod: an elastic rod along the points, at rest. It may start bent, in contact or in penetration.
 * Its rows are made at the next step, or call that asks for them. Throws UsageError on wrong input, before
 * anything is added: `addRod: radius must be > 0 [m], got -0.1`.
 */
export function addRod(physics: Physics, spec: RodSpec): number {
  const where = 'addRod';
  requirePhysics(physics, where);
  requireKnownKeys(where, spec, KEYS);
  const points = readPoints(where, 'points', spec.points);
  const count = points.length / 3;
  const rest = spec.restPoints === undefined ? points : readPoints(where, 'restPoints', spec.restPoints);
  if (rest.length !== points.length) {
    refuse(where, `restPoints must be as many as points, ${count}`, rest.length / 3);
  }
  requireCentreLine(where, points, [count], (_strand, point) => `points[${point}]`);
  if (rest !== points) requireCentreLine(where, rest, [count], (_strand, point) => `restPoints[${point}]`);
  const twist = readTwist(where, 'twist', spec.twist, count);
  const restTwist = readTwist(where, 'restTwist', spec.restTwist, count);
  let along = readStrandRest(where, 'rest', spec.rest, [count], false);
  if (along?.curvatures && rest !== points)
    refuseAs(where, 'rest.curvatures must not be given with restPoints', 'both');
  if (along?.twists && restTwist) refuseAs(where, 'rest.twists must not be given with restTwist', 'both');
  let outcome: Float64Array | null = null;
  const { sagFree = false } = spec;
  if (sagFree !== false) {
    for (const key of ['restPoints', 'twist', 'restTwist', 'rest'] as const) {
      if (spec[key] !== undefined) refuseAs(where, `sagFree must not be given with ${key}`, 'both');
    }
    if (count < 3) refuse(where, 'points must be at least 3 with sagFree', count);
    const baked = bakeAdded(physics, where, { counts: [count], positions: points }, spec, false, sagFree);
    along = readStrandRest(where, 'sagFree', baked.rest, [count], false);
    outcome = baked.outcome;
  }
  const eid = addStrands(physics, where, spec, false, { counts: [count], points, rest, twist, restTwist, along });
  keepOutcome(physics, eid, outcome);
  return eid;
}

/** Flat copy of at least two points. */
function readPoints(where: string, name: string, given: unknown): Float64Array {
  const list = given as ArrayLike<unknown> | null;
  if (typeof list !== 'object' || list === null || !Number.isSafeInteger(list.length)) {
    refuse(where, `${name} must be a list of points [m]`, given);
  }
  if (list.length > 0 && typeof list[0] === 'number') {
    if (list.length % 3 !== 0) refuseAs(where, `${name} must be 3 numbers a point [m]`, `${list.length} numbers`);
    requireCount(where, name, list.length / 3);
    for (let k = 0; k < list.length; k++) requireFinite(where, `${name}[${k}]`, list[k], 'm');
    return Float64Array.from(list as ArrayLike<number>);
  }
  requireCount(where, name, list.length);
  const out = new Float64Array(3 * list.length);
  for (let i = 0; i < list.length; i++) out.set(requireVector(where, `${name}[${i}]`, list[i], 3, 'm'), 3 * i);
  return out;
}

function requireCount(where: string, name: string, count: number): void {
  if (count < 2) refuse(where, `${name} must have at least 2 points`, count);
  if (count > MOST_NODES) refuse(where, `${name} must have at most ${MOST_NODES} points`, count);
}

/** One angle a node, the last idle; null for none. */
function readTwist(where: string, name: string, given: unknown, count: number): Float64Array | null {
  if (given === undefined) return null;
  const out = new Float64Array(count);
  const angles = requireVector(where, name, given, count - 1, 'rad');
  for (let i = 0; i < count - 1; i++) {
    if (Math.abs(angles[i]) > 1e6) refuse(where, `${name}[${i}] must be within ±1e6 [rad]`, angles[i]);
    out[i] = angles[i];
  }
  return out;
}

/**
 * Removes the entity with its rod or groom: there is no `removeGroom`. Allowed at any time; an entity already gone is
 * left alone.
 */
export function removeRod(physics: Physics, eid: number): void {
  requirePhysics(physics, 'removeRod');
  requireEntity('removeRod', eid);
  const { world, components } = physics;
  if (!entityExists(world, eid) || isGoing(physics, eid)) return;
  if (!hasComponent(world, eid, components.Rod) && !hasComponent(world, eid, components.Groom)) {
    refuse('removeRod', 'entity must be a rod or groom of this world', eid);
  }
  removeEntity(world, eid);
}

function requireEntity(where: string, eid: unknown): void {
  if (typeof eid !== 'number' || !Number.isInteger(eid)) refuse(where, 'entity must be an entity id', eid);
}

/** Slot of an entity's rod or groom; what waits to be made is made first. */
export function rodSlotOf(physics: Physics, eid: number, where: string): number {
  requirePhysics(physics, where);
  requireEntity(where, eid);
  makePending(physics);
  const { slotOf: slots, pending, meshes } = physics.internal.rods;
  const slot = meshes.has(eid) ? -1 : (slots[eid] ?? -1);
  if (slot < 0) {
    const expectation = 'entity must be a rod or groom of this world';
    if (pending.has(eid)) refuseAs(where, expectation, `${eid}, which is made after this step`);
    refuseEntity(physics, where, expectation, eid);
  }
  return slot;
}

/** Node of a rod: a number from its first node, or an end (of a groom: of its first, last strand). */
export function requireNode(physics: Physics, where: string, slot: number, node: unknown): number {
  const count = physics.internal.engine.tables.rods.nodeCount[slot];
  if (node === 'start') return 0;
  if (node === 'end') return count - 1;
  if (typeof node !== 'number' || !Number.isInteger(node) || node < 0 || node >= count) {
    refuse(where, `node must be a whole number 0..${count - 1}, 'start' or 'end'`, node);
  }
  return node;
}

/** Where a clamp shall be. */
export interface ClampPose {
  /** Of the clamped node [m]. Default where it is now. */
  position?: Vector;
  /**
   * Quaternion that turns the clamped edge and its twist from where they were when the clamp was made. Default none.
   */
  rotation?: Vector;
  /** Body that the clamp follows from now on, from where it is now; null holds it in the world from now on. */
  follow?: number | null;
}

/**
 * Moves, makes or, with null, releases the clamp of an end. The pose is reached exactly at the end of the next
 * step and kept until the next call: call it every step for a scripted motion. An end that is free is clamped where it
 * is first. `strand` chooses a strand of a groom; without it, all its strands (follow and release only). Throws
 * UsageError for a pose of a clamp that follows a body (move the body), and where clamps of one rod would contradict.
 */
export function setClamp(physics: Physics, eid: number, end: RodEnd, pose: ClampPose | null, strand?: number): void {
  const where = 'setClamp';
  if (end !== 'start' && end !== 'end') refuse(where, "end must be 'start' or 'end'", end);
  if (typeof pose !== 'object') refuse(where, 'pose must be an object or null', pose);
  if (pose !== null) requireKnownKeys(where, pose, ['position', 'rotation', 'follow']);
  const slot = rodSlotOf(physics, eid, where);
  const { tables } = physics.internal.engine;
  const { rods, strands } = tables;
  const count = rods.strandCount[slot];
  if (strand !== undefined && !(Number.isInteger(strand) && strand >= 0 && strand < count)) {
    refuse(where, `strand must be a whole number 0..${count - 1}`, strand);
  }
  const side = end === 'start' ? 0 : 1;
  const from = rods.strandStart[slot] + (strand ?? 0);
  const to = strand === undefined ? from + count : from + 1;
  if (pose === null) {
    for (let s = from; s < to; s++) releaseEnd(tables, s, side);
    return;
  }
  const position = pose.position === undefined ? null : requireVector(where, 'position', pose.position, 3, 'm');
  if (position?.some((x) => Math.abs(x) > FARTHEST))
    refuse(where, `position must be within ±${FARTHEST} [m]`, position);
  const rotation = pose.rotation === undefined ? null : requireTurn(physics, where, pose.rotation);
  const isPlaced = position !== null || rotation !== null;
  if (isPlaced && pose.follow !== undefined && pose.follow !== null) {
    refuseAs(where, 'position and rotation must not be given with a body to follow', 'both');
  }
  if (isPlaced && to > from + 1) refuse(where, 'strand must be given to place a clamp of a groom', strand);
  const body = pose.follow ? slotOf(physics, requireBody(physics, where, 'follow', pose.follow), where) : -1;

  // Everything is checked before anything is changed.
  for (let s = from; s < to; s++)
    requireAgreement(physics, where, s, side, isPlaced, pose.follow === undefined ? null : body);
  for (let s = from; s < to; s++) {
    const held = isClamped(tables, s, side);
    if (!held || pose.follow !== undefined) holdEnd(tables, s, side, body);
    if (!isPlaced) continue;
    placeClamp(
      tables,
      s,
      side,
      position ?? strands.clamp.slice(clampAt(s, side), clampAt(s, side) + 3),
      rotation ?? UPRIGHT,
    );
  }
}

const UPRIGHT = [0, 0, 0, 1];

function requireTurn(physics: Physics, where: string, value: Vector): Float64Array {
  const q = Float64Array.from(requireVector(where, 'rotation', value, 4));
  if (q.every((x) => x === 0)) refuse(where, 'rotation must not be zero', value);
  warnOfDegrees(physics, `${where}: rotation`, q);
  normalizeQuaternion(q, 0, q, 0);
  return q;
}

/** Refuses to place a clamp that follows a body, and to move two clamps apart that share a node. */
function requireAgreement(
  physics: Physics,
  where: string,
  strand: number,
  side: number,
  isPlaced: boolean,
  follow: number | null,
): void {
  const { tables } = physics.internal.engine;
  const { attach, nodes } = tables.strands;
  const held = isClamped(tables, strand, side);
  const holder = follow ?? (held ? attach[2 * strand + side] : -1);
  if (isPlaced && holder >= 0)
    refuseAs(
      where,
      'a clamp that is placed must be held by the world (move the body instead)',
      'one that follows a body',
    );
  if (nodes[strand] >= 4 || !isClamped(tables, strand, 1 - side)) return;
  if (isPlaced || attach[2 * strand + 1 - side] !== holder) {
    refuse(where, 'a strand clamped at both ends must have at least 4 points to move one of them', nodes[strand]);
  }
}

/** Wakes all strands of a rod or groom, and everything they rest with. */
export function wakeRod(physics: Physics, eid: number): void {
  const slot = rodSlotOf(physics, eid, 'wakeRod');
  const { tables } = physics.internal.engine;
  touchRod(tables, slot);
  strandChanges(tables).wakings++;
}

/**
 * Adds a force [N], world axes, on a node for the next step, and a moment about the edge that starts there [N·m].
 * In a system: before 'predict-motion'.
 */
export function addRodForce(physics: Physics, eid: number, node: number | RodEnd, force: Vector, moment = 0): void {
  const where = 'addRodForce';
  const f = requireVector(where, 'force', force, 3, 'N');
  requireFinite(where, 'moment', moment, 'N·m');
  const slot = rodSlotOf(physics, eid, where);
  const { tables } = physics.internal.engine;
  const { rods, nodes } = tables;
  const at = 4 * (rods.nodeStart[slot] + requireNode(physics, where, slot, node));
  strandChanges(tables).forces++;
  for (let k = 0; k < 3; k++) nodes.force[at + k] += f[k];
  nodes.force[at + TWIST] += moment;
}

/**
 * Sets the velocity of the air [m/s], world axes; it pulls on rods, grooms and shells with airDrag > 0. Kept until set
 * again.
 */
export function setWind(physics: Physics, velocity: Vector): void {
  requirePhysics(physics, 'setWind');
  const v = requireVector('setWind', 'velocity', velocity, 3, 'm/s');
  if (v.some((x) => Math.abs(x) > 1000)) refuse('setWind', 'velocity must be at most 1000 [m/s] along an axis', v);
  const { arena, tables } = physics.internal.engine;
  const wind = arena.f64.subarray(L.WIND >> 3, (L.WIND >> 3) + 3);
  if (v.every((x, k) => x === wind[k])) return;
  wind.set(v);
  const { flags, extra } = tables.rods;
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if (flags[rod] & L.ROD_ALIVE && extra[4 * rod + AIR_DRAG] > 0) touchRod(tables, rod);
  }
}

/** Positions of a rod's or groom's nodes after the last step, three numbers a node [m]; into `out` where given. */
export function rodPositions(physics: Physics, eid: number, out?: Float64Array): Float64Array {
  const slot = rodSlotOf(physics, eid, 'rodPositions');
  physics.internal.rods.source?.want();
  const { rods, nodes } = physics.internal.engine.tables;
  const count = rods.nodeCount[slot];
  const result = requireOut('rodPositions', out, 3 * count);
  const first = 4 * rods.nodeStart[slot];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) result[3 * i + k] = nodes.position[first + 4 * i + k];
  }
  return result;
}

/** Velocities likewise [m/s]. */
export function rodVelocities(physics: Physics, eid: number, out?: Float64Array): Float64Array {
  const slot = rodSlotOf(physics, eid, 'rodVelocities');
  physics.internal.rods.source?.want();
  const { rods, nodes } = physics.internal.engine.tables;
  const count = rods.nodeCount[slot];
  const result = requireOut('rodVelocities', out, 3 * count);
  const first = 4 * rods.nodeStart[slot];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) result[3 * i + k] = nodes.velocity[first + 4 * i + k];
  }
  return result;
}

/**
 * Twist between the edges at each node [rad], one number a node: angle of the outgoing edge's material to the
 * incoming one's, carried over without twist; 0 at the ends of a strand.
 */
export function rodTwists(physics: Physics, eid: number): Float64Array {
  const slot = rodSlotOf(physics, eid, 'rodTwists');
  physics.internal.rods.source?.want();
  const { rods, strands, nodes } = physics.internal.engine.tables;
  const start = rods.nodeStart[slot];
  const out = new Float64Array(rods.nodeCount[slot]);
  for (let s = rods.strandStart[slot]; s < rods.strandStart[slot] + rods.strandCount[slot]; s++) {
    const first = strands.first[s];
    for (let i = first + 1; i < first + strands.nodes[s] - 1; i++) {
      out[i - start] =
        nodes.position[4 * i + TWIST] - nodes.position[4 * (i - 1) + TWIST] + nodes.frame[4 * i + REFERENCE_TWIST];
    }
  }
  return out;
}

function requireOut(where: string, out: unknown, length: number): Float64Array {
  if (out === undefined) return new Float64Array(length);
  if (!(out instanceof Float64Array) || out.length < length) {
    refuse(where, `out must be a Float64Array of at least ${length}`, out);
  }
  return out;
}
