// The kernels beside search and solver: strands that stay while others come or go or that go along with a body, what
// joints prescribe, what clamps and contacts do to bodies, which feel it late, further linearisations.

import type { KernelSource } from '../device/pipelines';
import { moveContacts } from '../wgsl/move-contacts/move-contacts';
import { moveStrands } from '../wgsl/move-strands/move-strands';
import { moverCarry } from '../wgsl/mover-carry/mover-carry';
import { moverLate } from '../wgsl/mover-late/mover-late';
import { moverNote } from '../wgsl/mover-note/mover-note';
import { pinMute } from '../wgsl/pin-mute/pin-mute';
import { rodCalm } from '../wgsl/rod-calm/rod-calm';
import { rodGuess } from '../wgsl/rod-guess/rod-guess';
import { rodPins } from '../wgsl/rod-pins/rod-pins';
import { rodReact } from '../wgsl/rod-react/rod-react';
import { takeRows } from '../wgsl/take-rows/take-rows';

export const WORLD_KERNELS = {
  takeRows,
  moverLate,
  moverNote,
  rodReact,
  rodGuess,
  moveStrands,
  moveContacts,
  moverCarry,
  rodCalm,
  rodPins,
  pinMute,
} as const satisfies Record<string, KernelSource>;
