// Bending statics and dynamics of the rod mechanics against elliptic integrals and boundary-value solutions.

import { test } from 'vitest';
import { bySuite, longTest } from '../../setup/suite';
import elastica from './elastica.json';
import heavy from './heavy-elastica.json';
import * as R from './statics';

const SIZES = R.SIZES;

/** A horizontal clamped rod of free length 1, EI = 1, nearly inextensible, in the plane z = 0. */
function cantilever(n: number): R.Statics {
  const s = R.createStatics({ points: R.clampedPoints(n), bend: 1, stretch: 1e6 });
  R.holdStart(s);
  R.holdPlane(s);
  return s;
}

test.each(heavy.rows.filter(({ Gamma }) => Gamma !== 10 && Gamma <= bySuite(50, 1000)))(
  'heavy elastica, Γ = $Gamma: the tip is where the cantilever sags to',
  (row) => {
    const errors = SIZES.map((n) => {
      const s = cantilever(n);
      for (const share of [0.1, 0.3, 1]) {
        R.addWeight(s, share * row.Gamma);
        R.equilibrate(s);
      }
      const [x, y] = R.nodeAt(s, -1);
      return Math.hypot(x - row.W_over_L, y + row.H_over_L);
    });
    R.expectConvergence(errors);
  },
);

const tipLoads = elastica.tipLoad.rows;
test.each(bySuite(tipLoads.slice(-1), tipLoads))('tip load, α = $alpha', (row) => {
  const errors = SIZES.map((n) => {
    const s = cantilever(n);
    for (const share of [0.2, 1]) {
      s.load[4 * (n - 1) + 1] = -share * row.alpha;
      R.equilibrate(s);
    }
    const [x, y] = R.nodeAt(s, -1);
    return Math.hypot(x - row.reach_over_L, y + row.drop_over_L);
  });
  R.expectConvergence(errors);
});

type Ends = 'clamped_free' | 'pinned_pinned' | 'clamped_clamped' | 'clamped_pinned';

/** Buckling load of a straight rod along x pushed at its end by a dead load, by how its ends are held. */
function bucklingLoad(n: number, kind: Ends): number {
  const known = elastica.eulerLoads[kind];
  const clamps = kind === 'clamped_clamped' ? 2 : kind === 'pinned_pinned' ? 0 : 1;
  const edge = 1 / (n - 1 - 0.5 * clamps);
  const points = Array.from({ length: n }, (_, i) => [edge * i, 0, 0]).flat();
  return R.bisect(0.8 * known, 1.3 * known, (P) => {
    const s = R.createStatics({ points, bend: 1, stretch: 1e6 });
    const hold = (node: number, unknowns: number[]) => {
      for (const k of unknowns) s.held[4 * node + k] = 1;
    };
    hold(0, [0, 1, 2, 3]);
    if (kind !== 'pinned_pinned') R.holdStart(s);
    if (kind !== 'clamped_free') hold(n - 1, [1, 2]);
    if (kind === 'clamped_clamped') hold(n - 2, [1, 2, 3]);
    R.holdPlane(s);
    s.load[4 * (n - 1)] = -P;
    R.equilibrate(s);
    return R.unstableModes(s) > 0;
  });
}

const HELD: readonly Ends[] = ['clamped_free', 'clamped_pinned', 'pinned_pinned', 'clamped_clamped'];
test.each(bySuite(HELD.slice(1, 2), HELD))('Euler load, %s', (kind) => {
  const known = elastica.eulerLoads[kind];
  R.expectConvergence(SIZES.map((n) => Math.abs(bucklingLoad(n, kind) / known - 1)));
});

longTest('a column stands under its own weight up to Γ = 7.837', () => {
  const errors = SIZES.map((n) => {
    const points = R.clampedPoints(n);
    const upright = points.map((_, k) => (k % 3 === 1 ? points[k - 1] : 0));
    const limit = R.bisect(6, 10, (weight) => {
      const s = R.createStatics({ points: upright, bend: 1, stretch: 1e6 });
      R.holdStart(s);
      R.holdPlane(s);
      R.addWeight(s, weight);
      R.equilibrate(s);
      return R.unstableModes(s) > 0;
    });
    return Math.abs(limit / elastica.eulerLoads.self_weight_Gamma - 1);
  });
  R.expectConvergence(errors);
});

test.each(elastica.postBuckled.rows)('pinned elastica past its Euler load, end angle $end_angle_deg°', (row) => {
  const errors = SIZES.map((n) => {
    const edge = 1 / (n - 1);
    const points = Array.from({ length: n }, (_, i) => [edge * i, 0, 0]).flat();
    const s = R.createStatics({ points, bend: 1, stretch: 1e6 });
    // In the plane: the rod may turn about the line of its ends.
    R.holdPlane(s);
    s.held[0] = s.held[1] = s.held[4 * (n - 1) + 1] = 1;
    R.move(
      s,
      Array.from({ length: 4 * n }, (_, k) => (k % 4 === 1 ? 0.1 * Math.sin((Math.PI * (k >> 2)) / (n - 1)) : 0)),
    );
    s.load[4 * (n - 1)] = -row.P_over_PEuler * Math.PI ** 2;
    R.equilibrate(s);
    const middle = 0.5 * (R.nodeAt(s, n / 2)[1] + R.nodeAt(s, n / 2 - 1)[1]);
    return Math.abs(Math.abs(middle) / row.mid_deflection_over_L - 1);
  });
  R.expectConvergence(errors);
});

test('the first three vibration modes of a cantilever', () => {
  const errors = SIZES.map((n) => {
    const s = cantilever(n);
    const { mass } = s.world.tables.nodes;
    const H = R.stiffness(s);
    const found = [1, 2, 3].map((mode) => {
      // Planar modes below omega: negative pivots of H − omega² M in y.
      return R.bisect(1, 200, (omega) => {
        const shifted = H.slice();
        for (let i = 0; i < n; i++) shifted[11 * (4 * i + 1)] -= omega * omega * mass[2 * i];
        return R.negativePivots(shifted, s.size, (k) => k % 4 === 1 && s.held[k] === 0) >= mode;
      });
    });
    return Math.max(...found.map((omega, k) => Math.abs(omega / elastica.cantileverModes.beta_L[k] ** 2 - 1)));
  });
  R.expectConvergence(errors);
});
