// The kernels of the strand solver, and why the elastic step is solved as it is.
//
// A hair (radius 35 µm, edges of 5 mm, E = 4 GPa, dt = 1/60 s) is 3·10⁷ times stiffer along its edges than its
// inertia, 10⁷ times in twist: A = M + dt² K summed up in f32 has lost M. Three ways were looked at:
//
//   1. banded solve, A never summed (taken): the step is the least-squares problem Σ d (x − y)² + Σ w (z·x −
//      ρ)² of masses and element rows; rows are rotated one by one into L D Lᵀ (UD update), where pivots only grow
//      and stiffness passes on as compliance, w d/(d + w z²). Once factored, L and D stand in f32 without harm,
//      as the kernels on the CPU have them.
//   2. factors made in f64 on the CPU and sent over: exact, but that is the CPU's whole prediction
//      (kernels/assembly/rod/rods.ts) and 50 MB over the bus a step for 10 000 strands of 32 nodes,
//      where the CPU is to spend 0.5 ms.
//   3. the split of Daviet 2023 (positions, edge pairs y = B x with their own weight, ADMM; three scalar tridiagonal
//      solves with a constant matrix, a 6×6 solve a vertex, twist by itself): no ill-conditioned sum either.
//
// Counted in the source, 1 takes 3 500 to 4 100 operations a node once, as much as five iterations of 3, and 140 an
// iteration with contacts; it leaves 10⁻⁴ of a step's change. Of 3, run in f64 with the best weight of each scene,
// the 10 to 20 iterations that are usual leave 0.5 to 17 %, and 33 to 58 are needed for 0.1 %. So 1, which also is
// what the other backends solve, so that one conformance suite holds for all. What 3 has for it are fewer bytes an
// iteration (220 a node, of 1 380) and parallel work within a strand: it may win where there are few long strands.
// None of this was timed on a GPU.
//
// Error of one step over its largest change, on SwiftShader against the reference in f64, strands shaken out of their
// rest shape: hair 3·10⁻⁴ (20 µm thin, edges of 0.3 mm: 3·10⁻³), ropes 1·10⁻⁵.
//
// Places are whole numbers (tables/strand-buffers.ts): noise of f32 positions would tighten the edges at random,
// which costs more than the factor does. Threads: one a strand in holds, factor (with the weights), solve, integrate;
// one a node in inertia, elements.

import { declareKernels } from '../device/pipelines';
import { joinParts } from '../device/wgsl';

export const STRAND_KERNELS = declareKernels(
  joinParts({
    rodHolds: 'strand rigid turns rod-holds',
    rodInertia: 'strand rod-inertia',
    rodGrip: 'strand rod-grip',
    rodElements: 'strand turns rod-elements',
    rodFactor: 'strand share-bits rod-column factorise weigh rod-factor',
    rodSolve: 'strand rod-reduced rod-triangle rod-solve',
    rodIntegrate: 'strand turns rod-integrate',
  }),
);
