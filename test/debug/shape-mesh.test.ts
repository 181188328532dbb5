import { expect, test } from 'vitest';
import { type ShapeMesh, type ShapeSpec, shapeMesh } from '../../src/index';

/** Volume by the divergence theorem; right only for a closed surface whose triangles look outwards [m³]. */
function volumeOf({ positions, indices }: ShapeMesh): number {
  let sum = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t], indices[t + 1], indices[t + 2]].map((i) => positions.subarray(3 * i, 3 * i + 3));
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

const CUBE = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, i >> 2]);

// Round shapes lie inside their mesh's shape: 40 segments around lose 0.4 % of a cross-section.
test.each<[string, ShapeSpec, number, number]>([
  ['box', { box: [1, 2, 3] }, 48, 1e-6],
  ['hull', { hull: CUBE }, 1, 1e-6],
  ['sphere', { sphere: 2 }, (4 / 3) * Math.PI * 8, 0.011],
  ['capsule', { capsule: [1, 2] }, (4 / 3) * Math.PI + 4 * Math.PI, 0.01],
  ['cylinder', { cylinder: [1, 2] }, 4 * Math.PI, 0.005],
  ['cone', { cone: [1, 2] }, (4 / 3) * Math.PI, 0.005],
])('the mesh of a %s is closed, looks outwards and has its volume', (_name, spec, volume, loss) => {
  const mesh = shapeMesh(spec);
  const ratio = volumeOf(mesh) / volume;
  expect(ratio).toBeLessThan(1 + 1e-6);
  expect(ratio).toBeGreaterThan(1 - loss);
  for (let i = 0; i < mesh.normals.length; i += 3) {
    const [x, y, z] = mesh.normals.subarray(i, i + 3);
    expect(x * x + y * y + z * z).toBeCloseTo(1, 5);
  }
});

test('parts of a compound stand where they are, their rotations of any length', () => {
  const turned = shapeMesh({
    compound: [
      { position: [10, 0, 0], rotation: [0, 0, 2, 2], shape: { box: [1, 2, 3] } },
      { shape: { box: [1, 1, 1] } },
    ],
  });
  expect(volumeOf(turned)).toBeCloseTo(48 + 8, 4);
  // A quarter turn about z: the half extent 2 lies along x.
  const xs = turned.positions.filter((_, i) => i % 3 === 0);
  expect(xs.reduce((most, x) => Math.max(most, x))).toBeCloseTo(12, 5);
  expect(xs.reduce((least, x) => Math.min(least, x))).toBeCloseTo(-1, 5);
});
