// The trade of the budget, drawn: time on the device as an area, the budget as a dashed line, and the residual δ∞ as
// a curve on a logarithmic scale of its own. Less time, higher curve.

import uPlot from 'uplot';

export interface TradeChart {
  /** Adds a moment. `time`, `budget` [ms], a null budget is not drawn; `delta` [m]. */
  push(time: number, budget: number | null, delta: number): void;
  clear(): void;
  resize(): void;
}

/** Moments shown; at six updates a second some twenty seconds. */
const KEPT = 128;
/** Ends of the time scale [ms]. */
const SCALES = [0.5, 1, 2, 4, 8, 16, 33, 66, 130, 260, 520, 1000, 4000, 16000];
/** Scale of δ∞ [mm]. */
const [LEAST, MOST] = [1e-4, 10];
const [TIME, DELTA, LIMIT] = ['#5d9fb5', '#f0a95c', '#f0685a'];

export function createTradeChart(parent: HTMLElement): TradeChart {
  const times: (number | null)[] = new Array(KEPT).fill(null);
  const limits: (number | null)[] = new Array(KEPT).fill(null);
  const deltas: (number | null)[] = new Array(KEPT).fill(null);
  const moments = Array.from({ length: KEPT }, (_, i) => i - KEPT + 1);
  let top = SCALES[0];

  const axis: uPlot.Axis = {
    stroke: '#b6b7b2',
    font: '10px system-ui, sans-serif',
    grid: { stroke: 'rgb(255 255 255 / 0.07)', width: 1 },
    ticks: { show: false },
    gap: 3,
  };

  const points = { show: false };
  const data = () => [moments, times, limits, deltas] as uPlot.AlignedData;

  const plot = new uPlot(
    {
      width: parent.clientWidth || 260,
      height: parent.clientHeight || 72,
      padding: [6, 0, 2, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [moments[0], 0] },
        ms: { range: () => [0, top] },
        mm: { distr: 3, range: [LEAST, MOST] },
      },
      axes: [
        { ...axis, show: false },
        {
          ...axis,
          scale: 'ms',
          size: 46,
          splits: () => [0, top],
          values: (_, values) =>
            values.map((value, i) =>
              i === 1 ? `${value < 1000 ? value : value / 1000} ${value < 1000 ? 'ms' : 's'}` : '0',
            ),
        },
        {
          ...axis,
          scale: 'mm',
          side: 1,
          size: 44,
          stroke: DELTA,
          grid: { show: false },
          splits: () => [1e-4, 1e-2, 1],
          filter: (_, splits) => splits,
          values: () => ['10⁻⁴', '0.01', '1 mm'],
        },
      ],
      series: [
        {},
        { scale: 'ms', stroke: TIME, fill: `${TIME}66`, width: 1, points },
        { scale: 'ms', stroke: LIMIT, dash: [4, 3], width: 1, points },
        { scale: 'mm', stroke: DELTA, width: 1.5, points },
      ],
    },
    data(),
    parent,
  );

  const add = (list: (number | null)[], value: number | null) => {
    list.shift();
    list.push(value);
  };

  return {
    push(time, budget, delta) {
      add(times, time);
      add(limits, budget);
      add(deltas, Math.min(Math.max(1000 * delta, LEAST), MOST));
      let highest = budget ?? 0;
      for (const value of times) highest = Math.max(highest, value ?? 0);
      top = SCALES.find((end) => end >= 1.1 * highest) ?? highest;
      plot.setData(data());
    },
    clear() {
      for (const list of [times, limits, deltas]) list.fill(null);
      plot.setData(data());
    },
    resize() {
      if (parent.clientWidth > 0) plot.setSize({ width: parent.clientWidth, height: parent.clientHeight });
    },
  };
}
