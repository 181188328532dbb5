// The columns of the paper's Table 2, a row per method, filled as the runs end.

import { element } from '../panel/element';
import { isFor, METHODS, type Method, type Note, type ProblemFacts } from './protocol';

type Solved = Extract<Note, { kind: 'solved' }>;

export interface ResultTable {
  clear(): void;
  /** Marks what is at work. */
  show(method: Method | null): void;
  solved(note: Solved, tolerance: number): void;
  failed(method: string, message: string): void;
  /** Greys out what a problem of this form cannot be solved with. */
  suit(form: ProblemFacts['form']): void;
  /** Methods that are switched on. */
  chosen(): Method[];
}

const COLUMNS = ['status', 'iterations', 'residual', 'time', 'fail-safe', 'failures', 'stages'] as const;

const HEADS: Record<(typeof COLUMNS)[number], [string, string]> = {
  status: ['status', ''],
  iterations: ['iterations', 'sweeps, passes and pivots, or splitting steps'],
  residual: ['residual', 'of the answer [m/s]'],
  time: ['time', 'on this machine, watching included'],
  'fail-safe': ['fail-safe', 'share of one-contact problems at which Newton missed'],
  failures: ['local failures', 'share of one-contact problems left with an error above 10⁻³'],
  stages: ['by', 'which solvers worked, in order'],
};

export function createResultTable(parent: HTMLElement): ResultTable {
  const head = element('tr', {}, element('th', {}, 'method'));
  for (const column of COLUMNS) head.append(element('th', { title: HEADS[column][1] }, HEADS[column][0]));
  const body = element('tbody');
  const rows = new Map<string, { row: HTMLElement; cells: Map<string, HTMLElement>; box: HTMLInputElement }>();

  for (const { id, label, color, local } of METHODS) {
    const box = element('input', { type: 'checkbox', 'aria-label': label });
    box.checked = true;
    const swatch = element('i', { style: `background: ${color}` });
    const name = element('label', {}, box, swatch, label);
    if (local) name.append(element('small', {}, 'Gauss–Seidel'));
    const row = element('tr', { 'data-testid': `method-${id}` }, element('td', {}, name));
    const cells = new Map<string, HTMLElement>();
    for (const column of COLUMNS) {
      const cell = element('td', { 'data-testid': `${id}-${column}` });
      cells.set(column, cell);
      row.append(cell);
    }
    rows.set(id, { row, cells, box });
    body.append(row);
  }

  parent.append(element('table', {}, element('thead', {}, head), body));
  const write = (id: string, column: string, text: string) => {
    const cell = rows.get(id)?.cells.get(column);
    if (cell) cell.textContent = text;
  };

  return {
    clear() {
      for (const { row, cells } of rows.values()) {
        delete row.dataset.state;
        if (row.dataset.unfit) continue;
        for (const cell of cells.values()) cell.textContent = '';
      }
    },

    show(method) {
      for (const [id, { row }] of rows) {
        if (id === method?.id) row.dataset.state = 'running';
        else if (row.dataset.state === 'running') delete row.dataset.state;
      }
      if (method) write(method.id, 'status', 'at work …');
    },

    solved({ method, answer, milliseconds }) {
      const entry = rows.get(method);
      if (!entry) return;
      entry.row.dataset.state = answer.status;
      write(method, 'status', answer.status.replace('-', ' '));
      write(method, 'iterations', String(answer.iterations));
      write(method, 'residual', answer.residual.toExponential(1));
      write(method, 'time', milliseconds < 100 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`);
      const { calls, enumerative, failures } = answer.local;
      const { local } = METHODS.find(({ id }) => id === method) ?? {};
      if (calls > 0) {
        if (local === 'hybrid' || !local) write(method, 'fail-safe', percent(enumerative / calls));
        write(method, 'failures', percent(failures / calls));
      }
      if (calls === 0 && local) write(method, 'failures', 'not counted');
      if (!local)
        write(method, 'stages', answer.stages.map(({ solver, iterations }) => `${solver} ${iterations}`).join(', '));
    },

    failed(method, message) {
      const entry = rows.get(method);
      if (!entry) return;
      entry.row.dataset.state = 'failed';
      write(method, 'status', message);
    },

    suit(form) {
      for (const method of METHODS) {
        const entry = rows.get(method.id);
        if (!entry) continue;
        const fits = isFor(method, form);
        entry.box.disabled = !fits;
        if (fits) delete entry.row.dataset.unfit;
        else entry.row.dataset.unfit = 'true';
        if (!fits) write(method.id, 'status', 'full form only');
      }
    },

    chosen: () =>
      METHODS.filter(({ id }) => {
        const box = rows.get(id)?.box;
        return box?.checked && !box.disabled;
      }),
  };
}

function percent(share: number): string {
  if (share === 0) return '0 %';
  return share < 1e-4 ? '< 0.01 %' : `${(100 * share).toFixed(2)} %`;
}
