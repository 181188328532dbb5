// Arrow keys and space, as long as they are held: for scenes that the visitor steers.

import type { HeldKeys } from '../scenes/rig';

/** After so long without a key the scene steers itself again [ms]. */
const PATIENCE = 6000;

const held = new Set<string>();
let last = Number.NEGATIVE_INFINITY;

if (typeof window !== 'undefined') {
  const note = (isDown: boolean) => (event: KeyboardEvent) => {
    if (!/^(Arrow(Up|Down|Left|Right)|Shift)$/.test(event.key)) return;
    const at = event.target as HTMLElement | null;
    if (at && /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return;
    if (isDown) held.add(event.key);
    else held.delete(event.key);
    last = event.timeStamp;
    if (event.key !== 'Shift') event.preventDefault();
  };
  window.addEventListener('keydown', note(true));
  window.addEventListener('keyup', note(false));
  window.addEventListener('blur', () => held.clear());
}

/** What is held down; null when nothing has been for a while. */
export function heldKeys(): HeldKeys | null {
  if (held.size === 0 && (typeof window === 'undefined' || !(performance.now() - last < PATIENCE))) return null;
  const has = (key: string) => (held.has(key) ? 1 : 0);
  return { x: has('ArrowRight') - has('ArrowLeft'), y: has('ArrowUp') - has('ArrowDown'), up: held.has('Shift') };
}
