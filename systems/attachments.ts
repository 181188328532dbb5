// Joints between a node of a rod, or a vertex of a shell or solid, and a body or another such node: ball (held at a
// point) and rope (held within a distance), stiff or on a spring, for ever or until a force breaks them. Motors there
// are none: a point has no axis to turn or run along, and what moves a point is a body, a pin or the point itself.

import { addEntity, entityExists, hasComponent, removeEntity } from 'bitecs';
import { written } from '../components/columns';
import { refuse, refuseAs, requireNonNegative, requireVector } from '../src/core/errors';
import { createAttachment, otherNode } from '../src/dynamics/elastic/attachment-rows';
import { rotateVector, unrotateVector } from '../src/math/quaternion';
import * as L from '../src/state/layout';
import { showAttachment } from './attachment-columns';
import { addSafely } from './ecs-changes';
import { isGoing, noteBirth } from './entity-lives';
import { type JointSpring, readSpring, readStrength } from './joint-spec';
import { MESH_WORDS, type MeshEnd } from './mesh-families';
import { type Physics, requirePhysics } from './physics';
import { slotOf, type Vector } from './rigid-body';
import { requireBody, requireKnownKeys } from './rod-spec';
import { type RodEnd, requireNode, rodSlotOf } from './rods';
import { requireVertex } from './shell-spec';
import { meshOf } from './shells';

/** A node of a rod, or a vertex of a shell or solid. */
export interface AttachEnd extends MeshEnd {
  /** Entity of the rod or groom; or give `shell` or `solid`, and `vertex`. */
  rod?: number;
  /** Counted from its first node, or an end. */
  node?: number | RodEnd;
  /** By its number in the mesh that the shell or solid was made from. */
  vertex?: number;
}

export interface AttachSpec extends AttachEnd {
  /**
   * Another node or vertex, of the same object or of another, in the place of a body: a leaf on its branch, two sheets
   * sewn together, a vertex a call. What is at the two does not touch (but of two rods, or on a rope). Two that are
   * some way apart come together by 5 m/s at most; a `length` that they move farther than in a step is overstepped by
   * what they turn.
   */
  to?: AttachEnd;
  /**
   * Entity of the body. Default the world. The node or vertex, and the insides of the edges and triangles at it, do not
   * touch the body that holds them, so that a rope can begin in its face; its next node does, and so does all that
   * hangs on a `length` or a `spring`.
   */
  body?: number;
  /** In the body's own frame, or the world's [m]. Default where the node is now. */
  point?: Vector;
  /** Longest distance between node and point [m]: a rope. Default 0: a ball joint. */
  length?: number;
  /**
   * Makes it give way: a ball joint pulls back to its point, a rope once it is longer than `length`. The frequency is
   * that of the whole mass on it: of both ends, m₁ m₂/(m₁ + m₂); the world, bodies that are not dynamic and
   * objects with clamps or pins count as heavy without end. What hangs on it sags by g/(2π frequency)². Default
   * stiff.
   */
  spring?: JointSpring;
  /** Force at which it breaks [N]: it lets go at the end of that step, and gets the tag Broken. Default never. */
  breakForce?: number;
}

/**
 * Joins a node of a rod, or a vertex of a shell or solid, to a point of a body or of the world, or to another node or
 * vertex (`to`), two-way, and returns the joint's entity with Attachment, whose force and impulse columns a game may
 * watch. The joint ends with detach, or when its rod, shell, solid or body goes. Throws UsageError.
 */
export function attach(physics: Physics, spec: AttachSpec): number {
  const where = 'attach';
  requirePhysics(physics, where);
  requireKnownKeys(where, spec, [...END_KEYS, 'to', 'body', 'point', 'length', 'spring', 'breakForce']);
  const length = requireNonNegative(where, 'length', spec.length ?? 0, 'm');
  const [frequency, ratio] = spec.spring === undefined ? [0, 0] : readSpring(where, 'spring', spec.spring);
  const strength = readStrength(where, 'breakForce', spec.breakForce, 'N');
  const given = spec.point === undefined ? null : requireVector(where, 'point', spec.point, 3, 'm');
  const bodyEntity = requireBody(physics, where, 'body', spec.body);
  if (spec.to !== undefined) requireOther(where, spec.to);
  const { rod, node } = nodeOf(physics, where, spec);
  const to = spec.to === undefined ? undefined : otherOf(physics, where, spec, rod, node);
  const body = bodyEntity === 0 ? -1 : slotOf(physics, bodyEntity, where);
  const { engine, rods } = physics.internal;
  const { bodies, nodes, rods: rows } = engine.tables;
  const at = 4 * (rows.nodeStart[rod] + node);
  const point = given ? Float64Array.from(given) : nodes.position.slice(at, at + 3);

  if (body >= 0) {
    // In the frame of the centre of mass: the body's own axes, moved.
    for (let k = 0; k < 3; k++) point[k] -= given ? bodies.center[4 * body + k] : bodies.position[4 * body + k];
    if (!given) unrotateVector(point, 0, bodies.rotation, 4 * body, point, 0);
  }
  const [entity, otherEntity] = [rows.entity[rod], to ? rows.entity[to.rod] : 0];
  for (const end of [rod, to?.rod ?? rod]) {
    if (to && rows.flags[end] & L.ROD_ON_WEBGPU) refuse(where, `to must not be given ${DEVICE}`, spec.to);
  }
  if (rows.flags[rod] & L.ROD_ON_WEBGPU)
    requireDeviceJoint(where, spec, body >= 0 && (bodies.flags[body] & L.BODY_DYNAMIC) !== 0);
  const { world, components } = physics;
  const { Attachment } = components;
  const eid = addEntity(world);
  noteBirth(physics, eid);

  // The row comes last: an observer may remove the entity, or rods and bodies.
  if (!addSafely(world, eid, Attachment)) return eid;
  const give = { length, frequency, ratio, strength };
  const slot = createAttachment(engine, { entity: eid, rod, node, body, point, other: to, ...give });
  rods.attachmentOf[eid] = slot;
  const columns = written(Attachment);
  columns.rod[eid] = entity;
  columns.node[eid] = node;
  columns.body[eid] = bodyEntity;
  columns.other[eid] = otherEntity;
  columns.otherNode[eid] = to?.node ?? 0;
  showAttachment(physics, slot, eid);
  return eid;
}

const END_KEYS = ['rod', 'node', ...MESH_WORDS, 'vertex'] as const;

function requireOther(where: string, to: unknown): void {
  if (typeof to !== 'object' || to === null) refuse(where, 'to must be an object such as { rod, node }', to);
  requireKnownKeys(`${where}: to`, to, END_KEYS);
}

/** The node that a node is joined to. */
function otherOf(physics: Physics, where: string, spec: AttachSpec, rod: number, node: number) {
  for (const key of ['body', 'point'] as const) {
    if (spec[key] !== undefined) refuse(where, `${key} must not be given with to`, spec[key]);
  }
  const other = nodeOf(physics, `${where}: to`, spec.to as AttachEnd);
  if (other.rod === rod && other.node === node) refuse(where, 'to must be another node', spec.to);
  return other;
}

/** The node that is to be joined: its object's slot, its number from that one's first. */
function nodeOf(physics: Physics, where: string, spec: AttachEnd): { rod: number; node: number } {
  const kind = MESH_WORDS.find((word) => spec[word] !== undefined);
  if (kind === undefined) {
    if (spec.rod === undefined) refuseAs(where, `one of rod, ${MESH_WORDS.join(' and ')} must be given`, 'none');
    const rod = rodSlotOf(physics, spec.rod, where);
    return { rod, node: requireNode(physics, where, rod, spec.node) };
  }
  for (const key of ['rod', 'node', ...MESH_WORDS] as const) {
    if (key !== kind && spec[key] !== undefined) refuse(where, `${key} must not be given with ${kind}`, spec[key]);
  }
  const { slot, mesh } = meshOf(physics, spec[kind] as number, where, kind);
  return { rod: slot, node: requireVertex(where, 'vertex', spec.vertex, mesh.map) };
}

const DEVICE = "of a rod of backend 'webgpu'; make the rod with 'auto' or 'wasm'";

/** Refuses what the device cannot do with a joint. */
function requireDeviceJoint(where: string, { length = 0, spring, breakForce }: AttachSpec, isFree: boolean): void {
  if (length > 0) refuse(where, `length must be 0 ${DEVICE}`, length);
  if (spring !== undefined) refuse(where, `spring must not be given ${DEVICE}`, spring);
  if (breakForce !== undefined) refuse(where, `breakForce must not be given ${DEVICE}`, breakForce);
  if (isFree) refuseAs(where, `body must be static or kinematic ${DEVICE}`, 'a dynamic body');
}

/** Ends a joint that attach made. Allowed at any time; an entity already gone is left alone. */
export function detach(physics: Physics, eid: number): void {
  requirePhysics(physics, 'detach');
  if (typeof eid !== 'number' || !Number.isInteger(eid)) refuse('detach', 'entity must be an entity id', eid);
  if (!entityExists(physics.world, eid) || isGoing(physics, eid)) return;
  if (!hasComponent(physics.world, eid, physics.components.Attachment)) {
    refuse('detach', 'entity must be a joint made by attach', eid);
  }
  removeEntity(physics.world, eid);
}

const target = new Float64Array(3);

/** How far the joint's node is from its point, or from the other node [m]. */
export function attachmentDistance(physics: Physics, eid: number): number {
  requirePhysics(physics, 'attachmentDistance');
  const slot = Number.isInteger(eid) ? (physics.internal.rods.attachmentOf[eid] ?? -1) : -1;
  if (slot < 0) refuse('attachmentDistance', 'entity must be a joint made by attach', eid);
  const { attachments, bodies, nodes, rods } = physics.internal.engine.tables;
  const body = attachments.body[slot];
  for (let k = 0; k < 3; k++) target[k] = attachments.point[4 * slot + k];
  if (body >= 0) {
    rotateVector(target, 0, bodies.rotation, 4 * body, target, 0);
    for (let k = 0; k < 3; k++) target[k] += bodies.position[4 * body + k];
  }
  const other = otherNode(physics.internal.engine.tables, slot);
  if (other >= 0) for (let k = 0; k < 3; k++) target[k] = nodes.position[4 * other + k];
  const at = 4 * (rods.nodeStart[attachments.rod[slot]] + attachments.node[slot]);
  let square = 0;
  for (let k = 0; k < 3; k++) square += (nodes.position[at + k] - target[k]) ** 2;
  return Math.sqrt(square);
}
