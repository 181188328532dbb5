import {
  addComponent,
  addEntity,
  createWorld,
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
  applyForce,
  applyImpulse,
  applyTorque,
  castRay,
  createPhysics,
  createShape,
  listIslands,
  type Physics,
  type PhysicsSettings,
  removeRigidBody,
  setKinematicTarget,
  setVelocity,
  teleport,
  UsageError,
} from '../../src/index';

const GROUND = { type: 'static', shape: { plane: [0, 1, 0] } } as const;
const BOX = { box: [0.5, 0.5, 0.5] } as const;

function make(settings?: PhysicsSettings): Physics {
  return createPhysics(createWorld(), settings);
}

function steps(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
  const { arena, tables } = physics.internal.engine;
  expect(findBrokenInvariants(arena, tables)).toEqual([]);
}

const height = (physics: Physics, eid: number) => physics.components.Transform.position.y[eid];

test('a body falls as semi-implicit Euler says', () => {
  const physics = make();
  const eid = addRigidBody(physics, { shape: { sphere: 0.5 }, position: [0, 100, 0] });
  steps(physics, 60);
  expect(height(physics, eid)).toBeCloseTo(100 - ((9.81 / 3600) * (60 * 61)) / 2, 9);
  expect(physics.components.Velocity.linear.y[eid]).toBeCloseTo(-9.81, 9);
});

test('a box dropped on a plane comes to rest on it and falls asleep; a force wakes it', () => {
  const physics = make();
  addRigidBody(physics, GROUND);
  const eid = addRigidBody(physics, { shape: BOX, position: [0, 1, 0] });
  steps(physics, 180);
  expect(height(physics, eid)).toBeCloseTo(0.5, 4);
  const { Sleeping } = physics.components;
  expect(hasComponent(physics.world, eid, Sleeping)).toBe(true);
  expect(physics.report.awake).toBe(0);
  applyForce(physics, eid, [0, 20_000, 0]);
  steps(physics, 1);
  expect(hasComponent(physics.world, eid, Sleeping)).toBe(false);
  expect(height(physics, eid)).toBeGreaterThan(0.5);
});

test('plain addComponent and removeEntity by the game work as the calls do', () => {
  const physics = make();
  const { world, components } = physics;
  const { RigidBody, Transform, Collider } = components;
  addRigidBody(physics, GROUND);
  const shape = createShape(physics, BOX);
  const eid = addEntity(world);
  addComponent(world, eid, Transform);
  addComponent(world, eid, Collider);
  addComponent(world, eid, RigidBody);
  Transform.position.y[eid] = 3;
  Collider.shape[eid] = shape;
  steps(physics, 120);
  expect(height(physics, eid)).toBeCloseTo(0.5, 4);
  expect(RigidBody.mass[eid]).toBeCloseTo(1000, 9);
  removeEntity(world, eid);
  steps(physics, 2);
  expect(physics.report.bodies).toBe(1);
  expect(query(world, [components.Contact]).length).toBe(0);
});

test('taking RigidBody away leaves the entity where it is and out of the simulation', () => {
  const physics = make();
  const eid = addRigidBody(physics, { shape: BOX, position: [0, 5, 0] });
  steps(physics, 3);
  const y = height(physics, eid);
  removeComponent(physics.world, eid, physics.components.RigidBody);
  steps(physics, 3);
  expect(height(physics, eid)).toBe(y);
  addComponent(physics.world, eid, physics.components.RigidBody);
  steps(physics, 3);
  expect(height(physics, eid)).toBeLessThan(y);
});

test('touches are entities: they begin once, show the load, and end when the bodies part', () => {
  const physics = make();
  const { world, components } = physics;
  const { Contact } = components;
  const log: string[] = [];
  observe(world, onAdd(Contact), (eid: number) => log.push(`began ${Contact.entityA[eid]} ${Contact.entityB[eid]}`));
  observe(world, onRemove(Contact), (eid: number) => log.push(`ended ${Contact.entityA[eid]} ${Contact.entityB[eid]}`));
  const ground = addRigidBody(physics, GROUND);
  const box = addRigidBody(physics, { shape: BOX, position: [0, 0.6, 0], mass: 10, canSleep: false });
  steps(physics, 60);
  expect(log).toHaveLength(1);
  expect(log[0].startsWith('began')).toBe(true);
  const [contact] = query(world, [Contact]);
  expect([Contact.entityA[contact], Contact.entityB[contact]].sort((a, b) => a - b)).toEqual([ground, box]);
  expect(Contact.pointCount[contact]).toBe(4);
  expect(Contact.normalImpulse[contact]).toBeCloseTo((10 * 9.81) / 60, 6);
  teleport(physics, box, [0, 10, 0]);
  steps(physics, 2);
  expect(log).toHaveLength(2);
  expect(log[1].startsWith('ended')).toBe(true);
});

test('bodies may be removed inside a contact callback', () => {
  const physics = make();
  const { world, components } = physics;
  addRigidBody(physics, GROUND);
  const boxes = [0, 1, 2].map((i) => addRigidBody(physics, { shape: BOX, position: [3 * i, 0.55, 0] }));
  observe(world, onAdd(components.Contact), (eid: number) => {
    for (const other of [components.Contact.entityA[eid], components.Contact.entityB[eid]]) {
      if (boxes.includes(other)) removeRigidBody(physics, other);
    }
  });
  steps(physics, 30);
  expect(physics.report.bodies).toBe(1);
  expect(query(world, [components.Contact]).length).toBe(0);
});

test('sensors report and push nothing', () => {
  const physics = make();
  const { Contact } = physics.components;
  let began = 0;
  let ended = 0;
  observe(physics.world, onAdd(Contact), () => began++);
  observe(physics.world, onRemove(Contact), () => ended++);
  addRigidBody(physics, { type: 'static', sensor: true, shape: BOX });
  const ball = addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0, 3, 0] });
  steps(physics, 120);
  expect([began, ended]).toEqual([1, 1]);
  expect(height(physics, ball)).toBeCloseTo(3 - ((9.81 / 3600) * 120 * 121) / 2, 6);
});

test('layers and masks decide both ways', () => {
  const physics = make();
  addRigidBody(physics, { ...GROUND, layers: 2, mask: 4 });
  const through = addRigidBody(physics, { shape: BOX, position: [0, 1, 0], layers: 1 });
  const half = addRigidBody(physics, { shape: BOX, position: [3, 1, 0], layers: 4, mask: 1 });
  const held = addRigidBody(physics, { shape: BOX, position: [6, 1, 0], layers: 4, mask: 2 });
  steps(physics, 90);
  expect(height(physics, through)).toBeLessThan(-1);
  expect(height(physics, half)).toBeLessThan(-1);
  expect(height(physics, held)).toBeCloseTo(0.5, 4);
});

test('a kinematic body reaches its target exactly and carries what stands on it', () => {
  const physics = make();
  const lift = addRigidBody(physics, { type: 'kinematic', shape: { box: [2, 0.25, 2] }, position: [0, 0, 0] });
  const crate = addRigidBody(physics, { shape: BOX, position: [0, 0.75, 0] });
  steps(physics, 30);
  for (let i = 1; i <= 60; i++) {
    setKinematicTarget(physics, lift, [i * 0.01, i * 0.02, 0]);
    steps(physics, 1);
    expect(physics.components.Transform.position.x[lift]).toBeCloseTo(i * 0.01, 12);
  }
  expect(height(physics, crate)).toBeCloseTo(1.2 + 0.75, 3);
  expect(physics.components.Transform.position.x[crate]).toBeCloseTo(0.6, 2);
});

test('writes to columns take effect at the next step: pose, velocity, force, mass, gravity', () => {
  const physics = make({ gravity: [0, 0, 0] });
  const { Transform, Velocity, RigidBody } = physics.components;
  const eid = addRigidBody(physics, { shape: BOX, mass: 2 });
  steps(physics, 1);
  Transform.position.x[eid] = 5;
  Velocity.linear.y[eid] = 6;
  RigidBody.force.z[eid] = 120;
  RigidBody.mass[eid] = 4;
  steps(physics, 1);
  expect(Transform.position.x[eid]).toBe(5);
  expect(Transform.position.y[eid]).toBeCloseTo(0.1, 12);
  expect(Velocity.linear.z[eid]).toBeCloseTo(0.5, 12);
  expect(RigidBody.force.z[eid]).toBe(0);
});

test('a write to a sleeping body is noticed within sixteen steps', () => {
  const physics = make();
  addRigidBody(physics, GROUND);
  const eid = addRigidBody(physics, { shape: BOX, position: [0, 0.5, 0] });
  steps(physics, 90);
  expect(physics.report.awake).toBe(0);
  physics.components.Transform.position.y[eid] = 4;
  steps(physics, 16);
  expect(physics.report.awake).toBe(1);
  expect(height(physics, eid)).toBeGreaterThan(3);
});

test('a write to a kinematic body is noticed at the next step', () => {
  const physics = make();
  const eid = addRigidBody(physics, { type: 'kinematic', shape: BOX });
  steps(physics, 3);
  for (let i = 1; i <= 20; i++) {
    physics.components.Transform.position.y[eid] = 0.1 * i;
    steps(physics, 1);
    expect(castRay(physics, [0, 10, 0], [0, -1, 0], 20)?.distance).toBeCloseTo(9.5 - 0.1 * i, 6);
  }
});

test('impulses change velocity and spin by their share of mass and inertia', () => {
  const physics = make({ gravity: [0, 0, 0] });
  const { linear, angular } = physics.components.Velocity;
  const eid = addRigidBody(physics, { shape: { box: [1, 0.5, 0.25] }, mass: 3 });
  applyImpulse(physics, eid, [0, 6, 0], [1, 0, 0]);
  expect(linear.y[eid]).toBeCloseTo(2, 12);
  // I_zz = m (w² + h²) / 12 with full widths 2 and 1.
  expect(angular.z[eid]).toBeCloseTo(6 / ((3 * (4 + 1)) / 12), 12);
  applyTorque(physics, eid, [0, 0, -60 * 6]);
  steps(physics, 1);
  expect(angular.z[eid]).toBeCloseTo(0, 9);
});

test('advance takes whole steps, keeps the rest, and never spirals', () => {
  const physics = make();
  expect(physics.advance(1 / 60)).toBe(1);
  expect(physics.advance(0.01)).toBe(0);
  expect(physics.alpha).toBeCloseTo(0.6, 6);
  expect(physics.advance(0.01)).toBe(1);
  expect(physics.advance(3)).toBe(4);
  expect(physics.alpha).toBe(0);
  let total = 0;
  const sixty = make();
  for (let i = 0; i < 600; i++) total += sixty.advance(1 / 60);
  expect(total).toBe(600);
});

test('interpolated poses lie between the last two steps and rest where the body rests', () => {
  const physics = make({ gravity: [0, 0, 0] });
  const eid = addRigidBody(physics, { shape: BOX, velocity: [6, 0, 0], linearDamping: 0 });
  steps(physics, 10);
  physics.interpolate(0.25);
  const { position } = physics.components.Interpolated;
  expect(position.x[eid]).toBeCloseTo(0.925, 12);
  setVelocity(physics, eid, [0, 0, 0]);
  steps(physics, 60);
  physics.interpolate(0.5);
  expect(position.x[eid]).toBeCloseTo(1, 12);
});

test('a game adds its own systems before and after any stage, with timers, and takes them out again', () => {
  const physics = make();
  const log: string[] = [];
  const mine = () => void log.push('after');
  const remove = physics.schedule.after('find-contacts', mine, 'my-system');
  physics.schedule.before(mine, function first() {
    log.push('before');
  });
  steps(physics, 1);
  expect(log).toEqual(['before', 'after']);
  expect(physics.schedule.names.indexOf('my-system')).toBe(physics.schedule.names.indexOf('find-contacts') + 2);
  expect(physics.profile.stages).toEqual(physics.schedule.names);
  remove();
  steps(physics, 1);
  expect(log).toEqual(['before', 'after', 'before']);
  expect(() => physics.schedule.before('nothing' as 'copy-in', () => {})).toThrow(
    /schedule.before: stage must be one of copy-in/,
  );
});

test('two worlds never share state', () => {
  const [a, b] = [make(), make({ gravity: [0, 1, 0] })];
  const ea = addRigidBody(a, { shape: BOX });
  const eb = addRigidBody(b, { shape: BOX });
  steps(a, 10);
  steps(b, 10);
  expect(height(a, ea)).toBeLessThan(0);
  expect(height(b, eb)).toBeGreaterThan(0);
});

test('a body whose numbers go bad is quarantined and reported; nothing else is lost', () => {
  const physics = make();
  addRigidBody(physics, GROUND);
  const bad = addRigidBody(physics, { shape: BOX, position: [0, 0.5, 0] });
  const good = addRigidBody(physics, { shape: BOX, position: [0.2, 1.5, 0] });
  steps(physics, 5);
  const slot = physics.internal.slotOf[bad];
  const healthy = physics.snapshot();
  const { linear } = physics.components.Velocity;
  linear.y[bad] = 3;
  physics.step();
  physics.internal.engine.tables.bodies.linearVelocity[4 * slot] = Number.NaN;
  for (let i = 0; i < 60; i++) physics.step();
  expect(physics.report.quarantined).toEqual([bad]);
  for (const eid of [bad, good]) expect(Number.isFinite(height(physics, eid))).toBe(true);
  // It stands still, and says so.
  expect(linear.y[bad]).toBe(0);
  // Who is gone, or well again, is on the list no more.
  const ill = physics.snapshot();
  physics.restore(healthy);
  expect(physics.report.quarantined).toEqual([]);
  physics.restore(ill);
  expect(physics.report.quarantined).toEqual([bad]);
  removeRigidBody(physics, bad);
  physics.step();
  expect(physics.report.quarantined).toEqual([]);
});

test('NaN written to a column is refused by name and the body goes on', () => {
  const physics = make();
  const eid = addRigidBody(physics, { shape: BOX });
  steps(physics, 1);
  physics.components.Transform.position.x[eid] = Number.NaN;
  physics.step();
  expect(physics.report.limits).toEqual([
    expect.stringMatching(`^Transform of entity ${eid}: must be finite.*; the one before stays, got NaN `),
  ]);
  expect(physics.components.Transform.position.x[eid]).toBe(0);
});

test('rays hit what is there', () => {
  const physics = make();
  const eid = addRigidBody(physics, { type: 'static', shape: BOX, position: [3, 0, 0] });
  const hit = castRay(physics, [0, 0, 0], [1, 0, 0], 10)!;
  expect(hit.entity).toBe(eid);
  expect(hit.distance).toBeCloseTo(2.5, 12);
  expect(Array.from(hit.normal)).toEqual([-1, 0, 0]);
  expect(castRay(physics, [0, 0, 0], [-1, 0, 0], 10)).toBe(null);
});

test('wrong input is refused with where, expected and got', () => {
  const physics = make();
  const refused = (f: () => unknown, message: string) => {
    expect(f).toThrow(UsageError);
    expect(f).toThrow(message);
  };
  refused(() => addRigidBody(physics, { shape: BOX, mass: -1 }), 'addRigidBody: mass must be > 0 [kg], got -1');
  refused(
    () => addRigidBody(physics, { shape: BOX, position: [0, Number.NaN, 0] }),
    'addRigidBody: position[1] must be a finite number [m], got NaN',
  );
  refused(
    () => addRigidBody(physics, { shape: BOX, rotation: [0, 0, 0, 0] }),
    'addRigidBody: rotation must not be zero',
  );
  refused(
    () => addRigidBody(physics, { shape: { plane: [0, 1, 0] } }),
    'planes, meshes and height fields must be on bodies of type static',
  );
  refused(
    () => addRigidBody(physics, { shape: 7 }),
    'addRigidBody: shape must be a shape or an id from createShape, got 7',
  );
  refused(
    () => addRigidBody(physics, { shape: BOX, colour: 1 } as never),
    'addRigidBody: unknown key; known are type, ',
  );
  refused(() => applyForce(physics, 99, [0, 0, 0]), 'applyForce: entity must be a rigid body of this world, got 99');
  refused(() => createPhysics(createWorld(), { timeStep: 0 }), 'createPhysics: timeStep must be > 0 [s], got 0');
  refused(() => createPhysics(createWorld(), { speed: 1 } as never), 'createPhysics: unknown setting');
  expect(physics.advance(-0.02)).toBe(0);
  refused(() => physics.advance(Number.NaN), 'physics.advance: frameSeconds must be a finite number [s], got NaN');
  const eid = addRigidBody(physics, { shape: BOX });
  refused(() => setKinematicTarget(physics, eid, [0, 0, 0]), 'setKinematicTarget: entity must be kinematic');
  physics.dispose();
  refused(() => physics.step(), 'physics.step: physics must not be disposed of');
});

test('a box that has just begun to slide is not put to sleep; one that sticks is', () => {
  for (const [ratio, slides] of [
    [1.02, true],
    [1.002, true],
    [0.98, false],
  ] as const) {
    const physics = make();
    const angle = Math.atan(0.5 * ratio);
    const rotation = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    const place = (h: number) => [-Math.sin(angle) * h, Math.cos(angle) * h, 0];
    addRigidBody(physics, { type: 'static', shape: { box: [40, 1, 5] }, position: place(-1), rotation, friction: 0.5 });
    const eid = addRigidBody(physics, {
      shape: { box: [0.5, 0.25, 0.5] },
      position: place(0.25),
      rotation,
      friction: 0.5,
    });
    steps(physics, 180);
    expect(hasComponent(physics.world, eid, physics.components.Sleeping)).toBe(!slides);
  }
});

test('the islands say who solved them and how well', () => {
  const physics = make({ sleeping: false, dantzigContacts: 8 });
  addRigidBody(physics, GROUND);
  const lone = addRigidBody(physics, { shape: BOX, position: [5, 0.5, 0] });
  const stack = [0, 1, 2].map((i) => addRigidBody(physics, { shape: BOX, position: [0, 0.5 + i, 0] }));
  steps(physics, 30);
  const [large, small] = listIslands(physics);
  expect(large).toMatchObject({ entities: stack, contacts: 3, points: 12, solver: 'contact-admm' });
  expect(small).toMatchObject({ entities: [lone], contacts: 1, points: 4, solver: 'dantzig' });
  expect(large.residual).toBeLessThan(1e-4);
  expect(small.residual).toBeLessThan(1e-9);
});
