// Residual of the velocities that an island's bodies keep, after the second solve and all that corrects it.
//
// In: assembled contacts whose b is that of the kept velocity, impulses, velocities in the tables. Out: the one error
// measure (solvers/residual.ts), with u = H v + (b − H v_free) of the velocities themselves, not W r + b: what
// rescales them for their energy is in it. A contact that such a correction lets rebound faster or slower than
// Newton's rule says obeys the law of the energy: its target is the speed that it parts with.

import { residualAt } from '../solvers/residual';
import type { AssembledContacts } from './assemble-contacts';
import type { Engine } from './engine';
import { isRebounding, rowSpeed } from './rebound';

let velocity = new Float64Array(0);

/** Residual of the impulses `r` with the velocities in the tables [m/s]. `isScaled`: their energy was corrected. */
export function keptResidual(engine: Engine, a: AssembledContacts, r: Float64Array, isScaled: boolean): number {
  const { linearVelocity, angularVelocity } = engine.tables.bodies;
  const { b, contactCount } = a.problem;
  if (velocity.length < 3 * contactCount) velocity = new Float64Array(6 * contactCount);
  for (let row = 0; row < 3 * contactCount; row++) {
    velocity[row] = rowSpeed(a, row, linearVelocity, angularVelocity, 4, 0) + b[row] - a.free[row];
  }
  if (isScaled) {
    for (let c = 0; c < a.touchCount; c++) {
      const parts = velocity[3 * c] > a.problem.b[3 * c] - a.free[3 * c];
      if (parts && isRebounding(c)) velocity[3 * c] = 0;
    }
  }
  return residualAt(a.problem, r, velocity);
}
