// The solver lab: reads a friction problem, runs every solver on it in a worker, and plots the
// residual against iterations and time.

import './lab.css';
import { element } from '../panel/element';
import { type Curve, createChart } from './chart';
import { METHODS, type Method, type Note, type Order, type ProblemFacts } from './protocol';
import { SAMPLES } from './samples';
import { createResultTable } from './table';

/** Files beyond this are not even read [B]. */
const LARGEST_FILE = 400e6;

const lab = document.getElementById('lab') as HTMLElement;

const title = element('b', { 'data-testid': 'problem' }, 'no problem yet');
const facts = element('span', { 'data-testid': 'facts' });
const message = element('div', { class: 'message', role: 'alert', 'data-testid': 'message' });
message.hidden = true;
const tolerance = element('select', { 'aria-label': 'tolerance', 'data-testid': 'tolerance' });
for (const [text, value] of [
  ['10⁻⁶', '1e-6'],
  ['10⁻⁸', '1e-8'],
  ['10⁻¹⁰', '1e-10'],
  ['10⁻¹²', '1e-12'],
])
  tolerance.append(element('option', { value }, text));
tolerance.value = '1e-10';
const limit = element('select', { 'aria-label': 'iteration limit', 'data-testid': 'limit' });
for (const value of ['100', '1000', '5000', '20000']) limit.append(element('option', { value }, value));
limit.value = '1000';
const runButton = element('button', { class: 'main', 'data-testid': 'run' }, 'Run');
const picker = element('input', { type: 'file', accept: '.json,.gz,application/json', 'data-testid': 'file' });
picker.hidden = true;
const fileButton = element('button', { class: 'file' }, element('b', {}, 'Open a problem file …'));
fileButton.append(element('span', {}, '*.problem.json, also gzipped, or drop one anywhere'));

const list = element('ul', { class: 'samples', 'data-testid': 'samples' });
const byIterations = element('div', { class: 'plot' });
const byTime = element('div', { class: 'plot' });
const results = element('div', { class: 'results glass' });

lab.append(
  element(
    'header',
    {},
    element('h1', {}, 'Solver lab'),
    element('p', {}, 'One friction problem, every solver. Lower is better, further left is faster.'),
    element('a', { href: './' }, 'to the gallery'),
  ),
  element('nav', { class: 'glass', 'aria-label': 'Problems' }, list, fileButton, picker),
  element(
    'section',
    { class: 'work' },
    element(
      'div',
      { class: 'bar glass' },
      element('div', { class: 'what' }, title, facts),
      element('label', {}, 'to', tolerance),
      element('label', {}, 'within', limit),
      runButton,
    ),
    message,
    element(
      'div',
      { class: 'plots' },
      element(
        'figure',
        { class: 'glass' },
        element('figcaption', {}, 'residual [m/s] against iterations'),
        byIterations,
      ),
      element('figure', { class: 'glass' }, element('figcaption', {}, 'residual [m/s] against time [ms]'), byTime),
    ),
    results,
  ),
);

const table = createResultTable(results);
const charts = [createChart(byIterations, 'iterations', 1), createChart(byTime, 'milliseconds', 0.01)];
const curves = { iterations: new Map<string, Curve>(), time: new Map<string, Curve>() };

let worker = startWorker();
let bytes: ArrayBuffer | null = null;
/** Of the last load: answers to earlier ones are let go. */
let loadId = 0;
let chosen = 0;
let state: 'empty' | 'loading' | 'ready' | 'running' = 'empty';
let waiting: Method[] = [];
let stale = false;

function startWorker(): Worker {
  const fresh = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  fresh.onmessage = (event: MessageEvent<Note>) => {
    if (fresh === worker) hear(event.data);
  };
  fresh.onerror = (event) => complain(`The worker stopped: ${event.message}`);
  return fresh;
}

function tell(order: Order): void {
  worker.postMessage(order);
}

function setState(next: typeof state): void {
  state = next;
  runButton.textContent = next === 'running' ? 'Stop' : 'Run';
  runButton.disabled = next === 'empty' || next === 'loading';
  lab.dataset.state = next;
}

function hear(note: Note): void {
  switch (note.kind) {
    case 'loaded':
      // Meanwhile another one was chosen.
      if (note.id !== loadId) break;
      facts.textContent = describe(note.facts);
      table.suit(note.facts.form);
      setState('ready');
      run();
      break;
    case 'refused':
      if (note.id !== loadId) break;
      bytes = null;
      facts.textContent = 'not a problem that can be solved';
      complain(note.message);
      setState('empty');
      break;
    case 'points':
      collect(curves.iterations, note.method, note.iterations, note.residuals);
      collect(curves.time, note.method, note.milliseconds, note.residuals);
      stale = true;
      break;
    case 'solved':
      table.solved(note, Number(tolerance.value));
      next();
      break;
    case 'failed':
      table.failed(note.method, note.message);
      next();
      break;
    case 'finished':
      setState('ready');
      table.show(null);
      break;
  }
}

function collect(into: Map<string, Curve>, method: string, x: number[], residual: number[]): void {
  let curve = into.get(method);
  if (!curve) {
    curve = { x: [], residual: [] };
    into.set(method, curve);
  }
  for (let i = 0; i < x.length; i++) {
    const last = curve.x.length - 1;
    // A joined table has one row an abscissa: of equal ones the last, lowest residual counts.
    if (x[i] <= curve.x[last]) curve.residual[last] = residual[i];
    else {
      curve.x.push(x[i]);
      curve.residual.push(residual[i]);
    }
  }
}

function describe({ contacts, form, bilateral, friction, entries }: ProblemFacts): string {
  const [least, most] = friction.map((mu) => +mu.toPrecision(3));
  const parts = [`${contacts} contacts`, `mu ${least === most ? least : `${least} to ${most}`}`];
  if (bilateral > 0) parts.push(`${bilateral} bilateral`);
  parts.push(`${form} form`, `${entries.toLocaleString('en')} entries`);
  return parts.join(' · ');
}

function next(): void {
  table.show(waiting.shift() ?? null);
}

function run(): void {
  const methods = table.chosen();
  message.hidden = true;
  table.clear();
  curves.iterations.clear();
  curves.time.clear();
  stale = true;
  if (methods.length === 0) {
    complain('Every method is switched off: tick at least one.');
    return;
  }
  waiting = [...methods];
  setState('running');
  next();
  tell({ kind: 'run', methods, tolerance: Number(tolerance.value), iterationLimit: Number(limit.value) });
}

/** Solvers do not listen while they work: the worker is replaced. */
function stop(): void {
  worker.terminate();
  worker = startWorker();
  table.show(null);
  waiting = [];
  setState('loading');
  if (bytes) {
    const again = worker;
    again.onmessage = () => {
      again.onmessage = (event: MessageEvent<Note>) => hear(event.data);
      setState('ready');
    };
    tell({ kind: 'load', id: ++loadId, bytes });
  }
}

function complain(text: string): void {
  message.textContent = text;
  message.hidden = false;
}

function load(name: string, contents: ArrayBuffer): void {
  if (state === 'running') {
    worker.terminate();
    worker = startWorker();
  }
  message.hidden = true;
  table.clear();
  table.show(null);
  curves.iterations.clear();
  curves.time.clear();
  stale = true;
  title.textContent = name;
  facts.textContent = 'reading …';
  bytes = contents;
  setState('loading');
  tell({ kind: 'load', id: ++loadId, bytes: contents });
}

async function loadFile(file: File): Promise<void> {
  chosen++;
  for (const button of list.querySelectorAll('button')) button.setAttribute('aria-current', 'false');
  if (file.size > LARGEST_FILE) complain(`${file.name} has ${Math.round(file.size / 1e6)} MB; at most 400 are read`);
  else load(file.name, await file.arrayBuffer());
}

for (const sample of SAMPLES) {
  const button = element('button', { 'data-testid': `sample-${sample.id}` }, element('b', {}, sample.title));
  button.append(element('span', {}, sample.note));
  button.addEventListener('click', async () => {
    for (const other of list.querySelectorAll('button')) other.setAttribute('aria-current', String(other === button));
    // The last click counts, whichever file comes first.
    const turn = ++chosen;
    try {
      const answer = await fetch(sample.url);
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      const contents = await answer.arrayBuffer();
      if (turn === chosen) load(sample.title, contents);
    } catch (error) {
      complain(`${sample.title} cannot be fetched: ${error instanceof Error ? error.message : error}`);
    }
  });
  list.append(element('li', {}, button));
}
runButton.addEventListener('click', () => (state === 'running' ? stop() : run()));
fileButton.addEventListener('click', () => picker.click());
picker.addEventListener('change', () => {
  const file = picker.files?.[0];
  picker.value = '';
  if (file) void loadFile(file);
});
window.addEventListener('dragover', (event) => event.preventDefault());
window.addEventListener('drop', (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) void loadFile(file);
});

const draw = () => {
  requestAnimationFrame(draw);
  if (!stale) return;
  stale = false;
  charts[0].draw(curves.iterations, Number(tolerance.value));
  charts[1].draw(curves.time, Number(tolerance.value));
};
setState('empty');
draw();
(list.querySelector('button') as HTMLButtonElement).click();

// For tests and for the curious at the console.
Object.assign(window, { stiction: { curves, methods: METHODS } });
