// The kinds of elastic objects that have a mesh: see kinds.ts.

import { KIND_SHELL, KIND_SOLID } from '../state/layout';
import type { ElasticKind } from './elastic-kind';
import { registerKind } from './kinds';
import { correctShell } from './shell/correct-shell';
import { shellEnergy } from './shell/shell-energy';
import { createShellSystem } from './shell/shell-system';
import { flowSolid } from './solid/flow-solid';
import { rideAlong } from './solid/riders';
import { solidEnergy } from './solid/solid-energy';
import { createSolidSystem } from './solid/solid-system';

/** Cloth and other thin surfaces. */
const SHELL: ElasticKind = {
  name: 'shell',
  createSystem: createShellSystem,
  energy: shellEnergy,
  correct: correctShell,
  integrate() {},
};

/** Solids; their boundary, or the fine surface that they carry, meets contacts as a shell does. */
const SOLID: ElasticKind = {
  name: 'solid',
  createSystem: createSolidSystem,
  energy: solidEnergy,
  correct: correctShell,
  integrate: (tables, object) => rideAlong(tables.nodes.position, tables, object),
  flow: flowSolid,
};

/** Makes shells and solids known. */
export function registerSurfaceKinds(): void {
  registerKind(KIND_SHELL, SHELL);
  registerKind(KIND_SOLID, SOLID);
}
