// Sheets that go through each other, or through themselves, come apart.
//
// Contacts keep everything on the side on which it is, so what starts out crossed would stay so. In: positions at the
// start of a step, of shells that may be tangled (STRAND_TANGLED: new, placed by hand, crushed between bodies). Out:
// velocities at its end with which the smaller part of what is cut goes back through.
//
// Edges that go through a triangle cut the mesh that they belong to; where that falls into parts, each such edge has an
// end in the smaller one, which is to come through the triangle to the side of the other end (global intersection
// analysis, Baraff, Witkin and Kass 2003, by edges in place of contours). Two sheets stuck into each other from their
// rims cut neither: there the one with fewer vertices beyond the other's middle plane gives way. A node comes by a
// share of its edge in a step; what follows is drawn along by the sheet. Contacts of what is to come through, with
// what it goes through, are let be meanwhile, and it is not kept apart from that.
//
// Of 21 pairs of sheets of 12 × 12 put across each other at random all are apart within 26 steps, of ten wads of four
// nine within 254; without the limit on speeds (`calm`) three pairs and wads flew about at 100 m/s.

import { findEdgeCrossings } from '../../collision/edge-crossings';
import { CONTACT_GAP, SIDE_COLLIDER } from '../../state/contact-places';
import * as L from '../../state/layout';
import { RANGE_COUNT } from '../../state/node-places';
import type { Engine } from '../engine';

/** Way of a node through the triangle in a step, over the length of its edge [-]. */
const WAY = 0.25;
/** Way of what is tangled against its object in a step at most, over the length of its edges [-]. */
const FASTEST = 0.5;
/** How far beyond the triangle it goes, over the same [-]. */
const BEYOND = 0.02;
/** Sweeps over what is drawn through. */
const SWEEPS = 6;
/** Edges from what is drawn through within which contacts are let be. */
const RINGS = 2;
/** Gap of a contact that is let be [m]. */
const OPEN = 1e3;

/** What is tangled at the start of a step. */
interface Tangles {
  /** Edge and triangle of each crossing, the end that is to come through (−1: neither); three numbers each. */
  readonly crossings: number[];
  /** Of each node: whether its contacts with what it goes through are let be. */
  loose: Uint8Array;
  /** Two objects that cross, as one number. */
  readonly pairs: Set<number>;
  /** Work memory: parts of meshes. */
  readonly parent: number[];
}

const memories = new WeakMap<Engine, Tangles>();

function tanglesOf(engine: Engine): Tangles {
  let tangles = memories.get(engine);
  if (!tangles) {
    tangles = { crossings: [], loose: new Uint8Array(0), pairs: new Set(), parent: [] };
    memories.set(engine, tangles);
  }
  return tangles;
}

const pairOf = (a: number, b: number) => Math.min(a, b) * 0x100000 + Math.max(a, b);

/** Finds what is tangled, before a step; returns how many edges go through something. */
export function findTangles(engine: Engine): number {
  const { arena, tables } = engine;
  const { strands, rods, meshEdges, triangles } = tables;
  const tangles = tanglesOf(engine);
  tangles.crossings.length = 0;
  tangles.pairs.clear();
  const count = arena.i32[L.STRAND_COUNT >> 2];
  const isShell = (s: number) => strands.kind[s] === L.KIND_SHELL && (strands.flags[s] & L.STRAND_QUARANTINED) === 0;
  let isAny = false;
  for (let s = 0; s < count && !isAny; s++) {
    isAny = isShell(s) && (strands.flags[s] & (L.STRAND_TANGLED | L.STRAND_ASLEEP)) === L.STRAND_TANGLED;
  }
  if (!isAny) return 0;
  const wanted = new Uint8Array(count);
  for (let s = 0; s < count; s++) if (isShell(s)) wanted[s] = 1;
  const mayMeet = (a: number, b: number) => {
    if (!((strands.flags[a] | strands.flags[b]) & L.STRAND_TANGLED)) return false;
    if (a === b) return (rods.flags[strands.rod[a]] & L.ROD_SELF_CONTACT) !== 0;
    const [x, y] = [rods.layers[strands.rod[a]], rods.layers[strands.rod[b]]];
    return ((x >>> 16) & y & 0xffff) !== 0 && ((y >>> 16) & x & 0xffff) !== 0;
  };
  const found = findEdgeCrossings(arena, tables, wanted, mayMeet);
  for (let s = 0; s < count; s++) if (wanted[s]) strands.flags[s] &= ~L.STRAND_TANGLED;
  for (let i = 0; i < found.length; i += 2) {
    const [a, b] = [meshEdges.triangle[4 * found[i] + 2], triangles.node[4 * found[i + 1] + 3]];
    strands.flags[a] |= L.STRAND_TANGLED;
    strands.flags[b] |= L.STRAND_TANGLED;
    tangles.pairs.add(pairOf(a, b));
    tangles.crossings.push(found[i], found[i + 1], -1);
  }
  if (found.length > 0) {
    const nodeCount = arena.i32[L.NODE_COUNT >> 2];
    if (tangles.loose.length < nodeCount) tangles.loose = new Uint8Array(2 * nodeCount);
    tangles.loose.fill(0, 0, nodeCount);
    chooseEnds(engine, tangles);
    loosen(engine, tangles);
  }
  return found.length / 2;
}

function rootOf(parent: number[], node: number): number {
  let root = node;
  while (parent[root] !== root) root = parent[root] = parent[parent[root]];
  return root;
}

/** Of every crossing, the end that is to come through. */
function chooseEnds({ arena, tables }: Engine, { crossings, parent }: Tangles): void {
  const { meshEdges, strands } = tables;
  const cut = new Set<number>();
  for (let i = 0; i < crossings.length; i += 3) cut.add(crossings[i]);
  const nodeCount = arena.i32[L.NODE_COUNT >> 2];
  const size = new Int32Array(nodeCount);
  for (let n = 0; n < nodeCount; n++) parent[n] = n;
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (!(strands.flags[s] & L.STRAND_TANGLED)) continue;
    const first = strands.meshEdges[2 * s];
    for (let e = first; e < first + strands.meshEdges[2 * s + RANGE_COUNT]; e++) {
      if (cut.has(e)) continue;
      const a = rootOf(parent, meshEdges.node[4 * e]);
      const b = rootOf(parent, meshEdges.node[4 * e + 1]);
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  }
  for (let n = 0; n < nodeCount; n++) size[rootOf(parent, n)]++;
  for (let i = 0; i < crossings.length; i += 3) {
    const [a, b] = [meshEdges.node[4 * crossings[i]], meshEdges.node[4 * crossings[i] + 1]];
    const [p, q] = [rootOf(parent, a), rootOf(parent, b)];
    if (p !== q) crossings[i + 2] = size[p] < size[q] || (size[p] === size[q] && p > q) ? a : b;
  }
  for (const cluster of clustersOf(tables, crossings)) {
    if (cluster.every((i) => crossings[i + 2] < 0)) chooseByPlane(tables, crossings, cluster);
  }
}

type Tables = Engine['tables'];

/** Crossings that share nodes, as lists of their places: the lines along which two parts of sheets cross. */
function clustersOf({ meshEdges, triangles }: Tables, crossings: readonly number[]): number[][] {
  const parent: number[] = [];
  const at = new Map<number, number>();
  for (let i = 0; i < crossings.length; i += 3) {
    parent[i] = i;
    const [e, t] = [4 * crossings[i], 4 * crossings[i + 1]];
    for (const node of [...meshEdges.node.subarray(e, e + 2), ...triangles.node.subarray(t, t + 3)]) {
      const [one, other] = [rootOf(parent, i), rootOf(parent, at.get(node) ?? i)];
      parent[Math.max(one, other)] = Math.min(one, other);
      at.set(node, i);
    }
  }
  const clusters = new Map<number, number[]>();
  for (let i = 0; i < crossings.length; i += 3) {
    listUnder(clusters, rootOf(parent, i), i);
  }
  return [...clusters.values()];
}

function listUnder<K>(lists: Map<K, number[]>, key: K, place: number): void {
  const list = lists.get(key);
  if (list) list.push(place);
  else lists.set(key, [place]);
}

/** Of a cluster, edges of one object that go through another; what is on which side of that one. */
interface Side {
  places: number[];
  normal: number[];
  /** Nodes of the object on the side where there are fewer; and which that is. */
  fewer: number;
  sign: number;
}

function sideOf(tables: Tables, crossings: readonly number[], places: number[]): Side {
  const { meshEdges, triangles, strands, nodes } = tables;
  const { position } = nodes;
  const [middle, normal, own] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (const i of places) {
    const triangle = crossings[i + 1];
    normalOf(tables, triangle, own);
    const sign = leanOf(own, normal);
    for (let k = 0; k < 3; k++) {
      normal[k] += sign * own[k];
      for (let m = 0; m < 3; m++) middle[k] += position[4 * triangles.node[4 * triangle + m] + k] / (3 * places.length);
    }
  }
  const object = meshEdges.triangle[4 * crossings[places[0]] + 2];
  const first = strands.first[object];
  let above = 0;
  for (let n = first; n < first + strands.nodes[object]; n++) {
    let height = 0;
    for (let k = 0; k < 3; k++) height += (position[4 * n + k] - middle[k]) * normal[k];
    if (height > 0) above++;
  }
  const below = strands.nodes[object] - above;
  return { places, normal, fewer: Math.min(above, below), sign: above < below ? 1 : -1 };
}

const leanOf = (a: readonly number[], b: readonly number[]) => (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0 ? -1 : 1);

/** Nothing is cut in two here: the object with fewer nodes beyond the other's middle plane gives way. */
function chooseByPlane(tables: Tables, crossings: number[], cluster: readonly number[]): void {
  const { meshEdges, triangles, nodes } = tables;
  const groups = new Map<string, number[]>();
  for (const i of cluster) {
    const key = `${meshEdges.triangle[4 * crossings[i] + 2]} ${triangles.node[4 * crossings[i + 1] + 3]}`;
    listUnder(groups, key, i);
  }
  let best: Side | null = null;
  for (const places of groups.values()) {
    const side = sideOf(tables, crossings, places);
    if (!best || side.fewer < best.fewer) best = side;
  }
  if (!best) return;
  const own = [0, 0, 0];
  for (const i of best.places) {
    normalOf(tables, crossings[i + 1], own);
    const sign = leanOf(own, best.normal) * best.sign;
    const [p, q] = [meshEdges.node[4 * crossings[i]], meshEdges.node[4 * crossings[i] + 1]];
    let lean = 0;
    for (let k = 0; k < 3; k++) lean += sign * own[k] * (nodes.position[4 * p + k] - nodes.position[4 * q + k]);
    crossings[i + 2] = lean > 0 ? p : q;
  }
}

/** Unit normal of a triangle, zeros if it has none. */
function normalOf({ triangles, nodes }: Tables, triangle: number, out: number[]): void {
  const { position: x } = nodes;
  const [a, b, c] = triangles.node.subarray(4 * triangle, 4 * triangle + 3);
  const [ux, uy, uz] = [0, 1, 2].map((k) => x[4 * b + k] - x[4 * a + k]);
  const [vx, vy, vz] = [0, 1, 2].map((k) => x[4 * c + k] - x[4 * a + k]);
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  const length = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (let k = 0; k < 3; k++) out[k] = length > 0 ? out[k] / length : 0;
}

/** Marks what is to come through, and what is near it on the same side of the cut. */
function loosen({ arena, tables }: Engine, { crossings, loose }: Tangles): void {
  const { meshEdges, strands } = tables;
  const cut = new Set<number>();
  for (let i = 0; i < crossings.length; i += 3) {
    cut.add(crossings[i]);
    if (crossings[i + 2] >= 0) loose[crossings[i + 2]] = 1;
  }
  for (let ring = 1; ring <= RINGS; ring++) {
    for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
      if (!(strands.flags[s] & L.STRAND_TANGLED)) continue;
      const first = strands.meshEdges[2 * s];
      for (let e = first; e < first + strands.meshEdges[2 * s + RANGE_COUNT]; e++) {
        if (cut.has(e)) continue;
        const [a, b] = [meshEdges.node[4 * e], meshEdges.node[4 * e + 1]];
        if (loose[a] === ring && loose[b] === 0) loose[b] = ring + 1;
        else if (loose[b] === ring && loose[a] === 0) loose[a] = ring + 1;
      }
    }
  }
}

/** Whether nodes of two surfaces, −1 where there are fewer than four, may go through each other now. */
export function isLetThrough(engine: Engine, rows: Int32Array, at: number): boolean {
  const tangles = memories.get(engine);
  if (!tangles || tangles.crossings.length === 0) return false;
  const { strand } = engine.tables.nodes;
  let [isLoose, first, last] = [false, -1, -1];
  for (let k = at; k < at + 4; k++) {
    if (rows[k] < 0) continue;
    if (tangles.loose[rows[k]] > 0) isLoose = true;
    if (first < 0) first = strand[rows[k]];
    last = strand[rows[k]];
  }
  return isLoose && tangles.pairs.has(pairOf(first, last));
}

/** Opens the contacts, from row `first` on, between what is to come through and what it goes through. */
export function letThrough(engine: Engine, first: number): void {
  const tangles = memories.get(engine);
  if (!tangles || tangles.crossings.length === 0) return;
  const { node, side, normal, force } = engine.tables.nodeContacts;
  for (let c = 4 * first; c < 4 * engine.arena.i32[L.NODE_CONTACT_COUNT >> 2]; c += 4) {
    if (side[c + SIDE_COLLIDER] >= 0 || !isLetThrough(engine, node, c)) continue;
    normal[c + CONTACT_GAP] = OPEN;
    force.fill(0, c, c + 3);
  }
}

/** Draws through what is to come through, in NODE_PREDICTED. `holder` as for keepSurfacesApart. */
export function drawThrough(engine: Engine, holder: Int32Array): void {
  const tangles = memories.get(engine);
  if (!tangles) return;
  const { crossings } = tangles;
  if (crossings.length === 0) return;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < crossings.length; i += 3) if (crossings[i + 2] >= 0) draw(engine, crossings, i, holder);
  }
  calm(engine, tangles, holder);
}

/**
 * What crosses, and what is near it, moves no faster against its object than by a share of an edge in a step: drawn
 * through and held back in turns it would win energy.
 */
function calm({ arena, tables, settings }: Engine, { crossings, loose }: Tangles, holder: Int32Array): void {
  const { nodes, strands, meshEdges, triangles } = tables;
  const { predicted: v, mass } = nodes;
  for (let i = 0; i < crossings.length; i += 3) {
    for (let k = 0; k < 2; k++) loose[meshEdges.node[4 * crossings[i] + k]] ||= RINGS + 2;
    for (let k = 0; k < 3; k++) loose[triangles.node[4 * crossings[i + 1] + k]] ||= RINGS + 2;
  }
  for (let s = 0; s < arena.i32[L.STRAND_COUNT >> 2]; s++) {
    if (!(strands.flags[s] & L.STRAND_TANGLED)) continue;
    const [first, end] = [strands.first[s], strands.first[s] + strands.nodes[s]];
    const [firstEdge, edges] = strands.meshEdges.subarray(2 * s, 2 * s + 2);
    let length = 0;
    for (let e = firstEdge; e < firstEdge + edges; e++) length += meshEdges.rest[4 * e] / edges;
    const most = (FASTEST * length) / settings.timeStep;
    const mean = [0, 0, 0, 0];
    for (let n = first; n < end; n++) {
      for (let k = 0; k < 3; k++) mean[k] += mass[2 * n] * v[4 * n + k];
      mean[3] += mass[2 * n];
    }
    for (let n = first; n < end; n++) {
      if (loose[n] === 0 || holder[n] !== -1) continue;
      let square = 0;
      for (let k = 0; k < 3; k++) square += (v[4 * n + k] - mean[k] / mean[3]) ** 2;
      const share = Math.min(1, most / Math.sqrt(square));
      for (let k = 0; k < 3; k++) v[4 * n + k] = mean[k] / mean[3] + share * (v[4 * n + k] - mean[k] / mean[3]);
    }
  }
}

const normal = [0, 0, 0];
const share = [0, 0, 0, 0];
const members = [0, 0, 0, 0];

/** One crossing: its end gets the speed along the triangle's normal that it lacks; momentum stays. */
function draw({ tables, settings }: Engine, crossings: readonly number[], i: number, holder: Int32Array): void {
  const { nodes, meshEdges, triangles, strands } = tables;
  const { position: x, predicted: v, mass } = nodes;
  const [edge, triangle, end] = crossings.slice(i, i + 3);
  const other = meshEdges.node[4 * edge] === end ? meshEdges.node[4 * edge + 1] : meshEdges.node[4 * edge];
  normalOf(tables, triangle, normal);
  const corner = triangles.node[4 * triangle];
  let [from, to, square] = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    from += normal[k] * (x[4 * end + k] - x[4 * corner + k]);
    to += normal[k] * (x[4 * other + k] - x[4 * corner + k]);
    square += (x[4 * other + k] - x[4 * end + k]) ** 2;
  }
  if (from * to >= 0) return;
  // Towards the other end.
  const sign = to > 0 ? 1 : -1;
  const depth = Math.abs(from);
  setShares(tables, triangle, end, other, from / (from - to));
  members[0] = end;
  share[0] = 1;
  let [speed, mobility] = [0, 0];
  for (let m = 0; m < 4; m++) {
    const at = 4 * members[m];
    for (let k = 0; k < 3; k++) speed += sign * share[m] * normal[k] * v[at + k];
    if (isFree(members[m])) mobility += share[m] ** 2 / mass[2 * members[m]];
  }
  const length = Math.sqrt(square);
  const lacking = Math.min(depth + BEYOND * length, WAY * length) / settings.timeStep - speed;
  if (!(lacking > 0) || !(mobility > 0)) return;
  const impulse = (sign * lacking) / mobility;
  for (let m = 0; m < 4; m++) {
    if (!isFree(members[m])) continue;
    const change = (impulse * share[m]) / mass[2 * members[m]];
    for (let k = 0; k < 3; k++) v[4 * members[m] + k] += change * normal[k];
  }

  function isFree(node: number): boolean {
    return holder[node] === -1 && (strands.flags[nodes.strand[node]] & L.STRAND_ASLEEP) === 0;
  }
}

/** Minus the weights of the triangle's corners at the place `s` of the way from `end` to `other`. */
function setShares({ nodes, triangles }: Tables, triangle: number, end: number, other: number, s: number): void {
  const { position: x } = nodes;
  const place = [0, 1, 2].map((k) => x[4 * end + k] + s * (x[4 * other + k] - x[4 * end + k]));
  let total = 0;
  for (let m = 0; m < 3; m++) {
    const b = 4 * triangles.node[4 * triangle + ((m + 1) % 3)];
    const c = 4 * triangles.node[4 * triangle + ((m + 2) % 3)];
    const [ux, uy, uz] = [0, 1, 2].map((k) => x[b + k] - place[k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => x[c + k] - place[k]);
    const area = Math.sqrt((uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2);
    members[m + 1] = triangles.node[4 * triangle + m];
    share[m + 1] = -area;
    total += area;
  }
  for (let m = 1; m < 4; m++) share[m] = total > 0 ? share[m] / total : -1 / 3;
}
