// Five napkins tumble in a drum: nothing goes through anything, however few iterations a step has.

import { expect, test } from 'vitest';
import { loadScene, openSession } from '../../../demos/app/open-session';
import { DRUM, laundry } from '../../../demos/scenes/cloth-scenes';
import { findSurfaceCrossings } from '../../../src/debug/surface-crossings';
import { type PhysicsSettings, shellPositions } from '../../../src/index';
import { bySuite, longTest } from '../../setup/suite';

const show = (...values: unknown[]) => process.env.SHOW_ERRORS && console.log(...values);

/** Crossings at every sixth step, how far vertices came out of the drum, their greatest height over its floor [m]. */
function tumble(seconds: number, count: number, columns: number, elastic: PhysicsSettings['elastic']) {
  const session = openSession(loadScene(laundry(count, columns)), { elastic });
  const { physics, shells } = session;
  const { arena, tables } = physics.internal.engine;
  const drum = session.entities.get('drum')!;
  const worst = { crossings: 0, outside: Number.NEGATIVE_INFINITY, highest: Number.NEGATIVE_INFINITY };
  const start = process.cpuUsage().user;
  for (let step = 1; physics.time < seconds - 1e-6; step++) {
    physics.step();
    if (step % 6 > 0) continue;
    worst.crossings += findSurfaceCrossings(arena, tables).length;
    const { z, w } = physics.components.Transform.rotation;
    const turned = 2 * Math.atan2(z[drum], w[drum]);
    for (const { entity } of shells.values()) {
      const points = shellPositions(physics, entity);
      for (let k = 0; k < points.length; k += 3) {
        worst.outside = Math.max(worst.outside, Math.abs(points[k + 2]) - DRUM.half);
        for (let plank = 0; plank < DRUM.planks; plank++) {
          const angle = turned + (2 * Math.PI * plank) / DRUM.planks;
          const away = Math.cos(angle) * points[k] + Math.sin(angle) * points[k + 1];
          worst.outside = Math.max(worst.outside, away - DRUM.radius);
        }
        worst.highest = Math.max(worst.highest, points[k + 1] + DRUM.radius);
      }
    }
  }
  const { quarantined, keptApart } = physics.report.strands;
  show(elastic, worst, 'ms', (process.cpuUsage().user - start) / 1000 / physics.stepCount, keptApart);
  expect(quarantined).toBe(0);
  session.close();
  return worst;
}

test('napkins that tumble stay in the drum and out of each other with four iterations', () => {
  const { crossings, outside } = tumble(bySuite(1.2, 10), bySuite(3, 5), bySuite(7, 14), { iterations: 4 });
  expect(crossings).toBe(0);
  expect(outside).toBeLessThan(0);
});

longTest.each([{ iterations: 1 }, {}])('they do with %j, for ten seconds', (elastic) => {
  const { crossings, outside, highest } = tumble(10, 5, 14, elastic);
  expect(crossings).toBe(0);
  expect(outside).toBeLessThan(0);
  // They are lifted, and fall.
  expect(highest).toBeGreaterThan(DRUM.radius);
});
