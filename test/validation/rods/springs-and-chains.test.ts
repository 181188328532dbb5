// Helical springs and hanging chains against closed forms.

import { expect, test } from 'vitest';
import { strandEnergy, strandForces } from '../../../src/mechanics/rod/strand-energy';
import catenary from './catenary.json';
import helix from './helix.json';
import { helixPoints, turnToLeast } from './shapes';
import * as R from './statics';

/**
 * A rod that is by nature a helix (k0, t0), held at both ends in the pose of the helix (k, t) of the same length;
 * returns the axial force on the start clamp. Arc length `length`, EI = 1.
 */
function loadedHelix(n: number, length: number, torsion: number, k0: number, t0: number, k: number, t: number): number {
  const arc = length / (n - 1);
  const s = R.createStatics({
    points: helixPoints(n, arc, k, t),
    restPoints: helixPoints(n, arc, k0, t0),
    bend: 1,
    twist: torsion,
    stretch: 1e5,
  });
  // The natural frame, plus the twist t − t0; then turned as a whole to the least
  // bending energy, E = a − b cos(φ − φ*).
  const turn = (change: (edge: number) => number) =>
    R.move(
      s,
      Array.from({ length: 4 * n }, (_, q) => (q % 4 === 3 && q < 4 * n - 4 ? change(q >> 2) : 0)),
    );
  turn((edge) => (t - t0) * arc * edge);
  turnToLeast(
    (angle) => turn(() => angle),
    () => strandEnergy(s.world.tables, s.strand).bend,
  );
  R.holdStart(s);
  s.held.fill(1, 4 * (n - 2));
  R.equilibrate(s, 1e-6, 0.01);
  const f = new Float64Array(4 * n);
  strandForces(f, 0, s.world.tables, s.strand);
  return f[1] + f[5];
}

test.each(helix.loadedHelix.examples.filter((e) => e.pitch_angle_deg >= 20))(
  'a helix drawn out to $pitch_angle_deg° of pitch pulls with the known force',
  (e) => {
    const errors = R.SIZES.map((n) => {
      const force = loadedHelix(n, 2 * Math.PI, e.C / e.B, e.k0, e.tau0, e.kappa, e.tau);
      return Math.abs(force / e.axial_force - 1);
    });
    R.expectConvergence(errors);
  },
);

test('a close-coiled spring has the stiffness GJ/(R² L)', () => {
  const errors = R.SIZES.map((n) => {
    // One turn; pitch angle from 1 to 2 degrees, the number of turns kept: w = √(k² + t²) = 1 for one turn in 2π.
    const length = 2 * Math.PI;
    const [a0, a] = [Math.PI / 180, Math.PI / 90];
    const force = loadedHelix(n, length, 1 / 1.3, Math.cos(a0), Math.sin(a0), Math.cos(a), Math.sin(a));
    const stiffness = force / (length * (Math.sin(a) - Math.sin(a0)));
    return Math.abs(stiffness / (1 / 1.3 / length) - 1);
  });
  // The formula itself is exact only in the limit of no pitch.
  R.expectConvergence(errors, 2e-3);
});

test.each(catenary.discrete_lumped.rows)(
  'a chain of $links links over a span of $span_over_L hangs as computed',
  (row) => {
    const s = hang(row.links, row.span_over_L);
    const sag = -R.nodeAt(s, row.links / 2)[1];
    expect(sag).toBeCloseTo(row.sag_over_L, 3);
    const f = new Float64Array(s.size);
    strandForces(f, 0, s.world.tables, s.strand);
    expect(f[0] / row.H_over_wL).toBeCloseTo(1, 2);
  },
);

test.each(catenary.inextensible)('the chain converges to the catenary over a span of $span_over_L', (row) => {
  const errors = [16, 32, 64].map((links) => {
    const s = hang(links, row.span_over_L);
    return Math.abs(-R.nodeAt(s, links / 2)[1] / row.sag_over_L - 1);
  });
  R.expectConvergence(errors, 3e-4);
});

/** A chain of unit length and weight, its ends pinned at (∓span/2, 0), started as a circular arc. */
function hang(links: number, span: number): R.Statics {
  // Half angle β of the arc: sin β/β = span, up to the links' corners.
  let [low, high] = [0.01, Math.PI];
  for (let k = 0; k < 60; k++) {
    const b = 0.5 * (low + high);
    if (Math.sin(b) / (links * Math.sin(b / links)) > span) low = b;
    else high = b;
  }
  const radius = 1 / (links * 2 * Math.sin(low / links));
  const points = Array.from({ length: links + 1 }, (_, i) => {
    const a = low * ((2 * i) / links - 1);
    return [radius * Math.sin(a), radius * (Math.cos(low) - Math.cos(a)), 0];
  }).flat();
  const edge = 1 / links;
  const restPoints = Array.from({ length: links + 1 }, (_, i) => [edge * i, 0, 0]).flat();
  const s = R.createStatics({ points, restPoints, bend: 1e-6, stretch: 1e4 });
  R.holdPlane(s);
  for (const node of [0, links]) s.held.fill(1, 4 * node, 4 * node + 4);
  R.addWeight(s, 1);
  R.equilibrate(s);
  return s;
}
