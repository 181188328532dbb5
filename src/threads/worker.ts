// What a worker runs: it waits for jobs, takes tickets, and works on their ranges with instances of its own.
//
// Bundled to text by vite.config.ts and started from it, so that no bundler of a game need know that there are workers.

import { clock } from '../core/profile';
import type { SharedExports } from '../kernels/shared-kernels';
import {
  BUSY,
  COUNT,
  claim,
  EPOCH,
  FAILED,
  finish,
  GRAIN,
  KIND,
  MODULE,
  note,
  SCRATCH,
  SCRATCH_SIZE,
  STATE,
  STATICS,
  STOP,
  TIMED,
} from './control';

/** The first and only message to a worker. */
export interface WorkerStart {
  readonly control: Int32Array;
  readonly memory: WebAssembly.Memory;
  /** Without static data: instantiating one writes nothing. */
  readonly modules: readonly WebAssembly.Module[];
  /** The worker's number, from 0. */
  readonly index: number;
  /** Bytes of a thread's static data, and where the main thread's begin. */
  readonly staticBytes: number;
  readonly staticStart: number;
}

/** Looks at EPOCH before it parks: some 20 µs, as jobs of a step follow each other closely. */
const LOOKS = 2000;

function awaitJob(control: Int32Array, seen: number): number {
  for (let i = 0; i < LOOKS; i++) {
    const epoch = Atomics.load(control, EPOCH);
    if (epoch !== seen) return epoch;
  }
  Atomics.wait(control, EPOCH, seen);
  return Atomics.load(control, EPOCH);
}

function serve({ control, memory, modules, index, staticBytes, staticStart }: WorkerStart): void {
  const instances: (SharedExports | undefined)[] = [];
  let statics = 0;
  const instanceOf = (module: number): SharedExports => {
    if (control[STATICS] !== statics) {
      statics = control[STATICS];
      instances.length = 0;
    }
    let instance = instances[module];
    if (instance) return instance;
    const abort = (_message: number, _file: number, line: number, column: number) => {
      throw new Error(`assertion failed at ${line}:${column}`);
    };
    // A range that would hand out ranges again works on them itself.
    const forkRanges = (kind: number, count: number) =>
      instance?.runRange(kind, 0, count, control[SCRATCH] + index * control[SCRATCH_SIZE]);
    const own = statics + index * staticBytes - staticStart;
    const imports = { env: { memory, own, abort }, fork: { forkRanges, lendMemory: () => 0 } };
    instance = new WebAssembly.Instance(modules[module], imports).exports as unknown as SharedExports;
    instances[module] = instance;
    return instance;
  };

  let epoch = 0;
  for (;;) {
    epoch = awaitJob(control, epoch);
    if (epoch === STOP) return;
    // Made before a ticket is taken, so that nobody waits for it; it writes nothing.
    instanceOf(control[MODULE]);
    Atomics.add(control, BUSY, 1);
    try {
      let instance: SharedExports | null = null;
      for (let ticket = claim(control, epoch); ticket >= 0; ticket = claim(control, epoch)) {
        // From its first ticket on the job waits for this worker; before, it may be over, its memory used for others.
        if (instance === null) {
          instance = instanceOf(control[MODULE]);
          instance.takeState(control[STATE]);
        }
        const [kind, count, grain] = [control[KIND], control[COUNT], control[GRAIN]];
        const scratch = control[SCRATCH] + index * control[SCRATCH_SIZE];
        const start = control[TIMED] ? clock() : 0;
        instance.runRange(kind, ticket * grain, Math.min(count, (ticket + 1) * grain), scratch);
        if (control[TIMED]) note(control, index + 1, start, clock());
        finish(control, ticket);
      }
    } finally {
      Atomics.sub(control, BUSY, 1);
    }
  }
}

function begin(start: WorkerStart, answer: (message: unknown) => void): void {
  answer('ready');
  try {
    serve(start);
  } catch (error) {
    Atomics.store(start.control, FAILED, 1);
    answer(String(error));
  }
}

/** What is used of a worker's scope, in browsers and in Node. */
interface Scope {
  readonly process?: { getBuiltinModule?(name: string): { parentPort: NodePort } };
  onmessage?: (event: { data: WorkerStart }) => void;
  postMessage?(message: unknown): void;
  close?(): void;
}

interface NodePort {
  once(name: 'message', listener: (start: WorkerStart) => void): void;
  postMessage(message: unknown): void;
  close(): void;
}

const scope = globalThis as unknown as Scope;
const port = scope.process?.getBuiltinModule?.('node:worker_threads').parentPort;
if (port) {
  port.once('message', (start) => {
    begin(start, (message) => port.postMessage(message));
    port.close();
  });
} else {
  scope.onmessage = ({ data }) => {
    begin(data, (message) => scope.postMessage?.(message));
    scope.close?.();
  };
}
