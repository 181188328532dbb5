import { expect, test } from 'vitest';
import { findPairs } from '../../src/collision/broadphase';
import * as L from '../../src/state/layout';
import {
  addBody,
  addCollider,
  addObject,
  addShape,
  brutePairs,
  checkPairs,
  checkTree,
  count,
  delistBody,
  listPairs,
  makeRandom,
  makeWorld,
  randomRotation,
  removeObject,
  sleepBody,
  step,
  type Vector,
  type World,
  wakeBody,
} from './broadphase-world';

const sorted = (list: string[]) => [...list].sort((a, b) => (a < b ? -1 : 1));
const KINDS = ['dynamic', 'dynamic', 'dynamic', 'static', 'kinematic'] as const;

/** A crowd with every filter, some asleep, on a plane. */
function crowd(world: World, random: () => number, size: number): number[] {
  const shapes = [
    addShape(world, L.SHAPE_SPHERE, [0.4]),
    addShape(world, L.SHAPE_CAPSULE, [0.2, 0.4]),
    addShape(world, L.SHAPE_BOX_KIND, [0.4, 0.3, 0.2]),
    addShape(world, L.SHAPE_CYLINDER, [0.3, 0.4]),
    addShape(world, L.SHAPE_CONE, [0.3, 0.4]),
    addShape(world, L.SHAPE_MESH, [0, 0, 0], 0, [-1, -0.2, -1, 1, 0.2, 1]),
  ];
  const objects = [
    addObject(world, addShape(world, L.SHAPE_PLANE, [0, 1, 0]), { kind: 'static', position: [0, -2, 0], layers: 3 }),
  ];
  for (let i = 0; i < size; i++) {
    const place = (): number => 6 * (random() - 0.5);
    const kind = KINDS[Math.floor(random() * KINDS.length)];
    const shape = shapes[Math.floor(random() * (kind === 'static' ? 6 : 5))];
    objects.push(
      addObject(world, shape, {
        kind,
        position: [place(), place(), place()],
        rotation: randomRotation(random),
        velocity: kind === 'static' ? [0, 0, 0] : [place(), place(), place()],
        asleep: kind === 'dynamic' && random() < 0.3,
        sensor: random() < 0.1,
        layers: random() < 0.8 ? 1 : 2,
        mask: random() < 0.8 ? 3 : 1,
      }),
    );
  }
  return objects;
}

test.each([1, 2, 3])(
  'pairs equal brute force in a moving world with every filter, from tiny tables (seed %i)',
  (seed) => {
    const random = makeRandom(seed);
    const world = makeWorld(1);
    const { bodies, colliders } = world.tables;
    const objects = crowd(world, random, 120);
    for (let round = 0; round < 40; round++) {
      for (const collider of objects) {
        const body = colliders.body[collider];
        if (bodies.awakeIndex[body] < 0) continue;
        for (let k = 0; k < 3; k++) {
          bodies.position[body * 4 + k] += bodies.linearVelocity[body * 4 + k] / 60;
          if (Math.abs(bodies.position[body * 4 + k]) > 3) bodies.linearVelocity[body * 4 + k] *= -1;
        }
        if (random() < 0.02 && bodies.flags[body] & L.BODY_DYNAMIC) sleepBody(world, body);
      }
      for (const collider of objects) {
        const body = colliders.body[collider];
        if (bodies.flags[body] & L.BODY_ASLEEP && random() < 0.05) wakeBody(world, body);
      }
      // Teleports of static and sleeping bodies, changed filters, a removal and a new one in its slots.
      const some = objects[1 + Math.floor(random() * (objects.length - 1))];
      bodies.position[colliders.body[some] * 4] = 6 * (random() - 0.5);
      bodies.flags[colliders.body[some]] |= L.BODY_MOVED;
      const other = objects[1 + Math.floor(random() * (objects.length - 1))];
      colliders.layers[other] ^= 1 << 16;
      colliders.flags[other] = (colliders.flags[other] ^ L.COLLIDER_SENSOR) | L.COLLIDER_MOVED;
      if (round % 4 === 0) removeObject(world, objects.splice(1 + Math.floor(random() * (objects.length - 1)), 1)[0]);
      if (round % 5 === 0) objects.push(addObject(world, 1, { position: [0, random(), 0] }));
      step(world);
      expect(sorted(listPairs(world))).toEqual(brutePairs(world));
      checkPairs(world);
      checkTree(world);
    }
    expect(listPairs(world).length).toBeGreaterThan(50);
  },
);

test('overlapping colliders always have a pair, and its box test sees the coming step', () => {
  const world = makeWorld();
  const ball = addShape(world, L.SHAPE_SPHERE, [0.05]);
  const wall = addShape(world, L.SHAPE_BOX_KIND, [0.01, 5, 5]);
  addObject(world, wall, { kind: 'static', position: [3, 0, 0] });
  const bullet = addObject(world, ball, { velocity: [200, 0, 0] });
  step(world);
  expect(listPairs(world)).toEqual([`${bullet}-0`]);
});

test('the order of pairs does not depend on the capacities at the start', () => {
  const run = (capacity: number) => {
    const random = makeRandom(7);
    const world = makeWorld(capacity);
    const objects = crowd(world, random, 150);
    const { bodies, colliders } = world.tables;
    for (let round = 0; round < 10; round++) {
      for (const c of objects) {
        const body = colliders.body[c];
        if (bodies.awakeIndex[body] >= 0) bodies.position[body * 4] += bodies.linearVelocity[body * 4] / 60;
      }
      removeObject(world, objects.pop()!);
      step(world);
    }
    const { pairs } = world.tables;
    return { pairs: listPairs(world), active: [...pairs.activeList.slice(0, count(world, L.ACTIVE_COUNT))] };
  };
  expect(run(1)).toEqual(run(512));
});

test('a pair is made with its material, zeroed, ordered by kind, then by slot', () => {
  const world = makeWorld();
  const ball = addShape(world, L.SHAPE_SPHERE, [0.5]);
  const box = addShape(world, L.SHAPE_BOX_KIND, [0.5, 0.5, 0.5]);
  const a = addObject(world, box);
  const b = addObject(world, ball, { position: [0.5, 0, 0] });
  const { colliders, pairs } = world.tables;
  colliders.material.set([0.9, 0.1], a * 2);
  colliders.material.set([0.4, 0.7], b * 2);
  pairs.impulse.fill(5, 0, 16);
  pairs.cache.fill(5, 0, 4);
  step(world);
  expect(listPairs(world)).toEqual([`${b}-${a}`]);
  expect(pairs.bodyA[0]).toBe(colliders.body[b]);
  expect(pairs.material[0]).toBeCloseTo(0.6, 15);
  expect([...pairs.material.slice(1, 4)]).toEqual([0.7, 0, 0]);
  expect([...pairs.impulse.slice(0, 16), ...pairs.cache.slice(0, 4)]).toEqual(new Array(20).fill(0));
  expect(pairs.flags[0]).toBe(L.PAIR_ALIVE);
});

test('a mesh pair owns four slots, chained, active together and freed together', () => {
  const world = makeWorld(1);
  const mesh = addShape(world, L.SHAPE_MESH, [0, 0, 0], 0, [-5, -0.1, -5, 5, 0.1, 5]);
  addObject(world, mesh, { kind: 'static' });
  const ball = addObject(world, addShape(world, L.SHAPE_SPHERE, [0.5]));
  step(world);
  const { pairs } = world.tables;
  const chain = [0];
  while (pairs.next[chain[chain.length - 1]] >= 0) chain.push(pairs.next[chain[chain.length - 1]]);
  expect(chain.length).toBe(4);
  expect(chain.map((s) => pairs.flags[s])).toEqual([L.PAIR_ALIVE, ...new Array(3).fill(L.PAIR_ALIVE | L.PAIR_EXTRA)]);
  expect(chain.map((s) => pairs.colliderA[s])).toEqual(new Array(4).fill(ball));
  expect(count(world, L.ACTIVE_COUNT)).toBe(4);
  sleepBody(world, world.tables.colliders.body[ball]);
  expect(count(world, L.ACTIVE_COUNT)).toBe(0);
  wakeBody(world, world.tables.colliders.body[ball]);
  checkPairs(world);
  world.tables.bodies.position[5] = 50;
  step(world);
  expect(listPairs(world)).toEqual([]);
  checkPairs(world);
  let free = 0;
  for (let s = count(world, L.PAIR_FREE); s >= 0; s = pairs.next[s]) free++;
  expect(free).toBe(4);
});

test('a reported touch that parts goes to the end list and stays readable until freePairs', () => {
  const world = makeWorld();
  const ball = addShape(world, L.SHAPE_SPHERE, [0.5]);
  const a = addObject(world, ball);
  const b = addObject(world, ball, { position: [0.9, 0, 0] });
  const c = addObject(world, ball, { position: [-0.9, 0, 0] });
  step(world);
  const { pairs } = world.tables;
  const slot = listPairs(world).indexOf(`${a}-${b}`);
  pairs.flags[slot] |= L.PAIR_REPORTED;
  pairs.entity[slot] = 77;
  removeObject(world, b);
  removeObject(world, c);
  expect(count(world, L.END_COUNT)).toBe(1);
  expect([...pairs.endList.slice(0, 3)]).toEqual([slot, a, b]);
  // A pair made before the slots are freed takes another slot.
  const d = addObject(world, ball, { position: [0, 0.9, 0] });
  findPairs(world.tables, world.kernels, world.arena);
  expect(listPairs(world)).toEqual([`${a}-${d}`]);
  expect(pairs.entity[slot]).toBe(77);
  world.kernels.freePairs();
  expect(count(world, L.PAIR_PENDING)).toBe(-1);
  expect(count(world, L.PAIR_FREE)).toBeGreaterThanOrEqual(0);
});

test('kinematic and static colliders pair among themselves only through sensors, colliders of one body never', () => {
  const world = makeWorld();
  const box = addShape(world, L.SHAPE_BOX_KIND, [1, 1, 1]);
  const ground = addObject(world, box, { kind: 'static' });
  const lift = addObject(world, box, { kind: 'kinematic' });
  const door = addObject(world, box, { kind: 'kinematic' });
  const zone = addObject(world, box, { kind: 'static', sensor: true });
  const crate = addBody(world, { position: [50, 0, 0] });
  addCollider(world, crate, box);
  addCollider(world, crate, box, { position: [0.5, 0, 0] });
  step(world);
  expect(sorted(listPairs(world))).toEqual([`${lift}-${zone}`, `${door}-${zone}`].sort((x, y) => (x < y ? -1 : 1)));
  expect(world.tables.pairs.flags[0] & L.PAIR_SENSOR).toBe(L.PAIR_SENSOR);
  expect(ground).toBe(0);
});

test('layers and masks must agree both ways, the highest layer included', () => {
  const world = makeWorld();
  const ball = addShape(world, L.SHAPE_SPHERE, [1]);
  const make = (layers: number, mask: number): number => addObject(world, ball, { layers, mask });
  const top = make(0x8000, 0x8001);
  const low = make(0x0001, 0x8000);
  make(0x8000, 0x0002);
  step(world);
  expect(listPairs(world)).toEqual([`${top}-${low}`]);
});

test('a world asleep touches nothing, and waking one body activates only its pairs', () => {
  const world = makeWorld();
  const box = addShape(world, L.SHAPE_BOX_KIND, [0.5, 0.5, 0.5]);
  addObject(world, addShape(world, L.SHAPE_PLANE, [0, 1, 0]), { kind: 'static' });
  for (let i = 0; i < 400; i++)
    addObject(world, box, { position: [(i % 20) * 1.01, 0.5, Math.floor(i / 20) * 1.01] as Vector });
  step(world);
  expect(listPairs(world).length).toBe(400 + 2 * 19 * 20 + 2 * 19 * 19);
  for (let body = 1; body <= 400; body++) sleepBody(world, body);
  checkPairs(world);
  expect(count(world, L.ACTIVE_COUNT)).toBe(0);
  const { tree } = world.tables;
  const before = tree.box.slice();
  step(world);
  expect(tree.box).toEqual(before);
  expect(listPairs(world).length).toBe(400 + 2 * 19 * 20 + 2 * 19 * 19);
  wakeBody(world, 1);
  expect(count(world, L.ACTIVE_COUNT)).toBe(1 + 3);
  checkPairs(world);
  delistBody(world, 1);
  world.kernels.deactivateBody(1);
  expect(count(world, L.ACTIVE_COUNT)).toBe(0);
});
