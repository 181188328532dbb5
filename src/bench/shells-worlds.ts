// The worlds of `stiction bench shells`: sheets that hang, drape, slide, are dashed about and lie on each other, as
// other engines are measured with them (same vertices, sizes, masses, steps; test/bench/README.md).
//
// The material is ours to choose, since most peers have no moduli: cotton, membrane stiffness 5 kN/m, bending
// stiffness 10 µN·m.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import type { Physics } from '../../systems/physics';
import { addRigidBody, setKinematicTarget } from '../../systems/rigid-body';
import { addShell, shellPositions } from '../../systems/shells';
import type { BackendName } from './rods-worlds';

export type Point = readonly [number, number, number];

/** A sheet of a world, as its metrics need it. */
export interface BenchSheet {
  readonly triangles: Int32Array;
  /** Two vertices an edge along the grid, and rest lengths [m]. */
  readonly edges: Int32Array;
  readonly lengths: Float64Array;
  /** Where its vertices are now, three numbers each [m]; the array is used again. */
  positions(): Float64Array;
}

export interface ShellWorld {
  readonly physics: Physics;
  readonly sheets: readonly BenchSheet[];
  /** Moves what is driven, then steps. */
  advance(): void;
  /** Pose of what is driven: place of its middle and yaw. */
  pose(): { position: Point; yaw: number };
}

export const GRAVITY = 9.81; // [m/s²]
export const FRICTION = 0.5;
/** Layers are as far apart as this, a sheet half of it above what it lies on [m]. */
const THICKNESS = 0.01;
const MEMBRANE = 5000; // E h [N/m]
const BENDING = 1e-5; // D [N·m]
const POISSON = 0.3;
const TIME_STEP = 1 / 60; // [s]

/** What may differ between two runs of a world. */
export interface ShellSettings {
  backend?: BackendName | 'auto';
  iterations?: number;
  threads?: number;
}

interface SheetSpec {
  columns: number;
  rows: number;
  place(u: number, v: number): Point;
  mass: number;
  thickness?: number;
  friction?: number;
  selfContact?: boolean;
  airDrag?: number;
  pins?: readonly (number | { vertex: number; body: number })[];
}

function createBench(gravity: Point, { backend = 'auto', iterations, threads = 0 }: ShellSettings): Physics {
  return createPhysics(createWorld(), {
    timeStep: TIME_STEP,
    sleeping: false,
    userTiming: false,
    gravity: [...gravity],
    threads,
    elastic: { backend, ...(iterations !== undefined && { iterations }) },
  });
}

/** Adds a grid of triangles, diagonals in turn. */
function addSheet(physics: Physics, spec: SheetSpec): BenchSheet {
  const { columns, rows, place, mass, thickness = THICKNESS } = spec;
  const count = columns * rows;
  const vertices = new Float64Array(3 * count);
  const triangles: number[] = [];
  const edges: number[] = [];

  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const a = j * columns + i;
      vertices.set(place(i / (columns - 1), j / (rows - 1)), 3 * a);
      if (i + 1 < columns) edges.push(a, a + 1);
      if (j + 1 < rows) edges.push(a, a + columns);
      if (i + 1 === columns || j + 1 === rows) continue;
      const [b, c, d] = [a + 1, a + columns, a + columns + 1];
      if ((i + j) % 2 === 0) triangles.push(a, b, d, a, d, c);
      else triangles.push(a, b, c, b, d, c);
    }
  }

  const lengths = Float64Array.from({ length: edges.length / 2 }, (_, e) =>
    distance(vertices, edges[2 * e], edges[2 * e + 1]),
  );

  const eid = addShell(physics, {
    vertices,
    triangles,
    thickness,
    density: mass / (areaOf(vertices, triangles) * thickness),
    stretchModulus: MEMBRANE / thickness,
    bendingModulus: (12 * (1 - POISSON * POISSON) * BENDING) / thickness ** 3,
    poissonRatio: POISSON,
    damping: 0.002,
    friction: spec.friction ?? FRICTION,
    airDrag: spec.airDrag ?? 0,
    selfContact: spec.selfContact ?? true,
    pins: spec.pins ?? [],
  });

  const now = new Float64Array(3 * count);

  return {
    triangles: Int32Array.from(triangles),
    edges: Int32Array.from(edges),
    lengths,
    positions() {
      return shellPositions(physics, eid, now);
    },
  };
}

function distance(points: ArrayLike<number>, a: number, b: number): number {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (points[3 * a + k] - points[3 * b + k]) ** 2;
  return Math.sqrt(square);
}

function areaOf(points: Float64Array, triangles: readonly number[]): number {
  let area = 0;
  const side = (t: number, k: number) => {
    const [a, b] = [triangles[t], triangles[t + k]];
    return [0, 1, 2].map((i) => points[3 * b + i] - points[3 * a + i]);
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const [u, v] = [side(t, 1), side(t, 2)];
    const cross = [0, 1, 2].map((i) => u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    area += 0.5 * Math.sqrt(cross[0] ** 2 + cross[1] ** 2 + cross[2] ** 2);
  }
  return area;
}

const STILL = { position: [0, 0, 0] as Point, yaw: 0 };

function stillWorld(physics: Physics, sheets: readonly BenchSheet[]): ShellWorld {
  return { physics, sheets, advance: () => physics.step(), pose: () => STILL };
}

const DOWN: Point = [0, -GRAVITY, 0];
const square =
  (side: number, height: number, x = 0, z = 0) =>
  (u: number, v: number): Point => [x + side * (u - 0.5), height, z + side * (0.5 - v)];

/** A square metre held by two corners that begins level. */
export function createHang(columns: number, settings: ShellSettings = {}): ShellWorld {
  const physics = createBench(DOWN, settings);
  // A fine mesh has edges shorter than the contact is thick: it touches nothing here.
  const thickness = Math.min(THICKNESS, 0.4 / (columns - 1));
  const pins = [0, columns - 1];
  const sheet = addSheet(physics, { columns, rows: columns, place: square(1, 0), mass: 0.2, thickness, pins });
  return stillWorld(physics, [sheet]);
}

export const BALL = 0.3; // radius [m]

/** The same metre, dropped 5 cm on a fixed ball, 5 cm off its middle. */
export function createDrape(columns: number, settings: ShellSettings = {}): ShellWorld {
  const physics = createBench(DOWN, settings);
  addRigidBody(physics, { type: 'static', shape: { sphere: BALL }, friction: FRICTION });
  const sheet = addSheet(physics, { columns, rows: columns, place: square(1, 0.35, 0.05), mass: 0.2 });
  return stillWorld(physics, [sheet]);
}

/**
 * A patch on a level plane under a turned gravity: `tangent` of the slope over the friction, `yaw` of the mesh [rad].
 */
export function createIncline(tangent: number, yaw = 0, columns = 20, settings: ShellSettings = {}): ShellWorld {
  const slope = Math.atan(tangent * FRICTION);
  const gravity: Point = [GRAVITY * Math.sin(slope), -GRAVITY * Math.cos(slope), 0];
  const physics = createBench(gravity, settings);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: FRICTION });
  const sheet = addSheet(physics, {
    columns,
    rows: columns,
    place: turned(0.4, 0.0055, yaw),
    mass: 0.032,
    selfContact: false,
  });
  return stillWorld(physics, [sheet]);
}

function turned(side: number, height: number, yaw: number) {
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  return (u: number, v: number): Point => {
    const [x, z] = [side * (u - 0.5), side * (0.5 - v)];
    return [c * x + s * z, height, c * z - s * x];
  };
}

/** The same on a larger sheet that lies on the plane and is held by its rim. */
export function createLayerIncline(tangent: number, yaw = 0, columns = 20, settings: ShellSettings = {}): ShellWorld {
  const slope = Math.atan(tangent * FRICTION);
  const gravity: Point = [GRAVITY * Math.sin(slope), -GRAVITY * Math.cos(slope), 0];
  const physics = createBench(gravity, settings);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 4 });
  const under = 25;
  const rim = Array.from({ length: under * under }, (_, i) => i).filter((i) => {
    const [column, row] = [i % under, Math.floor(i / under)];
    return column === 0 || row === 0 || column === under - 1 || row === under - 1;
  });
  const below = addSheet(physics, {
    columns: under,
    rows: under,
    place: (u, v) => [1.2 * (u - 0.5) + 0.25, THICKNESS / 2, 0.8 * (0.5 - v)],
    mass: 0.2 * 1.2 * 0.8,
    pins: rim,
  });
  const sheet = addSheet(physics, { columns, rows: columns, place: turned(0.4, 1.55 * THICKNESS, yaw), mass: 0.032 });
  return stillWorld(physics, [sheet, below]);
}

export const CAPSULE = { radius: 0.2, half: 0.5 };

/**
 * Rest, a dash along z to 10 m/s at 40 m/s², half a turn in half a second at speed, back, a stop within a tenth of a
 * second.
 */
function dash(): (step: number) => { position: Point; yaw: number } {
  const inStep = 16;
  const h = TIME_STEP / inStep;
  const poses: { position: Point; yaw: number }[] = [];
  let [x, z, yaw] = [0, 0, 0];
  for (let i = 0; i <= 240 * inStep; i++) {
    const t = i * h;
    if (i % inStep === 0) poses.push({ position: [x, 0, z], yaw });
    const speed =
      t < 0.5 ? 0 : t < 0.75 ? 40 * (t - 0.5) : t < 2.75 ? 10 : t < 2.85 ? Math.max(0, 100 * (2.85 - t)) : 0;
    if (t >= 1.5 && t < 2) yaw += (Math.PI * h) / 0.5;
    x += h * speed * Math.sin(yaw);
    z += h * speed * Math.cos(yaw);
  }
  return (step) => poses[Math.min(step, poses.length - 1)];
}

/** Half a cylinder of cloth that hangs by its top row from a driven capsule. */
export function createCape(columns: number, settings: ShellSettings = {}): ShellWorld {
  const physics = createBench(DOWN, settings);
  const { radius, half } = CAPSULE;
  const away = 0.212;
  const body = addRigidBody(physics, { type: 'kinematic', shape: { capsule: [radius, half] }, friction: FRICTION });
  const sheet = addSheet(physics, {
    columns,
    rows: columns,
    place: (u, v) => {
      const angle = Math.PI * (u - 0.5);
      return [away * Math.sin(angle), 0.5 - v, -away * Math.cos(angle)];
    },
    mass: 0.2 * Math.PI * away,
    pins: Array.from({ length: columns }, (_, vertex) => ({ vertex, body })),
  });
  const at = dash();
  return {
    physics,
    sheets: [sheet],
    advance() {
      const { position, yaw } = at(physics.stepCount + 1);
      setKinematicTarget(physics, body, position, [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)]);
      physics.step();
    },
    pose: () => at(physics.stepCount),
  };
}

/** Five sheets of 30 cm, 3 cm apart, each a little aside of the one below, dropped on a plane. */
export function createLayers(columns: number, settings: ShellSettings = {}): ShellWorld {
  const physics = createBench(DOWN, settings);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: FRICTION });
  const sheets = Array.from({ length: 5 }, (_, k) =>
    addSheet(physics, {
      columns,
      rows: columns,
      place: square(0.3, 0.02 + 0.03 * k, 0.004 * k, -0.003 * k),
      mass: 0.018,
    }),
  );
  return stillWorld(physics, sheets);
}

/** A flag in a steady wind, without contact; `wind` is set by the caller. */
export function createFlag(columns: number, rows: number, settings: ShellSettings = {}): ShellWorld {
  const physics = createBench(DOWN, settings);
  const sheet = addSheet(physics, {
    columns,
    rows,
    place: (u, v) => [1.5 * u, v, 0.04 * u * Math.sin(6 * u)],
    mass: 0.2,
    selfContact: false,
    airDrag: 1,
    pins: Array.from({ length: rows }, (_, j) => j * columns),
  });
  return stillWorld(physics, [sheet]);
}
