// Contact events as a queue: begin, stay and end, of all contacts or of one entity's, above an impulse. No garbage.
//
// Beside the entities and observers of Contact, for games that want a list to go through. What was told is kept by
// pair, so that an end comes for what has begun, and for nothing else.

import { refuse, refuseKey, requireNonNegative } from '../src/core/errors';
import * as L from '../src/state/layout';
import { type Physics, requirePhysics, type StepModule } from './physics';
import { addModules } from './step-modules';

export interface ContactEventOptions {
  /** Contacts of this entity alone. Default all. */
  entity?: number;
  /** A contact begins when it first bears this in a step [N·s], and stays while it does. Default 0. */
  minImpulse?: number;
  /** Whether `stay` is told in each step. Default true. */
  stay?: boolean;
}

const OPTIONS = ['entity', 'minImpulse', 'stay'];

/** Kinds of events, as ContactEvents.kind has them. */
export const CONTACT_BEGIN = 0;
export const CONTACT_STAY = 1;
export const CONTACT_END = 2;

/** Events since the last `clear`, oldest first; arrays grow, and are longer than `count`. */
export interface ContactEvents {
  count: number;
  /** CONTACT_BEGIN, CONTACT_STAY or CONTACT_END. */
  kind: Uint8Array;
  entityA: Int32Array;
  entityB: Int32Array;
  /** Normal impulse of the step [N·s]; of an end 0. */
  impulse: Float64Array;
  /** Speed at which they met [m/s]. */
  approachSpeed: Float64Array;
  /** Step in which it happened. */
  step: Int32Array;
  /** Events that were lost since nobody cleared the list (MOST_EVENTS). */
  dropped: number;
  /** Empties the list: when it has been gone through. */
  clear(): void;
  /** Ends it. */
  stop(): void;
}

/** A list holds no more. */
const MOST_EVENTS = 65536;

function grow(events: ContactEvents): void {
  const size = 2 * events.kind.length;
  const wider = <A extends Uint8Array | Int32Array | Float64Array>(old: A, next: A): A => {
    next.set(old);
    return next;
  };
  events.kind = wider(events.kind, new Uint8Array(size));
  events.entityA = wider(events.entityA, new Int32Array(size));
  events.entityB = wider(events.entityB, new Int32Array(size));
  events.impulse = wider(events.impulse, new Float64Array(size));
  events.approachSpeed = wider(events.approachSpeed, new Float64Array(size));
  events.step = wider(events.step, new Int32Array(size));
}

let lists = 0;

/**
 * A list that the steps from now on fill with contact events. Go through it after a frame, then `clear` it. After a
 * restore what touches has begun already. Throws UsageError.
 */
export function watchContacts(physics: Physics, options: ContactEventOptions = {}): ContactEvents {
  const where = 'watchContacts';
  requirePhysics(physics, where);
  if (typeof options !== 'object' || options === null) refuse(where, 'options must be an object', options);
  for (const key of Object.keys(options)) if (!OPTIONS.includes(key)) refuseKey(where, key, OPTIONS);
  const { entity, stay = true } = options;
  if (entity !== undefined && !Number.isInteger(entity)) refuse(where, 'entity must be an entity id', entity);
  if (typeof stay !== 'boolean') refuse(where, 'stay must be true or false', stay);
  const least = requireNonNegative(where, 'minImpulse', options.minImpulse ?? 0, 'N·s');
  const { internal } = physics;

  // Of each pair: the contact's entity whose begin was told, and who touched.
  let told = new Int32Array(0);
  let who = new Int32Array(0);

  const events: ContactEvents = {
    count: 0,
    kind: new Uint8Array(64),
    entityA: new Int32Array(64),
    entityB: new Int32Array(64),
    impulse: new Float64Array(64),
    approachSpeed: new Float64Array(64),
    step: new Int32Array(64),
    dropped: 0,
    clear() {
      events.count = events.dropped = 0;
    },
    stop() {
      // A new list: an observer may call this while a stage goes through the old one.
      internal.modules = internal.modules.filter((other) => other !== module);
    },
  };

  const tell = (kind: number, a: number, b: number, impulse: number, approach: number) => {
    if (events.count === MOST_EVENTS) {
      events.dropped++;
      return;
    }
    if (events.count === events.kind.length) grow(events);
    const at = events.count++;
    events.kind[at] = kind;
    events.entityA[at] = a;
    events.entityB[at] = b;
    events.impulse[at] = impulse;
    events.approachSpeed[at] = approach;
    events.step[at] = physics.stepCount;
  };

  const look = (isSilent: boolean) => {
    const { arena, tables } = internal.engine;
    const { pairs } = tables;
    const { entityA, entityB } = physics.components.Contact;
    const count = arena.i32[L.PAIR_COUNT >> 2];
    if (told.length < count) {
      const [oldTold, oldWho] = [told, who];
      told = new Int32Array(2 * count);
      who = new Int32Array(4 * count);
      told.set(oldTold);
      who.set(oldWho);
    }
    // First what ended: a body made in the place of another may have its number, and a touch the lower row.
    for (let pair = 0; pair < told.length; pair++) {
      if (told[pair] === 0 || told[pair] === (pair < count ? pairs.entity[pair] : 0)) continue;
      if (!isSilent) tell(CONTACT_END, who[2 * pair], who[2 * pair + 1], 0, 0);
      told[pair] = 0;
    }

    for (let pair = 0; pair < count; pair++) {
      const contact = pairs.entity[pair];
      if (contact === 0) continue;
      const impulse = pairs.hit[4 * pair];
      if (told[pair] === 0) {
        // As the columns name them: the rows of bodies that an observer of this touch removed do not any more.
        const a = entityA[contact];
        const b = entityB[contact];
        if (!(impulse >= least) || (entity !== undefined && a !== entity && b !== entity)) continue;
        told[pair] = contact;
        who[2 * pair] = a;
        who[2 * pair + 1] = b;
        if (!isSilent) tell(CONTACT_BEGIN, a, b, impulse, pairs.approach[pair]);
      } else if (stay && !isSilent && impulse >= least && pairs.activeIndex[pair] >= 0) {
        tell(CONTACT_STAY, who[2 * pair], who[2 * pair + 1], impulse, pairs.approach[pair]);
      }
    }
  };

  const module: StepModule = {
    name: `contact events ${++lists}`,
    copyOut: () => look(false),
    restore: () => {
      told.fill(0);
      look(true);
    },
  };

  addModules(internal, [module]);
  look(true);
  return events;
}
