// The hair scenes without a page: what their grooms, motions and the comb are like.

import { describe, expect, test } from 'vitest';
import { loadScene, openSession } from '../../demos/app/open-session';
import { poseOf } from '../../demos/app/session';
import { takeTool } from '../../demos/app/tool';
import { CENTRE, HEAD, outsideBust } from '../../demos/scenes/bust';
import type { Vec3 } from '../../demos/scenes/demo-scene';
import { STYLES, styleHair } from '../../demos/scenes/hair-styles';
import { headOfHair } from '../../demos/scenes/head-of-hair';
import { rollingFur } from '../../demos/scenes/rolling-fur';
import { longTest } from '../setup/suite';

const LIFT = 2e-4; // [m]
const length = (v: readonly number[]) => Math.hypot(...v);
const between = (a: readonly number[], b: readonly number[]) => length(a.map((value, k) => value - b[k]));

describe.each(Object.entries(STYLES))('%s hair', (_name, style) => {
  const strands = styleHair(style, 300, LIFT);

  test('is rooted on the skin and begins outside head and shoulders', () => {
    for (const strand of strands) {
      expect(length(strand[0])).toBeCloseTo(HEAD + LIFT, 4);
      for (const point of strand) {
        expect(length(point)).toBeGreaterThan(HEAD + 1e-4);
        expect(between(outsideBust(point, 1e-4), point)).toBeLessThan(2e-3);
      }
    }
  });

  test('has even edges that no solver trips over', () => {
    for (const strand of strands) {
      const edges = strand.slice(1).map((point, i) => between(point, strand[i]));
      const mean = edges.reduce((sum, edge) => sum + edge, 0) / edges.length;
      expect(Math.min(...edges)).toBeGreaterThan(0.15 * mean);
      expect(Math.max(...edges)).toBeLessThan(3 * mean);
    }
  });
});

test('curly hair is curlier than wavy hair, and that than straight hair', () => {
  const bend = (style: number) => {
    let sum = 0;
    for (const strand of styleHair(style, 100, LIFT)) {
      let arc = 0;
      for (let i = 1; i < strand.length; i++) arc += between(strand[i], strand[i - 1]);
      sum += arc / between(strand[0], strand[strand.length - 1]);
    }
    return sum / 100;
  };
  expect(bend(STYLES.wavy)).toBeGreaterThan(1.05 * bend(STYLES.straight));
  expect(bend(STYLES.curly)).toBeGreaterThan(1.05 * bend(STYLES.wavy));
});

longTest('the comb follows the pointer over the head at the speed of a hand, teeth towards the skin', () => {
  const { tool } = headOfHair;
  if (!tool) throw new Error('the scene has no tool');
  const session = openSession(
    loadScene(headOfHair.build(100)),
    {},
    headOfHair.files?.(100, { style: STYLES.straight }),
  );
  const { physics } = session;
  const comb = session.entities.get(tool.body) as number;
  const grip = takeTool(session, tool);
  // From the front at the brow.
  const origin: Vec3 = [0, CENTRE[1] + 0.03, 1];
  grip.aim(origin, [0, 0, -1]);
  let before = poseOf(physics, comb).position;
  for (let step = 0; step < 60; step++) {
    physics.step();
    const { position } = poseOf(physics, comb);
    expect(between(position, before)).toBeLessThan(1.01 * tool.speed * physics.settings.timeStep);
    before = position;
  }
  const { position, rotation } = poseOf(physics, comb);
  const goal = tool.aim(origin, [0, 0, -1]);
  expect(between(position, goal.position)).toBeLessThan(1e-6);
  const [x, y, z, w] = rotation;
  const outwards = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
  const normal = position.map((value, k) => value - CENTRE[k]);
  expect(outwards.reduce((sum, value, k) => sum + value * normal[k], 0) / length(normal)).toBeGreaterThan(0.999);
  // It stays where it is let go.
  grip.release();
  for (let step = 0; step < 5; step++) physics.step();
  expect(between(poseOf(physics, comb).position, position)).toBeLessThan(1e-6);
  expect(physics.report.strands.quarantined).toBe(0);
  session.close();
});

test('the ball of fur ends its round as it began', () => {
  const keys = rollingFur.build().motions?.[0].keys ?? [];
  const [first, last] = [keys[0], keys[keys.length - 1]];
  expect(between(first.position, last.position)).toBeLessThan(1e-6);
  const turned = first.rotation?.reduce((sum, value, k) => sum + value * (last.rotation?.[k] ?? 0), 0) ?? 0;
  expect(Math.abs(turned)).toBeGreaterThan(1 - 1e-9);
});
