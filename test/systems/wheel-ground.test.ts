// Wheels on ground that forces move: the joint between the two.

import { addEntity, createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addRigidBody,
  addVehicle,
  applyForce,
  applyImpulse,
  createDrawList,
  createPhysics,
  drawDebug,
  enableVehicles,
  loadGame,
  type Physics,
  removeRigidBody,
  saveGame,
} from '../../src/index';
import { jointAxisAt } from '../../src/state/joint-places';
import { AXIS_FORCE, BODY_ASLEEP } from '../../src/state/layout';
import { ACROSS } from '../../systems/wheel-joint';

const MASS = 1200;

function addCar(physics: Physics, position: readonly [number, number, number]) {
  const chassis = addRigidBody(physics, { shape: { box: [0.8, 0.3, 2] }, mass: MASS, position });
  const wheels = [1.4, -1.4].flatMap((z) =>
    [0.8, -0.8].map((x) => ({ mount: [x, -0.1, z] as const, driveForce: 1500, maxSteer: z > 0 ? 0.5 : 0, rolling: 0 })),
  );
  return { chassis, wheels: addVehicle(physics, { chassis, wheels }) };
}

function addPlank(physics: Physics, mass: number, position: readonly [number, number, number]): number {
  return addRigidBody(physics, { shape: { box: [2, 0.1, 4] }, mass, position });
}

function makeGround(): Physics {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  return physics;
}

function run(physics: Physics, steps: number): void {
  for (let i = 0; i < steps; i++) physics.step();
}

test('a suspension does not pull at what is knocked away from under it', () => {
  for (const mass of [5, 50, 3000]) {
    const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
    const plank = addPlank(physics, mass, [0, 0.1, 0]);
    const { chassis, wheels } = addCar(physics, [0, 0.85, 0]);
    const { Velocity, Wheel, Joint } = physics.components;
    physics.step();
    for (const wheel of wheels) expect(Joint.force.y[wheel]).toBeGreaterThan(1);
    const before = Velocity.linear.y[chassis];
    // Within the step: by 30 m/s.
    applyForce(physics, plank, [0, (-30 * mass) / physics.settings.timeStep, 0]);
    physics.step();
    for (const wheel of wheels) {
      expect(Wheel.ground[wheel]).toBe(plank);
      expect(Joint.force.y[wheel]).toBeGreaterThanOrEqual(0);
    }
    expect(Velocity.linear.y[chassis]).toBeGreaterThanOrEqual(before);
    expect(Velocity.linear.y[plank]).toBeLessThan(-29);
  }
});

test('where ground that can move turns its face, the load takes nothing of the grip', () => {
  const physics = makeGround();
  // A roof of 15 degrees each way that is flat on top.
  const face = [-8, 0, -3, 0.8, 3, 0.8, 8, 0];
  const hull = [0, 2, 4, 6].flatMap((k) => [-1.5, 1.5].flatMap((x) => [x, face[k + 1], face[k]]));
  const roof = addRigidBody(physics, { shape: { hull }, mass: 2000, position: [0, 0, 0] });
  const { Transform, Velocity, Wheel } = physics.components;
  const { chassis, wheels } = addCar(physics, [0, Transform.position.y[roof] + 1.5, 0]);
  run(physics, 60);
  Velocity.linear.z[chassis] = 3;
  let count = 0;
  const { joints } = physics.internal.engine.tables;
  for (let i = 0; i < 90; i++) {
    physics.step();
    for (const wheel of wheels) {
      if (Wheel.ground[wheel] !== roof || Wheel.load[wheel] < 100) continue;
      const slot = physics.internal.joints.slotOf[wheel];
      // Nothing drives or brakes it: all of the grip is there across the wheels.
      expect(joints.axes[jointAxisAt(slot, ACROSS) + AXIS_FORCE] / Wheel.load[wheel]).toBeGreaterThan(0.999);
      count++;
    }
  }
  expect(count).toBeGreaterThan(200);
  // Its front wheels are past the edge.
  expect(Transform.position.z[chassis]).toBeGreaterThan(3.5);
});

test('what lets go of wheels leaves their joints where they are in the world', () => {
  for (const change of ['jump', 'remove']) {
    const physics = makeGround();
    const plank = addPlank(physics, 300, [40, 0.1, 30]);
    const { chassis, wheels } = addCar(physics, [40, 0.95, 30]);
    run(physics, 60);
    expect(physics.components.Wheel.ground[wheels[0]]).toBe(plank);
    if (change === 'remove') removeRigidBody(physics, plank);
    else {
      applyImpulse(physics, chassis, [0, 6 * MASS, 0]);
      run(physics, 20);
      expect(physics.components.Wheel.ground[wheels[0]]).toBe(0);
    }
    const list = createDrawList();
    drawDebug(physics, list, { joints: true });
    expect(list.pointCount).toBe(8);
    for (let i = 0; i < 8; i++) {
      expect(Math.abs(list.points[3 * i] - 40), change).toBeLessThan(1);
      expect(Math.abs(list.points[3 * i + 2] - 30), change).toBeLessThan(2);
    }
  }
});

test('a run from a snapshot or a saved game of a car on a loose plank repeats bit for bit', () => {
  const physics = makeGround();
  const plank = addPlank(physics, 50, [0, 0.1, 0]);
  const { chassis, wheels } = addCar(physics, [0, 0.95, 0]);
  run(physics, 30);
  physics.components.Vehicle.throttle[chassis] = 0.2;
  run(physics, 10);
  const snapshot = physics.snapshot();
  const bytes = saveGame(physics);
  const ends = () => physics.internal.engine.tables.joints.body.slice(0, 8);
  const joined = ends();
  expect([0, 2, 4, 6].every((end) => joined[end] === physics.internal.slotOf[plank])).toBe(true);
  const go = (world: Physics, car: number) => {
    const { Vehicle } = world.components;
    Vehicle.steer[car] = 1;
    run(world, 20);
    const hashes = [world.hash()];
    // Off its end, so that joints go over to the world.
    Vehicle.throttle[car] = 1;
    run(world, 150);
    return [...hashes, world.hash()];
  };
  const first = go(physics, chassis);
  expect(ends().includes(-1)).toBe(true);
  physics.restore(snapshot);
  expect(ends()).toEqual(joined);
  expect(go(physics, chassis)).toEqual(first);
  const fresh = createPhysics(createWorld());
  for (let i = 0; i < 7; i++) addEntity(fresh.world);
  enableVehicles(fresh);
  const now = loadGame(fresh, bytes);
  expect(fresh.components.Wheel.ground[now.get(wheels[0]) as number]).toBe(now.get(plank));
  expect(go(fresh, now.get(chassis) as number)).toEqual(first);
});

test('a wheel that comes to a plank that sleeps wakes it', () => {
  const physics = makeGround();
  const plank = addPlank(physics, 50, [0, 0.1, 0]);
  run(physics, 200);
  const { flags } = physics.internal.engine.tables.bodies;
  const isAsleep = () => (flags[physics.internal.slotOf[plank]] & BODY_ASLEEP) !== 0;
  expect(isAsleep()).toBe(true);
  const { wheels } = addCar(physics, [0, 2, 0]);
  const { Wheel } = physics.components;
  for (let i = 0; i < 200 && wheels.every((wheel) => Wheel.ground[wheel] !== plank); i++) {
    expect(isAsleep()).toBe(true);
    physics.step();
  }
  expect(isAsleep()).toBe(false);
});
