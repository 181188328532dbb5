// What a game may do to entities behind the engine's back: ids that come back, components and tags that come and go.

import {
  addComponent,
  addEntity,
  createWorld,
  entityExists,
  hasComponent,
  observe,
  onAdd,
  onRemove,
  query,
  removeComponent,
  removeEntity,
} from 'bitecs';
import { expect, test } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addRigidBody,
  applyImpulse,
  createPhysics,
  createShape,
  islandOf,
  overlapPoint,
  type Physics,
  refreshBody,
  removeRigidBody,
  STAGES,
  setKinematicTarget,
  setVelocity,
  UsageError,
} from '../../src/index';

const GROUND = { type: 'static', shape: { plane: [0, 1, 0] } } as const;
const BOX = { box: [0.5, 0.5, 0.5] } as const;

const make = (): Physics => createPhysics(createWorld());

function steps(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
  const { arena, tables } = physics.internal.engine;
  expect(findBrokenInvariants(arena, tables)).toEqual([]);
}

const height = (physics: Physics, eid: number) => physics.components.Transform.position.y[eid];

test('an id given out again in the same frame belongs to the new body alone', () => {
  const physics = make();
  addRigidBody(physics, GROUND);
  const old = addRigidBody(physics, { shape: BOX, position: [0, 0.5, 0], velocity: [3, 0, 0] });
  steps(physics, 10);
  removeRigidBody(physics, old);
  const fresh = addRigidBody(physics, { shape: { sphere: 0.25 }, position: [20, 5, 0] });
  expect(fresh).toBe(old);
  physics.interpolate();
  expect(overlapPoint(physics, [20, 5, 0])).toEqual([fresh]);
  steps(physics, 1);
  expect(physics.report.bodies).toBe(2);
  expect(physics.components.Transform.position.x[fresh]).toBe(20);
  expect(height(physics, fresh)).toBeCloseTo(5 - 9.81 / 3600, 9);
});

test('an entity that comes and goes within one frame leaves nothing behind', () => {
  const physics = make();
  for (let i = 0; i < 5; i++) removeRigidBody(physics, addRigidBody(physics, { shape: BOX }));
  const kept = addRigidBody(physics, { shape: BOX });
  removeComponent(physics.world, kept, physics.components.RigidBody);
  addComponent(physics.world, kept, physics.components.RigidBody);
  steps(physics, 2);
  expect(physics.report.bodies).toBe(1);
});

test('RigidBody taken away and given back before the next step makes the body anew where it is', () => {
  const physics = make();
  const eid = addRigidBody(physics, { shape: BOX, position: [1, 5, 0], mass: 7 });
  steps(physics, 5);
  const y = height(physics, eid);
  const { RigidBody } = physics.components;
  removeComponent(physics.world, eid, RigidBody);
  addComponent(physics.world, eid, RigidBody);
  steps(physics, 1);
  expect(physics.report.bodies).toBe(1);
  expect(height(physics, eid)).toBeLessThan(y);
  // A fresh component has its default: mass from density and volume.
  expect(RigidBody.mass[eid]).toBeCloseTo(1000, 9);
});

test('a body that sleeps and loses RigidBody does not keep the Sleeping tag', () => {
  const physics = make();
  addRigidBody(physics, GROUND);
  const eid = addRigidBody(physics, { shape: BOX, position: [0, 0.5, 0] });
  steps(physics, 90);
  const { Sleeping, RigidBody } = physics.components;
  expect(hasComponent(physics.world, eid, Sleeping)).toBe(true);
  removeComponent(physics.world, eid, RigidBody);
  steps(physics, 1);
  expect(hasComponent(physics.world, eid, Sleeping)).toBe(false);
});

test('tags added and taken later change how the body moves', () => {
  const physics = make();
  const { world, components } = physics;
  const eid = addRigidBody(physics, { shape: BOX, position: [0, 5, 0] });
  steps(physics, 5);
  addComponent(world, eid, components.Static);
  steps(physics, 1);
  const y = height(physics, eid);
  steps(physics, 5);
  expect(height(physics, eid)).toBe(y);
  removeComponent(world, eid, components.Static);
  addComponent(world, eid, components.Kinematic);
  // At once, without waiting for a step.
  setKinematicTarget(physics, eid, [0, 8, 0]);
  steps(physics, 1);
  expect(height(physics, eid)).toBeCloseTo(8, 12);
  removeComponent(world, eid, components.Kinematic);
  setVelocity(physics, eid, [0, 0, 0]);
  steps(physics, 30);
  expect(height(physics, eid)).toBeLessThan(8);
});

test('a contact entity removed by the game is gone, and the entity that gets its id is left alone', () => {
  const physics = make();
  const { world, components } = physics;
  addRigidBody(physics, GROUND);
  const box = addRigidBody(physics, { shape: BOX, position: [0, 0.5, 0] });
  steps(physics, 5);
  const [contact] = query(world, [components.Contact]);
  removeEntity(world, contact);
  const innocent = addEntity(world);
  expect(innocent).toBe(contact);
  steps(physics, 5);
  expect(query(world, [components.Contact]).length).toBe(0);
  removeRigidBody(physics, box);
  steps(physics, 2);
  expect(entityExists(world, innocent)).toBe(true);
});

test.each([
  ['Collider a step after RigidBody', ['RigidBody', 'step', 'Collider']],
  ['its shape a step after both', ['RigidBody', 'Collider', 'step']],
  ['RigidBody a step after Collider', ['Collider', 'step', 'RigidBody']],
  ['a call in between', ['RigidBody', 'ask', 'Collider']],
] as const)('components in any order make a body: %s', (_name, order) => {
  const physics = make();
  const { world, components } = physics;
  const { Transform, Velocity, Collider } = components;
  const eid = addEntity(world);
  addComponent(world, eid, Transform);
  Transform.position.y[eid] = 3;
  for (const part of order) {
    if (part === 'step') steps(physics, 1);
    else if (part === 'ask') {
      expect(() => applyImpulse(physics, eid, [0, 1, 0])).toThrow(
        'applyImpulse: entity must have a body, and has RigidBody but no Collider, got',
      );
    } else addComponent(world, eid, components[part]);
  }
  Collider.shape[eid] = createShape(physics, { sphere: 0.5 });
  steps(physics, 60);
  expect(Velocity.linear.y[eid]).toBeCloseTo(-9.81, 1);
  expect(Transform.position.y[eid]).toBeLessThan(-1);

  // Without a shape there is no body; with another one there is, and a rollback between repeats.
  removeComponent(world, eid, Collider);
  steps(physics, 1);
  expect(physics.report.bodies).toBe(0);
  const bodiless = physics.snapshot();
  const bring = () => {
    addComponent(world, eid, Collider);
    Collider.shape[eid] = createShape(physics, { sphere: 0.25 });
    steps(physics, 5);
    return physics.hash();
  };
  const hash = bring();
  expect(physics.report.bodies).toBe(1);
  physics.restore(bodiless);
  steps(physics, 1);
  expect(physics.report.bodies).toBe(0);
  physics.restore(bodiless);
  removeComponent(world, eid, Collider);
  expect(bring()).toBe(hash);
});

test('an unknown shape makes no body, is reported by name, and can be put right', () => {
  const physics = make();
  const { world, components } = physics;
  const eid = addEntity(world);
  addComponent(world, eid, components.Collider);
  addComponent(world, eid, components.RigidBody);
  components.Collider.shape[eid] = 99;
  steps(physics, 1);
  expect(physics.report.limits).toEqual([
    `Collider.shape of entity ${eid}: must be an id from createShape; no body is made, got 99`,
  ]);
  expect(() => islandOf(physics, eid)).toThrow(UsageError);
  steps(physics, 1);
  expect(physics.report.limits).toEqual([]);
  components.Collider.shape[eid] = createShape(physics, BOX);
  steps(physics, 1);
  expect(physics.report.bodies).toBe(1);
  expect(height(physics, eid)).toBeLessThan(0);
});

test('a report of what was refused between two steps is there after the next', () => {
  const physics = make();
  const { world, components } = physics;
  const eid = addEntity(world);
  addComponent(world, eid, components.RigidBody);
  overlapPoint(physics, [0, 0, 0]);
  physics.step();
  expect(physics.report.limits).toHaveLength(1);
});

test('two physics on one bitECS world keep to their own components', () => {
  const world = createWorld();
  const a = createPhysics(world);
  const b = createPhysics(world, { gravity: [0, 9.81, 0] });
  for (const physics of [a, b])
    addRigidBody(physics, { ...GROUND, shape: { plane: physics === a ? [0, 1, 0] : [0, -1, 0] } });
  const inA = addRigidBody(a, { shape: BOX, position: [0, 0.5, 0] });
  const inB = addRigidBody(b, { shape: BOX, position: [0, -0.5, 0] });
  expect(() => setVelocity(b, inA, [1, 0, 0])).toThrow(UsageError);
  for (let i = 0; i < 60; i++) {
    a.step();
    b.step();
  }
  expect([a.report.bodies, b.report.bodies]).toEqual([2, 2]);
  expect([query(world, [a.components.Contact]).length, query(world, [b.components.Contact]).length]).toEqual([1, 1]);
  expect(height(a, inA)).toBeCloseTo(0.5, 4);
  expect(height(b, inB)).toBeCloseTo(-0.5, 4);
  a.dispose();
  expect(query(world, [a.components.Contact]).length).toBe(0);
  expect(query(world, [b.components.Contact]).length).toBe(1);
  steps(b, 1);
});

test('bodies may be removed and added, and asked for, inside contact callbacks', () => {
  const physics = make();
  const { world, components } = physics;
  const { Contact } = components;
  addRigidBody(physics, GROUND);
  const boxes = new Set([0, 1, 2, 3].map((i) => addRigidBody(physics, { shape: BOX, position: [3 * i, 0.55, 0] })));
  let born = 0;
  const replace = (contact: number) => {
    for (const eid of [Contact.entityA[contact], Contact.entityB[contact]]) {
      if (born >= 40 || !boxes.delete(eid)) continue;
      removeRigidBody(physics, eid);
      const fresh = addRigidBody(physics, { shape: BOX, position: [3 * born, 0.52, 4] });
      born++;
      boxes.add(fresh);
      // Makes the body at once, in the middle of the stage.
      setVelocity(physics, fresh, [0, -1, 0]);
    }
  };
  observe(world, onAdd(Contact), replace);
  observe(world, onRemove(Contact), replace);
  steps(physics, 200);
  expect(born).toBe(40);
  for (const contact of query(world, [Contact])) {
    expect(entityExists(world, Contact.entityA[contact])).toBe(true);
    expect(entityExists(world, Contact.entityB[contact])).toBe(true);
  }
  for (const eid of [...boxes]) removeRigidBody(physics, eid);
  steps(physics, 2);
  expect(query(world, [Contact]).length).toBe(0);
  expect(physics.report.bodies).toBe(query(world, [components.RigidBody]).length);
});

test('bodies may be removed, added and changed by systems at every stage', () => {
  const physics = make();
  const { world, components, schedule } = physics;
  addRigidBody(physics, GROUND);
  const boxes = Array.from({ length: 12 }, (_, i) =>
    addRigidBody(physics, { shape: BOX, position: [1.2 * (i % 4), 0.5 + Math.floor(i / 4), 0] }),
  );
  let turn = 0;
  const stops = STAGES.map((stage) =>
    schedule.after(stage, () => {
      const at = turn++ % boxes.length;
      removeRigidBody(physics, boxes[at]);
      boxes[at] = addRigidBody(physics, { shape: BOX, position: [1.2 * (at % 4), 0.5 + Math.floor(at / 4), 0] });
      setVelocity(physics, boxes[at], [0, -0.1, 0]);
      const other = boxes[(at + 5) % boxes.length];
      if (turn % 3 === 0) addComponent(world, other, components.Static);
      else refreshBody(physics, other);
      overlapPoint(physics, [0, 0.5, 0]);
    }),
  );
  for (let i = 0; i < 40; i++) steps(physics, 1);
  expect(physics.report.quarantined).toEqual([]);
  for (const stop of stops) stop();
  for (const eid of boxes) removeRigidBody(physics, eid);
  steps(physics, 2);
  expect(physics.report.bodies).toBe(1);
  expect(query(world, [components.Contact]).length).toBe(0);
  expect(query(world, [components.RigidBody]).length).toBe(1);
});

test('a step inside a step is refused, and a system that throws breaks no later step', () => {
  const physics = make();
  addRigidBody(physics, GROUND);
  const eid = addRigidBody(physics, { shape: BOX, position: [0, 0.5, 0] });
  const calls = [
    () => physics.step(),
    () => physics.advance(1),
    () => physics.snapshot(),
    () => physics.restore(first),
  ];
  const first = physics.snapshot();
  const refusals: string[] = [];
  const stop = physics.schedule.after('find-contacts', () => {
    for (const call of calls) expect(call).toThrow('must be called between steps');
    refusals.push('all');
  });
  steps(physics, 1);
  expect(refusals).toEqual(['all']);
  stop();
  for (const stage of STAGES) {
    const remove = physics.schedule.after(stage, () => {
      throw new Error('of the game');
    });
    expect(() => physics.step()).toThrow('of the game');
    remove();
    steps(physics, 1);
  }
  steps(physics, 60);
  expect(height(physics, eid)).toBeCloseTo(0.5, 4);
});

test('a physics disposed of inside a step leaves the world at the end of it', () => {
  const physics = make();
  const { world, components } = physics;
  addRigidBody(physics, GROUND);
  const eid = addRigidBody(physics, { shape: BOX, position: [0, 0.5, 0] });
  observe(world, onAdd(components.Contact), () => physics.dispose());
  expect(physics.advance(0.06)).toBe(3);
  expect(query(world, [components.Contact]).length).toBe(0);
  expect(() => physics.step()).toThrow('physics must not be disposed of');
  expect(() => setVelocity(physics, eid, [0, 0, 0])).toThrow('physics must not be disposed of');
  removeEntity(world, eid);
});

test('going back to a snapshot and forward to a later one keeps every shape', () => {
  const physics = make();
  const before = physics.snapshot();
  const eid = addRigidBody(physics, { shape: BOX });
  physics.step();
  const after = physics.snapshot();
  const hash = physics.hash();
  physics.restore(before);
  createShape(physics, { sphere: 2 });
  physics.step();
  physics.restore(after);
  expect(physics.hash()).toBe(hash);
  refreshBody(physics, eid);
  expect(overlapPoint(physics, [0.49, 0.4, 0.49])).toEqual([eid]);
  expect(createShape(physics, BOX)).toBe(physics.components.Collider.shape[eid]);
});

test.each(['a query', 'a step'])('an entity that is being removed gets no new body by %s of its observers', (asked) => {
  const physics = make();
  const { world, components } = physics;
  const box = addRigidBody(physics, { type: 'static', shape: BOX });
  physics.step();
  observe(world, onRemove(components.Static), () => {
    if (asked === 'a step') physics.step();
    else overlapPoint(physics, [0, 0, 0]);
  });
  removeEntity(world, box);
  physics.step();
  expect(overlapPoint(physics, [0, 0, 0])).toEqual([]);
  expect(physics.report.bodies).toBe(0);
});
