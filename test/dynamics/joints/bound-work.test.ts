// How much work what holds does, of the island's rows of joints alone.

import { expect, test } from 'vitest';
import type { Engine } from '../../../src/dynamics/engine';
import { worksTooMuch } from '../../../src/dynamics/joints/bound-work';
import type { JointRows } from '../../../src/dynamics/joints/joint-rows';

/** One body of 1 kg at rest, one touch and one joint; what rows of touches are for is left over from another island. */
function islandWith(role: number): [Engine, JointRows] {
  const bodies = {
    islandBodyStart: [0],
    islandBodyCount: [1],
    islandBodies: [0],
    inverseMass: [1],
    linearVelocity: [0, 0, 0],
  };
  const rows = {
    role: Uint8Array.of(role, role, role, 1, 1, 1),
    u: Float64Array.of(0, 0, 0, 1, 0, 0),
    contacts: { problem: { contactCount: 2 }, touchCount: 1, free: Float64Array.of(-2, 0, 0, 0, 0, 0) },
    isRecovering: false,
    recovery: 0,
  };
  return [{ tables: { bodies } } as unknown as Engine, rows as unknown as JointRows];
}

test.each([0, 1])('what touches take counts for nothing, with %d in their rows', (role) => {
  const [engine, rows] = islandWith(role);
  // The joint does 0.5 J; the touch, of -2 J, nothing of it.
  expect(worksTooMuch(engine, 0, rows, Float64Array.of(2, 0, 0, 1, 0, 0), false)).toBe(true);
});
