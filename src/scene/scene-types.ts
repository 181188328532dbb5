// What a scene is once it has been read: plain, editable data with every default filled in.
//
// Units are SI: m, kg, s, N, rad. Vectors are [x, y, z], rotations unit quaternions [x, y, z, w], y is up.
// `readScene` is the only maker of a checked Scene; `writeScene` checks again, so data made by hand is safe too.

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
  compound?: ScenePart[];
}

export interface SceneMaterial {
  /** [kg/m³] */
  density: number;
  /** Coefficient of friction; a pair gets the geometric mean. */
  friction: number;
  /** 0..1; a pair gets the larger. */
  restitution: number;
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
  /** [1/s] */
  linearDamping: number;
  /** [1/s] */
  angularDamping: number;
  gravityScale: number;
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

/** Scripted motion of a kinematic body: straight and at constant turn between keys, at rest before and after. */
export interface SceneMotion {
  body: string;
  keys: MotionKey[];
  /** Repeats from the first to the last key; give both the same pose, else the body sweeps back in one step. */
  loop: boolean;
}

/** Settings that the file gives; what it leaves out is the engine's choice. */
export interface SceneSolver {
  rigid?: 'auto' | 'dantzig' | 'gauss-seidel' | 'contact-admm';
  elastic?: 'auto' | 'admm' | 'conjugate-residual';
  backend?: 'auto' | 'reference' | 'wasm' | 'webgpu';
  tolerance?: number;
  admmIterations?: number;
  sweeps?: number;
  /** Per step, of the elastic solve [ms]; null for none. */
  budget?: number | null;
}

/** A scene of format version 1. */
export interface Scene {
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
  motions: SceneMotion[];
  solver: SceneSolver;
}

/** Most of what a scene may hold; counted before anything is built. */
export interface SceneLimits {
  /** Bodies, copies included. Default 200 000. */
  bodies?: number;
  /** Hull points, mesh vertices and compound parts (the nodes of rods, shells and solids later). Default 2 000 000. */
  nodes?: number;
}
