// The worlds of `stiction bench solids`: a heap of jelly cubes and a clamped bar, as other engines are measured with
// them (same vertices, tetrahedra, masses, steps; test/bench/README.md); a stack; a block on a slope.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import type { Physics } from '../../systems/physics';
import { addRigidBody } from '../../systems/rigid-body';
import type { SolidElementKind, SolidModel } from '../../systems/solid-spec';
import { addSolid, solidPositions } from '../../systems/solids';
import { boundaryTriangles } from '../geometry/tetrahedra';
import type { Point } from './shells-worlds';

/** A solid of a world, as its metrics need it. */
export interface BenchSolid {
  readonly entity: number;
  readonly tetrahedra: Int32Array;
  /** The boundary. */
  readonly triangles: Int32Array;
  /** Where its vertices are now, three numbers each [m]; the array is used again. */
  positions(): Float64Array;
}

export interface SolidWorld {
  readonly physics: Physics;
  readonly solids: readonly BenchSolid[];
}

/** What may differ between two runs of a world. */
export interface SolidSettings {
  iterations?: number;
  model?: SolidModel;
  elements?: SolidElementKind;
  poissonRatio?: number;
  density?: number;
}

export const GRAVITY = 9.81; // [m/s²]
export const FRICTION = 0.5;
const DENSITY = 1000; // [kg/m³]
export const POISSON = 0.3;
/** Surfaces of two solids rest at twice this [m]. */
const RADIUS = 0.005;
const TIME_STEP = 1 / 60; // [s]
const DOWN: Point = [0, -GRAVITY, 0];

/** The six ways from one corner of a cell to the opposite one along its axes: a tetrahedron each. */
const WAYS: readonly (readonly [number, number, number])[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** A box of cells of six tetrahedra: places [m], four vertices a tetrahedron. */
export interface BoxMesh {
  readonly vertices: Float64Array;
  readonly tetrahedra: Int32Array;
}

/** A box of `cells` cells about `middle`, turned about y [rad]; vertices along x first, then y, then z. */
export function boxMesh(size: Point, cells: Point, middle: Point, turn: number): BoxMesh {
  const [nx, ny, nz] = cells.map((count) => count + 1);
  const vertices = new Float64Array(3 * nx * ny * nz);
  const tetrahedra: number[] = [];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const number = (at: readonly number[]) => (at[2] * ny + at[1]) * nx + at[0];
  for (let i = 0; i < nx; i++) {
    for (let j = 0; j < ny; j++) {
      for (let k = 0; k < nz; k++) {
        const [x, y, z] = [i, j, k].map((index, axis) => size[axis] * (index / cells[axis] - 0.5));
        vertices.set([middle[0] + c * x + s * z, middle[1] + y, middle[2] - s * x + c * z], 3 * number([i, j, k]));
        if (i + 1 === nx || j + 1 === ny || k + 1 === nz) continue;
        WAYS.forEach((way, parity) => {
          const at = [i, j, k];
          const corners = [number(at)];
          for (const axis of way) {
            at[axis]++;
            corners.push(number(at));
          }
          // Odd permutations of the axes turn the other way.
          const isOdd = parity === 1 || parity === 2 || parity === 5;
          tetrahedra.push(corners[0], corners[1], ...(isOdd ? [corners[3], corners[2]] : [corners[2], corners[3]]));
        });
      }
    }
  }
  return { vertices, tetrahedra: Int32Array.from(tetrahedra) };
}

function createBench({ iterations }: SolidSettings, gravity: Point = DOWN, sleeping = false): Physics {
  return createPhysics(createWorld(), {
    timeStep: TIME_STEP,
    sleeping,
    userTiming: false,
    gravity: [...gravity],
    ...(iterations !== undefined && { elastic: { iterations } }),
  });
}

interface BoxSpec extends BoxMesh {
  youngModulus: number;
  damping?: number;
  pins?: readonly number[];
  restVertices?: Float64Array;
}

/** Adds a box with the bench's material, and what `box` and the settings say instead. */
export function addBox(physics: Physics, box: BoxSpec, { iterations: _, ...settings }: SolidSettings): BenchSolid {
  const { tetrahedra } = box;
  const entity = addSolid(physics, {
    density: DENSITY,
    friction: FRICTION,
    poissonRatio: POISSON,
    radius: RADIUS,
    damping: 0,
    ...box,
    ...settings,
  });
  const points = new Float64Array(box.vertices.length);
  return {
    entity,
    tetrahedra,
    triangles: boundaryTriangles(tetrahedra, 'bench solids'),
    positions: () => solidPositions(physics, entity, points),
  };
}

/** Young's modulus of the cubes [Pa], and their edge [m]. */
export const JELLY = { youngModulus: 5e4, edge: 0.2 };

/**
 * Cubes of 20 cm, 4 cells an edge, dropped as a heap of `layers` of four. Some start inside each other, as they did
 * for other engines: by up to 12.9 mm of five layers, 4.8 mm of one.
 */
export function createJelly(layers: number, settings: SolidSettings = {}): SolidWorld {
  const physics = createBench(settings);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: FRICTION });
  const solids = Array.from({ length: 4 * layers }, (_, k) => {
    const middle: Point = [
      ((k & 1) - 0.5) * 0.24 + 0.02 * Math.sin(7 * k),
      0.13 + 0.25 * (k >> 2),
      (((k >> 1) & 1) - 0.5) * 0.24 + 0.02 * Math.cos(5 * k),
    ];
    const { edge, youngModulus } = JELLY;
    const mesh = boxMesh([edge, edge, edge], [4, 4, 4], middle, 0.3 * Math.sin(3 * k));
    return addBox(physics, { ...mesh, youngModulus }, settings);
  });
  return { physics, solids };
}

/** Length and thickness of the bar [m]; Young's modulus [Pa]. */
export const BAR = { length: 1, thickness: 0.1, youngModulus: 2e7, density: DENSITY };

/** A bar that stands out of a wall; `across` cells along its thickness. */
export function createBeam(across: number, settings: SolidSettings = {}): SolidWorld {
  const physics = createBench(settings);
  const { length, thickness, youngModulus } = BAR;
  const along = 5 * across;
  const mesh = boxMesh([length, thickness, thickness], [along, across, across], [length / 2, 0, 0], 0);
  const pins = Array.from({ length: (across + 1) ** 2 }, (_, row) => row * (along + 1));
  return { physics, solids: [addBox(physics, { ...mesh, youngModulus, pins }, settings)] };
}

/** Blocks of 10 cm, two cells an edge and nearly rigid, on each other; they may sleep. */
export function createStack(blocks: number): SolidWorld {
  const physics = createBench({}, DOWN, true);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: FRICTION });
  const solids = Array.from({ length: blocks }, (_, k) => {
    const middle: Point = [0, 0.05 + RADIUS + k * (0.1 + 2 * RADIUS), 0];
    return addBox(physics, { ...boxMesh([0.1, 0.1, 0.1], [2, 2, 2], middle, 0), youngModulus: 1e7, damping: 0.02 }, {});
  });
  return { physics, solids };
}

/** A block on a level plane under a turned gravity: `tangent` of the slope over the friction, its `heading` [rad]. */
export function createSlope(tangent: number, heading: number): SolidWorld {
  const slope = Math.atan(tangent * FRICTION);
  const pull = GRAVITY * Math.sin(slope);
  const gravity: Point = [pull * Math.cos(heading), -GRAVITY * Math.cos(slope), pull * Math.sin(heading)];
  const physics = createBench({}, gravity);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: FRICTION });
  const mesh = boxMesh([0.2, 0.1, 0.2], [2, 1, 2], [0, 0.05 + RADIUS, 0], 0);
  return { physics, solids: [addBox(physics, { ...mesh, youngModulus: 1e6, damping: 0.01 }, {})] };
}
