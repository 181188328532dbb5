// The kinds of elastic objects as one table: what assembles, integrates and measures them names none. Detection and the
// end of a step ask by number where strands and meshes, or sheets and solids, differ (docs/architecture.md says where).
// Strands are always there; kinds with a mesh (surface-kinds.ts) come with the first call that makes such an object, so
// that a game without cloth and solids does not carry them. A new kind is a folder beside rod/ and a further entry.

import type { ElasticKind, ObjectSystem } from './elastic-kind';
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

const kinds: (ElasticKind | undefined)[] = [ROD];

/** Makes a kind known under its number (KIND_* of state/layout); more than once is no harm. */
export function registerKind(number: number, kind: ElasticKind): void {
  kinds[number] = kind;
}

/** The kind of a number. */
export function elasticKind(number: number): ElasticKind {
  const kind = kinds[number];
  if (!kind) throw new Error(`stiction: internal error: no elastic object of kind ${number} was ever made`);
  return kind;
}

/** The equations of a kind among those of one world, made when they are first asked for. */
export function systemOfKind(systems: (ObjectSystem | undefined)[], number: number): ObjectSystem {
  systems[number] ??= elasticKind(number).createSystem();
  return systems[number];
}
