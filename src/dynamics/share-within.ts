// How much of its impulses an island may get, where all of them would give it too much energy.

/**
 * Share of a change of velocities that brings the energy `before` to `most`, where all of it brings it to `solved`, and
 * the change by itself has `change` [J]; 0 where these are no numbers. The energy by a share s is before + linear s +
 * change s².
 */
export function shareWithin(before: number, solved: number, change: number, most: number): number {
  const linear = solved - before - change;
  const root = Math.sqrt(linear * linear + 4 * change * (most - before));
  return Number.isFinite(root) ? (root - linear) / (2 * change) : 0;
}
