// The sag-free lab: what finds the strands' parameters, solver by solver, and strands
// coloured by the force that is left.
//
// All work is done by two workers; a new choice replaces the one at work.

import '../lab/lab.css';
import './sag-free.css';
import type { FigureStrand, SolverTrace } from '../../src/index';
import { element } from '../panel/element';
import { drawCurves, solverColour } from './curves';
import { CHANGES, type IterationRow, MOST_ITERATIONS, type Note, type Order } from './protocol';
import { drawStrands } from './strands';

/** Table I of the paper, for the level strand. */
const PAPER: Readonly<Record<string, readonly string[]>> = {
  'interior point': ['5', '4', '3', '3', '–'],
  'MPRGP, active-set-cholesky': ['122', '47', '19', '11', '2'],
};

function choice(id: string, label: string, usual: string, options: readonly (readonly [string, string])[]) {
  const select = element('select', { 'aria-label': label, 'data-testid': id });
  for (const [value, text] of options) select.append(element('option', { value }, text));
  select.value = usual;
  return select;
}

const plain = (values: readonly number[]) => values.map((value) => [String(value), String(value)] as const);
const strand = choice('strand', 'strand', 'level', [
  ['level', 'level, 30 points'],
  ['long-level', 'level, 200 points'],
  ['curl', 'curl of hair, 30 points'],
]);
const change = choice('change', 'allowed change of curvature', '0.4', plain(CHANGES));
const bend = choice('bend', 'allowed change of curvature', '0.02', plain([0.005, 0.01, 0.02, 0.05, 1]));
const stiffest = choice('stiffest', 'largest stiffness factor', '1.1', plain([1, 1.1, 2, 10, 1000]));

/** A figure with a canvas: the figure, its canvas, and where its legend goes. */
function figure(title: string, note: string, id: string) {
  const legend = element('div', { class: 'legend' });
  const canvas = element('canvas', { 'data-testid': id, role: 'img', 'aria-label': title });
  const caption = element('figcaption', {}, element('b', {}, title), note, legend);
  return {
    legend,
    canvas,
    whole: element('figure', { class: 'glass' }, caption, element('div', { class: 'plot' }, canvas)),
  };
}

const preconditioners = figure(
  'MPRGP by preconditioner',
  'Residual, of that at the start, against time. In brackets: iterations.',
  'preconditioners',
);
const solvers = figure('Solvers of programs with bounds', 'The same by solver.', 'solvers');
const forces = figure('Force left', 'Where the bounds do not suffice to hold a tuft of hair.', 'forces');
const counted = element('span', { 'data-testid': 'left' });
forces.legend.append(
  element('span', { class: 'scale' }, element('b'), 'none', element('u'), '½ to 20 weights of a node'),
  counted,
);
const table = element('div', { class: 'results glass', 'data-testid': 'iterations' });

(document.getElementById('lab') as HTMLElement).append(
  element(
    'header',
    {},
    element('h1', {}, 'Sag-free lab'),
    element(
      'p',
      {},
      'How the rest shape of a strand is found, and where it cannot be. Lower and further left is better.',
    ),
    element('a', { href: './' }, 'to the gallery'),
  ),
  element(
    'section',
    { class: 'work' },
    element(
      'div',
      { class: 'bar glass' },
      element('label', {}, 'strand', strand),
      element('label', {}, 'change of curvature, μ', change),
    ),
    element('div', { class: 'plots' }, preconditioners.whole, solvers.whole),
    table,
    element(
      'div',
      { class: 'bar glass' },
      element('label', {}, 'tuft: change of curvature', bend),
      element('label', {}, 'largest factor on stiffness', stiffest),
    ),
    element('div', { class: 'plots' }, forces.whole),
  ),
);

let traces: SolverTrace[] = [];
let rows: readonly IterationRow[] | null = null;
let tuft: Extract<Note, { kind: 'strands' }> | null = null;
let isStale = true;

/** A worker at a time for one kind of order; what an earlier one still says is let go. */
function createDesk(hear: (note: Note) => void): (order: Order) => void {
  let worker: Worker | null = null;
  return (order) => {
    worker?.terminate();
    const own = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker = own;
    own.onmessage = ({ data }: MessageEvent<Note>) => {
      if (own === worker) hear(data);
    };
    own.onerror = (event) => {
      table.textContent = `The worker stopped: ${event.message}`;
    };
    own.postMessage(order);
  };
}

const hear = (note: Note): void => {
  if (note.kind === 'trace') traces.push(note.trace);
  else if (note.kind === 'table') rows = note.rows;
  else tuft = note;
  isStale = true;
};
const askSolvers = createDesk(hear);
const askTuft = createDesk(hear);

function solve(): void {
  traces = [];
  rows = null;
  isStale = true;
  askSolvers({ kind: 'solve', strand: strand.value as FigureStrand, change: Number(change.value) });
}

function colour(): void {
  counted.textContent = '…';
  askTuft({ kind: 'colour', change: Number(bend.value), stiffest: Number(stiffest.value) });
}

function showTable(): void {
  if (rows === null) {
    table.replaceChildren(element('table', {}, element('caption', {}, 'Iterations by μ: at work …')));
    return;
  }
  const shown = (value: number | null) => (value === null ? `> ${MOST_ITERATIONS}` : String(value));
  const body = element('tbody');
  const isPaper = strand.value === 'level';
  for (const { solver, iterations } of rows) {
    const dot = element('i', { style: `background:${solverColour(solver)}` });
    body.append(
      element(
        'tr',
        { 'data-solver': solver },
        element('th', { scope: 'row' }, dot, solver.replace('MPRGP, ', '')),
        ...iterations.map((count, k) => {
          const paper = isPaper ? PAPER[solver]?.[k] : undefined;
          return element('td', {}, paper === undefined ? shown(count) : `${shown(count)} (${paper})`);
        }),
      ),
    );
  }
  const head = element('tr', {}, element('th', {}, 'μ'), ...CHANGES.map((value) => element('th', {}, String(value))));
  const caption = isPaper
    ? 'Iterations by μ; in brackets those of table I of Takahashi and Batty 2025, for a level strand whose ' +
      'length it does not tell.'
    : 'Iterations by μ.';
  table.replaceChildren(element('table', {}, element('caption', {}, caption), element('thead', {}, head), body));
}

function draw(): void {
  requestAnimationFrame(draw);
  if (!isStale) return;
  isStale = false;
  const preconditioned = traces.filter(({ isPreconditioned }) => isPreconditioned);
  const others = traces.filter(({ isPreconditioned }) => !isPreconditioned);
  drawCurves(preconditioners.canvas, preconditioners.legend, preconditioned);
  drawCurves(solvers.canvas, solvers.legend, [...others, ...preconditioned.slice(-1)]);
  showTable();
  if (tuft) {
    const count = tuft.left.filter((force) => force > 0).length;
    counted.textContent = count === 0 ? 'all in equilibrium' : `${count} of ${tuft.left.length} not in equilibrium`;
    forces.canvas.dataset.left = String(count);
    drawStrands(forces.canvas, tuft.counts, tuft.positions, tuft.left);
  }
}

strand.addEventListener('change', solve);
change.addEventListener('change', solve);
bend.addEventListener('change', colour);
stiffest.addEventListener('change', colour);
window.addEventListener('resize', () => {
  isStale = true;
});
solve();
colour();
draw();

// For tests and for the curious at the console.
Object.assign(window, { stiction: { traces: () => traces } });
