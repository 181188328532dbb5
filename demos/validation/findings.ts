// The table of figures: ours, the master curve's, and how far apart.

import { element } from '../panel/element';
import { FIGURES } from './figures';
import type { ExperimentId, Finding } from './protocol';

/** Deviations up to this count as met. */
const MET = 0.02;

export interface FindingsTable {
  clear(): void;
  add(experiment: ExperimentId, finding: Finding): void;
  /** Says why an experiment broke off. */
  fail(experiment: ExperimentId, message: string): void;
  /** Deviations so far, as shares. */
  readonly deviations: readonly { experiment: ExperimentId; label: string; deviation: number }[];
}

export function createFindings(parent: HTMLElement): FindingsTable {
  const body = element('tbody', { 'data-testid': 'findings' });
  const heads = ['experiment', 'case', 'ours', 'theory', 'apart'].map((text) => element('th', {}, text));
  parent.append(element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body));
  const deviations: { experiment: ExperimentId; label: string; deviation: number }[] = [];
  return {
    deviations,
    clear() {
      body.replaceChildren();
      deviations.length = 0;
    },
    add(experiment, { label, measured, expected }) {
      const deviation = measured / expected - 1;
      deviations.push({ experiment, label, deviation });
      const apart = element('td', { class: Math.abs(deviation) <= MET ? 'met' : 'missed' }, percent(deviation));
      body.append(
        element(
          'tr',
          {},
          element('td', {}, titleOf(experiment)),
          element('td', {}, label),
          element('td', {}, measured.toPrecision(4)),
          element('td', {}, expected.toPrecision(4)),
          apart,
        ),
      );
    },
    fail(experiment, message) {
      const text = element('td', { class: 'missed', colspan: '4' }, message);
      body.append(element('tr', {}, element('td', {}, titleOf(experiment)), text));
    },
  };
}

function titleOf(experiment: ExperimentId): string {
  return FIGURES.find(({ id }) => id === experiment)?.title ?? experiment;
}

function percent(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(2)} %`;
}
