// Two lines of the panel: what fits in a budget on this machine, and what memory does.

import { element, say } from './element';
import { costOf, fitting } from './statistics';
import { STEPS_KEPT, type StepLog } from './step-log';
import { amount } from './words';

/** Budgets to ask for [ms]. */
const BUDGETS = [1, 2, 4, 8, 16];
/** Fewer steps than these say nothing. */
const LEAST_STEPS = 30;

/**
 * What a step's time is set against: keys of COUNTS, and what they are called here. Where there is something elastic
 * that takes the time, and nothing is said of the rest.
 */
const ITEMS: readonly (readonly [key: string, label: string])[] = [
  ['vertices', 'elastic vertices'],
  ['awake', 'bodies awake'],
  ['points', 'contact points'],
];

export interface Outlook {
  readonly root: HTMLElement;
  update(steps: StepLog): void;
}

/** How many bodies, contact points and vertices like these fit in a budget. */
export function createWhatIf(): Outlook {
  const choice = element('select', { 'aria-label': 'Budget for physics', 'data-testid': 'panel-what-if' });
  for (const budget of BUDGETS) choice.append(element('option', { value: String(budget) }, `${budget} ms`));
  choice.value = '4';
  const text = element('span', { 'data-testid': 'panel-fits' });
  const root = element('div', { class: 'row' }, choice, text);
  const [items, times] = [new Float64Array(STEPS_KEPT), new Float64Array(STEPS_KEPT)];
  return {
    root,
    update(steps) {
      const count = steps.times(times);
      if (count < LEAST_STEPS) {
        say(text, 'fit: to be measured …');
        return;
      }
      const told: string[] = [];
      let isFitted = false;
      for (const [key, label] of ITEMS) {
        steps.counts(items, key);
        const cost = costOf(items, times, count);
        if (!cost) continue;
        isFitted ||= cost.isFitted;
        told.push(`${amount(+fitting(cost, +choice.value).toPrecision(2))} ${label}`);
        if (key === 'vertices') break;
      }
      say(text, told.length > 0 ? `fit about ${told.join(' or ')} like these` : 'fit: nothing is awake');
      text.title = isFitted
        ? 'A line through the times of the steps that are kept, over these counts'
        : 'The counts hardly change: all of the time is put down to them, in proportion';
    },
  };
}

/** Chrome's own, and those built on it; bytes of JavaScript objects. */
interface HeapMemory {
  readonly usedJSHeapSize: number;
}

/** Readings of the heap that are kept, one an update. */
const READINGS = 40;

/** The engine's memory, the page's garbage and how often it was collected. */
export function createMemory(): Outlook {
  const root = element('p', { class: 'quiet', 'data-testid': 'panel-memory' });
  const page = performance as unknown as { readonly memory?: HeapMemory };
  const [sizes, times] = [new Float64Array(READINGS), new Float64Array(READINGS)];
  let count = 0;
  return {
    root,
    update({ physics }) {
      const { memoryBytes, scratchBytes } = physics.report;
      const own = `engine ${megabytes(memoryBytes)} MB, of a step ${megabytes(scratchBytes)} MB`;
      const heap = page.memory;
      if (!heap) {
        say(root, `Memory: ${own}; this browser does not tell the page's`);
        return;
      }
      sizes[count % READINGS] = heap.usedJSHeapSize;
      times[count % READINGS] = performance.now();
      count++;
      const { rate, collections } = garbageOf(sizes, times, count);
      const size = megabytes(sizes[(count - 1) % READINGS]);
      const garbage = `${megabytes(rate)} MB/s of garbage, collected ${collections} × here`;
      say(root, `Memory: ${own}; page ${size} MB, ${garbage}`);
    },
  };
}

/** From readings in a ring of which `count` were made: what is added a second [B/s], and how often it shrank. */
export function garbageOf(
  sizes: Float64Array,
  times: Float64Array,
  count: number,
): { rate: number; collections: number } {
  const kept = sizes.length;
  let [added, collections] = [0, 0];
  const first = Math.max(count - kept, 0);
  for (let i = first + 1; i < count; i++) {
    const change = sizes[i % kept] - sizes[(i - 1) % kept];
    if (change > 0) added += change;
    else if (change < 0) collections++;
  }
  const seconds = (times[(count - 1) % kept] - times[first % kept]) / 1000;
  return { rate: seconds > 0 ? added / seconds : 0, collections };
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 1);
