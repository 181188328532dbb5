// One step's contact problem, taken out of a world that the WebAssembly backend steps, for the solver on the device.
//
// `capture` steps the world once and, when contacts are found and nothing is solved yet, sends strands,
// bodies and contacts to the device; the world then goes on to its own answer with the same contacts. `solve`
// may be called as often as wanted.

import { REPORT_WORDS } from '../../src/gpu/constants';
import type { GpuContext } from '../../src/gpu/device/device';
import { createGpuStrands, type GpuStrands } from '../../src/gpu/rod/strands';
import { createGpuSolver, type GpuSolver, type SolverInputs } from '../../src/gpu/solve/solver';
import type { SolverReport } from '../../src/gpu/solve/solver-report';
import { createContactBuffers, ensureContacts, writeMovers } from '../../src/gpu/tables/contact-buffers';
import { assembleStrand } from '../../src/mechanics/rod/assemble-strand';
import { frictionalError } from '../../src/solvers/residual';
import * as L from '../../src/state/layout';
import type { RodWorld } from '../validation/strand-worlds';
import { download } from './test-device';

/** Numbers of a row. */
export const ROW = 32;
/** Contacts there is room for at least. */
export const ROOM = 1024;
export const NOTHING = 0xffffffff;
export const NO_COLOUR = 0xff;

/** Contacts of the table as rows of contact.wgsl. */
export function packContacts(world: RodWorld, moverOf: Int32Array): Float32Array<ArrayBuffer> {
  const { arena } = world.physics.internal.engine;
  const { nodeContacts: t, strands, nodes, rods, bodies } = world.tables;
  const count = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  const rows = new Float32Array(ROW * count);
  const bits = new Uint32Array(rows.buffer);
  for (let c = 0; c < count; c++) {
    const four = 4 * c;
    const at = ROW * c;
    const body = t.side[four + 3];
    const s = t.force[four + 3];
    for (let k = 0; k < 4; k++) {
      bits[at + k] = t.node[four + k] < 0 ? NOTHING : t.node[four + k];
      rows[at + 4 + k] = t.node[four + k] < 0 ? 0 : t.weight[four + k];
      rows[at + 8 + k] = t.normal[four + k];
      rows[at + 12 + k] = k < 3 && s > 0 ? t.force[four + k] / s : 0;
      if (k < 3) rows[at + 16 + k] = t.arm[four + k];
      rows[at + 24 + k] = t.material[four + k];
    }
    const isDynamic = body >= 0 && (bodies.flags[body] & L.BODY_DYNAMIC) !== 0;
    bits[at + 19] = isDynamic ? moverOf[body] : NOTHING;
    // The table has how the surface is seen from A.
    for (let k = 0; k < 3; k++) rows[at + 20 + k] = -t.drift[four + k];
    rows[at + 27] = rods.parameter[8 * strands.rod[nodes.strand[t.node[four]]]];
    bits[at + 28] = t.key[four];
    bits[at + 29] = t.key[four + 1];
    bits[at + 30] = NO_COLOUR;
    bits[at + 31] = NOTHING;
  }
  return rows;
}

export interface Solved {
  /** vec4f a node [m/s]. */
  velocities: Float32Array;
  /** Contacts as the solver left them. */
  rows: Float32Array;
  /** The same as u32. */
  bits: Uint32Array;
  /** Eight numbers a mover. */
  impulses: Float32Array;
  report: SolverReport;
  dispatches: number;
}

export interface SolveWish extends Partial<SolverInputs> {
  iterations: number;
  sweeps: number;
  looks?: number;
  /** Go on with the shares of the weights that the last solve left; else as after an upload. */
  keepsShares?: boolean;
  /** Rows to start from; default: those found. At most as many as there is room for, or as many. */
  from?: Float32Array;
}

export interface Problem {
  readonly gpu: GpuStrands;
  readonly solver: GpuSolver;
  readonly count: number;
  readonly nodeCount: number;
  /** Contacts as they were found. */
  readonly rows: Float32Array<ArrayBuffer>;
  /** Velocities without contacts, and the answer of the WebAssembly backend, four numbers a node [m/s]. */
  readonly free: Float64Array;
  readonly answer: Float64Array;
  /** Impulses of its contacts, three numbers each [N·s]. */
  readonly forces: Float64Array;
  /** Mass of the nodes, two numbers each. */
  readonly mass: Float64Array;
  /** ½ vᵀ A v of all strands [J]: what contacts may not raise. */
  energy(v: ArrayLike<number>): number;
  /** Velocity and spin of a body before the step's contacts and after them. */
  body(slot: number): { before: Float64Array; after: Float64Array };
  solve(wish: SolveWish): Promise<Solved>;
  /** Contact weights of the nodes [kg]. */
  weights(): Promise<Float32Array>;
  /** Shares of the strands for the next solve, sixteenths of an octave over the least; in the order of the headers. */
  shares(): Promise<number[]>;
  dispose(): void;
}

export async function capture(context: GpuContext, world: RodWorld, room = ROOM): Promise<Problem> {
  const { device } = context;
  const { engine } = world.physics.internal;
  const { arena, tables, settings } = engine;
  const gpu = await createGpuStrands(context);
  const buffers = createContactBuffers(device, gpu.buffers.pool);
  const solver = await createGpuSolver(context, gpu, buffers);
  let rows = new Float32Array(0);
  let free: Float64Array = new Float64Array(0);
  let bodies: Float64Array = new Float64Array(0);
  const matrices: Float64Array[] = [];
  const bodyMotion = (): Float64Array => {
    const { linearVelocity: v, angularVelocity: w, capacity } = tables.bodies;
    return Float64Array.from({ length: 8 * capacity }, (_, k) => ((k & 4) === 0 ? v : w)[4 * (k >> 3) + (k & 3)]);
  };
  const takeOff = world.physics.schedule.before('solve-contacts', () => {
    gpu.upload(arena, tables);
    const { nodeCount, strandCount, cell } = gpu.buffers;
    const count = arena.i32[L.NODE_CONTACT_COUNT >> 2];
    ensureContacts(buffers, nodeCount, strandCount, { contacts: Math.max(count, room) });
    writeMovers(buffers, arena, tables, cell);
    rows = packContacts(world, buffers.moverOf);
    free = tables.nodes.predicted.slice(0, 4 * nodeCount);
    bodies = bodyMotion();
    const { timeStep, gravity } = settings;
    for (let strand = 0; strand < strandCount; strand++) {
      const size = 4 * tables.strands.nodes[strand];
      const A = new Float64Array(11 * size);
      assembleStrand(
        { A, a: 0, f: new Float64Array(size), b: 0 },
        tables,
        strand,
        { timeStep, gravity, wind: null },
        null,
      );
      matrices.push(A);
    }
  });
  world.physics.step();
  takeOff();
  const count = rows.length / ROW;
  const { nodeCount } = gpu.buffers;
  const forces = new Float64Array(3 * count);
  const { force } = tables.nodeContacts;
  for (let c = 0; c < count; c++) {
    for (let k = 0; k < 3; k++) forces[3 * c + k] = force[4 * c + 3] > 0 ? force[4 * c + k] / force[4 * c + 3] : 0;
  }

  const headers = gpu.buffers.columns.strands.buffer;
  const readHeaders = async () => new Uint32Array(await download(context, headers, 16 * gpu.buffers.strandCount));
  const uploaded = await readHeaders();

  const solve = async (wish: SolveWish): Promise<Solved> => {
    const { iterations, sweeps, looks = 1, keepsShares = false, from = rows, ...own } = wish;
    if (!keepsShares) device.queue.writeBuffer(headers, 0, uploaded);
    device.queue.writeBuffer(buffers.lists[buffers.current].buffer, 0, Float32Array.from(from));
    const given = from.length / ROW;
    device.queue.writeBuffer(buffers.counters.buffer, 0, new Uint32Array([given, given]));
    const { timeStep, gravity } = settings;
    gpu.begin({ timeStep, gravity });
    solver.begin({
      timeStep,
      recoveryRate: settings.recoveryRate,
      recoverySpeed: settings.recoverySpeed,
      cohesion: true,
      sleeping: false,
      sleepShare: 0.01,
      tolerance: settings.elastic.tolerance,
      geometricCorrection: false,
      ...own,
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    gpu.encodePredict(pass);
    for (let look = 0; look < looks; look++) solver.encodeSolve(pass, { iterations, sweeps, look });
    pass.end();
    device.queue.submit([encoder.finish()]);
    const bytes = await download(context, buffers.lists[buffers.current].buffer, Math.max(4, 4 * from.length));
    const words = new Uint32Array(await download(context, solver.report.buffer, 4 * REPORT_WORDS));
    return {
      velocities: new Float32Array(await download(context, gpu.buffers.columns.predicted.buffer, 16 * nodeCount)),
      rows: new Float32Array(bytes),
      bits: new Uint32Array(bytes),
      impulses: new Float32Array(
        await download(context, solver.bodyImpulses.buffer, 32 * Math.max(1, buffers.moverCount)),
      ),
      report: solver.receive(words, timeStep),
      dispatches: solver.dispatches,
    };
  };

  const motion = bodyMotion();
  const energy = (v: ArrayLike<number>): number => {
    let sum = 0;
    let first = 0;
    for (const A of matrices) {
      const size = A.length / 11;
      for (let i = 0; i < size; i++) {
        sum += 0.5 * A[11 * i] * v[first + i] ** 2;
        for (let k = 1; k <= Math.min(i, 10); k++) sum += A[11 * i + k] * v[first + i] * v[first + i - k];
      }
      first += size;
    }
    return sum;
  };
  return {
    energy,
    body: (slot) => ({ before: bodies.slice(8 * slot, 8 * slot + 8), after: motion.slice(8 * slot, 8 * slot + 8) }),
    ...{ gpu, solver, count, nodeCount, rows, free, forces, solve },
    answer: tables.nodes.velocity.slice(0, 4 * nodeCount),
    mass: tables.nodes.mass.slice(0, 2 * nodeCount),
    weights: async () => new Float32Array(await download(context, gpu.buffers.columns.weights.buffer, 4 * nodeCount)),
    shares: async () =>
      Array.from(await readHeaders(), (flags, k) => (k % 4 === 2 ? (flags >> 8) & 63 : -1)).filter((x) => x >= 0),
    dispose: () => gpu.dispose(),
  };
}

/** Colours of the rows. */
export function coloursOf({ bits }: Solved, count: number): number[] {
  return Array.from({ length: count }, (_, c) => bits[ROW * c + 30]);
}

/** Largest difference of x y z, over the largest that contacts change [-]. */
export function velocityError({ free, answer }: Problem, found: ArrayLike<number>): number {
  let error = 0;
  let change = 0;
  for (let i = 0; i < answer.length; i++) {
    if (i % 4 === 3) continue;
    error = Math.max(error, Math.abs(found[i] - answer[i]));
    change = Math.max(change, Math.abs(answer[i] - free[i]));
  }
  return error / change;
}

/**
 * Common residual of the rows at the velocities found [m/s]; bodies do not move.
 * `timeStep`, recovery: as for the world.
 */
export async function residualOf(world: RodWorld, problem: Problem, solved: Solved): Promise<number> {
  const { timeStep, recoveryRate, recoverySpeed } = world.physics.internal.engine.settings;
  const { rest } = world.tables.nodes;
  const weights = await problem.weights();
  let worst = 0;
  for (let c = 0; c < problem.count; c++) {
    const at = ROW * c;
    const { rows, bits } = solved;
    const n = rows.subarray(at + 8, at + 11);
    const gap = rows[at + 11];
    let s = rows[at + 26] / timeStep ** 2;
    let edge = rest[8 * bits[at]];
    if (bits[at + 2] !== NOTHING) edge = Math.min(edge, rest[8 * bits[at + 2]]);
    const most = Math.min(0.25, recoverySpeed, (0.1 * edge) / timeStep);
    const speed = gap > 0 ? gap / timeStep : Math.max((recoveryRate * gap) / timeStep, -most);
    const u = [0, 1, 2].map((k) => speed * n[k] - rows[at + 20 + k] + s * rows[at + 12 + k]);
    for (let j = 0; j < 4; j++) {
      const node = bits[at + j];
      if (node === NOTHING) continue;
      const b = rows[at + 4 + j];
      if (weights[node] > 0) s += (b * b) / weights[node];
      for (let k = 0; k < 3; k++) u[k] += b * solved.velocities[4 * node + k];
    }
    if (!(s > 0)) continue;
    const r = [0, 1, 2].map((k) => rows[at + 12 + k]);
    const dot = (a: ArrayLike<number>) => a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
    const [rn, un] = [dot(r), dot(u)];
    const t = r.map((x, k) => x - rn * n[k]);
    const slip = u.map((x, k) => x - un * n[k]);
    const friction = Math.hypot(...t);
    const along = friction > 0 ? t.reduce((sum, x, k) => sum + x * slip[k], 0) / friction : Math.hypot(...slip);
    const across = Math.sqrt(Math.max(0, Math.hypot(...slip) ** 2 - along * along));
    worst = Math.max(worst, frictionalError(s, rows[at + 24], [rn, friction, 0], 0, [un, along, across], 0));
  }
  return worst;
}
