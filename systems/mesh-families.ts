// The families of elastic objects with a mesh, as games see them: what a further one is to calls, snapshots, columns
// and observers is an entry here.

import { KIND_SHELL, KIND_SOLID } from '../src/state/layout';
import type { MaterialNumber } from '../src/state/material-number';
import { SHELL_NUMBER_NAMES, SHELL_NUMBERS } from '../src/state/shell-material';
import {
  FIRM_POISSON_RATIO,
  SOLID_NUMBER_NAMES,
  SOLID_NUMBERS,
  SOLID_PLACE_COUNT,
  SOLID_PLACES,
} from '../src/state/solid-material';
import { createShellView, type ShellView } from './shell-state';

/** Names of their components. */
export const MESH_NAMES = ['Shell', 'Solid'] as const;
export type MeshName = (typeof MESH_NAMES)[number];

/** One of them, by the word that a call takes its entity under. */
export interface MeshEnd {
  /** Entity of the shell. */
  shell?: number;
  /** Entity of the solid. */
  solid?: number;
}
export type MeshWord = keyof MeshEnd;

/** What is drawn of each family. */
export interface MeshViews {
  /** All shells, packed for rendering; positions and normals are written by `interpolate`. */
  readonly shells: ShellView;
  /** All elastic solids, likewise. */
  readonly solids: ShellView;
}

/** What a family's component has for a material. */
interface MeshFamily {
  /** KIND_* of its rows. */
  readonly kind: number;
  readonly word: MeshWord;
  /** All of the family: in scene files, and as drawn. */
  readonly list: keyof MeshViews;
  /** Columns of the component that are numbers of the material. */
  readonly columns: readonly string[];
  /** The same in the order of ROD_PARAMETER (8), ROD_EXTRA (4), ROD_WEAVE; empty: a number that it has not. */
  readonly names: readonly string[];
  readonly numbers: Readonly<Record<string, MaterialNumber>>;
  /** The same of any model but the first (ROD_MODEL_SHIFT), where they differ. */
  readonly modelNumbers?: Readonly<Record<string, MaterialNumber>>;
  /** The first number in the rows over that in the column. */
  readonly share: number;
}

export const MESH_FAMILIES: Readonly<Record<MeshName, MeshFamily>> = {
  Shell: {
    kind: KIND_SHELL,
    word: 'shell',
    list: 'shells',
    columns: SHELL_NUMBER_NAMES,
    names: SHELL_NUMBER_NAMES,
    numbers: SHELL_NUMBERS,
    share: 0.5,
  },
  Solid: {
    kind: KIND_SOLID,
    word: 'solid',
    list: 'solids',
    columns: SOLID_NUMBER_NAMES,
    names: Array.from(
      { length: SOLID_PLACE_COUNT },
      (_, k) => SOLID_NUMBER_NAMES.find((name) => SOLID_PLACES[name] === k) ?? '',
    ),
    numbers: SOLID_NUMBERS,
    modelNumbers: { ...SOLID_NUMBERS, poissonRatio: FIRM_POISSON_RATIO },
    share: 1,
  },
};

/** Their words. */
export const MESH_WORDS: readonly MeshWord[] = MESH_NAMES.map((name) => MESH_FAMILIES[name].word);

/** The family whose rows are of a kind, or null: a strand's. */
export function familyOfKind(kind: number): MeshName | null {
  for (let k = 0; k < MESH_NAMES.length; k++) if (MESH_FAMILIES[MESH_NAMES[k]].kind === kind) return MESH_NAMES[k];
  return null;
}

export const createMeshViews = () => ({ shells: createShellView(), solids: createShellView() });

export const isMeshName = (name: string): name is MeshName => name in MESH_FAMILIES;
