// Worlds with rods for validation and conformance: rods are made through their rows, bodies through the public face.

import { createWorld } from 'bitecs';
import { createAttachment } from '../../src/dynamics/elastic/attachment-rows';
import { createRod, type RodDefinition } from '../../src/dynamics/elastic/rows';
import { addRigidBody, createPhysics, type Physics, type PhysicsSettings } from '../../src/index';
import * as L from '../../src/state/layout';
import { strandChanges } from '../../src/state/strand-changes';
import type { StrandRest } from '../../src/state/strand-rest';
import type { Tables } from '../../src/state/tables';
import { ROD_MODULES } from '../../systems/rod-systems';
import { addModules } from '../../systems/step-modules';

export interface RodWorld {
  physics: Physics;
  tables: Tables;
}

export function createRodWorld(settings: PhysicsSettings = {}): RodWorld {
  const physics = createPhysics(createWorld(), { sleeping: false, userTiming: false, ...settings });
  return { physics, tables: physics.internal.engine.tables };
}

export interface RodSpec {
  points: number[][];
  /** Shape at rest; default `points`. */
  rest?: number[][];
  radius?: number;
  density?: number;
  young?: number;
  shear?: number;
  stretch?: number;
  damping?: number;
  friction?: number;
  cohesion?: number;
  compliance?: number;
  gravityScale?: number;
  airDrag?: number;
  selfContact?: boolean;
  velocity?: number[];
  clampStart?: boolean;
  clampEnd?: boolean;
  attachStart?: number;
  attachEnd?: number;
  along?: StrandRest;
  /** Vertices of each strand; default one strand. */
  counts?: number[];
}

/** A rod, or a groom of several strands; returns its first node. */
export function addStrands({ physics }: RodWorld, spec: RodSpec): number {
  const young = spec.young ?? 1e6;
  const points = spec.points.flat();
  const definition: RodDefinition = {
    entity: 0,
    isGroom: (spec.counts?.length ?? 1) > 1,
    selfContact: spec.selfContact ?? true,
    canSleep: true,
    layers: 1,
    mask: 0xffff,
    parameter: [
      spec.radius ?? 0.01,
      spec.density ?? 1000,
      young,
      spec.shear ?? young / 3,
      spec.stretch ?? young,
      spec.damping ?? 0.001,
      spec.friction ?? 0.5,
      spec.cohesion ?? 0,
    ],
    extra: [spec.gravityScale ?? 1, spec.airDrag ?? 0, spec.compliance ?? 0],
    counts: spec.counts ?? [spec.points.length],
    points,
    rest: spec.rest ? spec.rest.flat() : points,
    velocity: spec.velocity ?? [0, 0, 0],
    clampStart: spec.clampStart ?? false,
    clampEnd: spec.clampEnd ?? false,
    attachStart: spec.attachStart ?? -1,
    attachEnd: spec.attachEnd ?? -1,
    twist: null,
    restTwist: null,
    along: spec.along ?? null,
  };
  const { engine } = physics.internal;
  // What addRod does for its world.
  addModules(physics.internal, ROD_MODULES);
  // Making it may put another array in the column's place.
  const rod = createRod(engine, definition);
  return engine.tables.rods.nodeStart[rod];
}

/** A body by its spec; returns its entity and slot. */
export function addBody(
  { physics }: RodWorld,
  spec: Parameters<typeof addRigidBody>[1],
): { eid: number; slot: number } {
  const eid = addRigidBody(physics, spec);
  physics.hash(); // makes the bodies that wait to be made
  return { eid, slot: physics.internal.slotOf[eid] };
}

/**
 * Ties node `node` of rod 0-based `rod` to a point of a body (slot, −1 the world);
 * `length` > 0: a rope of that length.
 */
export function tie(world: RodWorld, rod: number, node: number, body: number, point: number[], length = 0): number {
  return createAttachment(world.physics.internal.engine, { entity: 0, rod, node, body, point, length });
}

/** Points from a to b. */
export function line(a: number[], b: number[], count: number): number[][] {
  return Array.from({ length: count }, (_, i) => a.map((x, k) => x + ((b[k] - x) * i) / (count - 1)));
}

export function nodeAt({ tables }: RodWorld, node: number): number[] {
  return Array.from(tables.nodes.position.subarray(4 * node, 4 * node + 3));
}

/** A dead load on a node for the coming step [N]. */
export function loadNode({ tables }: RodWorld, node: number, force: readonly number[]): void {
  tables.nodes.force.set(force, 4 * node);
  strandChanges(tables).forces++;
}

/** Fastest component of a velocity in the world [m/s]. */
export function fastest({ physics, tables }: RodWorld): number {
  const nodes = physics.internal.engine.arena.i32[L.NODE_COUNT >> 2];
  return tables.nodes.velocity.subarray(0, 4 * nodes).reduce((most, v) => Math.max(most, Math.abs(v)), 0);
}

export function steps({ physics }: RodWorld, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
}
