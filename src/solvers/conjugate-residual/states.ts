/**
 * Algorithms 2 and 3: which contacts are active, which of those stick, and the friction of those that slide, μ λ′
 * δ: λ′ the moving average of the normal impulse, δ a direction that follows the velocity.
 *
 * A change is a change only if it moves the contact by more than ε₂ as a velocity, Z S_d Δr; all others are let go,
 * so that contacts on the edge between two states do not cycle. Conditions of the paper that compare with zero have
 * room of ε₂: at convergence u of an active row is zero but for rounding, and its sign would be chance.
 */
import { OPEN, SLIDE, STICK } from '../../core/contact-law-constants';
import type { ConjugateResidualOptions } from './options';
import type { ContactRows } from './rows';
import type { Work } from './work';

/** What an evaluation changed. */
export interface Changes {
  /** Contacts that went into another state. */
  states: number;
  /** Sliding contacts whose friction should be another, in `work.nextLoad` and `work.nextSlip`. */
  frictions: number;
  /** Squared norm of what that would do to the residual [kg (m/s)²]. */
  frictionNorm: number;
}

/**
 * First share of the way that δ turns towards the velocity [-]; it grows while δ turns to one side and halves when it
 * turns back, down to the paper's fixed α_θ = 0.01. (With 0.01 throughout a direction that is wrong by a right angle
 * takes some hundred evaluations; with 1 slow slips oscillate.)
 */
const FIRST_TURN = 0.5;
const LEAST_TURN = 0.001;

/**
 * Weighs all contacts at the velocities `work.u`: states change at once, frictions are proposed for `applyFrictions`.
 * `exact`: directions count whatever their angle.
 */
export function evaluateContacts(
  rows: ContactRows,
  work: Work,
  { constraintTolerance, directionCosine }: ConjugateResidualOptions,
  exact: boolean,
  changes: Changes,
): void {
  const { state } = work;
  changes.states = 0;
  changes.frictions = 0;
  changes.frictionNorm = 0;
  for (let c = 0; c < rows.count; c++) {
    work.nextLoad[c] = -1;
    if (rows.bilateral && rows.bilateral[c] === 1) continue;
    const before = state[c];
    // A normal that nothing moves keeps the impulse that it was given, and friction goes by it.
    if (work.give[3 * c] > 0) setActive(rows, work, c, constraintTolerance);
    const hasFriction = rows.mu[c] > 0 && tangentGive(work, c) > 0;
    if (state[c] === before && state[c] !== OPEN && hasFriction) {
      switchFriction(rows.mu[c], work, c, constraintTolerance);
    }
    if (state[c] !== before) changes.states++;
    if (state[c] !== SLIDE || before === OPEN || !hasFriction) continue;
    const cosine = exact ? 1 : directionCosine;
    const norm = proposeFriction(rows.mu[c], work, c, constraintTolerance, cosine);
    if (norm > 0) changes.frictions++;
    changes.frictionNorm += norm;
  }
}

/** No turn of δ yet. */
export function forgetTurns({ turn, turnSide }: Work, c: number): void {
  turn[c] = FIRST_TURN;
  turnSide[c] = 0;
}

/** Lines 5 to 9 of Algorithm 2. */
function setActive(rows: ContactRows, work: Work, c: number, tolerance: number): void {
  const { state, u, r, give, alike } = work;
  const at = 3 * c;
  if (state[c] === OPEN) {
    if (u[at] < -tolerance) beginSlip(rows.mu[c], work, c);
    return;
  }
  if (r[at] > 0 || u[at] < -tolerance) return;
  if (-r[at] * alike[2 * c] * give[at] <= tolerance && u[at] <= tolerance) return;
  state[c] = OPEN;
  r.fill(0, at, at + 3);
}

/** An activated contact slides until it is known that it sticks: no friction yet, against the velocity later. */
function beginSlip(mu: number, work: Work, c: number): void {
  const { state, u, slip, load, lastLoad } = work;
  const at = 3 * c;
  const speed = Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
  state[c] = speed > 0 || mu === 0 ? SLIDE : STICK;
  load[c] = lastLoad[c] = 0;
  slip[2 * c] = speed > 0 ? u[at + 1] / speed : 1;
  slip[2 * c + 1] = speed > 0 ? u[at + 2] / speed : 0;
  forgetTurns(work, c);
}

/**
 * Lines 11 to 17 of Algorithm 2. What decides is the friction that a local step would ask
 * for, r_T − u_T/(Z S_d): outside the cone the contact slides, inside it sticks. (The paper looks at the
 * sign of u_Tᵀ δ alone, and so takes a slip that must turn by a right angle for one that has ended:
 * contacts at the edge then cycle for ever.)
 */
function switchFriction(mu: number, work: Work, c: number, tolerance: number): void {
  const { state, u, r, slip, load, lastLoad, slides } = work;
  const at = 3 * c;
  const g = tangentGive(work, c);
  const x = r[at + 1] - u[at + 1] / g;
  const y = r[at + 2] - u[at + 2] / g;
  const wanted = Math.sqrt(x * x + y * y);
  const excess = (wanted - mu * Math.max(r[at], 0)) * g;
  if (state[c] === SLIDE) {
    if (excess < -tolerance) state[c] = STICK;
    return;
  }
  const friction = Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]);
  if (!(excess > tolerance) || !((friction - mu * Math.max(r[at], 0)) * g > tolerance)) return;
  state[c] = SLIDE;
  slip[2 * c] = -x / wanted;
  slip[2 * c + 1] = -y / wanted;
  // The first time the force stays what it was, as in the paper. A stuck contact far outside its cone would jump
  // between both states for ever: from then on it begins with what its normal impulse allows.
  load[c] = lastLoad[c] = slides[c] === 0 ? friction / mu : Math.max(r[at], 0);
  if (slides[c] < 255) slides[c]++;
  r[at + 1] = -mu * load[c] * slip[2 * c];
  r[at + 2] = -mu * load[c] * slip[2 * c + 1];
  forgetTurns(work, c);
}

/** Algorithm 3 as a proposal; what it would do to the residual, squared, 0 if there is nothing to change. */
function proposeFriction(mu: number, work: Work, c: number, tolerance: number, cosine: number): number {
  const { u, r, slip, load, lastLoad, turn, turnSide, nextLoad, nextSlip } = work;
  const at = 3 * c;
  const g = tangentGive(work, c);
  const now = Math.max(r[at], 0);
  const isLoadDue = Math.abs(now - load[c]) * mu * g > tolerance;
  // Simple moving average of two.
  const average = isLoadDue ? 0.5 * (now + lastLoad[c]) : load[c];
  let x = slip[2 * c];
  let y = slip[2 * c + 1];
  const speed = Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
  let isTurnDue = false;
  if (speed > tolerance) {
    const alongX = u[at + 1] / speed;
    const alongY = u[at + 2] / speed;
    const sin = x * alongY - y * alongX;
    const cos = x * alongX + y * alongY;
    isTurnDue = (cosine === 1 || cos < cosine) && Math.abs(sin) * mu * average * g > tolerance;
    if (isTurnDue) {
      const share = nextTurn(turn[c], turnSide[c], sin);
      x += share * (alongX - x);
      y += share * (alongY - y);
      const length = Math.sqrt(x * x + y * y);
      x /= length;
      y /= length;
    }
  }
  if (!isLoadDue && !isTurnDue) return 0;
  const dx = mu * (average * x - load[c] * slip[2 * c]);
  const dy = mu * (average * y - load[c] * slip[2 * c + 1]);
  nextLoad[c] = average;
  nextSlip[2 * c] = x;
  nextSlip[2 * c + 1] = y;
  return g * (dx * dx + dy * dy);
}

/** The share after one that turned to `side`, if the next turn is to the side of `sin`. */
function nextTurn(share: number, side: number, sin: number): number {
  if (side * sin < 0) return Math.max(LEAST_TURN, 0.5 * share);
  return side === 0 ? share : Math.min(1, 1.3 * share);
}

/** Makes the proposals true. */
export function applyFrictions(rows: ContactRows, work: Work): void {
  const { r, slip, load, lastLoad, turn, turnSide, nextLoad, nextSlip } = work;
  for (let c = 0; c < rows.count; c++) {
    if (nextLoad[c] < 0) continue;
    const at = 3 * c;
    const x = nextSlip[2 * c];
    const y = nextSlip[2 * c + 1];
    const sin = slip[2 * c] * y - slip[2 * c + 1] * x;
    if (sin !== 0) {
      turn[c] = nextTurn(turn[c], turnSide[c], sin);
      turnSide[c] = sin > 0 ? 1 : -1;
    }
    load[c] = nextLoad[c];
    lastLoad[c] = Math.max(r[at], 0);
    slip[2 * c] = x;
    slip[2 * c + 1] = y;
    r[at + 1] = -rows.mu[c] * load[c] * x;
    r[at + 2] = -rows.mu[c] * load[c] * y;
    nextLoad[c] = -1;
  }
}

/** How far a contact and those like it give way along the tangents to a unit of impulse in each of them [1/kg]. */
function tangentGive({ give, alike }: Work, c: number): number {
  return alike[2 * c + 1] * Math.max(give[3 * c + 1], give[3 * c + 2]);
}
