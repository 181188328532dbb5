// The name of every solid of a scene, in the order in which they are built.
//
// Given names are kept; without one a solid is called solid-<place>, and gives way to a given name (solid-1 becomes
// solid-1.2).

import type { Scene, SceneSolid } from './scene-types';

export interface NamedSolid {
  readonly name: string;
  readonly place: number;
  readonly solid: SceneSolid;
}

/** All solids by name. `onClash` hears of a given name that is there already. */
export function nameSolids(
  scene: Scene,
  onClash?: (clash: NamedSolid, first: NamedSolid) => void,
): Map<string, NamedSolid> {
  const given = new Map<string, NamedSolid>();
  scene.solids.forEach((solid, place) => {
    if (solid.name === undefined) return;
    const first = given.get(solid.name);
    if (first) onClash?.({ name: solid.name, place, solid }, first);
    else given.set(solid.name, { name: solid.name, place, solid });
  });
  const ordered = new Map<string, NamedSolid>();
  scene.solids.forEach((solid, place) => {
    let name = solid.name ?? `solid-${place}`;
    if (solid.name === undefined) {
      for (let k = 2; given.has(name) || ordered.has(name); k++) name = `solid-${place}.${k}`;
    } else if (given.get(name)?.solid !== solid) return;
    ordered.set(name, { name, place, solid });
  });
  return ordered;
}
