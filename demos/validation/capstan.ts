// A rope around a fixed drum: the ratio of its end forces at which it slips, against
// e^{μθ} and the formula for corners.

import { createWorld } from 'bitecs';
import { addRigidBody, addRod, addRodForce, createPhysics, rodPositions } from '../../src/index';
import { discreteCapstan } from '../scenes/capstan';
import type { Outcome, Setup } from './protocol';

const DRUM = 0.1; // radius [m]
const ROPE = 0.002; // radius [m]
const CASES: readonly [friction: number, wrap: number][] = [
  [0.1, Math.PI / 2],
  [0.2, Math.PI / 2],
  [0.2, Math.PI],
  [0.3, Math.PI],
  [0.2, 2 * Math.PI],
  [0.3, 2 * Math.PI],
];
const HOLD = 1; // force at the held end [N]
const RISE = 50; // steps until it is reached
const RAMP = 200; // steps of the other force from LEAST to MOST of the formula
const [LEAST, MOST] = [0.94, 1.06];
const SETTLE = 25; // steps between the two
const SLIP = 0.003; // speed of the end [m/s]
const SHOW_EVERY = 10; // [steps]

export function* runCapstan({ backend, vertices }: Setup): Generator<Outcome> {
  for (const [friction, wrap] of CASES) {
    const corners = Math.max(6, Math.round(vertices * (wrap / (2 * Math.PI)) ** 0.75));

    const physics = createPhysics(createWorld(), {
      gravity: [0, 0, 0],
      userTiming: false,
      sleeping: false,
      elastic: { backend, tolerance: 1e-7, iterations: 60, sweeps: 10 },
    });

    addRigidBody(physics, {
      type: 'static',
      shape: { cylinder: [DRUM, 1] },
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      friction,
    });
    const { points, along } = around(wrap, corners);

    const rod = addRod(physics, {
      points,
      radius: ROPE,
      density: 2000,
      youngModulus: 1e3,
      stretchModulus: 1e9,
      damping: 0.01,
      friction,
      selfContact: false,
    });

    const formula = discreteCapstan(friction, wrap, corners);
    const angle = friction * wrap;
    let ratio = 0;
    let before = Number.POSITIVE_INFINITY;
    let slow = 0;

    for (let step = 1; step <= RISE + SETTLE + RAMP; step++) {
      const hold = HOLD * Math.min(1, step / RISE);
      ratio = formula * (LEAST + ((MOST - LEAST) * Math.max(0, step - RISE - SETTLE)) / RAMP);
      addRodForce(physics, rod, 'start', [0, -hold, 0]);
      addRodForce(physics, rod, 'end', [along[0] * hold * ratio, along[1] * hold * ratio, 0]);
      physics.step();
      const now = rodPositions(physics, rod);
      const place = now[now.length - 3] * along[0] + now[now.length - 2] * along[1];
      const speed = (place - before) / physics.settings.timeStep;
      before = place;
      if (step > RISE && step % SHOW_EVERY === 0) {
        yield { kind: 'sample', series: 'pull', x: angle, y: ratio, isMoving: step > RISE + SHOW_EVERY };
      }
      slow = step > RISE + SETTLE && speed > SLIP ? slow + 1 : 0;
      if (slow === 3) break;
    }

    yield { kind: 'sample', series: 'pull', x: angle, y: ratio, isMoving: true };
    const label = `μ = ${friction}, θ = ${+(wrap / Math.PI).toFixed(2)}π, ${corners} corners`;
    yield { kind: 'finding', label, measured: ratio, expected: formula };
    physics.dispose();
  }
}

/** A polygon around the drum whose edges touch it in their middles, with straight ends; and the far end's direction. */
function around(wrap: number, corners: number): { points: number[][]; along: [number, number] } {
  const d = wrap / corners;
  const corner = (DRUM + ROPE) / Math.cos(d / 2);
  const edge = 2 * corner * Math.sin(d / 2);
  const at = (k: number) => [corner * Math.cos((k + 0.5) * d), corner * Math.sin((k + 0.5) * d), 0];
  const last = at(corners - 1);
  const along: [number, number] = [-Math.sin(wrap), Math.cos(wrap)];
  const points: number[][] = [];
  for (let i = 3; i > 0; i--) points.push([at(0)[0], at(0)[1] - edge * i, 0]);
  for (let k = 0; k < corners; k++) points.push(at(k));
  for (let i = 1; i <= 3; i++) points.push([last[0] + along[0] * edge * i, last[1] + along[1] * edge * i, 0]);
  return { points, along };
}
