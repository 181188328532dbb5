// The package's bin: `npx stiction ...`. The real streams and the exit status; everything else is in dispatch.ts.

import { dispatch } from './dispatch';
import { EXIT } from './usage';

// A reader that closes the pipe early (`stiction run x | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    process.stderr.write(`stiction: cannot write to standard output: ${error.code ?? 'unknown reason'}\n`);
    process.exitCode = EXIT.failed;
  }
});
process.stderr.on('error', () => {});

// The status is set, not exited with: what is still in the pipe gets written.
process.exitCode = await dispatch(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  terminal: process.stderr.isTTY === true,
});
