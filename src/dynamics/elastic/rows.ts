// Rods come and go: rows of the tables of rods, strands and nodes.
//
// In: a checked definition (bodies as slots). Out: the rod's slot. Rows of strands and nodes are dense ranges in the
// order of creation; removal moves the later ones down, λ and all other state with them. Contacts of removed strands
// are dropped, those of the others follow their nodes, so that the next step still finds their forces.
// Everything here runs between steps (copy-in), never inside a kernel.

import { freeSlot, takeSlot } from '../../core/slots';
import { initialiseStrand } from '../../mechanics/rod/initialise-strand';
import { isAway, takeBack } from '../../state/away-strands';
import { KEY_HIGH, KEY_KIND_A, KEY_KIND_B, SIDE_OBJECT_B } from '../../state/contact-places';
import * as L from '../../state/layout';
import { EDGE_OBJECT, TRIANGLE_OBJECT } from '../../state/mesh-places';
import { RANGE_COUNT, REST_TWIST, TWIST } from '../../state/node-places';
import { noteBirth, noteRows } from '../../state/strand-changes';
import type { StrandRest } from '../../state/strand-rest';
import type { Tables } from '../../state/tables';
import type { Engine } from '../engine';
import { freeAttachment, isAttachment } from './attachment-rows';
import { holdEnd } from './clamp-rows';
import { uproot } from './rooted';
import { rouse } from './sleep';
import { touchRod } from './touch-strands';

/** Where a rod is to be advanced. */
export type RodBackend = 'auto' | 'wasm' | 'webgpu';

const BACKEND_FLAGS = { auto: 0, wasm: L.ROD_ON_WASM, webgpu: L.ROD_ON_WEBGPU } as const;

/** What the entity of an elastic object of any kind says of it: a row of the rods. */
export interface MaterialDefinition {
  entity: number;
  selfContact: boolean;
  canSleep: boolean;
  layers: number;
  mask: number;
  /** As ROD_PARAMETER; of a rod: radius, density, young, shear, stretch modulus, damping, friction, cohesion. */
  parameter: ArrayLike<number>;
  /** As ROD_EXTRA; of a rod: gravity scale, air drag, compliance. Three numbers or four. */
  extra: ArrayLike<number>;
  /** As ROD_WEAVE, of a shell. */
  weave?: ArrayLike<number>;
}

/** What a rod or groom is made from; arrays are read, none kept. */
export interface RodDefinition extends MaterialDefinition {
  isGroom: boolean;
  /** Where a world with a device advances it. Default 'auto'. */
  backend?: RodBackend;
  /** Nodes of each strand. */
  counts: ArrayLike<number>;
  /** Where the nodes are: three numbers each, strand after strand [m]. */
  points: ArrayLike<number>;
  /** The shape without stress, likewise. */
  rest: ArrayLike<number>;
  /** Of every node [m/s]. */
  velocity: ArrayLike<number>;
  clampStart: boolean;
  clampEnd: boolean;
  /** Body slot that the clamp follows, −1 the world. */
  attachStart: number;
  attachEnd: number;
  /** Angle of each edge's material beyond the twist-free state [rad], one number a node (the last of a strand idle). */
  twist: ArrayLike<number> | null;
  /** The same in the shape without stress. */
  restTwist: ArrayLike<number> | null;
  /** Rest shape and stiffness along the strands, instead of what `rest` measures. */
  along: StrandRest | null;
}

type Column = Int32Array | Float64Array;

/** All columns of a table but those named, with their strides: whatever a row holds moves with it. */
function columnsOf(table: object, ...but: string[]): [Column, number][] {
  const { capacity, ...columns } = table as Record<string, Column> & { capacity: number };
  return Object.entries(columns)
    .filter(([name]) => !but.includes(name))
    .map(([, column]) => [column, column.length / capacity]);
}

/** Fills new rows of a table with 0. */
export function clearNewRows(table: object, first: number, end: number): void {
  for (const [column, stride] of columnsOf(table)) column.fill(0, stride * first, stride * end);
}

/** Takes a row of the rods for an object whose strands and nodes come next in their tables; returns its slot. */
export function takeMaterial(
  { arena, tables }: Engine,
  definition: MaterialDefinition,
  strandCount: number,
  nodeCount: number,
): number {
  tables.control.rods.ensure(arena.i32[L.ROD_COUNT >> 2] + 1);
  const { rods } = tables;
  const { parameter, extra } = definition;
  const slot = takeSlot({ header: arena.i32, free: L.ROD_FREE >> 2, count: L.ROD_COUNT >> 2 }, rods.next);
  rods.flags[slot] =
    L.ROD_ALIVE | (definition.selfContact ? L.ROD_SELF_CONTACT : 0) | (definition.canSleep ? 0 : L.ROD_NEVER_SLEEPS);
  rods.entity[slot] = definition.entity;
  rods.strandStart[slot] = arena.i32[L.STRAND_COUNT >> 2];
  rods.strandCount[slot] = strandCount;
  rods.nodeStart[slot] = arena.i32[L.NODE_COUNT >> 2];
  rods.nodeCount[slot] = nodeCount;
  rods.next[slot] = -1;
  rods.layers[slot] = (definition.layers & 0xffff) | (definition.mask << 16);
  for (let k = 0; k < 8; k++) rods.parameter[8 * slot + k] = parameter[k];
  for (let k = 0; k < 4; k++) rods.extra[4 * slot + k] = k < extra.length ? extra[k] : 0;
  for (let k = 0; k < 4; k++) rods.weave[4 * slot + k] = definition.weave?.[k] ?? 0;
  return slot;
}

/** Makes a rod; returns its slot. */
export function createRod(engine: Engine, definition: RodDefinition): number {
  const { arena, tables } = engine;
  const { counts } = definition;
  const firstStrand = arena.i32[L.STRAND_COUNT >> 2];
  const firstNode = arena.i32[L.NODE_COUNT >> 2];
  let nodeCount = 0;
  for (let s = 0; s < counts.length; s++) nodeCount += counts[s];
  tables.control.strands.ensure(firstStrand + counts.length);
  tables.control.nodes.ensure(firstNode + nodeCount);

  const rod = takeMaterial(engine, definition, counts.length, nodeCount);
  tables.rods.flags[rod] |= (definition.isGroom ? L.ROD_GROOM : 0) | BACKEND_FLAGS[definition.backend ?? 'auto'];

  const { strands, nodes } = tables;
  const endStrand = firstStrand + counts.length;
  clearNewRows(strands, firstStrand, endStrand);
  const endNode = firstNode + nodeCount;
  clearNewRows(nodes, firstNode, endNode);

  // All counts first: the mechanics may look at whole tables.
  arena.i32[L.STRAND_COUNT >> 2] = endStrand;
  arena.i32[L.NODE_COUNT >> 2] = endNode;
  let node = firstNode;
  for (let s = 0; s < counts.length; s++) {
    createStrand(tables, rod, firstStrand + s, node, counts[s], definition, node - firstNode);
    node += counts[s];
  }
  noteBirth(tables, rod);
  return rod;
}

/** Writes the rows of one strand; `from` is its first node in the definition's arrays. */
function createStrand(
  tables: Tables,
  rod: number,
  strand: number,
  first: number,
  count: number,
  definition: RodDefinition,
  from: number,
): void {
  const { strands, nodes } = tables;
  const { points, rest, velocity, twist, restTwist, along } = definition;
  strands.rod[strand] = rod;
  strands.first[strand] = first;
  strands.nodes[strand] = count;
  strands.attach.fill(-1, 2 * strand, 2 * strand + 2);
  nodes.strand.fill(strand, first, first + count);
  const shape = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      shape[3 * i + k] = rest[3 * (from + i) + k];
      nodes.position[4 * (first + i) + k] = points[3 * (from + i) + k];
      nodes.velocity[4 * (first + i) + k] = velocity[k];
    }
  }
  initialiseStrand(tables, strand, shape, along, from);
  for (let i = 0; i < count - 1; i++) {
    if (twist) nodes.position[4 * (first + i) + TWIST] += twist[from + i];
    if (restTwist && i > 0) nodes.rest[8 * (first + i) + REST_TWIST] += restTwist[from + i] - restTwist[from + i - 1];
  }
  for (let at = 4 * first; at < 4 * (first + count); at++) nodes.previous[at] = nodes.position[at];
  if (definition.clampStart) holdEnd(tables, strand, 0, definition.attachStart);
  if (definition.clampEnd) holdEnd(tables, strand, 1, definition.attachEnd);
}

/**
 * Takes rods out of the tables, all in one pass; their attachments go with them, and what sleeps with them wakes.
 * Returns the entities of these attachments.
 */
export function destroyRods(engine: Engine, slots: readonly number[]): number[] {
  const { arena, tables } = engine;
  const { rods, strands, attachments } = tables;
  noteRows(tables);
  takeBack(
    arena,
    tables,
    slots.filter((rod) => isAway(tables, rod)),
  );
  const isGone = new Uint8Array(rods.capacity);
  for (const rod of slots) {
    isGone[rod] = 1;
    touchRod(tables, rod);
  }
  rouse(engine, false);
  uproot(tables, arena.i32[L.STRAND_COUNT >> 2], isGone);

  const entities: number[] = [];
  for (let a = 0; a < arena.i32[L.ATTACHMENT_COUNT >> 2]; a++) {
    const other = attachments.other[2 * a];
    const isLoose = isGone[attachments.rod[a]] || (other >= 0 && isGone[other]);
    if (!isAttachment(tables, a) || !isLoose) continue;
    if (attachments.entity[a] !== 0) entities.push(attachments.entity[a]);
    freeAttachment(engine, a);
  }

  // Where each strand goes, −1 out.
  const strandCount = arena.i32[L.STRAND_COUNT >> 2];
  const places: Places = {
    strand: new Int32Array(strandCount).fill(-1),
    node: new Int32Array(strandCount),
    triangle: new Int32Array(strandCount),
    meshEdge: new Int32Array(strandCount),
    tetrahedron: new Int32Array(strandCount),
  };
  const kept = { strands: 0, nodes: 0, triangles: 0, meshEdges: 0, tetrahedra: 0 };
  for (let s = 0; s < strandCount; s++) {
    if (isGone[strands.rod[s]]) continue;
    places.strand[s] = kept.strands++;
    places.node[s] = kept.nodes;
    places.triangle[s] = kept.triangles;
    places.meshEdge[s] = kept.meshEdges;
    places.tetrahedron[s] = kept.tetrahedra;
    kept.nodes += strands.nodes[s];
    kept.triangles += strands.triangles[2 * s + RANGE_COUNT];
    kept.meshEdges += strands.meshEdges[2 * s + RANGE_COUNT];
    kept.tetrahedra += strands.tetrahedra[2 * s + RANGE_COUNT];
  }

  moveContacts(engine, places);
  for (let rod = 0; rod < arena.i32[L.ROD_COUNT >> 2]; rod++) {
    if (!(rods.flags[rod] & L.ROD_ALIVE) || isGone[rod]) continue;
    const start = rods.strandStart[rod];
    rods.nodeStart[rod] = places.node[start];
    rods.strandStart[rod] = places.strand[start];
  }
  moveRows(tables, places);
  arena.i32[L.STRAND_COUNT >> 2] = kept.strands;
  arena.i32[L.NODE_COUNT >> 2] = kept.nodes;
  arena.i32[L.TRIANGLE_COUNT >> 2] = kept.triangles;
  arena.i32[L.MESH_EDGE_COUNT >> 2] = kept.meshEdges;
  arena.i32[L.TETRAHEDRON_COUNT >> 2] = kept.tetrahedra;

  for (const rod of slots) {
    rods.flags[rod] = 0;
    rods.entity[rod] = 0;
    freeSlot({ header: arena.i32, free: L.ROD_FREE >> 2, count: L.ROD_COUNT >> 2 }, rods.next, rod);
  }
  return entities;
}

/** Where the rows of each strand go: its own, and the first of its nodes and of its mesh. */
interface Places {
  /** −1: it goes. */
  readonly strand: Int32Array;
  readonly node: Int32Array;
  readonly triangle: Int32Array;
  readonly meshEdge: Int32Array;
  readonly tetrahedron: Int32Array;
}

/** Moves the rows of the strands that stay; always downwards, so that nothing is overwritten before it is read. */
function moveRows(tables: Tables, places: Places): void {
  const { strands, nodes, triangles, meshEdges, tetrahedra } = tables;
  const move = (columns: [Column, number][], to: number, from: number, count: number): void => {
    for (const [column, stride] of columns) column.copyWithin(stride * to, stride * from, stride * (from + count));
  };
  const columns = {
    strands: columnsOf(strands, 'first'),
    nodes: columnsOf(nodes, 'strand'),
    triangles: columnsOf(triangles),
    meshEdges: columnsOf(meshEdges),
    tetrahedra: columnsOf(tetrahedra),
  };
  for (let s = 0; s < places.strand.length; s++) {
    const to = places.strand[s];
    if (to < 0 || to === s) continue;
    const first = strands.first[s];
    const count = strands.nodes[s];
    const rows = {
      triangles: [...strands.triangles.subarray(2 * s, 2 * s + 2)],
      meshEdges: [...strands.meshEdges.subarray(2 * s, 2 * s + 2)],
      tetrahedra: [...strands.tetrahedra.subarray(2 * s, 2 * s + 2)],
    };
    move(columns.strands, to, s, 1);
    move(columns.nodes, places.node[s], first, count);
    strands.first[to] = places.node[s];
    nodes.strand.fill(to, places.node[s], places.node[s] + count);

    move(columns.triangles, places.triangle[s], rows.triangles[0], rows.triangles[1]);
    move(columns.meshEdges, places.meshEdge[s], rows.meshEdges[0], rows.meshEdges[1]);
    move(columns.tetrahedra, places.tetrahedron[s], rows.tetrahedra[0], rows.tetrahedra[1]);
    strands.triangles[2 * to] = places.triangle[s];
    strands.meshEdges[2 * to] = places.meshEdge[s];
    strands.tetrahedra[2 * to] = places.tetrahedron[s];
    renumberMesh(tables, to, {
      node: places.node[s] - first,
      triangle: places.triangle[s] - rows.triangles[0],
      meshEdge: places.meshEdge[s] - rows.meshEdges[0],
    });
  }
}

/** What an object's mesh names has moved by so many rows. */
function renumberMesh(
  { strands, triangles, meshEdges, tetrahedra }: Tables,
  object: number,
  by: { node: number; triangle: number; meshEdge: number },
): void {
  const shift = (column: Int32Array, at: number, count: number, rows: number): void => {
    for (let k = at; k < at + count; k++) if (column[k] >= 0) column[k] += rows;
  };
  const at = 2 * object;
  for (let t = strands.triangles[at]; t < strands.triangles[at] + strands.triangles[at + RANGE_COUNT]; t++) {
    shift(triangles.node, 4 * t, 3, by.node);
    triangles.node[4 * t + TRIANGLE_OBJECT] = object;
    shift(triangles.edge, 4 * t, 3, by.meshEdge);
  }
  for (let e = strands.meshEdges[at]; e < strands.meshEdges[at] + strands.meshEdges[at + RANGE_COUNT]; e++) {
    shift(meshEdges.node, 4 * e, 4, by.node);
    shift(meshEdges.triangle, 4 * e, 2, by.triangle);
    meshEdges.triangle[4 * e + EDGE_OBJECT] = object;
  }
  for (let t = strands.tetrahedra[at]; t < strands.tetrahedra[at] + strands.tetrahedra[at + RANGE_COUNT]; t++) {
    shift(tetrahedra.node, 4 * t, 4, by.node);
    shift(tetrahedra.middle, 8 * t, 6, by.node);
    tetrahedra.object[t] = object;
  }
}

/** Drops contacts of strands that go; the others follow their nodes, in the same order. */
function moveContacts({ arena, tables }: Engine, places: Places): void {
  const { nodeContacts: contacts, strands, nodes } = tables;
  const { node, side, key } = contacts;
  const columns = columnsOf(contacts);

  /** New number of a node of an object that stays. */
  const moved = (old: number): number => {
    const strand = nodes.strand[old];
    return places.node[strand] + old - strands.first[strand];
  };

  /** By how many rows a primitive of an object that stays moves in the table that names it. */
  const movedBy = (object: number, kind: number, isRod: boolean): number => {
    if (isRod || kind === L.PRIMITIVE_POINT) return places.node[object] - strands.first[object];
    if (kind === L.PRIMITIVE_EDGE) return places.meshEdge[object] - strands.meshEdges[2 * object];
    return places.triangle[object] - strands.triangles[2 * object];
  };
  let kept = 0;
  let asleep = 0;
  const resting = arena.i32[L.NODE_CONTACT_ASLEEP >> 2];

  for (let c = 0; c < arena.i32[L.NODE_CONTACT_COUNT >> 2]; c++) {
    const objectA = side[4 * c];
    const objectB = side[4 * c + SIDE_OBJECT_B];
    const a = places.strand[objectA];
    const b = objectB < 0 ? -1 : places.strand[objectB];
    if (a < 0 || (b < 0 && objectB >= 0)) continue;
    for (const [column, stride] of columns) column.copyWithin(stride * kept, stride * c, stride * (c + 1));
    const row = 4 * kept;
    for (let k = row; k < row + 4; k++) if (node[k] >= 0) node[k] = moved(node[k]);
    side[row] = a;
    side[row + SIDE_OBJECT_B] = b;
    if (key[row] < 0) {
      // Of a surface (SURFACE_* in state/layout).
      key[row] += movedBy(objectA, key[row + KEY_KIND_A], false);
      if (objectB >= 0)
        key[row + KEY_HIGH] += movedBy(objectB, key[row + KEY_KIND_B], (key[row + KEY_HIGH] & L.SURFACE_ROD) !== 0);
    } else {
      // The feature names the edges (kernels/assembly/proximity/hits.ts): low the one of A, high twice that of B plus
      // a bit.
      key[row] = node[row];
      if (objectB >= 0) key[row + KEY_HIGH] = (node[row + 2] << 1) | (key[row + KEY_HIGH] & 1);
    }
    kept++;
    if (c < resting) asleep++;
  }

  arena.i32[L.NODE_CONTACT_COUNT >> 2] = kept;
  arena.i32[L.NODE_CONTACT_ASLEEP >> 2] = asleep;
}
