// All that a world does for its rods, as one table: addRod and addGroom hand it to their world.

import { findRodContacts, integrateRods, predictRods, solveRods, wakeRodBodies } from '../src/dynamics/rods/step-rods';
import type { RodSystems } from './physics';
import {
  copyInRods,
  copyOutRods,
  findMissingEntity,
  flushRods,
  followBody,
  releaseFromBody,
  restoreRods,
} from './rod-entities';

export const rodSystems: RodSystems = {
  predict: predictRods,
  findContacts: findRodContacts,
  wakeBodies: wakeRodBodies,
  solve: solveRods,
  integrate: integrateRods,
  isBehind: () => false,
  flush: flushRods,
  releaseFromBody,
  followBody,
  copyIn: copyInRods,
  copyOut: copyOutRods,
  findMissing: findMissingEntity,
  restore: restoreRods,
};
