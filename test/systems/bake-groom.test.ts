// Grooms baked beforehand by a call: the same as addGroom makes, refused where addGroom would, stopped on request.
// In workers of a page: test/browser/bake-in-page.test.ts.

import { createWorld } from 'bitecs';
import { expect, it } from 'vitest';
import { addGroom, bakeGroom, createPhysics, enableSagFree, type GroomSpec, UsageError } from '../../src/index';

/** Strands that lie, 40 of them: three parts. */
function fringe(count = 40, points = 12): { counts: number[]; positions: number[] } {
  const positions: number[] = [];
  for (let s = 0; s < count; s++) {
    for (let i = 0; i < points; i++) positions.push(0.01 * i, 0.002 * Math.sin(i + s), 0.01 * s);
  }
  return { counts: new Array(count).fill(points), positions };
}

it('gives addGroom what it would find itself, and tells how far it is', async () => {
  const options = { selfContact: false, mask: 0, gravityScale: 0.5, sagFree: { curvatureChange: 0.5 } };
  const strands = fringe();
  const physics = createPhysics(createWorld());
  const told: [number, number][] = [];
  const { sagFree, ...rest } = options;
  const baked = await bakeGroom(physics, { strands, ...options }, { onProgress: (...all) => told.push(all) });
  expect(told).toEqual([
    [16, 40],
    [32, 40],
    [40, 40],
  ]);
  expect(baked.report.forceLeft).toEqual([]);
  addGroom(physics, { strands: baked, ...rest });
  const own = createPhysics(createWorld());
  const { report } = enableSagFree(own);
  const eid = addGroom(own, { strands, ...options });
  expect(baked.report).toEqual(report(eid));
  for (let k = 0; k < 30; k++) {
    physics.step();
    own.step();
  }
  expect(physics.hash()).toBe(own.hash());
  expect(() => addGroom(physics, { strands: baked, ...rest, gravityScale: 1 })).toThrow('baked for');
});

it('ends early with the reason of its signal', async () => {
  const physics = createPhysics(createWorld());
  const stop = new AbortController();
  const bake = bakeGroom(
    physics,
    { strands: fringe() },
    { signal: stop.signal, onProgress: () => stop.abort('enough') },
  );
  await expect(bake).rejects.toBe('enough');
  await expect(bakeGroom(physics, { strands: fringe() }, { signal: AbortSignal.abort('early') })).rejects.toBe('early');
});

it('takes given forces apart by strands as the strands', async () => {
  const physics = createPhysics(createWorld());
  const strands = fringe();
  const forces = Float64Array.from({ length: strands.positions.length }, (_, k) => 1e-8 * ((k * 7) % 5));
  const baked = await bakeGroom(physics, { strands, sagFree: { forces } });
  enableSagFree(physics);
  const own = addGroom(physics, { strands, sagFree: { forces } });
  expect(baked.report).toEqual(enableSagFree(physics).report(own));
});

it('refuses what addGroom refuses, by the strand, before anything is baked', async () => {
  const physics = createPhysics(createWorld());
  const refused = (spec: Partial<GroomSpec>, text: string) =>
    expect(bakeGroom(physics, { strands: fringe(), ...spec })).rejects.toThrow(text);
  const two = { counts: [3, 2], positions: [0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 1, 0] };
  await refused(
    { strands: two },
    'bakeGroom: strand 1 must have at least 3 points to be sag-free (resample the groom), got 2',
  );
  const still = { counts: [3, 3], positions: [0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0] };
  await refused({ strands: still }, 'point 1 of strand 1');
  await refused({ attach: 12345 }, 'attachStart');
  await refused({ clampStart: false }, 'bakeGroom: clampStart must be true with sagFree, got false');
  await refused({ sagFree: { stiffest: 0.5 } }, 'bakeGroom: sagFree.stiffest must be >= 1, got 0.5');
  const baked = await bakeGroom(physics, { strands: fringe(2) });
  await refused({ strands: baked }, 'bakeGroom: strands must not have rest');
  await expect(bakeGroom(physics, { strands: fringe() }, { workers: 0 })).rejects.toThrow(UsageError);
});
