// Threads for one world: the same kernels on a shared memory, with a pool of workers.
//
// A world starts on one thread and its own memory, at once. Meanwhile the shared kernels are fetched and compiled, and
// workers started; between two steps the state then moves to a shared memory, and the kernels' functions are replaced
// (kernels/instantiate). Results are the same bits before and after. Where anything is missing the world stays as it
// is, and says why.

import { type Arena, moveArena } from '../core/arena';
import { createAbort, hostKernels, type KernelModule } from '../kernels/instantiate';
import { type SharedExports, sharedModules } from '../kernels/shared-kernels';
import { bytesOf, unpackSlowly } from '../kernels/unpack';
import { ARENA_BASE, HEADER_END } from '../state/layout';
import * as C from './control';
import { createPool, type Pool } from './pool';
import { stripData } from './strip-data';
import { coreCount, startThread, type Thread, threadsMissing } from './workers';

const PAGE = 65536;
/** What kernels are compiled for at most, and what is tried where the machine does not reserve as much [pages]. */
const MAXIMA = [32767, 16384, 8192, 4096];
/** Most threads of 'auto': more share one memory's bandwidth, and a game has other work. */
const MOST_BY_ITSELF = 4;

/** The world that gets threads. */
export interface ThreadedWorld {
  readonly arena: Arena;
  /** Objects with the exports of modules that it has so far: their functions are replaced. */
  readonly taken: Map<KernelModule, object>;
  /** End of what lies above the arena's top [B]. */
  readonly end: () => number;
  /** Told once, when threads that worked are given up. */
  readonly tell: (reason: string) => void;
  /** Whether the world is gone. */
  readonly isDisposed: () => boolean;
  /** Whether threads note how long they work. */
  readonly isTimed: boolean;
}

/** Threads in all for a setting. */
export function threadCount(wanted: number | 'auto'): number {
  return wanted === 'auto' ? Math.min(coreCount(), MOST_BY_ITSELF) : wanted;
}

/** Moves a world to so many threads, the caller's included. Returns the reason where it cannot be. */
export async function startThreads(world: ThreadedWorld, wanted: number | 'auto'): Promise<Pool | string> {
  const count = threadCount(wanted);
  if (count < 2) return 'this machine has one core';
  const missing = threadsMissing();
  if (missing) return missing;
  const threads: Thread[] = [];
  let pool: Pool | null = null;
  let failure = '';
  const fail = (reason: string) => {
    failure ||= reason;
    if (pool === null || pool.reason !== '' || world.isDisposed()) return;
    pool.stop(reason);
    world.tell(reason);
  };
  try {
    const modules = await compileModules();
    const memory = reserveMemory(world.arena);
    const control = new Int32Array(new SharedArrayBuffer(4 * C.WORDS));
    const start = {
      control,
      memory,
      modules: modules.map(({ bare }) => bare),
      staticBytes: STATIC_BYTES,
      staticStart: HEADER_END,
    };
    for (let index = 0; index < count - 1; index++) threads.push(startThread({ ...start, index }, fail));
    await Promise.all(threads.map(({ ready }) => ready));
    if (world.isDisposed()) throw new Error('the world is gone');
    if (failure) throw new Error(failure);
    pool = moveWorld(world, memory, modules, control, threads);
    return pool;
  } catch (error) {
    for (const thread of threads) thread.terminate();
    return error instanceof Error ? error.message : String(error);
  }
}

const STATIC_BYTES = ARENA_BASE - HEADER_END;

interface Modules {
  readonly name: KernelModule;
  readonly whole: WebAssembly.Module;
  /** For workers. */
  readonly bare: WebAssembly.Module;
}

let compiled: Promise<Modules[]> | null = null;

/** The modules, compiled once a page. */
function compileModules(): Promise<Modules[]> {
  compiled ??= Promise.all(
    sharedModules.map(async ({ name, embedded }) => {
      const binary = await unpackSlowly(bytesOf(embedded));
      const [whole, bare] = await Promise.all([WebAssembly.compile(binary), WebAssembly.compile(stripData(binary))]);
      return { name, whole, bare };
    }),
  );
  return compiled;
}

/** A shared memory with room for the arena. Throws RangeError where there is none. */
function reserveMemory({ memory }: Arena): WebAssembly.Memory {
  const initial = memory.buffer.byteLength / PAGE;
  for (const maximum of MAXIMA) {
    try {
      return new WebAssembly.Memory({ initial, maximum, shared: true });
    } catch (error) {
      if (maximum === MAXIMA[MAXIMA.length - 1] || maximum < initial) throw error;
    }
  }
  throw new RangeError('no shared memory');
}

function moveWorld(
  world: ThreadedWorld,
  memory: WebAssembly.Memory,
  modules: readonly Modules[],
  control: Int32Array,
  threads: readonly Thread[],
): Pool {
  const { arena, taken } = world;
  // The world may have grown since the memory was made.
  const pages = (arena.memory.buffer.byteLength - memory.buffer.byteLength) / PAGE;
  if (pages > 0) memory.grow(pages);
  const instances: SharedExports[] = [];
  const pool = createPool({
    arena,
    control,
    threads,
    instances,
    staticBytes: STATIC_BYTES,
    stateBytes: () => Math.max(...instances.map((instance) => instance.stateSize())),
    end: world.end,
    tell: world.tell,
    isTimed: world.isTimed,
  });
  // Instances first: where one cannot be made, the world stays where it is.
  modules.forEach(({ name, whole }, module) => {
    const forkRanges = (kind: number, things: number, grain: number, scratch: number) =>
      pool.fork(module, kind, things, grain, scratch);
    const imports = {
      env: { memory, own: 0, abort: createAbort(name) },
      fork: { forkRanges, lendMemory: pool.lend },
    };
    instances.push(new WebAssembly.Instance(whole, imports).exports as unknown as SharedExports);
  });
  moveArena(arena, memory);
  for (const [name, object] of taken) Object.assign(object, instances[modules.findIndex((m) => m.name === name)]);
  hostKernels(memory, { take: (name) => ({ ...instances[modules.findIndex((m) => m.name === name)] }) });
  return pool;
}
