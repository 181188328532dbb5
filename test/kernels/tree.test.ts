import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import {
  addBody,
  addCollider,
  addObject,
  addShape,
  checkTree,
  count,
  makeRandom,
  makeWorld,
  randomRotation,
  removeObject,
  step,
  type Vector,
} from './broadphase-world';

const place = (random: () => number, size: number): Vector => [
  size * (random() - 0.5),
  size * (random() - 0.5),
  size * (random() - 0.5),
];

test('random insertions, moves and removals keep every invariant of the tree', () => {
  const random = makeRandom(1);
  const world = makeWorld(1);
  const shape = addShape(world, L.SHAPE_BOX_KIND, [0.5, 0.3, 0.2]);
  const alive: number[] = [];
  for (let round = 0; round < 60; round++) {
    for (let k = 0; k < 12; k++) {
      alive.push(addObject(world, shape, { position: place(random, 20), rotation: randomRotation(random) }));
    }
    const { position } = world.tables.bodies;
    for (const collider of alive) {
      const body = world.tables.colliders.body[collider];
      for (let k = 0; k < 3; k++) position[body * 4 + k] += 0.2 * (random() - 0.5);
    }
    for (let k = 0; k < 6; k++) removeObject(world, alive.splice(Math.floor(random() * alive.length), 1)[0]);
    step(world);
    expect(checkTree(world)).toBe(alive.length);
  }
  while (alive.length > 0) removeObject(world, alive.pop()!);
  expect(checkTree(world)).toBe(0);
  expect(count(world, L.TREE_ROOT)).toBe(-1);
});

test.each([
  ['in a row', 24, (i: number) => ({ position: [i * 2, 0, 0] as Vector, size: 0.5 })],
  ['at one place', 24, () => ({ position: [0, 0, 0] as Vector, size: 0.5 })],
  // Nested boxes are a chain by area; only the bound on siblings' heights keeps it from 1000 levels.
  [
    'nested, each larger than all before',
    100,
    (i: number) => ({ position: [0, 0, 0] as Vector, size: 1e-3 * 1.02 ** i }),
  ],
  [
    'nested, each smaller than all before',
    100,
    (i: number) => ({ position: [0, 0, 0] as Vector, size: 1e5 / 1.02 ** i }),
  ],
])('the height stays logarithmic for 1000 boxes %s', (_, bound, make) => {
  const world = makeWorld();
  for (let i = 0; i < 1000; i++) {
    const { position, size } = make(i);
    const shape = addShape(world, L.SHAPE_BOX_KIND, [size, size, size]);
    // One body: no pairs, only the tree.
    if (i === 0) addBody(world, { kind: 'static' });
    addCollider(world, 0, shape, { position });
  }
  step(world);
  expect(checkTree(world)).toBe(1000);
  expect(world.tables.tree.height[count(world, L.TREE_ROOT)]).toBeLessThanOrEqual(bound);
});

test('a resting collider inside its fat box leaves the tree untouched, one that leaves it is put in anew', () => {
  const world = makeWorld();
  const shape = addShape(world, L.SHAPE_SPHERE, [0.5]);
  const collider = addObject(world, shape);
  addObject(world, shape, { position: [3, 0, 0] });
  step(world);
  const node = world.tables.colliders.node[collider];
  const before = world.tables.tree.box.slice(node * 6, node * 6 + 6);
  world.tables.bodies.position[0] = 0.015;
  step(world);
  expect(world.tables.tree.box.slice(node * 6, node * 6 + 6)).toEqual(before);
  world.tables.bodies.position[0] = 0.03;
  step(world);
  expect(world.tables.tree.box[world.tables.colliders.node[collider] * 6]).toBeGreaterThan(before[0]);
  expect(checkTree(world)).toBe(2);
});

test('the fat box of a body that stops shrinks again', () => {
  const world = makeWorld();
  const collider = addObject(world, addShape(world, L.SHAPE_SPHERE, [0.5]), { velocity: [300, 0, 0] });
  step(world);
  const width = () => {
    const at = world.tables.colliders.node[collider] * 6;
    return world.tables.tree.box[at + 3] - world.tables.tree.box[at];
  };
  expect(width()).toBeGreaterThan(10);
  world.tables.bodies.linearVelocity[0] = 0;
  step(world);
  expect(width()).toBeLessThan(1.2);
});

test('a body whose pose is not a number keeps its last box and does not harm the tree', () => {
  const world = makeWorld();
  const shape = addShape(world, L.SHAPE_BOX_KIND, [0.5, 0.5, 0.5]);
  for (let i = 0; i < 8; i++) addObject(world, shape, { position: [i, 0, 0] });
  step(world);
  const box = world.tables.colliders.box.slice(18, 24);
  world.tables.bodies.position[12] = Number.NaN;
  world.tables.bodies.position[16] = Number.POSITIVE_INFINITY;
  world.tables.bodies.rotation[20] = Number.NaN;
  step(world);
  expect(world.tables.colliders.box.slice(18, 24)).toEqual(box);
  expect(checkTree(world)).toBe(8);
});
