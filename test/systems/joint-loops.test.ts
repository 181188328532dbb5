// Joints that say the same twice, or contradict each other, with every solver that a user may choose.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { addJoint, addRigidBody, createPhysics, type Physics, type PhysicsSettings } from '../../src/index';
import { isLongSuite } from '../setup/suite';

const SOLVERS = ['auto', 'dantzig', 'gauss-seidel', 'contact-admm'] as const;
const G = 9.81;
/** Rods of a linkage pass through each other. */
const GHOST = { layers: 2, mask: 4 };

function world(solver: PhysicsSettings['solver']): Physics {
  return createPhysics(createWorld(), { solver, sleeping: false });
}

/** Steps; returns the fastest and the farthest that any of the bodies ever was, and the largest error of the joints. */
function watch(physics: Physics, bodies: readonly number[], joints: readonly number[], steps: number) {
  const { Transform, Velocity, Joint } = physics.components;
  const seen = { speed: 0, height: 0, error: 0 };
  for (let k = 0; k < steps; k++) {
    physics.step();
    for (const body of bodies) {
      const { x, y, z } = Velocity.linear;
      seen.speed = Math.max(seen.speed, Math.hypot(x[body], y[body], z[body]));
      seen.height = Math.max(seen.height, Math.abs(Transform.position.y[body]));
    }
    for (const joint of joints) seen.error = Math.max(seen.error, Joint.error[joint]);
  }
  return seen;
}

/** What takes the longest: in `npm test` by the solver that games have. */
const dearTest = (solver: string) => (solver === 'auto' || isLongSuite ? it : it.skip);

describe.each(SOLVERS)('with solver %s', (solver) => {
  it('swings a door on two hinges, which share its weight', () => {
    const physics = world(solver);
    const door = addRigidBody(physics, { shape: { box: [0.5, 1, 0.04] }, position: [0.5, 1, 0], mass: 20 });
    const hinges = [0.2, 1.8].map((y) => addJoint(physics, { type: 'hinge', a: door, anchor: [0, y, 0] }));
    const { Velocity, Joint } = physics.components;
    Velocity.angular.y[door] = 1;
    Velocity.linear.z[door] = -0.5;
    const seen = watch(physics, [door], hinges, 120);
    expect(seen.error).toBeLessThan(1e-7);
    expect(Velocity.angular.y[door]).toBeCloseTo(1, 4);
    for (const hinge of hinges) expect(Joint.force.y[hinge]).toBeCloseTo(10 * G, 4);
  });

  it.each(['ball', 'fixed', 'distance'] as const)('rests halfway between two places, one of a %s joint', (type) => {
    const physics = world(solver);
    const body = addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0, 1, 0] });
    const held = addJoint(physics, { type: 'ball', a: body, anchor: [0, 1, 0] });
    if (type === 'distance')
      addJoint(physics, {
        type,
        a: body,
        anchors: [
          [0, 1, 0],
          [0, 3, 0],
        ],
        length: 1,
      });
    else addJoint(physics, { type, a: body, frames: [{ position: [0, 0, 0] }, { position: [0, 2, 0] }] });
    const seen = watch(physics, [body], [held], 200);
    expect(physics.components.Transform.position.y[body]).toBeCloseTo(1.5, 2);
    expect(seen.speed).toBeLessThan(4);
    expect(physics.report.limits.join()).toContain('from where it should be');
  });

  it('swings a door on two hinges that are 2 mm out of line, and names nothing', () => {
    const physics = world(solver);
    const door = addRigidBody(physics, { shape: { box: [0.5, 1, 0.04] }, position: [0.5, 1, 0], mass: 20 });
    const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const hinges = [0, 1].map((i) =>
      addJoint(physics, {
        type: 'hinge',
        a: door,
        frames: [
          { position: [-0.5, 1.6 * i - 0.8, 0], rotation: turn },
          { position: [0.002 * i, 1.6 * i + 0.2, 0], rotation: turn },
        ],
      }),
    );
    const { Velocity } = physics.components;
    Velocity.angular.y[door] = 1;
    Velocity.linear.z[door] = -0.5;
    const seen = watch(physics, [door], hinges, 60);
    expect(seen.error).toBeLessThan(2e-3);
    expect(seen.speed).toBeLessThan(0.6);
    expect(Velocity.angular.y[door]).toBeGreaterThan(0.5);
    expect(physics.report.limits).toEqual([]);
  });

  it('keeps the energy of a four-bar linkage on four hinges, one of them redundant in three ways', () => {
    const physics = world(solver);
    // Crank 1, coupler 1.8, rocker 1.5, ground 2: no change point (Grashof: 1 + 2 < 1.8 + 1.5).
    const [r, l] = [1, 1.8];
    const x = 2 + (1.5 * 1.5 - 1) / 4 - 1;
    expect(x).toBeGreaterThan(0);
    const tip = [0, r];
    const joint = coupler(tip, l, [2, 0], 1.5);
    const rod = (from: readonly number[], to: readonly number[]) => {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
      return addRigidBody(physics, {
        shape: { box: [length / 2, 0.05, 0.05] },
        position: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, 0],
        rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
        mass: length,
        ...GHOST,
      });
    };
    const [crank, bar, rocker] = [rod([0, 0], tip), rod(tip, joint), rod(joint, [2, 0])];
    const hinge = (a: number, b: number | undefined, at: readonly number[]) =>
      addJoint(physics, { type: 'hinge', a, ...(b ? { b } : {}), anchor: [at[0], at[1], 0], axis: [0, 0, 1] });
    const hinges = [hinge(crank, undefined, [0, 0]), hinge(bar, crank, tip), hinge(rocker, bar, joint)];
    hinges.push(hinge(rocker, undefined, [2, 0]));
    const bodies = [crank, bar, rocker];
    const { Transform, Velocity } = physics.components;
    const energy = () => {
      let sum = 0;
      for (const [i, length] of [1, l, 1.5].entries()) {
        const body = bodies[i];
        const spin = (length * (length * length + 0.01)) / 12;
        sum += length * G * Transform.position.y[body] + 0.5 * spin * Velocity.angular.z[body] ** 2;
        sum += 0.5 * length * (Velocity.linear.x[body] ** 2 + Velocity.linear.y[body] ** 2);
      }
      return sum;
    };
    physics.step();
    const before = energy();
    const seen = watch(physics, bodies, hinges, 240);
    expect(seen.error).toBeLessThan(1e-5);
    expect(seen.speed).toBeGreaterThan(2);
    expect(Math.abs(energy() - before)).toBeLessThan(0.05 * 4.3 * G);
  });

  it('holds a body in the middle of two fixed joints that want it apart, and names the error', () => {
    const physics = world(solver);
    const box = addRigidBody(physics, { shape: { box: [0.5, 0.3, 0.2] }, mass: 2 });
    const joints = [-1, 1].map((s) =>
      addJoint(physics, {
        type: 'fixed',
        a: box,
        frames: [{}, { position: [0.1 * s, 0, 0], rotation: [0, 0, Math.sin(0.1 * s), Math.cos(0.1 * s)] }],
      }),
    );
    const seen = watch(physics, [box], joints, 120);
    const { Transform, Joint } = physics.components;
    const { position, rotation } = Transform;
    for (const value of [position.x[box], position.y[box], position.z[box], rotation.z[box]]) {
      expect(Math.abs(value)).toBeLessThan(1e-6);
    }
    expect(seen.speed).toBeLessThan(1e-3);
    // 0.1 m from either, and 0.2 rad: the larger of the two.
    expect(Joint.error[joints[0]]).toBeCloseTo(0.2, 5);
    expect(Joint.force.y[joints[0]] + Joint.force.y[joints[1]]).toBeCloseTo(2 * G, 3);
    expect(physics.report.residual).toBeGreaterThan(0.1);
    expect(physics.report.limits.join()).toMatch(/^joint \d+ is 0\.200 rad from where it should be/);
  });

  dearTest(solver)('hangs a ball between two rods that are too short where it stretches them least', () => {
    const physics = world(solver);
    const ball = addRigidBody(physics, { shape: { sphere: 0.2 }, position: [0.3, 0.2, 0], mass: 2 });
    const rods = [-2, 2].map((x) =>
      addJoint(physics, {
        type: 'distance',
        a: ball,
        length: 1.9,
        anchors: [
          [0.3, 0.2, 0],
          [x, 0, 0],
        ],
      }),
    );
    const seen = watch(physics, [ball], rods, 300);
    const { Transform, Joint } = physics.components;
    expect(Math.abs(Transform.position.x[ball])).toBeLessThan(1e-3);
    expect(Math.abs(Transform.position.y[ball])).toBeLessThan(1e-2);
    for (const rod of rods) expect(Joint.error[rod]).toBeCloseTo(0.1, 3);
    expect(seen.speed).toBeLessThan(6);
  });

  it('lets two driven bodies pull a beam apart without throwing it', () => {
    const physics = world(solver);
    const hands = [-1, 1].map((s) =>
      addRigidBody(physics, {
        type: 'kinematic',
        shape: { sphere: 0.1 },
        position: [s, 0, 0],
        velocity: [0.3 * s, 0, 0],
      }),
    );
    const beam = addRigidBody(physics, { shape: { box: [0.8, 0.1, 0.1] }, mass: 2 });
    const joints = hands.map((b, i) => addJoint(physics, { type: 'ball', a: beam, b, anchor: [2 * i - 1, 0, 0] }));
    const seen = watch(physics, [beam], joints, 180);
    expect(seen.speed).toBeLessThan(0.1);
    expect(seen.height).toBeLessThan(1e-3);
    expect(seen.error).toBeCloseTo(0.9, 2);
  });

  dearTest(solver)('stretches a bridge that is too short over all its joints', () => {
    const physics = world(solver);
    const planks = Array.from({ length: 12 }, (_, i) =>
      addRigidBody(physics, { shape: { box: [0.5, 0.05, 0.3] }, position: [i - 5.5, 0, 0], mass: 2, ...GHOST }),
    );
    const joints = planks
      .slice(1)
      .map((b, i) => addJoint(physics, { type: 'ball', a: planks[i], b, anchor: [i - 5, 0, 0] }));
    for (const s of [-1, 1]) {
      const frames = [{ position: [0.5 * s, 0, 0] }, { position: [6.2 * s, 0, 0] }] as const;
      joints.push(addJoint(physics, { type: 'ball', a: planks[s < 0 ? 0 : 11], frames }));
    }
    const seen = watch(physics, planks, joints, 240);
    expect(seen.speed).toBeLessThan(10);
    expect(seen.height).toBeLessThan(1.5);
    // 0.4 m over 13 joints are 0.03 m each.
    for (const joint of joints) expect(physics.components.Joint.error[joint]).toBeLessThan(0.12);
  });
});

describe('motors without a limit', () => {
  it('turn at the mean of two that contradict each other, and give way to what holds', () => {
    for (const solver of SOLVERS) {
      const physics = world(solver);
      const bar = addRigidBody(physics, { shape: { box: [0.5, 0.1, 0.1] }, position: [0.5, 0, 0], mass: 2 });
      const hinge = { type: 'hinge', a: bar, anchor: [0, 0, 0], axis: [0, 0, 1] } as const;
      for (const velocity of [1, -2]) addJoint(physics, { ...hinge, motor: { velocity } });
      watch(physics, [bar], [], 30);
      expect(physics.components.Velocity.angular.z[bar]).toBeCloseTo(-0.5, 1);
      const weld = addJoint(physics, { type: 'fixed', a: bar });
      const seen = watch(physics, [bar], [weld], 60);
      expect(seen.error).toBeLessThan(0.02);
      expect(Math.abs(physics.components.Velocity.angular.z[bar])).toBeLessThan(0.01);
    }
  });
});

/** Where a circle of radius a about p and one of radius b about q meet, above. */
function coupler(p: readonly number[], a: number, q: readonly number[], b: number): number[] {
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  const d = Math.hypot(dx, dy);
  const along = (a * a - b * b + d * d) / (2 * d);
  const up = Math.sqrt(a * a - along * along);
  return [p[0] + (along * dx - up * dy) / d, p[1] + (along * dy + up * dx) / d];
}
