// Threads in a page with the package as it is published: the same bits with workers and without, the page is never
// blocked, and the reason is told where the page is not isolated or its policy forbids workers.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describePages } from '../setup/published-page';
import { longTest } from '../setup/suite';

const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
/** Headers of the pages. */
const PAGES: Record<string, Record<string, string>> = {
  '/': ISOLATED,
  '/plain': {},
  '/strict': { ...ISOLATED, 'Content-Security-Policy': "worker-src 'none'" },
};

const PROGRAM = `
  import { createWorld } from 'bitecs';
  import { addGroom, createPhysics } from 'stiction';
  const [strands, vertices] = [120, 16];
  const positions = [];
  for (let s = 0; s < strands; s++)
    for (let i = 0; i < vertices; i++) positions.push(0.00105 * (s % 12), -0.01 * i, 0.00105 * Math.floor(s / 12));
  window.run = async (threads) => {
    const told = [];
    const warn = (text) => told.push(text);
    const physics = createPhysics(createWorld(), { threads, warn, gravity: [6, -8, 0], sleeping: false });
    const counts = new Int32Array(strands).fill(vertices);
    addGroom(physics, { strands: { counts, positions }, radius: 0.0005, clampStart: true });
    await physics.threadsReady;
    for (let k = 0; k < 5; k++) physics.step();
    const { count, reason } = physics.report.threads;
    const answer = { hash: physics.hash(), told, count, reason };
    physics.dispose();
    return answer;
  };`;

interface Run {
  hash: string;
  told: string[];
  count: number;
  reason: string;
}

const run = (page: Page, threads: number) => page.evaluate(`run(${threads})`) as Promise<Run>;

describePages('threads in a page', { program: PROGRAM, ready: 'run', pages: PAGES }, (open) => {
  longTest('the same bits for any number of threads; workers end with their world', async () => {
    const page = await open('/');
    const alone = await run(page, 0);
    expect(alone).toMatchObject({ count: 1, reason: '', told: [] });
    for (const threads of [2, 3])
      expect(await run(page, threads)).toEqual({ hash: alone.hash, told: [], count: threads, reason: '' });
    await expect.poll(() => page.workers().length).toBe(0);
  });

  longTest('a page that is not isolated, and one that forbids workers: one thread, and why', async () => {
    const { hash } = await run(await open('/'), 0);
    const plain = await run(await open('/plain'), 2);
    expect(plain).toMatchObject({ hash, count: 1, told: [expect.stringContaining('not cross-origin isolated')] });
    const strict = await run(await open('/strict'), 2);
    expect(strict).toMatchObject({ hash, count: 1, told: [expect.stringContaining('worker-src blob:')] });
  });
});
