// What the three figures show: axes, master curves, and how our points look.

import { interpolate } from './interpolate';
import MASTER from './master-curves.json';
import type { ExperimentId } from './protocol';

export interface MasterCurve {
  label: string;
  color: string;
  x: readonly number[];
  y: readonly number[];
}

export interface Figure {
  id: ExperimentId;
  title: string;
  note: string;
  xLabel: string;
  yLabel: string;
  logX?: boolean;
  logY?: boolean;
  x: [least: number, most: number];
  y: [least: number, most: number];
  masters: readonly MasterCurve[];
  /** Our points, by series, in the order they are drawn. */
  series: readonly { id: string; color: string; size?: number; label?: string }[];
}

/** The table's curve over log Γ, close enough for a line without corners. */
function smooth(table: readonly number[]): { x: number[]; y: number[] } {
  const at = MASTER.heavyElastica.gamma.map(Math.log);
  const x = Array.from({ length: 160 }, (_, i) => 0.1 * 3000 ** (i / 159));
  return { x, y: x.map((gamma) => interpolate(at, table, Math.log(gamma))) };
}

const EVEN = Array.from({ length: 60 }, (_, i) => (2.1 * i) / 59);

export const FIGURES: readonly Figure[] = [
  {
    id: 'heavy-elastica',
    title: 'Cantilever under its own weight',
    note: 'Where the tip comes to rest. The points sink while the rod does.',
    xLabel: 'Γ = ρ S g L³ / (E I)',
    yLabel: '',
    logX: true,
    x: [0.1, 300],
    y: [0, 1.02],
    masters: [
      { label: 'reach W/L', color: '#5cb7c4', ...smooth(MASTER.heavyElastica.width) },
      { label: 'drop H/L', color: '#f0a95c', ...smooth(MASTER.heavyElastica.drop) },
    ],
    series: [
      { id: 'width', color: '#5cb7c4' },
      { id: 'drop', color: '#f0a95c' },
    ],
  },
  {
    id: 'stick-slip',
    title: 'Upright rod pushed on a plane',
    note: 'The tip holds along the curve, and slips where the curve rises above its μ.',
    xLabel: 'push / L',
    yLabel: 'T / N at the tip',
    x: [0, 0.32],
    y: [0, 0.38],
    masters: [{ label: 'T/N needed', color: '#eceae6', x: MASTER.stickSlip.push, y: MASTER.stickSlip.needed }],
    series: [
      { id: 'holds', color: '#7fc48d', size: 4, label: 'ours, holding' },
      { id: 'slips', color: '#f0685a', size: 9, label: 'ours, slips at its μ' },
    ],
  },
  {
    id: 'capstan',
    title: 'Rope around a drum',
    note: 'Each point climbs with the pull until the rope slips.',
    xLabel: 'μ θ',
    yLabel: 'T2 / T1',
    logY: true,
    x: [0, 2.1],
    y: [1, 10],
    masters: [{ label: 'e^μθ', color: '#eceae6', x: EVEN, y: EVEN.map(Math.exp) }],
    series: [{ id: 'pull', color: '#f0685a', size: 8, label: 'ours' }],
  },
];
