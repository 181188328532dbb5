// The hash of a state: every number that moves is in it, nothing else is.

import { createWorld, removeEntity } from 'bitecs';
import { expect, test } from 'vitest';
import { hashState } from '../../src/dynamics/hash-state';
import { addRigidBody, addRod, createPhysics } from '../../src/index';

function world() {
  const physics = createPhysics(createWorld(), { userTiming: false });
  const bodies = [0, 1].map((x) => addRigidBody(physics, { shape: { sphere: 0.1 }, position: [x, 2, 0] }));
  addRod(physics, { points: [0, 1, 2].map((k) => [0.1 * k, 1, 0] as const), radius: 0.01, density: 1000 });
  physics.step();
  return { physics, bodies, engine: physics.internal.engine };
}

test('the last bit of any number of pose and motion changes it, and back', () => {
  const { engine } = world();
  const { bodies, nodes } = engine.tables;
  const columns = {
    position: bodies.position,
    rotation: bodies.rotation,
    velocity: bodies.linearVelocity,
    spin: bodies.angularVelocity,
    nodes: nodes.position,
    nodeVelocities: nodes.velocity,
    directors: nodes.frame,
  };
  const hash = hashState(engine);
  const seen = new Set([hash]);
  for (const [name, column] of Object.entries(columns)) {
    for (let k = 0; k < 3; k++) {
      const words = new Int32Array(column.buffer, column.byteOffset + 8 * k, 1);
      words[0] ^= 1;
      const now = hashState(engine);
      expect(seen.has(now), `${name} ${k}`).toBe(false);
      seen.add(now);
      words[0] ^= 1;
      expect(hashState(engine)).toBe(hash);
    }
  }
});

test('equal runs have equal hashes, and a body that went leaves nothing in them', () => {
  const [one, other] = [world(), world()];
  expect(hashState(one.engine)).toBe(hashState(other.engine));
  for (const { physics, bodies } of [one, other]) removeEntity(physics.world, bodies[1]);
  one.physics.step();
  // What the row of a dead body holds is no part of the state.
  const slot = 1;
  other.physics.step();
  other.engine.tables.bodies.position[4 * slot] += 5;
  expect(hashState(one.engine)).toBe(hashState(other.engine));
});
