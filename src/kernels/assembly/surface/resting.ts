// What lies near by in the shape at rest: parts of one object whose nearness is no touch.
//
// In: rest lengths and areas, the lists of mesh edges at the nodes. Ways go along mesh edges, so they are longer than
// they could be by a few tenths at most.

import { TIGHTEST_BEND } from '../../../core/elastic-constants';
import {
  MESH_EDGE_NODE,
  MESH_EDGE_REST,
  MESH_EDGE_TRIANGLE,
  TRIANGLE_EDGE,
  TRIANGLE_NODE,
  TRIANGLE_REST,
} from '../../../state/layout';
import { column, getF64, getI32 } from '../memory';
import { nearShare } from '../proximity/work';
import { fanStart, fans, shortestOf } from './work';

/** Ways through a mesh longer than this many edges are not looked for. */
const MOST_EDGES: i32 = 6;

/**
 * Whether parts of one object are so near along the mesh at rest that their distance is the shape's, not a touch: the
 * way through its edges is shorter than the tightest bend of a sheet that thick, or they lie on two triangles of one
 * edge, and no farther apart there than the contact distance. Side A: node a, and b of an edge (−1: a point); side B:
 * triangle t, or −1: an edge c–d.
 */
export function isRestingNear(object: i32, reach: f64, a: i32, b: i32, t: i32, c: i32 = -1, d: i32 = -1): bool {
  let e = -1;
  if (t >= 0) {
    const corners = column(TRIANGLE_NODE) + ((<usize>t) << 4);
    c = load<i32>(corners);
    d = load<i32>(corners, 4);
    e = load<i32>(corners, 8);
    for (let k = 0; k < 3; k++) {
      const edge = getI32(column(TRIANGLE_EDGE), 4 * t + k);
      const ends = column(MESH_EDGE_NODE);
      if (getI32(ends, 4 * edge + 2) != a && getI32(ends, 4 * edge + 3) != a) continue;
      const side = getI32(ends, 4 * edge + 2) == a ? 0 : 1;
      const own = getI32(column(MESH_EDGE_TRIANGLE), 4 * edge + side);
      const area = load<f64>(column(TRIANGLE_REST) + ((<usize>own) << 6), 32);
      if (2 * area < (1 + nearShare) * reach * getF64(column(MESH_EDGE_REST), edge << 2)) return true;
    }
  }
  const limit = TIGHTEST_BEND * reach;
  if (shortestOf(object) >= limit) return false;
  return leadsTo(a, c, d, e, limit, MOST_EDGES) || (b >= 0 && leadsTo(b, c, d, e, limit, MOST_EDGES));
}

/** Whether a way of mesh edges no longer than `limit` at rest leads from a node to one of three. */
function leadsTo(node: i32, c: i32, d: i32, e: i32, limit: f64, most: i32): bool {
  const ends = column(MESH_EDGE_NODE);
  const rests = column(MESH_EDGE_REST);
  const end = getI32(fanStart, node + 1);
  for (let i = getI32(fanStart, node); i < end; i++) {
    const edge = getI32(fans, i);
    const left = limit - getF64(rests, edge << 2);
    if (!(left > 0)) continue;
    const first = getI32(ends, 4 * edge);
    const other = first == node ? getI32(ends, 4 * edge + 1) : first;
    if (other == c || other == d || other == e) return true;
    if (most > 1 && leadsTo(other, c, d, e, left, most - 1)) return true;
  }
  return false;
}
