// THE order of a step. Stages are data; a game adds its own systems by name, before or after any of them.

import { refuse } from '../src/core/errors';
import type { Recorder } from '../src/core/profile';
import { callGame } from './ecs-changes';
import type { ScheduleRunner, System } from './physics';

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

/** A schedule of the given stages; their times go to `recorder`. */
export function createSchedule(stages: readonly (readonly [StageName, System])[], recorder: Recorder): ScheduleRunner {
  // Replaced, never edited: a system may add or remove systems while the step runs.
  let names: readonly string[] = stages.map(([name]) => name);
  let systems: readonly System[] = stages.map(([, system]) => system);
  recorder.setStages(names);
  let changed = false;

  const insert = (where: string, offset: number, stage: string, system: System, given?: string) => {
    if (typeof system !== 'function') refuse(where, 'system must be a function', system);
    if (given !== undefined && typeof given !== 'string') refuse(where, 'name must be a string', given);
    const at = names.indexOf(stage);
    if (at < 0) refuse(where, `stage must be one of ${names.join(', ')}`, stage);
    let name = given ?? (system.name || 'system');
    for (let k = 2; names.includes(name); k++) name = `${given ?? (system.name || 'system')} ${k}`;
    names = names.toSpliced(at + offset, 0, name);
    // What it throws waits for the end of the step: half a step would be taken again.
    systems = systems.toSpliced(at + offset, 0, (step) => callGame(step.physics, () => system(step)));
    changed = true;
    return () => {
      const i = names.indexOf(name);
      if (i < 0) return;
      names = names.toSpliced(i, 1);
      systems = systems.toSpliced(i, 1);
      changed = true;
    };
  };

  return {
    schedule: {
      get names() {
        return names;
      },
      before: (stage, system, name) => insert('schedule.before', 0, stage, system, name),
      after: (stage, system, name) => insert('schedule.after', 1, stage, system, name),
    },
    run(step) {
      if (changed) {
        recorder.setStages(names);
        changed = false;
      }
      const order = systems;
      recorder.beginStep();
      for (let i = 0; i < order.length; i++) {
        order[i](step);
        recorder.endStage(i);
      }
      recorder.endStep();
    },
  };
}
