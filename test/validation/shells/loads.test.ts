// Bodies that lie on sheets and solids: they stand on all corners of their faces, at the thickness, and come to rest,
// whatever they weigh and however coarse the mesh under them is.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { fabric, sheet } from '../../../demos/scenes/sheets';
import { addRigidBody, addShell, addSolid, createPhysics, type Physics } from '../../../src/index';
import { bySuite } from '../../setup/suite';

const THICKNESS = 0.004; // [m]

function world(): Physics {
  const physics = createPhysics(createWorld(), { userTiming: false });
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
  return physics;
}

/** A square sheet; `held`: pinned at its rim. */
function addSheet(physics: Physics, columns: number, side: number, height: number, held: boolean): void {
  const { vertices, triangles } = sheet(columns, columns, (u, v) => [side * (u - 0.5), height, side * (0.5 - v)]);
  const rim = vertices.flatMap(([x, , z], i) => (Math.max(Math.abs(x), Math.abs(z)) > 0.499 * side ? [i] : []));
  const pins = held ? rim : [];
  addShell(physics, { vertices, triangles, ...fabric(0.2, 6000, 2e-5, THICKNESS, { friction: 0.3 }), pins });
}

/** Angle by which a body leans [rad]. */
function leanOf({ components }: Physics, eid: number): number {
  const { x, z } = components.Transform.rotation;
  return 2 * Math.hypot(x[eid], z[eid]);
}

test('a crate on two large triangles of a solid stands on its four corners', () => {
  const physics = world();
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [(c >> 2) - 0.5, 0.5 * ((c >> 1) & 1) + 0.01, (c & 1) - 0.5]);
  const around = [4, 6, 2, 3, 1, 5];
  const tetrahedra = around.map((c, at) => [0, c, around[(at + 1) % 6], 7]);
  addSolid(physics, { vertices, tetrahedra, youngModulus: 1e6, density: 500, friction: 0.5 });
  const crate = addRigidBody(physics, { shape: { box: [0.3, 0.1, 0.2] }, position: [0.05, 0.63, 0.02], density: 300 });
  for (let step = 0; step < 90; step++) {
    physics.step();
    if (step > 20) expect(leanOf(physics, crate)).toBeLessThan(1e-3);
  }
});

test.each([
  ['a cup narrower than the mesh', 0.036, 0.045],
  ['a pot', 0.075, 0.07],
  ['a plate', 0.13, 0.009],
])('%s on a tablecloth stands still at its thickness, and sleeps', (_name, radius, half) => {
  const physics = world();
  addSheet(physics, 9, 0.48, THICKNESS / 2, false);
  const position = [0.013, THICKNESS + half + 0.0005, 0.007];
  const cup = addRigidBody(physics, { shape: { cylinder: [radius, half] }, position, density: 1600 });
  for (let step = 0; step < 90; step++) {
    physics.step();
    expect(leanOf(physics, cup)).toBeLessThan(2e-3);
  }
  const gap = physics.components.Transform.position.y[cup] - half;
  expect(Math.abs(gap / THICKNESS - 1)).toBeLessThan(0.02);
  expect(physics.report.strands.asleep).toBe(1);
});

test.each(bySuite([300], [30, 300, 1000]))(
  'a ball of %d kg that presses a pinned sheet to the floor stays on it',
  (mass) => {
    const physics = world();
    addSheet(physics, 13, 0.8, 0.1, true);
    const ball = addRigidBody(physics, { shape: { sphere: 0.12 }, position: [0.013, 0.4, 0.007], mass });
    const { y } = physics.components.Transform.position;
    let lowest = Number.POSITIVE_INFINITY;
    for (let step = 0; step < 40; step++) {
      physics.step();
      lowest = Math.min(lowest, y[ball] - 0.12);
    }
    // On the bare floor it would lie at its radius.
    const height = y[ball] - 0.12;
    expect(lowest).toBeGreaterThan(0.8 * THICKNESS);
    expect(height).toBeGreaterThan(0.9 * THICKNESS);
    expect(height).toBeLessThan(1.2 * THICKNESS);
  },
);

test('what falls as fast as the sheet under it is stopped by it where this is stopped, in the same step', () => {
  const physics = world();
  addSheet(physics, 9, 0.5, THICKNESS / 2, false);
  // Farther away than what counts as touching, nearer than gravity moves it in a step.
  const gap = 0.0015;
  const box = addRigidBody(physics, { shape: { box: [0.1, 0.05, 0.1] }, position: [0, THICKNESS + gap + 0.05, 0] });
  const { y } = physics.components.Velocity.linear;
  physics.step();
  expect(Math.abs(y[box] + 60 * gap)).toBeLessThan(0.01);
});
