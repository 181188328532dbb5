// The stages of a step, each a thin call into the engine, in THE order (schedule.ts).

import { findPairs } from '../src/collision/broadphase';
import { solveContacts } from '../src/dynamics/solve-contacts';
import { copyIn } from './copy-in';
import { copyOut } from './copy-out';
import { emitEvents } from './emit-events';
import type { System } from './physics';
import { reportStep } from './report-step';
import type { StageName } from './schedule';

export const stages: readonly (readonly [StageName, System])[] = [
  ['copy-in', copyIn],
  ['predict-motion', ({ physics }) => physics.internal.engine.kernels.predictMotion()],
  [
    'find-pairs',
    ({ physics }) => {
      const { tables, kernels, arena } = physics.internal.engine;
      findPairs(tables, kernels, arena);
    },
  ],
  ['find-contacts', ({ physics }) => physics.internal.engine.kernels.findContacts()],
  [
    'build-islands',
    ({ physics }) => {
      physics.internal.engine.kernels.wakeTouched();
      physics.internal.engine.kernels.buildIslands();
    },
  ],
  ['solve-contacts', ({ physics }) => solveContacts(physics.internal.engine)],
  ['integrate-motion', ({ physics }) => physics.internal.engine.kernels.integrateMotion()],
  ['update-sleep', ({ physics }) => physics.internal.engine.kernels.updateSleep()],
  ['emit-events', emitEvents],
  [
    'copy-out',
    (step) => {
      copyOut(step);
      reportStep(step);
    },
  ],
];
