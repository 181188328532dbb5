// Casts, overlaps and ways out of shapes, and nearest points: against closed forms, rays, and sampling.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRigidBody,
  castRay,
  castShape,
  castShapeAll,
  closestPoint,
  createPhysics,
  createShape,
  overlapShape,
  type Physics,
  penetration,
  removeRigidBody,
  type ShapeSpec,
} from '../../src/index';
import { makeRandom, randomRotation } from '../kernels/broadphase-world';
import { bySuite } from '../setup/suite';

const ROOT = Math.SQRT1_2;
const world = (): Physics => createPhysics(createWorld(), { userTiming: false });
type Vector = [number, number, number];

function fixed(physics: Physics, shape: ShapeSpec, position: number[] = [0, 0, 0], rotation = [0, 0, 0, 1]): number {
  return addRigidBody(physics, { type: 'static', shape, position, rotation });
}

function expectVector(got: ArrayLike<number>, wanted: number[], digits = 9): void {
  wanted.forEach((x, k) => {
    expect(got[k]).toBeCloseTo(x, digits);
  });
}

/** About the z axis [rad]. */
const about = (angle: number): number[] => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];

const GRID = {
  vertices: [-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9, 0.3, 0, 0.2],
  triangles: [0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0],
};
const FLOORS: [string, ShapeSpec][] = [
  ['plane', { plane: [0, 1, 0] }],
  ['mesh', { mesh: GRID }],
  ['height field', { heightField: { size: [18, 18], rows: 3, columns: 3, heights: [0, 0, 0, 0, 0, 0, 0, 0, 0] } }],
  ['box', { box: [9, 0.5, 9] }],
  ['hull', { hull: [-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9, 0, -3, 0] }],
  ['cylinder', { cylinder: [9, 0.5] }],
];

describe('castShape', () => {
  test('a ball at a wall: where its surface touches, with point, normal and entity', () => {
    const physics = world();
    const wall = fixed(physics, { box: [0.5, 5, 5] }, [10, 0, 0]);
    const hit = castShape(physics, { sphere: 0.25 }, [1, 2, 3], [4, 0, 0]);
    expect(hit?.entity).toBe(wall);
    expect(hit?.depth).toBe(0);
    expect(hit?.distance).toBeCloseTo(8.25, 9);
    expectVector(hit!.point, [9.5, 2, 3]);
    expectVector(hit!.normal, [-1, 0, 0]);
    expect(castShape(physics, { sphere: 0.25 }, [1, 2, 3], [4, 0, 0], 8.24)).toBe(null);
    expect(castShape(physics, { sphere: 0.25 }, [1, 2, 3], [-4, 0, 0])).toBe(null);
  });

  test('a ball obliquely at a ball: the root of the quadratic', () => {
    const physics = world();
    fixed(physics, { sphere: 1 }, [5, 0.9, 0]);
    const hit = castShape(physics, { sphere: 0.5 }, [0, 0, 0], [1, 0, 0])!;
    const t = 5 - Math.sqrt(1.5 ** 2 - 0.9 ** 2);
    expect(hit.distance).toBeCloseTo(t, 9);
    expectVector(hit.normal, [(t - 5) / 1.5, -0.9 / 1.5, 0], 7);
    expectVector(hit.point, [5 + (t - 5) / 1.5, 0.9 - 0.9 / 1.5, 0], 7);
  });

  test('a turned box at the corner of a box, edge to edge', () => {
    const physics = world();
    fixed(physics, { box: [1, 1, 1] }, [0, 0, 0], about(Math.PI / 4));
    // Its edge along z lies at x = −√2; the asking box's edge √½ ahead of its middle.
    const hit = castShape(physics, { box: [0.5, 0.5, 0.5] }, [-6, 0.1, 0], [1, 0, 0], 99, {
      rotation: about(Math.PI / 4),
    })!;
    // Both faces lie at 45°: 0.1 to the side the flat of the upper face is met, 0.1 later.
    expect(hit.distance).toBeCloseTo(6 - Math.SQRT2 - ROOT + 0.1, 9);
    expectVector(hit.normal, [-ROOT, ROOT, 0], 9);
    const corner = castShape(physics, { box: [0.5, 0.5, 0.5] }, [-6, 0, 0.2], [1, 0, 0])!;
    expect(corner.distance).toBeCloseTo(6 - Math.SQRT2 - 0.5, 9);
  });

  test('a capsule down on a slope', () => {
    const physics = world();
    const angle = 0.4;
    for (const shape of [{ plane: [0, 1, 0] }, { box: [20, 1e-3, 20] }] as ShapeSpec[]) {
      const slope = fixed(physics, shape, [0, 0, 0], about(angle));
      const hit = castShape(physics, { capsule: [0.3, 0.5] }, [0, 4, 0], [0, -1, 0], 99, { ignore: undefined })!;
      const top = 'plane' in shape ? 0 : 1e-3;
      // The lower cap's middle ends (r + top) / cos above the slope's middle.
      expect(hit.distance).toBeCloseTo(4 - 0.5 - (0.3 + top) / Math.cos(angle), 8);
      expectVector(hit.normal, [-Math.sin(angle), Math.cos(angle), 0], 7);
      expect(hit.entity).toBe(slope);
      removeRigidBody(physics, slope);
    }
  });

  test.each(FLOORS)('every shape falls on a floor: %s', (name, floor) => {
    const physics = world();
    const flat = name === 'box' || name === 'cylinder' ? -0.5 : 0;
    fixed(physics, floor, [0, flat, 0]);
    const falls: [ShapeSpec, number][] = [
      [{ sphere: 0.4 }, 0.4],
      [{ capsule: [0.2, 0.4] }, 0.6],
      [{ box: [0.2, 0.3, 0.4] }, 0.3],
      [{ cylinder: [0.4, 0.2] }, 0.2],
      [{ cone: [0.4, 0.25] }, 0.25],
      [{ hull: [-1, -0.7, -1, 1, -0.7, -1, 0, -0.7, 1, 0, 1, 0] }, 0.7],
      [{ compound: [{ shape: { sphere: 0.1 }, position: [0, -0.8, 0] }, { shape: { box: [0.1, 0.1, 0.1] } }] }, 0.9],
    ];
    for (const [shape, low] of falls) {
      const hit = castShape(physics, shape, [1, 5, 0.5], [0, -1, 0])!;
      expect(hit.distance).toBeCloseTo(5 - low, 8);
      expectVector(hit.normal, [0, 1, 0], 6);
      expect(hit.point[1]).toBeCloseTo(0, 7);
      // From the id of a shape the same.
      expect(castShape(physics, createShape(physics, shape), [1, 5, 0.5], [0, -1, 0])!.distance).toBeCloseTo(
        5 - low,
        8,
      );
    }
  });

  test('a miss by a millionth is a miss, a hit by a millionth a hit, on either side', () => {
    const physics = world();
    fixed(physics, { sphere: 1 }, [50, 0, 0]);
    fixed(physics, { box: [1, 1, 1] }, [50, 100, 0]);
    fixed(physics, { cylinder: [1, 1] }, [50, 200, 0]);
    for (const side of [1, -1]) {
      for (const [y, across] of [
        [0, 1.5],
        [100, 1.5],
        [200, 1.5],
      ]) {
        for (const shape of [{ sphere: 0.5 }, { box: [0.5, 0.5, 0.5] }, { capsule: [0.5, 0] }] as ShapeSpec[]) {
          const at = (gap: number) => castShape(physics, shape, [0, y, side * (across + gap)], [1, 0, 0]);
          expect(at(1e-6)).toBe(null);
          expect(at(-1e-6)).not.toBe(null);
        }
      }
    }
  });

  test('a cast that begins inside: at 0, with the depth and the way out', () => {
    const physics = world();
    fixed(physics, { box: [1, 1, 1] });
    const hit = castShape(physics, { sphere: 0.5 }, [0.1, 1.2, 0], [1, 0, 0])!;
    expect(hit.distance).toBe(0);
    expect(hit.depth).toBeCloseTo(0.3, 9);
    expectVector(hit.normal, [0, 1, 0]);
    expectVector(hit.point, [0.1, 1, 0]);
    // Of no length the same; apart nothing.
    expect(castShape(physics, { sphere: 0.5 }, [0.1, 1.2, 0], [1, 0, 0], 0)?.depth).toBeCloseTo(0.3, 9);
    expect(castShape(physics, { sphere: 0.5 }, [0.1, 1.6, 0], [0, -1, 0], 0)).toBe(null);
  });

  test('what begins in touch and leaves or slides goes on; what presses is stopped', () => {
    const physics = world();
    fixed(physics, { plane: [0, 1, 0] });
    fixed(physics, { box: [1, 1, 1] }, [4, 1, 0]);
    for (const shape of [{ sphere: 0.5 }, { box: [0.5, 0.5, 0.5] }] as ShapeSpec[]) {
      expect(castShape(physics, shape, [0, 0.5, 0], [0, 1, 0])).toBe(null);
      expect(castShape(physics, shape, [0, 0.5, 0], [1, 0, 0])!.distance).toBeCloseTo(2.5, 9);
      expect(castShape(physics, shape, [0, 0.5, 0], [0, -1, 0])!.distance).toBe(0);
    }
  });

  test('a tiny ball goes as a ray does', () => {
    const physics = world();
    const random = makeRandom(5);
    const shapes: ShapeSpec[] = [
      { sphere: 0.6 },
      { box: [0.5, 0.3, 0.7] },
      { capsule: [0.3, 0.5] },
      { cylinder: [0.5, 0.6] },
      { cone: [0.6, 0.7] },
      { hull: [-0.5, 0, 0, 0.6, 0, 0, 0, 0.9, 0.1, 0, -0.4, 0.5, 0, 0, -0.8] },
    ];
    for (let i = 0; i < 60; i++) {
      const position = [0, 1, 2].map(() => 12 * random() - 6);
      fixed(physics, shapes[i % shapes.length], position, [...randomRotation(random)]);
    }
    fixed(physics, { mesh: GRID }, [0, -7, 0]);
    let hits = 0;
    for (let i = 0; i < 300; i++) {
      const from = [0, 1, 2].map(() => 16 * random() - 8) as Vector;
      const direction = [0, 1, 2].map(() => random() - 0.5) as Vector;
      const ray = castRay(physics, from, direction);
      const ball = castShape(physics, { sphere: 1e-7 }, from, direction);
      // What grazes differs by the root of the radius; nothing here grazes so much.
      expect(ball === null).toBe(ray === null);
      if (!ray || !ball || ray.distance === 0) continue;
      hits++;
      expect(ball.entity).toBe(ray.entity);
      expect(Math.abs(ball.distance - ray.distance)).toBeLessThan(1e-5);
      expectVector(ball.point, ray.point, 4);
    }
    expect(hits).toBeGreaterThan(60);
  });

  test('all that is touched, nearest first; masks, sensors and what is ignored or removed', () => {
    const physics = world();
    const near = addRigidBody(physics, { shape: { sphere: 0.5 }, position: [3, 0, 0], layers: 2 });
    const sensor = addRigidBody(physics, { type: 'static', shape: { sphere: 0.5 }, position: [6, 0, 0], sensor: true });
    const far = fixed(physics, { box: [0.5, 0.5, 0.5] }, [900, 0.5, 0]);
    const all = (options = {}) =>
      castShapeAll(physics, { box: [0.1, 0.1, 0.1] }, [0, 0, 0], [1, 0, 0], undefined, options).map((h) => h.entity);
    expect(all()).toEqual([near, far]);
    expect(all({ sensors: true })).toEqual([near, sensor, far]);
    expect(all({ mask: 1 })).toEqual([far]);
    expect(all({ ignore: near })).toEqual([far]);
    removeRigidBody(physics, near);
    expect(all()).toEqual([far]);
  });

  test('refuses what it cannot use', () => {
    const physics = world();
    const plane = createShape(physics, { plane: [0, 1, 0] });
    const cast = (shape: unknown, from: unknown = [0, 0, 0], direction: unknown = [0, 1, 0], options = {}) =>
      castShape(physics, shape as ShapeSpec, from as Vector, direction as Vector, 1, options);
    expect(() => cast({ plane: [0, 1, 0] })).toThrow(
      'castShape: shape must be without planes, meshes and height fields',
    );
    expect(() => cast(plane)).toThrow('castShape: shape must be without planes');
    expect(() => cast({ box: [1, -1, 1] })).toThrow('castShape: shape.box[1] must be > 0 [m], got -1');
    expect(() => cast({ sphere: 1 }, [0, Number.NaN, 0])).toThrow('castShape: from');
    expect(() => cast({ sphere: 1 }, [0, 0, 0], [0, 0, 0])).toThrow('castShape: direction must have a length');
    expect(() => cast({ sphere: 1 }, undefined, undefined, { rotation: [0, 0, 0, 0] })).toThrow(
      'castShape: rotation must not be zero',
    );
    expect(() => overlapShape(physics, { sphere: 1 }, null as never)).toThrow('overlapShape: pose must be an object');
    expect(() => closestPoint(physics, [0, 0, 0], { maxDistance: -1 })).toThrow('closestPoint: maxDistance');
  });
});

const SOLIDS: [string, ShapeSpec][] = [
  ['sphere', { sphere: 0.6 }],
  ['box', { box: [0.5, 0.3, 0.7] }],
  ['capsule', { capsule: [0.3, 0.5] }],
  ['cylinder', { cylinder: [0.5, 0.6] }],
  ['cone', { cone: [0.6, 0.7] }],
  ['hull', { hull: [-0.5, 0, 0, 0.6, 0, 0, 0, 0.9, 0.1, 0, -0.4, 0.5, 0, 0, -0.8] }],
];

describe.each(SOLIDS)('%s', (_, shape) => {
  test('casts at every other shape agree with bisecting overlaps', () => {
    const random = makeRandom(17);
    for (const [, other] of SOLIDS) {
      const physics = world();
      fixed(physics, other, [0.1, -0.2, 0.3], [...randomRotation(random)]);
      let hits = 0;
      for (let i = 0; i < bySuite(4, 8); i++) {
        const rotation = [...randomRotation(random)];
        const from = [0, 1, 2].map(() => 6 * random() - 3);
        const aim = [0, 1, 2].map((k) => 1.2 * random() - 0.6 - from[k]);
        const length = Math.sqrt(aim[0] ** 2 + aim[1] ** 2 + aim[2] ** 2);
        const at = (t: number) => from.map((x, k) => x + (t * aim[k]) / length);
        const isIn = (t: number) => penetration(physics, shape, { position: at(t), rotation }).length > 0;
        const hit = castShape(physics, shape, from, aim, 6, { rotation });
        // March to the first place inside, then bisect.
        let low = 0;
        let high = -1;
        for (let k = 0; k <= 30 && high < 0; k++) {
          if (isIn(0.2 * k)) high = 0.2 * k;
          else low = 0.2 * k;
        }
        if (high < 0) continue;
        hits++;
        expect(hit).not.toBe(null);
        if (high === 0) {
          const [{ depth, normal }] = penetration(physics, shape, { position: from, rotation });
          expect(hit!.distance).toBe(0);
          expect(hit!.depth).toBe(depth);
          // Out along the normal is out.
          const out = (share: number) => from.map((x, k) => x + share * depth * normal[k]);
          expect(penetration(physics, shape, { position: out(1.0001), rotation })).toEqual([]);
          continue;
        }
        for (let k = 0; k < 28; k++) {
          const middle = 0.5 * (low + high);
          if (isIn(middle)) high = middle;
          else low = middle;
        }
        expect(Math.abs(hit!.distance - high)).toBeLessThan(1e-6);
      }
      expect(hits).toBeGreaterThan(bySuite(0, 2));
    }
  });

  test('no shorter way out among many directions', () => {
    const random = makeRandom(23);
    const physics = world();
    fixed(physics, { box: [0.6, 0.4, 0.8] });
    for (let i = 0; i < 10; i++) {
      const position = [0, 1, 2].map(() => 0.6 * random() - 0.3);
      const rotation = [...randomRotation(random)];
      const [{ depth, normal }] = penetration(physics, shape, { position, rotation });
      expect(
        penetration(physics, shape, { position: position.map((x, k) => x + 1.0001 * depth * normal[k]), rotation }),
      ).toEqual([]);
      for (let k = 0; k < 20; k++) {
        const q = randomRotation(random);
        const way = [2 * (q[0] * q[2] + q[3] * q[1]), 2 * (q[1] * q[2] - q[3] * q[0]), 1 - 2 * (q[0] ** 2 + q[1] ** 2)];
        const moved = position.map((x, c) => x + 0.9999 * depth * way[c]);
        expect(penetration(physics, shape, { position: moved, rotation })).toHaveLength(1);
      }
    }
  });

  test('nearest points agree with casts of growing balls', () => {
    const random = makeRandom(29);
    const physics = world();
    const entity = fixed(physics, shape, [1, 2, 3], [...randomRotation(random)]);
    for (let i = 0; i < 20; i++) {
      const point = [1, 2, 3].map((x) => x + 6 * random() - 3);
      const near = closestPoint(physics, point)!;
      expect(near.entity).toBe(entity);
      expectVector(
        point.map((x, k) => x - near.distance * near.normal[k]),
        near.point,
        6,
      );
      if (near.distance < 1e-3) continue;
      const ball = (share: number) => overlapShape(physics, { sphere: share * near.distance }, { position: point });
      expect(ball(1.00001)).toEqual([entity]);
      expect(ball(0.99999)).toEqual([]);
      expect(closestPoint(physics, point, { maxDistance: 0.999 * near.distance })).toBe(null);
    }
  });
});

describe('closestPoint and penetration', () => {
  test('a point in a box, above a plane, over a mesh, and far from all', () => {
    const physics = world();
    const box = fixed(physics, { box: [1, 2, 3] }, [100, 0, 0]);
    const inside = closestPoint(physics, [100.8, 0.1, 0.2])!;
    expect(inside.entity).toBe(box);
    expect(inside.distance).toBeCloseTo(-0.2, 9);
    expectVector(inside.point, [101, 0.1, 0.2]);
    expectVector(inside.normal, [1, 0, 0]);
    const corner = closestPoint(physics, [102, 3, 4])!;
    expect(corner.distance).toBeCloseTo(Math.sqrt(3), 9);
    expectVector(corner.point, [101, 2, 3]);
    expect(closestPoint(physics, [-3000, 0, 0])!.distance).toBeCloseTo(3099, 6);
    expect(closestPoint(physics, [100, 9, 0], { ignore: box })).toBe(null);
    const ground = fixed(physics, { mesh: GRID }, [0, -5, 0]);
    const over = closestPoint(physics, [3, -4.5, 2])!;
    expect(over.entity).toBe(ground);
    expectVector(over.point, [3, -5, 2]);
    expectVector(closestPoint(physics, [3, -5.5, 2])!.normal, [0, -1, 0]);
    fixed(physics, { plane: [0, 1, 0] }, [0, -20, 0]);
    expect(closestPoint(physics, [0, -19.75, 900])!.distance).toBeCloseTo(0.25, 9);
  });

  test('every body that a shape is in, deepest first; meshes are left by their fronts', () => {
    const physics = world();
    const floor = fixed(physics, { mesh: GRID });
    const wall = fixed(physics, { box: [1, 5, 5] }, [1.4, 0, 0]);
    fixed(physics, { sphere: 1 }, [0, 1.8, 0]);
    const ways = penetration(physics, { sphere: 0.5 }, { position: [0, 0.2, 0] });
    expect(ways.map((way) => way.entity)).toEqual([floor, wall]);
    expect(ways[0].depth).toBeCloseTo(0.3, 9);
    expectVector(ways[0].normal, [0, 1, 0]);
    expectVector(ways[0].point, [0, 0, 0]);
    expect(ways[1].depth).toBeCloseTo(0.1, 9);
    expectVector(ways[1].normal, [-1, 0, 0]);
    // Its middle below the ground, it still gets out upwards.
    const [sunk] = penetration(physics, { sphere: 0.5 }, { position: [-3, -0.2, 0] });
    expectVector(sunk.normal, [0, 1, 0]);
    expect(sunk.depth).toBeCloseTo(0.7, 9);
    // A ball on the floor is not in it, but touches it.
    expect(penetration(physics, { sphere: 0.5 }, { position: [-3, 0.5, 0] })).toEqual([]);
    expect(overlapShape(physics, { sphere: 0.5 }, { position: [-3, 0.5, 0] })).toEqual([floor]);
    // Middle in middle, and crossing axes: out all the same.
    const physics2 = world();
    fixed(physics2, { capsule: [0.3, 1] });
    for (const shape of [{ sphere: 0.2 }, { capsule: [0.2, 1] }] as ShapeSpec[]) {
      const [way] = penetration(physics2, shape, { position: [0, 0, 0], rotation: [ROOT, 0, 0, ROOT] });
      expect(way.depth).toBeCloseTo(0.5, 9);
      expect(Math.hypot(...way.normal)).toBeCloseTo(1, 12);
      expect(way.normal[1]).toBeCloseTo(0, 9);
    }
  });

  test('asking changes nothing', () => {
    const ask = (physics: Physics) => {
      castShape(physics, { box: [1, 1, 1] }, [0, 5, 0], [0, -1, 0]);
      penetration(physics, { sphere: 1 }, { position: [0, 0.2, 0] });
      closestPoint(physics, [0, 1, 0]);
    };
    const [quiet, asked] = [false, true].map((asks) => {
      const physics = world();
      fixed(physics, { plane: [0, 1, 0] });
      for (let i = 0; i < 5; i++)
        addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0.1 * i, 1.1 * i + 1, 0] });
      for (let i = 0; i < 20; i++) {
        if (asks) ask(physics);
        physics.step();
      }
      return physics.hash();
    });
    expect(asked).toBe(quiet);
  });
});
