// The end of a strand's solve: velocities and λ back to the tables, and strands whose numbers went bad out of the way.

import { type AdmmProblem, unknownCount } from '../../solvers/admm/problem';
import * as L from '../../state/layout';
import { DUAL_WEIGHT, TWIST } from '../../state/node-places';
import type { Engine } from '../engine';
import type { ElasticContacts } from './collect-contacts';

/** Whether `count` numbers from `start` on are all finite. */
export function isFinite4(values: Float64Array, start: number, count: number): boolean {
  let sum = 0;
  for (let i = start; i < start + count; i++) sum += values[i] - values[i];
  return sum === 0;
}

/** Takes a strand whose numbers went bad out of the simulation: it stays where it was last. */
export function quarantineStrand(engine: Engine, strand: number): void {
  const { arena, tables } = engine;
  const { strands, nodes } = tables;
  strands.flags[strand] |= L.STRAND_QUARANTINED;
  arena.i32[L.STRAND_BAD_COUNT >> 2]++;
  engine.report.strands.quarantined++;
  const start = 4 * strands.first[strand];
  const end = start + 4 * strands.nodes[strand];
  for (const column of [nodes.velocity, nodes.predicted, nodes.dual, nodes.force]) column.fill(0, start, end);
  for (let i = start; i < end; i++)
    if (!Number.isFinite(nodes.position[i])) nodes.position[i] = finiteOr0(nodes.previous[i]);
  for (let i = start; i < end; i++) nodes.previous[i] = nodes.position[i];
}

function finiteOr0(x: number): number {
  return Number.isFinite(x) ? x : 0;
}

/**
 * Velocities and λ back to the tables, and the weights for the next step, one a node [kg]. If a number went bad in the
 * solve, contacts are given up for this step.
 */
export function storeSolution(
  engine: Engine,
  e: ElasticContacts,
  problem: AdmmProblem,
  state: { v: Float64Array; lambda: Float64Array },
  nextWeight: Float64Array,
): void {
  const { nodes, strands } = engine.tables;
  const elastic = problem.elasticCount;
  const count = unknownCount(problem);
  const isGood = isFinite4(state.v, 0, count);
  for (let i = 0; i < elastic; i += 4) {
    // What sleeps keeps its λ and weights until it wakes.
    if (strands.flags[nodes.strand[i >> 2]] & L.STRAND_ASLEEP) continue;
    for (let k = i; k < i + 3; k++) {
      nodes.predicted[k] = isGood ? state.v[k] : nodes.velocity[k];
      nodes.dual[k] = isGood ? state.lambda[k] : 0;
    }
    nodes.predicted[i + TWIST] = isGood ? state.v[i + TWIST] : nodes.velocity[i + TWIST];
    nodes.dual[i + DUAL_WEIGHT] = nextWeight[i >> 2];
  }
  for (let i = 0; i < 8 * e.bodyCount; i++) e.bodyVelocity[i] = isGood ? state.v[elastic + i] : problem.f[elastic + i];
  if (!isGood) problem.contacts.force.fill(0, 0, 4 * problem.contacts.count);
}

/** λ and weights of what is awake are 0 at the start of the next step: objects that follow each other in one go. */
export function forgetDuals({ arena, tables }: Engine): void {
  const { nodes } = tables;
  const { first, nodes: counts, flags } = tables.strands;
  const objects = arena.i32[L.STRAND_COUNT >> 2];
  let start = 0;
  let end = 0;
  for (let s = 0; s < objects; s++) {
    if (flags[s] & L.STRAND_ASLEEP) continue;
    const from = 4 * first[s];
    if (from !== end) {
      nodes.dual.fill(0, start, end);
      start = from;
    }
    end = from + 4 * counts[s];
  }
  nodes.dual.fill(0, start, end);
}

/** A number went bad in the solve: the step goes on with the velocities of its start and without forces. */
export function giveUpContacts(engine: Engine, e: ElasticContacts, problem: AdmmProblem): void {
  const { nodes, nodeContacts } = engine.tables;
  const elastic = problem.elasticCount;
  for (let i = 0; i < elastic; i++) nodes.predicted[i] = nodes.velocity[i];
  forgetDuals(engine);
  for (let i = 0; i < 8 * e.bodyCount; i++) e.bodyVelocity[i] = problem.f[elastic + i];
  problem.contacts.force.fill(0, 0, 4 * problem.contacts.count);
  e.joints.impulse.fill(0, e.bodyRow, e.joints.count);
  const { i32 } = engine.arena;
  nodeContacts.force.fill(0, 4 * i32[L.NODE_CONTACT_ASLEEP >> 2], 4 * i32[L.NODE_CONTACT_COUNT >> 2]);
}
