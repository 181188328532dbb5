// The settled kernel against its twin in TypeScript, on the first step of a stack: impulses, velocities, residual.

import { describe, expect, it } from 'vitest';
import { captureProblem } from '../../src/dynamics/capture-problem';
import { createContactAdmmReport, defaultContactAdmmOptions, solveContactAdmm } from '../../src/solvers/contact-admm';
import { type ContactProblem, velocityOf } from '../../src/solvers/contact-problem';
import { residualOf } from '../../src/solvers/residual';
import { addPyramid } from '../systems/settled-scenes';
import { createGround, type TestWorld } from '../validation/worlds';

/** Impulses of the only island, in the order of its problem. */
function readImpulses({ physics }: TestWorld, count: number): Float64Array {
  const { bodies, pairs } = physics.internal.engine.tables;
  const r = new Float64Array(3 * count);
  let c = 0;
  for (let i = 0; i < bodies.islandPairCount[0]; i++) {
    const pair = pairs.islandPairs[bodies.islandPairStart[0] + i];
    for (let k = 0; k < pairs.points[pair]; k++, c++) {
      for (let d = 0; d < 3; d++) r[3 * c + d] = pairs.impulse[16 * pair + 4 * k + d];
    }
  }
  expect(c).toBe(count);
  return r;
}

/** One forced step of a world, with the problem as it was before. */
function stepOnce(world: TestWorld): { problem: ContactProblem; r: Float64Array } {
  let problem: ContactProblem | null = null;
  const stop = world.physics.schedule.before('solve-contacts', ({ physics }) => {
    problem = captureProblem(physics.internal.engine);
  });
  world.physics.step();
  stop();
  if (!problem) throw new Error('no contact');
  return { problem, r: readImpulses(world, (problem as ContactProblem).contactCount) };
}

describe('settled kernel', () => {
  const world = createGround(0.6, { solver: 'contact-admm' });
  addPyramid(world, 6);
  const { problem, r } = stepOnce(world);
  const { report } = world.physics;

  it('solves the island from nothing', () => {
    expect(report.solvers.contactAdmm).toMatchObject({ islands: 1, factorisations: 1, fallbacks: 0 });
    expect(report.solvers.contactAdmm.iterations).toBeGreaterThan(1);
  });

  it('reports the common residual', () => {
    const u = new Float64Array(r.length);
    const residual = residualOf(u, problem, r);
    expect(residual).toBeLessThan(1e-6);
    expect(Math.abs(report.residual - residual)).toBeLessThan(1e-9);
  });

  it('gives the contact velocities of the twin', () => {
    const twin = new Float64Array(r.length);
    const twinReport = createContactAdmmReport();
    solveContactAdmm(problem, twin, { ...defaultContactAdmmOptions, stiffness: 0.01 }, twinReport);
    expect(twinReport.status).toBe('solved');
    const own = new Float64Array(r.length);
    const other = new Float64Array(r.length);
    velocityOf(own, problem, r);
    velocityOf(other, problem, twin);
    for (let i = 0; i < own.length; i++) expect(Math.abs(own[i] - other[i])).toBeLessThan(1e-6);
  });

  it('leaves impulses inside their cones', () => {
    for (let c = 0; c < problem.contactCount; c++) {
      const slip = Math.sqrt(r[3 * c + 1] ** 2 + r[3 * c + 2] ** 2);
      expect(r[3 * c]).toBeGreaterThanOrEqual(0);
      expect(slip).toBeLessThanOrEqual(problem.mu[c] * r[3 * c] * (1 + 1e-9) + 1e-9);
    }
  });
});
