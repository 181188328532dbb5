// Elastic solids at work: a furry ball through a cloth, a gripper that slips where friction says so, a tyre on a kerb.

import { expect } from 'vitest';
import type { SceneFile } from '../../demos/scenes/demo-scene';
import { FURRY, furryBall, GRIPPER, softGripper, TYRE, tyreOnKerb } from '../../demos/scenes/soft-machines';
import { rodPositions } from '../../src/index';
import { longTest } from '../setup/suite';
import { openWatched } from './watched-solids';

const show = (...values: unknown[]) => process.env.SHOW_ERRORS && console.log(...values);

function open(scene: SceneFile, every: number) {
  const watched = openWatched(scene, every);
  const meanOf = (name: string, axis: number) => {
    const x = watched.points(name);
    let sum = 0;
    for (let k = axis; k < x.length; k += 3) sum += x[k];
    return (3 * sum) / x.length;
  };
  return { ...watched, meanOf };
}

longTest.each([
  [1.1, true],
  [0.9, false],
])('jaws that press a soft ball with %f times what friction needs lift it, or slip: %s', (squeeze, holds) => {
  const { session, meanOf, run } = open(softGripper(squeeze, 2), 20);
  run(GRIPPER.close);
  const start = meanOf('ball', 1);
  run(GRIPPER.close + GRIPPER.up + 0.3);
  const lifted = meanOf('ball', 1) - start;
  show('gripper', squeeze, lifted);
  if (holds) expect(Math.abs(lifted - GRIPPER.lift)).toBeLessThan(0.02);
  else expect(lifted).toBeLessThan(0.3 * GRIPPER.lift);
  session.close();
});

longTest('a wheel with an elastic tyre rolls over a kerb', () => {
  const { session, physics, points, meanOf, run } = open(tyreOnKerb(), 10);
  const { kerb, at, outer, inner } = TYRE;
  const rim = session.entities.get('rim') ?? -1;
  const { x, y } = physics.components.Transform.position;
  let sunk = 0;
  run(3, () => {
    const p = points('tyre');
    for (let k = 0; k < p.length; k += 3) sunk = Math.max(sunk, (p[k] > at + 1e-3 ? kerb : 0) - p[k + 1]);
  });
  show('tyre', x[rim], y[rim], sunk, meanOf('tyre', 1));
  expect(x[rim]).toBeGreaterThan(at + 0.3);
  expect(sunk).toBeLessThan(1e-3);
  // It stands on the kerb, its tyre a little flattened.
  expect(y[rim]).toBeGreaterThan(kerb + inner);
  expect(y[rim]).toBeLessThan(kerb + outer + 0.02);
  session.close();
});

longTest('a furry ball rolls down a slope and through a hanging cloth, and keeps its fur', () => {
  const hairs = 60;
  const { session, physics, meanOf, points, run } = open(furryBall(hairs, 2), 10);
  const ends = () =>
    Array.from({ length: hairs }, (_, i) => {
      const hair = rodPositions(physics, session.rods.get(`hair${i}`) ?? -1);
      const from = [0, 1, 2].map((c) => hair[c] - meanOf('ball', c));
      const along = [0, 1, 2].map((c) => hair[3 + c] - hair[c]);
      const outward = from.reduce((sum, x, c) => sum + x * along[c], 0);
      return [Math.hypot(...from), outward / Math.hypot(...from) / Math.hypot(...along)];
    });
  let [least, most, tilt] = [Infinity, 0, 1];
  run(2.5, () => {
    for (const [away, cosine] of ends()) {
      least = Math.min(least, away);
      most = Math.max(most, away);
      tilt = Math.min(tilt, cosine);
    }
  });
  show('furry', least, most, tilt, meanOf('ball', 0), meanOf('ball', 1));
  // Roots stay on the ball, which gives way; hair stands out of it at last.
  expect(least).toBeGreaterThan(0.5 * FURRY.radius);
  expect(most).toBeLessThan(1.4 * FURRY.radius);
  for (const [, cosine] of ends()) expect(cosine).toBeGreaterThan(0.7);
  expect(meanOf('ball', 0)).toBeGreaterThan(FURRY.cloth[0]);
  expect(points('ball').every(Number.isFinite)).toBe(true);
  session.close();
});
