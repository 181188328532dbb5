// What can be taken elsewhere: a trace for chrome://tracing and ui.perfetto.dev, and a table for spreadsheets.

import { FRAMES_KEPT, type FrameLog } from './frame-log';
import { COUNTS, STEPS_KEPT, type StepLog } from './step-log';
import { threadName } from './words';

/** What is saved: nothing of steps where there are none. */
export interface Logs {
  readonly steps: StepLog | null;
  readonly frames: FrameLog;
}

/** An event of the Trace Event Format: times in µs. */
export interface PanelTraceEvent {
  readonly name: string;
  readonly ph: 'X' | 'C' | 'M';
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: Readonly<Record<string, number | string>>;
}

/** Rows of the trace; behind them one a thread. */
const [FRAMES, STEPS, GPU, THREADS] = [1, 2, 3, 4];

/** All that is kept: frames with their parts, steps with their stages, the GPU's time, and counters. */
export function traceOf({ steps, frames }: Logs): { traceEvents: PanelTraceEvent[] } {
  const events: PanelTraceEvent[] = [];
  if (!steps) return { traceEvents: events };
  const at = (milliseconds: number) => Math.round(1000 * milliseconds);
  const add = (tid: number, name: string, begin: number, duration: number, args?: PanelTraceEvent['args']) =>
    events.push({ name, ph: 'X', pid: 1, tid, ts: at(begin), dur: at(duration), ...(args && { args }) });
  const nameRow = (tid: number, name: string) =>
    events.push({ name: 'thread_name', ph: 'M', pid: 1, tid, ts: 0, args: { name } });
  nameRow(FRAMES, 'Frames');
  nameRow(STEPS, 'Physics');
  nameRow(GPU, 'GPU');
  for (let thread = 0; thread < steps.threads; thread++) nameRow(THREADS + thread, threadName(thread));

  for (let frame = Math.max(frames.now - FRAMES_KEPT, 0); frame < frames.now; frame++) {
    if (!frames.has(frame)) continue;
    const parts: Record<string, number> = { interval: frames.interval(frame) };
    for (const lane of ['physics', 'ecs', 'systems', 'panel', 'page', ...frames.measured])
      parts[lane] = frames.part(frame, lane);
    add(FRAMES, 'frame', frames.began(frame), frames.busy(frame), parts);
    const gpu = frames.part(frame, 'gpu');
    // When it ran on the device the page does not know: it is drawn from where the frame begins.
    if (gpu > 0) add(GPU, 'gpu', frames.began(frame), gpu);
  }
  for (let step = Math.max(steps.last + 1 - STEPS_KEPT, 0); step <= steps.last; step++) {
    if (!steps.has(step)) continue;
    let begin = steps.began(step);
    add(STEPS, 'step', begin, steps.total(step), { step: steps.numberOf(step) });
    for (const name of steps.stages) {
      const took = steps.stage(step, name);
      if (took > 0) add(STEPS, name, begin, took);
      begin += took;
    }
    // Ranges are spread over the step: each thread's are drawn as one, from where it begins.
    for (let thread = 0; thread < steps.threads; thread++) {
      const took = steps.busy(step, thread);
      if (took > 0) add(THREADS + thread, 'ranges', steps.began(step), took);
    }
    for (const [key, label] of COUNTS) {
      const args = { value: steps.count(step, key) };
      events.push({ name: label, ph: 'C', pid: 1, tid: STEPS, ts: at(steps.began(step)), args });
    }
  }
  return { traceEvents: events };
}

/** A row for each step that is kept: number, when it began, the whole, each stage [ms], each count. */
export function tableOf({ steps }: Logs): string {
  if (!steps) return '';
  const head = ['step', 'began [ms]', 'step [ms]', ...steps.stages.map((name) => `${name} [ms]`)];
  const threads = Array.from({ length: steps.threads }, (_, thread) => thread);
  const busy = threads.map((thread) => `${threadName(thread)} [ms]`);
  const rows = [[...head, ...COUNTS.map(([, label]) => label), ...busy]];
  for (let step = Math.max(steps.last + 1 - STEPS_KEPT, 0); step <= steps.last; step++) {
    if (!steps.has(step)) continue;
    const times = [steps.began(step), steps.total(step), ...steps.stages.map((name) => steps.stage(step, name))];
    const counts = COUNTS.map(([key]) => String(+steps.count(step, key).toPrecision(6)));
    const worked = threads.map((thread) => steps.busy(step, thread).toFixed(4));
    rows.push([String(steps.numberOf(step)), ...times.map((time) => time.toFixed(4)), ...counts, ...worked]);
  }
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

/** Has the browser save a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
