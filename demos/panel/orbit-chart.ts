// A small chart of curves that may turn back on themselves, such as orbits: the newest part bright, the rest fading.
// uPlot wants rising x, so this one draws on a canvas of its own.

import type { ChartRecord, Trace } from '../app/recorder';
import type { Level } from '../scenes/demo-scene';
import { element } from './element';

export interface OrbitChart {
  draw(record: ChartRecord, levels: readonly Level[]): void;
}

const FADES = 12; // pieces of a curve with one opacity each
const AXIS = '#b6b7b2';
const GRID = 'rgb(255 255 255 / 0.07)';
const ZERO = 'rgb(255 255 255 / 0.2)';
const FONT = '10px ui-sans-serif, system-ui, sans-serif';
const [LEFT, RIGHT, TOP, BOTTOM] = [38, 8, 16, 30]; // margins [px]

interface Range {
  least: number;
  most: number;
}

export function createOrbitChart(parent: HTMLElement): OrbitChart {
  const canvas = element('canvas', { class: 'orbit' });
  parent.append(canvas);
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  const ranges: { x: Range; y: Range } = { x: { least: 0, most: 0 }, y: { least: 0, most: 0 } };

  return {
    draw({ chart, traces }, levels) {
      const { clientWidth: width, clientHeight: height } = canvas;
      if (width === 0 || height === 0) return;
      const density = devicePixelRatio;
      if (canvas.width !== Math.round(width * density)) canvas.width = Math.round(width * density);
      if (canvas.height !== Math.round(height * density)) canvas.height = Math.round(height * density);
      pen.setTransform(density, 0, 0, density, 0, 0);
      pen.clearRect(0, 0, width, height);
      fit(ranges.x, traces, 'x', []);
      fit(ranges.y, traces, 'y', levels);
      const [w, h] = [width - LEFT - RIGHT, height - TOP - BOTTOM];
      const toX = (value: number) => LEFT + (w * (value - ranges.x.least)) / (ranges.x.most - ranges.x.least);
      const toY = (value: number) => TOP + h - (h * (value - ranges.y.least)) / (ranges.y.most - ranges.y.least);

      pen.font = FONT;
      pen.lineWidth = 1;
      pen.fillStyle = AXIS;
      pen.textAlign = 'center';
      pen.textBaseline = 'top';
      for (const value of ticks(ranges.x, 5)) {
        line(pen, value === 0 ? ZERO : GRID, toX(value), TOP, toX(value), TOP + h);
        pen.fillText(shown(value), toX(value), TOP + h + 4);
      }
      pen.textAlign = 'right';
      pen.textBaseline = 'middle';
      for (const value of ticks(ranges.y, 4)) {
        line(pen, value === 0 ? ZERO : GRID, LEFT, toY(value), LEFT + w, toY(value));
        pen.fillText(shown(value), LEFT - 5, toY(value));
      }
      pen.textAlign = 'right';
      pen.textBaseline = 'bottom';
      pen.fillText(chart.xLabel, LEFT + w, height - 1);

      pen.setLineDash([4, 3]);
      pen.textBaseline = 'bottom';
      pen.textAlign = 'right';
      for (const { label, value } of levels) {
        if (value < ranges.y.least || value > ranges.y.most) continue;
        line(pen, 'rgb(255 255 255 / 0.45)', LEFT, toY(value), LEFT + w, toY(value));
        pen.fillText(label, LEFT + w - 3, toY(value) - 2);
      }
      pen.setLineDash([]);
      // The scene's own curve on top.
      for (let i = traces.length - 1; i >= 0; i--) drawTrace(pen, traces[i], toX, toY);
      // Above the plot: no curve runs through it.
      pen.fillStyle = AXIS;
      pen.textAlign = 'left';
      pen.textBaseline = 'top';
      pen.fillText(chart.yLabel, LEFT, 1);
    },
  };
}

function drawTrace(
  pen: CanvasRenderingContext2D,
  { x, y, count, color }: Trace,
  toX: (value: number) => number,
  toY: (value: number) => number,
): void {
  const size = x.length;
  const kept = Math.min(count, size);
  if (kept === 0) return;
  pen.strokeStyle = color;
  pen.lineWidth = 1.6;
  pen.lineJoin = 'round';
  for (let piece = 0; piece < FADES; piece++) {
    const from = Math.floor((kept * piece) / FADES);
    const to = Math.min(kept - 1, Math.floor((kept * (piece + 1)) / FADES));
    pen.globalAlpha = 0.15 + (0.85 * (piece + 1)) / FADES;
    pen.beginPath();
    for (let k = from; k <= to; k++) {
      const at = (count - kept + k) % size;
      if (k === from) pen.moveTo(toX(x[at]), toY(y[at]));
      else pen.lineTo(toX(x[at]), toY(y[at]));
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
  const last = (count - 1) % size;
  pen.fillStyle = color;
  pen.beginPath();
  pen.arc(toX(x[last]), toY(y[last]), 3.2, 0, 2 * Math.PI);
  pen.fill();
}

function line(pen: CanvasRenderingContext2D, style: string, x0: number, y0: number, x1: number, y1: number): void {
  pen.strokeStyle = style;
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

/** Widens the range to what is shown, with some air; shrinks it only when most of it has become empty. */
function fit(range: Range, traces: readonly Trace[], key: 'x' | 'y', levels: readonly Level[]): void {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const trace of traces) {
    const kept = Math.min(trace.count, trace.x.length);
    for (let k = 0; k < kept; k++) {
      const value = trace[key][k];
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  }
  for (const { value } of levels) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (!(least <= most)) [least, most] = [0, 1];
  const air = 0.08 * (most - least) + 1e-6 * Math.max(1, Math.abs(most));
  const [low, high] = [least - air, most + air];
  const isEmpty = range.most === range.least;
  const isWide = range.most - range.least > 2.5 * (high - low);
  if (isEmpty || isWide || low < range.least - 1.5 * air) range.least = low;
  if (isEmpty || isWide || high > range.most + 1.5 * air) range.most = high;
  if (key === 'x' && traces.every(isRising)) [range.least, range.most] = [least, Math.max(most, least + 1e-6)];
  range.least = Math.min(range.least, low + air);
  range.most = Math.max(range.most, high - air);
}

/** Over time the picture scrolls; an orbit stays where it is. */
function isRising({ x, count }: Trace): boolean {
  const size = x.length;
  for (let k = Math.max(1, count - size + 1); k < count; k++) if (x[k % size] < x[(k - 1) % size]) return false;
  return true;
}

/** About `count` round numbers in a range. */
function ticks({ least, most }: Range, count: number): number[] {
  const raw = (most - least) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
  const found: number[] = [];
  for (let k = Math.ceil(least / step); k * step <= most; k++) found.push(k * step + 0);
  return found;
}

function shown(value: number): string {
  return String(+value.toPrecision(6)).replace('-', '−');
}
