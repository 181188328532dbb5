// A body's velocity from columns: finite, and no more than bodies may have.

import { limitVelocity } from '../src/dynamics/bodies';
import type { Physics } from './physics';
import { tellIgnored } from './warnings';

/** Sets velocity [m/s] and spin [rad/s] of a body; what is cut off is told. */
export function takeVelocity(
  physics: Physics,
  slot: number,
  eid: number,
  linear: ArrayLike<number>,
  angular: ArrayLike<number>,
): void {
  const { engine } = physics.internal;
  const { linearVelocity, angularVelocity } = engine.tables.bodies;
  const at = 4 * slot;
  for (let k = 0; k < 3; k++) {
    linearVelocity[at + k] = linear[k];
    angularVelocity[at + k] = angular[k];
  }
  limitVelocity(engine, slot);
  for (let k = 0; k < 3; k++) {
    if (linearVelocity[at + k] === linear[k] && angularVelocity[at + k] === angular[k]) continue;
    const got = [0, 1, 2].map((i) => linear[i]).concat([0, 1, 2].map((i) => angular[i]));
    tellIgnored(physics, 'Velocity', eid, 'bodies have at most 1000 m/s and 500 rad/s, which is taken', got.join(' '));
    return;
  }
}
