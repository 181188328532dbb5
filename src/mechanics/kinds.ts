// The kinds of elastic objects as one table. A new kind (a shell, a solid) is a folder beside rod/ and a further entry
// here: nothing that walks objects names a kind.

import type { ElasticKind } from './elastic-kind';
import { correctStrand } from './rod/correct-strand';
import { createRodSystem } from './rod/rod-system';
import { strandEnergy } from './rod/strand-energy';
import { updateFrames } from './rod/update-frames';

/** Strands of rods and grooms. */
const ROD: ElasticKind = {
  name: 'rod',
  createSystem: createRodSystem,
  energy: strandEnergy,
  correct: correctStrand,
  integrate: updateFrames,
};

/** By number of the kind. */
export const ELASTIC_KINDS: readonly ElasticKind[] = [ROD];
