// The rolling chart of the last steps: stages stacked, the budget as a line. A click changes the scale between what
// the steps need and the whole budget.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Profile } from '../../src/index';

export interface BudgetChart {
  update(profile: Profile, budget: number): void;
  resize(): void;
}

/** Ends of the scale [ms]. */
const SCALES = [0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8, 16, 33, 66, 130, 260, 520, 1000];

export function createBudgetChart(parent: HTMLElement, colorOf: (stage: string, index: number) => string): BudgetChart {
  let budget = 1000 / 60;
  let top = 1;
  let wholeBudget = false;
  let stages: string[] = [];
  let data: number[][] = [[]];
  let plot: uPlot | null = null;

  parent.addEventListener('click', () => {
    wholeBudget = !wholeBudget;
  });

  const budgetLine = (chart: uPlot) => {
    const { ctx, bbox } = chart;
    if (budget > top) return;
    const y = chart.valToPos(budget, 'y', true);
    ctx.save();
    ctx.strokeStyle = '#f0685a';
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  };

  const build = (names: string[], capacity: number) => {
    plot?.destroy();
    stages = names;
    data = Array.from({ length: names.length + 1 }, () => new Array<number>(capacity).fill(0));
    for (let i = 0; i < capacity; i++) data[0][i] = i - capacity;
    const axis: uPlot.Axis = {
      stroke: '#a3a49f',
      font: '10px system-ui, sans-serif',
      grid: { stroke: 'rgb(255 255 255 / 0.07)', width: 1 },
      ticks: { show: false },
    };
    plot = new uPlot(
      {
        width: parent.clientWidth || 260,
        height: parent.clientHeight || 92,
        padding: [6, 0, 2, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: [-capacity, -1] }, y: { range: () => [0, top] } },
        axes: [
          { ...axis, show: false },
          {
            ...axis,
            size: 46,
            gap: 3,
            splits: () => [0, top / 2, top],
            values: (_, values) =>
              values.map((value, i) => (i === 2 ? `${+value.toPrecision(3)} ms` : `${+value.toPrecision(3)}`)),
          },
        ],
        // The whole sum first, so that each further series covers all but its own stage.
        series: [
          {},
          ...names.map((_, i) => ({
            fill: colorOf(names[names.length - 1 - i], names.length - 1 - i),
            width: 0,
            points: { show: false },
          })),
        ],
        hooks: { draw: [budgetLine] },
      },
      data as uPlot.AlignedData,
      parent,
    );
  };

  return {
    update(profile, allowed) {
      budget = allowed;
      const names = [...profile.stages];
      if (!plot || names.join() !== stages.join()) build(names, profile.capacity);
      const { capacity } = profile;
      const count = names.length;
      let highest = 0;
      for (let i = 0; i < capacity; i++) {
        const ago = capacity - 1 - i;
        let sum = 0;
        for (let s = 0; s < count; s++) {
          sum += ago < profile.count ? profile.milliseconds(names[s], ago) : 0;
          data[count - s][i] = sum;
        }
        highest = Math.max(highest, sum);
      }
      // A single spike may leave the picture: else the first step's compilation would flatten all others.
      const high = profile.percentile(0.95) * 1.4;
      const wanted = wholeBudget ? budget * 1.1 : Math.max(Math.min(high, highest), 0.02);
      top = wholeBudget ? wanted : (SCALES.find((end) => end >= wanted) ?? wanted);
      plot?.setData(data as uPlot.AlignedData);
    },
    resize() {
      if (parent.clientWidth > 0) plot?.setSize({ width: parent.clientWidth, height: parent.clientHeight });
    },
  };
}
