// The device's part of the frame-budget panel: a badge that says where strands are advanced, a lane of its own beside
// the processor's, its stages, and the slider that trades residual for time, with a chart of the trade. Every value
// carries a data-testid, so that tests read what people read.

import { element } from './element';
import { badgeOf, deviceTime, type GpuFacts } from './gpu-facts';
import { createTradeChart } from './trade-chart';

export interface GpuTrack {
  /** The badge; hidden while nothing is known. */
  readonly badge: HTMLElement;
  /** The lane, to be put below the processor's. */
  readonly lane: HTMLElement;
  /** Stages, slider and chart. */
  readonly section: HTMLElement;
  /** Shows facts against the frame's budget [ms]; null: no strands, or nobody asked for the device. */
  update(facts: GpuFacts | null, frameBudget: number): void;
  resize(): void;
}

/** Budgets of the slider [ms]; beyond the last there is none. */
const BUDGETS: readonly number[] = [0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 33];

/** Colours of the passes, those of the processor's stages where they do the same. */
const COLORS: Readonly<Record<string, string>> = {
  predict: '#5d9fb5',
  find: '#a9c46c',
  solve: '#f0a95c',
  integrate: '#e2725b',
};
const OTHER_COLOR = '#8a6fae';

/** A labelled bar: what takes how much of the frame. */
function createLane(label: string): { lane: HTMLElement; bar: HTMLElement; value: HTMLElement } {
  const bar = element('div', { class: 'load', 'aria-hidden': 'true' });
  const value = element('span', { class: 'value', 'data-testid': `lane-${label.toLowerCase()}` });
  return { lane: element('div', { class: 'lane' }, element('span', {}, label), bar, value), bar, value };
}

/** What the visitor may ask of the device. */
export interface GpuWishes {
  /** [ms], null for no limit. */
  setBudget(budget: number | null): void;
  /** Strands are to be advanced by the other one: WebGPU or WebAssembly. */
  toggleBackend(): void;
}

/** The badge, and what shows facts on it. */
function createBadge(toggleBackend: () => void) {
  const name = element('button', { class: 'backend', 'data-testid': 'backend' });
  name.addEventListener('click', toggleBackend);
  const note = element('span', { class: 'detail', 'data-testid': 'backend-detail' });
  const badge = element('div', { class: 'badge', 'data-testid': 'backend-badge' }, name, note);
  const show = (facts: GpuFacts | null) => {
    badge.hidden = facts === null;
    if (!facts) return;
    const { text, detail, state } = badgeOf(facts);
    name.textContent = text;
    note.textContent = detail;
    badge.dataset.state = state;
    badge.title = detail;
    name.disabled = !facts.canSwitch;
    name.title = facts.canSwitch
      ? `Click: strands on ${facts.backend === 'wasm' ? 'WebGPU' : 'WebAssembly'}, from where they are (G)`
      : '';
  };
  return { badge, show };
}

/** Shows the stages of a step as a list of bars, and as parts of the lane's bar. */
function createStages(list: HTMLElement, bar: HTMLElement) {
  let listed = '';
  let rows: { bar: HTMLElement; value: HTMLElement; part: HTMLElement }[] = [];
  const enter = (names: readonly string[]) => {
    if (names.join() === listed) return;
    listed = names.join();
    list.replaceChildren();
    bar.replaceChildren();
    rows = names.map((name) => {
      const style = `background:${COLORS[name] ?? OTHER_COLOR}`;
      const entry = {
        bar: element('div', { class: 'bar', style }),
        value: element('div', { class: 'value', 'data-testid': `gpu-stage-${name}` }),
        part: element('i', { style }),
      };
      list.append(element('div', {}, name), element('div', {}, entry.bar), entry.value);
      bar.append(entry.part);
      return entry;
    });
  };
  return (stages: GpuFacts['stages'], most: number) => {
    enter(stages.map(([name]) => name));
    const longest = Math.max(...stages.map(([, each]) => each), 1e-6);
    stages.forEach(([, each], i) => {
      rows[i].bar.style.width = `${(100 * each) / longest}%`;
      rows[i].value.textContent = each.toFixed(each < 100 ? 3 : 1);
      rows[i].part.style.width = `${(100 * each) / most}%`;
    });
  };
}

export function createGpuTrack(wishes: GpuWishes): GpuTrack {
  const { badge, show: showBadge } = createBadge(wishes.toggleBackend);
  const { lane, bar, value: total } = createLane('GPU');
  const stageList = element('div', { class: 'stages', 'data-testid': 'gpu-stages' });
  const slider = element('input', {
    ...{ type: 'range', min: '0', max: String(BUDGETS.length), step: '1', id: 'gpu-budget' },
    'data-testid': 'gpu-budget',
  });
  const budgetText = element('output', { for: 'gpu-budget', 'data-testid': 'gpu-budget-value' });
  const iterations = element('dd', { 'data-testid': 'gpu-iterations' });
  const delta = element('dd', { 'data-testid': 'gpu-delta' });
  const undone = element('dd', { 'data-testid': 'gpu-undone' });
  const memory = element('span', { 'data-testid': 'gpu-memory' });
  const encode = element('span', { 'data-testid': 'gpu-cpu' });
  const row = (label: string, cell: HTMLElement) => element('div', { class: 'wide' }, element('dt', {}, label), cell);

  const chartBox = element('div', {
    ...{ class: 'chart trade', role: 'img' },
    title: 'Blue: time on the GPU, dashed: its budget. Orange: residual δ∞, mm, logarithmic.',
    'aria-label': 'Time on the GPU and residual over the last seconds',
  });

  const section = element(
    'div',
    { class: 'gpu', 'data-testid': 'gpu-track' },
    element('h2', {}, 'On the GPU [ms]'),
    stageList,
    element('div', { class: 'slider' }, element('label', { for: 'gpu-budget' }, 'GPU budget'), slider, budgetText),
    chartBox,
    element(
      'dl',
      { class: 'facts' },
      row('Iterations', iterations),
      row('Residual δ∞', delta),
      row('Left undone', undone),
      row('Memory, encoding', element('dd', {}, memory, ', ', encode)),
    ),
  );

  slider.addEventListener('input', () => {
    const budget = BUDGETS[+slider.value] ?? null;
    budgetText.value = budget === null ? 'none' : `${budget} ms`;
    wishes.setBudget(budget);
  });

  let chart: ReturnType<typeof createTradeChart> | null = null;
  const showStages = createStages(stageList, bar);

  return {
    badge,
    lane,
    section,

    update(facts, frameBudget) {
      showBadge(facts);
      const isOn = facts?.backend === 'webgpu';
      lane.hidden = section.hidden = !isOn;
      if (!facts || !isOn) return;
      const time = deviceTime(facts);
      // Over budget, the lane is as long as what was used: parts stay in proportion.
      showStages(facts.stages, Math.max(frameBudget, time));
      total.textContent = time > 0 ? `${shortTime(time)} ms` : 'not timed';
      total.classList.toggle('warn', time > (facts.budget ?? frameBudget) * 1.1);
      // The slider follows a budget that the scene sets, unless it is in the visitor's hand.
      if (document.activeElement !== slider) {
        const at = facts.budget === null ? -1 : BUDGETS.findIndex((each) => each >= (facts.budget as number));
        slider.value = String(at < 0 ? BUDGETS.length : at);
        budgetText.value = facts.budget === null ? 'none' : `${facts.budget} ms`;
      }
      iterations.textContent = `${facts.iterations} of ${facts.wanted}, ${facts.contacts} contacts`;
      iterations.classList.toggle('warn', facts.iterations < facts.wanted);
      delta.textContent = `${(1000 * facts.delta).toPrecision(2)} mm`;
      undone.textContent = facts.undone.length > 0 ? facts.undone.join(', ') : 'nothing';
      undone.classList.toggle('warn', facts.undone.length > 0);
      memory.textContent = `${(facts.bytes / 1e6).toFixed(1)} MB`;
      encode.textContent = `${facts.cpu.toFixed(2)} ms`;
      // Not before it is seen: it takes its size from the page.
      if (!chart && chartBox.clientWidth > 0) chart = createTradeChart(chartBox);
      chart?.push(time, facts.budget, facts.delta);
    },

    resize: () => chart?.resize(),
  };
}

const shortTime = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(1));
