// The shape that asks: convex parts, placed in the world by a query.
//
// In: a shape as users write it, or rows of the shape table. Out: parts, and where they sit at the start of the
// question, in axes of the world and from the asked position on, so that far from the world's origin no digit is lost.

import type { Arena } from '../core/arena';
import { flatTriples, type PlacedShape, type ShapeSpec } from '../geometry/shapes';
import { multiplyQuaternion, normalizeQuaternion, rotateVector } from '../math/quaternion';
import * as L from '../state/layout';
import { isRound } from '../state/shape-traits';
import type { Tables } from '../state/tables';
import { type Convex, createConvex, extentAlong, readConvex, setCorners, turnConvex } from './convex';

/** A convex part and its pose in the shape's own frame. */
export interface AskingPart {
  readonly convex: Convex;
  readonly position: ArrayLike<number>;
  readonly rotation: ArrayLike<number>;
  /** Where it is at the start of the question [m]. */
  readonly start: Float64Array;
}

/** A shape that asks. */
export interface AskingShape {
  readonly parts: readonly AskingPart[];
  /** Bounds at the start, from the asked position on: min, then max [m]. */
  readonly box: Float64Array;
  /** Half the diagonal of the bounds [m]: what is small is small against it. */
  reach: number;
}

const NO_TURN = [0, 0, 0, 1];

function withParts(parts: AskingPart[]): AskingShape {
  return { parts, box: new Float64Array(6), reach: 0 };
}

function makePart(convex: Convex, position: ArrayLike<number>, rotation: ArrayLike<number>): AskingPart {
  return { convex, position, rotation, start: new Float64Array(3) };
}

/** Of a shape that has been checked and has no plane, mesh or height field in it. */
export function askWithSpec(spec: ShapeSpec): AskingShape {
  const parts: AskingPart[] = [];
  addParts(parts, spec, [0, 0, 0], NO_TURN);
  return withParts(parts);
}

function addParts(parts: AskingPart[], spec: ShapeSpec, position: number[], rotation: number[]): void {
  if (spec.compound) {
    for (const part of spec.compound) {
      const turn = new Float64Array(4);
      normalizeQuaternion(turn, 0, part.rotation ?? NO_TURN, 0);
      multiplyQuaternion(turn, 0, rotation, 0, turn, 0);
      const place = new Float64Array(3);
      rotateVector(place, 0, rotation, 0, part.position ?? [0, 0, 0], 0);
      addParts(
        parts,
        part.shape,
        position.map((x, k) => x + place[k]),
        [...turn],
      );
    }
    return;
  }
  const convex = createConvex();
  if (spec.hull) setCorners(convex, Float64Array.from(flatTriples(spec.hull)));
  else if (spec.sphere !== undefined) setKind(convex, L.SHAPE_SPHERE, [spec.sphere]);
  else if (spec.capsule) setKind(convex, L.SHAPE_CAPSULE, spec.capsule);
  else if (spec.cylinder) setKind(convex, L.SHAPE_CYLINDER, spec.cylinder);
  else if (spec.cone) setKind(convex, L.SHAPE_CONE, spec.cone);
  else if (spec.box) setKind(convex, L.SHAPE_BOX_KIND, spec.box);
  parts.push(makePart(convex, position, rotation));
}

function setKind(convex: Convex, kind: number, size: ArrayLike<number>): void {
  convex.kind = kind;
  convex.size.set(Array.from(size));
  if (isRound(kind)) convex.rounding = size[0];
}

/** Of rows of the shape table. */
export function askWithRows(arena: Arena, tables: Tables, rows: readonly PlacedShape[]): AskingShape {
  return withParts(
    rows.map(({ shape, position, rotation }) => {
      const convex = createConvex();
      readConvex(convex, arena, tables, shape);
      return makePart(convex, position, rotation);
    }),
  );
}

/** A point. */
export function askWithPoint(): AskingShape {
  return withParts([makePart(createConvex(), [0, 0, 0], NO_TURN)]);
}

const whole = new Float64Array(4);
const own = new Float64Array(4);

/** Turns the shape by a quaternion of any length but 0; its own frame then lies at the asked position. */
export function turnAsking(shape: AskingShape, rotation: ArrayLike<number>): void {
  normalizeQuaternion(whole, 0, rotation, 0);
  const { box, parts } = shape;
  box.fill(Number.POSITIVE_INFINITY, 0, 3);
  box.fill(Number.NEGATIVE_INFINITY, 3, 6);
  for (const part of parts) {
    multiplyQuaternion(own, 0, whole, 0, part.rotation, 0);
    turnConvex(part.convex, own);
    rotateVector(part.start, 0, whole, 0, part.position, 0);
    part.convex.position.set(part.start);
    for (let k = 0; k < 3; k++) {
      const axis = [0, 0, 0];
      axis[k] = 1;
      box[3 + k] = Math.max(box[3 + k], extentAlong(part.convex, axis[0], axis[1], axis[2]));
      box[k] = Math.min(box[k], -extentAlong(part.convex, -axis[0], -axis[1], -axis[2]));
    }
  }
  shape.reach = 0.5 * Math.sqrt((box[3] - box[0]) ** 2 + (box[4] - box[1]) ** 2 + (box[5] - box[2]) ** 2);
}

/** Moves the parts to `t` along a direction from their start [m]. */
export function placeAsking({ convex, start }: AskingPart, direction: ArrayLike<number>, t: number): void {
  for (let k = 0; k < 3; k++) convex.position[k] = start[k] + t * direction[k];
}
