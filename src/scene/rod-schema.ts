// Rods and grooms in the scene file: schema of their entries.

import * as v from 'valibot';
import { ROD_DEFAULTS, ROD_NUMBERS } from '../state/rod-material';
import { materialField, name, openMaterialField, path, point, rotation, STILL, UPRIGHT } from './schema-fields';
import { field, finite, flag, got, list, needed, object, oneOf, open, positive, triple, whole } from './schema-parts';

function number(key: keyof typeof ROD_DEFAULTS) {
  return materialField(ROD_NUMBERS[key], ROD_DEFAULTS[key]);
}

const options = {
  radius: number('radius'),
  density: number('density'),
  youngModulus: number('youngModulus'),
  shearModulus: openMaterialField(ROD_NUMBERS.shearModulus),
  stretchModulus: openMaterialField(ROD_NUMBERS.stretchModulus),
  damping: number('damping'),
  friction: number('friction'),
  cohesion: number('cohesion'),
  gravityScale: number('gravityScale'),
  airDrag: number('airDrag'),
  compliance: number('compliance'),
  selfContact: field(flag(), 'Strands touch each other and themselves', true),
  canSleep: open(flag(), 'May fall asleep at rest'),
  backend: open(oneOf(['auto', 'wasm', 'webgpu']), 'Where it is advanced; without it auto'),
  clampStart: open(flag(), 'Position and tangent of the start held; without one only if attached, and in grooms'),
  clampEnd: open(flag(), 'Position and tangent of the end held; without one only if attached'),
  attachStart: open(name, 'Name of the body that the clamp of the start follows'),
  attachEnd: open(name, 'Name of the body that the clamp of the end follows'),
  growOn: open(name, 'Name of the solid whose surface the first edges of the strands keep to: fur'),
  layers: open(whole(0, 65535), 'Layers the strands are in, 16 bits'),
  mask: open(whole(0, 65535), 'Layers the strands touch, 16 bits'),
  velocity: field(triple('3 numbers [m/s]', finite('m/s')), 'Velocity of every node at first [m/s]', STILL),
};

const TWO_POINTS = 'a list of at least 2 points [m]';
const ANGLES = 'a list of angles, one an edge [rad]';

/** How strands are made sag-free. */
const sagFreeSchema = object('an object of options', {
  change: open(
    v.picklist(['stiffness-too', 'rest-shape'], got('must be "stiffness-too" or "rest-shape"')),
    'Whether stiffness changes, too; without it "stiffness-too"',
  ),
  curvatureChange: open(positive('1'), 'Most a rest curvature differs from the drawn one; without it 1'),
  twistChange: open(positive('rad'), 'Most a rest twist is [rad]; without it a quarter of curvatureChange'),
  stiffest: open(v.pipe(positive('1'), v.minValue(1, got('must be >= 1'))), 'Largest factor on a stiffness'),
  stabilise: open(flag(), 'Stiffens strands that would leave their shape by themselves; without it true'),
});

const sagFree = open(
  v.union([v.boolean(), sagFreeSchema], got('must be true, false or an object of options')),
  'Rest shape and stiffness found such that it stays as it is drawn',
);

/** A rod. */
export const rodSchema = object('a rod', {
  name: open(name, 'Unique among rods and grooms; without one rod-<place in the list>'),
  points: needed(list(TWO_POINTS, point, 2), `the centre line, ${TWO_POINTS}`),
  restPoints: open(list(TWO_POINTS, point, 2), 'Shape without stress, as many points; without one, points'),
  twist: open(list(ANGLES, finite('rad')), 'Angle of the material of each edge beyond the twist-free state [rad]'),
  restTwist: open(list(ANGLES, finite('rad')), 'The same in the shape without stress [rad]'),
  sagFree,
  ...options,
});

/** A groom. */
export const groomSchema = object('an object with file or strands, and rod', {
  name: open(name, 'Unique among rods and grooms; without one groom-<place in the list>'),
  file: open(path, 'Path relative to the scene, of a .hair, .data or .tfx file; or strands'),
  strands: open(
    list('a list of at least 1 strand', list(TWO_POINTS, point, 2), 1),
    'Points of each strand, its root first [m]; instead of file',
  ),
  maxStrands: open(whole(1), 'Most strands, drawn at random; without one all'),
  vertices: open(whole(2, 1000), 'Points of each strand; without one those of the file'),
  seed: field(whole(), 'Seed of the draw', 0),
  scale: field(
    v.union([positive('m'), v.literal('head')], got('must be a number > 0 [m] or "head"')),
    'Metres per unit of the file, or "head": the box of the roots becomes 0.2 m and is centred',
    1,
  ),
  position: field(point, 'Place of the origin of the groom [m]', STILL),
  rotation: field(rotation, 'Quaternion [x, y, z, w], normalised by the reader', UPRIGHT),
  rod: field(object('an object of a rod without points', options), 'What the strands are made of', {}),
  sagFree,
});
