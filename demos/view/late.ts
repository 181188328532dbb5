// What the stage shows beyond bodies: cords, strands, sheets, solids, and what is drawn over the scene. The page
// fetches it while its first scene moves.

import '@babylonjs/core/Culling/ray';
import { createCordView } from './cords';
import { createLabels } from './labels';
import { createOverlay } from './overlay';
import { createShellView } from './shell-view';
import { createSolidView } from './solid-view';
import { createStrandView } from './strand-view';

export const LATE_PARTS = {
  createCordView,
  createLabels,
  createOverlay,
  createShellView,
  createSolidView,
  createStrandView,
};

export type LateParts = typeof LATE_PARTS;
