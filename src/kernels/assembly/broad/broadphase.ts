// The exports of the broadphase and of the queries, in one place.

export { castRay, castRayAll, overlapBox, overlapSphere, prepareQueries, queryResults } from '../queries/queries';
export { addColliderProxy, findPairs, removeCollider } from './pairs';
export {
  activateBody,
  combineMaterial,
  combineMaterials,
  deactivateBody,
  freePairs,
  rebuildPairHash,
} from './pairs-table';
export { removeColliderProxy } from './tree';
