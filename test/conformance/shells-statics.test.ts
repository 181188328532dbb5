// Shells on the backends of the CPU: rest on the ground, Coulomb's law, what hangs on them, the same answer on both.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addRigidBody,
  addShell,
  attach,
  createPhysics,
  type Physics,
  type PhysicsSettings,
  type ShellSpec,
  shellPositions,
  shellVelocities,
} from '../../src/index';
import { gridMesh } from '../mechanics/shell/shell-world';

type Backend = 'reference' | 'wasm';
const BACKENDS: readonly Backend[] = ['reference', 'wasm'];

function world(backend: Backend, settings: PhysicsSettings = {}): Physics {
  return createPhysics(createWorld(), { userTiming: false, sleeping: false, elastic: { backend }, ...settings });
}

/** A patch of 4 × 4 squares, 20 cm, at this height. */
function patch(height: number, over: Partial<ShellSpec> = {}): ShellSpec {
  const { points, triangles } = gridMesh(4, 4, 0.2, 0.2);
  const vertices = points.map((x, k) => (k % 3 === 1 ? height : x));
  return { vertices, triangles, thickness: 0.004, stretchModulus: 1e6, ...over };
}

function steps(physics: Physics, count: number): void {
  for (let k = 0; k < count; k++) physics.step();
}

const heights = (physics: Physics, shell: number) => shellPositions(physics, shell).filter((_, k) => k % 3 === 1);

describe.each(BACKENDS)('%s', (backend) => {
  test('a patch lies on the ground at half its thickness, and a crate on it', () => {
    const physics = world(backend);
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const shell = addShell(physics, patch(0.01));
    steps(physics, 60);
    for (const y of heights(physics, shell)) expect(y).toBeCloseTo(0.002, 4);
    expect(Math.max(...shellVelocities(physics, shell).map(Math.abs))).toBeLessThan(1e-3);
  });

  test.each([
    [0.99, false],
    [1.01, true],
  ])('on a slope of tan θ = %f µ it slides: %s', (share, slides) => {
    // Gravity is turned instead of the ground.
    const friction = 0.5;
    const tangent = share * friction;
    const scale = 9.81 / Math.sqrt(1 + tangent * tangent);
    const gravity = [scale * tangent, -scale, 0];
    const elastic = { backend, iterations: 400, tolerance: 1e-9 };
    const physics = world(backend, { gravity, elastic });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction });
    const shell = addShell(physics, patch(0.002, { friction }));
    steps(physics, 60);
    const speeds = shellVelocities(physics, shell).filter((_, k) => k % 3 === 0);
    const mean = speeds.reduce((sum, v) => sum + v, 0) / speeds.length;
    if (slides) expect(mean).toBeCloseTo(scale * (tangent - friction), 2);
    else expect(Math.abs(mean)).toBeLessThan(1e-3);
  });

  test('a ball that hangs on a vertex is borne by the pins', () => {
    const physics = world(backend);
    const shell = addShell(physics, patch(1, { pins: [0, 4, 20, 24], damping: 0.05 }));
    const ball = addRigidBody(physics, { shape: { sphere: 0.02 }, mass: 0.05, position: [0.1, 0.9, 0.1] });
    const joint = attach(physics, { shell, vertex: 12, body: ball });
    steps(physics, 240);
    const { Attachment, Transform } = physics.components;
    expect(60 * Attachment.impulse.y[joint]).toBeCloseTo(-0.05 * 9.81, 2);
    expect(heights(physics, shell)[12] - Transform.position.y[ball]).toBeCloseTo(0.1, 3);
  });
});

test('both backends take a sheet that falls on a ball the same way', () => {
  const [a, b] = BACKENDS.map((backend) => {
    const physics = world(backend, { elastic: { backend, iterations: 400, tolerance: 1e-8 } });
    addRigidBody(physics, { type: 'static', shape: { sphere: 0.08 }, position: [0.1, 0, 0.1] });
    const shell = addShell(physics, patch(0.09, { bendingModulus: 1e5 }));
    steps(physics, 15);
    return shellPositions(physics, shell);
  });
  expect(Math.max(...a.map((x, k) => Math.abs(x - b[k])))).toBeLessThan(1e-4);
});
