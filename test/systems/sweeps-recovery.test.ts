// What overlaps under a load parts within the time that the recovery rate says, however much it carries.

import { expect, it } from 'vitest';
import { addRigidBody, readPosition, readVelocity, type ShapeSpec } from '../../src/index';
import { createGround } from '../validation/worlds';

const COUNT = 20;

it.each<[string, ShapeSpec]>([
  ['boxes', { box: [0.5, 0.5, 0.5] }],
  ['balls that do not turn', { sphere: 0.5 }],
])(
  'a column of %s that starts 20 mm in the ground comes out of it within half a second, and stands',
  (_name, shape) => {
    const { physics } = createGround(0.6, { solver: 'gauss-seidel' });
    const lockRotation = [true, true, true] as const;
    const column = Array.from({ length: COUNT }, (_, i) =>
      addRigidBody(physics, { shape, position: [0, 0.48 + i, 0], friction: 0.6, lockRotation }),
    );
    for (let k = 0; k < 30; k++) physics.step();
    column.forEach((eid, i) => {
      const height = readPosition(physics, eid, [0, 0, 0])[1];
      // Each contact may keep an overlap of 0.1 mm.
      expect(Math.abs(height - (0.5 + i))).toBeLessThan(1.2e-4 * (i + 1));
      expect(Math.abs(readVelocity(physics, eid, [0, 0, 0])[1])).toBeLessThan(1e-3);
    });
  },
);
