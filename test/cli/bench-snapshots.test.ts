// `stiction bench snapshots`: its tables on small worlds, the calls it refuses.

import { expect, test } from 'vitest';
import { benchSnapshots } from '../../src/bench/snapshots';
import { showSnapshotBench } from '../../src/bench/snapshots-tables';
import { dispatch } from '../../src/cli/dispatch';
import { longTest } from '../setup/suite';

longTest('the table says what a snapshot adds to a ring that is gone back to in every step', () => {
  const result = benchSnapshots({ bodies: [60], steps: 30 }, () => {});
  expect(result.rows.map(({ scene, bodies }) => [scene, bodies])).toEqual([
    ['flight', 60],
    ['stacks', 60],
    ['pile at rest', 60],
    ['pile falling', 60],
  ]);
  const [flight, stacks, rest, falling] = result.rows;
  expect(flight.added).toBeLessThan(210);
  expect(stacks.added).toBeLessThan(240);
  expect(rest.added).toBeLessThan(300);
  // Its exact solve is found anew now and then.
  expect(falling.added).toBeLessThan(2300);
  for (const { plain, first, added, mean, worst, take, restore, pack, restorePacked } of result.rows) {
    expect(plain).toBeGreaterThan(first);
    expect(first).toBeGreaterThan(added);
    expect(worst).toBeGreaterThanOrEqual(mean);
    expect(Math.min(take, restore, pack, restorePacked)).toBeGreaterThan(0);
  }
  expect(showSnapshotBench(result)).toMatch(/\| pile at rest +\| +60 +\|/);
});

test('it refuses flags that mean nothing to it', async () => {
  let err = '';
  const streams = { out: () => {}, err: (text: string) => (err += text), terminal: false };
  expect(await dispatch(['bench', 'snapshots', '--scans'], streams as Parameters<typeof dispatch>[1])).toBe(2);
  expect(err).toBe('stiction bench: --scans: not for snapshots\n');
});
