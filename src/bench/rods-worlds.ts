// The worlds of `stiction bench rods`: tufts of strands in full contact with each other,
// and a hairy ball that is shaken.
//
// Tufts are copies of one tuft, far enough apart not to meet: contacts per strand do not depend on how many there are.

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import { addGroom } from '../../systems/grooms';
import type { Physics } from '../../systems/physics';
import { addRigidBody, setKinematicTarget } from '../../systems/rigid-body';
import { copyArena, restoreArena } from '../core/arena';
import { strandKernelsOf } from '../dynamics/elastic/strand-kernels';
import type { Engine } from '../dynamics/engine';
import type { KernelExports } from '../kernels/exports';
import type { ElasticSettings } from '../state/elastic-settings';
import { createChance } from './solvers-problems';

export type BackendName = 'reference' | 'wasm';

/** A world that moves itself: `advance` drives what is scripted, then steps. */
export interface BenchWorld {
  readonly physics: Physics;
  readonly engine: Engine;
  /** Time spent in each kernel since it was last set to zero [ms]. */
  readonly kernelTimes: Map<string, number>;
  advance(): void;
}

/** How strands of a tuft are arranged. */
export interface TuftShape {
  /** Strands of one tuft; rows and columns. */
  rows: number;
  columns: number;
  vertices: number;
}

/** Radius of a strand, a wisp of some two hundred hairs [m]. */
const WISP = 5e-4;
const LENGTH = 0.15; // [m]
/** With the wisp's thickness, the bending of a bundle of hairs that slide on each other [Pa]. */
const YOUNG = 4e7;
const STRETCH = 1e8;
const TUFT_SPACING = 0.4; // [m]

function createBenchWorld(
  backend: BackendName | 'auto',
  gravity: number[],
  elastic: ElasticSettings,
  threads = 0,
): Omit<BenchWorld, 'advance'> {
  const physics = createPhysics(createWorld(), {
    sleeping: false,
    userTiming: false,
    gravity,
    threads,
    elastic: { ...elastic, backend },
  });
  const { engine } = physics.internal;
  return { physics, engine, kernelTimes: timeKernels(engine) };
}

/** Puts a clock around every kernel of this engine; before anything has taken hold of one. */
export function timeKernels(engine: Engine): Map<string, number> {
  const times = new Map<string, number>();
  (engine as { kernels: KernelExports }).kernels = withClocks(engine.kernels, times);
  engine.strandKernels = withClocks(strandKernelsOf(engine), times);
  return times;
}

function withClocks<Kernels extends object>(kernels: Kernels, times: Map<string, number>): Kernels {
  const timed: Record<string, unknown> = {};
  for (const [name, kernel] of Object.entries(kernels)) {
    if (typeof kernel !== 'function') {
      timed[name] = kernel;
      continue;
    }
    timed[name] = (...args: number[]) => {
      const start = performance.now();
      // Looked up each time: threads replace it.
      const result = (kernels as Record<string, (...args: number[]) => number>)[name](...args);
      times.set(name, (times.get(name) ?? 0) + performance.now() - start);
      return result;
    };
  }
  return timed as Kernels;
}

/** `count` strands in tufts that swing under a slanting gravity; `contact` false: nothing collides. */
export function createTufts(
  count: number,
  { rows, columns, vertices }: TuftShape,
  contact: boolean,
  backend: BackendName | 'auto',
  elastic: ElasticSettings = {},
  threads = 0,
): BenchWorld {
  const world = createBenchWorld(backend, [6, -8, 0], elastic, threads);
  const perTuft = rows * columns;
  const side = Math.ceil(Math.sqrt(Math.ceil(count / perTuft)));
  const pitch = 2.1 * WISP;
  const positions = new Float64Array(3 * count * vertices);
  for (let s = 0; s < count; s++) {
    const tuft = Math.floor(s / perTuft);
    const row = Math.floor((s % perTuft) / columns);
    const column = s % columns;
    const x = TUFT_SPACING * (tuft % side) + pitch * (column + 0.5 * (row & 1));
    const z = TUFT_SPACING * Math.floor(tuft / side) + pitch * row * Math.sqrt(0.75);
    for (let i = 0; i < vertices; i++) {
      positions.set([x, (-LENGTH * i) / (vertices - 1), z], 3 * (s * vertices + i));
    }
  }
  addGroom(world.physics, {
    strands: { counts: new Int32Array(count).fill(vertices), positions },
    radius: WISP,
    density: 1300,
    youngModulus: YOUNG,
    stretchModulus: STRETCH,
    friction: 0.3,
    clampStart: true,
    selfContact: contact,
    mask: contact ? 0xffff : 0,
  });
  return { ...world, advance: () => world.physics.step() };
}

export interface HairyBall extends BenchWorld {
  /** Of the ball [m]. */
  readonly radius: number;
  readonly strandRadius: number;
}

/** Radius of the ball [m], of a strand [m], length of a strand [m]; the lock bends under its weight as hair does. */
const BALL = 0.05;
const LOCK = 1e-3;
const REACH = 0.15;
const LOCK_YOUNG = 5e6; // [Pa]
const LOCK_STRETCH = 2e7; // [Pa]

/** A ball covered with radial strands, shaken about x, y and z in turn, `PERIOD` each, through ±60°. */
const PERIOD = 1; // [s]
const HALF_TURN = 0.5773502691896257; // tangent of half of 60°

export function createHairyBall(
  count: number,
  vertices: number,
  backend: BackendName | 'auto',
  elastic: ElasticSettings = {},
  threads = 0,
): HairyBall {
  const world = createBenchWorld(backend, [0, -9.81, 0], elastic, threads);
  const { physics } = world;

  const ball = addRigidBody(physics, {
    type: 'kinematic',
    shape: { sphere: BALL },
    position: [0, 0, 0],
    friction: 0.2,
  });
  const chance = createChance(2020);
  const roots = spreadDirections(count, chance);
  const positions = new Float64Array(3 * count * vertices);

  for (let s = 0; s < count; s++) {
    // A slight curl, so that strands cross.
    const curl = [chance() - 0.5, chance() - 0.5, chance() - 0.5];
    for (let i = 0; i < vertices; i++) {
      const t = i / (vertices - 1);
      const far = BALL * 1.01 + REACH * t;
      for (let k = 0; k < 3; k++) {
        positions[3 * (s * vertices + i) + k] = roots[3 * s + k] * far + 0.04 * curl[k] * t * t;
      }
    }
  }

  addGroom(physics, {
    strands: { counts: new Int32Array(count).fill(vertices), positions },
    radius: LOCK,
    density: 1300,
    youngModulus: LOCK_YOUNG,
    stretchModulus: LOCK_STRETCH,
    friction: 0.2,
    attachStart: ball,
  });

  return {
    ...world,
    radius: BALL,
    strandRadius: LOCK,
    advance() {
      setKinematicTarget(physics, ball, [0, 0, 0], shakeAt((physics.internal.stepCount + 1) / 60));
      physics.step();
    },
  };
}

/** Orientation of the ball at time t [s]: it swings through ±60° about one axis, then the next. */
function shakeAt(t: number): number[] {
  const axis = Math.floor(t / PERIOD) % 3;
  // Two parabolas look like a sine.
  const x = 2 * ((t / PERIOD) % 1);
  const wave = x < 1 ? 4 * x * (1 - x) : -4 * (x - 1) * (2 - x);
  const half = HALF_TURN * wave;
  const scale = 1 / Math.sqrt(1 + half * half);
  const q = [0, 0, 0, scale];
  q[axis] = half * scale;
  return q;
}

/** Directions that keep their distance: of sixteen random ones, always the one farthest from those taken. */
function spreadDirections(count: number, chance: () => number): Float64Array {
  const out = new Float64Array(3 * count);
  for (let s = 0; s < count; s++) {
    let best = -1;
    for (let k = 0; k < 16; k++) {
      const d = randomDirection(chance);
      let near = 4;
      for (let i = 0; i < s; i++) {
        const gap = (d[0] - out[3 * i]) ** 2 + (d[1] - out[3 * i + 1]) ** 2 + (d[2] - out[3 * i + 2]) ** 2;
        near = Math.min(near, gap);
      }
      if (near <= best) continue;
      best = near;
      out.set(d, 3 * s);
    }
  }
  return out;
}

function randomDirection(chance: () => number): number[] {
  for (;;) {
    const d = [2 * chance() - 1, 2 * chance() - 1, 2 * chance() - 1];
    const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (square > 1 || square < 0.01) continue;
    const scale = 1 / Math.sqrt(square);
    return d.map((x) => x * scale);
  }
}

/** State of a world of this kind, for any other world made by the same call, whatever its backend. */
export interface BenchState {
  readonly bytes: Uint8Array;
  readonly stepCount: number;
}

export function keepState({ physics, engine }: BenchWorld): BenchState {
  return { bytes: copyArena(engine.arena), stepCount: physics.internal.stepCount };
}

/** Same moment, same numbers: what is timed from here on is the same work. */
export function takeState({ physics, engine }: BenchWorld, state: BenchState): void {
  restoreArena(engine.arena, state.bytes);
  physics.internal.stepCount = state.stepCount;
}

/** Changes the elastic settings from the next step on. */
export function changeElastic({ engine }: BenchWorld, elastic: ElasticSettings): void {
  const { settings } = engine;
  (engine as { settings: Engine['settings'] }).settings = {
    ...settings,
    elastic: { ...settings.elastic, ...elastic, backend: settings.elastic.backend },
  };
}
