// What a blow hands on within one step: contacts that only a later look can know of,
// more of them than had room at first.

import { createWorld } from 'bitecs';
import { expect, test } from 'vitest';
import { createCrossingDetection } from '../../../src/bench/rods-crossings';
import * as L from '../../../src/state/layout';
import { createPhysics } from '../../../systems/create-physics';
import { addGroom } from '../../../systems/grooms';
import { addRigidBody, setKinematicTarget } from '../../../systems/rigid-body';
import { bySuite } from '../../setup/suite';

const ROPES = 44;
const SPACING = 0.02;
const RADIUS = 0.002;

/** Positions of a net of ropes at a height, along x or z, about the middle. */
function net(height: number, axis: 0 | 2): Float64Array {
  const out = new Float64Array(3 * ROPES * ROPES);
  for (let rope = 0; rope < ROPES; rope++) {
    for (let node = 0; node < ROPES; node++) {
      const at = 3 * (rope * ROPES + node);
      out[at + axis] = SPACING * (node + 0.5 - ROPES / 2);
      out[at + 1] = height;
      out[at + 2 - axis] = SPACING * (rope + 1 - ROPES / 2);
    }
  }
  return out;
}

for (const backend of bySuite(['wasm'] as const, ['wasm', 'reference'] as const)) {
  test(`${backend}: a net driven onto another by a plate meets it in the same step, none goes through`, () => {
    const physics = createPhysics(createWorld(), {
      gravity: [0, 0, 0],
      sleeping: false,
      elastic: { backend, iterations: 100 },
    });
    const plate = addRigidBody(physics, {
      type: 'kinematic',
      shape: { box: [0.5, 0.05, 0.5] },
      position: [0, 0.08, 0],
    });
    for (const [height, axis] of [
      [0, 2],
      [-0.012, 0],
    ] as const) {
      addGroom(physics, {
        strands: { counts: new Int32Array(ROPES).fill(ROPES), positions: net(height, axis) },
        radius: RADIUS,
        youngModulus: 1e7,
        stretchModulus: 1e7,
        density: 1000,
        friction: 0.3,
      });
    }
    physics.hash(); // makes the rows
    const { arena } = physics.internal.engine;
    const nodes = arena.i32[L.NODE_COUNT >> 2];
    setKinematicTarget(physics, plate, [0, 0.038, 0], [0, 0, 0, 1]);
    physics.step();
    const { previous, position, strand } = physics.internal.engine.tables.nodes;
    // The plate touches every node of the first net, and that the ropes of the other.
    expect(physics.report.strands.contacts).toBeGreaterThan(2.5 * ROPES * ROPES);
    expect(createCrossingDetection()(previous, position, strand, nodes).count).toBe(0);
  });
}
