// The kinds of elastic objects as one table. A new kind (a shell, a solid) is a folder beside rod/ and a further entry
// here: nothing that walks objects names a kind.

import type { ElasticKind } from './elastic-kind';
import { correctStrand } from './rod/correct-strand';
import { createRodSystem } from './rod/rod-system';
import { strandEnergy } from './rod/strand-energy';
import { updateFrames } from './rod/update-frames';
import { correctShell } from './shell/correct-shell';
import { shellEnergy } from './shell/shell-energy';
import { createShellSystem } from './shell/shell-system';
import { solidEnergy } from './solid/solid-energy';
import { createSolidSystem } from './solid/solid-system';

/** Strands of rods and grooms. */
const ROD: ElasticKind = {
  name: 'rod',
  createSystem: createRodSystem,
  energy: strandEnergy,
  correct: correctStrand,
  integrate: updateFrames,
};

/** Cloth and other thin surfaces. */
const SHELL: ElasticKind = {
  name: 'shell',
  createSystem: createShellSystem,
  energy: shellEnergy,
  correct: correctShell,
  integrate() {},
};

/** Solids; their boundary meets contacts as a shell does. */
const SOLID: ElasticKind = {
  name: 'solid',
  createSystem: createSolidSystem,
  energy: solidEnergy,
  correct: correctShell,
  integrate() {},
};

/** By number of the kind. */
export const ELASTIC_KINDS: readonly ElasticKind[] = [ROD, SHELL, SOLID];
