// Baking in a page with the package as it is published and another bundler's settings: in workers, the same bits for
// any number of them and without any, while the page goes on.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describePages } from '../setup/published-page';
import { longTest } from '../setup/suite';

const PROGRAM = `
  import { createWorld } from 'bitecs';
  import { addGroom, bakeGroom, createPhysics } from 'stiction';
  const positions = [];
  for (let s = 0; s < 48; s++) {
    for (let i = 0; i < 40; i++) {
      positions.push(0.004 * i, 0.01 * Math.round(9 * Math.sin(0.5 * i + s)) / 9, 0.01 * s);
    }
  }
  const strands = { counts: new Array(48).fill(40), positions };
  window.bake = async (workers) => {
    const physics = createPhysics(createWorld());
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const told = [];
    const baked = await bakeGroom(physics, { strands }, { workers, onProgress: (done) => told.push(done) });
    clearInterval(timer);
    addGroom(physics, { strands: baked, selfContact: false, mask: 0 });
    for (let k = 0; k < 10; k++) physics.step();
    const { forceLeft } = baked.report;
    return { hash: physics.hash(), numbers: [...baked.rest.bendFactors], ticks, told, forceLeft };
  };
  window.halt = async () => {
    const stop = new AbortController();
    const bake = bakeGroom(createPhysics(createWorld()), { strands }, { workers: 2, signal: stop.signal });
    stop.abort('enough');
    return bake.then(() => 'done', (reason) => reason);
  };`;

interface Baked {
  hash: string;
  numbers: number[];
  ticks: number;
  told: number[];
  forceLeft: unknown[];
}

/** The second forbids workers. */
const PAGES = { '/': {}, '/strict': { 'Content-Security-Policy': "worker-src 'none'" } };
const bake = (page: Page, workers: number) => page.evaluate(`bake(${workers})`) as Promise<Baked>;

describePages('baking in a page', { program: PROGRAM, ready: 'bake', pages: PAGES }, (open) => {
  longTest(
    'gives the same bits with one worker, three, and where workers are forbidden; the page goes on',
    async () => {
      const page = await open('/');
      const one = await bake(page, 1);
      const three = await bake(page, 3);
      expect(one.told).toEqual([16, 32, 48]);
      expect(three.told.length).toBe(3);
      expect(one.forceLeft).toEqual([]);
      expect(one.ticks).toBeGreaterThan(2);
      expect(await page.evaluate('halt()')).toBe('enough');
      const alone = await bake(await open('/strict'), 3);
      expect(alone.ticks).toBeGreaterThan(2);
      for (const other of [three, alone]) {
        expect(other.hash).toBe(one.hash);
        expect(other.numbers).toEqual(one.numbers);
      }
    },
  );
});
