// Sheets whose bending is stiff beside their stretching, in contact: what a push at one vertex moves is the whole
// sheet, and the weights of the contact solver have to know it.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { loadScene, openSession } from '../../demos/app/open-session';
import { shellCards } from '../../demos/scenes/shell-cards';
import { addRigidBody, addShell, createPhysics } from '../../src/index';
import { gridMesh } from '../mechanics/shell/shell-world';

/** The house of cards on the kernels: how far a vertex went, and the rounds of each step. */
function buildHouse(friction: number, steps: number) {
  const demo = shellCards.build(undefined, { friction });
  const { physics } = openSession(loadScene(demo), { elastic: { backend: 'wasm' } });
  const { engine } = physics.internal;
  const start = engine.tables.nodes.position.slice();
  const rounds: number[] = [];
  for (let k = 0; k < steps; k++) {
    physics.step();
    rounds.push(engine.report.strands.iterations);
  }
  // The memory may have grown since.
  const { position } = engine.tables.nodes;
  let far = 0;
  for (let i = 0; i < start.length; i++) far = Math.max(far, Math.abs(position[i] - start[i]));
  return { far, rounds };
}

test('a house of stiff cards stands at 0.6, and each step is solved', () => {
  const { far, rounds } = buildHouse(0.6, 18);
  expect(far).toBeLessThan(0.004);
  // 25 are the limit; the reference takes 6 to 11.
  const late = rounds.slice(7).sort((a, b) => a - b);
  expect(late[late.length >> 1]).toBeLessThan(16);
});

test('at 0.2 it falls', () => {
  expect(buildHouse(0.2, 10).far).toBeGreaterThan(0.1);
});

test('both backends agree on a stiff plate that tips over a ball onto the ground', () => {
  const run = (backend: 'wasm' | 'reference') => {
    const physics = createPhysics(createWorld(), { userTiming: false, elastic: { backend } });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    addRigidBody(physics, { type: 'static', shape: { sphere: 0.2 }, position: [-0.15, 0.1, 0.02] });
    const { points, triangles } = gridMesh(6, 4, 0.9, 0.6);
    const vertices = points.map((x, k) => (k % 3 === 1 ? 0.31 : x - (k % 3 === 0 ? 0.45 : 0.3)));
    addShell(physics, {
      vertices,
      triangles,
      thickness: 0.008,
      density: 250,
      stretchModulus: 5e7,
      bendingModulus: 2e9,
      damping: 0.002,
      friction: 0.6,
    });
    const { engine } = physics.internal;
    let contacts = 0;
    for (let k = 0; k < 45; k++) {
      physics.step();
      contacts = Math.max(contacts, engine.report.strands.contacts);
    }
    return { contacts, at: [...engine.tables.nodes.position.subarray(0, 4 * 35)] };
  };
  const [fast, exact] = [run('wasm'), run('reference')];
  const heights = exact.at.filter((_, k) => k % 4 === 1);
  expect(Math.min(...heights)).toBeLessThan(0.01);
  expect(fast.contacts).toBeGreaterThan(3);
  expect(Math.max(...fast.at.map((x, k) => Math.abs(x - exact.at[k])))).toBeLessThan(2e-3);
});
