// The sides of a problem with islands: what has been done and waited is solved before it is projected again.

import { expect, test } from 'vitest';
import { defaultAdmmOptions } from '../../src/solvers/admm/options';
import {
  addContact,
  CONTACT_COULOMB,
  createAdmmProblem,
  type ElasticOperator,
  resizeAdmmProblem,
} from '../../src/solvers/admm/problem';
import { prepareContacts } from '../../src/solvers/admm/project';
import { createSides } from '../../src/solvers/admm/sides';
import { createAdmmState, resizeAdmmState } from '../../src/solvers/admm/state';
import { addIsland, addObject, createIslands, leaderOf, resetIslands } from '../../src/solvers/elastic/islands';
import { chooseLocal } from '../../src/solvers/local/choose-local';
import { createLocalCounts } from '../../src/solvers/local/hybrid';

const MASS = 1;
const STIFF = 8;
/** Number of the object that each call solved. */
const solved: number[][] = [];

/** Three nodes, an object and an island each, that fall on a floor: A = STIFF I, W = MASS I. */
function threeOnFloor() {
  const problem = createAdmmProblem();
  resizeAdmmProblem(problem, 12, 0);
  problem.timeStep = 0.01;
  problem.objectCount = 3;
  problem.objectOf = Int32Array.from({ length: 12 }, (_, i) => i >> 2);
  problem.objectKind = new Uint8Array(3).fill(1);
  for (let i = 0; i < 12; i++) {
    problem.f[i] = i % 4 === 1 ? -STIFF * (1 + (i >> 2)) : 0;
    problem.weight[i] = i % 4 < 3 ? MASS : 0;
    problem.inverseWeight[i] = i % 4 < 3 ? 1 / MASS : 0;
  }
  for (let node = 0; node < 3; node++) addFloor(node);
  function addFloor(node: number): void {
    const c = addContact(problem.contacts, CONTACT_COULOMB);
    problem.contacts.node[4 * c] = 4 * node;
    problem.contacts.coefficient[4 * c] = 1;
    problem.contacts.normal[4 * c + 1] = 1;
  }
  const operator: ElasticOperator = {
    solve(v, right, moving) {
      solved.push([0, 1, 2].filter((object) => moving[object] === 1));
      for (let i = 0; i < 12; i++) if (moving[i >> 2] === 1) v[i] = right[i] / (STIFF + problem.weight[i]);
    },
  };
  const islands = createIslands();
  resetIslands(islands, 3, 0);
  for (let object = 0; object < 3; object++) {
    addObject(islands, addIsland(islands, { iterations: 10, sweeps: 5, tolerance: 1e-9 }, 'going'), object);
  }
  const state = createAdmmState();
  resizeAdmmState(state, 12, 3);
  state.v.fill(0);
  state.lambda.fill(0);
  prepareContacts(problem, 0);
  const sides = createSides(
    problem,
    operator,
    state,
    defaultAdmmOptions,
    chooseLocal('hybrid', createLocalCounts()),
    islands,
  );
  sides.open();
  for (let i = 0; i < 3; i++) sides.rouse(i);
  return { problem, state, sides, islands };
}

test.each(['spent', 'converged'] as const)('what is %s and met is solved, alone, and its island goes on', (done) => {
  const { problem, state, sides, islands } = threeOnFloor();
  const round = () => {
    sides.project(1, false);
    sides.update();
  };
  sides.solve(false);
  round();
  islands.list[0].state = done;
  sides.leave(0);
  sides.solve(false);
  const before = [...state.v];
  solved.length = 0;

  // Node 1 runs into node 0, which waits.
  sides.findNew = () => {
    const c = addContact(problem.contacts, CONTACT_COULOMB);
    problem.contacts.node.set([0, 4], 4 * c);
    problem.contacts.coefficient.set([1, -1], 4 * c);
    problem.contacts.normal[4 * c] = 1;
  };
  expect(sides.look(false)).toBe(1);
  expect(solved).toEqual([[0]]);
  for (let k = 0; k < 3; k++) {
    const fresh = (problem.f[k] + MASS * (state.p[k] + state.lambda[k])) / (STIFF + MASS);
    expect(state.v[k]).toBeCloseTo(fresh, 14);
  }
  expect([...state.v.slice(4)]).toEqual(before.slice(4));
  expect(state.v[1]).not.toBe(before[1]);
  expect(leaderOf(islands, 1)).toBe(0);
  expect(islands.list.map(({ state: of }) => of)).toEqual(['going', 'idle', 'going']);
  expect([0, 2].map((i) => sides.movingCount(i))).toEqual([2, 1]);
});

test('what a new contact does not touch keeps its rest', () => {
  const { problem, sides, islands, state } = threeOnFloor();
  islands.list[0].rest = islands.list[1].rest = 1e9;
  sides.solve(false);
  sides.project(1, false);
  sides.update();
  expect([0, 1, 2].map((i) => sides.restingCount(i))).toEqual([1, 1, 0]);
  sides.findNew = () => {
    const c = addContact(problem.contacts, CONTACT_COULOMB);
    problem.contacts.node.set([4, 8], 4 * c);
    problem.contacts.coefficient.set([1, -1], 4 * c);
    problem.contacts.normal[4 * c] = 1;
  };
  solved.length = 0;
  sides.look(false);
  expect(solved).toEqual([]);
  expect([...state.moving.slice(0, 3)]).toEqual([0, 1, 1]);
  expect([0, 1].map((i) => sides.restingCount(i))).toEqual([1, 0]);
});
