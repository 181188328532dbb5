import { createWorld } from 'bitecs';
import { createPhysics, loadGame, type Physics, type Snapshot, saveGame } from '../../src/index';

const kept: Snapshot[] = [];

/** A late input of step `late` arrived: back to it, and forward again with everyone's inputs. */
export function rollBack(physics: Physics, late: number, applyInputs: (step: number) => void): void {
  const now = physics.stepCount;
  physics.restore(kept[late]);
  while (physics.stepCount < now) {
    kept[physics.stepCount] = physics.snapshot();
    applyInputs(physics.stepCount);
    physics.step();
  }
}

export function step(physics: Physics, applyInputs: (step: number) => void): void {
  kept[physics.stepCount] = physics.snapshot();
  applyInputs(physics.stepCount);
  physics.step();
}

/** The game goes on in a fresh world, maybe on another page. */
export function reload(physics: Physics, hero: number): { physics: Physics; hero: number } {
  const bytes = saveGame(physics); // a Uint8Array with a checksum, for a file or IndexedDB
  const fresh = createPhysics(createWorld()); // with the same settings
  const numbers = loadGame(fresh, bytes); // new entity numbers by the old
  return { physics: fresh, hero: numbers.get(hero) as number };
}
