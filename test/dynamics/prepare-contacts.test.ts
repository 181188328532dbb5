// Conveyor surfaces, combine rules and contact modifiers against closed forms, on both ways through the solver.

import { createWorld, query } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRigidBody,
  addScene,
  applyForce,
  type CombineRule,
  type ContactView,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  type RigidBodySpec,
  readScene,
  setSurfaceVelocity,
  teleport,
  writeScene,
} from '../../src/index';

const GRAVITY = 9.81;
const STEP = 1 / 60;
const MU = 0.4;

/** A low box, so that friction does not tip it. */
const SLED: RigidBodySpec = { shape: { box: [0.5, 0.1, 0.5] }, position: [0, 0.1, 0], friction: MU };
const BELT: RigidBodySpec = { type: 'static', shape: { box: [50, 0.5, 50] }, position: [0, -0.5, 0], friction: MU };

function make(settings: PhysicsSettings = {}): Physics {
  return createPhysics(createWorld(), settings);
}

function run(physics: Physics, steps: number): void {
  for (let i = 0; i < steps; i++) physics.step();
}

function velocity(physics: Physics, eid: number): number[] {
  const { x, y, z } = physics.components.Velocity.linear;
  return [x[eid], y[eid], z[eid]];
}

function place(physics: Physics, eid: number): number[] {
  const { x, y, z } = physics.components.Transform.position;
  return [x[eid], y[eid], z[eid]];
}

function expectNear(got: number[], wanted: number[], within: number): void {
  for (let k = 0; k < 3; k++) expect(Math.abs(got[k] - wanted[k]), `${got} near ${wanted}`).toBeLessThan(within);
}

describe.each([
  { solver: 'dantzig', within: 1e-6 },
  { solver: 'gauss-seidel', within: 2e-4 },
] as const)('by $solver', ({ solver, within }) => {
  test('a box put on a running belt gains mu g t until it has the belt’s speed, and keeps it', () => {
    for (const heading of [0, 0.7, 2.5, 4]) {
      const physics = make({ solver });
      const [c, s] = [Math.cos(heading), Math.sin(heading)];
      addRigidBody(physics, { ...BELT, surfaceVelocity: [2 * c, 0, 2 * s] });
      const box = addRigidBody(physics, SLED);
      for (let i = 1; i <= 60; i++) {
        physics.step();
        const speed = Math.min(2, MU * GRAVITY * i * STEP);
        expectNear(velocity(physics, box), [speed * c, 0, speed * s], within);
      }
    }
  });

  test('a belt runs in the axes of its body, and against another belt by the difference', () => {
    const physics = make({ solver });
    // Turned by 90° about y: the body's x axis is the world's −z.
    const turn = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
    addRigidBody(physics, { ...BELT, rotation: turn, surfaceVelocity: [1, 0, 0] });
    const box = addRigidBody(physics, { ...SLED, surfaceVelocity: [0.25, 0, 0] });
    run(physics, 90);
    // Neither belt slips where they touch: v + own surface = the other's surface.
    expectNear(velocity(physics, box), [-0.25, 0, -1], within);
  });

  test('a box thrown across a belt slips in one direction until it rides', () => {
    const physics = make({ solver });
    addRigidBody(physics, { ...BELT, surfaceVelocity: [2, 0, 0] });
    const box = addRigidBody(physics, { ...SLED, velocity: [0, 0, 1.5] });
    for (let i = 1; i <= 50; i++) {
      physics.step();
      const left = Math.max(0, 1 - (MU * GRAVITY * i * STEP) / 2.5);
      expectNear(velocity(physics, box), [2 - 2 * left, 0, 1.5 * left], 2 * within);
    }
  });

  test('a rider pushed across the belt below the friction limit does not give way, above it does', () => {
    const physics = make({ solver });
    addRigidBody(physics, { ...BELT, surfaceVelocity: [1, 0, 0] });
    const box = addRigidBody(physics, { ...SLED, velocity: [1, 0, 0], mass: 2 });
    for (let i = 0; i < 60; i++) {
      applyForce(physics, box, [0, 0, 0.99 * MU * 2 * GRAVITY]);
      physics.step();
    }
    expect(Math.abs(place(physics, box)[2])).toBeLessThan(5 * within);
    for (let i = 0; i < 60; i++) {
      applyForce(physics, box, [0, 0, 1.25 * MU * 2 * GRAVITY]);
      physics.step();
    }
    // A share of the force drives it, friction opposes the slip alone: along z, as it slips along z.
    expect(velocity(physics, box)[2]).toBeCloseTo(0.25 * MU * GRAVITY, solver === 'dantzig' ? 5 : 3);
  });

  test('surfaces that run towards each other hold a plank, which swings between them as on a spring, awake', () => {
    // mu (N1 − N2) on a plank a height h above its supports, 2a apart, displaced by x: −m x mu g / (a − mu h).
    // Three supports, so that their loads are determined.
    const omega = Math.sqrt((MU * GRAVITY) / (0.5 - MU * 0.1));
    for (const sign of [1, -1, 0]) {
      const physics = make({ solver });
      for (const [x, z] of [
        [-0.5, -0.2],
        [-0.5, 0.2],
        [0.5, 0],
      ]) {
        addRigidBody(physics, {
          type: 'static',
          shape: { sphere: 0.2 },
          position: [x, -0.2, z],
          friction: MU,
          surfaceVelocity: [-4 * x, 0, 0],
        });
      }
      const plank = addRigidBody(physics, { ...SLED, shape: { box: [1, 0.1, 0.3] }, position: [0.1 * sign, 0.1, 0] });
      for (let i = 1; i <= 120; i++) {
        physics.step();
        const swing = sign * 0.1 * Math.cos(omega * i * STEP);
        expectNear(
          place(physics, plank),
          [swing, 0.1, 0],
          sign === 0 ? 10 * within : solver === 'dantzig' ? 3e-3 : 6e-3,
        );
      }
      // Live surfaces: it never sleeps, however still it lies.
      expect(query(physics.world, [physics.components.Sleeping])).toHaveLength(0);
    }
  });

  test('a modifier gives single points their own friction: front on ice, back on grip', () => {
    const [h, l] = [0.1, 0.5];
    const slow = (MU * GRAVITY) / (2 + (MU * h) / l);
    for (const sign of [1, -1]) {
      const physics = make({ solver });
      addRigidBody(physics, BELT);
      const box = addRigidBody(physics, { ...SLED, velocity: [2 * sign, 0, 0], modifyContacts: true });
      physics.modifyContacts((contact) => {
        const middle = physics.components.Transform.position.x[box];
        for (let k = 0; k < contact.pointCount; k++) {
          const point = contact.points[k];
          if ((point.position[0] - middle) * sign > 0) point.friction = 0;
        }
      });
      run(physics, 30);
      expectNear(velocity(physics, box), [sign * (2 - slow * 30 * STEP), 0, 0], 20 * within);
      const { Contact } = physics.components;
      const contacts = query(physics.world, [Contact]);
      expect(contacts).toHaveLength(1);
      expect(Contact.pointCount[contacts[0]]).toBe(4);
      expect(Contact.normalImpulse[contacts[0]]).toBeCloseTo(200 * GRAVITY * STEP, solver === 'dantzig' ? 5 : 1);
      expect(Contact.sliding[contacts[0]]).toBe(1);
      expect(physics.report.points).toBe(4);
    }
  });

  test('the same on a triangle mesh, whose pairs have several manifolds', () => {
    const physics = make({ solver });
    const mesh = {
      vertices: [
        [-50, 0, -50],
        [-50, 0, 50],
        [50, 0, 50],
        [50, 0, -50],
      ] as [number, number, number][],
      triangles: [
        [0, 1, 2],
        [0, 2, 3],
      ] as [number, number, number][],
    };
    addRigidBody(physics, { type: 'static', shape: { mesh }, friction: MU, modifyContacts: true });
    const box = addRigidBody(physics, { ...SLED, position: [10, 0.1, -10], velocity: [2, 0, 0] });
    physics.modifyContacts((contact) => {
      const middle = physics.components.Transform.position.x[box];
      for (let k = 0; k < contact.pointCount; k++) {
        if (contact.points[k].position[0] > middle) contact.points[k].friction = 0;
      }
    });
    run(physics, 30);
    const slow = (MU * GRAVITY) / (2 + MU * 0.2);
    expect(Math.abs(velocity(physics, box)[0] - (2 - slow * 30 * STEP))).toBeLessThan(20 * within);
  });

  test('a modifier makes a belt of a body without one, for either side of the contact', () => {
    for (const isBoxTheBelt of [false, true]) {
      const physics = make({ solver });
      const ground = addRigidBody(physics, { ...BELT, modifyContacts: true });
      const box = addRigidBody(physics, SLED);
      physics.modifyContacts((contact) => contact.setSurfaceVelocity(isBoxTheBelt ? box : ground, 0, 0, 1));
      run(physics, 60);
      expectNear(velocity(physics, box), [0, 0, isBoxTheBelt ? -1 : 1], within);
    }
  });

  test('restitution of a modifier bounces, once', () => {
    const physics = make({ solver });
    addRigidBody(physics, { ...BELT, modifyContacts: true });
    const ball = addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0, 1.2, 0] });
    let bounces = 1;
    physics.modifyContacts((contact) => {
      if (bounces > 0) contact.restitution = 0.8;
    });
    let highest = 0;
    let wasDown = false;
    for (let i = 0; i < 120; i++) {
      physics.step();
      if (velocity(physics, ball)[1] > 0.1) {
        bounces = 0;
        wasDown = true;
      }
      if (wasDown) highest = Math.max(highest, place(physics, ball)[1] - 0.2);
    }
    // 0.8² of 1 m.
    expect(highest / 0.64).toBeCloseTo(1, 2);
    expect(place(physics, ball)[1]).toBeCloseTo(0.2, 3);
  });

  test('a one-way platform lets through from below and holds from above', () => {
    const physics = make({ solver });
    const platform = addRigidBody(physics, {
      type: 'static',
      shape: { box: [2, 0.1, 2] },
      position: [0, 3, 0],
      modifyContacts: true,
    });
    const box = addRigidBody(physics, { shape: { box: [0.25, 0.25, 0.25] }, position: [0, 1, 0], velocity: [0, 9, 0] });
    physics.modifyContacts((contact) => {
      const other = contact.entityA === platform ? contact.entityB : contact.entityA;
      if (place(physics, other)[1] < 3.3) contact.enabled = false;
    });
    let touches = 0;
    for (let i = 0; i < 150; i++) {
      physics.step();
      const isThrough = place(physics, box)[1] < 3.3;
      if (isThrough) touches += query(physics.world, [physics.components.Contact]).length;
      expect(physics.report.penetration).toBeLessThan(0.051);
    }
    expect(touches).toBe(0);
    expect(place(physics, box)[1]).toBeCloseTo(3.35, 3);
  });

  test('disabled points carry nothing: a box overhanging a step that is left out falls over it', () => {
    const physics = make({ solver });
    addRigidBody(physics, { ...BELT, modifyContacts: true });
    const box = addRigidBody(physics, { ...SLED, position: [0, 0.1, 0] });
    const stop = physics.modifyContacts((contact) => {
      for (let k = 0; k < contact.pointCount; k++) {
        if (contact.points[k].position[0] > -0.2) contact.points[k].enabled = false;
      }
    });
    run(physics, 10);
    expect(physics.components.Velocity.angular.z[box]).toBeLessThan(-0.5);
    expect(physics.report.points).toBe(2);
    stop();
    run(physics, 200);
    expect(place(physics, box)[1]).toBeCloseTo(0.1, 3);
  });

  test('belts and modifiers repeat bit for bit after a snapshot is restored', () => {
    const physics = make({ solver });
    const belt = addRigidBody(physics, { ...BELT, surfaceVelocity: [1, 0, 0.5], modifyContacts: true });
    for (let i = 0; i < 8; i++) addRigidBody(physics, { ...SLED, position: [0.3 * i, 0.15 + 0.25 * i, 0.2 * i] });
    physics.modifyContacts((contact) => {
      for (let k = 0; k < contact.pointCount; k++)
        contact.points[k].friction = contact.points[k].position[0] > 0.5 ? 0.1 : 0.7;
    });
    run(physics, 20);
    const snapshot = physics.snapshot();
    run(physics, 40);
    const hash = physics.hash();
    setSurfaceVelocity(physics, belt, [-3, 0, 0]);
    run(physics, 5);
    physics.restore(snapshot);
    expect(physics.components.RigidBody.surfaceVelocity.x[belt]).toBe(1);
    run(physics, 40);
    expect(physics.hash()).toBe(hash);
  });
});

test('what lies on a slow belt does not fall asleep, on a stopped one it does, and wakes when it starts', () => {
  const physics = make();
  const belt = addRigidBody(physics, { ...BELT, surfaceVelocity: [0.01, 0, 0] });
  const box = addRigidBody(physics, SLED);
  const isAsleep = () => query(physics.world, [physics.components.Sleeping]).includes(box);
  run(physics, 300);
  expect(isAsleep()).toBe(false);
  expect(place(physics, box)[0]).toBeCloseTo(0.05, 4);
  setSurfaceVelocity(physics, belt, [0, 0, 0]);
  run(physics, 120);
  expect(isAsleep()).toBe(true);
  setSurfaceVelocity(physics, belt, [0, 0, 0.5]);
  run(physics, 60);
  expect(velocity(physics, box)[2]).toBeCloseTo(0.5, 6);
  // The column, too, though a resting body's columns are read in turns only.
  physics.components.RigidBody.surfaceVelocity.z[belt] = 0;
  run(physics, 150);
  expect(isAsleep()).toBe(true);
  physics.components.RigidBody.surfaceVelocity.x[belt] = -0.5;
  run(physics, 60);
  expect(velocity(physics, box)[0]).toBeCloseTo(-0.5, 6);
  physics.components.RigidBody.surfaceVelocity.x[belt] = Number.NaN;
  const notes: string[] = [];
  for (let i = 0; i < 16; i++) {
    physics.step();
    notes.push(...physics.report.limits);
  }
  expect(notes).toEqual([
    expect.stringContaining(`RigidBody.surfaceVelocity of entity ${belt}: must be finite; the one before stays, got `),
  ]);
  expect(physics.components.RigidBody.surfaceVelocity.x[belt]).toBe(-0.5);
});

test('a belt that an ordinary body becomes later acts on what already lies on it', () => {
  const physics = make();
  const ground = addRigidBody(physics, BELT);
  const box = addRigidBody(physics, SLED);
  run(physics, 120);
  setSurfaceVelocity(physics, ground, [1, 0, 0]);
  run(physics, 60);
  expect(velocity(physics, box)[0]).toBeCloseTo(1, 6);
});

test('the stronger combine rule of the two counts; without one geometric mean and larger restitution', () => {
  const cases: [CombineRule | undefined, CombineRule | undefined, number, number][] = [
    [undefined, undefined, 0.4, 0.5],
    ['geometric-mean', undefined, 0.4, Math.sqrt(0.1)],
    ['average', 'geometric-mean', 0.5, 0.35],
    ['minimum', 'average', 0.2, 0.2],
    [undefined, 'minimum', 0.2, 0.2],
    ['multiply', 'minimum', 0.16, 0.1],
    ['multiply', 'maximum', 0.8, 0.5],
  ];
  for (const [ruleA, ruleB, friction, restitution] of cases) {
    for (const [first, second] of [
      [ruleA, ruleB],
      [ruleB, ruleA],
    ]) {
      const physics = make();
      addRigidBody(physics, {
        ...BELT,
        friction: 0.2,
        restitution: 0.5,
        combineFriction: first,
        combineRestitution: first,
        modifyContacts: true,
      });
      addRigidBody(physics, {
        ...SLED,
        friction: 0.8,
        restitution: 0.2,
        combineFriction: second,
        combineRestitution: second,
      });
      let seen = 0;
      physics.modifyContacts((contact) => {
        seen++;
        expect(contact.friction).toBeCloseTo(friction, 14);
        expect(contact.restitution).toBeCloseTo(restitution, 14);
      });
      run(physics, 2);
      expect(seen).toBe(2);
    }
  }
});

test('a modifier sees contacts of bodies that ask for it, with entities, parts, normal, points, features', () => {
  const physics = make();
  const ground = addRigidBody(physics, { ...BELT, friction: 1 });
  const dumbbell = addRigidBody(physics, {
    shape: {
      compound: [
        { position: [-1, 0, 0], shape: { sphere: 0.25 } },
        { position: [1, 0, 0], shape: { box: [0.25, 0.25, 0.25] } },
        { position: [0, 0.2, 0], shape: { box: [1, 0.02, 0.02] } },
      ],
    },
    position: [0, 0.25, 0],
    modifyContacts: true,
  });
  addRigidBody(physics, { ...SLED, position: [5, 0.1, 0] });
  addRigidBody(physics, { type: 'static', shape: { sphere: 3 }, sensor: true, modifyContacts: true });
  const parts: number[] = [];
  const features: number[][] = [[], []];
  const stop = physics.modifyContacts((contact: ContactView) => {
    expect([contact.entityA, contact.entityB].sort((a, b) => a - b)).toEqual([ground, dumbbell]);
    const isA = contact.entityA === dumbbell;
    parts.push(isA ? contact.partA : contact.partB);
    expect(isA ? contact.partB : contact.partA).toBe(0);
    expect(contact.normal[1]).toBeCloseTo(isA ? -1 : 1, 12);
    expect(contact.pointCount).toBe(parts.at(-1) === 0 ? 1 : 4);
    for (let k = 0; k < contact.pointCount; k++) {
      const { position, gap, feature } = contact.points[k];
      expect(Math.abs(position[1])).toBeLessThan(0.01);
      expect(Math.abs(gap)).toBeLessThan(0.01);
      features[physics.stepCount].push(feature);
    }
  });
  run(physics, 2);
  expect(parts.sort((a, b) => a - b)).toEqual([0, 0, 1, 1]);
  expect(features[0]).toEqual(features[1]);
  stop();
  run(physics, 5);
  expect(parts).toHaveLength(4);
});

test('what a modifier sets holds for its step only', () => {
  const physics = make();
  addRigidBody(physics, { ...BELT, modifyContacts: true });
  const box = addRigidBody(physics, { ...SLED, velocity: [3, 0, 0] });
  const stop = physics.modifyContacts((contact) => {
    contact.friction = 0;
  });
  run(physics, 10);
  expect(velocity(physics, box)[0]).toBeCloseTo(3, 9);
  stop();
  run(physics, 10);
  expect(velocity(physics, box)[0]).toBeCloseTo(3 - MU * GRAVITY * 10 * STEP, 6);
});

test('a modifier that throws, or a system between split and merge, leaves a world that goes on', () => {
  const physics = make();
  addRigidBody(physics, { ...BELT, modifyContacts: true });
  const box = addRigidBody(physics, SLED);
  physics.modifyContacts((contact) => {
    contact.points[0].friction = 0.1;
  });
  run(physics, 3);
  for (const stage of ['modify-contacts', 'solve-contacts', 'update-sleep'] as const) {
    const stop = physics.schedule.after(stage, () => {
      throw new Error('of the game');
    });
    expect(() => physics.step()).toThrow('of the game');
    stop();
    physics.restore(physics.snapshot());
    run(physics, 2);
    expect(physics.report.points).toBe(4);
  }
  const stop = physics.modifyContacts(() => {
    throw new Error('of the modifier');
  });
  expect(() => physics.step()).toThrow('of the modifier');
  stop();
  run(physics, 60);
  expectNear(place(physics, box), [0, 0.1, 0], 1e-4);
});

test('a body teleported out of a modified contact leaves nothing behind', () => {
  const physics = make();
  addRigidBody(physics, { ...BELT, modifyContacts: true });
  const box = addRigidBody(physics, SLED);
  physics.modifyContacts((contact) => {
    contact.points[contact.pointCount - 1].friction = 0;
  });
  run(physics, 5);
  teleport(physics, box, [0, 30, 0]);
  run(physics, 5);
  expect(physics.report.contacts).toBe(0);
  expect(query(physics.world, [physics.components.Contact])).toHaveLength(0);
});

test('wrong values are refused with where, expected and got', () => {
  const physics = make();
  expect(() => addRigidBody(physics, { ...SLED, combineFriction: 'largest' as CombineRule })).toThrow(
    'addRigidBody: combineFriction must be one of geometric-mean, average, minimum, multiply, maximum, got "largest"',
  );
  expect(() => addRigidBody(physics, { ...SLED, surfaceVelocity: [1, 0] })).toThrow(
    'addRigidBody: surfaceVelocity must be 3 numbers [m/s], got [1, 0]',
  );
  expect(() => addRigidBody(physics, { ...SLED, modifyContacts: 1 as unknown as boolean })).toThrow(
    'addRigidBody: modifyContacts must be true or false, got 1',
  );
  expect(() => physics.modifyContacts(3 as never)).toThrow(
    'physics.modifyContacts: modifier must be a function, got 3',
  );
  const ground = addRigidBody(physics, { ...BELT, modifyContacts: true });
  const box = addRigidBody(physics, SLED);
  expect(() => setSurfaceVelocity(physics, ground, [Number.NaN, 0, 0])).toThrow('setSurfaceVelocity: velocity[0]');
  const messages: string[] = [];
  const wrong: ((contact: ContactView) => void)[] = [
    (contact) => {
      contact.friction = -1;
    },
    (contact) => {
      contact.points[2].friction = Number.NaN;
    },
    (contact) => {
      contact.restitution = 1.5;
    },
    (contact) => {
      contact.enabled = 0 as unknown as boolean;
    },
    (contact) => contact.setSurfaceVelocity(12345, 0, 0, 0),
    (contact) => contact.setSurfaceVelocity(contact.entityA, 0, Number.POSITIVE_INFINITY, 0),
  ];
  for (const modifier of wrong) {
    const stop = physics.modifyContacts(modifier);
    try {
      physics.step();
    } catch (error) {
      messages.push((error as Error).message);
    }
    stop();
  }
  const ids = [ground, box].sort((a, b) => a - b);
  expect(messages).toEqual([
    'modifyContacts: friction must be >= 0, got -1',
    'modifyContacts: friction must be >= 0, got NaN',
    'modifyContacts: restitution must be 0..1, got 1.5',
    'modifyContacts: enabled must be true or false, got 0',
    `modifyContacts: entity must be ${ids[0]} or ${ids[1]}, got 12345`,
    'modifyContacts: surface velocity y must be a finite number [m/s], got Infinity',
  ]);
});

test('a scene file says surfaceVelocity and combine rules, and keeps them when written', () => {
  const text = JSON.stringify({
    version: 1,
    materials: { rubber: { friction: 0.8, combineFriction: 'maximum', combineRestitution: 'minimum' } },
    bodies: [
      {
        name: 'belt',
        type: 'static',
        material: 'rubber',
        position: [0, -0.5, 0],
        surfaceVelocity: [1, 0, 0],
        shape: { box: [20, 0.5, 5] },
      },
      { name: 'box', position: [0, 0.1, 0], shape: { box: [0.5, 0.1, 0.5] } },
    ],
  });
  const scene = readScene(text);
  expect(readScene(writeScene(scene))).toEqual(scene);
  const physics = make();
  const { entities } = addScene(physics, scene);
  run(physics, 5);
  expect(velocity(physics, entities.get('box')!)[0]).toBeCloseTo(0.8 * GRAVITY * 5 * STEP, 6);
  expect(() => readScene(text.replace('[1,0,0]', '[1,0,null]'))).toThrow(/bodies\[0\].surfaceVelocity/);
  expect(() => readScene(text.replace('maximum', 'most'))).toThrow(/materials.*combineFriction.*geometric-mean/);
});
