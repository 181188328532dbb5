// The kernels beside search and solver: strands that stay while others come or go, bodies that feel strands late.

import { moverLate } from './kernels/mover-late/mover-late';
import { moverNote } from './kernels/mover-note/mover-note';
import { takeRows } from './kernels/take-rows/take-rows';
import type { KernelSource } from './pipelines';

export const WORLD_KERNELS = { takeRows, moverLate, moverNote } as const satisfies Record<string, KernelSource>;
