// The budget's controller against a model of a device: noise, lag, quantised clocks, scenes that change.

import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random';
import {
  createBudgetController,
  type StepPlan,
  type StepTimes,
  wantedPlan,
} from '../../../src/solvers/elastic/device-budget';

const WANTED: StepPlan = { iterations: 30, sweeps: 2, looks: 2 };
/** Steps that a step's times need to come back. */
const LAG = 3;

interface Model {
  fixed: number;
  look: number;
  iteration: number;
  /** Relative standard deviation of each part. */
  noise: number;
  /** Step of the clock [ms]. */
  quantum: number;
}

/** Runs the controller on the model; returns each step's plan and true time [ms]. */
function run(model: Model, budget: number, steps: number, change?: (step: number, model: Model) => void) {
  const random = createRandom(11);
  const gauss = () => random() + random() + random() + random() + random() + random() - 3;
  const controller = createBudgetController();
  const underway: { times: StepTimes; plan: StepPlan }[] = [];
  const out: { plan: StepPlan; time: number }[] = [];
  for (let step = 0; step < steps; step++) {
    change?.(step, model);
    const plan = { ...controller.plan(budget, WANTED) };
    const noisy = (time: number) => Math.max(0.5 * time, time * (1 + Math.SQRT2 * model.noise * gauss()));
    const parts = [
      noisy(model.fixed),
      noisy(model.look * plan.looks),
      noisy(model.iteration * plan.iterations * plan.sweeps * plan.looks),
    ];
    const seen = parts.map((time) => model.quantum * Math.round(time / model.quantum));
    underway.push({ times: { fixed: seen[0], looks: seen[1], iterations: seen[2] }, plan });
    if (underway.length > LAG) {
      const { times, plan: done } = underway.shift()!;
      controller.learn(times, done);
    }
    out.push({ plan, time: parts[0] + parts[1] + parts[2] });
  }
  return out;
}

/** Share of the steps that took at most 1.1 of the budget. */
const kept = (steps: { time: number }[], budget: number) =>
  steps.filter(({ time }) => time <= 1.1 * budget).length / steps.length;

test.each([
  ['a quiet device', { fixed: 0.6, look: 0.7, iteration: 0.05, noise: 0.02, quantum: 1e-6 }, 6],
  ['a noisy device', { fixed: 0.6, look: 0.7, iteration: 0.05, noise: 0.1, quantum: 1e-6 }, 6],
  ['a clock of 0.1 ms', { fixed: 0.6, look: 0.7, iteration: 0.05, noise: 0.05, quantum: 0.1 }, 4],
  ['a detection that costs most', { fixed: 0.3, look: 2.5, iteration: 0.02, noise: 0.05, quantum: 0.065536 }, 7],
  ['a budget for one look only', { fixed: 0.6, look: 1.5, iteration: 0.05, noise: 0.05, quantum: 1e-6 }, 3],
])('%s: 95 of 100 steps keep within 1.1 times the budget after 30', (_name, model, budget) => {
  const steps = run({ ...model }, budget, 630).slice(30);
  expect(kept(steps, budget)).toBeGreaterThanOrEqual(0.95);
  // And the time is used: on average most of the budget.
  const mean = steps.reduce((sum, { time }) => sum + time, 0) / steps.length;
  expect(mean).toBeGreaterThan(0.7 * budget);
});

test('plans do not flutter: noise of 5 % changes the iterations seldom', () => {
  const steps = run({ fixed: 0.6, look: 0.7, iteration: 0.05, noise: 0.05, quantum: 1e-6 }, 6, 630).slice(30);
  const changes = steps.filter(({ plan }, k) => k > 0 && plan.iterations !== steps[k - 1].plan.iterations).length;
  expect(changes).toBeLessThan(60);
});

test('what gets twice as dear is back within the budget in 30 steps, what gets cheap does more again', () => {
  const model = { fixed: 0.4, look: 0.5, iteration: 0.05, noise: 0.03, quantum: 1e-6 };
  const steps = run(model, 5, 300, (step, m) => {
    if (step === 100) m.iteration *= 2;
    if (step === 200) m.iteration /= 2;
  });
  expect(kept(steps.slice(130, 200), 5)).toBeGreaterThanOrEqual(0.95);
  expect(steps[190].plan.iterations).toBeLessThan(0.6 * steps[90].plan.iterations);
  expect(steps[290].plan.iterations).toBeGreaterThan(0.9 * steps[90].plan.iterations);
});

test('an impossible budget leaves one iteration of one sweep after one look; an ample one leaves all', () => {
  const model = { fixed: 2, look: 1, iteration: 0.1, noise: 0.02, quantum: 1e-6 };
  expect(run({ ...model }, 0.5, 60)[59].plan).toEqual({ iterations: 1, sweeps: 1, looks: 1 });
  expect(run({ ...model }, 100, 60)[59].plan).toEqual(WANTED);
});

test('what was learnt is forgotten with another scene', () => {
  const controller = createBudgetController();
  controller.learn({ fixed: 5, looks: 5, iterations: 5 }, WANTED);
  expect(controller.plan(1, WANTED)).not.toEqual(WANTED);
  controller.reset();
  expect(controller.plan(1, WANTED)).toEqual(WANTED);
});

test('few strands are ropes and take more sweeps; what is given holds for any number', () => {
  expect(wantedPlan({ looks: 2 }, 64)).toEqual({ iterations: 16, sweeps: 5, looks: 2 });
  expect(wantedPlan({ looks: 2 }, 65)).toEqual({ iterations: 12, sweeps: 1, looks: 2 });
  expect(wantedPlan({ sweeps: 3, looks: 1 }, 1)).toEqual({ iterations: 16, sweeps: 3, looks: 1 });
  expect(wantedPlan({ iterations: 7, looks: 1 }, 1000)).toEqual({ iterations: 7, sweeps: 1, looks: 1 });
});
