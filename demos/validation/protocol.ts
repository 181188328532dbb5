// What the validation lab's page and its worker say to each other.

export type ExperimentId = 'heavy-elastica' | 'stick-slip' | 'capstan';
export type Backend = 'wasm' | 'reference';

export interface Setup {
  backend: Backend;
  /** Points of a rod. */
  vertices: number;
}

/** Something to draw at once. */
export interface Sample {
  kind: 'sample';
  /** Curve it belongs to. */
  series: string;
  x: number;
  y: number;
  /** Whether it takes the place of the curve's last one: a rod that still settles. */
  isMoving?: boolean;
}

/** A figure that stands beside the master curve's. */
export interface Finding {
  kind: 'finding';
  label: string;
  measured: number;
  expected: number;
}

export type Outcome = Sample | Finding;

export interface Order {
  setup: Setup;
}

export type Note =
  | (Outcome & { experiment: ExperimentId })
  | { kind: 'failed'; experiment: ExperimentId; message: string }
  | { kind: 'finished'; experiment: ExperimentId; milliseconds: number }
  | { kind: 'done' };
