// Stacks for the tests of settled islands: boxes on the ground of validation/worlds.

import { addRigidBody } from '../../src/index';
import type { TestWorld } from '../validation/worlds';

function addBox(world: TestWorld, half: [number, number, number], position: number[]): void {
  const { physics } = world;
  world.bodies.push(addRigidBody(physics, { shape: { box: half }, position, friction: 0.6, density: 1000 }));
}

/** A flat pyramid of boxes, 5 cm apart. */
export function addPyramid(world: TestWorld, base: number): void {
  for (let row = 0; row < base; row++) {
    for (let i = 0; i < base - row; i++) {
      addBox(world, [0.5, 0.5, 0.5], [(i - (base - row - 1) / 2) * 1.05, 0.5 + row, 0]);
    }
  }
}

/** A pyramid with square layers. */
export function addSquarePyramid(world: TestWorld, base: number): void {
  for (let row = 0; row < base; row++) {
    const n = base - row;
    const at = (i: number) => (i - (n - 1) / 2) * 1.05;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) addBox(world, [0.5, 0.5, 0.5], [at(i), 0.5 + row, at(k)]);
    }
  }
}

/** A column of unit boxes. */
export function addColumn(world: TestWorld, count: number): void {
  for (let i = 0; i < count; i++) addBox(world, [0.5, 0.5, 0.5], [0, 0.5 + i, 0]);
}

/** A wall in running bond, every other course with half bricks at its ends, joints of 1 cm. */
export function addWall(world: TestWorld, courses: number, length: number): void {
  const pitch = 1.01;
  for (let row = 0; row < courses; row++) {
    const y = 0.25 + 0.5 * row;
    const isWhole = row % 2 === 1;
    const depth = 0.25;
    const count = isWhole ? length : length - 1;
    for (let i = 0; i < count; i++) addBox(world, [0.5, 0.25, depth], [(i - (count - 1) / 2) * pitch, y, 0]);
    const end = (length * pitch - pitch / 2) / 2 - 0.01;
    if (!isWhole) for (const x of [-end, end]) addBox(world, [0.235, 0.25, depth], [x, y, 0]);
  }
}
