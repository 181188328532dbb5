// A progress bar of one line on a terminal; nothing anywhere else.

import type { Streams } from './usage';

export interface Progress {
  /** Says that step `done` took `milliseconds`; draws when the bar or the percentage changes. */
  show(done: number, milliseconds: number): void;
  /** Takes the bar away. */
  clear(): void;
}

const WIDTH = 30;

/** A bar for `steps` steps, or whatever `unit` is called, on the error stream. */
export function createProgress(streams: Streams, steps: number, quiet: boolean, unit = 'step'): Progress {
  if (!streams.terminal || quiet || steps === 0) return { show() {}, clear() {} };
  let shown = -1;
  let spent = 0;
  return {
    show(done, milliseconds) {
      spent += milliseconds;
      const percent = Math.floor((100 * done) / steps);
      if (percent === shown) return;
      shown = percent;
      const filled = Math.floor((WIDTH * done) / steps);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      streams.err(
        `\r${bar} ${percent} %  ${done}/${steps} ${unit}s  ${(spent / done).toFixed(2)} ms a ${unit} \u001b[K`,
      );
    },
    clear() {
      if (shown >= 0) streams.err('\r\u001b[K');
    },
  };
}
