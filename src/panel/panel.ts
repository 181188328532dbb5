// The profiler's panel: joins the logs of frames and steps with what shows them. It reads the world and the page's
// clock, and has no renderer: it is drawn over whatever draws the game.
//
// What it costs: a few numbers a step, a few a frame, and, some times a second, a new picture; closed, nothing.

import { refuse, refuseKey, requirePositive } from '../core/errors';
import type { Physics } from '../index';
import { element, say } from './element';
import { OWN_LANES } from './frame-log';
import { createMemory, createWhatIf } from './outlook';
import { createRecording, slowestOf, slowestStep } from './recording';
import { download, type PanelTraceEvent, tableOf, traceOf } from './save';
import { createStageTable } from './stage-table';
import { createStepDetail } from './step-detail';
import { STYLE } from './style';
import { createThreadTracks } from './thread-tracks';
import { createTimeline } from './timeline';
import { milliseconds } from './words';

export interface PanelOptions {
  /** Where it is put; without one it floats in the lower right corner of the page. */
  parent?: HTMLElement;
  /** Time of a frame [ms], the line of the timeline; default 1000/60. */
  budget?: number;
  /** What the GPU spent on the last frame [ms], by name, where the game knows; null: it does not. */
  gpu?: () => readonly (readonly [name: string, milliseconds: number])[] | null;
  /** Called when a step is chosen, and the picture freezes, and when it goes on: a game may pause. */
  onFreeze?: (isFrozen: boolean) => void;
}

export interface Panel {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  /** Whether a step was chosen: nothing is recorded until `resume`. */
  readonly isFrozen: boolean;
  /** Shows and records. */
  open(): void;
  /** Neither shows nor records: costs nothing. */
  close(): void;
  /** Looks at another world from now on. Throws UsageError. */
  watch(physics: Physics): void;
  /**
   * Runs `work`, which is billed to `name` (`drawing`) in the timeline; returns what it returns. Not within another
   * measure, nor around steps: they would be counted twice. Throws UsageError for a lane of the panel's own.
   */
  measure<T>(name: string, work: () => T): T;
  /** Time of a frame [ms]. Throws UsageError. */
  setBudget(milliseconds: number): void;
  /** Freezes, and shows the slowest step that is kept. */
  chooseSlowest(): void;
  /** Goes on. */
  resume(): void;
  /** Frames, steps, GPU and counters, for chrome://tracing and ui.perfetto.dev. */
  trace(): { traceEvents: PanelTraceEvent[] };
  /** The steps that are kept, as comma-separated values. */
  csv(): string;
  /** What the panel itself took of the last seconds, per 60th of a second [ms]. */
  readonly cost: number;
  /** Takes it from the page. */
  dispose(): void;
}

/** Times between two pictures, and two readings of the tables [ms]. */
const [PICTURE, TABLES] = [200, 1000];

/**
 * Puts the profiler over a game, open. One line: `openPanel(physics)`. Frames are those of requestAnimationFrame,
 * other callers. Throws UsageError where there is no page, and unless `physics` is a world's physics.
 */
export function openPanel(physics: Physics, options: PanelOptions = {}): Panel {
  if (typeof document === 'undefined') refuse('openPanel', 'needs a page (document)', undefined);
  requireWorld('openPanel', physics);
  requireOptions(options);
  let budget = requirePositive('openPanel', 'budget', options.budget ?? 1000 / 60, 'ms');

  const { recording, face, choose, forget } = join(physics, options, {
    budget: () => budget,
    freeze: () => (recording.isHeld ? panel.resume() : panel.chooseSlowest()),
    close: () => panel.close(),
  });

  const panel: Panel = {
    element: face.host,
    get isOpen() {
      return recording.steps !== null;
    },
    get isFrozen() {
      return recording.isHeld;
    },
    open() {
      recording.start();
      face.host.hidden = false;
    },
    close() {
      panel.resume();
      recording.stop();
      face.host.hidden = true;
    },
    watch(next) {
      requireWorld('panel.watch', next);
      if (next === physics) return;
      panel.resume();
      physics = next;
      recording.watch(next);
    },
    measure(name, work) {
      if (typeof name !== 'string' || OWN_LANES.includes(name))
        refuse('panel.measure', `name must be a string, and none of ${OWN_LANES.join(', ')}`, name);
      return recording.measure(name, work);
    },
    setBudget(value) {
      budget = requirePositive('panel.setBudget', 'milliseconds', value, 'ms');
    },
    chooseSlowest() {
      if (!recording.steps) return;
      const { step, frame } = slowestStep(recording.steps, recording.frames);
      choose(step, frame);
    },
    resume() {
      forget();
      if (!recording.isHeld) return;
      recording.release();
      options.onFreeze?.(false);
    },
    trace: () => traceOf(recording),
    csv: () => tableOf(recording),
    get cost() {
      return recording.cost / 60;
    },
    dispose() {
      panel.close();
      recording.dispose();
      face.host.remove();
    },
  };

  panel.open();
  return panel;
}

/** Joins what records with what shows it. */
function join(
  physics: Physics,
  { parent, gpu, onFreeze }: PanelOptions,
  actions: { budget(): number; freeze(): void; close(): void },
) {
  const table = createStageTable();
  const tracks = createThreadTracks();
  const outlooks = [createWhatIf(), createMemory()];

  const face = createFace({
    ...actions,
    pin: () => table.pin(),
    trace: () => download('stiction-trace.json', 'application/json', JSON.stringify(traceOf(recording))),
    csv: () => download('stiction-steps.csv', 'text/csv', tableOf(recording)),
  });
  let [pictureAt, tablesAt] = [0, 0];

  const show = (now: number) => {
    const { steps, frames } = recording;
    if (steps && now - tablesAt > TABLES) {
      tablesAt = now;
      table.update(steps);
      for (const each of outlooks) each.update(steps);
      face.tell(table.whole.p50, actions.budget(), recording.cost / 60);
    } else if (now - pictureAt > PICTURE) {
      pictureAt = now;
      timeline.draw(frames, actions.budget());
      if (steps) tracks.draw(steps);
    }
  };

  const recording = createRecording(physics, () => gpu?.() ?? null, show);
  const detail = createStepDetail(() => recording.hold());

  /** Freezes, marks a frame, and shows a step, if it is kept. */
  const choose = (step: number, frame: number) => {
    const { steps, frames, replayer, isHeld } = recording;
    const hasStep = steps?.has(step) === true;
    if (!steps || !(hasStep || frames.has(frame))) return;
    timeline.chosen = frame;
    recording.hold();
    face.freeze.setAttribute('aria-pressed', 'true');
    if (hasStep) detail.show(step, steps, replayer);
    else detail.hide();
    timeline.draw(frames, actions.budget());
    if (!isHeld) onFreeze?.(true);
  };

  const timeline = createTimeline((frame) => {
    if (recording.steps) choose(slowestOf(frame, recording.steps, recording.frames), frame);
  });

  const forget = () => {
    timeline.chosen = -1;
    detail.hide();
    face.freeze.setAttribute('aria-pressed', 'false');
  };
  face.body.append(
    timeline.root,
    tracks.root,
    detail.root,
    table.root,
    ...outlooks.map(({ root }) => root),
    face.buttons,
  );
  face.host.classList.toggle('floating', !parent);
  face.header.hidden = parent !== undefined;
  (parent ?? document.body).append(face.host);
  return { recording, face, choose, forget };
}

const OPTIONS: readonly string[] = ['parent', 'budget', 'gpu', 'onFreeze'] satisfies (keyof PanelOptions)[];

function requireOptions(options: PanelOptions): void {
  if (typeof options !== 'object' || options === null) refuse('openPanel', 'options must be an object', options);
  for (const key of Object.keys(options)) if (!OPTIONS.includes(key)) refuseKey('openPanel', key, OPTIONS);
  for (const name of ['gpu', 'onFreeze'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      refuse('openPanel', `${name} must be a function`, options[name]);
}

function requireWorld(where: string, physics: unknown): void {
  const { profile, schedule } = (physics ?? {}) as Partial<Physics>;
  if (!profile || !schedule) refuse(where, 'physics must be what createPhysics returns', physics);
}

/** The element with its shadow root, headline and buttons. */
function createFace(actions: { freeze(): void; pin(): boolean; trace(): void; csv(): void; close(): void }) {
  const host = element('div', { role: 'region', 'aria-label': 'Profiler', 'data-testid': 'panel' });
  const headline = element('b', { 'data-testid': 'panel-headline' });
  const share = element('span', { class: 'quiet' });
  const button = (id: string, label: string, title: string, act: () => void) => {
    const made = element('button', { 'data-testid': `panel-${id}`, title }, label);
    made.addEventListener('click', act);
    return made;
  };
  const close = button('close', 'Close', 'Records nothing, costs nothing', actions.close);
  const header = element('header', {}, headline, share, close);
  const freeze = button('slowest', 'Slowest step', 'Freezes at the slowest step; again: goes on', actions.freeze);
  freeze.setAttribute('aria-pressed', 'false');
  const pin = button('pin', 'Pin', 'Keeps the times of now to compare with; again: forgets them', () =>
    pin.setAttribute('aria-pressed', String(actions.pin())),
  );
  pin.setAttribute('aria-pressed', 'false');
  const trace = button('trace', 'Trace', 'For chrome://tracing or ui.perfetto.dev', actions.trace);
  const csv = button('csv', 'CSV', 'The last steps, a row each', actions.csv);
  const cost = element('p', { class: 'quiet', 'data-testid': 'panel-cost' });
  const buttons = element('div', {}, element('div', { class: 'row' }, freeze, pin, trace, csv), cost);
  const body = element('div');
  const root = host.attachShadow({ mode: 'open' });
  root.append(element('style', {}, STYLE), header, body);
  return {
    host,
    header,
    body,
    freeze,
    buttons,
    /** Median of a step, time of a frame, what the panel itself takes [ms]. */
    tell(median: number, budget: number, own: number) {
      say(headline, `${milliseconds(median)} ms`);
      say(share, `p50 of a step, ${Math.round((100 * median) / budget)} % of ${+budget.toPrecision(3)} ms`);
      share.classList.toggle('over', median > budget);
      say(cost, `This panel: ${milliseconds(own)} ms a frame of 60 Hz`);
    },
  };
}
