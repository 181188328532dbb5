// Shells and solids made known to the engine: kinds, kernels, and what a step does for them.

import { instantiateSurfaceKernels } from '../../kernels/surface-kernels';
import { registerSurfaceKinds } from '../../mechanics/surface-kinds';
import { createResidualSolve } from './backends/reference/solve-residuals';
import { predictMeshes, solveMeshes, weighMeshes } from './backends/wasm/meshes';
import { carryRiders } from './carry-riders';
import { flowObjects } from './flow';
import { keepLengths } from './keep-lengths';
import { keepSurfacesApart } from './keep-surfaces-apart';
import { limitStretch, noteFreeBodies } from './limit-stretch';
import { roots } from './rooted';
import { collectRoots, storeRoots } from './solid-roots';
import { registerSurfaceParts } from './surface-parts';
import { drawThrough, findTangles, letThrough } from './untangle';

/** To be called before a world gets a surface: by addShell, addSolid, loadGame. */
export function enableSurfaces(): void {
  registerSurfaceKinds();
  roots.parts = { collect: collectRoots, store: storeRoots };
  registerSurfaceParts({
    instantiate: instantiateSurfaceKernels,
    keepApart: keepSurfacesApart,
    createResidualSolve,
    keepLengths,
    noteFreeBodies,
    limitStretch,
    carryRiders,
    flowObjects,
    findTangles,
    letThrough,
    drawThrough,
    predictMeshes,
    weighMeshes,
    solveMeshes,
  });
}
