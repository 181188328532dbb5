// What solvers and kernels borrow is undefined memory: filled with NaN before every use it must not change a bit.
//
// Borrowed are the arrays of solvers/scratch and the blocks of core/scratch. Else a run would depend on what other
// worlds of the page, or the steps before a restore, left there.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openSession } from '../../demos/app/session';
import type { DemoScene } from '../../demos/scenes/demo-scene';
import { readScene } from '../../src/scene/read';
import * as L from '../../src/state/layout';
import { rounds } from './rounds';
import { LARGE, TRIED } from './scenes';

const poison = vi.hoisted(() => ({ isOn: false }));

vi.mock('../../src/solvers/scratch', async (load) => {
  const actual = await load<typeof import('../../src/solvers/scratch')>();
  return {
    ...actual,
    createScratch() {
      const pool = actual.createScratch();
      return {
        f64(count: number) {
          const array = pool.f64(count);
          return poison.isOn ? array.fill(Number.NaN) : array;
        },
        i32(count: number) {
          const array = pool.i32(count);
          return poison.isOn ? array.fill(0x5a5a5a5a) : array;
        },
        reset: () => pool.reset(),
      };
    },
  };
});

vi.mock('../../src/core/scratch', async (load) => {
  const actual = await load<typeof import('../../src/core/scratch')>();
  return {
    ...actual,
    createKernelScratch(...given: Parameters<typeof actual.createKernelScratch>) {
      const [arena, cells] = given;
      const block = actual.createKernelScratch(...given);
      return {
        ...block,
        address(bytes: number) {
          const before = arena.i32[cells.address >> 2];
          const address = block.address(bytes);
          const isLent = cells.address === L.KERNEL_SCRATCH_ADDRESS || before !== address;
          if (poison.isOn && isLent) arena.u8.fill(0xff, address, address + block.size());
          return address;
        },
      };
    },
  };
});

/** Blocks that are good for one step. */
const STEP_BLOCKS: readonly (readonly [number, number])[] = [
  [L.KERNEL_SCRATCH_ADDRESS, L.KERNEL_SCRATCH_SIZE],
  [L.ADMM_WORK_ADDRESS, L.ADMM_WORK_SIZE],
  [L.ROD_WORK_ADDRESS, L.ROD_WORK_SIZE],
  [L.WEIGHTED_WORK_ADDRESS, L.WEIGHTED_WORK_SIZE],
  [L.MESH_WORK_ADDRESS, L.MESH_WORK_SIZE],
  [L.STRAND_NOTES_ADDRESS, L.STRAND_NOTES_SIZE],
];

/** Hash after `steps` steps of a scene. */
function run(demo: DemoScene, steps: number): string {
  const amount = demo.amount?.tested;
  const session = openSession(readScene(demo.build(amount)), {}, demo.files?.(amount), demo.join);
  const { arena } = session.physics.internal.engine;
  for (let i = 0; i < steps; i++) {
    for (const [address, size] of poison.isOn ? STEP_BLOCKS : []) {
      const at = arena.i32[address >> 2];
      arena.u8.fill(0xff, at, at + arena.i32[size >> 2]);
    }
    session.physics.step();
  }
  const hash = session.physics.hash();
  session.close();
  return hash;
}

beforeEach(() => {
  poison.isOn = false;
});

describe('poisoned scratch changes nothing', () => {
  test.each(TRIED.map((demo) => [demo.id, demo] as const))('%s', (_id, demo) => {
    const steps = rounds(LARGE.includes(demo.id) ? 3 : 12, 400);
    const clean = run(demo, steps);
    poison.isOn = true;
    expect(run(demo, steps)).toBe(clean);
  });
});
