// All that a world does for its rods, as modules of its step: addRod and addGroom hand them to their world.

import {
  findRodContacts,
  integrateRods,
  predictRods,
  restRods,
  solveRods,
  wakeRods,
} from '../src/dynamics/elastic/step-rods';
import { moveStrandsOf } from '../src/dynamics/elastic/teleport';
import { elasticQueries } from './elastic-queries';
import type { StepModule } from './physics';
import { copyInRods, copyOutRods, flushRods, followBody, releaseFromBody, restoreRods } from './rod-entities';

/** The step of everything elastic: one for all kinds, as they are solved together. */
export const elasticModule = {
  name: 'elastic',
  predict: predictRods,
  findContacts: findRodContacts,
  wake: wakeRods,
  solve: solveRods,
  integrate: integrateRods,
  rest: restRods,
  teleport: moveStrandsOf,
  queries: elasticQueries,
} satisfies StepModule;

/** Entities of rods and grooms. */
export const rodModule = {
  name: 'rods',
  flush: flushRods,
  releaseFromBody,
  followBody,
  copyIn: copyInRods,
  copyOut: copyOutRods,
  restore: restoreRods,
} satisfies StepModule;

export const ROD_MODULES: readonly StepModule[] = [elasticModule, rodModule];

/** The same of a world that has surfaces: the last only says that it has. */
export const SURFACE_MODULES: readonly StepModule[] = [...ROD_MODULES, { name: 'surfaces' }];
