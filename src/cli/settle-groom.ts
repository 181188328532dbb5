// A groom among what it touches, let settle: where it comes to lie, and the contact forces that hold it there.
//
// Contacts are left out of a bake, so hair that is drawn within a head is pushed out of it when it is played. Here that
// is done beforehand: the groom, baked without contacts, stands in its scene with contacts until it is at rest; the
// shape it has then and the forces of its contacts are what the second bake holds. Scripted motions are left out.

import { createWorld } from 'bitecs';
import { addScene, sceneSettings } from '../../systems/add-scene';
import { rodContactForces } from '../../systems/contact-forces';
import { createPhysics } from '../../systems/create-physics';
import { rodPositions, rodVelocities } from '../../systems/rods';
import { enableSagFree } from '../../systems/sag-free';
import type { Bytes } from '../scene/grooms/groom';
import { nameRods } from '../scene/rod-names';
import type { Scene, SceneGroom } from '../scene/scene-types';
import type { GroomPoints } from '../static-equilibrium/bake-by-parts';

/** A name that no file of a scene can have. */
const BAKED = ':baked';

export interface SettledGroom {
  readonly strands: GroomPoints;
  /** Of contacts, 3 a point [N]. */
  readonly forces: Float64Array;
  /** Farthest that a point went from where it was drawn [m], and the fastest point at the end [m/s]. */
  readonly moved: number;
  readonly fastest: number;
}

/** Lets groom `name` of `scene` settle for `seconds`; `baked` is the file of its bake without contacts. */
export function settleGroom(
  scene: Scene,
  name: string,
  baked: Uint8Array,
  drawn: GroomPoints,
  seconds: number,
  readFile: (file: string) => Bytes,
): SettledGroom {
  const wanted = nameRods(scene).get(name)?.entry;
  const grooms = scene.grooms.map((groom): SceneGroom => {
    if (groom !== wanted) return groom;
    const { strands: _, vertices: __, maxStrands: ___, sagFree: ____, ...kept } = groom;
    return { ...kept, name, file: BAKED, scale: 1, position: [0, 0, 0], rotation: [0, 0, 0, 1] };
  });
  // Asleep, strands would keep the forces of before.
  const physics = createPhysics(createWorld(), { ...sceneSettings(scene), sleeping: false });
  try {
    enableSagFree(physics);
    const still = { ...scene, grooms, motions: [] };
    const added = addScene(physics, still, { readFile: (file) => (file === BAKED ? baked : readFile(file)) });
    const eid = added.rods.get(name)!;
    const steps = Math.max(1, Math.round(seconds / physics.settings.timeStep));
    for (let k = 0; k < steps; k++) physics.step();

    const positions = rodPositions(physics, eid);
    return {
      strands: { counts: drawn.counts, positions },
      forces: rodContactForces(physics, eid),
      moved: farthest(positions, drawn.positions),
      fastest: farthest(rodVelocities(physics, eid), new Float64Array(positions.length)),
    };
  } finally {
    physics.dispose();
  }
}

/** Largest distance of a point in `a` from its like in `b`. */
function farthest(a: Float64Array, b: Float64Array): number {
  let square = 0;
  for (let k = 0; k < a.length; k += 3) {
    square = Math.max(square, (a[k] - b[k]) ** 2 + (a[k + 1] - b[k + 1]) ** 2 + (a[k + 2] - b[k + 2]) ** 2);
  }
  return Math.sqrt(square);
}
