// Edges of strands and triangles of surfaces as questions see them: segments and triangles with a radius about them,
// under boxes.
//
// In: tables. Out: primitives on the way of a box. The boxes are a tree without links: a box of each level holds the
// eight of the level below that begin at eight times its number, primitives in the order of their rows, as neighbours
// there are neighbours in space. A cache beside the memory, made anew whenever a question finds that something moved.

import type { Arena } from '../core/arena';
import * as L from '../state/layout';
import { RADIUS } from '../state/material-places';
import { RANGE_COUNT } from '../state/node-places';
import type { Tables } from '../state/tables';
import { enterBox, type Way } from './way';

const FAN = 8;
const FAN_BITS = 3;

/** An object of volume: what its surface encloses belongs to it. */
export interface FilledObject {
  object: number;
  /** Its primitives, a range. */
  first: number;
  end: number;
}

export interface ElasticPrimitives {
  readonly arena: Arena;
  readonly tables: Tables;
  /** Of the context of queries when this was made (queries.ts); −1: never. */
  age: number;
  count: number;
  /** Row of the strands of each primitive, −1: its numbers went bad and it is met by nothing. */
  object: Int32Array;
  /** Three rows of the nodes each, the last −1 of an edge. */
  node: Int32Array;
  /** Least and greatest x y z [m], level by level, primitives first. */
  box: Float64Array;
  /** Where each level begins in `box`, counted in boxes, and the end. */
  levels: number[];
  filled: FilledObject[];
}

export function createElasticPrimitives(arena: Arena, tables: Tables): ElasticPrimitives {
  return {
    arena,
    tables,
    age: -1,
    count: 0,
    object: new Int32Array(0),
    node: new Int32Array(0),
    box: new Float64Array(0),
    levels: [0],
    filled: [],
  };
}

/** Radius about the primitives of an object [m]. */
export function radiusOf({ rods, strands }: Tables, object: number): number {
  return rods.parameter[8 * strands.rod[object] + RADIUS];
}

/** Makes primitives and boxes anew where `age` is another. */
export function refreshPrimitives(primitives: ElasticPrimitives, age: number): void {
  if (primitives.age === age) return;
  primitives.age = age;
  const count = countPrimitives(primitives);
  primitives.count = count;
  const { levels } = primitives;
  levels.length = 0;
  let boxes = 0;
  for (let wide = count; wide > 0; wide = wide === 1 ? 0 : (wide + FAN - 1) >> FAN_BITS) {
    levels.push(boxes);
    boxes += wide;
  }
  levels.push(boxes);
  if (primitives.object.length < count) {
    primitives.object = new Int32Array(2 * count);
    primitives.node = new Int32Array(6 * count);
  }
  if (primitives.box.length < 6 * boxes) primitives.box = new Float64Array(12 * boxes);
  listPrimitives(primitives);
  boundPrimitives(primitives);
  boundLevels(primitives);
}

function isMet({ strands, rods }: Tables, object: number): boolean {
  const rod = strands.rod[object];
  const isSound = !(strands.flags[object] & L.STRAND_QUARANTINED);
  return rod >= 0 && (rods.flags[rod] & L.ROD_ALIVE) !== 0 && isSound;
}

/** Whether an object has volume. */
export const isFilled = ({ strands }: Tables, object: number): boolean =>
  strands.tetrahedra[2 * object + RANGE_COUNT] > 0;

function countPrimitives({ arena, tables }: ElasticPrimitives): number {
  const { strands } = tables;
  let count = 0;
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (!isMet(tables, object)) continue;
    count +=
      strands.kind[object] === L.KIND_ROD ? strands.nodes[object] - 1 : strands.triangles[2 * object + RANGE_COUNT];
  }
  return count;
}

function listPrimitives({ arena, tables, object: objects, node, filled }: ElasticPrimitives): void {
  const { strands, triangles } = tables;
  let p = 0;
  filled.length = 0;
  for (let object = 0; object < arena.i32[L.STRAND_COUNT >> 2]; object++) {
    if (!isMet(tables, object)) continue;
    const first = p;
    if (strands.kind[object] === L.KIND_ROD) {
      const end = strands.first[object] + strands.nodes[object] - 1;
      for (let n = strands.first[object]; n < end; n++, p++) {
        node[3 * p] = n;
        node[3 * p + 1] = n + 1;
        node[3 * p + 2] = -1;
      }
    } else {
      const end = strands.triangles[2 * object] + strands.triangles[2 * object + RANGE_COUNT];
      for (let t = strands.triangles[2 * object]; t < end; t++, p++) {
        for (let k = 0; k < 3; k++) node[3 * p + k] = triangles.node[4 * t + k];
      }
    }
    objects.fill(object, first, p);
    if (isFilled(tables, object)) filled.push({ object, first, end: p });
  }
}

function boundPrimitives({ tables, count, object, node, box }: ElasticPrimitives): void {
  const { position } = tables.nodes;
  for (let p = 0; p < count; p++) {
    const radius = radiusOf(tables, object[p]);
    let isSound = true;
    for (let k = 0; k < 3; k++) {
      const a = position[4 * node[3 * p] + k];
      const b = position[4 * node[3 * p + 1] + k];
      const c = node[3 * p + 2] < 0 ? b : position[4 * node[3 * p + 2] + k];
      box[6 * p + k] = Math.min(a, b, c) - radius;
      box[6 * p + 3 + k] = Math.max(a, b, c) + radius;
      if (!Number.isFinite(a + b + c)) isSound = false;
    }
    if (isSound) continue;
    object[p] = -1;
    box.fill(Number.POSITIVE_INFINITY, 6 * p, 6 * p + 3);
    box.fill(Number.NEGATIVE_INFINITY, 6 * p + 3, 6 * p + 6);
  }
}

function boundLevels({ levels, box }: ElasticPrimitives): void {
  for (let level = 1; level < levels.length - 1; level++) {
    const below = levels[level - 1];
    const here = levels[level];
    for (let i = here; i < levels[level + 1]; i++) {
      const first = below + ((i - here) << FAN_BITS);
      const end = Math.min(first + FAN, here);
      for (let k = 0; k < 3; k++) {
        let low = Number.POSITIVE_INFINITY;
        let high = Number.NEGATIVE_INFINITY;
        for (let child = first; child < end; child++) {
          low = Math.min(low, box[6 * child + k]);
          high = Math.max(high, box[6 * child + 3 + k]);
        }
        box[6 * i + k] = low;
        box[6 * i + 3 + k] = high;
      }
    }
  }
}

const stack: number[] = [];

/**
 * Visits the primitives whose boxes, widened by `slack` [m], the way enters; `visit` gets where it enters, and returns
 * up to where the way still counts. `counts`: which objects.
 */
export function visitPrimitives(
  { levels, box, object }: ElasticPrimitives,
  way: Way,
  limit: number,
  slack: () => number,
  counts: (object: number) => boolean,
  visit: (primitive: number, enter: number) => number,
): void {
  let reach = limit;
  stack.length = 0;
  const top = levels.length - 2;
  if (top < 0) return;
  for (let i = levels[top]; i < levels[top + 1]; i++) stack.push(top, i - levels[top]);
  while (stack.length > 0) {
    const i = stack.pop() as number;
    const level = stack.pop() as number;
    const enter = enterBox(way, box, 6 * (levels[level] + i), reach, slack());
    if (!(enter <= reach)) continue;
    if (level === 0) {
      if (object[i] >= 0 && counts(object[i])) reach = visit(i, enter);
      continue;
    }
    const end = Math.min((i + 1) << FAN_BITS, levels[level] - levels[level - 1]);
    // The first child is looked at first.
    for (let child = end - 1; child >= i << FAN_BITS; child--) stack.push(level - 1, child);
  }
}

/** Corners of a primitive from `origin` on, three numbers each [m]; returns how many, 2 or 3. */
export function cornersOf(
  { tables, node }: ElasticPrimitives,
  primitive: number,
  origin: ArrayLike<number>,
  out: Float64Array,
): number {
  const { position } = tables.nodes;
  const corners = node[3 * primitive + 2] < 0 ? 2 : 3;
  for (let c = 0; c < corners; c++) {
    for (let k = 0; k < 3; k++) out[3 * c + k] = position[4 * node[3 * primitive + c] + k] - origin[k];
  }
  return corners;
}
