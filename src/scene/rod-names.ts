// The name of every rod and groom of a scene, in the order in which they are built: rods, then grooms.
//
// Given names are kept; without one a rod is called rod-<place>, a groom groom-<place>, and gives way to a given name
// (rod-1 becomes rod-1.2).

import type { Scene, SceneGroom, SceneRod } from './scene-types';

export interface NamedRod {
  readonly name: string;
  readonly kind: 'rods' | 'grooms';
  /** Place in the list of its kind. */
  readonly place: number;
  readonly entry: SceneRod | SceneGroom;
}

/** All rods and grooms by name. `onClash` hears of a given name that is there already. */
export function nameRods(scene: Scene, onClash?: (clash: NamedRod, first: NamedRod) => void): Map<string, NamedRod> {
  const all: [NamedRod['kind'], readonly (SceneRod | SceneGroom)[]][] = [
    ['rods', scene.rods],
    ['grooms', scene.grooms],
  ];
  const given = new Map<string, NamedRod>();
  for (const [kind, entries] of all) {
    entries.forEach((entry, place) => {
      if (entry.name === undefined) return;
      const named: NamedRod = { name: entry.name, kind, place, entry };
      const first = given.get(entry.name);
      if (first) onClash?.(named, first);
      else given.set(entry.name, named);
    });
  }
  const ordered = new Map<string, NamedRod>();
  for (const [kind, entries] of all) {
    entries.forEach((entry, place) => {
      if (entry.name !== undefined) {
        const named = given.get(entry.name);
        if (named?.entry === entry) ordered.set(entry.name, named);
        return;
      }
      const wanted = `${kind === 'rods' ? 'rod' : 'groom'}-${place}`;
      let name = wanted;
      for (let k = 2; given.has(name) || ordered.has(name); k++) name = `${wanted}.${k}`;
      ordered.set(name, { name, kind, place, entry });
    });
  }
  return ordered;
}
