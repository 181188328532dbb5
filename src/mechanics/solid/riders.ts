// Riders: vertices of a fine surface that a cage of tetrahedra carries, where that surface is what touches.
//
// Riders are nodes without mass behind the cage's own nodes, each bound to the corners j of a tetrahedron:
//
//   x_r = Σ b_j x_j,   v = B v_c   (Σ b_j = 1)
//
// Contacts know them as nodes like others, so that detection, gaps and Coulomb's law are those of the fine surface;
// ADMM's weights W_r at riders are Bᵀ W_r B on the cage, whose blocks the matrix has already, as the corners of one
// tetrahedron are neighbours:
//
//   (A + W_c + Bᵀ W_r B) v_c = rhs_c + Bᵀ rhs_r
//
// (Embedding as in Verschoor and Jalba 2019, section 7; there the rows of a contact name the cage's nodes, up to
// twelve a side.)

import type { Tables } from '../../state/tables';

/** Corners and shares of a rider: places in NODE_REST (8 numbers a node) and NODE_STIFFNESS (4), idle in meshes. */
const CORNERS = 1;

/** Nodes of an object that are no riders. */
export function ownNodes({ strands }: Tables, object: number): number {
  return strands.nodes[object] - strands.riders[object];
}

/** First rider of an object, its row; where it has none one past its last node. */
export function firstRider(tables: Tables, object: number): number {
  return tables.strands.first[object] + ownNodes(tables, object);
}

/** Binds rider `r` of an object to the corners of a tetrahedron, counted from the object's first node. */
export function bindRider(
  tables: Tables,
  object: number,
  r: number,
  corners: ArrayLike<number>,
  shares: ArrayLike<number>,
): void {
  const node = firstRider(tables, object) + r;
  for (let k = 0; k < 4; k++) {
    tables.nodes.rest[8 * node + CORNERS + k] = corners[k];
    tables.nodes.stiffness[4 * node + k] = shares[k];
  }
}

/** Corner k of a rider, counted from its object's first node. */
export function riderCorner({ nodes }: Tables, rider: number, k: number): number {
  return nodes.rest[8 * rider + CORNERS + k];
}

/** Share of corner k in a rider [-]. */
export function riderShare({ nodes }: Tables, rider: number, k: number): number {
  return nodes.stiffness[4 * rider + k];
}

/** Riders of an object := B of its cage in a vector of four numbers a node of the tables. */
export function rideAlong(column: Float64Array | Float32Array, tables: Tables, object: number): void {
  const { strands } = tables;
  if (strands.riders[object] === 0) return;
  const first = strands.first[object];
  const end = first + strands.nodes[object];
  for (let rider = firstRider(tables, object); rider < end; rider++) {
    let [x, y, z] = [0, 0, 0];
    for (let k = 0; k < 4; k++) {
      const at = 4 * (first + riderCorner(tables, rider, k));
      const share = riderShare(tables, rider, k);
      x += share * column[at];
      y += share * column[at + 1];
      z += share * column[at + 2];
    }
    column[4 * rider] = x;
    column[4 * rider + 1] = y;
    column[4 * rider + 2] = z;
  }
}

/**
 * Cage += Bᵀ of its riders in a vector of four numbers a node; corners in `held` (by node of the object) get nothing.
 */
export function handDown(x: Float64Array, tables: Tables, object: number, held: Uint8Array): void {
  const { strands } = tables;
  if (strands.riders[object] === 0) return;
  const first = strands.first[object];
  const end = first + strands.nodes[object];
  for (let rider = firstRider(tables, object); rider < end; rider++) {
    for (let k = 0; k < 4; k++) {
      const corner = riderCorner(tables, rider, k);
      if (held[corner] === 1) continue;
      const share = riderShare(tables, rider, k);
      for (let c = 0; c < 3; c++) x[4 * (first + corner) + c] += share * x[4 * rider + c];
    }
  }
}

/**
 * How many riders do about what one node of the cage would, by rider: Σ_j b_j S_j with S_j = Σ b_j² of all of the
 * object, at least 1. ADMM's weights are shared among them, or contacts of a fine surface would hold a coarse cage as
 * if it were of iron.
 */
export function crowdOfRiders(tables: Tables, object: number): Float64Array {
  const { strands } = tables;
  const first = firstRider(tables, object);
  const count = strands.riders[object];
  const sums = new Float64Array(ownNodes(tables, object));
  const out = new Float64Array(count);
  for (let r = 0; r < count; r++) {
    for (let k = 0; k < 4; k++) sums[riderCorner(tables, first + r, k)] += riderShare(tables, first + r, k) ** 2;
  }
  for (let r = 0; r < count; r++) {
    for (let k = 0; k < 4; k++) {
      out[r] += Math.abs(riderShare(tables, first + r, k)) * sums[riderCorner(tables, first + r, k)];
    }
    out[r] = Math.max(1, out[r]);
  }
  return out;
}

/** What a rider gives way, by what its corners do: (Σ |b_j| √give_j)², all of them moved alike. */
export function giveOfRider(tables: Tables, rider: number, giveOf: (corner: number) => number): number {
  let sum = 0;
  for (let k = 0; k < 4; k++) {
    sum += Math.abs(riderShare(tables, rider, k)) * Math.sqrt(giveOf(riderCorner(tables, rider, k)));
  }
  return sum * sum;
}
