// The kernels of joints, and why they are solved as they are.
//
// A joint as one more contact of the sweeps, whose law is "holds always", would find its force by w (p − v) an iteration: a crate on a
// stiff rope takes hundreds, and what hangs on ropes that hang on crates takes their product. So joints are solved with the elastic
// equations, by the Schur complement of all that hang together (joint.wgsl): exact for any ratio of masses, in every iteration, with no
// state from step to step. Bodies take part with their own mass, at the place and velocity that they have with all impulses which the CPU has not
// heard of yet (solve/coupling.ts): what is late is only the CPU's knowledge, and a rope with its crate is as stable as on the CPU.
//
// In f32: what a solve leaves is taken off by the next, since rows are read from the velocities themselves; without contacts it is done
// twice. A pivot below 10⁻⁵ of its diagonal counts as none: two joints on neighbouring nodes of a stiff rope say the same along it.

import type { KernelSource } from '../device/pipelines';
import { jointAdd } from '../wgsl/joint-add/joint-add';
import { jointColumns } from '../wgsl/joint-columns/joint-columns';
import { jointFree } from '../wgsl/joint-free/joint-free';
import { jointLast } from '../wgsl/joint-last/joint-last';
import { jointMeet } from '../wgsl/joint-meet/joint-meet';
import { jointMute } from '../wgsl/joint-mute/joint-mute';
import { jointRows } from '../wgsl/joint-rows/joint-rows';
import { jointSolve } from '../wgsl/joint-solve/joint-solve';
import { jointSpread } from '../wgsl/joint-spread/joint-spread';
import { jointSystem } from '../wgsl/joint-system/joint-system';

export const JOINT_KERNELS = {
  ...{
    jointRows,
    jointColumns,
    jointSystem,
    jointFree,
    jointAdd,
    jointSolve,
    jointMeet,
    jointSpread,
    jointLast,
    jointMute,
  },
} as const satisfies Record<string, KernelSource>;
