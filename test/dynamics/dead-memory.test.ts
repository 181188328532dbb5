// What a snapshot leaves out must not matter: with everything overwritten before each restore a
// run stays the same in every bit.

import { describe, expect, test } from 'vitest';
import { openSession } from '../../demos/app/open-session';
import type { DemoScene } from '../../demos/scenes/demo-scene';
import { touchRare } from '../../src/core/arena';
import { readScene } from '../../src/scene/read';
import { rounds } from '../fuzz/rounds';
import { LARGE, TRIED } from '../fuzz/scenes';

/** Hash after `count` times `apart` steps of a scene; `restores`: back to a snapshot of that moment after each. */
function run(demo: DemoScene, count: number, apart: number, restores: boolean): string {
  const amount = demo.amount?.tested;
  const session = openSession(readScene(demo.build(amount)), {}, demo.files?.(amount), demo.join);
  const { physics } = session;
  const { arena } = physics.internal.engine;
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < apart; k++) physics.step();
    if (!restores) continue;
    const snapshot = physics.snapshot();
    // Steps of another future first, so that tables grow and rows come and go.
    if (i % 2 === 1) physics.step();
    if (i % 4 >= 2) physics.packSnapshot(snapshot);
    // All that was handed out; and every second time what a world keeps above it, too.
    if (i % 2 === 1) arena.borrowed = Infinity;
    arena.u8.fill(0xff, arena.layout.base, Math.min(arena.borrowed, arena.u8.length));
    touchRare(arena);
    physics.restore(snapshot);
  }
  const hash = physics.hash();
  session.close();
  return hash;
}

describe('what a snapshot leaves out changes nothing', () => {
  test.each(TRIED.map((demo) => [demo.id, demo] as const))('%s', (_id, demo) => {
    const count = rounds(LARGE.includes(demo.id) ? 2 : 4, 40);
    expect(run(demo, count, rounds(4, 9), true)).toBe(run(demo, count, rounds(4, 9), false));
  });
});
