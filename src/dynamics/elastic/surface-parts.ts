// What only worlds with surfaces (shells, and the boundaries of solids) do in a step. A game with rods alone imports
// none of it: the first addShell or addSolid registers it (surfaces.ts).

import type { StrandDetectionParts } from '../../collision/strands';
import type { SurfaceKernelExports } from '../../kernels/exports';
import { TRIANGLE_COUNT } from '../../state/layout';
import type { Engine } from '../engine';
import type { ReferenceSolve } from './backends/reference/reference';
import { hasMeshes } from './backends/wasm/mesh-systems';
import type { Wasm } from './backends/wasm/wasm';
import type { ElasticContacts } from './collect-contacts';

export interface SurfaceParts {
  /** The kernels on a memory. */
  readonly instantiate: (memory: WebAssembly.Memory) => SurfaceKernelExports;
  /** Keeps surfaces out of each other and of bodies (keep-surfaces-apart.ts). */
  readonly keepApart: (engine: Engine, holder: Int32Array, detection: StrandDetectionParts) => number;
  /** What is tangled is found before a step, its contacts are let be, and it is drawn apart (untangle.ts). */
  readonly findTangles: (engine: Engine) => number;
  readonly letThrough: (engine: Engine, first: number) => void;
  readonly drawThrough: (engine: Engine, holder: Int32Array) => void;
  /** What turned in the step keeps its length (keep-lengths.ts). */
  readonly keepLengths: (engine: Engine) => number;
  /** What a body hits gives it no energy (limit-stretch.ts). */
  readonly noteFreeBodies: (engine: Engine, e: ElasticContacts) => void;
  readonly limitStretch: (engine: Engine, e: ElasticContacts, holder: Int32Array) => number;
  /** What tetrahedra carry goes along with them, whatever moved either (mechanics/solid/riders.ts). */
  readonly carryRiders: (engine: Engine) => void;
  /** What was strained too far keeps a part of it (flow.ts). */
  readonly flowObjects: (engine: Engine) => void;
  /** Objects with a mesh on the wasm backend (backends/wasm/meshes.ts). */
  readonly predictMeshes: (w: Wasm, guess: number) => void;
  readonly weighMeshes: (w: Wasm, active: number) => void;
  /** The solve of worlds that ask for conjugate residuals (backends/reference/solve-residuals.ts). */
  readonly createResidualSolve: () => ReferenceSolve;
  readonly solveMeshes: (w: Wasm, isWeighted: boolean, right: number, out: number, active: number) => void;
}

let registered: SurfaceParts | null = null;

/** Makes the parts known; more than once is no harm. */
export function registerSurfaceParts(parts: SurfaceParts): void {
  registered = parts;
}

/** The parts if the world has any surface, else null. */
export function surfacePartsOf({ arena }: Engine): SurfaceParts | null {
  return arena.i32[TRIANGLE_COUNT >> 2] > 0 ? registered : null;
}

/**
 * The kernels of surfaces of a world that has any, instantiated when they are first asked for; else null, also where it
 * has had some: a peer that never had must go on with the same bits.
 */
export function surfaceKernelsOf(engine: Engine): SurfaceKernelExports | null {
  const parts = surfacePartsOf(engine);
  if (!parts) return null;
  engine.surfaceKernels ??= parts.instantiate(engine.arena.memory);
  return engine.surfaceKernels;
}

/**
 * x := A⁻¹ x or (A + W)⁻¹ x of the objects of any kind where the byte at `active` is not 0: rows
 * at `right`, answers at `out` [B].
 */
export function solveElastic(w: Wasm, isWeighted: boolean, right: number, out: number, active: number): void {
  w.kernels.rodSolve(w.at.work, isWeighted ? 1 : 0, right, out, active);
  if (hasMeshes(w.meshes)) surfacePartsOf(w.engine)?.solveMeshes(w, isWeighted, right, out, active);
}
