// The engine room: everything the module exports. One call per stage, never per body.

export {
  activateBody,
  addColliderProxy,
  castRay,
  castRayAll,
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
  predictMotion,
  solveSweeps,
  sweepScratchSize,
  updateSleep,
  wakeBody,
  wakeTouched,
} from './dynamics';
export { findContacts } from './narrowphase';
