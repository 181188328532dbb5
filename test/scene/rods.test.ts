// Rods and grooms of scene files: read, refused, written, added, moved.

import { createWorld, hasComponent } from 'bitecs';
import { describe, expect, it } from 'vitest';
import { readScene, SceneError } from '../../src/scene/read';
import { writeScene } from '../../src/scene/write';
import * as L from '../../src/state/layout';
import { addScene, sceneSettings } from '../../systems/add-scene';
import { createPhysics } from '../../systems/create-physics';
import { removeRod, rodPositions, setClamp } from '../../systems/rods';

const LINE = [
  [0, 1, 0],
  [0.1, 1, 0],
  [0.2, 1, 0],
  [0.3, 1, 0],
];
const ball = { name: 'ball', type: 'kinematic', position: [0, 1, 0], shape: { sphere: 0.1 } };
const scene = (rods: object[], more: object = {}) => ({ version: 1, bodies: [ball], rods, ...more });

/** The refusal of `source`, one line per problem. */
function refusal(source: unknown): string {
  try {
    readScene(source);
  } catch (error) {
    if (error instanceof SceneError) return error.message;
    throw error;
  }
  return 'taken';
}

/** Three strands of two points in the .data form. */
function salon(): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 + 3 * 28));
  view.setInt32(0, 3, true);
  for (let s = 0; s < 3; s++) {
    view.setInt32(4 + 28 * s, 2, true);
    [s, 0, 0, s, 2, 0].forEach((x, k) => {
      view.setFloat32(8 + 28 * s + 4 * k, x, true);
    });
  }
  return new Uint8Array(view.buffer);
}

function start(source: unknown, files: Record<string, Uint8Array> = {}) {
  const read = readScene(source);
  const physics = createPhysics(createWorld(), sceneSettings(read));
  return { physics, ...addScene(physics, read, { readFile: (name) => files[name] }) };
}

describe('readScene', () => {
  it('fills in the numbers of hair', () => {
    const [rod] = readScene(scene([{ points: LINE }])).rods;
    expect(rod).toEqual({
      points: LINE,
      radius: 3.7e-5,
      density: 1300,
      youngModulus: 4e9,
      damping: 0.001,
      friction: 0.2,
      cohesion: 0,
      gravityScale: 1,
      airDrag: 0,
      compliance: 0,
      selfContact: true,
      velocity: [0, 0, 0],
    });
    const [groom] = readScene(scene([], { grooms: [{ file: 'a/b.hair' }] })).grooms;
    expect(groom).toMatchObject({ file: 'a/b.hair', seed: 0, scale: 1, rod: { radius: 3.7e-5, selfContact: true } });
  });

  const rod = (part: object) => scene([{ points: LINE, ...part }]);
  const cases: [string, unknown, string][] = [
    [
      'a radius below zero',
      scene([{ points: LINE }, { points: LINE, radius: -0.1 }]),
      'rods[1].radius: must be > 0 [m], got -0.1',
    ],
    ['a radius of zero', rod({ radius: 0 }), 'rods[0].radius: must be > 0 [m], got 0'],
    ['a radius beyond all sense', rod({ radius: 1e9 }), 'rods[0].radius: must be 1e-7..100 [m], got 1000000000'],
    ['a radius as text', rod({ radius: 'thin' }), 'rods[0].radius: must be > 0 [m], got "thin"'],
    ['no stiffness', rod({ youngModulus: 0 }), 'rods[0].youngModulus: must be > 0 [Pa], got 0'],
    ['a negative shear modulus', rod({ shearModulus: -1 }), 'rods[0].shearModulus: must be > 0 [Pa], got -1'],
    ['negative damping', rod({ damping: -1 }), 'rods[0].damping: must be >= 0 [s], got -1'],
    ['no points', scene([{}]), 'rods[0].points: missing, expected the centre line, a list of at least 2 points [m]'],
    ['one point', scene([{ points: [[0, 0, 0]] }]), 'rods[0].points: must be a list of at least 2 points [m], got 1'],
    [
      'points of two numbers',
      scene([
        {
          points: [
            [0, 0],
            [1, 1],
          ],
        },
      ]),
      'rods[0].points[0]: must be 3 numbers [m], got [0, 0]',
    ],
    [
      'a repeated point',
      scene([
        {
          points: [
            [0, 0, 0],
            [1, 0, 0],
            [1, 0, 0],
          ],
        },
      ]),
      'rods[0].points[2]: must be at least 1e-7 [m] from the point before it, got a distance of 0',
    ],
    [
      'a fold',
      scene([
        {
          points: [
            [0, 0, 0],
            [1, 0, 0],
            [0, 0, 0],
          ],
        },
      ]),
      'rods[0].points[2]: must not lead straight back along the edge before it, got a fold of 180°',
    ],
    [
      'a short rest shape',
      rod({ restPoints: LINE.slice(1) }),
      'rods[0].restPoints: must be as many as points, 4, got 3',
    ],
    ['too few twists', rod({ twist: [1] }), 'rods[0].twist: must be one number an edge, 3, got 1'],
    ['an unknown body', rod({ attachStart: 'head' }), 'rods[0].attachStart: no such body, got "head"'],
    [
      'a clamp that contradicts',
      rod({ attachStart: 'ball', clampStart: false }),
      'rods[0].clampStart: must be true where attachStart is given, got false',
    ],
    [
      'two clamps apart on three points',
      scene([{ points: LINE.slice(1), attachStart: 'ball', clampEnd: true }]),
      'rods[0].points: must be at least 4 points for clamps of two bodies, got 3',
    ],
    ['an unknown key', rod({ colour: 'red' }), 'rods[0].colour: unknown key, expected one of name, points, '],
    [
      'two rods of one name',
      scene([{ name: 'a', points: LINE }], { grooms: [{ name: 'a', file: 'x.hair' }] }),
      'grooms[0].name: must be unique, got "a", which rods[0] has already',
    ],
    [
      'a groom of a file and of strands',
      scene([], { grooms: [{ file: 'x', strands: [LINE] }] }),
      'grooms[0].strands: must not be given with file, got 1',
    ],
    [
      'a strand of one point',
      scene([], { grooms: [{ strands: [LINE, [[0, 0, 0]]] }] }),
      'grooms[0].strands[1]: must be a list of at least 2 points [m], got 1',
    ],
    [
      'a strand whose points coincide',
      scene([], {
        grooms: [
          {
            strands: [
              LINE,
              [
                [0, 0, 0],
                [0, 0, 0],
              ],
            ],
          },
        ],
      }),
      'grooms[0].strands[1][1]: ',
    ],
    [
      'a groom without a file',
      scene([], { grooms: [{}] }),
      'grooms[0].file: missing, expected a path relative to the scene, of a .hair, .data or .tfx file (or strands)',
    ],
    [
      'an absolute path',
      scene([], { grooms: [{ file: '/etc/x' }] }),
      'grooms[0].file: must be a path relative to the scene, got "/etc/x"',
    ],
    [
      'a web address',
      scene([], { grooms: [{ file: 'http://x' }] }),
      'grooms[0].file: must be a path relative to the scene',
    ],
    [
      'a groom of one point',
      scene([], { grooms: [{ file: 'x', vertices: 1 }] }),
      'grooms[0].vertices: must be a whole number 2..1000, got 1',
    ],
    [
      'a wrong scale',
      scene([], { grooms: [{ file: 'x', scale: 'big' }] }),
      'grooms[0].scale: must be a number > 0 [m] or "head", got "big"',
    ],
    [
      'points within a groom',
      scene([], { grooms: [{ file: 'x', rod: { points: LINE } }] }),
      'grooms[0].rod.points: unknown key',
    ],
    [
      'an unknown body of a groom',
      scene([], { grooms: [{ file: 'x', rod: { attachStart: 'b' } }] }),
      'grooms[0].rod.attachStart: no such body, got "b"',
    ],
    ...(
      [
        ['of no rod', { rod: 'b', end: 'end' }, 'motions[0].rod: no such rod, expected one with a clamp, got "b"'],
        ['of a free end', { rod: 'a', end: 'end' }, 'motions[0].end: must be clamped, got the free end of "a"'],
        ['of no end', { rod: 'a' }, 'motions[0].end: missing, expected "start" or "end"'],
        [
          'of a follower',
          { rod: 'f', end: 'start' },
          'motions[0].end: must be held by the world, got one that follows "ball"',
        ],
        ['of both', { body: 'ball', rod: 'a' }, 'motions[0].rod: must not be given with body, got "a"'],
        [
          'of nothing',
          {},
          'motions[0].body: missing, expected the name of a kinematic body (or rod and end, or shell and vertex)',
        ],
      ] as [string, object, string][]
    ).map(([name, motion, message]): [string, unknown, string] => [
      `a motion ${name}`,
      scene(
        [
          { name: 'a', points: LINE, clampStart: true },
          { name: 'f', points: LINE, attachStart: 'ball' },
        ],
        { motions: [{ ...motion, keys: [{ time: 0 }] }] },
      ),
      message,
    ]),
  ];
  for (const [name, source, message] of cases) {
    it(`refuses ${name}`, () => {
      expect(refusal(source)).toContain(message);
    });
  }

  it('counts points before it looks at anything else', () => {
    const limits = { nodes: 6 };
    expect(() => readScene(scene([{ points: LINE }, { points: LINE }]), limits)).toThrow(
      'rods[1].points: at most 6 points and parts in all, got 8',
    );
  });
});

it('a groom whose strands stand in the scene itself needs no file, and is written as it was read', () => {
  const strands = [
    [
      [0, 0, 0],
      [0, 2, 0],
    ],
    [
      [1, 0, 0],
      [1, 2, 0],
      [1, 3, 0],
    ],
  ];
  const read = readScene({ version: 1, grooms: [{ name: 'tuft', strands, scale: 0.5, position: [0, 1, 0] }] });
  expect(readScene(writeScene(read))).toEqual(read);
  const physics = createPhysics(createWorld());
  const tuft = addScene(physics, read).rods.get('tuft') as number;
  expect(Array.from(rodPositions(physics, tuft))).toEqual([0, 1, 0, 0, 2, 0, 0.5, 1, 0, 0.5, 2, 0, 0.5, 2.5, 0]);
});

it('writeScene leaves out what is default, and reading gives the same scene', () => {
  const source = readScene(
    scene(
      [
        { name: 'a', points: LINE, twist: [0, 0.1, 0.2], radius: 0.01, clampStart: true },
        { points: LINE, attachEnd: 'ball' },
      ],
      {
        grooms: [{ file: 'x.tfx', scale: 'head', rod: { friction: 0.4, attachStart: 'ball' }, rotation: [0, 0, 1, 1] }],
        motions: [{ rod: 'a', end: 'start', keys: [{ time: 0 }, { time: 1, position: [0, 2, 0] }] }],
      },
    ),
  );
  const text = writeScene(source);
  expect(text).toContain(
    '{"name":"a","points":[[0,1,0],[0.1,1,0],[0.2,1,0],[0.3,1,0]],"twist":[0,0.1,0.2],"radius":0.01,"clampStart":true}',
  );
  expect(text).toContain('"rod":{"friction":0.4,"attachStart":"ball"}');
  expect(readScene(text)).toEqual(source);
});

describe('sceneSettings', () => {
  it('hands the keys of the elastic solve on', () => {
    const solver = {
      backend: 'reference',
      tolerance: 1e-4,
      admmIterations: 7,
      sweeps: 3,
      newtonIterations: 2,
      budget: null,
      elastic: 'admm',
    };
    expect(sceneSettings(readScene({ version: 1, solver })).elastic).toEqual({
      backend: 'reference',
      tolerance: 1e-4,
      iterations: 7,
      sweeps: 3,
      newtonIterations: 2,
      budget: null,
      solver: 'admm',
    });
    expect(sceneSettings(readScene({ version: 1, solver: { backend: 'webgpu' } })).elastic).toBeUndefined();
  });
});

describe('addScene', () => {
  it('adds rods and grooms under their names', () => {
    const source = scene(
      [
        { points: LINE, attachStart: 'ball', friction: 0.5 },
        { name: 'rope', points: LINE, clampEnd: true },
      ],
      {
        grooms: [
          {
            file: 'three.data',
            vertices: 3,
            maxStrands: 2,
            scale: 0.5,
            position: [0, 5, 0],
            rod: { attachStart: 'ball' },
          },
        ],
      },
    );
    const { physics, rods, entities } = start(source, { 'three.data': salon() });
    expect([...rods.keys()]).toEqual(['rod-0', 'rope', 'groom-0']);
    physics.step();
    const { Rod, Groom } = physics.components;
    expect(Rod.friction[rods.get('rod-0') as number]).toBe(0.5);
    const groom = rods.get('groom-0') as number;
    expect([Groom.strandCount[groom], Groom.nodeCount[groom]]).toEqual([2, 6]);
    const { strands } = physics.internal.engine.tables;
    const ballSlot = physics.internal.slotOf[entities.get('ball') as number];
    expect(Array.from(strands.attach.subarray(0, 8))).toEqual([ballSlot, -1, -1, -1, ballSlot, -1, ballSlot, -1]);
    expect(Array.from(strands.flags.subarray(0, 4))).toEqual([
      L.STRAND_CLAMP_START,
      L.STRAND_CLAMP_END,
      L.STRAND_CLAMP_START,
      L.STRAND_CLAMP_START,
    ]);
  });

  it('takes everything out again when a groom is refused', () => {
    const physics = createPhysics(createWorld());
    const source = readScene(scene([{ name: 'rope', points: LINE }], { grooms: [{ name: 'hair', file: 'x.hair' }] }));
    expect(() => addScene(physics, source)).toThrow(
      'addScene: groom "hair": addScene: options.readFile must be given for a scene with grooms from files',
    );
    expect(() => addScene(physics, source, { readFile: () => new Uint8Array(3) })).toThrow(
      'addScene: groom "hair": readGroom: .hair file must have 128 bytes to hold its header, got 3',
    );
    physics.step();
    expect([physics.strands.strandCount, physics.report.bodies]).toEqual([0, 0]);
  });

  it('moves clamps along their keys, exactly at the times of the keys, and lets go when told', () => {
    const source = scene([{ name: 'rope', points: LINE, clampStart: true, clampEnd: true }], {
      motions: [
        { rod: 'rope', end: 'start', keys: [{ time: 0 }, { time: 1, position: [0, 3, 0], rotation: [0, 0, 1, 0] }] },
        { rod: 'rope', end: 'end', keys: [{ time: 0, position: [0.3, 0.9, 0] }] },
      ],
    });
    const { physics, rods } = start(source);
    const rope = rods.get('rope') as number;
    const { strands } = physics.internal.engine.tables;
    const clamp = (end: number) => Array.from(strands.clamp.subarray(12 * end, 12 * end + 6));
    physics.step();
    // The first key of the end differs from where the rod is: it is there at the end of the first step.
    [0.3, 0.9, 0, 0.2, 0.9, 0].forEach((x, k) => {
      expect(clamp(1)[k]).toBeCloseTo(x, 12);
    });
    expect(clamp(0)[1]).toBeCloseTo(1 + 2 / 60, 12);
    for (let i = 1; i < 60; i++) physics.step();
    // Half a turn about z.
    [0, 3, 0, -0.1, 3, 0].forEach((x, k) => {
      expect(clamp(0)[k]).toBeCloseTo(x, 12);
    });
    setClamp(physics, rope, 'start', null);
    for (let i = 0; i < 3; i++) physics.step();
    expect(strands.flags[0]).toBe(L.STRAND_CLAMP_END);
    expect(physics.schedule.names).toContain('move-scene-clamps');
    removeRod(physics, rope);
    expect(physics.schedule.names).not.toContain('move-scene-clamps');
    expect(hasComponent(physics.world, rope, physics.components.Rod)).toBe(false);
  });

  it('repeats motions of clamps after a snapshot bit for bit', () => {
    const source = scene([{ name: 'rope', points: LINE, clampStart: true }], {
      motions: [{ rod: 'rope', end: 'start', keys: [{ time: 0 }, { time: 1, position: [0, 3, 0] }] }],
    });
    const { physics, rods } = start(source);
    for (let i = 0; i < 5; i++) physics.step();
    const snapshot = physics.snapshot();
    const run = () => {
      for (let i = 0; i < 5; i++) physics.step();
      const { clamp } = physics.internal.engine.tables.strands;
      return [physics.hash(), ...clamp.subarray(0, 9), ...rodPositions(physics, rods.get('rope') as number)];
    };
    const first = run();
    physics.restore(snapshot);
    expect(run()).toEqual(first);
  });
});
