// Threads of one world: asked for by `createPhysics`, fetched, and told about.

import type { KernelModule } from '../src/kernels/instantiate';
import type { Internal, Physics } from './physics';
import { warnOnce } from './warnings';

/** Moves the world to threads as soon as they are there; fulfilled then, or when there will be none. */
export async function beginThreads(physics: Physics, taken: Map<KernelModule, object>): Promise<void> {
  const { internal, settings } = physics;
  const { arena, image } = internal.engine;
  const state = internal.threads;
  const tell = (reason: string) => {
    state.reason = reason;
    noteThreads(internal);
    warnOnce(physics, 'threads', `threads: ${reason}; the world runs on one thread`);
  };
  try {
    const { startThreads } = await import('../src/threads/threads');
    const end = () => (image.key === null ? 0 : image.at + arena.layout.headerEnd + image.size);
    const started = await startThreads(
      { arena, taken, end, tell, isDisposed: () => internal.disposed, isTimed: settings.stageTimes },
      settings.threads,
    );
    if (typeof started === 'string') {
      if (!internal.disposed) tell(started);
      return;
    }
    state.pool = started;
    internal.unobserve.push(() => started.stop('the physics is disposed'));
    noteThreads(internal);
  } catch (error) {
    tell(`they could not be fetched (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** Writes how many threads work into the report. */
export function noteThreads({ engine, threads }: Internal): void {
  const { report } = engine;
  report.threads.count = threads.pool?.count ?? 1;
  report.threads.reason = threads.pool?.reason || threads.reason;
  threads.pool?.takeTimes(report.threads.busy);
}
