import { createWorld, entityExists } from 'bitecs';
import { expect, test } from 'vitest';
import { gummyBear } from '../../demos/scenes/gummy-shape';
import {
  addRigidBody,
  addSolid,
  attach,
  attachmentDistance,
  createPhysics,
  loadGame,
  type Physics,
  type PhysicsSettings,
  pinVertex,
  placeSolid,
  removeSolid,
  type SolidSpec,
  saveGame,
  solidPositions,
  solidVelocities,
  unpinVertex,
} from '../../src/index';
import { box } from '../mechanics/solid/solid-world';
import { bySuite } from '../setup/suite';

const world = (settings: PhysicsSettings = {}) => createPhysics(createWorld(), { userTiming: false, ...settings });

/** A cube of 2 × 2 × 2 cells, 0.4 m wide, standing at a height. */
function cube(height: number, over: Partial<SolidSpec> = {}): SolidSpec {
  const mesh = box([2, 2, 2], [-0.2, height, -0.2], [0.2, height + 0.4, 0.2]);
  return { vertices: mesh.vertices, tetrahedra: mesh.tetrahedra, youngModulus: 5e4, radius: 0.005, ...over };
}

function ground(physics: Physics): void {
  addRigidBody(physics, { type: 'static', shape: { plane: [0, 1, 0] } });
}

function steps(physics: Physics, count: number): void {
  for (let k = 0; k < count; k++) physics.step();
}

/** Least and greatest coordinate along an axis. */
function extent(positions: Float64Array, axis: number): [number, number] {
  const along = positions.filter((_, k) => k % 3 === axis);
  return [Math.min(...along), Math.max(...along)];
}

const fastest = (physics: Physics, eid: number) => Math.max(...solidVelocities(physics, eid).map(Math.abs));

test.each(['reference', 'wasm'] as const)(
  'a cube falls, lands on its radius, sags by its weight and rests (%s)',
  (backend) => {
    const physics = world({ elastic: { backend }, sleeping: false });
    ground(physics);
    const eid = addSolid(physics, cube(0.1));
    steps(physics, 90);
    const [low, high] = extent(solidPositions(physics, eid), 1);
    expect(Math.abs(low - 0.005)).toBeLessThan(5e-4);
    // Under its own weight the middle column gives ρ g h²/2E = 16 mm at most; all of it is within a few per cent.
    expect(high - low).toBeLessThan(0.4);
    expect(high - low).toBeGreaterThan(0.38);
    expect(fastest(physics, eid)).toBeLessThan(0.01);
    expect(physics.report.quarantined).toEqual([]);
  },
);

test('it falls asleep at rest with what lies on it, and wakes', () => {
  const physics = world();
  ground(physics);
  const eid = addSolid(physics, cube(0.006, { damping: 0.02 }));
  steps(physics, 240);
  expect(physics.report.strands.asleep).toBe(1);
  const before = solidPositions(physics, eid);
  steps(physics, 30);
  expect(solidPositions(physics, eid)).toEqual(before);
  physics.setGravity([0, 5, 0]);
  steps(physics, 10);
  expect(extent(solidPositions(physics, eid), 1)[0]).toBeGreaterThan(extent(before, 1)[0]);
});

test('pins hold vertices in the world and on bodies, joints tie them to bodies that move', () => {
  const physics = world({ elastic: { backend: 'wasm' }, sleeping: false });
  const arm = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.05 }, position: [0, 3, 0] });
  const eid = addSolid(physics, cube(1, { pins: [0, { vertex: 2, body: arm }] }));
  const start = solidPositions(physics, eid).slice(0, 9);
  const weight = addRigidBody(physics, { shape: { sphere: 0.05 }, mass: 0.5, position: [0.2, 0.9, 0.2], mask: 0 });
  const joint = attach(physics, { solid: eid, vertex: 20, body: weight });
  const { Velocity } = physics.components;
  Velocity.linear.y[arm] = 0.3;
  steps(physics, 30);
  const now = solidPositions(physics, eid);
  for (let k = 0; k < 3; k++) expect(now[k]).toBeCloseTo(start[k], 9);
  expect(now[7] - start[7]).toBeCloseTo(0.15, 6);
  expect(attachmentDistance(physics, joint)).toBeLessThan(0.01);
  pinVertex(physics, eid, 0, { point: [start[0], start[1] + 0.1, start[2]] });
  physics.step();
  expect(solidPositions(physics, eid)[1]).toBeCloseTo(start[1] + 0.1, 9);
  unpinVertex(physics, eid, 0);
  physics.step();
  expect(solidPositions(physics, eid)[1]).not.toBeCloseTo(start[1] + 0.1, 4);
});

test('snapshots and saved games repeat to the bit, meshes included', () => {
  const physics = world();
  ground(physics);
  const surface = { vertices: [0, 0.3, 0, 0.1, 0.3, 0, 0, 0.35, 0.1], triangles: [0, 1, 2] };
  const eid = addSolid(physics, cube(0.1, { model: 'neo-hookean', surface }));
  steps(physics, 10);
  const kept = physics.snapshot();
  const bytes = saveGame(physics);
  steps(physics, 15);
  const hash = physics.hash();
  physics.interpolate(1);
  const drawn = physics.solids.positions.slice(0, 9);
  physics.restore(kept);
  steps(physics, 15);
  expect(physics.hash()).toBe(hash);
  physics.interpolate(1);
  expect(physics.solids.positions.slice(0, 9)).toEqual(drawn);
  const other = world();
  const numbers = loadGame(other, bytes);
  steps(other, 15);
  expect(other.hash()).toBe(hash);
  other.interpolate(1);
  physics.interpolate(1);
  expect(other.solids.positions.slice(0, 9)).toEqual(physics.solids.positions.slice(0, 9));
  expect(other.components.Solid.vertexCount[numbers.get(eid)!]).toBe(3);
});

test('the boundary is drawn, or a finer surface that goes along with the tetrahedra', () => {
  const physics = world({ gravity: [0, 0, 0] });
  const plain = addSolid(physics, cube(0));
  const surface = { vertices: [-0.1, 0.1, 0, 0.1, 0.1, 0, 0, 0.3, 0.05], triangles: [[0, 1, 2]] };
  const fine = addSolid(physics, cube(1, { surface, restVertices: cube(0).vertices }));
  physics.step();
  physics.interpolate(1);
  const { Solid } = physics.components;
  const { solids } = physics;
  expect([Solid.vertexCount[plain], Solid.triangleCount[plain]]).toEqual([27, 48]);
  expect([Solid.firstVertex[fine], Solid.vertexCount[fine], Solid.triangleCount[fine]]).toEqual([27, 3, 1]);
  expect([solids.vertexCount, solids.triangleCount]).toEqual([30, 49]);
  // Made from the shape at rest, drawn where the solid is: one metre higher.
  const drawn = solids.positions.subarray(81, 90);
  surface.vertices.forEach((x, k) => {
    expect(drawn[k]).toBeCloseTo(x + (k % 3 === 1 ? 1 : 0), 5);
  });
  for (let v = 27; v < 30; v++) expect(Math.hypot(...solids.normals.subarray(3 * v, 3 * v + 3))).toBeCloseTo(1, 6);
  removeSolid(physics, plain);
  physics.step();
  expect(entityExists(physics.world, plain)).toBe(false);
  expect([Solid.firstVertex[fine], solids.vertexCount]).toEqual([0, 3]);
  expect(() => solidPositions(physics, plain)).toThrow('solidPositions: entity must be a solid of this world');
});

test('columns change the material from the next step on; radius and density are fixed', () => {
  const physics = world();
  const eid = addSolid(physics, cube(1));
  physics.step();
  const { Solid } = physics.components;
  expect([Solid.youngModulus[eid], Solid.poissonRatio[eid], Solid.radius[eid]]).toEqual([5e4, 0.3, 0.005]);
  Solid.youngModulus[eid] = 2e4;
  Solid.density[eid] = 5;
  physics.step();
  expect([Solid.youngModulus[eid], Solid.density[eid]]).toEqual([2e4, 1000]);
  const { rods } = physics.internal.engine.tables;
  expect(rods.parameter[4]).toBe(2e4);
});

test('a ratio below 0 is for corotated solids alone, in the column too', () => {
  const physics = world({ gravity: [0, 0, 0] });
  const [plain, rubber] = [cube(1), cube(2, { model: 'neo-hookean' })].map((spec) => addSolid(physics, spec));
  const { Solid } = physics.components;
  Solid.poissonRatio[plain] = Solid.poissonRatio[rubber] = -0.9;
  physics.step();
  expect([Solid.poissonRatio[plain], Solid.poissonRatio[rubber]]).toEqual([-0.9, 0.3]);
  expect(physics.report.limits).toEqual([
    `Solid.poissonRatio of entity ${rubber}: must be >= 0; the one before stays, got -0.9`,
  ]);
});

/** Largest difference of the distance of two vertices from that at rest, over the extent [-]. */
function distortion(x: Float64Array, rest: ArrayLike<number>): number {
  const count = rest.length / 3;
  const far = (p: ArrayLike<number>, i: number, j: number) =>
    Math.hypot(...[0, 1, 2].map((k) => p[3 * i + k] - p[3 * j + k]));
  let [worst, most] = [0, 0];
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i; j++) {
      worst = Math.max(worst, Math.abs(far(x, i, j) - far(rest, i, j)));
      most = Math.max(most, far(rest, i, j));
    }
  }
  return worst / most;
}

const bear = gummyBear(0.36, 5, 0.006);

const STARTS = [
  ['fixed-corotated', 0.49, 'flat'],
  ['neo-hookean', 0.3, 'inside out'],
  ['fixed-corotated', 0.3, 'inside out'],
  ['neo-hookean', 0.3, 'flat'],
  ['corotated', 0.3, 'flat'],
  ['fixed-corotated', 0.3, 'flat'],
  ['corotated', 0.49, 'inside out'],
  ['fixed-corotated', 0.49, 'inside out'],
  ['neo-hookean', 0.49, 'inside out'],
  ['fixed-corotated', 0.45, 'a point'],
  ['fixed-corotated', 0.49, 'a point'],
] as const;

test.each(bySuite(STARTS.slice(0, 2), [...STARTS]))(
  'a %s toy with a ratio of %f that starts %s has its shape again within two seconds',
  (model, poissonRatio, how) => {
    const rest = bear.vertices.flat();
    const flat = how === 'flat' ? 0 : -1;
    const vertices = rest.map((x, k) => (how === 'a point' ? 0 : k % 3 === 1 ? flat * x : x));
    for (const timeStep of bySuite([1 / 60], [1 / 60, 1 / 120])) {
      const physics = world({ gravity: [0, 0, 0], timeStep });
      const eid = addSolid(physics, {
        ...{ vertices, restVertices: rest, tetrahedra: bear.tetrahedra.flat(), model, poissonRatio, youngModulus: 5e4 },
      });
      while (physics.time < 2 - 1e-9) physics.step();
      expect(distortion(solidPositions(physics, eid), rest)).toBeLessThan(0.01);
    }
  },
);

// By the softer law of what is crushed the load would press it flat for good.
test('a block that is pressed below a tenth of its volume in places bears its load on', () => {
  const physics = world();
  ground(physics);
  const mesh = box([4, 3, 4], [-0.2, 0.005, -0.2], [0.2, 0.305, 0.2]);
  const material = {
    model: 'neo-hookean',
    youngModulus: 3e4,
    poissonRatio: 0.3,
    damping: 0.02,
    radius: 0.005,
  } as const;
  addSolid(physics, { ...material, vertices: mesh.vertices, tetrahedra: mesh.tetrahedra });
  const plate = addRigidBody(physics, { shape: { box: [0.25, 0.1, 0.25] }, mass: 600, position: [0, 0.43, 0] });
  steps(physics, 120);
  const heights = Array.from({ length: 120 }, () => {
    physics.step();
    return physics.components.Transform.position.y[plate];
  });
  expect(Math.min(...heights)).toBeGreaterThan(0.19);
});

// Deep contacts that pushed with no more than a few times their node's mass left a cage's corners 24 mm down, asleep.
test.each([
  ['plane', { plane: [0, 1, 0] }, 0],
  ['box', { box: [1, 0.5, 1] }, -0.5],
] as const)('a toy that begins in the ground under a crate comes out of it: %s', (_name, shape, y) => {
  const physics = world();
  addRigidBody(physics, { type: 'static', shape, position: [0, y, 0] });
  const lowered = bear.vertices.flatMap(([u, v, w]) => [u, v - 0.05, w]);
  const material = { radius: 0.006, youngModulus: 2e6, density: 1200, damping: 0.025 };
  const toy = addSolid(physics, { ...material, vertices: lowered, tetrahedra: bear.tetrahedra.flat() });
  addRigidBody(physics, { shape: { box: [0.2, 0.05, 0.2] }, mass: 100, position: [0, 0.39, 0] });
  steps(physics, 120);
  const heights = solidPositions(physics, toy).filter((_x, k) => k % 3 === 1);
  expect(Math.min(...heights)).toBeGreaterThan(0.0055);
});

test('placed flat it springs back to its shape', () => {
  const physics = world({ gravity: [0, 0, 0] });
  const spec = cube(0, { youngModulus: 1e5, damping: 0.01 });
  const eid = addSolid(physics, spec);
  placeSolid(
    physics,
    eid,
    Float64Array.from(spec.vertices as Float64Array, (x, k) => (k % 3 === 1 ? 0 : x)),
  );
  steps(physics, 120);
  // Its shape: all distances. Where it is and how it is turned is its own affair.
  const x = solidPositions(physics, eid);
  const rest = spec.vertices as Float64Array;
  const far = (p: Float64Array, i: number, j: number) =>
    Math.hypot(...[0, 1, 2].map((k) => p[3 * i + k] - p[3 * j + k]));
  let worst = 0;
  for (let i = 0; i < 27; i++)
    for (let j = 0; j < i; j++) worst = Math.max(worst, Math.abs(far(x, i, j) - far(rest, i, j)));
  expect(worst).toBeLessThan(0.004);
});

test.each<[Record<string, unknown>, string]>([
  [{ tetrahedra: [[0, 1, 2, 99]] }, 'addSolid: tetrahedra[0] must be 4 indices of vertices, 0..26, got 99'],
  [{ tetrahedra: [0, 1, 2] }, 'addSolid: tetrahedra must be 4 indices a tetrahedron, got 3 indices'],
  [{ poissonRatio: 0.5 }, 'addSolid: poissonRatio must be -0.9..0.49, got 0.5'],
  [
    { poissonRatio: -0.1, model: 'neo-hookean' },
    'addSolid: poissonRatio must be >= 0 with model neo-hookean, got -0.1',
  ],
  [{ youngModulus: 0 }, 'addSolid: youngModulus must be > 0 [Pa], got 0'],
  [{ model: 'rubber' }, 'addSolid: model must be one of corotated, fixed-corotated, neo-hookean, got "rubber"'],
  // Names that every object has are no models, nor is what cannot be made a name.
  [{ model: 'toString' }, 'addSolid: model must be one of corotated, fixed-corotated, neo-hookean, got "toString"'],
  [{ model: Object.create(null) }, 'addSolid: model must be one of corotated, fixed-corotated, neo-hookean'],
  [{ pins: [27] }, 'addSolid: pins[0] must be the number of a vertex, 0..26, got 27'],
  [{ vertices: [[0, 0, 0]] }, 'addSolid: vertices must have at least 4 points, got 1'],
  [
    {
      surface: {
        vertices: [
          [0, 0.2, 0],
          [0, 0.3, 0],
          [9, 0, 0],
        ],
        triangles: [[0, 1, 2]],
      },
    },
    'addSolid: surface.vertices[2] must be within the tetrahedra',
  ],
  [{ stiffness: 3 }, 'addSolid: unknown key; known are radius'],
])('wrong input is refused by name, index and value: %#', (over, message) => {
  const physics = world();
  expect(() => addSolid(physics, cube(0, over as Partial<SolidSpec>))).toThrow(message);
});

test('an inverted tetrahedron and a part of its own are refused by index', () => {
  const physics = world();
  const spec = cube(0);
  const swapped = Int32Array.from(spec.tetrahedra as Int32Array);
  [swapped[20], swapped[21]] = [swapped[21], swapped[20]];
  expect(() => addSolid(physics, { ...spec, tetrahedra: swapped })).toThrow(
    /^addSolid: tetrahedra\[5\]: volume must be > 0/,
  );
  const a = box([1, 1, 1], [0, 0, 0], [1, 1, 1]);
  const b = box([1, 1, 1], [3, 0, 0], [4, 1, 1]);
  const both = {
    vertices: [...a.vertices, ...b.vertices],
    tetrahedra: [...a.tetrahedra, ...b.tetrahedra.map((i) => i + 8)],
  };
  expect(() => addSolid(physics, both)).toThrow(
    'addSolid: tetrahedra[6]: must be connected with tetrahedra[0] by faces',
  );
});
