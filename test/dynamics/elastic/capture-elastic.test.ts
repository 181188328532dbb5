// Problems of elastic islands as files: what they say is what the engine solves.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { captureStrandProblems } from '../../../src/bench/strand-problems';
import { captureElasticProblem } from '../../../src/dynamics/elastic/capture-elastic';
import { solveLdl } from '../../../src/math/sparse-ldl';
import { readProblem, writeProblem } from '../../../src/scene/problem';
import { solveProblem } from '../../../src/solvers/solve-problem';
import { condenseProblem, factorMass } from '../../../src/solvers/sparse-form';
import { createPhysics } from '../../../systems/create-physics';
import { addRigidBody } from '../../../systems/rigid-body';
import { addRod } from '../../../systems/rods';
import { addShell } from '../../../systems/shells';
import { longTest } from '../../setup/suite';

type Problem = NonNullable<ReturnType<typeof captureElasticProblem>>;

/** v = A⁻¹ (f + Hᵀ r), r of the exact solver. */
function velocitiesOf(file: Problem): { v: Float64Array; residual: number } {
  const { A, f, H, w, mu, bilateral } = file;
  const problem = condenseProblem(A, f, H, w, mu, bilateral);
  const r = new Float64Array(3 * problem.contactCount);
  const { residual } = solveProblem(problem, r, r.slice(), { tolerance: 1e-9 });
  const v = f.slice();
  for (let k = 0; k < H.value.length; k++) v[H.column[k]] += H.value[k] * r[H.row[k]];
  solveLdl(factorMass(A), v);
  return { v, residual };
}

/** Settings under which a step does nothing but solve that problem, and does it well. */
const plain = {
  backend: 'reference' as const,
  iterations: 3000,
  sweeps: 20,
  tolerance: 1e-12,
  keepApart: false,
  newContactsEvery: 0,
  geometricCorrection: false,
};

describe('the problem of an elastic island', () => {
  it('has the velocities that the step ends with: a rope with a weight on a joint, lying on a loose box', () => {
    const physics = createPhysics(createWorld(), { sleeping: false, elastic: plain });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] }, friction: 0.5 });
    const box = addRigidBody(physics, {
      shape: { box: [0.1, 0.1, 0.1] },
      position: [0, 0.1, 0],
      mass: 1,
      friction: 0.4,
    });
    const weight = addRigidBody(physics, { shape: { sphere: 0.05 }, position: [0.4, 0.215, 0], mass: 0.3 });
    const points = Array.from({ length: 8 }, (_, i) => [-0.2 + 0.08 * i, 0.215, 0] as [number, number, number]);
    addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e6, friction: 0.4, attachEnd: weight });
    for (let k = 0; k < 12; k++) physics.step();
    let file: Problem | null = null;
    physics.schedule.before('solve-contacts', () => {
      file = captureElasticProblem(physics.internal.engine);
    });
    physics.step();
    const taken = file as Problem | null;
    expect(taken).not.toBeNull();
    if (!taken) return;
    // Eight nodes with twists, box and weight; the floor under the box, the rope on it, the joint.
    expect(taken.A.rows).toBe(4 * 8 + 2 * 6);
    expect(taken.contacts).toBeGreaterThan(5);
    expect(taken.bilateral?.includes(1)).toBe(true);
    const { v, residual } = velocitiesOf(taken);
    expect(residual).toBeLessThan(1e-8);
    const { nodes } = physics.internal.engine.tables;
    let fastest = 0;
    for (let node = 0; node < 8; node++) {
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(v[4 * node + k] - nodes.velocity[4 * node + k])).toBeLessThan(1e-5);
        fastest = Math.max(fastest, Math.abs(v[4 * node + k]));
      }
    }
    expect(fastest).toBeGreaterThan(0.05);
    const { linear } = physics.components.Velocity;
    const ofBodies = [box, weight].map((eid) => linear.y[eid]);
    for (const speed of ofBodies) {
      const nearest = Math.min(Math.abs(v[33] - speed), Math.abs(v[39] - speed));
      expect(nearest).toBeLessThan(1e-5);
    }
    physics.dispose();
  });

  it('leaves the step as it would have been, bit by bit, on the kernels too', () => {
    const run = (isWatched: boolean): string => {
      const physics = createPhysics(createWorld(), { sleeping: false });
      addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
      addRigidBody(physics, { shape: { box: [0.1, 0.1, 0.1] }, position: [0, 0.1, 0] });
      const points = Array.from(
        { length: 12 },
        (_, i) => [-0.3 + 0.05 * i, 0.25, 0.01 * i] as [number, number, number],
      );
      addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e6 });
      if (isWatched)
        physics.schedule.before('solve-contacts', () => {
          captureElasticProblem(physics.internal.engine);
        });
      for (let k = 0; k < 20; k++) physics.step();
      const hash = physics.hash();
      physics.dispose();
      return String(hash);
    };
    expect(run(true)).toBe(run(false));
  });

  it('leaves out what is pinned and lanes that mean nothing: a sheet of nine vertices on a floor', () => {
    const physics = createPhysics(createWorld(), { sleeping: false });
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const vertices = Array.from({ length: 9 }, (_, i) => [0.1 * (i % 3), 0.002, 0.1 * Math.floor(i / 3)]);
    const triangles = [0, 1, 3, 4].flatMap((a) => [
      [a, a + 3, a + 1],
      [a + 1, a + 3, a + 4],
    ]);
    addShell(physics, { vertices, triangles, thickness: 0.002, density: 300, stretchModulus: 1e5, pins: [0] } as never);
    for (let k = 0; k < 5; k++) physics.step();
    let file: Problem | null = null;
    physics.schedule.before('solve-contacts', () => {
      file = captureElasticProblem(physics.internal.engine);
    });
    physics.step();
    const taken = file as Problem | null;
    if (!taken) throw new Error('the sheet touches nothing');
    expect(taken.A.rows).toBe(27);
    expect(taken.H.column.every((column) => column >= 3)).toBe(true);
    const text = writeProblem({ version: 1, form: 'full', ...taken });
    expect(readProblem(text)).toMatchObject({ form: 'full', contacts: taken.contacts });
    expect(velocitiesOf(taken).residual).toBeLessThan(1e-8);
    physics.dispose();
  });

  it('of a world where nothing touches is null', () => {
    const physics = createPhysics(createWorld());
    const points = [0, 1, 2, 3].map((i) => [0.1 * i, 1, 0] as [number, number, number]);
    addRod(physics, { points, radius: 0.01, density: 1000, youngModulus: 1e6 });
    let file: Problem | null | undefined;
    physics.schedule.before('solve-contacts', () => {
      file = captureElasticProblem(physics.internal.engine);
    });
    physics.step();
    expect(file).toBeNull();
    physics.dispose();
  });
});

describe('the worlds that problems of strands are taken from', () => {
  longTest('give the same problems every time, each solvable, with twists and joints', () => {
    const take = (...worlds: ('ponytail' | 'knots')[]): string[] => {
      const names: string[] = [];
      const size = { seeds: 1, each: 1 };
      captureStrandProblems(
        size,
        () => {},
        ({ name, file }) => {
          names.push(`${name} ${file.contacts} ${Array.from(file.f).reduce((sum, x) => sum + x, 0)}`);
          const { A, f, H, w, mu, bilateral } = file;
          const problem = condenseProblem(A, f, H, w, mu, bilateral);
          const r = new Float64Array(3 * problem.contactCount);
          const report = solveProblem(problem, r, r.slice(), { tolerance: 1e-6 });
          expect([name, report.status]).toEqual([name, 'converged']);
        },
        worlds,
      );
      return names;
    };
    const names = take('ponytail', 'knots');
    expect(names.length).toBe(2);
    expect(take('knots')).toEqual(names.slice(1));
  });
});
