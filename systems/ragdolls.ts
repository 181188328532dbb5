// Ragdolls from a list of bones: a capsule each, joined to its parent where it begins.

import { refuse, requireNonNegative, requirePositive, requireVector } from '../src/core/errors';
import { sine } from '../src/math/trigonometry';
import type { JointSpec } from './joint-spec';
import { addJoint } from './joints';
import { type Physics, requirePhysics } from './physics';
import { addRigidBody, type Vector } from './rigid-body';

export interface BoneSpec {
  name: string;
  /** Name of the bone that it hangs on, named before it. Default none: a root. */
  parent?: string;
  /** Where it begins, at the joint, and where it ends [m], world. */
  from: Vector;
  to: Vector;
  /** [m] */
  radius: number;
  /** [kg]. Default density × volume. */
  mass?: number;
  /** A hinge about this axis, world; limits [rad] from as it is drawn. Default a ball. */
  axis?: Vector;
  limits?: readonly [number, number];
  /** Of a ball: how far it swings, and twists [rad]. Default 0.8 and ±0.5. */
  cone?: number;
  twist?: readonly [number, number];
  /** Friction of the joint [N·m]. Default 1: a limb without swings for long. */
  friction?: number;
}

export interface RagdollOptions {
  /** Velocity of all bones [m/s]. */
  velocity?: Vector;
  /** [kg/m³]. Default 1000. */
  density?: number;
  /** Of the surfaces [-]. Default 0.6. */
  surfaceFriction?: number;
  layers?: number;
  mask?: number;
}

export interface Ragdoll {
  /** Entity of each bone by its name; its frame stands in the middle, y along the bone. */
  readonly bodies: ReadonlyMap<string, number>;
  /** Joint to the parent by the name of the bone. */
  readonly joints: ReadonlyMap<string, number>;
}

/** Quaternion that turns y onto a unit vector. */
function turnFromY([x, y, z]: readonly number[]): number[] {
  // Half-way between them; straight down: about x.
  if (y < -1 + 1e-9) return [1, 0, 0, 0];
  const w = Math.sqrt((1 + y) / 2);
  return [z / (2 * w), 0, -x / (2 * w), w];
}

/**
 * Makes a capsule of each bone and joins it to its parent. Bones that are joined do not touch each other; those that
 * are not do. Throws UsageError, before anything is made.
 */
export function addRagdoll(physics: Physics, bones: readonly BoneSpec[], options: RagdollOptions = {}): Ragdoll {
  const where = 'addRagdoll';
  requirePhysics(physics, where);
  if (!Array.isArray(bones) || bones.length === 0) refuse(where, 'bones must be a list of one bone or more', bones);
  if (typeof options !== 'object' || options === null) refuse(where, 'options must be an object', options);
  const density = requirePositive(where, 'density', options.density ?? 1000, 'kg/m³');
  const velocity = requireVector(where, 'velocity', options.velocity ?? [0, 0, 0], 3, 'm/s');
  const names = new Set<string>();

  const plans = bones.map((bone, i) => {
    const at = `bones[${i}]`;
    if (typeof bone !== 'object' || bone === null) refuse(where, `${at} must be an object`, bone);
    const { name, parent } = bone;
    if (typeof name !== 'string' || name === '') refuse(where, `${at}.name must be a name`, name);
    if (names.has(name)) refuse(where, `${at}.name must be unique`, name);
    if (parent !== undefined && !names.has(parent)) refuse(where, `${at}.parent must be an earlier bone`, parent);
    names.add(name);
    const from = requireVector(where, `${at}.from`, bone.from, 3, 'm');
    const to = requireVector(where, `${at}.to`, bone.to, 3, 'm');
    const radius = requirePositive(where, `${at}.radius`, bone.radius, 'm');
    const along = to.map((x: number, k: number) => x - from[k]);
    const length = Math.sqrt(along[0] ** 2 + along[1] ** 2 + along[2] ** 2);
    if (!(length > 1e-6)) refuse(where, `${at}.to must not be where the bone begins`, to);
    const friction = requireNonNegative(where, `${at}.friction`, bone.friction ?? 1, 'N·m');
    const cone = requirePositive(where, `${at}.cone`, bone.cone ?? 0.8, 'rad');
    const twist = checkLimits(where, `${at}.twist`, bone.twist ?? [-0.5, 0.5]);
    const limits = bone.limits && checkLimits(where, `${at}.limits`, bone.limits);
    const axis = bone.axis && requireVector(where, `${at}.axis`, bone.axis, 3);
    if (axis?.every((x: number) => x === 0)) refuse(where, `${at}.axis must not be zero`, bone.axis);
    const mass = bone.mass === undefined ? undefined : requirePositive(where, `${at}.mass`, bone.mass, 'kg');
    return { name, parent, from, to, radius, along, length, friction, cone, twist, limits, axis, mass };
  });

  const bodies = new Map<string, number>();
  const joints = new Map<string, number>();

  for (const { name, from, to, radius, along, length, mass } of plans) {
    const { layers, mask, surfaceFriction } = options;
    const body = addRigidBody(physics, {
      shape: capsuleOf(radius, length),
      position: from.map((x: number, k: number) => (x + to[k]) / 2),
      rotation: turnFromY(along.map((x: number) => x / length)),
      velocity,
      density,
      ...(mass !== undefined && { mass }),
      ...(layers !== undefined && { layers }),
      ...(mask !== undefined && { mask }),
      ...(surfaceFriction !== undefined && { friction: surfaceFriction }),
    });
    bodies.set(name, body);
  }

  for (const { name, parent, from, along, friction, cone, twist, limits, axis } of plans) {
    if (parent === undefined) continue;
    const ends = { a: bodies.get(name) as number, b: bodies.get(parent) as number, anchor: from, friction };
    const spec: JointSpec = axis
      ? { type: 'hinge', ...ends, axis, ...(limits && { limits }) }
      : { type: 'ball', ...ends, axis: along, cone, limits: twist };
    joints.set(name, addJoint(physics, spec));
  }

  return { bodies, joints };
}

/** A capsule of a bone's radius from end to end [m]. */
function capsuleOf(radius: number, length: number): { capsule: [number, number] } {
  return { capsule: [radius, Math.max(length / 2 - radius, 0.05 * radius)] };
}

/** Shape of the body that addRagdoll makes of a bone. */
export function boneShape({ from, to, radius }: BoneSpec): { capsule: [number, number] } {
  const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  return capsuleOf(radius, Math.sqrt(x * x + y * y + z * z));
}

function checkLimits(where: string, name: string, value: readonly [number, number]): [number, number] {
  const [low, high] = requireVector(where, name, value, 2, 'rad');
  if (low > high) refuse(where, `${name} must be [least, greatest]`, value);
  return [low, high];
}

/**
 * Bones of a person that stands with the feet at `feet`, for `addRagdoll`; `height` [m]. Eleven bones, arms at the
 * sides a little apart: hips, chest, head, left arm, left forearm, left thigh, left shin, and the same of the right.
 */
export function personBones(feet: Vector, height = 1.75): BoneSpec[] {
  const at = requireVector('personBones', 'feet', feet, 3, 'm');
  const h = requirePositive('personBones', 'height', height, 'm');
  const p = (x: number, y: number, z = 0): number[] => [at[0] + h * x, at[1] + h * y, at[2] + h * z];
  const spread = 0.3 * sine(0.35);

  const bones: BoneSpec[] = [
    { name: 'hips', from: p(0, 0.5), to: p(0, 0.6), radius: 0.075 * h },
    { name: 'chest', parent: 'hips', from: p(0, 0.6), to: p(0, 0.8), radius: 0.085 * h, cone: 0.4, twist: [-0.4, 0.4] },
    {
      name: 'head',
      parent: 'chest',
      from: p(0, 0.86),
      to: p(0, 0.99),
      radius: 0.06 * h,
      cone: 0.6,
      twist: [-0.7, 0.7],
    },
  ];

  for (const [side, s] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    const elbow = p(s * (0.13 + spread / 2), 0.63);

    bones.push(
      { name: `${side} arm`, parent: 'chest', from: p(s * 0.12, 0.79), to: elbow, radius: 0.027 * h, cone: 1.4 },
      {
        name: `${side} forearm`,
        parent: `${side} arm`,
        from: elbow,
        to: p(s * (0.13 + spread), 0.45),
        radius: 0.024 * h,
        axis: [1, 0, 0],
        limits: [-2.3, 0],
      },
      {
        name: `${side} thigh`,
        parent: 'hips',
        from: p(s * 0.06, 0.49),
        to: p(s * 0.065, 0.27),
        radius: 0.045 * h,
        cone: 1.2,
      },
      {
        name: `${side} shin`,
        parent: `${side} thigh`,
        from: p(s * 0.065, 0.27),
        to: p(s * 0.065, 0.03),
        radius: 0.034 * h,
        axis: [1, 0, 0],
        limits: [0, 2.3],
      },
    );
  }

  return bones;
}
