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

/** How much the error of a contact's rows counts against a change between sticking and sliding, a change before [-]. */
const DOUBT = 0.25;

/**
 * Weighs all contacts at the velocities `work.u`: states change at once, frictions are proposed for `applyFrictions`.
 */
export function evaluateContacts(
  rows: ContactRows,
  work: Work,
  { constraintTolerance }: ConjugateResidualOptions,
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
    const norm = proposeFriction(rows.mu[c], work, c, constraintTolerance);
    if (norm > 0) changes.frictions++;
    changes.frictionNorm += norm;
  }
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
  const { state, u, slip, load, lastLoad, across } = work;
  const at = 3 * c;
  const speed = Math.sqrt(u[at + 1] * u[at + 1] + u[at + 2] * u[at + 2]);
  state[c] = speed > 0 || mu === 0 ? SLIDE : STICK;
  load[c] = lastLoad[c] = 0;
  slip[2 * c] = speed > 0 ? u[at + 1] / speed : 1;
  slip[2 * c + 1] = speed > 0 ? u[at + 2] / speed : 0;
  across[c] = -1;
}

/**
 * Lines 11 to 17 of Algorithm 2. What decides is the friction that a local step would ask
 * for, r_T − u_T/(Z S_d): outside the cone the contact slides, inside it sticks. (The paper looks at the
 * sign of u_Tᵀ δ alone, and so takes a slip that must turn by a right angle for one that has ended:
 * contacts at the edge then cycle for ever.) One that has gone to and fro is weighed the more strictly, by what its own
 * rows are still off by.
 */
function switchFriction(mu: number, work: Work, c: number, tolerance: number): void {
  const { state, u, r, slip, load, lastLoad, slides, across, rowResidual } = work;
  const at = 3 * c;
  const g = tangentGive(work, c);
  const x = r[at + 1] - u[at + 1] / g;
  const y = r[at + 2] - u[at + 2] / g;
  const wanted = Math.sqrt(x * x + y * y);
  let error = 0;
  for (let i = at; i < at + 3; i++) error = Math.max(error, Math.abs(rowResidual[i]));
  const room = tolerance + DOUBT * slides[c] * error;
  if (state[c] === SLIDE) {
    // Against the friction that it has, which may lag behind its normal impulse.
    if ((wanted - mu * load[c]) * g < -room) state[c] = STICK;
    return;
  }
  const limit = mu * Math.max(r[at], 0);
  const excess = (wanted - limit) * g;
  const friction = Math.sqrt(r[at + 1] * r[at + 1] + r[at + 2] * r[at + 2]);
  if (!(excess > room) || !((friction - limit) * g > room)) return;
  state[c] = SLIDE;
  slip[2 * c] = -x / wanted;
  slip[2 * c + 1] = -y / wanted;
  // The first time the force stays what it was, as in the paper. A stuck contact far outside its cone would jump
  // between both states for ever: from then on it begins with what its normal impulse allows.
  load[c] = lastLoad[c] = slides[c] === 0 ? friction / mu : Math.max(r[at], 0);
  if (slides[c] < 255) slides[c]++;
  r[at + 1] = -mu * load[c] * slip[2 * c];
  r[at + 2] = -mu * load[c] * slip[2 * c + 1];
  across[c] = load[c] > 0 ? excess / (mu * load[c]) : -1;
}

/**
 * Algorithm 3 as a proposal; what it would do to the residual, squared, 0 if there is nothing to change. δ turns to
 * where a local step would slip, against r_T − u_T/(Z S_d). (The paper's target is the velocity itself once it is off
 * by ε_θ = 1.2°, and δ goes α_θ = 0.01 of the way. The velocity of a contact that has just begun to slip is the
 * residual's: any direction.)
 */
function proposeFriction(mu: number, work: Work, c: number, tolerance: number): number {
  const { u, r, slip, load, lastLoad, nextLoad, nextSlip } = work;
  const at = 3 * c;
  const g = tangentGive(work, c);
  const now = Math.max(r[at], 0);
  const isLoadDue = Math.abs(now - load[c]) * mu * g > tolerance;
  // Simple moving average of two.
  const average = isLoadDue ? 0.5 * (now + lastLoad[c]) : load[c];
  let x = slip[2 * c];
  let y = slip[2 * c + 1];
  const wantedX = u[at + 1] / g - r[at + 1];
  const wantedY = u[at + 2] / g - r[at + 2];
  const wanted = Math.sqrt(wantedX * wantedX + wantedY * wantedY);
  let isTurnDue = false;
  if (wanted > 0) {
    const sin = (x * wantedY - y * wantedX) / wanted;
    const cos = (x * wantedX + y * wantedY) / wanted;
    isTurnDue = Math.abs(sin) * mu * average * g > tolerance || cos < 0;
    if (isTurnDue) {
      x = wantedX / wanted;
      y = wantedY / wanted;
    }
  }
  if (!isLoadDue && !isTurnDue) return 0;
  const dx = mu * average * x + r[at + 1];
  const dy = mu * average * y + r[at + 2];
  nextLoad[c] = average;
  nextSlip[2 * c] = x;
  nextSlip[2 * c + 1] = y;
  return g * (dx * dx + dy * dy);
}

/** Makes the proposals true. */
export function applyFrictions(rows: ContactRows, work: Work): void {
  const { r, u, slip, load, lastLoad, nextLoad, nextSlip, across } = work;
  for (let c = 0; c < rows.count; c++) {
    if (nextLoad[c] < 0) continue;
    const at = 3 * c;
    const x = nextSlip[2 * c];
    const y = nextSlip[2 * c + 1];
    load[c] = nextLoad[c];
    lastLoad[c] = Math.max(r[at], 0);
    slip[2 * c] = x;
    slip[2 * c + 1] = y;
    r[at + 1] = -rows.mu[c] * load[c] * x;
    r[at + 2] = -rows.mu[c] * load[c] * y;
    across[c] = load[c] > 0 ? Math.max(x * u[at + 1] + y * u[at + 2], 0) / (rows.mu[c] * load[c]) : -1;
    nextLoad[c] = -1;
  }
}

/** How far a contact and those like it give way along the tangents to a unit of impulse in each of them [1/kg]. */
function tangentGive({ give, alike }: Work, c: number): number {
  return alike[2 * c + 1] * Math.max(give[3 * c + 1], give[3 * c + 2]);
}
