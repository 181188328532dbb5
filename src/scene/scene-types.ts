// What a scene is once it has been read: plain, editable data with every default filled in.
//
// Units are SI: m, kg, s, N, rad. Vectors are [x, y, z], rotations unit quaternions [x, y, z, w], y is up.
// `readScene` is the only maker of a checked Scene; `writeScene` checks again, so data made by hand is safe too.

import type { CombineRule } from '../state/combine-rules';
import type { JointType } from '../state/joint-types';
import type { SceneActors } from './scene-actors';

export type Triple = [number, number, number];
export type Quadruple = [number, number, number, number];

/** One part of a compound, placed in the body's axes. */
export interface ScenePart {
  /** [m] */
  position: Triple;
  rotation: Quadruple;
  shape: SceneShape;
}

/** Exactly one kind. Lengths [m]; capsule, cylinder and cone stand along y: [radius, half height]. */
export interface SceneShape {
  /** Half extents. */
  box?: Triple;
  /** Radius. */
  sphere?: number;
  /** Radius, and half the height of the part between the caps. */
  capsule?: [number, number];
  cylinder?: [number, number];
  /** Tip up; the body's position is half way up. */
  cone?: [number, number];
  /** Points whose convex hull encloses volume. */
  hull?: Triple[];
  /** Normal; the plane goes through the body's position. Static bodies only. */
  plane?: Triple;
  /** Triangles as indices of vertices, counter-clockwise seen from outside. Static bodies only. */
  mesh?: { vertices: Triple[]; triangles: Triple[] };
  /** Ground: extent along x and z [m], and heights [m], rows × columns, row by row. Static bodies only. */
  heightField?: { size: [number, number]; rows: number; columns: number; heights: number[] };
  compound?: ScenePart[];
}

export interface SceneMaterial {
  /** [kg/m³] */
  density: number;
  /** Coefficient of friction; a pair gets the geometric mean. */
  friction: number;
  /** 0..1; a pair gets the larger. */
  restitution: number;
  /** How friction combines with the other body's; without one the other's rule, else the geometric mean. */
  combineFriction?: CombineRule;
  /** The same for restitution; else the larger. */
  combineRestitution?: CombineRule;
  /** Torque against rolling over the normal force [m], combined as friction is; absent: none. */
  rollingFriction?: number;
  /** The same against spinning about the normal [m]. */
  spinningFriction?: number;
}

export type BodyType = 'dynamic' | 'static' | 'kinematic';

export interface SceneBody {
  /** Unique. Without one a body is called `body-<place in the list>`. */
  name?: string;
  type: BodyType;
  /** Key of `materials`; without one the default material. */
  material?: string;
  /** [m] */
  position: Triple;
  rotation: Quadruple;
  /** Of the centre of mass [m/s]. */
  velocity: Triple;
  /** [rad/s] */
  angularVelocity: Triple;
  /** [kg]; without one density times volume. */
  mass?: number;
  /** About the body's axes through its centre of mass [kg·m²]; without one the shape's. */
  inertia?: Triple;
  /** In the body's axes, from its position [m]; without one the shape's. */
  centerOfMass?: Triple;
  /** World axes about which it does not turn. */
  lockRotation?: [boolean, boolean, boolean];
  /** Followed on its way through each step, however slow it is. */
  continuous?: boolean;
  /** [1/s] */
  linearDamping: number;
  /** [1/s] */
  angularDamping: number;
  gravityScale: number;
  /** Velocity of the surface over the body, body axes [m/s]: a conveyor belt. */
  surfaceVelocity?: Triple;
  /** 16 bits: the layers this body is in. */
  layers?: number;
  /** 16 bits: the layers it touches. */
  mask?: number;
  /** Reports touches, gives no force. */
  sensor?: boolean;
  canSleep?: boolean;
  shape: SceneShape;
}

export interface SceneRepeat {
  /** Copies along x, y and z of a lattice, or a number of copies in a row along `spacing`. */
  count: Triple | number;
  /** From one copy to the next along each axis [m]. */
  spacing?: Triple;
  /** Place of the first copy, added to the body's own position [m]. */
  origin: Triple;
  /** Half size of the box around its place that each copy is drawn from [m]; one number for a cube. */
  jitter: Triple | number;
  /** Of the draws. */
  seed: number;
  /** The body to copy; the copies are called `<name>-0`, `<name>-1`, ... with x running fastest, then y, then z. */
  body: SceneBody;
}

export interface MotionKey {
  /** [s] */
  time: number;
  /** [m]; without one the previous key's, at first the body's. */
  position?: Triple;
  /** Without one the previous key's, at first the body's. */
  rotation?: Quadruple;
}

/** Material, clamps and filter of a rod or groom; numbers as in RodMaterial. */
export interface SceneRodOptions {
  /** [m] */
  radius: number;
  /** [kg/m³] */
  density: number;
  /** [Pa] */
  youngModulus: number;
  /** [Pa]; without one 0.3375 × youngModulus. */
  shearModulus?: number;
  /** [Pa]; without one youngModulus. */
  stretchModulus?: number;
  /** [s] */
  damping: number;
  friction: number;
  /** [N] */
  cohesion: number;
  gravityScale: number;
  /** [1/s] */
  airDrag: number;
  /** [m/N] */
  compliance: number;
  /** Strands touch each other and themselves. */
  selfContact: boolean;
  canSleep?: boolean;
  /** Where a world with a device advances it. */
  backend?: 'auto' | 'wasm' | 'webgpu';
  /** Position and tangent held; without a word false for a rod, true for a groom, and true where an end is attached. */
  clampStart?: boolean;
  clampEnd?: boolean;
  /** Body that the clamp follows. */
  attachStart?: string;
  attachEnd?: string;
  /** Solid that the strands grow on. */
  growOn?: string;
  /** 16 bits. */
  layers?: number;
  /** 16 bits. */
  mask?: number;
  /** Of every node at first [m/s]. */
  velocity: Triple;
}

export interface SceneRod extends SceneRodOptions {
  /** Unique among rods and grooms. Without one a rod is called `rod-<place in the list>`. */
  name?: string;
  /** At least 2 [m]. */
  points: Triple[];
  /** The shape without stress, as many; without them `points`. */
  restPoints?: Triple[];
  /** Angle of the material of each edge beyond the twist-free state [rad], one number an edge. */
  twist?: number[];
  /** The same in the shape without stress. */
  restTwist?: number[];
  /** Rest shape and stiffness found such that the rod stays as it is drawn; its start must be clamped. */
  sagFree?: boolean | SceneSagFree;
}

export interface SceneGroom {
  /** Unique among rods and grooms. Without one a groom is called `groom-<place in the list>`. */
  name?: string;
  /** Path relative to the scene file: .hair, .data or .tfx. */
  file?: string;
  /** Points of each strand, its root first [m]; instead of a file. */
  strands?: Triple[][];
  /** Most strands; without a number all. */
  maxStrands?: number;
  /** Points of each strand; without a number those of the file. */
  vertices?: number;
  /** Of the draw of strands. */
  seed: number;
  /** Metres per unit of the file, or the roots as large as a head, centred on `position`. */
  scale: number | 'head';
  /** [m] */
  position: Triple;
  rotation: Quadruple;
  rod: SceneRodOptions;
  /**
   * Rest shape and stiffness found such that the groom stays as it is drawn. Without it
   * the drawn shape is the rest shape.
   */
  sagFree?: boolean | SceneSagFree;
}

/** A vertex of a shell or solid that is held: in the world, or on a body. */
export type ScenePin = number | { vertex: number; body?: string };

/** An elastic solid; numbers as in SolidMaterial. */
export interface SceneSolid {
  /** Unique among solids. Without one a solid is called `solid-<place in the list>`. */
  name?: string;
  /** [m] */
  vertices?: Triple[];
  /** Indices of vertices; the fourth is on the side that the first three turn left around. */
  tetrahedra?: Quadruple[];
  /** Path relative to the scene file, of a .msh, .vtk or .node file, instead of vertices and tetrahedra. */
  file?: string;
  /** What is drawn, in the frame of the shape at rest [m]. */
  surface?: { vertices: Triple[]; triangles: Triple[] };
  /** [m] */
  position: Triple;
  rotation: Quadruple;
  /** [m/s] */
  velocity: Triple;
  /** The shape without stress, as many; without them `vertices` [m]. */
  restVertices?: Triple[];
  model: 'corotated' | 'fixed-corotated' | 'neo-hookean';
  collision: 'boundary' | 'surface';
  elements: 'linear' | 'quadratic';
  /** [m]; 0: a twentieth of the mean edge of the boundary. */
  radius: number;
  /** [kg/m³] */
  density: number;
  /** [Pa] */
  youngModulus: number;
  poissonRatio: number;
  /** [s] */
  damping: number;
  friction: number;
  /** [N] */
  cohesion: number;
  gravityScale: number;
  /** [m/N] */
  compliance: number;
  /** [Pa]; 0: it never flows. */
  yieldStress: number;
  /** [s] */
  creepTime: number;
  plasticLimit: number;
  selfContact: boolean;
  canSleep?: boolean;
  /** 16 bits. */
  layers?: number;
  /** 16 bits. */
  mask?: number;
  pins: ScenePin[];
}

/** A surface such as cloth; numbers as in ShellMaterial. */
export interface SceneShell {
  /** Unique among shells. Without one a shell is called `shell-<place in the list>`. */
  name?: string;
  /** [m] */
  vertices?: Triple[];
  /** Indices of vertices, counter-clockwise seen from the front. */
  triangles?: Triple[];
  /** Path relative to the scene file, of an .obj, .ply, .stl or .glb file, instead of vertices and triangles. */
  file?: string;
  /** What is drawn, in the frame of the vertices [m]. */
  surface?: { vertices: Triple[]; triangles: Triple[] };
  /** [m] */
  position: Triple;
  rotation: Quadruple;
  /** [m/s] */
  velocity: Triple;
  /** The shape without stress, as many; without them `vertices` [m]. */
  restVertices?: Triple[];
  restAngles: 'flat' | 'drawn';
  /** [m] */
  thickness: number;
  /** [kg/m³] */
  density: number;
  /** [Pa] */
  stretchModulus: number;
  /** [Pa]; without one stretchModulus. */
  bendingModulus?: number;
  /** [Pa]; 0: that of stretchModulus and poissonRatio. */
  shearModulus: number;
  poissonRatio: number;
  /** Across the warp [Pa]; 0: stretchModulus. */
  weftModulus: number;
  /** Share of an edge's length; 0: none. */
  strainLimit: number;
  /** Direction of the warp in the rest shape. */
  warp?: Triple;
  /** [s] */
  damping: number;
  friction: number;
  /** [N] */
  cohesion: number;
  gravityScale: number;
  /** [kg/m³] */
  airDrag: number;
  /** [m/N] */
  compliance: number;
  selfContact: boolean;
  canSleep?: boolean;
  /** 16 bits. */
  layers?: number;
  /** 16 bits. */
  mask?: number;
  pins: ScenePin[];
}

/** How strands are made sag-free. */
export interface SceneSagFree {
  change?: 'stiffness-too' | 'rest-shape';
  /** Most a rest curvature differs from the drawn one [1]. */
  curvatureChange?: number;
  /** Most a rest twist is [rad]. */
  twistChange?: number;
  /** Largest factor on a stiffness [1]. */
  stiffest?: number;
  stabilise?: boolean;
}

/**
 * Scripted motion of a kinematic body, of an end of a rod that is clamped in the world, or of a vertex of a shell
 * that is pinned there: straight and at constant turn between keys, at rest before and after. Give `body`, or `rod`
 * and `end`, or `shell` and `vertex`.
 */
export interface SceneMotion {
  body?: string;
  /** Its clamped node goes to `position`; `rotation` turns the clamp from where it was at first. */
  rod?: string;
  end?: 'start' | 'end';
  shell?: string;
  vertex?: number;
  keys: MotionKey[];
  /** Repeats from the first to the last key; give both the same pose, else the body sweeps back in one step. */
  loop: boolean;
}

/** Settings that the file gives; what it leaves out is the engine's choice. */
export interface SceneSolver {
  rigid?: 'auto' | 'dantzig' | 'gauss-seidel' | 'contact-admm';
  elastic?: 'auto' | 'admm' | 'conjugate-residual';
  profile?: 'engine' | 'paper';
  backend?: 'auto' | 'reference' | 'wasm' | 'webgpu';
  tolerance?: number;
  admmIterations?: number;
  sweeps?: number;
  newtonIterations?: number;
  /** Per step, of the elastic solve [ms]; null for none. */
  budget?: number | null;
}

/** Families of elastic objects with a mesh, by the word that an end of a joint names one with. */
export const MESH_WORDS = ['shell', 'solid'] as const;

/** One end of a joint: a body, the world, a node of a rod or strand, a vertex of a shell or solid. */
export interface SceneJointEnd extends Partial<Record<(typeof MESH_WORDS)[number], string>> {
  body?: string;
  rod?: string;
  node?: number | 'start' | 'end';
  vertex?: number;
  world?: true;
}

/**
 * A joint between two bodies, or of one with the world; places and angles are those of the first seen from the second.
 */
export interface SceneJoint {
  /** Unique. Without one a joint is called `joint-<place in the list>`. */
  name?: string;
  type: JointType;
  ends: [SceneJointEnd, SceneJointEnd];
  /** World, at the start [m]. */
  anchor?: Triple;
  anchors?: [Triple, Triple];
  axis?: Triple;
  axis2?: Triple;
  /** [rad] or [m] */
  limits?: [number, number];
  /** [rad] */
  cone?: number;
  twist?: [number, number];
  /** [m] */
  length?: number | [number, number];
  axes?: Partial<Record<'x' | 'y' | 'z' | 'rx' | 'ry' | 'rz', 'locked' | 'free' | [number, number]>>;
  motor?: { velocity?: number; target?: number; maxForce?: number };
  spring?: { frequency: number; dampingRatio?: number };
  friction?: number;
  /** Gear [-], rack [m/rad]. */
  ratio?: number;
  breakForce?: number | null;
  breakTorque?: number | null;
  collide?: boolean;
}

/** A scene of format version 1. */
export interface Scene extends SceneActors {
  /** Address of a JSON Schema, for editors; not read. */
  $schema?: string;
  version: 1;
  title?: string;
  description?: string;
  /** [m/s²] */
  gravity: Triple;
  /** [s] */
  timeStep: number;
  materials: Record<string, SceneMaterial>;
  bodies: SceneBody[];
  repeat: SceneRepeat[];
  rods: SceneRod[];
  grooms: SceneGroom[];
  shells: SceneShell[];
  solids: SceneSolid[];
  joints: SceneJoint[];
  motions: SceneMotion[];
  solver: SceneSolver;
}

/** Most of what a scene may hold; counted before anything is built. */
export interface SceneLimits {
  /** Bodies, copies included. Default 200 000. */
  bodies?: number;
  /** Hull points, mesh vertices, compound parts, points of rods, vertices of shells and solids. Default 2 000 000. */
  nodes?: number;
}
