// Records of shells and solids for their kernels (state/mesh-layout.ts): patterns, kept from step to step as long as
// their mesh stays what it is, and where everything of a step lies in one block of memory.

import type { KernelScratch } from '../../../../core/scratch';
import { type HingeFactor, hingeFactorOf } from '../../../../mechanics/shell/hinge-moments';
import { crowdOfRiders, firstRider, ownNodes, riderCorner, riderShare } from '../../../../mechanics/solid/riders';
import { readSolidElements } from '../../../../mechanics/solid/solid-system';
import { createMeshPattern, type MeshElements, type MeshPattern } from '../../../../solvers/elastic/mesh-pattern';
import * as L from '../../../../state/layout';
import { RADIUS, YOUNG_MODULUS } from '../../../../state/material-places';
import * as M from '../../../../state/mesh-layout';
import { RANGE_COUNT } from '../../../../state/node-places';
import { strandChanges } from '../../../../state/strand-changes';
import type { Tables } from '../../../../state/tables';
import type { Engine } from '../../../engine';

/** A mesh and its pattern. */
interface Kept {
  readonly mesh: MeshElements;
  readonly hinges: boolean;
  readonly pattern: MeshPattern;
  /** Of a shell that resists bending. */
  hinge: HingeFactor | null;
  /** Changes of the tables when it was compared with them last. */
  changes: number;
  /** Cells of what is not copied, and its bytes; bytes of all. */
  readonly places: readonly (readonly [number, number])[];
  readonly bytes: number;
  /** Prescribed motion, by node: 1 where there is, three numbers each [m/s]. */
  readonly held: Uint8Array;
  readonly heldVelocity: Float64Array;
  /** Of a solid, once it was asked for. */
  give: KeptGive | null;
  /** Records of what its tetrahedra carry, none held. */
  readonly riders: Uint8Array;
}

/** How far the nodes of a solid give way, and all that it follows from beside its elements. */
interface KeptGive {
  readonly give: Float32Array;
  readonly held: Uint8Array;
  readonly material: Float64Array;
  readonly rest: Float64Array;
  /** Changes of the tables when material and rest shape were compared with them last. */
  changes: number;
}

/** Patterns by object; one a world. Follow from the tables alone. */
export interface MeshPatterns {
  readonly kept: (Kept | undefined)[];
}

/** Elements of an object, nodes counted from its first. */
function readMesh(tables: Tables, object: number): MeshElements {
  const { strands, triangles, meshEdges } = tables;
  const first = strands.first[object];
  const isSolid = strands.kind[object] === L.KIND_SOLID;
  const list = (column: Int32Array, [from, count]: Int32Array, width: number) => {
    const out = new Int32Array(width * count);
    for (let e = 0; e < count; e++) {
      for (let k = 0; k < width; k++) {
        const node = column[4 * (from + e) + k];
        out[width * e + k] = node < 0 ? -1 : node - first;
      }
    }
    return out;
  };
  const none = new Int32Array(2);
  const elements = readSolidElements(tables, object, first);
  const range = (ranges: Int32Array) => ranges.subarray(2 * object, 2 * object + 2);
  return {
    nodes: ownNodes(tables, object),
    // The triangles of a solid are there only to be touched.
    triangles: list(triangles.node, isSolid ? none : range(strands.triangles), 3),
    edges: list(meshEdges.node, isSolid ? none : range(strands.meshEdges), 4),
    // As numbers of the tables: one list for linear and for quadratic ones.
    tetrahedra: elements.nodes.map((node) => node - first),
    elementNodes: elements.order === 2 ? 10 : 4,
  };
}

/** Whether what is kept is still that of the object. */
function isKept(tables: Tables, object: number, { mesh, pattern, riders }: Kept): boolean {
  return isSameMesh(tables, object, mesh) && isEqual(riders, packRiders(tables, object, pattern));
}

/** Whether the object's elements are still those of `mesh`. */
function isSameMesh(tables: Tables, object: number, mesh: MeshElements): boolean {
  const { strands, triangles, meshEdges } = tables;
  const first = strands.first[object];
  const isSolid = strands.kind[object] === L.KIND_SOLID;
  if (ownNodes(tables, object) !== mesh.nodes) return false;
  const same = (list: Int32Array, column: Int32Array, from: number, count: number, width: number) => {
    if (list.length !== width * count) return false;
    for (let e = 0, at = 0, row = 4 * from; e < count; e++, row += 4) {
      for (let k = row; k < row + width; k++, at++)
        if (list[at] !== (column[k] < 0 ? -1 : column[k] - first)) return false;
    }
    return true;
  };
  const at = 2 * object;
  const [faces, edges] = isSolid ? [0, 0] : [strands.triangles[at + RANGE_COUNT], strands.meshEdges[at + RANGE_COUNT]];
  return (
    same(mesh.triangles, triangles.node, strands.triangles[at], faces, 3) &&
    same(mesh.edges, meshEdges.node, strands.meshEdges[at], edges, 4) &&
    areSameElements(tables, object, mesh)
  );
}

function areSameElements({ strands, tetrahedra }: Tables, object: number, mesh: MeshElements): boolean {
  const { elementNodes: width, tetrahedra: list } = mesh;
  const first = strands.first[object];
  const from = strands.tetrahedra[2 * object];
  const count = strands.tetrahedra[2 * object + RANGE_COUNT];
  if (list.length !== width * count) return false;
  for (let e = 0; e < count; e++) {
    const { node, middle } = tetrahedra;
    if ((middle[8 * (from + e)] >= 0 ? 10 : 4) !== width) return false;
    for (let k = 0; k < width; k++) {
      const row = k < 4 ? node[4 * (from + e) + k] : middle[8 * (from + e) + k - 4];
      if (list[width * e + k] !== row - first) return false;
    }
  }
  return true;
}

function areEqual(a: MeshElements, b: MeshElements): boolean {
  return (
    a.nodes === b.nodes &&
    a.elementNodes === b.elementNodes &&
    isEqual(a.triangles, b.triangles) &&
    isEqual(a.edges, b.edges) &&
    isEqual(a.tetrahedra, b.tetrahedra)
  );
}

/** What is kept of an object; compared with the tables where anything in them may have changed. */
function keptOf(patterns: MeshPatterns, tables: Tables, object: number, changes: number): Kept {
  const kept = patternOf(patterns, tables, object, changes);
  if (!isPlate(tables, object)) kept.hinge = null;
  else if (kept.hinge === null || kept.changes !== changes) kept.hinge = hingeFactorOf(tables, object);
  kept.changes = changes;
  return kept;
}

function patternOf(patterns: MeshPatterns, tables: Tables, object: number, changes: number): Kept {
  const hinges = isStiff(tables, object);
  const found = patterns.kept[object];
  if (found && found.hinges === hinges && (found.changes === changes || isKept(tables, object, found))) return found;
  const mesh = readMesh(tables, object);
  // Copies of one mesh have one pattern: ordering it is most of what a new object costs.
  const twin = patterns.kept.find((kept) => kept?.hinges === hinges && areEqual(kept.mesh, mesh));
  const pattern = twin?.pattern ?? createMeshPattern(mesh, hinges);
  const places = placesOf(pattern);
  const kept = {
    mesh,
    hinges,
    pattern,
    hinge: null,
    changes: -1,
    places,
    bytes: sizeOf(pattern, places) + round16(M.RIDER_BYTES * tables.strands.riders[object]),
    riders: packRiders(tables, object, pattern),
    held: new Uint8Array(pattern.nodes),
    heldVelocity: new Float64Array(3 * pattern.nodes),
    give: null,
  };
  patterns.kept[object] = kept;
  return kept;
}

/** Records of an object's riders for the kernels (RIDER_*). */
function packRiders(tables: Tables, object: number, { rowOf, factorStart, factorRow }: MeshPattern): Uint8Array {
  const count = tables.strands.riders[object];
  const words = M.RIDER_BYTES / 4;
  const i32 = new Int32Array(words * count);
  const f32 = new Float32Array(i32.buffer);
  const crowd = crowdOfRiders(tables, object);
  const from = firstRider(tables, object);
  for (let r = 0; r < count; r++) {
    const at = words * r;
    for (let a = 0, pair = at + M.RIDER_SLOT / 4; a < 4; a++) {
      const row = rowOf[riderCorner(tables, from + r, a)];
      i32[at + M.RIDER_ROW / 4 + a] = row;
      f32[at + M.RIDER_SHARE / 4 + a] = f32[at + M.RIDER_PUSH / 4 + a] = riderShare(tables, from + r, a);
      for (let b = a + 1; b < 4; b++, pair++) {
        const other = rowOf[riderCorner(tables, from + r, b)];
        const column = Math.min(row, other);
        const place = factorRow.subarray(0, factorStart[column + 1]).indexOf(Math.max(row, other), factorStart[column]);
        i32[pair] = place;
      }
    }
    f32[at + M.RIDER_CROWD / 4] = crowd[r];
  }
  return new Uint8Array(i32.buffer);
}

/** Prescribed motion of an object whose record is open: to be filled and then copied by `holdMesh`. */
export const prescribedOf = (patterns: MeshPatterns, object: number): Pick<Kept, 'held' | 'heldVelocity'> =>
  patterns.kept[object]!;

/** Copies the prescribed motion of an object to its record. */
export function holdMesh({ arena, tables }: Engine, patterns: MeshPatterns, object: number, record: number): void {
  const { held, heldVelocity } = prescribedOf(patterns, object);
  arena.u8.set(held, arena.i32[(record + M.M_HELD) >> 2]);
  arena.f64.set(heldVelocity, arena.i32[(record + M.M_HELD_VELOCITY) >> 2] >> 3);
  const from = firstRider(tables, object);
  const riders = (arena.i32[(record + M.M_RIDERS) >> 2] + M.RIDER_PUSH) >> 2;
  for (let r = 0; r < tables.strands.riders[object]; r++) {
    for (let k = 0; k < 4; k++) {
      const isHeld = held[riderCorner(tables, from + r, k)] === 1;
      arena.f32[riders + (M.RIDER_BYTES / 4) * r + k] = isHeld ? 0 : riderShare(tables, from + r, k);
    }
  }
}

/** What beside elements, masses and pins the matrix of a solid at rest follows from. */
function readMaterial({ settings, tables }: Engine, object: number): Float64Array {
  const { rods, strands } = tables;
  const slot = strands.rod[object];
  const model = (rods.flags[slot] >> L.ROD_MODEL_SHIFT) & 3;
  const extra = rods.extra.subarray(4 * slot, 4 * slot + 4);
  return Float64Array.of(settings.timeStep, model, ...rods.parameter.subarray(8 * slot, 8 * slot + 8), ...extra);
}

/**
 * Copies how far the nodes of a solid give way to its record, where that is known from before; false: it is not, and
 * the kernels are to find it (meshGive). It follows from the tables alone, as patterns do. After holdMesh.
 */
export function giveMesh(engine: Engine, patterns: MeshPatterns, object: number, record: number): boolean {
  const { i32, f32 } = engine.arena;
  const { give, held, changes } = patterns.kept[object]!;
  if (give === null || !isEqual(give.held, held)) return false;
  if (give.changes !== changes) {
    const { rest } = readSolidElements(engine.tables, object, 0);
    if (!isEqual(give.material, readMaterial(engine, object)) || !isEqual(give.rest, rest)) return false;
    give.changes = changes;
  }
  f32.set(give.give, i32[(record + M.M_GIVE) >> 2] >> 2);
  i32[(record + M.M_HAS_GIVE) >> 2] = 1;
  return true;
}

/** Keeps what the kernels have found. */
export function keepGive(engine: Engine, patterns: MeshPatterns, object: number, record: number): void {
  const { arena, tables } = engine;
  const kept = patterns.kept[object]!;
  const address = arena.i32[(record + M.M_GIVE) >> 2] >> 2;
  kept.give = {
    give: arena.f32.slice(address, address + kept.pattern.nodes),
    held: kept.held.slice(),
    material: readMaterial(engine, object),
    rest: readSolidElements(tables, object, 0).rest.slice(),
    changes: kept.changes,
  };
}

function isEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** D over the inertia of a step at the size of an edge from which on plates are factored with their hinges [-]. */
const STIFF_BENDING = 100;

/** Whether a shell's bending is so stiff that its factor has to know it all (kernels/assembly/mesh/factor.ts). */
function isStiff({ strands, rods, nodes }: Tables, object: number): boolean {
  if (strands.kind[object] !== L.KIND_SHELL) return false;
  const at = 8 * strands.rod[object];
  const half = rods.parameter[at + RADIUS];
  const bending = (2 / 3) * rods.parameter[at + YOUNG_MODULUS] * half * half * half;
  const node = strands.first[object];
  const edge = nodes.rest[8 * node];
  // dt² is left to a sixtieth of a second: the pattern is to stay what it is.
  return bending / (3600 * edge * edge) > STIFF_BENDING * nodes.mass[2 * node];
}

/** Arrays of the pattern and the cells of their addresses. */
const COPIED = [
  ['rowOf', M.M_ROW_OF],
  ['nodeOf', M.M_NODE_OF],
  ['start', M.M_A_START],
  ['row', M.M_A_ROW],
  ['toFactor', M.M_A_TO_L],
  ['factorStart', M.M_L_START],
  ['factorRow', M.M_L_ROW],
  ['triangleSlot', M.M_TRIANGLE_SLOT],
  ['edgeSlot', M.M_HINGE_SLOT],
  ['tetrahedronSlot', M.M_TETRAHEDRON_SLOT],
  ['tetrahedronRow', M.M_TETRAHEDRON_ROW],
] as const;

const round16 = (bytes: number) => 16 * Math.ceil(bytes / 16);

/** Cells of what is not copied, and its bytes. */
function placesOf(pattern: MeshPattern): [number, number][] {
  const { nodes, row, factorRow, edgeSlot } = pattern;
  const [below, factor] = [row.length, factorRow.length];
  return [
    [M.M_ROW_SUM, M.BLOCK64 * nodes],
    [M.M_BELOW, M.BLOCK64 * below],
    [M.M_EXTRA, M.BLOCK64 * nodes],
    [M.M_SUM, M.BLOCK32 * nodes],
    [M.M_BLOCK, M.BLOCK32 * below],
    [M.M_FACTOR, M.BLOCK32 * factor],
    [M.M_PIVOT, M.PIVOT * nodes],
    [M.M_WEIGHTED, M.BLOCK32 * factor],
    [M.M_WEIGHTED_PIVOT, M.PIVOT * nodes],
    [M.M_S, M.BLOCK32 * nodes],
    // One behind the other: the kernels take them as one (mesh/assemble.ts).
    [M.M_AT, 32 * nodes],
    [M.M_BEFORE, 32 * nodes],
    [M.M_BASE, 32 * nodes],
    [M.M_RIGHT, 32 * nodes],
    [M.M_HELD, nodes],
    [M.M_HELD_VELOCITY, 24 * nodes],
    [M.M_WEIGHT, 16 * nodes],
    [M.M_X, 16 * nodes],
    [M.M_R, 16 * nodes],
    [M.M_Z, 16 * nodes],
    [M.M_P, 16 * nodes],
    [M.M_Q, 16 * nodes],
    [M.M_MAP, 4 * nodes],
    [M.M_HEAD, 4 * nodes],
    [M.M_NEXT, 4 * nodes],
    [M.M_PLACE, 4 * nodes],
    [M.M_GIVE, 4 * nodes],
    [M.M_HINGES, (128 * edgeSlot.length) / 6],
  ];
}

function sizeOf(pattern: MeshPattern, places: [number, number][]): number {
  let bytes = M.MESH_RECORD;
  for (const [name] of COPIED) bytes += round16(4 * pattern[name].length);
  for (const [, size] of places) bytes += round16(size);
  return bytes;
}

/** Lays out the records of `objects` in the scratch; returns their addresses in `out`, by object. */
export function openMeshRecords(
  { arena, tables }: Engine,
  patterns: MeshPatterns,
  scratch: KernelScratch,
  objects: readonly number[],
  out: number[],
): void {
  const { rows, restored, materials } = strandChanges(tables);
  let bytes = 0;
  for (const object of objects) {
    const kept = keptOf(patterns, tables, object, rows + restored + materials);
    bytes += kept.bytes + (kept.hinge ? sizeOfHinges(kept.hinge) : 0);
  }
  let next = scratch.address(bytes);
  const { i32 } = arena;
  const { strands } = tables;

  for (const object of objects) {
    const { pattern, places, hinge, riders } = patterns.kept[object]!;
    const record = next;
    out[object] = record;
    const set = (cell: number, value: number) => {
      i32[(record + cell) >> 2] = value;
    };
    set(M.M_OBJECT, object);
    set(M.M_KIND, strands.kind[object]);
    set(M.M_FIRST, strands.first[object]);
    set(M.M_NODES, pattern.nodes);
    set(M.M_A_BLOCKS, pattern.row.length);
    set(M.M_L_BLOCKS, pattern.factorRow.length);
    set(M.M_ITERATIONS, 0);
    set(M.M_HAS_GIVE, 0);
    set(M.M_ELEMENT_NODES, patterns.kept[object]!.mesh.elementNodes);
    next += M.MESH_RECORD;

    for (const [name, cell] of COPIED) {
      set(cell, next);
      i32.set(pattern[name], next >> 2);
      next += round16(4 * pattern[name].length);
    }
    for (const [cell, size] of places) {
      set(cell, next);
      next += round16(size);
    }
    set(M.M_RIDERS, next);
    set(M.M_RIDER_COUNT, strands.riders[object]);
    arena.u8.set(riders, next);
    next += round16(riders.length);
    if (hinge) next = writeHinges(arena, record, next, hinge);
  }
}

/** Whether an object has hinges that resist. */
const isPlate = ({ strands, rods }: Tables, object: number): boolean =>
  strands.kind[object] === L.KIND_SHELL && rods.parameter[8 * strands.rod[object] + YOUNG_MODULUS] > 0;

const sizeOfHinges = ({ ldl }: HingeFactor): number =>
  round16(8 * ldl.lower.length) +
  2 * round16(8 * ldl.size) +
  round16(4 * ldl.row.length) +
  round16(4 * ldl.size) +
  round16(4 * ldl.size + 4);

/** Writes what the moments of hinges are solved with at `next`; returns where it ends. */
function writeHinges({ i32, f64 }: Engine['arena'], record: number, next: number, factor: HingeFactor): number {
  const { ldl, edgeAt, inverse } = factor;
  const place = (cell: number, bytes: number): number => {
    const at = next;
    i32[(record + cell) >> 2] = at;
    next += round16(bytes);
    return at;
  };
  i32[(record + M.M_BENT) >> 2] = ldl.size;
  f64.set(ldl.lower, place(M.M_BENT_LOWER, 8 * ldl.lower.length) >> 3);
  i32.set(ldl.row, place(M.M_BENT_ROW, 4 * ldl.row.length) >> 2);
  i32.set(ldl.start, place(M.M_BENT_START, 4 * ldl.start.length) >> 2);
  f64.set(inverse, place(M.M_BENT_PIVOT, 8 * ldl.size) >> 3);
  i32.set(edgeAt, place(M.M_BENT_EDGE, 4 * ldl.size) >> 2);
  place(M.M_BENT_X, 8 * ldl.size);
  return next;
}
