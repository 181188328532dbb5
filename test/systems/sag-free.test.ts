// Sag-free grooms as games use them: they stay as drawn, come back after they were
// shaken, and say what they could not do.

import { createWorld } from 'bitecs';
import { describe, expect, it } from 'vitest';
import {
  addGroom,
  addRigidBody,
  addRod,
  addScene,
  createPhysics,
  enableSagFree,
  type GroomSpec,
  type Physics,
  type RodSpec,
  readGroom,
  readScene,
  removeRod,
  rodContactForces,
  rodPositions,
  sceneSettings,
  setKinematicTarget,
  UsageError,
} from '../../src/index';
import { writeBaked } from '../../src/scene/grooms/baked-groom';
import { bakeStrands } from '../../src/static-equilibrium/bake-strands';
import { resolveSagFree } from '../../src/static-equilibrium/sag-free-options';
import { longTest } from '../setup/suite';
import { HAIR } from '../static-equilibrium/strands';

const POINTS = 24;

/** A tuft: strands that lie, curl, stand and hang. */
function tuft(): { counts: Int32Array; positions: Float64Array } {
  const strands: number[] = [];
  for (let s = 0; s < 4; s++) {
    for (let i = 0; i < POINTS; i++) {
      const t = i / (POINTS - 1);
      const along = [0.15 * t, 0.1 * t + 0.01 * Math.cos(15 * t), 0.02 * Math.sin(12 * t), 0][s];
      const up = [0, -0.1 * t, 0.16 * t, -0.12 * t][s];
      const side = 0.05 * s + (s === 1 ? 0.01 * Math.sin(15 * t) : 0);
      strands.push(along, up, side);
    }
  }
  // As a file has them: single precision.
  return { counts: new Int32Array(4).fill(POINTS), positions: Float64Array.from(new Float32Array(strands)) };
}

/**
 * Farthest that a node is from where it was drawn, of its strand's length [1]; the tuft's shortest strand is 0.12 m.
 */
function drift(physics: Physics, groom: number, drawn: Float64Array): number {
  const now = rodPositions(physics, groom);
  let worst = 0;
  for (let i = 0; i < drawn.length; i += 3) {
    const square = [0, 1, 2].reduce((sum, k) => sum + (now[i + k] - drawn[i + k]) ** 2, 0);
    worst = Math.max(worst, Math.sqrt(square) / 0.12);
  }
  return worst;
}

const LOOSE = { selfContact: false, mask: 0, canSleep: false, damping: 0.01, airDrag: 1 };

function stepFor(physics: Physics, seconds: number): void {
  for (let k = 0; k < 60 * seconds; k++) physics.step();
}

describe('a sag-free groom', () => {
  for (const backend of ['wasm', 'reference'] as const) {
    (backend === 'wasm' ? it : longTest)(`stays as drawn and comes back after its head was shaken (${backend})`, () => {
      const { counts, positions } = tuft();
      const physics = createPhysics(createWorld(), { elastic: { backend } });
      const sagFree = enableSagFree(physics);
      const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.01 }, layers: 0 });
      const strands = { counts, positions };
      const groom = addGroom(physics, { strands, attach: head, sagFree: true, ...LOOSE });
      stepFor(physics, 10);
      expect(drift(physics, groom, positions)).toBeLessThan(1e-3);
      for (let k = 1; k <= 60; k++) {
        setKinematicTarget(physics, head, [0.02 * Math.sin((2 * Math.PI * k) / 20), 0, 0]);
        physics.step();
      }
      expect(drift(physics, groom, positions)).toBeGreaterThan(0.02);
      stepFor(physics, 10);
      expect(drift(physics, groom, positions)).toBeLessThan(0.01);

      const report = sagFree.report(groom);
      expect([report.forceLeft, report.unstable]).toEqual([[], []]);
      expect(report.stiffened.map(({ strand }) => strand)).toContain(2);
    });
  }

  it('sags without', () => {
    const strands = tuft();
    const physics = createPhysics(createWorld());
    const groom = addGroom(physics, { strands, ...LOOSE });
    stepFor(physics, 2);
    expect(drift(physics, groom, strands.positions)).toBeGreaterThan(0.1);
  });

  it('names strands that cannot reach equilibrium or would not stay', () => {
    const physics = createPhysics(createWorld());
    const sagFree = enableSagFree(physics);
    const strands = tuft();
    const tight = addGroom(physics, { strands, sagFree: { curvatureChange: 0.001, stiffest: 1.01 } });
    expect(sagFree.report(tight).forceLeft.map(({ strand }) => strand)).toContain(0);
    const free = addGroom(physics, { strands, sagFree: { stabilise: false } });
    expect(sagFree.report(free).unstable).toContain(2);
    expect(() => sagFree.report(99)).toThrow(UsageError);
    // An edge of a micrometre among ones of a centimetre is not kept by the engine's steps.
    const uneven = { counts: [6], positions: [0, 0.01, 0.010001, 0.02, 0.03, 0.05].flatMap((x) => [x, 0, 0]) };
    expect(sagFree.report(addGroom(physics, { strands: uneven, sagFree: true })).unstable).toEqual([0]);
    // Another entity may get the number of one that is gone.
    removeRod(physics, free);
    const ball = addRigidBody(physics, { shape: { sphere: 1 } });
    expect(ball).toBe(free);
    expect(() => sagFree.report(ball)).toThrow('report: entity must be a rod or groom that was added with sagFree');
  });

  it('is refused where it makes no sense', () => {
    const physics = createPhysics(createWorld());
    const strands = tuft();
    const refused = (spec: Partial<GroomSpec>, text: string): void => {
      expect(() => addGroom(physics, { strands, sagFree: true, ...spec })).toThrow(text);
    };
    refused({}, 'addGroom: sagFree needs a call of enableSagFree(physics) before');
    enableSagFree(physics);
    const two = { counts: [3, 2], positions: [0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0, 1, 1, 0] };
    refused(
      { strands: two },
      'addGroom: strand 1 must have at least 3 points to be sag-free (resample the groom), got 2',
    );
    refused({ clampStart: false }, 'addGroom: clampStart must be true with sagFree, got false');
    refused({ restPositions: strands.positions.slice() }, 'addGroom: sagFree must not be given with restPositions');
    refused({ sagFree: { curvatureChange: -1 } }, 'addGroom: sagFree.curvatureChange must be > 0');
    refused({ sagFree: { stiffest: 0.5 } }, 'addGroom: sagFree.stiffest must be >= 1, got 0.5');
    refused({ sagFree: { stiffest: 2e6 } }, 'addGroom: sagFree.stiffest must be <= 1000000, got 2000000');
    refused({ sagFree: { stiff: 1 } as object }, 'addGroom: unknown key of sagFree; known are ');
    refused({ attach: 12345 }, 'attach');
  });
});

describe('a sag-free rod', () => {
  const points = Array.from({ length: 21 }, (_, i) => [0.03 * i, 0.1 * Math.sin(0.15 * i), 0.02 * Math.cos(0.3 * i)]);
  const CABLE = { radius: 0.004, density: 1200, youngModulus: 5e6, shearModulus: 2e6, stretchModulus: 5e6 };
  const drawn = Float64Array.from(points.flat());

  it('stays as drawn, alone, in a scene, and held at both ends', () => {
    for (const clampEnd of [false, true]) {
      const physics = createPhysics(createWorld());
      const sagFree = enableSagFree(physics);
      const rod = addRod(physics, { points, clampStart: true, clampEnd, sagFree: true, ...CABLE, ...LOOSE });
      const naive = addRod(physics, { points, clampStart: true, clampEnd, ...CABLE, ...LOOSE });
      expect(sagFree.report(rod).forceLeft).toEqual([]);
      stepFor(physics, 5);
      expect(drift(physics, rod, drawn)).toBeLessThan(clampEnd ? 1e-4 : 1e-9);
      expect(drift(physics, naive, drawn)).toBeGreaterThan(0.01);
    }
    const rods = [{ name: 'rod', points, clampStart: true, sagFree: true, ...CABLE }];
    const scene = readScene(JSON.stringify({ version: 1, rods }));
    const physics = createPhysics(createWorld(), sceneSettings(scene));
    enableSagFree(physics);
    const eid = addScene(physics, scene).rods.get('rod')!;
    stepFor(physics, 2);
    expect(drift(physics, eid, drawn)).toBeLessThan(1e-9);
  });

  it('is refused where it makes no sense, before a bake', () => {
    const physics = createPhysics(createWorld());
    const refused = (spec: Partial<RodSpec>, text: string): void => {
      expect(() => addRod(physics, { points, clampStart: true, sagFree: true, ...CABLE, ...spec })).toThrow(text);
    };
    refused({}, 'addRod: sagFree needs a call of enableSagFree(physics) before');
    enableSagFree(physics);
    refused({ clampStart: false }, 'addRod: clampStart must be true with sagFree, got false');
    refused({ points: points.slice(0, 2) }, 'addRod: points must be at least 3 with sagFree, got 2');
    refused({ restPoints: points }, 'addRod: sagFree must not be given with restPoints');
    refused({ twist: new Array(20).fill(0) }, 'addRod: sagFree must not be given with twist');
    refused({ rest: {} }, 'addRod: sagFree must not be given with rest');
    refused({ attachStart: 12345 }, 'attachStart');
    refused({ sagFree: { curvatureChange: 0 } }, 'addRod: sagFree.curvatureChange must be > 0');
    const file = (sagFree: unknown) => JSON.stringify({ version: 1, rods: [{ points, clampStart: true, sagFree }] });
    expect(() => readScene(file({ stiff: 2 }))).toThrow('sagFree');
  });
});

describe('forces of contacts', () => {
  it('of a strand that lies on the floor add up to its weight', () => {
    const physics = createPhysics(createWorld());
    addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
    const rope = { radius: 0.005, density: 1000, youngModulus: 1e6 };
    const points = Array.from({ length: 11 }, (_, i) => [0.02 * i, 0.006, 0]);
    const rod = addRod(physics, { points, canSleep: false, ...rope });
    stepFor(physics, 2);
    const forces = rodContactForces(physics, rod);
    const up = forces.reduce((sum, force, k) => sum + (k % 3 === 1 ? force : 0), 0);
    expect(up / (1000 * Math.PI * 0.005 ** 2 * 0.2 * 9.81)).toBeCloseTo(1, 2);
  });

  it('taken as given leave less to change: a strand borne on the floor keeps its straight rest shape', () => {
    const physics = createPhysics(createWorld());
    enableSagFree(physics);
    const n = 12;
    const positions = Float64Array.from({ length: 3 * n }, (_, k) => (k % 3 === 0 ? (0.05 * k) / (3 * n) : 0));
    const strands = { counts: [n], positions };
    expect(() => addGroom(physics, { strands, sagFree: { forces: [1, 2] } })).toThrow(
      'sagFree.forces must be 36 numbers [N]',
    );
    const lengths = 0.05 / n;
    const line = HAIR.density * Math.PI * HAIR.radius ** 2 * 9.81 * lengths;
    const forces = Float64Array.from({ length: 3 * n }, (_, k) =>
      k % 3 === 1 ? line * (k > 3 * (n - 1) ? 0.5 : 1) : 0,
    );
    // Borne in full, nothing is left to bear: it is the same as a strand at rest in its drawn shape.
    const groom = addGroom(physics, { strands, gravityScale: 1, sagFree: { forces }, ...LOOSE, ...HAIR });
    const plain = addGroom(physics, { strands, ...LOOSE, ...HAIR });
    stepFor(physics, 0.2);
    const [a, b] = [groom, plain].map((eid) => rodPositions(physics, eid));
    for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-7);
  });
});

describe('a baked groom', () => {
  const strands = tuft();
  const gravity: [number, number, number] = [0, -9.81, 0];
  const job = { for: { ...HAIR, gravity, clampEnd: false }, settings: resolveSagFree('test', true) };
  const bytes = writeBaked(strands, job.for, bakeStrands(strands, job));

  it('is what addGroom makes itself, bit for bit, wherever its parts were baked', () => {
    const made = createPhysics(createWorld());
    enableSagFree(made);
    const read = createPhysics(createWorld());
    addGroom(made, { strands, sagFree: true, ...LOOSE, ...HAIR });
    addGroom(read, { strands: readGroom(bytes), ...LOOSE });
    stepFor(made, 0.5);
    stepFor(read, 0.5);
    expect(read.hash()).toBe(made.hash());

    const whole = bakeStrands(strands, job);
    const part = bakeStrands(strands, job, 1, 3);
    expect(part.nodes).toEqual(whole.nodes.slice(7 * POINTS, 21 * POINTS));
  });

  it('is refused for other material, other gravity, and cut short', () => {
    const baked = readGroom(bytes);
    const physics = createPhysics(createWorld());
    expect(() => addGroom(physics, { strands: baked, youngModulus: 1e9 })).toThrow(
      'addGroom: youngModulus must be 4000000000, which the strands were baked for, got 1000000000',
    );
    expect(() => addGroom(physics, { strands: baked, gravityScale: 2 })).toThrow('which the strands were baked for');
    expect(() => addGroom(physics, { strands: baked, clampEnd: true })).toThrow('clampEnd must be false, which');
    expect(() => readGroom(bytes.subarray(0, 500))).toThrow('readGroom: baked file must have');
    expect(() => readGroom(bytes.subarray(0, 50))).toThrow('readGroom: baked file must have 88 bytes');
  });

  it('stands in a scene as it was baked, and a scene may ask for sag-free strands itself', () => {
    const rod = { radius: HAIR.radius, shearModulus: HAIR.shearModulus, selfContact: false, mask: 0 };
    const scene = (groom: object) =>
      readScene(JSON.stringify({ version: 1, grooms: [{ name: 'tuft', file: 'tuft.sag', rod, ...groom }] }));
    const add = (groom: object): [Physics, number] => {
      const read = scene(groom);
      const physics = createPhysics(createWorld(), sceneSettings(read));
      const { rods } = addScene(physics, read, { readFile: () => bytes });
      return [physics, rods.get('tuft')!];
    };
    const [physics, eid] = add({});
    stepFor(physics, 1);
    expect(drift(physics, eid, strands.positions)).toBeLessThan(1e-3);
    expect(() => add({ vertices: 5 })).toThrow('a baked groom must have no vertices');
    expect(() => add({ sagFree: true })).toThrow('sagFree');
    expect(() => scene({ sagFree: { stiffest: 0.1 } })).toThrow('sagFree');
    expect(scene({ sagFree: true }).grooms[0].sagFree).toBe(true);
  });
});
