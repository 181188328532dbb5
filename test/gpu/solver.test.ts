// Contacts solved on the device: the answer is that of the WebAssembly backend, and what
// is done on the way does no harm.

import { expect } from 'vitest';
import { addCapstan } from '../validation/capstan';
import { createRodWorld, type RodWorld, steps } from '../validation/strand-worlds';
import { capture, type Problem, ROW, residualOf, type Solved, velocityError } from './solver-scene';
import { ballIntoRopes, bundle, hairOnBall, ropesOnFloor } from './solver-worlds';
import { isLong } from './suite';
import { gpuTest, longGpuTest, withDevice } from './test-device';

const show = (...parts: unknown[]) => process.env.SHOW_ERRORS && console.log(...parts);

/** Runs `work` with the contact problem of the world's next step. */
async function withProblem(world: RodWorld, before: number, work: (problem: Problem) => Promise<void>): Promise<void> {
  await withDevice(async (context) => {
    steps(world, before);
    const problem = await capture(context, world);
    await work(problem);
    problem.dispose();
  });
}

/** Largest difference of the impulses, over the largest of them [-]. */
function forceError({ forces, count }: Problem, { rows }: Solved): number {
  let error = 0;
  for (let c = 0; c < count; c++) {
    for (let k = 0; k < 3; k++) error = Math.max(error, Math.abs(rows[ROW * c + 12 + k] - forces[3 * c + k]));
  }
  return error / Math.max(...forces.map(Math.abs));
}

/** Friction of each contact over its limit, the largest; pressing contacts only. */
function largestFriction({ count }: Problem, { rows }: Solved): number {
  let most = 0;
  for (let c = 0; c < count; c++) {
    const at = ROW * c;
    let rn = 0;
    for (let k = 0; k < 3; k++) rn += rows[at + 12 + k] * rows[at + 8 + k];
    let square = 0;
    for (let k = 0; k < 3; k++) square += (rows[at + 12 + k] - rn * rows[at + 8 + k]) ** 2;
    expect(rn).toBeGreaterThanOrEqual(-1e-9);
    if (rn > 0) most = Math.max(most, Math.sqrt(square) / (rows[at + 24] * rn));
  }
  return most;
}

gpuTest('ropes on a floor, sliding and sticking, end as on WebAssembly', async () => {
  const world = ropesOnFloor();
  await withProblem(world, 2, async (problem) => {
    const solved = await problem.solve({ iterations: 30, sweeps: 2 });
    show(
      'ropes',
      problem.count,
      velocityError(problem, solved.velocities),
      forceError(problem, solved),
      solved.report.delta,
    );
    expect(velocityError(problem, solved.velocities)).toBeLessThan(1e-4);
    expect(forceError(problem, solved)).toBeLessThan(1e-3);
    expect(await residualOf(world, problem, solved)).toBeLessThan(1e-5);
    expect(largestFriction(problem, solved)).toBeLessThan(1 + 1e-4);
    expect(solved.report.delta).toBeLessThan(1e-7);
    expect(solved.report.iterations).toBe(30);
    expect(solved.report.sweeps).toBe(60);
    expect(solved.report.solved).toBe(60 * problem.count);
  });
});

longGpuTest('a bundle of hair does', async () => {
  const world = bundle();
  await withProblem(world, 6, async (problem) => {
    expect(problem.count).toBeGreaterThan(300);
    const solved = await problem.solve({ iterations: 60, sweeps: 2 });
    show(
      'bundle',
      problem.count,
      velocityError(problem, solved.velocities),
      forceError(problem, solved),
      solved.report.delta,
    );
    expect(velocityError(problem, solved.velocities)).toBeLessThan(0.01);
    expect(await residualOf(world, problem, solved)).toBeLessThan(2e-4);
    expect(largestFriction(problem, solved)).toBeLessThan(1 + 1e-3);
    expect(solved.report.delta).toBeLessThan(2e-6);
  });
});

longGpuTest('hair on a ball does; more iterations come nearer, more sweeps hardly', async () => {
  const world = hairOnBall();
  await withProblem(world, 9, async (problem) => {
    expect(problem.count).toBeGreaterThan(150);
    const errors: number[] = [];
    for (const [iterations, sweeps] of [
      [5, 1],
      [15, 1],
      [15, 4],
      [45, 1],
    ]) {
      const solved = await problem.solve({ iterations, sweeps });
      errors.push(velocityError(problem, solved.velocities));
      show('ball', iterations, sweeps, errors.at(-1), await residualOf(world, problem, solved), solved.report.delta);
    }
    expect(errors[1]).toBeLessThan(0.5 * errors[0]);
    expect(errors[3]).toBeLessThan(0.5 * errors[1]);
    expect(errors[2]).toBeGreaterThan(0.5 * errors[1]);
    expect(errors[3]).toBeLessThan(5e-3);
  });
});

longGpuTest('weights grow from look to look where forces are missing, and fall back when they are there', async () => {
  // A rope around a drum, pulled taut: 48 contacts that hand their friction on. Twin:
  // balance in solvers/admm/weights.ts.
  const world = createRodWorld({ gravity: [0, 0, 0] });
  const rope = addCapstan(world, { mu: 0.3, wrap: 2 * Math.PI, corners: 48, load: 100, ratio: 5 });
  for (let i = 0; i < 12; i++) {
    rope.pull(i);
    world.physics.step();
  }
  rope.pull(12);
  await withProblem(world, 0, async (problem) => {
    expect(problem.count).toBeGreaterThan(40);
    const few = { iterations: 30, sweeps: 5, tolerance: 1e-9 };
    await problem.solve(few);
    const least = await problem.weights();
    expect(await problem.shares()).toEqual([9]);
    await problem.solve({ ...few, keepsShares: true });
    const grown = await problem.weights();
    const after = (await problem.shares())[0];
    least.forEach((w, i) => {
      if (w > 0) expect(grown[i] / w).toBeCloseTo(2 ** (9 / 16), 5);
      else expect(grown[i]).toBe(0);
    });
    // No more is left than may be.
    await problem.solve({ ...few, tolerance: 1, keepsShares: true });
    expect(await problem.shares()).toEqual([after - 5]);
    // However often: a strand's weights stay below eight times the least.
    for (let k = 0; k < 6; k++) await problem.solve({ ...few, iterations: 1, keepsShares: true });
    expect((await problem.shares())[0]).toBeLessThanOrEqual(48);
  });
});

longGpuTest('cohesion and compliance end as on WebAssembly', async () => {
  for (const spec of [{ cohesion: 0.3 }, { compliance: 1e-4 }]) {
    await withProblem(ropesOnFloor(spec), 2, async (problem) => {
      const solved = await problem.solve({ iterations: 40, sweeps: 2 });
      show(Object.keys(spec), velocityError(problem, solved.velocities), forceError(problem, solved));
      expect(velocityError(problem, solved.velocities)).toBeLessThan(2e-4);
      expect(forceError(problem, solved)).toBeLessThan(2e-3);
      const without = await problem.solve({ iterations: 40, sweeps: 2, cohesion: false });
      if (spec.cohesion) expect(velocityError(problem, without.velocities)).toBeGreaterThan(0.01);
      else expect(velocityError(problem, without.velocities)).toBeLessThan(2e-4);
    });
  }
});

gpuTest('a free ball in free ropes: both end as on WebAssembly, and momentum is kept', async () => {
  // A ball lighter than the ropes that it meets takes more iterations, above all its spin about the normal.
  const light = [0.1, 0.03];
  for (const [mass, error] of [[0.5, 2e-3], ...(isLong ? [light] : [])]) {
    const { world, ball } = ballIntoRopes(mass);
    await withProblem(world, 1, async (problem) => {
      expect(problem.count).toBeGreaterThan(4);
      const { before, after } = problem.body(ball);
      const solved = await problem.solve({ iterations: 60, sweeps: 2 });
      const [impulse, moment] = [solved.impulses.subarray(0, 3), solved.impulses.subarray(4, 7)];
      const inertia = 0.4 * mass * 0.01;
      let largest = 0;
      for (let k = 0; k < 3; k++) largest = Math.max(largest, Math.abs(after[k] - before[k]));
      expect(largest).toBeGreaterThan(0.01);
      show('mass', mass, 'velocities', velocityError(problem, solved.velocities), solved.report.delta);
      for (let k = 0; k < 3; k++) {
        show(impulse[k] / mass, after[k] - before[k], moment[k] / inertia, after[4 + k] - before[4 + k]);
        expect(Math.abs(impulse[k] / mass - (after[k] - before[k]))).toBeLessThan(error * largest);
        expect(Math.abs(moment[k] / inertia - (after[4 + k] - before[4 + k]))).toBeLessThan(error * (largest / 0.1));
      }
      expect(velocityError(problem, solved.velocities)).toBeLessThan(error);
      // What the ropes gain the ball loses.
      for (let k = 0; k < 3; k++) {
        let gained = 0;
        for (let node = 0; node < problem.nodeCount; node++) {
          gained += problem.mass[2 * node] * (solved.velocities[4 * node + k] - problem.free[4 * node + k]);
        }
        show('momentum', k, gained, impulse[k]);
        expect(Math.abs(gained + impulse[k])).toBeLessThan(1e-4 * mass * largest + 1e-6);
      }
    });
  }
});

longGpuTest('in how many dispatches a walk takes its turns makes no difference, nor does a second run', async () => {
  await withProblem(bundle(), 6, async (problem) => {
    const found: Solved[] = [];
    for (const walk of [[1], [1], [2, 4, 2, 1], [2, 2, 3], [...Array(40).fill(2), 1]]) {
      problem.solver.ownWalk = walk;
      found.push(await problem.solve({ iterations: 3, sweeps: 2 }));
    }
    expect(new Set(found.map(({ dispatches }) => dispatches)).size).toBe(4);
    for (const solved of found) {
      expect(solved.velocities).toEqual(found[0].velocities);
      expect(solved.bits).toEqual(found[0].bits);
      expect(solved.report).toEqual(found[0].report);
    }
  });
});

longGpuTest("last step's forces help, and wrong ones do no harm", async () => {
  await withProblem(hairOnBall(), 8, async (problem) => {
    const whole = await problem.solve({ iterations: 30, sweeps: 1 });
    const cold = problem.rows.slice();
    for (let c = 0; c < problem.count; c++) cold.fill(0, ROW * c + 12, ROW * c + 15);
    const few = { iterations: 4, sweeps: 1 };
    const fromNothing = await problem.solve({ ...few, from: cold });
    const again = await problem.solve({ ...few, from: whole.rows });
    show('warm', again.report.share, again.report.delta, 'cold', fromNothing.report.delta);
    expect(fromNothing.report.share).toBe(1);
    expect(again.report.share).toBeGreaterThan(0.99);
    expect(velocityError(problem, again.velocities)).toBeLessThan(0.3 * velocityError(problem, fromNothing.velocities));

    // Fifty times too large: only a share of them is taken, and the strands get no faster.
    const wild = whole.rows.slice();
    for (let c = 0; c < problem.count; c++) for (let k = 12; k < 15; k++) wild[ROW * c + k] *= 50;
    const start = problem.energy(problem.free);
    for (const iterations of [1, 2, 5]) {
      const solved = await problem.solve({ iterations, sweeps: 1, from: wild });
      show('energy', iterations, solved.report.share, problem.energy(solved.velocities) / start);
      expect(solved.report.share).toBeLessThan(0.1);
      // Recovery of penetrations puts in a little.
      expect(problem.energy(solved.velocities)).toBeLessThan(1.001 * start);
    }
  });
});

longGpuTest('sleeping contacts save work and change little', async () => {
  await withProblem(bundle(), 6, async (problem) => {
    const awake = await problem.solve({ iterations: 25, sweeps: 4 });
    const asleep = await problem.solve({ iterations: 25, sweeps: 4, sleeping: true });
    show('solved', awake.report.solved, asleep.report.solved, velocityError(problem, asleep.velocities));
    expect(asleep.report.solved).toBeLessThan(0.8 * awake.report.solved);
    expect(velocityError(problem, asleep.velocities)).toBeLessThan(
      1.2 * velocityError(problem, awake.velocities) + 1e-3,
    );
  });
});

gpuTest('a second look goes on from the first; without contacts nothing changes', async () => {
  await withProblem(hairOnBall(20), 8, async (problem) => {
    const once = await problem.solve({ iterations: 10, sweeps: 1 });
    const twice = await problem.solve({ iterations: 10, sweeps: 1, looks: 2 });
    expect(twice.report.looks).toBe(2);
    expect(twice.report.iterations).toBe(20);
    expect(twice.report.share).toBeGreaterThan(0.9);
    expect(velocityError(problem, twice.velocities)).toBeLessThan(velocityError(problem, once.velocities));
    const none = await problem.solve({ iterations: 3, sweeps: 1, from: new Float32Array(0) });
    expect(none.report.contacts).toBe(0);
    expect(none.report.share).toBe(1);
    for (let i = 0; i < problem.free.length; i++) {
      expect(Math.abs(none.velocities[i] - problem.free[i])).toBeLessThan(1e-3 * (1 + Math.abs(problem.free[i])));
    }
  });
});

gpuTest('a strand that a solve leaves too fast is held back and starts anew, the others are as they were', async () => {
  await withProblem(hairOnBall(20), 8, async (problem) => {
    const good = await problem.solve({ iterations: 10, sweeps: 1 });
    expect(good.report.limited).toBe(0);
    // A normal that is none: each sweep takes a hundred times off what it should.
    const wild = problem.rows.slice();
    const bits = new Uint32Array(wild.buffer);
    const c = Array.from({ length: problem.count }, (_, k) => k).find((k) => bits[ROW * k] % 16 > 8)!;
    for (let k = 8; k < 11; k++) wild[ROW * c + k] *= 10;
    const solved = await problem.solve({ iterations: 10, sweeps: 1, from: wild });
    show('limited', solved.report.limited, solved.report.deltas);
    expect(solved.report.limited).toBeGreaterThan(0);
    for (let k = 12; k < 15; k++) expect(solved.rows[ROW * c + k]).toBe(0);
    for (const v of solved.velocities) expect(Number.isFinite(v)).toBe(true);

    // Numbers gone bad: the strand goes on as without contacts.
    const broken = problem.rows.slice();
    broken[ROW * c + 12] = Number.NaN;
    const left = await problem.solve({ iterations: 3, sweeps: 1, from: broken });
    for (const v of left.velocities) expect(Number.isFinite(v)).toBe(true);
    for (const r of left.rows.subarray(ROW * c + 12, ROW * c + 15)) expect(r).toBe(0);
  });
});
