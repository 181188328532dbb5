// Whatever observers and systems of a game do inside a step, the step is whole.

import {
  addComponent,
  addEntity,
  createEntityIndex,
  createWorld,
  entityExists,
  getEntityComponents,
  observe,
  onAdd,
  onRemove,
  query,
  removeComponent,
  removeEntity,
  withVersioning,
} from 'bitecs';
import { describe, expect, test } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addJoint,
  addRigidBody,
  addRod,
  attach,
  castRay,
  castRayAll,
  createPhysics,
  overlapPoint,
  overlapSphere,
  type Physics,
  refreshBody,
  removeJoint,
  removeRigidBody,
  removeRod,
  STAGES,
  setKinematicTarget,
} from '../../src/index';

const GROUND = { type: 'static', shape: { plane: [0, 1, 0] } } as const;
const BOX = { shape: { box: [0.5, 0.5, 0.5] } } as const;

test('what an observer of a removal adds has a number of its own, and stays', () => {
  const physics = createPhysics(createWorld());
  const { world, components } = physics;
  const [a, b] = [0, 3].map((x) => addRigidBody(physics, { ...BOX, position: [x, 5, 0] }));
  const lift = addRigidBody(physics, { ...BOX, type: 'kinematic', position: [9, 5, 0] });
  const joint = addJoint(physics, { type: 'ball', a, b });
  physics.step();
  const added: number[] = [];
  observe(world, onRemove(components.Joint), (eid) => {
    if (added.length > 0) return;
    // What is removed is looked through once more.
    setKinematicTarget(physics, lift, [9, 6, 0]);
    removeJoint(physics, eid);
    added.push(addRigidBody(physics, { ...BOX, position: [-9, 5, 0] }));
  });
  removeRigidBody(physics, a);
  physics.step();
  expect(entityExists(world, joint)).toBe(added[0] === joint);
  expect(entityExists(world, added[0])).toBe(true);
  expect([...query(world, [components.RigidBody])].sort((i, j) => i - j)).toEqual(
    [b, lift, added[0]].sort((i, j) => i - j),
  );
  physics.step();
  expect(physics.report.bodies).toBe(3);
});

function make(settings = {}): Physics {
  return createPhysics(createWorld(), settings);
}

function steps(physics: Physics, count: number): void {
  for (let i = 0; i < count; i++) physics.step();
}

function expectWhole({ internal: { engine } }: Physics): void {
  expect(findBrokenInvariants(engine.arena, engine.tables)).toEqual([]);
}

test('an observer that adds the first rod of a world while a jointed sleeper is made anew', () => {
  const physics = make();
  const { world, components } = physics;
  const link = addRigidBody(physics, { ...BOX, position: [0, 2, 0] });
  const joint = addJoint(physics, { type: 'fixed', a: link });
  steps(physics, 60);
  expect(query(world, [components.Sleeping]).length).toBe(1);
  observe(world, onRemove(components.Sleeping), () => {
    const points = [2, 1.9, 1.8].map((y): [number, number, number] => [3, y, 0]);
    addRod(physics, { points });
  });
  refreshBody(physics, link);
  steps(physics, 10);
  expect(query(world, [components.Rod]).length).toBe(1);
  expect(entityExists(world, joint)).toBe(true);
  expect(physics.report.joints.error).toBeLessThan(1e-6);
  expect(components.Transform.position.y[link]).toBeCloseTo(2, 6);
  expectWhole(physics);
});

describe('an observer may remove what it is told of', () => {
  test('a body that falls asleep', () => {
    const physics = make();
    const { world, components } = physics;
    addRigidBody(physics, GROUND);
    for (let i = 0; i < 3; i++) addRigidBody(physics, { ...BOX, position: [3 * i, 0.5, 0] });
    let told = 0;
    observe(world, onAdd(components.Sleeping), (eid: number) => {
      told++;
      removeRigidBody(physics, eid);
    });
    steps(physics, 60);
    expect(told).toBe(3);
    expect(physics.report.bodies).toBe(1);
    expect(query(world, [components.Sleeping]).length).toBe(0);
    expectWhole(physics);
  });

  test('a body that wakes', () => {
    const physics = make();
    const { world, components } = physics;
    addRigidBody(physics, GROUND);
    const eid = addRigidBody(physics, { ...BOX, position: [0, 0.5, 0] });
    steps(physics, 60);
    observe(world, onRemove(components.Sleeping), (woken: number) => removeEntity(world, woken));
    components.Velocity.linear.y[eid] = 3;
    steps(physics, 20);
    expect(entityExists(world, eid)).toBe(false);
    expect(physics.report.bodies).toBe(1);
    expectWhole(physics);
  });

  test('a contact, and one whose number is given out again at once', () => {
    const physics = make();
    const { world, components } = physics;
    addRigidBody(physics, GROUND);
    addRigidBody(physics, { ...BOX, position: [0, 0.5, 0] });
    const strangers: number[] = [];
    observe(world, onAdd(components.Contact), (eid: number) => {
      removeEntity(world, eid);
      strangers.push(addEntity(world));
    });
    steps(physics, 5);
    expect(strangers.length).toBe(1);
    expect(getEntityComponents(world, strangers[0])).toEqual([]);
    expect(query(world, [components.Contact]).length).toBe(0);
    expectWhole(physics);
  });

  test('a body, rod or joint that is just being added', () => {
    const physics = make();
    const { world, components } = physics;
    const rod = addRod(physics, {
      points: [
        [0, 1, 0],
        [1, 1, 0],
      ],
    });
    physics.step();
    for (const component of [components.RigidBody, components.Rod, components.Attachment, components.Transform]) {
      let told = 0;
      const stop = observe(world, onAdd(component), (eid: number) => {
        told++;
        removeEntity(world, eid);
      });
      const points = [
        [0, 2, 0],
        [1, 2, 0],
      ];
      const added = [addRigidBody(physics, BOX), addRod(physics, { points }), attach(physics, { rod, node: 0 })];
      stop();
      expect(told).toBe(1);
      for (const eid of added) removeEntity(world, eid);
    }
    steps(physics, 2);
    expect(physics.report.bodies).toBe(0);
    expect(physics.strands.strandCount).toBe(1);
    removeRod(physics, rod);
    physics.step();
    expectWhole(physics);
  });
});

describe('what a game throws inside a step comes out when the step is done', () => {
  /** Height and speed of a falling ball after ten steps. */
  function fall(meddle: (physics: Physics) => void): number[] {
    const physics = make();
    const eid = addRigidBody(physics, { shape: { sphere: 1 }, position: [0, 50, 0] });
    meddle(physics);
    for (let i = 0; i < 10; i++) {
      try {
        physics.step();
      } catch (error) {
        expect(error).toBe('of the game');
      }
    }
    const { Transform, Velocity } = physics.components;
    return [physics.stepCount, Transform.position.y[eid], Velocity.linear.y[eid]];
  }

  test.each(STAGES)('from a system after %s', (stage) => {
    let thrown = 0;
    const fallen = fall((physics) => {
      physics.schedule.after(stage, () => {
        thrown++;
        throw 'of the game';
      });
    });
    expect(thrown).toBe(10);
    expect(fallen).toEqual(fall(() => {}));
  });

  test('from an observer, and the frame goes on with the next call', () => {
    const physics = make();
    const { world, components } = physics;
    addRigidBody(physics, GROUND);
    for (let i = 0; i < 4; i++) addRigidBody(physics, { ...BOX, position: [3 * i, 0.5, 0] });
    const stop = observe(world, onAdd(components.Contact), () => {
      throw new Error('of the game');
    });
    expect(() => physics.advance(3 / 60)).toThrow('of the game');
    expect(physics.stepCount).toBe(1);
    expect(query(world, [components.Contact]).length).toBe(4);
    expectWhole(physics);
    stop();
    // The two steps that were not taken are still due.
    expect(physics.advance(0)).toBe(2);
    expect(physics.stepCount).toBe(3);
  });

  test('from a contact modifier', () => {
    const physics = make();
    addRigidBody(physics, GROUND);
    const eid = addRigidBody(physics, { ...BOX, position: [0, 0.5, 0], modifyContacts: true });
    const stop = physics.modifyContacts(() => {
      throw new Error('of the game');
    });
    for (let i = 0; i < 5; i++) expect(() => physics.step()).toThrow('of the game');
    stop();
    steps(physics, 5);
    expect(physics.stepCount).toBe(10);
    expect(physics.components.Transform.position.y[eid]).toBeCloseTo(0.5, 6);
  });
});

test('queries in the step of a removal know neither the dead nor who has their number', () => {
  const physics = make({ gravity: [0, 0, 0] });
  const { world } = physics;
  const gone = addRigidBody(physics, { type: 'static', shape: { sphere: 1 } });
  const below = addRigidBody(physics, { type: 'static', shape: { sphere: 1 }, position: [0, -5, 0] });
  physics.step();
  let isDone = false;
  physics.schedule.after('solve-contacts', () => {
    if (isDone) return;
    isDone = true;
    removeRigidBody(physics, gone);
    const look = () => [
      castRay(physics, [0, 5, 0], [0, -1, 0])?.entity,
      castRayAll(physics, [0, 5, 0], [0, -1, 0]).map(({ entity }) => entity),
      overlapSphere(physics, [0, 0, 0], 0.1),
      overlapPoint(physics, [0, 0, 0]),
    ];
    expect(look()).toEqual([below, [below], [], []]);
    const stranger = addRigidBody(physics, { type: 'static', shape: { sphere: 0.1 }, position: [100, 0, 0] });
    expect(stranger).toBe(gone);
    expect(look()).toEqual([below, [below], [], []]);
  });
  physics.step();
  expect(isDone).toBe(true);
  expect(entityExists(world, gone)).toBe(true);
  physics.step();
  expect(castRay(physics, [0, 5, 0], [0, -1, 0])?.entity).toBe(below);
});

test('a world whose entity numbers carry versions is refused', () => {
  const world = createWorld(createEntityIndex(withVersioning(8)));
  expect(() => createPhysics(world)).toThrow(
    'createPhysics: world must have plain entity numbers, got a world made withVersioning',
  );
});

describe('what is added between steps', () => {
  test.each([true, false])('is drawn where it is (addRigidBody: %s)', (byCall) => {
    const physics = make();
    const { Transform, RigidBody, Interpolated, Collider } = physics.components;
    physics.step();
    let eid = 0;
    if (byCall) eid = addRigidBody(physics, { shape: { sphere: 0.1 }, position: [5, 2, 0], rotation: [1, 0, 0, 0] });
    else {
      const like = addRigidBody(physics, { shape: { sphere: 0.1 } });
      eid = addEntity(physics.world);
      addComponent(physics.world, eid, Transform);
      addComponent(physics.world, eid, Collider);
      Transform.position.x[eid] = 5;
      Transform.position.y[eid] = 2;
      Transform.rotation.x[eid] = 1;
      Transform.rotation.w[eid] = 0;
      Collider.shape[eid] = Collider.shape[like];
      addComponent(physics.world, eid, RigidBody);
    }
    if (byCall) expect(Interpolated.position.x[eid]).toBe(5);
    expect(physics.advance(0.004)).toBe(0);
    physics.interpolate();
    const { position, rotation } = Interpolated;
    expect([position.x[eid], position.y[eid], position.z[eid]]).toEqual([5, 2, 0]);
    expect([rotation.x[eid], rotation.w[eid]]).toEqual([1, 0]);
  });
});

test('a kinematic body that reached its target is at rest, and stays there when it becomes dynamic', () => {
  const physics = make({ gravity: [0, 0, 0] });
  const { Transform, Velocity, Kinematic } = physics.components;
  const eid = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.2 } });
  setKinematicTarget(physics, eid, [1, 0, 0], [0, 0, 1, 1]);
  physics.step();
  expect(Velocity.linear.x[eid]).toBeCloseTo(60, 9);
  physics.step();
  expect([Velocity.linear.x[eid], Velocity.angular.z[eid]]).toEqual([0, 0]);
  removeComponent(physics.world, eid, Kinematic);
  steps(physics, 10);
  expect(Transform.position.x[eid]).toBe(1);
  expect(Velocity.linear.x[eid]).toBe(0);
});
