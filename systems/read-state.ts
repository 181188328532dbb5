// Readers: state of an entity into a vector or quaternion of the caller's, gl-matrix's or
// any array. They allocate nothing.
//
// In: the component columns, which hold what the last step left and what the game has
// written since. Each returns `out`, as what it is.

import { entityExists, hasComponent } from 'bitecs';
import type { quat, vec3 } from 'gl-matrix';
import type { QuaternionResults, Vector3Results } from '../components/components';
import { refuse } from '../src/core/errors';
import { pairPointAt } from '../src/state/contact-places';
import * as L from '../src/state/layout';
import { type Physics, refuseEntity, requirePhysics } from './physics';

/** What an entity with each component is called. */
const KINDS = { RigidBody: 'a rigid body', Contact: 'a contact' };

/** Refuses what is no entity with the component, and an `out` without room. */
function check(physics: Physics, where: string, eid: number, name: keyof typeof KINDS, out: vec3 | quat): void {
  requirePhysics(physics, where);
  const component = physics.components[name];
  const isThere = typeof eid === 'number' && entityExists(physics.world, eid);
  if (!isThere || !hasComponent(physics.world, eid, component))
    refuseEntity(physics, where, `entity must be ${KINDS[name]} of this world`, eid);
  if (typeof out !== 'object' || out === null) refuse(where, 'out must be an array of numbers', out);
}

function readVector<V extends vec3>(out: V, from: Vector3Results, eid: number): V {
  out[0] = from.x[eid];
  out[1] = from.y[eid];
  out[2] = from.z[eid];
  return out;
}

function readQuaternion<Q extends quat>(out: Q, from: QuaternionResults, eid: number): Q {
  out[0] = from.x[eid];
  out[1] = from.y[eid];
  out[2] = from.z[eid];
  out[3] = from.w[eid];
  return out;
}

/** Position of a body's own frame [m]. */
export function readPosition<V extends vec3>(physics: Physics, eid: number, out: V): V {
  check(physics, 'readPosition', eid, 'RigidBody', out);
  return readVector(out, physics.components.Transform.position, eid);
}

/** Its rotation, a unit quaternion x y z w. */
export function readRotation<Q extends quat>(physics: Physics, eid: number, out: Q): Q {
  check(physics, 'readRotation', eid, 'RigidBody', out);
  return readQuaternion(out, physics.components.Transform.rotation, eid);
}

/** Velocity of its centre of mass [m/s], world axes. */
export function readVelocity<V extends vec3>(physics: Physics, eid: number, out: V): V {
  check(physics, 'readVelocity', eid, 'RigidBody', out);
  return readVector(out, physics.components.Velocity.linear, eid);
}

/** Its spin [rad/s], world axes. */
export function readAngularVelocity<V extends vec3>(physics: Physics, eid: number, out: V): V {
  check(physics, 'readAngularVelocity', eid, 'RigidBody', out);
  return readVector(out, physics.components.Velocity.angular, eid);
}

/** Position between the last two steps, as `physics.interpolate()` last left it [m]. */
export function readInterpolatedPosition<V extends vec3>(physics: Physics, eid: number, out: V): V {
  check(physics, 'readInterpolatedPosition', eid, 'RigidBody', out);
  return readVector(out, physics.components.Interpolated.position, eid);
}

/** Rotation between the last two steps. */
export function readInterpolatedRotation<Q extends quat>(physics: Physics, eid: number, out: Q): Q {
  check(physics, 'readInterpolatedRotation', eid, 'RigidBody', out);
  return readQuaternion(out, physics.components.Interpolated.rotation, eid);
}

/** Normal of a contact, a unit vector from A to B. `eid`: an entity with Contact. */
export function readContactNormal<V extends vec3>(physics: Physics, eid: number, out: V): V {
  check(physics, 'readContactNormal', eid, 'Contact', out);
  return readVector(out, physics.components.Contact.normal, eid);
}

/**
 * Point `index` of a contact's `pointCount` [m], world axes, where the last step left it: a touch is found from where
 * the bodies were, and goes along with the body that moves, of two with their middle.
 */
export function readContactPoint(physics: Physics, eid: number, index: number, out: vec3): vec3 {
  const where = 'readContactPoint';
  check(physics, where, eid, 'Contact', out);
  const { Contact } = physics.components;
  const count = Contact.pointCount[eid];
  if (!(Number.isInteger(index) && index >= 0 && index < count))
    refuse(where, `index must be a whole number 0..${count - 1}`, index);
  const { pairs, bodies } = physics.internal.engine.tables;
  const pair = Contact.slot[eid];
  const at = pairPointAt(pair, index);
  const a = pairs.bodyA[pair];
  const b = pairs.bodyB[pair];
  const movesA = bodies.flags[a] & L.BODY_DYNAMIC && bodies.awakeIndex[a] >= 0 ? 1 : 0;
  const movesB = bodies.flags[b] & L.BODY_DYNAMIC && bodies.awakeIndex[b] >= 0 ? 1 : 0;
  const share = 1 / Math.max(1, movesA + movesB);
  for (let k = 0; k < 3; k++) {
    const wayA = movesA * (bodies.position[4 * a + k] - bodies.previousPosition[4 * a + k]);
    const wayB = movesB * (bodies.position[4 * b + k] - bodies.previousPosition[4 * b + k]);
    out[k] = pairs.point[at + k] + share * (wayA + wayB);
  }
  return out;
}
