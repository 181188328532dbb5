// The frame-budget panel: what a step costs against the frame's budget, what the solver did in the last one, and the
// profiler (stiction/panel), which has all that is to be said of times and memory. What stands here is the gallery's
// own: what draws, what advances strands, what its scenes are solved by; a game has other things to say there.
// Every value carries a data-testid, so that tests read what people read.

import { query } from 'bitecs';
import type { Physics, StepReport } from '../../src/index';
import { element } from './element';
import { deviceTime, type GpuFacts } from './gpu-facts';
import { createGpuTrack, type GpuWishes } from './gpu-track';

export interface FrameTimes {
  /** Between two frames [ms]. */
  interval: number;
  /** Physics in a frame [ms]. */
  physics: number;
  /** Copying and drawing, as far as the processor is concerned [ms]. */
  view: number;
  /** What draws: WebGPU or WebGL2. */
  renderer: string;
  /** Hairs drawn for each strand. */
  hairs: number;
}

export interface BudgetPanel {
  /** Where the profiler goes. */
  readonly profiler: HTMLElement;
  /** Reads the physics; a few times a second is plenty. `gpu`: what advances the strands, null where nobody asked. */
  update(physics: Physics, frame: FrameTimes, gpu?: GpuFacts | null): void;
  resize(): void;
}

/** Frame budgets to choose from [ms]. */
const BUDGETS: [number, string][] = [
  [1000 / 144, '144 Hz · 6.9 ms'],
  [1000 / 120, '120 Hz · 8.3 ms'],
  [1000 / 60, '60 Hz · 16.6 ms'],
  [1000 / 30, '30 Hz · 33.3 ms'],
];

const FACTS: [string, string, boolean?][] = [
  ['steps', 'Steps'],
  ['time', 'Time'],
  ['bodies', 'Bodies'],
  ['awake', 'Awake'],
  ['contacts', 'Contacts'],
  ['points', 'Points'],
  ['islands', 'Islands'],
  ['pairs', 'Pairs'],
  ['dantzig', 'Dantzig', true],
  ['settled', 'Settled (ADMM)', true],
  ['sweeps', 'Sweeps', true],
  ['strands', 'Strands', true],
  ['strand-hairs', 'Drawn', true],
  ['strand-contacts', 'Touching', true],
  ['strand-solve', 'ADMM', true],
  ['residual', 'Residual', true],
  ['penetration', 'Overlap', true],
  ['frame', 'Frame', true],
  ['renderer', 'Renderer', true],
  ['limits', 'Limits reached', true],
];

/** Facts of the rigid solvers. */
const RIGID: readonly string[] = ['dantzig', 'settled', 'sweeps'];
/** Facts of touching bodies: without use where nothing but strands touches. */
const TOUCHING: readonly string[] = ['contacts', 'points', 'islands', 'pairs'];
/** Facts of what bends. */
const ELASTIC: readonly string[] = ['strands', 'strand-contacts', 'strand-solve'];

export interface BudgetWishes extends GpuWishes {
  /** [ms] */
  setFrameBudget(budget: number): void;
}

/** Writes a fact; `warn`: it is one to worry about. */
type SetFact = (key: string, text: string, warn?: boolean) => void;

/** The table of facts. */
function createFacts() {
  const list = element('dl', { class: 'facts' });
  const cells = new Map<string, HTMLElement>();
  const labels = new Map<string, HTMLElement>();
  const rows = new Map<string, HTMLElement>();
  for (const [key, label, wide] of FACTS) {
    const cell = element('dd', { 'data-testid': `fact-${key}` });
    const name = element('dt', {}, label);
    const row = element('div', wide ? { class: 'wide' } : {}, name, cell);
    cells.set(key, cell);
    labels.set(key, name);
    rows.set(key, row);
    list.append(row);
  }
  const set: SetFact = (key, text, warn = false) => {
    const cell = cells.get(key);
    if (!cell) return;
    cell.textContent = text;
    cell.classList.toggle('warn', warn);
  };
  const hide = (keys: readonly string[], isHidden: boolean) => {
    for (const key of keys) (rows.get(key) as HTMLElement).hidden = isHidden;
  };
  return { list, labels, set, hide };
}

/** What there is, and what touches. */
function showWorld(set: SetFact, { stepCount, time, report, world, components }: Physics): void {
  set('steps', String(stepCount));
  set('time', `${time.toFixed(2)} s`);
  set('bodies', String(report.bodies));
  set('awake', String(report.awake));
  // What sleeps is not looked at: its touches are counted by their entities.
  const resting = report.awake === 0 ? query(world, [components.Contact]).length : 0;
  const asleep = (count: number) => (resting > 0 ? 'asleep' : String(count));
  set('contacts', resting > 0 ? `${resting} asleep` : String(report.contacts));
  set('points', asleep(report.points));
  set('islands', asleep(report.islands));
  set('pairs', String(report.pairs));
}

/** What the solvers did, of bodies and of strands, and what they left. */
function showSolvers(set: SetFact, report: StepReport): void {
  const { strands } = report;
  const { dantzig, sweeps, contactAdmm, approximate } = report.solvers;
  set('dantzig', pivoted(dantzig));
  set(
    'settled',
    contactAdmm.islands > 0 ? `${counted(contactAdmm.islands)}, ${contactAdmm.iterations} iterations` : 'none',
  );
  const missed = approximate > 0 ? `, ${counted(approximate)} approximate` : '';
  set(
    'sweeps',
    (sweeps.islands > 0 ? `${counted(sweeps.islands)}, ${short(sweeps.further)} further` : 'none') + missed,
  );
  const coupled = strands.bodies > 0 ? `, ${counted(strands.bodies, 'body', 'bodies')} coupled` : '';
  const apart = strands.keptApart > 0 ? `, ${strands.keptApart} kept apart` : '';
  set('strand-contacts', `${strands.contacts} contacts${coupled}${apart}`);
  set('strand-solve', solvedHow(strands));
  const residual = Math.max(report.residual, strands.residual);
  set('residual', residual > 0 ? `${residual.toExponential(1)} m/s` : '0 m/s');
  set('penetration', length(report.penetration));
  const limits = [...report.limits];
  const lost = report.quarantined.length + strands.quarantined;
  if (lost > 0) limits.push(`${lost} quarantined`);
  set('limits', limits.length > 0 ? limits.join(', ') : 'none', limits.length > 0);
}

export function createBudgetPanel(parent: HTMLElement, chip: HTMLElement, wishes: BudgetWishes): BudgetPanel {
  const big = element('span', { class: 'big' });
  const share = element('b', { 'data-testid': 'budget-share' });
  const shareLine = element('span', { class: 'share' }, share, ' of budget');
  const gpuTrack = createGpuTrack(wishes);
  const profiler = element('div', { class: 'profiler' });
  const { list: facts, labels, set, hide } = createFacts();
  const choice = element('select', { 'data-testid': 'budget', 'aria-label': 'Frame budget' });
  BUDGETS.forEach(([, label], i) => {
    choice.append(element('option', { value: String(i) }, label));
  });
  choice.value = '2';
  choice.addEventListener('change', () => wishes.setFrameBudget(BUDGETS[+choice.value][0]));
  parent.append(
    element(
      'section',
      { class: 'budget glass', 'data-testid': 'budget-panel', 'aria-label': 'Frame budget' },
      element('header', {}, big, shareLine),
      gpuTrack.badge,
      gpuTrack.lane,
      gpuTrack.section,
      facts,
      profiler,
      element('div', { class: 'row' }, choice),
    ),
  );
  const chipTime = element('b');
  const chipRest = element('span');
  chip.append(chipTime, chipRest);

  /** The world that is shown, and whether bodies of it have touched. */
  let shown: Physics | null = null;
  let haveTouched = false;

  return {
    profiler,
    update(physics, frame, gpu = null) {
      const { profile, report } = physics;
      const budget = BUDGETS[+choice.value][0];
      const median = profile.median();
      // Processor and device work side by side: the slower one sets the pace.
      const onDevice = gpu?.backend === 'webgpu' ? deviceTime(gpu) : 0;
      const pace = Math.max(median, onDevice);
      const used = pace / budget;
      big.replaceChildren(milliseconds(pace), element('small', {}, onDevice > median ? ' ms GPU' : ' ms a step'));
      share.textContent = percent(used);
      share.classList.toggle('over', used > 1);
      chipTime.textContent = `${milliseconds(pace)} ms`;
      chipRest.textContent = frame.interval > 0 ? `${Math.round(1000 / frame.interval)} fps` : '';

      if (shown !== physics) {
        shown = physics;
        haveTouched = false;
      }
      haveTouched ||= report.pairs > 0;
      gpuTrack.update(gpu, budget);

      showWorld(set, physics);
      showSolvers(set, report);

      const { dantzig, sweeps, contactAdmm } = report.solvers;
      const hasStrands = report.strands.strands > 0;
      const elastic = elasticOf(physics);
      hide(ELASTIC, !hasStrands);
      hide(['strand-hairs'], elastic.strands === 0);
      hide(TOUCHING, hasStrands && !haveTouched);
      // Where strands have all bodies in their solve, nothing is left to say of the others.
      hide(RIGID, hasStrands && dantzig.islands + sweeps.islands + contactAdmm.islands === 0);
      labels.get('strands')?.replaceChildren(elastic.label);
      set('strands', elastic.text);
      set('strand-hairs', frame.hairs > 1 ? `${frame.hairs} hairs a strand` : 'strands alone');
      set('frame', `${short(frame.interval)} ms: physics ${short(frame.physics)}, view ${short(frame.view)}`);
      set('renderer', frame.renderer);
    },
    resize: () => gpuTrack.resize(),
  };
}

/** How the elastic solve of a step ended. */
function solvedHow({ strands, asleep, contacts, iterations, delta }: StepReport['strands']): string {
  if (strands > 0 && asleep === strands) return 'asleep';
  if (iterations === 0 && contacts === 0) return 'not needed: nothing touches';
  return `${counted(iterations, 'iteration', 'iterations')} to δ ${relation(length(delta))}`;
}

/** What there is that bends, by its own name: strands, sheets, solids, or some of each. */
function elasticOf({ world, components, report }: Physics): { strands: number; label: string; text: string } {
  const { strands, nodes } = report.strands;
  const sheets = query(world, [components.Shell]).length;
  const solids = query(world, [components.Solid]).length;
  const alone = strands - sheets - solids;
  if (sheets + solids === 0) return { strands: alone, label: 'Strands', text: `${strands} of ${nodes} points` };
  const kinds = [
    alone > 0 ? counted(alone, 'strand', 'strands') : '',
    sheets > 0 ? counted(sheets, 'sheet', 'sheets') : '',
    solids > 0 ? counted(solids, 'solid', 'solids') : '',
  ];
  return {
    strands: alone,
    label: 'Elastic',
    text: `${kinds.filter(Boolean).join(', ')} of ${counted(nodes, 'vertex', 'vertices')}`,
  };
}

/** What Dantzig's method did, in as few words as there are numbers. */
function pivoted({ islands, passes, pivots, warm, fallbacks }: StepReport['solvers']['dantzig']): string {
  if (islands === 0) return 'none';
  const parts = [counted(islands), counted(passes, 'pass', 'passes'), counted(pivots, 'pivot', 'pivots')];
  if (warm > 0) parts.push(`${warm}\u00a0warm`);
  if (fallbacks > 0) parts.push(`${fallbacks}\u00a0fell\u00a0back`);
  return parts.map((part) => part.replace(' ', '\u00a0')).join(', ');
}

/** Three or four digits. */
const short = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
const relation = (text: string) => (text.startsWith('<') ? text : `= ${text}`);
const milliseconds = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const counted = (count: number, one = 'island', many = 'islands') => (count === 1 ? `1 ${one}` : `${count} ${many}`);
/** Less than a micrometre is shown as such: long numbers would push the panel wide. */
const length = (metres: number) =>
  metres === 0 ? '0 mm' : metres < 1e-6 ? '< 0.001 mm' : `${(1000 * metres).toPrecision(2)} mm`;
