// Contacts of strands on the device, solved: ADMM between the elastic equations and Coulomb's law
// (Daviet 2020, Algorithms 2 and 3).
//
// In: velocities without contacts in `predicted` (first look) and a list of contacts; out: velocities with contacts in
// `predicted`, forces and colours in the list, a report, impulses on bodies. Twin of src/solvers/admm
// and kernels/assembly/elastic/admm*:
//
//   open → mark → weigh, factor A + W → colour → sort → rows      what the list of contacts asks for
//   spread → solve with A → share forces of the last list, as far as they do no harm (sweeps → elastic)ⁿ →
//   finish → limit → store iterations
//
// Contacts of a colour share no node; what finds no colour is solved side by side. Each large colour is a dispatch, all
// small ones are one (admm-sweep.wgsl), so the numbers of dispatches and workgroups follow the colours as an earlier
// report had them; the answer does not depend on them.

import { CORRECTION_OF_EDGE, STRAND_RECOVERY } from '../../core/elastic-constants';
import { planRound, type Round } from '../../solvers/elastic/plan';
import { MOVER_INVERSE_MASS, MOVER_WORDS } from '../../state/device-places';
import { COLOURS, REPORT_WORDS, SHARE_GROUPS, WIDE_ROUNDS } from '../constants';
import { ALIGNMENT, createBufferWriter, type GpuBuffer } from '../device/buffers';
import type { GpuContext } from '../device/device';
import {
  type Bindings,
  type ComputePass,
  compileKernels,
  createBindGroups,
  dispatchGroups,
  type Kernel,
} from '../device/pipelines';
import type { GpuStrands } from '../rod/strands';
import type { ContactBuffers } from '../tables/contact-buffers';
import {
  createSolverBuffers,
  ensureSolver,
  MOST_PUSHABLE,
  SETTINGS_BYTES,
  type SolverBuffers,
  sortShares,
} from '../tables/solver-buffers';
import { bindBlock } from '../tables/strand-buffers';
import { SOLVER_KERNELS } from './solver-kernels';
import { createColourPlan, type SolverReport, unpackReport } from './solver-report';

/** What the solver is told; see `elastic` and the recovery in the settings of a world. */
export interface SolverInputs {
  /** [s] */
  readonly timeStep: number;
  /** Share of a penetration that is taken back in a step [-]. */
  readonly recoveryRate: number;
  /** Fastest recovery [m/s]. */
  readonly recoverySpeed: number;
  readonly cohesion: boolean;
  /** Contacts that hardly change are left out for the rest of a projection. */
  readonly sleeping: boolean;
  /**
   * Change of a contact's velocity below which it sleeps, as a share of what its strands lack (δ∞ of theirs) [-].
   */
  readonly sleepShare: number;
  /** δ∞ to reach [m]; the least that lets contacts sleep, and says when weights are balanced. */
  readonly tolerance: number;
  /** The answer is put right by the projection, across the strands. */
  readonly geometricCorrection: boolean;
}

export interface SolveOptions {
  /** ADMM iterations; 1 at least. */
  readonly iterations: number;
  /** Gauss–Seidel sweeps of each; 1 at least. */
  readonly sweeps: number;
  /** Number of the look, from 0 on. */
  readonly look: number;
}

export interface GpuSolver {
  /** What `receive` reads, u32. */
  readonly report: GpuBuffer;
  /** All that it works on. */
  readonly buffers: SolverBuffers['all'];
  /**
   * Two vec4f a row of `movers`: impulse of the contacts [N·s], moment about the centre of mass
   * [N·m·s]; only for those that they push.
   */
  readonly bodyImpulses: GpuBuffer;
  /**
   * vec4f a node: velocities of strands with contacts as the elastic equations have them,
   * before the projection puts them right.
   */
  readonly reference: GpuBuffer;
  /** Dispatches of the last look recorded. */
  readonly dispatches: number;
  /**
   * Makes room and writes the settings of a step: when contacts have their room and bodies
   * are written. Throws GpuLimitError.
   */
  begin(inputs: SolverInputs): void;
  /**
   * Contacts found → velocities in `predicted`. The first look of a step wants the velocities without contacts
   * there, and A factored (encodePredict).
   */
  encodeSolve(pass: ComputePass, options: SolveOptions): void;
  /** In place of all solves of a step, where nothing may touch. Outside a pass. */
  encodeNone(encoder: GPUCommandEncoder): void;
  /** Takes in a report of an earlier step, for the sizes of the coming dispatches; returns what it says. */
  receive(words: Uint32Array, timeStep: number): SolverReport;
  /** Workgroups of each dispatch of a walk; null: as the reports suggest. For tests: it does not change the answer. */
  ownWalk: readonly number[] | null;
}

/** The round that is being recorded. */
const round: Round = { ahead: false, solve: false, look: false, sweeps: 0 };
/** Place in the settings of what `finish` is told [B]. */
const FINISH_AT = ALIGNMENT;

/** Compiles the kernels and makes empty buffers. Rejects where a kernel does not compile. */
export async function createGpuSolver(
  context: GpuContext,
  strands: GpuStrands,
  contacts: ContactBuffers,
): Promise<GpuSolver> {
  const kernels = await compileKernels(context, SOLVER_KERNELS);
  const buffers = createSolverBuffers(strands.buffers.pool);
  const { all } = buffers;
  const plan = createColourPlan();
  const writeSettings = createSettings(context, all.settings);
  /** What there is room for. */
  const sizes: Sizes = { capacity: 0, nodes: 0, movers: 0, pushable: 0 };

  const recorder = createRecorder(context, kernels, { strands, contacts, all }, sizes);

  const solver: GpuSolver = {
    report: all.report,
    buffers: all,
    bodyImpulses: all.impulses,
    reference: all.reference,
    get dispatches() {
      return recorder.dispatches;
    },
    ownWalk: null,
    begin(inputs) {
      const { nodeCount } = strands.buffers;
      const room = contacts.rooms.contacts;
      if (room !== sizes.capacity || contacts.moverCount !== sizes.movers || nodeCount !== sizes.nodes) {
        ensureSolver(buffers, strands.buffers, contacts);
        Object.assign(sizes, { capacity: room, movers: contacts.moverCount, nodes: nodeCount });
      }
      sizes.pushable = countPushable(contacts);
      writeSettings(inputs, sizes);
    },
    encodeSolve(pass, options) {
      const { nodes, capacity } = sizes;
      if (strands.buffers.nodeCount === 0) return;
      recorder.begin();
      recorder.over(pass, kernels.admmOpen, options.look === 0 ? 'first' : 'again', Math.max(nodes, REPORT_WORDS));
      recorder.over(pass, kernels.contactMark, 'main', capacity);
      strands.encodeWeigh(pass);
      recorder.dispatches += strands.buffers.blocks.length;
      encodeRows(recorder, pass);
      const turns = solver.ownWalk ?? plan.walk(capacity, true);
      encodeStart(recorder, pass, turns);
      encodeRounds(recorder, pass, options, turns, solver.ownWalk ?? plan.walk(capacity, false));
      recorder.perBlock(pass, kernels.admmFinish, 'main', true);
      recorder.perBlock(pass, kernels.admmLimit, 'main', false);
      recorder.over(pass, kernels.contactStore, 'main', Math.max(capacity, COLOURS));
    },
    encodeNone: (encoder) => encoder.clearBuffer(all.report.buffer),
    receive(words, timeStep) {
      const report = unpackReport(words, timeStep);
      plan.learn(report, strands.buffers.nodeCount);
      return report;
    },
  };
  return solver;
}

/** What the buffers have room for: contacts, nodes, bodies; and the last body that contacts push, counted from 1. */
interface Sizes {
  capacity: number;
  nodes: number;
  movers: number;
  pushable: number;
}

/** What records dispatches of a look. */
interface Recorder {
  readonly kernels: Readonly<Record<keyof typeof SOLVER_KERNELS, Kernel>>;
  readonly sizes: Readonly<Sizes>;
  /** Recorded since `begin`. */
  dispatches: number;
  begin(): void;
  /** So many workgroups. */
  run(pass: ComputePass, kernel: Kernel, entry: string, count: number): void;
  /** One thread for each of so many. */
  over(pass: ComputePass, kernel: Kernel, entry: string, threads: number): void;
  /**
   * All contacts once: large colours each, then all others. Which one is next is counted on the device, so that all of
   * them, and all sweeps of an iteration, are one bind group, and nothing changes between their dispatches.
   */
  walk(pass: ComputePass, entry: 'sweep' | 'last' | 'spread', turns: readonly number[]): void;
  /** One thread a strand, or a node of it, block by block. */
  perBlock(pass: ComputePass, kernel: Kernel, entry: string, perNode: boolean): void;
}

function createRecorder(
  context: GpuContext,
  kernels: Recorder['kernels'],
  { strands, contacts, all }: { strands: GpuStrands; contacts: ContactBuffers; all: SolverBuffers['all'] },
  sizes: Sizes,
): Recorder {
  const groups = createBindGroups(context);
  const bindingsOfBlock = (kernel: Kernel, block: number): Bindings => {
    const { factors, reduced } = strands.buffers.blocks[block];
    const isTrial = kernel === kernels.admmTrial;
    return { factors: factors[isTrial ? 0 : 1], reduced, block: bindBlock(strands.buffers, block, 1) };
  };

  /** Bind group of a kernel, for a block of strands where it works on these. */
  const groupOf = (kernel: Kernel, block = -1): GPUBindGroup =>
    groups.get(kernel, 2 * (block + 1) + contacts.current, () => {
      const list = kernel === kernels.sortByColour ? all.order : all.list;
      const { counters, movers, lists, current } = contacts;
      const solver = { buffer: all.settings.buffer, size: 64 };
      const finish = { buffer: all.settings.buffer, offset: FINISH_AT, size: 16 };
      const own = { contacts: lists[current], counters, movers, solver, finish, list };
      return { ...strands.buffers.columns, ...all, ...own, ...(block < 0 ? {} : bindingsOfBlock(kernel, block)) };
    });

  const send = (pass: ComputePass, kernel: Kernel, entry: string, group: GPUBindGroup, count: number): void => {
    if (count === 0) return;
    dispatchGroups(pass, kernel, entry, group, count);
    recorder.dispatches++;
  };

  const recorder: Recorder = {
    kernels,
    sizes,
    dispatches: 0,
    begin() {
      groups.forget(strands.buffers.pool.generation + contacts.pool.generation + strands.buffers.version);
      recorder.dispatches = 0;
    },
    run: (pass, kernel, entry, count) => send(pass, kernel, entry, groupOf(kernel), count),
    over: (pass, kernel, entry, threads) =>
      recorder.run(pass, kernel, entry, Math.ceil(threads / kernel.kernel.threads)),
    walk(pass, entry, turns) {
      const kernel = sizes.pushable > 0 ? kernels.admmSweep : kernels.admmSweepAlone;
      pass.setPipeline(kernel.pipelines[entry]);
      pass.setBindGroup(kernel.group, groupOf(kernel));
      for (const count of turns) pass.dispatchWorkgroups(count);
      recorder.dispatches += turns.length;
    },
    perBlock(pass, kernel, entry, perNode) {
      strands.buffers.blocks.forEach((block, k) => {
        const threads = block.strands * (perNode ? block.nodes : 1);
        send(pass, kernel, entry, groupOf(kernel, k), Math.ceil(threads / kernel.kernel.threads));
      });
    },
  };
  return recorder;
}

/** Colours, their order, and the rows. */
function encodeRows({ kernels, sizes, run, over }: Recorder, pass: ComputePass): void {
  const { capacity, movers, pushable } = sizes;
  const share = Math.ceil(capacity / kernels.colourRounds.kernel.threads);
  for (let phase = 0; phase < 2 * (WIDE_ROUNDS + 1); phase++) {
    run(pass, kernels.colourRounds, 'wide', share + phase);
  }
  run(pass, kernels.colourRounds, 'rest', 1);
  for (const sort of pushable > 0 ? [kernels.sortByColour, kernels.sortByBody] : [kernels.sortByColour]) {
    for (let phase = 0; phase < 3; phase++) run(pass, sort, 'main', sortShares(capacity).groups + phase);
  }
  over(pass, kernels.admmBodies, 'open', movers);
  over(pass, kernels.contactRows, 'main', capacity);
  over(pass, kernels.admmCrowd, 'main', capacity);
}

/** Forces of the last list: the velocities they give, and the share of them that is kept. */
function encodeStart(recorder: Recorder, pass: ComputePass, turns: readonly number[]): void {
  const { kernels, sizes, run, over } = recorder;
  recorder.walk(pass, 'spread', turns);
  run(pass, kernels.admmBodies, 'start', sizes.pushable);
  recorder.perBlock(pass, kernels.admmTrial, 'main', false);
  run(pass, kernels.admmShare, 'measure', SHARE_GROUPS);
  over(pass, kernels.admmShare, 'scale', sizes.capacity);
  over(pass, kernels.admmBodies, 'scale', sizes.pushable);
  over(pass, kernels.admmStart, 'main', sizes.nodes);
}

/**
 * The rounds of the plan that all backends follow; λ and the next round's solve are one kernel. `lastTurns`: of the
 * last sweep of a round, which leaves the nodes of the crowd to the elastic half.
 */
function encodeRounds(
  { kernels, sizes, run, walk, perBlock }: Recorder,
  pass: ComputePass,
  { iterations, sweeps }: SolveOptions,
  turns: readonly number[],
  lastTurns: readonly number[],
): void {
  // Looks are detections of their own (world/record-step.ts).
  const settings = { sweeps, acceleration: false, newCollisionsEvery: 0 };
  for (let number = 1; number <= iterations; number++) {
    planRound(round, number, settings, true);
    if (round.solve) perBlock(pass, kernels.admmElastic, 'main', false);
    for (let sweep = 1; sweep <= round.sweeps; sweep++) {
      const isLast = sweep === round.sweeps;
      walk(pass, isLast ? 'last' : 'sweep', isLast ? lastTurns : turns);
      run(pass, kernels.admmBodies, isLast ? 'last' : 'sweep', sizes.pushable);
    }
  }
  perBlock(pass, kernels.admmElastic, 'last', false);
}

/** One more than the last of the rows of `movers` that has a mass. */
function countPushable({ moverCount, moverRows }: ContactBuffers): number {
  let pushable = Math.min(moverCount, MOST_PUSHABLE);
  while (pushable > 0 && !(moverRows[MOVER_WORDS * (pushable - 1) + MOVER_INVERSE_MASS] > 0)) pushable--;
  return pushable;
}

/** What writes Solver and Finish of the kernels. */
function createSettings(context: GpuContext, buffer: GpuBuffer): (inputs: SolverInputs, sizes: Sizes) => void {
  const settings = new Float32Array(SETTINGS_BYTES / 4);
  const whole = new Uint32Array(settings.buffer);
  const write = createBufferWriter(context);
  return (inputs, { capacity, nodes, movers, pushable }) => {
    const { timeStep, tolerance } = inputs;
    const sleepShare = inputs.sleeping ? inputs.sleepShare : 0;
    const correction = inputs.geometricCorrection ? CORRECTION_OF_EDGE / timeStep : 0;
    const numbers = [
      timeStep,
      inputs.recoveryRate / timeStep,
      Math.min(STRAND_RECOVERY, inputs.recoverySpeed),
      inputs.cohesion ? timeStep : 0,
      sleepShare,
      (sleepShare * tolerance) / timeStep,
      tolerance / timeStep,
    ];
    const { groups, rows } = sortShares(capacity);
    settings.set(numbers);
    whole.set([capacity, nodes, movers, pushable, groups, rows], numbers.length);
    settings.set([timeStep, correction], FINISH_AT / 4);
    write(buffer, settings, settings.length);
  };
}
