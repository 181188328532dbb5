// Dynamic tree of fat boxes: which colliders may touch what.
//
// A binary tree whose leaves are colliders. A leaf's box is fat: larger than the collider's box by a margin and
// by the way ahead, so that a collider is put in anew only when it leaves it. Insertion walks down greedily by
// the surface-area heuristic (J. Goldsmith, J. Salmon, "Automatic creation of object hierarchies for ray
// tracing", 1987), and on the way up every ancestor tries the rotations of A. Kensler, "Tree rotations for
// improving bounding volume hierarchies", 2008. A bound on how far two siblings' heights may differ keeps the
// height logarithmic even for nested or coincident boxes, so traversals get by with a fixed stack.
//
// In: COLLIDER_BOX, velocities. Out: TREE_*, COLLIDER_NODE. The shape of the tree depends on the history only.

import {
  BODY_LINEAR_VELOCITY,
  COLLIDER_BODY,
  COLLIDER_BOX,
  COLLIDER_NODE,
  FAT_MARGIN,
  TIME_STEP,
  TREE_BOX,
  TREE_CAPACITY,
  TREE_CHILD,
  TREE_COLLIDER,
  TREE_COUNT,
  TREE_FREE,
  TREE_HEIGHT,
  TREE_PARENT,
  TREE_ROOT,
} from '../../../state/layout';
import { BOX_BYTES, boxRow, row4 } from '../math/boxes';
import { cell, column, copyWords, getI32, parameter, setCell, setI32 } from '../memory';

/**
 * Most that the heights of two siblings may differ. A ground plane belongs beside the root of everything else, so
 * this must exceed the height of an ordinary tree (about 2 log2 of its leaves); it only bites where boxes are nested
 * by the dozen.
 */
const IMBALANCE: i32 = 32;
/** Entries of a traversal stack: with the bound above, 2^26 leaves make a tree of at most 300 levels. */
export const STACK_ENTRIES: i32 = 512;
/** Steps of straight motion that a fat box looks ahead. More: fewer insertions, more idle pairs. */
const LOOK_AHEAD: f64 = 4;
/**
 * The margin is at most this share of the box's largest side. More: idle pairs (a resting pile of 1000 has 2.5 pairs
 * to a contact at 0.05, 1.9 at 0.02); less: falling bodies are inserted more often.
 */
const MARGIN_SHARE: f64 = 0.02;
/** A fat box is kept while it exceeds a fresh one by no more than this many margins. */
const SLACK_MARGINS: f64 = 4;

const FAT_BOX: usize = memory.data(48);
const OLD_BOX: usize = memory.data(48);

// ── Boxes ──────────────────────────────────

/** Address of a node's box. */
export function nodeBox(node: i32): usize {
  return boxRow(TREE_BOX, node);
}

/** Address of a node's box where the column is at hand. */
function boxOf(boxes: usize, node: i32): usize {
  return boxes + <usize>node * BOX_BYTES;
}

/** Whether two boxes share a point. */
export function boxesOverlap(a: usize, b: usize): bool {
  return (
    load<f64>(a) <= load<f64>(b, 24) &&
    load<f64>(b) <= load<f64>(a, 24) &&
    load<f64>(a, 8) <= load<f64>(b, 32) &&
    load<f64>(b, 8) <= load<f64>(a, 32) &&
    load<f64>(a, 16) <= load<f64>(b, 40) &&
    load<f64>(b, 16) <= load<f64>(a, 40)
  );
}

/** Whether `outer`, widened by `slack` [m] on all sides, holds `inner`. */
export function boxHolds(outer: usize, inner: usize, slack: f64): bool {
  return (
    load<f64>(outer) - slack <= load<f64>(inner) &&
    load<f64>(outer, 8) - slack <= load<f64>(inner, 8) &&
    load<f64>(outer, 16) - slack <= load<f64>(inner, 16) &&
    load<f64>(outer, 24) + slack >= load<f64>(inner, 24) &&
    load<f64>(outer, 32) + slack >= load<f64>(inner, 32) &&
    load<f64>(outer, 40) + slack >= load<f64>(inner, 40)
  );
}

/** Half the surface of a box [m²]. */
function area(a: usize): f64 {
  const x = load<f64>(a, 24) - load<f64>(a);
  const y = load<f64>(a, 32) - load<f64>(a, 8);
  const z = load<f64>(a, 40) - load<f64>(a, 16);
  return x * y + y * z + z * x;
}

/** Half the surface of the box around both [m²]. */
function jointArea(a: usize, b: usize): f64 {
  const x = max(load<f64>(a, 24), load<f64>(b, 24)) - min(load<f64>(a), load<f64>(b));
  const y = max(load<f64>(a, 32), load<f64>(b, 32)) - min(load<f64>(a, 8), load<f64>(b, 8));
  const z = max(load<f64>(a, 40), load<f64>(b, 40)) - min(load<f64>(a, 16), load<f64>(b, 16));
  return x * y + y * z + z * x;
}

/** Square of twice the distance between the centres of two boxes. */
function centerDistance(a: usize, b: usize): f64 {
  const x = load<f64>(a) + load<f64>(a, 24) - load<f64>(b) - load<f64>(b, 24);
  const y = load<f64>(a, 8) + load<f64>(a, 32) - load<f64>(b, 8) - load<f64>(b, 32);
  const z = load<f64>(a, 16) + load<f64>(a, 40) - load<f64>(b, 16) - load<f64>(b, 40);
  return x * x + y * y + z * z;
}

/** out = box around a and b. */
function joinBoxes(out: usize, a: usize, b: usize): void {
  store<f64>(out, min(load<f64>(a), load<f64>(b)));
  store<f64>(out, min(load<f64>(a, 8), load<f64>(b, 8)), 8);
  store<f64>(out, min(load<f64>(a, 16), load<f64>(b, 16)), 16);
  store<f64>(out, max(load<f64>(a, 24), load<f64>(b, 24)), 24);
  store<f64>(out, max(load<f64>(a, 32), load<f64>(b, 32)), 32);
  store<f64>(out, max(load<f64>(a, 40), load<f64>(b, 40)), 40);
}

// ── Nodes ──────────────────────────────────

/** Child 0 or 1 of a node, −1 in a leaf. */
function childOf(node: i32, side: i32): i32 {
  return getI32(column(TREE_CHILD), node * 2 + side);
}

function parentOf(node: i32): i32 {
  return getI32(column(TREE_PARENT), node);
}

function heightOf(node: i32): i32 {
  return getI32(column(TREE_HEIGHT), node);
}

function setChild(node: i32, side: i32, child: i32): void {
  setI32(column(TREE_CHILD), node * 2 + side, child);
  setI32(column(TREE_PARENT), child, node);
}

/** A cleared node, or −1 when the table is full. */
function allocateNode(): i32 {
  let node = cell(TREE_FREE);
  if (node >= 0) {
    setCell(TREE_FREE, parentOf(node));
  } else {
    node = cell(TREE_COUNT);
    if (node >= cell(TREE_CAPACITY)) return -1;
    setCell(TREE_COUNT, node + 1);
  }
  setI32(column(TREE_PARENT), node, -1);
  setI32(column(TREE_CHILD), node * 2, -1);
  setI32(column(TREE_CHILD), node * 2 + 1, -1);
  setI32(column(TREE_COLLIDER), node, -1);
  setI32(column(TREE_HEIGHT), node, 0);
  return node;
}

function freeNode(node: i32): void {
  // Height −1 marks a free node for checks.
  setI32(column(TREE_HEIGHT), node, -1);
  setI32(column(TREE_COLLIDER), node, -1);
  setI32(column(TREE_PARENT), node, cell(TREE_FREE));
  setCell(TREE_FREE, node);
}

/** Box and height of an inner node from its children. */
function refit(node: i32): void {
  const b = childOf(node, 0);
  const c = childOf(node, 1);
  joinBoxes(nodeBox(node), nodeBox(b), nodeBox(c));
  setI32(column(TREE_HEIGHT), node, 1 + max(heightOf(b), heightOf(c)));
}

// ── Insertion ─────────────────────────────────

/**
 * Node beside which a box is best put: greedy descent on the cost of the new parent's area plus what every
 * ancestor grows by. Ties go down to the shallower side, so that coincident boxes make a balanced tree.
 */
function findSibling(box: usize): i32 {
  const boxes = column(TREE_BOX);
  const children = column(TREE_CHILD);
  let node = cell(TREE_ROOT);
  let best = node;
  let nodeArea = area(boxOf(boxes, node));
  let grown = jointArea(boxOf(boxes, node), box);
  let bestCost = grown;
  // What the ancestors of `node` grow by together.
  let inherited: f64 = 0;
  const own = area(box);
  while (true) {
    if (grown + inherited <= bestCost) {
      bestCost = grown + inherited;
      best = node;
    }
    const b = getI32(children, node * 2);
    if (b < 0) break;
    const c = getI32(children, node * 2 + 1);
    const boxB = boxOf(boxes, b);
    const boxC = boxOf(boxes, c);
    inherited += grown - nodeArea;
    const grownB = jointArea(boxB, box);
    const grownC = jointArea(boxC, box);
    const areaB = area(boxB);
    const areaC = area(boxC);
    // Least cost at or below a child; exact for a leaf.
    let lowB = inherited + grownB;
    let lowC = inherited + grownC;
    if (getI32(children, b * 2) >= 0) {
      lowB += min(0.0, own - areaB);
    } else if (lowB < bestCost) {
      bestCost = lowB;
      best = b;
    }
    if (getI32(children, c * 2) >= 0) {
      lowC += min(0.0, own - areaC);
    } else if (lowC < bestCost) {
      bestCost = lowC;
      best = c;
    }
    if (min(lowB, lowC) > bestCost) break;
    let goB = lowB < lowC;
    if (lowB == lowC) {
      const nearB = centerDistance(boxB, box);
      const nearC = centerDistance(boxC, box);
      goB = nearB == nearC ? heightOf(b) <= heightOf(c) : nearB < nearC;
    }
    node = goB ? b : c;
    grown = goB ? grownB : grownC;
    nodeArea = goB ? areaB : areaC;
  }
  return best;
}

/**
 * Puts a leaf with its box into the tree. `spare` becomes its parent where there is a
 * sibling; returns whether it was used.
 */
function insertLeaf(leaf: i32, spare: i32): bool {
  const root = cell(TREE_ROOT);
  if (root < 0) {
    setCell(TREE_ROOT, leaf);
    setI32(column(TREE_PARENT), leaf, -1);
    return false;
  }
  const sibling = findSibling(nodeBox(leaf));
  const above = parentOf(sibling);
  if (above < 0) {
    setCell(TREE_ROOT, spare);
    setI32(column(TREE_PARENT), spare, -1);
  } else {
    setChild(above, childOf(above, 0) == sibling ? 0 : 1, spare);
  }
  setChild(spare, 0, sibling);
  setChild(spare, 1, leaf);
  mendUpwards(spare);
  return true;
}

/** Takes a leaf out of the tree; returns its former parent, now unused, or −1. */
function extractLeaf(leaf: i32): i32 {
  const parent = parentOf(leaf);
  if (parent < 0) {
    setCell(TREE_ROOT, -1);
    return -1;
  }
  const sibling = childOf(parent, 0) == leaf ? childOf(parent, 1) : childOf(parent, 0);
  const above = parentOf(parent);
  if (above < 0) {
    setCell(TREE_ROOT, sibling);
    setI32(column(TREE_PARENT), sibling, -1);
  } else {
    setChild(above, childOf(above, 0) == parent ? 0 : 1, sibling);
    shrinkUpwards(above);
  }
  return parent;
}

// ── Balance ──────────────────────────────────

/** Refits every ancestor, this one first, and rotates where that makes the tree better or balanced. */
function mendUpwards(first: i32): void {
  for (let node = first; node >= 0; node = parentOf(node)) {
    refit(node);
    if (!levelSides(node)) rotateForArea(node);
  }
}

/** Refits ancestors after a removal until one stays as it is. Rotations are left to insertions. */
function shrinkUpwards(first: i32): void {
  for (let node = first; node >= 0; node = parentOf(node)) {
    const box = nodeBox(node);
    const height = heightOf(node);
    copyWords(OLD_BOX, box, BOX_BYTES);
    refit(node);
    levelSides(node);
    if (heightOf(node) == height && boxHolds(box, OLD_BOX, 0)) return;
  }
}

/**
 * Where one child is too tall, its taller child changes places with the other child, which sinks until it fits
 * (as when two balanced trees are joined). Returns whether there was anything to do.
 */
function levelSides(node: i32): bool {
  if (heightOf(node) < 2) return false;
  const slope = heightOf(childOf(node, 0)) - heightOf(childOf(node, 1));
  if (abs(slope) <= IMBALANCE) return false;
  const side = slope > 0 ? 0 : 1;
  const tall = childOf(node, side);
  swapWithGrandchild(node, side, heightOf(childOf(tall, 0)) >= heightOf(childOf(tall, 1)) ? 0 : 1);
  if (levelSides(tall)) refit(node);
  return true;
}

/** Exchanges grandchild (side, deep) with the child on the other side. */
function swapWithGrandchild(node: i32, side: i32, deep: i32): void {
  const through = childOf(node, side);
  const up = childOf(through, deep);
  const down = childOf(node, 1 - side);
  setChild(through, deep, down);
  setChild(node, 1 - side, up);
  refit(through);
  refit(node);
}

/** Does the one of the four exchanges of a child with a grandchild that saves most area, if any does. */
function rotateForArea(node: i32): void {
  const children = column(TREE_CHILD);
  const boxes = column(TREE_BOX);
  const heights = column(TREE_HEIGHT);
  let most: f64 = 0;
  let chosen = -1;
  for (let side = 0; side < 2; side++) {
    const through = getI32(children, node * 2 + side);
    const up0 = getI32(children, through * 2);
    if (up0 < 0) continue;
    const up1 = getI32(children, through * 2 + 1);
    const down = getI32(children, node * 2 + 1 - side);
    const boxDown = boxOf(boxes, down);
    const whole = area(boxOf(boxes, through));
    const saved0 = whole - jointArea(boxOf(boxes, up1), boxDown);
    const saved1 = whole - jointArea(boxOf(boxes, up0), boxDown);
    if (saved0 <= most && saved1 <= most) continue;
    const height0 = getI32(heights, up0);
    const height1 = getI32(heights, up1);
    const heightDown = getI32(heights, down);
    if (saved0 > most && fits(height0, height1, heightDown)) {
      most = saved0;
      chosen = side * 2;
    }
    if (saved1 > most && fits(height1, height0, heightDown)) {
      most = saved1;
      chosen = side * 2 + 1;
    }
  }
  if (chosen >= 0) swapWithGrandchild(node, chosen >> 1, chosen & 1);
}

/** Whether heights stay within bounds when a grandchild of height `up` changes places with a child of height `down`. */
function fits(up: i32, stays: i32, down: i32): bool {
  return abs(stays - down) <= IMBALANCE && abs(1 + max(stays, down) - up) <= IMBALANCE;
}

// ── Proxies ──────────────────────────────────

/** Margin of a collider's fat box [m]. */
function marginOf(box: usize): f64 {
  const side = max(
    load<f64>(box, 24) - load<f64>(box),
    max(load<f64>(box, 32) - load<f64>(box, 8), load<f64>(box, 40) - load<f64>(box, 16)),
  );
  return min(parameter(FAT_MARGIN), MARGIN_SHARE * side);
}

/** Writes a fresh fat box of a collider into `out`: its box, the margin, and the way ahead. */
function fatten(out: usize, collider: i32, margin: f64): void {
  const box = boxRow(COLLIDER_BOX, collider);
  const v = row4(BODY_LINEAR_VELOCITY, getI32(column(COLLIDER_BODY), collider));
  const ahead = LOOK_AHEAD * parameter(TIME_STEP);
  const x = load<f64>(v) * ahead;
  const y = load<f64>(v, 8) * ahead;
  const z = load<f64>(v, 16) * ahead;
  store<f64>(out, load<f64>(box) - margin + min(0.0, x));
  store<f64>(out, load<f64>(box, 8) - margin + min(0.0, y), 8);
  store<f64>(out, load<f64>(box, 16) - margin + min(0.0, z), 16);
  store<f64>(out, load<f64>(box, 24) + margin + max(0.0, x), 24);
  store<f64>(out, load<f64>(box, 32) + margin + max(0.0, y), 32);
  store<f64>(out, load<f64>(box, 40) + margin + max(0.0, z), 40);
}

/** Gives a collider with a sound box its leaf. Returns false, with nothing changed, when the tree is full. */
export function plantLeaf(collider: i32): bool {
  const leaf = allocateNode();
  if (leaf < 0) return false;
  const spare = allocateNode();
  if (spare < 0) {
    freeNode(leaf);
    return false;
  }
  const box = boxRow(COLLIDER_BOX, collider);
  fatten(nodeBox(leaf), collider, marginOf(box));
  setI32(column(TREE_COLLIDER), leaf, collider);
  setI32(column(COLLIDER_NODE), collider, leaf);
  if (!insertLeaf(leaf, spare)) freeNode(spare);
  return true;
}

/**
 * Moves a collider's leaf to its present box if it left the fat box or the fat box is far too
 * large. Returns whether it moved.
 */
export function followLeaf(collider: i32): bool {
  const leaf = getI32(column(COLLIDER_NODE), collider);
  const box = boxRow(COLLIDER_BOX, collider);
  const margin = marginOf(box);
  fatten(FAT_BOX, collider, margin);
  if (boxHolds(nodeBox(leaf), box, 0) && boxHolds(FAT_BOX, nodeBox(leaf), SLACK_MARGINS * margin)) return false;
  const spare = extractLeaf(leaf);
  copyWords(nodeBox(leaf), FAT_BOX, BOX_BYTES);
  if (!insertLeaf(leaf, spare) && spare >= 0) freeNode(spare);
  return true;
}

/** Takes a collider's leaf out of the tree, if it has one. */
export function removeColliderProxy(collider: i32): void {
  const leaf = getI32(column(COLLIDER_NODE), collider);
  if (leaf < 0) return;
  const spare = extractLeaf(leaf);
  if (spare >= 0) freeNode(spare);
  freeNode(leaf);
  setI32(column(COLLIDER_NODE), collider, -1);
}
