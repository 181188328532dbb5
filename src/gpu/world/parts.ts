// What the strands of a world on the device are made of, and the options that all of it goes by.

import type { StepPlan } from '../../solvers/elastic/device-budget';
import type { GpuContext } from '../device/device';
import { createGpuContacts } from '../find/contacts';
import { createGpuPins } from '../rod/pins';
import { createStrandMover } from '../rod/strand-mover';
import { createGpuStrands } from '../rod/strands';
import { createGpuApart } from '../solve/apart';
import { createGpuCoupling } from '../solve/coupling';
import { createGpuNewton } from '../solve/newton';
import { createGpuReactions } from '../solve/reactions';
import { createGpuSolver, type SolverInputs } from '../solve/solver';
import { createStrandKeeper } from '../tables/keep-strands';
import { createObstacles } from '../tables/obstacles';
import { createGpuSleep } from './sleep';

export interface GpuWorldOptions {
  /** What a step does without a budget, and at most with one; see wantedPlan. */
  readonly plan: Partial<StepPlan> & Pick<StepPlan, 'looks'>;
  /** What else the solver is told (settings of the world). */
  readonly solver: Omit<SolverInputs, 'timeStep'>;
  /** Look for contacts along the whole way of a step. */
  readonly continuous: boolean;
  /** Linearisations of the elastic forces in a step; default 1. */
  readonly newtonIterations?: number;
  /** Keep strands apart that a step would bring through each other. */
  readonly keepApart: boolean;
  /**
   * The device advances the strands that are away (state/away-strands) and sees the others as
   * obstacles. Default: it advances all.
   */
  readonly sharesStrands?: boolean;
  /** Counts the buried nodes of a strand of the tables where that has not been done (the kernel rodBury). */
  readonly bury: (strand: number) => void;
}

export type Parts = Awaited<ReturnType<typeof openParts>>;

/** All that a world is made of; their buffers are in the pool of the strands. */
export async function openParts(context: GpuContext, { newtonIterations = 1 }: GpuWorldOptions) {
  const [strands, keeper] = await Promise.all([createGpuStrands(context), createStrandKeeper(context)]);
  const contacts = await createGpuContacts(context, strands);
  const [solver, apart, coupling, clamps, mover] = await Promise.all([
    createGpuSolver(context, strands, contacts.buffers),
    createGpuApart(context, strands, contacts),
    createGpuCoupling(context, contacts.buffers),
    createGpuReactions(context, strands, contacts.buffers),
    createStrandMover(context, strands.buffers, contacts.buffers),
  ]);
  const pins = await createGpuPins(context, strands, contacts);
  const newton = newtonIterations > 1 ? await createGpuNewton(context, strands.buffers, contacts.buffers) : null;
  const sleep = await createGpuSleep(context, strands.buffers, solver.report);
  const obstacles = createObstacles(context, strands.buffers);
  return { strands, keeper, contacts, solver, apart, coupling, clamps, mover, pins, newton, sleep, obstacles };
}
