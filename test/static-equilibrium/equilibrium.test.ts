// Static equilibrium of one strand: forces and Jacobian against the engine's own and differences, closed forms, and the
// two ways to the optimum against each other.

import { describe, expect, it } from 'vitest';
import { strandForces } from '../../src/mechanics/rod/strand-energy';
import { bakeStrand, createBaker, type StrandOutcome } from '../../src/static-equilibrium/bake-strand';
import { DEFAULT_BOUNDS } from '../../src/static-equilibrium/bounds';
import type { DrawnStrand } from '../../src/static-equilibrium/drawn-strand';
import { createInternalForces, findInternalForces } from '../../src/static-equilibrium/internal-forces';
import { fitParameters } from '../../src/static-equilibrium/nearest-parameters';
import {
  COLUMN,
  createLayout,
  readVector,
  writeJacobian,
  writeVector,
} from '../../src/static-equilibrium/parameter-vector';
import {
  addForces,
  createParameters,
  forceLeft,
  resetParameters,
  type StrandParameters,
} from '../../src/static-equilibrium/parameters';
import { resolveSagFree } from '../../src/static-equilibrium/sag-free-options';
import { addStrand, createStrandWorld } from '../mechanics/rod/strand-world';
import { curl, draw, HAIR, optimise, soft, straight } from './strands';

/** Parameters away from the drawn shape, all different. */
function shaken(drawn: DrawnStrand): StrandParameters {
  const p = createParameters(drawn.nodes);
  resetParameters(p, drawn);
  const wave = (k: number) => (((k * 37) % 19) - 9) / 9;
  for (let i = 0; i < drawn.nodes; i++) {
    if (i > 0) p.restLength[i] *= 1 + 0.01 * wave(i);
    for (let j = 0; j < 4; j++) p.restCurvature[4 * i + j] += 0.1 * wave(4 * i + j + 3);
    p.restTwist[i] = 0.1 * wave(5 * i + 1);
  }
  return p;
}

function solveDetermined(drawn: DrawnStrand, bounds = DEFAULT_BOUNDS): StrandParameters {
  const forces = createInternalForces(drawn.nodes);
  expect(findInternalForces(forces, drawn)).toBe(-1);
  const p = createParameters(drawn.nodes);
  fitParameters(p, drawn, forces, bounds, new Float64Array(drawn.nodes));
  return p;
}

function forceOf(drawn: DrawnStrand, p: StrandParameters): number {
  const f = new Float64Array(4 * drawn.nodes);
  addForces(f, drawn, p);
  return forceLeft(f, drawn);
}

describe('forces of a drawn strand', () => {
  it('are those of the engine for the same rest shape, and the weight', () => {
    const points = curl(24, 1 / 3);
    const drawn = draw(points, HAIR);
    const p = shaken(drawn);
    const world = createStrandWorld();
    const young = HAIR.youngModulus;
    const material = { radius: HAIR.radius, density: HAIR.density, young, shear: HAIR.shearModulus, stretch: young };
    const strand = addStrand(world, { points: Array.from(points), ...material });
    const { rest, mass } = world.tables.nodes;
    for (let i = 0; i < drawn.nodes; i++) {
      expect(drawn.mass[i]).toBeCloseTo(mass[2 * i], 20);
      rest[8 * i] = p.restLength[i];
      for (let j = 0; j < 4; j++) rest[8 * i + 2 + j] = p.restCurvature[4 * i + j];
      rest[8 * i + 6] = p.restTwist[i];
    }
    const expected = new Float64Array(4 * drawn.nodes);
    strandForces(expected, 0, world.tables, strand);
    const f = new Float64Array(4 * drawn.nodes);
    addForces(f, drawn, p);
    let largest = 0;
    for (let k = 0; k < f.length; k++) largest = Math.max(largest, Math.abs(expected[k]));
    for (let k = 4; k < f.length - 4; k++) {
      expect(Math.abs(f[k] - drawn.load[k] - expected[k])).toBeLessThan(1e-9 * largest);
    }
  });

  it('have the Jacobian of their differences, with two and with four curvatures', () => {
    for (const curvatures of [2, 4] as const) {
      const drawn = draw(curl(9, 1 / 3), soft(1e9, 1e4));
      const p = shaken(drawn);
      p.bendFactor.forEach((_, i) => {
        p.bendFactor[i] = 1 + 0.1 * (i % 3);
        p.twistFactor[i] = 1.5 - 0.1 * (i % 4);
        p.stretchFactor[i] = 1 + 0.2 * (i % 2);
      });
      const layout = createLayout(curvatures, true);
      const size = layout.entries * (drawn.nodes - 2);
      const x = new Float64Array(size);
      readVector(x, layout, drawn, p);
      writeVector(p, x, layout, drawn);
      const J = new Float64Array(COLUMN * size);
      writeJacobian(J, layout, drawn, p);
      const at = (value: Float64Array): Float64Array => {
        writeVector(p, value, layout, drawn);
        const f = new Float64Array(4 * drawn.nodes + COLUMN);
        addForces(f, drawn, p);
        return f.map((force, k) => force * (drawn.scale[k] ?? 0));
      };
      for (let column = 0; column < size; column++) {
        const step = 1e-6;
        const up = at(x.map((value, k) => (k === column ? value + step : value)));
        const down = at(x.map((value, k) => (k === column ? value - step : value)));
        const first = 4 * Math.floor(column / layout.entries);
        const scale = Math.max(...J.slice(COLUMN * column, COLUMN * (column + 1)).map(Math.abs), 1);
        for (let k = 0; k < 4 * drawn.nodes; k++) {
          const inside = k >= first && k < first + COLUMN;
          const expected = inside ? J[COLUMN * column + k - first] : 0;
          expect(Math.abs((up[k] - down[k]) / (2 * step) - expected)).toBeLessThan(1e-5 * scale);
        }
      }
    }
  });
});

describe('internal forces of a cantilever', () => {
  it('of a hanging strand are the weights below, which the rest lengths then give', () => {
    const n = 30;
    const drawn = draw(straight(n, 0.3, 0, -1), soft(1e9, 1e3));
    const forces = createInternalForces(n);
    findInternalForces(forces, drawn);
    const p = solveDetermined(drawn);
    let below = 0;
    for (let i = n - 2; i > 0; i--) {
      below += drawn.mass[i + 1] * 9.81;
      expect(forces.tension[i] / below).toBeCloseTo(1, 12);
      const strain = drawn.length[i] / p.restLength[i] - 1;
      expect((drawn.stretch * p.stretchFactor[i] * strain) / below).toBeCloseTo(1, 12);
    }
  });

  it('of a level strand are the moments of the weights beyond', () => {
    const n = 30;
    const length = 0.06;
    const drawn = draw(straight(n, length, 1, 0), soft(1e9));
    const p = solveDetermined(drawn);
    for (let i = 1; i < n - 1; i++) {
      let moment = 0;
      for (let k = i + 1; k < n; k++) moment += (drawn.mass[k] * 9.81 * (k - i) * length) / (n - 1);
      // Both pairs of curvatures carry half: M = EI β/ℓ |κ̄ − κ|.
      const bent = Math.sqrt(p.restCurvature[4 * i] ** 2 + p.restCurvature[4 * i + 1] ** 2);
      expect((drawn.bend * p.bendFactor[i] * bent) / drawn.length[i] / moment).toBeCloseTo(1, 6);
    }
  });

  it('leave no force on curls of hair and of very soft strands, within the bounds', () => {
    for (const [material, curvatureChange] of [
      [HAIR, 1],
      [HAIR, 0.02],
      [soft(1e8), 0.5],
    ] as const) {
      const drawn = draw(curl(100), material);
      const bounds = { ...DEFAULT_BOUNDS, curvatureChange, twistChange: curvatureChange / 4 };
      const p = solveDetermined(drawn, bounds);
      expect(forceOf(drawn, p)).toBeLessThan(1e-11);
      for (let i = 1; i < 99; i++) {
        for (let j = 4 * i; j < 4 * i + 4; j++) {
          expect(Math.abs(p.restCurvature[j] - drawn.curvature[j])).toBeLessThan(curvatureChange * (1 + 1e-12));
        }
        expect(p.bendFactor[i]).toBeGreaterThanOrEqual(1);
        expect(Math.abs(p.restTwist[i])).toBeLessThanOrEqual(curvatureChange / 4);
      }
    }
  });
});

describe('the augmented Lagrangian', () => {
  const softest = draw(straight(30, 0.3, 0, -1), soft(1e9, 1e2));
  const short = { ...DEFAULT_BOUNDS, shortest: 0.01 };
  const level = draw(straight(30, 0.06, 1, 0), soft(1e9));
  const tight = { ...DEFAULT_BOUNDS, curvatureChange: 0.2, twistChange: 0.05 };

  it('holds the vertical strand in about the 25 Newton steps of the paper, where the methods before it fail', () => {
    const { result } = optimise(softest, short);
    expect(result.force).toBeLessThan(1e-6);
    expect(result.steps).toBeGreaterThanOrEqual(20);
    expect(result.steps).toBeLessThanOrEqual(30);
    expect(optimise(softest, short, { stiffness: false }).result.force).toBeGreaterThan(0.1);
    expect(optimise(softest, short, { hard: false, penalty: 1e4 }).result.force).toBeGreaterThan(0.1);
  });

  it('holds the level strand with μ = 0.2, where the methods before it fail', () => {
    const { result } = optimise(level, tight);
    expect(result.force).toBeLessThan(1e-6);
    expect(optimise(level, tight, { stiffness: false }).result.force).toBeGreaterThan(0.1);
    expect(optimise(level, tight, { hard: false, penalty: 1e4 }).result.force).toBeGreaterThan(0.1);
  });

  it('finds the parameters that follow from the internal forces', () => {
    for (const [drawn, bounds] of [
      [softest, short],
      [level, tight],
    ] as const) {
      const { parameters } = optimise(drawn, bounds);
      const direct = solveDetermined(drawn, bounds);
      for (const name of ['bendFactor', 'stretchFactor', 'twistFactor', 'restCurvature', 'restTwist'] as const) {
        direct[name].forEach((value, k) => {
          expect(Math.abs(parameters[name][k] - value)).toBeLessThan(1e-6);
        });
      }
    }
  });

  it('finds equilibrium of a coil of 2000 vertices with two rest curvatures as with four', () => {
    const coil = draw(curl(2000, 1 / 3, 40), soft(1e9));
    const free = { ...DEFAULT_BOUNDS, curvatureChange: 1e9, twistChange: 1e9 };
    const two = optimise(coil, free, { stiffness: false, mostSteps: 30 }).result;
    const four = optimise(coil, free, { stiffness: false, curvatures: 4, mostSteps: 30 }).result;
    expect(two.force).toBeLessThan(1e-4);
    expect(four.force).toBeLessThan(1e-4);
  });
});

describe('a baked strand', () => {
  const outcome = {} as StrandOutcome;
  const bake = (points: Float64Array, options: object, loads: object = {}, material = HAIR) => {
    const n = points.length / 3;
    const baker = createBaker(n, resolveSagFree('test', options));
    const all = { gravity: [0, -9.81, 0], forces: null, clampEnd: false, ...loads };
    bakeStrand(outcome, baker, points, 0, n, material, all);
    return baker;
  };

  it('is stable where it was not, and keeps the equilibrium', () => {
    bake(curl(60), { stabilise: false });
    expect(outcome.eigenvalue).toBeLessThan(0);
    bake(curl(60), {});
    expect(outcome.eigenvalue).toBeGreaterThan(0);
    expect(outcome.floor).toBeGreaterThan(1);
    expect(outcome.force).toBeLessThan(1e-10);
  });

  it('tells the force that is left where the bounds do not suffice', () => {
    bake(curl(60), { stiffest: 1, curvatureChange: 0.01, stabilise: false });
    expect(outcome.force).toBeGreaterThan(0.1);
    bake(curl(60), { change: 'rest-shape', curvatureChange: 0.01 });
    expect(outcome.force).toBeGreaterThan(0.1);
    expect(outcome.bend).toBe(1);
  });

  it('takes given forces into account, as of contacts', () => {
    const n = 40;
    const points = straight(n, 0.05, 1, 0);
    const baker = bake(points, {});
    const forces = Float64Array.from({ length: 3 * n }, (_, k) =>
      k % 3 === 1 ? 9.81 * baker.drawn.mass[Math.floor(k / 3)] : 0,
    );
    // A surface that bears every node leaves nothing to change.
    const borne = bake(points, {}, { forces });
    for (let i = 4; i < 4 * (n - 1); i++) expect(Math.abs(borne.parameters.restCurvature[i])).toBeLessThan(1e-12);
  });

  it('is no worse than the drawn shape where nothing helps, and is reported', () => {
    // Pressed beyond any stiffness that it may have.
    const pressed = { stiffest: 1, stabilise: false };
    const { parameters } = bake(straight(20, 0.3, 0, 1), pressed, {}, { ...HAIR, stretchModulus: 1000 });
    expect(outcome.force).toBeGreaterThan(1e-6);
    for (let i = 0; i < 20; i++) expect(parameters.restLength[i]).toBeLessThan(1e6);
    // Without room for a change the force of the drawn shape is left, the weight of the nodes.
    bake(curl(30, 1 / 3), { change: 'rest-shape', curvatureChange: 1e-4 });
    expect(outcome.force).toBeGreaterThan(1e-6);
    expect(outcome.force).toBeLessThan(1.5);
  });

  it('may be held at both ends', () => {
    for (const n of [30, 60, 100]) {
      bake(curl(n, 1 / 3), {}, { clampEnd: true });
      expect(outcome.force).toBeLessThan(1e-6);
      expect(outcome.eigenvalue).toBeGreaterThan(0);
    }
  });
});
