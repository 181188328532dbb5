// A worker by itself, on a module of our own that counts: it touches the memory only while a job waits for it.

import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import * as C from '../../src/threads/control';
import { startThread } from '../../src/threads/workers';

/** What the module counts, in words of its memory: calls of takeState, and of runRange. */
const TAKEN = 0;
const RANGES = 1;

const section = (id: number, ...body: number[]) => [id, body.length, ...body];
const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
/** A function that adds 1 to a word: i32.store(at, i32.load(at) + 1). */
const increment = (word: number) => [15, 0, 65, 4 * word, 65, 4 * word, 40, 2, 0, 65, 1, 106, 54, 2, 0, 11];

function makeModule(): WebAssembly.Module {
  const [oneArgument, fourArguments] = [
    [96, 1, 127, 0],
    [96, 4, 127, 127, 127, 127, 0],
  ];
  const sharedMemory = [2, 3, 1, 1];
  const binary = [
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...section(1, 2, ...oneArgument, ...fourArguments),
    ...section(2, 1, ...name('env'), ...name('memory'), ...sharedMemory),
    ...section(3, 2, 0, 1),
    ...section(7, 2, ...name('takeState'), 0, 0, ...name('runRange'), 0, 1),
    ...section(10, 2, ...increment(TAKEN), ...increment(RANGES)),
  ];
  return new WebAssembly.Module(Uint8Array.from(binary));
}

test('a worker that comes when the job is over leaves the memory alone', async () => {
  const control = new Int32Array(new SharedArrayBuffer(4 * C.WORDS));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const words = new Int32Array(memory.buffer);
  const failures: string[] = [];
  const start = { ...{ control, memory, modules: [makeModule()] }, ...{ index: 0, staticBytes: 64, staticStart: 0 } };
  const thread = startThread(start, (reason) => failures.push(reason));
  await thread.ready;
  const announce = (epoch: number, next: number) => {
    control[C.COUNT] = 1;
    control[C.GRAIN] = 1;
    control[C.TICKETS] = 1;
    control[C.STATICS] = 1024;
    Atomics.store(control, C.NEXT, next);
    Atomics.store(control, C.EPOCH, epoch);
    Atomics.notify(control, C.EPOCH);
  };

  // Its only ticket is taken: the memory of the job may be the world's by now.
  announce(1, (1 << C.TICKET_BITS) | 1);
  for (let i = 0; i < 20 && Atomics.load(words, TAKEN) === 0; i++) await setTimeout(10);
  expect(Atomics.load(words, TAKEN)).toBe(0);

  announce(2, 2 << C.TICKET_BITS);
  for (let i = 0; i < 500 && Atomics.load(control, C.DONE) === 0; i++) await setTimeout(10);
  expect([Atomics.load(words, TAKEN), Atomics.load(words, RANGES)]).toEqual([1, 1]);
  expect(failures).toEqual([]);
  thread.terminate();
});
