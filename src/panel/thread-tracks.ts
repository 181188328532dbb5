// The threads of a world as tracks below each other: a bar a step, the last one on the right, as high as the share of
// the step in which the thread works on what threads share. Nothing where there is one thread.

import { element, penOf, say } from './element';
import { spreadOf } from './statistics';
import { STEPS_KEPT, type StepLog } from './step-log';
import { milliseconds, stageColor, threadName } from './words';

/** Width of a bar, the gap included, and height of a track, with the gap to the next [pixels of CSS]. */
const [BAR, TRACK, GAP] = [3, 14, 3];

export interface ThreadTracks {
  readonly root: HTMLElement;
  draw(steps: StepLog): void;
}

export function createThreadTracks(): ThreadTracks {
  const picture = element('canvas', { role: 'img', 'data-testid': 'panel-threads' });
  const caption = element('p', { class: 'quiet' });
  const root = element('div', { class: 'tracks' }, picture, caption);
  root.hidden = true;
  const values = new Float64Array(STEPS_KEPT);

  /** Median of the time that a thread works in a step [ms]. */
  const medianOf = (steps: StepLog, thread: number) => spreadOf(values, steps.worked(values, thread)).p50;

  return {
    root,
    draw(steps) {
      const { threads } = steps;
      root.hidden = threads === 0;
      if (threads === 0) return;
      const told = Array.from({ length: threads }, (_, thread) => milliseconds(medianOf(steps, thread)));
      say(caption, `Threads: p50 ${told.join(' + ')} ms of a step on what they share, the page's first`);
      const names = told.map((time, thread) => `${threadName(thread)} ${time} ms`).join(', ');
      if (picture.ariaLabel !== names) picture.ariaLabel = names;
      drawTracks(picture, steps);
    },
  };
}

function drawTracks(canvas: HTMLCanvasElement, steps: StepLog): void {
  const ratio = devicePixelRatio;
  const width = canvas.clientWidth;
  const height = steps.threads * (TRACK + GAP) - GAP;
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) {
    [canvas.width, canvas.height] = size;
    canvas.style.height = `${height}px`;
  }
  const pen = penOf(canvas);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = stageColor('solve-contacts', 0);
  const bars = Math.min(Math.floor(width / BAR), STEPS_KEPT);
  for (let thread = 0; thread < steps.threads; thread++) {
    const floor = thread * (TRACK + GAP) + TRACK;
    for (let i = 0; i < bars; i++) {
      const step = steps.last - i;
      if (!steps.has(step)) continue;
      const high = TRACK * Math.min(steps.busy(step, thread) / steps.total(step), 1);
      pen.fillRect(width - BAR * (i + 1), floor - high, BAR - 1, high);
    }
  }
}
