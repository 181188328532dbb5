// Thin plates and hulls with very many corners come to rest on every kind of ground, and do not sink into it.

import { createWorld, hasComponent } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, createPhysics, type ShapeSpec } from '../../src/index';
import { bySuite } from '../setup/suite';

type Point = [number, number, number];

function plate(thickness: number): Point[] {
  const y = thickness / 2;
  return [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((z): Point[] => [
      [x, -y, z],
      [x, y, z],
    ]),
  );
}

function prism(corners: number): Point[] {
  return [0.5, -0.5].flatMap((y) =>
    Array.from({ length: corners }, (_, i): Point => {
      const turn = (2 * Math.PI * i) / corners;
      return [Math.cos(turn), y, Math.sin(turn)];
    }),
  );
}

/** A flat mesh of squares of `side` [m]: its lines and those of the bodies do not coincide. */
function grid(side: number): ShapeSpec {
  const vertices: Point[] = [];
  const triangles: Point[] = [];
  for (let i = 0; i <= 16; i++) for (let j = 0; j <= 16; j++) vertices.push([side * (i - 8), 0, side * (j - 8)]);
  for (let i = 0; i < 16; i++) {
    for (let j = 0; j < 16; j++) {
      const a = 17 * i + j;
      triangles.push([a, a + 1, a + 17], [a + 17, a + 1, a + 18]);
    }
  }
  return { mesh: { vertices, triangles } };
}

const GROUNDS: [name: string, make: (scale: number) => { shape: ShapeSpec; height: number }][] = [
  ['a plane', () => ({ shape: { plane: [0, 1, 0] }, height: 0 })],
  ['a box', (scale) => ({ shape: { box: [20 * scale, 1, 20 * scale] }, height: -1 })],
  ['a mesh', (scale) => ({ shape: grid(1.3 * scale), height: 0 })],
];
const HULLS: [name: string, corners: Point[]][] = [
  ...[0.001, 0.005, 0.1].map((t): [string, Point[]] => [`plate of ${1000 * t} mm`, plate(t)]),
  ...[60, 100].map((n): [string, Point[]] => [`prism of 2 · ${n} corners`, prism(n)]),
];

const SCALES = [1, 0.01, 30];

for (const [ground, make] of GROUNDS) {
  for (const [name, corners] of HULLS) {
    for (const scale of bySuite(name === HULLS[0][0] ? SCALES : [1], SCALES)) {
      test(`a ${name} times ${scale} rests on ${ground}`, () => {
        const hull = corners.map((p) => p.map((x) => x * scale) as Point);
        const physics = createPhysics(createWorld());
        const { shape, height } = make(scale);
        addRigidBody(physics, { type: 'static', shape, position: [0, height, 0] });
        const body = addRigidBody(physics, {
          shape: { hull },
          position: [0, scale, 0],
          rotation: [0.15, 0.1, 0.05, 1],
        });
        const { position: P, rotation: Q } = physics.components.Transform;
        const lowest = () => {
          const [a, b, c, d] = [Q.x[body], Q.y[body], Q.z[body], Q.w[body]];
          const up = [2 * (a * b + c * d), 1 - 2 * (a * a + c * c), 2 * (b * c - a * d)];
          return P.y[body] + Math.min(...hull.map((v) => v[0] * up[0] + v[1] * up[1] + v[2] * up[2]));
        };
        let deepest = 0;
        let rested = -1;
        for (let i = 0; i < 900 && rested < 0; i++) {
          physics.step();
          deepest = Math.min(deepest, lowest());
          if (hasComponent(physics.world, body, physics.components.Sleeping)) rested = i / 60;
        }
        expect(rested, `deepest ${deepest}`).toBeGreaterThan(0);
        expect(deepest).toBeGreaterThan(-0.02 * scale);
        expect(lowest()).toBeGreaterThan(-2e-3 * scale);
      });
    }
  }
}

const CUBE = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z): Point => [x, y, z])));

test.each([
  ['box', { box: [0.5, 0.5, 0.5] }],
  ['hull', { hull: CUBE }],
] as const)('a %s stands with its edge on a parallel edge, on two points', (_, shape) => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const rotation = [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)];
  addRigidBody(physics, { type: 'static', shape: shape as ShapeSpec, rotation, friction: 2 });
  const body = addRigidBody(physics, {
    shape: shape as ShapeSpec,
    position: [0, Math.SQRT2, 0.1],
    rotation,
    friction: 2,
    // It would fall over the edge, and nowhere else.
    lockRotation: [false, false, true],
  });
  const { position, rotation: turned } = physics.components.Transform;
  for (let i = 0; i < 600; i++) {
    physics.step();
    expect(physics.report.points).toBe(2);
  }
  expect(physics.report.penetration).toBeLessThan(1e-6);
  expect(Math.hypot(turned.x[body], turned.y[body])).toBeLessThan(1e-6);
  expect(Math.hypot(position.x[body], position.y[body] - Math.SQRT2, position.z[body] - 0.1)).toBeLessThan(1e-6);
});
