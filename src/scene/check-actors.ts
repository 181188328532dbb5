// What the schema cannot see of characters, vehicles, ragdolls, volumes and watches: names, and the bodies they mean.

import { type Path, type Problems, quote } from './errors';
import type { NamedBody } from './names';
import type { SceneRagdoll } from './scene-actors';
import type { Scene } from './scene-types';

/** Name of a character, ragdoll or watch: its own, or its kind and place in the list. */
export function actorName(kind: 'character' | 'ragdoll' | 'watch', { name }: { name?: string }, place: number): string {
  return name ?? `${kind}-${place}`;
}

/** Name of the body of a bone. */
export function boneName(ragdoll: string, bone: string): string {
  return `${ragdoll}-${bone}`;
}

/** Adds every problem of the actors. Returns the names of all bodies, those of characters and bones too. */
export function checkActors(
  scene: Scene,
  bodies: ReadonlyMap<string, NamedBody>,
  problems: Problems,
): ReadonlySet<string> {
  const known = new Set(bodies.keys());
  const add = (name: string, path: Path) => {
    if (known.has(name)) problems.add(path, `must be unique, got ${quote(name)}, which a body has already`);
    known.add(name);
  };
  scene.characters.forEach((character, i) => {
    add(actorName('character', character, i), ['characters', i, 'name']);
  });
  scene.ragdolls.forEach((ragdoll, i) => {
    const path: Path = ['ragdolls', i];
    if ((ragdoll.bones === undefined) === (ragdoll.person === undefined)) {
      problems.add(path, 'must have either bones or person');
    }
    for (const bone of ragdoll.bones ?? []) add(boneName(actorName('ragdoll', ragdoll, i), bone.name), path);
    if (ragdoll.person) addPerson(ragdoll, i, known);
  });

  const cars = new Set<string>();
  scene.vehicles.forEach(({ body }, i) => {
    const path: Path = ['vehicles', i, 'body'];
    const named = bodies.get(body);
    if (!named) problems.add(path, `no such body, got ${quote(body)}`);
    else if (named.body.type !== 'dynamic') problems.add(path, `must be dynamic, got ${quote(named.body.type)}`);
    if (cars.has(body)) problems.add(path, `must have no wheels yet, got ${quote(body)} twice`);
    cars.add(body);
  });
  scene.volumes.forEach(({ min, max, center, radius, type }, i) => {
    const isBox = min !== undefined && max !== undefined && center === undefined && radius === undefined;
    const isBall = center !== undefined && radius !== undefined && min === undefined && max === undefined;
    if (!isBox && (!isBall || type === 'water')) {
      const expected = type === 'water' ? 'min and max' : 'either min and max, or center and radius';
      problems.add(['volumes', i], `must have ${expected}`);
    }
  });
  const watches = new Set<string>();
  scene.watches.forEach((watch, i) => {
    const name = actorName('watch', watch, i);
    if (watches.has(name)) problems.add(['watches', i, 'name'], `must be unique, got ${quote(name)}`);
    watches.add(name);
    if (watch.body !== undefined && !known.has(watch.body)) {
      problems.add(['watches', i, 'body'], `no such body, got ${quote(watch.body)}`);
    }
  });
  return known;
}

/** Names of the bones that personBones gives. */
const PERSON = [
  'hips',
  'chest',
  'head',
  ...['left', 'right'].flatMap((s) => [`${s} arm`, `${s} forearm`, `${s} thigh`, `${s} shin`]),
];

function addPerson(ragdoll: SceneRagdoll, place: number, known: Set<string>): void {
  for (const bone of PERSON) known.add(boneName(actorName('ragdoll', ragdoll, place), bone));
}
