// Time of groups of dispatches on the device: two timestamps a compute pass, where the device has them.
//
// A group is one compute pass (or the last of several) of many dispatches: browsers quantise timestamps (100 µs in
// Chromium, 65.5 µs in Dawn), so single dispatches cannot be told apart. Differences below 0 count as 0; what is
// reported is the median of the last 16. Results come through a read-back ring, a few frames late. Without the feature
// nothing is recorded and every time is 0: `isAvailable` says so.

import { align, USAGE } from './buffers';
import type { GpuContext } from './device';
import { createReadBack } from './read-back';

const KEPT = 16;
const NANOSECONDS = 1e-6; // [ms/ns]

export interface GpuTimestamps {
  readonly isAvailable: boolean;
  readonly groups: readonly string[];
  /** Steps whose times have arrived. */
  readonly count: number;
  /** For beginComputePass; undefined without the feature. */
  writesOf(group: string): GPUComputePassTimestampWrites | undefined;
  /** Records the copy of this step's timestamps; `work` is kept with them. After the last pass, before submission. */
  resolve(encoder: GPUCommandEncoder, work?: number): void;
  /** After submission. */
  flush(): void;
  /** Median over the last 16 steps [ms]; of all groups together without a name. */
  milliseconds(group?: string): number;
  /** The latest step that arrived: its `work` and time [ms], or null. */
  readonly latest: { readonly work: number; readonly milliseconds: number } | null;
  settle(): Promise<void>;
  dispose(): void;
}

/** Called with each step's times [ms], one a group, 0 for a group that was not used, and the step's `work`. */
export type TimesCallback = (times: ArrayLike<number>, work: number) => void;

/** Makes timers for these groups of passes. */
export function createTimestamps(
  context: GpuContext,
  groups: readonly string[],
  arrived?: TimesCallback,
): GpuTimestamps {
  const { device, hasTimestamps } = context;
  const rings = groups.map(() => new Float64Array(KEPT));
  const whole = new Float64Array(KEPT);
  const times = new Float64Array(groups.length);
  const used = new Uint8Array(groups.length);
  const masks = new Map<number, Uint8Array>();
  const sorted = new Float64Array(KEPT);
  const bytes = 16 * groups.length;
  let count = 0;
  let tag = 0;
  let latest: { work: number; milliseconds: number } | null = null;
  const works = new Map<number, number>();

  const receive = (data: ArrayBuffer, key: number): void => {
    const ticks = new BigInt64Array(data, 0, 2 * groups.length);
    const mask = masks.get(key);
    let total = 0;
    for (let g = 0; g < groups.length; g++) {
      // Unused groups hold an earlier step's numbers.
      const spent = mask?.[g] ? Number(ticks[2 * g + 1] - ticks[2 * g]) * NANOSECONDS : 0;
      const time = Math.max(0, spent);
      rings[g][count % KEPT] = times[g] = time;
      total += time;
    }
    whole[count % KEPT] = total;
    latest = { work: works.get(key) ?? 0, milliseconds: total };
    masks.delete(key);
    works.delete(key);
    count++;
    arrived?.(times, latest.work);
  };

  const median = (ring: Float64Array): number => {
    const n = Math.min(count, KEPT);
    if (n === 0) return 0;
    const part = sorted.subarray(0, n);
    part.set(ring.subarray(0, n));
    part.sort((a, b) => a - b);
    return n & 1 ? part[n >> 1] : 0.5 * (part[n >> 1] + part[(n >> 1) - 1]);
  };

  const ring = hasTimestamps ? createReadBack(context, 'timestamps', receive) : null;
  const queries = hasTimestamps
    ? device.createQuerySet({ label: 'timestamps', type: 'timestamp', count: 2 * groups.length })
    : null;
  const resolved = hasTimestamps
    ? device.createBuffer({
        label: 'timestamps',
        size: align(bytes),
        usage: USAGE.queryResolve | USAGE.copySource,
      })
    : null;

  return {
    isAvailable: hasTimestamps,
    groups,
    get count() {
      return count;
    },
    get latest() {
      return latest;
    },
    writesOf(group) {
      const g = groups.indexOf(group);
      if (!queries || g < 0) return undefined;
      used[g] = 1;
      return { querySet: queries, beginningOfPassWriteIndex: 2 * g, endOfPassWriteIndex: 2 * g + 1 };
    },
    resolve(encoder, work = 0) {
      if (!queries || !resolved || !ring) return;
      encoder.resolveQuerySet(queries, 0, 2 * groups.length, resolved, 0);
      if (ring.copy(encoder, [{ buffer: resolved, offset: 0, size: bytes }], ++tag)) {
        masks.set(tag, used.slice());
        works.set(tag, work);
      }
      used.fill(0);
    },
    flush: () => ring?.flush(),
    milliseconds(group) {
      if (group === undefined) return median(whole);
      const g = groups.indexOf(group);
      return g < 0 ? 0 : median(rings[g]);
    },
    settle: async () => ring?.settle(),
    dispose() {
      ring?.dispose();
      queries?.destroy();
      resolved?.destroy();
    },
  };
}
