// One run of one scene: a bitECS world, its physics and the names of its bodies. No page and no renderer, so that
// the page, the tests in Node and the tests in a browser all run the very same thing.
//
// Nothing here is of rods, sheets or solids: the page has this before all of the engine (open-session.ts).

import { hasComponent } from 'bitecs';
import { vec3 } from 'gl-matrix';
import type { GpuStrandsHandle, Physics, PhysicsSettings, RigidBodySpec, Scene } from '../../src/index';
import type { DemoScene, Files, Pose, SceneResult, Tuner, Values } from '../scenes/demo-scene';

/** A sheet of a session. */
export interface ShellPart {
  entity: number;
  /** Vertices before the first step, three numbers each [m]. */
  vertices: Float64Array;
  /** The shape without stress. */
  rest: Float64Array;
  /** Three vertices a triangle. */
  triangles: Int32Array;
  /** [m] */
  thickness: number;
  /** Vertices that the scene holds. */
  pinned: ReadonlySet<number>;
}

/** An elastic solid of a session. */
export interface SolidPart {
  entity: number;
  /** Vertices before the first step, three numbers each [m]. */
  vertices: Float64Array;
  /** The shape without stress. */
  rest: Float64Array;
  /** All faces of its tetrahedra, three vertices each. */
  triangles: Int32Array;
  /** The surface drawn, vertices counted from its first one drawn. */
  drawn: Int32Array;
  /** Vertices that the scene holds. */
  pinned: ReadonlySet<number>;
}

export interface Session {
  scene: Scene;
  physics: Physics;
  /** Entity of each body name. */
  entities: ReadonlyMap<string, number>;
  /** What each body was made of, by name. */
  specs: ReadonlyMap<string, RigidBodySpec>;
  /** Material name of each body name. */
  materials: ReadonlyMap<string, string>;
  /** Poses before the first step, by name. */
  starts: ReadonlyMap<string, Pose>;
  /** Entity of each rod and groom name. */
  rods: ReadonlyMap<string, number>;
  /** Points of rods and grooms before the first step, by name, three numbers a point [m]. */
  rodStarts: ReadonlyMap<string, Float64Array>;
  /** Sheets by name. */
  shells: ReadonlyMap<string, ShellPart>;
  /** Elastic solids by name. */
  solids: ReadonlyMap<string, SolidPart>;
  /** Entities that are driven or fixed: they cannot be dragged. */
  fixed: ReadonlySet<number>;
  /** The strands on the device; null where they are not, or not yet. */
  gpu: GpuStrandsHandle | null;
  /** Whether the device is still being made ready: until then neither steps nor strands are to be seen. */
  isStarting: boolean;
  /** Points of a rod, groom, shell or solid now, three numbers a point [m]; into `out`, where it is of their length. */
  points(name: string, out?: Float64Array): Float64Array;
  /** What a scene may change while it runs. */
  tuner(): Tuner;
  close(): void;
}

/** What makes worlds of scenes. */
export interface Worlds {
  /** Reads a scene (text, parsed JSON or a scene already read); throws SceneError. */
  load(source: unknown): Scene;
  /** Settings that the scene asks for. */
  settings(scene: Scene): PhysicsSettings;
  /**
   * Builds the world of a scene. `overrides` win over what the scene asks for; `files` are those of its grooms, `join`
   * ties what a gallery scene ties beyond its file.
   */
  open(scene: Scene, overrides?: PhysicsSettings, files?: Files, join?: DemoScene['join']): Session;
}

/** Where bodies are at first, by name, and which of them cannot be dragged. */
export function startsOf(
  physics: Physics,
  entities: ReadonlyMap<string, number>,
  specs: ReadonlyMap<string, RigidBodySpec>,
): { starts: Map<string, Pose>; fixed: Set<number> } {
  const starts = new Map<string, Pose>();
  const fixed = new Set<number>();
  for (const [name, eid] of entities) {
    starts.set(name, poseOf(physics, eid));
    if ((specs.get(name)?.type ?? 'dynamic') !== 'dynamic') fixed.add(eid);
  }
  return { starts, fixed };
}

/** Current pose of an entity. */
export function poseOf(physics: Physics, eid: number): Pose {
  const { position: p, rotation: r } = physics.components.Transform;
  return { position: [p.x[eid], p.y[eid], p.z[eid]], rotation: [r.x[eid], r.y[eid], r.z[eid], r.w[eid]] };
}

/** What a scene's check wants to know of a run so far. */
export function resultOf(session: Session): SceneResult {
  const { physics, entities, rods, rodStarts, shells, solids, starts } = session;
  const entity = (name: string) => {
    const eid = entities.get(name);
    if (eid === undefined) throw new Error(`scene check: no body is called ${name}`);
    return eid;
  };
  const { Velocity, Sleeping, Static } = physics.components;
  let awake = 0;
  for (const eid of entities.values())
    if (!hasComponent(physics.world, eid, Sleeping) && !hasComponent(physics.world, eid, Static)) awake++;
  return {
    time: physics.time,
    names: [...entities.keys()],
    start: (name) => starts.get(name) ?? poseOf(physics, entity(name)),
    end: (name) => poseOf(physics, entity(name)),
    speed(name) {
      const eid = entity(name);
      const { x, y, z } = Velocity.linear;
      return vec3.length([x[eid], y[eid], z[eid]]);
    },
    awake,
    penetration: physics.report.penetration,
    quarantined: physics.report.quarantined.length + physics.report.strands.quarantined,
    rods: [...rods.keys()],
    shells: [...shells.keys()],
    solids: [...solids.keys()],
    startPoints: (name) =>
      shells.get(name)?.vertices ?? solids.get(name)?.vertices ?? rodStarts.get(name) ?? session.points(name),
    endPoints: (name) => session.points(name),
    strandContacts: physics.report.strands.contacts,
  };
}

/** What a scene's check says of a run so far, numbers to three digits: null, or a line for people. */
export function judge(demo: DemoScene, session: Session): string | null {
  const failure = demo.check(resultOf(session));
  return failure?.replace(/-?\d+\.\d{3,}(?:e[-+]?\d+)?/g, (number) => String(+(+number).toPrecision(3))) ?? null;
}

/** Has a scene's own changes of itself made before each step, with the visitor's values. */
export function driveScene(session: Session, demo: DemoScene, values: () => Values): void {
  const { drive } = demo;
  if (!drive) return;
  const tuner = session.tuner();
  session.physics.schedule.before('copy-in', ({ time }) => drive(time, values(), tuner), 'drive-scene');
}

/** Simulated time from one check of a scene to the next [s]. */
export const CHECK_INTERVAL = 0.5;

/** Settings of a gallery scene beyond its file: in duels, and where rest is what is promised, nothing sleeps. */
export function settingsOf(demo: DemoScene | null): PhysicsSettings {
  return demo?.awake || (demo?.rival && !demo.rival.strands) ? { sleeping: false } : {};
}

/** The entity in another session of the same scene that has the name which this one has here. */
export function twinOf(session: Session, entity: number, other: Session): number | undefined {
  for (const [name, eid] of session.entities) if (eid === entity) return other.entities.get(name);
  return undefined;
}
