// Contacts that foresee: what a step brings together is met within the step, and nothing else is.

import { createWorld, hasComponent } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { addRigidBody, createPhysics, type Physics, type RigidBodySpec } from '../../src/index.js';

test('a ball that passes 1 cm over a box keeps its velocity', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  addRigidBody(physics, { type: 'static', shape: { box: [1, 1, 1] } });
  const ball = addRigidBody(physics, { shape: { sphere: 0.1 }, position: [-3, 1.11, 0], velocity: [60, 0, 0] });
  for (let i = 0; i < 10; i++) physics.step();
  const { linear } = physics.components.Velocity;
  expect([linear.x[ball], linear.y[ball], linear.z[ball]]).toEqual([60, 0, 0]);
});

// Each passes along a plane that the other lies behind; found by test/fuzz/near-misses.test.ts with seed 28101.
const NEAR_MISSES: readonly (readonly [string, number, RigidBodySpec, RigidBodySpec])[] = [
  [
    'a box past a cylinder, 0.04 mm away',
    0.001,
    {
      shape: { box: [0.3149214006708029, 0.4784747485908693, 0.16860620123140063] },
      position: [68005.14753061182, -0.41391298428193923, 3.0694214217328843],
      rotation: [-0.9464504102705338, -0.021582460596389356, 0.31027812352692186, -0.08656387441627182],
      velocity: [-240.27467281340395, 40.582463173503264, -165.37803335777275],
    },
    {
      type: 'static',
      shape: { cylinder: [0.11542367689616707, 0.04331221881631027] },
      position: [67999.94848000995, -0.08119548373937724, 0.05492770618615419],
      rotation: [-0.6204908378614231, 0.22314857171248326, 0.6529644404064134, 0.37260337443110597],
    },
  ],
  [
    'a cone past a cone, 0.04 mm away',
    0.02,
    {
      shape: { cone: [0.42803659468199656, 0.4389377420299082] },
      position: [56000.341697153686, 0.26506819635574375, 0.30197518266446954],
      rotation: [0.6119338023776607, 0.36791781585970446, 0.580060498161426, 0.3920501508141027],
      velocity: [2.2097915879077146, 6.97260900461389, -2.363517565333132],
    },
    {
      shape: { cone: [0.08797894518153614, 0.5002157411164159] },
      position: [55999.929904303615, -0.22835845695223045, 0.13814701729282128],
      rotation: [-0.4543599135713562, 0.399533335003736, 0.7776045076733475, -0.17105967615517378],
      velocity: [5.521581384928688, 8.32622357395704, -6.8209134354943375],
    },
  ],
];

test.each(NEAR_MISSES)('%s: neither changes its velocity', (_name, speculativeDistance, ...specs) => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0], speculativeDistance });
  const bodies = specs.map((spec) => addRigidBody(physics, spec));
  for (let i = 0; i < 4; i++) physics.step();
  const { x, y, z } = physics.components.Velocity.linear;
  for (const [i, body] of bodies.entries()) expect([x[body], y[body], z[body]]).toEqual(specs[i].velocity ?? [0, 0, 0]);
});

test('a ball that flies over a sleeping box does not wake it', () => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const box = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] });
  for (let i = 0; i < 180; i++) physics.step();
  const before = physics.components.Transform.position.y[box];
  addRigidBody(physics, { shape: { sphere: 0.1 }, position: [-3, 1.15, 0], velocity: [60, 0, 0] });
  for (let i = 0; i < 8; i++) physics.step();
  expect(physics.components.Transform.position.y[box]).toBe(before);
  expect(hasComponent(physics.world, box, physics.components.Sleeping)).toBe(true);
});

test.each([5, 10, 20])('five boxes that fall together, 50 mm apart, at %d m/s: none enters another', (speed) => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const boxes: number[] = [];
  for (let i = 0; i < 5; i++) {
    const spec = {
      shape: { box: [0.5, 0.5, 0.5] } as const,
      position: [0, 1.5 + 1.05 * i, 0],
      velocity: [0, -speed, 0],
    };
    boxes.push(addRigidBody(physics, spec));
  }
  const { y } = physics.components.Transform.position;
  for (let step = 0; step < 60; step++) {
    physics.step();
    for (const [i, box] of boxes.entries()) {
      expect(y[box] - (i === 0 ? -0.5 : y[boxes[i - 1]])).toBeGreaterThan(1 - 1e-6);
    }
  }
});

test.each([20, 100, 300])('a bullet at %d m/s does not go through a thin wall, wherever it hits', (speed) => {
  for (let k = 0; k < 20; k++) {
    const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
    addRigidBody(physics, { type: 'static', shape: { box: [0.01, 1, 1] } });
    const at = 0.06 * k - 0.57;
    const spec = {
      shape: { sphere: 0.02 },
      position: [-2 - 0.07 * k, at, -at],
      velocity: [speed, 0.3 * speed * ((k % 3) - 1) * 0.2, 0],
    };
    const bullet = addRigidBody(physics, spec);
    for (let i = 0; i < 20; i++) physics.step();
    const { x } = physics.components.Transform.position;
    expect(x[bullet], `bullet ${k}`).toBeLessThan(0);
    physics.dispose();
  }
});

describe.each([1, 3, 10, 30])('a ball at %d m/s stops at a wall', (speed) => {
  /** Where a ball ends that flies from the origin at a wall 0.7 m ahead, inside of another static box. */
  function flyInside(box: Partial<RigidBodySpec>, settle: (physics: Physics, eid: number) => void): number {
    const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
    const eid = addRigidBody(physics, { type: 'static', shape: { box: [3, 1, 3] }, ...box });
    settle(physics, eid);
    addRigidBody(physics, { type: 'static', shape: { box: [0.1, 0.9, 2] }, position: [1, 0, 0] });
    const ball = addRigidBody(physics, { shape: { sphere: 0.2 }, velocity: [speed, 0, 0] });
    for (let i = 0; i < 60; i++) physics.step();
    const x = physics.components.Transform.position.x[ball];
    physics.dispose();
    return x;
  }

  test('inside of a sensor', () => {
    expect(flyInside({ sensor: true }, () => {})).toBeCloseTo(0.7, 4);
  });

  test('inside of a body whose contacts the game disables', () => {
    const x = flyInside({ modifyContacts: true }, (physics, eid) => {
      physics.modifyContacts((contact) => {
        if (contact.entityA === eid || contact.entityB === eid) contact.enabled = false;
      });
    });
    expect(x).toBeCloseTo(0.7, 4);
  });
});

test.each([49, 200])('%d balls that pass a box each keep their velocities', (count) => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const balls: number[] = [];
  for (let i = 0; i < count; i++) {
    addRigidBody(physics, { type: 'static', shape: { box: [1, 1, 1] }, position: [0, 0, 100 * i] });
    const spec = { shape: { sphere: 0.1 }, position: [-3, 1.11, 100 * i] as const, velocity: [60, 0, 0] as const };
    balls.push(addRigidBody(physics, spec));
  }
  for (let i = 0; i < 10; i++) physics.step();
  const { linear } = physics.components.Velocity;
  const changed = balls.filter((ball) => linear.x[ball] !== 60 || linear.y[ball] !== 0 || linear.z[ball] !== 0);
  expect(changed).toEqual([]);
});
