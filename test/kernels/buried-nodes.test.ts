// Nodes buried in the body of their clamp: counted for the device as the detection of contacts counts them.

import { expect, test } from 'vitest';
import * as L from '../../src/state/layout';
import { boxHull, type Shape, turn, type Vector } from './generic-scene';
import { createRandom, createStrandScene, putBody, randomDirection } from './strand-scene';

/** A tetrahedron of triangles. */
const MESH: Shape = {
  kind: 'mesh',
  vertices: [0.1, 0.1, 0.1, 0.1, -0.1, -0.1, -0.1, 0.1, -0.1, -0.1, -0.1, 0.1],
  triangles: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2],
};

const SHAPES: Shape[] = [
  { kind: 'sphere', size: [0.1] },
  { kind: 'capsule', size: [0.05, 0.05] },
  { kind: 'box', size: [0.08, 0.06, 0.1] },
  { kind: 'plane', size: [0.6, 0.8, 0] },
  { kind: 'cylinder', size: [0.08, 0.06] },
  { kind: 'cone', size: [0.1, 0.08] },
  boxHull(0.08, 0.06, 0.1),
  MESH,
];

for (const shape of SHAPES) {
  test(`nodes buried in a ${shape.kind} count alike`, () => {
    const scene = createStrandScene();
    const random = createRandom(6);
    const strands = 60;
    const hairs = Array.from({ length: strands }, () => {
      const out = randomDirection(random);
      const start = randomDirection(random).map((x) => 0.03 * x);
      return Array.from({ length: 14 }, (_, i) => start.map((x, k) => x + 0.01 * i * out[k]) as Vector);
    });
    scene.addRod(hairs, { radius: 0.012, selfContact: false });
    const body = putBody(scene, shape, [0.005, 0.01, 0], turn([0.6, 0, 0.8], 0.7));
    const { attach, flags, clamp } = scene.tables.strands;
    for (let s = 0; s < strands; s++) {
      flags[s] = s % 2 ? L.STRAND_CLAMP_START : L.STRAND_CLAMP_END;
      attach.set([body, body], 2 * s);
    }
    scene.detect();
    const known = clamp.slice(0, 24 * strands);
    clamp.fill(0, 0, 24 * strands);
    scene.bury();
    expect([...clamp.slice(0, 24 * strands)]).toEqual([...known]);
    expect(known.some((count) => count > 2)).toBe(true);
    // What is counted stays.
    clamp[9 + 12] = 5;
    scene.bury();
    expect(clamp[9 + 12]).toBe(5);
  });
}

test('in a mesh all that is behind its surface is buried, however thin the hair and deep its root', () => {
  const scene = createStrandScene();
  const random = createRandom(11);
  const hairs = Array.from({ length: 40 }, () => {
    const out = randomDirection(random);
    const start = randomDirection(random).map((x) => 0.02 * x);
    return Array.from({ length: 20 }, (_, i) => start.map((x, k) => x + 0.01 * i * out[k]) as Vector);
  });
  scene.addRod(hairs, { radius: 5e-5, selfContact: false });
  const body = putBody(scene, MESH);
  scene.tables.strands.flags.fill(L.STRAND_CLAMP_START, 0, 40);
  for (let s = 0; s < 40; s++) scene.tables.strands.attach.set([body, -1], 2 * s);
  // The tetrahedron's four planes are 0.1 / √3 from its middle: x + y − z and its like are below 0.1 within.
  const isInside = ([x, y, z]: Vector) => Math.max(x + y - z, x - y + z, y + z - x, -x - y - z) < 0.1;
  scene.detect();
  hairs.forEach((hair, s) => {
    expect(scene.tables.strands.clamp[24 * s + 9]).toBe(1 + hair.findIndex((point) => !isInside(point)));
  });
});
