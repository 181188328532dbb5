// A fine surface carried by a coarse cage of tetrahedra.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addRigidBody, addSolid, createPhysics, placeSolid, type SolidSpec, UsageError } from '../../src/index';
import { box } from '../mechanics/solid/solid-world';

const SIDE = 0.4; // of the cage [m]
const cage = box([2, 2, 2], [-SIDE / 2, 0, -SIDE / 2], [SIDE / 2, SIDE, SIDE / 2]);

/** A ball of latitudes and longitudes about the middle of the cage; of more than 0.2 m it sticks out of its faces. */
function ball(radius: number): { vertices: number[]; triangles: number[] } {
  const [rows, columns] = [9, 16];
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const [theta, phi] = [(Math.PI * (i + 0.5)) / rows, (2 * Math.PI * j) / columns];
      const [s, c] = [radius * Math.sin(theta), radius * Math.cos(theta)];
      vertices.push(s * Math.cos(phi), SIDE / 2 + c, s * Math.sin(phi));
      if (i + 1 === rows) continue;
      const [a, b] = [i * columns + j, i * columns + ((j + 1) % columns)];
      triangles.push(a, b, a + columns, b, b + columns, a + columns);
    }
  }
  return { vertices, triangles };
}

function jelly(over: Partial<SolidSpec> = {}): SolidSpec {
  return { vertices: cage.vertices, tetrahedra: cage.tetrahedra, youngModulus: 5e4, radius: 0.005, ...over };
}

function world() {
  return createPhysics(createWorld(), { userTiming: false });
}

/** Squeezed, sheared, turned and moved. */
const bend = ([x, y, z]: readonly number[]) => [0.8 * x + 0.3 * y - 1, 0.2 * x + 1.1 * y + 2, 0.9 * z - 0.4 * y];

function bent(points: ArrayLike<number>): number[] {
  const out: number[] = [];
  for (let k = 0; k < points.length; k += 3) out.push(...bend([points[k], points[k + 1], points[k + 2]]));
  return out;
}

test('goes along with the cage exactly where that is mapped linearly, inside and outside', () => {
  const physics = world();
  const surface = ball(0.22);
  const eid = addSolid(physics, jelly({ surface }));
  placeSolid(physics, eid, bent(cage.vertices));
  physics.interpolate(1);

  const { vertexCount, triangleCount } = physics.components.Solid;
  expect([vertexCount[eid], triangleCount[eid]]).toEqual([144, 256]);
  const expected = bent(surface.vertices);
  const { positions, normals } = physics.solids;
  expected.forEach((x, k) => {
    expect(positions[k]).toBeCloseTo(x, 6);
  });
  // Unit normals that point out of the mapped ball.
  const middle = bend([0, SIDE / 2, 0]);
  for (let v = 0; v < 144; v++) {
    const at = [0, 1, 2].map((k) => 3 * v + k);
    expect(Math.hypot(...at.map((k) => normals[k]))).toBeCloseTo(1, 5);
    expect(at.reduce((sum, k) => sum + normals[k] * (positions[k] - middle[k % 3]), 0)).toBeGreaterThan(0);
  }
});

test('is drawn between two steps where the cage is', () => {
  const physics = world();
  const eid = addSolid(physics, jelly({ surface: ball(0.15), velocity: [0, 0, 3] }));
  physics.step();
  const heights = [0, 0.5, 1].map((alpha) => {
    physics.interpolate(alpha);
    return physics.solids.positions[3 * physics.components.Solid.firstVertex[eid] + 2];
  });
  expect(heights[1] - heights[0]).toBeCloseTo(3 / 120, 5);
  expect(heights[2] - heights[0]).toBeCloseTo(3 / 60, 5);
});

test('changes nothing of what is computed', () => {
  const [plain, carrying] = [{}, { surface: ball(0.2) }].map((over) => {
    const physics = world();
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    addSolid(physics, jelly(over));
    for (let k = 0; k < 20; k++) physics.step();
    return physics.hash();
  });
  expect(carrying).toBe(plain);
});

test('names the vertex that is farthest outside, with its place', () => {
  const physics = world();
  const surface = ball(0.2);
  surface.vertices.splice(30, 3, 2, 0.1, 0);
  let message = '';
  try {
    addSolid(physics, jelly({ surface }));
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    message = (error as Error).message;
  }
  expect(message).toMatch(
    /^addSolid: surface\.vertices\[10\] must be within the tetrahedra \[m\], got \[2, 0\.1, 0\], 9\.00 heights of/,
  );
});
