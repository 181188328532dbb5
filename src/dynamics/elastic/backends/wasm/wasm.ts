// What the wasm backend keeps of one world: the problem, work memories, and where the parts of the rods' block lie.

import { createKernelScratch, type KernelScratch } from '../../../../core/scratch';
import type { StrandKernelExports } from '../../../../kernels/exports';
import { createJointSystem, type JointSystem } from '../../../../solvers/admm/joint-system';
import { type AdmmOptions, defaultAdmmOptions } from '../../../../solvers/admm/options';
import { type AdmmProblem, createAdmmProblem } from '../../../../solvers/admm/problem';
import * as L from '../../../../state/layout';
import * as R from '../../../../state/rod-layout';
import type { Engine } from '../../../engine';
import type { Carried } from '../../carried';
import { strandKernelsOf } from '../../strand-kernels';
import { type AdmmWork, createAdmmWork } from './admm-work';
import { createMeshes, type Meshes } from './mesh-systems';

/** Places in the rods' block [B]. */
export interface Places {
  /** HOLD_BYTES a strand. */
  holds: number;
  /** A byte a strand: those that take part. */
  active: number;
  /** f32 a node: W, or BARE_WEIGHT. */
  weights: number;
  /** i32 a body slot: its number in the problem, −1 none. */
  bodies: number;
  /** i32 a node: the body that it does not touch, below 0 none. */
  excluded: number;
  /** f32×4 a node: change of velocity when contacts were last looked for. */
  lastLook: number;
  /** A byte a strand: those with new contacts. */
  touched: number;
  /** f64×4 a node: velocities that the step is linearised at. */
  guess: number;
  /** i32 a strand: the body that carries it, by its number among those that carry. */
  carried: number;
  /** STRAND_PROBE_BYTES a strand, where any is carried. */
  probes: number;
  /** CHANGE_BYTES a body that carries. */
  changes: number;
  /** The kernels' own. */
  work: number;
}

export interface Wasm {
  readonly engine: Engine;
  readonly kernels: StrandKernelExports;
  readonly problem: AdmmProblem;
  readonly options: AdmmOptions;
  readonly work: AdmmWork;
  readonly meshes: Meshes;
  readonly rodScratch: KernelScratch;
  readonly admmScratch: KernelScratch;
  readonly at: Places;
  /** Address of the velocities without contacts in this solve, f64×4 a node [B]. */
  free: number;
  /** Joints with A, and with A + W. */
  readonly freeJoints: JointSystem;
  readonly heldJoints: JointSystem;
  /** By unknown: velocities as joints and the residual take them. */
  v: Float64Array;
  base: Float64Array;
  /** By joint [N·s]. */
  impulse: Float64Array;
}

export function createWasm(engine: Engine): Wasm {
  const { arena } = engine;
  const none = new Float64Array(0);
  return {
    engine,
    kernels: strandKernelsOf(engine),
    problem: createAdmmProblem(),
    options: { ...defaultAdmmOptions },
    work: createAdmmWork(arena),
    meshes: createMeshes(engine),
    rodScratch: createKernelScratch(arena, { address: L.ROD_WORK_ADDRESS, size: L.ROD_WORK_SIZE }),
    admmScratch: createKernelScratch(arena, { address: L.ADMM_WORK_ADDRESS, size: L.ADMM_WORK_SIZE }),
    at: createPlaces(),
    free: 0,
    freeJoints: createJointSystem(false),
    heldJoints: createJointSystem(true),
    v: none,
    base: none,
    impulse: none,
  };
}

const round64 = (bytes: number) => 64 * Math.ceil(bytes / 64);

function createPlaces(): Places {
  return {
    holds: 0,
    active: 0,
    weights: 0,
    bodies: 0,
    excluded: 0,
    lastLook: 0,
    touched: 0,
    guess: 0,
    carried: 0,
    probes: 0,
    changes: 0,
    work: 0,
  };
}

/** Lays out the rods' block for the present strands, nodes and bodies. */
export function openRodBlock({ engine, kernels, rodScratch, at }: Wasm, carried: Carried): void {
  const { arena, tables, settings } = engine;
  const strands = arena.i32[L.STRAND_COUNT >> 2];
  const nodes = arena.i32[L.NODE_COUNT >> 2];
  const bodies = tables.bodies.capacity;
  const carriers = carried.bodies.length;
  // Where each part begins, behind the one before. Matrices are made once more for A + W, at the same guess.
  const guesses = settings.elastic.newtonIterations > 1 ? 32 * nodes : 0;
  const probed = carriers > 0 ? R.STRAND_PROBE_BYTES * strands : 0;
  const active = round64(R.HOLD_BYTES * strands);
  const weights = active + round64(strands);
  const numbers = weights + round64(4 * nodes);
  const excluded = numbers + round64(4 * bodies);
  const lastLook = excluded + round64(4 * nodes);
  const touched = lastLook + round64(16 * nodes);
  const guess = touched + round64(strands);
  const carriedBy = guess + round64(guesses);
  const probes = carriedBy + round64(4 * strands);
  const changes = probes + round64(probed);
  const work = changes + round64(R.CHANGE_BYTES * carriers);

  const address = rodScratch.address(work + round64(kernels.rodWorkSize()));
  at.holds = address;
  at.active = address + active;
  at.weights = address + weights;
  at.bodies = address + numbers;
  at.excluded = address + excluded;
  at.lastLook = address + lastLook;
  at.touched = address + touched;
  at.guess = address + guess;
  at.carried = address + carriedBy;
  at.probes = address + probes;
  at.changes = address + changes;
  at.work = address + work;
}

/** Makes room for vectors of so many unknowns and joints. */
export function resizeVectors(w: Wasm, unknowns: number, joints: number): void {
  if (w.v.length < unknowns) {
    w.v = new Float64Array(2 * unknowns);
    w.base = new Float64Array(2 * unknowns);
  }
  if (w.impulse.length < joints) w.impulse = new Float64Array(2 * joints);
}
