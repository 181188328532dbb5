// Shape rows from shape specifications.
//
// In: a ShapeSpec. Out: rows of the shape table (one per convex part, plane or mesh) with their records in the
// arena, poses in the entity's frame, and mass properties. Equal parts share a row; whether they do depends on
// the tables alone, so a run restored from a snapshot goes on with the same rows.

import type { Arena } from '../core/arena';
import { allocate, release, touchRare } from '../core/arena';
import { PLANE_REACH } from '../core/engine-constants';
import { meshOfHeights } from '../geometry/height-field';
import { buildHull, type Hull } from '../geometry/hull-build';
import { packHull } from '../geometry/hull-data';
import * as Mass from '../geometry/mass-properties';
import { writeMesh } from '../geometry/mesh-data';
import {
  checkShape,
  flatTriples,
  isStaticOnly,
  listTriples,
  type PlacedShape,
  type ShapeHandle,
  type ShapeKinds,
  type ShapeSpec,
} from '../geometry/shapes';
import { multiplyQuaternion, normalizeQuaternion, rotateVector } from '../math/quaternion';
import * as L from './layout';
import { findShapeRow, forgetShapeRows, hasFreeRow, noteShapeRow, takeFreeRow } from './shape-rows';
import { stampShape } from './shape-stamps';
import { isMesh } from './shape-traits';
import type { Tables } from './tables';

interface Part {
  placed: PlacedShape;
  mass: Mass.MassProperties;
}

/**
 * Makes (or finds) the rows of a shape.
 * @throws UsageError that begins with `where`: `createShape: shape.box[0] must be > 0 [m], got -1`
 */
export function createShape(arena: Arena, tables: Tables, spec: ShapeSpec, where = 'createShape'): ShapeHandle {
  checkShape(where, 'shape', spec);
  const parts: Part[] = [];
  addParts({ arena, tables, where, parts }, 'shape', spec, [0, 0, 0], [0, 0, 0, 1]);
  const mass = Mass.composeMass(parts.map((part) => ({ ...part.placed, mass: part.mass })));
  return { parts: parts.map((part) => part.placed), mass, staticOnly: isStaticOnly(spec) };
}

/** Size of a row's record, 0 without one [B]. */
export function recordBytes(arena: Arena, { shapes }: Tables, row: number): number {
  const record = shapes.data[row];
  if (record === 0) return 0;
  return arena.i32[(record + (isMesh(shapes.kind[row]) ? L.MESH_BYTES : L.HULL_BYTES)) >> 2];
}

/** Size of the records of a shape [B]. */
export function shapeBytes(arena: Arena, tables: Tables, { parts }: ShapeHandle): number {
  return parts.reduce((sum, part) => sum + recordBytes(arena, tables, part.shape), 0);
}

/** Frees all rows but these, with their records. */
export function freeShapeRows(arena: Arena, tables: Tables, kept: ReadonlySet<number>): void {
  const { shapes } = tables;
  touchRare(arena);
  for (let row = 0; row < arena.i32[L.SHAPE_COUNT >> 2]; row++) {
    if (kept.has(row) || shapes.kind[row] === L.SHAPE_FREE) continue;
    const bytes = recordBytes(arena, tables, row);
    if (bytes > 0) release(arena, shapes.data[row], bytes);
    shapes.kind[row] = L.SHAPE_FREE;
    shapes.data[row] = 0;
    shapes.parameter.fill(0, 4 * row, 4 * row + 4);
    shapes.box.fill(0, 6 * row, 6 * row + 6);
  }
  forgetShapeRows(tables);
}

interface Target {
  arena: Arena;
  tables: Tables;
  where: string;
  parts: Part[];
}

/** Adds the rows of a shape whose frame has the given pose. */
function addParts(target: Target, name: string, spec: ShapeSpec, position: number[], rotation: number[]): void {
  const { where, parts } = target;
  const add = (shape: number, mass: Mass.MassProperties) => parts.push({ placed: { shape, position, rotation }, mass });
  const simple = (kind: number, parameter: number[], half: number[], mass: Mass.MassProperties) =>
    add(findRow(target, kind, parameter, [...half.map((x) => -x), ...half], null), mass);

  if (spec.box !== undefined) {
    const [x, y, z] = spec.box;
    simple(L.SHAPE_BOX_KIND, [x, y, z], [x, y, z], Mass.measureBox(x, y, z));
  } else if (spec.sphere !== undefined) {
    const r = spec.sphere;
    simple(L.SHAPE_SPHERE, [r], [r, r, r], Mass.measureSphere(r));
  } else if (spec.capsule !== undefined) {
    const [r, h] = spec.capsule;
    simple(L.SHAPE_CAPSULE, [r, h], [r, h + r, r], Mass.measureCapsule(r, h));
  } else if (spec.cylinder !== undefined) {
    const [r, h] = spec.cylinder;
    simple(L.SHAPE_CYLINDER, [r, h], [r, h, r], Mass.measureCylinder(r, h));
  } else if (spec.cone !== undefined) {
    const [r, h] = spec.cone;
    simple(L.SHAPE_CONE, [r, h], [r, h, r], Mass.measureCone(r, h));
  } else if (spec.plane !== undefined) {
    const [x, y, z] = spec.plane;
    // Scaled first: squares of tiny or huge components must not vanish or overflow.
    const scale = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    const length = Math.sqrt((x / scale) ** 2 + (y / scale) ** 2 + (z / scale) ** 2) * scale;
    const half = [PLANE_REACH, PLANE_REACH, PLANE_REACH];
    simple(L.SHAPE_PLANE, [x / length, y / length, z / length], half, Mass.NO_MASS);
  } else if (spec.hull !== undefined) {
    addHull(target, buildHull(listTriples(spec.hull), where, `${name}.hull`), position, rotation);
  } else if (spec.mesh !== undefined) {
    add(addMesh(target, spec.mesh), Mass.NO_MASS);
  } else if (spec.heightField !== undefined) {
    add(addMesh(target, meshOfHeights(spec.heightField)), Mass.NO_MASS);
  } else {
    spec.compound.forEach((part, i) => {
      const offset = Array.from(part.position ?? [0, 0, 0]);
      const [p, q] = placeIn(position, rotation, offset, Array.from(part.rotation ?? [0, 0, 0, 1]));
      addParts(target, `${name}.compound[${i}].shape`, part.shape, p, q);
    });
  }
}

/** Pose (p, q) given in the frame (position, rotation). */
function placeIn(
  position: number[],
  rotation: number[],
  p: readonly number[],
  q: readonly number[],
): [number[], number[]] {
  const point = new Float64Array(3);
  const turned = new Float64Array(4);
  rotateVector(point, 0, rotation, 0, p, 0);
  normalizeQuaternion(turned, 0, q, 0);
  multiplyQuaternion(turned, 0, rotation, 0, turned, 0);
  normalizeQuaternion(turned, 0, turned, 0);
  return [Array.from(point, (x, k) => x + position[k]), Array.from(turned)];
}

/** A hull's record is relative to its centre of mass, which becomes the place of the part. */
function addHull(target: Target, hull: Hull, position: number[], rotation: number[]): void {
  const { parts } = target;
  const mass = Mass.measureHull(hull);
  const bounds = boundsOf(hull.vertices.map((v) => v.map((x, k) => x - mass.center[k])));
  const shape = findRow(target, L.SHAPE_HULL, [], bounds, packHull(hull, mass.center));
  const [center] = placeIn(position, rotation, mass.center, [0, 0, 0, 1]);
  parts.push({ placed: { shape, position: center, rotation }, mass: { ...mass, center: [0, 0, 0] } });
}

/** A row of its own: meshes are not compared. */
function addMesh({ arena, tables, where }: Target, { vertices, triangles }: ShapeKinds['mesh']): number {
  reserveRow(arena, tables);
  // The record first: it refuses what is no mesh.
  const address = writeMesh(arena, flatTriples(vertices), flatTriples(triangles), where);
  const row = takeRow(arena, tables);
  tables.shapes.kind[row] = L.SHAPE_MESH;
  tables.shapes.box.set(boundsOf(listTriples(vertices)), row * 6);
  tables.shapes.data[row] = address;
  noteShapeRow(arena, tables, row);
  return row;
}

function boundsOf(points: readonly (readonly number[])[]): number[] {
  const low = [0, 1, 2].map((k) => points.reduce((least, p) => Math.min(least, p[k]), Number.POSITIVE_INFINITY));
  const high = [0, 1, 2].map((k) => points.reduce((most, p) => Math.max(most, p[k]), Number.NEGATIVE_INFINITY));
  return [...low, ...high];
}

/** Makes room for a row, so that one can be taken once its record has been written: either may run out of memory. */
function reserveRow(arena: Arena, tables: Tables): void {
  if (!hasFreeRow(arena, tables)) tables.control.shapes.ensure(arena.i32[L.SHAPE_COUNT >> 2] + 1);
}

/** Takes a row for which there is room. */
function takeRow(arena: Arena, tables: Tables): number {
  const count = arena.i32[L.SHAPE_COUNT >> 2];
  touchRare(arena);
  const free = takeFreeRow(arena, tables);
  const row = free >= 0 ? free : count;
  if (free < 0) arena.i32[L.SHAPE_COUNT >> 2] = row + 1;
  stampShape(tables, row);
  tables.shapes.parameter.fill(0, row * 4, row * 4 + 4);
  tables.shapes.data[row] = 0;
  return row;
}

/** The row with these values (and record), or a new one. */
function findRow(target: Target, kind: number, parameter: number[], box: number[], record: Uint8Array | null): number {
  const { arena, tables } = target;
  const { shapes } = tables;
  const found = findShapeRow(target, kind, box, parameter, (row) => {
    if (shapes.kind[row] !== kind) return false;
    if (!box.every((x, k) => shapes.box[row * 6 + k] === x)) return false;
    if (!parameter.every((x, k) => shapes.parameter[row * 4 + k] === x)) return false;
    return record === null || record.every((byte, k) => arena.u8[shapes.data[row] + k] === byte);
  });
  if (found >= 0) return found;
  reserveRow(arena, tables);
  // The address first: to allocate may move the columns.
  const address = record === null ? 0 : allocate(arena, record.length);
  if (record !== null) arena.u8.set(record, address);
  const row = takeRow(arena, tables);
  tables.shapes.kind[row] = kind;
  tables.shapes.parameter.set(parameter, row * 4);
  tables.shapes.box.set(box, row * 6);
  tables.shapes.data[row] = address;
  noteShapeRow(arena, tables, row);
  return row;
}
