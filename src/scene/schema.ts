// The scene file, format version 1: the one definition from which the reader's checks, the types' defaults and the
// published JSON Schema come.
//
// What needs more than one value to judge (unique names, references, indices, volume, order of times) is in
// check-scene.ts. Kinds that the engine does not have yet must be absent or empty; the reader may learn more keys
// later, what is here stays.

import * as v from 'valibot';
import { COMBINE_RULES, type CombineRule } from '../state/combine-rules';
import {
  charactersSchema,
  explosionsSchema,
  ragdollsSchema,
  vehiclesSchema,
  volumesSchema,
  watchesSchema,
} from './actor-schema';
import { jointsSchema } from './joint-schema';
import { MESH_FIELDS } from './mesh-families';
import { groomSchema, rodSchema } from './rod-schema';
import type { SceneShape } from './scene-types';
import { direction, name, point, rotation, STILL, UPRIGHT } from './schema-fields';
import {
  between,
  field,
  finite,
  flag,
  got,
  list,
  map,
  needed,
  nonNegative,
  numberOrTriple,
  object,
  oneOf,
  open,
  pair,
  positive,
  text,
  triple,
  whole,
} from './schema-parts';

/** What a body without a material is made of, and what a material leaves out. */
export const DEFAULT_MATERIAL = { density: 1000, friction: 0.6, restitution: 0 } as const;

// ── Shapes ──────────────────────────────────

const TALL = '2 numbers [radius, half height] [m]';
const standing = pair(TALL, positive('m'), positive('m'));

// The lazy reference is what lets a compound hold shapes, compounds among them.
const part = object('an object with position, rotation and shape', {
  position: field(point, 'In the axes of the body [m]', STILL),
  rotation: field(rotation, 'In the axes of the body', UPRIGHT),
  shape: v.lazy((): v.GenericSchema<SceneShape> => shape as unknown as v.GenericSchema<SceneShape>),
});

const kinds = {
  box: open(triple('3 half extents [m]', positive('m')), 'Half extents [m]'),
  sphere: open(positive('m'), 'Radius [m]'),
  // A capsule without a middle part is a sphere, and taken as one.
  capsule: open(pair(TALL, positive('m'), nonNegative('m')), 'Radius, and half the distance of the caps [m]; along y'),
  cylinder: open(standing, 'Radius, half height [m]; along y'),
  cone: open(standing, 'Radius, half height [m]; along y, tip up'),
  hull: open(list('a list of at least 4 points [m]', point, 4), 'Points whose convex hull encloses volume [m]'),
  plane: open(direction, 'Normal; goes through the position of the body; static bodies only'),
  mesh: open(
    object('an object with vertices and triangles', {
      vertices: needed(list('a list of at least 3 points [m]', point, 3), 'points [m]'),
      triangles: needed(
        list('a list of at least 1 triangle', triple('3 indices of vertices', whole(0)), 1),
        'triangles as 3 indices of vertices, counter-clockwise seen from outside',
      ),
    }),
    'Triangle mesh; static bodies only',
  ),
  heightField: open(
    object('an object with size, rows, columns and heights', {
      size: needed(pair('extent along x and z [m]', positive('m'), positive('m')), 'extent along x and z [m]'),
      rows: needed(whole(2), 'heights along z'),
      columns: needed(whole(2), 'heights along x'),
      heights: needed(list('a list of rows × columns heights [m]', finite('m'), 4), 'heights [m], row by row'),
    }),
    'Ground from an array of heights, its middle at the position of the body; static bodies only',
  ),
  compound: open(list('a list of at least 1 part', part, 1), 'Shapes placed in the axes of the body'),
};

/** The kinds of shape, in the order of the format. */
const SHAPE_KINDS = Object.keys(kinds) as readonly (keyof SceneShape)[];

const oneKind = (issue: v.BaseIssue<unknown>): string => {
  const found = Object.keys(issue.input as object);
  return `must have exactly one of ${SHAPE_KINDS.join(', ')}, got ${found.length === 0 ? 'none' : found.join(' and ')}`;
};

const shape = v.pipe(
  object('a shape such as { "box": [0.5, 0.5, 0.5] }', kinds),
  v.minEntries(1, oneKind),
  v.maxEntries(1, oneKind),
);

// ── Materials and bodies ─────────────────────────────

const combineRule: v.GenericSchema<CombineRule> = oneOf([...COMBINE_RULES]);
const STRONGER =
  'of two rules the stronger counts (maximum, multiply, minimum, average, geometric-mean, from strong to weak), ' +
  'without any ';

const material = object('an object with density, friction and restitution', {
  density: field(positive('kg/m³'), 'Mass over volume [kg/m³]', DEFAULT_MATERIAL.density),
  friction: field(nonNegative(), 'Coefficient of friction; of a pair, the geometric mean', DEFAULT_MATERIAL.friction),
  restitution: field(between(0, 1), 'Bounciness 0..1; of a pair, the larger', DEFAULT_MATERIAL.restitution),
  combineFriction: open(combineRule, `How friction combines with the other material's; ${STRONGER}the geometric mean`),
  combineRestitution: open(combineRule, `How restitution combines with the other material's; ${STRONGER}the larger`),
  rollingFriction: open(nonNegative('m'), 'Torque against rolling over the normal force [m]; of a pair as friction'),
  spinningFriction: open(nonNegative('m'), 'The same against spinning about the normal [m]'),
});

/** A rigid body. */
export const bodySchema = object('a body', {
  name: open(name, 'Unique; without one body-<place in the list>'),
  type: field(oneOf(['dynamic', 'static', 'kinematic']), 'How it moves', 'dynamic'),
  material: open(text(), 'A name in materials; without one density 1000 kg/m³, friction 0.6, restitution 0'),
  position: field(point, 'Place of the origin of the shape [m]', STILL),
  rotation: field(rotation, 'Quaternion [x, y, z, w], normalised by the reader', UPRIGHT),
  velocity: field(triple('3 numbers [m/s]', finite('m/s')), 'Velocity of the centre of mass [m/s]', STILL),
  angularVelocity: field(triple('3 numbers [rad/s]', finite('rad/s')), 'Angular velocity [rad/s]', STILL),
  mass: open(positive('kg'), 'Mass [kg]; without one density times volume'),
  inertia: open(
    triple('3 numbers [kg·m²]', positive('kg·m²')),
    'About the axes of the body through its centre of mass [kg·m²]; without one that of the shape',
  ),
  centerOfMass: open(point, 'In the axes of the body, from its position [m]; without one that of the shape'),
  lockRotation: open(triple('3 of true or false', flag()), 'World axes x, y and z about which the body does not turn'),
  continuous: open(
    flag(),
    'Followed on its way through each step, however slow it is, so that it goes through nothing',
  ),
  linearDamping: field(nonNegative('1/s'), 'Rate at which velocity decays [1/s]', 0),
  angularDamping: field(nonNegative('1/s'), 'Rate at which spin decays [1/s]', 0),
  gravityScale: field(finite(), 'Factor on gravity', 1),
  surfaceVelocity: open(
    triple('3 numbers [m/s]', finite('m/s')),
    'Velocity of the surface over the body, in the axes of the body [m/s]: a conveyor belt',
  ),
  layers: open(whole(0, 65535), 'Layers the body is in, 16 bits'),
  mask: open(whole(0, 65535), 'Layers the body touches, 16 bits'),
  sensor: open(flag(), 'Reports touches, gives no force'),
  canSleep: open(flag(), 'May fall asleep at rest'),
  shape: needed(shape, 'a shape such as { "box": [0.5, 0.5, 0.5] }'),
});

/** A body in many copies. */
export const repeatSchema = object('an object with count and body', {
  count: needed(
    numberOrTriple('a whole number >= 1 or 3 of them', whole(1)),
    'copies along x, y and z, or a number of copies in a row along spacing',
  ),
  spacing: open(point, 'From one copy to the next along x, y and z [m]'),
  origin: field(point, 'Place of the first copy, added to the position of the body [m]', STILL),
  jitter: field(
    numberOrTriple('a number >= 0 or 3 of them [m]', nonNegative('m')),
    'Half size of the box around its place that each copy is drawn from [m]',
    0,
  ),
  seed: field(whole(), 'Seed of the draws', 0),
  body: needed(bodySchema, 'the body to copy; copies are called name-0, name-1, ... with x running fastest'),
});

// ── Motions, solver, scene ─────────────────────────────

/** Scripted motion. */
export const motionSchema = object('an object with body and keys', {
  body: open(name, 'Name of a kinematic body'),
  rod: open(name, 'Name of a rod with a clamp in the world, instead of a body'),
  end: open(oneOf(['start', 'end']), 'Which end of the rod'),
  shell: open(name, 'Name of a shell, instead of a body'),
  vertex: open(whole(0), 'Which of its vertices that are pinned in the world'),
  keys: needed(
    list(
      'a list of at least 1 key',
      object('an object with time, position and rotation', {
        time: needed(nonNegative('s'), 'a time [s]'),
        position: open(point, 'Position [m]; without one that of the key before, at first of the body'),
        rotation: open(rotation, 'Quaternion; without one that of the key before, at first of the body'),
      }),
      1,
    ),
    'poses at strictly increasing times',
  ),
  loop: field(flag(), 'Repeats from the first to the last key', false),
});

const solver = object('an object of solver settings', {
  rigid: open(oneOf(['auto', 'dantzig', 'gauss-seidel', 'contact-admm']), 'Solver of rigid islands'),
  elastic: open(oneOf(['auto', 'admm', 'conjugate-residual']), 'Solver of elastic objects'),
  profile: open(oneOf(['engine', 'paper']), 'Elastic objects as the engine does, or to the letter of Daviet 2020'),
  backend: open(oneOf(['auto', 'reference', 'wasm', 'webgpu']), 'Where elastic objects are advanced'),
  tolerance: open(positive(), 'Relative residual at which a solve is done'),
  admmIterations: open(whole(1), 'Most ADMM iterations of an elastic solve'),
  sweeps: open(whole(1), 'Sweeps per ADMM iteration'),
  newtonIterations: open(whole(1), 'Linearisations of elastic objects per step'),
  budget: open(v.nullable(positive('ms')), 'Time for the elastic solve per step [ms]; null for none'),
});

const entries = {
  $schema: open(text(), 'Address of this JSON Schema, for editors'),
  version: needed(v.literal(1, got('must be 1')), 'the format version, 1'),
  title: open(text(), 'Name for people'),
  description: open(text(), 'One line for the gallery'),
  gravity: field(triple('3 numbers [m/s²]', finite('m/s²')), 'Gravity [m/s²]', [0, -9.81, 0]),
  timeStep: field(positive('s'), 'Fixed time step [s]', 1 / 60),
  materials: field(map('an object from names to materials', material), 'Materials by name', {}),
  bodies: field(list('a list of bodies', bodySchema), 'Rigid bodies', []),
  repeat: field(list('a list of repeats', repeatSchema), 'Bodies in many copies', []),
  rods: field(list('a list of rods', rodSchema), 'Elastic rods', []),
  grooms: field(list('a list of grooms', groomSchema), 'Many strands from a file', []),
  ...MESH_FIELDS,
  joints: field(jointsSchema, 'Joints between bodies, and of bodies with the world', []),
  characters: field(charactersSchema, 'Kinematic capsules that walk', []),
  vehicles: field(vehiclesSchema, 'Wheels under bodies', []),
  ragdolls: field(ragdollsSchema, 'Capsules and joints from lists of bones', []),
  volumes: field(volumesSchema, 'Water, wind, and other gravity', []),
  explosions: field(explosionsSchema, 'Explosions at their times', []),
  watches: field(watchesSchema, 'Lists of contact events', []),
  motions: field(list('a list of motions', motionSchema), 'Scripted motion of kinematic bodies, clamps and pins', []),
  solver: field(solver, 'Solver settings', {}),
};

/** A whole scene file; its output is a `Scene`. */
export const sceneSchema = object('a scene, an object with version 1', entries);

/** A shape, for references in the JSON Schema. */
export const shapeSchema = shape;
