// Fur: strands that grow on an elastic solid, with what they weigh, wherever that goes.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { captureElasticProblem } from '../../src/dynamics/elastic/capture-elastic';
import { collectRoots, storeRoots } from '../../src/dynamics/elastic/solid-roots';
import {
  addGroom,
  addRigidBody,
  addRod,
  addScene,
  addShell,
  addSolid,
  createPhysics,
  growOn,
  type Physics,
  type PhysicsSettings,
  placeSolid,
  readScene,
  removeSolid,
  rodPositions,
  solidPositions,
  writeScene,
} from '../../src/index';
import { readProblem, writeProblem } from '../../src/scene/problem';
import { createAdmmProblem } from '../../src/solvers/admm/problem';
import { STRAND_QUARANTINED } from '../../src/state/layout';
import { box } from '../mechanics/solid/solid-world';
import { bySuite, longTest } from '../setup/suite';

const world = (settings: PhysicsSettings = {}) => createPhysics(createWorld(), { userTiming: false, ...settings });

const SIDE = 0.3;

/** A cube whose lowest corner is at `height`, and a tuft on its top: `rows` × `rows` straight hairs that stand up. */
function furry(physics: Physics, height: number, rows = 4, over: { length?: number; radius?: number } = {}) {
  const mesh = box([2, 2, 2], [-SIDE / 2, height, -SIDE / 2], [SIDE / 2, height + SIDE, SIDE / 2]);
  const solid = addSolid(physics, {
    ...{ vertices: mesh.vertices, tetrahedra: mesh.tetrahedra, youngModulus: 5e4, damping: 0.02, radius: 0.005 },
  });
  const { length = 0.08, radius = 0.001 } = over;
  const points = 5;
  const positions: number[] = [];
  for (let i = 0; i < rows * rows; i++) {
    const [x, z] = [i % rows, Math.floor(i / rows)].map((k) => 0.7 * SIDE * ((k + 0.5) / rows - 0.5));
    for (let k = 0; k < points; k++) positions.push(x, height + SIDE + (length * k) / (points - 1), z);
  }
  const groom = addGroom(physics, {
    strands: { counts: new Array(rows * rows).fill(points), positions },
    ...{ radius, density: 1300, youngModulus: 1e8, damping: 0.005, clampStart: false },
  });
  growOn(physics, groom, solid);
  return { solid, groom, points, rows, edge: length / (points - 1) };
}

/** How far the first two nodes of the strands are from where they were over the cube's top, and that one's tilt. */
function rootErrors(physics: Physics, { solid, groom, points, rows, edge }: ReturnType<typeof furry>): number {
  const { tables } = physics.internal.engine;
  const { strands, nodes, rods } = tables;
  const x = rodPositions(physics, groom);
  const origin = strands.first[rods.strandStart[physics.internal.rods.slotOf[solid]]];
  let worst = 0;
  for (let s = 0; s < rows * rows; s++) {
    const strand = rods.strandStart[physics.internal.rods.slotOf[groom]] + s;
    const at = (k: number, c: number) => nodes.position[4 * (origin + strands.root[4 * strand + 1 + k]) + c];
    const [u, v] = [1, 2].map((k) => [0, 1, 2].map((c) => at(k, c) - at(0, c)));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n);
    for (const [node, height] of [
      [0, 0],
      [1, edge],
    ]) {
      const place = strands.rootPlace.subarray(8 * strand + 4 * node, 8 * strand + 4 * node + 3);
      const off = [0, 1, 2].map((c) => {
        const foot = place[0] * at(0, c) + place[1] * at(1, c) + place[2] * at(2, c);
        return x[3 * (points * s + node) + c] - foot - (height * n[c]) / length;
      });
      worst = Math.max(worst, Math.hypot(...off));
    }
  }
  return worst;
}

const lowest = (x: Float64Array) => Math.min(...x.filter((_, k) => k % 3 === 1));

const WAYS: [string, PhysicsSettings['elastic']][] = [
  ['wasm', { backend: 'wasm' }],
  ['reference', { backend: 'reference' }],
  ['conjugate residuals', { solver: 'conjugate-residual' }],
];
test.each(WAYS)('hair goes along with a cube that falls, lands and rests (%s)', (name, elastic) => {
  const physics = world({ elastic, sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const fur = furry(physics, bySuite(0.05, 0.15), bySuite(2, 3));
  let worst = 0;
  for (let k = 0; k < bySuite(60, 90); k++) {
    physics.step();
    worst = Math.max(worst, rootErrors(physics, fur));
  }
  process.env.SHOW_ERRORS && console.log(name, worst, rootErrors(physics, fur), physics.report.strands.residual);
  expect(worst).toBeLessThan(2e-3);
  expect(rootErrors(physics, fur)).toBeLessThan(1e-4);
  // It stands on the cube, which lies on the ground.
  const x = rodPositions(physics, fur.groom);
  expect(lowest(x)).toBeGreaterThan(0.9 * SIDE);
  expect(lowest(solidPositions(physics, fur.solid))).toBeCloseTo(0.005, 3);
  expect(physics.report.quarantined).toEqual([]);
});

test('the solid bears what grows on it: together they keep their momentum', () => {
  const physics = world({ gravity: [0, 0, 0], sleeping: false });
  // Hair of as much mass as a sixth of the cube, which is thrown by its hair.
  const fur = furry(physics, 0, 3, { radius: 0.02, length: 0.2 });
  physics.step();
  const { nodes } = physics.internal.engine.tables;
  const all = physics.report.strands.nodes;
  const momentum = () => {
    let sum = 0;
    for (let n = 0; n < all; n++) sum += nodes.mass[2 * n] * nodes.velocity[4 * n];
    return sum;
  };
  const strand = physics.internal.engine.tables.rods.nodeStart[physics.internal.rods.slotOf[fur.groom]];
  for (let n = 0; n < 9 * fur.points; n++) nodes.velocity[4 * (strand + n)] = 1;
  const before = momentum();
  for (let k = 0; k < 60; k++) physics.step();
  process.env.SHOW_ERRORS && console.log('momentum', before, momentum(), rootErrors(physics, fur));
  expect(momentum() / before).toBeCloseTo(1, 2);
  expect(rootErrors(physics, fur)).toBeLessThan(1e-3);
});

test('fur and solid fall asleep together, wake together, and a restored run repeats to the bit', () => {
  const physics = world();
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const fur = furry(physics, 0.01, 2);
  for (let k = 0; k < 400 && physics.report.strands.asleep < 5; k++) physics.step();
  expect(physics.report.strands.asleep).toBe(5);
  const crate = addRigidBody(physics, { shape: { box: [0.05, 0.05, 0.05] }, position: [0.1, 0.6, 0.1], mass: 0.5 });
  for (let k = 0; k < 20; k++) physics.step();
  expect(physics.report.strands.asleep).toBe(0);
  const snapshot = physics.snapshot();
  const go = () => {
    for (let k = 0; k < 15; k++) physics.step();
    return physics.hash();
  };
  const first = go();
  physics.restore(snapshot);
  expect(go()).toBe(first);
  expect(rootErrors(physics, fur)).toBeLessThan(2e-3);
  expect(crate).toBeGreaterThan(0);
});

test('a solid that is placed takes its fur along; one that goes lets it fall', () => {
  const physics = world({ gravity: [0, -9.81, 0] });
  const fur = furry(physics, 1, 2);
  physics.step();
  const x = solidPositions(physics, fur.solid);
  // A quarter turn about z, and up.
  placeSolid(
    physics,
    fur.solid,
    Float64Array.from(x, (_, k) => [-x[k + 1] + 1, x[k - 1] + 2, x[k]][k % 3]),
  );
  expect(rootErrors(physics, fur)).toBeLessThan(1e-3);
  for (let k = 0; k < 5; k++) physics.step();
  expect(rootErrors(physics, fur)).toBeLessThan(2e-3);
  removeSolid(physics, fur.solid);
  const high = lowest(rodPositions(physics, fur.groom));
  for (let k = 0; k < 30; k++) physics.step();
  expect(lowest(rodPositions(physics, fur.groom))).toBeLessThan(high - 0.5);
});

test('scene files have it, and name a solid that is none', () => {
  const mesh = box([1, 1, 1], [0, 0, 0], [0.2, 0.2, 0.2]);
  const three = (x: ArrayLike<number>, width: number) =>
    Array.from({ length: x.length / width }, (_, i) => Array.from({ length: width }, (_, k) => x[width * i + k]));
  const solid = { name: 'cube', vertices: three(mesh.vertices, 3), tetrahedra: three(mesh.tetrahedra, 4) };
  const points = [0, 1, 2].map((k) => [0.1, 0.2 + 0.02 * k, 0.1]);
  const rod = { name: 'hair', points, radius: 0.001, growOn: 'cube' };
  const scene = readScene({ version: 1, solids: [solid], rods: [rod] });
  expect(readScene(writeScene(scene))).toEqual(scene);
  const physics = world();
  const { rods, solids } = addScene(physics, scene);
  for (let k = 0; k < 30; k++) physics.step();
  const [hair, cube] = [rodPositions(physics, rods.get('hair')!), solidPositions(physics, solids.get('cube')!)];
  // Both have fallen the same way.
  expect(hair[1] - lowest(cube)).toBeCloseTo(0.2, 2);
  expect(() => readScene({ version: 1, solids: [solid], rods: [{ ...rod, growOn: 'ball' }] })).toThrow(
    'rods[0].growOn: no such solid, got "ball"',
  );
});

test('strands of something else, and solids that are none, are refused', () => {
  const physics = world();
  const fur = furry(physics, 1, 2);
  const rod = addRod(physics, { points: [0, 0, 0, 0, 1, 0] });
  expect(() => growOn(physics, fur.solid, fur.solid)).toThrow(/growOn: entity must be a rod or groom of this world/);
  expect(() => growOn(physics, rod, rod)).toThrow(/growOn: entity must be a solid of this world/);
});

test('strands far from the solid are refused, and stay as they are', () => {
  const physics = world();
  const { solid } = furry(physics, 1, 2);
  const top = 1 + SIDE;
  const rod = addRod(physics, { points: [0, top + 10, 0, 0, top + 10.1, 0, 0, top + 10.2, 0] });
  expect(() => growOn(physics, rod, solid)).toThrow(
    'growOn: strands must begin within 0.212 m (its longest edge) of the solid\'s surface, got "strand 0, 10.0 m away"',
  );
  const near = addRod(physics, { points: [0, top + 0.1, 0, 0, top + 0.2, 0, 0, top + 0.3, 0] });
  expect(() => growOn(physics, near, solid)).not.toThrow();
  for (let k = 0; k < 30; k++) physics.step();
  expect(rodPositions(physics, rod)[1]).toBeLessThan(top + 9.5);
});

test('what bears a hair stays with it where a solve puts another hair in quarantine', () => {
  const physics = world();
  const fur = furry(physics, 0, 2);
  for (let k = 0; k < 3; k++) physics.step();
  const { engine, rods } = physics.internal;
  const { strands } = engine.tables;
  const contacts = createAdmmProblem().contacts;
  collectRoots(engine, contacts);
  const first = engine.tables.rods.strandStart[rods.slotOf[fur.groom]];
  const before = strands.rootForce.slice(8 * first, 8 * first + 32);
  expect(before.some((x) => x !== 0)).toBe(true);
  contacts.force.fill(Number.NaN, 0, 8);
  strands.flags[first] |= STRAND_QUARANTINED;
  storeRoots(engine, contacts, 0, contacts.count);
  expect(strands.rootForce.slice(8 * first, 8 * first + 8)).toEqual(new Float64Array(8));
  expect(strands.rootForce.slice(8 * first + 8, 8 * first + 32)).toEqual(before.slice(8));
});

test('the problem of a furry cube on the ground is a file that can be read', () => {
  const physics = world({ sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  furry(physics, 0.004, 2);
  for (let k = 0; k < 5; k++) physics.step();
  let text = '';
  physics.schedule.before('solve-contacts', () => {
    const file = captureElasticProblem(physics.internal.engine);
    text = file ? writeProblem({ version: 1, form: 'full', ...file }) : '';
  });
  physics.step();
  const { bilateral, mu } = readProblem(text);
  expect(Array.from(bilateral ?? []).filter((x) => x === 1).length).toBe(8);
  expect(Math.min(...mu)).toBe(0);
});

longTest('a furry cube falls through a hanging cloth', () => {
  const physics = world({ timeStep: 1 / 120 });
  const columns = 9;
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < columns * columns; i++) {
    const [u, v] = [i % columns, Math.floor(i / columns)];
    vertices.push(0.8 * (u / (columns - 1) - 0.5), 0.5, 0.8 * (v / (columns - 1) - 0.5));
    if (u + 1 === columns || v + 1 === columns) continue;
    triangles.push(i, i + columns, i + 1, i + 1, i + columns, i + columns + 1);
  }
  addShell(physics, { vertices, triangles, thickness: 0.004, density: 300, stretchModulus: 1e5, pins: [0, 8, 72, 80] });
  const fur = furry(physics, 0.7, 4);
  let worst = 0;
  for (let k = 0; k < 120; k++) {
    physics.step();
    worst = Math.max(worst, rootErrors(physics, fur));
  }
  process.env.SHOW_ERRORS && console.log('cloth', worst);
  expect(worst).toBeLessThan(5e-3);
  expect(physics.report.quarantined).toEqual([]);
});
