// The engine room: everything the module exports. One call per stage, never per body.

export { admmBodies, admmProject, admmRight, admmUpdate } from './admm';
export {
  admmEnd,
  admmGather,
  admmOffset,
  admmResidual,
  admmStart,
  admmStore,
  admmVelocities,
} from './admm-gather';
export { admmGroup, admmUngroup } from './admm-groups';
export { admmLook, admmMark, admmMoved, admmWeights } from './admm-rows';
export { admmScale, admmShare } from './admm-start';
export {
  activateBody,
  addColliderProxy,
  castRay,
  castRayAll,
  combineMaterial,
  deactivateBody,
  findPairs,
  freePairs,
  overlapBox,
  overlapSphere,
  prepareQueries,
  queryResults,
  rebuildPairHash,
  removeCollider,
  removeColliderProxy,
} from './broadphase';
export { measureDistance } from './collide-generic';
export {
  buildIslands,
  collectTouches,
  integrateMotion,
  predictBody,
  predictMotion,
  solveSweeps,
  sweepScratchSize,
  updateSleep,
  wakeBody,
  wakeTouched,
} from './dynamics';
export { findContacts } from './narrowphase';
export { rodIntegrate, rodPredict, rodSolve, rodWeigh, rodWorkSize } from './rods';
export {
  assembleSettled,
  factorSettled,
  keepSettled,
  moveSettled,
  openSettled,
  settledContacts,
  settledKey,
  settledResidual,
  settledScale,
  settledScratchSize,
  solveSettled,
  warmStartSettled,
} from './settled';
export { findStrandContacts, strandScratchSize } from './strand-contacts';
