// The kernels of the contact search, in the order of a search (gpu-contacts.ts says what each is for).

import { bodyRows } from './kernels/body-rows/body-rows';
import { bodySearch } from './kernels/body-search/body-search';
import { bodyStrands } from './kernels/body-strands/body-strands';
import { edgeBoxes } from './kernels/edge-boxes/edge-boxes';
import { edgeClear } from './kernels/edge-clear/edge-clear';
import { edgeField } from './kernels/edge-field/edge-field';
import { edgeKeep } from './kernels/edge-keep/edge-keep';
import { edgeMatch } from './kernels/edge-match/edge-match';
import { edgeRows } from './kernels/edge-rows/edge-rows';
import { gridFile } from './kernels/grid-file/grid-file';
import { gridMeasure } from './kernels/grid-measure/grid-measure';
import { pairList } from './kernels/pair-list/pair-list';
import { pairMeet } from './kernels/pair-meet/pair-meet';
import { pairRows } from './kernels/pair-rows/pair-rows';
import { pairSearch } from './kernels/pair-search/pair-search';
import { prefixSum } from './kernels/prefix-sum/prefix-sum';
import type { KernelSource } from './pipelines';

export const CONTACT_KERNELS = {
  ...{ edgeClear, edgeField, edgeBoxes, gridMeasure, gridFile, prefixSum },
  ...{ pairSearch, pairList, pairMeet, bodyStrands, bodySearch, edgeRows, edgeKeep, pairRows, bodyRows, edgeMatch },
} as const satisfies Record<string, KernelSource>;
