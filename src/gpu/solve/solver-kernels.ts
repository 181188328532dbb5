// The kernels of the contact solver, in the order of a look; how many iterations it takes, and what they cost.
//
// Measured on SwiftShader, one look: error of the velocities over the largest change that contacts make, then δ∞
// [mm]; against the WebAssembly backend with 800 iterations on the same contacts. Contacts: ropes on a floor 41, a
// bundle of hair 427, hair on a ball 170 and 64 (a later moment). Iterations × sweeps:
//
//              6×1          10×1         10×2         10×4         15×1         25×1         25×4
//   ropes      1e-2 1.1     2e-3 0.08    9e-4 0.05    7e-4 0.05    1e-4 0.005   3e-6 3e-5    3e-6 2e-5
//   bundle     2e-1 0.5     5e-2 0.16    6e-2 0.18    6e-2 0.18    2e-2 0.08    9e-3 0.017   1e-2 0.020
//   ball       5e-2 1.1     2e-2 0.26    2e-2 0.24    1e-2 0.25    1e-2 0.14    2e-3 0.016   2e-3 0.014
//   later      2e-1 0.18    8e-2 0.06    8e-2 0.07    8e-2 0.06    3e-2 0.02    6e-3 0.003   6e-3 0.003
//
// More sweeps gain next to nothing here, more iterations a lot: one sweep an iteration. Where friction is handed on
// from contact to contact it is otherwise: of ropes around a drum (test/validation/capstan.ts) at 0.98 of what holds,
// two turns with 96 corners creep by 1.2 mm in 20 steps with 60 × 1, by 0.005 mm with 25 × 5; with 25 × 1 ropes that
// carry 100 N leave the drum. Two looks of 12 × 1 leave 4e-6, 4e-2, 4e-3, 1e-3 and 3e-5, 0.07, 0.06, 0.004 mm: a
// second look goes on where the first ended (its share of the forces is 1). With the paper's weights and without
// over-relaxation ropes had 3e-4 mm left after 25 × 5, now 2e-5.
//
// What finds no colour, the crowd, is solved side by side, each contact with its share of the nodes' weights. 120 hairs
// in a bundle, 3937 contacts: with 63 colours δ∞ [mm] after 6, 12, 25 and 50 × 1 is 1300, 320, 54 and 8.0; with
// eight, and 1282 in the crowd, 1300, 320, 54 and 8.8; with four 1400, 330, 52 and 13. Later, at 2299 contacts, it is
// [µm] after 12, 24 and 50 × 1 with eight 4.8, 1.6 and 0.4, with six 4.9, 1.6 and 0.3, with five or four 6.0, 1.8 and
// 0.3. 40 hairs come to rest more slowly: so up to 16 384 contacts have 31 colours, more of them six, which are
// dispatches of their own. The ball of `bench gpu` needs the crowd: as wasm finds them 2000 of its hairs have nodes
// with 32 contacts, 10 000 nodes with 276.
//
// Dispatches of a look whose walks take W of them (solve/solver-report.ts), for strands of one length: 26 + W, and W +
// 1 an iteration; one more with bodies, five and one a sweep more with bodies that contacts push. W is 1 up to some
// thousand contacts, eight at most where they are many: six colours, the crowd, its nodes, which the last sweep of an
// iteration leaves to the elastic half.

import { declareKernels } from '../device/pipelines';
import contact from '../wgsl/shared/contact.wgsl?raw';
import edge from '../wgsl/shared/edge.wgsl?raw';
import rigid from '../wgsl/shared/rigid.wgsl?raw';
import rodReduced from '../wgsl/shared/rod-reduced.wgsl?raw';
import rodTriangle from '../wgsl/shared/rod-triangle.wgsl?raw';
import segment from '../wgsl/shared/segment.wgsl?raw';
import strand from '../wgsl/shared/strand.wgsl?raw';
import admmBodies from '../wgsl/solve/admm-bodies.wgsl?raw';
import admmCrowd from '../wgsl/solve/admm-crowd.wgsl?raw';
import admmElastic from '../wgsl/solve/admm-elastic.wgsl?raw';
import admmFinish from '../wgsl/solve/admm-finish.wgsl?raw';
import admmLimit from '../wgsl/solve/admm-limit.wgsl?raw';
import admmOpen from '../wgsl/solve/admm-open.wgsl?raw';
import admmShare from '../wgsl/solve/admm-share.wgsl?raw';
import admmStart from '../wgsl/solve/admm-start.wgsl?raw';
import admmSweep from '../wgsl/solve/admm-sweep.wgsl?raw';
import admmTrial from '../wgsl/solve/admm-trial.wgsl?raw';
import apartPush from '../wgsl/solve/apart-push.wgsl?raw';
import balance from '../wgsl/solve/balance.wgsl?raw';
import bodies from '../wgsl/solve/bodies.wgsl?raw';
import byBody from '../wgsl/solve/by-body.wgsl?raw';
import byColour from '../wgsl/solve/by-colour.wgsl?raw';
import claims from '../wgsl/solve/claims.wgsl?raw';
import colour from '../wgsl/solve/colour.wgsl?raw';
import colourRounds from '../wgsl/solve/colour-rounds.wgsl?raw';
import contactMark from '../wgsl/solve/contact-mark.wgsl?raw';
import contactRows from '../wgsl/solve/contact-rows.wgsl?raw';
import contactSort from '../wgsl/solve/contact-sort.wgsl?raw';
import contactStore from '../wgsl/solve/contact-store.wgsl?raw';
import fading from '../wgsl/solve/fading.wgsl?raw';
import noBodies from '../wgsl/solve/no-bodies.wgsl?raw';
import row from '../wgsl/solve/row.wgsl?raw';
import settle from '../wgsl/solve/settle.wgsl?raw';
import share from '../wgsl/solve/share.wgsl?raw';
import solver from '../wgsl/solve/solver.wgsl?raw';
import spread from '../wgsl/solve/spread.wgsl?raw';

export const SOLVER_KERNELS = declareKernels(
  {
    admmOpen: solver + claims + admmOpen,
    contactMark: solver + contact + contactMark,
    colourRounds: solver + claims + contact + colour + colourRounds,
    sortByColour: solver + contactSort + byColour,
    sortByBody: solver + contact + contactSort + byBody,
    contactRows: solver + contact + rigid + contactRows,
    admmCrowd: solver + claims + admmCrowd,
    admmTrial: strand + rodReduced + rodTriangle + admmTrial,
    admmShare: solver + share + admmShare,
    admmStart: solver + share + admmStart,
    admmSweep: solver + claims + bodies + row + settle + admmSweep,
    /** Where contacts push no bodies. */
    admmSweepAlone: solver + claims + noBodies + row + settle + admmSweep,
    admmBodies: solver + contact + rigid + share + admmBodies,
    admmElastic: strand + rodReduced + rodTriangle + balance + claims + settle + admmElastic,
    admmFinish: strand + admmFinish,
    admmLimit: strand + admmLimit,
    contactStore: solver + contact + contactStore,
  },
  // Sweeps take turns with the elastic half, and with the bodies.
  { admmSweep: 1, admmSweepAlone: 1, admmBodies: 2 },
);

/** Strands that would go through each other at the end of a step (solve/apart.ts). */
export const APART_KERNELS = declareKernels({
  apartPush: contact + strand + edge + segment + fading + apartPush + spread,
});
