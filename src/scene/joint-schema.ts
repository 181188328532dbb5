// Joints in the scene file: the shape of their data. What an engine makes of it, and refuses, is addJoint's.

import * as v from 'valibot';
import { JOINT_TYPES } from '../state/joint-types';
import { MESH_END_FIELDS } from './mesh-families';
import { MESH_WORDS } from './scene-types';
import { point } from './schema-fields';
import {
  field,
  finite,
  flag,
  got,
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

const direction = triple('3 numbers', finite());
const range = pair('[least, greatest]', finite(), finite());

const end = object(`an object with body, world, rod, ${MESH_WORDS.join(' or ')}`, {
  body: open(text(), 'Name of a body'),
  world: open(v.literal(true, got('must be true')), 'The world instead of a body'),
  rod: open(text(), 'Name of a rod or groom, with node'),
  node: open(
    v.union([whole(0), oneOf(['start', 'end'])], got('must be a whole number >= 0, "start" or "end"')),
    'Counted from its first node, or an end',
  ),
  ...MESH_END_FIELDS,
  vertex: open(whole(0), 'By its number in the mesh'),
});

const motor = object('an object with velocity, target, maxForce', {
  velocity: open(finite('m/s or rad/s'), 'Speed that it aims at; with a target the fastest it goes there'),
  target: open(finite('m or rad'), 'Place or angle that it aims at'),
  maxForce: open(nonNegative('N or N·m'), 'Most that it gives; without one no limit'),
});

const spring = object('an object with frequency and dampingRatio', {
  frequency: needed(positive('Hz'), 'the frequency [Hz]'),
  dampingRatio: field(nonNegative(), '1: back without overshoot', 1),
});

const hold = v.union([oneOf(['locked', 'free']), range], got('must be "locked", "free" or [least, greatest]'));

/** A joint between two bodies, or of one with the world. */
const jointSchema = object('a joint', {
  name: open(text(), 'Unique; without one joint-<place in the list>'),
  type: needed(oneOf(JOINT_TYPES), 'the type'),
  ends: needed(
    pair('two ends, each { "body": name }, { "world": true } or a node such as { "rod": name, "node": 3 }', end, end),
    'two ends; places and angles are those of the first seen from the second; nodes and vertices take ball and rope',
  ),
  anchor: open(point, 'World place of the joint at the start [m]; without one where the first body is'),
  anchors: open(pair('two places [m]', point, point), 'Where the places on the two bodies differ (distance, rope) [m]'),
  axis: open(direction, 'World direction at the start; without one y'),
  axis2: open(
    direction,
    'Second axis of a universal joint, in the first body; of a gear or rack the axis of the second',
  ),
  ratio: open(finite('- or m/rad'), 'Gear: turns of the first for one of the second; rack: way for each radian [m]'),
  limits: open(range, 'Least and greatest angle [rad] or place [m]; of a ball joint its twist'),
  cone: open(
    positive('rad'),
    'Of a ball joint: the greatest angle between its axis in one body and in the other [rad]',
  ),
  twist: open(range, 'Of a ball joint: as limits [rad]'),
  length: open(
    v.union([positive('m'), range], got('must be > 0 or [least, greatest] [m]')),
    'Of a rope the greatest distance, of a distance joint the distance [m]',
  ),
  axes: open(
    object('an object with x, y, z, rx, ry, rz', {
      x: open(hold, 'Along x'),
      y: open(hold, 'Along y'),
      z: open(hold, 'Along z'),
      rx: open(hold, 'About x'),
      ry: open(hold, 'About y'),
      rz: open(hold, 'About z'),
    }),
    'Six-axis: each "locked" (default), "free" or limits',
  ),
  motor: open(motor, 'Motor'),
  spring: open(spring, 'Makes what holds or limits soft, or the target of the motor'),
  friction: open(nonNegative('N or N·m'), 'Most that dry friction gives'),
  breakForce: open(v.nullable(positive('N')), 'Force at which it breaks; null never'),
  breakTorque: open(v.nullable(positive('N·m')), 'Torque at which it breaks; null never'),
  collide: open(flag(), 'Whether the two bodies touch each other'),
});

/** All joints. */
export const jointsSchema = list('a list of joints', jointSchema);
