// Daviet 2020 to the letter beside the engine's own settings (elastic.profile), on hair as it is: 37 µm, 4 GPa.

import type { ElasticSettings } from '../state/elastic-settings';
import * as L from '../state/layout';
import { createBall } from './gpu-worlds';
import { createCrossingDetection } from './rods-crossings';
import { median } from './rods-speed';

export interface ProfileRow {
  name: string;
  steps: number;
  /** ADMM iterations of a step, all its linearisations together: median, most. */
  iterations: { median: number; most: number };
  /** δ∞ at the end of a step [mm]: median, most. */
  delta: { median: number; most: number };
  /** Hairs that went through hairs, in all steps. */
  crossings: number;
  /** Processor's time of a step, median [ms]. */
  step: number;
}

/** The engine's settings, the paper's, and the paper's with one thing changed at a time. */
const PROFILES: readonly [string, ElasticSettings][] = [
  ['engine', {}],
  ['paper', { profile: 'paper' }],
  ['paper, no momentum', { profile: 'paper', acceleration: false }],
  ['paper, one linearisation', { profile: 'paper', newtonIterations: 1 }],
  ['paper, one linearisation of 50 iterations', { profile: 'paper', newtonIterations: 1, iterations: 50 }],
  ['paper, kept apart', { profile: 'paper', keepApart: true }],
  ['engine, two linearisations', { newtonIterations: 2 }],
];

/** Shakes a ball of real hair by each of them. */
export function benchProfiles(strands: number, vertices: number, steps: number): ProfileRow[] {
  return PROFILES.map(([name, elastic]) => shake(name, strands, vertices, steps, elastic));
}

function shake(name: string, strands: number, vertices: number, steps: number, elastic: ElasticSettings): ProfileRow {
  const { physics, advance } = createBall({ strands, vertices, contact: true }, elastic);
  const detection = createCrossingDetection();
  const { engine } = physics.internal;
  const { strands: report } = physics.report;
  const times: number[] = [];
  const deltas: number[] = [];
  const iterations: number[] = [];
  let crossings = 0;
  for (let step = 0; step < steps; step++) {
    const before = process.cpuUsage();
    advance();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    deltas.push(1000 * report.delta);
    iterations.push(report.iterations);
    const { previous, position, strand } = engine.tables.nodes;
    crossings += detection(previous, position, strand, engine.arena.i32[L.NODE_COUNT >> 2]).count;
  }
  physics.dispose();
  return {
    name,
    steps,
    iterations: { median: median(iterations), most: Math.max(...iterations) },
    delta: { median: median(deltas), most: Math.max(...deltas) },
    crossings,
    step: median(times),
  };
}
