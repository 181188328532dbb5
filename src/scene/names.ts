// The name of every body of a scene, copies included, in the order in which they are built.
//
// Given names are kept; copies are called <name>-0, <name>-1, ...; bodies without a name are called
// body-<place>, repeats without one repeat-<place>. A made-up name that somebody has already gives way
// (body-1 becomes body-1.2), a given one never does: two equal given names are a mistake that the reader refuses.

import type { Scene, SceneBody, SceneRepeat } from './scene-types';

/** One body to be: its name, what it is, and the copy it is of a repeat (-1 for a body of its own). */
export interface NamedBody {
  readonly name: string;
  readonly body: SceneBody;
  /** Place in `bodies`, or in `repeat` when it is a copy. */
  readonly place: number;
  /** Which copy; -1 for no copy. */
  readonly copy: number;
}

/** Copies along x, y and z; a row counts as a lattice of one dimension. */
function copiesOf(repeat: SceneRepeat): number {
  const { count } = repeat;
  return typeof count === 'number' ? count : count[0] * count[1] * count[2];
}

/** All bodies by name. `onClash` hears of a given name that is there already. */
export function nameBodies(
  scene: Scene,
  onClash?: (clash: NamedBody, first: NamedBody) => void,
): Map<string, NamedBody> {
  const named = new Map<string, NamedBody>();

  const put = (entry: NamedBody) => {
    const first = named.get(entry.name);
    if (first) onClash?.(entry, first);
    else named.set(entry.name, entry);
  };

  // Given names first, so that made-up ones can give way.
  scene.bodies.forEach((body, place) => {
    if (body.name !== undefined) put({ name: body.name, body, place, copy: -1 });
  });

  scene.repeat.forEach((repeat, place) => {
    if (repeat.body.name === undefined) return;
    const copies = copiesOf(repeat);
    for (let copy = 0; copy < copies; copy++) {
      put({ name: `${repeat.body.name}-${copy}`, body: repeat.body, place, copy });
    }
  });

  const ordered = new Map<string, NamedBody>();

  const invent = (wanted: string, body: SceneBody, place: number, copy: number) => {
    let name = wanted;
    for (let k = 2; named.has(name) || ordered.has(name); k++) name = `${wanted}.${k}`;
    ordered.set(name, { name, body, place, copy });
  };
  const keep = (name: string) => {
    const entry = named.get(name);
    if (entry) ordered.set(name, entry);
  };
  scene.bodies.forEach((body, place) => {
    if (body.name === undefined) invent(`body-${place}`, body, place, -1);
    else keep(body.name);
  });

  scene.repeat.forEach((repeat, place) => {
    const copies = copiesOf(repeat);
    for (let copy = 0; copy < copies; copy++) {
      if (repeat.body.name === undefined) invent(`repeat-${place}-${copy}`, repeat.body, place, copy);
      else keep(`${repeat.body.name}-${copy}`);
    }
  });

  return ordered;
}
