// The engine room for bodies: everything its module exports. One call per stage, never
// per body. Strands: strand-index.ts.

export {
  activateBody,
  addColliderProxy,
  castRay,
  castRayAll,
  combineMaterial,
  combineMaterials,
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
} from './broad/broadphase';
export { foreseeContacts, foreseeScratchSize } from './foresee/foresee';
export { isDrivenIsland, speedCapOf } from './motion/driven-speed';
export {
  buildIslands,
  carrySpins,
  collectTouches,
  furtherSweeps,
  integrateMotion,
  isStopped,
  keepOutside,
  mayBodySleep,
  mayIslandSleep,
  measureApproaches,
  predictBody,
  predictMotion,
  releaseIsland,
  restBody,
  solveSweeps,
  stopAtTouch,
  stopScratchSize,
  sweepScratchSize,
  turnMotions,
  updateSleep,
  wakeBody,
  wakeTouched,
} from './motion/dynamics';
export { measureDistance } from './narrow/collide-generic';
export { findContacts } from './narrow/narrowphase';
export { solveFew } from './settled/few';
export {
  attainTargets,
  closeJointed,
  finishJointed,
  isJointedLoose,
  jointedRows,
  jointedScratchSize,
  jointedSlots,
  jointedVelocities,
  openJointed,
  projectJointed,
  reflectJointed,
  relaxJointed,
  relieveJoints,
  softenJointed,
  startJointed,
  sweepJointed,
} from './settled/jointed';
export { restsOnItsImpulses } from './settled/resting';
export {
  assembleSettled,
  coldStartSettled,
  factorSettled,
  isWildSettled,
  keepSettled,
  markSettled,
  moveSettled,
  noteSettled,
  openSettled,
  recallSettled,
  settledContacts,
  settledKey,
  settledResidual,
  settledScale,
  settledScratchSize,
  solveSettled,
  warmStartSettled,
} from './settled/settled';
export { packChanges, unpackChanges } from './snapshot/changes';
export { guessNumbers } from './snapshot/guess';
export { gatherManifolds, manifoldBytes, scatterManifolds } from './snapshot/manifolds';
export { roundManifolds } from './snapshot/round';
