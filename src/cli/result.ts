// The result of a run, in the form of the scene format: final poses, a trace when asked for, and a report.
//
// Numbers that are not finite become null: JSON has no other way, and no result ever shows NaN.

import { hasComponent } from 'bitecs';
import type { AddedScene } from '../../systems/add-scene';
import { MESH_FAMILIES, MESH_NAMES, type MeshViews } from '../../systems/mesh-families';
import type { Physics } from '../../systems/physics';
import { rodPositions, rodTwists } from '../../systems/rods';
import { meshOf, readVertices } from '../../systems/shells';
import { elasticBackendName } from '../dynamics/elastic/step-rods';
import type { Scene } from '../scene/scene-types';
import { measureEnergy } from './energy';
import { type Finite, finite } from './finite';
import type { Measurements } from './measurements';
import {
  type AttachmentState,
  type CharacterState,
  type EventState,
  readActors,
  type VehicleState,
} from './result-actors';

/** Families of objects with a mesh, by their lists. */
const LISTS = MESH_NAMES.map((name) => MESH_FAMILIES[name].list);

export interface BodyState {
  /** Of the body's own frame [m]. */
  position: Finite[];
  rotation: Finite[];
  /** Of the centre of mass [m/s]. */
  velocity: Finite[];
  /** [rad/s] */
  angularVelocity: Finite[];
  awake: boolean;
}

/** Of a rod, or of the strands of a groom one after the other. */
export interface RodState {
  /** Points of each strand; grooms only. */
  strands?: number[];
  /** [m] */
  positions: Finite[][];
  /** Twist between the edges at each point [rad]; 0 at the ends of a strand. */
  twists: Finite[];
}

/** Of a shell or solid. */
export interface ShellState {
  /** [m] */
  positions: Finite[][];
}

/** States by name of each family of them. */
type MeshStates = Record<keyof MeshViews, Record<string, ShellState>>;

/** Families only in scenes with some. */
export interface TraceEntry extends Partial<MeshStates> {
  time: number;
  bodies: Record<string, BodyState>;
  /** Only in scenes with rods. */
  rods?: Record<string, RodState>;
}

/** Result of `stiction run`, version 1. */
export interface RunResult extends MeshStates {
  version: 1;
  title: string;
  /** What advanced the rods; bodies always run on wasm. */
  backend: 'reference' | 'wasm' | 'webgpu';
  steps: number;
  /** [s] */
  time: number;
  bodies: Record<string, BodyState>;
  rods: Record<string, RodState>;
  joints: Record<string, JointState>;
  /** Joints of nodes and vertices; only in scenes with some. */
  attachments?: Record<string, AttachmentState>;
  /** Only in scenes with characters, vehicles, watches. */
  characters?: Record<string, CharacterState>;
  vehicles?: Record<string, VehicleState>;
  events?: Record<string, EventState[]>;
  trace?: TraceEntry[];
  report: Omit<Measurements, 'quarantined'> & {
    energy: { kinetic: Finite; potential: Finite; elastic: Finite };
    /** Names of bodies, rods and grooms. */
    quarantined: string[];
    hash: string;
  };
}

/** States by name; static bodies, which never change, only when `all`. */
export function readBodies(physics: Physics, { entities, specs }: AddedScene, all: boolean): Record<string, BodyState> {
  const { Transform, Velocity, Sleeping } = physics.components;
  const { position: p, rotation: q } = Transform;
  const { linear: v, angular: w } = Velocity;
  // Without a prototype, so that any name is an ordinary key.
  const out: Record<string, BodyState> = Object.create(null);
  for (const [name, eid] of entities) {
    const still = specs.get(name)?.type === 'static';
    if (still && !all) continue;
    out[name] = {
      position: [finite(p.x[eid]), finite(p.y[eid]), finite(p.z[eid])],
      rotation: [finite(q.x[eid]), finite(q.y[eid]), finite(q.z[eid]), finite(q.w[eid])],
      velocity: [finite(v.x[eid]), finite(v.y[eid]), finite(v.z[eid])],
      angularVelocity: [finite(w.x[eid]), finite(w.y[eid]), finite(w.z[eid])],
      awake: !still && !hasComponent(physics.world, eid, Sleeping),
    };
  }
  return out;
}

/** States of rods and grooms by name. */
export function readRods(physics: Physics, { rods }: AddedScene): Record<string, RodState> {
  const out: Record<string, RodState> = Object.create(null);
  const { Rod, Groom } = physics.components;
  for (const [name, eid] of rods) {
    if (!hasComponent(physics.world, eid, Rod) && !hasComponent(physics.world, eid, Groom)) continue;
    const positions = pointsOf(rodPositions(physics, eid));
    const twists = Array.from(rodTwists(physics, eid), finite);
    out[name] = hasComponent(physics.world, eid, Groom)
      ? { strands: strandsOf(physics, eid), positions, twists }
      : { positions, twists };
  }
  return out;
}

/** States of the objects with a mesh, family by family, by name. */
function readMeshes(physics: Physics, added: AddedScene): MeshStates {
  const { world, components } = physics;
  const out = {} as MeshStates;
  for (const family of MESH_NAMES) {
    const { list } = MESH_FAMILIES[family];
    out[list] = Object.create(null) as MeshStates[typeof list];
    for (const [name, eid] of added[list]) {
      if (!hasComponent(world, eid, components[family])) continue;
      const vertices = readVertices(physics, meshOf(physics, eid, 'stiction run', null), 'stiction run', 'position');
      out[list][name] = { positions: pointsOf(vertices) };
    }
  }
  return out;
}

/** The same of those families alone that the scene has any of. */
export function readPresentMeshes(physics: Physics, added: AddedScene): Partial<MeshStates> {
  const states: Partial<MeshStates> = readMeshes(physics, added);
  for (const list of LISTS) if (added[list].size === 0) delete states[list];
  return states;
}

function pointsOf(flat: Float64Array): Finite[][] {
  return Array.from({ length: flat.length / 3 }, (_, i) => [
    finite(flat[3 * i]),
    finite(flat[3 * i + 1]),
    finite(flat[3 * i + 2]),
  ]);
}

/** A joint at the end of a run. */
export interface JointState {
  /** On the first end, at the joint [N]. */
  force: Finite[];
  /** [N·m] */
  torque: Finite[];
  /** Angle [rad] or length [m]. */
  value: Finite;
  /** Distance from obeying it [m]. */
  error: Finite;
  broken: boolean;
}

function readJoints(physics: Physics, added: AddedScene): Record<string, JointState> {
  const { Joint, Broken } = physics.components;
  const out: Record<string, JointState> = {};
  for (const [name, eid] of added.joints) {
    if (!hasComponent(physics.world, eid, Joint)) continue;
    out[name] = {
      force: [Joint.force.x[eid], Joint.force.y[eid], Joint.force.z[eid]].map(finite),
      torque: [Joint.torque.x[eid], Joint.torque.y[eid], Joint.torque.z[eid]].map(finite),
      value: finite(Joint.value[eid]),
      error: finite(Joint.error[eid]),
      broken: hasComponent(physics.world, eid, Broken),
    };
  }
  return out;
}

function strandsOf({ components, strands }: Physics, eid: number): number[] {
  const first = components.Groom.firstStrand[eid];
  return Array.from(strands.counts.subarray(first, first + components.Groom.strandCount[eid]));
}

/** Puts the result of a run together. */
export function makeResult(
  scene: Scene,
  physics: Physics,
  added: AddedScene,
  measured: Measurements,
  trace?: TraceEntry[],
): RunResult {
  const names = new Map<number, string>();
  for (const [name, eid] of added.entities) names.set(eid, name);
  for (const [name, eid] of [...added.rods, ...LISTS.flatMap((list) => [...added[list]])]) names.set(eid, name);
  // Hashing first: it also makes the bodies of a world that has not stepped yet.
  const hash = physics.hash();
  const { engine } = physics.internal;
  const { kinetic, potential, elastic } = measureEnergy(engine);
  const hasElastic = added.rods.size > 0 || LISTS.some((list) => added[list].size > 0);
  const { quarantined, limits, ...figures } = measured;
  return {
    version: 1,
    title: scene.title ?? '',
    backend: hasElastic ? elasticBackendName(engine) : 'wasm',
    steps: physics.stepCount,
    time: physics.time,
    bodies: readBodies(physics, added, true),
    rods: readRods(physics, added),
    joints: readJoints(physics, added),
    ...readActors(physics, added, names),
    ...readMeshes(physics, added),
    ...(trace ? { trace } : {}),
    report: {
      ...figures,
      energy: { kinetic: finite(kinetic), potential: finite(potential), elastic: finite(elastic) },
      limits,
      quarantined: quarantined.map((eid) => names.get(eid) ?? `entity ${eid}`),
      hash,
    },
  };
}

/** Text of a result: one body, one rod, one trace entry and one part of the report per line. */
export function showResult(result: RunResult): string {
  const { bodies, trace, report, ...head } = result;
  const lines = (entries: readonly string[], brackets: string) =>
    entries.length === 0 ? brackets : `${brackets[0]}\n    ${entries.join(',\n    ')}\n  ${brackets[1]}`;
  const keyed = (map: object) =>
    lines(
      Object.entries(map).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value, noNaN)}`),
      '{}',
    );
  const parts: string[] = [];
  for (const key of ['version', 'title', 'backend', 'steps', 'time'] as const) {
    parts.push(`${JSON.stringify(key)}: ${JSON.stringify(head[key])}`);
  }
  parts.push(`"bodies": ${keyed(bodies)}`);
  parts.push(`"rods": ${keyed(head.rods)}`);
  parts.push(`"joints": ${keyed(head.joints)}`);
  for (const key of ['attachments', 'characters', 'vehicles', 'events'] as const) {
    if (head[key]) parts.push(`"${key}": ${keyed(head[key])}`);
  }
  for (const list of LISTS) parts.push(`${JSON.stringify(list)}: ${keyed(head[list])}`);
  if (trace)
    parts.push(
      `"trace": ${lines(
        trace.map((entry) => JSON.stringify(entry, noNaN)),
        '[]',
      )}`,
    );
  parts.push(`"report": ${keyed(report)}`);
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}

function noNaN(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? finite(value) : value;
}
