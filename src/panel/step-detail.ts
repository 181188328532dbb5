// One step beside the others: its stages, what was counted, and, on demand, the step again.

import { element } from './element';
import type { Replayer } from './replay';
import { spreadOf } from './statistics';
import { COUNTS, STEPS_KEPT, type StepLog } from './step-log';
import { amount, milliseconds, times } from './words';

export interface StepDetail {
  readonly root: HTMLElement;
  show(step: number, steps: StepLog, replayer: Replayer): void;
  hide(): void;
}

/** `repeated` is called after steps have been taken again: they are no part of what is recorded. */
export function createStepDetail(repeated: () => void): StepDetail {
  const title = element('p', { class: 'title', 'data-testid': 'panel-step' });
  const list = element('dl');
  const counts = element('p', { class: 'counts', 'data-testid': 'panel-counts' });
  const again = element('button', { 'data-testid': 'panel-replay' }, 'Take this step again');
  const answer = element('p', { 'data-testid': 'panel-answer', role: 'status' });
  const root = element('div', { class: 'detail', 'data-testid': 'panel-detail' }, title, list, counts, again, answer);
  root.hidden = true;
  const values = new Float64Array(STEPS_KEPT);
  let repeat: (() => void) | null = null;
  again.addEventListener('click', () => repeat?.());

  return {
    root,

    show(step, steps, replayer) {
      const medianOf = (name?: string) => spreadOf(values, steps.times(values, name)).p50;
      const [total, usual, number] = [steps.total(step), medianOf(), steps.numberOf(step)];
      const row = (name: string, took: number, median: number, more = '') =>
        list.append(
          element('dt', {}, name),
          element('dd', {}, `${milliseconds(took)} ms`, element('span', {}, `${times(took, median)} ${more}`)),
        );
      title.textContent = `Step ${number}: ${milliseconds(total)} ms, ${times(total, usual)} the median`;
      const byTime = [...steps.stages].sort((a, b) => steps.stage(step, b) - steps.stage(step, a));
      const dear = byTime.filter((name) => steps.stage(step, name) > 0.02 * total);
      list.replaceChildren();
      for (const name of dear) row(name, steps.stage(step, name), medianOf(name));
      const told = COUNTS.flatMap(([key, label]) => {
        const value = steps.count(step, key);
        if (value === 0) return [];
        const middle = spreadOf(values, steps.counts(values, key)).p50;
        return `${label} ${amount(value)}${value !== middle ? ` (median ${amount(middle)})` : ''}`;
      });
      counts.textContent = told.join(' · ');
      const obstacle = replayer.obstacle(number);
      again.disabled = obstacle !== null;
      answer.textContent = obstacle === null ? '' : `Cannot be taken again: ${obstacle}.`;
      repeat = () => {
        const replay = replayer.repeat(number);
        repeated();
        list.replaceChildren();
        for (const name of dear)
          row(name, steps.stage(step, name), medianOf(name), `again ${milliseconds(replay.stages.get(name) ?? 0)} ms`);
        answer.textContent = verdictOf(total, usual, replay.total, replay.isSame);
      };
      root.hidden = false;
    },

    hide() {
      root.hidden = true;
      repeat = null;
    },
  };
}

/** What the repeats of a step say of its time [ms]. */
export function verdictOf(took: number, usual: number, again: number, isSame: boolean): string {
  const numbers = `Taken five times again: ${milliseconds(again)} ms (median)`;
  const doubt = isSame ? '' : ' The repeats ended differently: a system of the game depends on more than the state.';
  if (took < 1.5 * usual) return `${numbers}.${doubt}`;
  // Nearer to which of the two, by ratio.
  const isState = again * again > took * usual;
  const cause = isState
    ? 'slow again: it lies in the state, see the stages and counts'
    : 'not slow again: garbage collection, compilation or something else on this machine';
  return `${numbers}: ${cause}.${doubt}`;
}
