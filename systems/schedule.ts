// THE order of a step. Stages are data; a game adds its own systems by name, before or after any of them.

import { refuse } from '../src/core/errors';
import type { Recorder } from '../src/core/profile';
import { callGame } from './ecs-changes';
import type { ScheduleRunner, System } from './physics';
import type { StageName } from './stage-names';

/** A schedule of the given stages; their times go to `recorder`. */
export function createSchedule(stages: readonly (readonly [StageName, System])[], recorder: Recorder): ScheduleRunner {
  // Replaced, never edited: a system may add or remove systems while the step runs.
  let names: readonly string[] = stages.map(([name]) => name);
  let systems: readonly System[] = stages.map(([, system]) => system);
  // As the game gave them: a system may be named by itself.
  let given: readonly System[] = systems;
  recorder.setStages(names);
  let changed = false;

  const insert = (where: string, offset: number, stage: string | System, system: System, label?: string) => {
    if (typeof system !== 'function') refuse(where, 'system must be a function', system);
    if (label !== undefined && typeof label !== 'string') refuse(where, 'name must be a string', label);
    const at = typeof stage === 'function' ? given.indexOf(stage) : names.indexOf(stage);
    if (at < 0) refuse(where, `stage must be one of ${names.join(', ')}, or a system added before`, stage);
    let name = label ?? (system.name || 'system');
    for (let k = 2; names.includes(name); k++) name = `${label ?? (system.name || 'system')} ${k}`;
    names = names.toSpliced(at + offset, 0, name);
    // What it throws waits for the end of the step: half a step would be taken again.
    systems = systems.toSpliced(at + offset, 0, (step) => callGame(step.physics, () => system(step)));
    given = given.toSpliced(at + offset, 0, system);
    changed = true;
    return () => {
      const i = names.indexOf(name);
      if (i < 0) return;
      names = names.toSpliced(i, 1);
      systems = systems.toSpliced(i, 1);
      given = given.toSpliced(i, 1);
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
