// Islands of many joints, on the sparse factor of the bodies: chains, loops, ragdolls that fall on each other.

import { createWorld, hasComponent, query } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { addJoint, addRigidBody, createPhysics, type JointSpec, type Physics } from '../../../src/index';
import { longTest } from '../../setup/suite';

type Place = readonly [number, number, number];

function run(physics: Physics, steps: number): number {
  let worst = 0;
  for (let k = 0; k < steps; k++) {
    physics.step();
    worst = Math.max(worst, physics.report.joints.error);
  }
  return worst;
}

function planks(physics: Physics, count: number): number[] {
  const bodies: number[] = [];
  for (let i = 0; i < count; i++) {
    const position: Place = [0.4 * i, 3, 0];
    bodies.push(addRigidBody(physics, { shape: { box: [0.18, 0.04, 0.6] }, position, mass: 8 }));
  }
  // Two ball joints to a gap: along the plank they say the same twice.
  for (let i = 0; i <= count; i++) {
    for (const z of [-0.5, 0.5]) {
      const anchor: Place = [0.4 * i - 0.2, 3, z];
      const ends = i === count ? { a: bodies[i - 1] } : { a: bodies[i], b: bodies[i - 1] };
      addJoint(physics, { type: 'ball', anchor, ...ends } as JointSpec);
    }
  }
  return bodies;
}

/** Trunk, head, arms and legs: seven bodies, six joints with limits. */
function ragdoll(physics: Physics, [x, y, z]: Place): number[] {
  const part = (shape: object, place: Place, mass: number) =>
    addRigidBody(physics, {
      shape: shape as never,
      position: [x + place[0], y + place[1], z + place[2]],
      mass,
      friction: 0.6,
    });
  const trunk = part({ box: [0.17, 0.3, 0.1] }, [0, 0, 0], 30);
  const bodies = [trunk, part({ sphere: 0.11 }, [0, 0.44, 0], 5)];
  const join = (a: number, place: Place, axis: Place, cone: number) =>
    addJoint(physics, {
      type: 'ball',
      a,
      b: trunk,
      anchor: [x + place[0], y + place[1], z + place[2]],
      axis,
      cone,
      limits: [-0.5, 0.5],
      friction: 1,
    });
  join(bodies[1], [0, 0.32, 0], [0, 1, 0], 0.6);
  for (const side of [-1, 1]) {
    const arm = part({ capsule: [0.05, 0.2] }, [0.25 * side, 0, 0], 4);
    const leg = part({ capsule: [0.06, 0.3] }, [0.1 * side, -0.7, 0], 10);
    join(arm, [0.25 * side, 0.25, 0], [0, -1, 0], 1.4);
    join(leg, [0.1 * side, -0.32, 0], [0, -1, 0], 0.9);
    bodies.push(arm, leg);
  }
  return bodies;
}

describe('islands of many joints', () => {
  it('hangs a hundredfold load on a chain of 50 with a hinge on it, without stretch or creep', () => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    let before = 0;
    for (let i = 0; i < 50; i++) {
      const mass = i === 49 ? 100 : 1;
      const position: Place = [0, -0.05 - 0.1 * i, 0];
      const link = addRigidBody(physics, { shape: { box: [0.02, 0.05, 0.02] }, position, mass });
      addJoint(physics, { type: 'ball', a: link, b: before, anchor: [0, -0.1 * i, 0], friction: 0.01 });
      before = link;
    }
    expect(run(physics, 60)).toBeLessThan(1e-5);
    expect(physics.components.Transform.position.y[before]).toBeCloseTo(-4.95, 5);
    physics.components.Velocity.linear.x[before] = 1;
    expect(run(physics, 30)).toBeLessThan(1e-3);
  });

  it('names the joint that opens where a load is too heavy for what carries it, and throws nothing', () => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    const bodies: number[] = [];
    for (let i = 0; i < 11; i++) {
      const isLoad = i === 10;
      const shape = isLoad ? { sphere: 0.1 } : { capsule: [0.02, 0.06] as const };
      const b = bodies[i - 1];
      bodies.push(addRigidBody(physics, { shape, position: [0, 5 - 0.2 * i, 0], mass: isLoad ? 1e4 : 1e-3 }));
      addJoint(physics, { type: 'ball', a: bodies[i], b, anchor: [0, 5.1 - 0.2 * i, 0] });
    }
    const told = new Set<string>();
    for (let k = 0; k < 90; k++) {
      physics.step();
      for (const limit of physics.report.limits) told.add(limit.replace(/ is [^ ]+/, ''));
    }
    expect([...told].filter((limit) => /^joint \d+ m from where it should be/.test(limit)).length).toBeGreaterThan(0);
    const { x, y } = physics.components.Transform.position;
    for (const body of bodies) expect(Math.hypot(x[body], y[body])).toBeLessThan(20);
  });

  it('holds a bridge whose joints say the same twice, pulled straight as it is', () => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    const bodies = planks(physics, 10);
    for (const x of [1.2, 1.8]) addRigidBody(physics, { shape: { sphere: 0.3 }, position: [x, 4, 0], mass: 80 });
    expect(run(physics, 150)).toBeLessThan(0.01);
    for (const body of bodies) expect(physics.components.Transform.position.y[body]).toBeGreaterThan(2.5);
    expect(physics.report.solvers.contactAdmm.islands).toBe(1);
  });

  it.each([5, 8, 12, 13])(
    'holds a bridge of %i planks that is as long as its span, with a crate thrown on it',
    (count) => {
      const physics = createPhysics(createWorld(), { sleeping: false });
      const bodies: number[] = [];
      for (let i = 0; i <= count; i++) {
        const position: Place = [0.4 * i, 3, 0];
        if (i < count) bodies.push(addRigidBody(physics, { shape: { box: [0.19, 0.03, 0.5] }, position, mass: 8 }));
        const ends = i === count ? { a: bodies[i - 1] } : { a: bodies[i], b: bodies[i - 1] };
        addJoint(physics, { type: 'hinge', anchor: [0.4 * i - 0.2, 3, 0], axis: [0, 0, 1], ...ends } as JointSpec);
      }
      const position: Place = [0.2 * count, 3.4, 0];
      addRigidBody(physics, { shape: { box: [0.2, 0.2, 0.2] }, position, velocity: [0, -4, 0], mass: 15 });
      // To hold what lies on it a straight bridge takes infinite forces; near straight, an error throws it about.
      expect(run(physics, 60)).toBeLessThan(2e-3);
      for (const body of bodies) {
        expect(Math.abs(physics.components.Transform.position.y[body] - 3)).toBeLessThan(0.06);
        expect(Math.abs(physics.components.Velocity.linear.y[body])).toBeLessThan(1);
      }
    },
  );

  it('carries ten boxes of a hundred planks each on a bridge of fifty, its hinges shut', () => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    const count = 50;
    const sag = 0.16; // slope at the ends [rad]
    const radius = (0.5 * count) / (2 * sag);
    const at = (angle: number, up = 0): Place => [
      (radius - up) * Math.sin(angle),
      radius * Math.cos(sag) - (radius - up) * Math.cos(angle),
      0,
    ];
    const turn = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] as const;
    const bodies: number[] = [];
    for (let i = 0; i <= count; i++) {
      const middle = ((2 * i + 1) / count - 1) * sag;
      const shape = { box: [0.24, 0.05, 1] as const };
      const pose = { position: at(middle), rotation: turn(middle) };
      if (i < count) bodies.push(addRigidBody(physics, { shape, ...pose, mass: 10 }));
      const ends = i === count ? { a: bodies[i - 1] } : { a: bodies[i], b: bodies[i - 1] };
      addJoint(physics, {
        type: 'hinge',
        anchor: at(((2 * i) / count - 1) * sag),
        axis: [0, 0, 1],
        ...ends,
      } as JointSpec);
    }
    const boxes = Array.from({ length: 10 }, (_, i) => {
      const angle = 1.6 * sag * ((i + 0.5) / 10 - 0.5);
      const pose = { position: at(angle, 0.37), rotation: turn(angle) };
      return addRigidBody(physics, { shape: { box: [0.7, 0.3, 0.6] }, ...pose, mass: 1000, friction: 0.6 });
    });
    expect(run(physics, 90)).toBeLessThan(1e-4);
    const { linear } = physics.components.Velocity;
    for (const body of [...bodies, ...boxes]) expect(Math.abs(linear.y[body])).toBeLessThan(0.02);
    // As statics has it: the ends bear the weight of all.
    const { force } = physics.components.Joint;
    let borne = 0;
    for (const eid of query(physics.world, [physics.components.Joint])) {
      if (!physics.components.Joint.entityB[eid]) borne += force.y[eid];
    }
    expect(borne / (10500 * 9.81)).toBeCloseTo(1, 2);
  });

  it('keeps joints shut that are dashed to the ground and spun by half a radian in a step', () => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    let fastest = 0;
    const links: number[] = [];
    for (let k = 0; k < 4; k++) {
      let before = 0;
      for (let i = 0; i < 6; i++) {
        const position: Place = [0.3 * i, 0.6 + 0.4 * k + 0.05 * i, 0.2 * k];
        const shape = { capsule: [0.05, 0.1] as const };
        const rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
        const link = addRigidBody(physics, { shape, position, rotation, velocity: [0, -19, 0], mass: 2 + i });
        const anchor: Place = [position[0] - 0.15, position[1] - 0.025, position[2]];
        if (i > 0) addJoint(physics, { type: 'ball', a: link, b: before, anchor });
        before = link;
        links.push(link);
      }
    }
    let worst = 0;
    const { angular } = physics.components.Velocity;
    for (let k = 0; k < 60; k++) {
      physics.step();
      worst = Math.max(worst, physics.report.joints.error);
      for (const link of links) fastest = Math.max(fastest, Math.abs(angular.z[link]));
    }
    expect(worst).toBeLessThan(1e-4);
    expect(fastest / 60).toBeGreaterThan(0.5);
    for (const link of links) expect(physics.components.Transform.position.y[link]).toBeGreaterThan(0.02);
  });

  longTest('brings a heap of ragdolls to rest and to sleep, and does so twice alike', () => {
    const play = (settles: boolean) => {
      const physics = createPhysics(createWorld());
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
      const all = [0, 1, 2, 3].flatMap((k) => ragdoll(physics, [0.15 * k, 1.1 + 1.1 * k, 0.1 * (k % 2)]));
      run(physics, 90);
      const hash = physics.hash();
      if (settles) run(physics, 330);
      for (const body of settles ? all : []) {
        expect(hasComponent(physics.world, body, physics.components.Sleeping)).toBe(true);
        expect(physics.components.Transform.position.y[body]).toBeGreaterThan(0.03);
      }
      return hash;
    };
    expect(play(true)).toBe(play(false));
  });
});
