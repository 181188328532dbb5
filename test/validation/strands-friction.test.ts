// Friction laws of rods against their closed forms.
import { describe, expect, test } from 'vitest';
import { bySuite } from '../setup/suite';
import { type CapstanOptions, capstanRatio, runCapstan } from './capstan';
import { createRodWorld } from './strand-worlds';

/** The rows of the table: mu, wrap [rad], corners, load [N]. */
const ROWS = [
  [0.1, Math.PI / 2, 16, 0.2],
  [0.3, Math.PI, 32, 0.2],
  [0.3, 2 * Math.PI, 48, 0.1],
  [0.3, 4 * Math.PI, 96, 0.05],
] as const;

/** How far the far end moves along the pull in the last 20 of 90 steps [m]. */
function pullCapstan(backend: 'reference' | 'wasm', options: CapstanOptions): number {
  const elastic = { backend, tolerance: 1e-7, iterations: 60, sweeps: 10 };
  return runCapstan(createRodWorld({ gravity: [0, 0, 0], elastic }), options).along;
}

describe.each(['reference', 'wasm'] as const)('capstan, %s', (backend) => {
  test.each(ROWS.slice(0, backend === 'wasm' ? bySuite(3, 4) : bySuite(1, 4)))(
    'mu %f, wrap %f rad: holds at 0.98, slips at 1.02 of the discrete formula',
    (mu, wrap, corners, load) => {
      const limit = capstanRatio(mu, wrap, corners);
      const rope = { mu, wrap, corners, load };
      expect(Math.abs(pullCapstan(backend, { ...rope, ratio: 0.98 * limit }))).toBeLessThan(1e-4);
      expect(pullCapstan(backend, { ...rope, ratio: 1.02 * limit })).toBeGreaterThan(2e-3);
    },
  );
});

test.each(bySuite(['wasm'] as const, ['reference', 'wasm'] as const))(
  '%s: a rope pulled taut stays on the drum and holds',
  (backend) => {
    // 100 N on a rope of 2 mm: its edges' tension is 10⁴ times their inertia over a step.
    const rope = { mu: 0.3, wrap: 2 * Math.PI, corners: 48, load: 100 };
    const ratio = 0.9 * capstanRatio(rope.mu, rope.wrap, rope.corners);
    expect(Math.abs(pullCapstan(backend, { ...rope, ratio }))).toBeLessThan(2e-4);
  },
);
