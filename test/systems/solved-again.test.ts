// A step that is solved again, as a character met something elastic: all bodies of an island take part in it again.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { addCharacter, addRigidBody, addShell, createPhysics, readVelocity } from '../../src/index';

const SIDE = 13;

/** Three crates on top of each other, in the air over a sheet that hangs at its border, and who runs into that. */
function cratesOverSheet() {
  const physics = createPhysics(createWorld(), { sleeping: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
  const at = (i: number) => (3 * i) / (SIDE - 1) - 1.5;
  const vertices = Array.from({ length: SIDE * SIDE }, (_, k) => [at(Math.floor(k / SIDE)), 0.9, at(k % SIDE)]);
  const triangles = vertices.flatMap(([x, , z], k) =>
    x === 1.5 || z === 1.5
      ? []
      : [
          [k, k + 1, k + SIDE],
          [k + 1, k + SIDE + 1, k + SIDE],
        ],
  );
  const pins = vertices.flatMap(([x, , z], k) => (Math.abs(x) === 1.5 || Math.abs(z) === 1.5 ? [k] : []));
  addShell(physics, { vertices, triangles, thickness: 0.004, density: 300, pins });
  const crates = [0, 1, 2].map((k) =>
    addRigidBody(physics, { shape: { box: [0.2, 0.2, 0.2] }, position: [-0.8, 1.11 + 0.4 * k, 0], density: 300 }),
  );
  const character = addCharacter(physics, { position: [2.2, 0.02, 0], radius: 0.3, height: 1.8 });
  physics.components.Character.move.x[character] = -4;
  return { physics, crates };
}

test('a stack does not fall into itself while a character runs into the sheet that bears it', () => {
  const { physics, crates } = cratesOverSheet();
  const { Transform } = physics.components;
  let least = Number.POSITIVE_INFINITY;
  let bodies = 0;
  for (let step = 0; step < 24; step++) {
    physics.step();
    for (let k = 1; k < 3; k++)
      least = Math.min(least, Transform.position.y[crates[k]] - Transform.position.y[crates[k - 1]]);
    bodies = Math.max(bodies, physics.report.strands.bodies);
  }
  expect(bodies).toBeGreaterThanOrEqual(3);
  // The topmost would fall at 3.9 m/s without what is under it, and be 4 cm deep in the others.
  expect(readVelocity(physics, crates[2], [0, 0, 0])[1]).toBeGreaterThan(-3);
  expect(least).toBeGreaterThan(0.38);
});
