import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/core/errors';
import { readScene, SceneError } from '../../src/scene/read';
import type { Scene } from '../../src/scene/scene-types';

const fixtures = new URL('./fixtures/', import.meta.url);

/** The message with which a scene is refused. */
function refusal(source: unknown, limits?: { bodies?: number; nodes?: number }): string {
  try {
    readScene(source, limits);
  } catch (error) {
    expect(error).toBeInstanceOf(SceneError);
    return (error as Error).message;
  }
  return 'not refused';
}

const ball = { shape: { sphere: 1 } };
const withBody = (body: object) => ({ version: 1, bodies: [{ ...ball, ...body }] });
const withShape = (shape: unknown, type = 'dynamic') => ({ version: 1, bodies: [{ type, shape }] });
const withRepeat = (repeat: object) => ({
  version: 1,
  repeat: [{ count: 2, spacing: [1, 0, 0], body: ball, ...repeat }],
});
const withMotion = (motion: object) => ({
  version: 1,
  bodies: [
    { name: 'lift', type: 'kinematic', ...ball },
    { name: 'box', ...ball },
  ],
  motions: [{ body: 'lift', keys: [{ time: 0 }], ...motion }],
});
const tetrahedron = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

describe('readScene takes', () => {
  for (const name of readdirSync(fixtures)) {
    it(`the scene file ${name}`, () => {
      const scene = readScene(readFileSync(new URL(name, fixtures), 'utf8'));
      expect(scene.bodies.length).toBeGreaterThan(10);
    });
  }

  it('the smallest scene, and fills in every default', () => {
    const expected: Scene = {
      version: 1,
      gravity: [0, -9.81, 0],
      timeStep: 1 / 60,
      materials: {},
      bodies: [],
      repeat: [],
      rods: [],
      grooms: [],
      shells: [],
      solids: [],
      joints: [],
      characters: [],
      vehicles: [],
      ragdolls: [],
      volumes: [],
      explosions: [],
      watches: [],
      motions: [],
      solver: {},
    };
    expect(readScene('{"version":1}')).toEqual(expected);
    expect(readScene({ version: 1, materials: { m: {} }, bodies: [ball] })).toEqual({
      ...expected,
      materials: { m: { density: 1000, friction: 0.6, restitution: 0 } },
      bodies: [
        {
          type: 'dynamic',
          position: [0, 0, 0],
          rotation: [0, 0, 0, 1],
          velocity: [0, 0, 0],
          angularVelocity: [0, 0, 0],
          linearDamping: 0,
          angularDamping: 0,
          gravityScale: 1,
          shape: { sphere: 1 },
        },
      ],
    });
  });

  it('rotations of any length, normalised, and unit ones bit for bit', () => {
    const rotationOf = (rotation: number[]) => readScene(withBody({ rotation })).bodies[0].rotation;
    expect(rotationOf([0, 0, 3, 4])).toEqual([0, 0, 0.6, 0.8]);
    expect(rotationOf([0, 2e300, 0, 0])).toEqual([0, 1, 0, 0]);
    expect(rotationOf([5e-324, 0, 0, 0])).toEqual([1, 0, 0, 0]);
    const q = [0.1, 0.2, 0.3, Math.sqrt(1 - 0.01 - 0.04 - 0.09)];
    expect(rotationOf(q)).toEqual(q);
    const again = rotationOf([0.3, -0.7, 1.1, 2.9]);
    expect(rotationOf(again)).toEqual(again);
  });

  it('typed arrays, and keeps nothing of what it was given', () => {
    const position = Float64Array.of(1, 2, 3);
    const source = withBody({ position });
    const scene = readScene(source);
    position[0] = 9;
    expect(scene.bodies[0].position).toEqual([1, 2, 3]);
    expect(scene.bodies[0].shape).not.toBe(ball.shape);
  });

  it('a byte order mark, empty lists of kinds that are not there yet, and a $schema', () => {
    const text = '\ufeff{"version":1,"$schema":"scene.schema.json","rods":[],"joints":[]}';
    expect(readScene(text)).toEqual({ ...readScene({ version: 1 }), $schema: 'scene.schema.json' });
  });

  it('compounds within compounds, and meshes and planes on static bodies, in compounds too', () => {
    const mesh = { vertices: tetrahedron, triangles: [[0, 1, 2]] };
    const inner = { compound: [{ shape: { box: [1, 1, 1] } }] };
    expect(refusal(withShape({ compound: [{ shape: inner }, ...inner.compound] }))).toBe('not refused');
    expect(refusal(withShape({ mesh }, 'static'))).toBe('not refused');
    expect(refusal(withShape({ compound: [{ shape: { mesh } }, { shape: { plane: [0, 1, 0] } }] }, 'static'))).toBe(
      'not refused',
    );
  });

  it('a capsule without a middle part', () => {
    expect(refusal(withShape({ capsule: [1, 0] }))).toBe('not refused');
    expect(refusal(withShape({ capsule: [1, -1] }))).toBe('bodies[0].shape.capsule[1]: must be >= 0 [m], got -1');
  });

  it('names and material names that objects have by nature', () => {
    const scene = readScene({
      version: 1,
      materials: { toString: { friction: 0 }, 'a b': {} },
      bodies: [{ name: 'valueOf', material: 'toString', ...ball }],
    });
    expect(scene.materials.toString).toEqual({ density: 1000, friction: 0, restitution: 0 });
  });
});

describe('readScene refuses', () => {
  const cases: [what: string, source: unknown, message: string | RegExp][] = [
    // The whole
    ['no object', 5, 'scene: must be a scene, an object with version 1, got 5'],
    ['a list', [], 'scene: must be a scene, an object with version 1, got []'],
    ['nothing', undefined, 'scene: must be a scene, an object with version 1, got nothing'],
    ['a missing version', {}, 'version: missing, expected the format version, 1'],
    ['another version', { version: 2 }, 'version: must be 1, got 2'],
    ['a title that is no text', { version: 1, title: 7 }, 'title: must be text, got 7'],
    ['a description that is no text', { version: 1, description: [1] }, 'description: must be text, got [1]'],
    ['an unknown key', { version: 1, bodys: [] }, /^bodys: unknown key, expected one of \$schema, version, title, /],
    ['bodies that are no list', { version: 1, bodies: {} }, 'bodies: must be a list of bodies, got an object'],
    ['gravity of two numbers', { version: 1, gravity: [0, 1] }, 'gravity: must be 3 numbers [m/s²], got [0, 1]'],
    ['gravity as text', { version: 1, gravity: 'down' }, 'gravity: must be 3 numbers [m/s²], got "down"'],
    ['a time step of zero', { version: 1, timeStep: 0 }, 'timeStep: must be > 0 [s], got 0'],
    ['solids', { version: 1, solids: [{ youngModulus: 0 }] }, 'solids[0].youngModulus: must be > 0 [Pa], got 0'],
    // Materials
    ['materials as a list', { version: 1, materials: [{}] }, /^materials: must be an object from names to materials/],
    [
      'no density',
      { version: 1, materials: { m: { density: 0 } } },
      'materials.m.density: must be > 0 [kg/m³], got 0', //
    ],
    [
      'negative friction',
      { version: 1, materials: { m: { friction: -0.1 } } },
      'materials.m.friction: must be >= 0, got -0.1',
    ],
    [
      'restitution > 1',
      { version: 1, materials: { 'a b': { restitution: 1.5 } } },
      'materials["a b"].restitution: must be 0..1, got 1.5',
    ],
    [
      'a missing material',
      withBody({ material: 'wood' }),
      'bodies[0].material: no such material, materials has none, got "wood"',
    ],
    [
      'a material that is only a prototype key',
      withBody({ material: 'toString' }),
      /^bodies\[0\]\.material: no such material/,
    ],
    // Bodies
    ['a body that is no object', { version: 1, bodies: [null] }, 'bodies[0]: must be a body, got null'],
    ['an unknown key of a body', withBody({ colour: 1 }), /^bodies\[0\]\.colour: unknown key, expected one of name, /],
    [
      'an unknown type',
      withBody({ type: 'ghost' }),
      'bodies[0].type: must be dynamic, static or kinematic, got "ghost"',
    ],
    ['an empty name', withBody({ name: '' }), 'bodies[0].name: must not be empty, got ""'],
    ['mass zero', withBody({ mass: 0 }), 'bodies[0].mass: must be > 0 [kg], got 0'],
    ['NaN', withBody({ position: [0, Number.NaN, 0] }), 'bodies[0].position[1]: must be a finite number [m], got NaN'],
    ['infinity', '{"version":1,"gravity":[0,-1e999,0]}', 'gravity[1]: must be a finite number [m/s²], got -Infinity'],
    [
      'a number as text',
      withBody({ velocity: [0, '1', 0] }),
      'bodies[0].velocity[1]: must be a finite number [m/s], got "1"',
    ],
    [
      'four coordinates',
      withBody({ position: [0, 0, 0, 0] }),
      'bodies[0].position: must be 3 numbers [m], got [0, 0, 0, 0]',
    ],
    [
      'a zero rotation',
      withBody({ rotation: [0, 0, 0, 0] }),
      /^bodies\[0\]\.rotation: must not be zero, .*got \[0, 0, 0, 0\]$/,
    ],
    [
      'a rotation of three',
      withBody({ rotation: [0, 0, 1] }),
      /^bodies\[0\]\.rotation: must be 4 numbers, a quaternion/,
    ],
    ['negative linear damping', withBody({ linearDamping: -1 }), 'bodies[0].linearDamping: must be >= 0 [1/s], got -1'],
    [
      'negative angular damping',
      withBody({ angularDamping: -1 }),
      'bodies[0].angularDamping: must be >= 0 [1/s], got -1',
    ],
    [
      'a gravity scale as text',
      withBody({ gravityScale: '1' }),
      'bodies[0].gravityScale: must be a finite number, got "1"',
    ],
    [
      'layers beyond 16 bits',
      withBody({ layers: 65536 }),
      'bodies[0].layers: must be a whole number 0..65535, got 65536',
    ],
    ['a mask of a half', withBody({ mask: 0.5 }), 'bodies[0].mask: must be a whole number 0..65535, got 0.5'],
    ['a sensor of 1', withBody({ sensor: 1 }), 'bodies[0].sensor: must be true or false, got 1'],
    [
      'equal names',
      {
        version: 1,
        bodies: [
          { name: 'a', ...ball },
          { name: 'a', ...ball },
        ],
      },
      'bodies[1].name: must be unique, got "a", which bodies[0] has already',
    ],
    // Shapes
    [
      'a body without a shape',
      { version: 1, bodies: [{}] },
      'bodies[0].shape: missing, expected a shape such as { "box": [0.5, 0.5, 0.5] }',
    ],
    [
      'no kind',
      withShape({}),
      'bodies[0].shape: must have exactly one of box, sphere, capsule, cylinder, cone, hull, plane, mesh, ' +
        'heightField, compound, got none',
    ],
    [
      'two kinds',
      withShape({ box: [1, 1, 1], sphere: 1 }),
      /^bodies\[0\]\.shape: must have exactly one of .*, got box and sphere$/,
    ],
    ['an unknown kind', withShape({ torus: 1 }), /^bodies\[0\]\.shape\.torus: unknown key, expected one of box, /],
    ['a negative half extent', withShape({ box: [-0.5, 1, 1] }), 'bodies[0].shape.box[0]: must be > 0 [m], got -0.5'],
    ['a radius of zero', withShape({ sphere: 0 }), 'bodies[0].shape.sphere: must be > 0 [m], got 0'],
    [
      'a capsule of one number',
      withShape({ capsule: 1 }),
      'bodies[0].shape.capsule: must be 2 numbers [radius, half height] [m], got 1',
    ],
    ['a flat cylinder', withShape({ cylinder: [1, 0] }), 'bodies[0].shape.cylinder[1]: must be > 0 [m], got 0'],
    ['a thin cone', withShape({ cone: [-1, 1] }), 'bodies[0].shape.cone[0]: must be > 0 [m], got -1'],
    [
      'three hull points',
      withShape({ hull: tetrahedron.slice(1) }),
      'bodies[0].shape.hull: must be a list of at least 4 points [m], got 3',
    ],
    [
      'a bad hull point',
      withShape({ hull: [...tetrahedron, [0, 0]] }),
      'bodies[0].shape.hull[4]: must be 3 numbers [m], got [0, 0]',
    ],
    [
      'a flat hull',
      withShape({
        hull: [
          [0, 1, 0],
          [1, 1, 0],
          [0, 1, 1],
          [1, 1, 1],
        ],
      }),
      /^bodies\[0\]\.shape\.hull: must enclose volume/,
    ],
    [
      'a hull in one point',
      withShape({ hull: Array(5).fill([1, 2, 3]) }),
      /^bodies\[0\]\.shape\.hull: must enclose volume/,
    ],
    [
      'a hull on a line',
      withShape({ hull: [1, 2, 3, 4].map((x) => [x, 2 * x, -x]) }),
      /^bodies\[0\]\.shape\.hull: must enclose volume/,
    ],
    [
      'a moving plane',
      withShape({ plane: [0, 1, 0] }),
      'bodies[0].shape.plane: only on bodies of type "static", got "dynamic"',
    ],
    [
      'a zero plane',
      withShape({ plane: [0, 0, 0] }, 'static'),
      'bodies[0].shape.plane: must not be zero, got [0, 0, 0]',
    ],
    [
      'a moving mesh in a compound',
      withShape({ compound: [{ shape: { mesh: { vertices: tetrahedron, triangles: [[0, 1, 2]] } } }] }, 'kinematic'),
      'bodies[0].shape.compound[0].shape.mesh: only on bodies of type "static", got "kinematic"',
    ],
    [
      'a triangle with a missing vertex',
      withShape(
        {
          mesh: {
            vertices: tetrahedron,
            triangles: [
              [0, 1, 2],
              [1, 2, 4],
            ],
          },
        },
        'static',
      ),
      'bodies[0].shape.mesh.triangles[1][2]: must be the index of a vertex, 0..3, got 4',
    ],
    [
      'a triangle with a negative index',
      withShape({ mesh: { vertices: tetrahedron, triangles: [[0, 1, -1]] } }, 'static'),
      'bodies[0].shape.mesh.triangles[0][2]: must be a whole number >= 0, got -1',
    ],
    [
      'a triangle that is a line',
      withShape({ mesh: { vertices: tetrahedron, triangles: [[0, 1, 1]] } }, 'static'),
      'bodies[0].shape.mesh.triangles[0]: must have 3 different indices, got [0, 1, 1]',
    ],
    [
      'a mesh of no triangle',
      withShape({ mesh: { vertices: tetrahedron, triangles: [] } }, 'static'),
      /^bodies\[0\]\.shape\.mesh\.triangles: must be a list of at least 1 triangle, got 0$/,
    ],
    [
      'an empty compound',
      withShape({ compound: [] }),
      'bodies[0].shape.compound: must be a list of at least 1 part, got 0',
    ],
    [
      'a compound of one part without a shape',
      withShape({ compound: [{}] }),
      'bodies[0].shape.compound[0].shape: missing',
    ],
    // Repeats
    [
      'a repeat without a body',
      { version: 1, repeat: [{ count: 2 }] },
      /^repeat\[0\]\.body: missing, expected the body to copy/,
    ],
    ['a count of zero', withRepeat({ count: [2, 0, 2] }), 'repeat[0].count[1]: must be a whole number >= 1, got 0'],
    ['a count of a half', withRepeat({ count: 1.5 }), 'repeat[0].count: must be a whole number >= 1, got 1.5'],
    ['a count as text', withRepeat({ count: '3' }), 'repeat[0].count: must be a whole number >= 1, got "3"'],
    ['a negative jitter', withRepeat({ jitter: -0.1 }), 'repeat[0].jitter: must be >= 0 [m], got -0.1'],
    ['a broken seed', withRepeat({ seed: 0.5 }), 'repeat[0].seed: must be a whole number, got 0.5'],
    [
      'copies in one place',
      withRepeat({ spacing: undefined }),
      /^repeat\[0\]\.spacing: missing, expected 3 numbers \[m\] \(or jitter\)/,
    ],
    [
      'a copy with a name that is taken',
      { ...withRepeat({ body: { name: 'a', ...ball } }), bodies: [{ name: 'a-1', ...ball }] },
      'repeat[0].body.name: its copy 1 must have a unique name, got "a-1", which bodies[0] has already',
    ],
    // Motions
    [
      'a motion of nobody',
      withMotion({ body: 'x' }),
      'motions[0].body: no such body, expected a kinematic one, got "x"',
    ],
    [
      'a motion of a dynamic body',
      withMotion({ body: 'box' }),
      'motions[0].body: must be of type "kinematic", got "box" of type "dynamic"',
    ],
    ['a motion without keys', withMotion({ keys: [] }), 'motions[0].keys: must be a list of at least 1 key, got 0'],
    ['a negative time', withMotion({ keys: [{ time: -1 }] }), 'motions[0].keys[0].time: must be >= 0 [s], got -1'],
    [
      'times that stand still',
      withMotion({ keys: [{ time: 1 }, { time: 1 }] }),
      'motions[0].keys[1].time: must be > 1 [s], the time of the key before, got 1',
    ],
    ['a loop of 1', withMotion({ loop: 1 }), 'motions[0].loop: must be true or false, got 1'],
    [
      'two motions of a body',
      { ...withMotion({}), motions: [1, 2].map(() => ({ body: 'lift', keys: [{ time: 0 }] })) },
      'motions[1].body: one motion a body, got "lift", which motions[0] moves already',
    ],
    // Solver
    [
      'an unknown solver',
      { version: 1, solver: { rigid: 'magic' } },
      'solver.rigid: must be auto, dantzig, gauss-seidel or contact-admm, got "magic"',
    ],
    [
      'an unknown elastic solver',
      { version: 1, solver: { elastic: 'dantzig' } },
      'solver.elastic: must be auto, admm or conjugate-residual, got "dantzig"',
    ],
    [
      'an unknown backend',
      { version: 1, solver: { backend: 'cuda' } },
      'solver.backend: must be auto, reference, wasm or webgpu, got "cuda"',
    ],
    ['a tolerance of zero', { version: 1, solver: { tolerance: 0 } }, 'solver.tolerance: must be > 0, got 0'],
    ['half a sweep', { version: 1, solver: { sweeps: 0.5 } }, 'solver.sweeps: must be a whole number >= 1, got 0.5'],
    ['no budget', { version: 1, solver: { budget: 0 } }, 'solver.budget: must be > 0 [ms], got 0'],
    // Text
    ['an empty text', '', 'not valid JSON at line 1, column 1: expected a value, got the end of the text'],
    [
      'a trailing comma',
      '{\n  "version": 1,\n}',
      'not valid JSON at line 3, column 1: expected a key in double quotes, got "}"',
    ],
    [
      'a missing comma',
      '{"version": 1\n "title": ""}',
      'not valid JSON at line 2, column 2: expected a comma or }, got "\\""',
    ],
    ['a comment', '{ // no\n}', 'not valid JSON at line 1, column 3: comments are not part of JSON'],
    ['NaN as text', '{"version":NaN}', 'not valid JSON at line 1, column 12: expected a value, got "N"'],
    [
      'a key that is there twice',
      '{"version":1,\n"version":1}',
      'not valid JSON at line 2, column 1: the key "version" is there twice in one object',
    ],
    [
      'a broken string',
      '{"a\nb":1}',
      'not valid JSON at line 1, column 4: a line break or control character inside a string',
    ],
    ['a wrong escape', '["\\x"]', 'not valid JSON at line 1, column 3: wrong escape in a string: "\\\\x"'],
    [
      'text after the end',
      '{"version":1} x',
      'not valid JSON at line 1, column 15: expected the end of the text, got "x"',
    ],
    // Hostile data
    ['a prototype key', '{"version":1,"materials":{"__proto__":{}}}', 'materials.__proto__: this key is not allowed'],
    ['a constructor key', '{"version":1,"constructor":{}}', 'constructor: this key is not allowed'],
    [
      'deep lists',
      `{"version":1,"bodies":${'['.repeat(9999)}${']'.repeat(9999)}}`,
      /nested too deeply, expected at most 64 levels$/,
    ],
    [
      'a getter that throws',
      {
        get version() {
          throw new Error('boo');
        },
      },
      'version: cannot be read, expected plain data',
    ],
    [
      'a name that would colour the terminal',
      withBody({ type: '\u001b[31mred\u009b' }),
      'bodies[0].type: must be dynamic, static or kinematic, got "\\u001b[31mred\\u009b"',
    ],
  ];
  it.each(cases)('%s', (_what, source, message) => {
    if (typeof message === 'string') expect(refusal(source)).toBe(message);
    else expect(refusal(source)).toMatch(message);
  });

  it('data that contains itself', () => {
    const loop: { version: number; bodies: unknown[] } = { version: 1, bodies: [] };
    loop.bodies.push(loop);
    expect(refusal(loop)).toBe('bodies[0]: contains itself, expected plain data');
  });

  it('more than the limits, before looking at anything else', () => {
    expect(refusal({ version: 'wrong', bodies: Array(6).fill(ball) }, { bodies: 5 })).toBe(
      'bodies: at most 5 bodies in all, got 6',
    );
    expect(refusal(withRepeat({ count: [1000, 1000, 1000] }))).toBe(
      'repeat[0].count: at most 200000 bodies in all, got 1000000000',
    );
    expect(refusal(withRepeat({ count: [1e300, 1e300, 1] }))).toBe(
      'repeat[0].count: at most 200000 bodies in all, got Infinity',
    );
    expect(refusal(withShape({ hull: Array(11).fill([0, 0, 0]) }), { nodes: 10 })).toBe(
      'bodies[0].shape: at most 10 points and parts in all, got 11',
    );
    expect(
      refusal(withRepeat({ count: 10, body: { shape: { compound: [{ ...ball }, { ...ball }] } } }), { nodes: 19 }),
    ).toBe('repeat[0].body.shape: at most 19 points and parts in all, got 20');
    expect(refusal({ version: 1, bodies: Array(200_001).fill(null) })).toBe(
      'bodies: at most 200000 bodies in all, got 200001',
    );
  });

  it('limits that are no counts, as misuse', () => {
    expect(() => readScene({ version: 1 }, { bodies: -1 })).toThrow(
      new UsageError('readScene: limits.bodies must be > 0, got -1'),
    );
    expect(() => readScene({ version: 1 }, { nodes: 1.5 })).toThrow(
      new UsageError('readScene: limits.nodes must be a whole number, got 1.5'),
    );
  });

  it('many mistakes with ten lines at most, several kinds at once', () => {
    const lines = refusal({ version: 1, title: 1, bodies: Array(100_000).fill({ shape: { sphere: -1 } }) }).split('\n');
    expect(lines[0]).toBe('title: must be text, got 1');
    expect(lines[1]).toBe('bodies[0].shape.sphere: must be > 0 [m], got -1');
    expect(lines.slice(10)).toEqual(['and 1 more']);
    expect(refusal({ version: 1, bodies: [{ shape: {}, mass: -1 }], rods: [1] }).split('\n').length).toBe(3);
  });

  it('thin hulls only when they are too flat for the engine, at every size', () => {
    const scaled = (x: number, y: number, z: number) =>
      withShape({ hull: tetrahedron.map((p) => [p[0] * x + 5 * x, p[1] * y, p[2] * z]) });
    for (const size of [1e-3, 1, 1e3]) {
      expect(refusal(scaled(size, size, size))).toBe('not refused');
      expect(refusal(scaled(size, size, size * 1e-4))).toBe('not refused');
      expect(refusal(scaled(size, size, size * 1e-9))).toMatch(/must enclose volume/);
    }
  });
});
