// The result of a run, in the form of the scene format: final poses, a trace when asked for, and a report.
//
// Numbers that are not finite become null: JSON has no other way, and no result ever shows NaN.

import { hasComponent } from 'bitecs';
import type { AddedScene } from '../../systems/add-scene';
import type { Physics } from '../../systems/physics';
import type { Scene } from '../scene/scene-types';
import { measureEnergy } from './energy';
import type { Measurements } from './measurements';

/** A number, or null in place of NaN and infinity. */
type Finite = number | null;

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

export interface TraceEntry {
  time: number;
  bodies: Record<string, BodyState>;
}

/** Result of `stiction run`, version 1. */
export interface RunResult {
  version: 1;
  title: string;
  backend: 'wasm';
  steps: number;
  /** [s] */
  time: number;
  bodies: Record<string, BodyState>;
  rods: Record<string, never>;
  shells: Record<string, never>;
  solids: Record<string, never>;
  trace?: TraceEntry[];
  report: Omit<Measurements, 'quarantined'> & {
    energy: { kinetic: Finite; potential: Finite; elastic: number };
    /** Names of bodies. */
    quarantined: string[];
    hash: string;
  };
}

function finite(x: number): Finite {
  return Number.isFinite(x) ? x : null;
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
  // Hashing first: it also makes the bodies of a world that has not stepped yet.
  const hash = physics.hash();
  const { kinetic, potential } = measureEnergy(physics.internal.engine);
  const { quarantined, limits, ...figures } = measured;
  return {
    version: 1,
    title: scene.title ?? '',
    backend: 'wasm',
    steps: physics.stepCount,
    time: physics.time,
    bodies: readBodies(physics, added, true),
    rods: {},
    shells: {},
    solids: {},
    ...(trace ? { trace } : {}),
    report: {
      ...figures,
      energy: { kinetic: finite(kinetic), potential: finite(potential), elastic: 0 },
      limits,
      quarantined: quarantined.map((eid) => names.get(eid) ?? `entity ${eid}`),
      hash,
    },
  };
}

/** Text of a result: one body, one trace entry and one part of the report per line. */
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
  for (const key of ['rods', 'shells', 'solids'] as const) parts.push(`"${key}": ${JSON.stringify(head[key])}`);
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
