// Contacts of strands with bodies: which colliders are near a strand, then every edge against each of them.
//
// In: strands, the tree and collider poses of find-pairs. Out: hits (proximity/hits) with a point on the body.
// Each node near a shape is a contact, and so is the lowest point of an edge where it lies between the nodes and
// lower than they do: over a ridge, a sphere, a capstan. An edge flat on a face has its two nodes. A node belongs to
// the edge that it begins (the last one to the last edge), so each is reported once.
// All tests run in the collider's frame, where the end of the step is seen from the body as it will be then: the
// shape stands still and the nodes move on straight lines, so fast strands and fast bodies are one case. What moves
// is advanced along its way as in strand-segments: with n the gradient at the lowest point, a convex body lies under
// the plane there, so heights along n bound the distance from below. The impact's normal points to the side it came
// from. Nodes and edges that clamps hold are left out against bodies that do not give way, and their own; buried
// nodes (proximity/clamps) against their own. A strand that sleeps meets only bodies that are awake.

import {
  BODY_ALIVE,
  BODY_COLLIDER,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_QUARANTINED,
  COLLIDER_ALIVE,
  COLLIDER_BODY,
  COLLIDER_BOX,
  COLLIDER_COUNT,
  COLLIDER_FLAGS,
  COLLIDER_LAYERS,
  COLLIDER_NEXT,
  COLLIDER_SENSOR,
  COLLIDER_SHAPE,
  ROD_LAYERS,
  ROD_PARAMETER,
  STRAND_COUNT,
  STRAND_FIRST,
  STRAND_FLAGS,
  STRAND_NODES,
  STRAND_QUARANTINED,
  STRAND_REST_BOX,
  STRAND_ROD,
  TREE_CHILD,
  TREE_COLLIDER,
  TREE_ROOT,
  TRIANGLE_KINDS,
} from '../../../state/layout';
import { boxesOverlap, nodeBox, STACK_ENTRIES } from '../broad/tree';
import { isAsleep, isBodyAwake } from '../elastic/sleep';
import { boxRow } from '../math/boxes';
import { cell, column, getI32, setI32 } from '../memory';
import { isOneOf, kindOf } from '../shapes/kinds';
import { forkRanges, ownScratch, RANGE_STRAND_BODIES } from '../threads/fork';
import { chooseBody, enterEdge, isApart, meetEdge, meetNode, touchesNode } from './body-edge';
import { buriedNodes, clampedEdge, clampedNode, holderOf, setBuriedNodes } from './clamps';
import { isStrandLive } from './edges';
import { beginHitRange, endHitRange, joinHits, lendRanges, sortOld } from './hits';
import { meetMesh, touchesMeshNode } from './mesh';
import { chooseShape } from './shape';
import {
  append,
  BODY_BOX,
  bodyBoxBytes,
  bodyBoxes,
  continuous,
  dt,
  flags,
  hasBox,
  nearShare,
  nodes,
  position,
  strands,
  takeQuestion,
  velocity,
} from './work';

const STACK: usize = memory.data(2048); // STACK_ENTRIES i32
const LIST: usize = memory.data(1024);
const LIST_ENTRIES: i32 = 256;
const STRAND_BOX: usize = memory.data(48, 16);

/** Boxes of the strand's edges, by edge. */
let edgeBoxes: usize = 0;

let listed: i32 = 0;
/** Whether the strand looked at sleeps. */
let resting: bool = false;

/** Finds all contacts with bodies. To be called after the pairs of edges: it uses their memory. */
export function findBodyContacts(): void {
  if (cell(TREE_ROOT) < 0) return;
  if (ASC_FEATURE_THREADS && nodes >= 2 * GRAIN_NODES) {
    if (append) sortOld();
    if (lendRanges(strands, MOST_HITS * nodes)) {
      const scratch = bodyBoxBytes();
      forkRanges(RANGE_STRAND_BODIES, strands, max(1, (strands * GRAIN_NODES) / nodes), scratch);
      if (joinHits(strands)) return;
    }
  }
  meetStrands(0, strands);
}

/** Nodes that a thread meets with bodies at a time: some 0.1 ms. */
const GRAIN_NODES: i32 = 512;
/** Hits of a node for which a range has room. */
const MOST_HITS: i32 = 4;

/** The strands `begin` to `end` of findBodyContacts, on a thread. */
export function meetStrandRange(begin: i32, end: i32): void {
  const first = getI32(column(STRAND_FIRST), begin);
  const last = end < strands ? getI32(column(STRAND_FIRST), end) : nodes;
  beginHitRange(begin, end, MOST_HITS * first, MOST_HITS * (last - first));
  meetStrands(begin, end);
  endHitRange(begin);
}

function meetStrands(begin: i32, end: i32): void {
  const rods = column(STRAND_ROD);
  for (let strand = begin; strand < end; strand++) {
    if (!isStrandLive(strand)) continue;
    const rod = getI32(rods, strand);
    const radius = load<f64>(column(ROD_PARAMETER) + ((<usize>rod) << 6));
    const first = getI32(column(STRAND_FIRST), strand);
    const last = first + getI32(column(STRAND_NODES), strand) - 2;
    edgeBoxes = (ownScratch != 0 ? ownScratch : bodyBoxes) - <usize>first * BODY_BOX;
    if (!boundStrand(first, last, radius)) continue;
    if (!append) for (let end = 0; end < 2; end++) countBuried(strand, end, first, last, radius);
    const count = listColliders(STRAND_BOX, getI32(column(ROD_LAYERS), rod), isAsleep(strand));
    for (let i = 0; i < count; i++) {
      const collider = listedCollider(i, getI32(column(ROD_LAYERS), rod));
      if (collider >= 0) meetCollider(strand, first, last, radius, collider);
    }
  }
}

/** Whether the edge takes part and is to be looked at. */
function isWanted(edge: i32): bool {
  return load<u8>(flags + edge) != 0 && load<u8>(hasBox + edge) != 0;
}

/** Boxes of the strand's edges over the step, and of the strand; false when none of its edges takes part. */
function boundStrand(first: i32, last: i32, radius: f64): bool {
  let any = false;
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(STRAND_BOX + k, Infinity);
    store<f64>(STRAND_BOX + k, -Infinity, 24);
  }
  const wide = radius * (1 + 2 * nearShare);
  for (let edge = first; edge <= last; edge++) {
    if (!isWanted(edge)) continue;
    any = true;
    const p = position + ((<usize>edge) << 5);
    const v = velocity + ((<usize>edge) << 5);
    const box = edgeBoxes + <usize>edge * BODY_BOX;
    for (let k: usize = 0; k < 24; k += 8) {
      const x0 = load<f64>(p + k);
      const x1 = load<f64>(p + k, 32);
      let d0 = dt * load<f64>(v + k);
      let d1 = dt * load<f64>(v + k, 32);
      if (!continuous) {
        d0 = max(-radius, min(radius, d0));
        d1 = max(-radius, min(radius, d1));
      }
      const low = min(x0 + min(0.0, d0), x1 + min(0.0, d1)) - wide;
      const high = max(x0 + max(0.0, d0), x1 + max(0.0, d1)) + wide;
      store<f64>(box + k, low);
      store<f64>(box + k, high, 24);
      store<f64>(STRAND_BOX + k, min(low, load<f64>(STRAND_BOX + k)));
      store<f64>(STRAND_BOX + k, max(high, load<f64>(STRAND_BOX + k, 24)), 24);
    }
  }
  return any;
}

function mayTouch(collider: i32, layers: i32): bool {
  const flags = getI32(column(COLLIDER_FLAGS), collider);
  if ((flags & (COLLIDER_ALIVE | COLLIDER_SENSOR)) != COLLIDER_ALIVE) return false;
  const other = getI32(column(COLLIDER_LAYERS), collider);
  if (((layers >>> 16) & other & 0xffff) == 0 || ((other >>> 16) & layers & 0xffff) == 0) return false;
  const body = getI32(column(BODY_FLAGS), getI32(column(COLLIDER_BODY), collider));
  return (body & (BODY_ALIVE | BODY_QUARANTINED)) == BODY_ALIVE;
}

function mayMeet(collider: i32, layers: i32): bool {
  if (!mayTouch(collider, layers)) return false;
  return !resting || isBodyAwake(getI32(column(COLLIDER_BODY), collider));
}

/** Nodes of the tree that wait in a walk. */
let waiting: i32 = 0;

/** Begins a walk of the tree, which has a root. */
function beginWalk(): void {
  setI32(STACK, 0, cell(TREE_ROOT));
  waiting = 1;
}

/** The next collider of the walk whose box meets `box`; −1: there is none left. */
function nextCollider(box: usize): i32 {
  const children = column(TREE_CHILD);
  while (waiting > 0) {
    const node = getI32(STACK, --waiting);
    if (!boxesOverlap(nodeBox(node), box)) continue;
    const child = getI32(children, node * 2);
    if (child >= 0) {
      assert(waiting + 2 <= STACK_ENTRIES);
      setI32(STACK, waiting++, getI32(children, node * 2 + 1));
      setI32(STACK, waiting++, child);
      continue;
    }
    const collider = getI32(column(TREE_COLLIDER), node);
    if (boxesOverlap(boxRow(COLLIDER_BOX, collider), box)) return collider;
  }
  return -1;
}

/**
 * Lists the colliders whose boxes meet `box` (f64×6) and that an object of those layers may touch (one that sleeps:
 * awake bodies), by slot: the walk's order depends on the tree's history. Returns how many to ask `listedCollider` for.
 */
export function listColliders(box: usize, layers: i32, asleep: bool): i32 {
  listed = 0;
  resting = asleep;
  if (cell(TREE_ROOT) < 0) return 0;
  beginWalk();
  for (let c = nextCollider(box); c >= 0; c = nextCollider(box)) if (mayMeet(c, layers)) insert(c);
  return listed > LIST_ENTRIES ? cell(COLLIDER_COUNT) : listed;
}

/** The collider in place `i` of the list, −1: not one to meet. */
export function listedCollider(i: i32, layers: i32): i32 {
  if (listed <= LIST_ENTRIES) return getI32(LIST, i);
  return mayMeet(i, layers) ? i : -1;
}

function insert(collider: i32): void {
  if (listed >= LIST_ENTRIES) {
    // More than fit: all colliders are tried.
    listed = LIST_ENTRIES + 1;
    return;
  }
  let at = listed++;
  while (at > 0 && getI32(LIST, at - 1) > collider) {
    setI32(LIST, at, getI32(LIST, at - 1));
    at--;
  }
  setI32(LIST, at, collider);
}

/** Counts the nodes at one end that are buried in the body that its clamp follows, if that has not been done. */
function countBuried(strand: i32, end: i32, first: i32, last: i32, radius: f64): void {
  const body = holderOf(strand, end);
  if (body < 0 || buriedNodes(strand, end) >= 0) return;
  const layers = getI32(column(ROD_LAYERS), getI32(column(STRAND_ROD), strand));
  let count = 0;
  while (
    count <= last - first + 1 &&
    isBuried(end == 0 ? first + count : last + 1 - count, last, body, layers, radius)
  ) {
    count++;
  }
  setBuriedNodes(strand, end, count);
}

/** Whether the node is inside a collider of the body, or near enough to touch it. */
function isBuried(node: i32, last: i32, body: i32, layers: i32, radius: f64): bool {
  const edge = min(node, last);
  let collider = getI32(column(BODY_COLLIDER), body);
  for (; collider >= 0; collider = getI32(column(COLLIDER_NEXT), collider)) {
    if (!mayTouch(collider, layers)) continue;
    const shape = getI32(column(COLLIDER_SHAPE), collider);
    chooseBody(collider, body, radius);
    if (isOneOf(kindOf(collider), TRIANGLE_KINDS)) {
      enterEdge(edge);
      if (touchesMeshNode(shape, node - edge)) return true;
      continue;
    }
    chooseShape(shape);
    enterEdge(edge);
    if (touchesNode(node - edge)) return true;
  }
  return false;
}

function meetCollider(strand: i32, first: i32, last: i32, radius: f64, collider: i32): void {
  const box = boxRow(COLLIDER_BOX, collider);
  if (!boxesOverlap(box, STRAND_BOX)) return;
  const body = getI32(column(COLLIDER_BODY), collider);
  const shape = getI32(column(COLLIDER_SHAPE), collider);
  const isMesh = isOneOf(kindOf(collider), TRIANGLE_KINDS);
  const ownAtStart = holderOf(strand, 0) == body;
  const ownAtEnd = holderOf(strand, 1) == body;
  // Against these a clamped node has nothing to give.
  const stubborn = (getI32(column(BODY_FLAGS), body) & BODY_DYNAMIC) == 0 || ownAtStart || ownAtEnd;
  // Nodes out of the body: from `free` to `bare`.
  const free = first + (ownAtStart ? buriedNodes(strand, 0) : 0);
  const bare = last + 1 - (ownAtEnd ? buriedNodes(strand, 1) : 0);
  let chosen = false;
  for (let edge = first; edge <= last; edge++) {
    if (!isWanted(edge) || !boxesOverlap(box, edgeBoxes + <usize>edge * BODY_BOX)) continue;
    if (!chosen) {
      chosen = true;
      chooseBody(collider, body, radius);
      if (!isMesh) chooseShape(shape);
    }
    const starts = edge >= free && edge <= bare && !(stubborn && clampedNode(edge, strand));
    const ends = edge == last && last + 1 >= free && last + 1 <= bare && !(stubborn && clampedNode(last + 1, strand));
    const between = edge >= free && edge < bare && !(stubborn && clampedEdge(edge, strand));
    if (!starts && !ends && !between) continue;
    enterEdge(edge);
    if (isMesh) {
      meetMesh(shape, starts, ends, between);
      continue;
    }
    if (isApart()) continue;
    if (starts) meetNode(0);
    if (ends) meetNode(1);
    if (between) meetEdge();
  }
}

/**
 * Counts the buried nodes of a strand for whatever else detects its contacts (the device), as the detection here does.
 * `share`: of the radii up to which contacts are made. Where colliders are, find-pairs has said.
 */
export function rodBury(strand: i32, share: f64): void {
  takeQuestion(0, 0, share, 0);
  const rod = getI32(column(STRAND_ROD), strand);
  if (rod < 0 || (getI32(column(STRAND_FLAGS), strand) & STRAND_QUARANTINED) != 0) return;
  const radius = load<f64>(column(ROD_PARAMETER) + ((<usize>rod) << 6));
  const first = getI32(column(STRAND_FIRST), strand);
  const last = first + getI32(column(STRAND_NODES), strand) - 2;
  for (let end = 0; end < 2; end++) countBuried(strand, end, first, last, radius);
}

/** Whether a collider of an awake body is near a strand that sleeps. After find-pairs. */
export function rodNear(): bool {
  if (cell(TREE_ROOT) < 0) return false;
  const strands = cell(STRAND_COUNT);
  for (let s = 0; s < strands; s++)
    if (isAsleep(s) && isAnyAwakeAt(column(STRAND_REST_BOX) + <usize>s * 48)) return true;
  return false;
}

function isAnyAwakeAt(box: usize): bool {
  beginWalk();
  for (let c = nextCollider(box); c >= 0; c = nextCollider(box)) {
    if (isBodyAwake(getI32(column(COLLIDER_BODY), c))) return true;
  }
  return false;
}
