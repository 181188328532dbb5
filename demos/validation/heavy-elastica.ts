// A level cantilever under its own weight: where its tip comes to rest, against Γ = ρ S g L³ / (E I).

import { createWorld } from 'bitecs';
import { addRod, createPhysics, rodPositions, rodVelocities } from '../../src/index';
import { interpolate } from './interpolate';
import MASTER from './master-curves.json';
import type { Outcome, Setup } from './protocol';

const LENGTH = 1; // [m]
const RADIUS = 0.01; // [m]
const DENSITY = 1000; // [kg/m³]
const GRAVITY = 9.81; // [m/s²]
const GAMMAS = [0.3, 1, 3, 10, 30, 100];
const STILL = 2e-5; // [m/s]
const LONGEST = 1500; // [steps]
const SHOW_EVERY = 12; // [steps]

/** One rod after the other; each sinks to its rest on the way. */
export function* runHeavyElastica({ backend, vertices }: Setup): Generator<Outcome> {
  for (const gamma of GAMMAS) {
    const lineDensity = DENSITY * Math.PI * RADIUS * RADIUS;
    const bend = (lineDensity * GRAVITY * LENGTH ** 3) / gamma;

    // Critical damping of the slowest motion: the rod's own, or that of a pendulum.
    const slowest = Math.max(3.5 * Math.sqrt(bend / (lineDensity * LENGTH ** 4)), Math.sqrt(GRAVITY / LENGTH));

    const physics = createPhysics(createWorld(), {
      gravity: [0, -GRAVITY, 0],
      userTiming: false,
      sleeping: false,
      elastic: { backend, newtonIterations: 2 },
    });

    // A clamp holds an edge, and bending begins at its middle: the rod proper begins half an edge before node 1.
    const edge = LENGTH / (vertices - 1.5);

    const rod = addRod(physics, {
      points: Array.from({ length: vertices }, (_, i) => [(i - 0.5) * edge, 0, 0]),
      radius: RADIUS,
      density: DENSITY,
      youngModulus: (4 * bend) / (Math.PI * RADIUS ** 4),
      stretchModulus: 1e9,
      damping: 0,
      airDrag: Math.min(2 * slowest, 60),
      clampStart: true,
    });

    for (let step = 0; step < LONGEST; step++) {
      physics.step();
      if (step % SHOW_EVERY > 0) continue;
      const [width, drop] = tipOf(rodPositions(physics, rod));
      const isMoving = step > 0;
      yield { kind: 'sample', series: 'width', x: gamma, y: width, isMoving };
      yield { kind: 'sample', series: 'drop', x: gamma, y: drop, isMoving };
      if (step > 60 && rodVelocities(physics, rod).every((v) => Math.abs(v) < STILL)) break;
    }

    const [width, drop] = tipOf(rodPositions(physics, rod));
    const { gamma: at, width: widths, drop: drops } = MASTER.heavyElastica;

    yield {
      kind: 'finding',
      label: `Γ = ${gamma}, reach W/L`,
      measured: width,
      expected: interpolate(at, widths, gamma),
    };
    const expected = interpolate(at, drops, gamma);
    yield { kind: 'finding', label: `Γ = ${gamma}, drop H/L`, measured: drop, expected };
    physics.dispose();
  }
}

/** Reach and drop of the tip as shares of the length. */
function tipOf(points: Float64Array): [number, number] {
  const at = points.length - 3;
  return [points[at] / LENGTH, -points[at + 1] / LENGTH];
}
