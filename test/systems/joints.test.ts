// Joints as games use them: statics against closed forms, motion, limits, motors, breaking, coming and going.

import { createWorld, hasComponent, observe, onAdd, onRemove, removeEntity } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addJoint,
  addRigidBody,
  createPhysics,
  type JointAxis,
  type JointSpec,
  loadGame,
  type Physics,
  type PhysicsSettings,
  readJointAxis,
  removeJoint,
  removeRigidBody,
  saveGame,
  setJointAxis,
} from '../../src/index';
import { bySuite } from '../setup/suite';

const G = 9.81;
const DT = 1 / 60;

function world(settings: PhysicsSettings = {}): Physics {
  return createPhysics(createWorld(), settings);
}

function run(physics: Physics, steps: number): void {
  for (let k = 0; k < steps; k++) physics.step();
}

/** A box of half extents 0.5 × 0.1 × 0.1. */
function bar(physics: Physics, x: number, y: number, mass = 2): number {
  return addRigidBody(physics, { shape: { box: [0.5, 0.1, 0.1] }, position: [x, y, 0], mass });
}

describe('statics', () => {
  it('shares a load between two hinges by the lever rule, exactly', () => {
    const physics = world({ sleeping: false });
    const beam = addRigidBody(physics, { shape: { box: [2, 0.1, 0.1] }, position: [0, 2, 0], mass: 10 });
    const load = addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, position: [1, 2.3, 0], mass: 5 });
    const left = addJoint(physics, { type: 'hinge', a: beam, anchor: [-2, 2, 0], axis: [0, 0, 1] });
    // Free along the beam: the two hinges do not press against each other.
    const right = addJoint(physics, {
      type: 'six-axis',
      a: beam,
      anchor: [2, 2, 0],
      axes: { x: 'free', rx: 'free', ry: 'free', rz: 'free' },
    });
    addJoint(physics, { type: 'fixed', a: load, b: beam, anchor: [1, 2.1, 0] });
    run(physics, 60);
    const { force } = physics.components.Joint;
    expect(force.y[left]).toBeCloseTo((10 / 2) * G + (5 * G) / 4, 6);
    expect(force.y[right]).toBeCloseTo((10 / 2) * G + (5 * G * 3) / 4, 6);
  });

  it('bears the moment of a crane arm at its fixed end', () => {
    const physics = world({ sleeping: false });
    const arm = addRigidBody(physics, { shape: { box: [1, 0.05, 0.05] }, position: [1, 3, 0], mass: 4 });
    const hook = addRigidBody(physics, { shape: { sphere: 0.1 }, position: [2, 2, 0], mass: 50 });
    const foot = addJoint(physics, { type: 'fixed', a: arm, anchor: [0, 3, 0] });
    const rope = addJoint(physics, {
      type: 'rope',
      a: hook,
      b: arm,
      anchors: [
        [2, 2, 0],
        [2, 3, 0],
      ],
    });
    run(physics, 60);
    const { force, torque, error, value } = physics.components.Joint;
    expect(force.y[foot]).toBeCloseTo(54 * G, 6);
    expect(torque.z[foot]).toBeCloseTo(4 * G * 1 + 50 * G * 2, 6);
    expect(force.y[rope]).toBeCloseTo(50 * G, 6);
    expect(value[rope]).toBeCloseTo(1, 7);
    expect(error[foot]).toBeLessThan(1e-7);
  });

  it('holds a thousand times the mass on a chain of a hundred links, still when that is shoved', () => {
    const physics = world({ sleeping: false });
    let before = 0;
    const joints: number[] = [];
    for (let i = 0; i < 100; i++) {
      const mass = i === 99 ? 1000 : 1;
      const link = addRigidBody(physics, {
        shape: { box: [0.02, 0.05, 0.02] },
        position: [0, -0.05 - 0.1 * i, 0],
        mass,
      });
      joints.push(addJoint(physics, { type: 'ball', a: link, b: before, anchor: [0, -0.1 * i, 0] }));
      before = link;
    }
    run(physics, 30);
    const { Transform, Joint, Velocity } = physics.components;
    expect(Joint.force.y[joints[0]]).toBeCloseTo(1099 * G, 4);
    expect(Math.abs(Transform.position.y[before] + 9.95)).toBeLessThan(1e-7);
    Velocity.linear.x[before] = 2;
    let worst = 0;
    for (let k = 0; k < 60; k++) {
      physics.step();
      worst = Math.max(worst, physics.report.joints.error);
    }
    expect(worst).toBeLessThan(1e-4);
    expect(Math.abs(Transform.position.x[before])).toBeGreaterThan(0.5);
    expect(Transform.position.y[before]).toBeLessThan(-9.7);
  });
});

describe('motion', () => {
  it('swings with the period of a physical pendulum, and keeps its energy', () => {
    const physics = world({ sleeping: false });
    const angle = 0.1;
    const rod = addRigidBody(physics, {
      shape: { box: [0.5, 0.02, 0.02] },
      position: [0.5 * Math.sin(angle), -0.5 * Math.cos(angle), 0],
      rotation: [0, 0, Math.sin((angle - Math.PI / 2) / 2), Math.cos((angle - Math.PI / 2) / 2)],
      mass: 3,
    });
    const hinge = addJoint(physics, { type: 'hinge', a: rod, anchor: [0, 0, 0], axis: [0, 0, 1] });
    const { Joint } = physics.components;
    // About the hinge: I = m (l² + t²)/3 + …, for half extents 0.5 and 0.02.
    const I = (0.25 + 0.0004) / 3 + 0.25;
    const period = 2 * Math.PI * Math.sqrt(I / (G * 0.5)) * (1 + angle ** 2 / 16);
    const crossings: number[] = [];
    let last = Joint.value[hinge] + angle;
    let largest = 0;
    for (let k = 1; k <= bySuite(800, 1800); k++) {
      physics.step();
      const now = Joint.value[hinge] + angle;
      if (last < 0 && now >= 0) crossings.push((k - now / (now - last)) * DT);
      last = now;
      if (k > bySuite(500, 1500)) largest = Math.max(largest, Math.abs(now));
    }
    const measured = (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1);
    expect(measured).toBeGreaterThan(0.998 * period);
    expect(measured).toBeLessThan(1.002 * period);
    expect(largest).toBeGreaterThan(0.99 * angle);
    expect(largest).toBeLessThan(1.01 * angle);
  });

  it.each([1 / 50, 1, 50])('is the same at scale %d: a double pendulum neither gains nor loses energy', (scale) => {
    const physics = world({ sleeping: false, gravity: [0, -G * scale, 0] });
    const make = (x: number) =>
      addRigidBody(physics, {
        shape: { box: [0.5 * scale, 0.05 * scale, 0.05 * scale] },
        position: [x * scale, 0, 0],
        mass: 1,
      });
    const first = make(0.5);
    const second = make(1.5);
    addJoint(physics, { type: 'hinge', a: first, anchor: [0, 0, 0], axis: [0, 0, 1] });
    addJoint(physics, { type: 'hinge', a: second, b: first, anchor: [scale, 0, 0], axis: [0, 0, 1] });
    const { Transform: T, Velocity: V } = physics.components;
    const energy = () => {
      let sum = 0;
      for (const b of [first, second]) {
        const v = V.linear;
        sum += G * scale * T.position.y[b] + 0.5 * (v.x[b] ** 2 + v.y[b] ** 2);
        sum += 0.5 * ((0.25 + 0.0025) / 3) * scale ** 2 * V.angular.z[b] ** 2;
      }
      return sum / scale ** 2;
    };
    let [most, worst] = [0, 0];
    for (let k = 0; k < bySuite(400, 1200); k++) {
      physics.step();
      most = Math.max(most, Math.abs(energy()));
      worst = Math.max(worst, physics.report.joints.error / scale);
    }
    // It falls by up to 30 J; velocities half a step from the places make the rest.
    expect(most).toBeLessThan(2);
    expect(worst).toBeLessThan(1e-5);
  });

  it('brings back a joint that was torn open by hand, without throwing anything about', () => {
    const physics = world({ sleeping: false });
    const a = bar(physics, 0, 5);
    const weld = addJoint(physics, { type: 'fixed', a });
    run(physics, 5);
    const { Transform, Velocity, Joint } = physics.components;
    Transform.position.x[a] = 1;
    Transform.rotation.y[a] = Math.sin(1.5);
    Transform.rotation.w[a] = Math.cos(1.5);
    let fastest = 0;
    for (let k = 0; k < 180; k++) {
      physics.step();
      fastest = Math.max(fastest, Math.abs(Velocity.linear.x[a]), Math.abs(Velocity.angular.y[a]));
    }
    expect(Joint.error[weld]).toBeLessThan(1e-6);
    expect(Transform.position.x[a]).toBeCloseTo(0, 6);
    expect(Math.abs(Transform.rotation.w[a])).toBeCloseTo(1, 6);
    expect(fastest).toBeLessThan(0.5);
  });
});

describe('limits, motors, springs, friction', () => {
  it('stops a door at its limits', () => {
    const physics = world({ sleeping: false, gravity: [0, 0, 0] });
    const door = bar(physics, 0.5, 1);
    const hinge = addJoint(physics, { type: 'hinge', a: door, anchor: [0, 1, 0], axis: [0, 1, 0], limits: [-0.5, 1] });
    const { Velocity, Joint } = physics.components;
    Velocity.angular.y[door] = 8;
    run(physics, 60);
    expect(Joint.value[hinge]).toBeCloseTo(1, 5);
    Velocity.angular.y[door] = -8;
    run(physics, 60);
    expect(Joint.value[hinge]).toBeCloseTo(-0.5, 5);
    Joint.limitLow[hinge] = -0.2;
    run(physics, 120);
    expect(Joint.value[hinge]).toBeCloseTo(-0.2, 3);
  });

  it('turns a wheel at the speed of its motor, with no more than its torque, over many turns', () => {
    const physics = world({ sleeping: false, gravity: [0, 0, 0] });
    const wheel = addRigidBody(physics, { shape: { cylinder: [0.5, 0.1] }, position: [0, 1, 0], mass: 8 });
    const motor = { velocity: 10, maxForce: 2 };
    const hinge = addJoint(physics, { type: 'hinge', a: wheel, axis: [0, 1, 0], motor });
    const { Velocity, Joint } = physics.components;
    run(physics, 30);
    // ω = τ t / I, I = m r²/2 = 1.
    expect(Velocity.angular.y[wheel]).toBeCloseTo(2 * 30 * DT, 6);
    expect(Joint.torque.y[hinge]).toBeCloseTo(2, 6);
    run(physics, 600);
    expect(Velocity.angular.y[wheel]).toBeCloseTo(10, 6);
    expect(Joint.value[hinge]).toBeGreaterThan(50);
    Joint.motorForce[hinge] = 0;
    Joint.friction[hinge] = 3;
    run(physics, 60);
    expect(Velocity.angular.y[wheel]).toBeCloseTo(10 - 3, 6);
    run(physics, 240);
    expect(Velocity.angular.y[wheel]).toBeCloseTo(0, 9);
  });

  it('lifts with a slider to its target, and lets go of what is too heavy', () => {
    const physics = world({ sleeping: false });
    const lift = addRigidBody(physics, { shape: { box: [0.5, 0.1, 0.5] }, position: [0, 1, 0], mass: 10 });
    const motor = { target: 2, velocity: 1, maxForce: 150 };
    const slider = addJoint(physics, { type: 'slider', a: lift, axis: [0, 1, 0], limits: [0, 3], motor });
    const { Joint, Transform } = physics.components;
    run(physics, 60);
    expect(Joint.value[slider]).toBeGreaterThan(0.9);
    expect(Joint.value[slider]).toBeLessThan(1.05);
    run(physics, 120);
    expect(Transform.position.y[lift]).toBeCloseTo(3, 6);
    expect(Joint.force.y[slider]).toBeCloseTo(10 * G, 6);
    Joint.motorForce[slider] = 50;
    run(physics, 240);
    expect(Transform.position.y[lift]).toBeCloseTo(1, 5);
  });

  it('hangs on a spring as its frequency says, stable at any step', () => {
    const physics = world({ sleeping: false });
    const box = addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0, 0, 0], mass: 7 });
    const spec: JointSpec = {
      type: 'distance',
      a: box,
      anchors: [
        [0, 0, 0],
        [0, 1, 0],
      ],
      spring: { frequency: 1, dampingRatio: 1 },
    };
    const spring = addJoint(physics, spec);
    run(physics, 300);
    // Sag g/ω².
    expect(physics.components.Joint.value[spring]).toBeCloseTo(1 + G / (2 * Math.PI) ** 2, 5);
    const stiff = world({ sleeping: false, timeStep: 0.05 });
    const other = addRigidBody(stiff, { shape: { sphere: 0.2 }, position: [0, 0, 0] });
    addJoint(stiff, { ...spec, a: other, spring: { frequency: 500, dampingRatio: 0 } });
    stiff.components.Velocity.linear.x[other] = 3;
    run(stiff, 200);
    expect(
      Math.hypot(stiff.components.Transform.position.x[other], stiff.components.Transform.position.y[other] - 1),
    ).toBeLessThan(1.1);
  });

  it('keeps a ball joint in its cone and twist', () => {
    const physics = world({ sleeping: false });
    const limb = addRigidBody(physics, { shape: { capsule: [0.05, 0.3] }, position: [0, 2.4, 0], mass: 2 });
    const spec: JointSpec = {
      type: 'ball',
      a: limb,
      anchor: [0, 2, 0],
      axis: [0, 1, 0],
      cone: 0.6,
      limits: [-0.3, 0.3],
    };
    const shoulder = addJoint(physics, spec);
    physics.components.Velocity.linear.x[limb] = 0.5;
    physics.components.Velocity.angular.y[limb] = 5;
    let widest = 0;
    for (let k = 0; k < 240; k++) {
      physics.step();
      widest = Math.max(widest, readJointAxis(physics, shoulder, 'ry'));
      expect(Math.abs(physics.components.Joint.value[shoulder])).toBeLessThan(0.302);
    }
    expect(widest).toBeGreaterThan(0.59);
    expect(widest).toBeLessThan(0.602);
  });

  it('turns a universal joint about both axes and no third', () => {
    const physics = world({ sleeping: false, gravity: [0, 0, 0] });
    const shaft = bar(physics, 0, 0);
    const spec: JointSpec = { type: 'universal', a: shaft, anchor: [0, 0, 0], axis: [1, 0, 0], axis2: [0, 1, 0] };
    const joint = addJoint(physics, spec);
    const { Velocity, Joint } = physics.components;
    Velocity.angular.x[shaft] = 1;
    Velocity.angular.y[shaft] = 1;
    Velocity.angular.z[shaft] = 1;
    run(physics, 30);
    expect(Joint.error[joint]).toBeLessThan(1e-6);
    expect(readJointAxis(physics, joint, 'rx')).toBeGreaterThan(0.2);
    expect(readJointAxis(physics, joint, 'ry')).toBeGreaterThan(0.2);
    expect(Math.abs(readJointAxis(physics, joint, 'rz'))).toBeLessThan(1e-6);
  });

  it('drives a six-axis joint axis by axis', () => {
    const physics = world({ sleeping: false, gravity: [0, 0, 0] });
    const stage = bar(physics, 0, 0);
    const joint = addJoint(physics, {
      type: 'six-axis',
      a: stage,
      axes: { x: [-1, 1], rz: { motor: { velocity: 2 } } },
    });
    physics.components.Velocity.linear.x[stage] = 5;
    run(physics, 60);
    expect(readJointAxis(physics, joint, 'x')).toBeCloseTo(1, 5);
    expect(readJointAxis(physics, joint, 'rz')).toBeCloseTo(2, 3);
    setJointAxis(physics, joint, 'rz', { motor: { target: 0, velocity: 4 } });
    run(physics, 60);
    expect(readJointAxis(physics, joint, 'rz')).toBeCloseTo(0, 6);
  });
});

describe('life', () => {
  it('lets joined bodies overlap, and touch again when the joint is gone or told to', () => {
    for (const collide of [false, true]) {
      const physics = world({ gravity: [0, 0, 0] });
      const a = bar(physics, 0, 0);
      const b = bar(physics, 0.9, 0);
      const joint = addJoint(physics, { type: 'hinge', a, b, anchor: [0.45, 0, 0], axis: [0, 0, 1], collide });
      run(physics, 3);
      expect(physics.report.contacts > 0).toBe(collide);
      removeJoint(physics, joint);
      run(physics, 3);
      expect(physics.report.contacts).toBeGreaterThan(0);
    }
  });

  it('breaks above its force, tells observers, and lets go', () => {
    const physics = world();
    const a = bar(physics, 0, 5, 10);
    const joint = addJoint(physics, { type: 'ball', a, breakForce: 120 });
    const { Broken, RigidBody, Transform } = physics.components;
    const broken: number[] = [];
    observe(physics.world, onAdd(Broken), (eid: number) => broken.push(eid));
    run(physics, 30);
    expect(broken).toEqual([]);
    RigidBody.force.y[a] = -50;
    physics.step();
    expect(broken).toEqual([joint]);
    expect(physics.report.joints.broken).toBe(1);
    // What broke it is seen in that step; from then on it bears nothing.
    const { force } = physics.components.Joint;
    expect(force.y[joint]).toBeGreaterThan(120);
    physics.step();
    expect([force.x[joint], force.y[joint], force.z[joint]]).toEqual([0, 0, 0]);
    run(physics, 30);
    expect(Transform.position.y[a]).toBeLessThan(4);
    removeJoint(physics, joint);
    physics.step();
  });

  it('goes with its body, and the report says so', () => {
    const physics = world();
    const a = bar(physics, 0, 5);
    const b = bar(physics, 1, 5);
    const joint = addJoint(physics, { type: 'fixed', a: b, b: a, anchor: [0.5, 5, 0] });
    const gone: number[] = [];
    observe(physics.world, onRemove(physics.components.Joint), (eid: number) => gone.push(eid));
    run(physics, 2);
    removeRigidBody(physics, a);
    physics.step();
    expect(gone).toEqual([joint]);
    expect(physics.report.limits.join()).toContain(`Joint of entity ${joint}`);
    run(physics, 10);
    expect(physics.components.Transform.position.y[b]).toBeLessThan(5);
  });

  it('sleeps as one, and wakes along its joints and when it is cut', () => {
    const physics = world();
    let before = 0;
    const links: number[] = [];
    const joints: number[] = [];
    for (let i = 0; i < 5; i++) {
      const link = addRigidBody(physics, { shape: { capsule: [0.05, 0.1] }, position: [0, 5 - 0.2 * i, 0], mass: 1 });
      joints.push(addJoint(physics, { type: 'ball', a: link, b: before, anchor: [0, 5.1 - 0.2 * i, 0] }));
      links.push(link);
      before = link;
    }
    run(physics, 120);
    const { Sleeping, Velocity, Transform } = physics.components;
    for (const link of links) expect(hasComponent(physics.world, link, Sleeping)).toBe(true);
    Velocity.linear.x[links[4]] = 0.5;
    physics.step();
    for (const link of links) expect(hasComponent(physics.world, link, Sleeping)).toBe(false);
    run(physics, 1200);
    removeEntity(physics.world, joints[2]);
    run(physics, 30);
    expect(Transform.position.y[links[2]]).toBeLessThan(4);
    expect(Transform.position.y[links[1]]).toBeGreaterThan(4.7);
  });

  it('repeats from a snapshot, whatever was made, broken and removed since', () => {
    const physics = world({ sleeping: false });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const bodies = [0, 1, 2, 3].map((i) => bar(physics, i, 3));
    const joints = [1, 2, 3].map((i) =>
      addJoint(physics, {
        type: 'hinge',
        a: bodies[i],
        b: bodies[i - 1],
        anchor: [i - 0.5, 3, 0],
        axis: [0, 0, 1],
        breakForce: 400,
      }),
    );
    addJoint(physics, { type: 'ball', a: bodies[0], anchor: [-0.5, 3, 0] });
    run(physics, 20);
    const kept = physics.snapshot();
    const play = (): string => {
      run(physics, 5);
      removeJoint(physics, joints[1]);
      run(physics, 5);
      addJoint(physics, {
        type: 'rope',
        a: bodies[3],
        b: bodies[1],
        anchors: [
          [3, 3, 0],
          [1, 3, 0],
        ],
        length: 2.5,
      });
      physics.components.Joint.breakForce[joints[0]] = 1;
      run(physics, 20);
      return physics.hash();
    };
    const first = play();
    const { Broken, Joint } = physics.components;
    physics.restore(kept);
    expect(hasComponent(physics.world, joints[0], Broken)).toBe(false);
    expect(Joint.breakForce[joints[0]]).toBe(400);
    expect(hasComponent(physics.world, joints[1], Joint)).toBe(true);
    expect(play()).toBe(first);
    physics.restore(kept);
    const saved = saveGame(physics);
    run(physics, 10);
    const after = physics.hash();
    const fresh = world({ sleeping: false });
    const numbers = loadGame(fresh, saved);
    run(fresh, 10);
    expect(fresh.hash()).toBe(after);
    expect(fresh.components.Joint.entityA[numbers.get(joints[0]) ?? 0]).toBe(numbers.get(bodies[1]));
  });

  it('follows a body that is made anew, and one whose centre of mass moves', () => {
    const physics = world({ sleeping: false, gravity: [0, 0, 0] });
    const a = bar(physics, 0, 0);
    const joint = addJoint(physics, { type: 'ball', a, anchor: [0.5, 0, 0] });
    physics.step();
    physics.components.RigidBody.centerOffset.x[a] = 0.2;
    run(physics, 2);
    expect(physics.components.Joint.error[joint]).toBeLessThan(1e-9);
    physics.components.RigidBody.modifyContacts[a] = 1;
    run(physics, 2);
    expect(physics.components.Joint.error[joint]).toBeLessThan(1e-9);
    expect(physics.components.Transform.position.x[a]).toBeCloseTo(0, 9);
  });

  it('settles for the least error where joints contradict each other', () => {
    const physics = world({ sleeping: false, gravity: [0, 0, 0] });
    const a = bar(physics, 0, 0);
    addJoint(physics, { type: 'ball', a, frames: [{ position: [0, 0, 0] }, { position: [-1, 0, 0] }] });
    addJoint(physics, { type: 'ball', a, frames: [{ position: [0, 0, 0] }, { position: [1, 0, 0] }] });
    run(physics, 120);
    const { Transform, Velocity } = physics.components;
    expect(Transform.position.x[a]).toBeCloseTo(0, 3);
    expect(Math.abs(Velocity.linear.x[a])).toBeLessThan(0.01);
    expect(physics.report.residual).toBeGreaterThan(0.1);
    expect(physics.report.joints.error).toBeCloseTo(1, 2);
  });
});

describe('bad input', () => {
  it('keeps limits that a write would cross, and says so', () => {
    const told: string[] = [];
    const physics = world({ warn: (message) => told.push(message) });
    const hinge = addJoint(physics, { type: 'hinge', a: bar(physics, 0, 0), limits: [-1, 1] });
    const { Joint } = physics.components;
    run(physics, 1);
    Joint.limitLow[hinge] = 2;
    run(physics, 1);
    expect([Joint.limitLow[hinge], Joint.limitHigh[hinge]]).toEqual([-1, 1]);
    expect(told.join()).toContain('must be at most limitHigh, 1; the one before stays, got 2');
    // Both at once may move past where either was.
    Joint.limitLow[hinge] = 2;
    Joint.limitHigh[hinge] = 3;
    run(physics, 1);
    expect([Joint.limitLow[hinge], Joint.limitHigh[hinge]]).toEqual([2, 3]);
    Joint.limitLow[hinge] = 2.5;
    Joint.limitHigh[hinge] = Number.NaN;
    run(physics, 1);
    expect([Joint.limitLow[hinge], Joint.limitHigh[hinge]]).toEqual([2.5, 3]);
  });

  const physics = world();
  const a = bar(physics, 0, 0);
  const b = bar(physics, 2, 0);
  it.each<[string, object]>([
    ['type must be one of', { type: 'glue', a }],
    ['a must be the entity of a rigid body', { type: 'fixed', a: 999 }],
    ['b must be the entity of a rigid body', { type: 'fixed', a, b: 999 }],
    ['b must be another body, not a', { type: 'fixed', a, b: a }],
    ['limits must be [least, greatest], the first at most the second', { type: 'hinge', a, b, limits: [1, -1] }],
    ['axis must not be zero', { type: 'hinge', a, axis: [0, 0, 0] }],
    ['motor is for', { type: 'fixed', a, motor: { velocity: 1 } }],
    [
      'must be on an axis that moves',
      { type: 'six-axis', a, axes: { x: { limits: 'locked', motor: { velocity: 1 } } } },
    ],
    ['motor must have a velocity, a target or a maxForce', { type: 'hinge', a, motor: {} }],
    ['without maxForce must be on an axis that may move', { type: 'hinge', a, limits: [0, 0], motor: { velocity: 5 } }],
    ['axes must have keys of', { type: 'six-axis', a, axes: { q: 'free' } }],
    ['spring.frequency must be > 0', { type: 'distance', a, length: 1, spring: { frequency: 0 } }],
    ['friction must be >= 0', { type: 'hinge', a, friction: -1 }],
    ['breakForce must be > 0', { type: 'hinge', a, breakForce: -1 }],
    ['anchor[1] must', { type: 'hinge', a, anchor: [0, Number.NaN, 0] }],
    ['length must be > 0', { type: 'rope', a, anchor: [0, 0, 0] }],
    ['axis2 must be at a right angle', { type: 'universal', a, axis: [1, 0, 0], axis2: [1, 0.1, 0] }],
  ])('says %s', (text, spec) => {
    expect(() => addJoint(physics, spec as JointSpec)).toThrow(text);
  });
});

it('refuses a change of an axis whole where a part of it is wrong', () => {
  const physics = createPhysics(createWorld());
  const body = addRigidBody(physics, { shape: { box: [0.2, 0.2, 0.2] }, position: [0, 2, 0] });
  const joint = addJoint(physics, { type: 'six-axis', a: body, axes: { rx: 'free' } });
  const wrong: [JointAxis, string][] = [
    [null as unknown as JointAxis, 'setJointAxis: spec must be an object, got null'],
    [{ limits: 'none' } as unknown as JointAxis, 'setJointAxis: limits must be [least, greatest], got "none"'],
    [{ friction: 1, motor: { maxForce: -1 } }, 'setJointAxis: motor.maxForce must be >= 0 [N or N·m], got -1'],
    [{ limits: [0, 1], spring: { frequency: -1 } }, 'setJointAxis: spring.frequency must be > 0 [Hz], got -1'],
  ];
  const before = physics.internal.engine.tables.joints.axes.slice(0, 48);
  for (const [change, message] of wrong) {
    expect(() => setJointAxis(physics, joint, 'rx', change)).toThrow(message);
    expect(physics.internal.engine.tables.joints.axes.slice(0, 48)).toEqual(before);
  }
  expect(() => setJointAxis(physics, joint, 'x', { motor: { velocity: 1 } })).toThrow(
    'setJointAxis: motor must be on an axis that moves, got a locked axis',
  );
  expect(() => setJointAxis(physics, joint, 'rx', { limits: [1, 1], motor: { velocity: 1 } })).toThrow(
    'setJointAxis: a motor without maxForce must be on an axis that may move, got limits [1, 1]',
  );
  // One that gives so much holds against limits as well as it can.
  setJointAxis(physics, joint, 'rx', { limits: [0, 0], motor: { velocity: 1, maxForce: 1 } });
  setJointAxis(physics, joint, 'rx', { limits: 'free', motor: { maxForce: Number.POSITIVE_INFINITY } });
  setJointAxis(physics, joint, 'rx', { motor: { velocity: 2 }, spring: { frequency: 0 } });
  for (let i = 0; i < 60; i++) physics.step();
  expect(physics.components.Velocity.angular.x[body]).toBeCloseTo(2, 6);
});

it('keeps friction in its cones where a tangle of joints and overlaps is left unfinished', () => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const boxes = [0, 1, 2].map((i) =>
    addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5 + i, 0] }),
  );
  addJoint(physics, { type: 'hinge', a: boxes[0], anchor: [0.5, 0.5, 0] });
  addJoint(physics, { type: 'six-axis', a: boxes[1], b: boxes[2], axes: { x: 'free', rz: [-1, 1] } });
  // A thin bone within the lowest box and the ground.
  addRigidBody(physics, {
    shape: { capsule: [0.018664235455414395, 0.2313357645] },
    position: [0, 0, 0.25],
    rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    friction: 0.5,
  });
  let worst = 0;
  for (let i = 0; i < 3; i++) {
    physics.step();
    worst = Math.max(worst, physics.report.solvers.dantzig.fallbacks);
    const { arena, tables } = physics.internal.engine;
    expect(findBrokenInvariants(arena, tables)).toEqual([]);
  }
  expect(worst).toBeGreaterThan(0);
});
