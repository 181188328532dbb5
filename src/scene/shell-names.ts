// The name of every shell of a scene, in the order in which they are built.
//
// Given names are kept; without one a shell is called shell-<place>, and gives way to a given name (shell-1 becomes
// shell-1.2).

import type { Scene, SceneShell } from './scene-types';

export interface NamedShell {
  readonly name: string;
  readonly place: number;
  readonly shell: SceneShell;
}

/** All shells by name. `onClash` hears of a given name that is there already. */
export function nameShells(
  scene: Scene,
  onClash?: (clash: NamedShell, first: NamedShell) => void,
): Map<string, NamedShell> {
  const given = new Map<string, NamedShell>();
  scene.shells.forEach((shell, place) => {
    if (shell.name === undefined) return;
    const first = given.get(shell.name);
    if (first) onClash?.({ name: shell.name, place, shell }, first);
    else given.set(shell.name, { name: shell.name, place, shell });
  });
  const ordered = new Map<string, NamedShell>();
  scene.shells.forEach((shell, place) => {
    if (shell.name !== undefined) {
      const named = given.get(shell.name);
      if (named?.shell === shell) ordered.set(shell.name, named);
      return;
    }
    let name = `shell-${place}`;
    for (let k = 2; given.has(name) || ordered.has(name); k++) name = `shell-${place}.${k}`;
    ordered.set(name, { name, place, shell });
  });
  return ordered;
}
