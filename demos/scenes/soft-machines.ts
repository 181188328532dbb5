// Scenes with elastic solids that do something, run and checked, but not in the gallery: a furry ball through a
// cloth, a gripper, a tyre on a kerb.

import { vec3 } from 'gl-matrix';
import { combine, GROUND, type KeyFile, type RodFile, type SceneFile, tidy, turn, type Vec3 } from './demo-scene';
import { fabric, sheet } from './sheets';
import { tetrahedronBall, tetrahedronRing } from './tetrahedra';

/** The furry ball: its radius, length of its hair, where it falls from, and the middle of the cloth [m]. */
export const FURRY = { radius: 0.16, hair: 0.05, start: [0, 1.5, 0] as Vec3, cloth: [0.75, 0.75, 0] as Vec3 };

/** A ball with fur that falls on a slope and rolls into a cloth that hangs there (Daviet 2020, Figure 12). */
export function furryBall(hairs = 120, cells = 3, columns = 13, timeStep = 1 / 120): SceneFile {
  const { radius, hair, start, cloth } = FURRY;
  const ball = tetrahedronBall(radius, cells);
  const far = Math.max(...ball.vertices.map((vertex) => vec3.length(vertex)));

  const rods: RodFile[] = Array.from({ length: hairs }, (_, i) => {
    // Evenly over the ball (Fibonacci's lattice).
    const y = 1 - (2 * i + 1) / hairs;
    const ring = Math.sqrt(1 - y * y);
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const out: Vec3 = [ring * Math.cos(angle), y, ring * Math.sin(angle)];
    return {
      ...{ name: `hair${i}`, growOn: 'ball', radius: 8e-4, density: 1300, youngModulus: 1e8, damping: 0.002 },
      points: [0, 1, 2, 3].map((k) => out.map((x, c) => start[c] + (far + (hair * k) / 3) * x) as Vec3),
    };
  });

  const slope = 0.5;
  const tilt = turn([0, 0, 1], -slope);

  return tidy({
    version: 1,
    title: 'Furry ball',
    description: 'An elastic ball with fur rolls down a slope and through a hanging cloth',
    timeStep,
    materials: { floor: { friction: 0.6 } },
    bodies: [
      {
        ...{ name: 'slope', type: 'static', material: 'floor', rotation: tilt, position: [0.3, 0.4, 0] },
        shape: { box: [1.1, 0.05, 0.6] },
      },
      { ...GROUND, position: [0, -0.6, 0] },
    ],
    rods,
    shells: [
      {
        name: 'cloth',
        ...strip(sheet(columns, columns, (u, v): Vec3 => [cloth[0], cloth[1] - 0.3 + 0.6 * v, 0.6 * (u - 0.5)])),
        ...fabric(0.3, 5000, 1e-5, 0.004, { damping: 0.003, friction: 0.4 }),
        pins: Array.from({ length: columns }, (_, i) => columns * (columns - 1) + i).filter((_, i) => i % 4 === 0),
      },
    ],
    solids: [
      {
        ...{ name: 'ball', ...ball, position: start, density: 400, youngModulus: 4e4, poissonRatio: 0.3 },
        ...{ model: 'fixed-corotated', friction: 0.6, damping: 0.005, radius: 0.003 },
      },
    ],
  });
}

function strip({ vertices, triangles }: { vertices: Vec3[]; triangles: Vec3[] }) {
  return { vertices, triangles };
}

/** The gripper: the ball's radius and how far it is lifted [m], friction, and when [s]. */
export const GRIPPER = { radius: 0.1, lift: 0.25, friction: 0.5, close: 1, up: 3 };

/** Two jaws that press a soft ball with `squeeze` times the force that friction needs to lift it, and go up. */
export function softGripper(squeeze: number, cells = 3, timeStep = 1 / 120): SceneFile {
  const { radius, lift, friction, close, up } = GRIPPER;
  const [density, gravity] = [800, 9.81];
  const ball = tetrahedronBall(radius, cells);

  // Mass of the tetrahedra; two jaws, each with µ N.
  const force = (squeeze * density * volumeOf(ball) * gravity) / (2 * friction);
  const low = Math.min(...ball.vertices.map(([, y]) => y));
  const middle = 0.003 - low;
  const keys: KeyFile[] = Array.from({ length: 21 }, (_, i) => {
    const share = i / 20;
    return { time: close + up * share, position: [0, 0.6 + lift * share * share * (3 - 2 * share), 0] as Vec3 };
  });

  return tidy({
    version: 1,
    title: 'Soft gripper',
    description: 'Two jaws lift a soft ball by friction alone',
    timeStep,
    materials: { floor: { friction }, jaw: { friction } },
    bodies: [
      GROUND,
      {
        ...{ name: 'carriage', type: 'kinematic', position: [0, 0.6, 0], layers: 2, mask: 0 },
        shape: { box: [0.2, 0.03, 0.03] },
      },
      ...[1, -1].map((way) => ({
        ...{ name: way > 0 ? 'right' : 'left', material: 'jaw', mass: 0.5, canSleep: false },
        ...{
          position: [way * (radius + 0.06), middle, 0] as Vec3,
          shape: { box: [0.02, 0.5 * radius, 0.8 * radius] as Vec3 },
        },
      })),
    ],
    joints: [1, -1].map((way) => ({
      type: 'slider' as const,
      ends: [{ body: way > 0 ? 'right' : 'left' }, { body: 'carriage' }],
      ...{ axis: [1, 0, 0] as Vec3, motor: { velocity: -0.3 * way, maxForce: force } },
    })),
    solids: [
      {
        ...{ name: 'ball', ...ball, position: [0, middle, 0], density, friction, damping: 0.01 },
        ...{ youngModulus: 6e4, poissonRatio: 0.3, radius: 0.003 },
      },
    ],
    motions: [{ body: 'carriage', keys }],
  });
}

function volumeOf({ vertices, tetrahedra }: { vertices: Vec3[]; tetrahedra: readonly number[][] }): number {
  let sum = 0;
  for (const [a, b, c, d] of tetrahedra) {
    const [u, v, w] = [b, c, d].map((i) => vec3.subtract([0, 0, 0], vertices[i], vertices[a]));
    sum += vec3.dot(u, vec3.cross([0, 0, 0], v, w));
  }
  return sum / 6;
}

/** The tyre: outer and inner radius, width, height of the kerb, and where that begins [m]. */
export const TYRE = { outer: 0.32, inner: 0.2, width: 0.16, kerb: 0.05, at: 1.2 };

/** A wheel with a tyre of rubber that rolls down a gentle slope (gravity is tilted) and over a kerb. */
export function tyreOnKerb(segments = 20, timeStep = 1 / 120): SceneFile {
  const { outer, inner, width, kerb, at } = TYRE;
  const ring = tetrahedronRing((outer + inner) / 2, [0, width, outer - inner], [segments, 1, 1]);
  const held = ring.vertices.flatMap(([x, , z], v) => (Math.hypot(x, z) < inner + 1e-6 ? [v] : []));
  const side = turn([1, 0, 0], Math.PI / 2);
  const slope = 0.15;
  const position: Vec3 = [0, outer + 0.004, 0];
  return tidy({
    version: 1,
    title: 'Tyre on a kerb',
    description: 'A wheel with an elastic tyre rolls over a kerb',
    timeStep,
    gravity: [9.81 * Math.sin(slope), -9.81 * Math.cos(slope), 0],
    materials: { floor: { friction: 0.8 }, rim: { density: 500, friction: 0.5 } },
    bodies: [
      GROUND,
      {
        ...{ name: 'kerb', type: 'static', material: 'floor', position: [at + 1, kerb / 2 - 0.05, 0] },
        shape: { box: [1, kerb / 2 + 0.05, 0.5] },
      },
      {
        ...{ name: 'rim', material: 'rim', position, rotation: combine(side, turn([0, 1, 0], 0)), layers: 2, mask: 0 },
        ...{ mass: 6, lockRotation: [true, true, false], shape: { cylinder: [inner - 0.01, width / 2] } },
      },
    ],
    solids: [
      {
        ...{ name: 'tyre', ...ring, position, rotation: side, density: 300, youngModulus: 4e5, poissonRatio: 0.3 },
        ...{ friction: 0.8, damping: 0.003, radius: 0.003, pins: held.map((vertex) => ({ vertex, body: 'rim' })) },
      },
    ],
  });
}
