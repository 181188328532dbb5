// What lies near by in the shape at rest: parts of one object whose nearness is no touch.
//
// In: rest lengths and areas, the lists of mesh edges at the nodes. Ways go along mesh edges, so they are longer than
// they could be by a few tenths at most. All that is near a node is found once, ring by ring: the ways of six edges to
// it are tens of thousands.

import { TIGHTEST_BEND } from '../../../core/elastic-constants';
import {
  MESH_EDGE_NODE,
  MESH_EDGE_REST,
  MESH_EDGE_TRIANGLE,
  TRIANGLE_EDGE,
  TRIANGLE_NODE,
  TRIANGLE_REST,
} from '../../../state/layout';
import { column, getF64, getI32, setI32 } from '../memory';
import { nearShare } from '../proximity/work';
import { fanStart, fans, keys, keysOther, nodeMeasures, nodeTotal, shortestOf } from './work';

/** Ways through a mesh longer than this many edges are not looked for. */
const MOST_EDGES: i32 = 6;

/** Whether anything was near at rest since `beginResting`. */
export let metResting: bool = false;

/**
 * Whether parts of one object are so near along the mesh at rest that their distance is the shape's, not a touch: the
 * way through its edges is shorter than the tightest bend of a sheet that thick, or they lie on two triangles of one
 * edge, and no farther apart there than the contact distance. Side A: node a, and b of an edge (−1: a point); side B:
 * triangle t, or −1: an edge c–d.
 */
export function isRestingNear(object: i32, reach: f64, a: i32, b: i32, t: i32, c: i32 = -1, d: i32 = -1): bool {
  const isNear = isNearAlong(object, reach, a, b, t, c, d);
  metResting = metResting || isNear;
  return isNear;
}

function isNearAlong(object: i32, reach: f64, a: i32, b: i32, t: i32, c: i32, d: i32): bool {
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
  return leadsTo(0, a, c, d, e, limit) || (b >= 0 && leadsTo(1, b, c, d, e, limit));
}

// ── What is near a node ──────────────────────────────

// Fields of a node, in the memory that contacts with bodies have afterwards. Stamps are those of a search; 0: of none.
const SEARCHES: usize = 0; // i32×2: search of each side in which it was reached
const BEST: usize = 8; // f64: most that is left of the length by any way so far, if BEST_OF is the search [m]
const LEFT: usize = 16; // f64: the same, by ways of as many edges as the search has come to [m]
const BEST_OF: usize = 24;
const RING: usize = 28; // i32: ring of a search in which it was put down

/** Number of the last search, or of a ring of one; whether the fields are those of this call. */
let searches: i32 = 0;
let isOpen: bool = false;
/** Node that each side was searched around last, how far, and the number of that search. */
const AROUND: usize = memory.data(32, 16);

/** Forgets what was searched: the memory has been another's. */
export function beginResting(): void {
  isOpen = false;
  metResting = false;
}

function open(): void {
  isOpen = true;
  searches = 0;
  memory.fill(nodeMeasures, 0, (<usize>nodeTotal) << 6);
  for (let side: usize = 0; side < 2; side++) store<i32>(AROUND + (side << 4), -1);
}

function at(node: i32): usize {
  return nodeMeasures + ((<usize>node) << 6);
}

/** Whether a way of mesh edges no longer than `limit` at rest leads from a node to one of three. */
function leadsTo(side: usize, node: i32, c: i32, d: i32, e: i32, limit: f64): bool {
  if (!isOpen) open();
  const around = AROUND + (side << 4);
  if (load<i32>(around) != node || load<f64>(around, 8) != limit) {
    store<i32>(around, node);
    store<f64>(around, limit, 8);
    store<i32>(around, ++searches, 4);
    searchAround(node, limit, SEARCHES + (side << 2));
  }
  const search = load<i32>(around, 4);
  const near = SEARCHES + (side << 2);
  return (
    load<i32>(at(c) + near) == search ||
    load<i32>(at(d) + near) == search ||
    (e >= 0 && load<i32>(at(e) + near) == search)
  );
}

/** Marks, in field `near`, the nodes that ways of mesh edges no longer than `limit` at rest lead to. */
function searchAround(node: i32, limit: f64, near: usize): void {
  const search = searches;
  const ends = column(MESH_EDGE_NODE);
  const rests = column(MESH_EDGE_REST);
  let ring = keys;
  let next = keysOther;
  let count = 1;
  setI32(ring, 0, node);
  store<f64>(at(node), limit, BEST);
  store<i32>(at(node), search, BEST_OF);
  for (let edges = 0; edges < MOST_EDGES && count > 0; edges++) {
    for (let i = 0; i < count; i++) {
      const u = at(getI32(ring, i));
      store<f64>(u, load<f64>(u, BEST), LEFT);
    }
    searches++;
    let found = 0;
    for (let i = 0; i < count; i++) {
      const from = getI32(ring, i);
      const end = getI32(fanStart, from + 1);
      for (let k = getI32(fanStart, from); k < end; k++) {
        const edge = getI32(fans, k);
        const left = load<f64>(at(from), LEFT) - getF64(rests, edge << 2);
        if (!(left > 0)) continue;
        const first = getI32(ends, 4 * edge);
        const other = first == from ? getI32(ends, 4 * edge + 1) : first;
        const v = at(other);
        store<i32>(v + near, search);
        if (load<i32>(v, BEST_OF) == search && load<f64>(v, BEST) >= left) continue;
        store<i32>(v, search, BEST_OF);
        store<f64>(v, left, BEST);
        if (load<i32>(v, RING) == searches) continue;
        store<i32>(v, searches, RING);
        setI32(next, found++, other);
      }
    }
    count = found;
    const swap = ring;
    ring = next;
    next = swap;
  }
}
