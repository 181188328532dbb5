// What solvers and kernels borrow is undefined memory: filled with NaN before every use it must not change a bit.
//
// Borrowed are the arrays of solvers/scratch, the blocks of core/scratch, and the problems of contacts and joints that
// each island assembles anew. Else a run would depend on what other
// worlds of the page, or the steps before a restore, left there.

import { createWorld } from 'bitecs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openSession } from '../../demos/app/open-session';
import type { DemoScene } from '../../demos/scenes/demo-scene';
import type { AssembledContacts } from '../../src/dynamics/assemble-contacts';
import { addJoint, addRigidBody, createPhysics, type Physics } from '../../src/index';
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
        address(bytes: number, keeps = false) {
          const before = arena.i32[cells.address >> 2];
          const kept = keeps ? arena.i32[cells.size >> 2] : 0;
          const address = block.address(bytes, keeps);
          const isLent = cells.address === L.KERNEL_SCRATCH_ADDRESS || before !== address;
          if (poison.isOn && isLent) arena.u8.fill(0xff, address + kept, address + block.size());
          return address;
        },
      };
    },
  };
});

/** Fills every typed array of `o` but the chain heads, which each assembly leaves clean for the next. */
const spoil = vi.hoisted(() => (o: object) => {
  for (const [name, array] of Object.entries(o)) {
    if (name === 'head') continue;
    if (array instanceof Float64Array) array.fill(Number.NaN);
    else if (array instanceof Int32Array) array.fill(0x5a5a5a5a);
    // What a joint's row is for, and laws: 1 is one of them.
    else if (array instanceof Uint8Array) array.fill(1);
  }
});

vi.mock('../../src/dynamics/assemble-contacts', async (load) => {
  const actual = await load<typeof import('../../src/dynamics/assemble-contacts')>();
  const spoilContacts = (a: AssembledContacts) => {
    if (!poison.isOn) return;
    spoil(a);
    spoil(a.problem);
  };
  return {
    ...actual,
    assembleContacts(...given: Parameters<typeof actual.assembleContacts>) {
      spoilContacts(given[2]);
      actual.assembleContacts(...given);
    },
    beginAssembly(...given: Parameters<typeof actual.beginAssembly>) {
      spoilContacts(given[2]);
      actual.beginAssembly(...given);
    },
  };
});

vi.mock('../../src/dynamics/joints/joint-rows', async (load) => {
  const actual = await load<typeof import('../../src/dynamics/joints/joint-rows')>();
  return {
    ...actual,
    assembleJoints(...given: Parameters<typeof actual.assembleJoints>) {
      if (poison.isOn) spoil(given[2]);
      actual.assembleJoints(...given);
    },
    assembleRows(...given: Parameters<typeof actual.assembleRows>) {
      if (poison.isOn) spoil(given[2]);
      actual.assembleRows(...given);
    },
  };
});

/** Blocks that are good for one step. */
const STEP_BLOCKS: readonly (readonly [number, number])[] = [
  [L.KERNEL_SCRATCH_ADDRESS, L.KERNEL_SCRATCH_SIZE],
  [L.ADMM_WORK_ADDRESS, L.ADMM_WORK_SIZE],
  [L.ROD_WORK_ADDRESS, L.ROD_WORK_SIZE],
  [L.MESH_WORK_ADDRESS, L.MESH_WORK_SIZE],
  [L.STRAND_NOTES_ADDRESS, L.STRAND_NOTES_SIZE],
];

/** Hash after `steps` steps of a scene. */
function run(demo: DemoScene, steps: number): string {
  const amount = demo.amount?.tested;
  const session = openSession(readScene(demo.build(amount)), {}, demo.files?.(amount), demo.join);
  const hash = stepPoisoned(session.physics, steps);
  session.close();
  return hash;
}

function stepPoisoned(physics: Physics, steps: number): string {
  const { arena } = physics.internal.engine;
  for (let i = 0; i < steps; i++) {
    for (const [address, size] of poison.isOn ? STEP_BLOCKS : []) {
      const at = arena.i32[address >> 2];
      arena.u8.fill(0xff, at, at + arena.i32[size >> 2]);
    }
    physics.step();
  }
  return physics.hash();
}

/** Two bodies on a ball joint, of which one falls on its edge: few joints and points, solved exactly. */
function runLanding(): string {
  const physics = createPhysics(createWorld());
  addRigidBody(physics, { type: 'static', shape: { box: [5, 1, 5] }, position: [0, -1, 0] });
  const [a, b] = [0, 0.5].map((x) =>
    addRigidBody(physics, { shape: { box: [0.2, 0.1, 0.1] }, position: [x, 0.3 + x, 0], angularVelocity: [3, 4, 5] }),
  );
  addJoint(physics, { type: 'ball', a, b, anchor: [0.25, 0.5, 0] });
  const hash = stepPoisoned(physics, 60);
  physics.dispose();
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

  test('joints of what touches', () => {
    const clean = runLanding();
    poison.isOn = true;
    expect(runLanding()).toBe(clean);
  });
});
