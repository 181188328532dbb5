// Worlds whose contacts the solver on the device is tried with. Their own steps are solved to rounding, on the contacts
// of the first look alone, so that both have the same problem.

import { createRandom } from '../../src/core/random';
import type { PhysicsSettings } from '../../src/index';
import { addBody, addStrands, createRodWorld, line, type RodSpec, type RodWorld } from '../validation/strand-worlds';

const EXACT = {
  ...{ iterations: 800, sweeps: 10, tolerance: 1e-9, newContactsEvery: 0, geometricCorrection: false, resting: false },
  backend: 'wasm',
} as const;

function createExactWorld(settings: PhysicsSettings = {}): RodWorld {
  return createRodWorld({ ...settings, elastic: { ...EXACT, ...settings.elastic } });
}

/** Ropes fallen across each other on the floor: some slide, some stick. */
export function ropesOnFloor(spec: Partial<RodSpec> = {}, settings: PhysicsSettings = {}): RodWorld {
  const world = createExactWorld(settings);
  addBody(world, { type: 'static', shape: { plane: [0, 1, 0] } });
  for (let k = 0; k < 6; k++) {
    const y = 0.0095 + 0.018 * k;
    const points = line([0, y, 0.03 * k], [1, y, 0.2 - 0.05 * k], 12);
    addStrands(world, { points, young: 1e6, velocity: [k < 3 ? 1 : 0.01, -0.1, 0], ...spec });
  }
  return world;
}

/** Hairs twisted round each other, hanging. */
export function bundle(count = 40, spec: Partial<RodSpec> = {}): RodWorld {
  const world = createExactWorld();
  const random = createRandom(7);
  for (let s = 0; s < count; s++) {
    const start = 2 * Math.PI * random();
    const radius = 0.0008 * Math.sqrt(random());
    const points = Array.from({ length: 24 }, (_, i) => {
      const angle = start + (3 * i) / 23;
      return [radius * Math.cos(angle), (-0.12 * i) / 23, radius * Math.sin(angle)];
    });
    const hair = { radius: 4e-5, density: 1300, young: 3e9, friction: 0.3, damping: 1e-4, airDrag: 0.5 };
    addStrands(world, { ...hair, points, clampStart: true, ...spec });
  }
  return world;
}

/** Hair on a ball, wind-blown. */
export function hairOnBall(count = 60): RodWorld {
  const world = createExactWorld();
  addBody(world, { type: 'static', shape: { sphere: 0.05 }, position: [0, 0, 0] });
  const random = createRandom(3);
  for (let s = 0; s < count; s++) {
    const y = 0.4 + 0.6 * random();
    const angle = 2 * Math.PI * random();
    const out = Math.sqrt(1 - y * y);
    const points = Array.from({ length: 16 }, (_, i) => {
      const r = 0.051 + (0.06 * i) / 15;
      return [out * Math.cos(angle) * r + 0.0003 * Math.sin(i), y * r, out * Math.sin(angle) * r];
    });
    const hair = { radius: 2e-4, density: 1300, young: 1e7, friction: 0.4, damping: 1e-3, airDrag: 0.5 };
    addStrands(world, { ...hair, points, clampStart: true, velocity: [0.6, 0, 0.2] });
  }
  return world;
}

/** A free ball, spinning, that flies into free ropes: without gravity. Returns the slot of the ball, too. */
export function ballIntoRopes(mass = 0.5): { world: RodWorld; ball: number } {
  const world = createExactWorld({ gravity: [0, 0, 0] });
  const { slot } = addBody(world, {
    ...{ type: 'dynamic', shape: { sphere: 0.1 }, mass, position: [0.5, 0.115, 0.06] },
    ...{ velocity: [0.3, -1, 0], angularVelocity: [0, 0, 4] },
  });
  for (let k = 0; k < 5; k++) {
    addStrands(world, { points: line([0, 0, 0.03 * k], [1, 0.004 * k, 0.03 * k], 16), young: 1e6, gravityScale: 0 });
  }
  return { world, ball: slot };
}
