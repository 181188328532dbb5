// How much a device solves in a step, and how much of that fits into a time budget: learnt from timestamps of
// earlier steps, one to three steps old.
//
// In: budget [ms], what is wanted (iterations a look, looks), the times of steps as they
// arrive with what those steps did.
// Out: what the next step does. The model: a step takes its fixed part, a part a look, a part an iteration; each is a
// running mean, and the scatter of whole steps about the model is another. What is aimed at leaves room for that
// scatter, so that few steps go over; less is done at once when a step would be too long, more only when several steps
// in a row had room. Without a budget nothing here is called. Reference: none needed; the CPU's twin is
// dynamics/elastic/iteration-budget.ts.

/** What a step does. */
export interface StepPlan {
  /** ADMM iterations after each look. */
  iterations: number;
  /** Gauss–Seidel sweeps an iteration. */
  sweeps: number;
  /** Detections of contacts. */
  looks: number;
}

/** Strands up to which they count as ropes: under load, round drums and in knots, not thousands of hairs. */
const ROPES = 64;
/**
 * Of 32 contacts round a drum (the gallery's capstan) δ∞ stays at 0.003 mm with 2 × 16 iterations of 5 sweeps, 0.1
 * mm with 2 × 12 of 5, 5 mm with 2 × 25 of one. For hair an iteration more gains more than a sweep more.
 */
const FOR_ROPES = { iterations: 16, sweeps: 5 };
const FOR_HAIR = { iterations: 12, sweeps: 1 };

/**
 * What a step of so many strands does without a budget, and at most with one; what is not `given` goes by their number.
 */
export function wantedPlan(given: Partial<StepPlan> & Pick<StepPlan, 'looks'>, strands: number): StepPlan {
  const { iterations, sweeps } = strands <= ROPES ? FOR_ROPES : FOR_HAIR;
  return { iterations: given.iterations ?? iterations, sweeps: given.sweeps ?? sweeps, looks: given.looks };
}

/** Times of one step [ms]. */
export interface StepTimes {
  /** Prediction and integration. */
  fixed: number;
  /** Detections, colouring and weights, all looks together. */
  looks: number;
  /** Iterations, all looks together. */
  iterations: number;
}

/** Share of the newest step in the running means [-]. */
const NEWEST = 0.15;
/** Standard deviations of the scatter that are left free [-]: 95 of 100 steps stay below 1.65 of them. */
const SPARE = 2;
/** Steps may go this share over the budget [-]; what is aimed at counts on it. */
const OVER = 0.1;
/** Room for this share of more iterations must be seen before more are done [-] … */
const HYSTERESIS = 0.08;
/** … in this many steps in a row. */
const PATIENCE = 6;

export interface BudgetController {
  /**
   * What the next step does under a budget [ms]; never more than `wanted`, at least one
   * iteration of one sweep after one look.
   */
  plan(budget: number, wanted: StepPlan): StepPlan;
  /** A step's times have arrived, with what it did. */
  learn(times: StepTimes, done: StepPlan): void;
  /** Forgets what was learnt: other strands, another device. */
  reset(): void;
}

export function createBudgetController(): BudgetController {
  // Running means [ms]; of a look and of an iteration of one sweep. `variance`: of a
  // step's time about the model [ms²].
  const mean = { fixed: 0, look: 0, iteration: 0, variance: 0 };
  let count = 0;
  let patience = 0;
  let present: StepPlan | null = null;

  const timeOf = ({ iterations, sweeps, looks }: StepPlan): number =>
    mean.fixed + looks * (mean.look + iterations * sweeps * mean.iteration);

  /** Most iterations that fit into `time` with so many looks and sweeps. */
  const fitting = (time: number, looks: number, sweeps: number): number => {
    const left = time - mean.fixed - looks * mean.look;
    return mean.iteration > 0 ? Math.floor(left / (looks * sweeps * mean.iteration)) : Number.POSITIVE_INFINITY;
  };

  const choose = (time: number, wanted: StepPlan): StepPlan => {
    // Looks are given up last but for the sweeps: a contact that is not found is not solved at all.
    for (const looks of [wanted.looks, 1]) {
      const iterations = Math.min(wanted.iterations, fitting(time, looks, wanted.sweeps));
      if (iterations >= Math.min(FEWEST, wanted.iterations)) return { iterations, sweeps: wanted.sweeps, looks };
    }
    const iterations = Math.max(1, Math.min(wanted.iterations, fitting(time, 1, wanted.sweeps)));
    return iterations > 1 || timeOf({ iterations: 1, sweeps: wanted.sweeps, looks: 1 }) <= time
      ? { iterations, sweeps: wanted.sweeps, looks: 1 }
      : { iterations: 1, sweeps: 1, looks: 1 };
  };

  return {
    plan(budget, wanted) {
      if (count === 0) return wanted;
      const aim = Math.max(0.5 * budget, (1 + OVER) * budget - SPARE * Math.sqrt(mean.variance));
      const time = Math.min(budget, aim);
      const next = choose(time, wanted);
      const isMore = present !== null && timeOf(next) > timeOf(present);
      if (!present || !isMore) {
        patience = 0;
        present = next;
        return present;
      }
      // More: only if even a dearer step would fit, and not for one lucky step.
      const roomy = choose(time / (1 + HYSTERESIS), wanted);
      patience = timeOf(roomy) > timeOf(present) || isEqual(roomy, wanted) ? patience + 1 : 0;
      if (patience >= PATIENCE) {
        patience = 0;
        present = roomy;
      }
      return present;
    },

    learn(times, { iterations, sweeps, looks }) {
      const each = { fixed: times.fixed, look: times.looks / looks, iteration: 0 };
      const work = iterations * sweeps * looks;
      each.iteration = work > 0 ? times.iterations / work : mean.iteration;
      const whole = times.fixed + times.looks + times.iterations;
      const share = count === 0 ? 1 : Math.max(NEWEST, 1 / (count + 1));
      if (count > 0) {
        const off = whole - timeOf({ iterations, sweeps, looks });
        mean.variance += share * (off * off - mean.variance);
      }
      for (const key of ['fixed', 'look', 'iteration'] as const) mean[key] += share * (each[key] - mean[key]);
      count++;
    },

    reset() {
      mean.fixed = mean.look = mean.iteration = mean.variance = 0;
      count = patience = 0;
      present = null;
    },
  };
}

/** With fewer iterations than this after each of several looks, one look is better. */
const FEWEST = 3;

function isEqual(a: StepPlan, b: StepPlan): boolean {
  return a.iterations === b.iterations && a.sweeps === b.sweeps && a.looks === b.looks;
}
