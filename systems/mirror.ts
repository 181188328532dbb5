// What was last written to an entity's Transform and Velocity: a game's own write is recognised by the difference.

import { type ColumnSet, createColumnSet, quaternion, vector } from '../components/columns';
import type { Components, QuaternionColumns, Vector3Columns } from '../components/components';

export interface Mirror {
  readonly position: Vector3Columns;
  readonly rotation: QuaternionColumns;
  readonly linear: Vector3Columns;
  readonly angular: Vector3Columns;
  readonly columns: ColumnSet;
}

export function createMirror(capacity: number): Mirror {
  const columns = { position: vector(), rotation: quaternion(), linear: vector(), angular: vector() };
  return { ...columns, columns: createColumnSet([columns], capacity) };
}

/** Has the game moved the entity since the last step? */
export function poseChanged(components: Components, mirror: Mirror, eid: number): boolean {
  const { position: p, rotation: q } = components.Transform;
  const { position: mp, rotation: mq } = mirror;
  return (
    p.x[eid] !== mp.x[eid] ||
    p.y[eid] !== mp.y[eid] ||
    p.z[eid] !== mp.z[eid] ||
    q.x[eid] !== mq.x[eid] ||
    q.y[eid] !== mq.y[eid] ||
    q.z[eid] !== mq.z[eid] ||
    q.w[eid] !== mq.w[eid]
  );
}

/** Has the game set the entity's velocity since the last step? */
export function velocityChanged(components: Components, mirror: Mirror, eid: number): boolean {
  const { linear: v, angular: w } = components.Velocity;
  const { linear: mv, angular: mw } = mirror;
  return (
    v.x[eid] !== mv.x[eid] ||
    v.y[eid] !== mv.y[eid] ||
    v.z[eid] !== mv.z[eid] ||
    w.x[eid] !== mw.x[eid] ||
    w.y[eid] !== mw.y[eid] ||
    w.z[eid] !== mw.z[eid]
  );
}

/** Writes a vector's columns and their mirror from three numbers at `at`. */
export function writeVector(
  out: Vector3Columns,
  mirror: Vector3Columns,
  eid: number,
  from: Float64Array,
  at: number,
): void {
  out.x[eid] = mirror.x[eid] = from[at];
  out.y[eid] = mirror.y[eid] = from[at + 1];
  out.z[eid] = mirror.z[eid] = from[at + 2];
}

/** Writes a quaternion's columns and their mirror from four numbers at `at`. */
export function writeQuaternion(
  out: QuaternionColumns,
  mirror: QuaternionColumns,
  eid: number,
  from: Float64Array,
  at: number,
): void {
  out.x[eid] = mirror.x[eid] = from[at];
  out.y[eid] = mirror.y[eid] = from[at + 1];
  out.z[eid] = mirror.z[eid] = from[at + 2];
  out.w[eid] = mirror.w[eid] = from[at + 3];
}
