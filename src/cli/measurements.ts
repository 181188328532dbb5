// Figures of a run, gathered step by step: the engine's own ring holds only the last steps.

import type { Physics } from '../../systems/physics';

/** A growing list of numbers. */
interface Series {
  push(x: number): void;
  values(): Float64Array;
}

function createSeries(): Series {
  let data = new Float64Array(1024);
  let count = 0;
  return {
    push(x) {
      if (count === data.length) {
        const grown = new Float64Array(2 * count);
        grown.set(data);
        data = grown;
      }
      data[count++] = x;
    },
    values: () => data.slice(0, count),
  };
}

/** Of a list of numbers; null where there is none. */
export interface Spread {
  median: number | null;
  p99: number | null;
  max: number | null;
}

/** Median (mean of the middle two), 99th percentile (nearest rank) and largest of `values`. */
export function spreadOf(values: Float64Array): Spread {
  const n = values.length;
  if (n === 0) return { median: null, p99: null, max: null };
  const sorted = values.slice().sort((a, b) => a - b);
  return {
    median: (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2,
    p99: sorted[Math.ceil(0.99 * n) - 1],
    max: sorted[n - 1],
  };
}

function meanOf(values: Float64Array): number | null {
  return values.length === 0 ? null : values.reduce((sum, x) => sum + x, 0) / values.length;
}

/** What was measured, in the form of the result file. */
export interface Measurements {
  readonly stepMilliseconds: Spread;
  readonly stages: Record<string, Spread>;
  readonly residual: { median: number | null; max: number | null };
  readonly penetration: { max: number | null };
  readonly contacts: { mean: number | null; max: number | null };
  readonly points: { mean: number | null; max: number | null };
  readonly solver: {
    dantzig: { islands: number; passes: number; pivots: number; warm: number; fallbacks: number };
    'gauss-seidel': { islands: number };
    'contact-admm': { islands: number; iterations: number; factorisations: number; fallbacks: number };
  };
  /** Of the elastic solve; only in runs with strands. */
  readonly strands?: {
    strands: number;
    nodes: number;
    contacts: { mean: number | null; max: number | null };
    iterations: { mean: number | null; max: number | null };
    /** δ∞ [m]. */
    delta: { median: number | null; max: number | null };
    /** [m/s] */
    residual: { median: number | null; max: number | null };
  };
  readonly limits: string[];
  /** Entities. */
  readonly quarantined: number[];
}

export interface Gauge {
  /** Takes down the step just done. */
  record(): void;
  /** Sums up. */
  summary(): Measurements;
}

/** Gathers the figures of `physics`; call `record` after every step. */
export function createGauge(physics: Physics): Gauge {
  const step = createSeries();
  const residual = createSeries();
  const contacts = createSeries();
  const points = createSeries();
  const stages = new Map<string, Series>();

  const strands = {
    contacts: createSeries(),
    iterations: createSeries(),
    delta: createSeries(),
    residual: createSeries(),
  };

  const solver = {
    dantzig: { islands: 0, passes: 0, pivots: 0, warm: 0, fallbacks: 0 },
    'gauss-seidel': { islands: 0 },
    'contact-admm': { islands: 0, iterations: 0, factorisations: 0, fallbacks: 0 },
  };
  const limits = new Set<string>();
  const quarantined = new Set<number>();
  let deepest: number | null = null;

  const ofStrands = () => {
    const range = (series: Series) => ({ mean: meanOf(series.values()), max: spreadOf(series.values()).max });
    const spread = (series: Series) => {
      const { median, max } = spreadOf(series.values());
      return { median, max };
    };
    return {
      strands: physics.strands.strandCount,
      nodes: physics.strands.nodeCount,
      contacts: range(strands.contacts),
      iterations: range(strands.iterations),
      delta: spread(strands.delta),
      residual: spread(strands.residual),
    };
  };

  return {
    record() {
      const { profile, report } = physics;
      step.push(profile.stepMilliseconds());
      for (const name of profile.stages) {
        let series = stages.get(name);
        if (!series) {
          series = createSeries();
          stages.set(name, series);
        }
        series.push(profile.milliseconds(name));
      }
      residual.push(report.residual);
      contacts.push(report.contacts);
      points.push(report.points);
      deepest = Math.max(deepest ?? 0, report.penetration);
      if (report.strands.strands > 0) {
        for (const key of ['contacts', 'iterations', 'delta', 'residual'] as const)
          strands[key].push(report.strands[key]);
      }
      const { dantzig, sweeps, contactAdmm } = report.solvers;
      solver.dantzig.islands += dantzig.islands;
      solver.dantzig.passes += dantzig.passes;
      solver.dantzig.pivots += dantzig.pivots;
      solver.dantzig.warm += dantzig.warm;
      solver.dantzig.fallbacks += dantzig.fallbacks;
      solver['gauss-seidel'].islands += sweeps.islands;
      for (const key of ['islands', 'iterations', 'factorisations', 'fallbacks'] as const)
        solver['contact-admm'][key] += contactAdmm[key];
      for (const limit of report.limits) limits.add(limit);
      for (const eid of report.quarantined) quarantined.add(eid);
    },

    summary() {
      const ofResidual = spreadOf(residual.values());
      const range = (series: Series) => ({ mean: meanOf(series.values()), max: spreadOf(series.values()).max });
      return {
        stepMilliseconds: spreadOf(step.values()),
        stages: Object.fromEntries([...stages].map(([name, series]) => [name, spreadOf(series.values())])),
        residual: { median: ofResidual.median, max: ofResidual.max },
        penetration: { max: deepest },
        contacts: range(contacts),
        points: range(points),
        solver,
        ...(strands.contacts.values().length > 0 ? { strands: ofStrands() } : {}),
        limits: [...limits],
        quarantined: [...quarantined],
      };
    },
  };
}
