// Sheets for validation: meshes that are unlike each other, worlds by the public calls, and experiments with known
// answers.

import { createWorld } from 'bitecs';
import {
  addRigidBody,
  addShell,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  shellPositions,
} from '../../src/index';

/**
 * How a grid is cut into triangles: diagonals in turn, all one way, in turn with its inner vertices moved about, or
 * every square in four about a vertex of its own, which come after those of the grid.
 */
export type MeshKind = 'turns' | 'one way' | 'uneven' | 'in four';
export const MESHES: readonly MeshKind[] = ['turns', 'one way', 'uneven', 'in four'];

export interface Grid {
  columns: number;
  rows: number;
  /** Two numbers a vertex, lengths along the grid's sides [m]. */
  flat: Float64Array;
  triangles: Int32Array;
}

/**
 * A grid of `columns` × `rows` vertices over `width` × `height` [m]. The first and last two columns stay where they
 * are.
 */
export function createGrid(columns: number, rows: number, width: number, height: number, kind: MeshKind): Grid {
  const count = columns * rows;
  const flat = new Float64Array(2 * count + (kind === 'in four' ? 2 * (columns - 1) * (rows - 1) : 0));
  const triangles: number[] = [];
  let seed = 12345;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648 - 0.5;
  };
  const [dx, dy] = [width / (columns - 1), height / (rows - 1)];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const a = j * columns + i;
      flat[2 * a] = dx * i;
      flat[2 * a + 1] = dy * j;
      const isInner = i > 1 && i < columns - 2;
      if (kind === 'uneven' && isInner) {
        flat[2 * a] += 0.5 * dx * random();
        if (j > 0 && j < rows - 1) flat[2 * a + 1] += 0.5 * dy * random();
      }
      if (i + 1 === columns || j + 1 === rows) continue;
      const [b, c, d] = [a + 1, a + columns, a + columns + 1];
      if (kind === 'in four') {
        const m = count + j * (columns - 1) + i;
        flat.set([dx * (i + 0.5), dy * (j + 0.5)], 2 * m);
        triangles.push(a, b, m, b, d, m, d, c, m, c, a, m);
      } else if (kind === 'one way' || (i + j) % 2 === 0) triangles.push(a, b, d, a, d, c);
      else triangles.push(a, b, c, b, d, c);
    }
  }
  return { columns, rows, flat, triangles: Int32Array.from(triangles) };
}

/** Points of a grid, placed by the lengths along its sides. */
export function place(grid: Grid, at: (s: number, t: number) => readonly [number, number, number]): Float64Array {
  const out = new Float64Array((3 * grid.flat.length) / 2);
  for (let v = 0; v < grid.flat.length / 2; v++) out.set(at(grid.flat[2 * v], grid.flat[2 * v + 1]), 3 * v);
  return out;
}

export function createSheetWorld(settings: PhysicsSettings = {}): Physics {
  return createPhysics(createWorld(), { sleeping: false, userTiming: false, ...settings });
}

/** E of a sheet of bending stiffness D [N·m]. */
export const modulusOf = (stiffness: number, thickness: number, poissonRatio: number) =>
  (12 * (1 - poissonRatio ** 2) * stiffness) / thickness ** 3;

const G = 9.81;

/** Reach and drop of the tip, over the length, of a strip that bends under its own weight and has come to rest. */
export function droop(gamma: number, cells: number, kind: MeshKind, poissonRatio = 0, across = 4) {
  const length = 0.4;
  const [mass, thickness, membrane] = [0.2, 1e-3, 2e4]; // [kg/m²], [m], [N/m]
  const cell = length / cells;
  // The clamp holds the middle of its edge: half a cell more is free (shared/validation, README).
  const free = length - cell / 2;
  const stiffness = (mass * G * free ** 3) / gamma;
  const grid = createGrid(cells + 1, across + 1, length, across * cell, kind);
  // Long steps of implicit Euler lose all motion: what is left is the equilibrium.
  const physics = createSheetWorld({ gravity: [0, -G, 0], timeStep: 1 });
  const pins: number[] = [];
  for (let j = 0; j < grid.rows; j++) pins.push(j * grid.columns, j * grid.columns + 1);
  const eid = addShell(physics, {
    vertices: place(grid, (s, t) => [s, 0, -t]),
    triangles: grid.triangles,
    thickness,
    density: mass / thickness,
    stretchModulus: membrane / thickness,
    bendingModulus: modulusOf(stiffness, thickness, poissonRatio),
    poissonRatio,
    damping: 0,
    selfContact: false,
    pins,
  });
  const last = settle(physics, eid, 60);
  let [x, y] = [0, 0];
  for (let j = 0; j < grid.rows; j++) {
    const at = 3 * (j * grid.columns + grid.columns - 1);
    x += last[at] / grid.rows;
    y += last[at + 1] / grid.rows;
  }
  physics.dispose();
  return { reach: (x - cell / 2) / free, drop: -y / free };
}

/** Steps until no vertex moves a micrometre a step, at most `most` steps; returns the vertices. */
export function settle(physics: Physics, eid: number, most: number): Float64Array {
  let before = shellPositions(physics, eid).slice();
  for (let step = 0; step < most; step++) {
    physics.step();
    if (step % 10 !== 9) continue;
    const now = shellPositions(physics, eid);
    let way = 0;
    for (let k = 0; k < now.length; k++) way = Math.max(way, Math.abs(now[k] - before[k]));
    if (way < 1e-6) return now;
    before = now.slice();
  }
  return before;
}

/**
 * Growth of a small bow from step to step, as a logarithm, of an upright strip held by one end that weighs `share` of
 * what makes it leave its plane after Michell and Prandtl: q L³ / √(B C) = 12.8538 with B = E b h³ / 12,
 * C = G b h³ / 3. Long steps of implicit Euler leave nothing else.
 */
export function bowGrowth(share: number, cells: number, across: number, kind: MeshKind, poissonRatio = 0): number {
  const length = 0.4;
  const cell = length / cells;
  const width = across * cell;
  const [mass, thickness, membrane] = [0.2, 1e-3, 5e4];
  const free = length - cell / 2;
  const load = mass * G * width; // [N/m]
  const root = (load * free ** 3) / (12.853763321383163 * share);
  // C / B = 2 / (1 + ν).
  const bending = root / Math.sqrt(2 / (1 + poissonRatio));
  const grid = createGrid(cells + 1, across + 1, length, width, kind);
  const physics = createSheetWorld({ gravity: [0, -G, 0], timeStep: 1 });
  const pins: number[] = [];
  for (let j = 0; j < grid.rows; j++) pins.push(j * grid.columns, j * grid.columns + 1);
  const eid = addShell(physics, {
    vertices: place(grid, (s, t) => [s, t, s < 1.1 * cell ? 0 : 1e-5 * length * (s / length) ** 2]),
    restVertices: place(grid, (s, t) => [s, t, 0]),
    triangles: grid.triangles,
    thickness,
    density: mass / thickness,
    stretchModulus: membrane / thickness,
    bendingModulus: (12 * bending) / (width * thickness ** 3),
    poissonRatio,
    selfContact: false,
    damping: 0,
    pins,
  });
  const tip = 3 * (Math.floor(grid.rows / 2) * grid.columns + grid.columns - 1) + 2;
  let early = 0;
  for (let step = 1; step <= 30; step++) {
    physics.step();
    if (step === 20) early = shellPositions(physics, eid)[tip];
  }
  const late = shellPositions(physics, eid)[tip];
  physics.dispose();
  return Math.log(late / early);
}

/** A patch on a slope of `tangent` times its friction: how far its middle goes between two moments [m]. */
export function slideOn(
  on: 'plane' | 'sheet',
  tangent: number,
  yaw: number,
  kind: MeshKind,
  { friction = 0.5, columns = 10, from = 30, to = 90, settings = {} as PhysicsSettings } = {},
): { way: number; expected: number; gap: number } {
  const slope = Math.atan(tangent * friction);
  const gravity = [G * Math.sin(slope), -G * Math.cos(slope), 0];
  const physics = createSheetWorld({ gravity, ...settings });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: on === 'plane' ? friction : 4 });
  const thickness = 0.01;
  const material = {
    thickness,
    density: 0.2 / thickness,
    stretchModulus: 5000 / thickness,
    bendingModulus: modulusOf(1e-5, thickness, 0.3),
    poissonRatio: 0.3,
    damping: 0.002,
    friction,
  };
  let lift = 0;
  if (on === 'sheet') {
    const under = createGrid(21, 15, 1, 0.7, 'one way');
    const pins = [];
    for (let v = 0; v < 21 * 15; v++) {
      const [i, j] = [v % 21, Math.floor(v / 21)];
      if (i === 0 || j === 0 || i === 20 || j === 14) pins.push(v);
    }
    const vertices = place(under, (s, t) => [s - 0.35, thickness / 2, 0.35 - t]);
    addShell(physics, { vertices, triangles: under.triangles, ...material, pins });
    lift = thickness;
  }
  const side = 0.3;
  const grid = createGrid(columns, columns, side, side, kind);
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const eid = addShell(physics, {
    vertices: place(grid, (a, b) => {
      const [x, z] = [a - side / 2, side / 2 - b];
      return [c * x + s * z, lift + thickness / 2 + 2e-4, c * z - s * x];
    }),
    triangles: grid.triangles,
    ...material,
    selfContact: false,
  });
  const middle = () => {
    const points = shellPositions(physics, eid);
    let [x, y] = [0, 0];
    for (let k = 0; k < points.length; k += 3) {
      x += points[k];
      y += points[k + 1];
    }
    return [(3 * x) / points.length, (3 * y) / points.length];
  };
  let start = 0;
  for (let step = 1; step <= to; step++) {
    physics.step();
    if (step === from) start = middle()[0];
  }
  const [end, height] = middle();
  physics.dispose();
  const pull = Math.max(0, G * (Math.sin(slope) - friction * Math.cos(slope)));
  const dt = 1 / 60;
  return { way: end - start, expected: 0.5 * pull * (to * to - from * from) * dt * dt, gap: height - lift };
}
