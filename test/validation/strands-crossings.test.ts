// No strand passes through another: signed volumes over every step of a shaken hairy ball, and the detection itself.

import { describe, expect, it } from 'vitest';
import { benchCrossings } from '../../src/bench/rods';
import { countCrossings, createCrossingDetection, depthInBall } from '../../src/bench/rods-crossings';
import { createHairyBall } from '../../src/bench/rods-worlds';
import { createChance } from '../../src/bench/solvers-problems';
import * as L from '../../src/state/layout';
import { longTest } from '../setup/suite';

/** Four numbers a node. */
const nodes = (...points: number[][]) => Float64Array.from(points.flatMap((point) => [...point, 0]));

describe('the detection of crossings', () => {
  const bar = [
    [-1, 0, 0],
    [1, 0, 0],
  ];
  const across = (height: number, x = 0) => [
    [x, height, -1],
    [x, height, 1],
  ];

  it('counts an edge that goes through another once, and none that turns back or goes past', () => {
    const from = nodes(...bar, ...across(0.2));
    expect(countCrossings(from, nodes(...bar, ...across(-0.1)), 0, 2)).toBe(1);
    expect(countCrossings(from, nodes(...bar, ...across(0.01)), 0, 2)).toBe(0);
    // Through the line, but beyond the end of the bar.
    expect(countCrossings(nodes(...bar, ...across(0.2, 1.5)), nodes(...bar, ...across(-0.1, 1.5)), 0, 2)).toBe(0);
  });

  it('sees an edge that turns through another and back within one step', () => {
    // At the middle of the step both ends of the second edge have changed places: it lies below the bar between.
    const from = nodes(...bar, [0, 0.1, -1], [0, -0.3, 1]);
    const to = nodes(...bar, [0, -0.3, -1], [0, 0.1, 1]);
    expect(countCrossings(from, to, 0, 2)).toBe(0);
    const twice = nodes([-1, 0.05, 0], [1, 0.05, 0], [0, 0, -1], [0, 0, 1]);
    const back = nodes([1, 0.05, 0], [-1, 0.05, 0], [0, 0, -1], [0, 0, 1]);
    expect(countCrossings(twice, back, 0, 2)).toBe(0);
  });

  it('finds through its grid all that every pair tried in turn shows', () => {
    const chance = createChance(7);
    const strands = 40;
    const length = 6;
    const count = strands * length;
    const from = new Float64Array(4 * count);
    const to = new Float64Array(4 * count);
    const strandOf = Int32Array.from({ length: count }, (_, i) => Math.floor(i / length));
    for (let i = 0; i < count; i++) {
      const isRoot = i % length === 0;
      for (let k = 0; k < 3; k++) {
        from[4 * i + k] = isRoot ? chance() : from[4 * i - 4 + k] + 0.2 * (chance() - 0.5);
        to[4 * i + k] = from[4 * i + k] + 0.2 * (chance() - 0.5);
      }
    }
    let brute = 0;
    for (let a = 0; a + 1 < count; a++) {
      for (let b = a + 2; b + 1 < count; b++) {
        if (strandOf[a] !== strandOf[a + 1] || strandOf[b] !== strandOf[b + 1]) continue;
        brute += countCrossings(from, to, a, b);
      }
    }
    expect(brute).toBeGreaterThan(5);
    expect(createCrossingDetection()(from, to, strandOf, count).count).toBe(brute);
  });

  it('measures how deep a strand was inside a ball, on its way, too', () => {
    const strandOf = Int32Array.of(0, 0);
    const from = nodes([-2, 0.4, 0], [-3, 0.4, 0]);
    expect(depthInBall(from, nodes([2, 0.4, 0], [3, 0.4, 0]), strandOf, 2, 1, 0)).toBeCloseTo(0.6, 12);
    expect(depthInBall(from, from, strandOf, 2, 1, 0)).toBeLessThan(0);
  });
});

describe('a shaken hairy ball', () => {
  longTest('moves without one strand going through another or into the ball', () => {
    const found = benchCrossings(120, 12, 110);
    expect(found.pairs).toBeGreaterThan(1000);
    expect(found.contacts.most).toBeGreaterThan(50);
    expect(found.crossings).toBe(0);
    expect(found.depth).toBeLessThan(0);
    expect(found.quarantined).toBe(0);
  });

  longTest('would be caught: the same without collisions crosses', () => {
    const world = createHairyBall(120, 12, 'wasm');
    world.physics.hash(); // makes the rows
    const { rods } = world.engine.tables;
    rods.flags[0] &= ~L.ROD_SELF_CONTACT;
    const detection = createCrossingDetection();
    let crossings = 0;
    for (let step = 0; step < 110; step++) {
      world.advance();
      const { previous, position, strand } = world.engine.tables.nodes;
      crossings += detection(previous, position, strand, 120 * 12).count;
    }
    expect(crossings).toBeGreaterThan(0);
  });
});
