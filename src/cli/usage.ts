// What all commands share: how they are described, and how they say that the call is wrong.

/** Exit status of the process: done; it ran and failed; the input or the call is wrong. */
export const EXIT = { done: 0, failed: 1, refused: 2 } as const;

/** Where a command writes; the real streams, or a test's. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Whether `err` is a terminal: only then is there a progress bar. */
  readonly terminal: boolean;
}

/** One word of the command line. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Text of `stiction NAME --help`. */
  readonly help: string;
  /** Runs it; returns the exit status, or throws CallError for a wrong call and UsageError for wrong input. */
  run(args: readonly string[], streams: Streams): number | Promise<number>;
}

/** The call is wrong: an unknown flag, a missing file, an unwritable path. The message fits on one line. */
export class CallError extends Error {
  override readonly name = 'CallError';
}
