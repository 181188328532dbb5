// Gears and racks: exact ratios, without drift, through many turns; what they transmit; how they live.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { addJoint, addRigidBody, createPhysics, type JointSpec, type Physics, removeRigidBody } from '../../src/index';
import { bySuite } from '../setup/suite';

const SOLVERS = ['auto', 'dantzig', 'gauss-seidel', 'contact-admm'] as const;
const Z = [0, 0, 1] as const;
const G = 9.81;

/** A wheel about z on an axle of the world; its inertia is m r²/2. */
function wheel(physics: Physics, x: number, radius: number, mass: number, motor?: JointSpec['motor']) {
  const turn = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;
  const body = addRigidBody(physics, {
    shape: { cylinder: [radius, 0.05] },
    position: [x, 0, 0],
    rotation: turn,
    mass,
    layers: 2,
    mask: 4,
  });
  return { body, axle: addJoint(physics, { type: 'hinge', a: body, axis: Z, ...(motor ? { motor } : {}) }) };
}

function world(solver: (typeof SOLVERS)[number] = 'auto'): Physics {
  return createPhysics(createWorld(), { solver, sleeping: false });
}

describe.each(SOLVERS)('with solver %s', (solver) => {
  it('turns two wheels by their ratio over many turns, and gives the motor both inertias', () => {
    const physics = world(solver);
    const a = wheel(physics, 0, 0.2, 2, { velocity: 30, maxForce: 1 });
    const b = wheel(physics, 0.6, 0.4, 8);
    const gear = addJoint(physics, { type: 'gear', a: a.body, b: b.body, axis: Z, ratio: -2 });
    const { Joint, Velocity } = physics.components;
    for (let k = 0; k < 60; k++) physics.step();
    // I = I_a + I_b/4 = 0.04 + 0.64/4 = 0.2: one second of 1 N·m.
    expect(Velocity.angular.z[a.body]).toBeCloseTo(1 / 0.2, 4);
    expect(Velocity.angular.z[b.body]).toBeCloseTo(-1 / 0.4, 4);
    // The wheel b turns with I_b α_b at its teeth; a bears half of it.
    expect(Math.abs(Joint.torque.z[gear])).toBeCloseTo((0.64 * 2.5) / 2, 3);
    for (let k = 0; k < bySuite(400, 1500); k++) physics.step();
    expect(Joint.value[a.axle]).toBeGreaterThan(bySuite(120, 600));
    expect(Joint.value[a.axle] + 2 * Joint.value[b.axle]).toBeCloseTo(0, 6);
    expect(Joint.error[gear]).toBeLessThan(1e-8);
  });

  it('lifts a rack by a pinion', () => {
    const physics = world(solver);
    const pinion = wheel(physics, 0, 0.1, 1, { velocity: 2, maxForce: 50 });
    const bar = addRigidBody(physics, { shape: { box: [0.02, 0.5, 0.02] }, position: [0.2, 0, 0], mass: 10, mask: 4 });
    const slide = addJoint(physics, { type: 'slider', a: bar, axis: [0, 1, 0] });
    const rack = addJoint(physics, { type: 'rack', a: bar, b: pinion.body, axis: [0, 1, 0], axis2: Z, ratio: 0.1 });
    for (let k = 0; k < 300; k++) physics.step();
    const { Joint } = physics.components;
    expect(Joint.value[pinion.axle]).toBeGreaterThan(9);
    expect(Joint.value[slide]).toBeCloseTo(0.1 * Joint.value[pinion.axle], 7);
    expect(Joint.force.y[rack]).toBeCloseTo(10 * G, 4);
    expect(Joint.torque.z[pinion.axle]).toBeCloseTo(10 * G * 0.1, 4);
  });
});

describe('above half a turn a step', () => {
  // 400 and 450 rad/s at 60 Hz: 1.06 and 1.19 turns a step.
  it.each(SOLVERS)('keeps ratio and count as the motor runs wheels up and stops them, with %s', (solver) => {
    const physics = world(solver);
    const a = wheel(physics, 0, 0.2, 2, { velocity: 400, maxForce: 40 });
    const b = wheel(physics, 0.6, 0.4, 8);
    const gear = addJoint(physics, { type: 'gear', a: a.body, b: b.body, axis: Z, ratio: -2 });
    const { Joint, Velocity } = physics.components;
    let turned = 0;
    const run = (steps: number) => {
      for (let k = 0; k < steps; k++) {
        physics.step();
        turned += Velocity.angular.z[a.body] / 60;
        expect(Joint.error[gear]).toBeLessThan(1e-4);
      }
    };
    run(140);
    expect(Velocity.angular.z[a.body] / 400).toBeCloseTo(1, 5);
    expect(Velocity.angular.z[b.body] / -200).toBeCloseTo(1, 5);
    Joint.motorVelocity[a.axle] = 0;
    run(140);
    expect(Velocity.angular.z[a.body]).toBeCloseTo(0, 5);
    expect(Joint.value[a.axle] / turned).toBeCloseTo(1, 4);
    expect(Joint.value[a.axle] + 2 * Joint.value[b.axle]).toBeCloseTo(0, 5);
  });

  it('goes on after a rollback as without', () => {
    const physics = world();
    const a = wheel(physics, 0, 0.2, 2, { velocity: 450, maxForce: 1e6 });
    const b = wheel(physics, 0.6, 0.2, 2);
    const gear = addJoint(physics, { type: 'gear', a: a.body, b: b.body, axis: Z, ratio: -1 });
    for (let k = 0; k < 10; k++) physics.step();
    const saved = physics.snapshot();
    for (let k = 0; k < 5; k++) physics.step();
    const hash = physics.hash();
    physics.restore(saved);
    for (let k = 0; k < 5; k++) physics.step();
    expect(physics.hash()).toBe(hash);
    expect(physics.components.Joint.error[gear]).toBeLessThan(1e-4);
    expect(physics.components.Joint.value[a.axle]).toBeCloseTo((450 * 15) / 60, 3);
  });

  it('drives a rack by a pinion of 300 rad/s', () => {
    const physics = world();
    const pinion = wheel(physics, 0, 0.1, 1, { velocity: 300, maxForce: 50 });
    const bar = addRigidBody(physics, { shape: { box: [0.02, 0.5, 0.02] }, position: [0.2, 0, 0], mass: 10, mask: 4 });
    const slide = addJoint(physics, { type: 'slider', a: bar, axis: [0, 1, 0] });
    addJoint(physics, { type: 'rack', a: bar, b: pinion.body, axis: [0, 1, 0], axis2: Z, ratio: 0.01 });
    const { Joint, Velocity } = physics.components;
    for (let k = 0; k < 120; k++) physics.step();
    expect(Velocity.linear.y[bar]).toBeCloseTo(3, 4);
    // Steps of 5 rad end up to 2.6e-7 m off, each anew, by what refinements leave of its bend; it does not add up.
    expect(Joint.value[slide]).toBeCloseTo(0.01 * Joint.value[pinion.axle], 6);
    // 6.6e-4 where what a loop can do together is asked for once.
    expect(physics.report.residual).toBeLessThan(1e-9);
  });
});

it('holds a train of six wheels to its ratio', () => {
  const physics = world();
  const wheels = [0, 1, 2, 3, 4, 5].map((i) => wheel(physics, i, 0.5, 2, i === 0 ? { velocity: 8 } : undefined));
  for (let i = 1; i < 6; i++) {
    addJoint(physics, { type: 'gear', a: wheels[i].body, b: wheels[i - 1].body, axis: Z, ratio: -0.5 });
  }
  for (let k = 0; k < 600; k++) physics.step();
  const { Joint } = physics.components;
  expect(Joint.value[wheels[0].axle]).toBeCloseTo(80, 1);
  expect(Joint.value[wheels[5].axle]).toBeCloseTo(-Joint.value[wheels[0].axle] / 32, 5);
});

it('sleeps, wakes, rolls back, and ends with its wheel', () => {
  const physics = createPhysics(createWorld());
  const a = wheel(physics, 0, 0.2, 2);
  const b = wheel(physics, 0.6, 0.4, 8);
  addJoint(physics, { type: 'gear', a: a.body, b: b.body, axis: Z, ratio: -2 });
  for (let k = 0; k < 120; k++) physics.step();
  expect(physics.report.awake).toBe(0);
  physics.components.Velocity.angular.z[a.body] = 4;
  physics.step();
  expect(physics.components.Velocity.angular.z[b.body]).toBeLessThan(-0.1);
  const before = physics.snapshot();
  const run = () => {
    for (let k = 0; k < 30; k++) physics.step();
    return physics.hash();
  };
  const first = run();
  physics.restore(before);
  expect(run()).toBe(first);
  removeRigidBody(physics, b.body);
  physics.step();
  expect(physics.report.joints.active).toBe(1);
});

it('refuses what is no gear', () => {
  const physics = world();
  const a = wheel(physics, 0, 0.2, 2).body;
  const b = wheel(physics, 1, 0.2, 2).body;
  expect(() => addJoint(physics, { type: 'gear', a, axis: Z })).toThrow(
    'b must be the entity of the other body of a gear joint',
  );
  expect(() => addJoint(physics, { type: 'gear', a, b, axis: Z, ratio: 0 })).toThrow('ratio must not be 0');
  expect(() => addJoint(physics, { type: 'gear', a, b, axis: Z, limits: [0, 1] })).toThrow('limits is for');
  expect(() => addJoint(physics, { type: 'hinge', a, b, axis: Z, ratio: 2 })).toThrow('ratio is for gears and racks');
});
