// What the pages of all benchmarks say alike: when and where one ran, and what it was to reach.

import { cpus, loadavg } from 'node:os';
import process from 'node:process';
import { short, table } from './solvers-tables';

/** One row of what is to be reached. */
export interface BenchTarget {
  name: string;
  value: number;
  unit: string;
  target: string;
  met: boolean;
}

/** When, where and under which load a benchmark ran. */
export interface RunFacts {
  /** ISO 8601. */
  date: string;
  node: string;
  machine: string;
  /** Over 1, 5 and 15 minutes, at the start and at the end. */
  load: number[];
  loadAfter: number[];
}

/** Notes where and under which load a benchmark begins; what it returns notes the load at its end. */
export function noteRun(): () => RunFacts {
  const loads = () => loadavg().map((value) => Math.round(100 * value) / 100);
  const processors = cpus();
  const load = loads();
  return () => ({
    date: new Date().toISOString(),
    node: process.version,
    machine: `${processors.length} × ${processors[0]?.model ?? 'unknown'}`,
    load,
    loadAfter: loads(),
  });
}

/** In one line. */
export function factsOf(command: string, { date, node, machine, load, loadAfter }: RunFacts): string {
  return [
    `${command}, ${date.slice(0, 16).replace('T', ' ')} UTC`,
    `Node ${node}`,
    machine,
    `one thread, load ${load.join(' ')} at the start, ${loadAfter.join(' ')} at the end`,
  ].join('; ');
}

export function targetTable(targets: readonly BenchTarget[]): string {
  return table(
    ['what', 'measured', 'unit', 'target', 'met'],
    targets.map((row) => [row.name, short(row.value), row.unit, row.target, row.met ? 'yes' : 'NO']),
  );
}
