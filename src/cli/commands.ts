// The table of commands. A new one is a file beside this one and a row here.

import { bench } from './bench';
import { run } from './run';
import { CallError, type Command } from './usage';

/** A command that the format promises and the engine does not have yet: it says so in one line. */
function notYet(name: string, usage: string, summary: string): Command {
  return {
    name,
    summary,
    help: `stiction ${usage}\n\n${summary}.\nNot supported yet.\n`,
    run() {
      throw new CallError('not supported yet');
    },
  };
}

/** All commands, in the order of the help text. */
export const COMMANDS: readonly Command[] = [
  run,
  notYet('solve', 'solve PROBLEM --solver S [options]', 'Solve a friction problem file'),
  bench,
];
