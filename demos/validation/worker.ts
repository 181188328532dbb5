// Runs the experiments off the page's thread and sends what they find as it comes.

import { EXPERIMENTS } from './experiments';
import type { ExperimentId, Note, Order } from './protocol';

const tell = (note: Note) => postMessage(note);

self.onmessage = (event: MessageEvent<Order>) => {
  for (const experiment of Object.keys(EXPERIMENTS) as ExperimentId[]) {
    const start = performance.now();
    try {
      for (const outcome of EXPERIMENTS[experiment](event.data.setup)) tell({ ...outcome, experiment });
      tell({ kind: 'finished', experiment, milliseconds: performance.now() - start });
    } catch (error) {
      tell({ kind: 'failed', experiment, message: error instanceof Error ? error.message : String(error) });
    }
  }
  tell({ kind: 'done' });
};
