// Bits must not depend on when memory grows: a world with more room than it needs from the start has the same. In each
// scene all that grows within a step is as long beforehand, in a second world, as the first one made it on the way, and
// longer: rows of tables (pairs, the tree, contacts of nodes, bodies, joints), room for pairs of edges and for contacts
// of surfaces, work memory of the solves, which moreover holds rubbish. In a third run the first world goes back to its
// first step, with all lists of its own as long as they were at its end.

import { expect, test } from 'vitest';
import { loadScene, openSession } from '../../demos/app/open-session';
import { type DemoScene, usualValues } from '../../demos/scenes/demo-scene';
import { SCENES } from '../../demos/scenes/index';
import { createKernelScratch, type ScratchCells } from '../../src/core/scratch';
import type { TableControl } from '../../src/core/table';
import type { Physics } from '../../src/index';
import * as L from '../../src/state/layout';
import { isLongSuite } from '../setup/suite';
import { GOLDEN_SCENES, type GoldenRun } from './rod-scenes';

/** Work memory: what grows with need. */
const WORK: Record<string, ScratchCells> = {
  rods: { address: L.ROD_WORK_ADDRESS, size: L.ROD_WORK_SIZE },
  solve: { address: L.ADMM_WORK_ADDRESS, size: L.ADMM_WORK_SIZE },
  meshes: { address: L.MESH_WORK_ADDRESS, size: L.MESH_WORK_SIZE },
  notes: { address: L.STRAND_NOTES_ADDRESS, size: L.STRAND_NOTES_SIZE },
  strands: { address: L.STRAND_DETECTION_ADDRESS, size: L.STRAND_DETECTION_SIZE },
  surfaces: { address: L.SURFACE_DETECTION_ADDRESS, size: L.SURFACE_DETECTION_SIZE },
  kernels: { address: L.KERNEL_SCRATCH_ADDRESS, size: L.KERNEL_SCRATCH_SIZE },
};

/** Cells that say how much a detection has room for. */
const ROOMS: Record<string, number> = {
  'pairs of edges': L.STRAND_CANDIDATE_ROOM,
  'edges near each other': L.STRAND_PAIR_ROOM,
  'contacts of surfaces': L.SURFACE_DETECTION_ROOM,
};

/** Rows of each table, bytes of each work memory, room of each detection. */
type Sizes = Record<string, number>;

function sizesOf({ internal: { engine } }: Physics): Sizes {
  const { tables, arena } = engine;
  const sizes: Sizes = {};
  const capacities = tables as unknown as Record<string, { capacity: number }>;
  for (const name of Object.keys(tables.control)) sizes[name] = capacities[name].capacity;
  for (const [name, { size }] of Object.entries(WORK)) sizes[`work of ${name}`] = arena.i32[size >> 2];
  for (const [name, cell] of Object.entries(ROOMS)) sizes[name] = arena.i32[cell >> 2];
  return sizes;
}

/** Twice as much of all as `sizes` say, at once. */
function makeRoom({ internal: { engine } }: Physics, sizes: Sizes): void {
  const { tables, arena, kernels } = engine;
  for (const [name, control] of Object.entries<TableControl>(tables.control)) control.ensure(2 * sizes[name]);
  kernels.rebuildPairHash();
  for (const [name, cells] of Object.entries(WORK)) {
    const bytes = 2 * sizes[`work of ${name}`];
    if (bytes === 0) continue;
    const at = createKernelScratch(arena, cells).address(bytes);
    arena.u8.fill(0xf7, at, at + bytes);
  }
  for (const [name, cell] of Object.entries(ROOMS)) arena.i32[cell >> 2] = 2 * sizes[name];
}

/** Hash after each of `steps` steps. */
function hashesOf({ physics, step }: GoldenRun, steps: number): string[] {
  return Array.from({ length: steps }, () => {
    step();
    return physics.hash();
  });
}

function startDemo(demo: DemoScene): GoldenRun {
  const amount = demo.amount?.tested;
  const values = usualValues(demo);
  const session = openSession(loadScene(demo.build(amount, values)), {}, demo.files?.(amount, values), demo.join);
  const tuner = session.tuner();
  const { physics } = session;
  const step = () => {
    demo.drive?.(physics.stepCount * physics.settings.timeStep, values, tuner);
    physics.step();
  };
  return { physics, step };
}

const demos = SCENES.map((demo) => ({ name: `demo: ${demo.id}`, start: () => startDemo(demo) }));
const validations = GOLDEN_SCENES.filter(({ name }) => name.startsWith('validation'));

/** Of `npm test`: rigid piles, joints, sheets, solids, strands that are pressed or lie on sheets. Steps of each. */
const SHORT: Record<string, number> = {
  'demo: tall-wall': 2,
  'demo: ragdolls': 3,
  'demo: hammock': 5,
  'demo: jelly': 8,
  'validation: a pile, 25 iterations': 10,
  'validation: a shaken ball of 100 strands of 24 nodes': 4,
  'demo: fur-and-curtain': 5,
};
const LONG_STEPS = 60;

const scenes = [...demos, ...validations].filter(({ name }) => isLongSuite || name in SHORT);
const grown = new Set<string>();

test.each(scenes.map((scene) => [scene.name, scene] as const))(
  '%s: growth on the way changes nothing',
  (name, scene) => {
    const steps = isLongSuite ? LONG_STEPS : SHORT[name];
    const onTheWay = scene.start();
    const before = sizesOf(onTheWay.physics);
    const first = onTheWay.physics.snapshot();
    const expected = hashesOf(onTheWay, steps);
    const sizes = sizesOf(onTheWay.physics);
    for (const [what, size] of Object.entries(sizes)) if (size > before[what]) grown.add(what);
    onTheWay.physics.restore(first);
    const again = hashesOf(onTheWay, steps);
    onTheWay.physics.dispose();

    const beforehand = scene.start();
    makeRoom(beforehand.physics, sizes);
    expect(hashesOf(beforehand, steps)).toEqual(expected);
    beforehand.physics.dispose();
    expect(again).toEqual(expected);
  },
);

test('what grows within a step did so in one of them', () => {
  const within = [
    'pairs',
    'tree',
    'nodeContacts',
    ...Object.keys(ROOMS),
    ...Object.keys(WORK).map((w) => `work of ${w}`),
  ];
  expect(within.filter((what) => !grown.has(what))).toEqual([]);
});
