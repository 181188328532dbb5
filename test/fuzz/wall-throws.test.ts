// Spinning bodies of every shape are thrown at walls of 4 cm, up to 60 m/s: none may pass.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random';
import { addRigidBody, createPhysics, type ShapeSpec } from '../../src/index';
import { longTest } from '../setup/suite';
import { rounds, seed } from './rounds';

type Point = [number, number, number];

const THROWS_OF_A_WORLD = rounds(8, 30);
const HALF = 0.02;
const REACH = 5;

function corners(x: number, y: number, z: number): Point[] {
  return [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c): Point => [a, b, c])));
}

function closedMesh(x: number, y: number, z: number): ShapeSpec {
  const quads = [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ];
  const triangles = quads.flatMap(([a, b, c, d]): Point[] => [
    [a, b, c],
    [a, c, d],
  ]);
  return { mesh: { vertices: corners(x, y, z), triangles } };
}

const WALLS: [name: string, shape: ShapeSpec][] = [
  ['box', { box: [HALF, REACH, REACH] }],
  ['hull', { hull: corners(HALF, REACH, REACH) }],
  ['closed mesh', closedMesh(HALF, REACH, REACH)],
];
const SHAPES: [name: string, shape: ShapeSpec][] = [
  ['ball', { sphere: 0.05 }],
  ['plank', { box: [0.5, 0.02, 0.1] }],
  ['stick', { capsule: [0.02, 0.5] }],
  ['rod', { cylinder: [0.02, 0.5] }],
  ['coin', { cylinder: [0.2, 0.01] }],
  ['cone', { cone: [0.1, 0.2] }],
  ['plate', { hull: corners(0.3, 0.01, 0.3) }],
  [
    'compound',
    {
      compound: [
        { shape: { box: [0.5, 0.03, 0.03] } },
        { shape: { sphere: 0.1 }, position: [0.5, 0, 0] },
        { shape: { cylinder: [0.05, 0.2] }, position: [-0.5, 0, 0] },
      ],
    },
  ],
];

for (const [wallName, wall] of WALLS) {
  for (const type of ['static', 'kinematic'] as const) {
    if (type === 'kinematic' && 'mesh' in wall) continue;
    (type === 'static' ? test : longTest)(`nothing passes a ${type} wall made of a ${wallName}`, () => {
      const random = createRandom(seed());
      const passed: string[] = [];
      for (let round = 0; round < rounds(1, 20); round++) {
        for (const [name, shape] of SHAPES) {
          const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
          addRigidBody(physics, { type, shape: wall, layers: 2, mask: 1 });
          const bodies = Array.from({ length: THROWS_OF_A_WORLD }, () => {
            const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
            const length = Math.hypot(...q);
            const spin = () => 40 * (random() - 0.5);
            return addRigidBody(physics, {
              shape,
              layers: 1,
              mask: 2,
              position: [-2 - random(), 2 * random() - 1, 2 * random() - 1],
              rotation: q.map((x) => x / length) as [number, number, number, number],
              velocity: [5 * 12 ** random(), 0, 0],
              angularVelocity: [spin(), spin(), spin()],
            });
          });
          const { position } = physics.components.Transform;
          const gone = new Set<number>();
          for (let i = 0; i < 50; i++) {
            physics.step();
            for (const e of bodies) {
              const isBeside = Math.max(Math.abs(position.y[e]), Math.abs(position.z[e])) > 0.9 * REACH;
              if (position.x[e] > HALF && !isBeside) gone.add(e);
            }
          }
          if (gone.size > 0) passed.push(`${gone.size} of ${THROWS_OF_A_WORLD} ${name}s`);
        }
      }
      expect(passed).toEqual([]);
    });
  }
}
