// The kernels beside detection and solver: strands that stay while others come or go or that go along with a body, what
// joints prescribe, what clamps and contacts do to bodies, which feel it late, further linearisations.

import { declareKernels } from '../device/pipelines';
import { joinParts } from '../device/wgsl';

export const WORLD_KERNELS = declareKernels(
  joinParts({
    takeRows: 'share-bits take-rows',
    moverLate: 'contact rigid late mover-late',
    moverNote: 'contact rigid late mover-note',
    rodReact: 'strand rod-react',
    rodGuess: 'strand rod-guess',
    moveStrands: 'strand rigid move move-strands',
    moveContacts: 'rigid move contact move-contacts',
    moverCarry: 'contact rigid mover-carry',
    rodCalm: 'report strand rod-calm',
    rodPins: 'strand rigid rod-pins',
    pinMute: 'contact pin-mute',
  }),
);
