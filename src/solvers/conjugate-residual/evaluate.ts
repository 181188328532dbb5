// When contacts are evaluated, and what comes of it; and the states that a solve starts with.

import { OPEN, SLIDE, STICK } from '../../core/contact-law-constants';
import type { ConjugateResidualOptions } from './options';
import { scaleRows } from './preconditioner';
import { contactVelocities } from './rows';
import { applyFrictions, type Changes, evaluateContacts } from './states';
import type { MixedProblem, Work } from './work';

const changes: Changes = { states: 0, frictions: 0, frictionNorm: 0 };

/**
 * EvaluateConstraints at v; `norm` of the residual now. True if anything changed. `exact`: whatever is proposed is
 * done.
 */
export function evaluate(
  problem: MixedProblem,
  work: Work,
  options: ConjugateResidualOptions,
  norm: number,
  exact: boolean,
): boolean {
  contactVelocities(work.u, problem.rows, work.v);
  evaluateContacts(problem.rows, work, options, changes);
  if (changes.states > 0) scaleRows(problem, work);
  if (changes.frictions === 0) return changes.states > 0;
  const least = options.frictionShare * norm;
  if (!exact && changes.states === 0 && changes.frictionNorm <= least * least) return false;
  applyFrictions(problem.rows, work);
  scaleRows(problem, work);
  return true;
}

/** States of the impulses that a solve starts from. */
export function readStates({ rows }: MixedProblem, work: Work): void {
  const { state, r, slip, load, lastLoad, across } = work;
  for (let c = 0; c < rows.count; c++) {
    const at = 3 * c;
    const mu = rows.mu[c];
    across[c] = -1;
    work.slides[c] = 0;
    // switchFriction asks for it before there is one: nothing of the solve before, which may have ended in NaN.
    work.rowResidual.fill(0, at, at + 3);
    load[c] = lastLoad[c] = 0;
    if (rows.bilateral && rows.bilateral[c] === 1) {
      state[c] = STICK;
      continue;
    }
    const friction = Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]);
    if (!(r[at] > 0)) {
      state[c] = OPEN;
      r.fill(0, at, at + 3);
    } else if (mu > 0 && friction < (1 - 1e-9) * mu * r[at]) state[c] = STICK;
    else {
      state[c] = SLIDE;
      load[c] = lastLoad[c] = r[at];
      slip[2 * c] = friction > 0 ? -r[at + 1] / friction : 1;
      slip[2 * c + 1] = friction > 0 ? -r[at + 2] / friction : 0;
      r[at + 1] = -mu * r[at] * slip[2 * c];
      r[at + 2] = -mu * r[at] * slip[2 * c + 1];
    }
  }
}
