// The engine room for shells and solids: everything its module exports. A module of its own beside strand-index.ts,
// instantiated with a world's first surface. Static data lie at SURFACE_STATICS (state/layout).

export { meshGive, meshPredict, meshSolve, meshWeigh } from './mesh/meshes';
export { findSurfaceContacts, surfaceScratchSize, writeSurfaceContacts } from './surface/contacts';
export { findSurfaceCrossings, surfaceCrossings } from './surface/crossings';
export { surfacePairsLooked } from './surface/pairs';
