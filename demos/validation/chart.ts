// A figure: master curves as lines, our points on them (uPlot).

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Figure } from './figures';

export interface Points {
  x: number[];
  y: number[];
}

export interface Chart {
  draw(points: ReadonlyMap<string, Points>): void;
}

export function createChart(parent: HTMLElement, figure: Figure): Chart {
  const axis: uPlot.Axis = {
    stroke: '#b6b7b2',
    font: '11px system-ui, sans-serif',
    labelFont: '12px system-ui, sans-serif',
    grid: { stroke: 'rgb(255 255 255 / 0.06)', width: 1 },
    ticks: { stroke: 'rgb(255 255 255 / 0.12)', width: 1, size: 4 },
  };

  // A logarithmic axis is labelled at 1, 2 and 5 of each power only.
  const round = (_: uPlot, values: (number | null)[]) =>
    values.map((value) =>
      value !== null && /^[125]0*$|^0\.0*[125]$/.test(String(+value.toPrecision(6))) ? `${value}` : '',
    );
  const room = () => ({ width: Math.max(200, parent.clientWidth), height: Math.max(160, parent.clientHeight) });
  const { masters, series } = figure;

  const plot = new uPlot(
    {
      ...room(),
      pxAlign: 0,
      padding: [12, 16, 0, 4],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, distr: figure.logX ? 3 : 1, range: () => figure.x },
        y: { distr: figure.logY ? 3 : 1, range: () => figure.y },
      },
      axes: [
        { ...axis, label: figure.xLabel, labelSize: 18, size: 30, ...(figure.logX && { values: round }) },
        {
          ...axis,
          size: 46,
          ...(figure.yLabel && { label: figure.yLabel, labelSize: 18 }),
          ...(figure.logY && { values: round }),
        },
      ],
      series: [
        {},
        ...masters.map(
          ({ color }): uPlot.Series => ({ stroke: color, width: 1.6, spanGaps: true, points: { show: false } }),
        ),
        ...series.map(
          ({ color, size = 7 }): uPlot.Series => ({
            stroke: color,
            paths: () => null,
            points: { show: true, size, width: 1.5, stroke: color, fill: '#202328' },
          }),
        ),
      ],
    },
    [[], ...masters.map(() => []), ...series.map(() => [])],
    parent,
  );

  // Also when styles arrive after the script.
  new ResizeObserver(() => plot.setSize(room())).observe(parent);

  return {
    draw(points) {
      const lists = [
        ...masters.map(({ x, y }): uPlot.AlignedData => [[...x], [...y]]),
        ...series.map(({ id }): uPlot.AlignedData => {
          const { x, y } = points.get(id) ?? { x: [], y: [] };
          return [x, y];
        }),
      ];
      plot.setData(uPlot.join(lists));
    },
  };
}
