// The kernels beside search and solver: strands that stay while others come or go, what clamps and contacts do to bodies,
// which feel it late.

import { moverLate } from './kernels/mover-late/mover-late';
import { moverNote } from './kernels/mover-note/mover-note';
import { rodReact } from './kernels/rod-react/rod-react';
import { takeRows } from './kernels/take-rows/take-rows';
import type { KernelSource } from './pipelines';

export const WORLD_KERNELS = { takeRows, moverLate, moverNote, rodReact } as const satisfies Record<
  string,
  KernelSource
>;
