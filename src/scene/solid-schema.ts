// Elastic solids in the scene file: schema of their entries.

import * as v from 'valibot';
import { SOLID_DEFAULTS, SOLID_NUMBERS } from '../state/solid-material';
import { materialField, name, point, rotation, STILL, UPRIGHT } from './schema-fields';
import { field, finite, flag, got, list, object, oneOf, open, quadruple, text, triple, whole } from './schema-parts';
import { drawnSchema, pinSchema } from './shell-schema';

function number(key: keyof typeof SOLID_DEFAULTS) {
  return materialField(SOLID_NUMBERS[key], SOLID_DEFAULTS[key]);
}

const points = list('a list of at least 4 points [m]', point, 4);
const tetrahedra = list('a list of at least 1 tetrahedron', quadruple('4 indices of vertices', whole(0)), 1);

/** A solid. */
export const solidSchema = object('a solid', {
  name: open(name, 'Unique among solids; without one solid-<place in the list>'),
  vertices: open(points, 'Where the vertices are [m]; or file'),
  tetrahedra: open(tetrahedra, 'Tetrahedra as 4 indices of vertices; or file'),
  file: open(
    v.pipe(
      text(),
      v.check((path) => /\.(msh|vtk|node)$/i.test(path), got('must end in .msh, .vtk or .node')),
      v.check((path) => !/^[/\\]|:|\0/.test(path), got('must be a path relative to the scene')),
    ),
    'Path of a .msh, .vtk or .node file relative to the scene, instead of vertices and tetrahedra',
  ),
  surface: open(drawnSchema, 'A finer surface that is drawn; it goes along with the tetrahedra'),
  position: field(point, 'Place of the origin of the vertices [m]', STILL),
  rotation: field(rotation, 'Quaternion [x, y, z, w], normalised by the reader', UPRIGHT),
  velocity: field(triple('3 numbers [m/s]', finite('m/s')), 'Velocity of every vertex at first [m/s]', STILL),
  restVertices: open(points, 'Shape without stress, as many vertices; without one, vertices'),
  model: field(oneOf(['corotated', 'fixed-corotated', 'neo-hookean']), 'How stress follows strain', 'corotated'),
  collision: field(
    oneOf(['boundary', 'surface']),
    'What touches: the boundary of the tetrahedra, or the surface',
    'boundary',
  ),
  elements: field(
    oneOf(['linear', 'quadratic']),
    'Shape functions: quadratic ones bend as they should, for about ten times the work',
    'linear',
  ),
  radius: number('radius'),
  density: number('density'),
  youngModulus: number('youngModulus'),
  poissonRatio: number('poissonRatio'),
  damping: number('damping'),
  friction: number('friction'),
  cohesion: number('cohesion'),
  gravityScale: number('gravityScale'),
  compliance: number('compliance'),
  yieldStress: number('yieldStress'),
  creepTime: number('creepTime'),
  plasticLimit: number('plasticLimit'),
  selfContact: field(flag(), 'It touches itself', false),
  canSleep: open(flag(), 'May fall asleep at rest'),
  layers: open(whole(0, 65535), 'Layers the solid is in, 16 bits'),
  mask: open(whole(0, 65535), 'Layers the solid touches, 16 bits'),
  pins: field(list('a list of pins', pinSchema), 'Vertices that are held in the world, or on a body', []),
});
