// The step of strands and of the bodies they touch, stage by stage (systems/stages.ts calls these in the order below).
//
//   predictRods       A and f of every strand, velocity without contacts            → NODE_PREDICTED
//   findRodContacts   edges against edges and bodies along that velocity            → nodeContacts
//   wakeRods          what sleeps and is reached wakes, before islands are built
//   solveRods         islands with touched bodies become ISLAND_ELASTIC; ADMM       → NODE_VELOCITY, bodies, forces
//   integrateRods     positions, frames, NODE_PREVIOUS
//   restRods          what is at rest falls asleep (sleep.ts); what sleeps is passed over by all of these
//
// A world without strands returns at once from each. Nothing that a later step depends on is kept outside the tables.

import { findStrandContacts, type StrandDetectionParts } from '../../collision/strands';
import { NEAR } from '../../core/elastic-constants';
import { packScratch } from '../../core/scratch';
import { type AdmmReport, createAdmmReport } from '../../solvers/admm/solve';
import { chooseElasticSolver } from '../../solvers/choose-solver';
import { ANGULAR } from '../../state/contact-places';
import * as L from '../../state/layout';
import type { Engine } from '../engine';
import type { ElasticBackend } from './backends/elastic-backend';
import { createReferenceBackend } from './backends/reference/backend';
import { createWasmBackend } from './backends/wasm/backend';
import { type Carried, carryStrands, createCarried, findCarried, openCarried, settleCarried } from './carried';
import {
  collectContacts,
  createElasticContacts,
  type ElasticContacts,
  gatherElastic,
  meetsOthers,
  storeForces,
} from './collect-contacts';
import { collectJoints } from './collect-joints';
import { EXACT, mostIterations } from './effort';
import { findIslands } from './find-islands';
import { closeBudget, createIterationBudget, type IterationBudget, openBudget } from './iteration-budget';
import { type Apart, createApart, keepApart } from './keep-apart';
import { limitBodies } from './limit-bodies';
import {
  createFreeMotion,
  type FreeMotion,
  limitLook,
  limitSpeeds,
  noteFreeMotion,
  quarantineRunaways,
} from './limit-speeds';
import { leastRadius, STILL } from './near-contacts';
import { isAllAsleep, layToRest, rouse } from './sleep';
import { createStepNotes, type StepNotes } from './step-notes';
import { strandKernelsOf } from './strand-kernels';
import { type SurfaceParts, surfaceKernelsOf, surfacePartsOf } from './surface-parts';
import { tellDeep, tellDeepAgain } from './tell-deep';
import { wakeReached } from './wake-reached';

/** Work memories of a step; what grows in the middle of a step last. */
const WORK = [
  { address: L.ROD_WORK_ADDRESS, size: L.ROD_WORK_SIZE },
  { address: L.ADMM_WORK_ADDRESS, size: L.ADMM_WORK_SIZE },
  { address: L.MESH_WORK_ADDRESS, size: L.MESH_WORK_SIZE },
  { address: L.STRAND_NOTES_ADDRESS, size: L.STRAND_NOTES_SIZE },
  { address: L.STRAND_DETECTION_ADDRESS, size: L.STRAND_DETECTION_SIZE },
  { address: L.SURFACE_DETECTION_ADDRESS, size: L.SURFACE_DETECTION_SIZE },
  { address: L.KERNEL_SCRATCH_ADDRESS, size: L.KERNEL_SCRATCH_SIZE },
];

interface RodStep {
  readonly backend: ElasticBackend;
  readonly contacts: ElasticContacts;
  readonly report: AdmmReport;
  readonly budget: IterationBudget;
  readonly notes: StepNotes;
  readonly freeMotion: FreeMotion;
  readonly carried: Carried;
  readonly apart: Apart;
  /** What a detection of contacts works on. */
  readonly detection: StrandDetectionParts;
  /** Size of all work memories [B] and rows of the tables when they were last packed. */
  packed: number;
}

const steps = new WeakMap<Engine, RodStep>();

function rodStepOf(engine: Engine): RodStep {
  let step = steps.get(engine);
  if (!step) {
    const { arena, tables } = engine;
    step = {
      backend: createBackend(engine),
      contacts: createElasticContacts(),
      report: createAdmmReport(),
      budget: createIterationBudget(),
      notes: createStepNotes(engine),
      freeMotion: createFreeMotion(),
      carried: createCarried(),
      apart: createApart(),
      detection: {
        arena,
        tables,
        kernels: strandKernelsOf(engine),
        get surfaces() {
          return surfaceKernelsOf(engine);
        },
      },
      packed: 0,
    };
    steps.set(engine, step);
  }
  return step;
}

function createBackend(engine: Engine): ElasticBackend {
  const { backend, frictionCone, solver } = engine.settings.elastic;
  const isPlain = backend === 'reference' || frictionCone === 'pyramid';
  if (chooseElasticSolver(solver) === 'conjugate-residual') return createReferenceBackend(true);
  return isPlain ? createReferenceBackend() : createWasmBackend(engine);
}

/** Name of the backend that advances the strands of this world. */
export function elasticBackendName(engine: Engine): ElasticBackend['name'] {
  return rodStepOf(engine).backend.name;
}

/** At the start of a step no work memory is in use: if anything grew in the last one, all moves together. */
function packWork({ arena, tables }: Engine, step: RodStep): void {
  const { nodes, nodeContacts, control } = tables;
  let size = nodes.capacity + nodeContacts.capacity;
  for (const block of WORK) size += arena.i32[block.size >> 2];
  if (size === step.packed) return;
  step.packed = size;
  packScratch(arena, WORK, Object.values(control));
  arena.i32[L.STRAND_DETECTION_KEPT >> 2] = 0;
}

function strandCount(engine: Engine): number {
  return engine.arena.i32[L.STRAND_COUNT >> 2];
}

/** Velocities without contacts. */
export function predictRods(engine: Engine): void {
  const { strands } = engine.report;
  if (strandCount(engine) === 0) {
    if (strands.strands > 0) clearReport(engine);
    return;
  }
  const step = rodStepOf(engine);
  packWork(engine, step);
  rouse(engine, true);
  strands.tangled = surfacePartsOf(engine)?.findTangles(engine) ?? 0;
  openCarried(step.carried);
  if (!isAllAsleep(engine)) predict(engine, step);
}

function predict(engine: Engine, { backend, carried, notes }: RodStep): void {
  findCarried(engine, carried);
  backend.predict(engine, false, carried);
  if (carried.bodies.length > 0) {
    notes.open();
    carryStrands(engine, backend, carried, notes.free);
  }
  quarantineRunaways(engine);
}

function clearReport(engine: Engine): void {
  const { strands } = engine.report;
  strands.strands = strands.asleep = strands.nodes = strands.contacts = strands.bodies = 0;
  strands.iterations = strands.sweeps = strands.keptApart = strands.tangled = strands.moved = 0;
  strands.delta = strands.residual = 0;
  engine.arena.i32[L.NODE_CONTACT_COUNT >> 2] = engine.arena.i32[L.NODE_CONTACT_ASLEEP >> 2] = 0;
}

/** Contacts of strands; forces of the last step are carried over by feature. */
export function findRodContacts(engine: Engine): void {
  if (strandCount(engine) === 0) return;
  const { i32 } = engine.arena;
  if (!isAllAsleep(engine) || isApproached(engine)) detect(engine, i32[L.NODE_PREDICTED >> 2], false);
  else i32[L.NODE_CONTACT_ASLEEP >> 2] = i32[L.NODE_CONTACT_COUNT >> 2];
}

/** Whether a body that is awake is near a strand that sleeps. */
function isApproached(engine: Engine): boolean {
  return engine.arena.i32[L.AWAKE_COUNT >> 2] > 0 && strandKernelsOf(engine).rodNear() !== 0;
}

function detect(engine: Engine, velocities: number, append: boolean): void {
  const before = append ? engine.arena.i32[L.NODE_CONTACT_COUNT >> 2] : 0;
  findStrandContacts(rodStepOf(engine).detection, {
    timeStep: engine.settings.timeStep,
    velocities,
    near: NEAR,
    continuous: engine.settings.elastic.continuous,
    append,
    harmless: STILL,
  });
  surfacePartsOf(engine)?.letThrough(engine, before);
}

/**
 * Wakes what is reached in this step and sleeps: strands and bodies that awake ones touch, all that sleeps
 * with them. Strands that wake are predicted, and contacts looked for anew. Before islands are built;
 * returns whether any strand woke.
 */
export function wakeRods(engine: Engine): boolean {
  if (strandCount(engine) === 0) return false;
  const { arena, tables, kernels } = engine;
  const before = arena.i32[L.WAKE_COUNT >> 2];
  wakeReached(engine);
  const isRoused = rouse(engine, false);
  for (let k = before; k < arena.i32[L.WAKE_COUNT >> 2]; k++) kernels.predictBody(tables.bodies.wakeList[k]);
  if (!isRoused) return false;
  predict(engine, rodStepOf(engine));
  detect(engine, arena.i32[L.NODE_PREDICTED >> 2], false);
  return true;
}

/**
 * Solves at most in a step: bodies that are reached in the middle of one (they fell as fast as the sheet under them
 * until this was stopped) take part in the next.
 */
const MOST_SOLVES = 3;

/** Solves strands and the islands they touch; the rigid solvers skip those islands. Before solveContacts. */
export function solveRods(engine: Engine): void {
  if (strandCount(engine) === 0) return;
  const { strands: all } = engine.report;
  all.iterations = all.sweeps = all.keptApart = 0;

  if (isAllAsleep(engine)) {
    all.bodies = all.delta = all.residual = 0;
    tellDeepAgain(engine);
    return;
  }
  const step = rodStepOf(engine);
  if (engine.settings.elastic.solver === 'conjugate-residual' && !surfacePartsOf(engine)) tellPlainSolver(engine);
  const { contacts: e, report, notes, freeMotion, carried, apart, detection } = step;
  const { arena, tables, settings } = engine;
  engine.walkers?.begin();
  solveTouched(engine, step);
  for (let k = 1; k < MOST_SOLVES && meetsOthers(engine, e); k++) {
    predict(engine, step);
    solveTouched(engine, step);
  }
  if (engine.walkers?.settle(e)) {
    predict(engine, step);
    solveTouched(engine, step);
  }
  const { isFree } = e;
  const isLimited = !isFree && settings.elastic.profile !== 'paper';
  const limited = isLimited ? limitSpeeds(engine, notes, freeMotion) : 0;
  if (isLimited) limitBodies(engine, e, notes.free);
  const surfaces = surfacePartsOf(engine);
  if (isLimited) surfaces?.noteFreeBodies(engine, e);
  moveBodies(engine, e);
  settleCarried(engine, carried);
  let shortened = !isLimited ? 0 : (surfaces?.limitStretch(engine, e, e.holder) ?? 0);
  const pulled = surfacePartsOf(engine)?.keepLengths(engine) ?? 0;
  if (all.tangled > 0) surfacePartsOf(engine)?.drawThrough(engine, e.holder);

  // What a solve answers this well leaves no strand where it could get through another.
  const { tolerance } = settings.elastic;
  const isExact = report.status === 'converged' && tolerance <= EXACT * leastRadius(engine) && limited === 0;
  if (settings.elastic.keepApart && !isFree && !isExact) all.keptApart = keepApart(engine, apart, e.holder, detection);
  const isKept = settings.elastic.keepApart && (!isFree || pulled > 0 || all.tangled > 0);
  if (isKept) all.keptApart += surfaces?.keepApart(engine, e.holder, detection) ?? 0;
  if (isLimited && surfaces) shortened += shorten(engine, e, surfaces, isKept ? detection : null);
  surfaces?.carryRiders(engine);
  const { velocity, predicted, force } = tables.nodes;
  const count = 4 * arena.i32[L.NODE_COUNT >> 2];
  velocity.set(predicted.subarray(0, count));
  force.fill(0, 0, count);
  all.strands = strandCount(engine);
  all.nodes = arena.i32[L.NODE_COUNT >> 2];
  all.contacts = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  all.bodies = e.bodyCount;
  all.delta = report.delta;
  if (shortened > 0) tellShortened(engine);
  tellDeep(engine);
  for (let island = 0; island < arena.i32[L.ISLAND_COUNT >> 2]; island++) {
    if (tables.bodies.islandSolver[island] === L.ISLAND_ELASTIC) tables.bodies.islandResidual[island] = all.residual;
  }
}

/** How often sheets that were kept apart are slowed again for what they gain by it. */
const MOST_SHORTENED = 8;

/**
 * Sheets that were kept apart give no energy, either; those that were slowed for it are kept apart once more. That has
 * the last word: what gains energy loses it in the next step, what went through a thin body stays there.
 */
function shorten(
  engine: Engine,
  e: ElasticContacts,
  surfaces: SurfaceParts,
  detection: StrandDetectionParts | null,
): number {
  const found = surfaces.limitStretch(engine, e, e.holder);
  if (!detection) return found;
  let slowed = found;
  for (let k = 0; k < MOST_SHORTENED && slowed > 0; k++) {
    const kept = surfaces.keepApart(engine, e.holder, detection);
    engine.report.strands.keptApart += kept;
    slowed = kept > 0 && k + 1 < MOST_SHORTENED ? surfaces.limitStretch(engine, e, e.holder) : 0;
  }
  return found;
}

/** A body that was slowed for what it stretches. */
function tellShortened({ report }: Engine): void {
  report.limits.push(
    'a sheet that a body hits would have been stretched by more than the body can give: both got only part of their ' +
      'motion; a smaller timeStep helps',
  );
}

/** A solver that was asked for, and is none of strands alone. */
function tellPlainSolver({ report }: Engine): void {
  report.limits.push("elastic.solver 'conjugate-residual' is for worlds with cloth or solids: strands took ADMM");
}

/** One solve of what touches by the contacts that are known, from velocities without contacts; looks for more. */
function solveTouched(engine: Engine, step: RodStep): void {
  const { backend, contacts: e, report, budget, notes, freeMotion, carried } = step;
  const { strands: all } = engine.report;
  notes.open();
  gatherElastic(engine, e, notes);
  const { isFree } = e;
  const { contacts } = backend.problem;
  const findNew = (velocities: number) => {
    limitLook(engine, freeMotion, velocities);
    const before = engine.arena.i32[L.NODE_CONTACT_COUNT >> 2];
    detect(engine, velocities, true);
    engine.walkers?.take(before, e.bodyIndex);
  };
  const { newtonIterations, budget: allowed } = engine.settings.elastic;
  const most = mostIterations(engine);
  const fitting = allowed === null ? most : openBudget(budget, allowed / newtonIterations, most);
  const before = all.iterations;
  for (let k = 0; k < newtonIterations; k++) {
    if (k > 0) {
      storeForces(engine, e, contacts);
      backend.predict(engine, true, carried);
    }
    if (!isFree) noteFreeMotion(engine, notes, freeMotion, e);
    collectContacts(engine, e, backend.problem, backend.gathersStrands);
    collectJoints(engine, e);
    findIslands(engine, e, fitting);
    backend.solve(engine, e, notes.free, isFree ? null : findNew, report);
    all.iterations += report.iterations;
    all.sweeps += report.sweeps;
  }
  if (allowed !== null && !isFree) closeBudget(budget, all.iterations - before);
  storeForces(engine, e, contacts);
}

/** The bodies' velocities, and the motion of their poses, changed by what the solve did to them. */
function moveBodies(engine: Engine, e: ElasticContacts): void {
  const { linearVelocity, angularVelocity, motion } = engine.tables.bodies;
  for (let i = 0; i < e.bodyCount; i++) {
    const body = e.bodies[i];
    for (let k = 0; k < 3; k++) {
      const push = e.bodyVelocity[8 * i + k] - linearVelocity[4 * body + k];
      const turn = e.bodyVelocity[8 * i + ANGULAR + k] - angularVelocity[4 * body + k];
      linearVelocity[4 * body + k] += push;
      angularVelocity[4 * body + k] += turn;
      motion[8 * body + k] += push;
      motion[8 * body + ANGULAR + k] += turn;
    }
  }
}

/** Moves the nodes and their frames. */
export function integrateRods(engine: Engine): void {
  if (strandCount(engine) === 0 || isAllAsleep(engine)) return;
  rodStepOf(engine).backend.integrate(engine);
  surfacePartsOf(engine)?.flowObjects(engine);
}

/** Lets strands at rest, and the bodies they touch or hold, fall asleep. Before bodies do by themselves. */
export function restRods(engine: Engine): void {
  if (strandCount(engine) === 0) return;
  layToRest(engine);
  engine.report.strands.asleep = engine.arena.i32[L.STRAND_ASLEEP_COUNT >> 2];
}
