// The kernels of the contact search, in the order of a search (find/contacts.ts says what each is for).

import type { KernelSource } from '../device/pipelines';
import { bodyRows } from '../wgsl/body-rows/body-rows';
import { bodySearch } from '../wgsl/body-search/body-search';
import { bodyStrands } from '../wgsl/body-strands/body-strands';
import { edgeBoxes } from '../wgsl/edge-boxes/edge-boxes';
import { edgeClear } from '../wgsl/edge-clear/edge-clear';
import { edgeField } from '../wgsl/edge-field/edge-field';
import { edgeKeep } from '../wgsl/edge-keep/edge-keep';
import { edgeMatch } from '../wgsl/edge-match/edge-match';
import { edgeRows } from '../wgsl/edge-rows/edge-rows';
import { gridFile } from '../wgsl/grid-file/grid-file';
import { gridMeasure } from '../wgsl/grid-measure/grid-measure';
import { pairList } from '../wgsl/pair-list/pair-list';
import { pairMeet } from '../wgsl/pair-meet/pair-meet';
import { pairRows } from '../wgsl/pair-rows/pair-rows';
import { pairSearch } from '../wgsl/pair-search/pair-search';
import { prefixSum } from '../wgsl/prefix-sum/prefix-sum';

export const CONTACT_KERNELS = {
  ...{ edgeClear, edgeField, edgeBoxes, gridMeasure, gridFile, prefixSum },
  ...{ pairSearch, pairList, pairMeet, bodyStrands, bodySearch, edgeRows, edgeKeep, pairRows, bodyRows, edgeMatch },
} as const satisfies Record<string, KernelSource>;
