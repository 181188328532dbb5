/**
 * Algorithms 2 and 4 of Daviet 2020: ADMM between the elastic equations and the contacts.
 *
 *   v   := argmin of the elastic energy + ½‖v − (p + λ)‖²_W:   (A + W) v = f + W (p + λ), factored once
 *   p   := v − λ projected on the feasible set (Algorithm 3, project.ts)
 *   λ   := λ + p − v
 *
 * until δ∞ = dt (‖vˡ − vˡ⁻¹‖∞ + ‖vˡ − p‖∞) [m] is below the tolerance. λ lives on the
 * unknowns, so the caller keeps it from step to step (§6.2.2); r̄ lives on the contacts. New collisions are looked
 * for every few iterations by a callback that appends rows (§6.2.3). Algorithm 4 adds momentum to p and λ and drops
 * it whenever the residual grows. Rigid bodies: A = M, W = bodyWeight·M, so v = (v_free + bodyWeight (p + λ))/(1 +
 * bodyWeight). Bodies without contacts have no weight.
 */

import { createIslands, makeWhole } from '../elastic/islands';
import type { LoopReport } from '../elastic/loop';
import { runRounds } from '../elastic/loop';
import { chooseLocal } from '../local/choose-local';
import { createLocalCounts, type LocalCounts } from '../local/hybrid';
import { pushBodies } from './body-contacts';
import type { AdmmOptions } from './options';
import { type AdmmProblem, CONTACT_PULL, CONTACT_SCALE, type ElasticOperator, unknownCount } from './problem';
import { prepareContacts } from './project';
import { createSides } from './sides';
import type { AdmmState } from './state';

export interface AdmmReport extends LoopReport {
  /** What the hybrid local solver needed. */
  local: LocalCounts;
}

export function createAdmmReport(): AdmmReport {
  return {
    status: 'iteration-limit',
    iterations: 0,
    sweeps: 0,
    contactSolves: 0,
    delta: 0,
    added: 0,
    local: createLocalCounts(),
  };
}

/**
 * Solves from `state.v` (the velocities without contacts) and `state.lambda` (of the last step) in place. The
 * answer is in state.v, the forces in problem.contacts.force. `findNew`, if given, appends contacts that the
 * velocities handed to it would violate, and returns; it sees the elastic part of v. Never throws.
 */
export function solveAdmm(
  problem: AdmmProblem,
  operator: ElasticOperator,
  state: AdmmState,
  options: AdmmOptions,
  report: AdmmReport,
  findNew: ((v: Float64Array) => void) | null = null,
): void {
  prepareContacts(problem, 0);
  markContactBodies(problem);
  startBodyDuals(problem, state.lambda, options.cohesion);
  const islands = makeWhole(createIslands(), options);
  const sides = createSides(problem, operator, state, options, chooseLocal(options.local, report.local), islands);
  if (findNew) sides.findNew = () => findNew(state.v);
  sides.open();
  const start = { timeStep: problem.timeStep, isSolved: false, looks: findNew !== null, islands };
  // The projection itself is the answer: no look sees anything else.
  runRounds(sides, sides, { ...options, geometricCorrection: false }, start, report);
  if (options.geometricCorrection) takeProjected(problem, state);
  // v has not heard of the last projection yet: after a single iteration it would know nothing of this step's contacts.
  else sides.solve(true);
}

/** Notes which bodies have contacts. */
export function markContactBodies(problem: AdmmProblem): void {
  const { contacts, bodyCount, bodyHasContacts } = problem;
  if (bodyCount === 0) return;
  bodyHasContacts.fill(0, 0, bodyCount);
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.blockOf[c] < 0) continue;
    for (let side = 0; side < 2; side++) {
      const body = contacts.body[2 * c + side];
      if (body >= 0) bodyHasContacts[body] = 1;
    }
  }
}

/** λ = W⁻¹ Bᵀ r of bodies, from the forces of last time: it is kept nowhere else. */
function startBodyDuals(problem: AdmmProblem, lambda: Float64Array, cohesion: boolean): void {
  const { contacts, bodyCount, elasticCount } = problem;
  if (bodyCount === 0) return;
  lambda.fill(0, elasticCount, elasticCount + 8 * bodyCount);
  const { force, normal, offset } = contacts;
  for (let c = 0; c < contacts.count; c++) {
    const at = 4 * c;
    const s = force[at + CONTACT_SCALE];
    if (contacts.blockOf[c] < 0 || !(s > 0)) continue;
    const pull = cohesion ? offset[at + CONTACT_PULL] : 0;
    const [x, y, z] = [
      force[at] / s - pull * normal[at],
      force[at + 1] / s - pull * normal[at + 1],
      force[at + 2] / s - pull * normal[at + 2],
    ];
    pushBodies(problem, lambda, c, x, y, z);
  }
}

/** v := p where p takes part. */
function takeProjected(problem: AdmmProblem, state: AdmmState): void {
  const { weight, elasticCount } = problem;
  const { v, p } = state;
  const count = unknownCount(problem);
  for (let i = 0; i < elasticCount; i++) if (weight[i] > 0) v[i] = p[i];
  for (let i = elasticCount; i < count; i++) v[i] = p[i];
}
