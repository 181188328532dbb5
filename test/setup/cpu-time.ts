// Notes what every test file takes of the processor, for the reporter (dearest.ts): its own process, and the programs
// that it started and waited for (browsers, command lines).

import { readFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll, afterEach, beforeEach, type TaskMeta } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a test, without the programs that it started [ms]. */
    cpu?: number;
    /** Of the whole process and of programs that have ended, from its start to the end of this file [ms]. */
    process?: { readonly id: number; readonly cpu: number };
  }
}

const ownTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Of ended children; 0 where the system does not tell. */
function childrenTime(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // The command's name, in parentheses, may have blanks in it. Fields 16 and 17, in hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}

// Of tests only where somebody asks (dearest.ts): asking twice for each costs whole runs two seconds.
if (process.env.CPU_TIMES) {
  const started = new WeakMap<TaskMeta, number>();
  beforeEach(({ task }) => {
    started.set(task.meta, ownTime());
  });
  // Hooks of set-up files that come after a test run last.
  afterEach(({ task }) => {
    task.meta.cpu = ownTime() - (started.get(task.meta) ?? Number.NaN);
  });
}
// biome-ignore lint/correctness/noEmptyPattern: vitest reads fixtures out of this parameter, and refuses a name
afterAll(({}, { file }) => {
  file.meta.process = { id: process.pid, cpu: ownTime() + childrenTime() };
});
