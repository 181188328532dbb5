// What begins in the ground comes out of it at the pace of the recovery, and keeps none of that as velocity: before, by
// `auto` and `contact-admm`, a body 10 cm deep left the ground at 1.8 m/s and rose 11 cm above it.

import { describe, expect, it } from 'vitest';
import { addRigidBody, type PhysicsSettings, readPosition, type ShapeSpec } from '../../src/index';
import { createGround } from '../validation/worlds';

const SHAPES: [string, ShapeSpec][] = [
  ['box', { box: [1, 1, 1] }],
  ['sphere', { sphere: 1 }],
  ['capsule', { capsule: [0.5, 0.5] }],
];

describe.each<PhysicsSettings['solver']>(['auto', 'dantzig', 'contact-admm', 'gauss-seidel'])('solver %s', (solver) => {
  it.each(SHAPES)('a %s that begins deep in the ground comes out and stays there', (_name, shape) => {
    for (const depth of [0.06, 0.1, 0.13, 0.2, 0.4]) {
      const { physics } = createGround(0.5, { solver });
      const eid = addRigidBody(physics, { shape, position: [0, 1 - depth, 0] });
      let top = 0;
      for (let k = 0; k < 90; k++) {
        physics.step();
        top = Math.max(top, readPosition(physics, eid, [0, 0, 0])[1]);
      }
      expect(top, `${depth} m deep`).toBeLessThan(1.002);
      expect(top, `${depth} m deep`).toBeGreaterThan(0.995);
    }
  });
});
