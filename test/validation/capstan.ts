// A rope around a fixed drum, on any backend: Coulomb's law against its closed form (discrete capstan).

import { addBody, addStrands, loadNode, nodeAt, type RodWorld } from './strand-worlds';

const DRUM = 0.1; // [m]
const RADIUS = 0.002; // [m]
/** Steps in which the loads rise, steps in all, and the one from which on the way counts. */
const RISE = 50;
export const CAPSTAN_STEPS = 90;
const LOOK = 69;

export interface CapstanOptions {
  mu: number;
  /** Angle of the rope around the drum [rad], and the corners of its polygon. */
  wrap: number;
  corners: number;
  /** Tension of the near end [N], and of the far end over it. */
  load: number;
  ratio: number;
  /** Centre of the drum [m]. */
  at?: number[];
}

export interface Capstan {
  /** Loads both ends; before step `step` of CAPSTAN_STEPS. */
  pull(step: number): void;
  /** After that step. */
  look(step: number): void;
  /** How far the far end went in the last 20 steps: along the pull, and in all [m]. */
  way(): { along: number; all: number };
}

/** T2/T1 of a polygon with Coulomb's law at its corners. */
export function capstanRatio(mu: number, wrap: number, corners: number): number {
  const d = wrap / corners;
  const c = Math.cos(d / 2);
  const s = Math.sin(d / 2);
  return ((c + mu * s) / (c - mu * s)) ** corners;
}

/** A rope around a drum; both in a world without gravity. */
export function addCapstan(world: RodWorld, options: CapstanOptions): Capstan {
  const { mu, wrap, corners, load, ratio, at: center = [0, 0, 0] } = options;
  addBody(world, {
    type: 'static',
    shape: { cylinder: [DRUM, 1] },
    position: center as [number, number, number],
    rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    friction: mu,
  });
  // A polygon around the drum whose edges touch it in their middles, with straight tails.
  const d = wrap / corners;
  const corner = (DRUM + RADIUS) / Math.cos(d / 2);
  const edge = 2 * corner * Math.sin(d / 2);
  const at = (k: number) => [corner * Math.cos((k + 0.5) * d), corner * Math.sin((k + 0.5) * d), 0];
  const last = at(corners - 1);
  const away = [-Math.sin(wrap), Math.cos(wrap)];
  const points: number[][] = [];
  for (let i = 3; i > 0; i--) points.push([at(0)[0], at(0)[1] - edge * i, 0]);
  for (let k = 0; k < corners; k++) points.push(at(k));
  for (let i = 1; i <= 3; i++) points.push([last[0] + away[0] * edge * i, last[1] + away[1] * edge * i, 0]);
  const first = addStrands(world, {
    points: points.map((point) => point.map((x, k) => x + center[k])),
    radius: RADIUS,
    young: 1e3,
    stretch: 1e9,
    friction: mu,
    selfContact: false,
    density: 2000,
    damping: 0.01,
  });
  const end = first + points.length - 1;
  let before: number[] = [];
  const way = () => {
    const after = nodeAt(world, end);
    const [x, y] = [after[0] - before[0], after[1] - before[1]];
    return { along: x * away[0] + y * away[1], all: Math.hypot(x, y) };
  };
  return {
    pull(step) {
      const tension = load * Math.min(1, (step + 1) / RISE);
      loadNode(world, first, [0, -tension, 0]);
      loadNode(world, end, [...away.map((x) => x * tension * ratio), 0]);
    },
    look(step) {
      if (step === LOOK) before = nodeAt(world, end);
    },
    way,
  };
}

/** Runs one rope on the CPU. */
export function runCapstan(world: RodWorld, options: CapstanOptions): { along: number; all: number } {
  const rope = addCapstan(world, options);
  for (let i = 0; i < CAPSTAN_STEPS; i++) {
    rope.pull(i);
    world.physics.step();
    rope.look(i);
  }
  return rope.way();
}
