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
import { joinParts } from '../device/wgsl';

export const SOLVER_KERNELS = declareKernels(
  joinParts({
    admmOpen: 'report solver claims admm-open',
    contactMark: 'report solver contact contact-mark',
    colourRounds: 'report solver claims contact colour colour-rounds',
    sortByColour: 'report solver contact-sort by-colour',
    sortByBody: 'report solver contact contact-sort by-body',
    contactRows: 'report solver contact rigid contact-rows',
    admmCrowd: 'report solver claims admm-crowd',
    admmTrial: 'report strand rod-reduced rod-triangle admm-trial',
    admmShare: 'report solver share admm-share',
    admmStart: 'report solver share admm-start',
    admmSweep: 'report solver claims bodies row settle admm-sweep',
    /** Where contacts push no bodies. */
    admmSweepAlone: 'report solver claims no-bodies row settle admm-sweep',
    admmBodies: 'report solver contact rigid share admm-bodies',
    admmElastic: 'report strand share-bits rod-reduced rod-triangle balance claims settle admm-elastic',
    admmFinish: 'strand admm-finish',
    admmLimit: 'report strand admm-limit',
    contactStore: 'report solver contact contact-store',
  }),
  // Sweeps take turns with the elastic half, and with the bodies.
  { admmSweep: 1, admmSweepAlone: 1, admmBodies: 2 },
);

/** Strands that would go through each other at the end of a step (solve/apart.ts). */
export const APART_KERNELS = declareKernels(
  joinParts({
    apartPush: 'contact strand edge segment fading apart-push spread',
  }),
);
