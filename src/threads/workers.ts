// Workers of browsers and of Node, behind one face.

import program from 'virtual:thread-worker';
import type { WorkerStart } from './worker';

/** A worker that has been started. */
export interface Thread {
  /** Fulfilled once it waits for jobs; rejected if it never does. */
  readonly ready: Promise<void>;
  /** Ends it at once. */
  terminate(): void;
}

/** The worker of Node, as far as it is used here. */
interface NodeWorker {
  on(name: 'message' | 'error', listener: (value: unknown) => void): void;
  on(name: 'exit', listener: () => void): void;
  postMessage(message: unknown): void;
  terminate(): void;
  unref(): void;
}

type NodeThreads = { Worker: new (program: string, options: { eval: true }) => NodeWorker };
type NodeSystem = { availableParallelism(): number };
type NodeProcess = { getBuiltinModule?(name: string): unknown };

function nodeModule<Module>(name: string): Module | null {
  const { process } = globalThis as { process?: NodeProcess };
  return (process?.getBuiltinModule?.(name) as Module | undefined) ?? null;
}

/** Cores of this machine, as far as it tells. */
export function coreCount(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return navigator?.hardwareConcurrency ?? nodeModule<NodeSystem>('node:os')?.availableParallelism() ?? 1;
}

/** Why there can be no workers on a shared memory here; null: there can be. */
export function threadsMissing(): string | null {
  const scope = globalThis as { crossOriginIsolated?: boolean; SharedArrayBuffer?: unknown; Worker?: unknown };
  const remedy = 'the server must send Cross-Origin-Opener-Policy: same-origin and ';
  if (scope.crossOriginIsolated === false)
    return `the page is not cross-origin isolated: ${remedy}Cross-Origin-Embedder-Policy: require-corp`;
  if (!scope.SharedArrayBuffer) return 'there is no SharedArrayBuffer here';
  if (!nodeModule('node:worker_threads') && !scope.Worker) return 'there are no workers here';
  return null;
}

/**
 * Starts a worker. `fail` is told when it ends of itself. Throws where the page's policy (worker-src) forbids it.
 */
export function startThread(start: WorkerStart, fail: (reason: string) => void): Thread {
  const node = nodeModule<NodeThreads>('node:worker_threads');
  return node ? startInNode(node, start, fail) : startInBrowser(start, fail);
}

function startInNode({ Worker }: NodeThreads, start: WorkerStart, fail: (reason: string) => void): Thread {
  const worker = new Worker(program, { eval: true });
  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (message) => (message === 'ready' ? resolve() : fail(String(message))));
    worker.on('error', (error) => {
      reject(error);
      fail(String(error));
    });
    worker.on('exit', () => {
      reject(new Error('a worker ended'));
      fail('a worker ended');
    });
  });
  worker.postMessage(start);
  // It must not keep a program alive that has nothing else to do. (After `ready`, which somebody awaits.)
  const unref = () => worker.unref();
  ready.then(unref, unref);
  return { ready, terminate: () => worker.terminate() };
}

function startInBrowser(start: WorkerStart, fail: (reason: string) => void): Thread {
  const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(address, { name: `stiction ${start.index + 1}` });
  const ready = new Promise<void>((resolve, reject) => {
    worker.onmessage = ({ data }) => (data === 'ready' ? resolve() : fail(String(data)));
    worker.onerror = (event) => {
      const reason = `a worker failed: ${event.message ?? 'the page may forbid it (worker-src blob:)'}`;
      reject(new Error(reason));
      fail(reason);
    };
  });
  const revoke = () => URL.revokeObjectURL(address);
  ready.then(revoke, revoke);
  worker.postMessage(start);
  return { ready, terminate: () => worker.terminate() };
}
