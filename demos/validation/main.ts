// The validation lab: runs our rods through three experiments in a worker, and draws their points on the master curves.

import '../lab/lab.css';
import './validation.css';
import { element } from '../panel/element';
import { type Chart, createChart, type Points } from './chart';
import { FIGURES } from './figures';
import { createFindings } from './findings';
import type { ExperimentId, Note, Order, Setup } from './protocol';

const page = document.getElementById('lab') as HTMLElement;
const backend = element('select', { 'aria-label': 'backend', 'data-testid': 'backend' });
backend.append(
  element('option', { value: 'wasm' }, 'WebAssembly'),
  element('option', { value: 'reference' }, 'reference'),
);
const vertices = element('select', { 'aria-label': 'points of a rod', 'data-testid': 'vertices' });
for (const count of ['16', '32', '64', '128']) vertices.append(element('option', { value: count }, count));
vertices.value = '64';
const runButton = element('button', { class: 'main', 'data-testid': 'run' }, 'Run');
const progress = element('span', { 'data-testid': 'progress' });
const results = element('section', { class: 'results glass', 'aria-label': 'Results', tabindex: '0' });

const charts = new Map<ExperimentId, Chart>();
const plots = element('div', { class: 'plots' });
const places = FIGURES.map((figure) => {
  const legend = element('div', { class: 'legend' });
  for (const { label, color } of figure.masters) {
    legend.append(element('span', {}, element('i', { style: `background:${color}` }), label));
  }
  for (const { label, color } of figure.series) {
    if (label) legend.append(element('span', {}, element('u', { style: `border-color:${color}` }), label));
  }
  const place = element('div', { class: 'plot', 'data-testid': `figure-${figure.id}` });
  const caption = element('figcaption', {}, element('b', {}, figure.title), figure.note, legend);
  plots.append(element('figure', { class: 'glass' }, caption, place));
  return { figure, place };
});
page.append(
  element(
    'header',
    {},
    element('h1', {}, 'Validation lab'),
    element(
      'p',
      {},
      'Rods against what is known exactly: lines are theory, circles are this engine, as it computes them.',
    ),
    element('a', { href: './' }, 'to the gallery'),
  ),
  element(
    'section',
    { class: 'work whole' },
    element(
      'div',
      { class: 'bar glass' },
      element('div', { class: 'what' }, progress),
      element('label', {}, 'backend', backend),
      element('label', {}, 'points of a rod', vertices),
      runButton,
    ),
    plots,
    results,
  ),
);
// Charts measure their places, which must be on the page.
for (const { figure, place } of places) charts.set(figure.id, createChart(place, figure));
const findings = createFindings(results);

const points = new Map<ExperimentId, Map<string, Points>>();
let stale = new Set<ExperimentId>(FIGURES.map(({ id }) => id));
let worker: Worker | null = null;

function run(): void {
  worker?.terminate();
  findings.clear();
  points.clear();
  for (const { id } of FIGURES) stale.add(id);
  const setup: Setup = { backend: backend.value as Setup['backend'], vertices: Number(vertices.value) };
  const fresh = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker = fresh;
  fresh.onmessage = (event: MessageEvent<Note>) => {
    if (fresh === worker) hear(event.data);
  };
  fresh.onerror = (event) => {
    progress.textContent = `The worker stopped: ${event.message}`;
    stop();
  };
  fresh.postMessage({ setup } satisfies Order);
  setRunning(true);
  progress.textContent = FIGURES[0].title;
}

function stop(): void {
  worker?.terminate();
  worker = null;
  setRunning(false);
}

function setRunning(isRunning: boolean): void {
  page.dataset.state = isRunning ? 'running' : 'ready';
  runButton.textContent = isRunning ? 'Stop' : 'Run';
}

function hear(note: Note): void {
  switch (note.kind) {
    case 'sample': {
      const { experiment, series, x, y, isMoving } = note;
      const all = points.get(experiment) ?? new Map<string, Points>();
      const list = all.get(series) ?? { x: [], y: [] };
      points.set(experiment, all.set(series, list));
      place(list, x, y, isMoving === true);
      stale.add(experiment);
      progress.textContent = FIGURES.find(({ id }) => id === experiment)?.title ?? '';
      break;
    }
    case 'finding':
      findings.add(note.experiment, note);
      break;
    case 'failed':
      findings.fail(note.experiment, note.message);
      break;
    case 'finished':
      break;
    case 'done': {
      const worst = Math.max(0, ...findings.deviations.map(({ deviation }) => Math.abs(deviation)));
      const farthest = (100 * worst).toFixed(1);
      progress.textContent = `done: ${findings.deviations.length} figures, farthest apart ${farthest} %`;
      stop();
      break;
    }
  }
}

/** Adds a point, x rising; one that moves takes the place of the one before at its x. */
function place(list: Points, x: number, y: number, isMoving: boolean): void {
  const same = list.x.lastIndexOf(x);
  if (isMoving && same >= 0) {
    list.y[same] = y;
    return;
  }
  let at = list.x.length;
  while (at > 0 && list.x[at - 1] > x) at--;
  list.x.splice(at, 0, x);
  list.y.splice(at, 0, y);
}

const draw = () => {
  requestAnimationFrame(draw);
  for (const id of stale) charts.get(id)?.draw(points.get(id) ?? new Map());
  stale = new Set();
};
runButton.addEventListener('click', () => {
  if (page.dataset.state === 'running') {
    progress.textContent = 'stopped';
    stop();
  } else run();
});
for (const choice of [backend, vertices]) choice.addEventListener('change', run);
draw();
run();

// For tests and for the curious at the console.
Object.assign(window, { stiction: { points, findings } });
