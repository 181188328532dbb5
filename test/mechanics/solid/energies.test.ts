import { expect, test } from 'vitest';
import { logarithm } from '../../../src/math/logarithm';
import { projectSemiDefinite3 } from '../../../src/math/semi-definite3';
import { rotationSvd } from '../../../src/math/svd3';
import {
  createElementDerivatives,
  differentiateElement,
  type HessianKind,
} from '../../../src/mechanics/solid/differentiate-element';
import { ELEMENT_NODES, lumpMass } from '../../../src/mechanics/solid/elements';
import { lameParameters, SOLID_MODELS, type SolidLaw } from '../../../src/mechanics/solid/stretch-energy';
import { boxMesh, type TestMesh } from './meshes';

/** A seeded source of numbers in [−1, 1]. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  };
}

const MODELS = Object.entries(SOLID_MODELS);
const law = (model: number): SolidLaw => ({ model, ...lameParameters(1000, 0.3) });
/** A matrix by rows, as a deformation of the mesh. */
type Matrix = readonly number[];

const STATES: readonly [string, Matrix][] = [
  ['rest', [1, 0, 0, 0, 1, 0, 0, 0, 1]],
  ['sheared', [1.1, 0.4, -0.1, 0, 0.9, 0.3, 0.2, 0, 1.2]],
  ['stretched twofold', [2, 0.1, 0, 0, 0.7, 0, 0, 0.2, 0.8]],
  ['stretched threefold', [3, 0.1, 0, 0, 0.6, 0, 0, 0.2, 0.8]],
  ['blown up', [4, 0.1, 0, 0, 3, 0, 0, 0.2, 3.5]],
  ['compressed to a quarter', [0.25, 0, 0.02, 0, 1.1, 0, 0.03, 0, 1]],
  ['inverted', [1, 0.1, 0, 0, -0.8, 0.2, 0, 0, 1.1]],
  ['inverted and small', [0.4, 0.1, 0, 0.05, 0.3, 0, 0, 0.1, -0.15]],
  ['turned half around and inverted', [-1.2, 0.1, 0, 0, -0.9, 0.1, 0, 0.2, -0.7]],
];

function deform(mesh: TestMesh, F: Matrix, jitter: number, seed = 1): Float64Array {
  const random = numbers(seed);
  const x = mesh.rest.slice();
  for (let i = 0; i < mesh.nodes; i++)
    for (let r = 0; r < 3; r++) {
      const at = 4 * i;
      const rest = mesh.rest;
      x[at + r] = F[3 * r] * rest[at] + F[3 * r + 1] * rest[at + 1] + F[3 * r + 2] * rest[at + 2] + jitter * random();
    }
  return x;
}

test('the logarithm is exact to two units in the last place, over the whole range', () => {
  const random = numbers(7);
  for (let k = 0; k < 2000; k++) {
    const x = 2 ** (1000 * random() ** 3) * (1.5 + 0.5 * random());
    expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThanOrEqual(4.5e-16 * Math.abs(Math.log(x)));
  }
  expect([logarithm(1), logarithm(0), logarithm(-1)]).toEqual([0, -Infinity, Number.NaN]);
  expect(logarithm(5e-324)).toBeCloseTo(Math.log(5e-324), 12);
});

test('the decomposition is two rotations and the stretches, of whole, flat, inverted and zero matrices alike', () => {
  const random = numbers(3);
  const [U, V, s] = [new Float64Array(9), new Float64Array(9), new Float64Array(3)];
  const cases: number[][] = [
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 5, 0, 0, 0, 0],
    [1, 2, 3, 2, 4, 6, 3, 6, 9],
    [1, 0, 0, 0, 1, 0, 0, 0, -1],
    [1, 1, 0, 1, 1, 1e-9, 0, 0, 1],
  ];
  for (let k = 0; k < 300; k++) cases.push(Array.from({ length: 9 }, () => random() * (k % 3 ? 1 : random() ** 8)));
  for (const F of cases) {
    rotationSvd(U, s, V, F);
    const size = Math.max(...F.map(Math.abs));
    for (const R of [U, V]) {
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++) {
          const dot = R[r] * R[c] + R[3 + r] * R[3 + c] + R[6 + r] * R[6 + c];
          expect(Math.abs(dot - (r === c ? 1 : 0))).toBeLessThan(1e-14);
        }
      const cross = R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]);
      expect(cross + R[2] * (R[3] * R[7] - R[4] * R[6])).toBeCloseTo(1, 12);
    }
    for (let r = 0; r < 3; r++)
      for (let c = 0; c < 3; c++) {
        let sum = -F[3 * r + c];
        for (let k = 0; k < 3; k++) sum += U[3 * r + k] * s[k] * V[3 * c + k];
        expect(Math.abs(sum)).toBeLessThanOrEqual(5e-15 * size);
      }
    expect(s[0] >= s[1] && s[1] >= Math.abs(s[2])).toBe(true);
  }
});

test('the projection of a 3×3 matrix drops its negative eigenvalues and nothing else', () => {
  const A = Float64Array.of(1, 2, 0, 2, 1, 0, 0, 0, 5);
  projectSemiDefinite3(A);
  const expected = [1.5, 1.5, 0, 1.5, 1.5, 0, 0, 0, 5];
  for (let k = 0; k < 9; k++) expect(A[k]).toBeCloseTo(expected[k], 13);
});

for (const [name, model] of MODELS) {
  for (const order of [1, 2] as const) {
    test(`${name}, order ${order}: gradient and Hessian are those of finite differences, inverted too`, () => {
      const mesh = boxMesh(order, [1, 1, 1], (u, v, w) => [0.9 * u + 0.1 * v, 1.1 * v, 0.8 * w + 0.2 * u]);
      const { elements } = mesh;
      const width = ELEMENT_NODES[order];
      const [out, plus, minus] = [createElementDerivatives(), createElementDerivatives(), createElementDerivatives()];
      const step = 1e-6;
      for (const [state, F] of STATES) {
        const x = deform(mesh, F, 0.02);
        for (const e of [0, 3]) {
          differentiateElement(out, elements, e, x, law(model), 'exact');
          const scale = Math.max(...out.hessian.subarray(0, 9 * width * width).map(Math.abs));
          for (let a = 0; a < width; a++)
            for (let k = 0; k < 3; k++) {
              const at = 4 * elements.nodes[width * e + a] + k;
              const before = x[at];
              x[at] = before + step;
              const high = differentiateElement(plus, elements, e, x, law(model), 'none');
              x[at] = before - step;
              const low = differentiateElement(minus, elements, e, x, law(model), 'none');
              x[at] = before;
              const slope = (high - low) / (2 * step);
              expect(Math.abs(out.gradient[3 * a + k] - slope), `${state}: gradient`).toBeLessThan(2e-6 * scale);
              for (let b = 0; b < width; b++)
                for (let m = 0; m < 3; m++) {
                  const second = (plus.gradient[3 * b + m] - minus.gradient[3 * b + m]) / (2 * step);
                  const entry = out.hessian[9 * (width * a + b) + 3 * k + m];
                  expect(Math.abs(entry - second), `${state}: Hessian`).toBeLessThan(5e-6 * scale);
                }
            }
        }
      }
    });
  }

  test(`${name}: the projected Hessian has no negative direction, and is the exact one around rest`, () => {
    const mesh = boxMesh(1, [1, 1, 1]);
    const evaluate = (x: Float64Array, kind: HessianKind) => {
      const out = createElementDerivatives();
      differentiateElement(out, mesh.elements, 0, x, law(model), kind);
      return out.hessian.slice(0, 144);
    };
    const rest = evaluate(mesh.rest, 'exact');
    const projected = evaluate(mesh.rest, 'projected');
    for (let k = 0; k < 144; k++) expect(Math.abs(rest[k] - projected[k])).toBeLessThan(1e-9);
    const random = numbers(11);
    for (const [, F] of STATES) {
      const H = evaluate(deform(mesh, F, 0.1, 5), 'projected');
      const scale = Math.max(...H.map(Math.abs));
      // Directions from power iterations on scale·I − H: towards the lowest eigenvalue.
      let d = Array.from({ length: 12 }, random);
      let value = 0;
      for (let round = 0; round < 60; round++) {
        const next = d.map((_, i) => {
          let sum = 12 * scale * d[i];
          for (let j = 0; j < 12; j++) {
            sum -= H[9 * (4 * Math.floor(i / 3) + Math.floor(j / 3)) + 3 * (i % 3) + (j % 3)] * d[j];
          }
          return sum;
        });
        const length = Math.sqrt(next.reduce((sum, n) => sum + n * n, 0));
        value = 12 * scale - length;
        d = next.map((n) => n / length);
      }
      expect(value).toBeGreaterThan(-1e-9 * scale);
    }
  });

  test(`${name}: neither translation nor rotation changes the energy, and linear elasticity holds around rest`, () => {
    const mesh = boxMesh(2, [1, 1, 1]);
    const x = deform(mesh, STATES[1][1], 0.05);
    const energy = differentiateElement(null, mesh.elements, 2, x, law(model), 'none');
    const [c, s] = [0.28, 0.96];
    const turned = x.slice();
    for (let i = 0; i < mesh.nodes; i++) {
      turned[4 * i] = c * x[4 * i] - s * x[4 * i + 1] + 3;
      turned[4 * i + 1] = s * x[4 * i] + c * x[4 * i + 1] - 7;
    }
    expect(differentiateElement(null, mesh.elements, 2, turned, law(model), 'none')).toBeCloseTo(energy, 9);
    // ψ = μ ε:ε + λ/2 (tr ε)² of a small symmetric strain.
    const strain = [1e-4, 2e-4, 0, 2e-4, -3e-4, 1e-4, 0, 1e-4, 2e-4];
    const small = deform(
      mesh,
      strain.map((value, k) => value + (k % 4 === 0 ? 1 : 0)),
      0,
    );
    const { mu, lambda } = law(model);
    const square = strain.reduce((sum, value) => sum + value * value, 0);
    const trace = strain[0] + strain[4] + strain[8];
    const linear = mesh.elements.rest[9] * (mu * square + 0.5 * lambda * trace * trace);
    const density = differentiateElement(null, mesh.elements, 0, small, law(model), 'none');
    expect(Math.abs(density / linear - 1)).toBeLessThan(3e-3);
  });

  test(`${name}: crushed to a plane, a line or turned inside out there is a force, and no number is bad`, () => {
    const mesh = boxMesh(1, [1, 1, 1]);
    const out = createElementDerivatives();
    for (const F of [
      [1, 0, 0, 0, 1, 0, 0, 0, 0],
      [1, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [-1, 0, 0, 0, -1, 0, 0, 0, -1],
      [30, 0, 0, 0, 1, 0, 0, 0, -30],
    ]) {
      const x = deform(mesh, F, 0);
      const energy = differentiateElement(out, mesh.elements, 1, x, law(model), 'projected');
      expect(Number.isFinite(energy)).toBe(true);
      expect(out.hessian.every(Number.isFinite)).toBe(true);
      // Towards rest the energy falls: the way back is open.
      const back = mesh.rest.map((value, k) => value - x[k]);
      let slope = 0;
      for (let a = 0; a < 4; a++)
        for (let k = 0; k < 3; k++) slope += out.gradient[3 * a + k] * back[4 * mesh.elements.nodes[4 + a] + k];
      expect(slope).toBeLessThan(0);
    }
  });
}

test('lumped masses are those of the volume, and every node has one', () => {
  for (const order of [1, 2] as const) {
    const mesh = boxMesh(order, [2, 1, 1], (u, v, w) => [2 * u, v, w]);
    const mass = new Float64Array(mesh.nodes);
    lumpMass(mass, 1, mesh.elements, 700);
    expect(mass.reduce((sum, m) => sum + m, 0)).toBeCloseTo(1400, 9);
    expect(Math.min(...mass)).toBeGreaterThan(0);
  }
});
