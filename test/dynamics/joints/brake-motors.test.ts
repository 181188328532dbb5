// Motors with a target and a limited force: there as fast as the force allows, and not beyond.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { addJoint, addRigidBody, createPhysics, type JointMotor, type PhysicsSettings } from '../../../src/index';

const SOLVERS = ['auto', 'dantzig', 'gauss-seidel', 'contact-admm'] as const;
const DT = 1 / 60;
const G = 9.81;

/** Runs a joint; returns its greatest and last value, and the step that came within a thousandth of `target`. */
function follow(
  make: (physics: ReturnType<typeof createPhysics>) => number,
  target: number,
  steps: number,
  settings: PhysicsSettings,
) {
  const physics = createPhysics(createWorld(), { sleeping: false, ...settings });
  const joint = make(physics);
  const seen = { most: 0, last: 0, arrival: -1 };
  for (let k = 1; k <= steps; k++) {
    physics.step();
    seen.last = physics.components.Joint.value[joint];
    seen.most = Math.max(seen.most, seen.last);
    if (seen.arrival < 0 && Math.abs(seen.last - target) < 1e-3 * target) seen.arrival = k;
  }
  return seen;
}

const slide =
  (motor: JointMotor, mass: number, axis: readonly [number, number, number]) => (p: ReturnType<typeof createPhysics>) =>
    addJoint(p, {
      type: 'slider',
      a: addRigidBody(p, { shape: { box: [0.2, 0.2, 0.2] }, mass }),
      axis,
      motor,
    });

describe.each(SOLVERS)('with solver %s', (solver) => {
  it('slides a mass over 2 m without overshoot, in little more than the least time', () => {
    const spec = slide({ target: 2, maxForce: 40 }, 10, [1, 0, 0]);
    const seen = follow(spec, 2, 180, { gravity: [0, 0, 0], solver });
    expect(seen.most).toBeLessThan(2 * 1.001);
    expect(seen.last).toBeCloseTo(2, 6);
    // Half the way with F/m, half against it: t = 2 √(d m/F).
    const least = 2 * Math.sqrt((2 * 10) / 40);
    expect(seen.arrival * DT).toBeGreaterThan(least);
    expect(seen.arrival * DT).toBeLessThan(1.25 * least);
  });

  it('lifts and lowers a mass, heavier than what brakes it by itself', () => {
    for (const target of [3, -3]) {
      const spec = slide({ target: Math.abs(target), maxForce: 150, velocity: 4 }, 10, [0, Math.sign(target), 0]);
      const seen = follow(spec, 3, 240, { solver });
      expect(seen.most).toBeLessThan(3 * 1.01);
      expect(seen.last).toBeCloseTo(3, 5);
    }
  });

  it('swings an arm up against its weight, its hinge far from its centre', () => {
    const seen = follow(
      (p) => {
        const a = addRigidBody(p, { shape: { box: [0.5, 0.05, 0.05] }, position: [0.5, 0, 0], mass: 4 });
        return addJoint(p, {
          type: 'hinge',
          a,
          anchor: [0, 0, 0],
          axis: [0, 0, 1],
          // A quarter more than its weight asks for.
          motor: { target: 2, maxForce: 1.25 * 4 * G * 0.5 },
        });
      },
      2,
      300,
      { solver },
    );
    expect(seen.most).toBeLessThan(2 * 1.01);
    expect(seen.last).toBeCloseTo(2, 4);
  });

  it('lifts a platform with a crate on it', () => {
    const seen = follow(
      (p) => {
        const a = addRigidBody(p, { shape: { box: [1, 0.1, 1] }, mass: 5 });
        addRigidBody(p, { shape: { box: [0.3, 0.3, 0.3] }, position: [0, 0.4, 0], mass: 40, friction: 0.5 });
        return addJoint(p, { type: 'slider', a, axis: [0, 1, 0], motor: { target: 2, velocity: 1, maxForce: 600 } });
      },
      2,
      360,
      { solver },
    );
    expect(seen.most).toBeLessThan(2 * 1.01);
    expect(seen.last).toBeCloseTo(2, 4);
  });
});

it('turns a robot arm of two motors to its targets, whose knocks one of them cannot hold', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const upper = addRigidBody(physics, { shape: { box: [0.5, 0.05, 0.05] }, position: [0.5, 0, 0], mass: 3 });
  const lower = addRigidBody(physics, { shape: { box: [0.5, 0.05, 0.05] }, position: [1.5, 0, 0], mass: 2 });
  const hinge = { type: 'hinge', axis: [0, 0, 1] } as const;
  const joints = [
    addJoint(physics, { ...hinge, a: upper, anchor: [0, 0, 0], motor: { target: 1, maxForce: 90 } }),
    addJoint(physics, { ...hinge, a: lower, b: upper, anchor: [1, 0, 0], motor: { target: -1.5, maxForce: 30 } }),
  ];
  let [most, least] = [0, 0];
  const { value } = physics.components.Joint;
  for (let k = 0; k < 240; k++) {
    physics.step();
    most = Math.max(most, value[joints[0]]);
    least = Math.min(least, value[joints[1]]);
  }
  expect(most).toBeLessThan(1.01);
  expect(least).toBeGreaterThan(-1.7);
  expect(value[joints[0]]).toBeCloseTo(1, 4);
  expect(value[joints[1]]).toBeCloseTo(-1.5, 4);
});
