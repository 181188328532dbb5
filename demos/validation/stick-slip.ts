// A rod clamped upright is pushed down on a plane. Its tip holds until what it needs, T/N, is more than friction gives.
//
// T and N at the tip are read from the bent shape itself: the moment that its curvature takes at every node is the one
// of a force at the tip, so two numbers follow from many nodes by least squares.

import { createWorld } from 'bitecs';
import {
  addRigidBody,
  addRod,
  addRodForce,
  attach,
  createPhysics,
  detach,
  rodPositions,
  setClamp,
} from '../../src/index';
import { firstReach } from './interpolate';
import MASTER from './master-curves.json';
import type { Outcome, Setup } from './protocol';

const LENGTH = 0.5; // [m]
const RADIUS = 0.001; // [m]
const YOUNG = 4e9; // [Pa]
const FRICTIONS = [0.1, 0.15, 0.2, 0.25, 0.3];
const PUSH_STEPS = 800;
const DEEPEST = 0.36; // share of the length
const NUDGE = 0.5; // to one side while the push begins, times E I / L²
const NUDGED = 0.003; // push up to which it lasts, share of the length
const SLIPPED = 4e-4; // share of the length
const SHOW_EVERY = 10; // [steps]

export function* runStickSlip({ backend, vertices }: Setup): Generator<Outcome> {
  for (const friction of FRICTIONS) {
    const physics = createPhysics(createWorld(), {
      gravity: [0, 0, 0],
      userTiming: false,
      sleeping: false,
      elastic: { backend, tolerance: 1e-9, iterations: 400 },
    });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction });
    const edge = LENGTH / (vertices - 1.5);
    const top = LENGTH + edge / 2 + RADIUS;
    const straight = Array.from({ length: vertices }, (_, i) => [0, top - i * edge, 0]);

    const rod = addRod(physics, {
      points: straight,
      radius: RADIUS,
      density: 2000,
      youngModulus: YOUNG,
      stretchModulus: 2e10,
      damping: 0.002,
      airDrag: 15,
      friction,
      selfContact: false,
      clampStart: true,
    });

    // Until it has bowed out the tip is pinned, so that it starts from right below the clamp.
    const pin = attach(physics, { rod, node: 'end' });
    const bend = (YOUNG * Math.PI * RADIUS ** 4) / 4;
    let slipAt = 0;
    let home: number | null = null;

    for (let step = 1; step <= PUSH_STEPS; step++) {
      // Gently at first: a straight column has to bow out far for the very first push.
      const push = DEEPEST * (step / PUSH_STEPS) ** 2;
      if (push < NUDGED) addRodForce(physics, rod, vertices >> 1, [(NUDGE * bend) / LENGTH ** 2, 0, 0]);
      setClamp(physics, rod, 'start', { position: [0, top - push * LENGTH, 0] });
      physics.step();
      const points = rodPositions(physics, rod);
      const x = points[points.length - 3];
      if (home === null && push > NUDGED) {
        home = x;
        detach(physics, pin);
      }
      if (home !== null && Math.abs(x - home) > SLIPPED * LENGTH) {
        slipAt = push;
        break;
      }
      if (push > NUDGED && step % SHOW_EVERY === 0) {
        const [T, N] = tipForce(points, bend, edge);
        yield { kind: 'sample', series: 'holds', x: push, y: Math.abs(T / N), isMoving: true };
      }
    }

    const { push, needed } = MASTER.stickSlip;
    const expected = firstReach(push, needed, friction);
    yield { kind: 'sample', series: 'slips', x: slipAt, y: friction };
    yield { kind: 'finding', label: `μ = ${friction}, push at the slip`, measured: slipAt, expected };
    physics.dispose();
  }
}

/** Force of the plane on the tip, along it and off it [N]. */
function tipForce(points: Float64Array, bend: number, edge: number): [number, number] {
  const count = points.length / 3;
  const [tipX, tipY] = [points[3 * count - 3], points[3 * count - 2] - RADIUS];
  // Normal equations of E I κ_i = (x_tip − x_i) N − (y_tip − y_i) T.
  let [aa, ab, bb, ac, bc] = [0, 0, 0, 0, 0];
  for (let i = 1; i < count - 1; i++) {
    const [x, y] = [points[3 * i], points[3 * i + 1]];
    const [ex, ey] = [x - points[3 * i - 3], y - points[3 * i - 2]];
    const [fx, fy] = [points[3 * i + 3] - x, points[3 * i + 4] - y];
    const curvature = (2 * (ex * fy - ey * fx)) / (edge * (edge * edge + ex * fx + ey * fy));
    const [a, b, c] = [tipX - x, -(tipY - y), bend * curvature];
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ac += a * c;
    bc += b * c;
  }
  const det = aa * bb - ab * ab;
  return [(aa * bc - ab * ac) / det, (bb * ac - ab * bc) / det];
}
