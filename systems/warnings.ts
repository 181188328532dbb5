// What a game most likely did not mean, told once a world and kind of mistake, with the remedy.
//
// Nothing here changes what the engine does. Columns are written far from where they are read, so a value that has no
// effect is told here and in `report.limits`; calls with wrong input throw where they are made.

import type { Physics } from './physics';

/** Tells `text` by `settings.warn`, the first time that `kind` comes up in this world. */
export function warnOnce({ internal, settings }: Physics, kind: string, text: string): void {
  if (internal.warned.has(kind)) return;
  internal.warned.add(kind);
  if (settings.warn) settings.warn(`stiction: ${text}`);
}

/** A value in a column that has no effect: listed in the report of this step, and told once a column. */
export function tellIgnored(physics: Physics, column: string, eid: number, expectation: string, got: unknown): void {
  const text = `${column} of entity ${eid}: ${expectation}, got ${String(got)}`;
  physics.internal.notes.push(text);
  warnOnce(physics, column, `${text}. Columns are checked as a step begins; report.limits names every such value.`);
}
