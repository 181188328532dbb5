// Shells by the calls that games make: what is refused, how they hang and are drawn, pins, rest, rollback and saved
// games.

import { createWorld, hasComponent, query, removeEntity } from 'bitecs';
import { describe, expect, test } from 'vitest';
import { findBrokenInvariants } from '../../src/debug/validate';
import {
  addRigidBody,
  addRod,
  addShell,
  addShellForce,
  attach,
  createPhysics,
  loadGame,
  type Physics,
  type PhysicsSettings,
  type PinOptions,
  pinVertex,
  placeShell,
  removeRigidBody,
  removeShell,
  type ShellSpec,
  saveGame,
  setKinematicTarget,
  setWind,
  shellPositions,
  shellVelocities,
  teleport,
  unpinVertex,
  wakeShell,
} from '../../src/index';
import { gridMesh } from '../mechanics/shell/shell-world';
import { longTest } from '../setup/suite';

const BACKENDS = ['reference', 'wasm'] as const;

function world(settings: PhysicsSettings = {}): Physics {
  return createPhysics(createWorld(), { userTiming: false, ...settings });
}

/** A napkin of 6 × 6 squares, 30 cm, a metre up. */
function napkin(over: Partial<ShellSpec> = {}): ShellSpec {
  const { points, triangles } = gridMesh(6, 6, 0.3, 0.3);
  const vertices = points.map((x, k) => (k % 3 === 1 ? 1 : x));
  return { vertices, triangles, thickness: 0.002, stretchModulus: 1e5, ...over };
}

function run(physics: Physics, steps: number): void {
  for (let k = 0; k < steps; k++) physics.step();
  const { arena, tables } = physics.internal.engine;
  expect(findBrokenInvariants(arena, tables)).toEqual([]);
}

const at = (x: ArrayLike<number>, v: number) => [x[3 * v], x[3 * v + 1], x[3 * v + 2]];

describe('input', () => {
  const square = [
    [0, 0, 0],
    [0, 0, 1],
    [1, 0, 1],
    [1, 0, 0],
  ];
  const two = [
    [0, 1, 2],
    [0, 2, 3],
  ];
  test.each<[string, Partial<ShellSpec>]>([
    [
      'addShell: vertices[1] must be 3 numbers [m], got [0, 0]',
      {
        vertices: [
          [0, 0, 0],
          [0, 0],
          [1, 0, 0],
        ],
      },
    ],
    [
      'addShell: vertices[2][1] must be a finite number [m], got NaN',
      {
        vertices: [
          [0, 0, 0],
          [0, 0, 1],
          [1, Number.NaN, 1],
          [1, 0, 0],
        ],
      },
    ],
    [
      'addShell: triangles[1] must be 3 indices of vertices, 0..3, got 4',
      {
        triangles: [
          [0, 1, 2],
          [0, 2, 4],
        ],
      },
    ],
    [
      'addShell: triangles[1] must have 3 different vertices, got [0, 2, 2]',
      {
        triangles: [
          [0, 1, 2],
          [0, 2, 2],
        ],
      },
    ],
    [
      'addShell: triangles[2] must not have the vertices of triangles[0], got [1, 2, 0]',
      { triangles: [...two, [1, 2, 0]] },
    ],
    [
      'addShell: triangles[2] must not be the third triangle at an edge, got [2, 0, 4]',
      { vertices: [...square, [0, 1, 0]], triangles: [...two, [2, 0, 4]] },
    ],
    [
      'addShell: triangles[1] must be wound the same way as its neighbour, got [0, 3, 2]',
      {
        triangles: [
          [0, 1, 2],
          [0, 3, 2],
        ],
      },
    ],
    [
      'addShell: triangles[0] must enclose area, got "a height of 0 of its longest edge"',
      {
        vertices: [
          [0, 0, 0],
          [0, 0, 1],
          [0, 0, 2],
          [1, 0, 0],
        ],
      },
    ],
    ['addShell: vertices[4] must belong to a triangle, got "none"', { vertices: [...square, [0, 1, 0]] }],
    ['addShell: thickness must be > 0 [m], got 0', { thickness: 0 }],
    ['addShell: stretchModulus must be a finite number [Pa], got NaN', { stretchModulus: Number.NaN }],
    ['addShell: poissonRatio must be -0.9..0.49, got 0.5', { poissonRatio: 0.5 }],
    ['addShell: pins[1] must be the number of a vertex, 0..3, got 4', { pins: [0, 4] }],
    ['addShell: pins[0] must be the entity of a rigid body of this world, got 77', { pins: [{ vertex: 0, body: 77 }] }],
    ["addShell: restAngles must be 'flat' or 'drawn', got \"bent\"", { restAngles: 'bent' as 'flat' }],
    ['addShell: restVertices must be as many as vertices, 4, got 3', { restVertices: square.slice(1) }],
  ])('%s', (message, over) => {
    const physics = world();
    expect(() => addShell(physics, { vertices: square, triangles: two, ...over })).toThrow(message);
    expect(query(physics.world, [physics.components.Shell]).length).toBe(0);
  });

  test('a shell thicker than half its shortest edge is told of, and made', () => {
    const told: string[] = [];
    const physics = world({ warn: (text) => told.push(text) });
    addShell(physics, napkin({ thickness: 0.04 }));
    expect(told[0]).toContain('thickness 0.04 m is above half the shortest edge, 0.0499');
    run(physics, 1);
  });

  test('calls of shells take no rods, calls of rods no shells', () => {
    const physics = world();
    const rod = addRod(physics, { points: [0, 0, 0, 1, 0, 0] });
    const shell = addShell(physics, napkin());
    expect(() => shellPositions(physics, rod)).toThrow('shellPositions: entity must be a shell of this world');
    expect(() => attach(physics, { rod: shell, node: 0 })).toThrow(
      'attach: entity must be a rod or groom of this world',
    );
    expect(() => pinVertex(physics, shell, 49)).toThrow(
      'pinVertex: vertex must be the number of a vertex, 0..48, got 49',
    );
  });

  test('pins of unknown keys are refused', () => {
    const physics = world();
    const shell = addShell(physics, napkin());
    expect(() => pinVertex(physics, shell, 0, { piont: [0, 1, 0] } as PinOptions)).toThrow(
      'pinVertex: unknown key; known are body, point, got "piont"',
    );
    expect(() => pinVertex(physics, shell, 0, null as unknown as PinOptions)).toThrow(
      'pinVertex: spec must be an object, got null',
    );
  });
});

describe.each(BACKENDS)('on %s', (backend) => {
  const settings: PhysicsSettings = { elastic: { backend } };

  test('falls freely', () => {
    const physics = world(settings);
    const shell = addShell(physics, napkin());
    run(physics, 12);
    for (let v = 0; v < 49; v++) {
      const [x, y, z] = at(shellPositions(physics, shell), v);
      // Semi-implicit: g t²/2 and half a step more.
      expect(y).toBeCloseTo(1 - (0.5 * 9.81 * 12 * 13) / 3600, 9);
      expect([x, z]).toEqual([expect.closeTo(0.05 * Math.floor(v / 7), 9), expect.closeTo(0.05 * (v % 7), 9)]);
    }
  });

  // What hangs is conformance's, too: test/conformance/shells.test.ts.
  (backend === 'wasm' ? test : longTest)('hangs from two corners', () => {
    const physics = world(settings);
    const hung = addShell(physics, napkin({ pins: [0, 6], damping: 0.02, airDrag: 1 }));
    run(physics, 240);
    const x = shellPositions(physics, hung);
    expect(at(x, 0)).toEqual([0, 1, 0]);
    expect(at(x, 6)).toEqual([0, 1, expect.closeTo(0.3, 12)]);
    // Below its pins, as long as it is.
    expect(at(x, 45)[1]).toBeGreaterThan(0.68);
    expect(at(x, 45)[1]).toBeLessThan(0.72);
    expect(Math.max(...shellVelocities(physics, hung).map(Math.abs))).toBeLessThan(0.2);
  });

  (backend === 'wasm' ? test : longTest)('pins move along with the world, with kinematic and dynamic bodies', () => {
    const physics = world({ ...settings, gravity: [0, 0, 0] });
    const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.05 }, position: [0, 2, 0] });
    const ball = addRigidBody(physics, { shape: { sphere: 0.05 }, mass: 0.1, position: [0.3, 1.3, 0.3] });
    const shell = addShell(physics, napkin({ pins: [{ vertex: 0, body: head }] }));
    pinVertex(physics, shell, 48, { body: ball });
    for (let k = 1; k <= 30; k++) {
      setKinematicTarget(physics, head, [-0.01 * k, 2, 0], [0, 0, 0, 1]);
      pinVertex(physics, shell, 6, { point: [-0.002 * k, 1, 0.3] });
      physics.step();
    }
    const x = shellPositions(physics, shell);
    expect(at(x, 0)).toEqual([expect.closeTo(-0.3, 9), expect.closeTo(1, 9), expect.closeTo(0, 9)]);
    expect(at(x, 6)).toEqual([expect.closeTo(-0.06, 9), expect.closeTo(1, 9), expect.closeTo(0.3, 9)]);
    // The ball is drawn along, and its pin stays 0.3 m below it.
    const { position } = physics.components.Transform;
    expect(position.x[ball]).toBeLessThan(0.299);
    const away = Math.hypot(...at(x, 48).map((c, k) => c - [position.x, position.y, position.z][k][ball]));
    expect(away).toBeCloseTo(0.3, 2);
    unpinVertex(physics, shell, 6);
    removeRigidBody(physics, head);
    run(physics, 3);
    const { attachments } = physics.internal.engine.tables;
    expect(attachments.flags.filter((bits) => bits !== 0).length).toBe(1);
  });

  test('rollback repeats bit for bit, and so does a saved game', () => {
    const start = () => world({ ...settings, elastic: { backend, newtonIterations: 2 } });
    const physics = start();
    addRod(physics, { points: [3, 0, 0, 3.1, 0, 0, 3.2, 0, 0], clampStart: true, radius: 0.01 });
    const shell = addShell(physics, napkin({ pins: [0] }));
    setWind(physics, [1, 0, 0.5]);
    run(physics, 10);
    const snapshot = physics.snapshot();
    const bytes = saveGame(physics);
    run(physics, 10);
    const hash = physics.hash();
    const places = shellPositions(physics, shell);
    removeShell(physics, shell);
    // As many vertices and triangles, cut otherwise, in the same rows.
    addShell(physics, { ...napkin({ pins: [0] }), triangles: gridMesh(6, 6, 0.3, 0.3, 'even').triangles });
    run(physics, 2);
    const report = physics.restore(snapshot);
    expect(report.returned).toContain(shell);
    run(physics, 10);
    expect(physics.hash()).toBe(hash);
    const other = start();
    const now = loadGame(other, bytes).get(shell)!;
    expect(other.components.Shell.thickness[now]).toBe(0.002);
    expect(other.shells.vertexCount).toBe(49);
    run(other, 10);
    expect(shellPositions(other, now)).toEqual(places);
    pinVertex(other, now, 48);
  });

  (backend === 'wasm' ? test : longTest)('comes to rest and sleeps; a force, a pin and a call wake it', () => {
    const physics = world({ ...settings, sleepDelay: 0.2 });
    const shell = addShell(physics, napkin({ pins: [0, 6, 42, 48], damping: 0.2, stretchModulus: 1e4 }));
    const { Sleeping } = physics.components;
    const isAsleep = () => hasComponent(physics.world, shell, Sleeping);
    for (let k = 0; k < 600 && !isAsleep(); k++) physics.step();
    expect(isAsleep()).toBe(true);
    const before = shellPositions(physics, shell);
    run(physics, 5);
    expect(shellPositions(physics, shell)).toEqual(before);
    for (const wake of [
      () => addShellForce(physics, shell, 24, [0, 1, 0]),
      () => pinVertex(physics, shell, 0, { point: [0, 1.01, 0] }),
      () => wakeShell(physics, shell),
    ]) {
      wake();
      physics.step();
      expect(isAsleep()).toBe(false);
      for (let k = 0; k < 600 && !isAsleep(); k++) physics.step();
      expect(isAsleep()).toBe(true);
    }
  });

  test('bad numbers take one shell out, not the world', () => {
    const physics = world(settings);
    const good = addShell(physics, napkin());
    const bad = addShell(physics, napkin({ vertices: gridMesh(6, 6, 0.3, 0.3).points }));
    run(physics, 1);
    addShellForce(physics, bad, 3, [1e300, 0, 0]);
    addShellForce(physics, bad, 3, [1e300, 0, 0]);
    for (let k = 0; k < 4; k++) physics.step();
    expect(physics.report.quarantined).toEqual([bad]);
    expect(shellPositions(physics, bad).every(Number.isFinite)).toBe(true);
    expect(at(shellPositions(physics, good), 0)[1]).toBeCloseTo(1 - (0.5 * 9.81 * 5 * 6) / 3600, 9);
  });
});

test('a teleported body takes along what is pinned to it alone', () => {
  const physics = world({ gravity: [0, 0, 0] });
  const head = addRigidBody(physics, { type: 'kinematic', shape: { sphere: 0.05 }, position: [0, 1, -0.1] });
  const pins = [0, 6].map((vertex) => ({ vertex, body: head }));
  const shell = addShell(physics, napkin({ pins }));
  run(physics, 2);
  const before = shellPositions(physics, shell);
  teleport(physics, head, [50, 1, -0.1]);
  run(physics, 2);
  shellPositions(physics, shell).forEach((x, k) => {
    expect(x).toBeCloseTo(before[k] + (k % 3 === 0 ? 50 : 0), 6);
  });
});

describe('drawing', () => {
  test('a mesh with seams is drawn as it came, in one piece', () => {
    const physics = world({ gravity: [0, 0, 0] });
    // A square cut along its diagonal by a seam: vertices 0 and 2 are there twice.
    const vertices = [0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0];
    addShell(physics, napkin());
    const shell = addShell(physics, { vertices, triangles: [0, 1, 2, 3, 4, 5], pins: [4] });
    run(physics, 1);
    const { Shell } = physics.components;
    const { shells } = physics;
    expect(Shell.firstVertex[shell]).toBe(49);
    expect(Shell.vertexCount[shell]).toBe(6);
    expect(
      Array.from(shells.triangles.subarray(3 * Shell.firstTriangle[shell], 3 * Shell.firstTriangle[shell] + 6)),
    ).toEqual([0, 1, 2, 3, 4, 5]);
    expect(physics.internal.engine.tables.rods.nodeCount[1]).toBe(4);
    physics.interpolate(0.5);
    vertices.forEach((x, k) => {
      expect(shells.positions[147 + k]).toBeCloseTo(x, 12);
    });
    expect(shells.normals[148]).toBeCloseTo(1, 12);
    const { version } = shells;
    removeEntity(physics.world, shell);
    physics.step();
    expect(shells.vertexCount).toBe(49);
    expect(shells.version).toBeGreaterThan(version);
  });

  test('a fine surface goes along with the coarse one', () => {
    const physics = world({ gravity: [0, 0, 0] });
    const fine = gridMesh(24, 24, 0.3, 0.3);
    const vertices = fine.points.map((x, k) => (k % 3 === 1 ? 1.01 : x));
    const shell = addShell(physics, napkin({ surface: { vertices, triangles: fine.triangles } }));
    physics.step();
    // Turned about x by a quarter: y up becomes z.
    const turned = Array.from(shellPositions(physics, shell), (_, k) => {
      const [x, y, z] = at(shellPositions(physics, shell), Math.floor(k / 3));
      return [x, -z, y][k % 3];
    });
    placeShell(physics, shell, turned);
    physics.interpolate(1);
    expect(physics.components.Shell.vertexCount[shell]).toBe(625);
    for (let v = 0; v < 625; v += 17) {
      const [x, y, z] = at(vertices, v);
      const drawn = at(physics.shells.positions, v);
      expect(Math.hypot(drawn[0] - x, drawn[1] + z, drawn[2] - y)).toBeLessThan(1e-6);
    }
  });
});

test('columns count from the next step; what is fixed stays, with a note', () => {
  const told: string[] = [];
  const physics = world({ warn: (text) => told.push(text) });
  const shell = addShell(physics, napkin({ pins: [0] }));
  run(physics, 1);
  const { Shell } = physics.components;
  const { rods, meshEdges } = physics.internal.engine.tables;
  const before = meshEdges.rest.slice(0, 40);
  Shell.gravityScale[shell] = 0.5;
  Shell.poissonRatio[shell] = 0;
  Shell.thickness[shell] = 0.01;
  physics.step();
  expect(rods.extra[0]).toBe(0.5);
  expect(meshEdges.rest.slice(0, 40)).not.toEqual(before);
  expect(Shell.thickness[shell]).toBe(0.002);
  expect(told[0]).toContain('Shell.thickness of entity');
});

test('wind pushes a hanging cloth; without drag it does not', () => {
  const drift = (airDrag: number) => {
    const physics = world();
    const shell = addShell(physics, napkin({ pins: [0, 6], airDrag }));
    // Turned into the wind first: it hangs.
    run(physics, 60);
    setWind(physics, [4, 0, 0]);
    const before = at(shellPositions(physics, shell), 45)[0];
    run(physics, 10);
    return at(shellPositions(physics, shell), 45)[0] - before;
  };
  expect(drift(1) - drift(0)).toBeGreaterThan(0.01);
});
