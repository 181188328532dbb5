// What addRod and addGroom have in common: the material and contact part of their specs, checked, and the entity made.

import { addEntity, entityExists, hasComponent } from 'bitecs';
import { written } from '../components/columns';
import { refuse, refuseKey, requireBits, requireFlag, requireVector, UsageError } from '../src/core/errors';
import { FARTHEST } from '../src/dynamics/bodies';
import type { RodBackend } from '../src/dynamics/elastic/rows';
import { findPolylineFault } from '../src/geometry/polyline';
import * as L from '../src/state/layout';
import { ROD_NUMBER_NAMES, type RodMaterial, resolveRodMaterial } from '../src/state/rod-material';
import type { StrandRest } from '../src/state/strand-rest';
import { addSafely } from './ecs-changes';
import { noteBirth } from './entity-lives';
import { type Physics, refuseEntity } from './physics';
import type { Vector } from './rigid-body';
import { ROD_MODULES } from './rod-systems';
import { addModules } from './step-modules';
import { warnOfModulus, warnOnce } from './warnings';

/** Most nodes of all rods and grooms of a world. */
export const MOST_NODES = 2_000_000;
/** Points of a rod whose two clamps share none. */
const FREE_ENDS = 4;

/** Material, clamps and contact filter of a rod or groom. Every number has the default of human hair. */
export interface RodOptions extends Partial<RodMaterial> {
  /** Whether strands of this rod or groom touch each other and themselves. Default true. */
  selfContact?: boolean;
  /** Whether strands at rest fall asleep, as bodies do. Default true. */
  canSleep?: boolean;
  /**
   * Holds position, tangent and twist of the first edge. Default false for a rod, true
   * for a groom; true with attachStart.
   */
  clampStart?: boolean;
  /** Holds the last edge. Default false; true with attachEnd. */
  clampEnd?: boolean;
  /** Entity of the body that the clamp of the start follows. Default the world. */
  attachStart?: number;
  /** Entity of the body that the clamp of the end follows. Default the world. */
  attachEnd?: number;
  /** Layers the strands are in, 16 bits. Default 1. */
  layers?: number;
  /** Layers they collide with, 16 bits. Default all. */
  mask?: number;
  /** Of every node at first [m/s]. Default rest. */
  velocity?: Vector;
  /**
   * Where it is advanced in a world with `enableGpuStrands`. 'auto' (default): a groom on the device, a single rod on
   * wasm. 'webgpu': there, where it pushes bodies two steps late; refused for what joins two things of which one is a
   * body that moves freely. 'wasm': never there. Without a device all are on wasm.
   */
  backend?: RodBackend;
}

export const OPTION_KEYS: readonly string[] = [
  ...ROD_NUMBER_NAMES,
  'selfContact',
  'canSleep',
  'clampStart',
  'clampEnd',
  'attachStart',
  'attachEnd',
  'layers',
  'mask',
  'velocity',
  'backend',
];

const BACKENDS: readonly unknown[] = ['auto', 'wasm', 'webgpu'];

/** The shape of all strands, flat. */
export interface StrandShapes {
  counts: ArrayLike<number>;
  points: ArrayLike<number>;
  rest: ArrayLike<number>;
  twist: ArrayLike<number> | null;
  restTwist: ArrayLike<number> | null;
  along: StrandRest | null;
}

export function requireKnownKeys(where: string, spec: unknown, known: readonly string[]): void {
  if (typeof spec !== 'object' || spec === null) refuse(where, 'spec must be an object', spec);
  for (const key of Object.keys(spec)) if (!known.includes(key)) refuseKey(where, key, known);
}

/** Refuses more nodes than a world may hold. */
export function requireRoom(physics: Physics, where: string, nodes: number): void {
  const { engine, rods } = physics.internal;
  const all = engine.arena.i32[L.NODE_COUNT >> 2] + rods.pendingNodes + nodes;
  if (all > MOST_NODES) refuse(where, `points of all rods must be at most ${MOST_NODES}`, all);
}

/** Refuses points that are no centre line or too far out. `name` says which point: a function of strand and point. */
export function requireCentreLine(
  where: string,
  points: ArrayLike<number>,
  counts: ArrayLike<number>,
  name: (strand: number, point: number) => string,
): void {
  let first = 0;
  for (let s = 0; s < counts.length; s++) {
    const fault = findPolylineFault(points, first, counts[s]);
    if (fault) throw new UsageError(`${where}: ${name(s, fault.point)} ${fault.expectation}, got ${fault.got}`);
    for (let k = 3 * first; k < 3 * (first + counts[s]); k++) {
      if (Math.abs(points[k]) > FARTHEST) {
        refuse(where, `${name(s, Math.floor(k / 3) - first)} must be within ±${FARTHEST} [m]`, points[k]);
      }
    }
    first += counts[s];
  }
}

/** Entity of a body of this world, or 0 for none. */
export function requireBody(physics: Physics, where: string, name: string, eid: unknown): number {
  if (eid === undefined || eid === null) return 0;
  const { world, components } = physics;
  const isBody =
    typeof eid === 'number' &&
    Number.isInteger(eid) &&
    entityExists(world, eid) &&
    hasComponent(world, eid, components.RigidBody);
  if (!isBody) refuseEntity(physics, where, `${name} must be the entity of a rigid body of this world`, eid);
  return eid as number;
}

/** A radius in millimetres, and a modulus in GPa. */
function warnOfUnits(physics: Physics, where: string, material: RodMaterial, { points, counts }: StrandShapes): void {
  warnOfModulus(physics, where, material.youngModulus);
  let length = 0;
  for (let i = 3; i < 3 * counts[0]; i += 3) {
    const [x, y, z] = [points[i] - points[i - 3], points[i + 1] - points[i - 2], points[i + 2] - points[i - 1]];
    length += Math.sqrt(x * x + y * y + z * z);
  }
  const { radius } = material;
  if (radius <= length) return;
  const text = `${where}: radius must be in metres, got ${radius} for a rod of ${Number(length.toPrecision(3))} m`;
  warnOnce(physics, 'radius', `${text}; were millimetres meant?`);
}

/**
 * Checks the options and adds the entity with its component; its rows are made at the next copy-in. Shapes are
 * taken over: nobody may write to them afterwards.
 */
export function addStrands(
  physics: Physics,
  where: string,
  options: RodOptions,
  isGroom: boolean,
  shapes: StrandShapes,
): number {
  const material = resolveRodMaterial(where, options);
  warnOfUnits(physics, where, material, shapes);
  const attachStart = requireBody(physics, where, 'attachStart', options.attachStart);
  const attachEnd = requireBody(physics, where, 'attachEnd', options.attachEnd);
  const clampStart = requireClamp(where, 'Start', options.clampStart, attachStart, isGroom);
  const clampEnd = requireClamp(where, 'End', options.clampEnd, attachEnd, false);
  const selfContact = requireFlag(where, 'selfContact', options.selfContact ?? true);
  const canSleep = requireFlag(where, 'canSleep', options.canSleep ?? true);
  const layers = requireBits(where, 'layers', options.layers ?? 1);
  const mask = requireBits(where, 'mask', options.mask ?? 0xffff);
  const velocity = requireVector(where, 'velocity', options.velocity ?? [0, 0, 0], 3, 'm/s');
  if (velocity.some((x) => Math.abs(x) > 1000))
    refuse(where, 'velocity must be at most 1000 [m/s] along an axis', velocity);

  if (clampStart && clampEnd && attachStart !== attachEnd) {
    for (let s = 0; s < shapes.counts.length; s++) {
      if (shapes.counts[s] >= FREE_ENDS) continue;
      const what = isGroom ? `strand ${s}` : 'the rod';
      refuse(where, `${what} must have at least ${FREE_ENDS} points to be clamped to two bodies`, shapes.counts[s]);
    }
  }

  const backend = options.backend ?? 'auto';
  if (!BACKENDS.includes(backend)) refuse(where, "backend must be 'auto', 'wasm' or 'webgpu'", backend);

  if (backend === 'webgpu' && clampStart && clampEnd && attachStart !== attachEnd) {
    for (const body of [attachStart, attachEnd]) {
      if (body === 0 || !isDynamic(physics, body)) continue;
      refuse(
        where,
        `backend must be 'auto' or 'wasm' for a rod that holds entity ${body}, which moves freely`,
        backend,
      );
    }
  }

  const nodes = shapes.points.length / 3;
  requireRoom(physics, where, nodes);

  const { world, components, internal } = physics;
  const columns = isGroom ? components.Groom : components.Rod;
  const eid = addEntity(world);
  noteBirth(physics, eid);
  const numbers = ROD_NUMBER_NAMES.map((name) => material[name]);

  const definition = {
    entity: eid,
    isGroom,
    selfContact,
    canSleep,
    backend,
    layers,
    mask,
    parameter: numbers.slice(0, 8),
    extra: numbers.slice(8),
    ...shapes,
    velocity,
    clampStart,
    clampEnd,
    attachStart: -1,
    attachEnd: -1,
  };

  addModules(internal, ROD_MODULES);
  internal.rods.pending.set(eid, { definition, attachStart, attachEnd });
  internal.rods.pendingNodes += nodes;
  if (!addSafely(world, eid, columns)) return eid;
  for (const name of ROD_NUMBER_NAMES) columns[name][eid] = material[name];
  written(columns).strandCount[eid] = shapes.counts.length;
  written(columns).nodeCount[eid] = nodes;
  return eid;
}

function isDynamic({ world, components: { Static, Kinematic } }: Physics, body: number): boolean {
  return !hasComponent(world, body, Static) && !hasComponent(world, body, Kinematic);
}

function requireClamp(where: string, end: string, given: unknown, body: number, byDefault: boolean): boolean {
  const clamp = requireFlag(where, `clamp${end}`, given ?? (body !== 0 || byDefault));
  if (body !== 0 && !clamp) refuse(where, `clamp${end} must be true where attach${end} is given`, clamp);
  return clamp;
}
