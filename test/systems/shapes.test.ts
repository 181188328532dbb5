// Shapes come and go with what uses them.

import process from 'node:process';
import { addComponent, addEntity, createWorld, observe, onAdd, removeEntity } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { usedBytes } from '../../src/core/arena';
import {
  addRigidBody,
  createPhysics,
  createShape,
  loadGame,
  type Physics,
  removeRigidBody,
  removeShape,
  type ShapeSpec,
  saveGame,
} from '../../src/index';
import { SHAPE_COUNT } from '../../src/state/layout';
import { bySuite, longTest } from '../setup/suite';

const GROUND = { type: 'static', shape: { plane: [0, 1, 0] } } as const;

/** A shape that is like no other. */
function unique(kind: number, n: number): ShapeSpec {
  const s = 1 + 1e-4 * n;
  const points = Array.from({ length: kind === 1 ? 17 : 6 }, (_, k) => [
    s * Math.cos(k * k),
    s * Math.sin(k * k),
    s * Math.sin(3 * k),
  ]);
  if (kind === 0) return { box: [s, 1, 1] };
  if (kind === 1) return { hull: points };
  if (kind === 2) return { compound: [{ shape: { sphere: s } }, { position: [1, 0, 0], shape: { hull: points } }] };
  const vertices = [0, 0, 0, s, 0, 0, 0, 0, 1, s, 0, 1];
  return { mesh: { vertices, triangles: [0, 2, 1, 1, 2, 3] } };
}

const bytesOf = (physics: Physics) => usedBytes(physics.internal.engine.arena);
const countOf = (physics: Physics) => physics.internal.shapes.handles.filter(Boolean).length;

/** Bodies after which nothing grows any more, and all of them. */
const [EARLY, COUNT] = bySuite([300, 450], [2000, 10_000]);

describe('shapes', () => {
  test.each(['bodies that bring their own', 'createShape and removeShape'])(
    `%s: ${COUNT} of them need no more memory`,
    (way) => {
      const physics = createPhysics(createWorld());
      const places: number[] = [];
      let early = 0;
      for (let n = 0; n < COUNT; n++) {
        const shape = unique(n % 4, n);
        if (way === 'createShape and removeShape') removeShape(physics, createShape(physics, shape));
        else removeRigidBody(physics, addRigidBody(physics, { type: n % 4 === 3 ? 'static' : 'dynamic', shape }));
        if (n === EARLY) early = bytesOf(physics);
        places[n] = physics.internal.shapes.handles.length;
      }
      expect(bytesOf(physics)).toBeLessThanOrEqual(early);
      expect(places[COUNT - 1]).toBe(places[EARLY]);
      expect(places[COUNT - 1]).toBeLessThan(600);
    },
  );

  longTest('what a body, a Collider or a createShape has stays', () => {
    const physics = createPhysics(createWorld());
    const { components, world } = physics;
    const kept = createShape(physics, unique(1, -1));
    const body = addRigidBody(physics, { shape: unique(1, -2) });
    const waiting = addEntity(world);
    addComponent(world, waiting, components.Collider);
    components.Collider.shape[waiting] = createShape(physics, unique(1, -3));
    removeShape(physics, components.Collider.shape[waiting]);
    for (let n = 0; n < 2000; n++) removeShape(physics, createShape(physics, unique(n % 3, n)));
    addComponent(world, waiting, components.RigidBody);
    const other = addRigidBody(physics, { shape: kept, position: [9, 0, 0] });
    physics.step();
    for (const eid of [body, waiting, other]) expect(physics.internal.slotOf[eid]).toBeGreaterThanOrEqual(0);
    expect(physics.report.limits).toEqual([]);
    for (const eid of [body, waiting, other]) removeEntity(world, eid);
    removeShape(physics, kept);
    physics.step();
    for (let n = 0; n < 1000; n++) removeShape(physics, createShape(physics, unique(n % 3, n)));
    expect(() => addRigidBody(physics, { shape: kept })).toThrow('shape must be a shape or an id from createShape');
    expect(() => removeShape(physics, kept)).toThrow('shape must be a shape or an id from createShape');
  });

  test('made twice it is removed twice; a shape of a body is not the game’s to remove', () => {
    const physics = createPhysics(createWorld());
    const id = createShape(physics, { box: [1, 2, 3] });
    expect(createShape(physics, { box: [1, 2, 3] })).toBe(id);
    removeShape(physics, id);
    removeShape(physics, id);
    expect(() => removeShape(physics, id)).toThrow('that was not removed as often');
    const ball = addRigidBody(physics, { shape: { sphere: 1 } });
    expect(() => removeShape(physics, physics.components.Collider.shape[ball])).toThrow('removeShape');
  });

  test('parts share the rows of equal ones that there are, after a restore, too', () => {
    const physics = createPhysics(createWorld());
    const { arena, tables } = physics.internal.engine;
    const two = (a: number, b: number): ShapeSpec => ({
      compound: [{ shape: { sphere: a } }, { shape: { sphere: b }, position: [2, 0, 0] }],
    });
    const rowsOf = (id: number) =>
      physics.internal.shapes.handles[(id & (2 ** 20 - 1)) - 1]?.parts.map(({ shape }) => shape) ?? [];
    const expectRows = (id: number, ...radii: number[]) => {
      for (const row of rowsOf(id)) expect(row).toBeLessThan(arena.i32[SHAPE_COUNT >> 2]);
      expect(rowsOf(id).map((row) => tables.shapes.parameter[4 * row])).toEqual(radii);
    };
    const id = createShape(physics, two(0.1, 0.2));
    const [first, second] = rowsOf(id);
    expect(rowsOf(createShape(physics, two(0.2, 0.1)))).toEqual([second, first]);
    removeShape(physics, createShape(physics, two(0.2, 0.1)));
    const snapshot = physics.snapshot();
    expectRows(createShape(physics, two(0.3, 0.4)), 0.3, 0.4);
    for (let n = 0; n < 2; n++) removeShape(physics, createShape(physics, two(0.2, 0.1)));
    removeShape(physics, id);
    for (let n = 0; n < 1000; n++) removeShape(physics, createShape(physics, two(1 + n, 2 + n)));
    physics.restore(snapshot);
    // Rows of what was made since are none, and those of what was freed since are there again.
    expectRows(createShape(physics, two(0.5, 0.4)), 0.5, 0.4);
    expect(rowsOf(createShape(physics, two(0.2, 0.2)))).toEqual([second, second]);
    expect(rowsOf(createShape(physics, two(0.1, 0.1)))).toEqual([first, first]);
  });

  // Each part was looked for among all there were: 100 000 took 17 s of the processor, 500 000 seven minutes.
  test('a compound of 100 000 parts, and 20 000 shapes, that all differ are made in seconds', () => {
    const physics = createPhysics(createWorld());
    const start = process.cpuUsage();
    const compound = Array.from({ length: 100_000 }, (_, n) => ({
      position: [n % 100, Math.floor(n / 100) % 100, Math.floor(n / 10_000)],
      shape: { sphere: 0.1 + 1e-6 * n },
    }));
    const id = createShape(physics, { compound });
    for (let n = 0; n < 20_000; n++) createShape(physics, { sphere: 1 + 1e-6 * n });
    const { user, system } = process.cpuUsage(start);
    expect(physics.internal.shapes.handles[id - 1]?.parts.at(-1)?.shape).toBe(99_999);
    expect((user + system) / 1e6).toBeLessThan(6);
  });

  longTest('a restore brings back what was freed since, and a saved game has what it needs', () => {
    const physics = createPhysics(createWorld());
    addRigidBody(physics, GROUND);
    const bodies = [1, 2, 1, 2].map((kind, n) =>
      addRigidBody(physics, { shape: unique(kind, -n), position: [0.3 * n, 2 + 3 * n, 0] }),
    );
    for (let i = 0; i < 20; i++) physics.step();
    const snapshot = physics.snapshot();
    const bytes = saveGame(physics);
    for (let i = 0; i < 60; i++) physics.step();
    const later = physics.hash();
    for (const eid of bodies) removeRigidBody(physics, eid);
    physics.step();
    for (let n = 0; n < 2000; n++) removeShape(physics, createShape(physics, unique(n % 4, n)));
    expect(countOf(physics)).toBeLessThan(600);
    physics.restore(snapshot);
    for (let i = 0; i < 60; i++) physics.step();
    expect(physics.hash()).toBe(later);
    const fresh = createPhysics(createWorld());
    loadGame(fresh, bytes);
    for (let n = 0; n < 2000; n++) removeShape(fresh, createShape(fresh, unique(n % 4, n)));
    for (let i = 0; i < 60; i++) fresh.step();
    expect(fresh.hash()).toBe(later);
  });

  test('an observer that makes shapes does not free the one that is being added', () => {
    const physics = createPhysics(createWorld());
    const { world, components } = physics;
    let n = 0;
    observe(world, onAdd(components.Transform), () => {
      for (let k = 0; k < 400; k++) removeShape(physics, createShape(physics, unique(0, n++)));
    });
    const bodies = [1, 2, 1].map((kind, k) =>
      addRigidBody(physics, { shape: unique(kind, -1 - k), position: [9 * k, 0, 0] }),
    );
    physics.step();
    for (const eid of bodies) expect(physics.internal.slotOf[eid]).toBeGreaterThanOrEqual(0);
  });
});

describe('settings', () => {
  longTest('a snapshot of a world with another solver is refused', () => {
    const snapshot = createPhysics(createWorld(), { solver: 'dantzig' }).snapshot();
    const other = createPhysics(createWorld(), { solver: 'gauss-seidel' });
    expect(() => other.restore(snapshot)).toThrow('snapshot must be of a world with the same settings');
    const bytes = saveGame(createPhysics(createWorld(), { dantzigContacts: 3 }));
    expect(() => loadGame(createPhysics(createWorld()), bytes)).toThrow('the same settings');
  });
});
