// The model problems of Li et al. 2018 ("Argus"), on which Daviet 2020 compares solvers (Table 1), at the size of a
// game: a belt under tension on two drums, a house of cards, a cloth that is dragged, a cloth over a box and a cone.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import type { Physics } from '../../systems/physics';
import { addRigidBody, setKinematicTarget } from '../../systems/rigid-body';
import { addShell } from '../../systems/shells';

type Point = [number, number, number];

export interface ArgusWorld {
  physics: Physics;
  /** Problems are taken down in so many steps, evenly. */
  steps: number;
  advance(): void;
}

export const ARGUS_WORLDS = ['belt', 'cards, μ 0.2', 'cards, μ 0.6', 'dragging', 'box and cone'] as const;
export type ArgusName = (typeof ARGUS_WORLDS)[number];

const UPRIGHT = Math.SQRT1_2; // half a right angle about x: a cylinder along z

function createArgus(timeStep: number): Physics {
  return createPhysics(createWorld(), { timeStep, sleeping: false, userTiming: false });
}

/** Vertices of a grid and its triangles; `isClosed`: the last column is followed by the first. */
function grid(columns: number, rows: number, isClosed: boolean, place: (u: number, v: number) => Point) {
  const vertices: Point[] = [];
  const triangles: number[] = [];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      vertices.push(place(i / (isClosed ? columns : columns - 1), j / (rows - 1)));
      if ((!isClosed && i + 1 === columns) || j + 1 === rows) continue;
      const [a, b] = [j * columns + i, j * columns + ((i + 1) % columns)];
      if ((i + j) % 2 === 0) triangles.push(a, b, b + columns, a, b + columns, a + columns);
      else triangles.push(a, b, a + columns, b, b + columns, a + columns);
    }
  }
  return { vertices, triangles };
}

/** By mass [kg/m²], membrane and bending stiffness [N/m], [N·m]. */
const cloth = (mass: number, membrane: number, bending: number, thickness: number, friction: number) => ({
  thickness,
  density: mass / thickness,
  stretchModulus: membrane / thickness,
  bendingModulus: (12 * 0.91 * bending) / thickness ** 3,
  poissonRatio: 0.3,
  damping: 0.002,
  friction,
});

/** Ways and turns that a kinematic body is at, by time [s]. */
function drive(
  physics: Physics,
  body: number,
  at: (t: number) => [Point, [number, number, number, number]],
): () => void {
  return () => {
    const [position, rotation] = at((physics.stepCount + 1) * physics.settings.timeStep);
    setKinematicTarget(physics, body, position, rotation);
    physics.step();
  };
}

function belt(timeStep: number): ArgusWorld {
  const physics = createArgus(timeStep);
  const [radius, half, width, thickness] = [0.1, 0.25, 0.12, 0.005];

  const drum = (x: number, type: 'static' | 'kinematic') =>
    addRigidBody(physics, {
      type,
      shape: { cylinder: [radius, width] },
      position: [x, 0.5, 0],
      rotation: [UPRIGHT, 0, 0, UPRIGHT],
      friction: 0.5,
    });

  drum(half, 'static');
  const driven = drum(-half, 'kinematic');
  const middle = radius + thickness / 2;
  const length = 4 * half + 2 * Math.PI * middle;

  const loop =
    (away: number) =>
    (u: number, v: number): Point => {
      const s = u * length;
      const z = width * (v - 0.5);
      const arc = Math.PI * middle;
      if (s < 2 * half) return [s - half, 0.5 + away, z];
      if (s < 2 * half + arc) {
        const angle = (s - 2 * half) / middle;
        return [half + away * Math.sin(angle), 0.5 + away * Math.cos(angle), z];
      }
      if (s < 4 * half + arc) return [half - (s - 2 * half - arc), 0.5 - away, z];
      const angle = (s - 4 * half - arc) / middle;
      return [-half - away * Math.sin(angle), 0.5 - away * Math.cos(angle), z];
    };

  const { vertices, triangles } = grid(56, 6, true, loop(middle + 2e-4));

  // A twentieth shorter than it has to be.
  const rest = vertices.map(([x, y, z]): Point => [0.95 * x, 0.5 + 0.95 * (y - 0.5), z]);

  addShell(physics, {
    vertices,
    triangles,
    restVertices: rest,
    restAngles: 'drawn',
    ...cloth(0.3, 4000, 1e-4, thickness, 0.5),
  });

  const advance = drive(physics, driven, (t) => {
    const angle = t;
    const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
    // About z, then lying.
    return [
      [-half, 0.5, 0],
      [UPRIGHT * c, UPRIGHT * s, UPRIGHT * s, UPRIGHT * c],
    ];
  });

  return { physics, steps: Math.round(0.5 / timeStep), advance };
}

/** Two leaning pairs, a card across their tops, a pair on that. */
function cards(timeStep: number, friction: number): ArgusWorld {
  const physics = createArgus(timeStep);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction });
  const [long, wide, thickness, tilt] = [0.9, 0.6, 0.008, 0.3];
  const [sine, cosine] = [Math.sin(tilt), Math.cos(tilt)];
  const gap = 0.0005;
  const card = (middle: Point, along: Point, length: number) => {
    const { vertices, triangles } = grid(
      4,
      6,
      false,
      (u, v): Point => [
        middle[0] + length * (v - 0.5) * along[0],
        middle[1] + length * (v - 0.5) * along[1],
        wide * (u - 0.5),
      ],
    );
    const stiff = { thickness, density: 250, stretchModulus: 5e7, bendingModulus: 2e9, damping: 0.002, friction };
    addShell(physics, { vertices, triangles, ...stiff });
  };
  const pair = (x: number, foot: number) => {
    for (const side of [-1, 1]) {
      const head = x + side * (thickness / (2 * cosine) + gap);
      card([head + (side * long * sine) / 2, foot + (long * cosine) / 2, 0], [-side * sine, cosine, 0], long);
    }
  };
  const reach = long * sine + thickness / (2 * cosine) + 0.01;
  pair(-reach, thickness / 2);
  pair(reach, thickness / 2);
  const top = thickness / 2 + long * cosine + thickness + gap;
  card([0, top, 0], [1, 0, 0], 2 * reach + 0.1);
  pair(0, top + thickness + gap);
  return { physics, steps: Math.round(0.5 / timeStep), advance: () => physics.step() };
}

function dragging(timeStep: number): ArgusWorld {
  const physics = createArgus(timeStep);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.4 });
  const bar = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.01 }, position: [0.4, 0.02, 0], mask: 0 });
  const columns = 16;
  const { vertices, triangles } = grid(columns, columns, false, (u, v) => [0.8 * (u - 0.5), 0.0035, 0.8 * (0.5 - v)]);
  const pins = Array.from({ length: columns }, (_, j) => ({ vertex: j * columns + columns - 1, body: bar }));
  addShell(physics, { vertices, triangles, ...cloth(0.25, 5000, 3e-5, 0.006, 0.4), pins });
  const advance = drive(physics, bar, (t) => [
    [0.4 + 0.5 * t, 0.02, 0],
    [0, 0, 0, 1],
  ]);
  return { physics, steps: Math.round(0.5 / timeStep), advance };
}

function boxAndCone(timeStep: number): ArgusWorld {
  const physics = createArgus(timeStep);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
  addRigidBody(physics, {
    type: 'static',
    shape: { box: [0.12, 0.12, 0.12] },
    position: [-0.2, 0.12, 0],
    friction: 0.5,
  });
  addRigidBody(physics, { type: 'static', shape: { cone: [0.15, 0.17] }, position: [0.2, 0.17, 0], friction: 0.5 });
  const { vertices, triangles } = grid(20, 20, false, (u, v): Point => {
    const [x, z] = [0.8 * (u - 0.5), 0.8 * (0.5 - v)];
    return [0.96 * x - 0.29 * z, 0.36, 0.29 * x + 0.96 * z];
  });
  addShell(physics, { vertices, triangles, ...cloth(0.25, 5000, 3e-5, 0.006, 0.5), airDrag: 0.5 });
  return { physics, steps: Math.round(0.8 / timeStep), advance: () => physics.step() };
}

/** A world by its name. */
export function createArgusWorld(name: ArgusName, timeStep: number): ArgusWorld {
  if (name === 'belt') return belt(timeStep);
  if (name === 'dragging') return dragging(timeStep);
  if (name === 'box and cone') return boxAndCone(timeStep);
  return cards(timeStep, name === 'cards, μ 0.2' ? 0.2 : 0.6);
}
