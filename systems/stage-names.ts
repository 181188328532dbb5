// The stages of a step, by name and in order.

/** One step's data flow (architecture, One step). No later stage writes back into an earlier stage's table. */
export const STAGES = [
  'copy-in', // user columns, spawned and removed entities → tables
  'predict-motion', // free velocity
  'find-pairs', // fattened boxes → pair table
  'find-contacts', // points, normals, gaps; last step's impulses carried over
  'modify-contacts', // conveyor surfaces; the game's own rules (physics.modifyContacts)
  'build-islands', // wake what is touched; union-find over contacts
  'solve-contacts', // per island: choose, assemble, solve
  'integrate-motion', // positions and rotations
  'update-sleep', // islands that rest fall asleep
  'emit-events', // contact entities begin and end
  'copy-out', // moved slots → columns
] as const;

export type StageName = (typeof STAGES)[number];
