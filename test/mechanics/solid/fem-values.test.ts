// Statics against shared reference values: fem-beam.json of the validation set, and closed forms.

import { expect, test } from 'vitest';
import { COROTATED, NEO_HOOKEAN } from '../../../src/core/elastic-constants';
import { lameParameters, SOLID_MODELS, type SolidLaw } from '../../../src/mechanics/solid/stretch-energy';
import { longTest } from '../../setup/suite';
import { boxMesh, type TestMesh } from './meshes';
import { solveStatic } from './static-solve';

const YOUNG = 1e5;
const law = (model: number, young = YOUNG, poisson = 0.3): SolidLaw => ({ model, ...lameParameters(young, poisson) });
/** Nodes where a function of the rest position holds. */
function where(mesh: TestMesh, holds: (x: number, y: number, z: number) => boolean): number[] {
  const found: number[] = [];
  for (let i = 0; i < mesh.nodes; i++) {
    if (holds(mesh.rest[4 * i], mesh.rest[4 * i + 1], mesh.rest[4 * i + 2])) found.push(i);
  }
  return found;
}
const unknowns = (nodes: number[], axes = [0, 1, 2]) => nodes.flatMap((i) => axes.map((k) => 4 * i + k));
const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;

/**
 * Load per area over the face of the mesh's boundary where `on` holds, as nodal forces: a third to each corner of a
 * linear triangle, a third to each middle of a quadratic one.
 */
function faceLoad(
  mesh: TestMesh,
  on: (x: number, y: number, z: number) => boolean,
  traction: (x: number, y: number, z: number) => readonly [number, number, number],
): Float64Array {
  const { order, nodes, count } = mesh.elements;
  const width = order === 1 ? 4 : 10;
  const inside = new Set(where(mesh, on));
  const force = new Float64Array(4 * mesh.nodes);
  // Middle nodes of the edges of each face, by the order of EDGE_ENDS.
  const faces = [
    [0, 1, 2, 4, 5, 6],
    [0, 1, 3, 4, 8, 7],
    [0, 2, 3, 6, 9, 7],
    [1, 2, 3, 5, 9, 8],
  ];
  for (let e = 0; e < count; e++) {
    for (const face of faces) {
      const corners = face.slice(0, 3).map((i) => nodes[width * e + i]);
      if (!corners.every((i) => inside.has(i))) continue;
      const [a, b, c] = corners.map((i) => [...mesh.rest.subarray(4 * i, 4 * i + 3)]);
      const u = b.map((value, k) => value - a[k]);
      const v = c.map((value, k) => value - a[k]);
      const area = 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
      const takers = order === 1 ? corners : face.slice(3).map((i) => nodes[width * e + i]);
      for (const i of takers) {
        const t = traction(mesh.rest[4 * i], mesh.rest[4 * i + 1], mesh.rest[4 * i + 2]);
        for (let k = 0; k < 3; k++) force[4 * i + k] += (area / 3) * t[k];
      }
    }
  }
  return force;
}

/** Mean drop of the tip of the cantilever of 10 × 1 × 1 m under 1 N [m]. */
function tipDrop(order: 1 | 2, cells: [number, number, number], poisson = 0.3): number {
  const mesh = boxMesh(order, cells, (u, v, w) => [10 * u, v, w]);
  const held = new Set(unknowns(where(mesh, (x) => near(x, 0))));
  const tip = where(mesh, (x) => near(x, 10));
  const force = new Float64Array(4 * mesh.nodes);
  // The reference's load: the same on every node of the tip.
  if (order === 1) for (const i of tip) force[4 * i + 1] = -1 / tip.length;
  else
    force.set(
      faceLoad(
        mesh,
        (x) => near(x, 10),
        () => [0, -1, 0],
      ),
    );
  const { position } = solveStatic(mesh, law(COROTATED, YOUNG, poisson), held, force);
  return tip.reduce((sum, i) => sum + mesh.rest[4 * i + 1] - position[4 * i + 1], 0) / tip.length;
}

test('a patch of any order under a linear displacement has that displacement within', () => {
  const F = [1.2, 0.1, 0, 0, 0.9, 0.2, 0.1, 0, 1.05];
  for (const model of Object.values(SOLID_MODELS)) {
    for (const order of [1, 2] as const) {
      const mesh = boxMesh(order, [2, 2, 2], (u, v, w) => [
        // The inner node is off the middle.
        u + (near(u, 0.5) && near(v, 0.5) && near(w, 0.5) ? 0.13 : 0),
        v,
        w,
      ]);
      const start = mesh.rest.slice();
      const rim = (x: number, y: number, z: number) => [x, y, z].some((c) => near(c, 0) || near(c, 1));
      const held = new Set(unknowns(where(mesh, rim)));
      const image = (i: number, r: number) =>
        [0, 1, 2].reduce((sum, k) => sum + F[3 * r + k] * mesh.rest[4 * i + k], 0);
      for (const u of held) start[u] = image(u >> 2, u & 3);
      const { position } = solveStatic(mesh, law(model), held, new Float64Array(4 * mesh.nodes), start);
      for (let i = 0; i < mesh.nodes; i++)
        for (let r = 0; r < 3; r++) expect(Math.abs(position[4 * i + r] - image(i, r))).toBeLessThan(1e-9);
    }
  }
});

test('linear tetrahedra lock as the reference says they must, quadratic ones bend as a beam does', () => {
  // linear_tets_kuhn: the same cells, the same split, the same load: the reference's digits, to what corotation adds.
  expect(Math.abs(tipDrop(1, [10, 1, 1]) / 0.008843414682992809 - 1)).toBeLessThan(1e-4);
  expect(Math.abs(tipDrop(1, [20, 2, 2]) / 0.020305189750394283 - 1)).toBeLessThan(1e-4);
  // triquadratic_hex of 20 × 2 × 2 (Timoshenko 0.040306, but the clamp holds the section's width too). Measured here:
  // 10 × 1 × 1 0.98, 10 × 2 × 2 0.992, 20 × 2 × 2 0.998.
  expect(Math.abs(tipDrop(2, [10, 2, 2]) / 0.03994157868959915 - 1)).toBeLessThan(0.01);
});

test('nearly incompressible, quadratic tetrahedra lose a tenth, linear ones nine tenths', () => {
  // ν = 0.49 on 10 × 2 × 2 cells; on 20 × 2 × 2 it is 0.96 and 0.105. What is lost is
  // told here, so that a change shows.
  expect(tipDrop(2, [10, 2, 2], 0.49) / 0.04).toBeGreaterThan(0.9);
  expect(tipDrop(1, [10, 2, 2], 0.49) / 0.04).toBeLessThan(0.12);
});

longTest('the torque of a twisted bar is that of 27-node bricks with a clamped root', () => {
  // 10 × 3 × 3 cells 0.9967, 10 × 4 × 4 0.9906 (1.007 of Saint-Venant's, which has no
  // clamp); linear, 20 × 2 × 2: 2.29.
  const mesh = boxMesh(2, [10, 3, 3], (u, v, w) => [10 * u, v - 0.5, w - 0.5]);
  const root = where(mesh, (x) => near(x, 0));
  const tip = where(mesh, (x) => near(x, 10));
  const held = new Set([...unknowns(root), ...unknowns(tip, [1, 2])]);
  const start = mesh.rest.slice();
  const theta = 0.001;
  for (const i of tip) {
    const [y, z] = [mesh.rest[4 * i + 1], mesh.rest[4 * i + 2]];
    start[4 * i + 1] = y - theta * z;
    start[4 * i + 2] = z + theta * y;
  }
  const { gradient } = solveStatic(mesh, law(COROTATED), held, new Float64Array(4 * mesh.nodes), start);
  let torque = 0;
  for (const i of tip) {
    torque += mesh.rest[4 * i + 1] * gradient[4 * i + 2] - mesh.rest[4 * i + 2] * gradient[4 * i + 1];
  }
  expect(Math.abs(torque / 0.5498152855234144 - 1)).toBeLessThan(0.01);
});

test('Cook’s membrane comes down as nine-node elements say', () => {
  // 8 × 8 × 1 cells 0.9956, 16 × 16 × 1 0.9985; linear, 16 × 16 × 1: 0.88.
  const mesh = boxMesh(2, [8, 8, 1], (u, v, w) => [48 * u, 44 * u + v * (44 - 28 * u), w - 0.5]);
  const held = new Set(
    unknowns(
      where(mesh, (x) => near(x, 0)),
      [0, 1],
    ),
  );
  // Plane stress: free across, the middle plane stays.
  for (const i of where(mesh, (_x, _y, z) => near(z, 0))) held.add(4 * i + 2);
  // A small load: the reference is linear.
  const force = faceLoad(
    mesh,
    (x) => near(x, 48),
    () => [0, 1e-4 / 16, 0],
  );
  const { position } = solveStatic(mesh, law(COROTATED, 1, 1 / 3), held, force);
  const middle = where(mesh, (x, y, z) => near(x, 48) && near(y, 52) && near(z, 0))[0];
  const rise = (position[4 * middle + 1] - mesh.rest[4 * middle + 1]) / 1e-4;
  expect(Math.abs(rise / 23.960774586635065 - 1)).toBeLessThan(0.01);
});

test('a neo-Hookean bar under uniaxial load has the closed form’s width and stress', () => {
  // neo_hookean_uniaxial: μ/2 (I₁ − 3) − μ ln J + λ/2 (ln J)².
  const rows = [
    [0.5, 1.2107673905233214, -93535.20568882005],
    [0.7, 1.1079347328484763, -40523.04243142994],
    [1.3, 0.9219999547991719, 24849.58826480252],
    [2, 0.7980775445389079, 64674.46601736052],
  ];
  for (const order of [1, 2] as const) {
    const mesh = boxMesh(order, [2, 1, 1]);
    const end = where(mesh, (x) => near(x, 1));
    const held = new Set(unknowns([...where(mesh, (x) => near(x, 0)), ...end], [0]));
    for (const u of unknowns(
      where(mesh, (_x, y) => near(y, 0)),
      [1],
    ))
      held.add(u);
    for (const u of unknowns(
      where(mesh, (_x, _y, z) => near(z, 0)),
      [2],
    ))
      held.add(u);
    for (const [stretch, lateral, stress] of rows) {
      const start = mesh.rest.slice();
      for (let i = 0; i < mesh.nodes; i++) start[4 * i] *= stretch;
      const { position, gradient } = solveStatic(mesh, law(NEO_HOOKEAN), held, new Float64Array(4 * mesh.nodes), start);
      const corner = where(mesh, (x, y, z) => near(x, 0.5) && near(y, 1) && near(z, 1))[0];
      expect(Math.abs(position[4 * corner + 1] / lateral - 1)).toBeLessThan(1e-8);
      const pull = end.reduce((sum, i) => sum + gradient[4 * i], 0);
      expect(Math.abs(pull / stress - 1)).toBeLessThan(1e-8);
    }
  }
});
