import { afterEach, expect, test, vi } from 'vitest';
import { createRecorder } from '../../src/core/profile';
import { createStateHash, formatStateHash, hashWords } from '../../src/core/state-hash';

/** A clock of our own: what a stage takes does not depend on the machine. Every reading takes a microsecond. */
let now = 0;
function useOwnClock(): void {
  now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 0.001;
    return now;
  });
}
const spend = (milliseconds: number) => {
  now += milliseconds;
};
afterEach(() => vi.restoreAllMocks());

test('the ring keeps the last 240 steps and each stage gets its own time', () => {
  useOwnClock();
  const recorder = createRecorder(false);
  recorder.setStages(['a', 'b']);
  for (let i = 0; i < 250; i++) {
    recorder.beginStep();
    if (i === 249) spend(2);
    recorder.endStage(0);
    recorder.endStage(1);
    recorder.endStep();
  }
  const { profile } = recorder;
  expect(profile.count).toBe(250);
  expect(profile.milliseconds('a')).toBeCloseTo(2.001, 9);
  expect(profile.milliseconds('b')).toBeCloseTo(0.001, 9);
  expect(profile.stepMilliseconds()).toBeCloseTo(2.002, 9);
  expect(profile.median()).toBeCloseTo(0.002, 9);
  expect(profile.milliseconds('b', 240)).toBe(0);
  expect(profile.percentile(1)).toBe(profile.stepMilliseconds());
  expect(profile.median('nowhere')).toBe(0);
  expect(profile.chromeTrace().traceEvents).toHaveLength(240 * 3);
});

test('a stage added later starts with an empty history and the others keep theirs', () => {
  useOwnClock();
  const recorder = createRecorder(false);
  recorder.setStages(['a']);
  recorder.beginStep();
  spend(1);
  recorder.endStage(0);
  recorder.endStep();
  const before = recorder.profile.milliseconds('a');
  expect(before).toBeCloseTo(1.001, 9);
  recorder.setStages(['new', 'a']);
  expect(recorder.profile.milliseconds('a')).toBe(before);
  expect(recorder.profile.milliseconds('new')).toBe(0);
});

test('user timing entries are emitted for every stage and none pile up', () => {
  const seen: string[] = [];
  const observer = new PerformanceObserver((list) => seen.push(...list.getEntries().map((entry) => entry.name)));
  observer.observe({ entryTypes: ['measure'] });
  const recorder = createRecorder(true);
  recorder.setStages(['find-pairs']);
  recorder.beginStep();
  recorder.endStage(0);
  recorder.endStep();
  seen.push(...observer.takeRecords().map((entry) => entry.name));
  observer.disconnect();
  expect(seen).toEqual(['physics: find-pairs', 'physics: step']);
  expect(performance.getEntriesByType('measure')).toEqual([]);
});

test('the state hash tells one bit, order and length apart', () => {
  const hash = (words: number[]) => {
    const state = createStateHash();
    hashWords(state, Int32Array.from(words), 0, words.length);
    return formatStateHash(state);
  };
  const values = [hash([]), hash([0]), hash([0, 0]), hash([1]), hash([1, 2]), hash([2, 1]), hash([1 << 31])];
  expect(new Set(values).size).toBe(values.length);
  expect(values.every((value) => /^[0-9a-f]{16}$/.test(value))).toBe(true);
});
