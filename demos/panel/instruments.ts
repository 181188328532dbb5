// The instruments of a scene: gauges with the value that ought to be reached, and charts, below the scene's card.

import './instruments.css';
import type { Recorder } from '../app/recorder';
import type { DemoScene, Values } from '../scenes/demo-scene';
import { element } from './element';
import { createOrbitChart } from './orbit-chart';

export interface InstrumentPanel {
  readonly element: HTMLElement;
  /** Shows the instruments of a scene, or nothing. */
  show(demo: DemoScene | null, recorder: Recorder): void;
  /** Reads them. */
  update(values: Values): void;
}

export function createInstruments(): InstrumentPanel {
  const holder = element('section', {
    class: 'instruments glass',
    'aria-label': 'Instruments',
    'data-testid': 'instruments',
  });
  holder.hidden = true;
  let updates: ((values: Values) => void)[] = [];

  return {
    element: holder,
    show(demo, recorder) {
      holder.replaceChildren();
      updates = [];
      for (const record of recorder.gauges) updates.push(addGauge(holder, record));
      for (const record of recorder.charts) updates.push(addChart(holder, record));
      holder.hidden = updates.length === 0 || demo === null;
    },
    update(values) {
      for (const update of updates) update(values);
    },
  };
}

function addGauge(holder: HTMLElement, record: Recorder['gauges'][number]): (values: Values) => void {
  const { gauge } = record;
  const number = element('b', { 'data-testid': `gauge-${gauge.id}` });
  const bar = element('i');
  const scale = element('div', { class: 'scale' }, bar);
  const note = element('div', { class: 'levels' });
  holder.append(
    element(
      'div',
      { class: 'gauge' },
      element('div', { class: 'head' }, element('span', {}, gauge.label), number),
      scale,
      note,
    ),
  );
  let listed = '';
  return (values) => {
    const most = gauge.most(values);
    number.textContent = `${readable(record.value)}${gauge.unit && ` ${gauge.unit}`}`;
    bar.style.width = `${(100 * Math.min(Math.max(record.value, 0), most)) / most}%`;
    const levels = gauge.levels?.(values) ?? [];
    const text = levels.map(({ label, value }) => `${label} ${readable(value)}`).join(' · ');
    if (text === listed) return;
    listed = text;
    note.textContent = text;
    for (const tick of scale.querySelectorAll('u')) tick.remove();
    for (const { value } of levels)
      scale.append(element('u', { style: `left:${(100 * Math.min(value, most)) / most}%` }));
  };
}

function addChart(holder: HTMLElement, record: Recorder['charts'][number]): (values: Values) => void {
  const { chart, traces } = record;
  const title = element('div', { class: 'head' }, element('span', {}, chart.title));
  const place = element('div', { class: 'chart-holder', 'data-testid': `chart-${chart.id}` });
  holder.append(element('figure', {}, title, place));
  if (traces.some(({ label }) => label !== '')) {
    const legend = element('div', { class: 'legend' });
    for (const { label, color } of traces) {
      legend.append(element('span', {}, element('i', { style: `background:${color}` }), label));
    }
    holder.append(legend);
  }
  const orbit = createOrbitChart(place);
  return (values) => {
    place.dataset.samples = String(traces[0].count);
    orbit.draw(record, chart.levels?.(values) ?? []);
  };
}

/** Three digits, and no jumping between forms. */
function readable(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2).replace('-', '−');
}
