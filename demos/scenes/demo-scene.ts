// What a scene of the gallery is: a scene file (docs: scene format, version 1) made by a function, how to look at
// it, and what must hold after some seconds. Data only: no renderer, no engine, so that tests run the same scenes.

import { quat, vec3 } from 'gl-matrix';
import type { PhysicsSettings } from '../../src/index';
import type { CameraFile } from './camera';
import type { JointFile } from './joint-file';
import type { MaterialFile } from './material-file';
import type { HeldKeys, Rig } from './rig';

/** [x, y, z], SI, y up. */
export type Vec3 = [number, number, number];
/** Unit quaternion [x, y, z, w]. */
export type Quat = [number, number, number, number];

/** A shape of the scene file; lengths in metres, half extents and half heights. */
export type ShapeFile =
  | { box: Vec3 }
  | { sphere: number }
  | { capsule: [number, number] }
  | { cylinder: [number, number] }
  | { cone: [number, number] }
  | { hull: Vec3[] }
  | { plane: Vec3 }
  | { mesh: { vertices: Vec3[]; triangles: Vec3[] } }
  | { heightField: { size: [number, number]; rows: number; columns: number; heights: number[] } }
  | { compound: { position?: Vec3; rotation?: Quat; shape: ShapeFile }[] };

export interface BodyFile {
  name?: string;
  type?: 'dynamic' | 'static' | 'kinematic';
  material?: string;
  position?: Vec3;
  rotation?: Quat;
  velocity?: Vec3;
  angularVelocity?: Vec3;
  mass?: number;
  linearDamping?: number;
  angularDamping?: number;
  gravityScale?: number;
  canSleep?: boolean;
  /** World axes about which it does not turn. */
  lockRotation?: [boolean, boolean, boolean];
  /** Layers it is in and layers it touches, 16 bits each. */
  layers?: number;
  mask?: number;
  /** Velocity of the surface over the body, body axes [m/s]. */
  surfaceVelocity?: Vec3;
  shape: ShapeFile;
}

export interface RepeatFile {
  count: Vec3;
  spacing: Vec3;
  origin: Vec3;
  jitter?: number;
  seed?: number;
  body: BodyFile;
}

export interface KeyFile {
  time: number;
  position: Vec3;
  rotation?: Quat;
}

/** Material, clamps and contacts of a rod or groom; what is left out is that of human hair. */
export interface RodOptionsFile {
  radius?: number;
  density?: number;
  youngModulus?: number;
  shearModulus?: number;
  stretchModulus?: number;
  damping?: number;
  friction?: number;
  cohesion?: number;
  airDrag?: number;
  gravityScale?: number;
  compliance?: number;
  selfContact?: boolean;
  clampStart?: boolean;
  clampEnd?: boolean;
  attachStart?: string;
  attachEnd?: string;
  /** Solid that the strands grow on. */
  growOn?: string;
  layers?: number;
  mask?: number;
  velocity?: Vec3;
}

export interface RodFile extends RodOptionsFile {
  name?: string;
  points: Vec3[];
  restPoints?: Vec3[];
  twist?: number[];
}

export interface GroomFile {
  name?: string;
  /** Name in the scene's `files`. */
  file: string;
  maxStrands?: number;
  vertices?: number;
  seed?: number;
  scale?: number | 'head';
  position?: Vec3;
  rotation?: Quat;
  rod?: RodOptionsFile;
  sagFree?: boolean | { change?: 'stiffness-too' | 'rest-shape'; curvatureChange?: number; stabilise?: boolean };
}

/** A sheet: cloth, paper. What is left out is as the scene format says. */
export interface ShellFile {
  name?: string;
  vertices: Vec3[];
  triangles: Vec3[];
  restVertices?: Vec3[];
  restAngles?: 'flat' | 'drawn';
  position?: Vec3;
  rotation?: Quat;
  velocity?: Vec3;
  /** [m] */
  thickness?: number;
  /** [kg/m³] */
  density?: number;
  /** [Pa] */
  stretchModulus?: number;
  bendingModulus?: number;
  poissonRatio?: number;
  /** [s] */
  damping?: number;
  friction?: number;
  airDrag?: number;
  strainLimit?: number;
  gravityScale?: number;
  selfContact?: boolean;
  layers?: number;
  mask?: number;
  pins?: (number | { vertex: number; body: string })[];
}

/** An elastic solid. What is left out is as the scene format says. */
export interface SolidFile {
  name?: string;
  vertices: Vec3[];
  /** Four vertices each. */
  tetrahedra: Quat[];
  /** The shape without stress; without them `vertices`. */
  restVertices?: Vec3[];
  /** A finer surface that is drawn; with `collision` it touches, too. */
  surface?: { vertices: Vec3[]; triangles: Vec3[] };
  collision?: 'boundary' | 'surface';
  position?: Vec3;
  rotation?: Quat;
  model?: 'corotated' | 'fixed-corotated' | 'neo-hookean';
  /** [m] */
  radius?: number;
  /** [kg/m³] */
  density?: number;
  /** [Pa] */
  youngModulus?: number;
  poissonRatio?: number;
  /** [s] */
  damping?: number;
  friction?: number;
  pins?: (number | { vertex: number; body: string })[];
}

/** The part of the scene file that the gallery uses. */
export interface SceneFile {
  version: 1;
  title: string;
  description?: string;
  gravity?: Vec3;
  timeStep?: number;
  materials?: Record<string, MaterialFile>;
  bodies?: BodyFile[];
  repeat?: RepeatFile[];
  rods?: RodFile[];
  grooms?: GroomFile[];
  shells?: ShellFile[];
  solids?: SolidFile[];
  joints?: JointFile[];
  motions?: {
    body?: string;
    rod?: string;
    end?: 'start' | 'end';
    shell?: string;
    vertex?: number;
    keys: KeyFile[];
    loop?: boolean;
  }[];
  solver?: {
    rigid?: 'auto' | 'dantzig' | 'gauss-seidel';
    backend?: 'auto' | 'reference' | 'wasm';
    tolerance?: number;
    admmIterations?: number;
    sweeps?: number;
  };
}

/** Bytes by the name that a groom gives. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** How the strands of a rod or groom are drawn. */
export interface StrandLook {
  /** Hair: ribbons that face the camera. Rope: tubes. */
  finish: 'hair' | 'rope';
  /** #rrggbb; the strands of a groom are spread over them. */
  colors: readonly string[];
  /** Radius drawn [m]; without one the true one. Few strands look fuller when drawn a little thicker. */
  radius?: number;
  /**
   * Hair: radius of the lock that each strand stands for [m]; the more hairs are drawn in
   * it, the fewer strands there are.
   */
  lock?: number;
  /** Hair: 0 dry (the usual) to 1 wet. */
  wet?: number;
}

/** What is printed on a sheet or woven into it, in tiles of `size` [m]. */
export interface ClothPattern {
  /**
   * stripes: as many as there are colours, across v. gingham: checks of the first two colours. bands: a double line
   * at the start of each tile along v. card: the back of a playing card, one tile.
   */
  kind: 'stripes' | 'gingham' | 'bands' | 'card';
  size: [number, number];
}

/** How a sheet is drawn. */
export interface ShellLook {
  /** Cloth with its weave, smoother and shining, or stiff and without threads. */
  finish: 'cloth' | 'silk' | 'paper';
  /** #rrggbb: of the sheet, or of its pattern. */
  colors: readonly string[];
  pattern?: ClothPattern;
  /** Colour of the back of a sheet without a pattern. */
  lining?: string;
  /** Distance of two threads drawn [m]. */
  thread?: number;
  /** Thickness drawn [m]; without one the true one. */
  thickness?: number;
  /** Where a vertex of so many lies in the cloth laid flat [m]; without it that of the rest shape's flattest side. */
  flat?(vertex: number, vertexCount: number): readonly [number, number];
}

/** How a solid is drawn: as something that light goes into. */
export interface SolidLook {
  /** #rrggbb */
  color: string;
  /** 1 hides what is behind. */
  opacity: number;
}

/** A slider, or with a flag as `usual` a switch. */
export interface Parameter {
  key: string;
  label: string;
  least?: number;
  most?: number;
  step?: number;
  /** A list to choose from instead of a slider: values by what they are called. */
  options?: Readonly<Record<string, number>>;
  usual: number | boolean;
  /** Takes effect in the running world, by `tune`; else the world is built anew. */
  live?: boolean;
}

/** What the visitor chose, by key. */
export type Values = Readonly<Record<string, number | boolean>>;

/** What `tune` may change in a running world. */
export interface Tuner {
  /** Numbers of a rod or groom. */
  setRod(name: string, numbers: Pick<RodOptionsFile, 'friction' | 'cohesion' | 'damping' | 'airDrag'>): void;
  /** Numbers of all solids. */
  setSolids(numbers: Partial<Record<'youngModulus' | 'damping' | 'friction', number>>): void;
  /** Wind over all rods [m/s]. */
  setWind(velocity: Vec3): void;
  /** Where a body or character is. */
  pose(name: string): Pose;
  /** Has a character walk [m/s], jump [m/s], crouch. */
  walk(name: string, order: { x: number; z: number; jump?: number; crouch?: boolean }): void;
  /** Steers a car. */
  steer(name: string, order: { throttle: number; steer: number; brake: number; handbrake: number }): void;
  /** Arrow keys and shift that the visitor holds down; null while none has been touched for some seconds. */
  keys(): HeldKeys | null;
}

/** Holds a node of a rod where it is on a body: a ball joint. Nodes are counted from the start. */
export type Tie = (rod: string, node: number, body: string) => void;

/** What instruments read of a running world. */
export interface Probe {
  /** [s] */
  readonly time: number;
  body(name: string): Pose;
  /** Points of a rod or shell now, three numbers a point [m]; the array is used again. */
  points(name: string): Float64Array;
  /** Points before the first step. */
  startPoints(name: string): Float64Array;
}

/** A driven body for the visitor's hand: it goes where the pointer leads it, never faster than a hand. */
export interface Tool {
  body: string;
  /** Where the body is to be while the pointer's ray (from the eye, unit direction) is this. */
  aim(origin: Vec3, direction: Vec3): Pose;
  /** Fastest it goes [m/s] and turns [rad/s]. */
  speed: number;
  spin: number;
}

/** A value that ought to be reached. */
export interface Level {
  label: string;
  value: number;
}

/** A number on a scale. */
export interface Gauge {
  kind: 'gauge';
  id: string;
  label: string;
  unit: string;
  /** End of the scale. */
  most(values: Values): number;
  levels?(values: Values): Level[];
  read(probe: Probe, values: Values): number;
}

/** A curve that is drawn while the world runs: over time or, an orbit, one quantity over another. */
export interface Chart {
  kind: 'chart';
  id: string;
  title: string;
  /** With unit. */
  xLabel: string;
  yLabel: string;
  /** Samples shown, one a step. */
  keep: number;
  /** What the curve is called where there is a rival. */
  label?: string;
  color: string;
  levels?(values: Values): Level[];
  /** Null while there is nothing to show. */
  read(probe: Probe, values: Values): [x: number, y: number] | null;
}

export type Instrument = Gauge | Chart;

/** A second world beside the first, from the same input. */
export interface Rival {
  label: string;
  color: string;
  settings: PhysicsSettings;
  /** How its rods are drawn into the scene; without this each world has half of the picture: a duel. */
  strands?(name: string): StrandLook | undefined;
  /** Why the rival fails, one line. */
  why?: string;
  /** What captions tell of each world where it is not how far a body has drifted at most [m]. */
  counter?: { label: string; read(result: SceneResult): number };
}

export interface Pose {
  position: Vec3;
  rotation: Quat;
}

/** What a run hands to a scene's check. */
export interface SceneResult {
  /** Simulated [s]. */
  time: number;
  /** Names of all bodies. */
  names: readonly string[];
  /** Pose at the start. */
  start(name: string): Pose;
  /** Pose at the end. */
  end(name: string): Pose;
  /** Speed of the origin at the end [m/s]. */
  speed(name: string): number;
  /** Bodies awake at the end. */
  awake: number;
  /** Deepest penetration at the end [m]. */
  penetration: number;
  /** Bodies and strands taken out because their numbers went bad. */
  quarantined: number;
  /** Names of all rods and grooms. */
  rods: readonly string[];
  /** Names of all shells. */
  shells: readonly string[];
  /** Names of all elastic solids. */
  solids: readonly string[];
  /** Points of a rod, groom, shell or solid at the start, three numbers a point, strand after strand [m]. */
  startPoints(name: string): Float64Array;
  /** Points at the end. */
  endPoints(name: string): Float64Array;
  /** Contacts of strands in the last step. */
  strandContacts: number;
}

export interface DemoScene {
  /** The URL hash of the scene. */
  id: string;
  title: string;
  /** One line for the menu. */
  description: string;
  /** `amount` is the slider's, `values` those of `parameters`; without them the usual ones. */
  build(amount?: number, values?: Values): SceneFile;
  /** Files of the grooms in it. */
  files?(amount?: number, values?: Values): Files;
  /** Further sliders and switches. */
  parameters?: readonly Parameter[];
  /** Brings the live ones into the running world. */
  tune?(values: Values, tuner: Tuner): void;
  /** Called before each step: what changes by itself. `time` [s]. */
  drive?(time: number, values: Values, tuner: Tuner): void;
  /** Name of a body to which a newcomer is told to put a hand. */
  handle?: string;
  /** A driven body that the pointer moves. */
  tool?: Tool;
  /** A slider for how much of it there is. */
  amount?: {
    label: string;
    least: number;
    most: number;
    step: number;
    usual: number;
    /** Tests run with this many; without a number the usual. */
    tested?: number;
    /** Where strands are advanced on WebGPU: so many at the start, so many at most. */
    onGpu?: { usual: number; most: number };
  };
  camera: CameraFile;
  /**
   * What `check` asks, in words that follow "promised: ": short, numbers with units. A claim, and told, where there is
   * a rival; else it is told only where it fails.
   */
  promise: string;
  /** The promise is about rest: nothing sleeps, for what sleeps proves nothing. */
  awake?: true;
  /** Simulated time from which on `check` must hold, for as long as nobody has a hand in it [s]. */
  seconds: number;
  /** Null if what the scene promises holds, else what went wrong. Looks at `time` where the promise depends on it. */
  check(result: SceneResult): string | null;
  /** Colour (#rrggbb) of a body; undefined leaves it to the look of its material. */
  paint?(name: string): string | undefined;
  /** Gauges and charts beside the scene. */
  instruments?: readonly Instrument[];
  /** The same scene under other settings, run in step and drawn into the same charts. */
  rival?: Rival;
  /** Ties nodes of rods to bodies, which a scene file cannot say yet; called once when the world is built. */
  join?(tie: Tie, rig?: Rig): void;
  /** What is written at a body, in a dozen letters; undefined: nothing, unless a visitor asks for friction and mass. */
  label?(name: string): string | undefined;
  /** Colour (#rrggbb) of each part of a compound body; undefined leaves a part to the body's. */
  paintParts?(name: string): readonly (string | undefined)[] | undefined;
  /** How a rod or groom is drawn; undefined leaves it to its thickness. */
  strands?(name: string): StrandLook | undefined;
  /** How a shell is drawn; undefined: plain cloth. */
  shells?(name: string): ShellLook | undefined;
  /** How a solid is drawn; undefined: jelly. */
  solids?(name: string): SolidLook | undefined;
}

/** The usual values of a scene's parameters. */
export function usualValues(demo: DemoScene): Values {
  return Object.fromEntries((demo.parameters ?? []).map(({ key, usual }) => [key, usual]));
}

/** Distance between start and end [m]. */
export function driftOf(result: SceneResult, name: string): number {
  return vec3.distance(result.start(name).position, result.end(name).position);
}

/** Largest drift of the bodies that `select` chooses: [m, name]. */
export function worstDrift(result: SceneResult, select: (name: string) => boolean): [number, string] {
  let worst: [number, string] = [0, ''];
  for (const name of result.names) {
    if (!select(name)) continue;
    const drift = driftOf(result, name);
    if (!(drift <= worst[0])) worst = [drift, name];
  }
  return worst;
}

/** Height of the body's own y axis: 1 upright, 0 lying. */
export function uprightness(pose: Pose): number {
  return vec3.transformQuat([0, 0, 0], [0, 1, 0], pose.rotation)[1];
}

/** What every scene promises: no body lost, none below the floor. Null if so. */
export function soundness(result: SceneResult, floor = -0.05): string | null {
  if (result.quarantined > 0) return `${result.quarantined} bodies or strands were quarantined`;
  for (const name of [...result.rods, ...result.shells, ...result.solids]) {
    const points = result.endPoints(name);
    for (let k = 0; k < points.length; k++) {
      if (!Number.isFinite(points[k])) return `a point of ${name} is at ${points[k]}`;
      if (k % 3 === 1 && !(points[k] > floor)) return `${name} fell through the floor: y = ${points[k]} m`;
    }
  }
  for (const name of result.names) {
    const { position } = result.end(name);
    if (!position.every(Number.isFinite)) return `${name} is at ${position}`;
    if (name !== 'ground' && !(position[1] > floor)) return `${name} fell through the floor: y = ${position[1]} m`;
  }
  return null;
}

/** Rotation by `angle` [rad] about a unit axis. */
export function turn(axis: Vec3, angle: number): Quat {
  return quat.setAxisAngle([0, 0, 0, 1], axis, angle) as Quat;
}

/** First b, then a. */
export function combine(a: Quat, b: Quat): Quat {
  return quat.multiply([0, 0, 0, 1], a, b) as Quat;
}

/** v over its length; of no length, itself. */
export function unit(v: Vec3): Vec3 {
  return vec3.normalize([0, 0, 0], v) as Vec3;
}

/** a × b. */
export function cross(a: Vec3, b: Vec3): Vec3 {
  return vec3.cross([0, 0, 0], a, b) as Vec3;
}

/** The point of x y z after x y z that begins at `k`. */
export function pointAt(points: ArrayLike<number>, k: number): Vec3 {
  return [points[k], points[k + 1], points[k + 2]];
}

/** Uniform numbers in [0, 1) from a seed (a 32-bit xorshift; only for laying out scenes). */
export function scatter(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

/**
 * Rounds every number to 1e-9. Engines disagree about the last bit of sin and cos; after this a scene is the same
 * file in Node and in every browser, and so is the hash of its run.
 */
export function tidy(scene: SceneFile): SceneFile {
  const visit = (value: unknown): unknown => {
    if (typeof value === 'number') return Math.round(value * 1e9) / 1e9 + 0;
    if (Array.isArray(value)) return value.map(visit);
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, visit(entry)]));
    return value;
  };
  return visit(scene) as SceneFile;
}

/** The floor all scenes stand on. */
export const GROUND: BodyFile = { name: 'ground', type: 'static', material: 'floor', shape: { plane: [0, 1, 0] } };

/** Mixes two #rrggbb colours; share 0 gives a, 1 gives b. */
export function blend(a: string, b: string, share: number): string {
  let out = '#';
  for (let i = 1; i < 7; i += 2) {
    const from = Number.parseInt(a.slice(i, i + 2), 16);
    const to = Number.parseInt(b.slice(i, i + 2), 16);
    out += Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0');
  }
  return out;
}

/** Colour at `share` (0..1) of a list of stops. */
export function ramp(stops: readonly string[], share: number): string {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  return blend(stops[i], stops[i + 1], at - i);
}
