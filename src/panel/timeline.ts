// The frames as bars, what they are made of from the ground up, the budget as a line; the last one on the right. A
// frame is chosen by a click, or by the arrow keys.

import { element, penOf } from './element';
import { FRAMES_KEPT, type FrameLog } from './frame-log';
import { LANE_COLORS, measuredColor, milliseconds } from './words';

/** Width of a bar, the gap included, and height of the chart [pixels of CSS]. */
const [BAR, HEIGHT] = [3, 96];
/** Height of the strip for the GPU below. */
const STRIP = 12;

export interface Timeline {
  readonly root: HTMLElement;
  draw(frames: FrameLog, budget: number): void;
  /** The frame that is chosen; -1: none. */
  chosen: number;
}

/** `choose` is called when somebody has chosen a frame. */
export function createTimeline(choose: (frame: number) => void): Timeline {
  const canvas = element('canvas', {
    role: 'slider',
    tabindex: '0',
    'aria-label': 'Frame',
    'data-testid': 'panel-timeline',
    title: 'A frame a bar. Click one: it freezes. Arrow keys: the next, the last.',
  });
  const legend = element('ul', { class: 'legend' });
  const root = element('div', { class: 'timeline' }, canvas, legend);
  const pen = penOf(canvas);
  let shown = { frames: null as FrameLog | null, end: 0, bars: 0 };
  let listed = '';
  // Asking for it while drawing would have the page laid out anew.
  let width = 0;
  new ResizeObserver(([entry]) => {
    width = entry.contentRect.width;
  }).observe(canvas);

  const lanesOf = (frames: FrameLog): [string, string][] => {
    const measured = frames.measured.map((name, n): [string, string] => [name, measuredColor(n)]);
    const own = Object.entries(LANE_COLORS);
    return [...own.slice(0, 3), ...measured, ...own.slice(3)];
  };
  const list = (lanes: readonly [string, string][]) => {
    const names = lanes.map(([name]) => name).join();
    if (names === listed) return;
    listed = names;
    legend.replaceChildren(
      ...lanes.map(([name, color]) =>
        element('li', {}, element('i', { style: `background:${color}` }), WORDS[name] ?? name),
      ),
    );
  };
  const pick = (frame: number) => {
    if (shown.frames?.has(frame)) choose(frame);
  };
  canvas.addEventListener('click', (event) => {
    const { left, width } = canvas.getBoundingClientRect();
    pick(shown.end - 1 - Math.floor((left + width - event.clientX) / BAR));
  });
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    pick(timeline.chosen < 0 ? shown.end - 1 : timeline.chosen + step);
  });

  const timeline: Timeline = {
    root,
    chosen: -1,
    draw(frames, budget) {
      const lanes = lanesOf(frames);
      list(lanes);
      const ratio = devicePixelRatio;
      if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
      if (canvas.height !== Math.round(HEIGHT * ratio)) canvas.height = Math.round(HEIGHT * ratio);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, width, HEIGHT);
      const bars = Math.min(Math.floor(width / BAR), FRAMES_KEPT - 2);
      shown = { frames, end: frames.now, bars };
      const top = scaleOf(frames, bars, budget);
      const floor = HEIGHT - STRIP;
      for (const [name, color] of lanes) drawLane(pen, { frames, bars, width, floor, top }, name, color);
      pen.fillStyle = '#7fb4ff';
      for (let i = 0; i < bars; i++) {
        const gpu = frames.has(frames.now - 1 - i) ? frames.part(frames.now - 1 - i, 'gpu') : 0;
        if (gpu > 0) pen.fillRect(width - BAR * (i + 1), floor + 3, BAR - 1, Math.min((STRIP - 3) * (gpu / budget), 9));
      }
      drawBudget(pen, width, floor, top, budget);
      drawChosen(pen, width - BAR * (frames.now - timeline.chosen), timeline.chosen >= 0 ? floor : 0);
      describe(canvas, frames, timeline.chosen);
    },
  };
  return timeline;
}

/** What lanes are called where their names do not say it. */
const WORDS: Readonly<Record<string, string>> = {
  ecs: 'ECS',
  systems: "game's systems",
  page: 'rest of the page',
  panel: 'this panel',
};

interface Chart {
  readonly frames: FrameLog;
  readonly bars: number;
  readonly width: number;
  readonly floor: number;
  /** Upper end of the scale [ms]. */
  readonly top: number;
}

/** Height of what lies below the lane that is drawn, by bar [ms]. */
const below = new Float64Array(FRAMES_KEPT);

function drawLane(pen: CanvasRenderingContext2D, chart: Chart, name: string, color: string): void {
  const { frames, bars, width, floor, top } = chart;
  if (name === 'physics') below.fill(0);
  pen.fillStyle = color;
  for (let i = 0; i < bars; i++) {
    const frame = frames.now - 1 - i;
    const part = frames.has(frame) ? frames.part(frame, name) : 0;
    if (part <= 0) continue;
    const [from, to] = [Math.min(below[i], top), Math.min(below[i] + part, top)];
    below[i] += part;
    pen.fillRect(width - BAR * (i + 1), floor * (1 - to / top), BAR - 1, (floor * (to - from)) / top);
  }
}

/** The budget and half as much again, or as much as nearly all frames take: what is longer is cut off. */
function scaleOf(frames: FrameLog, bars: number, budget: number): number {
  let over = 0;
  let highest = 0;
  for (let i = 0; i < bars; i++) {
    const busy = frames.has(frames.now - 1 - i) ? frames.busy(frames.now - 1 - i) : 0;
    highest = Math.max(highest, busy);
    if (busy > 1.5 * budget) over++;
  }
  return over > 0.1 * bars ? 1.1 * highest : 1.5 * budget;
}

function drawBudget(pen: CanvasRenderingContext2D, width: number, floor: number, top: number, budget: number): void {
  const y = floor * (1 - budget / top);
  pen.strokeStyle = '#f0685a';
  pen.setLineDash([4, 3]);
  pen.beginPath();
  pen.moveTo(0, y);
  pen.lineTo(width, y);
  pen.stroke();
  pen.setLineDash([]);
  pen.fillStyle = '#eceae6';
  pen.font = '10px system-ui, sans-serif';
  pen.fillText(`${+budget.toPrecision(3)} ms`, 2, y - 3);
  pen.fillText(`${+top.toPrecision(3)} ms`, 2, 9);
}

function drawChosen(pen: CanvasRenderingContext2D, x: number, floor: number): void {
  pen.strokeStyle = '#ffffff';
  if (floor > 0) pen.strokeRect(x - 0.5, 0.5, BAR, floor - 1);
}

function describe(canvas: HTMLElement, frames: FrameLog, chosen: number): void {
  // While it runs nobody could follow.
  const frame = frames.has(chosen) ? chosen : -1;
  if (frame < 0 && canvas.hasAttribute('aria-valuenow')) return;
  canvas.setAttribute('aria-valuemin', String(Math.max(frames.now - FRAMES_KEPT, -1)));
  canvas.setAttribute('aria-valuemax', String(frames.now - 1));
  canvas.setAttribute('aria-valuenow', String(frame));
  const text = frame < 0 ? 'running' : `busy for ${milliseconds(frames.busy(frame))} ms`;
  canvas.setAttribute('aria-valuetext', text);
}
