// After the tests: what failed, once more and in short. FAILURES=FILE writes it there, for test/setup/run.mjs and
// .ci/run, which tell it last of all: a log of which only the end is kept says then what went wrong.

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const LINES = 12;

function told(where: string, errors: readonly SerializedError[]): string {
  const lines = errors.flatMap(({ message, stack }) => [
    ...stripVTControlCharacters(message ?? 'without a message')
      .split('\n')
      .slice(0, LINES),
    ...(stack ?? '')
      .split('\n')
      .filter((line) => line.includes('/test/'))
      .slice(0, 2),
  ]);
  return [`FAILED ${where}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

export default class Failures implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    if (!process.env.FAILURES) return;
    const failed: string[] = [];
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      if (module.errors().length > 0) failed.push(told(file, module.errors()));
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) failed.push(told(`${file}: ${suite.fullName}`, suite.errors()));
      for (const test of module.children.allTests('failed'))
        failed.push(told(`${file}: ${test.fullName}`, test.result().errors ?? []));
      // Without a result: its process ended.
      if (module.state() === 'pending' || module.state() === 'queued') failed.push(`FAILED ${file}: without a result`);
    }
    if (unhandled.length > 0) failed.push(told('outside of tests', unhandled));
    writeFileSync(process.env.FAILURES, failed.map((text) => `${text}\n`).join(''));
  }
}
