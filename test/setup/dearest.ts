// After the tests: which files took the most of the processor. Wall clock depends on what else the machine does; this
// does next to not. CPU_TIMES=FILE writes that of every file and test.

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

interface Cost {
  readonly name: string;
  /** Processor time, start of its process included where the file has one of its own [s]. */
  readonly seconds: number;
  readonly tests: Record<string, number>;
}

const seconds = (milliseconds: number) => Math.round(milliseconds / 10) / 100;

/** What each file took: a process counts on from file to file, so that it is the difference to the one before. */
function costs(modules: readonly TestModule[]): Cost[] {
  const all = modules.flatMap((module) => {
    const used = module.meta().process;
    return used ? [{ module, ...used }] : [];
  });
  all.sort((a, b) => a.id - b.id || a.cpu - b.cpu);
  return all
    .map(({ module, id, cpu }, at) => {
      const before = all[at - 1];
      const tests = [...module.children.allTests()].map((test) => [test.fullName, seconds(test.meta().cpu ?? 0)]);
      return {
        name: relative(process.cwd(), module.moduleId),
        seconds: seconds(before?.id === id ? cpu - before.cpu : cpu),
        tests: Object.fromEntries(tests) as Record<string, number>,
      };
    })
    .sort((a, b) => b.seconds - a.seconds);
}

export default class Dearest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = costs(modules);
    const { user, system } = process.cpuUsage();
    const own = (user + system) / 1e6;
    const total = files.reduce((sum, file) => sum + file.seconds, own);
    const list = files.slice(0, SHOWN).map((file) => `${file.seconds.toFixed(1).padStart(8)}  ${file.name}`);
    if (files.length > 1)
      console.log(
        [
          `processor time: ${total.toFixed(0)} s, of it ${own.toFixed(0)} s of vitest itself; the dearest files:`,
          ...list,
          '',
        ].join('\n'),
      );
    if (process.env.CPU_TIMES) writeFileSync(process.env.CPU_TIMES, JSON.stringify({ total, own, files }, null, 1));
  }
}
