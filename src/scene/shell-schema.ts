// Shells in the scene file: schema of their entries.

import * as v from 'valibot';
import { SHELL_DEFAULTS, SHELL_NUMBERS } from '../state/shell-material';
import { materialField, name, openMaterialField, path, point, rotation, STILL, UPRIGHT } from './schema-fields';
import { field, finite, flag, got, list, needed, object, oneOf, open, triple, whole } from './schema-parts';

function number(key: keyof typeof SHELL_DEFAULTS) {
  return materialField(SHELL_NUMBERS[key], SHELL_DEFAULTS[key]);
}

const points = list('a list of at least 3 points [m]', point, 3);
const triangles = list('a list of at least 1 triangle', triple('3 indices of vertices', whole(0)), 1);

/** A finer mesh that is drawn in place of a shell or solid. */
export const drawnSchema = object('a surface', {
  vertices: needed(points, 'Where its vertices are [m]'),
  triangles: needed(triangles, 'Triangles as 3 indices of its vertices, counter-clockwise seen from outside'),
});

/** A pin of a shell or solid. */
export const pinSchema = v.union(
  [
    whole(0),
    object('an object with vertex and body', {
      vertex: needed(whole(0), 'the index of a vertex'),
      body: open(name, 'Name of the body that it follows; without one the world'),
    }),
  ],
  got('must be the index of a vertex, or an object with vertex and body'),
);

/** A shell. */
export const shellSchema = object('a shell', {
  name: open(name, 'Unique among shells; without one shell-<place in the list>'),
  vertices: open(points, 'Where the vertices are [m]; or file'),
  triangles: open(triangles, 'Triangles as 3 indices of vertices, counter-clockwise seen from the front; or file'),
  file: open(path, 'Path of an .obj, .ply, .stl or .glb file relative to the scene, instead of vertices and triangles'),
  surface: open(drawnSchema, 'A finer mesh that is drawn; it goes along with the triangles it is over'),
  position: field(point, 'Place of the origin of the vertices [m]', STILL),
  rotation: field(rotation, 'Quaternion [x, y, z, w], normalised by the reader', UPRIGHT),
  velocity: field(triple('3 numbers [m/s]', finite('m/s')), 'Velocity of every vertex at first [m/s]', STILL),
  restVertices: open(points, 'Shape without stress, as many vertices; without one, vertices'),
  restAngles: field(
    oneOf(['flat', 'drawn']),
    'Angles between triangles without stress: none, or those of the rest shape',
    'flat',
  ),
  thickness: number('thickness'),
  density: number('density'),
  stretchModulus: number('stretchModulus'),
  bendingModulus: openMaterialField(SHELL_NUMBERS.bendingModulus),
  shearModulus: number('shearModulus'),
  poissonRatio: number('poissonRatio'),
  weftModulus: number('weftModulus'),
  strainLimit: number('strainLimit'),
  warp: open(triple('3 numbers [m]', finite('m')), 'Direction of the warp in the rest shape, for weftModulus'),
  damping: number('damping'),
  friction: number('friction'),
  cohesion: number('cohesion'),
  gravityScale: number('gravityScale'),
  airDrag: number('airDrag'),
  compliance: number('compliance'),
  selfContact: field(flag(), 'It touches itself', true),
  canSleep: open(flag(), 'May fall asleep at rest'),
  layers: open(whole(0, 65535), 'Layers the shell is in, 16 bits'),
  mask: open(whole(0, 65535), 'Layers the shell touches, 16 bits'),
  pins: field(list('a list of pins', pinSchema), 'Vertices that are held in the world, or on a body', []),
});
