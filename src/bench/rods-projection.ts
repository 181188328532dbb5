// Table 3 of Daviet 2020 again, on moments of our own hairy ball: what sleeping contacts save, and what a local solver
// costs that does not know W_cc to be a multiple of the identity. And δ∞ after 25 iterations of 5 sweeps.

import type { Engine } from '../dynamics/engine';
import {
  type AdmmProblem,
  addContact,
  CONTACT_COULOMB,
  CONTACT_MU,
  createAdmmProblem,
  resizeAdmmProblem,
} from '../solvers/admm/problem';
import { contactVelocity, prepareContacts, sweepContacts } from '../solvers/admm/project';
import { solveBracketed } from '../solvers/local/bracketed';
import { chooseLocal } from '../solvers/local/choose-local';
import { createLocalCounts } from '../solvers/local/hybrid';
import type { LocalSolver } from '../solvers/local/local-solver';
import * as L from '../state/layout';
import { DUAL_WEIGHT } from '../state/node-places';
import { median } from './rods-speed';
import { type BackendName, type BenchState, changeElastic, createHairyBall, keepState, takeState } from './rods-worlds';

/** Moments of the shaken ball [steps]. */
const FRAMES = [90, 150, 210, 270, 330];
/** 0.01 mm [m]. */
const TOLERANCE = 1e-5;
const ITERATIONS = 25;
const SWEEPS = 5;
/** Iterations at most where a tolerance is to be reached. */
const LIMIT = 400;

export interface SleepingRow {
  backend: BackendName;
  sleeping: boolean;
  /** After 25 iterations: δ∞ [mm], time of the solve and of its projections [ms] (0: no clock inside). */
  delta: number;
  deltaRange: [number, number];
  solve: number;
  projection: number;
  /** To 0.01 mm: iterations, frames that reached it, times [ms]. */
  iterations: number;
  reached: number;
  frames: number;
  solveTo: number;
  projectionTo: number;
}

export interface SleepingResult {
  strands: number;
  vertices: number;
  contacts: number[];
  rows: SleepingRow[];
  /** Projection time without sleeping over that with it, after 25 iterations and to the tolerance, of the kernels. */
  gain: number;
  gainTo: number;
}

/** Frames of one shaken ball, brought there by the kernels. */
function collectFrames(strands: number, vertices: number, count: number): { states: BenchState[]; contacts: number[] } {
  const world = createHairyBall(strands, vertices, 'wasm');
  world.physics.hash(); // makes the rows
  const states: BenchState[] = [];
  const contacts: number[] = [];
  for (let step = 0; states.length < count; step++) {
    if (FRAMES[states.length] === step) {
      states.push(keepState(world));
      contacts.push(world.physics.report.strands.contacts);
    }
    world.advance();
  }
  return { states, contacts };
}

export function benchSleeping(
  strands: number,
  vertices: number,
  frames: number,
  rounds: number,
  backends: readonly BackendName[],
): SleepingResult {
  const { states, contacts } = collectFrames(strands, vertices, Math.min(frames, FRAMES.length));
  const rows: SleepingRow[] = [];
  let gain = 0;
  let gainTo = 0;

  for (const backend of backends) {
    const world = createHairyBall(strands, vertices, backend);
    world.physics.hash();
    const { report, profile } = world.physics;

    const run = (state: BenchState, sleeping: boolean, iterations: number, tolerance: number): Run => {
      takeState(world, state);
      changeElastic(world, { sleeping, iterations, tolerance, sweeps: SWEEPS });
      world.kernelTimes.clear();
      world.advance();
      return {
        solve: profile.milliseconds('solve-contacts'),
        projection: world.kernelTimes.get('admmProject') ?? 0,
        delta: report.strands.delta,
        iterations: report.strands.iterations,
      };
    };

    // With and without in turn, so that the machine's moods meet both.
    const fixed: Run[][] = [[], []];
    const to: Run[][] = [[], []];

    for (const state of states) {
      for (let round = 0; round < rounds; round++) {
        for (const k of [0, 1]) fixed[k].push(run(state, k === 0, ITERATIONS, 1e-30));
        for (const k of [0, 1]) to[k].push(run(state, k === 0, LIMIT, TOLERANCE));
      }
    }

    for (const k of [0, 1]) {
      const deltas = fixed[k].map(({ delta }) => 1000 * delta);
      rows.push({
        backend,
        sleeping: k === 0,
        delta: median(deltas),
        deltaRange: [Math.min(...deltas), Math.max(...deltas)],
        solve: median(fixed[k].map(({ solve }) => solve)),
        projection: median(fixed[k].map(({ projection }) => projection)),
        iterations: median(to[k].map(({ iterations }) => iterations)),
        reached: to[k].filter(({ delta }, i) => i % rounds === 0 && delta <= TOLERANCE).length,
        frames: states.length,
        solveTo: median(to[k].map(({ solve }) => solve)),
        projectionTo: median(to[k].map(({ projection }) => projection)),
      });
    }

    if (backend !== 'wasm') continue;
    gain = median(fixed[0].map(({ projection }, i) => fixed[1][i].projection / projection));
    gainTo = median(to[0].map(({ projection }, i) => to[1][i].projection / projection));
  }

  return { strands, vertices, contacts, rows, gain, gainTo };
}

/** One solve. */
interface Run {
  solve: number;
  projection: number;
  delta: number;
  iterations: number;
}

export interface LocalCostRow {
  local: string;
  /** A sweep over all contacts [ms]. */
  sweep: number;
  /** Over the closed form of isotropic contacts. */
  ratio: number;
  /** Largest difference of p to the closed form's, over the largest |p| [-]. */
  difference: number;
}

/**
 * One projection, contacts of a frame and all sweeps of a step: the closed form against
 * general local solvers, f64 TypeScript.
 */
export function benchLocalCost(
  strands: number,
  vertices: number,
  rounds: number,
): { contacts: number; rows: LocalCostRow[] } {
  const world = createHairyBall(strands, vertices, 'reference');
  world.physics.hash();
  takeState(world, collectFrames(strands, vertices, 3).states[2]);
  world.advance();
  const { problem, start } = gatherProjection(world.engine);
  const sweeps = ITERATIONS * SWEEPS;
  const awake = { sleepBelow: 0, sleepSweeps: 0, isPyramid: false, local: solveBracketed };
  const counts = createLocalCounts();

  const solvers: [string, LocalSolver | null][] = [
    ['closed form', null],
    ['newton+enumerative', chooseLocal('hybrid', counts)],
    ['newton', chooseLocal('newton', counts)],
    ['bracketed', solveBracketed],
  ];
  const answers: Float64Array[] = [];
  const times = solvers.map((): number[] => []);

  for (let round = 0; round < rounds; round++) {
    solvers.forEach(([, local], k) => {
      const p = start.slice();
      problem.contacts.force.forEach((_, i, force) => {
        if ((i & 3) !== 3) force[i] = 0;
      });
      const from = performance.now();
      if (local === null) sweepContacts(problem, p, { ...awake, sweeps });
      else sweepGeneral(problem, p, sweeps, local);
      times[k].push((performance.now() - from) / sweeps);
      answers[k] = p;
    });
  }

  const size = answers[0].reduce((most, x) => Math.max(most, Math.abs(x)), 0);

  return {
    contacts: problem.contacts.count,
    rows: solvers.map(([local], k) => ({
      local,
      sweep: median(times[k]),
      ratio: median(times[k].map((time, round) => time / times[0][round])),
      difference: answers[k].reduce((most, x, i) => Math.max(most, Math.abs(x - answers[0][i])), 0) / size,
    })),
  };
}

/** The projection of the last step, as the tables hold it: weights, contacts, and velocities less their impulses. */
function gatherProjection({ tables, arena, settings }: Engine): { problem: AdmmProblem; start: Float64Array } {
  const { nodes, nodeContacts: t } = tables;
  const problem = createAdmmProblem();
  const count = 4 * arena.i32[L.NODE_COUNT >> 2];
  resizeAdmmProblem(problem, count, 0);
  problem.timeStep = settings.timeStep;
  for (let i = 0; i < count; i += 4) {
    const w = nodes.dual[i + DUAL_WEIGHT];
    for (let k = i; k < i + 3; k++) {
      problem.weight[k] = w;
      problem.inverseWeight[k] = w > 0 ? 1 / w : 0;
    }
  }
  const { contacts } = problem;
  for (let row = 0; row < arena.i32[L.NODE_CONTACT_COUNT >> 2]; row++) {
    const c = addContact(contacts, CONTACT_COULOMB);
    const gap = Math.max(0, t.normal[4 * row + 3]) / settings.timeStep;
    for (let k = 0; k < 4; k++) {
      contacts.node[4 * c + k] = 4 * Math.max(0, t.node[4 * row + k]);
      contacts.coefficient[4 * c + k] = t.node[4 * row + k] < 0 ? 0 : t.weight[4 * row + k];
      contacts.force[4 * c + k] = t.force[4 * row + k];
      if (k === 3) continue;
      contacts.normal[4 * c + k] = t.normal[4 * row + k];
      contacts.offset[4 * c + k] = t.drift[4 * row + k] + gap * t.normal[4 * row + k];
    }
    contacts.normal[4 * c + CONTACT_MU] = t.material[4 * row];
  }
  const start = nodes.velocity.slice(0, count);
  prepareContacts(problem, 0);
  for (let c = 0; c < contacts.count; c++) {
    for (let k = 0; k < 4; k++) {
      for (let x = 0; x < 3; x++) {
        start[contacts.node[4 * c + k] + x] -= contacts.gamma[4 * c + k] * contacts.force[4 * c + x];
      }
    }
  }
  return { problem, start };
}

/**
 * The sweeps of Algorithm 3 for contacts whose W_cc is taken for any 3×3 matrix: it is kept, velocity and force go to
 * the contact's frame, the local solver finds the force.
 */
function sweepGeneral(problem: AdmmProblem, p: Float64Array, sweeps: number, local: LocalSolver): void {
  const { contacts } = problem;
  const { normal, force, gamma, node } = contacts;
  const blocks = new Float64Array(9 * contacts.count);
  const frames = new Float64Array(9 * contacts.count);
  for (let c = 0; c < contacts.count; c++) {
    for (let k = 0; k < 3; k++) blocks[9 * c + 4 * k] = force[4 * c + 3];
    writeFrame(frames, 9 * c, normal, 4 * c);
  }
  const u = new Float64Array(3);
  const b = new Float64Array(3);
  const r = new Float64Array(3);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let c = 0; c < contacts.count; c++) {
      const four = 4 * c;
      const s = force[four + 3];
      if (!(s > 0)) continue;
      contactVelocity(u, problem, p, c);
      const f = 9 * c;
      for (let i = 0; i < 3; i++) {
        const [x, y, z] = [frames[f + 3 * i], frames[f + 3 * i + 1], frames[f + 3 * i + 2]];
        r[i] = (x * force[four] + y * force[four + 1] + z * force[four + 2]) / s;
        b[i] = x * u[0] + y * u[1] + z * u[2];
      }
      for (let i = 0; i < 3; i++) {
        b[i] -= blocks[f + 3 * i] * r[0] + blocks[f + 3 * i + 1] * r[1] + blocks[f + 3 * i + 2] * r[2];
      }
      local(r, 0, blocks, f, b, 0, normal[four + CONTACT_MU]);
      for (let k = 0; k < 3; k++) {
        const next = s * (frames[f + k] * r[0] + frames[f + 3 + k] * r[1] + frames[f + 6 + k] * r[2]);
        const change = next - force[four + k];
        force[four + k] = next;
        for (let j = four; j < four + 4; j++) p[node[j] + k] += gamma[j] * change;
      }
    }
  }
}

/** Normal first, two tangents after it. */
function writeFrame(out: Float64Array, at: number, normal: Float64Array, from: number): void {
  const [x, y, z] = [normal[from], normal[from + 1], normal[from + 2]];
  const sign = z >= 0 ? 1 : -1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  out.set([x, y, z, 1 + sign * x * x * a, sign * b, -sign * x, b, sign + y * y * a, -y], at);
}
