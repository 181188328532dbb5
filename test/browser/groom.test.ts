// Grooms as the gallery shows them, without a page: seated on the head whatever their axes and units, and pulled.

import { expect, test } from 'vitest';
import { findStrand, gripStrands } from '../../demos/app/grip';
import { loadScene, openSession } from '../../demos/app/open-session';
import type { Vec3 } from '../../demos/scenes/demo-scene';
import { droppedGroom } from '../../demos/scenes/groom';
import { strandFile } from '../../demos/scenes/strand-file';
import { bySuite } from '../setup/suite';

const HEAD = 0.095; // [m]
const CENTRE = [0, 0.4, 0];

/** Straight hairs on a cap about an axis (0 x, 1 y, 2 z) of a sphere, in a file's own units. */
function cap(axis: number, sign: number, unit: number): Uint8Array {
  const strands: Vec3[][] = [];
  for (let s = 0; s < 60; s++) {
    const height = 1 - (0.7 * (s + 0.5)) / 60;
    const flat = Math.sqrt(1 - height * height);
    const out = [0, 0, 0];
    out[axis] = sign * height;
    out[(axis + 1) % 3] = flat * Math.cos(2.4 * s);
    out[(axis + 2) % 3] = flat * Math.sin(2.4 * s);
    strands.push([0, 1, 2, 3, 4].map((i) => out.map((value) => 3 + unit * value * (1 + 0.2 * i)) as Vec3));
  }
  return strandFile(strands);
}

function open(bytes: Uint8Array) {
  const demo = droppedGroom(bytes, 'cap.data');
  return { demo, session: openSession(loadScene(demo.build()), {}, demo.files?.()) };
}

test.each([
  [1, 1, 1],
  [1, -1, 12],
  [2, -1, 0.3],
  [2, 1, 1],
  [0, 1, 100],
  [0, -1, 1],
])('a groom that grows along axis %i (%i), radius %d, sits upright on the head', (axis, sign, unit) => {
  const { session } = open(cap(axis, sign, unit));
  const points = session.rodStarts.get('hair') as Float64Array;
  expect(points.length).toBe(3 * 24 * 60);
  let height = 0;
  for (let root = 0; root < points.length; root += 3 * 24) {
    const away = CENTRE.map((value, k) => points[root + k] - value);
    expect(Math.hypot(...away)).toBeCloseTo(HEAD, 3);
    height += away[1] / 60;
  }
  // Mean height of the cap over the radius.
  expect(height / HEAD).toBeCloseTo(0.65, 1);
  session.close();
});

test('turned grooms are not mirrored', () => {
  // A right-handed spiral stays one: the volume that root, its neighbour and the axis span keeps its sign.
  const handedness = (axis: number, sign: number) => {
    const { session } = open(cap(axis, sign, 1));
    const points = session.rodStarts.get('hair') as Float64Array;
    const flat = (s: number) => [points[72 * s] - CENTRE[0], points[72 * s + 2] - CENTRE[2]];
    session.close();
    return Math.sign(flat(40)[0] * flat(41)[1] - flat(40)[1] * flat(41)[0]);
  };
  for (const axis of bySuite([0], [0, 2])) expect(handedness(axis, 1)).toBe(handedness(1, 1));
  for (const axis of bySuite([2], [0, 1, 2])) expect(handedness(axis, -1)).toBe(-handedness(1, 1));
});

test('a lock follows the hand as far as it reaches and is free afterwards', () => {
  const { session } = open(cap(1, 1, 1));
  const { physics } = session;
  for (let i = 0; i < 10; i++) physics.step();
  physics.interpolate(1);
  const at = (node: number) => Array.from(physics.strands.positions.slice(4 * node, 4 * node + 3));
  const tip = 24 * 30 + 20;
  const [x, y, z] = at(tip);
  const hit = findStrand(session, [x, y, z + 1], [0, 0, -1]);
  expect(hit).not.toBeNull();
  if (!hit) return;
  // What something hides cannot be taken, even where it lies straight under the pointer.
  const nearer = findStrand(session, [x, y, z + 1], [0, 0, -1], hit.distance);
  expect(nearer?.distance ?? 0).toBeLessThan(hit.distance);
  // Clamped nodes cannot be taken.
  expect((hit.node - physics.strands.first[hit.strand]) % 24).toBeGreaterThan(1);
  const bodies = physics.report.bodies;
  const grip = gripStrands(session, hit, [x, y + 10, z]);
  for (let i = 0; i < 40; i++) physics.step();
  physics.interpolate(1);
  expect(physics.report.bodies).toBe(bodies + 1);
  const [held, root] = [at(hit.node), at(physics.strands.first[hit.strand])];
  expect(held[1]).toBeGreaterThan(hit.point[1] + 0.005);
  expect(Math.hypot(...held.map((value, k) => value - grip.anchor[k]))).toBeLessThan(1e-3);
  const reach = ((hit.node - physics.strands.first[hit.strand]) / 23) * 0.8 * HEAD;
  expect(Math.hypot(...held.map((value, k) => value - root[k]))).toBeLessThan(1.02 * reach);
  grip.release();
  for (let i = 0; i < 30; i++) physics.step();
  expect(physics.report.bodies).toBe(bodies);
  expect(physics.report.strands.quarantined).toBe(0);
  session.close();
});

test('a file that is no groom is refused', () => {
  expect(() => droppedGroom(new TextEncoder().encode('hello'), 'x.hair')).toThrow(/readGroom/);
});
