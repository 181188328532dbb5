// The kernels of the contact detection, in the order of a detection (find/contacts.ts says what each is for).

import { declareKernels } from '../device/pipelines';
import { joinParts } from '../device/wgsl';

/** What every kernel of the detection reads and writes. */
const RECORDS = 'contact strand edge';

export const CONTACT_KERNELS = declareKernels(
  joinParts({
    edgeClear: `${RECORDS} grid edge-clear`,
    edgeField: `${RECORDS} grid box-bindings edge-field`,
    edgeBoxes: `${RECORDS} grid box-bindings edge-boxes`,
    gridMeasure: `${RECORDS} grid grid-bindings grid-measure`,
    gridFile: `${RECORDS} grid grid-bindings levels grid-file`,
    prefixSum: 'prefix-sum',
    pairDetection: `${RECORDS} grid segment pair pair-detection`,
    pairList: `${RECORDS} pair-list`,
    pairMeet: `${RECORDS} segment pair last-list repeats again pair-meet`,
    bodyStrands: `${RECORDS} rigid body body-strands`,
    bodyDetection: `${RECORDS} rigid body body-faces body-shape body-edge body-meet body-detection`,
    edgeRows: `${RECORDS} rigid body hits last-list edge-rows`,
    edgeKeep: `${RECORDS} edge-keep`,
    pairRows: `${RECORDS} segment last-list continue-row pair-rows`,
    bodyRows: `${RECORDS} rigid body hits last-list continue-row combine body-rows`,
    edgeMatch: `${RECORDS} last-list edge-match`,
  }),
  { prefixSum: 2 },
);
