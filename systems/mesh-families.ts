// The families of elastic objects with a mesh, as games see them: what a further one is to snapshots, columns and
// observers is an entry here.

import { KIND_SHELL, KIND_SOLID } from '../src/state/layout';
import type { MaterialNumber } from '../src/state/material-number';
import { SHELL_NUMBER_NAMES, SHELL_NUMBERS } from '../src/state/shell-material';
import { SOLID_NUMBER_NAMES, SOLID_NUMBERS, SOLID_PLACE_COUNT, SOLID_PLACES } from '../src/state/solid-material';

/** Names of their components. */
export const MESH_NAMES = ['Shell', 'Solid'] as const;
export type MeshName = (typeof MESH_NAMES)[number];

/** What a family's component has for a material. */
interface MeshFamily {
  /** KIND_* of its rows. */
  readonly kind: number;
  /** Columns of the component that are numbers of the material. */
  readonly columns: readonly string[];
  /** The same in the order of ROD_PARAMETER (8), ROD_EXTRA (4), ROD_WEAVE; empty: a number that it has not. */
  readonly names: readonly string[];
  readonly numbers: Readonly<Record<string, MaterialNumber>>;
  /** The first number in the rows over that in the column. */
  readonly share: number;
}

export const MESH_FAMILIES: Readonly<Record<MeshName, MeshFamily>> = {
  Shell: {
    kind: KIND_SHELL,
    columns: SHELL_NUMBER_NAMES,
    names: SHELL_NUMBER_NAMES,
    numbers: SHELL_NUMBERS,
    share: 0.5,
  },
  Solid: {
    kind: KIND_SOLID,
    columns: SOLID_NUMBER_NAMES,
    names: Array.from(
      { length: SOLID_PLACE_COUNT },
      (_, k) => SOLID_NUMBER_NAMES.find((name) => SOLID_PLACES[name] === k) ?? '',
    ),
    numbers: SOLID_NUMBERS,
    share: 1,
  },
};

/** The family whose rows are of a kind, or null: a strand's. */
export const familyOfKind = (kind: number): MeshName | null =>
  MESH_NAMES.find((name) => MESH_FAMILIES[name].kind === kind) ?? null;

export const isMeshName = (name: string): name is MeshName => name in MESH_FAMILIES;
