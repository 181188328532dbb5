// A crowd of bodies that begin at one point parts to all sides, slowly enough, and is told of meanwhile.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, createPhysics, readPosition, type ShapeSpec } from '../../src/index';
import { bySuite } from '../setup/suite';

const OCTAHEDRON = [0, 1, 2].flatMap((k) => [-0.3, 0.3].map((x) => [0, 1, 2].map((i) => (i === k ? x : 0))));
const SHAPES: Record<string, ShapeSpec> = {
  boxes: { box: [0.25, 0.25, 0.25] },
  planks: { box: [0.4, 0.05, 0.1] },
  balls: { sphere: 0.25 },
  capsules: { capsule: [0.15, 0.25] },
  cylinders: { cylinder: [0.25, 0.25] },
  hulls: { hull: OCTAHEDRON as [number, number, number][] },
  compounds: { compound: [{ shape: { box: [0.2, 0.1, 0.1] } }, { shape: { sphere: 0.15 }, position: [0.2, 0, 0] }] },
};
const COUNT = bySuite(16, 100);
const STEPS = 300;

/** Compounds are of a box and a ball each. */
const TESTED = bySuite(['balls', 'compounds'], Object.keys(SHAPES));

test.each(TESTED)('%s begun at one point', (name) => {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { box: [50, 1, 50] }, position: [0, -1, 0] });
  const bodies = Array.from({ length: COUNT }, () =>
    addRigidBody(physics, { shape: SHAPES[name], position: [0, 1, 0] }),
  );
  const { position } = physics.components.Transform;
  const { linear } = physics.components.Velocity;
  const notes = new Set<string>();
  let fastest = 0;
  let highest = 0;
  for (let step = 0; step < STEPS; step++) {
    physics.step();
    for (const note of physics.report.limits) notes.add(note);
    for (const e of bodies) {
      fastest = Math.max(fastest, Math.hypot(linear.x[e], linear.y[e], linear.z[e]));
      highest = Math.max(highest, position.y[e]);
    }
  }
  // Told are those that take longer than half a second.
  expect([...notes].filter((note) => !note.includes('deep inside others'))).toEqual([]);
  expect(physics.report.quarantined).toEqual([]);
  // What falls from where the highest was pushed has no more.
  expect(fastest).toBeLessThan(1.05 * Math.sqrt(2 * 9.81 * highest));
  expect(physics.report.penetration).toBeLessThan(0.02);
  // Planks are thinnest upwards: they part into one stack.
  for (const axis of name === 'planks' ? [] : (['x', 'z'] as const)) {
    const places = bodies.map((e) => position[axis][e]);
    expect(Math.max(...places) - Math.min(...places), axis).toBeGreaterThan(0.5);
  }
});

test('columns grow once for all touches that begin in a step', () => {
  const physics = createPhysics(createWorld());
  for (let k = 0; k < 60; k++) addRigidBody(physics, { shape: SHAPES.boxes });
  const { Contact } = physics.components;
  const { columns } = physics.internal;
  const arrays = new Set<unknown>();
  const { ensure } = columns;
  columns.ensure = (eid) => {
    ensure(eid);
    arrays.add(Contact.pointCount);
  };
  physics.step();
  // 1770 pairs: as they come the columns would be doubled five times.
  expect(columns.capacity).toBe(2048);
  expect(arrays.size).toBeLessThanOrEqual(2);
});

test('more contacts than a matrix has room for are swept, whatever solver is asked for', () => {
  const physics = createPhysics(createWorld(), { solver: 'dantzig' });
  for (let k = 0; k < 60; k++) addRigidBody(physics, { shape: SHAPES.boxes });
  physics.step();
  expect(physics.report.solvers.sweeps.islands).toBe(1);
  expect(physics.report.limits.join()).toMatch(/'dantzig' found no answer/);
});

test('a sensor in the same place moves nothing', () => {
  const ends = [false, true].map((hasSensor) => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const place = { position: [0, 0.3, 0] };
    const box = addRigidBody(physics, { shape: { box: [0.5, 0.3, 0.4] }, ...place });
    if (hasSensor) addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.8 }, ...place, sensor: true });
    for (let i = 0; i < 30; i++) physics.step();
    return readPosition(physics, box, [0, 0, 0]);
  });
  expect(ends[1]).toEqual(ends[0]);
});
