// What lies or hangs on bodies that joints hold is borne by what these hold to, whatever it weighs.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import {
  addJoint,
  addRagdoll,
  addRigidBody,
  addRod,
  addShell,
  addSolid,
  attach,
  attachmentDistance,
  createPhysics,
  type JointSpec,
  type Physics,
  type PhysicsSettings,
  personBones,
  shellPositions,
  solidPositions,
} from '../../src/index';
import { bySuite, longTest } from '../setup/suite';

const GRAVITY = 9.81;
/** Corners of a cube's six tetrahedra about its diagonal. */
const AROUND = [4, 6, 2, 3, 1, 5];

/** A box of cells of edge 0.1 m whose underside is at `height`. */
function box([nx, ny, nz]: readonly number[], height: number) {
  const number = (i: number, j: number, k: number) => (i * (ny + 1) + j) * (nz + 1) + k;
  const vertices: number[][] = [];
  const tetrahedra: number[][] = [];
  for (let i = 0; i <= nx; i++)
    for (let j = 0; j <= ny; j++)
      for (let k = 0; k <= nz; k++) {
        vertices.push([0.1 * (i - nx / 2), height + 0.1 * j, 0.1 * (k - nz / 2)]);
        if (i === nx || j === ny || k === nz) continue;
        const corner = (c: number) => number(i + (c >> 2), j + ((c >> 1) & 1), k + (c & 1));
        AROUND.forEach((c, at) => {
          tetrahedra.push([corner(0), corner(c), corner(AROUND[(at + 1) % 6]), corner(7)]);
        });
      }
  return {
    vertices: vertices as [number, number, number][],
    tetrahedra: tetrahedra as [number, number, number, number][],
  };
}

/** A square sheet of n × n cells. */
function sheet(n: number, size: number, height: number) {
  const vertices: [number, number, number][] = [];
  const triangles: [number, number, number][] = [];
  for (let j = 0; j <= n; j++)
    for (let i = 0; i <= n; i++) {
      vertices.push([size * (i / n - 0.5), height, size * (j / n - 0.5)]);
      if (i === n || j === n) continue;
      const [a, c] = [j * (n + 1) + i, n + 1];
      if ((i + j) % 2 === 0) triangles.push([a, a + c, a + c + 1], [a, a + c + 1, a + 1]);
      else triangles.push([a, a + c, a + 1], [a + 1, a + c, a + c + 1]);
    }
  return { vertices, triangles };
}

const lowest = (points: ArrayLike<number>) => Math.min(...Array.from(points).filter((_, i) => i % 3 === 1));

/** A board of 5 kg, 1 m above the ground, with what holds it. */
function board(settings: PhysicsSettings, ...joints: Partial<JointSpec>[]): { physics: Physics; joint: number } {
  const physics = createPhysics(createWorld(), settings);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const a = addRigidBody(physics, { mass: 5, shape: { box: [0.6, 0.03, 0.6] }, position: [0, 1, 0] });
  const [joint] = joints.map((spec) => addJoint(physics, { anchor: [0, 1, 0], ...spec, a } as JointSpec));
  return { physics, joint };
}

const HOLDS: Record<string, Partial<JointSpec>[]> = {
  'a weld': [{ type: 'fixed' }],
  'a hinge and a ball joint': [
    { type: 'hinge', anchor: [-0.6, 1, 0], axis: [0, 0, 1] },
    { type: 'ball', anchor: [0.6, 1, 0] },
  ],
  'a slider at its limit': [{ type: 'slider', axis: [0, 1, 0], limits: [0, 1] }],
  'a motor': [{ type: 'slider', axis: [0, 1, 0], motor: { target: 0, maxForce: 2e4 } }],
};

test.each(
  bySuite<('wasm' | 'reference')[]>(['wasm'], ['wasm', 'reference']).flatMap((backend) =>
    Object.keys(HOLDS)
      .filter((name) => bySuite(/weld|slider/, /./).test(name))
      .map((name) => [name, backend] as const),
  ),
)('a board held by %s bears jelly of 0.16 to 160 times its weight (%s)', (name, backend) => {
  for (const density of [100, 1e3, 1e5]) {
    const { physics } = board({ elastic: { backend } }, ...HOLDS[name]);
    const jelly = addSolid(physics, { ...box([2, 2, 2], 1.04), density, youngModulus: 100 * density, damping: 0.01 });
    for (let i = 0; i < 40; i++) physics.step();
    expect(lowest(solidPositions(physics, jelly))).toBeGreaterThan(1.02);
    expect(physics.report.joints.error).toBeLessThan(1e-6);
  }
});

test('the joint tells what it bears: board and jelly', () => {
  const { physics, joint } = board({ sleeping: false }, { type: 'fixed' });
  addSolid(physics, { ...box([2, 2, 2], 1.031), density: 1000, youngModulus: 1e5, damping: 0.05 });
  for (let i = 0; i < 120; i++) physics.step();
  expect(physics.components.Joint.force.y[joint] / ((5 + 8) * GRAVITY)).toBeCloseTo(1, 2);
});

test('a spring gives way under board and jelly as far as statics says', () => {
  const spring = { frequency: 3, dampingRatio: 1 };
  const { physics, joint } = board({}, { type: 'slider', axis: [0, 1, 0], limits: [0, 0], spring });
  addSolid(physics, { ...box([2, 2, 2], 1.04), density: 1000, youngModulus: 1e5, damping: 0.05 });
  for (let i = 0; i < 120; i++) physics.step();
  const stiffness = 5 * (2 * Math.PI * spring.frequency) ** 2;
  expect((-physics.components.Joint.value[joint] * stiffness) / (13 * GRAVITY)).toBeCloseTo(1, 2);
});

test('a motor that is too weak for both lets them down with the acceleration that is left', () => {
  const force = 0.5 * 13 * GRAVITY;
  const { physics } = board({}, { type: 'slider', axis: [0, 1, 0], motor: { velocity: 0, maxForce: force } });
  const jelly = addSolid(physics, { ...box([2, 2, 2], 1.0301), density: 1000, youngModulus: 1e6, damping: 0.05 });
  const before = lowest(solidPositions(physics, jelly));
  for (let i = 0; i < 24; i++) physics.step();
  const time = 24 / 60;
  expect((before - lowest(solidPositions(physics, jelly))) / (0.25 * GRAVITY * time * time)).toBeCloseTo(1, 1);
});

test.each(bySuite<('wasm' | 'reference')[]>(['wasm'], ['wasm', 'reference']))(
  'a load of ten times the arm it hangs from by a rope stays there (%s)',
  (backend) => {
    const physics = createPhysics(createWorld(), { elastic: { backend } });
    const pole = addRigidBody(physics, { mass: 2, shape: { box: [0.5, 0.02, 0.02] }, position: [0, 3, 0] });
    addJoint(physics, { type: 'fixed', a: pole, anchor: [-0.5, 3, 0] });
    const points = Array.from({ length: 11 }, (_, i) => [0.5, 2.98 - 0.1 * i, 0]);
    const rod = addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e9 });
    const top = attach(physics, { rod, node: 0, body: pole });
    const load = addRigidBody(physics, { shape: { sphere: 0.1 }, mass: 20, position: [0.5, 1.88, 0] });
    attach(physics, { rod, node: 10, body: load, point: [0, 0.1, 0] });
    for (let i = 0; i < 120; i++) physics.step();
    expect(physics.components.Transform.position.y[load]).toBeGreaterThan(1.86);
    expect(attachmentDistance(physics, top)).toBeLessThan(1e-4);
  },
);

longTest('a doll falls on a sheet and lies on it, its joints shut; going back repeats it', () => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const mesh = sheet(12, 2, 1.2);
  const pins = mesh.vertices.flatMap(([x, , z], i) => (Math.abs(x) > 0.99 || Math.abs(z) > 0.99 ? [i] : []));
  const cloth = addShell(physics, {
    ...{ ...mesh, pins, thickness: 0.01, density: 80, stretchModulus: 2e6 },
    ...{ bendingModulus: 5e4, damping: 0.003, friction: 0.6 },
  });
  const { bodies } = addRagdoll(physics, personBones([0, 1.25, 0], 1.2));
  let worst = 0;
  const run = (steps: number) => {
    for (let i = 0; i < steps; i++) {
      physics.step();
      worst = Math.max(worst, physics.report.joints.error);
    }
  };
  run(60);
  const middle = physics.snapshot();
  run(20);
  const end = physics.hash();
  const { y } = physics.components.Transform.position;
  const under = [...bodies].filter(([, eid]) => y[eid] < lowest(shellPositions(physics, cloth)));
  expect(under).toEqual([]);
  expect(worst).toBeLessThan(1e-4);
  physics.restore(middle);
  run(20);
  expect(physics.hash()).toBe(end);
});

longTest('jelly on a bridge of hinged planks lies on the planks', () => {
  const physics = createPhysics(createWorld());
  const planks = Array.from({ length: 10 }, (_, k) =>
    addRigidBody(physics, { shape: { box: [0.105, 0.03, 0.8] }, mass: 10, position: [-0.99 + 0.22 * k, 1, 0] }),
  );
  for (let k = 0; k <= 10; k++) {
    const second = k > 0 && k < 10 ? { b: planks[k - 1] } : {};
    addJoint(physics, {
      ...{ type: 'hinge', a: planks[Math.min(k, 9)], ...second },
      ...{ anchor: [-1.1 + 0.22 * k, 1, 0], axis: [0, 0, 1] },
    } as JointSpec);
  }
  const jelly = addSolid(physics, { ...box([3, 2, 3], 1.05), youngModulus: 1e5, damping: 0.01 });
  for (let i = 0; i < 120; i++) physics.step();
  const { y } = physics.components.Transform.position;
  expect(lowest(solidPositions(physics, jelly))).toBeGreaterThan(Math.min(...planks.map((eid) => y[eid])));
});

test('a bridge of hinged planks that hangs by little bears jelly, its hinges shut', () => {
  const physics = createPhysics(createWorld(), { userTiming: false, sleeping: false });
  const at = (k: number): [number, number, number] => [0.3 * k - 1.2, 1 - 0.1 * (1 - (k / 4 - 1) ** 2), 0];
  const planks = Array.from({ length: 8 }, (_, k) => {
    const [a, b] = [at(k), at(k + 1)];
    const slope = 0.5 * Math.atan2(b[1] - a[1], b[0] - a[0]);
    return addRigidBody(physics, {
      ...{ shape: { box: [0.14, 0.03, 0.5] }, mass: 12 },
      ...{ position: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0], rotation: [0, 0, Math.sin(slope), Math.cos(slope)] },
    });
  });
  for (let k = 0; k <= 8; k++) {
    const second = k > 0 && k < 8 ? { b: planks[k - 1] } : {};
    addJoint(physics, {
      ...{ type: 'hinge', a: planks[Math.min(k, 7)], ...second },
      ...{ anchor: at(k), axis: [0, 0, 1] },
    } as JointSpec);
  }
  addSolid(physics, { ...box([3, 2, 2], 0.96), youngModulus: 1e5, density: 5000, damping: 0.01 });
  let worst = 0;
  for (let k = 0; k < bySuite(100, 300); k++) {
    physics.step();
    worst = Math.max(worst, physics.report.joints.error);
  }
  expect(worst).toBeLessThan(1e-4);
  const { y } = physics.components.Transform.position;
  expect(Math.min(...planks.map((eid) => y[eid]))).toBeGreaterThan(0.88);
});
