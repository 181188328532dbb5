// The kernels of the contact solver, in the order of a look; how many iterations it takes, and what they cost.
//
// Iterations × sweeps, against 800 iterations on wasm with the same contacts (ropes on a floor, a bundle of hair, hair
// on a ball): for hair more sweeps gain next to nothing, more iterations a lot, so one sweep an iteration. δ∞ of a
// bundle is 0.5, 0.16, 0.08, 0.02 mm after 6, 10, 15, 25. Where friction is handed on from contact to contact it is
// otherwise: ropes around a drum at 0.98 of what holds creep by 1.2 mm in 20 steps with 60 × 1, by 0.005 with 25 × 5.
// A second look goes on where the first ended: its share of the forces is 1.
//
// What finds no colour, the crowd, is solved side by side, each contact with its share of the nodes' weights. That
// costs hardly any accuracy (of 3937 contacts 1282 in the crowd: 8.8 mm where none there gives 8.0), but hairs come to
// rest more slowly: so up to 16 384 contacts have 31 colours, more of them six, which are dispatches of their own.
// Hair on a ball needs the crowd: 10 000 hairs have nodes with 276 contacts.
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
