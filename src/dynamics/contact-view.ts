// What a game's contact modifier is shown and may set: one contact manifold at a time, in objects that are reused.
//
// The view holds copies: reading and writing it never touches the tables. prepare-contacts fills it before, and
// takes over the settings after the call.

import { refuse, requireFinite, requireFlag, requireNonNegative } from '../core/errors';

/** One point of a contact. Valid only during the call: copy what is to be kept. */
export interface ContactPointView {
  /** In the world, half way between the two surfaces: x y z [m]. */
  readonly position: Float64Array;
  /** Between the surfaces along the normal; negative = penetration [m]. */
  readonly gap: number;
  /** The same from step to step as long as the same features (vertex, edge, face) touch. */
  readonly feature: number;
  /** Coefficient of this step's friction [-], >= 0. */
  friction: number;
  /** 0..1 [-]. Only impacts faster than settings.restitutionThreshold bounce. */
  restitution: number;
  /** false: this point takes no part in the step. */
  enabled: boolean;
  /**
   * Lets the surface of one of the two entities run over its body at this velocity, world axes [m/s]; what
   * is along the normal does nothing.
   */
  setSurfaceVelocity(entity: number, x: number, y: number, z: number): void;
}

/** A contact of two bodies. Valid only during the call: copy what is to be kept. */
export interface ContactView {
  readonly entityA: number;
  readonly entityB: number;
  /** Which part of A's, B's compound touches, in the order of the spec; 0 for other shapes. */
  readonly partA: number;
  readonly partB: number;
  /** Unit vector from A to B: x y z. */
  readonly normal: Float64Array;
  /** How many of `points` there are, 1 to 4. */
  readonly pointCount: number;
  /** Four objects, of which the first `pointCount` count. */
  readonly points: readonly ContactPointView[];
  /** Of the first point; written, of all points [-]. */
  friction: number;
  /** Of the first point; written, of all points 0..1 [-]. */
  restitution: number;
  /** Whether any point is; written, all points. A contact without one is none: nothing pushes, no touch is reported. */
  enabled: boolean;
  /** For all points: lets the surface of one of the two entities run over its body, world axes [m/s]. */
  setSurfaceVelocity(entity: number, x: number, y: number, z: number): void;
}

/** Called once a step for every contact of a body with `modifyContacts`. */
export type ContactModifier = (contact: ContactView) => void;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Numbers a point: friction, restitution, surface velocity of A, of B. */
export const SETTING_STRIDE = 8;

/** The view with what it was told. */
export interface ContactSheet {
  readonly view: Writable<ContactView>;
  readonly points: readonly Writable<ContactPointView>[];
  /** SETTING_STRIDE numbers a point. */
  readonly settings: Float64Array;
  readonly enabled: Uint8Array;
}

const WHERE = 'modifyContacts';

function requireRestitution(value: unknown): number {
  const e = requireNonNegative(WHERE, 'restitution', value);
  if (e > 1) refuse(WHERE, 'restitution must be 0..1', value);
  return e;
}

export function createContactSheet(): ContactSheet {
  const settings = new Float64Array(4 * SETTING_STRIDE);
  const enabled = new Uint8Array(4);

  const writeSurface = (k: number, entity: number, x: number, y: number, z: number) => {
    if (entity !== view.entityA && entity !== view.entityB)
      refuse(WHERE, `entity must be ${view.entityA} or ${view.entityB}`, entity);
    const at = SETTING_STRIDE * k + (entity === view.entityA ? 2 : 5);
    settings[at] = requireFinite(WHERE, 'surface velocity x', x, 'm/s');
    settings[at + 1] = requireFinite(WHERE, 'surface velocity y', y, 'm/s');
    settings[at + 2] = requireFinite(WHERE, 'surface velocity z', z, 'm/s');
  };

  const makePoint = (k: number): Writable<ContactPointView> => ({
    position: new Float64Array(3),
    gap: 0,
    feature: 0,
    get friction() {
      return settings[SETTING_STRIDE * k];
    },
    set friction(value) {
      settings[SETTING_STRIDE * k] = requireNonNegative(WHERE, 'friction', value);
    },
    get restitution() {
      return settings[SETTING_STRIDE * k + 1];
    },
    set restitution(value) {
      settings[SETTING_STRIDE * k + 1] = requireRestitution(value);
    },
    get enabled() {
      return enabled[k] === 1;
    },
    set enabled(value) {
      enabled[k] = requireFlag(WHERE, 'enabled', value) ? 1 : 0;
    },
    setSurfaceVelocity: (entity, x, y, z) => writeSurface(k, entity, x, y, z),
  });
  const points = [makePoint(0), makePoint(1), makePoint(2), makePoint(3)];

  const view: Writable<ContactView> = {
    entityA: 0,
    entityB: 0,
    partA: 0,
    partB: 0,
    normal: new Float64Array(3),
    pointCount: 0,
    points,
    get friction() {
      return settings[0];
    },
    set friction(value) {
      for (let k = 0; k < view.pointCount; k++) points[k].friction = value;
    },
    get restitution() {
      return settings[1];
    },
    set restitution(value) {
      for (let k = 0; k < view.pointCount; k++) points[k].restitution = value;
    },
    get enabled() {
      for (let k = 0; k < view.pointCount; k++) if (enabled[k] === 1) return true;
      return false;
    },
    set enabled(value) {
      for (let k = 0; k < view.pointCount; k++) points[k].enabled = value;
    },
    setSurfaceVelocity(entity, x, y, z) {
      for (let k = 0; k < view.pointCount; k++) writeSurface(k, entity, x, y, z);
    },
  };
  return { view, points, settings, enabled };
}
