// Residuals against time on a canvas, both axes logarithmic.

import type { SolverTrace } from '../../src/index';
import { element } from '../panel/element';

const COLOURS = ['#9aa0a6', '#d8a657', '#c586c0', '#e06c5a', '#6fa8dc', '#5fb8ad', '#f4efe0', '#93c47d', '#f6b26b'];
/** A solver keeps its colour in all figures. */
const colourOf = new Map<string, string>();

export function solverColour(solver: string): string {
  const known = colourOf.get(solver) ?? COLOURS[colourOf.size % COLOURS.length];
  colourOf.set(solver, known);
  return known;
}

/** Residuals below are drawn here [1]. */
const FLOOR = 1e-12;
const LEFT = 44;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 34;
/** Times below are drawn here [ms]: what a page's clock resolves. */
const SHORTEST = 0.01;

/** A canvas as large as it is shown, cleared. */
export function openCanvas(canvas: HTMLCanvasElement): [CanvasRenderingContext2D, number, number] {
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [Math.max(200, canvas.clientWidth), Math.max(160, canvas.clientHeight)];
  canvas.width = Math.round(scale * width);
  canvas.height = Math.round(scale * height);
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.scale(scale, scale);
  context.clearRect(0, 0, width, height);
  context.font = '11px system-ui, sans-serif';
  return [context, width, height];
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** 10⁻⁶. */
export function powerOfTen(power: number): string {
  const digits = [...String(Math.abs(power))].map((digit) => RAISED[Number(digit)]).join('');
  return power === 0 ? '1' : `10${power < 0 ? '⁻' : ''}${digits}`;
}

export function drawCurves(canvas: HTMLCanvasElement, legend: HTMLElement, traces: readonly SolverTrace[]): void {
  const [context, width, height] = openCanvas(canvas);
  const last = Math.max(1, ...traces.map(({ times }) => times[times.length - 1] ?? 0));
  const first = Math.min(...traces.map(({ times }) => times[0] ?? last), last / 10);
  const [from, to] = [Math.log10(Math.max(first, SHORTEST)) - 0.05, Math.log10(last) + 0.05];
  const across = (time: number) =>
    LEFT + ((Math.log10(Math.max(time, SHORTEST)) - from) / (to - from)) * (width - LEFT - RIGHT);
  const down = (residual: number) => {
    const share = Math.log10(Math.max(residual, FLOOR)) / Math.log10(FLOOR);
    return TOP + Math.max(-0.05, share) * (height - TOP - BOTTOM);
  };

  // Whole powers of ten.
  context.fillStyle = '#b6b7b2';
  context.strokeStyle = 'rgb(255 255 255 / 0.08)';
  context.textAlign = 'right';
  for (let power = 0; power >= -12; power -= 3) {
    const y = down(10 ** power);
    context.fillText(powerOfTen(power), LEFT - 6, y + 4);
    line(context, LEFT, y, width - RIGHT, y);
  }
  context.textAlign = 'center';
  for (let power = Math.ceil(from); power <= to; power++) {
    const x = across(10 ** power);
    context.fillText(power < -2 ? powerOfTen(power) : String(10 ** power), x, height - BOTTOM + 15);
    line(context, x, TOP, x, height - BOTTOM);
  }
  context.textAlign = 'right';
  context.fillText('time [ms]', width - RIGHT, height - 4);

  for (const { solver, times, residuals } of traces) {
    context.strokeStyle = solverColour(solver);
    context.lineWidth = /active-set/.test(solver) ? 2.4 : 1.4;
    context.beginPath();
    for (let i = 0; i < times.length; i++) context.lineTo(across(times[i]), down(residuals[i]));
    context.stroke();
    if (times.length > 0) {
      context.fillStyle = solverColour(solver);
      context.beginPath();
      context.arc(across(times[times.length - 1]), down(residuals[times.length - 1]), 3, 0, 2 * Math.PI);
      context.fill();
    }
  }
  legend.replaceChildren(
    ...traces.map(({ solver, iterations, converged }) =>
      element(
        'span',
        {},
        element('i', { style: `background:${solverColour(solver)}` }),
        `${solver.replace('MPRGP, ', '')} (${converged ? iterations : `> ${iterations}`})`,
      ),
    ),
  );
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
