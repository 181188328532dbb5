import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addJoint, addRigidBody, addRod, createDrawList, createPhysics, drawDebug, removeJoint } from '../../src/index';

/** A box that rests on a plane, after a second. */
function restingBox(sleeping: boolean) {
  const physics = createPhysics(createWorld(), { sleeping });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] });
  for (let i = 0; i < 60; i++) physics.step();
  return physics;
}

test('contacts are points under the box, their impulses arrows of at most a metre along the normal', () => {
  const physics = restingBox(false);
  const list = createDrawList();
  drawDebug(physics, list, { contacts: true, impulses: true });
  expect([list.pointCount, list.lineCount]).toEqual([4, 4]);
  for (let i = 0; i < 4; i++) {
    expect(Math.abs(list.points[3 * i])).toBeCloseTo(0.5, 4);
    expect(list.points[3 * i + 1]).toBeCloseTo(0, 4);
    const [x0, y0, z0, x1, y1, z1] = list.lines.subarray(6 * i, 6 * i + 6);
    expect(Math.hypot(x1 - x0, z1 - z0)).toBeLessThan(1e-3);
    expect(Math.abs(y1 - y0)).toBeCloseTo(1, 2);
  }
  drawDebug(physics, list, {});
  expect([list.pointCount, list.lineCount]).toEqual([0, 0]);
});

test('a friction cone is as high as its impulse presses and friction times as wide, with the impulse inside', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.4 });
  addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0], friction: 0.4 });
  for (let i = 0; i < 60; i++) physics.step();
  const list = createDrawList();
  drawDebug(physics, list, { cones: true });
  // An arrow, a rim of 16 sides and four sides for each of four points.
  expect(list.lineCount).toBe(4 * 21);
  const [x0, y0, z0, x1, y1, z1] = list.lines.subarray(0, 6);
  const height = Math.abs(y1 - y0);
  expect(height).toBeCloseTo(1, 2);
  for (let i = 1; i < 21; i++) {
    const [x, y, z] = list.lines.subarray(6 * i + 3, 6 * i + 6);
    expect(Math.abs(y - y0)).toBeCloseTo(height, 5);
    expect(Math.hypot(x - x0, z - z0)).toBeCloseTo(0.4 * height, 5);
  }
  expect(Math.hypot(x1 - x0, z1 - z0)).toBeLessThan(0.4 * height);
});

test('the line of thrust goes from one centre of pressure to the next', () => {
  const physics = createPhysics(createWorld(), { sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  // The upper box lies aside: the lower one is pressed aside of its middle above, and half as far below.
  addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] });
  addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0.2, 1.5, 0] });
  for (let i = 0; i < 60; i++) physics.step();
  const list = createDrawList();
  drawDebug(physics, list, { thrust: true });
  expect(list.lineCount).toBe(1);
  const ends = [...list.lines.subarray(0, 6)];
  const [low, high] = ends[1] < ends[4] ? [ends.slice(0, 3), ends.slice(3)] : [ends.slice(3), ends.slice(0, 3)];
  expect(low[0]).toBeCloseTo(0.1, 3);
  expect(high[0]).toBeCloseTo(0.2, 3);
  expect([low[1], high[1]]).toEqual([expect.closeTo(0, 3), expect.closeTo(1, 3)]);
});

test('tension colours a hanging rope from blue at its free end to red where all of it hangs', () => {
  const physics = createPhysics(createWorld());
  const points = Array.from({ length: 9 }, (_, i) => [0, -0.1 * i, 0]);
  addRod(physics, { points, radius: 0.01, youngModulus: 1e6, damping: 0.05, clampStart: true });
  for (let i = 0; i < 240; i++) physics.step();
  const list = createDrawList();
  drawDebug(physics, list, { tension: true });
  expect(list.lineCount).toBe(7);
  const [first, last] = [list.lineColors.subarray(0, 3), list.lineColors.subarray(24, 27)];
  expect([...first]).toEqual([expect.closeTo(0.95, 2), expect.closeTo(0.2, 2), expect.closeTo(0.15, 2)]);
  expect(last[2]).toBeGreaterThan(2 * last[0]);
  // Less green and more red upwards: each edge bears all that hangs below it.
  for (let i = 0; i < 3; i++) expect(list.lineColors[4 * i + 1]).toBeLessThan(list.lineColors[4 * i + 5]);
});

test('contacts that sleep are drawn in the colour of sleep, without cones', () => {
  const list = createDrawList();
  drawDebug(restingBox(true), list, { contacts: true, cones: true, thrust: true });
  expect([list.pointCount, list.lineCount]).toEqual([4, 0]);
  expect(list.pointColors[2]).toBeGreaterThan(list.pointColors[1]); // blue
});

test('a sleeping body is drawn as the twelve edges of its box, an awake one only when boxes are asked for', () => {
  const list = createDrawList();
  drawDebug(restingBox(true), list, { sleeping: true });
  expect(list.lineCount).toBe(12);
  drawDebug(restingBox(false), list, { sleeping: true });
  expect(list.lineCount).toBe(0);
  drawDebug(restingBox(false), list, { boxes: true });
  expect(list.lineCount).toBe(12);
});

test('a joint is drawn from its bodies to its ends, with its axis, until it breaks', () => {
  const physics = createPhysics(createWorld(), { gravity: [0, 0, 0] });
  const door = addRigidBody(physics, { shape: { box: [0.5, 1, 0.05] }, position: [0.5, 1, 0] });
  const hinge = addJoint(physics, { type: 'hinge', a: door, anchor: [0, 1, 0], axis: [0, 1, 0] });
  physics.step();
  const list = createDrawList();
  drawDebug(physics, list, { joints: true });
  expect([list.pointCount, list.lineCount]).toEqual([2, 2]);
  expect([...list.points.subarray(0, 6)].map((x) => Math.round(1e6 * x) / 1e6 + 0)).toEqual([0, 1, 0, 0, 1, 0]);
  const [x0, y0, z0, x1, y1, z1] = list.lines.subarray(6, 12);
  expect(Math.abs(y1 - y0)).toBeCloseTo(0.24, 6);
  expect(Math.hypot(x1 - x0, z1 - z0)).toBeLessThan(1e-6);
  removeJoint(physics, hinge);
  physics.step();
  drawDebug(physics, list, { joints: true });
  expect(list.pointCount).toBe(0);
});

test('options that are no object are refused', () => {
  const physics = createPhysics(createWorld());
  for (const [options, shown] of [
    [null, 'null'],
    [5, '5'],
  ]) {
    expect(() => drawDebug(physics, createDrawList(), options as never)).toThrow(
      `drawDebug: options must be an object, got ${shown}`,
    );
  }
});
