// From the words of the command line to a command, and from whatever it throws to a line and an exit status.

import { version } from '../../package.json';
import { UsageError } from '../core/errors';
import { COMMANDS } from './commands';
import { CallError, EXIT, type Streams } from './usage';

function helpText(): string {
  const rows = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n');
  return `stiction: real-time physics with exact Coulomb friction

  stiction COMMAND [options]

${rows}

  stiction COMMAND --help    what a command takes
  stiction --version

Exit status: 0 done, 1 it ran and failed, 2 the input or the call is wrong.
`;
}

/** Runs the command line `args` (without the names of the interpreter and the script); never throws. */
export async function dispatch(args: readonly string[], streams: Streams): Promise<number> {
  const [word, ...rest] = args;
  if (word === '--version' || word === '-v') {
    streams.out(`${version}\n`);
    return EXIT.done;
  }
  if (word === '--help' || word === '-h' || (word === 'help' && rest.length === 0)) {
    streams.out(helpText());
    return EXIT.done;
  }
  if (word === undefined) {
    streams.err('stiction: COMMAND is missing; stiction --help lists what there is\n');
    return EXIT.refused;
  }
  const command = COMMANDS.find(({ name }) => name === word);
  if (!command) {
    const what = word.startsWith('-') ? 'option' : 'command';
    streams.err(`stiction: unknown ${what} ${JSON.stringify(word)}; stiction --help lists what there is\n`);
    return EXIT.refused;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    streams.out(command.help);
    return EXIT.done;
  }
  try {
    return await command.run(rest, streams);
  } catch (error) {
    const refused = error instanceof CallError || error instanceof UsageError;
    const message = error instanceof Error ? error.message : String(error);
    for (const line of message.split('\n')) streams.err(`stiction ${command.name}: ${line}\n`);
    return refused ? EXIT.refused : EXIT.failed;
  }
}
