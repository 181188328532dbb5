// The experiments of the validation lab, in the order they run.

import { runCapstan } from './capstan';
import { runHeavyElastica } from './heavy-elastica';
import type { ExperimentId, Outcome, Setup } from './protocol';
import { runStickSlip } from './stick-slip';

export const EXPERIMENTS: Readonly<Record<ExperimentId, (setup: Setup) => Generator<Outcome>>> = {
  'heavy-elastica': runHeavyElastica,
  'stick-slip': runStickSlip,
  capstan: runCapstan,
};
