// The kernels of the contact search, in the order of a search (find/contacts.ts says what each is for).

import { declareKernels } from '../device/pipelines';
import again from '../wgsl/find/again.wgsl?raw';
import body from '../wgsl/find/body.wgsl?raw';
import bodyEdge from '../wgsl/find/body-edge.wgsl?raw';
import bodyFaces from '../wgsl/find/body-faces.wgsl?raw';
import bodyMeet from '../wgsl/find/body-meet.wgsl?raw';
import bodyRows from '../wgsl/find/body-rows.wgsl?raw';
import bodySearch from '../wgsl/find/body-search.wgsl?raw';
import bodyShape from '../wgsl/find/body-shape.wgsl?raw';
import bodyStrands from '../wgsl/find/body-strands.wgsl?raw';
import boxBindings from '../wgsl/find/box-bindings.wgsl?raw';
import combine from '../wgsl/find/combine.wgsl?raw';
import continueRow from '../wgsl/find/continue-row.wgsl?raw';
import edgeBoxes from '../wgsl/find/edge-boxes.wgsl?raw';
import edgeClear from '../wgsl/find/edge-clear.wgsl?raw';
import edgeField from '../wgsl/find/edge-field.wgsl?raw';
import edgeKeep from '../wgsl/find/edge-keep.wgsl?raw';
import edgeMatch from '../wgsl/find/edge-match.wgsl?raw';
import edgeRows from '../wgsl/find/edge-rows.wgsl?raw';
import grid from '../wgsl/find/grid.wgsl?raw';
import gridBindings from '../wgsl/find/grid-bindings.wgsl?raw';
import gridFile from '../wgsl/find/grid-file.wgsl?raw';
import gridMeasure from '../wgsl/find/grid-measure.wgsl?raw';
import lastList from '../wgsl/find/last-list.wgsl?raw';
import levels from '../wgsl/find/levels.wgsl?raw';
import pair from '../wgsl/find/pair.wgsl?raw';
import pairList from '../wgsl/find/pair-list.wgsl?raw';
import pairMeet from '../wgsl/find/pair-meet.wgsl?raw';
import pairRows from '../wgsl/find/pair-rows.wgsl?raw';
import pairSearch from '../wgsl/find/pair-search.wgsl?raw';
import prefixSum from '../wgsl/find/prefix-sum.wgsl?raw';
import repeats from '../wgsl/find/repeats.wgsl?raw';
import contact from '../wgsl/shared/contact.wgsl?raw';
import edge from '../wgsl/shared/edge.wgsl?raw';
import rigid from '../wgsl/shared/rigid.wgsl?raw';
import segment from '../wgsl/shared/segment.wgsl?raw';
import strand from '../wgsl/shared/strand.wgsl?raw';

/** What every kernel of the search reads and writes. */
const records = contact + strand + edge;

export const CONTACT_KERNELS = declareKernels(
  {
    edgeClear: records + grid + edgeClear,
    edgeField: records + grid + boxBindings + edgeField,
    edgeBoxes: records + grid + boxBindings + edgeBoxes,
    gridMeasure: records + grid + gridBindings + gridMeasure,
    gridFile: records + grid + gridBindings + levels + gridFile,
    prefixSum,
    pairSearch: records + grid + segment + pair + pairSearch,
    pairList: records + pairList,
    pairMeet: records + segment + pair + lastList + repeats + again + pairMeet,
    bodyStrands: records + rigid + body + bodyStrands,
    bodySearch: records + rigid + body + bodyFaces + bodyShape + bodyEdge + bodyMeet + bodySearch,
    edgeRows: records + rigid + body + lastList + edgeRows,
    edgeKeep: records + edgeKeep,
    pairRows: records + segment + lastList + continueRow + pairRows,
    bodyRows: records + rigid + body + lastList + continueRow + combine + bodyRows,
    edgeMatch: records + lastList + edgeMatch,
  },
  { prefixSum: 2 },
);
