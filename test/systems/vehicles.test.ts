// Vehicles: what a car does by its masses, springs and friction, in numbers.

import { addEntity, createWorld, entityExists, observe, onAdd, query, removeComponent, removeEntity } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addRigidBody,
  addVehicle,
  applyImpulse,
  createPhysics,
  enableVehicles,
  loadGame,
  type Physics,
  refreshBody,
  removeRigidBody,
  saveGame,
  type VehicleSpec,
} from '../../src/index';

const MASS = 1200;

function addCar(physics: Physics, change: Partial<VehicleSpec> = {}, friction = 1, position = [0, 0.75, 0]) {
  const chassis = addRigidBody(physics, { shape: { box: [0.8, 0.3, 2] }, mass: MASS, position });
  const wheels = [1, -1].flatMap((z) =>
    [1, -1].map((x) => ({
      mount: [0.8 * x, -0.1, 1.4 * z],
      friction,
      maxSteer: z > 0 ? 0.5 : 0,
      driveForce: 1500,
      handbrakeForce: z < 0 ? 6000 : 3000,
      axle: z,
    })),
  );
  return { chassis, wheels: addVehicle(physics, { chassis, wheels, ...change }) };
}

function makeGround(degrees = 0): Physics {
  const physics = createPhysics(createWorld());
  const angle = (degrees * Math.PI) / 180;
  addRigidBody(physics, { type: 'static', shape: { plane: [0, Math.cos(angle), Math.sin(angle)] } });
  return physics;
}

function run(physics: Physics, steps: number): void {
  for (let i = 0; i < steps; i++) physics.step();
}

test('stands on its springs with its weight on its wheels, and falls asleep', () => {
  for (const shapeCast of [false, true]) {
    const physics = makeGround();
    const { chassis, wheels } = addCar(physics, { shapeCast });
    physics.components.Vehicle.handbrake[chassis] = 1;
    run(physics, 240);
    const { load, compression } = physics.components.Wheel;
    const sum = wheels.reduce((total, wheel) => total + load[wheel], 0);
    expect(Math.abs(sum / (MASS * 9.81) - 1)).toBeLessThan(0.01);
    // A spring of 1.8 Hz goes down by g / (2π f)².
    for (const wheel of wheels) expect(compression[wheel]).toBeCloseTo(9.81 / (2 * Math.PI * 1.8) ** 2, 2);
    run(physics, 120);
    expect(physics.report.awake).toBe(0);
  }
});

test('wheels stand on a body only where each is in the mask of the other', () => {
  for (const shapeCast of [false, true]) {
    for (const [layers, mask, stands] of [
      [1, 1, true],
      [1, 2, false],
      [2, 1, false],
    ] as const) {
      const physics = makeGround();
      // A plate that the car stands on, or falls through to the ground.
      const plate = { type: 'static', shape: { box: [5, 0.05, 5] } } as const;
      const eid = addRigidBody(physics, { ...plate, position: [0, 0.05, 0], layers, mask });
      const { chassis, wheels } = addCar(physics, { shapeCast });
      const { Collider, Wheel, Transform } = physics.components;
      Collider.layers[chassis] = 1;
      Collider.mask[chassis] = 1;
      run(physics, 120);
      for (const wheel of wheels) expect(Wheel.ground[wheel] === eid).toBe(stands);
      // Mounts 0.1 m below the middle, 0.3 m of travel less what the springs give, a radius of 0.35 m.
      const height = 0.75 - 9.81 / (2 * Math.PI * 1.8) ** 2 + (stands ? 0.1 : 0);
      expect(Transform.position.y[chassis]).toBeCloseTo(height, 2);
    }
  }
});

test('parked on a slope it stands, up to the angle of friction', () => {
  for (const [degrees, friction] of [
    [20, 0.4],
    [25, 0.4],
  ]) {
    const physics = makeGround(degrees);
    const { chassis } = addCar(physics, {}, friction, [0, 0.85, 0]);
    const { Vehicle, RigidBody, Transform } = physics.components;
    Vehicle.handbrake[chassis] = 1;
    RigidBody.canSleep[chassis] = 0;
    run(physics, 360);
    const before = Transform.position.z[chassis];
    run(physics, 120);
    const moved = Math.abs(Transform.position.z[chassis] - before);
    if (degrees < 21.8) expect(moved).toBeLessThan(1e-9);
    else expect(moved).toBeGreaterThan(0.5);
  }
});

test('parked on what turns, or goes to and fro, it stands on the place where it is', () => {
  for (const isTurning of [true, false]) {
    const physics = createPhysics(createWorld());
    const bed = addRigidBody(physics, { type: 'kinematic', shape: { box: [9, 0.2, 9] }, position: [0, -0.2, 0] });
    const { chassis } = addCar(physics, {}, 1, [3, 0.75, 1]);
    const { Vehicle, RigidBody, Transform, Velocity } = physics.components;
    Vehicle.handbrake[chassis] = 1;
    RigidBody.canSleep[chassis] = 0;
    const place = (): number[] => {
      const { x, z } = Transform.position;
      const [dx, dz] = [x[chassis] - x[bed], z[chassis] - z[bed]];
      const angle = 2 * Math.atan2(Transform.rotation.y[bed], Transform.rotation.w[bed]);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      return [c * dx - s * dz, s * dx + c * dz];
    };
    run(physics, 120);
    let before = place();
    for (let i = 0; i < 527; i++) {
      // From rest to a swing of 1 m/s², or to a turn of 0.5 rad/s: 0.8 m/s² at the car.
      const grown = Math.min(1, i / 60);
      if (isTurning) Velocity.angular.y[bed] = 0.5 * grown;
      else Velocity.linear.x[bed] = grown * Math.sin(i / 60);
      physics.step();
      // A period of the swing lies between: the springs lean alike.
      if (i === 149) before = place();
    }
    const [x, z] = place();
    // Along the tangents of its arc it would leave by 42 mm.
    expect(Math.hypot(x - before[0], z - before[1])).toBeLessThan(isTurning ? 0.02 : 1e-5);
  }
});

test('braked or parked on a loose plank it stands, and the plank under it, however light that is', () => {
  for (const mass of [300, 100, 50, 20, 5]) {
    for (const isParked of [true, false]) {
      const physics = makeGround();
      const plank = addRigidBody(physics, { shape: { box: [2, 0.1, 4] }, mass, position: [0, 0.1, 0] });
      const { chassis, wheels } = addCar(physics, {}, 1, [0, 0.95, 0]);
      const { Vehicle, RigidBody, Transform, Velocity, Wheel } = physics.components;
      const { x, y, z } = Velocity.linear;
      RigidBody.canSleep[chassis] = 0;
      Vehicle.handbrake[chassis] = isParked ? 1 : 0;
      run(physics, 60);
      if (isParked) applyImpulse(physics, chassis, [0, 0, 600]);
      else Vehicle.throttle[chassis] = 1;
      run(physics, 30);
      Vehicle.throttle[chassis] = 0;
      Vehicle.brake[chassis] = 1;
      run(physics, 210);
      let top = 0;
      for (let i = 0; i < 60; i++) {
        physics.step();
        for (const body of [plank, chassis]) top = Math.max(top, Math.hypot(x[body], y[body], z[body]));
      }
      expect(top, `${mass} kg`).toBeLessThan(1e-3);
      for (const wheel of wheels) expect(Wheel.ground[wheel]).toBe(plank);
      // What the car does to the plank and the floor to it: neither goes farther than the car was driven.
      expect(Math.abs(Transform.position.z[plank])).toBeLessThan(1);
    }
  }
});

test('light planks that it drives over are not thrown, and it lands on one as on the ground', () => {
  for (const mass of [20, 5]) {
    for (const start of [0, 5, 11]) {
      const physics = makeGround();
      addRigidBody(physics, { type: 'static', shape: { box: [2, 0.15, 0.15] }, position: [0, 0.15, 6] });
      const position = [0.01 * start, 0.36, 6 - 0.02 * start];
      const plank = addRigidBody(physics, { shape: { box: [2, 0.05, 3] }, mass, position });
      const { chassis } = addCar(physics, {}, 1, [0, 0.8, 0]);
      const { x, y, z } = physics.components.Velocity.linear;
      let top = 0;
      for (let i = 0; i < 420; i++) {
        // It coasts from before the plank: an engine drives that out backwards.
        physics.components.Vehicle.throttle[chassis] = i > 60 && i < 100 ? 1 : 0;
        physics.step();
        top = Math.max(top, Math.hypot(x[plank], y[plank], z[plank]));
      }
      expect(physics.components.Transform.position.z[chassis]).toBeGreaterThan(10);
      // The car goes at 3.2 m/s over what it tips.
      expect(top).toBeLessThan(3);
    }
  }

  const lowest = [true, false].map((isLoose) => {
    const physics = makeGround();
    const type = isLoose ? 'dynamic' : 'static';
    addRigidBody(physics, { type, shape: { box: [2, 0.1, 4] }, mass: 20, position: [0, 0.1, 0] });
    const { chassis } = addCar(physics, {}, 1, [0, 1.6, 0]);
    let low = 9;
    for (let i = 0; i < 120; i++) {
      physics.step();
      low = Math.min(low, physics.components.Transform.position.y[chassis]);
    }
    return low;
  });
  expect(Math.abs(lowest[0] - lowest[1])).toBeLessThan(2e-3);
});

test('a wheel in the air bears nothing', () => {
  const physics = makeGround();
  const { chassis, wheels } = addCar(physics);
  const { Vehicle, Joint } = physics.components;
  run(physics, 60);
  Vehicle.throttle[chassis] = 1;
  run(physics, 10);
  expect(Math.abs(Joint.force.z[wheels[0]])).toBeGreaterThan(1000);
  applyImpulse(physics, chassis, [0, 10 * MASS, 0]);
  run(physics, 20);
  const { x, y, z } = Joint.force;
  for (const wheel of wheels) expect(Math.hypot(x[wheel], y[wheel], z[wheel])).toBe(0);
});

test('what bears wheels may go, lose its shape or be made anew: they stay, and stand on what is next', () => {
  for (const change of ['removed', 'without collider', 'made anew']) {
    const physics = makeGround();
    const plank = addRigidBody(physics, { shape: { box: [2, 0.1, 4] }, mass: 50, position: [0, 0.1, 0] });
    const { chassis, wheels } = addCar(physics, {}, 1, [0, 0.95, 0]);
    physics.components.Vehicle.handbrake[chassis] = 1;
    run(physics, 60);
    const { Wheel, Collider } = physics.components;
    for (const wheel of wheels) expect(Wheel.ground[wheel]).toBe(plank);
    if (change === 'removed') removeRigidBody(physics, plank);
    else if (change === 'made anew') refreshBody(physics, plank);
    else removeComponent(physics.world, plank, Collider);
    run(physics, 120);
    for (const wheel of wheels) {
      expect(entityExists(physics.world, wheel) && Wheel.load[wheel] > 1000, change).toBe(true);
      expect(Wheel.ground[wheel] === plank).toBe(change === 'made anew');
    }
  }
});

test('drives as its engine pushes, and stops as its friction lets it', () => {
  const physics = makeGround();
  const { chassis, wheels } = addCar(physics, {}, 0.8);
  const { Vehicle, Transform, Wheel } = physics.components;
  run(physics, 120);
  Vehicle.throttle[chassis] = 1;
  run(physics, 180);
  // 6 kN on 1200 kg, less rolling resistance.
  const expected = ((6000 - 0.015 * MASS * 9.81) / MASS) * 3;
  expect(Math.abs(Vehicle.speed[chassis] / expected - 1)).toBeLessThan(0.03);
  expect(Math.abs(Transform.position.x[chassis])).toBeLessThan(1e-3);
  expect(Wheel.angle[wheels[0]]).toBeGreaterThan(30);

  const speed = Vehicle.speed[chassis];
  const from = Transform.position.z[chassis];
  Vehicle.throttle[chassis] = 0;
  Vehicle.brake[chassis] = 1;
  run(physics, 240);
  expect(Math.abs(Vehicle.speed[chassis])).toBeLessThan(1e-3);
  // v² / 2 μ g.
  expect(Math.abs((Transform.position.z[chassis] - from) / (speed ** 2 / (2 * 0.8 * 9.81)) - 1)).toBeLessThan(0.1);
});

test('goes round a bend on the circle of its steering, slower than its friction, and off it beyond', () => {
  const radii = [4, 25].map((top) => {
    const physics = makeGround();
    const { chassis } = addCar(physics, { topSpeed: top, antiRoll: 2e4 });
    const { Vehicle, Transform, Velocity } = physics.components;
    run(physics, 60);
    Vehicle.throttle[chassis] = 1;
    run(physics, top === 4 ? 120 : 360);
    Vehicle.steer[chassis] = 0.4;
    run(physics, 120);
    const { x, z } = Velocity.linear;
    expect(Transform.rotation.y[chassis]).not.toBe(0);
    return Math.hypot(x[chassis], z[chassis]) / Math.abs(Velocity.angular.y[chassis]);
  });
  // Wheelbase 2.8 m, steered by 0.2 rad: about 2.8 / tan 0.2 at the rear axle.
  expect(Math.abs(radii[0] / Math.hypot(2.8 / Math.tan(0.2), 1.4) - 1)).toBeLessThan(0.08);
  expect(radii[1]).toBeGreaterThan(2 * radii[0]);
});

test('the bar between the wheels of an axle lessens the roll in bends', () => {
  const roll = [0, 3e4].map((antiRoll) => {
    const physics = makeGround();
    const { chassis, wheels } = addCar(physics, { antiRoll, topSpeed: 9 });
    const { Vehicle, Wheel } = physics.components;
    run(physics, 30);
    Vehicle.throttle[chassis] = 1;
    run(physics, 150);
    Vehicle.steer[chassis] = 0.5;
    run(physics, 60);
    return Math.abs(Wheel.compression[wheels[0]] - Wheel.compression[wheels[1]]);
  });
  expect(roll[1]).toBeLessThan(0.7 * roll[0]);
});

test('a run from a snapshot or a saved game repeats bit for bit; the wheels go with the chassis', () => {
  const physics = makeGround();
  const { chassis, wheels } = addCar(physics);
  physics.components.Vehicle.throttle[chassis] = 1;
  run(physics, 30);
  const snapshot = physics.snapshot();
  const bytes = saveGame(physics);
  const go = (world: Physics, who: number) => {
    world.components.Vehicle.steer[who] = 1;
    run(world, 40);
    return world.hash();
  };
  const first = go(physics, chassis);
  removeRigidBody(physics, chassis);
  physics.step();
  expect(
    wheels.some((wheel) => physics.components.Wheel.load[wheel] > 0 && physics.internal.joints.slotOf[wheel] >= 0),
  ).toBe(false);
  physics.restore(snapshot);
  expect(go(physics, chassis)).toBe(first);
  const fresh = createPhysics(createWorld());
  // Numbers that are others than those saved.
  for (let i = 0; i < 7; i++) addEntity(fresh.world);
  enableVehicles(fresh);
  const now = loadGame(fresh, bytes);
  const { Wheel } = fresh.components;
  const ground = physics.components.Wheel.ground[wheels[0]];
  expect(Wheel.vehicle[now.get(wheels[0]) as number]).toBe(now.get(chassis));
  expect(Wheel.ground[now.get(wheels[0]) as number]).toBe(now.get(ground));
  expect(go(fresh, now.get(chassis) as number)).toBe(first);
});

test('wheels end with the Vehicle of their chassis, which stays', () => {
  const physics = makeGround();
  const { chassis } = addCar(physics);
  run(physics, 30);
  removeComponent(physics.world, chassis, physics.components.Vehicle);
  run(physics, 60);
  const { Wheel, Joint } = physics.components;
  for (const part of [Wheel, Joint]) expect(query(physics.world, [part]).length).toBe(0);
  expect(physics.components.Transform.position.y[chassis]).toBeCloseTo(0.3, 2);
});

test('numbers of a wheel act in the next step, asleep or not', () => {
  const physics = makeGround();
  const { chassis, wheels } = addCar(physics);
  run(physics, 400);
  expect(physics.report.awake).toBe(0);
  const { Transform, Wheel } = physics.components;
  const height = Transform.position.y[chassis];
  for (const wheel of wheels) Wheel.radius[wheel] += 0.1;
  run(physics, 200);
  expect(Transform.position.y[chassis] - height).toBeCloseTo(0.1, 2);
  expect(physics.report.awake).toBe(0);
});

test('a parked car rolls once its brake is let go, asleep or not, and turns its wheels', () => {
  const physics = makeGround(10);
  const { chassis, wheels } = addCar(physics);
  const { Vehicle, Transform, Wheel } = physics.components;
  Vehicle.handbrake[chassis] = 1;
  run(physics, 400);
  expect(physics.report.awake).toBe(0);
  Vehicle.steer[chassis] = 1;
  run(physics, 1);
  expect(Wheel.steering[wheels[0]]).toBe(0.5);
  run(physics, 300);
  expect(physics.report.awake).toBe(0);
  const from = Transform.position.z[chassis];
  Vehicle.handbrake[chassis] = 0;
  run(physics, 60);
  expect(Math.abs(Transform.position.z[chassis] - from)).toBeGreaterThan(0.2);
});

test('wheels without a chassis and numbers that are none are refused by name', () => {
  const physics = makeGround();
  const { chassis } = addCar(physics);
  expect(() => addVehicle(physics, { chassis: 99, wheels: [] })).toThrow(/addVehicle: chassis must be a rigid body/);
  // @ts-expect-error: as a game in JavaScript may call it.
  expect(() => addVehicle(physics, { wheels: [] })).toThrow('addVehicle: chassis must be an entity id, got undefined');
  expect(() => addVehicle(physics, { chassis, wheels: [] })).toThrow(/chassis must have no wheels yet/);
  const body = addRigidBody(physics, { shape: { sphere: 1 }, position: [9, 1, 0] });
  expect(() => addVehicle(physics, { chassis: body, wheels: [] })).toThrow(
    /wheels must be a list of one wheel or more/,
  );
  const wheels = [{ mount: [0, 0, 0], radius: -1 }];
  expect(() => addVehicle(physics, { chassis: body, wheels })).toThrow('wheels[0].radius must be > 0, got -1');
  physics.components.Vehicle.steer[chassis] = 7;
  physics.step();
  expect(physics.report.limits.join(' ')).toMatch(/Vehicle\.steer/);
});

test('an observer may remove a wheel while it is added: the others hold the car', () => {
  const physics = makeGround();
  enableVehicles(physics);
  let count = 0;
  observe(physics.world, onAdd(physics.components.Joint), (eid) => {
    if (++count === 2) removeEntity(physics.world, eid);
  });
  const { wheels } = addCar(physics);
  run(physics, 10);
  // The number of the one that went is given to the next.
  expect(new Set(wheels.filter((wheel) => entityExists(physics.world, wheel))).size).toBe(3);
});

test('a tracked vehicle turns where it stands, the way that a steered one turns, and drives straight without', () => {
  const physics = makeGround();
  const chassis = addRigidBody(physics, { shape: { box: [0.9, 0.3, 1.5] }, mass: MASS, position: [0, 0.75, 0] });
  const wheels = [1.1, 0, -1.1].flatMap((z) =>
    [1.1, -1.1].map((x) => ({ mount: [x, -0.1, z] as const, friction: 0.8, driveForce: 1500 })),
  );
  addVehicle(physics, { chassis, wheels, tracked: true });
  const { Vehicle, Transform, Velocity } = physics.components;
  run(physics, 60);
  const from = [Transform.position.x[chassis], Transform.position.z[chassis]];
  Vehicle.steer[chassis] = 1;
  run(physics, 120);
  expect(Velocity.angular.y[chassis]).toBeGreaterThan(0.2);
  const moved = Math.hypot(Transform.position.x[chassis] - from[0], Transform.position.z[chassis] - from[1]);
  expect(moved).toBeLessThan(0.1);
  // The left track stands still, the right one drives: a curve to the left, +x.
  Vehicle.throttle[chassis] = 0.5;
  Vehicle.steer[chassis] = 0.5;
  run(physics, 30);
  expect(Velocity.angular.y[chassis]).toBeGreaterThan(0);
  Vehicle.steer[chassis] = 0;
  Vehicle.throttle[chassis] = 1;
  run(physics, 120);
  expect(Vehicle.speed[chassis]).toBeGreaterThan(3);
  expect(Math.abs(Velocity.angular.y[chassis])).toBeLessThan(0.02);
});
