// The worker that bakes in a page: strands in, packed numbers out. Bundled into the library
// as text (systems/bake-groom.ts).

import type { GroomPoints } from './bake-by-parts';
import { type BakedNumbers, type BakeJob, bakeStrands } from './bake-strands';

/** To the worker. */
export interface PageOrder {
  readonly strands: GroomPoints;
  readonly job: BakeJob;
}

/** From the worker: the numbers, or what went wrong. */
export type PageAnswer = { readonly numbers: BakedNumbers } | { readonly error: string };

/** What is used of the worker's own scope. */
interface WorkerScope {
  onmessage: ((event: { readonly data: PageOrder }) => void) | null;
  postMessage(answer: PageAnswer, transfer?: ArrayBufferLike[]): void;
}

const scope = globalThis as unknown as WorkerScope;
scope.onmessage = ({ data: { strands, job } }) => {
  try {
    const numbers = bakeStrands(strands, job);
    scope.postMessage({ numbers }, [numbers.nodes.buffer, numbers.strands.buffer]);
  } catch (error) {
    scope.postMessage({ error: String(error) });
  }
};
