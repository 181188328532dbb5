// Joints of strands with bodies and the world on the device (kernels/joint/joint.wgsl): attachments, and clamps that light bodies feel.
//
//   rows → columns of A → S → (ask → solve → pull → add)²     velocities without contacts obey the joints
//   mute                                                      after each search
//   columns of A + W → S;  ask → solve → pull → add           in the contact solve (solve/solver.ts): the start,
//   (ask → solve → pull → spread)ⁿ                            and each iteration
// Impulses of attachments come back to the tables one to three steps late; what bodies feel goes with what contacts do to them.
// A world without joints pays nothing.

import type { Arena } from '../../core/arena';
import { rotateVector } from '../../math/quaternion';
import * as L from '../../state/layout';
import type { Tables } from '../../state/tables';
import { STATE_USAGE, USAGE } from '../device/buffers';
import type { GpuContext } from '../device/device';
import {
  type Bindings,
  type ComputePass,
  compileKernels,
  createBindGroups,
  dispatch,
  dispatchGroups,
  type Kernel,
} from '../device/pipelines';
import { createReadBack } from '../device/read-back';
import type { GpuContacts } from '../find/contacts';
import type { GpuStrands } from '../rod/strands';
import { MOST_PUSHABLE, type SolverBuffers } from '../tables/solver-buffers';
import { BLOCK_BYTES } from '../tables/strand-buffers';
import { touchesBodies } from './coupling';
import { JOINT_KERNELS } from './joint-kernels';
import { createJointPlanner } from './joint-plan';

export interface JointInputs {
  /** [s] */
  readonly timeStep: number;
  /** Share of what a rope is too long that is taken back in a step [-], and the fastest that it is [m/s]. */
  readonly recoveryRate: number;
  readonly recoverySpeed: number;
  /** δ∞ to reach [m]. */
  readonly tolerance: number;
}

type Solver = SolverBuffers['all'];

export interface GpuJoints {
  /** Joints in the step that was begun. */
  readonly count: number;
  /** Slots of the bodies that have joints and move freely. */
  readonly bodies: ReadonlySet<number>;
  /** Looks what joints the tables have; before the strands are uploaded. Returns whether they are others: then clamps are to be uploaded. */
  plan(arena: Arena, tables: Tables): boolean;
  /** After every upload of the strands or change of the plan. */
  upload(tables: Tables): void;
  /** Writes what is told in a step: when movers and strands are written. */
  begin(tables: Tables, inputs: JointInputs): void;
  /** Twists that clamps prescribe, and the joints' rows: between the targets of the clamps and the inertia. */
  encodeRows(pass: ComputePass): void;
  /** Velocities without contacts in `predicted`, and the movers' own, obey the joints. `bodies`: of the solver, whatever they hold. */
  encodeFree(pass: ComputePass, solver: Solver): void;
  /** Contacts of held nodes with what holds them lose their force. After each search. */
  encodeMute(pass: ComputePass): void;
  /** When A + W is factored and bodies are open. */
  encodeHeld(pass: ComputePass, solver: Solver): void;
  /** δ₀ in the reference obeys the joints. */
  encodeStart(pass: ComputePass, solver: Solver): void;
  /** After the elastic half of an iteration. */
  encodeIteration(pass: ComputePass, solver: Solver, isLast: boolean): void;
  /** Records the impulses' way back; `flush` after the submission. */
  encodeBack(encoder: GPUCommandEncoder, tables: Tables, step: number): void;
  flush(): void;
  settle(): Promise<void>;
  dispose(): void;
}

const NOTHING = 0xffffffff;
/** Bit of a body without equations: in joint.wgsl. */
const PRESCRIBED = 0x40000000;
/** Bit of a body that touches others, likewise. */
const TOUCHING = 0x20000000;
/** Sizes of Joint and Tie there [B]; place of the whole impulse in Tie [numbers]. */
const JOINT_BYTES = 80;
const TIE_BYTES = 144;
const PULL = 20;
const SOLVER_BYTES = 64;
const BLOCK_SIZE = 48;

/** Compiles the kernels and makes empty buffers. */
export async function createGpuJoints(
  context: GpuContext,
  strands: GpuStrands,
  contacts: GpuContacts,
): Promise<GpuJoints> {
  const { queue } = context.device;
  const kernels = await compileKernels(context, JOINT_KERNELS);
  const { buffers } = strands;
  const { pool, columns: strandColumns } = buffers;
  const make = (name: string, bytes: number) => pool.create(name, bytes, STATE_USAGE);
  const own = {
    ...{ joints: make('joints', JOINT_BYTES), ties: make('ties', TIE_BYTES), holders: make('holders of nodes', 4) },
    times: pool.create('joint times', 256, USAGE.uniform | USAGE.copyTarget),
  };
  // Of A, of A + W.
  const columns = [make('columns of joints', 16), make('weighted columns of joints', 16)];
  const systems = [make('equations of joints', 16), make('weighted equations of joints', 16)];
  const planner = createJointPlanner();
  const groups = createBindGroups(context);
  const times = new Float32Array(8);
  let version = 0;
  let count = 0;
  let packed = new Uint32Array(0);
  let written = new Uint32Array(0);
  const landing = new Map<number, { tables: Tables; version: number }>();
  const ring = createReadBack(context, 'joints', (bytes, step) => {
    const to = landing.get(step);
    landing.delete(step);
    if (to?.version === version) unpack(new Float32Array(bytes), to.tables);
  });

  const unpack = (numbers: Float32Array, { attachments }: Tables): void => {
    planner.plan.joints.forEach(({ attachment }, j) => {
      if (attachment < 0) return;
      for (let k = 0; k < 3; k++) attachments.impulse[4 * attachment + k] = numbers[(TIE_BYTES / 4) * j + PULL + k];
    });
  };

  /** Bindings of a kernel that differ from dispatch to dispatch are `more`; `index` tells them apart. */
  const groupOf = (kernel: Kernel, index: number, more: () => Record<string, GPUBufferBinding>): GPUBindGroup => {
    groups.forget(pool.generation + buffers.version);
    return groups.get(kernel, index, () => {
      const all: Record<string, GPUBufferBinding> = {};
      for (const [name, { buffer }] of Object.entries({ ...strandColumns, ...own })) all[name] = { buffer };
      all.movers = { buffer: contacts.buffers.movers.buffer };
      all.responses = { buffer: contacts.buffers.responses.buffer };
      return { ...all, ...more() } as Bindings;
    });
  };

  /** Bindings of the contact solver; `weighted` 0 for A, 1 for A + W. */
  const withSolver = (solver: Solver, weighted: number, more: Record<string, GPUBufferBinding> = {}) => {
    const all: Record<string, GPUBufferBinding> = {};
    for (const [name, { buffer }] of Object.entries(solver)) all[name] = { buffer };
    all.solver = { buffer: solver.settings.buffer, size: SOLVER_BYTES };
    all.columns = { buffer: columns[weighted].buffer };
    all.system = { buffer: systems[weighted].buffer };
    return { ...all, ...more };
  };

  const encodeColumns = (pass: ComputePass, weighted: number): void => {
    const { columns: all, blocks } = buffers;
    blocks.forEach((block, k) => {
      const group = groupOf(kernels.jointColumns, 2 * k + weighted, () => ({
        block: { buffer: all.blocks.buffer, offset: BLOCK_BYTES * 2 * k, size: BLOCK_SIZE },
        factors: { buffer: block.factors[weighted].buffer },
        columns: { buffer: columns[weighted].buffer },
      }));
      dispatch(pass, kernels.jointColumns, 'main', group, 3 * count);
    });
  };

  /** One workgroup a joint; of what works by group or strand the first joint's goes on. */
  const each = (pass: ComputePass, kernel: Kernel, entry: string, index: number, more: () => Bindings): void => {
    dispatchGroups(pass, kernel, entry, groupOf(kernel, index, more), count);
  };

  const add = (pass: ComputePass, solver: Solver, target: GPUBuffer, index: number): void => {
    each(pass, kernels.jointAdd, 'main', index, () => withSolver(solver, 0, { velocities: { buffer: target } }));
  };

  return {
    get count() {
      return count;
    },
    get bodies() {
      return planner.plan.bodies;
    },
    plan(arena, tables) {
      if (!planner.update(arena, tables)) return false;
      version++;
      buffers.jointClamps = planner.plan.clamps;
      return true;
    },
    upload(tables) {
      const { joints, starts } = planner.plan;
      count = joints.length;
      if (count === 0) return;
      const holders = new Uint32Array(buffers.nodeCount).fill(NOTHING);
      let columnRows = 0;
      joints.forEach(({ strand, node, body }, j) => {
        const isFirst = j === 0 || joints[j - 1].strand !== strand;
        columnRows += (isFirst ? 4 : 3) * tables.strands.nodes[strand];
        if (body >= 0) holders[node] = body;
      });
      let numbers = 0;
      for (let g = 0; g + 1 < starts.length; g++) numbers += systemSize(starts[g + 1] - starts[g]);
      pool.ensure(own.joints, JOINT_BYTES * count);
      pool.ensure(own.ties, TIE_BYTES * count);
      pool.ensure(own.holders, holders.byteLength);
      for (const buffer of columns) pool.ensure(buffer, 16 * columnRows);
      for (const buffer of systems) pool.ensure(buffer, 4 * numbers);
      queue.writeBuffer(own.holders.buffer, 0, holders);
      packed = new Uint32Array(own.joints.bytes / 4);
      written = new Uint32Array(0);
    },
    begin(tables, { timeStep, recoveryRate, recoverySpeed, tolerance }) {
      if (count === 0) return;
      times.set([timeStep, recoveryRate / timeStep, recoverySpeed, tolerance / timeStep]);
      new Uint32Array(times.buffer)[4] = count;
      queue.writeBuffer(own.times.buffer, 0, times);
      packJoints(packed, planner.plan, tables, buffers, contacts.buffers.moverOf);
      if (packed.every((word, k) => word === written[k])) return;
      written = packed.slice();
      queue.writeBuffer(own.joints.buffer, 0, packed);
    },
    encodeRows(pass) {
      if (count === 0) return;
      dispatch(
        pass,
        kernels.jointRows,
        'main',
        groupOf(kernels.jointRows, 0, () => ({})),
        count,
      );
    },
    encodeFree(pass, solver) {
      if (count === 0) return;
      encodeColumns(pass, 0);
      each(pass, kernels.jointSystem, 'free', 0, () => withSolver(solver, 0));
      const group = groupOf(kernels.jointFree, 0, () => ({}));
      for (let round = 0; round < 2; round++) {
        dispatch(pass, kernels.jointFree, 'ask', group, count);
        each(pass, kernels.jointSolve, 'main', 0, () => withSolver(solver, 0));
        dispatch(pass, kernels.jointFree, 'pull', group, count);
        add(pass, solver, strandColumns.predicted.buffer, 0);
      }
    },
    encodeMute(pass) {
      if (count === 0 || contacts.colliders.count === 0) return;
      const { counters, lists, current, rooms } = contacts.buffers;
      const group = groupOf(kernels.jointMute, current, () => ({
        counters: { buffer: counters.buffer },
        colliders: { buffer: contacts.colliders.colliders.buffer },
        contacts: { buffer: lists[current].buffer },
      }));
      dispatch(pass, kernels.jointMute, 'main', group, rooms.contacts);
    },
    encodeHeld(pass, solver) {
      if (count === 0) return;
      encodeColumns(pass, 1);
      each(pass, kernels.jointSystem, 'held', 1, () => withSolver(solver, 1));
    },
    encodeStart(pass, solver) {
      if (count === 0) return;
      const { free, reference } = solver;
      const on = { base: { buffer: free.buffer }, change: { buffer: reference.buffer } };
      const group = groupOf(kernels.jointMeet, 0, () => withSolver(solver, 0, on));
      dispatch(pass, kernels.jointMeet, 'askStart', group, count);
      each(pass, kernels.jointSolve, 'main', 0, () => withSolver(solver, 0));
      dispatch(pass, kernels.jointMeet, 'pullStart', group, count);
      add(pass, solver, reference.buffer, 1);
    },
    encodeIteration(pass, solver, isLast) {
      if (count === 0) return;
      const { reference, delta } = solver;
      const on = { base: { buffer: reference.buffer }, change: { buffer: delta.buffer } };
      const group = groupOf(kernels.jointMeet, 1, () => withSolver(solver, 1, on));
      dispatch(pass, kernels.jointMeet, 'askMain', group, count);
      each(pass, kernels.jointSolve, 'main', 1, () => withSolver(solver, 1));
      dispatch(pass, kernels.jointMeet, isLast ? 'pullLast' : 'pullMain', group, count);
      const kernel = isLast ? kernels.jointLast : kernels.jointSpread;
      each(pass, kernel, 'main', 0, () => withSolver(solver, 1));
    },
    encodeBack(encoder, tables, step) {
      if (!planner.plan.joints.some(({ attachment }) => attachment >= 0)) return;
      const part = { buffer: own.ties.buffer, offset: 0, size: TIE_BYTES * count };
      if (ring.copy(encoder, [part], step)) landing.set(step, { tables, version });
    },
    flush: () => ring.flush(),
    settle: () => ring.settle(),
    dispose() {
      ring.dispose();
      for (const buffer of [...Object.values(own), ...columns, ...systems]) pool.release(buffer);
    },
  };
}

/** Numbers of `system` for a group: see system.wgsl. */
function systemSize(joints: number): number {
  const n = 3 * joints;
  return n * n + 2 * n;
}

const arm = new Float64Array(3);

/** Rows of Joint; what is left of `out` is zeros. */
function packJoints(
  out: Uint32Array,
  { joints, starts }: ReturnType<typeof createJointPlanner>['plan'],
  tables: Tables,
  { slots, cell }: GpuStrands['buffers'],
  moverOf: Int32Array,
): void {
  const reals = new Float32Array(out.buffer);
  const { strands, bodies, attachments } = tables;
  const firstOn = new Map<number, number>();
  let columns = 0;
  let system = 0;
  let own = 0;
  for (let g = 0; g + 1 < starts.length; g++) {
    const size = starts[g + 1] - starts[g];
    firstOn.clear();
    for (let j = starts[g]; j < starts[g + 1]; j++) {
      const { strand, node, body, points, at, length, end } = joints[j];
      const count = strands.nodes[strand];
      if (j === starts[g] || joints[j - 1].strand !== strand) own = j;
      let ownCount = 1;
      while (own + ownCount < starts[g + 1] && joints[own + ownCount].strand === strand) ownCount++;
      if (body >= 0 && !firstOn.has(body)) firstOn.set(body, j);
      const column = points === 'attachments' ? attachments.point : strands.clamp;
      const mover = body < 0 ? -1 : moverOf[body];
      // A body that has gone bad stands where it is.
      if (body >= 0 && mover < 0) rotateVector(arm, 0, bodies.rotation, 4 * body, column, at);
      for (let k = 0; k < 3; k++) {
        const inWorld = body < 0 ? column[at + k] : bodies.position[4 * body + k] + arm[k];
        reals[(JOINT_BYTES / 4) * j + k] = mover < 0 ? inWorld - cell[k] : column[at + k];
      }
      const isMovable = mover >= 0 && mover < MOST_PUSHABLE && (bodies.flags[body] & L.BODY_DYNAMIC) !== 0;
      reals[(JOINT_BYTES / 4) * j + 3] = length;
      const slot = slots[strand];
      let on = mover < 0 ? NOTHING : mover;
      if (mover >= 0 && !isMovable) on |= PRESCRIBED;
      else if (mover >= 0 && touchesBodies(tables, body)) on |= TOUCHING;
      const words = [node, on, slot, strands.first[strand]];
      words.push(count, columns, starts[g], size, system, own, ownCount, firstOn.get(body) ?? j);
      words.push(end >= 0 ? 4 * slot + 2 * end : NOTHING);
      out.set(words, (JOINT_BYTES / 4) * j + 4);
      columns += (own === j ? 4 : 3) * count;
    }
    system += systemSize(size);
  }
}
