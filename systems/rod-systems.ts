// All that a world does for its rods, as one table: addRod and addGroom hand it to their world.

import {
  findRodContacts,
  integrateRods,
  predictRods,
  restRods,
  solveRods,
  wakeRods,
} from '../src/dynamics/elastic/step-rods';
import { moveStrandsOf } from '../src/dynamics/elastic/teleport';
import type { RodSystems } from './physics';
import { copyInRods, copyOutRods, flushRods, followBody, releaseFromBody, restoreRods } from './rod-entities';

export const rodSystems: RodSystems = {
  predict: predictRods,
  findContacts: findRodContacts,
  wake: wakeRods,
  solve: solveRods,
  integrate: integrateRods,
  rest: restRods,
  teleport: moveStrandsOf,
  isBehind: () => false,
  flush: flushRods,
  releaseFromBody,
  followBody,
  copyIn: copyInRods,
  copyOut: copyOutRods,
  restore: restoreRods,
};
