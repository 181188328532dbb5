// Shells on both backends: the same world, within what f32 and the solver's tolerance
// leave; and the same bits each time.

import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { addRigidBody, addShell, createPhysics, setWind } from '../../src/index';
import * as L from '../../src/state/layout';
import { gridMesh } from '../mechanics/shell/shell-world';

const CELLS = 8;
const EDGE = 0.04;
const cotton = { thickness: 2e-3, density: 300, stretchModulus: 3e5, bendingModulus: 1e5, friction: 0.4 };

type Backend = 'reference' | 'wasm';

function createCloth(backend: Backend, pins: number[], elastic: object = {}) {
  const physics = createPhysics(createWorld(), {
    userTiming: false,
    elastic: { backend, iterations: 60, keepApart: false, ...elastic },
  });
  const { points, triangles } = gridMesh(CELLS, CELLS, CELLS * EDGE, CELLS * EDGE);
  const half = (CELLS * EDGE) / 2;
  const vertices = points.map((x, k) => (k % 3 === 1 ? 0.105 : x - half));
  const shell = addShell(physics, {
    vertices,
    triangles,
    pins,
    airDrag: 1,
    damping: 1e-3,
    selfContact: false,
    ...cotton,
  });
  const { nodes, strands } = physics.internal.engine.tables;
  const state = () => [...nodes.position.subarray(0, 4 * (CELLS + 1) ** 2)];
  return { physics, shell, strands, state };
}

const runs: [string, (backend: Backend) => ReturnType<typeof createCloth>, number, number][] = [
  [
    'hangs in the wind, with two Newton iterations',
    (backend) => {
      const made = createCloth(backend, [0, CELLS], { newtonIterations: 2 });
      setWind(made.physics, [3, 0, 1]);
      return made;
    },
    30,
    2e-4,
  ],
  [
    'falls on a ball and stays',
    (backend) => {
      const made = createCloth(backend, []);
      addRigidBody(made.physics, { type: 'static', shape: { sphere: 0.1 } });
      return made;
    },
    25,
    2e-3,
  ],
];

describe.each(runs)('%s', (_name, make, steps, tolerance) => {
  const run = (backend: Backend) => {
    const made = make(backend);
    let contacts = 0;
    let residual = 0;
    for (let k = 0; k < steps; k++) {
      made.physics.step();
      const { strands } = made.physics.internal.engine.report;
      contacts = Math.max(contacts, strands.contacts);
      residual = strands.residual;
    }
    expect(made.strands.flags[0] & L.STRAND_QUARANTINED).toBe(0);
    return { state: made.state(), contacts, residual };
  };

  test('both backends agree, and wasm gives the same bits again', () => {
    const fast = run('wasm');
    const exact = run('reference');
    const apart = (a: number[], b: number[]) => Math.max(...a.map((x, k) => Math.abs(x - b[k])));
    expect(Math.min(...fast.state.filter((_, k) => k % 4 === 1))).toBeLessThan(0.08);
    expect(apart(fast.state, exact.state)).toBeLessThan(tolerance);
    expect(fast.residual).toBeLessThan(0.02);
    expect(fast.contacts > 0).toBe(exact.contacts > 0);
    expect(run('wasm').state).toEqual(fast.state);
  });
});
