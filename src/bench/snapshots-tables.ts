// The results of `stiction bench snapshots` as a Markdown page, which reads well on a terminal too.

import { factsOf } from './run-facts';
import type { SnapshotBenchResult } from './snapshots';
import { short, table } from './solvers-tables';

/** All tables. */
export function showSnapshotBench(result: SnapshotBenchResult): string {
  const heads = ['scene', 'bodies', 'first B', 'added B', 'mean B', 'most B', 'take ms', 'restore ms'];
  return `${[
    '# Snapshots',
    `${factsOf('bench snapshots', result)}.`,
    'One snapshot a step in a ring of ten, and a restore to the oldest and back to the newest each step. Nothing ' +
      'sleeps.\nBytes are a body: the first snapshot of all; what one adds to the ring, median, mean and most. Times ' +
      'are of the processor, medians.',
    table(
      heads,
      result.rows.map(({ scene, bodies, first, added, mean, worst, take, restore }) => [
        ...[scene, String(bodies), ...[first, added, mean, worst].map((bytes) => bytes.toFixed(0))],
        ...[short(take), short(restore)],
      ]),
    ),
  ].join('\n\n')}\n`;
}
