// The bundle of 61 parallel hairs in 2964 given contacts: how long does the solver take from
// nothing to a natural map of 1e-4?
//
// Hexagonal lattice of spacing twice the radius, a contact at each free vertex between neighbours, random velocities
// and an inward one that grows with the distance from the axis; gravity along the hairs. Contacts are given, not found.
// The error is computed here, in double precision, from the forces alone: A v = f + Bᵀ r, u
// = B v, nat = ‖r − P(r − (u
// + mu‖u_T‖ n))‖ / max(1, ‖u without r‖), P the projection on the friction cone.
//   With impulses of a hair in N·s that
// sees hardly anything but velocities, so the same with s_c r in place of r [m/s] has to reach 1e-4, too.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import { addGroom } from '../../systems/grooms';
import { strandKernelsOf } from '../dynamics/elastic/strand-kernels';
import type { StrandKernelExports } from '../kernels/exports';
import { factorBanded, solveBanded } from '../math/banded-ldl';
import { assembleStrand, STRAND_HALF_BANDWIDTH } from '../mechanics/rod/assemble-strand';
import * as L from '../state/layout';
import { median } from './rods-speed';
import { type BackendName, type BenchWorld, changeElastic, keepState, takeState, timeKernels } from './rods-worlds';
import { createChance } from './solvers-problems';

const RINGS = 4;
const SPACING = 80e-6; // [m]
const LENGTH = 0.1; // [m]
const VERTICES = 21;
const FRICTION = 0.3;
const TIME_STEP = 1e-3; // [s]
const RANDOM_SPEED = 0.05; // [m/s]
const INWARD = 2000; // [1/s]
const TARGET = 1e-4;
const WIDTH = STRAND_HALF_BANDWIDTH + 1;

/** Places of the hairs across the bundle, two numbers each [m], and pairs of neighbours. */
function lattice(): { places: [number, number][]; pairs: [number, number][] } {
  const places: [number, number][] = [];
  for (let i = -RINGS; i <= RINGS; i++) {
    for (let j = -RINGS; j <= RINGS; j++) {
      if (Math.abs(i + j) <= RINGS) places.push([SPACING * (i + 0.5 * j), SPACING * Math.sqrt(0.75) * j]);
    }
  }
  const pairs: [number, number][] = [];
  for (let a = 0; a < places.length; a++) {
    for (let b = a + 1; b < places.length; b++) {
      const square = (places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2;
      if (square < (1.1 * SPACING) ** 2) pairs.push([a, b]);
    }
  }
  return { places, pairs };
}

/** The bundle, with its contacts put into the table in place of a detection. */
export function createBundle(backend: BackendName): BenchWorld & { contacts: number } {
  const physics = createPhysics(createWorld(), {
    sleeping: false,
    userTiming: false,
    timeStep: TIME_STEP,
    elastic: { backend, newContactsEvery: 0, tolerance: 1e-30, geometricCorrection: true },
  });
  const { engine } = physics.internal;
  const { arena, tables } = engine;
  const kernelTimes = timeKernels(engine);
  const { places, pairs } = lattice();
  const positions = new Float64Array(3 * places.length * VERTICES);

  places.forEach(([x, z], s) => {
    for (let i = 0; i < VERTICES; i++) {
      positions.set([x, (-LENGTH * i) / (VERTICES - 1), z], 3 * (s * VERTICES + i));
    }
  });

  addGroom(physics, {
    strands: { counts: new Int32Array(places.length).fill(VERTICES), positions },
    radius: SPACING / 2,
    density: 1300,
    youngModulus: 3.5e9,
    damping: 0,
    friction: FRICTION,
    clampStart: true,
  });

  physics.hash(); // makes the rows
  const chance = createChance(61);
  const { nodes } = tables;

  places.forEach(([x, z], s) => {
    for (let i = 2; i < VERTICES; i++) {
      const at = 4 * (s * VERTICES + i);
      for (let k = 0; k < 3; k++) {
        const inward = [-INWARD * x, 0, -INWARD * z][k];
        nodes.velocity[at + k] = RANDOM_SPEED * (2 * chance() - 1) + inward;
      }
    }
  });

  const contacts = pairs.length * (VERTICES - 2);
  tables.control.nodeContacts.ensure(contacts);

  const give = () => {
    const t = tables.nodeContacts;
    let c = 0;
    for (const [a, b] of pairs) {
      const normal = [(places[a][0] - places[b][0]) / SPACING, 0, (places[a][1] - places[b][1]) / SPACING, 0];
      for (let i = 2; i < VERTICES; i++) {
        const [na, nb] = [a * VERTICES + i, b * VERTICES + i];
        t.node.set([na - 1, na, nb - 1, nb], 4 * c);
        t.weight.set([0, 1, 0, -1], 4 * c);
        t.normal.set(normal, 4 * c);
        t.force.fill(0, 4 * c, 4 * c + 4);
        t.side.set([a, b, -1, -1], 4 * c);
        t.key.set([c, 0, L.PRIMITIVE_EDGE, L.PRIMITIVE_EDGE], 4 * c);
        t.arm.fill(0, 4 * c, 4 * c + 4);
        t.material.set([FRICTION, 0, 0, 0], 4 * c);
        t.drift.fill(0, 4 * c, 4 * c + 4);
        c++;
      }
    }
    arena.i32[L.NODE_CONTACT_COUNT >> 2] = c;
    arena.i32[L.MISSING_NODE_CONTACTS >> 2] = 0;
  };

  (strandKernelsOf(engine) as Pick<StrandKernelExports, 'findStrandContacts'>).findStrandContacts = give;
  return { physics, engine, kernelTimes, contacts, advance: () => physics.step() };
}

/** The elastic side before the step: factors of A, and what the velocities would be without contacts. */
export interface FreeBundle {
  factor: Float64Array;
  free: Float64Array;
}

export function freeBundle({ physics, engine }: BenchWorld): FreeBundle {
  const { tables, arena, settings } = engine;
  const { strands } = tables;
  const nodes = arena.i32[L.NODE_COUNT >> 2];
  const factor = new Float64Array(4 * WIDTH * nodes);
  const free = new Float64Array(4 * nodes);
  const step = { timeStep: physics.settings.timeStep, gravity: settings.gravity, wind: new Float64Array(3) };
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    const first = strands.first[s];
    const from = 4 * WIDTH * first;
    assembleStrand({ A: factor, a: from, f: free, b: 4 * first }, tables, s, step, null);
    factorBanded(factor, from, 4 * strands.nodes[s], STRAND_HALF_BANDWIDTH);
    solveBanded(factor, from, 4 * strands.nodes[s], STRAND_HALF_BANDWIDTH, free, 4 * first);
  }
  return { factor, free };
}

/** The natural map of the forces that the last step left, and the same of s_c r. */
export function naturalMap({ engine }: BenchWorld, { factor, free }: FreeBundle): { nat: number; scaled: number } {
  const { tables, arena } = engine;
  const { strands, nodeContacts: t } = tables;
  const count = arena.i32[L.NODE_CONTACT_COUNT >> 2];
  const v = new Float64Array(free.length);

  for (let c = 0; c < count; c++) {
    const scale = t.force[4 * c + 3];
    if (!(scale > 0)) continue;
    for (let k = 0; k < 4; k++) {
      for (let x = 0; x < 3; x++) {
        v[4 * t.node[4 * c + k] + x] += (t.weight[4 * c + k] * t.force[4 * c + x]) / scale;
      }
    }
  }

  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    const first = strands.first[s];
    // Clamped unknowns do not move.
    for (let i = 4 * first; i < 4 * first + 8; i++) v[i] = 0;
    solveBanded(factor, 4 * WIDTH * first, 4 * strands.nodes[s], STRAND_HALF_BANDWIDTH, v, 4 * first);
  }
  let error = 0;
  let scaledError = 0;
  let size = 0;

  for (let c = 0; c < count; c++) {
    const n = [0, 1, 2].map((x) => t.normal[4 * c + x]);
    const u0 = [0, 0, 0];
    const u = [0, 0, 0];
    for (let k = 0; k < 4; k++) {
      for (let x = 0; x < 3; x++) {
        const at = 4 * t.node[4 * c + k] + x;
        u0[x] += t.weight[4 * c + k] * free[at];
        u[x] += t.weight[4 * c + k] * (free[at] + v[at]);
      }
    }
    size += dot(u0, u0);
    const scale = t.force[4 * c + 3];
    const scaled = [0, 1, 2].map((x) => t.force[4 * c + x]);
    const r = scaled.map((x) => (scale > 0 ? x / scale : 0));
    error += mapError(r, u, n, t.material[4 * c]);
    scaledError += mapError(scaled, u, n, t.material[4 * c]);
  }

  const whole = Math.max(1, Math.sqrt(size));
  return { nat: Math.sqrt(error) / whole, scaled: Math.sqrt(scaledError) / whole };
}

/** ‖r − P(r − (u + mu‖u_T‖ n))‖². */
function mapError(r: number[], u: number[], n: number[], mu: number): number {
  const un = dot(u, n);
  const slip = Math.sqrt(Math.max(0, dot(u, u) - un * un));
  const x = r.map((value, k) => value - u[k] - mu * slip * n[k]);
  const xn = dot(x, n);
  const tangent = x.map((value, k) => value - xn * n[k]);
  const length = Math.sqrt(dot(tangent, tangent));
  let normal = xn;
  let keep = 1;
  if (length > mu * xn) {
    normal = Math.max(0, (xn + mu * length) / (1 + mu * mu));
    keep = normal > 0 ? (mu * normal) / length : 0;
  }
  return r.reduce((sum, value, k) => sum + (value - normal * n[k] - keep * tangent[k]) ** 2, 0);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export interface BundleRow {
  backend: BackendName;
  /** Sweeps of an iteration. */
  sweeps: number;
  contacts: number;
  /** Iterations to the target, null: not within the limit. */
  iterations: number | null;
  nat: number;
  /** With s_c r [m/s] for r [N·s]. */
  scaled: number;
  /** Best of the larger of both within the limit. */
  best: number;
  /** A, its factor, and the velocities without contacts; median of the rounds [ms]. */
  predict: number;
  /** A + W factored, ADMM, residual of the report [ms]. */
  solve: number;
  solveRange: [number, number];
}

const CHECKED = [4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 600, 800];

/** Fewest iterations that reach the target, then as many again against the clock. */
export function benchBundle(backend: BackendName, sweeps: number, rounds: number, limit: number): BundleRow {
  const world = createBundle(backend);
  const state = keepState(world);
  const elastic = freeBundle(world);
  const run = (iterations: number) => {
    takeState(world, state);
    changeElastic(world, { iterations, sweeps });
    world.advance();
  };
  let iterations: number | null = null;
  let best = Number.POSITIVE_INFINITY;
  for (const tried of CHECKED) {
    if (tried > limit) break;
    run(tried);
    const { nat, scaled } = naturalMap(world, elastic);
    best = Math.min(best, Math.max(nat, scaled));
    if (Math.max(nat, scaled) > TARGET) continue;
    iterations = tried;
    break;
  }
  const times: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    run(iterations ?? CHECKED[0]);
    const { profile } = world.physics;
    times.push([profile.milliseconds('predict-motion'), profile.milliseconds('solve-contacts')]);
  }
  const solves = times.map(([, solve]) => solve);
  return {
    backend,
    sweeps,
    contacts: world.contacts,
    iterations,
    ...naturalMap(world, elastic),
    best,
    predict: median(times.map(([predict]) => predict)),
    solve: median(solves),
    solveRange: [Math.min(...solves), Math.max(...solves)],
  };
}
