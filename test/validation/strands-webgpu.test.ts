// Friction laws of rods on the device, with wasm's tolerances: capstan (strands-friction, strands-convergence) and
// stick–slip (strands-stick-slip). All rods of a table are in one world, which the device advances at once.
//
// Rods are pushed from a bent shape on, with one linearisation a step (pushed-rod.ts). 25 iterations of 5 sweeps
// are what wasm takes by default. Software has time for two rows and the small push;
// GPU_SUITE=all runs the whole tables.

import { expect } from 'vitest';
import { enableGpuStrands, type GpuStrandsHandle } from '../../src/index';
import { isAll } from '../gpu/suite';
import { longGpuTest, withDevice } from '../gpu/test-device';
import { addCapstan, CAPSTAN_STEPS, capstanRatio } from './capstan';
import { addPushedRod, EXPECTED, LENGTH, STIFFNESS } from './pushed-rod';
import { addBody, createRodWorld, type RodWorld } from './strand-worlds';

/** Steps recorded before what they do is waited for. */
const AHEAD = 3;

type Plan = Parameters<typeof enableGpuStrands>[1];

/** Runs `work` with the strands of a world on the device. */
async function onDevice(world: RodWorld, plan: Plan, work: (handle: GpuStrandsHandle) => Promise<void>): Promise<void> {
  await withDevice(async ({ device }) => {
    const handle = await enableGpuStrands(world.physics, { device, readBack: 0, auto: 'all', ...plan });
    await work(handle);
    expect(handle.state).toBe('webgpu');
    expect(handle.report.quarantined).toBe(0);
    world.physics.dispose();
  });
}

interface Row {
  mu: number;
  /** [rad] */
  wrap: number;
  corners: number;
  /** [N] */
  load: number;
  /** Shares of the discrete limit that hold, that slip. */
  holds: number;
  slips: number;
  /** Farthest that a rope that holds may go in 20 steps [m]. */
  creep: number;
}

const FEW: Row[] = [
  // Beside taut ropes, some of which slip: what those lack must not put its contacts to sleep. It creeps by rounding:
  // 1.02e-7 on an H200.
  { mu: 0.1, wrap: Math.PI / 2, corners: 16, load: 0.2, holds: 0.98, slips: 1.02, creep: 2e-7 },
  { mu: 0.3, wrap: 2 * Math.PI, corners: 24, load: 100, holds: 0.95, slips: 1.05, creep: 1e-4 },
];
const WHOLE: Row[] = [
  ...FEW,
  { mu: 0.3, wrap: Math.PI, corners: 32, load: 0.2, holds: 0.98, slips: 1.02, creep: 1e-4 },
  { mu: 0.3, wrap: 2 * Math.PI, corners: 48, load: 0.1, holds: 0.98, slips: 1.02, creep: 1e-4 },
  { mu: 0.3, wrap: 2 * Math.PI, corners: 48, load: 100, holds: 0.95, slips: 1.05, creep: 1e-4 },
  { mu: 0.3, wrap: 2 * Math.PI, corners: 48, load: 100, holds: 0.9, slips: 1.05, creep: 2e-4 },
];
/** Takes as long as all the others. */
const LONGEST: Row[] = [{ mu: 0.3, wrap: 4 * Math.PI, corners: 96, load: 0.05, holds: 0.98, slips: 1.02, creep: 1e-4 }];
const CAPSTAN_PLAN: Plan = { iterations: 25, sweeps: 5, looks: 1 };

async function checkCapstans(rows: readonly Row[]): Promise<void> {
  const world = createRodWorld({ gravity: [0, 0, 0], elastic: { tolerance: 1e-7 } });
  const ropes = rows.flatMap((row, i) => {
    const { mu, wrap, corners, load, holds, slips } = row;
    const limit = capstanRatio(mu, wrap, corners);
    return [holds, slips].map((share, k) => {
      const rope = addCapstan(world, { mu, wrap, corners, load, ratio: share * limit, at: [i, 0, 3 * k] });
      return { row, share, rope, isHeld: k === 0 };
    });
  });
  await onDevice(world, CAPSTAN_PLAN, async (handle) => {
    for (let i = 0; i < CAPSTAN_STEPS; i++) {
      for (const { rope } of ropes) rope.pull(i);
      world.physics.step();
      // The ways are measured between two of these steps.
      if (i % 10 === 9 || i % AHEAD === 0) await handle.settle();
      for (const { rope } of ropes) rope.look(i);
    }
  });
  for (const { row, share, rope, isHeld } of ropes) {
    const name = `mu ${row.mu}, wrap ${row.wrap.toFixed(2)}, ${row.corners} corners, ${row.load} N, share ${share}`;
    const { along, all } = rope.way();
    if (process.env.SHOW_ERRORS) console.log(name, along.toExponential(2), all.toExponential(2));
    if (isHeld) expect(all, name).toBeLessThan(row.creep);
    else expect(along, name).toBeGreaterThan(2e-3);
  }
}

longGpuTest(
  'capstan: holds just below the discrete formula, slips just above, and a taut rope stays on the drum',
  () => checkCapstans(isAll ? WHOLE : FEW),
  1_200_000,
);
if (isAll) longGpuTest('capstan: two turns of rope', () => checkCapstans(LONGEST), 1_200_000);

/** Far heavier than what pushes: what it gains in speed weighs the push [kg]. */
const GROUND = 1e5;
/** Steps over which the forces of the end are measured, and those that they are late. */
const MEASURED = 10;
const LATE = 2;

interface Push {
  push: number;
  mu: number;
}

/** Pushes rods of `nodes` nodes; forces of those that stick within `off` of the table. */
async function checkPushes(nodes: number, pushes: readonly Push[], off: number): Promise<void> {
  const world = createRodWorld({ gravity: [0, 0, 0], elastic: { tolerance: 1e-8 } });
  const rods = pushes.map(({ push, mu }, k) => {
    const { slot } = addBody(world, {
      shape: { box: [0.5, 0.1, 0.5] },
      mass: GROUND,
      position: [2 * k, -0.1, 0],
      friction: 1,
    });
    return {
      push,
      mu,
      slot,
      rod: addPushedRod(world, nodes, push, mu, { x: 2 * k, bent: 0.6 * push }),
      speeds: [] as number[][],
      slip: 0,
    };
  });
  const count = Math.max(...rods.map(({ rod }) => rod.steps));
  await onDevice(world, { iterations: 15, sweeps: 2, looks: 1 }, async (handle) => {
    for (let i = 0; i < count; i++) {
      for (const { rod } of rods) if (i < rod.steps) rod.push(i);
      world.physics.step();
      const ends = rods.filter(({ rod }) => [LATE, LATE + MEASURED].includes(rod.steps - i - 1));
      const changes = rods.some(({ rod }) => rod.steps - i - 1 === 60);
      if (i % AHEAD === 0 || ends.length > 0 || changes) await handle.settle();
      for (const end of ends) {
        end.speeds.push(Array.from(world.tables.bodies.linearVelocity.subarray(4 * end.slot, 4 * end.slot + 2)));
        end.slip = end.rod.slip();
      }
    }
  });
  for (const { push, mu, speeds, slip } of rods) {
    const [T, N] = [0, 1].map((k) => (60 * GROUND * (speeds[0][k] - speeds[1][k])) / MEASURED);
    const normal = (N * LENGTH * LENGTH) / STIFFNESS / EXPECTED[push].N - 1;
    const ratio = T / N / EXPECTED[push].ratio - 1;
    const name = `push ${push}, mu ${mu}`;
    if (process.env.SHOW_ERRORS) console.log(name, normal, ratio, slip);
    if (mu < EXPECTED[push].ratio) {
      expect(slip, name).toBeGreaterThan(0.01);
      continue;
    }
    expect(slip, name).toBeLessThan(1e-4);
    expect(Math.abs(normal), name).toBeLessThan(off);
    expect(Math.abs(ratio), name).toBeLessThan(off);
  }
}

const SMALL: Push[] = [{ push: 0.05, mu: 0.8 }];
const ALL: Push[] = [
  ...SMALL,
  { push: 0.15, mu: 0.8 },
  // The tip needs 0.196.
  { push: 0.15, mu: 0.202 },
  { push: 0.15, mu: 0.19 },
];

longGpuTest(
  'stick–slip: forces of the elastica, and the tip sticks as long as they allow',
  () => checkPushes(24, isAll ? ALL : SMALL, 0.005),
  1_200_000,
);
if (isAll) longGpuTest('stick–slip of 64 nodes', () => checkPushes(64, ALL, 0.002), 1_200_000);
