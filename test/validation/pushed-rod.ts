// A clamped vertical rod pushed against a rough ground, on any backend: its tip sticks while T/N stays below
// mu, or slips (Romero et al. 2021).
//
// Expected: clamped–pinned elastica without gravity, N L²/(E I) and T/N against the push over the length; solved as
// a boundary-value problem in double precision. The clamp holds the first edge, its middle is where the rod begins.

import { placeClamp } from '../../src/dynamics/elastic/clamp-rows';
import { strandChanges } from '../../src/state/strand-changes';
import { addStrands, line, loadNode, nodeAt, type RodWorld } from './strand-worlds';

export const EXPECTED: Record<number, { N: number; ratio: number }> = {
  0.05: { N: 20.573092701271587, ratio: 0.10354477579267997 },
  0.15: { N: 21.343322114786268, ratio: 0.19591591532767824 },
};
export const LENGTH = 0.6; // [m]
export const RADIUS = 0.0005; // [m]
const YOUNG = 1e9; // [Pa]
export const STIFFNESS = (YOUNG * Math.PI * RADIUS ** 4) / 4; // E I [N m²]

/** Steps per unit of push over length: slow beside the rod's own third of a second. */
const PUSH_STEPS = 1600;
/** Steps after the push: half of them before friction changes. */
const REST = 120;

/** First root of tan x = x: k L of the clamped–pinned column. */
const MODE = 4.493409457909064;

/**
 * Points of a rod that stands on the ground below its clamp, bent as the clamped–pinned
 * column buckles under a push of `push`.
 */
function buckled(nodes: number, edge: number, x: number, push: number): number[][] {
  // Slope over its amplitude at share s of the length: of an edge in its middle, of the clamped one none.
  const slope = (s: number) => MODE * Math.sin(MODE * s) + Math.cos(MODE * s) - 1;
  const slopes = Array.from({ length: nodes - 1 }, (_, i) => (i === 0 ? 0 : slope(i / (nodes - 1.5))));
  const square = slopes.reduce((sum, k) => sum + k * k, 0) / (nodes - 1.5);
  const angles = slopes.map((k) => k * Math.sqrt((2 * push) / square));
  for (let round = 0; round < 20; round++) {
    const aside = angles.reduce((sum, angle) => sum + Math.sin(angle), 0) / (nodes - 2);
    for (let i = 1; i < nodes - 1; i++) angles[i] -= aside;
  }
  const points = [[x, RADIUS, 0]];
  for (let i = nodes - 2; i >= 0; i--) {
    const [a, b, c] = points[0];
    points.unshift([a - edge * Math.sin(angles[i]), b + edge * Math.cos(angles[i]), c]);
  }
  return points;
}

export interface PushedRod {
  /** Steps in all. */
  readonly steps: number;
  /** Before step `step`. */
  push(step: number): void;
  /** How far the tip went since friction became what it is [m]. */
  slip(): number;
}

/**
 * A rod whose tip stands on the plane y = 0 at (x, 0, 0), where friction with the ground must be 1; it is
 * pushed down by `push` of its length and waits; then friction becomes `mu`, for one second more. `bent`: the
 * push that it begins with, bent already: with one linearisation a step a column straight as a ruler is stiff
 * as one, and is pushed into the ground.
 */
export function addPushedRod(
  world: RodWorld,
  nodes: number,
  push: number,
  mu: number,
  { x = 0, bent = 0 } = {},
): PushedRod {
  const edge = LENGTH / (nodes - 1.5);
  const top = LENGTH + 0.5 * edge + RADIUS;
  const rest = line([x, top, 0], [x, RADIUS, 0], nodes);
  const points = bent > 0 ? buckled(nodes, edge, x, bent) : rest;
  const first = addStrands(world, {
    points,
    rest,
    radius: RADIUS,
    young: YOUNG,
    stretch: 1e9,
    friction: 1,
    damping: 0.02,
    clampStart: true,
    selfContact: false,
  });
  const strand = world.tables.nodes.strand[first];
  const start = points[0][1];
  const goal = top - push * LENGTH;
  const pushSteps = Math.round((PUSH_STEPS * (start - goal)) / LENGTH);
  let before = 0;
  return {
    steps: pushSteps + REST,
    push(step) {
      if (step === pushSteps + REST / 2) {
        // The geometric mean with the plane's 1.
        world.tables.rods.parameter[8 * world.tables.strands.rod[strand] + 6] = mu * mu;
        strandChanges(world.tables).materials++;
        before = nodeAt(world, first + nodes - 1)[0];
      }
      const y = start + (goal - start) * Math.min(1, (step + 1) / pushSteps);
      placeClamp(world.tables, strand, 0, [x, y, 0], [0, 0, 0, 1]);
      // A breath from the side says where it buckles to.
      if (step >= 40 || bent > 0) return;
      for (let k = 2; k < nodes - 1; k++) {
        loadNode(world, first + k, [(0.1 * STIFFNESS) / (LENGTH * LENGTH * nodes), 0, 0]);
      }
    },
    slip: () => Math.abs(nodeAt(world, first + nodes - 1)[0] - before),
  };
}
