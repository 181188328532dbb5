// Every scene of the gallery gives the same bits on any number of threads.

import { afterEach, expect } from 'vitest';
import { SCENES } from '../../demos/scenes/index';
import { type GoldenRun, startDemo } from '../golden/rod-scenes';
import { longTest } from '../setup/suite';

const STEPS = 30;
/** Steps after which hashes are compared: what differs is then found near where it began. */
const EVERY = 10;

const runs: GoldenRun[] = [];

afterEach(() => {
  for (const { physics } of runs.splice(0)) physics.dispose();
});

longTest.each(SCENES.map((scene) => [scene.id, scene] as const))('%s', { timeout: 600_000 }, async (_id, scene) => {
  const hashesOf = async (threads: number) => {
    const run = startDemo(scene, { threads });
    runs.push(run);
    const { physics } = run;
    await physics.threadsReady;
    expect(physics.report.threads).toEqual({ count: Math.max(1, threads), reason: '' });
    const hashes: string[] = [];
    for (let step = 1; step <= STEPS; step++) {
      run.step();
      if (step % EVERY === 0) hashes.push(physics.hash());
    }
    return hashes;
  };
  const alone = await hashesOf(0);
  for (const threads of [1, 2, 3, 8]) expect(await hashesOf(threads), `${threads} threads`).toEqual(alone);
});
