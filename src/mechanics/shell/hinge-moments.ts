// The moments of a shell's hinges: S m = θ − θ₀ (hinge-compliance.ts), S factored once for a rest shape.
//
// The factor follows from the tables alone, so it is no part of the state.

import { dissectionOrder, placesByDistance } from '../../math/dissection-order';
import { analyseLdl, factorLdl, type SparseLdl, solveLdl } from '../../math/sparse-ldl';
import { minimumDegreeOrder } from '../../math/sparse-order';
import { HINGE_GIVE, TRIANGLE_BETWEEN } from '../../state/mesh-places';
import type { Tables } from '../../state/tables';

/** S of an object as the tables have it, and its factor. Rows of S are the hinges, in the order of the edges. */
export interface HingeFactor {
  /** What it was made from: entries of S by edge, by triangle; edges of the triangles, from the object's first. */
  readonly own: Float64Array;
  readonly between: Float64Array;
  readonly edges: Int32Array;
  /** By row: its edge, from the object's first. */
  readonly edgeOf: Int32Array;
  readonly ldl: SparseLdl;
  /** By place in the order of elimination: its edge, and one over its diagonal. */
  readonly edgeAt: Int32Array;
  readonly inverse: Float64Array;
  /** By row: angles, then moments. */
  readonly x: Float64Array;
}

/**
 * Hinges up to which the order is by minimum degree: of 7105 hinges it leaves 73 000 entries, dissection 127 000, and
 * both take as long; of 47 000 it takes a third longer.
 */
const MOST_BY_DEGREE = 60_000;

const factors = new WeakMap<Tables, (HingeFactor | undefined)[]>();

/** The factor of an object's S; made where there is none, or the tables have changed. */
export function hingeFactorOf(tables: Tables, object: number): HingeFactor {
  let known = factors.get(tables);
  if (!known) {
    known = [];
    factors.set(tables, known);
  }
  const found = known[object];
  if (found && isOf(found, tables, object)) return found;
  const made = makeFactor(tables, object);
  known[object] = made;
  return made;
}

function isOf({ own, between, edges }: HingeFactor, tables: Tables, object: number): boolean {
  const { strands, triangles, meshEdges } = tables;
  const [start, edgeCount] = strands.meshEdges.subarray(2 * object, 2 * object + 2);
  const [first, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  if (own.length !== edgeCount || edges.length !== 3 * count) return false;
  for (let e = 0, at = 4 * start + 2; e < edgeCount; e++, at += 4) if (own[e] !== meshEdges.rest[at]) return false;
  for (let t = 0, k = 0; t < count; t++) {
    const rest = 8 * (first + t) + 5;
    const edge = 4 * (first + t);
    for (let i = 0; i < 3; i++, k++) {
      if (between[k] !== triangles.rest[rest + i] || edges[k] !== triangles.edge[edge + i] - start) return false;
    }
  }
  return true;
}

function makeFactor({ strands, triangles, meshEdges }: Tables, object: number): HingeFactor {
  const [start, edgeCount] = strands.meshEdges.subarray(2 * object, 2 * object + 2);
  const [first, count] = strands.triangles.subarray(2 * object, 2 * object + 2);
  const own = new Float64Array(edgeCount);
  const rowOf = new Int32Array(edgeCount).fill(-1);
  let size = 0;
  for (let e = 0; e < edgeCount; e++) {
    own[e] = meshEdges.rest[4 * (start + e) + HINGE_GIVE];
    if (own[e] > 0) rowOf[e] = size++;
  }
  const edgeOf = new Int32Array(size);
  for (let e = 0; e < edgeCount; e++) if (rowOf[e] >= 0) edgeOf[rowOf[e]] = e;
  const between = new Float64Array(3 * count);
  const edges = new Int32Array(3 * count);
  const rows: [number, number][][] = Array.from({ length: size }, (_, row) => [[row, own[edgeOf[row]]]]);

  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) {
      between[3 * t + k] = triangles.rest[8 * (first + t) + TRIANGLE_BETWEEN + k];
      edges[3 * t + k] = triangles.edge[4 * (first + t) + k] - start;
    }
    for (let k = 0; k < 3; k++) {
      const i = rowOf[edges[3 * t + k]];
      const j = rowOf[edges[3 * t + ((k + 1) % 3)]];
      if (i < 0 || j < 0) continue;
      rows[i].push([j, between[3 * t + k]]);
      rows[j].push([i, between[3 * t + k]]);
    }
  }

  const rowStart = new Int32Array(size + 1);
  for (let row = 0; row < size; row++) rowStart[row + 1] = rowStart[row] + rows[row].length;
  const column = new Int32Array(rowStart[size]);
  const values = new Float64Array(rowStart[size]);

  for (let row = 0; row < size; row++) {
    rows[row].sort((a, b) => a[0] - b[0]);
    rows[row].forEach(([j, value], k) => {
      column[rowStart[row] + k] = j;
      values[rowStart[row] + k] = value;
    });
  }

  const order = new Int32Array(size);
  if (size <= MOST_BY_DEGREE) minimumDegreeOrder(order, size, rowStart, column);
  else dissectionOrder(order, size, rowStart, column, placesByDistance(size, rowStart, column));
  const ldl = analyseLdl(size, rowStart, column, order, Number.POSITIVE_INFINITY)!;

  // Sums of positive definite parts are positive definite; where rounding says no, hinges stand alone.
  if (factorLdl(ldl, values, null) >= 0) factorAlone(ldl, own, edgeOf);
  const edgeAt = ldl.order.map((row) => edgeOf[row]);
  const inverse = ldl.diagonal.map((pivot) => 1 / pivot);
  return { own, between, edges, edgeOf, ldl, edgeAt, inverse, x: new Float64Array(size) };
}

/** The factor of S's diagonal, in the place of S. */
function factorAlone(ldl: SparseLdl, own: Float64Array, edgeOf: Int32Array): void {
  ldl.lower.fill(0);
  ldl.row.fill(0);
  for (let k = 0; k < ldl.size; k++) {
    ldl.count[k] = ldl.start[k + 1] - ldl.start[k];
    ldl.row.fill(k, ldl.start[k], ldl.start[k + 1]);
    ldl.diagonal[k] = own[edgeOf[ldl.order[k]]];
  }
}

/** moments := S⁻¹ changes, by edge of the object; 0 on the border. */
export function solveMoments(moments: Float64Array, changes: Float64Array, factor: HingeFactor): void {
  const { edgeOf, ldl, x } = factor;
  for (let row = 0; row < x.length; row++) x[row] = changes[edgeOf[row]];
  solveLdl(ldl, x);
  moments.fill(0, 0, factor.own.length);
  for (let row = 0; row < x.length; row++) moments[edgeOf[row]] = x[row];
}
