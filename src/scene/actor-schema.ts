// Characters, vehicles, ragdolls, volumes, explosions and watches in the scene file: the shape of their data. What
// leaves a key out gets the default of the call that makes it; what that call refuses is told with its name.

import { direction, name, point, rotation } from './schema-fields';
import {
  finite,
  flag,
  list,
  needed,
  nonNegative,
  object,
  oneOf,
  open,
  pair,
  positive,
  text,
  triple,
  whole,
} from './schema-parts';

const speed = triple('3 numbers [m/s]', finite('m/s'));
const layers = open(whole(0, 65535), 'Layers it is in, 16 bits');
const mask = open(whole(0, 65535), 'Layers that it meets, 16 bits');
const range = pair('[least, greatest] [rad]', finite('rad'), finite('rad'));

const character = object('a character', {
  name: open(name, 'Unique, among bodies too; without one character-<place in the list>'),
  position: open(point, 'Where its feet are [m]'),
  rotation: open(rotation, 'Its y axis is up'),
  radius: open(positive('m'), 'Of the capsule [m]'),
  height: open(positive('m'), 'From feet to crown [m]'),
  crouchHeight: open(positive('m'), 'The same when it crouches [m]'),
  maxSlope: open(positive('rad'), 'Steepest ground that it walks up [rad]'),
  stepHeight: open(nonNegative('m'), 'Highest step that it climbs [m]'),
  mass: open(positive('kg'), 'Its weight on what it stands on [kg]'),
  pushForce: open(nonNegative('N'), 'Most force on what is in its way [N]'),
  acceleration: open(nonNegative('m/s²'), 'To the velocity asked for, on the ground [m/s²]; without one at once'),
  airAcceleration: open(nonNegative('m/s²'), 'The same in the air [m/s²]'),
  gravityScale: open(finite(), 'Factor on gravity'),
  layers,
  mask,
  move: open(speed, 'Velocity that it asks for from the start [m/s]'),
});

const wheel = object('a wheel, an object with mount', {
  mount: needed(point, 'where its suspension begins, in the axes of the body [m]'),
  radius: open(positive('m'), '[m]'),
  travel: open(positive('m'), 'How far the suspension lets it down [m]'),
  frequency: open(positive('Hz'), 'Of the suspension [Hz]'),
  damping: open(nonNegative(), 'Damping ratio of the suspension'),
  friction: open(nonNegative(), 'Coefficient of friction of the tyre'),
  maxSteer: open(finite('rad'), 'Farthest that steer turns it [rad]'),
  driveForce: open(nonNegative('N'), 'Of the engine at full throttle [N]'),
  brakeForce: open(nonNegative('N'), 'Of the brake [N]'),
  handbrakeForce: open(nonNegative('N'), 'Of the handbrake [N]'),
  rolling: open(nonNegative(), 'Resistance to rolling as a share of the load'),
  axle: open(whole(0), 'Wheels of the same number are joined by the anti-roll bar'),
});

const vehicle = object('a vehicle, an object with body and wheels', {
  body: needed(text(), 'the name of a dynamic body'),
  wheels: needed(list('a list of wheels', wheel, 1), 'its wheels'),
  forward: open(direction, 'The way that it looks, in the axes of the body'),
  antiRoll: open(nonNegative('N/m'), 'Stiffness of the anti-roll bars [N/m]'),
  topSpeed: open(positive('m/s'), 'At which the engine pushes no more [m/s]'),
  shapeCast: open(flag(), 'Whether wheels feel for the ground with a ball, not with a ray'),
  tracked: open(flag(), 'Whether its wheels are those of two tracks, one on each side'),
  throttle: open(finite(), 'From the start, −1..1'),
  steer: open(finite(), 'From the start, −1..1'),
  brake: open(finite(), 'From the start, 0..1'),
  handbrake: open(finite(), 'From the start, 0..1'),
});

const bone = object('a bone', {
  name: needed(name, 'a name of its own'),
  parent: open(text(), 'Bone before it that it hangs on'),
  from: needed(point, 'where it begins, at the joint [m]'),
  to: needed(point, 'where it ends [m]'),
  radius: needed(positive('m'), 'its radius [m]'),
  mass: open(positive('kg'), '[kg]'),
  axis: open(direction, 'A hinge about this axis; else a ball'),
  limits: open(range, 'Of a hinge [rad]'),
  cone: open(positive('rad'), 'Of a ball: how far it swings [rad]'),
  twist: open(range, 'Of a ball [rad]'),
  friction: open(nonNegative('N·m'), 'Of the joint [N·m]'),
});

const ragdoll = object('a ragdoll, an object with bones or person', {
  name: open(name, 'Unique; its bones are bodies called <name>-<bone>; without one ragdoll-<place in the list>'),
  bones: open(list('a list of bones', bone, 1), 'A capsule each, joined to its parent'),
  person: open(
    object('an object with feet and height', {
      feet: needed(point, 'where the feet are [m]'),
      height: open(positive('m'), '[m]; 1.75 without one'),
    }),
    'Eleven bones of a person, in the place of bones',
  ),
  velocity: open(speed, 'Of all bones [m/s]'),
  density: open(positive('kg/m³'), '[kg/m³]'),
  surfaceFriction: open(nonNegative(), 'Of the surfaces'),
  layers,
  mask,
});

const volume = object('a volume, an object with type', {
  type: needed(oneOf(['water', 'wind', 'gravity']), 'the type'),
  min: open(point, 'Of a box along the axes [m]'),
  max: open(point, 'Of a box along the axes [m]; the surface of water is its top'),
  center: open(point, 'Of a ball [m]'),
  radius: open(positive('m'), 'Of a ball [m]'),
  mask,
  density: open(positive('kg/m³'), 'Of water [kg/m³]'),
  drag: open(nonNegative(), 'Of water [1/s], of wind [-]'),
  flow: open(speed, 'Velocity of the water [m/s]'),
  velocity: open(speed, 'Of the air [m/s]'),
  gravity: open(triple('3 numbers [m/s²]', finite('m/s²')), 'What bodies fall with there [m/s²]'),
  towards: open(point, 'Or towards this point [m]'),
  strength: open(finite('m/s²'), 'by so much [m/s²]'),
});

const explosion = object('an explosion', {
  time: needed(nonNegative('s'), 'when [s]'),
  center: needed(point, 'where [m]'),
  radius: needed(positive('m'), 'what is farther away feels nothing [m]'),
  impulse: needed(finite('N·s'), 'on what is at the centre [N·s]'),
  lift: open(finite(), 'Added to the direction upwards, as a share'),
  mask,
});

const watch = object('a watch', {
  name: open(name, 'Unique; without one watch-<place in the list>'),
  body: open(text(), 'Contacts of this body alone'),
  minImpulse: open(nonNegative('N·s'), 'A contact begins when it first bears this in a step [N·s]'),
  stay: open(flag(), 'Whether each step in which it lasts is told; without it not'),
});

export const charactersSchema = list('a list of characters', character);
export const vehiclesSchema = list('a list of vehicles', vehicle);
export const ragdollsSchema = list('a list of ragdolls', ragdoll);
export const volumesSchema = list('a list of volumes', volume);
export const explosionsSchema = list('a list of explosions', explosion);
export const watchesSchema = list('a list of watches', watch);
