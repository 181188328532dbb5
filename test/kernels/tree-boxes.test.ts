import { describe, expect, test } from 'vitest';
import { createQueryContext, overlapBox } from '../../src/collision/queries';
import * as L from '../../src/state/layout';
import { bySuite } from '../setup/suite';
import {
  addBody,
  addCollider,
  addObject,
  addShape,
  makeRandom,
  makeWorld,
  randomRotation,
  step,
  TIME_STEP,
  type Vector,
} from './broadphase-world';
import { CONVEX, turn } from './query-shapes';

const HALF_SPECULATIVE = 0.01;

describe.each(CONVEX)('$name', (shape) => {
  test('the box at rest is tight on all six sides, half the speculative distance added', () => {
    const random = makeRandom(4);
    for (let i = 0; i < 10; i++) {
      const world = makeWorld();
      addObject(world, shape.add(world), { position: [1, 2, 3], rotation: randomRotation(random) });
      step(world);
      const box = world.tables.colliders.box;
      const context = createQueryContext(world.arena, world.kernels);
      for (let k = 0; k < 3; k++) {
        for (const side of [-1, 1]) {
          const bound = box[side < 0 ? k : k + 3] - side * HALF_SPECULATIVE;
          const touches = (from: number): number => {
            const min = [-20, -20, -20];
            const max = [20, 20, 20];
            if (side > 0) min[k] = from;
            else max[k] = from;
            return overlapBox(context, min, max, []);
          };
          expect(touches(bound - side * 1e-6)).toBe(1);
          expect(touches(bound + side * 1e-6)).toBe(0);
        }
      }
    }
  });

  test('the box of a flying, spinning body holds every point of it through the whole step', () => {
    const random = makeRandom(6);
    const wide = (): number => 2 * random() - 1;
    for (let i = 0; i < bySuite(12, 40); i++) {
      const world = makeWorld();
      const velocity: Vector = [30 * wide(), 30 * wide(), 30 * wide()];
      const speed = 60 * random();
      const axis = turn(randomRotation(random), [0, 0, 1]);
      const spin = axis.map((c) => c * speed) as unknown as Vector;
      const rotation = randomRotation(random);
      const body = addBody(world, { position: [1, 2, 3], rotation, velocity, spin });
      const offset: Vector = [wide(), wide(), wide()];
      addCollider(world, body, shape.add(world), { position: offset });
      step(world);
      const box = world.tables.colliders.box;
      for (let sample = 0; sample < 60; sample++) {
        const far = turn(randomRotation(random), [0, 0, shape.reach]);
        const share = shape.holds(far[0], far[1], far[2], 0) ? 1 : 0.3;
        const local = far.map((c) => c * share);
        const start = turn(rotation, [local[0] + offset[0], local[1] + offset[1], local[2] + offset[2]]);
        const t = TIME_STEP * random();
        const half = 0.5 * speed * t;
        const s = Math.sin(half);
        const end = turn([axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(half)], start);
        for (let k = 0; k < 3; k++) {
          const x = [1, 2, 3][k] + velocity[k] * t + end[k];
          if (!(x >= box[k] && x <= box[k + 3])) expect.unreachable(`${x} in ${box[k]} to ${box[k + 3]}`);
        }
      }
    }
  });
});

test('the box of a plane along an axis ends at its surface, of a tilted one where that leaves the world', () => {
  const world = makeWorld();
  addObject(world, addShape(world, L.SHAPE_PLANE, [0, 1, 0]), { kind: 'static', position: [0, -2, 0] });
  addObject(world, addShape(world, L.SHAPE_PLANE, [-1, 0, 0]), { kind: 'static', position: [7, 0, 0] });
  addObject(world, addShape(world, L.SHAPE_PLANE, [0, 0.6, 0.8]), { kind: 'static' });
  step(world);
  const box = world.tables.colliders.box;
  const s = HALF_SPECULATIVE;
  expect([...box.slice(0, 6)]).toEqual([-1e6 - s, -1e6 - s, -1e6 - s, 1e6 + s, -2 + s, 1e6 + s]);
  expect([...box.slice(6, 12)]).toEqual([7 - s, -1e6 - s, -1e6 - s, 1e6 + s, 1e6 + s, 1e6 + s]);
  // 0.8 z ≤ −0.6 y, and y reaches down to −1e6.
  expect([...box.slice(12, 18)]).toEqual([-1e6 - s, -1e6 - s, -1e6 - s, 1e6 + s, 1e6 + s, 750000 + s]);
});

test('a collider is placed by its body: position turned, rotations multiplied', () => {
  const random = makeRandom(9);
  const world = makeWorld();
  const [q, r] = [randomRotation(random), randomRotation(random)];
  const body = addBody(world, { position: [1, 2, 3], rotation: q });
  addCollider(world, body, addShape(world, L.SHAPE_BOX_KIND, [1, 1, 1]), { position: [4, 5, 6], rotation: r });
  step(world);
  const { position, rotation } = world.tables.colliders;
  const placed = turn(q, [4, 5, 6]);
  for (let k = 0; k < 3; k++) expect(position[k]).toBeCloseTo([1, 2, 3][k] + placed[k], 12);
  const probe: Vector = [0.3, -0.7, 0.2];
  const twice = turn(q, turn(r, probe));
  const once = turn([...rotation.slice(0, 4)], probe);
  for (let k = 0; k < 3; k++) expect(once[k]).toBeCloseTo(twice[k], 12);
});
