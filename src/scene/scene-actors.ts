// What moves itself in a scene, and what acts on it: characters, vehicles, ragdolls, volumes, explosions, watches.

// (Vectors are scene-types' own, written out: that file builds on this one.)
type Triple = [number, number, number];
type Quadruple = [number, number, number, number];

/** A kinematic capsule that walks (`addCharacter`). */
export interface SceneCharacter {
  /** Unique, among bodies too. Without one `character-<place in the list>`. */
  name?: string;
  /** Of its feet [m]. */
  position?: Triple;
  rotation?: Quadruple;
  /** [m] */
  radius?: number;
  height?: number;
  crouchHeight?: number;
  /** [rad] */
  maxSlope?: number;
  /** [m] */
  stepHeight?: number;
  /** [kg] */
  mass?: number;
  /** [N] */
  pushForce?: number;
  /** [m/s²] */
  acceleration?: number;
  airAcceleration?: number;
  gravityScale?: number;
  layers?: number;
  mask?: number;
  /** Velocity that it asks for from the start [m/s]. */
  move?: Triple;
}

export interface SceneWheel {
  /** In the axes of the body [m]. */
  mount: Triple;
  radius?: number;
  travel?: number;
  frequency?: number;
  damping?: number;
  friction?: number;
  maxSteer?: number;
  driveForce?: number;
  brakeForce?: number;
  handbrakeForce?: number;
  rolling?: number;
  axle?: number;
}

/** Wheels under a body (`addVehicle`). */
export interface SceneVehicle {
  /** Name of a dynamic body. */
  body: string;
  wheels: SceneWheel[];
  forward?: Triple;
  /** [N/m] */
  antiRoll?: number;
  /** [m/s] */
  topSpeed?: number;
  shapeCast?: boolean;
  /** Wheels of two tracks. */
  tracked?: boolean;
  /** What the driver does from the start. */
  throttle?: number;
  steer?: number;
  brake?: number;
  handbrake?: number;
}

export interface SceneBone {
  name: string;
  parent?: string;
  from: Triple;
  to: Triple;
  radius: number;
  mass?: number;
  axis?: Triple;
  limits?: [number, number];
  cone?: number;
  twist?: [number, number];
  friction?: number;
}

/** Capsules and joints from a list of bones, or of a person (`addRagdoll`, `personBones`). */
export interface SceneRagdoll {
  /** Unique. Without one `ragdoll-<place in the list>`; its bones are bodies called `<name>-<bone>`. */
  name?: string;
  bones?: SceneBone[];
  person?: { feet: Triple; height?: number };
  velocity?: Triple;
  density?: number;
  surfaceFriction?: number;
  layers?: number;
  mask?: number;
}

/** Where bodies swim, are blown, or fall another way (`addWater`, `addWindVolume`, `addGravityVolume`). */
export interface SceneVolume {
  type: 'water' | 'wind' | 'gravity';
  /** A box along the axes [m], */
  min?: Triple;
  max?: Triple;
  /** or a ball [m]. */
  center?: Triple;
  radius?: number;
  mask?: number;
  /** Water: [kg/m³]. */
  density?: number;
  /** Water [1/s], wind [-]. */
  drag?: number;
  /** Water [m/s]. */
  flow?: Triple;
  /** Wind [m/s]. */
  velocity?: Triple;
  /** Gravity [m/s²]. */
  gravity?: Triple;
  towards?: Triple;
  strength?: number;
}

/** `explode` at a time. */
export interface SceneExplosion {
  /** From the start [s]. */
  time: number;
  center: Triple;
  radius: number;
  impulse: number;
  lift?: number;
  mask?: number;
}

/** A list of contact events (`watchContacts`), which `stiction run` writes. */
export interface SceneWatch {
  /** Unique. Without one `watch-<place in the list>`. */
  name?: string;
  /** Contacts of this body alone. */
  body?: string;
  /** [N·s] */
  minImpulse?: number;
  /** Whether each step in which it lasts is told. */
  stay?: boolean;
}

/** The lists of a scene. */
export interface SceneActors {
  characters: SceneCharacter[];
  vehicles: SceneVehicle[];
  ragdolls: SceneRagdoll[];
  volumes: SceneVolume[];
  explosions: SceneExplosion[];
  watches: SceneWatch[];
}
