// Shells in scene files: read, refused with the path to what is wrong, written back, and put into a world.
import { createWorld } from 'bitecs';
import { describe, expect, test } from 'vitest';
import {
  addScene,
  createPhysics,
  readScene,
  type SceneError,
  sceneSettings,
  shellPositions,
  writeScene,
} from '../../src/index';

const SQUARE = {
  vertices: [
    [0, 0, 0],
    [1, 0, 0],
    [1, 0, 1],
    [0, 0, 1],
  ],
  triangles: [
    [0, 2, 1],
    [0, 3, 2],
  ],
};

/** Problems of a scene with these shells, and other keys. */
function problemsOf(shells: unknown, other: object = {}): readonly string[] {
  try {
    readScene({ version: 1, shells, ...other });
    return [];
  } catch (error) {
    return (error as SceneError).message.split('\n').map((line) => line.trim());
  }
}

describe('a scene is refused', () => {
  test.each<[string, unknown, object, string]>([
    ['without a mesh', [{}], {}, 'shells[0].vertices: missing, expected a list of at least 3 points [m] (or file)'],
    ['with two meshes', [{ ...SQUARE, file: 'a.obj' }], {}, 'shells[0].vertices: must not be given with file, got 4'],
    [
      'with an index out of range',
      [{ ...SQUARE, triangles: [[0, 1, 4]] }],
      {},
      'shells[0].triangles[0][2]: must be the index of a vertex, 0..3, got 4',
    ],
    [
      'with a triangle that is an edge',
      [{ ...SQUARE, triangles: [[0, 1, 1]] }],
      {},
      'shells[0].triangles[0]: must have 3 different indices, got [0, 1, 1]',
    ],
    ['without thickness', [{ ...SQUARE, thickness: 0 }], {}, 'shells[0].thickness: must be > 0 [m], got 0'],
    [
      'with another rest shape',
      [{ ...SQUARE, restVertices: SQUARE.vertices.slice(1) }],
      {},
      'shells[0].restVertices: must be as many as vertices, 4, got 3',
    ],
    [
      'with a pin that is not there',
      [{ ...SQUARE, pins: [0, 4] }],
      {},
      'shells[0].pins[1]: must be the index of a vertex, 0..3, got 4',
    ],
    [
      'with a pin on nobody',
      [{ ...SQUARE, pins: [{ vertex: 1, body: 'head' }] }],
      {},
      'shells[0].pins[0].body: no such body, got "head"',
    ],
    [
      'with a name twice',
      [
        { ...SQUARE, name: 'a' },
        { ...SQUARE, name: 'a' },
      ],
      {},
      'shells[1].name: must be unique, got "a", which shells[0] has already',
    ],
    [
      'with a motion of a free vertex',
      [{ ...SQUARE, name: 'a', pins: [1] }],
      { motions: [{ shell: 'a', vertex: 2, keys: [{ time: 0 }] }] },
      'motions[0].vertex: must be pinned in the world, got vertex 2',
    ],
    [
      'with a motion of no shell',
      [SQUARE],
      { motions: [{ shell: 'a', vertex: 2, keys: [{ time: 0 }] }] },
      'motions[0].shell: no such shell, expected one with pins, got "a"',
    ],
    [
      'with a drawn mesh that lacks a vertex',
      [{ ...SQUARE, surface: { ...SQUARE, triangles: [[0, 1, 5]] } }],
      {},
      'shells[0].surface.triangles[0][2]: must be the index of a vertex, 0..3, got 5',
    ],
  ])('%s', (_name, shells, other, problem) => {
    expect(problemsOf(shells, other)).toContain(problem);
  });
});

test('shells are written and read back unchanged', () => {
  const woven = { weftModulus: 2e5, warp: [0, 0, 1], strainLimit: 0.1 };
  const pins = [0, { vertex: 1, body: 'post' }];
  const scene = readScene({
    version: 1,
    bodies: [{ name: 'post', type: 'static', shape: { box: [1, 1, 1] } }],
    shells: [{ ...SQUARE, thickness: 0.002, pins, restAngles: 'drawn', mask: 2, ...woven }],
  });
  expect(readScene(writeScene(scene))).toEqual(scene);
  expect(JSON.parse(writeScene(scene)).shells[0]).toEqual({
    ...SQUARE,
    thickness: 0.002,
    pins,
    restAngles: 'drawn',
    mask: 2,
    ...woven,
  });
});

test('a pin follows its keys, a shell stands where the scene puts it, and its mesh may come from a file', () => {
  const obj = 'v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 4 3 2\n';
  const scene = readScene({
    version: 1,
    gravity: [0, 0, 0],
    shells: [
      { name: 'flag', ...SQUARE, position: [0, 2, 0], rotation: [0, 1, 0, 0], pins: [0] },
      { file: 'square.obj', position: [9, 0, 0] },
    ],
    motions: [
      {
        shell: 'flag',
        vertex: 0,
        keys: [
          { time: 0.5, position: [0, 2, 0] },
          { time: 1, position: [0, 2.5, 0] },
        ],
      },
    ],
  });
  const physics = createPhysics(createWorld(), sceneSettings(scene));
  const added = addScene(physics, scene, { readFile: () => new TextEncoder().encode(obj) });
  const [flag, second] = [...added.shells.values()];
  expect([...added.shells.keys()]).toEqual(['flag', 'shell-1']);
  expect([...shellPositions(physics, flag).subarray(6, 9)].map((x) => +x.toFixed(9))).toEqual([-1, 2, -1]);
  expect([...shellPositions(physics, second).subarray(0, 3)]).toEqual([9, 0, 0]);
  for (let i = 0; i < 45; i++) physics.step();
  expect(shellPositions(physics, flag)[1]).toBeCloseTo(2.25, 9);
  for (let i = 0; i < 45; i++) physics.step();
  expect(shellPositions(physics, flag)[1]).toBeCloseTo(2.5, 9);
  physics.dispose();
});

test('a shell carries the finer mesh that its scene has drawn, which is turned and placed as it is', () => {
  const fine = {
    vertices: [...SQUARE.vertices, [0.5, 0.1, 0.5]],
    triangles: [
      [0, 4, 1],
      [1, 4, 2],
    ],
  };
  const scene = readScene({
    version: 1,
    gravity: [0, 0, 0],
    shells: [{ ...SQUARE, surface: fine, position: [0, 2, 0], rotation: [0, 1, 0, 0], velocity: [0, 0, 3] }],
  });
  expect(readScene(writeScene(scene))).toEqual(scene);
  const physics = createPhysics(createWorld(), sceneSettings(scene));
  const eid = addScene(physics, scene).shells.get('shell-0')!;
  for (let i = 0; i < 6; i++) physics.step();
  physics.interpolate(1);
  expect(physics.components.Shell.vertexCount[eid]).toBe(5);
  // Half a turn about y, and a tenth of a second on.
  [-0.5, 2.1, -0.5 + 0.3].forEach((x, k) => {
    expect(physics.shells.positions[12 + k]).toBeCloseTo(x, 5);
  });
  physics.dispose();
});

test('a shell that the engine refuses takes the scene with it', () => {
  const scene = readScene({
    version: 1,
    bodies: [{ shape: { sphere: 1 } }],
    // Three triangles at an edge: only the engine sees that.
    shells: [
      {
        vertices: [...SQUARE.vertices, [0.5, 1, 0.5]],
        triangles: [...SQUARE.triangles, [0, 2, 4]],
      },
    ],
  });
  const physics = createPhysics(createWorld(), sceneSettings(scene));
  expect(() => addScene(physics, scene)).toThrow(/^addScene: shell "shell-0": addShell: triangles\[2\]/);
  physics.step();
  expect(physics.report.bodies ?? 0).toBe(0);
  physics.dispose();
});
