// Mechanical energy of the bodies and strands in a world, for the report of a run.

import type { Engine } from '../dynamics/engine';
import { unrotateVector } from '../math/quaternion';
import { elasticKind } from '../mechanics/kinds';
import { GRAVITY_OF_BODY } from '../state/contact-places';
import * as L from '../state/layout';
import { GRAVITY_SCALE } from '../state/material-places';

/** Energies [J]; the potential one is zero at the origin of the world. */
export interface Energy {
  kinetic: number;
  potential: number;
  /** Stretch, bending and twist of strands and surfaces. */
  elastic: number;
}

const spin = new Float64Array(3);

/**
 * Energy of all dynamic bodies, m v²/2 + ω·Iω/2 and −m g·x, and of all strands. Quarantined ones do not count.
 */
export function measureEnergy(engine: Engine): Energy {
  const { arena, tables, settings } = engine;
  const { bodies } = tables;
  const energy: Energy = { kinetic: 0, potential: 0, elastic: 0 };
  const count = arena.i32[L.BODY_COUNT >> 2];
  const wanted = L.BODY_ALIVE | L.BODY_DYNAMIC;
  for (let slot = 0; slot < count; slot++) {
    if ((bodies.flags[slot] & (wanted | L.BODY_QUARANTINED)) !== wanted) continue;
    const at = 4 * slot;
    const mass = 1 / bodies.inverseMass[slot];
    let square = 0;
    let height = 0;
    for (let k = 0; k < 3; k++) {
      square += bodies.linearVelocity[at + k] ** 2;
      height -= settings.gravity[k] * bodies.position[at + k];
    }
    unrotateVector(spin, 0, bodies.rotation, at, bodies.angularVelocity, at);
    const [x, y, z] = spin;
    const inertia = bodies.localInertia.subarray(8 * slot, 8 * slot + 6);
    const turning =
      inertia[0] * x * x +
      inertia[1] * y * y +
      inertia[2] * z * z +
      2 * (inertia[3] * x * y + inertia[4] * x * z + inertia[5] * y * z);
    energy.kinetic += 0.5 * (mass * square + turning);
    energy.potential += mass * bodies.damping[at + GRAVITY_OF_BODY] * height;
  }
  addStrands(energy, engine);
  return energy;
}

function addStrands(energy: Energy, { arena, tables, settings }: Engine): void {
  const { strands, nodes, rods } = tables;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (strands.flags[s] & L.STRAND_QUARANTINED) continue;
    for (const [name, joules] of Object.entries(elasticKind(strands.kind[s]).energy(tables, s))) {
      if (name === 'kinetic') energy.kinetic += joules;
      else energy.elastic += joules;
    }
    const gravityScale = rods.extra[4 * strands.rod[s] + GRAVITY_SCALE];
    for (let i = strands.first[s]; i < strands.first[s] + strands.nodes[s]; i++) {
      for (let k = 0; k < 3; k++) {
        energy.potential -= gravityScale * nodes.mass[2 * i] * settings.gravity[k] * nodes.position[4 * i + k];
      }
    }
  }
}
