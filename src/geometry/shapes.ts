// Shapes as users write them (scene-format.md): the type, its checks, and what the engine makes of one.
//
// In: a ShapeSpec, possibly from a file. Out: the same, proven right, or a UsageError that says where, what was
// expected and what came. Rows and records are made by state/create-shape.

import { refuse, requireFinite, requireNonNegative, requirePositive, requireVector } from '../core/errors';
import { checkHeightField, type HeightField } from './height-field';
import type { MassProperties } from './mass-properties';

/** Numbers x y z, or x y z w: an array, a typed array, or what gl-matrix makes. */
type Numbers = ArrayLike<number>;

/** Points [m]: three numbers each, or all numbers in one flat array (a renderer's position attribute). */
export type Points = readonly Numbers[] | readonly number[] | Float32Array | Float64Array;
/** Triangles: three numbers of vertices each, or all of them in one flat array (a renderer's index). */
export type Triangles = readonly Numbers[] | readonly number[] | Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Three numbers; typed arrays are checked when the shape is made. */
type Triple = readonly [number, number, number] | NoArray;

/** What the compiler says of a number[]: its length shows only when the game runs. */
type UnknownLength =
  'number[] may have any length here: write it where it is used, or declare [number, number, number]';

/** Typed arrays, and what gl-matrix makes; not an array of numbers, whose length the compiler knows or should. */
type NoArray = ArrayLike<number> & Iterable<number> & { readonly concat?: UnknownLength };
type Pair = readonly [number, number] | NoArray;

/** The kinds of shape, each with what describes it; lengths in m. Capsules, cylinders and cones stand along y. */
export interface ShapeKinds {
  /** Half extents. */
  readonly box: Triple;
  /** Radius. */
  readonly sphere: number;
  /** Radius, half the distance between the centres of the caps. */
  readonly capsule: Pair;
  /** Radius, half height. */
  readonly cylinder: Pair;
  /** Radius of the base (at −half height), half height; the apex lies at +half height. */
  readonly cone: Pair;
  /** Points; their convex hull must enclose volume and have at most 256 corners. */
  readonly hull: Points;
  /** Outward normal of a half-space through the body's position. For static bodies. */
  readonly plane: Triple;
  /** Triangle mesh; triangles counter-clockwise seen from the side that pushes bodies out. For static bodies. */
  readonly mesh: { readonly vertices: Points; readonly triangles: Triangles };
  /** Ground from an array of heights; pushes bodies up. For static bodies. */
  readonly heightField: HeightField;
  /** Several shapes in one body; overlaps count twice in its mass. */
  readonly compound: readonly CompoundPart[];
}

/** A shape: an object with exactly one of the kinds. */
export type ShapeSpec = {
  [K in keyof ShapeKinds]: Pick<ShapeKinds, K> & { readonly [Other in Exclude<keyof ShapeKinds, K>]?: undefined };
}[keyof ShapeKinds];

/** A part of a compound, placed in the compound's frame. */
export interface CompoundPart {
  /** [m], default 0 0 0. */
  readonly position?: Numbers;
  /** Quaternion x y z w, normalised on reading; default none. */
  readonly rotation?: Numbers;
  readonly shape: ShapeSpec;
}

/** A row of the shape table and where it sits in the entity's own frame. */
export interface PlacedShape {
  /** Row of the shape table. */
  readonly shape: number;
  /** [m] */
  readonly position: readonly number[];
  /** Unit quaternion x y z w. */
  readonly rotation: readonly number[];
}

/** What `createShape` returns. */
export interface ShapeHandle {
  readonly parts: readonly PlacedShape[];
  /** At density 1, in the entity's own frame; volume 0 for planes, meshes and height fields. */
  readonly mass: MassProperties;
  /** Holds a plane, mesh or height field: for static bodies only. */
  readonly staticOnly: boolean;
}

/** Surfaces of triangles. */
const SURFACE_KINDS = ['mesh', 'heightField'] as const;
/** Kinds for static bodies alone. */
export const STATIC_KINDS = ['plane', ...SURFACE_KINDS] as const;
export const STATIC_NAMES = 'planes, meshes and height fields';

/** Whether a shape is a surface of triangles. */
export const isSurface = (spec: ShapeSpec): boolean => SURFACE_KINDS.some((kind) => spec[kind]);

/** Whether a shape, or a part of it, is for static bodies alone. */
export function isStaticOnly(spec: ShapeSpec): boolean {
  return STATIC_KINDS.some((kind) => spec[kind]) || (spec.compound?.some((part) => isStaticOnly(part.shape)) ?? false);
}

const KINDS = ['box', 'sphere', 'capsule', 'cylinder', 'cone', 'hull', 'plane', 'mesh', 'heightField', 'compound'];
/** Compounds within compounds deeper than this are taken for a mistake (or a cycle). */
const DEEPEST = 16;

/**
 * Checks a shape; `where` and `name` begin the message: `createShape: shape.box[0] must be > 0 [m], got -1`.
 * Whether hull points enclose volume shows when the hull is built.
 * @throws UsageError
 */
export function checkShape(where: string, name: string, value: unknown, depth = 0): ShapeSpec {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(where, `${name} must be an object with one of ${KINDS.join(', ')}`, value);
  }
  const keys = Object.keys(value);
  for (const key of keys) if (!KINDS.includes(key)) refuse(where, `${name} must be one of ${KINDS.join(', ')}`, key);
  if (keys.length !== 1) refuse(where, `${name} must have exactly one kind`, keys.length === 0 ? value : keys);
  const [kind] = keys;
  const content = (value as Record<string, unknown>)[kind];
  const path = `${name}.${kind}`;
  if (kind === 'box') checkPositive(where, path, content, 3);
  else if (kind === 'sphere') requirePositive(where, path, content, 'm');
  else if (kind === 'cylinder' || kind === 'cone') checkPositive(where, path, content, 2);
  else if (kind === 'capsule') {
    const [radius, half] = requireVector(where, path, content, 2, 'm');
    requirePositive(where, `${path}[0]`, radius, 'm');
    requireNonNegative(where, `${path}[1]`, half, 'm');
  } else if (kind === 'plane') {
    if (requireVector(where, path, content, 3).every((x) => x === 0))
      refuse(where, `${path} must not be zero`, content);
  } else if (kind === 'hull') {
    checkTriples(where, path, content, 4, 'm');
  } else if (kind === 'mesh') checkMesh(where, path, content);
  else if (kind === 'heightField') checkHeightField(where, path, content);
  else checkCompound(where, path, content, depth);
  return value as ShapeSpec;
}

function checkPositive(where: string, name: string, value: unknown, length: number): void {
  requireVector(where, name, value, length, 'm').forEach((x, i) => {
    requirePositive(where, `${name}[${i}]`, x, 'm');
  });
}

function checkList(where: string, name: string, value: unknown, least: number): unknown[] {
  if (!Array.isArray(value)) refuse(where, `${name} must be a list`, value);
  if (value.length < least) refuse(where, `${name} must have at least ${least}`, value.length);
  return value;
}

function checkMesh(where: string, name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) refuse(where, `${name} must have vertices and triangles`, value);
  const { vertices, triangles, ...others } = value as Record<string, unknown>;
  for (const key of Object.keys(others)) refuse(where, `${name} must have vertices and triangles only`, key);
  const count = checkTriples(where, `${name}.vertices`, vertices, 3, 'm');
  checkTriples(where, `${name}.triangles`, triangles, 1);
  const isFlat = isFlatList(triangles as ArrayLike<unknown>);
  const indices = flatTriples(triangles as Triangles);
  for (let i = 0; i < indices.length; i++) {
    if (Number.isInteger(indices[i]) && indices[i] >= 0 && indices[i] < count) continue;
    const place = isFlat ? `[${i}]` : `[${Math.floor(i / 3)}][${i % 3}]`;
    refuse(where, `${name}.triangles${place} must be the number of a vertex, 0..${count - 1}`, indices[i]);
  }
}

/** Whether a list holds plain numbers, three of which belong together. */
function isFlatList(list: ArrayLike<unknown>): boolean {
  return ArrayBuffer.isView(list) || typeof list[0] === 'number';
}

/** All numbers of triples in one array; the array itself where it is flat already. */
export function flatTriples(list: Points | Triangles): ArrayLike<number> {
  if (isFlatList(list)) return list as ArrayLike<number>;
  const out = new Float64Array(3 * list.length);
  (list as readonly Numbers[]).forEach((triple, i) => {
    out.set(triple, 3 * i);
  });
  return out;
}

/** Triples as lists of three. */
export function listTriples(list: Points | Triangles): readonly (readonly number[])[] {
  if (!isFlatList(list)) return list as readonly (readonly number[])[];
  const flat = list as ArrayLike<number>;
  return Array.from({ length: flat.length / 3 }, (_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
}

/** Checks a list of at least `least` triples of numbers, flat or not, and returns how many there are. */
function checkTriples(where: string, name: string, value: unknown, least: number, unit = ''): number {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && 'length' in value)) {
    refuse(where, `${name} must be a list`, value);
  }
  const list = value as ArrayLike<unknown>;
  const isFlat = isFlatList(list);
  if (isFlat && list.length % 3 !== 0) refuse(where, `${name} must be three numbers each`, list.length);
  const count = isFlat ? list.length / 3 : list.length;
  if (count < least) refuse(where, `${name} must have at least ${least}`, count);
  for (let i = 0; i < list.length; i++) {
    if (isFlat) requireFinite(where, `${name}[${i}]`, list[i], unit);
    else requireVector(where, `${name}[${i}]`, list[i], 3, unit);
  }
  return count;
}

function checkCompound(where: string, name: string, value: unknown, depth: number): void {
  if (depth >= DEEPEST) refuse(where, `${name} must be nested less than ${DEEPEST} deep`, depth + 1);
  checkList(where, name, value, 1).forEach((part, i) => {
    const path = `${name}[${i}]`;
    if (typeof part !== 'object' || part === null) refuse(where, `${path} must be an object with a shape`, part);
    const { position, rotation, shape, ...others } = part as Record<string, unknown>;
    for (const key of Object.keys(others)) refuse(where, `${path} must have position, rotation and shape only`, key);
    if (position !== undefined) requireVector(where, `${path}.position`, position, 3, 'm');
    if (rotation !== undefined && requireVector(where, `${path}.rotation`, rotation, 4).every((x) => x === 0)) {
      refuse(where, `${path}.rotation must not be zero`, rotation);
    }
    checkShape(where, `${path}.shape`, shape, depth + 1);
  });
}
