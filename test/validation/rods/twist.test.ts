// Twist and its coupling to bending: thresholds at which a twisted or curved rod leaves its shape.
//
// Lateral buckling (Michell and Prandtl) needs a flat section: our rods are round, so it does not apply.

import { expect, test } from 'vitest';
import { bySuite } from '../../setup/suite';
import bendTwist from './bend-twist.json';
import { ringShape, straight } from './shapes';
import * as R from './statics';
import twist from './twist.json';

/** Unstable modes of a naturally straight rod bent to a closed ring, clamped to itself, with a total twist [rad]. */
function ringModes(n: number, torsion: number, total: number): number {
  const { points, rest } = ringShape(n);
  const s = R.createStatics({ points, restPoints: rest, bend: 1, twist: torsion, stretch: 1e5 });
  R.holdStart(s);
  s.held.fill(1, 4 * (n - 2));
  R.move(
    s,
    Array.from({ length: 4 * n }, (_, k) => (k % 4 === 3 && k < 4 * n - 4 ? (total * (k >> 2)) / (n - 2) : 0)),
  );
  // Uniform twist is an equilibrium already.
  expect(Math.max(...R.residual(s).map(Math.abs))).toBeLessThan(1e-6);
  return R.unstableModes(s);
}

const rings = twist.michellRing.rows;
test.each(bySuite(rings.slice(0, 1), rings))(
  'Michell: a ring with C/B = $C stays flat up to its critical twist',
  (row) => {
    const known = row.michell_2pi_sqrt3_B_over_C;
    const limits = R.SIZES.map((n) => R.bisect(0.7 * known, 1.3 * known, (total) => ringModes(n, row.C, total) > 0));
    R.expectConvergence(limits.map((limit) => Math.abs(limit / known - 1)));
  },
);

test.each(bySuite(twist.twistedRod.rows.slice(0, 1), twist.twistedRod.rows))(
  'a straight twisted rod under tension $tension_TL2_over_B stays straight up to its critical moment',
  (row) => {
    const known = row.critical_ML_over_B;
    const torsion = 0.75;
    const limits = R.SIZES.map((n) => {
      const edge = 1 / (n - 2);
      const points = straight(n, edge);
      return R.bisect(0.7 * known, 1.3 * known, (moment) => {
        const s = R.createStatics({ points, bend: 1, twist: torsion, stretch: 1e6 });
        R.holdStart(s);
        for (const node of [n - 2, n - 1]) for (const k of [1, 2, 3]) s.held[4 * node + k] = 1;
        s.load[4 * (n - 1)] = row.tension_TL2_over_B;
        const total = moment / torsion;
        const turn = (k: number) => (k % 4 === 3 && k < 4 * n - 4 ? (total * (k >> 2)) / (n - 2) : 0);
        const pull = (k: number) => (k % 4 === 0 && k > 4 ? (row.tension_TL2_over_B / 1e6) * edge * ((k >> 2) - 1) : 0);
        R.move(
          s,
          Array.from({ length: 4 * n }, (_, k) => turn(k) + pull(k)),
        );
        return R.unstableModes(s) > 0;
      });
    });
    R.expectConvergence(limits.map((limit) => Math.abs(limit / known - 1)));
  },
);

/** A clamped rod curved by nature in the plane z = 0, EI = 1, hanging down or horizontal with its curve upward. */
function curved(n: number, curve: number, torsion: number, hanging: boolean): R.Statics {
  const edge = 1 / (n - 1.5);
  const points: number[] = [];
  let [x, y, angle] = [0, 0, hanging ? -Math.PI / 2 : 0];
  x -= 0.5 * edge * Math.cos(angle);
  y -= 0.5 * edge * Math.sin(angle);
  for (let i = 0; i < n; i++) {
    points.push(x, y, 0);
    x += edge * Math.cos(angle);
    y += edge * Math.sin(angle);
    angle += curve * edge;
  }
  const s = R.createStatics({ points, bend: 1, twist: torsion, stretch: 1e5 });
  R.holdStart(s);
  return s;
}

/**
 * Whether the planar equilibrium under `weight` is unstable out of its plane. The shape is kept for the next weight.
 */
function leavesPlane(s: R.Statics, weight: number): boolean {
  const free = s.held.slice();
  R.holdPlane(s);
  R.addWeight(s, weight);
  R.equilibrate(s);
  s.held.set(free);
  return R.unstableModes(s, (k) => k % 4 > 1) > 0;
}

const leaving = bendTwist.curves.filter((c) => c.crossings_extrapolated.length > 0);
test.each(bySuite(leaving.slice(-1), leaving))(
  'bend-twist: $config, kL = $kL, leaves its plane at the known weight',
  (curve) => {
    const known = curve.crossings_extrapolated[0][0] as number;
    const errors = R.SIZES.map((n) => {
      const s = curved(n, curve.kL, curve.C_over_B, curve.config.startsWith('hanging'));
      for (const share of [0.3, 0.6]) expect(leavesPlane(s, share * known)).toBe(false);
      const limit = R.bisect(0.9 * known, 1.1 * known, (weight) => leavesPlane(s, weight));
      return Math.abs(limit / known - 1);
    });
    R.expectConvergence(errors, 2e-4);
  },
);

test.each(bendTwist.curves.filter((c) => c.crossings_extrapolated.length === 0))(
  'bend-twist: $config, kL = $kL, stays in its plane at any weight',
  (curve) => {
    const s = curved(32, curve.kL, curve.C_over_B, curve.config.startsWith('hanging'));
    for (const weight of [1, 5, 10, 20, 50, 100]) expect(leavesPlane(s, weight)).toBe(false);
  },
);
