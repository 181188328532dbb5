// What stays deep inside a body is told in the report, asleep or not; what lies on one or comes out is not.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, addRod, addShell, createPhysics, type Physics } from '../../../src/index';
import { gridMesh } from '../../mechanics/shell/shell-world';

function worldWithBox(): { physics: Physics; box: number } {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const box = addRigidBody(physics, { type: 'static', shape: { box: [0.3, 0.3, 0.3] } });
  return { physics, box };
}

/** A sheet of 20 cm, so high above the middle of the box. */
function addSheet(physics: Physics, height: number): number {
  const { points, triangles } = gridMesh(8, 8, 0.2, 0.2);
  const vertices = points.map((x, i) => (i % 3 === 1 ? height : x - 0.1));
  const moduli = { stretchModulus: 1e5, bendingModulus: 1e5 };
  return addShell(physics, { vertices, triangles, thickness: 0.005, density: 300, ...moduli });
}

function deepOf(physics: Physics, entity: number): string[] {
  return physics.report.limits.filter((text) => text.startsWith(`entity ${entity} is `));
}

test('a sheet that stays inside a box is told, with both entities, and goes on being told asleep', () => {
  const { physics, box } = worldWithBox();
  const sheet = addSheet(physics, 0.05);
  for (let step = 0; step < 59; step++) physics.step();
  expect(deepOf(physics, sheet)).toEqual([]);
  for (let step = 0; step < 5; step++) physics.step();
  expect(deepOf(physics, sheet)).toHaveLength(1);
  expect(deepOf(physics, sheet)[0]).toMatch(new RegExp(`is 0\\.2\\d* m deep inside entity ${box},`));
  for (let step = 0; step < 400 && physics.report.strands.asleep === 0; step++) physics.step();
  physics.step();
  expect(physics.report.strands.asleep).toBe(1);
  expect(deepOf(physics, sheet)).toHaveLength(1);
});

test('a rope through a box from side to side is told', () => {
  const { physics } = worldWithBox();
  const points = Array.from({ length: 21 }, (_, i) => [i / 20 - 0.5, 0.02, 0]).flat();
  const rope = addRod(physics, { points, radius: 0.005, density: 1000, youngModulus: 1e6 });
  for (let step = 0; step < 80; step++) physics.step();
  expect(deepOf(physics, rope)).toHaveLength(1);
});

test('what lies on a box or comes out of it is not told', () => {
  for (const height of [0.32, 0.29]) {
    const { physics } = worldWithBox();
    const sheet = addSheet(physics, height);
    for (let step = 0; step < 150; step++) {
      physics.step();
      expect(deepOf(physics, sheet)).toEqual([]);
    }
  }
});
