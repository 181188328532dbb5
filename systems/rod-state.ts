// What the ECS side keeps of rods beside the one memory: who has which row, what waits to be made or removed, and the
// packed arrays that renderers read.

import type { MeshDefinition } from '../src/dynamics/elastic/mesh-rows';
import type { RodDefinition } from '../src/dynamics/elastic/rows';
import type { Engine } from '../src/dynamics/engine';
import { createMeshViews, type MeshViews } from './mesh-families';
import type { CheckedPin, ShellMesh, ShellView } from './shell-state';

/**
 * All strands of the world, packed for rendering. Rows of one entity are a range:
 * firstStrand, firstNode … of its component.
 */
export interface StrandColumns {
  /** Four numbers a node: x y z between the last two steps at `interpolate`'s alpha [m], radius [m]. */
  readonly positions: Float32Array;
  readonly nodeCount: number;
  readonly strandCount: number;
  /** First node of each strand. */
  readonly first: Int32Array;
  /** Nodes of each strand. */
  readonly counts: Int32Array;
  /** Grows whenever strands come, go or move in these arrays: time to build meshes anew. */
  readonly version: number;
}

/** A rod that waits for the next copy-in. */
export interface PendingRod {
  readonly definition: RodDefinition;
  /** Entities of the bodies that the clamps shall follow, 0 the world. */
  readonly attachStart: number;
  readonly attachEnd: number;
}

/** A shell or solid that waits for the next copy-in. */
export interface PendingShell {
  readonly definition: MeshDefinition;
  /** Makes its rows; returns its slot among the rods. */
  readonly create: (engine: Engine) => number;
  readonly mesh: ShellMesh;
  readonly pins: readonly CheckedPin[];
}

/** What is asked for strands that are elsewhere (rod/strands). */
export interface StrandSource {
  /** Positions are read: they shall come back. */
  want(): void;
  /** Whether they do. */
  readonly isRead: boolean;
}

export interface RodState {
  /** Null while strands live in the tables only. */
  source: StrandSource | null;
  /** Slot among the rods of each entity with a Rod, Groom, Shell or Solid, −1 none. */
  slotOf: Int32Array;
  /** Attachment slot of each entity, −1 none. */
  attachmentOf: Int32Array;
  /** By entity, in the order of the calls. */
  readonly pending: Map<number, PendingRod>;
  readonly pendingShells: Map<number, PendingShell>;
  /** Nodes of those. */
  pendingNodes: number;
  /** Rods whose entity is gone or has lost its component. */
  readonly removed: { readonly slot: number; readonly entity: number }[];
  /** Entities that lost a broken joint, and are to lose the tag. */
  readonly unbroken: number[];
  /** What the Sleeping tags of rods were last written for: strands asleep, rings made so far; or all or none. */
  shown: { asleep: number; rings: number; isDeviceAsleep: boolean };
  /** By entity of a shell or solid: the mesh that it was made from. */
  readonly meshes: Map<number, ShellMesh>;
  /** What is drawn of each family of them. */
  readonly views: Readonly<Record<keyof MeshViews, { -readonly [K in keyof ShellView]: ShellView[K] }>>;
  readonly strands: { -readonly [K in keyof StrandColumns]: StrandColumns[K] };
  /** The same as users see them. */
  readonly view: StrandColumns;
}

export function createRodState(): RodState {
  const state: RodState = {
    source: null,
    slotOf: new Int32Array(0),
    attachmentOf: new Int32Array(0),
    pending: new Map(),
    pendingShells: new Map(),
    meshes: new Map(),
    views: createMeshViews(),
    pendingNodes: 0,
    removed: [],
    unbroken: [],
    shown: { asleep: 0, rings: 0, isDeviceAsleep: false },
    strands: {
      positions: new Float32Array(0),
      nodeCount: 0,
      strandCount: 0,
      first: new Int32Array(0),
      counts: new Int32Array(0),
      version: 0,
    },
    // A reader of positions wants them to come back from where they are.
    view: {
      get positions() {
        state.source?.want();
        return state.strands.positions;
      },
      get nodeCount() {
        return state.strands.nodeCount;
      },
      get strandCount() {
        return state.strands.strandCount;
      },
      get first() {
        return state.strands.first;
      },
      get counts() {
        return state.strands.counts;
      },
      get version() {
        return state.strands.version;
      },
    },
  };

  return state;
}

/** Whether rods wait to be made or removed. */
export function hasPendingRods({ pending, pendingShells, removed, unbroken }: RodState): boolean {
  return pending.size + pendingShells.size > 0 || removed.length + unbroken.length > 0;
}
