// Best residual of every method against iterations or time, both axes logarithmic (as in Fig. 11 of the 2011 paper).

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { METHODS } from './protocol';

export interface Curve {
  x: number[];
  /** [m/s] */
  residual: number[];
}

export interface Chart {
  /** Shows the curves by method id. */
  draw(curves: ReadonlyMap<string, Curve>, tolerance: number): void;
}

/** Residuals below this are drawn here: a logarithm has no zero [m/s]. */
const FLOOR = 1e-18;

export function createChart(parent: HTMLElement, label: string, leastX: number): Chart {
  let range: [number, number] = [leastX, 10 * leastX];
  let reach: [number, number] = [1e-12, 1];
  let target = 0;

  const axis: uPlot.Axis = {
    stroke: '#b6b7b2',
    font: '11px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
    grid: { stroke: 'rgb(255 255 255 / 0.06)', width: 1 },
    ticks: { stroke: 'rgb(255 255 255 / 0.12)', width: 1, size: 4 },
  };

  const powers = (_: uPlot, values: (number | null)[]) => values.map((value) => (value === null ? '' : power(value)));

  // Only whole powers of ten: uPlot's own search for splits does not end below 1e-16.
  const splits = (_: uPlot, __: number, least: number, most: number) => {
    const [first, last] = [Math.ceil(Math.log10(least) - 1e-9), Math.floor(Math.log10(most) + 1e-9)];
    const step = Math.max(1, Math.ceil((last - first) / 8));
    const found: number[] = [];
    for (let exponent = first; exponent <= last; exponent += step) found.push(10 ** exponent);
    return found;
  };

  const size = () => ({ width: Math.max(200, parent.clientWidth), height: Math.max(160, parent.clientHeight) });
  const plot = new uPlot(
    {
      ...size(),
      padding: [10, 14, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, distr: 3, range: () => range },
        y: { distr: 3, range: () => reach },
      },
      axes: [
        { ...axis, label, labelSize: 18, size: 30, values: powers, splits },
        { ...axis, size: 52, values: powers, splits },
      ],
      series: [
        {},
        ...METHODS.map(({ color, id }) => ({
          stroke: color,
          width: id === 'auto' ? 2.6 : 1.8,
          dash: id === 'auto' ? [7, 4] : undefined,
          spanGaps: true,
          points: { show: false },
        })),
      ],
      hooks: {
        draw: [
          (chart) => {
            if (target < reach[0] || target > reach[1]) return;
            const { ctx, bbox } = chart;
            const y = chart.valToPos(target, 'y', true);
            ctx.save();
            ctx.strokeStyle = 'rgb(255 255 255 / 0.35)';
            ctx.setLineDash([3 * devicePixelRatio, 4 * devicePixelRatio]);
            ctx.beginPath();
            ctx.moveTo(bbox.left, y);
            ctx.lineTo(bbox.left + bbox.width, y);
            ctx.stroke();
            ctx.restore();
          },
        ],
      },
    },
    [[], ...METHODS.map(() => [])],
    parent,
  );

  // Also when styles arrive after the script.
  new ResizeObserver(() => plot.setSize(size())).observe(parent);
  return {
    draw(curves, tolerance) {
      target = tolerance;
      const lists = METHODS.map(({ id }): uPlot.AlignedData => {
        const curve = curves.get(id);
        return [
          curve ? curve.x.map((x) => Math.max(x, leastX)) : [],
          curve ? curve.residual.map((y) => Math.max(y, FLOOR)) : [],
        ];
      });
      let [shortest, longest, least, most] = [Number.POSITIVE_INFINITY, 10 * leastX, tolerance, tolerance];
      for (const [xs, ys] of lists) {
        if (xs.length > 0) {
          shortest = Math.min(shortest, xs[0]);
          longest = Math.max(longest, xs[xs.length - 1]);
        }
        for (const y of ys as number[]) {
          least = Math.min(least, y);
          most = Math.max(most, y);
        }
      }
      range = [Math.min(shortest, longest / 10), longest * 1.15];
      reach = [least / 3, Math.max(most, 10 * least) * 3];
      plot.setData(uPlot.join(lists));
    },
  };
}

/** 1e-9 as 10⁻⁹; numbers from a hundredth to ten thousand as they are; nothing between powers of ten. */
function power(value: number): string {
  const exponent = Math.round(Math.log10(value));
  if (Math.abs(value / 10 ** exponent - 1) > 1e-6) return '';
  if (exponent >= -2 && exponent <= 4) return String(10 ** exponent).slice(0, 5);
  const raised = (digit: string) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(digit)];
  return `10${[...String(exponent)].map(raised).join('')}`;
}
