// What scenes add to be looked at alone changes nothing of what moves.

import { expect, test } from 'vitest';
import { loadScene, openSession } from '../../demos/app/open-session';
import { belt } from '../../demos/scenes/belt';
import { ponytailBand } from '../../demos/scenes/coupled-scenes';
import type { DemoScene } from '../../demos/scenes/demo-scene';
import { NODE_COUNT } from '../../src/state/layout';

/** Where all nodes are after some steps, with or without bodies that touch nothing, and how many bodies there are. */
function nodesAfter(demo: DemoScene, isBare: boolean) {
  const scene = demo.build();
  const bodies = scene.bodies?.filter(({ layers, mask }) => !isBare || layers !== 0 || mask !== 0) ?? [];
  const { physics } = openSession(loadScene({ ...scene, bodies }));
  for (let i = 0; i < 60; i++) physics.step();
  const { arena, tables } = physics.internal.engine;
  const { byteOffset } = tables.nodes.position;
  const count = arena.i32[NODE_COUNT >> 2];
  return { count, bits: arena.i32.slice(byteOffset >> 2, (byteOffset >> 2) + 8 * count), bodies: bodies.length };
}

test.each([belt, ponytailBand].map((demo) => [demo.id, demo] as const))('%s', (_id, demo) => {
  const [whole, bare] = [nodesAfter(demo, false), nodesAfter(demo, true)];
  expect(bare.bodies).toBeLessThan(whole.bodies);
  expect(whole.count).toBeGreaterThan(20);
  expect(whole.bits).toEqual(bare.bits);
});
