// Contact problems of strands, in full form with twists and bodies, taken down from worlds that run: what Table 2 of
// Daviet, Bertails-Descoubes, Boissieux 2011 and Table 3 of Daviet 2020 are made again on. Seeds are fixed: the same
// problems every time, 12 worlds with 30 moments each.
//
//   ponytail   real hairs (37 µm, 4 GPa) tied at the top, swung
//   ball       real hairs on a ball that is shaken
//   ropes      ropes that fall on each other, on a bar and on a crate
//   knots      overhand knots drawn tight by weights

import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import { addGroom } from '../../systems/grooms';
import type { Physics } from '../../systems/physics';
import { addRigidBody, setKinematicTarget } from '../../systems/rigid-body';
import { addRod } from '../../systems/rods';
import { captureElasticProblem } from '../dynamics/elastic/capture-elastic';
import type { FullForm } from '../solvers/admm/full-form';
import { createChance } from './chance';
import { createBall } from './gpu-worlds';

export type StrandWorldName = 'ponytail' | 'ball' | 'ropes' | 'knots';
const STRAND_WORLDS: readonly StrandWorldName[] = ['ponytail', 'ball', 'ropes', 'knots'];

export interface StrandProblem {
  /** ponytail-1@20: world, seed, step. */
  readonly name: string;
  readonly world: StrandWorldName;
  readonly file: FullForm;
  /** [s] */
  readonly timeStep: number;
}

/** How much is taken: seeds of each world, moments of each seed. */
export interface StrandProblemSize {
  seeds: number;
  each: number;
}

/** Some 320 problems: 27 moments gave 288, what touches too little or too much left out. */
export const ALL_STRAND_PROBLEMS: StrandProblemSize = { seeds: 3, each: 30 };

/** Problems outside are left out: the tables shall not take an hour. */
const LEAST_CONTACTS = 3;
const MOST_CONTACTS = 300;

interface MovingWorld {
  physics: Physics;
  steps: number;
  advance(): void;
}

type Point = [number, number, number];

/** Real hair: radius [m], Young's and stretch modulus [Pa], as the hairy balls of Daviet 2020 have them. */
const HAIR = { radius: 3.7e-5, density: 1300, youngModulus: 4e9, stretchModulus: 1e8, damping: 1e-3 };

function ponytail(seed: number): MovingWorld {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const chance = createChance(100 + seed);
  const count = 12 + 4 * seed;
  const vertices = 16;
  const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.02 }, position: [0, 0.03, 0] });
  const positions = new Float64Array(3 * count * vertices);
  for (let s = 0; s < count; s++) {
    // Evenly over a disk, and frizzy below the tie, so that hairs cross.
    const far = 8e-5 * Math.sqrt(s + 0.5);
    const angle = s * Math.PI * (3 - Math.sqrt(5));
    const phase = 2 * Math.PI * chance();
    const wave = 8e-4 * (0.5 + chance());
    for (let i = 0; i < vertices; i++) {
      const t = i / (vertices - 1);
      const spread = far * (0.7 + 3 * t);
      const frizz = wave * Math.min(1, 5 * Math.max(0, t - 1 / (vertices - 1)));
      const x = spread * Math.cos(angle) + frizz * Math.cos(phase + 20 * t);
      positions.set(
        [x, -0.15 * t, spread * Math.sin(angle) + frizz * Math.sin(phase + 20 * t)],
        3 * (s * vertices + i),
      );
    }
  }
  const strands = { counts: new Int32Array(count).fill(vertices), positions };
  addGroom(physics, { strands, ...HAIR, friction: 0.3, attachStart: head });
  const { timeStep } = physics.settings;
  return {
    physics,
    steps: 200,
    advance() {
      const t = (physics.stepCount + 1) * timeStep;
      setKinematicTarget(physics, head, [0.05 * Math.sin(6 * t), 0.03, 0.03 * Math.sin((8 + seed) * t)], [0, 0, 0, 1]);
      physics.step();
    },
  };
}

function ball(seed: number): MovingWorld {
  const { physics, advance } = createBall({ strands: 120 + 60 * seed, vertices: 16, contact: true });
  return { physics, steps: 120, advance };
}

function ropes(seed: number): MovingWorld {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const chance = createChance(300 + seed);
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.6 });
  const bar: Point = [0.03, 0.4, 0];
  addRigidBody(physics, { type: 'static', shape: { capsule: [0.03, 0.5] }, position: bar, friction: 0.4 });
  addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, position: [0, 0.12, 0], mass: 2, friction: 0.5 });
  for (let k = 0; k < 4; k++) {
    const turn = chance();
    const [x, z] = [0.2 * (chance() - 0.5), 0.2 * (chance() - 0.5)];
    const points = Array.from({ length: 25 }, (_, i): Point => {
      const along = 0.04 * (i - 12);
      return [x + along * Math.cos(3 * turn), 0.3 + 0.06 * k, z + along * Math.sin(3 * turn)];
    });
    addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e7, friction: 0.2 + 0.15 * k });
  }
  return { physics, steps: 180, advance: () => physics.step() };
}

function knots(seed: number): MovingWorld {
  const physics = createPhysics(createWorld(), { sleeping: false });
  const radius = 0.006 + 0.002 * seed;
  for (let k = 0; k < 2; k++) {
    const points = overhand(radius, [0.5 * k, 1, 0]);
    const last = points[points.length - 1];
    const weight = addRigidBody(physics, {
      shape: { box: [0.05, 0.05, 0.05] },
      position: [last[0], last[1] - 0.05, last[2]],
      mass: 0.5 + k,
    });
    addRod(physics, {
      points,
      radius,
      density: 900,
      youngModulus: 4e5,
      stretchModulus: 2e6,
      damping: 1e-3,
      friction: 0.1 + 0.2 * seed * (k + 1) * 0.5,
      clampStart: true,
      attachEnd: weight,
    });
  }
  return { physics, steps: 180, advance: () => physics.step() };
}

/** A rope that hangs with an overhand knot in it: a trefoil, cut at its left lobe, one end led up, the other down. */
function overhand(radius: number, [x, y, z]: Point): Point[] {
  const size = 2.2 * radius;
  const place = (along: number, out: number, across: number): Point => [
    x + size * (out + 4.2),
    y + size * (along - 12),
    z + size * across,
  ];
  const path: Point[] = [place(12, -4.2, 0), place(2.2, -4.2, 0)];
  const cut = 0.45;
  for (let i = 0; i <= 120; i++) {
    const t = Math.PI + cut + (i / 120) * 2 * (Math.PI - cut);
    const across = -Math.sin(3 * t);
    path.push(place(Math.sin(t) + 2 * Math.sin(2 * t), Math.cos(t) - 2 * Math.cos(2 * t), across));
  }
  path.push(place(-2.2, -4.2, 0), place(-12, -4.2, 0));
  return evenly(path, 1.5 * radius);
}

/** Points at about equal distances along a polyline. */
function evenly(path: readonly Point[], edge: number): Point[] {
  const distance = (a: Point, b: Point): number =>
    Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2);
  const along = [0];
  for (let i = 1; i < path.length; i++) along.push(along[i - 1] + distance(path[i - 1], path[i]));
  const length = along[along.length - 1];
  const edges = Math.round(length / edge);
  let at = 1;
  return Array.from({ length: edges + 1 }, (_, k) => {
    const wanted = (length * k) / edges;
    while (at < path.length - 1 && along[at] < wanted) at++;
    const t = (wanted - along[at - 1]) / (along[at] - along[at - 1]);
    return path[at].map((value, i) => path[at - 1][i] + t * (value - path[at - 1][i])) as Point;
  });
}

const BUILD: Readonly<Record<StrandWorldName, (seed: number) => MovingWorld>> = { ponytail, ball, ropes, knots };

/** Runs the worlds and hands over their problems one by one: a reduced one fills megabytes. Returns how many. */
export function captureStrandProblems(
  size: StrandProblemSize,
  progress: (text: string) => void,
  take: (problem: StrandProblem) => void,
  worlds: readonly StrandWorldName[] = STRAND_WORLDS,
): number {
  let count = 0;
  for (const world of worlds) {
    for (let seed = 0; seed < size.seeds; seed++) {
      progress(`${world} ${seed}: running`);
      const { physics, steps, advance } = BUILD[world](seed);
      const { timeStep } = physics.settings;
      const found: StrandProblem[] = [];
      physics.schedule.before('solve-contacts', () => {
        const step = physics.stepCount + 1;
        if (Math.floor((step * size.each) / steps) === Math.floor(((step - 1) * size.each) / steps)) return;
        const file = captureElasticProblem(physics.internal.engine);
        if (!file || file.contacts < LEAST_CONTACTS || file.contacts > MOST_CONTACTS) return;
        found.push({ name: `${world}-${seed}@${step}`, world, file, timeStep });
      });
      for (let k = 0; k < steps; k++) advance();
      physics.dispose();
      for (const problem of found) take(problem);
      count += found.length;
    }
  }
  progress('');
  return count;
}
