import { createWorld } from 'bitecs';
import { addRigidBody, createPhysics, loadGame, saveGame } from 'stiction';

const settings = { timeStep: 1 / 60 };
const physics = createPhysics(createWorld(), settings);
addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
export const crate = addRigidBody(physics, { shape: { box: [0.5, 0.5, 0.5] }, position: [0, 2, 0] });

// #region save
/** For a file, IndexedDB, or a server. */
export function save(): Uint8Array {
  return saveGame(physics); // with a checksum: a damaged file is refused by name
}

/** In a fresh page: the same settings, nothing in the world yet. */
export function load(bytes: Uint8Array) {
  const fresh = createPhysics(createWorld(), settings);
  const numbers = loadGame(fresh, bytes); // new entity numbers by the old
  return { fresh, crate: numbers.get(crate) ?? crate };
}
// #endregion save
export { physics };
