// The stages as a table: how their times spread over the steps that are kept, beside those of a run that was pinned; a
// histogram of the one that is chosen.

import { element, penOf, say } from './element';
import { BAR_COUNT, barStart, fillHistogram, type Spread, spreadOf } from './statistics';
import { STEPS_KEPT, type StepLog } from './step-log';
import { milliseconds, stageColor, times } from './words';

/** Name of the first row. */
const WHOLE = 'step';
/** Size of the histogram [pixels of CSS]. */
const [WIDTH, HEIGHT] = [312, 44];

export interface StageTable {
  readonly root: HTMLElement;
  update(steps: StepLog): void;
  /** Keeps the spreads of now to compare with; again: forgets them. Returns whether some are kept. */
  pin(): boolean;
  /** Of the whole step, as last shown. */
  readonly whole: Spread;
}

export function createStageTable(): StageTable {
  const body = element('tbody');
  const columns = ['p50', 'p95', 'p99', 'max'];
  const pinHead = element('th', { scope: 'col', title: 'p50 beside that of the pinned run' }, 'pinned');
  const head = element('tr', {}, element('th', { scope: 'col' }, 'ms'));
  head.append(...columns.map((name) => element('th', { scope: 'col' }, name)), pinHead);
  const table = element('table', { 'data-testid': 'panel-stages' }, element('thead', {}, head), body);
  const picture = element('canvas', { role: 'img', 'data-testid': 'panel-histogram' });
  const caption = element('p', { class: 'quiet' });
  const root = element('div', {}, table, picture, caption);

  const values = new Float64Array(STEPS_KEPT);
  const bars = new Float64Array(BAR_COUNT);
  const spreads = new Map<string, Spread>();
  let pinned = new Map<string, Spread>();
  let chosen = WHOLE;
  let listed = '';
  let rows: { name: string; cells: HTMLElement[]; row: HTMLElement }[] = [];

  const list = (names: readonly string[]) => {
    if (names.join() === listed) return;
    listed = names.join();
    rows = names.map((name, i) => {
      const color = name === WHOLE ? '#eceae6' : stageColor(name, i - 1);
      const button = element('button', { 'aria-pressed': String(name === chosen) });
      button.append(element('i', { style: `background:${color}` }), name);
      button.addEventListener('click', () => {
        chosen = name;
        for (const each of body.querySelectorAll('button')) each.setAttribute('aria-pressed', String(each === button));
      });
      const cells = [...columns, 'pinned'].map((column) =>
        element('td', column === 'p50' ? { 'data-testid': `stage-${name}` } : {}),
      );
      return { name, cells, row: element('tr', {}, element('th', { scope: 'row' }, button), ...cells) };
    });
    body.replaceChildren(...rows.map(({ row }) => row));
  };
  const stageOf = (name: string) => (name === WHOLE ? undefined : name);

  return {
    root,
    update(steps) {
      list([WHOLE, ...steps.stages.filter((name) => steps.physics.profile.stages.includes(name))]);
      pinHead.hidden = pinned.size === 0;
      for (const { name, cells } of rows) {
        const spread = spreadOf(values, steps.times(values, stageOf(name)));
        spreads.set(name, spread);
        [spread.p50, spread.p95, spread.p99, spread.max].forEach((value, i) => {
          say(cells[i], milliseconds(value));
        });
        const old = pinned.get(name);
        cells[4].hidden = pinned.size === 0;
        if (pinned.size > 0) say(cells[4], old ? times(spread.p50, old.p50) || '–' : 'new');
        if (old) cells[4].title = `pinned: ${milliseconds(old.p50)} ms, p99 ${milliseconds(old.p99)} ms`;
      }
      const count = steps.times(values, stageOf(chosen));
      fillHistogram(bars, values, count);
      drawBars(picture, bars, chosen === WHOLE ? '#eceae6' : stageColor(chosen, rows.length));
      say(caption, `${chosen}: ${count} steps, each bar √2 × as long as the one before`);
      if (picture.ariaLabel !== `Histogram of ${chosen}`) picture.ariaLabel = `Histogram of ${chosen}`;
    },
    pin() {
      pinned = pinned.size > 0 ? new Map() : new Map(spreads);
      return pinned.size > 0;
    },
    get whole() {
      return spreads.get(WHOLE) ?? spreadOf(values, 0);
    },
  };
}

/** From the first bar that has something to the last, with what they stand for at both ends. */
function drawBars(canvas: HTMLCanvasElement, bars: Float64Array, color: string): void {
  const ratio = devicePixelRatio;
  const size = [Math.round(WIDTH * ratio), Math.round(HEIGHT * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const pen = penOf(canvas);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, WIDTH, HEIGHT);
  const first = bars.findIndex((count) => count > 0);
  const last = bars.findLastIndex((count) => count > 0);
  if (first < 0) return;
  const most = bars.reduce((a, b) => Math.max(a, b), 0);
  const width = Math.min(WIDTH / (last - first + 1), 26);
  pen.fillStyle = color;
  for (let bar = first; bar <= last; bar++) {
    // A single step must be seen beside hundreds.
    const height = bars[bar] > 0 ? Math.max((30 * bars[bar]) / most, 1.5) : 0;
    pen.fillRect((bar - first) * width, 32 - height, width - 1, height);
  }
  pen.fillStyle = '#c5c6c1';
  pen.font = '10px system-ui, sans-serif';
  pen.fillText(`${milliseconds(barStart(first))} ms`, 0, 43);
  const end = `${milliseconds(barStart(last + 1))} ms`;
  const right = (last - first + 1) * width;
  pen.fillText(end, Math.max(right - pen.measureText(end).width, 54), 43);
}
