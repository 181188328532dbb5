// The kernels beside search and solver: strands that stay while others come or go or that go along with a body, what
// joints prescribe, what clamps and contacts do to bodies, which feel it late, further linearisations.

import { declareKernels } from '../device/pipelines';
import contact from '../wgsl/shared/contact.wgsl?raw';
import rigid from '../wgsl/shared/rigid.wgsl?raw';
import strand from '../wgsl/shared/strand.wgsl?raw';
import late from '../wgsl/world/late.wgsl?raw';
import move from '../wgsl/world/move.wgsl?raw';
import moveContacts from '../wgsl/world/move-contacts.wgsl?raw';
import moveStrands from '../wgsl/world/move-strands.wgsl?raw';
import moverCarry from '../wgsl/world/mover-carry.wgsl?raw';
import moverLate from '../wgsl/world/mover-late.wgsl?raw';
import moverNote from '../wgsl/world/mover-note.wgsl?raw';
import pinMute from '../wgsl/world/pin-mute.wgsl?raw';
import rodCalm from '../wgsl/world/rod-calm.wgsl?raw';
import rodGuess from '../wgsl/world/rod-guess.wgsl?raw';
import rodPins from '../wgsl/world/rod-pins.wgsl?raw';
import rodReact from '../wgsl/world/rod-react.wgsl?raw';
import takeRows from '../wgsl/world/take-rows.wgsl?raw';

export const WORLD_KERNELS = declareKernels({
  takeRows: takeRows,
  moverLate: contact + rigid + late + moverLate,
  moverNote: contact + rigid + late + moverNote,
  rodReact: strand + rodReact,
  rodGuess: strand + rodGuess,
  moveStrands: strand + rigid + move + moveStrands,
  moveContacts: rigid + move + contact + moveContacts,
  moverCarry: contact + rigid + moverCarry,
  rodCalm: strand + rodCalm,
  rodPins: strand + rigid + rodPins,
  pinMute: contact + pinMute,
});
