// The results of `stiction bench snapshots` as a Markdown page, which reads well on a terminal too.

import { factsOf } from './run-facts';
import type { SnapshotBenchResult } from './snapshots';
import { short, table } from './solvers-tables';

/** All tables. */
export function showSnapshotBench(result: SnapshotBenchResult): string {
  const bytes = ['plain B', 'first B', 'added B', 'mean B', 'most B'];
  const heads = ['scene', 'bodies', ...bytes, 'take ms', 'restore ms', 'pack ms', 'restore packed ms'];
  return `${[
    '# Snapshots',
    `${factsOf('bench snapshots', result)}.`,
    'One snapshot a step in a ring of ten, in the memory of the oldest, and a restore to the oldest and back to the ' +
      'newest each step;\nbeside it a ring of packed ones. Nothing sleeps. Bytes are a body: of a plain copy; ' +
      'packed, the first of all,\nand what one adds to the ring, median, mean and most. Times are of the processor, ' +
      'medians.',
    table(
      heads,
      result.rows.map(({ scene, bodies, plain, first, added, mean, worst, take, restore, pack, restorePacked }) => [
        ...[scene, String(bodies), ...[plain, first, added, mean, worst].map((bytes) => bytes.toFixed(0))],
        ...[take, restore, pack, restorePacked].map(short),
      ]),
    ),
  ].join('\n\n')}\n`;
}
