// The kernels beside search and solver: strands that stay while others come or go or that go along with a body, what clamps and contacts do to bodies,
// which feel it late, further linearisations.

import { moveContacts } from './kernels/move-contacts/move-contacts';
import { moveStrands } from './kernels/move-strands/move-strands';
import { moverCarry } from './kernels/mover-carry/mover-carry';
import { moverLate } from './kernels/mover-late/mover-late';
import { moverNote } from './kernels/mover-note/mover-note';
import { rodCalm } from './kernels/rod-calm/rod-calm';
import { rodGuess } from './kernels/rod-guess/rod-guess';
import { rodReact } from './kernels/rod-react/rod-react';
import { takeRows } from './kernels/take-rows/take-rows';
import type { KernelSource } from './pipelines';

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
} as const satisfies Record<string, KernelSource>;
