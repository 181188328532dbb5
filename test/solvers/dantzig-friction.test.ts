/** One body and small random problems under friction, against closed forms and Gauss–Seidel. */
import { describe, expect, it } from 'vitest';
import { SLIDE, STICK } from '../../src/core/contact-law-constants';
import { chooseSolver } from '../../src/solvers/choose-solver';
import {
  type ContactProblem,
  contactProblemFromDense,
  velocityOf,
  velocityScale,
} from '../../src/solvers/contact-problem';
import { naturalMap } from '../../src/solvers/coulomb-law';
import { createGaussSeidelReport, solveGaussSeidel } from '../../src/solvers/gauss-seidel';
import { residualOf } from '../../src/solvers/residual';
import { createScratch } from '../../src/solvers/scratch';
import { assembleScene, createRandom, frameOf, GRAVITY, STEP, stackOfBoxes } from './assemble-scenes';
import { solveAgain, solveCold } from './solve-cold';

/** World tangential velocity of contact c, horizontal normal frame turned by spin. */
function worldSlip(u: Float64Array, c: number, spin: [number, number]): [number, number] {
  const [, t1, t2] = frameOf([0, 0, 1], spin);
  return [0, 1].map((k) => u[3 * c + 1] * t1[k] + u[3 * c + 2] * t2[k]) as [number, number];
}

/** A box on the ground with gravity tilted by `angle`, downhill along `heading`, as one step's problem. */
function boxOnSlope(mu: number, angle: number, heading: number, spin: [number, number]): ContactProblem {
  const scene = stackOfBoxes(1, 1, mu);
  const pull = GRAVITY * STEP;
  const down = pull * Math.sin(angle);
  scene.bodies[0].velocity = [down * Math.cos(heading), down * Math.sin(heading), pull * (1 - Math.cos(angle))];
  return assembleScene(scene, spin);
}

describe('a box on a slope', () => {
  const mu = 0.5;
  const critical = Math.atan(mu);
  const spins = [0, 0.4, 1.1, 2.5].map((a): [number, number] => [Math.cos(a), Math.sin(a)]);

  it('sticks at 0.998 of the friction angle, whatever its heading and tangent frame', () => {
    for (const spin of spins) {
      for (let heading = 0; heading < 6.2; heading += 0.7) {
        const { u, report } = solveCold(boxOnSlope(mu, 0.998 * critical, heading, spin));
        expect(report.status).toBe('solved');
        for (const v of u) expect(Math.abs(v)).toBeLessThan(1e-9);
      }
    }
  });

  it('slides at 1.002 of it, exactly downhill and at the analytic rate', () => {
    const angle = 1.002 * critical;
    const gain = GRAVITY * STEP * (Math.sin(angle) - mu * Math.cos(angle));
    for (const spin of spins) {
      for (let heading = 0; heading < 6.2; heading += 0.7) {
        const { u, report } = solveCold(boxOnSlope(mu, angle, heading, spin));
        expect(report.status).toBe('solved');
        for (let c = 0; c < 4; c++) {
          const [x, y] = worldSlip(u, c, spin);
          expect(x).toBeCloseTo(gain * Math.cos(heading), 9);
          expect(y).toBeCloseTo(gain * Math.sin(heading), 9);
        }
      }
    }
  });
});

describe('a sliding box', () => {
  it('loses mu g dt in every direction, and keeps its heading', () => {
    const mu = 0.3;
    for (let k = 0; k < 16; k++) {
      const heading = (k * Math.PI) / 8 + 0.05;
      const [x, y] = [2 * Math.cos(heading), 2 * Math.sin(heading)];
      const { u, sets } = solveCold(assembleScene(stackOfBoxes(1, 1, mu, [x, y, 0])));
      const left = 2 - mu * GRAVITY * STEP;
      expect(Array.from(sets)).toEqual([SLIDE, SLIDE, SLIDE, SLIDE]);
      for (let c = 0; c < 4; c++) {
        const [ux, uy] = worldSlip(u, c, [1, 0]);
        expect(ux).toBeCloseTo(left * Math.cos(heading), 9);
        expect(uy).toBeCloseTo(left * Math.sin(heading), 9);
      }
    }
  });

  it('stops within a step when friction can take all its momentum', () => {
    const { u } = solveCold(assembleScene(stackOfBoxes(1, 1, 0.3, [0.03, -0.02, 0])));
    for (const v of u) expect(Math.abs(v)).toBeLessThan(1e-9);
  });

  it('with mu = 0 keeps its velocity, with huge mu it does not slide', () => {
    const free = solveCold(assembleScene(stackOfBoxes(1, 1, 0, [1, 0.5, 0])));
    for (let c = 0; c < 4; c++) {
      const [x, y] = worldSlip(free.u, c, [1, 0]);
      expect(x).toBeCloseTo(1, 9);
      expect(y).toBeCloseTo(0.5, 9);
    }
    const held = solveCold(assembleScene(stackOfBoxes(1, 1, 1e6, [0.2, 0.1, 0])));
    expect(held.report.status).toBe('solved');
    for (let c = 0; c < 4; c++) {
      const [x, y] = worldSlip(held.u, c, [1, 0]);
      // It may tip over its leading edge, but a point that touches does not slip.
      if (held.u[3 * c] < 1e-9) expect(Math.abs(x) + Math.abs(y)).toBeLessThan(1e-6);
    }
  });
});

describe('known small problems', () => {
  it('solves three unit contacts in the plane of 1, 1, 3', () => {
    const W = Array.from({ length: 81 }, (_, i) => (i % 10 === 0 ? 1 : 0));
    const { r } = solveCold(contactProblemFromDense(W, [-1, 1, 3, -1, 1, 3, -1, 1, 3], [0.1, 0.1, 0.1]));
    for (let c = 0; c < 3; c++) {
      expect(r[3 * c]).toBeCloseTo(1, 10);
      expect(r[3 * c + 1]).toBeCloseTo(-0.1 / Math.sqrt(10), 10);
      expect(r[3 * c + 2]).toBeCloseTo(-0.3 / Math.sqrt(10), 10);
    }
  });

  it("answers Painlevé's rod with the impact that stops its foot, from a sliding start too", () => {
    const problem = contactProblemFromDense([1.6, 1.2, 0, 1.2, 3.4, 0, 0, 0, 1], [-0.1, 1, 0], [1.5]);
    const cold = solveCold(problem);
    expect(cold.report.status).toBe('solved');
    expect(cold.r[0]).toBeCloseTo((3.4 * 0.1 + 1.2) / 4, 10);
    expect(cold.r[1]).toBeCloseTo((-1.2 * 0.1 - 1.6) / 4, 10);
    const warm = solveCold(problem, { guessRounds: 0 });
    warm.r.set([0.01, -0.015, 0]);
    warm.sets[0] = SLIDE;
    solveAgain(problem, warm);
    expect(warm.report.status).toBe('solved');
    expect(warm.sets[0]).toBe(STICK);
    for (const v of warm.u) expect(Math.abs(v)).toBeLessThan(1e-9);
  });
});

/** Full-rank random problem with moderate coupling, where u is unique. */
function randomProblem(contactCount: number, seed: number): ContactProblem {
  const random = createRandom(seed);
  const side = 3 * contactCount;
  const H = Array.from({ length: side }, () => Array.from({ length: side }, () => random() - 0.5));
  const W = new Float64Array(side * side);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      for (let k = 0; k < side; k++) W[i * side + j] += (H[i][k] * H[j][k]) / side;
    }
    W[i * (side + 1)] += 0.1;
  }
  const b = Array.from({ length: side }, () => 2 * (random() - 0.6));
  const mu = Array.from({ length: contactCount }, (_, c) => [0, 0.2, 0.4, 0.6][(c + seed) % 4]);
  return contactProblemFromDense(W, b, mu);
}

describe('random frictional problems', () => {
  it('give the velocities that Gauss–Seidel run to 1e-12 gives', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const problem = randomProblem(1 + (seed % 12), seed);
      const { r, u, report } = solveCold(problem, { tolerance: 1e-11 });
      expect(report.status).toBe('solved');
      const reference = new Float64Array(r.length);
      const sweeps = createGaussSeidelReport();
      solveGaussSeidel(
        problem,
        reference,
        createScratch(),
        { tolerance: 1e-12, sweepLimit: 5000, checkInterval: 5 },
        sweeps,
      );
      expect(sweeps.status).toBe('solved');
      const v = new Float64Array(r.length);
      velocityOf(v, problem, reference);
      for (let i = 0; i < v.length; i++) expect(Math.abs(u[i] - v[i])).toBeLessThan(1e-8);
      expect(naturalMap(problem, r, u, new Float64Array(3))).toBeLessThan(1e-9);
    }
  });

  it('report the residual of the r returned', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = randomProblem(8, seed);
      const { r, u, report } = solveCold(problem);
      expect(report.residual).toBe(residualOf(u, problem, r));
      expect(report.residual).toBeLessThanOrEqual(1e-8 * velocityScale(problem));
    }
  });

  it('come out the same from a warm start of other impulses and sets', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const problem = randomProblem(10, seed);
      const cold = solveCold(problem, { tolerance: 1e-11 });
      const warm = solveCold(randomProblem(10, seed + 100));
      solveAgain(problem, warm, { tolerance: 1e-11 });
      expect(warm.report.status).toBe('solved');
      for (let i = 0; i < 30; i++) expect(Math.abs(warm.u[i] - cold.u[i])).toBeLessThan(1e-8);
    }
  });
});

describe('the choice of solver', () => {
  it('depends on the count alone', () => {
    expect(chooseSolver(100, 100)).toBe('dantzig');
    expect(chooseSolver(101, 100)).toBe('gauss-seidel');
    expect(chooseSolver(5, 4)).toBe('gauss-seidel');
  });
});
