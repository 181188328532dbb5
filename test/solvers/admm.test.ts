// Algorithms 2 and 4: the whole solver on elastic problems, judged by the full operator; each switch with its effect.
import { expect, test } from 'vitest';
import { UsageError } from '../../src/core/errors';
import { solveFullForm } from '../../src/solvers/admm/full-form';
import { type AdmmOptions, defaultAdmmOptions } from '../../src/solvers/admm/options';
import {
  type AdmmProblem,
  addContact,
  CONTACT_BILATERAL,
  CONTACT_COULOMB,
  createAdmmProblem,
  resizeAdmmProblem,
  unknownCount,
} from '../../src/solvers/admm/problem';
import { createAdmmReport, solveAdmm } from '../../src/solvers/admm/solve';
import { createAdmmState, resizeAdmmState } from '../../src/solvers/admm/state';
import { leastEigenvalue, nodeWeight } from '../../src/solvers/admm/weights';
import { velocityOf } from '../../src/solvers/contact-problem';
import { naturalMap } from '../../src/solvers/coulomb-law';
import { condenseProblem } from '../../src/solvers/sparse-form';
import { longTest } from '../setup/suite';
import { hairBundle } from './admm-scenes';

const exact: AdmmOptions = { ...defaultAdmmOptions, tolerance: 1e-12, iterations: 3000, sweeps: 20, sleeping: false };

test('a bundle of seven hairs is solved as the full operator judges', () => {
  const file = hairBundle(1, 4);
  const reduced = condenseProblem(file.A, file.f, file.H, file.w, file.mu, null);
  const r = new Float64Array(3 * file.contacts);
  const u = new Float64Array(r.length);
  solveFullForm(file, { ...exact, acceleration: true, iterations: 600 }, r);
  velocityOf(u, reduced, r);
  expect(file.contacts).toBe(12 * 19);
  expect(naturalMap(reduced, r, u, new Float64Array(3))).toBeLessThan(1e-4);
});

test('H that is not made of scaled rotations is refused by name', () => {
  const file = hairBundle(1, 4);
  const value = Float64Array.from(file.H.value);
  value[0] *= 1.1;
  const call = () => solveFullForm({ ...file, H: { ...file.H, value } }, exact, new Float64Array(3 * file.contacts));
  expect(call).toThrow(UsageError);
  expect(call).toThrow(/H: must be made of numbers times rotations for admm/);
});

test('weights follow 6.2.6 and eigenvalues are those of known matrices', () => {
  expect(leastEigenvalue(2, 0, 0, 5, 0, 3)).toBe(2);
  // Q diag(1, 4, 9) Qᵀ with Q a turn about (1,1,1).
  const [a, b, c] = [2 / 3, -1 / 3, 2 / 3];
  const Q = [a, b, c, c, a, b, b, c, a];
  const entry = (i: number, j: number) =>
    Q[3 * i] * Q[3 * j] + 4 * Q[3 * i + 1] * Q[3 * j + 1] + 9 * Q[3 * i + 2] * Q[3 * j + 2];
  expect(leastEigenvalue(entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2))).toBeCloseTo(
    1,
    12,
  );
  expect(nodeWeight([10, 0, 0, 0, 10, 0, 0, 0, 10], 0, 1)).toBe(10);
  expect(nodeWeight([100, 0, 0, 0, 100, 0, 0, 0, 100], 0, 1)).toBe(25);
  expect(nodeWeight([1e6, 0, 0, 0, 1e6, 0, 0, 0, 1e6], 0, 1)).toBe(1000);
});

/** Free nodes of mass 1 and stiffness: A = (1 + stiffness) I a node; contacts are added by the caller. */
function freeNodes(count: number, stiffness: number, velocity: number[][]): AdmmProblem {
  const problem = createAdmmProblem();
  resizeAdmmProblem(problem, 4 * count, 0);
  problem.timeStep = 0.01;
  for (let j = 0; j < count; j++) {
    for (let k = 0; k < 3; k++) {
      problem.f[4 * j + k] = velocity[j][k];
      problem.weight[4 * j + k] = Math.min(25, 1 + stiffness);
      problem.inverseWeight[4 * j + k] = 1 / problem.weight[4 * j + k];
    }
  }
  return problem;
}

function solve(problem: AdmmProblem, stiffness: number, options: Partial<AdmmOptions> = {}) {
  const state = createAdmmState();
  const n = unknownCount(problem);
  resizeAdmmState(state, n);
  state.lambda.fill(0);
  for (let i = 0; i < n; i++) state.v[i] = i < problem.elasticCount ? problem.f[i] / (1 + stiffness) : problem.f[i];
  const operator = {
    solve(v: Float64Array, right: Float64Array) {
      for (let i = 0; i < problem.elasticCount; i++) v[i] = right[i] / (1 + stiffness + problem.weight[i]);
    },
  };
  const report = createAdmmReport();
  solveAdmm(problem, operator, state, { ...defaultAdmmOptions, ...options }, report);
  return { state, report };
}

/** Node `a` against node `b` (−1: the ground) along y. */
function touch(problem: AdmmProblem, a: number, b: number, mu: number): number {
  const c = addContact(problem.contacts, CONTACT_COULOMB);
  problem.contacts.node[4 * c] = 4 * a;
  problem.contacts.coefficient[4 * c] = 1;
  if (b >= 0) {
    problem.contacts.node[4 * c + 1] = 4 * b;
    problem.contacts.coefficient[4 * c + 1] = -1;
  }
  problem.contacts.normal[4 * c + 1] = 1;
  problem.contacts.normal[4 * c + 3] = mu;
  return c;
}

test('a node that hits the ground aslant keeps what Coulomb leaves it', () => {
  for (const acceleration of [false, true]) {
    const problem = freeNodes(1, 0, [[3, -2, 0]]);
    touch(problem, 0, -1, 0.4);
    const { state, report } = solve(problem, 0, { tolerance: 1e-12, iterations: 2000, acceleration });
    expect(report.status).toBe('converged');
    expect(state.v[0]).toBeCloseTo(3 - 0.4 * 2, 8);
    expect(state.v[1]).toBeCloseTo(0, 9);
  }
});

test('λ of the last step makes the next one start at its answer', () => {
  const problem = freeNodes(1, 60, [[4, -40, 0]]);
  touch(problem, 0, -1, 0.4);
  const first = solve(problem, 60, { tolerance: 1e-9, iterations: 500 });
  const n = unknownCount(problem);
  const again = createAdmmState();
  resizeAdmmState(again, n);
  for (let i = 0; i < n; i++) {
    again.v[i] = first.state.v[i];
    again.lambda[i] = first.state.lambda[i];
  }
  const operator = {
    solve(v: Float64Array, right: Float64Array) {
      for (let i = 0; i < problem.elasticCount; i++) v[i] = right[i] / (61 + problem.weight[i]);
    },
  };
  const report = createAdmmReport();
  solveAdmm(problem, operator, again, { ...defaultAdmmOptions, tolerance: 1e-8 }, report);
  expect(first.report.iterations).toBeGreaterThan(8);
  expect(report.iterations).toBeLessThanOrEqual(2);
});

test('cohesion holds what parts slower than it can pull, and lets go of what is faster', () => {
  for (const [speed, sticks] of [
    [0.5, true],
    [1.5, false],
  ] as const) {
    for (const cohesion of [true, false]) {
      const problem = freeNodes(1, 0, [[0, speed, 0]]);
      const c = touch(problem, 0, -1, 0);
      problem.contacts.offset[4 * c + 3] = 1; // [N·s]: takes 1 m/s off a node of 1 kg
      const { state } = solve(problem, 0, { tolerance: 1e-12, iterations: 1000, cohesion });
      const expected = cohesion ? (sticks ? 0 : speed - 1) : speed;
      expect(state.v[1]).toBeCloseTo(expected, 8);
    }
  }
});

test('a compliant contact gives way by compliance times force', () => {
  const problem = freeNodes(1, 0, [[0, -2, 0]]);
  const c = touch(problem, 0, -1, 0);
  const slack = 0.25; // compliance/dt² [1/kg]: u + slack·r = 0 with v = −2 + r gives r = 2/1.25
  problem.contacts.slack[c] = slack;
  const { state } = solve(problem, 0, { tolerance: 1e-12, iterations: 1000 });
  expect(state.v[1]).toBeCloseTo(-2 + 2 / 1.25, 8);
});

test('without geometric correction a cut solve leaves penetration, with it none', () => {
  const left = (geometricCorrection: boolean) => {
    const problem = freeNodes(1, 50, [[0, -100, 0]]);
    touch(problem, 0, -1, 0);
    return solve(problem, 50, { iterations: 2, geometricCorrection }).state.v[1];
  };
  expect(left(false)).toBeLessThan(-0.01);
  expect(left(true)).toBeGreaterThanOrEqual(0);
});

longTest('acceleration takes fewer iterations to the same δ∞', () => {
  const file = hairBundle(1, 2);
  const count = (acceleration: boolean) => {
    const r = new Float64Array(3 * file.contacts);
    return solveFullForm(file, { ...exact, acceleration, tolerance: 5e-3, iterations: 1000 }, r).iterations;
  };
  expect(count(true)).toBeLessThan(0.7 * count(false));
});

test('sleeping contacts: half of the projections or fewer, the same δ∞', () => {
  const file = hairBundle(1, 2);
  const run = (sleeping: boolean) => {
    const r = new Float64Array(3 * file.contacts);
    return solveFullForm(
      file,
      { ...exact, sweeps: 10, sleeping, tolerance: 5e-3, iterations: 400, acceleration: true },
      r,
    );
  };
  const all = run(false);
  const few = run(true);
  expect(few.status).toBe(all.status);
  expect(few.contactSolves / few.iterations).toBeLessThan((0.5 * all.contactSolves) / all.iterations);
});

test('a node and a body share an impact by their masses; bilateral rows hold both', () => {
  for (const kind of [CONTACT_COULOMB, CONTACT_BILATERAL]) {
    const problem = freeNodes(1, 0, [[0, -3, 0]]);
    resizeAdmmProblem(problem, 4, 1);
    problem.bodyInverseMass[0] = 1 / 4;
    problem.bodyLength[0] = 1;
    problem.f.fill(0, 4, 12);
    const c = addContact(problem.contacts, kind);
    problem.contacts.coefficient[4 * c] = 1;
    problem.contacts.normal[4 * c + 1] = 1;
    problem.contacts.body[2 * c + 1] = 0;
    const { state } = solve(problem, 0, { tolerance: 1e-12, iterations: 3000 });
    expect(state.v[1]).toBeCloseTo(-3 / 5, 7);
    expect(state.v[5]).toBeCloseTo(-3 / 5, 7);
  }
});

test('contacts found on the way are appended and obeyed', () => {
  const problem = freeNodes(2, 0, [
    [0, -1, 0],
    [0, -1, 0],
  ]);
  touch(problem, 0, -1, 0);
  const state = createAdmmState();
  resizeAdmmState(state, 8);
  state.lambda.fill(0);
  for (let i = 0; i < 8; i++) state.v[i] = problem.f[i];
  const operator = {
    solve(v: Float64Array, right: Float64Array) {
      for (let i = 0; i < 8; i++) v[i] = right[i] / (1 + problem.weight[i]);
    },
  };
  const report = createAdmmReport();
  let looks = 0;
  const findNew = () => {
    if (++looks === 1) touch(problem, 1, -1, 0);
  };
  solveAdmm(
    problem,
    operator,
    state,
    { ...defaultAdmmOptions, iterations: 300, tolerance: 1e-10, newCollisionsEvery: 2 },
    report,
    findNew,
  );
  expect(report.added).toBe(1);
  expect(state.v[1]).toBeCloseTo(0, 8);
  expect(state.v[5]).toBeCloseTo(0, 8);
});
