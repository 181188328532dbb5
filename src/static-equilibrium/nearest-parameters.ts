// Parameters that give known internal forces and are nearest to the drawn shape and the material's own stiffness.
//
// With the internal forces known every edge and node is a problem of its own: minimise
//   ½ (change of rest shape)² + ½ W (factor − 1)² subject to factor × change =
//   what the force asks for, and bounds.
// Edge: α (l/l̄ − 1) = t gives l̄/l − 1 = −t/(α + t); node: β (κ̄ − κ) = b, γ
// m̄ = τ. In x = factor both are
//   ½ b²/(x + s)² + ½ W (x − 1)²,  s = t for edges, 0 for nodes: convex, so its one minimum is the best of all.
// Every bound on the rest shape is a lower bound on the factor.

import { LEAST_LENGTH } from '../geometry/polyline';
import type { EquilibriumBounds } from './bounds';
import type { DrawnStrand } from './drawn-strand';
import type { InternalForces } from './internal-forces';
import type { StrandParameters } from './parameters';

/** Writes `out`. `floors`: least factors on bending and twist stiffness by node [1]; 0 for none. */
export function fitParameters(
  out: StrandParameters,
  drawn: DrawnStrand,
  forces: InternalForces,
  bounds: EquilibriumBounds,
  floors: Float64Array,
): void {
  const n = drawn.nodes;
  const { softest, stiffest, stiffnessWeight } = bounds;
  for (let i = 0; i < n; i++) {
    const length = i < n - 1 ? drawn.length[i] : 0;
    out.restLength[i] = length;
    out.stretchFactor[i] = 1;
    if (i > 0 && i < n - 1) fitEdge(out, drawn, forces.tension[i] / drawn.stretch, i, bounds);
  }
  for (let i = 0; i < n; i++) {
    const inner = i > 0 && i < n - 1;
    out.bendFactor[i] = 1;
    out.twistFactor[i] = 1;
    out.restTwist[i] = 0;
    for (let j = 0; j < 4; j++) out.restCurvature[4 * i + j] = inner ? drawn.curvature[4 * i + j] : 0;
    if (!inner) continue;
    const voronoi = 0.5 * (drawn.length[i - 1] + drawn.length[i]);
    const least = Math.max(softest, floors[i]);

    const a = (2 * voronoi * forces.moment[2 * i]) / drawn.bend;
    const b = (2 * voronoi * forces.moment[2 * i + 1]) / drawn.bend;
    const larger = Math.max(Math.abs(a), Math.abs(b));
    const bend = cheapest(a * a + b * b, 0, Math.max(least, larger / bounds.curvatureChange), stiffnessWeight);
    out.bendFactor[i] = Math.min(bend, stiffest);
    for (let j = 0; j < 4; j++) {
      const change = (j & 1 ? b : a) / out.bendFactor[i];
      out.restCurvature[4 * i + j] += within(change, bounds.curvatureChange);
    }

    const c = (voronoi * forces.torque[i]) / drawn.twist;
    const twist = cheapest(c * c, 0, Math.max(least, Math.abs(c) / bounds.twistChange), stiffnessWeight);
    out.twistFactor[i] = Math.min(twist, stiffest);
    out.restTwist[i] = within(c / out.twistFactor[i], bounds.twistChange);
  }
}

/** Share of a drawn length that a rest length may always shorten to [1], were it the shortest that the engine takes. */
const ALMOST = 1 - 1e-6;

/** Edge i, strain at factor 1 `t`. */
function fitEdge(out: StrandParameters, drawn: DrawnStrand, t: number, i: number, bounds: EquilibriumBounds): void {
  const { longest, softest, stiffest, stiffnessWeight } = bounds;
  const length = drawn.length[i];
  const shortest = Math.min(Math.max(bounds.shortest, LEAST_LENGTH / length), ALMOST);
  // Bounds on l̄/l = α/(α + t) as bounds on α: tension shortens, pressure lengthens.
  let least = softest;
  if (t > 0) least = Math.max(least, (shortest * t) / (1 - shortest));
  if (t < 0) least = Math.max(least, longest < Number.POSITIVE_INFINITY ? (-t * longest) / (longest - 1) : -t);
  const wanted = Math.min(cheapest(t * t, t, least, stiffnessWeight), stiffest);
  const ratio = wanted + t > 0 ? wanted / (wanted + t) : longest;
  out.restLength[i] = length * Math.min(longest, Math.max(shortest, ratio));
  // The factor takes up what rounding does to the rest length: hair stretches by 1e-8.
  const strain = length / out.restLength[i] - 1;
  const exact = strain === 0 ? 1 : t / strain;
  out.stretchFactor[i] = exact >= 0.5 * wanted && exact <= 2 * wanted ? Math.min(exact, stiffest) : wanted;
}

/**
 * The x ≥ least with x + s > 0 where ½ b²/(x + s)² + ½ W (x − 1)² is least. y = x + s solves y⁴ − (1 + s)
 * y³ = b²/W: of this the largest root, to which Newton's method comes down from the right without fail.
 */
function cheapest(square: number, s: number, least: number, weight: number): number {
  const c = square / weight;
  const start = 1 + s;
  let y = Math.max(start, 0) + Math.sqrt(Math.sqrt(c));
  for (let iteration = 0; iteration < 100 && c > 0; iteration++) {
    const value = (y - start) * y * y * y - c;
    const next = y - value / ((4 * y - 3 * start) * y * y);
    if (!(next < y)) break;
    y = next;
  }
  return Math.max(least, y - s);
}

function within(value: number, bound: number): number {
  return Math.min(bound, Math.max(-bound, value));
}
