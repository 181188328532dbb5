// The problems of `stiction bench solvers`: those of piles, walls and slides of our own, taken down while they run, and
// the published ones where the repository is at hand (the installed package has none).

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createWorld } from 'bitecs';
import { createPhysics } from '../../systems/create-physics';
import type { Physics } from '../../systems/physics';
import { addRigidBody } from '../../systems/rigid-body';
import { captureProblem } from '../dynamics/capture-problem';
import { readProblem } from '../scene/problem';
import type { ContactProblem } from '../solvers/contact-problem';
import { contactProblemFromSparse } from '../solvers/sparse-form';
import { createChance } from './chance';

export { createChance } from './chance';

export interface BatchProblem {
  readonly name: string;
  readonly problem: ContactProblem;
  readonly published: boolean;
}

/** Largest problem taken from our scenes [-]: the tables shall not take an hour. */
const CONTACT_LIMIT = 300;
const GROUND = 50;

function addGround(physics: Physics, friction: number): void {
  addRigidBody(physics, { type: 'static', shape: { box: [GROUND, 1, GROUND] }, position: [0, -1, 0], friction });
}

/** Boxes, balls and capsules of many sizes fall into a walled square `width` metres wide. */
function pile(count: number, width: number, friction: number, seed: number): (physics: Physics) => void {
  return (physics) => {
    const chance = createChance(seed);
    const draw = (from: number, to: number) => from + (to - from) * chance();
    addGround(physics, friction);
    const half = width / 2 + 1;
    for (const [x, z] of [
      [half, 0],
      [-half, 0],
      [0, half],
      [0, -half],
    ]) {
      const box: [number, number, number] = x === 0 ? [half, 20, 1] : [1, 20, half];
      addRigidBody(physics, { type: 'static', shape: { box }, position: [x, 20, z], friction });
    }
    const row = Math.max(1, Math.floor(width / 0.75));
    for (let i = 0; i < count; i++) {
      const place = i % (row * row);
      const x = ((place % row) - (row - 1) / 2) * 0.7 + draw(-0.03, 0.03);
      const z = (Math.floor(place / row) - (row - 1) / 2) * 0.7 + draw(-0.03, 0.03);
      const position: [number, number, number] = [x, 0.5 + 0.75 * Math.floor(i / (row * row)), z];
      const kind = i % 3;
      if (kind === 0) {
        const box: [number, number, number] = [draw(0.12, 0.28), draw(0.12, 0.28), draw(0.12, 0.28)];
        addRigidBody(physics, { shape: { box }, position, friction });
      } else if (kind === 1) addRigidBody(physics, { shape: { sphere: draw(0.15, 0.3) }, position, friction });
      else addRigidBody(physics, { shape: { capsule: [draw(0.1, 0.18), draw(0.1, 0.18)] }, position, friction });
    }
  };
}

/** A brick wall, hit by a ball. */
function wall(columns: number, rows: number, friction: number): (physics: Physics) => void {
  return (physics) => {
    addGround(physics, friction);
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        const position: [number, number, number] = [(i + 0.5 * (j % 2)) * 0.82, 0.2 + 0.4 * j, 0];
        addRigidBody(physics, { shape: { box: [0.4, 0.2, 0.2] }, position, friction });
      }
    }
    const position: [number, number, number] = [0.4 * columns, 0.25 * rows, 6];
    addRigidBody(physics, { shape: { sphere: 0.4 }, position, velocity: [0, 1, -9], friction });
  };
}

/** A column of boxes, the top one `ratio` times as heavy. */
function column(count: number, ratio: number): (physics: Physics) => void {
  return (physics) => {
    addGround(physics, 0.6);
    for (let i = 0; i < count; i++) {
      const mass = i === count - 1 ? 10 * ratio : 10;
      const position: [number, number, number] = [0.02 * (i % 2), 0.5 + i, 0];
      addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position, mass, friction: 0.6 });
    }
  };
}

/** Blocks that slide and tumble down a plank. */
function rubble(count: number, friction: number, seed: number): (physics: Physics) => void {
  return (physics) => {
    const chance = createChance(seed);
    addGround(physics, friction);
    // A slope of 30°, cosine and sine of half of it.
    const rotation: [number, number, number, number] = [0, 0, 0.25881904510252074, 0.9659258262890683];
    const place = (along: number, up: number, z: number): [number, number, number] => [
      along * 0.8660254037844387 - up * 0.5,
      along * 0.5 + up * 0.8660254037844387 + 0.2,
      z,
    ];
    const plank = place(6, -0.5, 0);
    addRigidBody(physics, { type: 'static', shape: { box: [7, 0.5, 3] }, position: plank, rotation, friction });
    for (let i = 0; i < count; i++) {
      const size = 0.15 + 0.15 * chance();
      const position = place(5 + 0.65 * (i % 6), 0.35 + 0.65 * Math.floor(i / 18), (((i / 6) | 0) % 3) * 0.7 - 0.7);
      const box: [number, number, number] = [size, size * (0.6 + 0.4 * chance()), size];
      addRigidBody(physics, { shape: { box }, position, rotation, friction });
    }
  };
}

/** Scenes, and how many steps each runs. */
const SCENES: Readonly<Record<string, { steps: number; build: (physics: Physics) => void }>> = {
  'pile-20': { steps: 300, build: pile(20, 1.6, 0.5, 1) },
  'pile-40': { steps: 300, build: pile(40, 2.3, 0.5, 2) },
  'pile-60-slippery': { steps: 300, build: pile(60, 2.3, 0.1, 3) },
  'pile-60-rough': { steps: 300, build: pile(60, 2.3, 1, 4) },
  'pile-80': { steps: 300, build: pile(80, 3, 0.5, 5) },
  'pile-100': { steps: 200, build: pile(100, 3, 0.4, 6) },
  'wall-30': { steps: 150, build: wall(6, 5, 0.5) },
  'wall-60': { steps: 150, build: wall(10, 6, 0.6) },
  'column-10': { steps: 60, build: column(10, 1) },
  'column-10-heavy': { steps: 60, build: column(10, 100) },
  'rubble-40': { steps: 180, build: rubble(40, 0.4, 7) },
  'rubble-70': { steps: 180, build: rubble(70, 0.6, 8) },
};

/** Contact problems of our scenes, or of those named: `each` a scene at most, spread over its steps. */
export function captureBatch(
  each: number,
  progress: (text: string) => void,
  names: readonly string[] = Object.keys(SCENES),
): BatchProblem[] {
  const batch: BatchProblem[] = [];
  for (const name of names) {
    const { steps, build } = SCENES[name];
    progress(`${name}: running`);
    const physics = createPhysics(createWorld(), { sleeping: false });
    build(physics);
    const found: BatchProblem[] = [];
    physics.schedule.before('solve-contacts', () => {
      const step = physics.stepCount + 1;
      if (Math.floor((step * each) / steps) === Math.floor(((step - 1) * each) / steps)) return;
      const problem = captureProblem(physics.internal.engine);
      if (!problem || problem.contactCount < 3 || problem.contactCount > CONTACT_LIMIT) return;
      found.push({ name: `${name}@${step}`, problem: compact(problem), published: false });
    });
    for (let k = 0; k < steps; k++) physics.step();
    physics.dispose();
    batch.push(...found);
  }
  progress('');
  return batch;
}

/** A copy in arrays of just the right size. */
function compact(problem: ContactProblem): ContactProblem {
  const { contactCount: n, rowStart, column: columns, diagonal, values, b, mu, law } = problem;
  return {
    contactCount: n,
    rowStart: rowStart.slice(0, n + 1),
    column: columns.slice(0, rowStart[n]),
    diagonal: diagonal.slice(0, n),
    values: values.slice(0, 9 * rowStart[n]),
    b: b.slice(0, 3 * n),
    mu: mu.slice(0, n),
    law: law ? law.slice(0, n) : null,
    low: problem.low.slice(0, 3 * n),
    high: problem.high.slice(0, 3 * n),
  };
}

/** The published problems in the repository that this file lies in or was built in; none elsewhere. */
export function loadPublished(): BatchProblem[] {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = [resolve(here, '..'), resolve(here, '..', '..')]
    .map((root) => join(root, 'test', 'validation', 'friction'))
    .find((path) => existsSync(path));
  if (folder === undefined) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.problem.json.gz'))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((file) => {
      const raw = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString('utf8')) as {
        W: { entries: [number, number, number][] };
      };
      // Some keep the upper triangle only.
      const { entries } = raw.W;
      if (entries.every(([i, j]) => i <= j)) {
        for (const [i, j, x] of entries.slice()) if (i !== j) entries.push([j, i, x]);
      }
      const problem = readProblem(raw);
      if (problem.form !== 'reduced') throw new Error(`${file}: expected the reduced form`);
      const { W, b, mu, bilateral } = problem;
      const name = file.replace('.problem.json.gz', '');
      return { name, problem: contactProblemFromSparse(W, b, mu, bilateral), published: true };
    });
}
