// What characters, vehicles, joints of nodes and watches have come to, in the result of a run.

import { hasComponent } from 'bitecs';
import type { AddedScene } from '../../systems/add-scene';
import { attachmentDistance } from '../../systems/attachments';
import { CONTACT_BEGIN, CONTACT_STAY, type ContactEvents } from '../../systems/contact-events';
import type { Physics } from '../../systems/physics';
import { type Finite, finite } from './finite';

/** A joint of a node or vertex. */
export interface AttachmentState {
  /** Between its ends [m]. */
  distance: Finite;
  /** On the node [N]. */
  force: Finite[];
  broken: boolean;
}

/** A character; its pose is among the bodies. */
export interface CharacterState {
  /** [m/s] */
  velocity: Finite[];
  ground: 'none' | 'ground' | 'steep';
  crouched: boolean;
}

/** A vehicle; its pose is among the bodies. */
export interface VehicleState {
  /** Along its forward axis [m/s]. */
  speed: Finite;
  /** Of each wheel: load [N], compression of its suspension [m]. */
  wheels: { load: Finite; compression: Finite }[];
}

export interface EventState {
  kind: 'begin' | 'stay' | 'end';
  /** [s] */
  time: number;
  bodies: [string, string];
  /** [N·s] */
  impulse: Finite;
  /** [m/s] */
  approachSpeed: Finite;
}

/** By Character.status. */
const GROUNDS = ['none', 'ground', 'steep'] as const;

/** The parts of a result that a scene has; `names` of its entities. */
export function readActors(physics: Physics, added: AddedScene, names: ReadonlyMap<number, string>) {
  const { world, components } = physics;
  const { Attachment, Broken, Character, Vehicle, Wheel } = components;
  const attachments: Record<string, AttachmentState> = Object.create(null);

  for (const [name, eid] of added.attachments) {
    if (!hasComponent(world, eid, Attachment)) continue;
    const { x, y, z } = Attachment.force;
    attachments[name] = {
      distance: finite(attachmentDistance(physics, eid)),
      force: [x[eid], y[eid], z[eid]].map(finite),
      broken: hasComponent(world, eid, Broken),
    };
  }

  const characters: Record<string, CharacterState> = Object.create(null);

  for (const [name, eid] of added.characters) {
    if (!hasComponent(world, eid, Character)) continue;
    const { velocity: v, status, isCrouched } = Character;
    characters[name] = {
      velocity: [finite(v.x[eid]), finite(v.y[eid]), finite(v.z[eid])],
      ground: GROUNDS[status[eid]] ?? 'none',
      crouched: isCrouched[eid] === 1,
    };
  }

  const vehicles: Record<string, VehicleState> = Object.create(null);

  for (const [name, wheels] of added.vehicles) {
    const eid = added.entities.get(name) ?? 0;
    if (!hasComponent(world, eid, Vehicle)) continue;
    vehicles[name] = {
      speed: finite(Vehicle.speed[eid]),
      wheels: wheels.map((w) => ({ load: finite(Wheel.load[w]), compression: finite(Wheel.compression[w]) })),
    };
  }

  const events: Record<string, EventState[]> = Object.create(null);
  for (const [name, list] of added.watches) events[name] = readEvents(physics, list, names);

  return {
    ...(added.attachments.size > 0 && { attachments }),
    ...(added.characters.size > 0 && { characters }),
    ...(added.vehicles.size > 0 && { vehicles }),
    ...(added.watches.size > 0 && { events }),
  };
}

function readEvents(physics: Physics, list: ContactEvents, names: ReadonlyMap<number, string>): EventState[] {
  const nameOf = (eid: number) => names.get(eid) ?? `entity ${eid}`;
  return Array.from({ length: list.count }, (_, i) => ({
    kind: list.kind[i] === CONTACT_BEGIN ? 'begin' : list.kind[i] === CONTACT_STAY ? 'stay' : 'end',
    time: list.step[i] * physics.settings.timeStep,
    bodies: [nameOf(list.entityA[i]), nameOf(list.entityB[i])],
    impulse: finite(list.impulse[i]),
    approachSpeed: finite(list.approachSpeed[i]),
  }));
}
